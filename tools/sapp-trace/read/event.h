/* Reader of the events of a timeline. */
#ifndef EVENT_H
#define EVENT_H

#include "scan.h"
#include "text.h"

struct event {		/* strings without quotes and escapes; numbers as written */
	char ph;	/* the event's kind; 0: longer than a character */
	struct text kind, name, pid, tid, ts, dur, level;
	struct text cat, id;
	struct text args_name, args_fullname;
	struct text args_step, args_micro, args_chunk;	/* members of args, of an operation of a pipeline */
	/*
	 * From PyTorch's profiler: links from a kernel to its launch, and from a backward operation to its forward
	 * operation.
	 */
	struct text correlation, sequence, forward_thread, task_type;
	struct text collective, group;	/* of a collective: its type; its ranks, or the name of its group */
	struct text dtype, in, out;	/* number type; how many numbers go in and out */
	/* link from a kernel to the operator that launched it; input of an operator */
	struct text external, dims, types;
};

/*
 * Read the next event. Return false at the end; s->cut: the document is incomplete. Exits if the document is not a
 * timeline.
 */
bool event_next(struct scan *, struct event *);

/*
 * Get start and end in ns. Return false if they are not times, or if the duration is negative or absurd. Differences of
 * such times do not overflow.
 */
bool event_span(const struct event *, int64_t *start, int64_t *end);
/* Get start and end, or only the start; exit if they are invalid. */
void event_times(const struct event *, int64_t *start, int64_t *end, const struct scan *);
int64_t event_start(const struct event *, const struct scan *);
/* Return the ns by which an event ends before it begins; 0 if it does not, or if it has no times. */
int64_t event_backwards(const struct event *);

/* event_own() replaces the texts of an event by copies; event_disown() frees these. */
void event_own(struct event *);
void event_disown(struct event *);

#endif
