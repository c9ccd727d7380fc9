/* Events of a timeline, one after the other. */
#ifndef EVENT_H
#define EVENT_H

#include "scan.h"
#include "text.h"

struct event {		/* strings without their quotes, escapes undone; numbers as they are written */
	char ph;	/* what KIND is, of one character; 0: else */
	struct text kind, name, pid, tid, ts, dur, level;
	struct text cat, id;
	struct text args_name, args_fullname;
	struct text args_step, args_micro, args_chunk;	/* of an operation of a pipeline */
	/* Of PyTorch's profiler: what joins a kernel to its launch, and a backward operation to its forward. */
	struct text correlation, sequence, forward_thread, task_type;
	struct text collective, group;	/* of a collective: what it is, and the ranks that are in it, or their name */
	struct text dtype, in, out;	/* of its numbers, and how many of them go in and come out */
	struct text external, dims, types;	/* what joins a kernel to the operator around its launch; its input */
};

/* The next event; false at the end, s->cut then says whether the document was complete. Exits on anything
 * that is not a timeline. */
bool event_next(struct scan *, struct event *);

/* ts and ts + dur in nanoseconds; false when they are no times, or dur is negative or beyond all reason. The
 * difference of any two such times fits. */
bool event_span(const struct event *, int64_t *start, int64_t *end);
/* The same, and of ts alone; exit where it is none. */
void event_times(const struct event *, int64_t *start, int64_t *end, const struct scan *);
int64_t event_start(const struct event *, const struct scan *);
/* ns that it ends before it begins; 0: it does not, or has no times. */
int64_t event_backwards(const struct event *);

/* Make the texts of an event its own; free them. */
void event_own(struct event *);
void event_disown(struct event *);

#endif
