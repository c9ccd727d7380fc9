/* Measured steps for -calibrate, and which of them are outliers. */
#ifndef CALIBRATION_RUNS_H
#define CALIBRATION_RUNS_H

#include "lib/estimate/inputs.h"

struct calibration_run {
	struct configuration of;
	double step_time;	/* ms */
	int network;		/* index in network[] of struct calibration_runs */
	bool outlier;
};

struct calibration_runs {
	int n, nnetworks;
	struct calibration_run *at;
	struct record *network;
};

/* Read FILE, which has network records, each followed by its run records. Exits if no runs exist. */
struct calibration_runs calibration_runs_read(const char *file, struct inputs *cluster);
/* Mark the runs whose ERROR is far from the errors of the other runs; with one or two runs, far from 0. */
void calibration_runs_find_outliers(struct calibration_runs *, const double *error);
void calibration_runs_free(struct calibration_runs *);

#endif
