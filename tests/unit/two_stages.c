/*
 * Two stages of chunks: whether any plan can be shorter than a time, against all layouts of small models, each with the
 * sums of tools/lib/cost/two_stages.c added up anew.
 */
#include "lib/base/random.h"
#include "lib/cost/two_stages.h"
#include "tap.h"

enum { QUESTIONS = 400, CHUNKS = 3, LAYERS = 9 };

struct question {
	struct reach r;
	struct configuration c;
	double layer[LAYERS];	/* s, in the model's order */
	int layers;
	int piece[2 * CHUNKS];	/* layers of each, in the model's order */
	double least;		/* s, of all layouts so far */
};

/* The greatest of what the two inequalities say for any chunk. */
static double
bound(const struct question *q)
{
	double work[2] = { 0 }, piece[2 * CHUNKS], longest = 0, difference = 0, transfer = q->r.transfer;
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

static void
lay_out(struct question *q, int n, int left)
{
	int behind = 2 * q->c.vp - 1 - n;

	if (behind == 0) {
		q->piece[n] = left;
		q->least = fmin(q->least, bound(q));
		return;
	}
	for (q->piece[n] = 1; q->piece[n] + behind <= left; q->piece[n]++)
		lay_out(q, n + 1, left - q->piece[n]);
}

static struct question
draw(uint64_t *random)
{
	struct question q = { .least = INFINITY };
	int vp = 2 + random_below(random, CHUNKS - 1), spare = LAYERS - 2 * vp;

	q.layers = 2 * vp + random_below(random, spare + 1);
	q.c = (struct configuration){ .pp = 2, .vp = vp, .micro_batches = 2 + 2 * random_below(random, 4),
		.schedule = random_below(random, 2) ? ORDER_INTERLEAVED : ORDER_INTERLEAVED_LESS };
	q.r = (struct reach){ .first = random_below(random, 2), .parted = true,
		.head_work = random_below(random, 3) * 0.7, .tail_work = random_below(random, 3) * 1.3,
		.transfer = random_below(random, 3) * 0.21 };
	q.r.layer[q.r.first] = (struct reach_layer){ .count = random_below(random, q.layers),
		.work = 1 + random_below(random, 4) * 0.9 };
	q.r.layer[!q.r.first] = (struct reach_layer){ .count = q.layers - q.r.layer[q.r.first].count,
		.work = 1 + random_below(random, 4) * 1.1 };
	for (int i = 0; i < q.layers; i++)
		q.layer[i] = q.r.layer[i < q.r.layer[q.r.first].count ? q.r.first : !q.r.first].work;
	return q;
}

int
main(void)
{
	uint64_t random = RANDOM_ODD;
	long out_of_reach = 0, in_reach = 0, others = 0;

	for (int n = 0; n < QUESTIONS; n++) {
		struct question q = draw(&random);

		lay_out(&q, 0, q.layers);
		out_of_reach += two_stages_below(&q.r, &q.c, q.least * (1 - 1e-6));
		in_reach += !two_stages_below(&q.r, &q.c, q.least * (1 + 1e-6));
		q.c.pp = 4;
		others += !two_stages_below(&q.r, &q.c, q.least / 2);
	}
	same(0, out_of_reach, "no time that all layouts are longer than is within reach");
	same(0, in_reach, "every time is that one of them keeps to");
	same(0, others, "of other stages nothing is said");
	return tap_done();
}
