/* Report: which patterns are in effect, by operation and layer, and why other patterns are not. */
#ifndef REPORT_IR_H
#define REPORT_IR_H

#include "pattern.h"
#include "tally.h"

/* Report the effect of N patterns, or of all marked operations if N is 0. Return false if some are not in effect. */
bool report_effect(const struct ir_tally *, const struct ir_pattern *, int n);

#endif
