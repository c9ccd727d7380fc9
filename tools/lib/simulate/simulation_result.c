#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "simulation.h"

static struct table
sum(struct table a, struct table b)
{
	struct table t = table_copy(a);

	for (int i = 0; i < t.chunks * t.stages; i++)
		t.at[i] += b.at[i];
	return t;
}

/* Return the stage with most time on the critical path, and the times of all pieces on the path. */
static struct critical
critical(const struct simulation *sim)
{
	struct path path = simulation_path(sim);
	int chunks = sim->schedule->chunks, stages = sim->schedule->stages, chunk = 0, phase = 0;
	struct critical c = { .stage = 0 };
	double step = sim->step_time > 0 ? sim->step_time : 1, most = 0;
	char *where;

	GIVE(critical, &c, forward, table_copy(path.time[PHASE_F]));
	GIVE(critical, &c, backward, sum(path.time[PHASE_B], path.time[PHASE_I]));
	if (sim->schedule->planes > 2)
		GIVE(critical, &c, weight, table_copy(path.time[PHASE_W]));
	if (load_delayed(sim->load))
		GIVE(critical, &c, delay, path.delay);
	for (int s = 0; s < stages; s++) {
		double time = 0;

		for (int v = 0; v < chunks; v++)
			for (int p = 0; p < PHASES; p++)
				time += table_get(path.time[p], v, s);
		if (time / step > c.share) {
			c.stage = s;
			c.share = time / step;
		}
	}
	for (int v = 0; v < chunks; v++)
		for (int p = 0; p < PHASES; p++)
			if (path.time[p].at[v * stages + c.stage] > most) {
				most = path.time[p].at[v * stages + c.stage];
				chunk = v;
				phase = p;
			}
	where = chunks > 1 ? xasprintf("chunk %d %s", chunk, phase_words[phase])
	    : xstrdup(phase_words[phase]);
	c.why = xasprintf("stage %d: %.0f %% of the step, mostly %s (%.0f %%)", c.stage, 100 * c.share,
	    where, 100 * most / step);
	free(where);
	path_free(&path);
	return c;
}

double
simulation_slack(double limit)
{
	return 1e-6 + 1e-12 * fabs(limit);
}

static void
limits(struct sim *out, struct list limit)
{
	struct grid over = { .chunks = 1, .at = xcalloc((size_t)out->peak_memory.n, sizeof *over.at) };

	for (int s = 0; s < out->peak_memory.n; s++)
		if (out->peak_memory.at[s] > list_get(limit, s) + simulation_slack(list_get(limit, s)))
			over.at[over.stages++] = s;
	GIVE(sim, out, memory_limit, list_copy(limit));
	GIVE(sim, out, over, over);
}

struct sim
simulation_result(const struct simulation *sim, const char *name, struct list limit)
{
	const struct shape *shape = &sim->schedule->shape;
	struct sim out = { .name = xstrdup(name), .schedule = (int)shape->kind, .step_time = sim->step_time };

	GIVE(sim, &out, stages, shape->stages);
	GIVE(sim, &out, interleave, shape->chunks);
	GIVE(sim, &out, micro_batches, shape->micro);
	if (sim->load->overhead.n > 0) {
		out.step_time = simulation_whole(sim);
		GIVE(sim, &out, pipeline_time, sim->step_time);
	}
	out.bubble = simulation_bubble(sim);
	out.peak_memory = list_copy(sim->peak);
	for (int s = 0; s < sim->load->floor.n && s < out.peak_memory.n; s++)
		if (sim->load->floor.at[s] > 0)
			out.peak_memory.at[s] = fmax(out.peak_memory.at[s], sim->load->floor.at[s]);
	if (limit.n > 0)
		limits(&out, limit);
	out.critical = critical(sim);
	return out;
}
