/*
 * Integer: the linear programme with whole layers, named so that people and other solvers can read it.
 *
 *   z                       ms, the step time, minimised
 *   n_CHUNK_STAGE_BODY_KIND layers of a BODY layer on a piece that are recomputed by that kind
 *   placed_BODY, filled_CHUNK_STAGE, memory_STAGE_n, path_n     rows, MB and ms
 *
 * Where the order of several BODY layers, or what the lists of the training YAML can say, is more than rows
 * over counts can express, there are columns that are 0 or 1 besides.
 */
#ifndef INTEGER_H
#define INTEGER_H

#include <stdio.h>

#include "sapp-lp/bound/lp_model.h"

/* To be closed with linear_close(). */
void integer_open(struct linear *, const struct problem *);
void integer_write_lp(struct linear *, FILE *);		/* lp_solve's own format */
void integer_write_mps(struct linear *, FILE *);	/* free MPS */
/* Values X[] of the columns (from 1) to a plan no slower; false when they are none that fits. */
bool integer_plan(const struct linear *, const double *x, struct candidate *out);

#endif
