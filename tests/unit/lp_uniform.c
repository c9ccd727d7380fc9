/*
 * Bounds of uniform plans from the work of the stages, compared with all layouts of small questions. With one chunk the
 * bound equals the minimum over all layouts; with several it is below every step, and near the best step.
 */
#include "lib/schedule/scheme.h"
#include "lp_random.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/bound/load_bound.h"
#include "sapp-lp/model/tuning.h"
#include "tap.h"

enum { QUESTIONS = 600, LAYOUTS = 3000 };
static const double NEAR = 0.728;	/* mean of the bounds of several chunks / least step */

static struct tally {
	long single, several, limited, none;
	long other, above, beyond;	/* first error */
	/* sums of bound / least step: of questions with one chunk, with several chunks */
	double part[2];
} tally;

struct least {
	int layouts;		/* more than LAYOUTS are too many */
	double step;		/* ms, minimum over all layouts */
	double fitting;		/* ms, minimum over fitting layouts */
	double work, fitting_work;	/* ms, minimum of the stages' work alone, with one chunk */
};

/*
 * Return the maximum over stages, ms: the work of all micro-batches on the stage, plus the first forward (and backward)
 * of the stages before.
 */
static double
work_of(const struct problem *p, const struct candidate *c, bool split)
{
	double before = 0, most = 0;

	for (int s = 0; s < p->stages; s++) {
		struct times t = piece_times(p, s, &p->contents.content[c->content[s]],
		    problem_mix(p, c->content[s], c->mix[s]));
		double work = p->pace[s] * (t.forward + t.backward);

		if (p->contents.content[c->content[s]].layers == 0)
			continue;
		most = fmax(most, before + p->micro * work);
		before += split ? p->pace[s] * t.forward : work;
	}
	return most;
}

static void
look(const struct problem *p, int n, int left, int *layers, struct candidate *c, struct least *out)
{
	int i = p->piece[n < p->pieces ? n : 0];

	if (out->layouts > LAYOUTS || (n == p->pieces && left > 0))
		return;
	if (n == p->pieces) {
		double step, work;
		bool split = schedule_scheme(p->shape.kind)->split;

		out->layouts++;
		if (!candidate_lay_out(p, layers, c))
			return;
		step = candidate_step_time(p, c);
		work = p->chunks == 1 ? work_of(p, c, split) : 0;
		out->step = fmin(out->step, step);
		out->work = fmin(out->work, work);
		if (!candidate_fits(p, c))
			return;
		out->fitting = fmin(out->fitting, step);
		out->fitting_work = fmin(out->fitting_work, work);
		return;
	}
	for (layers[i] = p->fewest[i]; layers[i] <= left; layers[i]++) {
		int here = layers[i];

		look(p, n + 1, left - here, layers, c, out);
		layers[i] = here;
	}
}

static void
ask(int n)
{
	struct question q = { .random = RANDOM_ODD * (uint64_t)(n + 1), .digits = n % 2, .own = n % 4 == 3,
		.empty = n % 5 == 4, .ends = n % 7 == 6 };
	struct least least = { .step = INFINITY, .fitting = INFINITY, .work = INFINITY, .fitting_work = INFINITY };
	struct problem p;
	struct candidate c;
	double limit = 1e6, bound;
	int layers[PIECES];

	draw_question(&q);
	if (schedule_mirrored(q.shape.kind) || q.shape.splits > 0 || q.net.layers > q.pieces + SPARE)
		return;
	for (int b = 0; b < q.net.nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			q.body[b].has[k] = k == RECOMPUTE_NONE || (k == RECOMPUTE_FULL && q.body[b].side == 0);
	q.net.first_only = true;
	q.net.first_layers = below(&q, 4);
	q.net.first_bodies = below(&q, 3) == 0 ? below(&q, q.net.nbodies) : q.net.nbodies;
	p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ 1, &limit }, true);
	draw_limits(&q);
	for (int s = 0; s < p.stages; s++)
		p.limit[s] = q.limit[s];
	c = candidate_new(&p);
	look(&p, 0, p.net->layers, layers, &c, &least);
	if (least.layouts <= LAYOUTS && least.step < INFINITY) {
		bound = load_bound(&p, false, INFINITY);
		tally.above += bound > least.step;
		tally.none += bound == 0;
		if (p.chunks == 1 && bound > 0) {
			double fitting = load_bound(&p, true, INFINITY);

			tally.single++;
			tally.limited += least.fitting_work > least.work;
			tally.other += fabs(bound - least.work) > 1e-9 * least.work;
			/* Memory is checked for a single stage, since its layout is known. */
			tally.other += fitting < INFINITY ? fabs(fitting - least.fitting_work) > 1e-9 * fitting :
			    least.fitting_work < INFINITY;
			tally.beyond += fitting > least.fitting;
			tally.part[0] += bound / least.step;
		} else if (bound > 0) {
			tally.several++;
			tally.part[1] += bound / least.step;
		}
	}
	candidate_free(&c);
	problem_free(&p);
}

enum { CHEAP = 4 };		/* bodies of two cheap layers each */

/*
 * By hand: two chunks on each of two stages, four micro-batches; three layers of 12 ms and eight of 11, 4 of them
 * forward. Six cheap layers on the first stage take 66 ms, and all others 58 ms on the second stage, after 11 ms: no
 * other choice takes less than 4 x 66. If two layers of each stage are recomputed, 0.5 ms each, it is 4 x 67.
 */
static void
several_by_hand(void)
{
	struct body body[1 + CHEAP] = { { .name = "dear", .layers = 3, .forward = 4, .backward = { 8 } } };
	struct network net = { .name = "n", .body = body, .nbodies = 1 + CHEAP, .layers = 3 + 2 * CHEAP };
	struct shape shape = { .kind = SCHEDULE_VPP, .stages = 2, .chunks = 2, .micro = 4 };
	struct devices devices = { 0 };
	double limit = 1e6;
	struct problem p;

	for (int b = 0; b <= CHEAP; b++) {
		if (b > 0)
			body[b] = (struct body){ .name = "cheap", .layers = 2, .forward = 4, .backward = { 7 } };
		body[b].backward[RECOMPUTE_FULL] = body[b].backward[RECOMPUTE_NONE] + 0.5;
		body[b].has[RECOMPUTE_NONE] = body[b].has[RECOMPUTE_FULL] = true;
		body[b].activation[RECOMPUTE_NONE] = 1;
	}
	p = problem_new(&net, &shape, &devices, (struct list){ 1, &limit }, true);
	near(264, load_bound(&p, false, INFINITY), 1e-6, "six cheap layers on the first stage, others on the second");
	net.first_only = true;
	net.first_layers = 1;
	net.first_bodies = net.nbodies;
	near(268, load_bound(&p, false, INFINITY), 1e-6, "and half a ms for each layer that is recomputed");
	net.first_only = false;
	net.layers = body[0].layers = 1;
	net.nbodies = 1;
	same(0, load_bound(&p, false, INFINITY), "no bound for fewer layers than the minimum of each stage");
	problem_free(&p);
}

/* One chunk: the maximum number of layer counts to try, plus one. */
static void
too_many(void)
{
	struct body body = { .name = "b", .layers = 6, .forward = 1, .backward = { 2 }, .has = { true } };
	struct network net = { .name = "n", .body = &body, .nbodies = 1, .layers = 6 };
	struct shape shape = { .kind = SCHEDULE_1F1B, .stages = 2, .chunks = 1, .micro = 4 };
	struct devices devices = { 0 };
	double limit = 1e6, most = tuning.load_work;
	struct problem p = problem_new(&net, &shape, &devices, (struct list){ 1, &limit }, false);

	tuning.load_work = 2.0 * 6 * p.contents.most;
	near(9 + 4 * 9, load_bound(&p, false, INFINITY), 1e-6, "three layers on each of two stages");
	tuning.load_work--;
	same(0, load_bound(&p, false, INFINITY), "no bound for more layers than are tried");
	tuning.load_work = most;
	problem_free(&p);
}

int
main(void)
{
	several_by_hand();
	too_many();
	for (int n = 0; n < QUESTIONS; n++)
		ask(n);
	printf("# %ld of one chunk, for %ld of which limits matter: %.4f of the least step; %ld of several: %.4f; %ld "
	    "without a bound\n", tally.single, tally.limited, tally.part[0] / (double)tally.single, tally.several,
	    tally.part[1] / (double)tally.several, tally.none);
	ok(tally.single > QUESTIONS / 10 && tally.several > QUESTIONS / 20 && tally.limited > QUESTIONS / 50,
	    "questions of one chunk and of several, and some for which limits matter");
	same(0, tally.above, "no bound is above the least step of all layouts,");
	same(0, tally.beyond, "nor of those that fit");
	same(0, tally.other, "of one chunk it is the least work of any");
	ok(tally.part[1] > NEAR * (double)tally.several, "of several it comes as near as it did");
	return tap_done();
}
