/* Answer: model and layer records with memory, and the fit. */
#ifndef ANSWER_H
#define ANSWER_H

#include "input.h"
#include "split.h"

struct memsplit_answer {
	struct model model;
	int n;
	struct layer **layer;		/* in the order HEAD, BODY, TAIL */
};

/*
 * Make the answer. Times are from layer records of the stream, otherwise from its timing records, otherwise from the
 * YAML. NAME: name of the model; NULL: its name in the stream.
 */
struct memsplit_answer answer_new(const struct input *, const struct split *, const char *name);
void memsplit_answer_free(struct memsplit_answer *);

/*
 * answer_fit() returns the fit record; free it with fields_free(). memsplit_answer_report() prints the fit as a table.
 */
struct fit answer_fit(const struct split *);
void memsplit_answer_report(FILE *, const struct split *);

#endif
