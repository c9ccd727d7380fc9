/* The estimate record: what a configuration needs and takes, before anything has run. */
#ifndef PREDICTION_H
#define PREDICTION_H

#include "configuration.h"

struct memory_parts {		/* MB, of the worst stage */
	uint64_t given;
	double static_memory, activation, logits, reserve;
};

struct step_parts {		/* ms, which add up to the step */
	uint64_t given;
	double forward, backward, head, tp, cp, ep, pp, dp, optimizer, bubble;
};

struct prediction_source {	/* where figures are from */
	uint64_t given;
	int memory, layers;	/* enum figure_source */
	int efficiency;		/* the cluster's: fitted, or defaults */
};
enum figure_source { FIGURE_COMPUTED, FIGURE_FITTED, FIGURE_MEASURED };
enum efficiency_source { EFFICIENCY_DEFAULT, EFFICIENCY_FITTED };

struct prediction {
	uint64_t given;
	struct configuration of;	/* its members are the record's own */
	bool fits;
	struct list over, memory;	/* MB, [stage] */
	struct memory_parts memory_parts;
	struct step_parts times;
	double step_time, lower_bound;	/* ms */
	double tokens_per_second;	/* a device */
	double mfu;
	struct prediction_source source;
};

extern const struct fields prediction_fields;

#endif
