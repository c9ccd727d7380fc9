/* Report: which patterns took effect, by operation and layer, and what keeps the others from it. */
#ifndef REPORT_IR_H
#define REPORT_IR_H

#include "pattern.h"
#include "tally.h"

/* Patterns; or all operations that are marked where N is 0. False when not all took effect. */
bool report_effect(const struct tally *, const struct pattern *, int n);

#endif
