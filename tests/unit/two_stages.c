/*
 * Two stages with several chunks. Compare the test of tools/lib/cost/two_stages.c, whether any plan can be shorter than
 * a time, with all layouts of small models. Each layout is computed by separate sums, and simulated.
 */
#include "lib/cost/two_stages.h"
#include "pipeline.h"

enum { QUESTIONS = 400, CHUNKS = 3, LAYERS = 9 };

struct question {
	struct reach r;
	struct configuration c;
	double layer[LAYERS];	/* s, in model order */
	int layers;
	int piece[2 * CHUNKS];	/* number of layers of each kind, in model order */
	double least;		/* s, minimum over the layouts so far */
	double step;		/* s, minimum of the simulated layouts */
};

/* Return the largest bound of the two inequalities over all chunks. */
static double
bound(const struct question *q, double *piece)
{
	double work[2] = { 0 }, longest = 0, difference = 0, transfer = q->r.transfer;
	int m = q->c.micro_batches;

	for (int n = 0, at = 0; n < 2 * q->c.vp; n++) {
		piece[n] = n == 0 ? q->r.head_work : n == 2 * q->c.vp - 1 ? q->r.tail_work : 0;
		for (int i = 0; i < q->piece[n]; i++)
			piece[n] += q->layer[at++];
		work[n % 2] += piece[n];
	}
	for (int k = 0; k < q->c.vp; k++) {
		longest = fmax(longest, m * work[0] - difference + 4 * k * transfer);
		longest = fmax(longest, m * work[1] + difference + piece[2 * k] + (4 * k + 2) * transfer);
		difference += piece[2 * k] - piece[2 * k + 1];
	}
	return longest;
}

/* Return the simulated step with a third of PIECE[2 * chunks] seconds in forwards. */
static double
simulated(const struct question *q, const double *piece)
{
	bool less = q->c.schedule == ORDER_INTERLEAVED_LESS;
	struct load l = even_load(q->c.vp, 2, 0, 0, 0);
	double step;

	for (int n = 0; n < 2 * q->c.vp; n++) {
		l.forward.at[n] = piece[n] / 3;
		l.backward.at[n] = l.plain.at[n] = piece[n] - piece[n] / 3;
	}
	l.comm = q->r.transfer;
	step = run(shape(less ? SCHEDULE_VPP_LESS : SCHEDULE_VPP, 2, q->c.vp, q->c.micro_batches), &l, NULL).step;
	load_free(&l);
	return step;
}

static void
lay_out(struct question *q, int n, int left)
{
	int behind = 2 * q->c.vp - 1 - n, needed = behind - q->r.ends_alone;

	if (behind == 0) {
		double piece[2 * CHUNKS];

		q->piece[n] = left;
		q->least = fmin(q->least, bound(q, piece));
		q->step = fmin(q->step, simulated(q, piece));
		return;
	}
	for (q->piece[n] = n > 0 || !q->r.ends_alone; q->piece[n] + needed <= left; q->piece[n]++)
		lay_out(q, n + 1, left - q->piece[n]);
}

static struct question
draw(void)
{
	struct question q = { .least = INFINITY, .step = INFINITY };
	int vp = 2 + random_below(CHUNKS - 1), spare = LAYERS - 2 * vp;

	q.layers = 2 * vp + random_below(spare + 1);
	q.c = (struct configuration){ .pp = 2, .vp = vp, .micro_batches = 2 + 2 * random_below(4),
		.schedule = random_below(2) ? ORDER_INTERLEAVED : ORDER_INTERLEAVED_LESS };
	q.r = (struct reach){ .first = random_below(2), .parted = true, .ends_alone = random_below(2),
		.head_work = random_below(3) * 0.7, .tail_work = random_below(3) * 1.3,
		.transfer = random_below(3) * 0.21 };
	q.r.layer[q.r.first] = (struct reach_layer){ .count = random_below(q.layers),
		.work = 1 + random_below(4) * 0.9 };
	q.r.layer[!q.r.first] = (struct reach_layer){ .count = q.layers - q.r.layer[q.r.first].count,
		.work = 1 + random_below(4) * 1.1 };
	for (int i = 0; i < q.layers; i++)
		q.layer[i] = q.r.layer[i < q.r.layer[q.r.first].count ? q.r.first : !q.r.first].work;
	return q;
}

int
main(void)
{
	long out_of_reach = 0, in_reach = 0, others = 0, shorter = 0;

	for (int n = 0; n < QUESTIONS; n++) {
		struct question q = draw();

		lay_out(&q, 0, q.layers);
		out_of_reach += two_stages_below(&q.r, &q.c, q.least * (1 - 1e-6));
		in_reach += !two_stages_below(&q.r, &q.c, q.least * (1 + 1e-6));
		shorter += !two_stages_below(&q.r, &q.c, q.step * (1 + 1e-9));
		q.c.pp = 4;
		others += !two_stages_below(&q.r, &q.c, q.least / 2);
	}
	same(0, out_of_reach, "no time that all layouts are longer than is within reach");
	same(0, in_reach, "every time is one that some layout reaches");
	same(0, shorter, "no simulated step is reported as impossible");
	same(0, others, "nothing is reported for other stages");
	return tap_done();
}
