/*
 * A stream of questions: pipeline records, each with a model and layers of its own before it.  They are answered in the
 * order of bounds on their steps that need no planning, and given up once such a bound is not below the best answers
 * known: the k-th best step, or -cutoff.  Giving up is safe as far as those bounds are.
 */
#ifndef STREAM_H
#define STREAM_H

#include "question.h"

struct stream_question {
	struct records own;		/* part of the input: its model and layers */
	size_t behind;			/* records of the input up to its pipeline record */
	const struct pipeline *asked;
	struct network net;
	struct options options;		/* as if it were asked on the command line */
	struct question question;
	double promise;			/* ms, a bound below its plans */
	bool planned;			/* not given up before it began */
	const struct stream_question *twin;	/* planned, and the same but for its name; NULL: none is */
};

struct stream {
	int n;
	struct stream_question *at;
};

/* The questions of the input that no plan answers yet; none where the options ask one themselves. */
struct stream stream_find(const struct options *, const struct records *);
/* Answer them, the most promising first, and write them behind their pipeline records. The exit status. */
int stream_answer(struct stream *, const struct options *, const struct records *);
void stream_free(struct stream *);

#endif
