/* Orders: they are complete, can run, and hold the activations given in their papers. */
#include "lib/schedule/schedule.h"
#include "pipeline.h"

static int
min(int a, int b)
{
	return a < b ? a : b;
}

/* Return whether every forward and backward of a stage runs once, and every W after its I. */
static bool
stage_complete(const struct schedule *s, int stage, char *mark)
{
	size_t seen = 0;
	bool good = true;

	for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
		struct op op = s->op[i];
		size_t slot = schedule_slot(s, stage, op);

		good &= mark[slot] == 0 && (int)op.micro < s->micro && op.chunk < s->chunks;
		mark[slot] = op.phase == PHASE_I ? 2 : 1;
		seen += op.phase != PHASE_W;
		if (op.phase == PHASE_W) {
			op.phase = PHASE_I;
			slot = schedule_slot(s, stage, op);
			good &= mark[slot] == 2;
			mark[slot] = 3;
		}
	}
	return good && seen == 2 * (size_t)s->chunks * (size_t)s->micro;
}

static bool
complete(const struct shape *q)
{
	struct schedule s = schedule_new(q);
	size_t slots = schedule_slots(&s);
	char *mark = calloc(slots, 1);
	bool good = true;

	for (int stage = 0; stage < s.stages; stage++)
		good &= stage_complete(&s, stage, mark);
	good &= memchr(mark, 2, slots) == NULL;		/* an I without its W */
	free(mark);
	schedule_free(&s);
	return good;
}

static double
step_of(const struct shape *q)
{
	struct load l = even_load(schedule_mirrored(q->kind) ? 2 : q->chunks, q->stages, 1, 1, 1);
	double step = run(*q, &l, NULL).step;

	load_free(&l);
	return step;
}

static void
all_complete(void)
{
	struct cases c = { 0 }, runs = { 0 };

	for (int kind = 0; kind < SCHEDULE_CUSTOM; kind++)
		for (int p = 1; p <= 8; p++)
			for (int v = 1; v <= 4; v++)
				for (int m = 1; m <= 4 * p + 1; m++) {
					struct shape q = shape((enum schedule_kind)kind, p, v, m);

					if (schedule_problem(&q) != NULL)
						continue;
					case_is(&c, complete(&q), &q, 0);
					case_is(&runs, step_of(&q) > 0, &q, step_of(&q));
				}
	cases_done(&c, "every operation once, weights' gradients behind their backward");
	cases_done(&runs, "every order can run");
}

static void
splits_and_groups(void)
{
	struct cases c = { 0 }, runs = { 0 };

	for (int n = 0; n < 4 * 6 * 3 * 19 * 4 * 14; n++) {
		int k = n, p;
		struct shape q = shape((enum schedule_kind)(k % 4), 1, 1, 1);

		k /= 4;
		q.stages = p = 1 + k % 6;
		k /= 6;
		q.chunks = 1 + k % 3;
		k /= 3;
		q.micro = 1 + k % 19;
		k /= 19;
		q.splits = 1 + k % 4;
		k /= 4;
		q.group = k;
		if (q.micro > 3 * p + 1 || q.group > 2 * p + 1 || schedule_problem(&q) != NULL)
			continue;
		case_is(&c, complete(&q), &q, 0);
		case_is(&runs, step_of(&q) > 0, &q, step_of(&q));
	}
	cases_done(&c, "sequence splits and groups: every operation once");
	cases_done(&runs, "sequence splits and groups: every order can run");
}

static void
sequence_parts(void)
{
	struct cases c = { 0 };

	for (int p = 1; p <= 8; p++)
		for (int m = 1; m <= 3 * p; m++)
			for (int splits = 1; splits <= 4; splits++) {
				struct shape q = shape(SCHEDULE_1F1B, p, 1, m);
				struct load l = even_load(1, p, 1, 2, 0);
				double peak[8];

				q.splits = splits;
				run(q, &l, peak);
				for (int s = 0; s < p; s++)
					case_is(
					    &c, peak[s] == min(p - 1 - s + splits, m * splits), &q, peak[s]);
				load_free(&l);
			}
	cases_done(&c, "sequence 1f1b holds min(P - 1 - s + q, M q) parts");
}

/*
 * Return the maximum number of live forwards, counted in chunks, on stage S of an alternating schedule. A remainder of
 * micro-batches joins the first group unless it can be the last group.
 */
static int
live(const struct shape *q, int s)
{
	int p = q->stages, v = q->chunks, m = q->micro;
	int g = q->group > 0 ? q->group : p, group = m < g ? m : q->group > 0 && m % g >= p ? g : g + m % g;

	switch (q->kind) {
	case SCHEDULE_GPIPE:
		return m * v;
	case SCHEDULE_1F1B:
		return min(p - s, m);
	case SCHEDULE_VPP:
		return min((v - 1) * group + 2 * (p - 1 - s) + 1, m * v);
	default:
		return min((v - 1) * group + p - s, m * v);
	}
}

static void
live_one(struct cases *c, const struct shape *q)
{
	struct load l = even_load(q->chunks, q->stages, 1, 2, 0);
	double peak[16];

	if (run(*q, &l, peak).step > 0)
		for (int s = 0; s < q->stages; s++)
			case_is(c, peak[s] == live(q, s), q, peak[s]);
	load_free(&l);
}

enum { MICROS = 4 };

/* Return the I-th number of micro-batches for which the counts of P stages are checked. */
static int
micro_of(int p, int i)
{
	return (int[MICROS]){ p, 2 * p, 4 * p, 4 * p + 3 }[i];
}

static void
live_counts(void)
{
	for (int kind = 0; kind <= SCHEDULE_VPP_LESS; kind++) {
		struct cases c = { 0 };
		char name[64];

		for (int p = 2; p <= 16; p++)
			for (int v = 1; v <= 4; v++)
				for (int i = 0; i < 3 * (MICROS + 1); i++) {
					int micro = i / 3 < MICROS ? micro_of(p, i / 3) : p / 2;
					struct shape q = shape((enum schedule_kind)kind, p, v, micro);

					q.group = i % 3 * p;
					live_one(&c, &q);
				}
		snprintf(name, sizeof name, "live forwards of %s", schedule_names[kind]);
		cases_done(&c, name);
	}
}

/*
 * Zero bubble: zb-h1 needs the memory (P - s) mB + s mW on stage s, zb-h2 needs (2P - 2s - 1) mB + 2s mW. zb-h2 begins
 * with more forwards, so it needs more micro-batches.
 */
static void
zero_bubble(void)
{
	struct cases h1 = { 0 }, h2 = { 0 };
	double peak[16];

	for (int p = 2; p <= 16; p++)
		for (int i = 0; i < MICROS; i++) {
			struct load l = even_load(1, p, 1, 1, 1);
			struct shape q = shape(SCHEDULE_ZB_H1, p, 1, micro_of(p, i));

			for (int s = 0; s < p; s++)
				l.kept.at[s] = 0.25;
			run(q, &l, peak);
			for (int s = 0; s < p; s++)
				case_is(&h1, peak[s] == p - s + 0.25 * s, &q, peak[s]);
			q.kind = SCHEDULE_ZB_H2;
			run(q, &l, peak);
			for (int s = 0; s < p && q.micro >= 2 * p; s++)
				case_is(&h2, peak[s] == 2 * p - 2 * s - 1 + 0.25 * 2 * s, &q, peak[s]);
			load_free(&l);
		}
	cases_done(&h1, "memory of zb-h1");
	cases_done(&h2, "memory of zb-h2");
}

/*
 * Interleaved zero bubble: every stage keeps the activations of min((V - 1) g + P, V M) chunks, with g micro-batches
 * per round.
 */
static void
interleaved_zero_bubble(void)
{
	struct cases c = { 0 };

	for (int p = 2; p <= 8; p++)
		for (int v = 1; v <= 4; v++)
			for (int m = 1; m <= 4 * p; m++) {
				struct shape q = shape(SCHEDULE_ZB_VPP, p, v, m);
				struct load l = even_load(v, p, 1, 1, 1);
				int g = m < p ? m : m / (m / p);
				struct outcome out = run(q, &l, NULL);

				if (out.step > 0)
					case_is(&c, out.peak == min((v - 1) * g + p, v * m) && (m % p != 0 ||
					    out.step == 3 * v * m + p - 1), &q, out.step);
				load_free(&l);
			}
	cases_done(&c, "zb-vpp holds min((V - 1) g + P, V M) chunks and takes 3 V M + P - 1");
}

static void
two_pieces(void)
{
	struct cases v = { 0 }, half = { 0 }, least = { 0 };

	for (int p = 3; p <= 16; p++)
		for (int i = 0; i < MICROS; i++) {
			struct load l = even_load(2, p, 1, 1, 1);
			struct shape q = shape(SCHEDULE_ZBV, p, 2, micro_of(p, i));
			double peak = run(q, &l, NULL).peak;

			case_is(&v, peak == 2 * p, &q, peak);
			q.kind = SCHEDULE_V_HALF;
			peak = run(q, &l, NULL).peak;
			case_is(&half, peak == (p + 2) / 2 * 2, &q, peak);
			q.kind = SCHEDULE_V_MIN;
			peak = run(q, &l, NULL).peak;
			case_is(&least, peak == (p + 4) / 3 * 2, &q, peak);
			load_free(&l);
		}
	cases_done(&v, "zbv holds 2 P half micro-batches, as 1f1b");
	cases_done(&half, "v-half holds floor((P + 2) / 2) micro-batches");
	cases_done(&least, "v-min holds floor((P + 4) / 3) micro-batches");
}

static void
dualpipe(void)
{
	struct cases c = { 0 }, v = { 0 };

	for (int p = 2; p <= 16; p += 2)
		for (int m = 2 * p; m <= 4 * p; m += 2) {
			struct load l = even_load(2, p, 1, 1, 1);
			struct shape q = shape(SCHEDULE_DUALPIPE, p, 1, m);
			struct outcome out = run(q, &l, NULL);

			case_is(&c, out.peak == p + 1 && out.lowest == p + 1, &q, out.peak);
			q = shape(SCHEDULE_DUALPIPEV, p, 2, m);
			out = run(q, &l, NULL);
			case_is(&v, out.peak == 2 * p + 1 && out.lowest == 2 * p + 1, &q, out.peak);
			load_free(&l);
		}
	cases_done(&c, "dualpipe holds P + 1 micro-batches on every stage");
	cases_done(&v, "dualpipev holds a half micro-batch more than it has pieces");
}

static void
limits(void)
{
	static const struct {
		const char *name, *why;
		struct shape q;
	} refused[] = {
		{ "1f1b of two chunks", "one chunk", { SCHEDULE_1F1B, 4, 2, 4, 0, 0, NULL, false } },
		{ "zbv of one chunk", "two chunks", { SCHEDULE_ZBV, 4, 1, 4, 0, 0, NULL, false } },
		{ "dualpipe of two chunks", "mirror image", { SCHEDULE_DUALPIPE, 4, 2, 8, 0, 0, NULL, false } },
		{ "dualpipe on odd stages", "even", { SCHEDULE_DUALPIPE, 5, 1, 10, 0, 0, NULL, false } },
		{ "dualpipe, odd micro-batches", "even", { SCHEDULE_DUALPIPE, 4, 1, 9, 0, 0, NULL, false } },
		{ "dualpipev, few micro-batches", "twice", { SCHEDULE_DUALPIPEV, 4, 2, 7, 0, 0, NULL, false } },
		{ "zero bubble with splits", "neither", { SCHEDULE_ZB_H1, 4, 1, 4, 2, 0, NULL, false } },
		{ "v-min in groups", "neither", { SCHEDULE_V_MIN, 4, 2, 8, 0, 8, NULL, false } },
		{ "a group below the stages", "a group", { SCHEDULE_VPP, 4, 2, 8, 0, 3, NULL, false } },
		{ "no stages", "must be 1 or more", { SCHEDULE_VPP, 0, 2, 8, 0, 0, NULL, false } },
		{ "too many stages", "stages", { SCHEDULE_VPP, 10001, 1, 1, 0, 0, NULL, false } },
		{ "too many chunks", "chunks", { SCHEDULE_VPP, 1, 1001, 1, 0, 0, NULL, false } },
		{ "too many pieces", "pieces", { SCHEDULE_VPP, 10000, 101, 1, 0, 0, NULL, false } },
		{ "too many operations", "operations", { SCHEDULE_VPP, 10000, 100, 1000, 0, 0, NULL, false } },
	};

	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		const char *problem = schedule_problem(&refused[i].q);

		ok(problem != NULL && strstr(problem, refused[i].why) != NULL, refused[i].name);
	}
	for (int kind = 0; kind < SCHEDULE_KINDS; kind++) {
		struct shape q = { (enum schedule_kind)kind, 10000, 2, INT32_MAX, INT32_MAX, 0, "x", false };

		ok(schedule_problem(&q) != NULL, "the largest numbers are refused");
	}
}

static void
custom_runs(void)
{
	static const char v[] = "0F0,3F0,3I0,,3W0,0B0\r\n1F0,2F0,2I0,1I0,2W0,1W0\n";
	struct load l = even_load(1, 2, 1, 1, 1);
	struct shape q = shape(SCHEDULE_CUSTOM, 2, 1, 2);
	struct schedule s;

	q.order = "F0 F1 B0 B1\nF0 B0 F1 B1";
	near(9, run(q, &l, NULL).step, 1e-9, "1f1b as an order");
	q.order = "\n0F0,0F1,0B0,0B1,0W0,0W1\n\n1F0,1SEND_F0,1B0,1F1,1B1,1W0,1W1";
	near(8, run(q, &l, NULL).step, 1e-9, "a B whose W is there too is an I; moving data is passed over");
	q.order = "F0 F1 B0 B1\nF0 (F1;B0)OVERLAP_F_B B1";
	l.together = 0.75;
	near(8.25, run(q, &l, NULL).step, 1e-9, "two that run together");
	load_free(&l);
	q = shape(SCHEDULE_CUSTOM, 2, 2, 1);
	q.order = v;
	s = schedule_new(&q);
	ok(s.before[0] == -1 && s.before[1] == 0 && s.before[3] == 1 && s.before[2] == 3,
	    "pieces where they run");
	schedule_free(&s);
	l = even_load(2, 2, 1, 1, 1);
	near(9, run(q, &l, NULL).step, 1e-9, "a V by hand");
	load_free(&l);
}

static void
custom_refused(void)
{
	static const struct {
		const char *name, *order;
		int chunks, micro;
		const char *why;
	} bad[] = {
		{ "no order", NULL, 1, 2, "needs an order" },
		{ "a stage too few", "F0 B0", 1, 1, "the pipeline has 2 stages" },
		{ "a stage too many", "F0 B0\nF0 B0\nF0 B0", 1, 1, "line 3: the pipeline has 2 stages" },
		{ "a backward too few", "F0 B0\nF0", 1, 1, "line 2: no backward of micro-batch 0" },
		{ "a forward too many", "F0 B0 F0\nF0 B0", 1, 1, "forward of micro-batch 0 twice" },
		{ "an I alone", "F0 B0\nF0 I0", 1, 1, "operation I without its W" },
		{ "a micro-batch too high", "F0 B0\nF1 B0", 1, 1, "no micro-batch '1'" },
		{ "an operation nobody knows", "F0 B0\nF0 X0", 1, 1, "line 2: not an operation 'X0'" },
		{ "no number", "F0 B0\nF B0", 1, 1, "no number" },
		{ "a number too large", "F0 B0\nF99999999999999999999 B0", 1, 1, "no number" },
		{ "a piece too high", "0F0 0B0\n5F0 5B0", 1, 1, "no piece '5'" },
		{ "one piece on two stages", "0F0 0B0\n0F0 0B0", 1, 1, "on another stage" },
		{ "unequal stages", "0F0 0B0 1F0 1B0\n2F0 2B0", 2, 1, "1 pieces, but every other stage has 2" },
		{ "no piece where there are two", "F0 B0\nF0 B0", 2, 1, "which piece" },
		{ "other parentheses", "F0 B0\n(F0;B0)TOGETHER", 1, 1, "not OVERLAP_F_B" },
		{ "one alone in parentheses", "F0 B0\n(F0)OVERLAP_F_B B0", 1, 1, "in parentheses" },
		{ "far too short", "F0 B0\nF0 B0", 1, 1000000, "too short" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct shape q = { SCHEDULE_CUSTOM, 2, bad[i].chunks, bad[i].micro, 0, 0, bad[i].order, false };
		const char *problem = schedule_problem(&q);

		if (!ok(problem != NULL && strstr(problem, bad[i].why) != NULL, bad[i].name))
			printf("# expected %s\n# got      %s\n", bad[i].why,
			    problem != NULL ? problem : "nothing");
	}
}

/* Orders of two copies of the model, which data enter from both ends. */
static void
custom_both_refused(void)
{
#define FIRST "0F0 0F1 1F2 1F3 0B0 0B1 1B2 1B3"
	static const struct {
		const char *name, *order, *why;
	} bad[] = {
		{ "a stage that only moves data", FIRST "\n1SEND_F0", "line 2: no forward of micro-batch 0" },
		{ "a forward too few", FIRST "\n1F0 0F2 0F3 1B0 1B1 0B2 0B3", "line 2: no forward of micro-batch 1" },
		{ "a stage too few", FIRST, "the pipeline has 2 stages" },
		{ "a stage too many", FIRST "\n1F0 1F1 0F2 0F3 1B0 1B1 0B2 0B3\n0F0",
		    "line 3: the pipeline has 2 stages" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct shape q = { SCHEDULE_DUALPIPE, 2, 1, 4, 0, 0, bad[i].order, false };
		const char *problem = schedule_problem(&q);

		if (!ok(problem != NULL && strstr(problem, bad[i].why) != NULL, bad[i].name))
			printf("# expected %s\n# got      %s\n", bad[i].why,
			    problem != NULL ? problem : "nothing");
	}
}

int
main(void)
{
	all_complete();
	splits_and_groups();
	sequence_parts();
	live_counts();
	zero_bubble();
	interleaved_zero_bubble();
	two_pieces();
	dualpipe();
	limits();
	custom_runs();
	custom_refused();
	custom_both_refused();
	return tap_done();
}
