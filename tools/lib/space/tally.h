/* Numbers of configurations, and of rejections by rule. */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stdint.h>

enum { TALLY_RULES = 32 };

struct tally {
	int64_t space, legal, rejected[TALLY_RULES];
	bool progress;		/* report progress on stderr */
	double said;		/* clock_now() of the last report, s */
};

void tally_begin(struct tally *, bool progress);
void tally_count(struct tally *, int rule);	/* rule that rejects it; -1: legal */
/* Print a line such as "sapp-enum: 670 configurations, 571 legal; batch 20, pp-batch 79" to stderr. */
void tally_say(const struct tally *);

#endif
