/* Parts: attentions that run as several kernels with transfers between them. */
#ifndef PARTS_H
#define PARTS_H

#include "work.h"

/*
 * Join the parts of attentions, between which divided sequences circulate. The first part then represents all parts,
 * and the circulation does not count as a transfer of the pipeline. No matrix product runs between parts. Return false
 * if no such attentions exist. OTHER: anchors of the other phase.
 */
bool parts_join(struct positions *, const struct positions *other, struct work *, const struct sequence *);

#endif
