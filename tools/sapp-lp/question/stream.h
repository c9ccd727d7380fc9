/*
 * A stream of questions: pipeline records, each after its model and layers. A quick lower bound on the step is computed
 * for each question, and questions are planned in the order of these bounds. A question is given up if its bound is not
 * below the k-th best step found or the value of -cutoff. Giving up is as safe as these bounds.
 */
#ifndef STREAM_H
#define STREAM_H

#include "question.h"

struct stream_question {
	struct records own;		/* the part of the input that belongs to the question: its model and layers */
	size_t behind;			/* number of input records up to and including its pipeline record */
	const struct pipeline *asked;
	struct network net;
	struct options options;		/* options as if given on the command line */
	struct question question;
	double promise;			/* ms, lower bound on the steps of its plans */
	bool planned;			/* whether it was planned, not given up before */
	const struct stream_question *twin;	/* a planned question that differs only in its name; NULL: none */
};

struct stream {
	int n;
	struct stream_question *at;
};

/* Return the unanswered questions of the input. The result is empty if the options ask one question. */
struct stream stream_find(const struct options *, const struct records *);
/*
 * Answer the questions, least lower bound first. Write the answers after their pipeline records. Return the exit
 * status.
 */
int stream_answer(struct stream *, const struct options *, const struct records *);
void stream_free(struct stream *);

#endif
