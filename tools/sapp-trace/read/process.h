/* Processes of a timeline, by their pid; names come in events of their own, early or late. */
#ifndef PROCESS_H
#define PROCESS_H

#include "event.h"
#include "lib/base/index.h"

struct process {
	char *id;		/* the pid as it is written */
	char *name;		/* NULL: never named */
	bool windows;		/* it has scopes of depth 0 */
	/* The first operation called ...MatMul-op...: it runs once a step. */
	char *marker;
	size_t marker_length;
	size_t nmarks;
	int64_t *mark;		/* ns, when it started */
};

struct processes {
	int n;
	struct process *at;
	struct index ids;
	int last;
};

/* The process of a pid, made when it is new; exits, naming the scanner's place, when there are too many. */
int process_of(struct processes *, struct text pid, const struct scan *);
void processes_free(struct processes *);

/* By its name, or, where that was never said, by what it holds: an interrupted file may lack the names. */
bool process_is_scope_track(const struct process *);
bool process_is_device(const struct process *);

#endif
