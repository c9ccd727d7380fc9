/* Write training logs as records. */
#ifndef LOG_RECORDS_H
#define LOG_RECORDS_H

#include "log.h"

struct logs {
	int n;
	struct log *at;
};

/* Read the log at the scanner; false, with *WHY (caller frees): nothing found. */
bool logs_read(struct logs *, struct scan *, struct operations *, char **why);
void logs_free(struct logs *);

/*
 * Write step, timing, peak and chunks records for the available figures. STAGES, MICRO and RANKS (of the job): 0, or
 * they override the log's arguments.
 */
void logs_write(FILE *, struct logs *, struct step_range, int stages, int micro, int ranks);

#endif
