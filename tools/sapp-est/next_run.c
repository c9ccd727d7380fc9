/*
 * Next run: choose the run that decides most. A rival is undecided if d, the difference of the steps' logarithms, is
 * smaller than the uncertainty of d. The degree is max(0, 1 - |d| / sqrt(sum of D_i^2 e_i^2)). D_i e_i is the change of
 * one step, but not of the other, if coefficient i changes by its standard deviation. Layers of equal shapes have
 * common errors. So do groups of replicas with equal members and nodes. The chosen run measures one coefficient. Per
 * device second, it reduces the sum over all rivals most.
 */
#include "next_run.h"

#include <math.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/estimate/interval.h"
#include "lib/record/record.h"

enum { LAYERS, REPLICAS, TOLD };
/* Short runs: number of layers per kind, of micro-batches, and of steps, of which three precede two profiled steps. */
enum { SHORT_LAYERS = 2, SHORT_MICRO = 4, STEPS = 5 };
static const double start = 60;		/* s from the start of a run to its first step */
static const double told_replicas = 0.05, other_members = 1.3, per_doubling = 0.1;

/* Return whether one run would determine the figure WHAT of both A and B. */
static bool
alike(const struct contender *a, const struct contender *b, int what)
{
	return what == LAYERS ? memcmp(&a->layers, &b->layers, sizeof a->layers) == 0 :
	    a->members == b->members && a->nodes == b->nodes;
}

void
next_run_add(struct next_run *r, const struct configuration *c, const struct appraisal *a, const struct cluster *l,
    const struct architecture *n)
{
	struct swings s = interval_swings(a);
	const double *part = a->part, step = a->brief.step_time;
	struct contender *k;
	double time = 0;

	if (r->n > NEXT_RIVALS)
		return;
	k = &r->at[r->n++];
	*k = (struct contender){ .of = *c, .layers = a->costs->of, .step = step, .swing = { s.layers, s.replicas } };
	k->of.name = k->of.origin = k->of.reject = k->of.why = NULL;
	k->of.stage_layers = (struct grid){ 0 };
	k->share[LAYERS] = (step - part[STEP_PP] - part[STEP_DP] - part[STEP_OPTIMIZER]) / step;
	k->share[REPLICAS] = part[STEP_DP] / step;
	k->members = (double)c->dp * c->cp;
	k->nodes = fmax(1, ceil(k->members * c->tp / l->devices_per_node));
	for (int t = 0; t < n->classes.n; t++)
		time += SHORT_LAYERS * (a->costs->layer[t].forward + a->costs->layer[t].backward);
	time += a->costs->embedding.forward + a->costs->embedding.backward + a->costs->head.forward +
	    a->costs->head.backward;
	k->short_time = SHORT_MICRO * time + part[STEP_OPTIMIZER];
	r->repeat = a->repeat;
}

/* Return the error of the figure WHAT of K after the run for the figure TOLD of AS; AS NULL: the current error. */
static double
swing_after(const struct next_run *r, const struct contender *k, int what, const struct contender *as, int told)
{
	double then = r->repeat;

	if (as == NULL || what != told || !alike(k, as, what))
		return k->swing[what];
	if (what == REPLICAS)
		then = told_replicas * (k->nodes > 2 ? other_members * (1 + per_doubling * log2(k->nodes / 2)) : 1);
	return fmin(k->swing[what], k->share[what] * then);
}

/*
 * Return the sum over all rivals of the degree to which they are undecided, after the run for the figure TOLD of AS; AS
 * NULL: the current sum.
 */
static double
undecided(const struct next_run *r, const struct contender *as, int told)
{
	double sum = 0;

	for (int j = 1; j < r->n; j++) {
		double variance = 0;

		for (int what = 0; what < TOLD; what++) {
			double a = swing_after(r, &r->at[0], what, as, told);
			double b = swing_after(r, &r->at[j], what, as, told);

			variance += alike(&r->at[0], &r->at[j], what) ? (a - b) * (a - b) : a * a + b * b;
		}
		if (variance > 0)
			sum += fmax(0, 1 - fabs(log(r->at[j].step / r->at[0].step)) / sqrt(variance));
	}
	return sum;
}

/*
 * Return the run that measures the figure WHAT of K, on one stage. For LAYERS it has the minimum number of replicas for
 * the experts of K. For REPLICAS it has the replicas of K, but at most two nodes.
 */
static struct configuration
run_of(const struct contender *k, int what, const struct cluster *l)
{
	struct configuration c = k->of;
	int inner = c.tp * c.cp;

	c.dp = c.ep * c.etp > inner ? (c.ep * c.etp + inner - 1) / inner : 1;
	if (what == REPLICAS) {
		int most = 2 * l->devices_per_node / inner;

		c.dp = k->of.dp < most ? k->of.dp : most > c.dp ? most : c.dp;
	}
	c.pp = c.vp = 1;
	c.schedule = ORDER_NONE;
	c.shard = c.zero > 0 ? c.dp * c.cp : 1;
	c.micro_batches = SHORT_MICRO;
	return c;
}

static double
cost_of(const struct contender *k, const struct configuration *c)
{
	return (STEPS * k->short_time + start) * c->dp * c->cp * c->tp;
}

static void
write_run(FILE *out, const struct next_run *r, const struct contender *k, int what, const struct cluster *l,
    double before, double after)
{
	struct configuration c = run_of(k, what, l);
	struct training_run run = { .of = c };
	static const size_t degrees[] = { offsetof(struct training_run, of.name), offsetof(struct training_run, of.dp),
		offsetof(struct training_run, of.tp), offsetof(struct training_run, of.cp),
		offsetof(struct training_run, of.pp), offsetof(struct training_run, of.ep),
		offsetof(struct training_run, of.etp), offsetof(struct training_run, of.zero),
		offsetof(struct training_run, of.mbs), offsetof(struct training_run, of.sp),
		offsetof(struct training_run, of.micro_batches) };
	char *tells = what == LAYERS ? xasprintf("layers of tp %d, cp %d, ep %d and mbs %d", c.tp, c.cp, c.ep, c.mbs) :
	    xasprintf("collectives of %.0f replicas on %.0f nodes", k->members, k->nodes);
	char *settles = xasprintf("of %d configurations after the best, %.1f are undecided, %.1f after this run",
	    r->n - 1, before, after);

	run.of.name = configuration_name(&c);
	for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; i++)
		field_give(&training_run_fields, &run, degrees[i]);
	GIVE(training_run, &run, layers, SHORT_LAYERS);
	GIVE(training_run, &run, purpose, what == LAYERS ? RUN_ANCHOR : RUN_TRAFFIC);
	GIVE(training_run, &run, devices, c.dp * c.cp * c.tp);
	GIVE(training_run, &run, cost, round(cost_of(k, &c)));
	texts_add(&run.tells, tells);
	texts_add(&run.tells, settles);
	field_give(&training_run_fields, &run, offsetof(struct training_run, tells));
	record_put(out, RECORD_RUN, &run);
	fields_free(&training_run_fields, &run);
	free(tells);
	free(settles);
}

bool
next_run_write(FILE *out, const struct next_run *r, const struct cluster *l)
{
	double before = undecided(r, NULL, 0), most = 0, after = 0;
	const struct contender *best = NULL;
	int told = 0;

	for (int j = 0; j < r->n; j++)
		for (int what = 0; what < TOLD; what++) {
			struct configuration c = run_of(&r->at[j], what, l);
			double then = undecided(r, &r->at[j], what), gain = (before - then) / cost_of(&r->at[j], &c);

			if (gain > most) {
				most = gain;
				after = then;
				best = &r->at[j];
				told = what;
			}
		}
	if (best != NULL)
		write_run(out, r, best, told, l, before, after);
	return best != NULL;
}
