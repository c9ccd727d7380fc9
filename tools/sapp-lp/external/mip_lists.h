/*
 * MIP lists: rows and columns that restrict plans to those that lists of the training YAML can express. The layers of a
 * piece take the levels of one chain of kinds, in order: see struct nesting.
 */
#ifndef MIP_LISTS_H
#define MIP_LISTS_H

#include "mip_row.h"

void mip_lists_add(struct lp_model *);

#endif
