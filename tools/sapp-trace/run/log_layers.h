/*
 * Log layers: times of embedding, layers and loss, computed from the times of stages in a log. The network is known
 * from the log's arguments. The time of a stage is taken as proportional to the operations of its layers.
 */
#ifndef LOG_LAYERS_H
#define LOG_LAYERS_H

#include <stdio.h>

#include "log.h"
#include "profile.h"

/* Stages whose times are measured. */
enum stages_told {
	TOLD_LAST,	/* the last stage */
	TOLD_ENDS,	/* minimum and maximum: of the stages between the ends, and of the last stage */
	TOLD_EACH
};

/* Waiting of the last stage, ms; negative: unknown. */
struct log_waits {
	double first;	/* before its first forward */
	double end;	/* from its last backward until the first stage has ended */
};

/*
 * Write network, candidate, model and layer records, if the log describes the network. ELAPSED and PIPELINE (negative:
 * unknown): ms per step, from which the model's overhead is computed.
 */
void log_layers_write(FILE *, const struct log *, const struct profile *, enum stages_told, struct log_waits,
    double elapsed, double pipeline);

#endif
