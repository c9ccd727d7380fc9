/* Pattern: which operations a pattern of select_recompute means, as MindFormers takes it. */
#ifndef PATTERN_H
#define PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include "lib/base/clipped.h"

enum { PATTERN_PARTS = 16 };

struct pattern {
	char *text;		/* "feed_forward\.w1\.activation" */
	int parts;		/* regular expressions for one name each */
	regex_t part[PATTERN_PARTS];
};

/* False, with what is wrong in MESSAGE[200], when it is none. */
bool pattern_read(struct pattern *, const char *text, struct clipped *message);
/* Does it mean the operation of this name, "feed_forward.w1.activation.silu", or a cell that it is in? */
bool pattern_means(const struct pattern *, const char *name);
void pattern_free(struct pattern *);

#endif
