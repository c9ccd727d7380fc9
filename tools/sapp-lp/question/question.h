/* Questions: every requested combination of schedule and chunks, with its answer. */
#ifndef QUESTION_H
#define QUESTION_H

#include "lib/record/record.h"
#include "options.h"

struct question {
	struct pipeline pipeline;
	struct plan plan;
	double rank;		/* ms per step; INFINITY: nothing fits */
	bool answered;		/* has a plan, possibly one that does not fit */
	bool failed;		/* set by question_fail(): no answer */
	bool free;		/* the order is planned, starting with the other questions' */
	/* free question: the schedule that determines its pieces; SCHEDULE_CUSTOM: any */
	enum schedule_kind found;
	bool helps;		/* not requested: only a start for a free question */
	struct devices *devices;	/* of the options, with the question's transfers */
	struct problem problem;
	struct network *net;		/* the model with the layer places of target and schedule */
	struct network *restricted;	/* the model with uniform recomputation */
};

struct questions {
	int n;
	struct question *at;
};

/*
 * List every requested combination. Omits combinations that schedule or target do not allow, with a message. Exits on
 * unknown schedules, or if none is left.
 */
struct questions questions_list(const struct options *);
/* Add the options' question for a schedule with INTERLEAVE chunks per stage. */
struct question *question_new(struct questions *, const struct options *, enum schedule_kind, int interleave);
/* Drop questions for which NET has too few layers, with a message, and check the others. Exits if none is left. */
void questions_keep(struct questions *, const struct options *, const struct network *);
/* Return why the pieces or the schedule of a question do not suit NET's layers (caller frees), or NULL. */
char *question_obstacle(const struct question *, const struct options *, const struct network *);
/* Exit if NET has too few or too many layers for the question. */
void question_check(const struct question *, const struct options *, const struct network *);
/* Set the devices of a question: the devices of the options, with the question's own transfers. */
void question_devices(struct question *, const struct options *);
/*
 * Plan a question in at most SECONDS, and write its model to the files of the options. KNOWN: answers with other
 * limits, known.h.
 */
void question_answer(struct question *, struct options *, const struct network *net, const struct records *known,
    double seconds);
/* Name the plan after WHAT and the chunks. */
void question_name(struct question *, const char *what);
/* Return why the plan violates its promises, the limits (MB) or the target (caller frees), or NULL. */
char *question_problem(const struct question *, enum target, struct list memory);
/* Unless FAULT is NULL, print and free it and mark the question as failed. Other questions may still succeed. */
bool question_fail(struct question *, const struct network *, char *fault);
/* Sort by step, shortest first; drop questions that only helped a free one. */
void questions_rank(struct questions *);
/* Write the input records, then the first KEEP answers; or with -H a report. */
void questions_write(const struct questions *, const struct records *input, int keep);
/*
 * Return the exit status of N questions after writing them; prints the number FAILED by question_fail(). ANY: a plan
 * exists.
 */
int questions_status(int n, int failed, bool any);
void question_free(struct question *);
void questions_free(struct questions *);

#endif
