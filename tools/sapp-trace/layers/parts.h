/* Parts: attentions that run in several kernels with transfers between. */
#ifndef PARTS_H
#define PARTS_H

#include "work.h"

/*
 * Attention in parts, between which divided sequences circulate: the first part represents all, and the circulation is
 * not a pipeline transfer. There is no product between parts. Return false if none exists. OTHER: anchors of the other
 * phase.
 */
bool parts_join(struct positions *, const struct positions *other, struct work *, const struct sequence *);

#endif
