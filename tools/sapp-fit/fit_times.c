#include "fit_times.h"

#include <math.h>
#include <string.h>

#include "fitted.h"

/*
 * Get the wall time of a layer in a phase, ms per micro-batch, and its relative error. Return false if it was not
 * measured.
 */
static bool
wall_time(const struct fitting *f, const struct observed_run *r, double *time, double *error)
{
	for (size_t i = 0; i < r->ntimings && f->at.layer != NULL; i++) {
		const struct timing *t = &r->timing[i].timing;
		double n = (double)t->instances * t->steps;

		if (t->phase != f->at.phase || strcmp(t->name, f->at.layer) != 0 || !(t->total > 0))
			continue;
		*time = t->total / n / r->run.run.of.micro_batches;
		/* The instances are taken as uniformly distributed between minimum and maximum. */
		*error = t->median > 0 ? (t->max - t->min) / t->median / sqrt(12 * n) : 0;
		return true;
	}
	return false;
}

void
fit_times(struct fitting *f, const struct fit_row *rows)
{
	static const char *const names[] = { "time", "backward_time", "recompute_time", "weight_time" };

	for (size_t r = 0; r < f->n && f->at.phase < 4; r++) {
		struct coefficient c = { .of = (char *)names[f->at.phase], .source = FROM_MEASURED };
		double time = 0, squares = 0, error;

		for (size_t i = 0; i < rows[r].n; i++) {
			const struct observed_kernel *k = &rows[r].at[i]->kernel;
			double t = k->time * k->calls / rows[r].each;

			time += t;
			squares += t * t * k->spread * k->spread / k->calls;
		}
		if (rows[r].n == 0)
			continue;
		error = time > 0 ? sqrt(squares) / time : 0;
		wall_time(f, f->run[r], &time, &error);
		fitted_set_place(&c, &f->at);
		GIVE(coefficient, &c, error, error);
		fitted_put_alone(f->out, f->run[r], &c, time);
	}
}

void
fit_outside(const struct fitting *f, const struct fit_sample *s)
{
	for (size_t r = 0; r < f->n; r++) {
		struct coefficient optimizer = { .of = (char *)"optimizer", .source = FROM_MEASURED },
		    hidden = { .of = (char *)"hidden", .source = FROM_MEASURED };
		const struct observed_run *o = f->run[r];
		double all = 0, exposed = 0;

		if (o->pipeline > 0 && o->step > o->pipeline + o->outside)
			fitted_put_alone(f->out, f->run[r], &optimizer, o->step - o->pipeline - o->outside);
		for (size_t i = 0; i < s->ncommunications; i++) {
			const struct observed_communication *c = &s->communication[i].communication;
			double time = c->time * c->calls;

			if (c->run == NULL || strcmp(c->run, o->run.run.of.name) != 0 || c->group != GROUP_DP)
				continue;
			all += time;
			exposed += c->part == PLACE_OUTSIDE ? time : 0;
		}
		if (all > 0)
			fitted_put_alone(f->out, f->run[r], &hidden, 1 - exposed / all);
	}
}
