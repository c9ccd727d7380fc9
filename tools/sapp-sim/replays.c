#include "replays.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

enum { ROWS = 20 };

static double
error(const struct replay *r)
{
	return r->measured > 0 ? r->predicted / r->measured - 1 : 0;
}

ORDER_BY(worst_first, struct replay, -fabs(error(it)), it->run)

struct replays
replays_new(const struct sim_runs *runs, const struct sim_measured *m)
{
	struct replays all = { 0 };

	all.at = xcalloc((size_t)runs->n, sizeof *all.at);
	for (int i = 0; i < runs->n; i++) {
		const struct sim *sim = &runs->result[i];
		const struct measured_replay *own = sim->name != NULL ? measured_find(m, sim->name) : NULL;
		bool inside = own != NULL && !isnan(own->pipeline);

		if (own != NULL)
			all.at[all.n++] = (struct replay){ i, inside ? own->pipeline : own->step,
				inside && GIVEN(sim, sim, pipeline_time) ? sim->pipeline_time : sim->step_time };
	}
	SORT(all.at, all.n, worst_first);
	return all;
}

void
replays_report(FILE *out, const struct replays *all, const struct sim_runs *runs)
{
	fprintf(out, "%-32s %12s %12s %10s\n", "pipeline, the worst first", "measured, ms", "predicted", "error");
	for (int i = 0; i < all->n && i < ROWS; i++)
		fprintf(out, "%-32s %12.2f %12.2f %+9.2f%%\n", runs->at[all->at[i].run].name, all->at[i].measured,
		    all->at[i].predicted, 100 * error(&all->at[i]));
	if (all->n > ROWS)
		fprintf(out, "and %d more with errors of at most %.2g %%\n", all->n - ROWS,
		    100 * fabs(error(&all->at[ROWS])));
	fprintf(out, "median error %.2g %%, %d in all\n", 100 * fabs(error(&all->at[all->n / 2])), all->n);
}

void
replays_free(struct replays *all)
{
	free(all->at);
	*all = (struct replays){ 0 };
}
