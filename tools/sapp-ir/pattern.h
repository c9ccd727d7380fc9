/* Pattern: match operations with patterns of select_recompute like MindFormers. */
#ifndef PATTERN_H
#define PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include "lib/base/clipped.h"

enum { PATTERN_PARTS = 16 };

struct ir_pattern {
	char *text;		/* "feed_forward\.w1\.activation" */
	int parts;		/* regular expressions, one per name */
	regex_t part[PATTERN_PARTS];
};

/* Parse TEXT; return false with an error in MESSAGE[200]. */
bool pattern_read(struct ir_pattern *, const char *text, struct clipped *message);
/*
 * Return whether the pattern matches an operation name such as "feed_forward.w1.activation.silu", or a cell around it.
 */
bool pattern_means(const struct ir_pattern *, const char *name);
void ir_pattern_free(struct ir_pattern *);

#endif
