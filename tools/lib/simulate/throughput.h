/* Throughput: tokens per second, total and per device, if known. */
#ifndef THROUGHPUT_H
#define THROUGHPUT_H

#include "lib/record/layer.h"
#include "lib/record/result.h"
#include "lib/schedule/schedule.h"

/*
 * Add to a result with a step time. SEQUENCE: tokens per sequence, 0: the model's. DEVICES: total, 0: devices that
 * share a layer on each stage, if MODEL (may be NULL) has them. Unknown figures are omitted.
 */
void throughput_give(struct sim *, const struct model *, const struct shape *, int sequence, int devices);

#endif
