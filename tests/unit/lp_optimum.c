/*
 * The planner's answers to some hundred small questions must equal those of an exhaustive search. QUESTIONS in the
 * environment sets the number of questions, as make brute does.
 */
#include "lp_random.h"
#include "sapp-lp/planner/answer.h"
#include "sapp-lp/model/tuning.h"
#include "sapp-lp/planner/planner.h"
#include "sapp-lp/question/verify.h"
#include "lib/base/clock.h"
#include "tap.h"

#ifdef __SANITIZE_ADDRESS__
enum { PLANS = 2000 };
#else
enum { PLANS = 10000 };
#endif
enum { MOST_LOOKS = 100, NUMBERS = 220, SPREAD = 57 };

static struct tally {
	int questions, feasible, infeasible, several, interleaved, split, mirrored, grouped, wide, named, weighed, own,
	    held, offloading, unlike, empty, joined, unproved, alone, missed;
	/* first error */
	int proof, placed, optimal, bound, soon, verdict, least, wrong_excess, refused, verified;
} tally;

static void
fail(int *count, int n, const struct question *q, const char *what, double want, double got)
{
	++*count;
	printf("# question %d (%s, %d stages x %d, %d micro-batches, %d layers in %d bodies): %s: %.12g, planner "
	    "%.12g\n", n,
	    schedule_names[q->shape.kind], q->shape.stages, q->shape.chunks, q->shape.micro, q->net.layers,
	    q->net.nbodies, what, want, got);
}

/* Compare the planner's own figures of the plan with other computations. */
static void
check_plan(int n, const struct question *q, const struct problem *p, const struct answer *a)
{
	struct schedule s = timed_schedule_of_plans(&q->shape, &q->net, &q->devices);
	struct choice choice[PIECES] = { { .count = { 0 } } };
	const struct choice *chosen[PIECES];
	struct plan plan = answer_plan(p, a, "test");
	char *wrong = verify_plan(p, &plan, (struct list){ q->shape.stages, (double *)q->limit });
	struct outcome o;

	if (wrong != NULL) {
		printf("# %s\n", wrong);
		fail(&tally.verified, n, q, "verification", 0, 1);
	}
	free(wrong);
	fields_free(&plan_fields, &plan);
	for (int i = 0; i < q->pieces; i++) {
		const struct mix *m = problem_mix(p, a->best.content[i], a->best.mix[i]);

		for (int k = 0; k < q->net.nbodies * RECOMPUTE_KINDS; k++)
			choice[i].count[k] = m->count[k];
		chosen[p->plan_piece[i]] = &choice[i];
	}
	o = run_choices(q, &s, chosen);
	if (a->status != PLAN_INFEASIBLE && fabs(o.step - a->step_time) > 1e-9 * o.step)
		fail(&tally.placed, n, q, "step of the plan", o.step, a->step_time);
	for (int i = 0; i < q->shape.stages; i++)
		if (o.peak[i] > q->limit[i] + 1e-6 + (a->status == PLAN_INFEASIBLE ? a->excess.mb : 0))
			fail(&tally.placed, n, q, "peak", q->limit[i], o.peak[i]);
	schedule_free(&s);
}

/*
 * Stop the planner early: its bound must hold, and its plan must fit. If kinds of recomputation differ in the memory
 * kept for W, the omitted mixes (THINNED) may be the only ones that fit; then the planner must not claim a proof that
 * no plan fits.
 */
static void
check_soon(int n, const struct question *q, const struct brute *brute, struct problem *p, double seconds, bool thinned)
{
	struct answer a = planner_solve(p, &(struct effort){ .seconds = seconds, .seed = 1 });

	if (thinned && p->on->keeps_kinds && a.status == PLAN_INFEASIBLE && a.excess.at_least <= MEMORY_SLACK)
		tally.missed += brute->fitting > 0;
	else if ((a.status == PLAN_INFEASIBLE) != (brute->fitting == 0))
		fail(&tally.verdict, n, q, "plans that fit", (double)brute->fitting,
		    a.status == PLAN_INFEASIBLE ? 0 : 1);
	else if (a.status != PLAN_INFEASIBLE) {
		if (a.lower_bound > brute->step || a.step_time < brute->step * (1 - 1e-12))
			fail(&tally.soon, n, q, "bound when stopped", brute->step, a.lower_bound);
		check_plan(n, q, p, &a);
	}
	answer_free(&a);
}

/* Stop the planner at various reads of the clock: unfinished results must not be used. */
static void
check_looks(int n, const struct question *q, const struct brute *brute, struct problem *p)
{
	clock_count_looks(1);
	for (int looks = 1 + n % 3; looks < MOST_LOOKS; looks *= 3)
		check_soon(n, q, brute, p, looks, false);
	clock_count_looks(0);
}

/* Run the proof without a search that finds the optimum, which would hide plans that the proof omits. */
static void
check_proof(int n, const struct question *q, const struct brute *brute, struct problem *p)
{
	struct answer a;

	if (brute->fitting == 0)
		return;
	a = planner_solve(p, &(struct effort){ .seconds = 100, .proof_only = true });
	tally.alone++;
	if (a.status != PLAN_OPTIMAL || fabs(a.step_time - brute->step) > 1e-9 * brute->step)
		fail(&tally.proof, n, q, "optimum of the proof alone", brute->step, a.step_time);
	if (a.lower_bound > brute->step)
		fail(&tally.proof, n, q, "bound of the proof alone", brute->step, a.lower_bound);
	answer_free(&a);
}

/*
 * With enough time the answer must equal that of an exhaustive search. LISTED: contents are few enough to list them
 * first.
 */
static void
check_answer(int n, const struct question *q, const struct brute *brute, struct problem *p, bool listed)
{
	struct answer a = planner_solve(p, &(struct effort){ .seconds = 100, .seed = (uint64_t)n });

	if ((a.status == PLAN_INFEASIBLE) != (brute->fitting == 0))
		fail(&tally.verdict, n, q, "plans that fit", (double)brute->fitting,
		    a.status == PLAN_INFEASIBLE ? 0 : 1);
	else if (a.status == PLAN_INFEASIBLE) {
		tally.infeasible++;
		if (a.excess.at_least > brute->excess + 1e-6 || a.excess.mb < brute->excess - 1e-6)
			fail(&tally.wrong_excess, n, q, "least excess", brute->excess, a.excess.mb);
		if (a.excess.at_least < a.excess.mb - 1e-6)
			tally.unproved += listed || q->shape.chunks == 1;
		else if (fabs(a.excess.mb - brute->excess) > 1e-6)
			fail(&tally.least, n, q, "least excess", brute->excess, a.excess.mb);
		check_plan(n, q, p, &a);
	} else {
		tally.feasible++;
		tally.several += q->net.nbodies > 1;
		tally.interleaved += q->shape.chunks > 1;
		tally.split += !goes_round(q);
		tally.mirrored += schedule_mirrored(q->shape.kind);
		if (a.status != PLAN_OPTIMAL || fabs(a.step_time - brute->step) > 1e-9 * brute->step)
			fail(&tally.optimal, n, q, "optimum", brute->step, a.step_time);
		if (a.lower_bound > brute->step || a.lower_bound < brute->step * (1 - 1e-8))
			fail(&tally.bound, n, q, "bound", brute->step, a.lower_bound);
		check_plan(n, q, p, &a);
	}
	answer_free(&a);
}

/* With limits raised by the reported amount a plan must fit. */
static void
check_raised(int n, const struct question *q, const struct brute *brute)
{
	double raised[PIECES], by = 0;
	struct list limit = { q->shape.stages, raised };
	struct problem p;
	struct answer a;

	if (brute->fitting > 0 || brute->excess == INFINITY)
		return;
	for (int again = 0; again < 2; again++) {
		for (int s = 0; s < q->shape.stages; s++)
			raised[s] = q->limit[s] + by;
		p = problem_new(&q->net, &q->shape, &q->devices, limit, q->listed);
		p.list_limits.contents = n % 2 ? 0 : p.list_limits.contents;
		a = planner_solve(&p, &(struct effort){ .seconds = 100, .gap = INFINITY, .seed = 1 });
		if (again > 0 && a.status == PLAN_INFEASIBLE)
			fail(&tally.refused, n, q, "raised by what is said to be enough", 0, a.excess.mb);
		by = a.excess.mb;
		answer_free(&a);
		problem_free(&p);
	}
}

static void
ask(int n)
{
	struct question q;
	struct brute brute;
	struct list limit;
	struct problem p;

	question_draw(&q, n, PLANS, &brute);
	if (brute.plans == 0)
		return;
	tally.questions++;
	tally.wide += q.wide;
	tally.weighed += q.weighs && brute.fitting > 0;
	tally.offloading += q.link > 0 && brute.fitting > 0;
	tally.empty += q.empty && brute.fitting > 0;
	tally.named += q.named && brute.fitting > 0;
	tally.grouped += q.shape.group > 0;
	limit = (struct list){ q.shape.stages, q.limit };
	p = problem_new(&q.net, &q.shape, &q.devices, limit, q.listed);
	tally.own += p.on->weighs_kinds && brute.fitting > 0;
	tally.held += p.on->keeps_kinds && brute.fitting > 0;
	tally.unlike += p.tiers > 1 && brute.fitting > 0;
	tally.joined += p.together < 1 && brute.fitting > 0;
	/* Without any time the first results must also be correct. */
	check_soon(n, &q, &brute, &p, n % 3 ? 0 : 0.002, false);
	if (n % 4 == 1)
		check_looks(n, &q, &brute, &p);
	check_answer(n, &q, &brute, &p, true);
	check_proof(n, &q, &brute, &p);
	/* Treat contents and settings as too many: they are not listed, and settings are priced one by one. */
	p.list_limits.contents = p.list_limits.combinations = 0;
	if (n % 4 < 2)
		check_answer(n, &q, &brute, &p, false);
	else
		check_proof(n, &q, &brute, &p);
	problem_free(&p);
	check_raised(n, &q, &brute);
	if (n % 3)
		return;
	/* Limit mixes so that most are omitted. */
	p = problem_new(&q.net, &q.shape, &q.devices, limit, q.listed);
	p.list_limits.contents = n % 2 ? 0 : p.list_limits.contents;
	p.list_limits.mixes = n % 2 ? 0 : p.list_limits.mixes;
	tuning.front_mixes = 2 + n % 4;
	check_soon(n, &q, &brute, &p, 0.02, true);
	tuning.front_mixes = 1000;
	problem_free(&p);
}

int
main(void)
{
	const char *many = getenv("QUESTIONS");
	int questions = many != NULL ? atoi(many) : draws(100, NUMBERS);

	/*
	 * Numbers spread so that a hundred questions include all kinds, and those that detect the mistakes of
	 * tests/mutants/named.
	 */
	for (int n = 0; n < questions; n++)
		ask(many != NULL ? n : n * SPREAD % NUMBERS);
	printf("# %d questions, %d of all sorts, %d with groups, %d where operations run together\n",
	    tally.questions, tally.wide, tally.grouped, tally.joined);
	printf("# %d feasible: %d of several bodies, %d interleaved, %d split, %d mirrored; %d infeasible, %d of them "
	    "with an unproved excess\n",
	    tally.feasible, tally.several, tally.interleaved, tally.split, tally.mirrored, tally.infeasible,
	    tally.unproved);
	ok(tally.feasible > 2 * questions / 3 && tally.infeasible > questions / 5, "questions of both sorts");
	ok(tally.several > questions / 15 && tally.interleaved > questions / 15 && tally.split > questions / 15 &&
	    tally.mirrored > questions / 60,
	    "of several bodies, interleaved, with schedules that split backwards or mirror stages");
	ok(tally.named > questions / 10, "with kinds of recomputation of other names");
	ok(tally.weighed > questions / 20, "with weights' parts of backwards of their own");
	ok(tally.own > questions / 100, "and those of each kind of recomputation");
	ok(tally.held > questions / 100, "and the memory that each kind keeps for them");
	ok(tally.offloading > questions / 20 && tally.unlike > questions / 60,
	    "that offload activations, also from devices unlike one another");
	ok(tally.empty > questions / 8, "with pieces that may be empty");
	ok(tally.joined > questions / 60, "with operations that run together in less than their sum");
	same(0, tally.verdict, "plans that fit, and plans that do not");
	same(0, tally.optimal, "the best plan of all, and known to be");
	same(0, tally.bound, "no bound above it");
	ok(tally.alone > questions / 2, "branch and bound alone");
	same(0, tally.proof, "which finds the best plan, too, and no bound above it");
	same(0, tally.soon, "stopped at once, or mixes left out: bound below it, step above it");
	same(0, tally.placed, "steps and peaks of the plans by another evaluation");
	same(0, tally.verified, "verified by the planner's own check");
	same(0, tally.wrong_excess, "nothing fits: the least excess is between the proved and the working raise");
	same(0, tally.least, "and if both agree it is the least of all plans");
	same(0, tally.refused, "limits reported as sufficient are sufficient");
	ok(tally.unproved * 4 <= tally.infeasible, "as they mostly do");
	ok(tally.missed * 100 <= tally.questions, "plans are seldom missed because mixes are left out");
	return tap_done();
}
