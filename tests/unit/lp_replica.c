/* The starts of searches, and the replicas after changes, must be plans that fit. */
#include "lp_random.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/heuristic/greedy.h"
#include "sapp-lp/heuristic/repair.h"
#include "sapp-lp/heuristic/replica.h"
#include "sapp-lp/heuristic/start.h"
#include "sapp-lp/model/tier.h"
#include "lib/base/clock.h"
#include "tap.h"

#define QUESTIONS draws(50, 150)
#define FILLED draws(1000, 3000)
enum { CHANGES = 60 };

static struct tally {
	long feasible, several, changes;
	long filled, gaps, above, below;
	long unfit, unsorted, first, unfit_stages, moved, back;	/* first error */
} tally;

static void
check_starts(const struct problem *p, const struct candidate *best, const struct starts *others)
{
	int stage;

	tally.several += others->n > 1;
	for (int i = 0; i < others->n; i++) {
		tally.unfit += overload(p, &others->plan[i], &stage) > MEMORY_SLACK ||
		    !candidate_placed(p, &others->plan[i]);
		tally.unsorted += i > 0 &&
		    candidate_step_time(p, &others->plan[i]) < candidate_step_time(p, &others->plan[i - 1]);
	}
	if (others->n > 0)
		tally.first += candidate_step_time(p, best) != candidate_step_time(p, &others->plan[0]);
}

/* Check that every stage has a setting that fits, and its layers. */
static void
check_memory(const struct problem *p, const struct replica *r)
{
	int layers = 0;

	tally.unfit_stages += !candidate_fits(p, &r->now);
	for (int i = 0; i < p->pieces; i++) {
		layers += r->layers[i];
		tally.moved += p->contents.content[r->now.content[i]].layers != r->layers[i];
	}
	tally.moved += layers != p->net->layers;
}

static void
check_changes(struct question *q, const struct problem *p, const struct candidate *best)
{
	struct proposer g = proposer_new(p, NULL, q->random);
	struct replica r = replica_new(p), kept = replica_new(p);
	size_t n = (size_t)p->pieces * sizeof(int);

	replica_load(&r, best);
	check_memory(p, &r);
	for (int i = 0; i < CHANGES; i++) {
		replica_copy(&kept, &r);
		if (replica_change(&r, &g, NULL, NULL)) {
			tally.changes++;
			check_memory(p, &r);
			if (below(q, 2))
				continue;
		}
		replica_take_back(&r);
		tally.back += memcmp(r.now.content, kept.now.content, n) != 0 ||
		    memcmp(r.now.mix, kept.now.mix, n) != 0;
	}
	replica_free(&r);
	replica_free(&kept);
	proposer_free(&g);
}

static void
ask(int n)
{
	struct question q = { .random = RANDOM_ODD * (uint64_t)(n + 1), .transient = n % 5 == 3, .ends = n % 7 == 6,
		.weighs = n % 11 == 4, .own_kept = n % 11 == 4, .floors = n % 6 == 4 };
	struct starts others = { 0 };
	struct candidate best;
	struct excess excess;
	struct problem p;

	draw_question(&q);
	draw_limits(&q);
	p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ q.shape.stages, q.limit }, q.listed);
	best = candidate_new(&p);
	if (start_find(&p, clock_now() + 0.5, &best, &excess, &others)) {
		tally.feasible++;
		check_starts(&p, &best, &others);
		check_changes(&q, &p, &best);
	}
	starts_free(&others);
	candidate_free(&best);
	problem_free(&p);
}

/*
 * Return the minimum excess over the limits of any layout of one chunk, from the N-th piece on, after FIRST placed
 * layers.
 */
static double
least_excess(const struct problem *p, int n, int first, double worst)
{
	double least = INFINITY;

	if (n == p->pieces)
		return first == p->net->layers ? worst : INFINITY;
	for (int end = first + p->fewest[n]; end <= p->net->layers; end++) {
		int content = piece_content(p, n, first, end - first);

		if (content >= 0)
			least = fmin(least, least_excess(p, n + 1, end, fmax(worst, stage_excess(p, n, &content))));
	}
	return least;
}

/*
 * Greedy filling of one chunk is exact, also if layers are too large for some stages: stages have different limits,
 * bodies differ, and pieces may be empty.
 */
static void
fill(int n)
{
	struct question q = { .random = RANDOM_ODD * (uint64_t)(n + 1), .digits = n % 2, .empty = n % 3 != 0,
		.weighs = n % 5 == 4, .own_kept = n % 5 == 4, .floors = n % 4 == 3 };
	double limit = 1e6, raise, least;
	struct problem p;
	struct candidate c;
	int layers[PIECES], stage;

	draw_question(&q);
	if (q.shape.chunks > 1 || schedule_mirrored(q.shape.kind))
		return;
	for (int b = 0; b < q.net.nbodies; b++)
		q.body[b].parameter += below(&q, 3) ? 0 : 100 * below(&q, 5);
	p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ 1, &limit }, q.listed);
	for (int s = 0; s < p.stages; s++)
		p.limit[s] = amount(&q, 600);
	c = candidate_new(&p);
	raise = greedy_memory(&p, layers);
	least = least_excess(&p, 0, 0, -INFINITY);
	tally.filled += raise < INFINITY && p.net->nbodies > 1;
	tally.below += raise < least - 1e-6;
	tally.above += raise > least + 1e-6;
	tally.gaps += raise < INFINITY && (!candidate_lay_out(&p, layers, &c) || !candidate_placed(&p, &c) ||
	    overload(&p, &c, &stage) > least + 1e-6);
	candidate_free(&c);
	problem_free(&p);
}

int
main(void)
{
	for (int n = 0; n < QUESTIONS; n++)
		ask(n);
	for (int n = 0; n < FILLED; n++)
		fill(n);
	printf("# %ld questions have plans, %ld several; %ld changes\n", tally.feasible, tally.several, tally.changes);
	ok(tally.several > QUESTIONS / 20, "there are other plans to begin with");
	same(0, tally.unfit, "which fit");
	same(0, tally.unsorted, "the shortest first");
	same(0, tally.first, "which is where the search begins");
	ok(tally.changes > QUESTIONS, "which is changed");
	same(0, tally.unfit_stages, "to plans that fit");
	same(0, tally.moved, "layers are at the place of the move");
	same(0, tally.back, "an undone change restores the plan");
	ok(tally.filled > FILLED / 20, "one chunk of several bodies");
	same(0, tally.below, "greedy filling says no less than the least excess of all layouts");
	same(0, tally.above, "nor more");
	same(0, tally.gaps, "and its layout exceeds by no more");
	return tap_done();
}
