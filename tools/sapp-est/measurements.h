/* Measurements from the stream and from files, complete before the first candidate is estimated. */
#ifndef MEASUREMENTS_H
#define MEASUREMENTS_H

#include "options.h"
#include "run.h"

/* Records of measurements. */
#define MEASURED (RECORDS(RECORD_LAYER) | RECORDS(RECORD_MODEL) | RECORDS(RECORD_TIMING) | RECORDS(RECORD_PEAK) | \
	RECORDS(RECORD_JOB) | RECORDS(RECORD_RUN) | RECORDS(RECORD_COEFFICIENT) | RECORDS(RECORD_OPERATOR) | \
	RECORDS(RECORD_USAGE))

/* Read figures of dryruns and profiles, and the current candidate. */
void measurements_read(struct est_run *, const struct wanted_output *);
/* Take a record of the stream. Exit if it is a measurement after the first candidate. */
void measurements_take(struct est_run *, const struct record *);
/* A candidate was read: complete the measurements, and set the current one's peak. */
void measurements_end(struct est_run *, const struct record *candidate);
/* Complete the measurements, at the first candidate or for a space at the end of the stream. */
void measurements_complete(struct est_run *, const struct configuration *current, struct place);
/* Complete a table without a network, for the runs of -calibrate. */
void measurements_of_table(struct est_run *);
/* If a figure that MATTERS depends on an assumed micro-batch size, report that once. */
void measurements_tell_assumed(struct est_run *, bool matters);
/* Write the file of -nd. The cluster may be anywhere in the stream: call this after reading all of it. */
void measurements_write_nd(struct est_run *, const struct wanted_output *);

#endif
