/* Compare parts of the planner with other computations: orders, peaks, mixes, cached settings, the relaxation. */
#include "lp_random.h"
#include "lib/base/clock.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/pattern/exact_price.h"
#include "sapp-lp/bound/ordered.h"
#include "sapp-lp/heuristic/equal_pieces.h"
#include "sapp-lp/heuristic/path_model.h"
#include "sapp-lp/model/tier.h"
#include "sapp-lp/model/tuning.h"
#include "tap.h"

#define QUESTIONS draws(120, 400)

/* Number of errors of each kind. */
static struct tally {
	long plans, steps, paths, lengths, peaks, mixes, dominated, unknown, sums, floors, cached, misfits, missing,
	    fitting, bounds, weights, prices, bounded, boxed, thinned, silent, model, crowds, rows, uneven,
	    ordered, disordered, begun, unsorted, ends, tight, raised, least, attained, held;
} tally;

static int
draw_candidate(struct question *q, const struct problem *p, struct candidate *c)
{
	int length[PIECES], first = 0;

	for (int n = 0; n < p->pieces; n++)
		length[n] = p->fewest[p->piece[n]];
	for (int l = p->needed[p->pieces]; l < q->net.layers; l++)
		length[below(q, p->pieces)]++;
	for (int n = 0; n < p->pieces; n++) {
		int i = p->piece[n];

		c->content[i] = piece_content(p, i, first, length[n]);
		if (c->content[i] < 0)
			return 0;
		c->mix[i] = below(q, contents_front(&p->contents, c->content[i])->n);
		first += length[n];
	}
	return 1;
}

static struct outcome
run_candidate(const struct question *q, const struct problem *p, const struct schedule *s, const struct candidate *c)
{
	struct choice choice[PIECES] = { { .count = { 0 } } };
	const struct choice *chosen[PIECES];

	for (int i = 0; i < p->pieces; i++) {
		const struct mix *mix = problem_mix(p, c->content[i], c->mix[i]);

		for (int k = 0; k < q->net.nbodies * RECOMPUTE_KINDS; k++)
			choice[i].count[k] = mix->count[k];
		chosen[p->plan_piece[i]] = &choice[i];
	}
	return run_choices(q, s, chosen);
}

static int
differ(double a, double b)
{
	return fabs(a - b) > 1e-9 * (1 + fabs(a));
}

/* Evaluate eight plans at the same time with the compiled order, and each alone with its longest path. */
static void
check_order(struct question *q, const struct problem *p, const struct relaxed *relaxed)
{
	struct schedule s = timed_schedule_of_plans(&q->shape, &q->net, &q->devices);
	size_t slots = (size_t)p->evaluator.slots, steps = p->evaluator.noperations + 1;
	struct lanes *cost = evaluator_lanes(slots), *end = evaluator_lanes(steps),
	    *clock = evaluator_lanes((size_t)p->evaluator.clocks), t;
	double *one = xcalloc(slots, sizeof *one), *ends = xcalloc(steps, sizeof *ends);
	double *clocks = xcalloc((size_t)p->evaluator.clocks, sizeof *clocks);
	struct visits path = { .at = xcalloc(slots, sizeof *path.at) };
	struct candidate c[LANES];
	struct outcome o[LANES];
	int drawn = 0;

	for (int tries = 0; drawn < LANES && tries < 1000; tries++) {
		c[drawn] = candidate_new(p);
		if (draw_candidate(q, p, &c[drawn])) {
			candidate_costs(p, &c[drawn], one);
			for (size_t i = 0; i < slots; i++)
				cost[i].at[drawn] = one[i];
			o[drawn] = run_candidate(q, p, &s, &c[drawn]);
			drawn++;
		} else
			candidate_free(&c[drawn]);
	}
	t = evaluator_run(&p->evaluator, cost, end, clock);
	for (int l = 0; l < drawn; l++) {
		bool fits = true;

		tally.plans++;
		candidate_costs(p, &c[l], one);
		tally.steps += differ(o[l].step, t.at[l]);
		tally.paths += differ(o[l].step, evaluator_path(&p->evaluator, one, ends, clocks, &path));
		tally.lengths += differ(o[l].step, visits_length(&p->evaluator, &path, one));
		for (int stage = 0; stage < p->stages; stage++) {
			int content[PIECES], mix[PIECES];

			for (int v = 0; v < p->chunks; v++) {
				content[v] = c[l].content[v * p->stages + stage];
				mix[v] = c[l].mix[v * p->stages + stage];
			}
			tally.peaks += differ(o[l].peak[stage], stage_peak(p, stage, content, mix));
			fits &= o[l].peak[stage] <= p->limit[stage] + 0.9 * FITS;
		}
		tally.fitting += fits;
		tally.bounds += fits && relaxed->bound > o[l].step;
		tally.weights += visits_length(&p->evaluator, &relaxed->weight, one) > o[l].step * (1 + 1e-9);
		candidate_free(&c[l]);
	}
	free(path.at);
	free(one);
	free(ends);
	free(clocks);
	free(cost);
	free(end);
	free(clock);
	schedule_free(&s);
}

/*
 * Check the bound of the ordered relaxation for a horizon. It must be below all fitting plans that are shorter than the
 * horizon, also if layouts are excluded because of the horizon.
 */
static void
check_ordered(struct question *q, const struct problem *p, const struct relaxed *relaxed)
{
	struct schedule s = timed_schedule_of_plans(&q->shape, &q->net, &q->devices);
	struct ordered *o = ordered_new(p);
	struct candidate c = candidate_new(p);
	double step[40];
	int fitting = 0;

	for (int n = 0; n < 40 && o != NULL; n++) {
		struct outcome out;
		bool fits = draw_candidate(q, p, &c);

		if (!fits)
			continue;
		out = run_candidate(q, p, &s, &c);
		for (int stage = 0; stage < p->stages; stage++) {
			int content[PIECES], mix[PIECES];

			for (int v = 0; v < p->chunks; v++) {
				content[v] = c.content[v * p->stages + stage];
				mix[v] = c.mix[v * p->stages + stage];
			}
			fits &= stage_peak(p, stage, content, mix) <= p->limit[stage] + 0.9 * FITS;
		}
		if (fits)
			step[fitting++] = out.step;
	}
	/* The horizon falls from one plan's step to the next shorter step. */
	for (int i = 0, last = -1; i < fitting; i++) {
		if (last >= 0 && step[i] >= step[last])
			continue;
		last = i;
		ordered_run(o, relaxed, step[i] * (1 + 1e-6), i == 0 ? 400 : 40, INFINITY);
		for (int k = 0; k < fitting; k++)
			tally.disordered += ordered_bound(o) > step[k];
		tally.ordered += ordered_bound(o) > relaxed->bound * (1 + 1e-6);
	}
	if (o != NULL)
		ordered_free(o);
	candidate_free(&c);
	schedule_free(&s);
}

static void
plan_times(const struct problem *p, const struct candidate *c, struct times *t)
{
	for (int i = 0; i < p->pieces; i++)
		t[i] = piece_times(p, i, &p->contents.content[c->content[i]],
		    problem_mix(p, c->content[i], c->mix[i]));
}

/*
 * Change a plan into the next one, several times. The path model must never exceed the step, and must equal the step
 * once the plan's critical path is added, whatever the earlier changes. Kept states must be restored.
 */
static void
check_model(struct question *q, const struct problem *p)
{
	struct path_model *m = path_model_new(p);
	struct path_finder f = path_finder_new(p);
	struct times *times[LANES], *next = xcalloc((size_t)p->pieces, sizeof *next);
	struct times *change = xcalloc((size_t)p->pieces, sizeof *change);
	int *piece = xcalloc((size_t)p->pieces, sizeof *piece);
	struct candidate c = candidate_new(p);

	for (int l = 0; l < LANES; l++)
		times[l] = xcalloc((size_t)p->pieces, sizeof **times);
	for (int n = 0; n < 40; n++) {
		double step, longest, before, crowded;
		int lane = n % 2;

		if (!draw_candidate(q, p, &c))
			continue;
		plan_times(p, &c, next);
		for (int i = 0; i < p->pieces; i++) {
			piece[i] = i;
			change[i] = (struct times){ next[i].forward - times[lane][i].forward,
				next[i].backward - times[lane][i].backward,
				next[i].gradient - times[lane][i].gradient };
		}
		before = path_model_longest(m, lane);
		path_model_keep(m, lane);
		crowded = path_model_try(m, lane, p->pieces, piece, change);
		tally.model += path_model_longest(m, lane) != before;
		path_model_take(m, lane);
		longest = path_model_longest(m, lane);
		tally.model += longest + path_model_crowd(m, lane) != crowded || path_model_crowd(m, lane) < 0;
		path_model_bring_back(m, lane);
		tally.model += path_model_longest(m, lane) != before;
		tally.crowds += path_model_try(m, lane, p->pieces, piece, change) != crowded;
		path_model_take(m, lane);
		memcpy(times[lane], next, (size_t)p->pieces * sizeof *next);
		candidate_costs(p, &c, f.cost);
		step = path_finder_longest(&f);
		tally.model += longest > step * (1 + 1e-9);
		path_model_add(m, &f.path, times);
		tally.model += differ(step, path_model_longest(m, lane));
		path_model_set(m, lane, times[lane]);
		tally.model += differ(step, path_model_longest(m, lane));
	}
	for (int l = 0; l < LANES; l++)
		free(times[l]);
	path_model_free(m);
	path_finder_free(&f);
	candidate_free(&c);
	free(next);
	free(change);
	free(piece);
}

/*
 * Check that layouts in rows place all layers, and that the numbers of layers in a chunk's pieces differ by at most
 * one.
 */
static void
check_rows(const struct problem *p)
{
	struct candidate c = candidate_new(p);
	int layers[PIECES];

	for (int start = 0; start < EQUAL_PIECES_STARTS; start++) {
		if (!equal_pieces_find(p, start, clock_now() + 100, layers))
			continue;
		tally.rows++;
		tally.uneven += !candidate_lay_out(p, layers, &c) || !candidate_placed(p, &c);
		for (int i = 0; i < p->pieces; i++)
			for (int k = i % p->stages; k < p->stages; k++)
				tally.uneven += abs(layers[i] - layers[i - i % p->stages + k]) > 1;
	}
	candidate_free(&c);
}

/*
 * Check the mixes of every run of layers. Each mix must be a possible choice, and no choice or sum of choices may beat
 * all mixes.
 */
static void
check_mixes(struct question *q, const struct problem *p)
{
	static struct choices all;

	for (int first = 0; first < q->net.layers; first++)
		for (int n = 1; n <= p->contents.most && n <= SPARE && first + n <= q->net.layers; n++) {
			int stage = n % p->stages, at = piece_content(p, stage, first, n);
			int per_mb = below(q, 4), per_ms = below(q, 4),
			    per_part = p->on->weighs_kinds ? below(q, 8) - per_ms : 0,
			    per_kept = p->on->keeps_kinds ? below(q, 4) : 0;
			const struct pareto_front *front;
			double least = INFINITY, room, fastest = INFINITY, least_half;

			if (!list_choices(q, first, n, &all))
				continue;
			if (at < 0) {
				tally.unknown += all.n;
				continue;
			}
			front = contents_front(&p->contents, at);
			for (int i = 0; i < all.n; i++) {
				struct piece_load l = load_of(q, &all.at[i], stage);
				bool reached = false;

				double part = p->on->weighs_kinds ? l.weight - p->contents.content[at].gradient : 0;
				double kept = p->on->keeps_kinds ? l.kept - p->contents.content[at].kept : 0;

				least = fmin(least, per_mb * l.activation + per_ms * l.backward + per_part * part +
				    per_kept * kept);
				for (int m = 0; m < front->n; m++)
					reached |= front->mix[m].activation <= l.activation * (1 + 1e-12) &&
					    front->mix[m].backward <= l.backward * (1 + 1e-12) &&
					    front->mix[m].gradient <= part + 1e-12 * l.backward &&
					    front->mix[m].kept <= kept + 1e-12 * l.kept &&
					    front->mix[m].backward - front->mix[m].gradient <=
					    l.backward * (1 + 1e-12) - part;
				tally.mixes++;
				tally.dominated += !reached;
			}
			room = load_of(q, &all.at[below(q, all.n)], stage).activation;
			for (int i = 0; i < all.n; i++)
				if (load_of(q, &all.at[i], stage).activation <= room)
					fastest = fmin(fastest, load_of(q, &all.at[i], stage).backward);
			least_half = contents_least(&p->contents, at, (struct rates){ .mb = 0.5, .ms = 1 });
			tally.floors += contents_floor(&p->contents, at, room) > fastest * (1 + 1e-12) ||
			    contents_floor(&p->contents, at, room) < least_half - 0.5 * room - 1e-9;
			tally.sums += differ(least, contents_least(&p->contents, at,
			    (struct rates){ per_mb, per_ms, per_part, per_kept }));
			for (int m = 0; m < front->n; m++) {
				bool known = false;

				for (int i = 0; i < all.n; i++) {
					known = true;
					for (int k = 0; k < q->net.nbodies * RECOMPUTE_KINDS; k++)
						known &= all.at[i].count[k] == front->mix[m].count[k];
					if (known)
						break;
				}
				tally.unknown += !known;
			}
		}
}

/* Compare both parts of the backward, if they matter. */
static bool
no_slower(const struct stage_settings *settings, int at, const struct mix *m)
{
	double backward = settings->backward[at], gradient = settings->gradient[at];

	return backward <= m->backward * (1 + 1e-9) && gradient <= m->gradient + 1e-9 &&
	    backward - gradient <= m->backward - m->gradient + 1e-9;
}

/*
 * Check that every listed setting of a stage fits, that no fitting setting is better than all listed settings, and that
 * the least memory is that of the smallest setting.
 */
static void
check_menu(const struct problem *p, struct settings_cache *cached, int stage, const int *content)
{
	const struct stage_settings *settings = settings_cache_get(cached, stage, content);
	int mix[PIECES] = { 0 }, v;
	double lightest = stage_least_mixes(p, stage, content, mix), least = INFINITY;

	tally.cached++;
	tally.held += p->on->keeps_kinds;
	tally.attained += differ(lightest, stage_peak(p, stage, content, mix));
	if (!settings->complete)
		return;
	for (int i = 0; i < settings->n; i++) {
		for (v = 0; v < p->chunks; v++)
			mix[v] = settings->mix[i * p->chunks + v];
		tally.misfits += stage_peak(p, stage, content, mix) > p->limit[stage] + 2 * MEMORY_SLACK;
	}
	memset(mix, 0, sizeof mix);
	do {
		double peak = stage_peak(p, stage, content, mix);
		bool reached = peak > p->limit[stage];

		least = fmin(least, peak);
		for (int i = 0; i < settings->n && !reached; i++) {
			reached = true;
			for (v = 0; v < p->chunks; v++)
				reached &= no_slower(settings, i * p->chunks + v, problem_mix(p, content[v], mix[v]));
		}
		tally.missing += !reached;
		for (v = 0; v < p->chunks && ++mix[v] == contents_front(&p->contents, content[v])->n; v++)
			mix[v] = 0;
	} while (v < p->chunks);
	tally.least += differ(least, stage_least_memory(p, stage, content)) ||
	    differ(least, stage_memory_floor(p, stage, content));
}

/*
 * Check prices for a random mean of paths, computed without a list of settings. The price must be the minimum over the
 * stage's settings, the bound must be at most the price, and the ranges of a node must not lower a price.
 */
static void
check_prices(struct question *q, const struct problem *p, struct settings_cache *cached, int stage, const int *content)
{
	const struct stage_settings *settings = settings_cache_get(cached, stage, content);
	struct visits weight = visits_new(p);
	struct node_bounds bounds = node_bounds_new(p, NULL);
	struct pricing prices;
	double least = INFINITY, boxed = INFINITY, price, sum, roomy = 0, bound;
	int mix[PIECES];

	if (!settings->complete)
		return;
	for (int i = 0; i < p->evaluator.slots; i++)
		weight.at[i] = below(q, 4096) / 1024.0;	/* any numbers, also prices that nearly tie */
	prices = pricing_new(p, stage, &weight);
	for (int v = 0; v < p->chunks && settings->n > 0; v++)
		if (below(q, 2))
			bounds.backward[v * p->stages + stage].high =
			    settings->backward[below(q, settings->n) * p->chunks + v];
	for (int i = 0; i < settings->n; i++) {
		sum = 0;
		for (int v = 0; v < p->chunks; v++)
			sum += times_product(prices.worth[v], piece_times(p, v * p->stages + stage,
			    &p->contents.content[content[v]],
			    problem_mix(p, content[v], settings->mix[i * p->chunks + v])));
		least = fmin(least, sum);
		if (node_allows_setting(p, &bounds, stage, settings->backward + i * p->chunks,
		    settings->gradient + i * p->chunks))
			boxed = fmin(boxed, sum);
	}
	/* As if memory allowed the fastest mixes: if it does not, the price of memory raises the bound. */
	for (int v = 0; v < p->chunks; v++) {
		const struct content *c = &p->contents.content[content[v]];

		roomy += prices.worth[v].backward * c->backward +
		    times_product(prices.worth[v], piece_times(p, v * p->stages + stage, c, &(struct mix){ 0 }));
	}
	bound = pricing_bound(&prices, content);
	tally.bounded += bound > least * (1 + 1e-9);
	if (p->chunks > 1 && least < INFINITY && least > roomy * (1 + 1e-6)) {
		tally.tight++;
		tally.raised += bound > roomy * (1 + 1e-9);
	}
	price = exact_price(&prices, content, NULL, mix);
	tally.prices += price != least && differ(price, least);
	if (price < INFINITY) {
		sum = 0;
		for (int v = 0; v < p->chunks; v++)
			sum += times_product(prices.worth[v], piece_times(p, v * p->stages + stage,
			    &p->contents.content[content[v]], problem_mix(p, content[v], mix[v])));
		tally.prices += differ(price, sum) ||
		    stage_peak(p, stage, content, mix) > p->limit[stage] + 2 * MEMORY_SLACK;
	}
	price = exact_price(&prices, content, &bounds, mix);
	tally.boxed += price != boxed && differ(price, boxed);
	for (int i = 0; i < settings->n; i++)
		tally.bounded += p->chunks == 1 &&
		    pricing_floor(p, stage, *content) > settings->backward[i] * (1 + 1e-9);
	pricing_free(&prices);
	node_bounds_free(&bounds);
	free(weight.at);
}

/* A front without the mark "incomplete" has all mixes. */
static void
check_thinned(const struct question *q, const struct problem *p)
{
	struct problem few = problem_new(&q->net, &q->shape, &q->devices,
	    (struct list){ q->shape.stages, (double *)q->limit }, q->listed);

	for (int i = 0; i < p->contents.ncontents; i++) {
		const struct pareto_front *all = contents_front(&p->contents, i), *some;

		/* Contents of fewer layers lack the same mixes, even if memory allows all. */
		tuning.front_mixes = i == 0 ? 2 + p->contents.ncontents % 4 : i % 2 ? 1000 : 2;
		some = contents_front(&few.contents, i);
		tuning.front_mixes = 1000;
		tally.thinned += some->thinned;
		tally.silent += !some->thinned && some->n != all->n;
		/* The kept mixes belong to the content, from the fastest mix to the mix with the least activation. */
		for (int m = 1; m < some->n; m++)
			tally.unsorted += p->parts ?
			    some->mix[m].activation > some->mix[m - 1].activation :
			    some->mix[m].activation >= some->mix[m - 1].activation ||
			    some->mix[m].backward <= some->mix[m - 1].backward;
		tally.ends += (!p->parts && differ(some->mix[0].backward, all->mix[0].backward)) ||
		    differ(some->mix[some->n - 1].activation, all->mix[all->n - 1].activation);
	}
	problem_free(&few);
}

/*
 * Kinds with nearly equal times and different memory: with two or more chunks, the list of settings must be complete.
 */
static void
check_ties(int n)
{
	struct question q = { .random = RANDOM_ODD * (uint64_t)(n + 1), .digits = true };
	struct problem p;
	struct settings_cache cached;
	int content[PIECES];

	do
		draw_question(&q);
	while (q.shape.chunks < 2 || q.net.layers > q.pieces + SPARE);
	for (int b = 0; b < q.net.nbodies; b++)
		for (int k = 0; k < RECOMPUTE_BUILT_IN; k++) {
			q.body[b].has[k] = true;
			q.body[b].backward[k] = q.body[b].backward[0] * (1 + 1e-4 * amount(&q, 1));
		}
	draw_limits(&q);
	p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ q.shape.stages, q.limit }, q.listed);
	cached = settings_cache_new(&p, false);
	for (int i = 0; i < 20; i++) {
		for (int v = 0; v < p.chunks; v++)
			content[v] = below(&q, p.contents.ncontents);
		check_menu(&p, &cached, below(&q, p.stages), content);
	}
	settings_cache_free(&cached);
	problem_free(&p);
}

int
main(void)
{
	for (int n = 0; n < QUESTIONS / 4; n++)
		check_ties(n);
	for (int n = 0; n < QUESTIONS; n++) {
		struct question q = { .random = RANDOM_ODD * (uint64_t)(n + 1), .digits = n % 2,
			.own = n % 5 == 4,
			.transient = n % 5 == 3, .ends = n % 7 == 6, .empty = n % 3 == 2, .weighs = n % 8 == 5,
			.own_weights = n % 16 == 13, .own_kept = n % 24 == 5 || n % 24 == 21, .floors = n % 6 == 4 };
		struct problem p;
		struct settings_cache cached;
		struct relaxed relaxed;

		do
			draw_question(&q);
		while (q.net.layers > q.pieces + SPARE);
		draw_limits(&q);
		p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ q.shape.stages, q.limit }, q.listed);
		relaxed = relaxation_solve(&p, 8, clock_now() + (n % 4 ? 100 : 0));
		tally.begun += relaxed.paths.n > 0;
		check_order(&q, &p, &relaxed);
		check_ordered(&q, &p, &relaxed);
		check_model(&q, &p);
		check_rows(&p);
			check_mixes(&q, &p);
		check_thinned(&q, &p);
		cached = settings_cache_new(&p, false);
		for (int i = 0; i < 20; i++) {
			int content[PIECES];

			for (int v = 0; v < p.chunks; v++)
				content[v] = below(&q, p.contents.ncontents);
			check_menu(&p, &cached, below(&q, p.stages), content);
			check_prices(&q, &p, &cached, below(&q, p.stages), content);
		}
		settings_cache_free(&cached);
		relaxed_free(&relaxed);
		problem_free(&p);
	}
	printf("# %ld plans, %ld of them fit; %ld mixes, %ld cached\n", tally.plans, tally.fitting, tally.mixes,
	    tally.cached);
	ok(tally.fitting > QUESTIONS, "many plans fit");
	same(0, tally.steps, "eight steps at once");
	same(0, tally.paths, "steps alone");
	same(0, tally.lengths, "their longest paths are as long");
	same(0, tally.model, "a model of paths equals the step if it has the critical path, and never exceeds it");
	ok(tally.rows > QUESTIONS, "layers in rows");
	same(0, tally.uneven, "all placed, with numbers in a chunk that differ by at most one");
	same(0, tally.crowds, "its set of nearly critical paths does not depend on earlier calls");
	same(0, tally.peaks, "peaks of the stages");
	same(0, tally.dominated, "a mix for every choice");
	same(0, tally.unknown, "none that cannot be");
	ok(tally.thinned > QUESTIONS, "fronts with more mixes than are kept");
	same(0, tally.silent, "say so, however many layers are put together");
	same(0, tally.unsorted, "the kept mixes are in order,");
	same(0, tally.ends, "from the fastest to the one with the least activation");
	same(0, tally.sums, "the least sum of both is that of all that can be chosen");
	same(0, tally.floors, "no less time than a bound on what fits some memory");
	same(0, tally.misfits, "listed settings fit into memory");
	same(0, tally.missing, "and have something for all that does");
	ok(tally.held > QUESTIONS / 2, "also if kinds of recomputation keep different memory for W");
	same(0, tally.least, "the least memory is that of all settings");
	same(0, tally.attained, "and of the mixes that claim it");
	same(0, tally.prices, "settings that are not listed: the price is that of the cheapest, which fits");
	same(0, tally.bounded, "no bound on a price is above it");
	printf("# %ld prices of several chunks with too little memory, the bound of %ld says so\n", tally.tight,
	    tally.raised);
	ok(tally.tight > QUESTIONS && tally.raised > tally.tight * 9 / 10, "which memory raises");
	same(0, tally.boxed, "the same within the bounds of a node");
	same(0, tally.bounds, "the relaxation is below every plan that fits");
	same(QUESTIONS, tally.begun, "paths to begin with, also without time for them");
	ok(tally.ordered > QUESTIONS / 100, "the ordered relaxation is often above it");
	same(0, tally.disordered, "and below every plan that fits");
	same(0, tally.weights, "and its mean of paths no longer than any plan, fit or not");
	return tap_done();
}
