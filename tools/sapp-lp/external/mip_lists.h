/*
 * MIP lists: rows and columns by which a plan is one that the lists of the training YAML can say.
 *
 * The layers of a piece are recomputed by the levels of one chain of kinds, in order: see struct nesting.
 */
#ifndef MIP_LISTS_H
#define MIP_LISTS_H

#include "mip_row.h"

void mip_lists_add(struct lp_model *);

#endif
