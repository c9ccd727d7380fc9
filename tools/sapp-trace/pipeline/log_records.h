/* What a training log says of its steps, as records. */
#ifndef LOG_RECORDS_H
#define LOG_RECORDS_H

#include "log.h"

struct logs {
	int n;
	struct log *at;
};

/* Read the log at which the scanner stands; false, with *WHY to be freed: there is nothing in it. */
bool logs_read(struct logs *, struct scan *, struct operations *, char **why);
void logs_free(struct logs *);

/*
 * Write step, timing, peak and chunks records, as far as the log has figures for them. STAGES, MICRO and
 * RANKS (of the job): 0, or what wins over the log's arguments.
 */
void logs_write(FILE *, struct logs *, struct step_range, int stages, int micro, int ranks);

#endif
