/* Read events of a timeline. */
#ifndef EVENT_H
#define EVENT_H

#include "scan.h"
#include "text.h"

struct event {		/* strings unquoted and unescaped; numbers as written */
	char ph;	/* KIND as a character; 0: longer */
	struct text kind, name, pid, tid, ts, dur, level;
	struct text cat, id;
	struct text args_name, args_fullname;
	struct text args_step, args_micro, args_chunk;	/* of a pipeline operation */
	/* PyTorch's profiler: links of a kernel to its launch, and of a backward operation to its forward. */
	struct text correlation, sequence, forward_thread, task_type;
	struct text collective, group;	/* of a collective: its type, and its ranks or group name */
	struct text dtype, in, out;	/* number type, and numbers in and out */
	/* link of a kernel to the operator that launched it; the operator's input */
	struct text external, dims, types;
};

/* Read the next event; false at the end, with s->cut for an incomplete document. Exits on anything but a timeline. */
bool event_next(struct scan *, struct event *);

/*
 * Get ts and ts + dur in nanoseconds; false if they are not times, or dur is negative or absurd. Differences of such
 * times do not overflow.
 */
bool event_span(const struct event *, int64_t *start, int64_t *end);
/* Get both, or only ts; exit if invalid. */
void event_times(const struct event *, int64_t *start, int64_t *end, const struct scan *);
int64_t event_start(const struct event *, const struct scan *);
/* Return the ns by which an event ends before it begins; 0 if it does not, or has no times. */
int64_t event_backwards(const struct event *);

/* Give an event its own copies of texts; free them. */
void event_own(struct event *);
void event_disown(struct event *);

#endif
