/* Measurements from the stream and from files. They are complete before the first candidate is estimated. */
#ifndef MEASUREMENTS_H
#define MEASUREMENTS_H

#include "options.h"
#include "run.h"

/* Set of the records that are measurements. */
#define MEASURED (RECORDS(RECORD_LAYER) | RECORDS(RECORD_MODEL) | RECORDS(RECORD_TIMING) | RECORDS(RECORD_PEAK) | \
	RECORDS(RECORD_JOB) | RECORDS(RECORD_RUN) | RECORDS(RECORD_COEFFICIENT) | RECORDS(RECORD_OPERATOR) | \
	RECORDS(RECORD_USAGE))

/* Read the numbers of dryruns and profiles, and the current candidate. */
void measurements_read(struct est_run *, const struct wanted_output *);
/* Take a record of the stream. Exits if it is a measurement after the first candidate. */
void measurements_take(struct est_run *, const struct record *);
/* Complete the measurements when a candidate was read. Set the peak of the current candidate. */
void measurements_end(struct est_run *, const struct record *candidate);
/* Complete the measurements: at the first candidate, or for a space at the end of the stream. */
void measurements_complete(struct est_run *, const struct configuration *current, struct place);
/* Complete a table without a network, for the runs of -calibrate. */
void measurements_of_table(struct est_run *);
/* Print a message, once, if a micro-batch size was assumed. MATTERS: a number that is written depends on it. */
void measurements_tell_assumed(struct est_run *, bool matters);
/* Write the file of -nd. Call it after reading the whole stream, in which the cluster may be anywhere. */
void measurements_write_nd(struct est_run *, const struct wanted_output *);

#endif
