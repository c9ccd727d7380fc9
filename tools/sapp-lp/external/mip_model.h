/*
 * MIP model: the programme of lp_model.h with whole layers, named so that people and other solvers can read it.
 *
 *   z                       ms, the step time, minimised
 *   n_CHUNK_STAGE_BODY_KIND number of layers of a body on a piece that are recomputed by that kind
 *   placed_BODY             row: layers of the body on all pieces
 *   filled_CHUNK_STAGE      row: layers of the piece
 *   memory_STAGE_n          row: MB on the stage at the n-th moment that may be its peak
 *   path_n                  row: ms of the n-th path, at most z
 *
 * Rows over numbers of layers cannot express the order of several bodies, or the lists of the training YAML. For these
 * the model has additional columns of 0 or 1. With offloaded activations, it also has a column per piece for the ms
 * that the piece's backward waits for the link.
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
