/*
 * Log layers: derive times of embedding, layers and loss from times of stages, using the network in the log's
 * arguments: a stage's time is proportional to its layers' operations.
 */
#ifndef LOG_LAYERS_H
#define LOG_LAYERS_H

#include <stdio.h>

#include "log.h"
#include "profile.h"

/* Stages with measured times. */
enum stages_told {
	TOLD_LAST,	/* the last one */
	TOLD_ENDS,	/* minimum and maximum: those between, and the last one */
	TOLD_EACH
};

/* Waiting of the last stage, ms; negative: unknown. */
struct log_waits {
	double first;	/* before its first forward */
	double end;	/* from its last backward until the first stage has ended */
};

/*
 * Write network, candidate, model and layer records, if the log describes the network. ELAPSED and PIPELINE (negative:
 * unknown): ms per step, for the model's overhead.
 */
void log_layers_write(FILE *, const struct log *, const struct profile *, enum stages_told, struct log_waits,
    double elapsed, double pipeline);

#endif
