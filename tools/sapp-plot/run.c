#include "run.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"
#include "lib/base/sorted.h"
#include "lib/base/spelling.h"
#include "lib/base/status.h"

enum { CHUNKS_MAX = 1000, MICROS_MAX = 1 << 27 };	/* the simulator's maxima */
static const double TIME_MAX = 1e15;			/* ms */

struct gather {			/* strategies during reading */
	struct plot_runs *all;
	int last;		/* index of the strategy of the previous block */
};

/* Return the index of the latest run with a NAME, because names may repeat in joined files. */
static int
find(const struct plot_runs *all, const char *name)
{
	int i = all->n - 1;

	while (i >= 0 && strcmp(all->at[i].name, name) != 0)
		i--;
	return i;
}

static void
add_sim(struct gather *g, struct record *rec)
{
	struct plot_runs *all = g->all;
	struct plot_run *s = APPEND(all->at, all->n);

	g->last = all->n - 1;
	*s = (struct plot_run){ .name = rec->sim.name, .sim = *rec, .stages = rec->sim.peak_memory.n };
	s->plan.kind = s->comparison.kind = RECORD_OTHER;
	if (s->stages < 1)
		place_die(rec->place, "sim: peak_memory: no stages");
	if (rec->sim.memory_limit.n > 1 && rec->sim.memory_limit.n != s->stages)
		place_die(rec->place, "sim: memory_limit: %d numbers for %d stages", rec->sim.memory_limit.n,
		    s->stages);
}

/* Return the number of chunks that blocks have. Mirrored schedules run their chunk twice. */
static int
chunks_of(const struct sim *sim)
{
	return schedule_mirrored((enum schedule_kind)sim->schedule) ? 2 * sim->interleave : sim->interleave;
}

static void
add_block(struct gather *g, struct record *rec)
{
	const struct block *b = &rec->block;
	struct plot_run *s;
	struct bar *bar;
	int i = g->last;

	if (i < 0 || strcmp(g->all->at[i].name, b->plan) != 0)
		i = find(g->all, b->plan);
	if (i < 0)
		place_die(rec->place, "block: no sim record before this one has the name '%s'", b->plan);
	g->last = i;
	s = &g->all->at[i];
	if (b->stage >= s->stages)
		place_die(rec->place, "block: stage: the simulation '%s' has only %d stages '%d'",
		    b->plan, s->stages, b->stage);
	if (GIVEN(sim, &s->sim.sim, interleave) && b->chunk >= chunks_of(&s->sim.sim))
		place_die(rec->place, "block: chunk: the simulation '%s' has only %d chunks per stage '%d'",
		    b->plan, chunks_of(&s->sim.sim), b->chunk);
	if (b->chunk >= CHUNKS_MAX || b->micro >= MICROS_MAX || b->end > TIME_MAX)
		place_die(rec->place, "block: chunk must be below %d, micro below %d, end at most %g ms, not %d, %d, "
		    "%g", (int)CHUNKS_MAX, (int)MICROS_MAX, (double)TIME_MAX, b->chunk, b->micro, b->end);
	if (b->end < b->start)
		place_die(rec->place, "block: end before start '%g'", b->end);
	bar = APPEND(s->bar, s->n);
	*bar = (struct bar){ b->start, b->end, b->memory, GIVEN(block, b, peak) ? b->peak : b->memory,
	    GIVEN(block, b, recompute) ? b->recompute : 0, b->stage, b->chunk, b->micro, b->phase, s->n - 1 };
	s->recompute |= bar->recompute > 0;
	s->phase[b->phase] = true;
	if (b->chunk >= s->chunks)
		s->chunks = b->chunk + 1;
	if (b->micro >= s->micros)
		s->micros = b->micro + 1;
	record_free(rec);
}

ORDER_BY(by_stage_and_start, struct bar, it->stage, it->start, it->end, it->order)

static void
index_stages(struct plot_run *s)
{
	size_t i = 0;

	SORT(s->bar, s->n, by_stage_and_start);
	s->first = xcalloc((size_t)s->stages + 1, sizeof *s->first);
	for (int stage = 0; stage <= s->stages; stage++) {
		while (i < s->n && s->bar[i].stage < stage)
			i++;
		s->first[stage] = i;
	}
}

static void
keep(struct records *list, const struct record *rec)
{
	*APPEND(list->at, list->n) = *rec;
}

/* Add a comparison to the run whose simulation precedes it. */
static void
add_comparison(struct plot_runs *all, struct record *rec)
{
	int i = find(all, rec->comparison.name);

	if (i < 0)
		place_die(rec->place, "comparison: no sim record before this one has the name '%s'",
		    rec->comparison.name);
	record_free(&all->at[i].comparison);
	all->at[i].comparison = *rec;
}

/* Return the name of the latest model; NULL if it has none, or is called "model". */
static const char *
latest_model(const struct records *kept)
{
	for (size_t i = kept->n; i-- > 0;)
		if (kept->at[i].kind == RECORD_MODEL)
			return strcmp(kept->at[i].model.name, "model") == 0 ? NULL : kept->at[i].model.name;
	return NULL;
}

struct plot_runs
runs_read(char *const operands[])
{
	struct plot_runs all = { 0 };
	struct gather g = { .all = &all, .last = -1 };
	struct records plans = { 0 };
	struct reader in;
	struct record rec;

	reader_open(&in, operands, RECORDS(RECORD_SIM) | RECORDS(RECORD_BLOCK) | RECORDS(RECORD_PLAN) |
	    RECORDS(RECORD_MODEL) | RECORDS(RECORD_LAYER) | RECORDS(RECORD_CHUNKS) |
	    RECORDS(RECORD_PIPELINE) | RECORDS(RECORD_COMPARISON) |
	    RECORDS(RECORD_SETTINGS));
	while (reader_next(&in, &rec))
		switch (rec.kind) {
		case RECORD_SIM:
			add_sim(&g, &rec);
			/* A plan precedes its simulation. */
			for (size_t i = plans.n; i-- > 0;)
				if (strcmp(plans.at[i].plan.name, rec.sim.name) == 0) {
					all.at[all.n - 1].plan = plans.at[i];
					all.at[all.n - 1].model = latest_model(&all.kept);
					plans.at[i] = plans.at[--plans.n];
					break;
				}
			break;
		case RECORD_BLOCK:
			add_block(&g, &rec);
			break;
		case RECORD_COMPARISON:
			add_comparison(&all, &rec);
			break;
		case RECORD_SETTINGS:
			keep(&all.settings, &rec);
			break;
		case RECORD_PLAN:
			keep(&plans, &rec);
			break;
		case RECORD_MODEL:
		case RECORD_LAYER:
		case RECORD_CHUNKS:
		case RECORD_PIPELINE:
			keep(&all.kept, &rec);
			break;
		default:
			record_free(&rec);
		}
	reader_close(&in);
	records_free(&plans);
	if (all.n == 0)
		place_die((struct place){ slurp_name(operands[0] != NULL ? operands[0] : "-"), 0 },
		    "no sim record in the input; sapp-sim -e writes them");
	for (int i = 0; i < all.n; i++)
		index_stages(&all.at[i]);
	return all;
}

void
plot_runs_free(struct plot_runs *all)
{
	for (int i = 0; i < all->n; i++) {
		struct plot_run *s = &all->at[i];

		record_free(&s->sim);
		record_free(&s->plan);
		record_free(&s->comparison);
		free(s->bar);
		free(s->first);
	}
	records_free(&all->kept);
	records_free(&all->settings);
	free(all->at);
	*all = (struct plot_runs){ 0 };
}

struct plot_run *
plot_runs_find(struct plot_runs *all, const char *name)
{
	int i = find(all, name);
	const char **names;

	if (i >= 0)
		return &all->at[i];
	names = xcalloc((size_t)all->n + 1, sizeof *names);
	for (i = 0; i < all->n; i++)
		names[i] = all->at[i].name;
	errx(STATUS_ERROR, "-plan: no simulation has the name '%s'; there are:%s", name, spelling_known(name, names));
}

void
run_need_blocks(const struct plot_run *s)
{
	if (s->n == 0)
		place_die(s->sim.place, "no block records of '%s' to draw; run sapp-sim with -e", s->name);
	if (!(s->sim.sim.step_time > 0))
		place_die(s->sim.place, "'%s' takes no time: nothing to draw", s->name);
}

double
run_static_memory(const struct plot_run *s, int stage)
{
	/* At the end of a step, each forward has had its backward. */
	size_t end = s->first[stage + 1];

	return end > s->first[stage] ? s->bar[end - 1].memory : 0;
}

double
run_peak(const struct plot_run *s, int *stage)
{
	struct list peak = s->sim.sim.peak_memory;

	*stage = 0;
	for (int i = 1; i < peak.n; i++)
		if (peak.at[i] > peak.at[*stage])
			*stage = i;
	return peak.at[*stage];
}

double
run_limit(const struct plot_run *s, int stage)
{
	return s->sim.sim.memory_limit.n > 0 ? list_get(s->sim.sim.memory_limit, stage) : 0;
}

int
run_over(const struct plot_run *s)
{
	double most = 0;
	int worst = -1;

	for (int stage = 0; stage < s->stages; stage++) {
		double limit = run_limit(s, stage), over = s->sim.sim.peak_memory.at[stage] - limit;

		if (limit > 0 && over > most) {
			most = over;
			worst = stage;
		}
	}
	return worst;
}

double
run_gap(const struct plot_run *s)
{
	const struct plan *plan = &s->plan.plan;

	if (s->plan.kind != RECORD_PLAN || !GIVEN(plan, plan, lower_bound) || plan->lower_bound <= 0)
		return -1;
	/* Rounding may put the step below the bound. */
	return fmax(0, s->sim.sim.step_time / plan->lower_bound - 1);
}

double
run_measured(const struct plot_run *s, enum compared_figure figure, int stage)
{
	const struct array *figures = &s->comparison.comparison.figures;

	if (s->comparison.kind != RECORD_COMPARISON)
		return NAN;
	for (int i = 0; i < figures->n; i++) {
		const struct compared *c = (const struct compared *)figures->at + i;

		if (c->figure == (int)figure && GIVEN(compared, c, stage) && c->stage == stage)
			return c->measured;
	}
	return NAN;
}

enum run_part
run_part(const struct plot_run *s, size_t n)
{
	const struct bar *b = &s->bar[n];
	double enough = 1e-6 * (b->end - b->start);

	if (n + 1 < s->first[b->stage + 1] && s->bar[n + 1].start < b->end - enough)
		return RUN_UPPER;
	return n > s->first[b->stage] && s->bar[n - 1].end > b->start + enough ? RUN_LOWER : RUN_WHOLE;
}
