/* Hints: what a timeline holds instead of the layers that were looked for. */
#ifndef HINT_H
#define HINT_H

#include "class.h"
#include "sapp-trace/read/process.h"

enum { HINTS_KEPT = 12 };

struct hints {
	int seen;		/* events looked at, up to a limit */
	int nlayers, nnames;
	char *layer[HINTS_KEPT];	/* Name, of components k-Name */
	char *name[HINTS_KEPT];	/* of events that are no scopes */
	int nmodules;
	struct module_count { char *class; int n; } module[HINTS_KEPT];	/* PyTorch's that are layers by their name */
	bool scopes;		/* paths or scope names occur */
	bool modules;		/* the layers are modules of PyTorch */
	bool named;		/* the user says what the layers are called */
	bool pytorch, npu;	/* written by PyTorch's profiler; by torch_npu's */
};

void hint_path(struct hints *, struct text path);
/* An event of PyTorch's profiler. */
void hint_span(struct hints *, const struct event *);
void hint_name(struct hints *, struct text name);
/* How many layers the modules of PyTorch are, of the only class of them; 0: not told. */
int hint_modules(const struct hints *, const char **class);
/* A message, to be freed. */
char *hint_text(const struct hints *, const struct classes *, const struct processes *, uint64_t events);
/* Add the layers of another file to those of ALL. */
void hint_merge(struct hints *all, const struct hints *);
/* "; layers there: 'a', 'b'; the nearest is 'b'", where WANTED is not among them; "": there are none. To be freed. */
char *hint_layers(const struct hints *, const char *wanted);
void hints_free(struct hints *);

#endif
