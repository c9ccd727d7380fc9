/* Questions: every requested combination of schedule and number of chunks, with its answer. */
#ifndef QUESTION_H
#define QUESTION_H

#include "lib/record/record.h"
#include "options.h"

struct question {
	struct pipeline pipeline;
	struct plan plan;
	double rank;		/* ms per step, by which answers are sorted; INFINITY: nothing fits */
	bool answered;		/* a plan exists, possibly one that does not fit */
	bool failed;		/* question_fail() was called: no answer */
	bool free;		/* the order is planned; the search starts with other questions' answers */
	/* of a free question: the schedule that determines its pieces; SCHEDULE_CUSTOM: any schedule */
	enum schedule_kind found;
	bool helps;		/* not requested, only the start for a free question */
	struct devices *devices;	/* the devices of the options, with the question's own transfers */
	struct problem problem;
	/* the network, with its layers restricted to the pieces that target and schedule allow */
	struct network *net;
	/* the network if all stages recompute alike; NULL: recomputation is not restricted so */
	struct network *restricted;
};

struct questions {
	int n;
	struct question *at;
};

/*
 * List every requested combination. Prints a message for each combination that the schedule or the target does not
 * allow, and omits it. Exits on unknown schedules, or if none is left.
 */
struct questions questions_list(const struct options *);
/* Add a question with these options for a schedule with INTERLEAVE chunks per stage. */
struct question *question_new(struct questions *, const struct options *, enum schedule_kind, int interleave);
/* Drop the questions for which NET has too few layers, with a message, and check the others. Exits if none is left. */
void questions_keep(struct questions *, const struct options *, const struct network *);
/* Return the reason why the pieces or the schedule of a question do not suit NET's layers (caller frees), or NULL. */
char *question_obstacle(const struct question *, const struct options *, const struct network *);
/* Exit if NET has too few or too many layers for the question. */
void question_check(const struct question *, const struct options *, const struct network *);
/* Set the devices of a question: the devices of the options, with the question's own transfers. */
void question_devices(struct question *, const struct options *);
/*
 * Plan a question in at most SECONDS, and write its model to the files of the options. KNOWN: answers with other
 * limits, see known.h.
 */
void question_answer(struct question *, struct options *, const struct network *net, const struct records *known,
    double seconds);
/* Set the plan's name from WHAT and the number of chunks. */
void question_name(struct question *, const char *what);
/*
 * Return a description of the violation if the plan exceeds LIMITS, MB, or contradicts the target or its own members
 * (caller frees); otherwise NULL.
 */
char *question_problem(const struct question *, enum target, struct list memory);
/* Unless FAULT is NULL, print it, free it, and mark the question as failed. Other questions may still succeed. */
bool question_fail(struct question *, const struct network *, char *fault);
/* Sort questions by step, shortest first. Drop the questions that only helped a free question. */
void questions_rank(struct questions *);
/* Write the input records, then the first KEEP answers; with -H write a report instead. */
void questions_write(const struct questions *, const struct records *input, int keep);
/*
 * Return the exit status of N questions after their output, and print the number FAILED by question_fail(). ANY:
 * whether a plan exists.
 */
int questions_status(int n, int failed, bool any);
void question_free(struct question *);
void questions_free(struct questions *);

#endif
