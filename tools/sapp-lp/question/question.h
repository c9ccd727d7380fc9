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
	bool failed;		/* by question_fail(): it has no answer */
	bool free;		/* the order is to be found, beginning with those of the other questions */
	enum schedule_kind found;	/* free: the schedule whose pieces it has; custom: any */
	bool helps;		/* not asked for: only for a free one to begin with */
	struct devices *devices;	/* of the options, with its transfers */
	struct problem problem;
	struct network *net;		/* the model, with the places that its target and schedule have for layers */
	struct network *restricted;	/* the model, where every piece is recomputed alike */
};

struct questions {
	int n;
	struct question *at;
};

/*
 * Every combination of schedule and chunks that is asked for. Those that a schedule or the target does not allow are
 * left out, and a message says so. Exits when there is no such schedule, or none is left.
 */
struct questions questions_list(const struct options *);
/* Add a question as the options ask it, of a schedule with so many chunks a stage. */
struct question *question_new(struct questions *, const struct options *, enum schedule_kind, int interleave);
/* Leave out those that NET has too few layers for, with a message, and check the rest; exits when none is left. */
void questions_keep(struct questions *, const struct options *, const struct network *);
/* Why its pieces or schedule do not go with NET's layers, to be freed, or NULL. */
char *question_obstacle(const struct question *, const struct options *, const struct network *);
/* Exits when it cannot be planned: NET has too few layers, or too many. */
void question_check(const struct question *, const struct options *, const struct network *);
/* Set its devices: those of the options, with its transfers. */
void question_devices(struct question *, const struct options *);
/*
 * Plan one in at most SECONDS, and write its model to the files of the options. KNOWN: answers to it with other limits,
 * known.h.
 */
void question_answer(struct question *, struct options *, const struct network *net, const struct records *known,
    double seconds);
/* Name the plan after WHAT and the chunks. */
void question_name(struct question *, const char *what);
/* Why the plan is not what it says, within the limits, MB, or not the target's; NULL: it is. Caller frees. */
char *question_problem(const struct question *, enum target, struct list memory);
/* FAULT, if it is not NULL, is said and freed, and the question has failed: other questions may still be answered. */
bool question_fail(struct question *, const struct network *, char *fault);
/* Sort: the shortest step first. Those that only helped are left out. */
void questions_rank(struct questions *);
/* Write the input records, then the first KEEP answers; or with -H a report. */
void questions_write(const struct questions *, const struct records *input, int keep);
/* The exit status of N questions, once they are written: FAILED by question_fail(), which is said, ANY with a plan. */
int questions_status(int n, int failed, bool any);
void question_free(struct question *);
void questions_free(struct questions *);

#endif
