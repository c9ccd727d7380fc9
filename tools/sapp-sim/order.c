/* Order: the CSV format of PyTorch's pipelining. */
#include "order.h"

#include "lib/base/output.h"
#include "lib/schedule/schedule.h"

void
order_write(const char *path, const struct sim_runs *runs)
{
	const struct sim_run *r = &runs->at[0];
	const char *problem = schedule_order_problem(&r->shape);
	struct schedule s;
	struct simulation sim;
	struct output out;

	if (runs->n > 1)
		place_die(runs->at[1].place, "-order-csv: a file holds one order, but '%s' is the second of %d plans",
		    runs->at[1].name, runs->n);
	if (problem != NULL)
		place_die(r->place, "-order-csv: '%s': %s", r->name, problem);
	/* The order is taken from the simulation, because some orders depend on times. */
	if (run_open(r, &s, &sim)) {
		output_open(&out, path);
		schedule_order_write(out.file, &s);
		output_commit(&out);
	}
	simulation_free(&sim);
	schedule_free(&s);
}
