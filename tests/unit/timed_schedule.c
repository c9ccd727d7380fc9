/*
 * Orders that depend on times. They must be complete and never longer than fixed orders, and keep activations of no
 * more pieces. Slower transfers must not make them shorter.
 */
#include <limits.h>

#include "lib/order/timed_schedule.h"
#include "lib/order/shop_list.h"
#include "pipeline.h"

static struct outcome
outcome_of(const struct schedule *s, const struct load *l, double *peaks)
{
	struct outcome out = { .step = -2 };
	struct simulation sim = { 0 };

	if (simulation_run(&sim, s, l))
		out.step = sim.step_time;
	for (int i = 0; i < s->stages && peaks != NULL; i++)
		peaks[i] = sim.peak.at[i];
	simulation_free(&sim);
	return out;
}

/* Check that every stage has the same operations, in any order. */
static bool
same_operations(const struct schedule *a, const struct schedule *b)
{
	char *mark = calloc(schedule_slots(a), 1);
	bool same = schedule_ops(a) == schedule_ops(b);

	for (int stage = 0; stage < a->stages && same; stage++) {
		same &= a->first[stage + 1] == b->first[stage + 1];
		for (size_t i = a->first[stage]; i < a->first[stage + 1]; i++)
			mark[schedule_slot(a, stage, a->op[i])]++;
		for (size_t i = b->first[stage]; i < b->first[stage + 1] && same; i++)
			same &= mark[schedule_slot(b, stage, b->op[i])]-- == 1;
	}
	free(mark);
	return same;
}

static const enum schedule_kind timed[] = {
	SCHEDULE_ZB_H1, SCHEDULE_ZB_H2, SCHEDULE_ZBV, SCHEDULE_V_HALF, SCHEDULE_V_MIN
};
enum { TIMED = sizeof timed / sizeof timed[0] };

static void
never_longer(void)
{
	struct cases complete = { 0 }, longer = { 0 }, more = { 0 }, shorter = { 0 };

	srand(7);
	for (int n = 0; n < draws(20, 75); n++) {
		enum schedule_kind kind = timed[n % TIMED];
		struct shape q = shape(kind, 1 + random_below(6), schedule_chunks(kind), 1 + random_below(12));
		struct load l = random_load(q.chunks, q.stages);
		struct schedule fixed, s;
		struct room room;
		double before[6], after[6], fixed_step, step;
		int pieces = 0;

		l.comm = random_below(20);
		fixed = schedule_new(&q);
		s = timed_schedule(&q, &l);
		fixed_step = outcome_of(&fixed, &l, NULL).step;
		step = outcome_of(&s, &l, after).step;
		case_is(&complete, same_operations(&fixed, &s), &q, 0);
		case_is(&longer, step > 0 && step <= fixed_step, &q, step - fixed_step);
		for (int i = 0; i < q.chunks * q.stages; i++)
			l.kept.at[i] = l.activation.at[i];
		outcome_of(&fixed, &l, before);
		room = room_of(&fixed, &l);
		for (int i = 0; i < q.stages; i++)
			pieces = room.live[i] > pieces ? room.live[i] : pieces;
		pieces += kind == SCHEDULE_ZB_H2;
		for (int i = 0; i < q.stages; i++) {
			double rest = list_get(l.fixed, i), most = rest + (before[i] - rest) * pieces / room.live[i];

			case_is(&more, after[i] <= most + 1e-6, &q, after[i] - most);
		}
		room_free(&room);
		if (step < fixed_step)
			case_is(&shorter, true, &q, step);
		schedule_free(&fixed);
		schedule_free(&s);
		load_free(&l);
	}
	cases_done(&complete, "the operations of the fixed order");
	cases_done(&longer, "never longer than the fixed order");
	cases_done(&more, "no stage holds more pieces than that with the most in the fixed order");
	ok(shorter.n > draws(20, 75) / 3, "and shorter in more than a third of random cases");
}

/*
 * Set the transfers of a load to the N-th in a sequence. For N = 0, transfers take no time. For each further N they are
 * slower than before, on all boundaries or on some.
 */
static void
slower(struct load *l, int n)
{
	static const double comm[] = { 0, 1e-6, 0.3, 1, 1, 4 };
	double edge[6];

	for (int s = 0; s < l->stages; s++)
		edge[s] = comm[n] * (n == 4 && s % 2 ? 3 : 1);
	load_delay_set(l, (struct list){ l->stages > 1 ? l->stages : 1, edge });
}

/* Slower transfers never make a step shorter, also with time outside the pipeline, and if they keep stages busy. */
static void
monotone(void)
{
	struct cases c = { 0 };

	srand(13);
	for (int n = 0; n < draws(6, 45); n++) {
		enum schedule_kind kind = timed[n % TIMED];
		struct shape q = shape(kind, 1 + random_below(6), schedule_chunks(kind), 1 + random_below(14));
		struct load l = random_load(q.chunks, q.stages);
		double before = 0;

		if (n % 3 == 1) {
			l.overhead = list_new(q.stages);
			for (int i = 0; i < q.stages; i++)
				l.overhead.at[i] = random_below(30);
		}
		l.transfers = n % 3 == 0 ? TRANSFERS_HIDDEN : (enum transfer_mode)(1 + n % TRANSFERS_ONE_BY_ONE);
		for (int k = 0; k < 6; k++) {
			struct simulation sim = { 0 };
			struct schedule s;
			double step;

			slower(&l, k);
			s = timed_schedule_even(&q, &l);
			step = simulation_run(&sim, &s, &l) ? simulation_whole(&sim) : -1;
			case_is(&c, step >= before * (1 - 1e-9), &q, before - step);
			before = step;
			simulation_free(&sim);
			schedule_free(&s);
		}
		load_free(&l);
	}
	cases_done(&c, "slower transfers never make a step shorter");
}

static double
timed_step(enum schedule_kind kind, int p, double comm)
{
	struct shape q = shape(kind, p, schedule_chunks(kind), p);
	struct load l = even_load(q.chunks, p, 1, 1, 1);
	struct schedule s;
	double step;

	l.comm = comm;
	s = timed_schedule(&q, &l);
	step = outcome_of(&s, &l, NULL).step;
	schedule_free(&s);
	load_free(&l);
	return step;
}

/* Test few micro-batches, as many as stages, with F = B = W = 1 ms. */
static void
few_micro_batches(void)
{
	struct cases h2 = { 0 }, v = { 0 };

	for (int p = 2; p <= draws(7, 12); p++) {
		struct shape q = shape(SCHEDULE_ZB_H2, p, 1, p);
		double step = timed_step(SCHEDULE_ZB_H2, p, 0);

		case_is(&h2, step == 4 * p - 1, &q, step);
		q = shape(SCHEDULE_ZBV, p, 2, p);
		step = timed_step(SCHEDULE_ZBV, p, 0);
		case_is(&v, step <= 7 * p - 1, &q, step);
	}
	cases_done(&h2, "zb-h2, M = P: the fill alone, 3 M + P - 1");
	cases_done(&v, "zbv, M = P: 7 P - 1");
}

static struct listing
random_listing(void)
{
	struct listing how = { .lane = random_below(SHOP_LANES), .filled = random_below(4), .turns = random_below(2),
	    .waiting = random_below(2) ? INT_MAX : random_below(4) };

	for (int i = 0; i < LIST_PHASES; i++)
		how.rank[i] = (uint8_t)random_below(RANKS);
	for (int p = 0; p < PHASES; p++)
		how.fit[p] = random_below(5) / 4.;
	return how;
}

/* By any rule an order with all operations runs within the memory of a schedule, in nearly all cases. */
static void
list_rules(void)
{
	struct cases c = { 0 };
	int none = 0;

	srand(11);
	for (int n = 0; n < draws(80, 400); n++) {
		struct shape q = shape((enum schedule_kind)random_below(SCHEDULE_CUSTOM), 1 + random_below(6),
		    1 + random_below(3), 1 + random_below(9));
		struct listing how = random_listing();
		struct shop_lister *lister;
		struct shop j;
		struct load l;
		struct room room;
		struct schedule s, other;

		if (schedule_problem(&q) != NULL || schedule_mirrored(q.kind))
			continue;
		s = schedule_new(&q);
		l = random_load(q.chunks, q.stages);
		room = room_of(&s, &l);
		j = shop_new(&s, &l, &room);
		lister = shop_lister_new(&j);
		other = shop_order(&j, &s);
		if (shop_list(lister, &how, &other))
			case_is(&c, (same_operations(&s, &other) || schedule_ops(&s) < schedule_ops(&other)) &&
			    shop_fits(&j, &other) &&
			    outcome_of(&other, &l, NULL).step > 0, &q, how.lane);
		else
			none++;
		shop_lister_free(lister);
		schedule_free(&other);
		shop_free(&j);
		room_free(&room);
		schedule_free(&s);
		load_free(&l);
	}
	cases_done(&c, "list schedules are complete, run and fit");
	if (!ok(none < c.n / 8, "and nearly always there is one"))
		printf("# %d of %d are none\n", none, none + c.n);
}

int
main(void)
{
	never_longer();
	monotone();
	few_micro_batches();
	list_rules();
	return tap_done();
}
