/* Questions: every combination of schedule and chunks that the options ask for, with the answer to each. */
#ifndef QUESTION_H
#define QUESTION_H

#include "lib/record/record.h"
#include "sapp-lp/options.h"

struct question {
	struct pipeline pipeline;
	struct plan plan;
	double rank;		/* ms a step; INFINITY: nothing fits */
	bool answered;		/* there is a plan, if only one that does not fit */
	bool free;		/* the order is to be found, beginning with those of the other questions */
	bool v;			/* free, of two chunks forth and back: v-auto */
	bool helps;		/* not asked for: only for a free one to begin with */
	struct devices *devices;	/* of the options, with its transfers */
	struct problem problem;
	struct network *restricted;	/* the model, where every piece is recomputed alike */
};

struct questions {
	int n;
	struct question *at;
};

/* Exits when there is no such schedule, or it cannot run. */
struct questions questions_list(const struct options *);
/* Add a question as the options ask it, of a schedule with so many chunks a stage. */
struct question *question_new(struct questions *, const struct options *, enum schedule_kind, int interleave);
/* Set its devices: those of the options, with its transfers. */
void question_devices(struct question *, const struct options *);
/*
 * Plan one in at most SECONDS, and write its model to the files of the options. KNOWN: answers to it with other limits,
 * known.h. Exits when NET has too few layers.
 */
void question_answer(struct question *, struct options *, const struct network *net, const struct records *known,
    double seconds);
/* Name the plan after WHAT and the chunks. */
void question_name(struct question *, const char *what);
/* Exits, loudly, when the plan is not what it says, within the limits, MB. */
void question_verify(const struct question *, struct list memory);
/* Sort: the shortest step first. Those that only helped are left out. */
void questions_rank(struct questions *);
/* Write the input records, then the first KEEP answers; or with -H a report. */
void questions_write(const struct questions *, const struct records *input, int keep);
void question_free(struct question *);
void questions_free(struct questions *);

#endif
