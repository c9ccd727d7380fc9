/* Planning: its progress, and the results that its sides exchange. */
#include "planning.h"

#include <math.h>
#include <stdio.h>

#include "lib/base/clock.h"

void
planning_show(struct planning *r, const char *what)
{
	double now = clock_now();

	if (!r->effort->progress || now - r->shown < 0.5)
		return;
	r->shown = now;
	fprintf(stderr, "%8.3f s  %-9s best %.6g  bound %.6g  gap %.2f %%\n", now - r->begun, what, r->answer.step_time,
	    r->answer.lower_bound, 100 * answer_gap(&r->answer));
}

void
planning_tell(const struct planning *r, const char *what, const char *why)
{
	if (r->effort->progress)
		fprintf(stderr, "%8.3f s  %-9s %s\n", clock_now() - r->begun, what, why);
}

double
planning_horizon(const struct planning *r)
{
	return r->effort->cutoff > 0 ? fmin(r->answer.step_time, r->effort->cutoff) : r->answer.step_time;
}

bool
planning_time_left(const struct planning *r)
{
	if (r->effort->cutoff > 0 && r->answer.lower_bound >= r->effort->cutoff)
		return false;
	return clock_left(r->deadline) && answer_gap(&r->answer) > r->effort->gap &&
	    answer_gap(&r->answer) > OPTIMAL_GAP;
}

void
planning_exchange(struct planning *r, struct branch *branch)
{
	for (int i = 0; i < r->searches; i++)
		if (tempering_best(r->search[i], NULL) < r->answer.step_time)
			r->answer.step_time = tempering_best(r->search[i], &r->answer.best);
	if (branch != NULL && branch_best(branch, NULL) < r->answer.step_time)
		r->answer.step_time = branch_best(branch, &r->answer.best);
	if (r->runs != NULL && r->runs->step_time < r->answer.step_time) {
		r->answer.step_time = r->runs->step_time;
		candidate_copy(r->p, &r->answer.best, &r->runs->plan);
	}
	if (r->runs != NULL) {
		run_squeeze_take(r->runs, &r->answer.best, r->answer.step_time);
		answer_raise(&r->answer, patterns_proved(r->p, r->runs->bound, r->p->stages));
	}
	for (int i = 0; i < r->searches; i++)
		if (tempering_best(r->search[i], NULL) > r->answer.step_time)
			tempering_take(r->search[i], &r->answer.best);
	if (branch != NULL) {
		branch_take(branch, planning_horizon(r));
		answer_raise(&r->answer, branch_bound(branch));
	}
	contents_forget(&r->p->contents);
}

void
planning_show_speed(const struct planning *r)
{
	double seconds = 0, operations = 0, plans = 0;

	for (int i = 0; i < r->searches; i++)
		plans += (double)tempering_evaluations(r->search[i], &operations, &seconds);
	if (r->effort->progress && seconds > 0)
		fprintf(stderr, "%8.3f s  searched  %.0f plans, %.1f million operations per second\n",
		    clock_now() - r->begun, plans, operations / seconds / 1e6);
}
