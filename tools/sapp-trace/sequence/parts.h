/* Parts: attentions that run in several kernels, with transfers between them. */
#ifndef PARTS_H
#define PARTS_H

#include "work.h"

/*
 * Attention in parts, between which sequences that are divided over devices go round: the first of them stands for all,
 * and what goes round is no transfer of the pipeline. No product runs in between.
 * False: there are none. OTHER: anchors of the other phase.
 */
bool parts_join(struct positions *, const struct positions *other, struct work *, const struct sequence *);

#endif
