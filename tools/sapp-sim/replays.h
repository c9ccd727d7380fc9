/* Replays: simulated steps of pipelines that were measured. The largest error comes first. */
#ifndef REPLAYS_H
#define REPLAYS_H

#include <stdio.h>

#include "measured.h"
#include "run.h"

struct replay {
	int run;			/* index in runs.at */
	double measured, predicted;	/* ms of the pipeline if that was measured, otherwise of the step */
};

struct replays {
	int n;
	struct replay *at;
};

struct replays replays_new(const struct sim_runs *, const struct sim_measured *);
void replays_report(FILE *, const struct replays *, const struct sim_runs *);
void replays_free(struct replays *);

#endif
