/*
 * MIP model: the programme of lp_model.h with whole layers, named so that people and other solvers can read it.
 *
 *   z                       ms, the step time, minimised
 *   n_CHUNK_STAGE_BODY_KIND layers of a BODY layer on a piece that are recomputed by that kind
 *   placed_BODY, filled_CHUNK_STAGE, memory_STAGE_n, path_n     rows, MB and ms
 *
 * Columns of 0 or 1 are added if rows over counts cannot express the order of several BODY layers or the lists of the
 * training YAML; with offloaded activations, columns of the ms that a piece's backward waits for the link.
 */
#ifndef MIP_MODEL_H
#define MIP_MODEL_H

#include <stdio.h>

#include "sapp-lp/bound/lp_model.h"

/* Close with lp_model_close(). */
void mip_open(struct lp_model *, const struct problem *);
void mip_write_lp(struct lp_model *, FILE *);		/* lp_solve's own format */
void mip_write_mps(struct lp_model *, FILE *);	/* free MPS */
/*
 * Get the plan of a solution X[columns], numbered from 1, or a plan with the same layers that is not slower. Return
 * false if X is not a plan.
 */
bool mip_plan(const struct lp_model *, const double *x, struct candidate *out);

#endif
