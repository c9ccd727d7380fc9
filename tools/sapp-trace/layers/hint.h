/* Hints: what a timeline contains instead of the layers sought. */
#ifndef HINT_H
#define HINT_H

#include "sapp-trace/read/process.h"
#include "class.h"

enum { HINTS_KEPT = 12 };

struct hints {
	int seen;		/* events examined, up to a limit */
	int nlayers, nnames;
	char *layer[HINTS_KEPT];	/* Name in components k-Name */
	char *name[HINTS_KEPT];	/* of events that are not scopes */
	int nmodules;
	struct module_count { char *class; int n; } module[HINTS_KEPT];	/* of PyTorch, with names like layers */
	bool scopes;		/* has paths or scope names */
	bool modules;		/* the layers are modules of PyTorch */
	bool named;		/* the user named the layers */
	bool pytorch, npu;	/* written by PyTorch's profiler; by torch_npu's */
};

void hint_path(struct hints *, struct text path);
/* Add an event of PyTorch's profiler. */
void hint_span(struct hints *, const struct event *);
void hint_name(struct hints *, struct text name);
/* Return the number of layers if PyTorch's modules have a single class; 0 if unknown. */
int hint_modules(const struct hints *, const char **class);
/* Return a message; caller frees. */
char *hint_text(const struct hints *, const struct classes *, const struct processes *, uint64_t events);
/* Add the layers of another file to ALL. */
void hint_merge(struct hints *all, const struct hints *);
/* Return "; layers there: 'a', 'b'; the nearest is 'b'" if WANTED is not among them; "": no layers. Caller frees. */
char *hint_layers(const struct hints *, const char *wanted);
void hints_free(struct hints *);

#endif
