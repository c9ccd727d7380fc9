/* Processes of a timeline by pid; separate events name them, early or late. */
#ifndef PROCESS_H
#define PROCESS_H

#include "lib/base/index.h"
#include "event.h"

struct process {
	char *id;		/* pid as written */
	char *name;		/* NULL: unnamed */
	bool windows;		/* has scopes of depth 0 */
	/* The first operation named ...MatMul-op..., which runs once per step. */
	char *marker;
	size_t marker_length;
	size_t nmarks;
	int64_t *mark;		/* ns, its starts */
};

struct processes {
	int n;
	struct process *at;
	struct index ids;
	int last;
};

/* Return the process of a pid, creating it if needed; exits, naming the scanner's place, if there are too many. */
int process_of(struct processes *, struct text pid, const struct scan *);
void processes_free(struct processes *);

/* Decide by its name, or without a name by its contents: interrupted files may lack names. */
bool process_is_scope_track(const struct process *);
bool process_is_device(const struct process *);

#endif
