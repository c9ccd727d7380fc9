/* Pattern: matches operations with patterns of select_recompute, in the same way as MindFormers. */
#ifndef PATTERN_H
#define PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include "lib/base/clipped.h"

enum { PATTERN_PARTS = 16 };

struct ir_pattern {
	char *text;		/* the whole pattern, such as "feed_forward\.w1\.activation" */
	int parts;		/* number of regular expressions, one per name */
	regex_t part[PATTERN_PARTS];
};

/* Parse TEXT. Return false if it is invalid, with the error in MESSAGE[200]. */
bool pattern_read(struct ir_pattern *, const char *text, struct clipped *message);
/* Return whether the pattern matches an operation, such as "feed_forward.w1.activation.silu", or a cell around it. */
bool pattern_means(const struct ir_pattern *, const char *name);
void ir_pattern_free(struct ir_pattern *);

#endif
