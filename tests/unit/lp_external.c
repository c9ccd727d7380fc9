/*
 * Answers of other solvers to small random questions, through the model written for them, must equal those of an
 * exhaustive search. QUESTIONS in the environment sets the number of questions.
 */
#include "lp_random.h"
#include "lib/base/clock.h"
#include "sapp-lp/external/external.h"
#include "sapp-lp/planner/planner.h"
#include "tap.h"

enum { NUMBERS = 120, SPREAD = 23, PLANS = 2000, ROUNDS = 200 };
enum { WAITING = 116 };		/* number of a question in which all pieces recompute alike and wait for the link */

static struct tally {
	int asked, offloading, named, weighed, transient, several;
	/* number of questions in which all pieces recompute alike; number of these that a plan fits */
	int uniform, fitting;
	int optimum, bound, alike;	/* first error */
} tally;

static void
ask(int n, struct solver *solver)
{
	struct question q;
	struct brute brute;
	struct problem p;
	struct external *e;
	struct relaxed none = { 0 };
	double best, bound;
	int round = 0;

	question_draw(&q, n, PLANS, &brute);
	if (brute.plans == 0 || brute.fitting == 0)
		return;
	p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ q.shape.stages, q.limit }, q.listed);
	e = external_new(&p, solver, &none, NULL);
	while (round++ < ROUNDS && external_run(e, clock_now() + 30))
		;
	best = external_best(e, NULL);
	bound = external_bound(e);
	if (fabs(best - brute.step) > 1e-9 * brute.step) {
		printf("# question %d (%s, %d stages x %d%s): optimum %.12g, %s %.12g\n", n,
		    schedule_names[q.shape.kind], q.shape.stages, q.shape.chunks, q.listed ? ", listed" : "",
		    brute.step, solver_name(solver), best);
		tally.optimum++;
	}
	if (bound > brute.step * (1 + 1e-9) || bound < brute.step * (1 - 1e-5)) {
		printf("# question %d: optimum %.12g, bound %.12g\n", n, brute.step, bound);
		tally.bound++;
	}
	tally.asked++;
	tally.offloading += q.net.link > 0;
	tally.named += q.named && q.listed;
	tally.weighed += p.on->weighs_kinds;
	tally.transient += p.transient;
	tally.several += q.net.nbodies > 1;
	external_free(e);
	problem_free(&p);
}

/* Return the best step that a solver finds for a problem, ms. */
static double
solve(const struct problem *p, struct solver *solver)
{
	struct relaxed none = { 0 };
	struct external *e = external_new(p, solver, &none, NULL);
	double best;

	for (int round = 0; round < ROUNDS && external_run(e, clock_now() + 30); round++)
		;
	best = external_best(e, NULL);
	external_free(e);
	return best;
}

/* Plan with only the first layers of all pieces fully recomputed; compare with the planner's answer. */
static void
ask_uniform(int n, struct solver *solver)
{
	struct question q;
	struct brute brute;
	struct problem p;
	struct answer a;
	double best;

	question_draw(&q, n, PLANS, &brute);
	if (brute.plans == 0)
		return;
	for (int b = 0; b < q.net.nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS && q.body[b].side == 0; k++)
			q.body[b].has[k] = k == RECOMPUTE_NONE || k == RECOMPUTE_FULL;
	q.net.nesting = NULL;
	q.net.first_only = true;
	q.net.first_layers = 1 + below(&q, 3);
	q.net.first_bodies = 1 + below(&q, q.net.nbodies);
	q.net.weighs_kinds = q.net.keeps_kinds = false;
	for (int b = 0; b < q.net.nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			q.body[b].weight_more[k] = q.body[b].kept_more[k] = 0;
	p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ q.shape.stages, q.limit }, true);
	a = planner_solve(&p, &(struct effort){ .seconds = 100, .seed = 1 });
	best = solve(&p, solver);
	tally.uniform++;
	tally.fitting += a.step_time < INFINITY;
	if (a.step_time < INFINITY ? fabs(best - a.step_time) > 1e-9 * a.step_time : best < INFINITY) {
		printf("# question %d, uniform: optimum %.12g, %s %.12g\n", n, a.step_time, solver_name(solver), best);
		tally.alike++;
	}
	answer_free(&a);
	problem_free(&p);
}

int
main(void)
{
	const char *many = getenv("QUESTIONS");
	int questions = many != NULL ? atoi(many) : draws(25, NUMBERS);
	int numbers = questions > NUMBERS ? questions : NUMBERS;
	struct solver *solver[2];

	if (system("command -v cbc glpsol >/dev/null") != 0) {
		puts("1..0 # SKIP cbc and glpsol are not installed");
		return 0;
	}
	solver[0] = solver_open("cbc");
	solver[1] = solver_open("glpsol");
	/* Spread the numbers of the questions over their range, so that even a few questions include all kinds. */
	for (int n = 0; n < questions; n++)
		ask(n * SPREAD % numbers, solver[n / 2 % 2]);
	for (int n = 0; n < questions / 2; n++)
		ask_uniform(n * SPREAD % numbers, solver[n / 2 % 2]);
	ask_uniform(WAITING, solver[0]);
	printf("# %d questions: %d of several bodies, %d with transient memory, %d that offload, %d named, "
	    "%d weighed\n",
	    tally.asked, tally.several, tally.transient, tally.offloading, tally.named, tally.weighed);
	ok(tally.asked > questions / 2 && tally.several > questions / 6 && tally.transient > questions / 12,
	    "questions of one body and of several, with transient memory");
	ok(tally.offloading > questions / 20 && tally.named > questions / 20 && tally.weighed > 0,
	    "with kinds that offload, lists of kinds of other names, weights of their own");
	same(0, tally.optimum, "the best plan of all");
	same(0, tally.bound, "and its bound");
	ok(tally.uniform > questions / 3 && tally.fitting > questions / 6, "questions of pieces recomputed alike");
	same(0, tally.alike, "the planner's best plan of them");
	solver_close(solver[0]);
	solver_close(solver[1]);
	return tap_done();
}
