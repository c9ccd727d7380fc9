/*
 * Bottlenecks: plans found within caps respect the caps and memory. If such a plan exists, the search nearly always
 * finds one, and its best plan never gets longer.
 */
#include <string.h>

#include "lp_random.h"
#include "lib/base/clock.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/heuristic/bottleneck.h"
#include "sapp-lp/heuristic/capped.h"
#include "sapp-lp/heuristic/repair.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/heuristic/start.h"
#include "tap.h"

#define QUESTIONS draws(120, 400)
enum { NARROWER = 3 };
static const double WORK = 1e6;

static struct tally {
	long asked, known, missed, narrower, found, shorter;
	long plans;
	/* first error */
	long beyond, unfit, longer, other, step, late, huge, alike, unsorted, strayed, unplaced;
} tally;

static double
piece_time(const struct problem *p, const struct candidate *c, int piece)
{
	struct times t = piece_times(p, piece, &p->contents.content[c->content[piece]],
	    problem_mix(p, c->content[piece], c->mix[piece]));

	return p->pace[piece % p->stages] * (t.forward + t.backward);
}

static void
slowest(const struct problem *p, const struct candidate *c, double *cap)
{
	for (int v = 0; v < p->chunks; v++)
		cap[v] = 0;
	for (int i = 0; i < p->pieces; i++)
		cap[i / p->stages] = fmax(cap[i / p->stages], piece_time(p, c, i));
}

/* Return whether a plan has all layers in place and fits in memory. */
static bool
fits(const struct problem *p, const struct candidate *c)
{
	return candidate_placed(p, c) && candidate_fits(p, c);
}

static void
check_capped(struct question *q, const struct problem *p, const struct candidate *known)
{
	struct capped *c = capped_new(p);
	struct candidate out = candidate_new(p);
	double cap[CHUNKS_MAX];

	slowest(p, known, cap);
	tally.known++;
	tally.late += capped_find(c, cap, clock_now() - 1, &out);
	for (int n = 0; n < NARROWER; n++) {
		bool found = capped_find(c, cap, clock_now() + 100, &out);

		if (n == 0)
			tally.missed += !found;
		else {
			tally.narrower++;
			tally.found += found;
		}
		if (found) {
			tally.unfit += !fits(p, &out);
			for (int i = 0; i < p->pieces; i++)
				tally.beyond += piece_time(p, &out, i) > cap[i / p->stages] * (1 + 1e-6);
		}
		cap[below(q, p->chunks)] *= 0.95;
	}
	candidate_free(&out);
	capped_free(c);
}

/* Check the plans other than the best one. */
static void
check_plans(const struct problem *p, const struct bottleneck *b)
{
	const struct candidate *plan[LANES];
	double cap[LANES][CHUNKS_MAX], before = 0, best = candidate_step_time(p, bottleneck_best(b));
	int n = bottleneck_plans(b, LANES, plan);

	tally.strayed += bottleneck_plans(b, 0, NULL) != 0 || bottleneck_plans(b, 1, plan) > 1;
	for (int i = 0; i < n; i++) {
		double step = candidate_step_time(p, plan[i]);

		tally.plans++;
		tally.unfit += !fits(p, plan[i]);
		tally.unsorted += step < before;
		tally.strayed += step < best || step > 1.05 * best;
		slowest(p, plan[i], cap[i]);
		for (int k = 0; k < i; k++)
			tally.alike += memcmp(cap[k], cap[i], (size_t)p->chunks * sizeof **cap) == 0;
		before = step;
	}
}

/* Check the best plan of a search in one call, and of a search in two calls. */
static void
check_search(const struct problem *p, const struct candidate *start)
{
	struct bottleneck *b = bottleneck_new(p, start), *again = bottleneck_new(p, start);
	double before = candidate_step_time(p, start), after;
	struct candidate best = candidate_new(p);

	bottleneck_run(b, WORK, clock_now() - 1);
	tally.late += candidate_step_time(p, bottleneck_best(b)) != before;
	bottleneck_run(b, WORK, clock_now() + 100);
	candidate_copy(p, &best, bottleneck_best(b));
	after = candidate_step_time(p, &best);
	tally.unfit += !fits(p, &best);
	tally.longer += after > before;
	check_plans(p, b);
	tally.shorter += after < before * (1 - 1e-9);
	bottleneck_run(again, WORK, clock_now() + 100);
	tally.other += candidate_step_time(p, bottleneck_best(again)) != after;
	/* The search must accept a plan only if it is shorter. */
	bottleneck_take(b, start);
	tally.step += candidate_step_time(p, bottleneck_best(b)) != after;
	bottleneck_free(again);
	again = bottleneck_new(p, start);
	bottleneck_take(again, &best);
	tally.step += candidate_step_time(p, bottleneck_best(again)) != after;
	bottleneck_free(b);
	bottleneck_free(again);
	candidate_free(&best);
}

/* Check that with empty pieces allowed, layouts with too few or too many layers are no plans. */
static void
check_all_placed(const struct problem *p, const struct candidate *known)
{
	struct candidate c = candidate_new(p);
	int layers[p->pieces];

	for (int i = 0; i < p->pieces; i++)
		layers[i] = p->contents.content[known->content[i]].layers;
	tally.unplaced += !candidate_lay_out(p, layers, &c);
	for (int i = 0; i < p->pieces; i++)
		if (layers[i] > p->fewest[i]) {
			layers[i]--;
			tally.unplaced += candidate_lay_out(p, layers, &c);
			layers[i] += 2;
			tally.unplaced += candidate_lay_out(p, layers, &c);
			layers[i]--;
		}
	candidate_free(&c);
}

static void
ask(int n)
{
	struct question q = { .random = RANDOM_ODD * (uint64_t)(n + 1), .transient = n % 5 == 3, .ends = n % 7 == 6,
		.empty = n % 4 == 2 };
	struct starts others = { 0 };
	struct candidate start;
	struct excess excess;
	struct problem p;

	draw_question(&q);
	draw_limits(&q);
	p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ q.shape.stages, q.limit }, q.listed);
	start = candidate_new(&p);
	if (start_find(&p, clock_now() + 100, &start, &excess, &others) && p.chunks > 1) {
		tally.asked++;
		check_all_placed(&p, &start);
		check_capped(&q, &p, &start);
		for (int i = 0; i < others.n; i++)
			check_capped(&q, &p, &others.plan[i]);
		tally.huge += !bottleneck_can(&p);
		check_search(&p, others.n > 0 ? &others.plan[others.n - 1] : &start);
	}
	starts_free(&others);
	candidate_free(&start);
	p.contents.ncontents += 1 << 22;
	tally.huge += bottleneck_can(&p);
	p.contents.ncontents -= 1 << 22;
	problem_free(&p);
}

/* Return whether tables with these numbers of rows and columns are small enough. */
static bool
can(int rows, int borders, int contents)
{
	struct network net = { .layers = borders - 1 };
	struct problem p = { .net = &net, .pieces = rows - 1, .contents.ncontents = contents };

	return capped_can(&p);
}

static void
sizes(void)
{
	ok(can(1 << 10, 1 << 12, 1) && can(1 << 10, 1, 1 << 12), "tables of four million entries are made");
	ok(!can((1 << 10) + 1, 1 << 12, 1) && !can((1 << 10) + 1, 1, 1 << 12), "but of no row more");
	ok(!can(1 << 10, (1 << 12) + 1, 1) && !can(1 << 10, 1, (1 << 12) + 1), "and of no column more");
}

int
main(void)
{
	for (int n = 0; n < QUESTIONS; n++)
		ask(n);
	printf("# %ld questions, %ld plans known, %ld not found again, %ld of %ld narrower ones found, %ld shorter, "
	    "%ld others\n", tally.asked, tally.known, tally.missed, tally.found, tally.narrower, tally.shorter,
	    tally.plans);
	ok(tally.asked > QUESTIONS / 20, "questions with several chunks");
	same(0, tally.unfit, "the plan found fits");
	same(0, tally.beyond, "and keeps to the caps");
	ok(tally.missed <= tally.known / 50, "if a plan within caps exists, one is found nearly always");
	ok(tally.found > tally.narrower / 50, "within narrower ones sometimes");
	same(0, tally.longer, "a search never makes a plan longer");
	ok(tally.shorter > tally.asked / 20, "and often shorter");
	same(0, tally.other, "the same question has the same answer");
	same(0, tally.step, "the shortest plan is kept");
	ok(tally.plans > tally.asked / 2, "other plans are kept also");
	same(0, tally.alike, "no two within the same bottlenecks");
	same(0, tally.unsorted, "the shortest first");
	same(0, tally.strayed, "none shorter than the best, or much longer, and as many as asked for");
	same(0, tally.unplaced, "a layout has all the layers that there are");
	same(0, tally.late, "nothing is looked for when the time is over");
	same(0, tally.huge, "nor if contents are too many to list");
	sizes();
	return tap_done();
}
