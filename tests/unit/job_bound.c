/*
 * Compare the planner's orders of tiny pipelines with the best order and the bound. All orders are tried in which every
 * operation begins as early as possible, and the micro-batches of a chunk run in sequence.
 */
#include "lib/order/shop.h"
#include "lib/order/shop_bound.h"
#include "lib/order/shop_orders.h"
#include "pipeline.h"

enum { STAGES = 3, QUEUES_MOST = 4, MICRO = 4 };

struct trial {
	const struct shop *job;
	double clock[STAGES], memory[STAGES], left[STAGES];
	double end[STAGES][QUEUES_MOST][MICRO];
	int next[STAGES][QUEUES_MOST + 2];	/* next micro-batch of each queue, then of W of each chunk */
	int todo;
	double best;
	long tried;
};

/*
 * Return the time at which stage S can begin the next operation of queue K, or the next W if K is not a queue. Return
 * INFINITY if its input is not computed yet, or if none is left.
 */
static double
start_of(const struct trial *t, int s, int k)
{
	const struct shop *j = t->job;
	int m = t->next[s][k];
	struct feed feed;

	if (m == j->micro)
		return INFINITY;
	if (k >= j->queues)
		return m < t->next[s][2 * (k - j->queues) + 1] ? t->clock[s] : INFINITY;
	feed = queue_feed(j, s, k);
	if (feed.stage < 0)
		return t->clock[s];
	if (t->next[feed.stage][feed.queue] <= m)
		return INFINITY;
	return fmax(t->clock[s], t->end[feed.stage][feed.queue][m] + shop_delay(j, RUNGS, feed.stage, s));
}

/*
 * Try every operation that can start at NOW or later as the next one. Operations are added in order of their start, and
 * at equal starts in order of stages.
 */
static void
attempt(struct trial *t, double now, int stage)
{
	const struct shop *j = t->job;
	double step = 0;

	t->tried++;
	for (int s = 0; s < j->stages; s++) {
		double idle_until = fmax(t->clock[s], now);

		step = fmax(step, t->left[s] > 0 ? idle_until + t->left[s] : t->clock[s]);
	}
	if (step >= t->best - 1e-9)
		return;
	if (t->todo == 0) {
		t->best = step;
		return;
	}
	for (int s = 0; s < j->stages; s++)
		for (int k = 0; k < j->queues + j->chunks && !j->whole; k++) {
			double start = start_of(t, s, k), clock = t->clock[s], memory = t->memory[s], time, change;
			int piece = s * j->chunks + (k < j->queues ? k / 2 : k - j->queues);
			bool back = k < j->queues && k % 2 == 1, weight = k >= j->queues;

			if (start == INFINITY || start < now || (start == now && s < stage))
				continue;
			time = j->time[piece * PHASES + (weight ? PHASE_W : back ? PHASE_I : PHASE_F)];
			change = weight ? -j->kept[piece] : j->activation[piece] * (back ? -1 : 1) +
			    (back ? j->kept[piece] : 0);
			if (memory + change > j->limit[s])
				continue;
			if (k < j->queues)
				t->end[s][k][t->next[s][k]] = start + time;
			t->next[s][k]++;
			t->todo--;
			t->clock[s] = start + time;
			t->memory[s] += change;
			t->left[s] -= time;
			attempt(t, start, s);
			t->left[s] += time;
			t->memory[s] = memory;
			t->clock[s] = clock;
			t->todo++;
			t->next[s][k]--;
		}
}

/* Return the step of the best order, ms, or KNOWN if no order is shorter. */
static double
best_order(const struct schedule *s, const struct load *l, const struct room *room, double known)
{
	struct shop j = shop_new(s, l, room);
	struct trial t = { .job = &j, .todo = (int)schedule_ops(s), .best = known };

	for (int i = 0; i < j.stages; i++)
		for (int v = 0; v < j.chunks; v++)
			for (int p = 0; p < PHASES; p++)
				if (p != PHASE_B)
					t.left[i] += j.micro * j.time[(i * j.chunks + v) * PHASES + p];
	attempt(&t, 0, 0);
	shop_free(&j);
	return t.best;
}

static const struct tiny {
	enum schedule_kind kind;
	int stages, micro, cases;
	int optimal;		/* minimum share of the cases */
	double worst;		/* maximum step / best step */
} tiny[] = {
	{ SCHEDULE_ZB_H1, 2, 3, 12, 12, 1 },
	{ SCHEDULE_ZB_H1, 2, 4, 12, 12, 1 },
	{ SCHEDULE_ZB_H1, 3, 3, 12, 12, 1 },
	{ SCHEDULE_ZB_H1, 3, 4, 6, 6, 1 },
	{ SCHEDULE_ZB_H2, 2, 4, 12, 12, 1 },
	{ SCHEDULE_ZB_H2, 3, 3, 12, 12, 1 },
	{ SCHEDULE_ZB_H2, 3, 4, 6, 6, 1 },
	{ SCHEDULE_ZBV, 2, 2, 12, 12, 1 },
	{ SCHEDULE_ZBV, 2, 3, 6, 6, 1 },
	{ SCHEDULE_V_HALF, 2, 2, 12, 12, 1 },
	{ SCHEDULE_V_HALF, 2, 3, 6, 5, 1.023 },
	{ SCHEDULE_V_MIN, 2, 3, 6, 6, 1 },
	{ SCHEDULE_V_MIN, 3, 2, 6, 6, 1 },
};

static struct load
tiny_load(const struct shape *q, bool even)
{
	struct load l = random_load(q->chunks, q->stages);

	l.comm = random_below(3);
	for (int i = 0; i < q->chunks * q->stages; i++) {
		int from = even ? 0 : i;

		if (even || i == 0) {
			l.forward.at[i] = i == 0 ? 2 + random_below(9) : l.forward.at[0];
			l.weight.at[i] = i == 0 ? 1 + random_below(9) : l.weight.at[0];
			l.backward.at[i] = i == 0 ? l.weight.at[0] + 2 + random_below(9) : l.backward.at[0];
		}
		l.activation.at[i] = 1;
		l.kept.at[i] = from % 2 ? 1 : 0.5;
	}
	return l;
}

int
main(void)
{
	struct cases bound = { 0 }, never = { 0 };
	int exact = 0, all = 0;
	double over = 0;

	srand(3);
	for (size_t i = 0; i < sizeof tiny / sizeof tiny[0]; i++) {
		const struct tiny *t = &tiny[i];
		struct shape q = shape(t->kind, t->stages, schedule_chunks(t->kind), t->micro);
		int optimal = 0;
		double worst = 1, sum = 0;
		char name[120];

		for (int n = 0; n < t->cases; n++) {
			struct load l = tiny_load(&q, n % 2 == 0);
			struct schedule s = schedule_new(&q);
			struct room room = room_of(&s, &l);
			double least, step, best;

			for (int k = 0; k < q.stages; k++)
				room.memory.at[k] += n % 3 * 0.5;
			free(room.live);
			room.live = NULL;
			shop_orders(&s, &l, &room, 20000. * (double)schedule_ops(&s), INFINITY);
			step = simulation_step(&s, &l);
			least = shop_bound(&s, &l, &room);
			best = best_order(&s, &l, &room, step);
			case_is(&bound, least > 0 && least <= best, &q, least - best);
			case_is(&never, best <= step * (1 + 1e-12), &q, step - best);
			optimal += step <= best * (1 + 1e-9);
			worst = fmax(worst, step / best);
			sum += step / best;
			exact += best <= least * (1 + 1e-6);
			over += best / least;
			all++;
			room_free(&room);
			schedule_free(&s);
			load_free(&l);
		}
		snprintf(name, sizeof name, "%s, P %d, M %d: %d of %d as short as any order, %.2f %% longer in the "
		    "mean, %.2f %% at most", schedule_names[t->kind], t->stages, t->micro, optimal, t->cases,
		    100 * (sum / t->cases - 1), 100 * (worst - 1));
		ok(optimal >= t->optimal && worst <= t->worst + 1e-4, name);
	}
	cases_done(&bound, "the bound is never above the best of all orders");
	cases_done(&never, "no order made is shorter than the best of all");
	printf("# the best is as short as the bound in %d of %d, and %.1f %% longer in the mean\n", exact, all,
	    100 * (over / all - 1));
	ok(exact >= all / 4, "and as short as it in a fourth of the cases");
	return tap_done();
}
