/*
 * Log layers: times of embedding, layers and loss out of those of stages, told apart by the network that the log's
 * list of arguments describes: a stage takes what its layers' operations do.
 */
#ifndef LOG_LAYERS_H
#define LOG_LAYERS_H

#include <stdio.h>

#include "log.h"
#include "profile.h"

/* Which stages' times were measured, not guessed from others. */
enum stages_told {
	TOLD_LAST,	/* the last one's alone */
	TOLD_ENDS,	/* the least and the most: those between, and the last one's */
	TOLD_EACH
};

/* What the last stage waits for the others, ms; negative: not known. */
struct log_waits {
	double first;	/* for its first forward */
	double end;	/* from its last backward on until the first stage has ended */
};

/*
 * Network, candidate, model and layer records; nothing where the log does not describe the network. ELAPSED and
 * PIPELINE (negative: not known): of a step, ms, by which the model has an overhead.
 */
void log_layers_write(FILE *, const struct log *, const struct profile *, enum stages_told, struct log_waits,
    double elapsed, double pipeline);

#endif
