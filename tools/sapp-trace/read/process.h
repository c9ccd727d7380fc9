/* Processes of a timeline, by pid. Separate events, early or late in the timeline, name them. */
#ifndef PROCESS_H
#define PROCESS_H

#include "lib/base/index.h"
#include "event.h"

struct process {
	char *id;		/* pid as written */
	char *name;		/* NULL: unnamed */
	bool windows;		/* whether it has scopes of depth 0 */
	/* The first operation named ...MatMul-op..., which runs once per step. */
	char *marker;
	size_t marker_length;
	size_t nmarks;
	int64_t *mark;		/* ns, starts of this operation */
};

struct processes {
	int n;
	struct process *at;
	struct index ids;
	int last;
};

/*
 * Return the process with a pid. Create it if needed. Exits, naming the scanner's place, if the processes are too many.
 */
int process_of(struct processes *, struct text pid, const struct scan *);
void processes_free(struct processes *);

/*
 * Return whether a process is a scope track, or a device: by its name, or without a name by its contents, because
 * interrupted files may lack names.
 */
bool process_is_scope_track(const struct process *);
bool process_is_device(const struct process *);

#endif
