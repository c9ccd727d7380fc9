#include "unmeasured.h"

#include <stdlib.h>

#include "lib/base/alloc.h"

enum { DOUBLINGS = 11, HALVINGS = 12 };
/* maximum number of operations in all simulations; with more, no crossing is searched */
static const double operations_most = 2e7;

/* Runs that fit, with their orders. */
struct contest {
	const struct sim_runs *runs;
	int n, *run;
	struct schedule *schedule;
	struct simulation sim;
};

/* Return the ms per micro-batch of run I if each transfer takes COMM ms. */
static double
each_micro(struct contest *f, int i, double comm)
{
	const struct sim_run *r = &f->runs->at[f->run[i]];
	struct load load = r->load;

	load.comm = comm;
	load.edge.n = 0;
	simulation_run(&f->sim, &f->schedule[i], &load);
	return simulation_whole(&f->sim) / r->shape.micro;
}

/* Return the index of the shortest run; of equal runs, the first. */
static int
shortest(struct contest *f, double comm)
{
	double least = 0;
	int best = 0;

	for (int i = 0; i < f->n; i++) {
		double time = each_micro(f, i, comm);

		if (i == 0 || time < least * (1 - 1e-9)) {
			least = time;
			best = i;
		}
	}
	return best;
}

/* Return the transfer time, ms, from which another run, *OTHER, is shorter than BEST; 0: none below MOST. */
static double
crossing(struct contest *f, int best, double most, int *other)
{
	double high = most / (1 << (DOUBLINGS - 1)), low = 0;

	for (*other = best; high <= most * (1 + 1e-9); low = high, high *= 2) {
		*other = shortest(f, high);
		if (*other != best)
			break;
	}
	if (*other == best)
		return 0;
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;
		int first = shortest(f, middle);

		if (first == best) {
			low = middle;
		} else {
			high = middle;
			*other = first;
		}
	}
	return high;
}

static void
tell(FILE *out, struct contest *f, double operations)
{
	int best = shortest(f, 0), other = best;
	const struct sim_run *winner = &f->runs->at[f->run[best]];
	double each = each_micro(f, best, 0), little = each * 1e-4;
	double longer = (each_micro(f, best, little) - each) * winner->shape.micro / little, from = 0;

	fprintf(out, "transfers: 0 ms assumed; each ms of them makes the step of %s %.1f ms longer\n", winner->name,
	    longer);
	if (f->n < 2)
		return;
	if (operations * (DOUBLINGS + HALVINGS) > operations_most) {
		fputs("transfers: too many operations to find the transfer time from which another plan is shorter\n",
		    out);
		return;
	}
	from = crossing(f, best, each, &other);
	if (from > 0)
		fprintf(out, "transfers: at %.*f ms and above %s is shorter than %s\n",
		    from < 1 ? 4 : from < 100 ? 2 : 0,
		    from, f->runs->at[f->run[other]].name, winner->name);
}

void
unmeasured_report(FILE *out, const struct sim_runs *runs)
{
	struct contest f = { .runs = runs, .run = xcalloc((size_t)runs->n, sizeof *f.run),
	    .schedule = xcalloc((size_t)runs->n, sizeof *f.schedule) };
	double operations = 0;
	bool known = false, any = false;

	for (int i = 0; i < runs->n; i++) {
		if (runs->result[i].name == NULL)
			continue;
		known |= load_delayed(&runs->at[i].load);
		if (runs->result[i].over.stages > 0)
			continue;
		any |= runs->at[i].shape.stages > 1;
		f.run[f.n++] = i;
	}
	if (!known && any) {
		for (int i = 0; i < f.n; i++) {
			f.schedule[i] = run_schedule(&runs->at[f.run[i]]);
			operations += (double)schedule_ops(&f.schedule[i]);
		}
		tell(out, &f, operations);
		for (int i = 0; i < f.n; i++)
			schedule_free(&f.schedule[i]);
		simulation_free(&f.sim);
	}
	free(f.run);
	free(f.schedule);
}
