/* Throughput: tokens a second, of all devices and of each, where what they take is known. */
#ifndef THROUGHPUT_H
#define THROUGHPUT_H

#include "lib/record/layer.h"
#include "lib/record/result.h"
#include "lib/schedule/schedule.h"

/*
 * Into a result with a step time. SEQUENCE: tokens of one, 0: the model's; DEVICES: all of them, 0: those that share a
 * layer on each stage, if MODEL (may be NULL) says how many. What is not known is left out.
 */
void throughput_give(struct sim *, const struct model *, const struct shape *, int sequence, int devices);

#endif
