/* Answer: the model and layer records with memory in them, and how well it fitted. */
#ifndef ANSWER_H
#define ANSWER_H

#include "input.h"
#include "split.h"

struct answer {
	struct model model;
	int n;
	struct layer **layer;		/* HEAD, BODY and TAIL in that order */
};

/*
 * Times from layer records of the stream, else from its timing records or the YAML; NAME NULL: as in the
 * stream.
 */
struct answer answer_new(const struct input *, const struct split *, const char *name);
void answer_free(struct answer *);

/* What was solved, for the fit record and as a table for people; free the former with fields_free(). */
struct fit answer_fit(const struct split *);
void answer_report(FILE *, const struct split *);

#endif
