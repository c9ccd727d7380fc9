/* Logs: training logs as records. */
#ifndef LOG_RECORDS_H
#define LOG_RECORDS_H

#include "log.h"

struct logs {
	int n;
	struct log *at;
};

/* Read the log at the scanner. Return false if it has no usable lines, with a description in *WHY (caller frees). */
bool logs_read(struct logs *, struct scan *, struct operations *, char **why);
void logs_free(struct logs *);

/*
 * Write step, timing, peak and chunks records, if the logs have the numbers. STAGES, MICRO and RANKS of the job replace
 * the arguments in the log, unless 0.
 */
void logs_write(FILE *, struct logs *, struct step_range, int stages, int micro, int ranks);

#endif
