/* Throughput: tokens per second, in total and per device. */
#ifndef THROUGHPUT_H
#define THROUGHPUT_H

#include "lib/record/layer.h"
#include "lib/record/result.h"
#include "lib/schedule/schedule.h"

/*
 * Add the throughput to a result that has a step time. SEQUENCE: tokens per sequence; 0: as in MODEL. DEVICES: total
 * number; 0: stages times the devices that share a layer, as in MODEL. MODEL may be NULL. Omit figures that remain
 * unknown.
 */
void throughput_give(struct sim *, const struct model *, const struct shape *, int sequence, int devices);

#endif
