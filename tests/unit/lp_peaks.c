/*
 * The evaluator computes peaks of stages from its rows of live micro-batches. They must equal the peaks found operation
 * by operation, for all schedules, with more stages, chunks and micro-batches than in other tests.
 */
#include "lp_random.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/model/tier.h"
#include "tap.h"

#define PIPELINES draws(100, 400)
enum { DRAWS = 20, CHUNKS = 6, LAYERS = 4 };

static struct tally {
	long shapes, peaks, rows, wrong, needless;
} tally;

/* Return the largest MB of live activations; a micro-batch in chunk v has ACTIVATION[v]. */
static double
most_live(const struct schedule *s, int stage, const double *activation)
{
	double now = 0, most = 0;

	for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
		const struct op *op = &s->op[i];

		/* Activations live until W has run, if the backward is split. */
		if (op->phase == PHASE_F)
			now += activation[op->chunk];
		else if (op->phase == PHASE_B || op->phase == PHASE_W)
			now -= activation[op->chunk];
		most = fmax(most, now);
	}
	return most;
}

/*
 * Return whether another row of a stage has at least as many live micro-batches in every chunk, so this row adds
 * nothing.
 */
static bool
needless(const struct problem *p, int stage)
{
	const struct rows *rows = &p->evaluator.rows[stage];
	bool any = false;

	for (int a = 0; a < rows->n; a++)
		for (int b = 0; b < rows->n; b++) {
			bool less = a != b;

			for (int v = 0; v < p->chunks; v++)
				less &= rows->live[b * p->chunks + v] <= rows->live[a * p->chunks + v];
			any |= less;
		}
	return any;
}

static void
ask(struct question *q)
{
	struct body body = { .name = "a", .forward = 2, .parameter = 0, .has = { [RECOMPUTE_NONE] = true },
		.backward = { 4 }, .activation = { 1 } };
	struct network net = { .name = "peaks", .body = &body, .nbodies = 1 };
	struct devices devices = { .overlap = 1 };
	struct shape shape;
	struct problem p;
	struct schedule s;
	double limit = 1e6;

	do
		shape = (struct shape){ .kind = (enum schedule_kind)below(q, SCHEDULE_CUSTOM),
			.stages = 2 + below(q, 11), .chunks = 1 + below(q, CHUNKS), .micro = 1 + below(q, 40),
			.group = below(q, 4) ? 0 : 1 + below(q, 20) };
	while (schedule_problem(&shape) != NULL || schedule_mirrored(shape.kind));
	net.layers = body.layers = shape.stages * shape.chunks * LAYERS;
	p = problem_new(&net, &shape, &devices, (struct list){ 1, &limit }, false);
	s = timed_schedule_of_plans(&shape, &net, &devices);
	tally.shapes++;
	for (int n = 0; n < DRAWS; n++) {
		int stage = below(q, p.stages), content[CHUNKS], mix[CHUNKS] = { 0 };
		double activation[CHUNKS];

		for (int v = 0; v < p.chunks; v++) {
			int layers = 1 + below(q, n % 2 ? LAYERS : 20 * LAYERS);

			layers = layers < p.contents.most ? layers : p.contents.most;
			content[v] = piece_content(&p, v * p.stages + stage, 0, layers);
			activation[v] = p.contents.content[content[v]].layers;
		}
		tally.peaks++;
		tally.rows += p.evaluator.rows[stage].n;
		tally.wrong += fabs(most_live(&s, stage, activation) - stage_peak(&p, stage, content, mix)) > 1e-9;
	}
	for (int stage = 0; stage < p.stages; stage++)
		tally.needless += needless(&p, stage);
	schedule_free(&s);
	problem_free(&p);
}

int
main(void)
{
	struct question q = { .random = RANDOM_ODD };

	for (int n = 0; n < PIPELINES; n++)
		ask(&q);
	printf("# %ld peaks of %ld schedules, of %.1f rows\n", tally.peaks, tally.shapes,
	    (double)tally.rows / (double)tally.peaks);
	ok(tally.peaks >= PIPELINES, "schedules of many sorts");
	same(0, tally.wrong, "peaks are those of the operations one by one");
	same(0, tally.needless, "and no row is there in vain");
	return tap_done();
}
