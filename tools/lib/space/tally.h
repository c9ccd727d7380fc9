/* Count configurations and rejections by rule. */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stdint.h>

enum { TALLY_RULES = 32 };

struct tally {
	int64_t space, legal, rejected[TALLY_RULES];
	bool progress;		/* report progress to stderr */
	double said;		/* time of the last report */
};

void tally_begin(struct tally *, bool progress);
void tally_count(struct tally *, int rule);	/* -1: legal */
/* Print to stderr: "sapp-enum: 670 configurations, 571 legal; batch 20, pp-batch 79". */
void tally_say(const struct tally *);

#endif
