/* Questions: every combination of what was options, with the answer to each. */
#ifndef QUESTION_H
#define QUESTION_H

#include "options.h"
#include "lib/record/record.h"

struct question {
	struct pipeline pipeline;
	struct plan plan;
	double rank;		/* ms a step; INFINITY: nothing fits */
	bool answered;		/* with a plan, if only with one that does not fit */
	struct problem problem;
};

struct questions {
	int n;
	struct question *at;
};

/* Exits when one of them cannot be. */
struct questions questions_list(const struct options *);
/* Plan one in at most SECONDS, and write its model where that was asked for. Exits when it is no question for NET. */
void question_answer(struct question *, struct options *, const struct network *net, double seconds);
/* The shortest step first. */
void questions_rank(struct questions *);
/* The input again and the first KEEP answers behind it; or a report. */
void questions_write(const struct questions *, const struct records *input, int keep);
void questions_free(struct questions *);

#endif
