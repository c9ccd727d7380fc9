/* Hints: the names that a timeline contains, for a message if the layers sought are missing. */
#ifndef HINT_H
#define HINT_H

#include "sapp-trace/read/process.h"
#include "class.h"

enum { HINTS_KEPT = 12 };

struct hints {
	int seen;		/* number of events examined, up to a maximum */
	int nlayers, nnames;
	char *layer[HINTS_KEPT];	/* the part Name of components k-Name */
	char *name[HINTS_KEPT];	/* names of events that are not scopes */
	int nmodules;
	struct module_count { char *class; int n; } module[HINTS_KEPT];	/* modules of PyTorch with names like layers */
	bool scopes;		/* whether events have paths or names of scopes */
	bool modules;		/* whether the layers are modules of PyTorch */
	bool named;		/* the user named the layers */
	bool pytorch, npu;	/* written by PyTorch's profiler, or by torch_npu's */
};

void hint_path(struct hints *, struct text path);
/* Add the name of an event of PyTorch's profiler. */
void hint_span(struct hints *, const struct event *);
void hint_name(struct hints *, struct text name);
/* Return the number of layers if all modules of PyTorch have one class, *CLASS; 0 if unknown. */
int hint_modules(const struct hints *, const char **class);
/* Return a message about the names found; caller frees. */
char *hint_text(const struct hints *, const struct classes *, const struct processes *, uint64_t events);
/* Add the layers found in another file to ALL. */
void hint_merge(struct hints *all, const struct hints *);
/*
 * Return "; layers found: 'a', 'b'; the nearest is 'b'" if WANTED is not among the layers found, or "" if no layers
 * were found. Caller frees.
 */
char *hint_layers(const struct hints *, const char *wanted);
void hints_free(struct hints *);

#endif
