#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lib/base/option.h"
#include "lib/order/timed_schedule.h"
#include "lib/schedule/scheme.h"
#include "lib/simulate/throughput.h"

#include "drawn.h"
#include "idle.h"
#include "prices.h"

struct schedule
run_schedule(const struct sim_run *r)
{
	struct load known = r->load;

	/* The sampled times are unknown when the order is built. */
	if (r->sample[0].at != NULL)
		known.factor[0] = known.factor[1] = (struct table){ 0 };
	if (schedule_scheme(r->shape.kind)->within)
		return timed_schedule_within(&r->shape, &known, r->limit);
	return r->pace.stages > 0 ? timed_schedule_even(&r->shape, &r->pace) : timed_schedule(&r->shape, &known);
}

bool
run_open(const struct sim_run *r, struct schedule *s, struct simulation *sim)
{
	*s = run_schedule(r);
	*sim = (struct simulation){ 0 };
	return simulation_run(sim, s, &r->load);
}

/* Return processor time, because the machine may be shared. */
static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* With -v, print the speed of the simulation. ARRANGED: time at which the order was ready. */
static void
tell_speed(const struct sim_run *r, const struct schedule *s, const struct simulation *sim, double start,
    double arranged)
{
	double ops = (double)schedule_ops(s), end = seconds();

	if (option_verbose)
		fprintf(stderr, "%s: %s: %.0f operations in %.3f ms (the order %.3f ms), %.1f million per second, %.1f "
		    "bytes each\n", program_invocation_short_name, r->name, ops, 1e3 * (end - start),
		    1e3 * (arranged - start), 1e-6 * ops / (end - start),
		    (double)sizeof *s->op + (double)simulation_bytes(sim) / ops);
}

/*
 * With -v, print the speed of the whole process, with reading and writing. Counts the operations of the schedule and of
 * schedules compared with it, not of orders tried.
 */
void
runs_tell_speed(const struct sim_runs *runs)
{
	double took = seconds();

	if (option_verbose)
		fprintf(stderr, "%s: %.3f ms of processor time; per second %.1f million operations of schedules, %.1f "
		    "million simulated\n", program_invocation_short_name, 1e3 * took, 1e-6 * runs->operations / took,
		    1e-6 * runs->simulated / took);
}

/* Add the bound over all orders, for free orders. */
static void
add_bound(struct sim *out, const struct sim_run *r, const struct schedule *s)
{
	double bound = r->bound;

	if (bound == 0 && schedule_scheme(s->shape.kind)->timed)
		bound = timed_bound(s, &r->load,
		    schedule_scheme(s->shape.kind)->within ? r->limit : (struct list){ .n = 0 });
	if (bound > 0)
		GIVE(sim, out, lower_bound, bound);
}

/* Add the members that only this tool computes. */
static void
add_detail(struct sim *out, const struct sim_run *r, const struct simulation *sim, const struct sim_options *options)
{
	/* Sampled steps may be shorter than the bound, which is for mean times. */
	if (r->sample[0].at == NULL)
		add_bound(out, r, sim->schedule);
	GIVE(sim, out, idle, idle_of(sim));
	if (r->load.edge.n > 0)
		GIVE(sim, out, comm_time, list_copy(r->load.edge));
	else if (r->load.comm > 0)
		GIVE(sim, out, comm_time, list_copy((struct list){ .n = 1, .at = (double[]){ r->load.comm } }));
	if (options->why || option_report())
		GIVE(sim, out, prices, options->why ? prices_of(sim) : prices_of_links(sim));
	throughput_give(out, r->model, &r->shape, options->tokens, options->devices);
}

void
runs_simulate(struct sim_runs *runs, const struct sim_options *options)
{
	double first = 0;

	for (int i = 0; i < runs->n; i++) {
		struct sim_run *r = &runs->at[i];
		struct schedule s;
		struct simulation sim;
		struct drawn drawn = { 0 };
		double start = seconds(), arranged;

		s = run_schedule(r);
		arranged = seconds();
		if (r->sample[0].at != NULL)
			drawn = drawn_steps(r, &s);
		sim = (struct simulation){ 0 };
		if (simulation_run_compared(&sim, &s, &r->load)) {
			struct sim *out = &runs->result[i];
			double each;

			*out = simulation_result(&sim, r->name, r->limit);
			each = out->step_time / r->shape.micro;
			tell_speed(r, &s, &sim, start, arranged);
			runs->operations += (double)schedule_ops(&s);
			runs->simulated += sim.simulated;
			if (drawn.p90 > 0) {
				GIVE(sim, out, step_p10, drawn.p10);
				GIVE(sim, out, step_p90, drawn.p90);
			}
			add_detail(out, r, &sim, options);
			if (first == 0)
				first = each;
			if (runs->n > 1 && first > 0)
				GIVE(sim, out, relative, each / first);
		} else {
			char *cycle = simulation_cycle(&sim);

			place_say(r->place, "'%s' can never run: %s", r->name, cycle);
			free(cycle);
			runs->failed++;
		}
		simulation_free(&sim);
		schedule_free(&s);
	}
}
