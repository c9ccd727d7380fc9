/* Answer: the model and layer records with memory, and the fit. */
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
 * Build the answer. Times come from layer records of the stream, else from its timing records or the YAML. NAME NULL:
 * the name in the stream.
 */
struct memsplit_answer answer_new(const struct input *, const struct split *, const char *name);
void memsplit_answer_free(struct memsplit_answer *);

/* Return the fit record, to be freed with fields_free(); print the fit as a table. */
struct fit answer_fit(const struct split *);
void memsplit_answer_report(FILE *, const struct split *);

#endif
