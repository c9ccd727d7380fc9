/* The check of a plan before it is printed: it accepts the planner's plan, and refuses any changed plan. */
#include <string.h>

#include "lib/base/alloc.h"
#include "sapp-lp/planner/answer.h"
#include "sapp-lp/planner/planner.h"
#include "sapp-lp/question/verify.h"
#include "tap.h"

enum { STAGES = 2, CHUNKS = 2, PIECES = STAGES * CHUNKS };

static struct body body[] = {
	{ .name = "dense", .layers = 4, .forward = 3, .parameter = 50,
	    .has = { [RECOMPUTE_NONE] = true, [RECOMPUTE_FULL] = true },
	    .backward = { [RECOMPUTE_NONE] = 6, [RECOMPUTE_FULL] = 9 },
	    .activation = { [RECOMPUTE_NONE] = 20, [RECOMPUTE_FULL] = 2 } },
	{ .name = "moe", .layers = 5, .forward = 4, .parameter = 70,
	    .has = { [RECOMPUTE_NONE] = true, [RECOMPUTE_SELECT] = true },
	    .backward = { [RECOMPUTE_NONE] = 8, [RECOMPUTE_SELECT] = 9 },
	    .activation = { [RECOMPUTE_NONE] = 30, [RECOMPUTE_SELECT] = 15 } },
};
static const struct devices alike;	/* must outlive the problem */
static struct network net = { .name = "m", .nbodies = 2, .body = body, .layers = 9 };

/* A question and its answer, to be changed. */
struct question {
	double limit[STAGES];
	struct problem problem;
	struct plan plan;
};

static struct question
answered(double limit)
{
	struct shape shape = { .kind = SCHEDULE_VPP, .stages = STAGES, .chunks = CHUNKS, .micro = 4 };
	struct question q = { .limit = { limit, limit } };
	struct answer a;

	q.problem = problem_new(&net, &shape, &alike, (struct list){ STAGES, q.limit }, true);
	a = planner_solve(&q.problem, &(struct effort){ .seconds = 60, .seed = 1 });
	q.plan = answer_plan(&q.problem, &a, "plan");
	answer_free(&a);
	return q;
}

static void
question_free(struct question *q)
{
	fields_free(&plan_fields, &q->plan);
	problem_free(&q->problem);
}

/* Check that the message contains WHY; NULL: no message. */
static void
says(struct question *q, const char *why, const char *name)
{
	char *wrong = verify_plan(&q->problem, &q->plan, (struct list){ STAGES, q->limit });
	bool good = why == NULL ? wrong == NULL : wrong != NULL && strstr(wrong, why) != NULL;

	if (!ok(good, name))
		printf("# expected %s\n# got      %s\n", why != NULL ? why : "nothing", wrong != NULL ? wrong :
		    "nothing");
	free(wrong);
}

static struct body_counts *
counts(struct question *q, int b)
{
	return (struct body_counts *)q->plan.counts.at + b;
}

/* Add LAYERS (1 or -1) layers of body B with KIND to a piece of the plan. */
static void
add(struct question *q, int b, enum recompute kind, int piece, int layers)
{
	counts(q, b)->kind[kind].at[piece] += layers;
}

/* Return a piece with layers of body B and this kind. */
static int
piece_with(struct question *q, int b, enum recompute kind)
{
	for (int i = 0; i < PIECES; i++)
		if (counts(q, b)->kind[kind].at[i] > 0)
			return i;
	return -1;
}

static void
layers(void)
{
	struct question q = answered(1000);
	int first = piece_with(&q, 0, RECOMPUTE_NONE), other = piece_with(&q, 1, RECOMPUTE_NONE);
	int was[PIECES];

	says(&q, NULL, "what the planner found");
	add(&q, 0, RECOMPUTE_NONE, first, 1);
	says(&q, "5 layers of 'dense' are placed, not 4", "a layer too many");
	add(&q, 0, RECOMPUTE_NONE, first, -2);
	says(&q, "3 layers of 'dense' are placed, not 4", "a layer too few");
	add(&q, 0, RECOMPUTE_NONE, first, 1);
	says(&q, NULL, "put back");
	/* Piece 0 is the first in the order of the data, PIECES - 1 the last. */
	add(&q, 0, RECOMPUTE_NONE, first, -1);
	add(&q, 0, RECOMPUTE_NONE, PIECES - 1, 1);
	add(&q, 1, RECOMPUTE_NONE, other, -1);
	add(&q, 1, RECOMPUTE_NONE, first, 1);
	says(&q, "after a later kind of layer", "layers out of order");
	add(&q, 0, RECOMPUTE_NONE, first, 1);
	add(&q, 0, RECOMPUTE_NONE, PIECES - 1, -1);
	add(&q, 1, RECOMPUTE_NONE, other, 1);
	add(&q, 1, RECOMPUTE_NONE, first, -1);
	memcpy(was, counts(&q, 1)->kind[RECOMPUTE_NONE].at, sizeof was);
	add(&q, 1, RECOMPUTE_NONE, PIECES - 2, was[PIECES - 1]);
	add(&q, 1, RECOMPUTE_NONE, PIECES - 1, -was[PIECES - 1]);
	says(&q, "is empty", "an empty piece");
	question_free(&q);
}

static void
figures(void)
{
	struct question q = answered(1000);
	double step = q.plan.step_time, bound = q.plan.lower_bound;

	q.plan.step_time = step - 1;
	says(&q, "its step takes", "a step that is shorter than the simulated one");
	q.plan.step_time = step + 1;
	says(&q, "its step takes", "a step that is longer");
	q.plan.step_time = step;
	q.plan.lower_bound = step + 1;
	says(&q, "its bound", "a bound above the step");
	q.plan.lower_bound = bound;
	q.limit[1] = 100;
	says(&q, "stage 1 peaks at", "more memory than there is");
	question_free(&q);
}

static void
lists(void)
{
	struct question q = answered(450);
	int full = piece_with(&q, 0, RECOMPUTE_FULL), select = piece_with(&q, 1, RECOMPUTE_SELECT);

	says(&q, NULL, "a plan with recomputation");
	ok(full >= 0 || select >= 0, "which it has");
	q.plan.offset.at[0]++;
	q.plan.offset.at[1]--;
	says(&q, "by its offset", "layers of other pieces in its lists");
	q.plan.offset.at[0]--;
	q.plan.offset.at[1]++;
	for (int i = 0; i < PIECES; i++)
		q.plan.select_recompute.at[i] = q.plan.recompute.at[i] = 0;
	says(&q, "its lists do not express that", "other recomputation in its lists");
	question_free(&q);
}

static void
infeasible(void)
{
	struct question q = answered(100);

	ok(q.plan.status == PLAN_INFEASIBLE && q.plan.excess > 1, "if nothing fits");
	says(&q, NULL, "the plan that comes nearest");
	q.plan.excess -= 1;
	says(&q, "peaks at", "limits that would have to be raised further");
	question_free(&q);
}

int
main(void)
{
	layers();
	figures();
	lists();
	infeasible();
	return tap_done();
}
