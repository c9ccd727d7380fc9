#include "calibration_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/record/record.h"

/*
 * A run is an outlier if its logarithm differs from the others by at least this, and by this many times their spread.
 */
#define OUTLIER 0.5
#define SPREADS 4

struct calibration_runs
calibration_runs_read(const char *file, struct inputs *cluster)
{
	char *const operands[] = { (char *)file, NULL };
	struct calibration_runs r = { 0 };
	struct reader in;
	struct record rec;

	reader_open(&in, operands, RECORDS(RECORD_NETWORK) | RECORDS(RECORD_RUN));
	while (reader_next(&in, &rec)) {
		if (rec.kind == RECORD_NETWORK) {
			*APPEND(r.network, r.nnetworks) = rec;
			continue;
		}
		if (rec.kind == RECORD_RUN) {
			if (r.nnetworks == 0)
				place_die(rec.place, "run: no network record before it");
			if (!GIVEN(training_run, &rec.run, step_time))
				place_die(rec.place, "run: missing member 'step_time'");
			if (r.n > 0 && configuration_compute(&rec.run.of) != configuration_compute(&r.at[0].of))
				place_die(rec.place, "run: compute: not the type of the runs before it; calibrate each "
				    "type separately '%s'", number_types[configuration_compute(&rec.run.of)]);
			inputs_choose(cluster, &rec.run.of, rec.place);
			r.at = xreallocarray(r.at, (size_t)r.n + 1, sizeof *r.at);
			r.at[r.n++] = (struct calibration_run){ rec.run.of, rec.run.step_time, r.nnetworks - 1, false };
			r.at[r.n - 1].of.name = r.at[r.n - 1].of.origin = NULL;
			/* The run owns the list now. */
			rec.run.of.stage_layers.at = NULL;
		}
		record_free(&rec);
	}
	reader_close(&in);
	if (r.n == 0)
		place_die((struct place){ .source = file }, "no run record in it");
	return r;
}

void
calibration_runs_find_outliers(struct calibration_runs *r, const double *error)
{
	double middle = 0, limit = log(2), *off = xcalloc((size_t)r->n, sizeof *off);

	memcpy(off, error, (size_t)r->n * sizeof *off);
	if (r->n > 2) {
		middle = numbers_median(off, (size_t)r->n);
		for (int i = 0; i < r->n; i++)
			off[i] = fabs(error[i] - middle);
		limit = fmax(OUTLIER, SPREADS * numbers_median(off, (size_t)r->n));
	}
	for (int i = 0; i < r->n; i++)
		r->at[i].outlier = fabs(error[i] - middle) > limit;
	free(off);
}

void
calibration_runs_free(struct calibration_runs *r)
{
	for (int i = 0; i < r->nnetworks; i++)
		record_free(&r->network[i]);
	for (int i = 0; i < r->n; i++)
		free(r->at[i].of.stage_layers.at);
	free(r->at);
	free(r->network);
}
