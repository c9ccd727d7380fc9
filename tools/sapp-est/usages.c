#include "usages.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/cost/shape.h"
#include "lib/estimate/estimator.h"

#define MEGA 1048576.0
static const double far = 0.05;		/* relative difference that causes a message; a real run differed by 0.005 */

void
usages_take(struct usages *u, const struct observed_usage *of)
{
	struct observed_usage *most = NULL;

	for (size_t i = 0; i < u->n && most == NULL; i++)
		if (u->at[i].stage == of->stage && strcmp(u->at[i].run, of->run) == 0)
			most = &u->at[i];
	if (most == NULL) {
		most = APPEND(u->at, u->n);
		*most = (struct observed_usage){ .run = xstrdup(of->run), .stage = of->stage, .begin = of->begin };
	}
	most->given |= of->given;
	most->begin = fmin(most->begin, of->begin);
	most->peak = fmax(most->peak, of->peak);
	most->reserved = fmax(most->reserved, of->reserved);
	most->outside = fmax(most->outside, of->outside);
}

/* Return the computed bytes of parameters, gradients and optimizer state on a stage. */
static double
state_of(const struct training_run *r, int stage, const struct inputs *in)
{
	const struct measured none = measured_none();
	const struct estimating how = { .imbalance = 1, .measured = none };
	struct architecture net = shape_network(r, inputs_network(in));
	struct estimator *e = estimator_without(&net, inputs_cluster(in), &how, &none, -1);
	double state = estimate_fully(e, &r->of).stage_state[stage];

	estimator_free(e);
	architecture_free_classes(&net);
	return state;
}

void
usages_apply(struct usages *u, struct measured *m, const struct coefficients *c, const struct inputs *in)
{
	for (size_t i = 0; i < u->n; i++) {
		const struct observed_usage *of = &u->at[i];
		const struct training_run *run = coefficients_run(c, of->run);

		if (GIVEN(observed_usage, of, reserved))
			m->held = fmax(m->held, MEGA * fmax(0, of->reserved - of->peak));
		if (GIVEN(observed_usage, of, outside))
			m->beside = fmax(m->beside, MEGA * of->outside);
		if (run != NULL && of->stage < run->of.pp) {
			double state = state_of(run, of->stage, in), begin = MEGA * of->begin;

			if (fabs(begin - state) > far * state)
				warnx("usage: run '%s', stage %d: %.0f MB are allocated before the step, but computed "
				    "parameters, gradients and optimizer take %.0f MB: check zero of the run and the "
				    "network's precision", of->run, of->stage, of->begin, state / MEGA);
			m->before = fmax(m->before, begin - state);
		}
		free(u->at[i].run);
	}
	free(u->at);
	*u = (struct usages){ 0 };
}
