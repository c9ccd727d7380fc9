/* Steps with varying times: the planner's samples equal the samples of the library's simulator, and p90 only falls. */
#include "lp_random.h"
#include "sapp-lp/planner/answer.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/planner/sampled.h"
#include "lib/base/clock.h"
#include "tap.h"

#define QUESTIONS draws(50, 150)
enum { PLANS = 2000 };

static struct tally {
	int questions, shorter, interleaved;
	int longer, twice, below, unfit;	/* first error */
} tally;

static void
ask(int n)
{
	struct question q;
	struct brute brute;
	struct problem p;
	struct answer a;
	struct sampling *s;
	struct quantiles before, again, after;
	struct plan plan;

	question_draw(&q, n, PLANS, &brute);
	if (brute.fitting == 0 || schedule_mirrored(q.shape.kind))
		return;
	for (int b = 0; b < q.net.nbodies; b++)
		q.body[b].error = below(&q, 3) ? 0.1 * below(&q, 6) : 0;
	q.net.tail.error = 0.1 * below(&q, 4);
	p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ q.shape.stages, q.limit }, q.listed);
	a = planner_solve(&p, &(struct effort){ .seconds = 100, .seed = 1 });
	s = sampling_new(&p, n % 2 ? 0 : 0.1);
	before = sampling_improve(s, &a.best, -INFINITY);
	again = sampling_improve(s, &a.best, -INFINITY);
	after = sampled_choose(&p, s, &a, INFINITY);
	tally.questions++;
	tally.interleaved += q.shape.chunks > 1;
	tally.twice += again.p50 != before.p50 || again.p90 != before.p90;
	tally.longer += after.p90 > before.p90;
	tally.shorter += after.p90 < before.p90 * 0.999;
	tally.below += a.step_time < brute.step * (1 - 1e-9) || a.lower_bound > a.step_time;
	tally.unfit += !candidate_fits(&p, &a.best);
	plan = answer_plan(&p, &a, "sampled");
	/* Exits if the simulator disagrees. */
	sampled_say(&plan, &p, s, after);
	fields_free(&plan_fields, &plan);
	sampling_free(s);
	answer_free(&a);
	problem_free(&p);
}

int
main(void)
{
	for (int n = 0; n < QUESTIONS; n++)
		ask(n);
	printf("# %d questions, %d interleaved; of %d another plan has a shorter p90\n", tally.questions,
	    tally.interleaved, tally.shorter);
	ok(tally.questions > QUESTIONS / 3 && tally.interleaved > QUESTIONS / 20, "questions of both sorts");
	ok(tally.shorter > 0, "a better plan than that of mean times is chosen");
	same(0, tally.longer, "p90 never grows");
	same(0, tally.twice, "the same samples every time");
	same(0, tally.below, "the step of mean times is none that there is not, its bound not above it");
	same(0, tally.unfit, "plans fit");
	return tap_done();
}
