/*
 * Run each heuristic alone on fixed questions, with counted work. Its plans must fit, hold the layers in model order
 * and have the reported steps. No plan may be longer than in an earlier run.
 *
 * The results of the earlier run are the figures in lp_heuristics.h. They are no optima: each is the step of a plan
 * when the file was written, or the plan's excess over limits. The same questions, seeds and work give the same plans
 * on any machine, so a longer plan comes from a changed heuristic. If the change is intended, and the printed means are
 * no worse, renew the figures:
 *
 *   RENEW=1 build/tests/lp_heuristics >tests/unit/lp_heuristics.h
 */
#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/heuristic/bottleneck.h"
#include "sapp-lp/heuristic/equal_pieces.h"
#include "sapp-lp/heuristic/greedy.h"
#include "sapp-lp/pattern/recompute_greedy.h"
#include "sapp-lp/heuristic/repair.h"
#include "sapp-lp/heuristic/sampling.h"
#include "sapp-lp/heuristic/start.h"
#include "sapp-lp/heuristic/tempering.h"
#include "sapp-lp/model/stage_settings.h"
#include "tap.h"

enum {
	QUESTIONS = 36, LONG_QUESTIONS = 2,
	BODIES = 3, STAGES = 16, CHUNKS = 4, PIECES = STAGES * CHUNKS,
	MOVES = 20000, STEPS = 20, ROUNDS = 300, LONG_ROUNDS = 100, ROW_STARTS = 4,	/* limits of work */
	SEVERAL_ROUNDS = 150,	/* of tempering for each piece */
	SPREAD_PIECES = 10,
	LONG = 1000000,		/* s: no deadline comes before the work is done */
};
/* Maximum ratio of settings found step by step to the best settings. */
static const double SETTINGS_NEAR = 1.0192;
static const double BOTTLENECK_WORK = 1e6;

/* Figures of every question; 0 if not measured. */
enum figure {
	EXCESS,		/* MB over limits that no plan fits, by a walk from even layers */
	DEALT,		/* MB over the limits, by greedy filling */
	BALANCED,	/* step (ms), by greedy filling and equal shares of recomputation */
	ROWS,		/* step (ms) of layers in rows, mean of several starts */
	START,		/* step (ms) of the first plan */
	OTHERS,		/* mean step (ms) of the other first plans */
	SEARCHED,	/* step (ms), by tempering from the first plan */
	DISPERSED,	/* step (ms), by tempering from several plans */
	BOTTLENECKS,	/* step (ms) of the first plan, with the search for the chunks' longest pieces */
	SEVERAL,		/* step (ms), by tempering from several plans of this search */
	SPREAD,		/* 90th percentile (ms) of this plan after layers were moved for it */
	FIGURES,
};
static const char *const names[FIGURES] = { "repair", "greedy, memory", "greedy, time", "rows", "start", "other starts",
	"tempering", "tempering of several starts", "bottleneck", "tempering of its plans", "sampling" };
/* Maximum relative excess over a figure, from sums in another order. */
static const double SAME = 1e-9;

static const double figures[QUESTIONS + LONG_QUESTIONS][FIGURES] = {
#include "lp_heuristics.h"
};

struct question {
	uint64_t random;
	struct network net;
	struct body body[BODIES];
	struct shape shape;
	struct devices devices;
	double limit[STAGES];
};

/* Number of errors of each kind. */
static struct tally {
	/*
	 * number of searches with another step if the weight is zero at their start; if the weight is set to zero later
	 */
	long weighted, moved;
	long plans, settings, unfit, unplaced, unsaid, unsorted, shorter, missed, strayed;
	double greedy, exact;	/* ms */
} tally;

static double reached[QUESTIONS + LONG_QUESTIONS][FIGURES];

static double
between(struct question *q, double low, double high)
{
	return low + (high - low) * random_unit(&q->random);
}

static void
draw_body(struct question *q, struct body *b, const char *name, int layers)
{
	*b = (struct body){ .name = name, .layers = layers, .forward = between(q, 4, 20),
		.parameter = between(q, 50, 300), .error = between(q, 0, 0.1) };
	b->has[RECOMPUTE_NONE] = b->has[RECOMPUTE_FULL] = true;
	b->has[RECOMPUTE_SELECT] = random_below(&q->random, 3) > 0;
	b->has[RECOMPUTE_COMM] = random_below(&q->random, 2);
	b->backward[RECOMPUTE_NONE] = 2 * b->forward;
	b->activation[RECOMPUTE_NONE] = between(q, 20, 90);
	b->backward[RECOMPUTE_FULL] = 3 * b->forward;
	b->activation[RECOMPUTE_FULL] = between(q, 1, 8);
	b->backward[RECOMPUTE_SELECT] = between(q, 2.2, 2.6) * b->forward;
	b->activation[RECOMPUTE_SELECT] = between(q, 0.3, 0.6) * b->activation[RECOMPUTE_NONE];
	b->backward[RECOMPUTE_COMM] = between(q, 2.05, 2.3) * b->forward;
	b->activation[RECOMPUTE_COMM] = between(q, 0.6, 0.9) * b->activation[RECOMPUTE_NONE];
}

static void
draw(struct question *q, int n)
{
	static const struct { enum schedule_kind kind; int chunks; } kinds[] = { { SCHEDULE_VPP, 2 },
		{ SCHEDULE_1F1B, 1 }, { SCHEDULE_VPP, 3 }, { SCHEDULE_ZBV, 2 }, { SCHEDULE_VPP_LESS, 2 },
		{ SCHEDULE_VPP, 4 }, { SCHEDULE_ZB_H1, 1 } };
	static const char *const name[BODIES] = { "a", "b", "c" };
	int kind = n % (int)(sizeof kinds / sizeof kinds[0]), pieces;
	bool deep = n >= QUESTIONS;

	*q = (struct question){ .random = RANDOM_ODD * (uint64_t)(n + 1) };
	q->shape = (struct shape){ .kind = kinds[kind].kind, .chunks = kinds[kind].chunks,
		.stages = deep ? 16 : 4 + 2 * random_below(&q->random, 4) };
	if (deep)
		q->shape.kind = n % 2 ? SCHEDULE_VPP : SCHEDULE_ZBV, q->shape.chunks = 2;
	q->shape.micro = deep ? 16 * 13 : q->shape.stages * (1 + random_below(&q->random, 3));
	pieces = q->shape.stages * q->shape.chunks;
	q->net = (struct network){ .name = "fixed", .constant = 500, .body = q->body, .nbodies = 1 + n % BODIES,
		.empty = n % 8 == 7 };
	for (int b = 0; b < q->net.nbodies; b++) {
		draw_body(q, &q->body[b], name[b],
		    (int)(between(q, 1.5, 6) * pieces / q->net.nbodies) + pieces % 3 + 1);
		q->net.layers += q->body[b].layers;
	}
	/* Layers without time are also placed. */
	if (n == 2)
		memset(q->body[BODIES - 1].backward, 0, sizeof q->body->backward), q->body[BODIES - 1].forward = 0;
	if (n % 2)
		q->net.head = (struct end){ .there = true, .forward = 2, .backward = 4, .parameter = 300 };
	if (n % 3)
		q->net.tail = (struct end){ .there = true, .forward = 6, .backward = 12, .parameter = 350 };
}

/* Divide layers as evenly as possible, in model order. */
static void
even(const struct problem *p, int *layers)
{
	for (int n = 0; n < p->pieces; n++)
		layers[p->piece[n]] = p->net->layers / p->pieces + (n < p->net->layers % p->pieces);
}

static struct problem
problem_of(struct question *q)
{
	return problem_new(&q->net, &q->shape, &q->devices, (struct list){ q->shape.stages, q->limit }, true);
}

/* Set limits a fraction PART between the memory of even layers with everything and with nothing recomputed. */
static void
set_limits(struct question *q, double part)
{
	struct problem p;
	struct candidate c;
	int layers[PIECES];
	double least[STAGES], most[STAGES], largest = 0;

	for (int s = 0; s < q->shape.stages; s++)
		q->limit[s] = 1e6;
	p = problem_of(q);
	c = candidate_new(&p);
	even(&p, layers);
	if (!candidate_lay_out(&p, layers, &c))
		abort();
	for (int s = 0; s < p.stages; s++) {
		int content[CHUNKS], mix[CHUNKS] = { 0 };

		for (int v = 0; v < p.chunks; v++)
			content[v] = c.content[v * p.stages + s];
		least[s] = stage_least_memory(&p, s, content);
		most[s] = stage_peak(&p, s, content, mix);
		largest = fmax(largest, least[s] + part * (most[s] - least[s]));
	}
	for (int s = 0; s < p.stages; s++)
		q->limit[s] = largest * (s % 4 == 3 ? 1.05 : 1);
	candidate_free(&c);
	problem_free(&p);
}

static void
stage_of(const struct problem *p, const struct candidate *c, int stage, int *content, int *mix)
{
	for (int v = 0; v < p->chunks; v++) {
		content[v] = c->content[v * p->stages + stage];
		mix[v] = c->mix[v * p->stages + stage];
	}
}

/* Check that a plan fits, has its layers in order, and has step STEP. */
static void
check_plan(const struct problem *p, const struct candidate *c, double step)
{
	tally.plans++;
	tally.unfit += !candidate_fits(p, c);
	tally.unplaced += !candidate_placed(p, c);
	tally.unsaid += fabs(candidate_step_time(p, c) - step) > SAME * step;
}

/* Recompute the layers of a plan by equal shares until it fits. Return false if it does not fit. */
static bool
recompute(const struct problem *p, struct candidate *c)
{
	int content[CHUNKS], mix[CHUNKS];

	for (int s = 0; s < p->stages; s++) {
		stage_of(p, c, s, content, mix);
		if (!recompute_evenly(p, s, content, mix))
			return false;
		for (int v = 0; v < p->chunks; v++)
			c->mix[v * p->stages + s] = mix[v];
	}
	return true;
}

/* A walk continues where it stopped: single moves lead to the same plan as many moves in one call. */
static void
check_walk(const struct problem *p, const int *layers)
{
	struct repair *once = repair_new(p, layers, NULL), *often = repair_new(p, layers, NULL);
	struct candidate c = candidate_new(p);
	int stage;

	for (int i = 0; i < STEPS; i++) {
		repair_run(once, i + 1, MEMORY_SLACK, INFINITY);
		for (int k = 0; k <= i; k++)
			repair_run(often, 1, MEMORY_SLACK, INFINITY);
		tally.strayed += repair_best(once, &c, &stage) != repair_best(often, &c, &stage);
	}
	repair_free(once);
	repair_free(often);
	candidate_free(&c);
}

/*
 * With a quarter of the limits nothing fits: compare the excess after a walk from even layers, and after greedy
 * filling.
 */
static void
ask_excess(struct problem *p, double *figure)
{
	struct candidate c = candidate_new(p);
	struct repair *w;
	int layers[PIECES], stage;

	for (int s = 0; s < p->stages; s++)
		p->limit[s] /= 4;
	even(p, layers);
	check_walk(p, layers);
	w = repair_new(p, layers, NULL);
	repair_run(w, MOVES, MEMORY_SLACK, INFINITY);
	figure[EXCESS] = repair_best(w, &c, &stage);
	repair_free(w);
	tally.plans++;
	tally.unsaid += overload(p, &c, &stage) != figure[EXCESS];
	tally.unplaced += !candidate_placed(p, &c);
	figure[DEALT] = greedy_memory(p, layers);
	if (candidate_lay_out(p, layers, &c)) {
		tally.plans++;
		tally.unplaced += !candidate_placed(p, &c);
		/*
		 * With one chunk the reported excess is exact for this layout; with several it is at least the exact
		 * excess.
		 */
		tally.unsaid += p->chunks == 1 && fabs(overload(p, &c, &stage) - figure[DEALT]) > 1e-6;
		figure[DEALT] = overload(p, &c, &stage);
	}
	for (int s = 0; s < p->stages; s++)
		p->limit[s] *= 4;
	candidate_free(&c);
}

/* Build layouts by greedy filling and in rows, recomputed by equal shares. */
static void
ask_layouts(const struct problem *p, double *figure)
{
	struct candidate c = candidate_new(p);
	int layers[PIECES];

	if (greedy_time(p, INFINITY, layers) && candidate_lay_out(p, layers, &c) && recompute(p, &c)) {
		figure[BALANCED] = candidate_step_time(p, &c);
		check_plan(p, &c, figure[BALANCED]);
	}
	for (int start = 0; start < ROW_STARTS && p->chunks > 1; start++) {
		if (!equal_pieces_find(p, start, INFINITY, layers) || !candidate_lay_out(p, layers, &c))
			continue;
		tally.unplaced += !candidate_placed(p, &c);
		/* If the layout does not fit, recompute everything. */
		for (int i = 0; i < p->pieces; i++)
			c.mix[i] = contents_front(&p->contents, c.content[i])->n - 1;
		recompute(p, &c);
		figure[ROWS] += candidate_step_time(p, &c) / ROW_STARTS;
	}
	candidate_free(&c);
}

/* Choose a setting for each stage of a plan, for random values of its chunks; compare with the best settings. */
static void
ask_settings(struct question *q, const struct problem *p, const struct candidate *c)
{
	struct settings_cache cache = settings_cache_new(p, false);

	for (int s = 0; s < p->stages; s++) {
		const struct stage_settings *all;
		int content[CHUNKS], mix[CHUNKS];
		double value[CHUNKS], sum = 0, least = INFINITY;

		stage_of(p, c, s, content, mix);
		for (int v = 0; v < p->chunks; v++)
			value[v] = between(q, 0.2, 1.2);
		all = settings_cache_get(&cache, s, content);
		if (!all->complete || settings_combinations(p, content) > p->list_limits.combinations)
			continue;
		for (int i = 0; i < all->n; i++) {
			double one = 0;

			for (int v = 0; v < p->chunks; v++)
				one += value[v] * all->backward[i * p->chunks + v];
			least = fmin(least, one);
		}
		tally.settings++;
		if (!recompute_from(p, s, content, value, mix)) {
			tally.missed += least < INFINITY;
			continue;
		}
		tally.unfit += stage_peak(p, s, content, mix) > p->limit[s] + 2 * MEMORY_SLACK;
		for (int v = 0; v < p->chunks; v++)
			sum += value[v] * problem_mix(p, content[v], mix[v])->backward;
		tally.shorter += sum < least * (1 - SAME);
		tally.greedy += sum;
		tally.exact += least;
	}
	settings_cache_free(&cache);
}

/* Return the best step (ms) of a search from FROM[LANES] for a number of rounds. */
static double
ask_search(const struct problem *p, const struct candidate *const *from, int rounds)
{
	struct candidate best = candidate_new(p);
	struct path_cuts paths = { 0 };
	struct tempering *t;
	double step;

	t = tempering_new(p, from, NULL, &paths, 1);
	tempering_run(t, rounds, INFINITY);
	step = tempering_best(t, &best);
	check_plan(p, &best, step);
	tempering_free(t);
	candidate_free(&best);
	return step;
}

/*
 * Return the step after a search with WEIGHT, ms. If KEPT is false, WEIGHT is overwritten with zeros after the search
 * is created and before it runs.
 */
static double
weighted(const struct problem *p, const struct candidate *start, struct visits *weight, bool kept)
{
	const struct candidate *from[LANES];
	struct path_cuts paths = { 0 };
	struct tempering *t;
	double step;

	for (int l = 0; l < LANES; l++)
		from[l] = start;
	t = tempering_new(p, from, weight, &paths, 1);
	if (!kept)
		memset(weight->at, 0, (size_t)p->evaluator.slots * sizeof *weight->at);
	tempering_run(t, ROUNDS, INFINITY);
	step = tempering_best(t, NULL);
	tempering_free(t);
	return step;
}

/* A search must copy its weight when it is created, because the caller may then free the weight. */
static void
ask_weight(const struct problem *p, const struct candidate *start)
{
	struct path_finder f = path_finder_new(p);
	struct visits zeros = visits_new(p);
	double by_path;

	candidate_costs(p, start, f.cost);
	path_finder_longest(&f);
	by_path = weighted(p, start, &f.path, true);
	tally.weighted += weighted(p, start, &zeros, true) != by_path;
	tally.moved += weighted(p, start, &f.path, false) != by_path;
	free(zeros.at);
	path_finder_free(&f);
}

/* Fill FROM[LANES], whose first N plans are set, with plans 1 to N - 1 repeatedly, or with plan 0 if N is 1. */
static void
go_round(const struct candidate **from, int n)
{
	for (int l = n; l < LANES; l++)
		from[l] = from[n > 1 ? 1 + (l - 1) % (n - 1) : 0];
}

static void
ask_searches(const struct problem *p, const struct candidate *start, const struct starts *others, int rounds,
    double *figure)
{
	const struct candidate *from[LANES] = { start };
	int n = 1;

	go_round(from, 1);
	figure[SEARCHED] = ask_search(p, from, rounds);
	for (int i = 0; i < others->n && n < LANES; i++)
		from[n++] = &others->plan[i];
	go_round(from, n);
	figure[DISPERSED] = ask_search(p, from, rounds);
}

static void
ask_bottlenecks(const struct problem *p, const struct candidate *start, double *figure)
{
	struct bottleneck *b = bottleneck_new(p, start);
	const struct candidate *from[LANES];

	bottleneck_run(b, BOTTLENECK_WORK, INFINITY);
	from[0] = bottleneck_best(b);
	figure[BOTTLENECKS] = candidate_step_time(p, from[0]);
	check_plan(p, from[0], figure[BOTTLENECKS]);
	go_round(from, 1 + bottleneck_plans(b, LANES - 1, &from[1]));
	figure[SEVERAL] = ask_search(p, from, SEVERAL_ROUNDS * p->pieces);
	bottleneck_free(b);
}

static void
ask_plans(struct question *q, struct problem *p, int rounds, double *figure)
{
	struct candidate start = candidate_new(p);
	struct starts others = { 0 };
	struct excess excess;

	if (start_find(p, clock_now() + LONG, &start, &excess, &others)) {
		figure[START] = candidate_step_time(p, &start);
		check_plan(p, &start, figure[START]);
		for (int i = 0; i < others.n; i++) {
			double step = candidate_step_time(p, &others.plan[i]);

			check_plan(p, &others.plan[i], step);
			tally.unsorted += step < figure[START];
			figure[OTHERS] += step / others.n;
		}
		ask_settings(q, p, &start);
		ask_searches(p, &start, &others, rounds, figure);
		if (p->chunks > 1)
			ask_weight(p, &start);
		if (p->chunks > 1 && p->net->nbodies > 1)
			ask_bottlenecks(p, &start, figure);
	}
	starts_free(&others);
	candidate_free(&start);
}

static void
ask_spread(const struct problem *p, double *figure)
{
	struct sampling *s = sampling_new(p, 0.05);
	struct candidate c = candidate_new(p);
	struct quantiles before, after;
	int layers[PIECES];

	if (greedy_time(p, INFINITY, layers) && candidate_lay_out(p, layers, &c) && recompute(p, &c)) {
		before = sampling_improve(s, &c, -INFINITY);
		after = sampling_improve(s, &c, INFINITY);
		check_plan(p, &c, candidate_step_time(p, &c));
		tally.unsorted += after.p50 > after.p90 || after.p90 > before.p90;
		figure[SPREAD] = after.p90;
	}
	sampling_free(s);
	candidate_free(&c);
}

static void
ask(int n)
{
	struct question q;
	struct problem p;
	bool deep = n >= QUESTIONS;

	draw(&q, n);
	set_limits(&q, 0.15 + 0.1 * (n % 5));
	p = problem_of(&q);
	ask_excess(&p, reached[n]);
	if (!deep)
		ask_layouts(&p, reached[n]);
	ask_plans(&q, &p, deep ? LONG_ROUNDS : ROUNDS, reached[n]);
	if (p.pieces <= SPREAD_PIECES)
		ask_spread(&p, reached[n]);
	problem_free(&p);
}

static int
renew(void)
{
	printf("/* Figures of lp_heuristics.c, which writes them. */\n");
	for (int n = 0; n < QUESTIONS + LONG_QUESTIONS; n++) {
		printf("\t{ ");
		for (int f = 0; f < FIGURES; f++)
			printf("%s%.12g", f == 0 ? "" : f == ROWS + 1 || f == BOTTLENECKS ? ",\n\t  " : ", ",
			    reached[n][f]);
		printf(" },\n");
	}
	return 0;
}

/* Questions for which a heuristic is now below its figure, and its mean result relative to the figure. */
static void
compare(enum figure f)
{
	double sum = 0;
	int asked = 0, worse = 0;

	for (int n = 0; n < QUESTIONS + LONG_QUESTIONS; n++) {
		double want = figures[n][f], got = reached[n][f];

		if (want == 0 && got == 0)
			continue;
		asked++;
		sum += got / want;
		if ((want != 0) == (got != 0) && got <= want * (1 + SAME))
			continue;
		worse++;
		printf("# question %d: %.12g, not %.12g\n", n, got, want);
	}
	printf("# %s: %d questions, on average %.6f of the figures\n", names[f], asked, sum / asked);
	same(0, worse, names[f]);
}

int
main(void)
{
	for (int n = 0; n < QUESTIONS + LONG_QUESTIONS; n++)
		ask(n);
	if (getenv("RENEW") != NULL)
		return renew();
	printf("# %ld plans; %ld settings, %.4f of the exact ones\n", tally.plans, tally.settings,
	    tally.greedy / tally.exact);
	ok(tally.plans > 5 * QUESTIONS && tally.settings > 2 * QUESTIONS, "plans and settings of every heuristic");
	same(0, tally.unfit, "they fit");
	same(0, tally.unplaced, "all layers are there, in their order");
	same(0, tally.unsaid, "steps, and the excess over limits, are as reported");
	same(0, tally.unsorted, "the shortest plan comes first, and half of the steps are no longer than nine in ten");
	ok(tally.weighted > 2, "searches go by the mean of paths that they are given");
	same(0, tally.moved, "and keep it");
	same(0, tally.strayed, "a walk continues where it stopped");
	same(0, tally.missed, "a setting is found if one exists");
	same(0, tally.shorter, "none is better than the best");
	ok(tally.greedy <= tally.exact * SETTINGS_NEAR, "they come near to it");
	for (int f = 0; f < FIGURES; f++)
		compare((enum figure)f);
	return tap_done();
}
