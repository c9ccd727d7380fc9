/*
 * A stream of questions: pipeline records, each after its model and layers. They are answered in the order of quick
 * lower bounds on their steps, and given up once such a bound is not below the best answers known: the k-th best step,
 * or -cutoff. Giving up is as safe as those bounds.
 */
#ifndef STREAM_H
#define STREAM_H

#include "question.h"

struct stream_question {
	struct records own;		/* part of the input: its model and layers */
	size_t behind;			/* number of input records up to its pipeline record, included */
	const struct pipeline *asked;
	struct network net;
	struct options options;		/* as if given on the command line */
	struct question question;
	double promise;			/* ms, a bound below its plans */
	bool planned;			/* was planned, not given up before */
	const struct stream_question *twin;	/* a planned question that differs only in its name; NULL: none */
};

struct stream {
	int n;
	struct stream_question *at;
};

/* Return the unanswered questions of the input; empty if the options ask one. */
struct stream stream_find(const struct options *, const struct records *);
/*
 * Answer the questions, most promising first, and write the answers after their pipeline records. Return the exit
 * status.
 */
int stream_answer(struct stream *, const struct options *, const struct records *);
void stream_free(struct stream *);

#endif
