/* Times: the formulas of the papers, and the zero-bubble paper's tables. */
#include "lib/simulate/simulation.h"

#include <jansson.h>

#include "pipeline.h"

/* Return the step minus the work of a stage. */
static double
bubble(struct shape q, double f, double b, double w)
{
	struct load l = even_load(q.chunks, q.stages, f, b, w);
	double step = run(q, &l, NULL).step;

	load_free(&l);
	return step - q.micro * q.chunks * (f + b + w);
}

static void
bubble_is(struct cases *c, struct shape q, double f, double b, double w, double want)
{
	double got = bubble(q, f, b, w);

	case_is(c, fabs(got - want) < 1e-9, &q, got);
}

static void
alternating(void)
{
	struct cases gpipe = { 0 }, plain = { 0 }, vpp = { 0 }, less = { 0 }, seq = { 0 };
	double f = 3, b = 4, w = 2;

	for (int p = 2; p <= 16; p++)
		for (int m = p; m <= 4 * p; m += p) {
			struct shape q = shape(SCHEDULE_1F1B, p, 1, m);

			bubble_is(&gpipe, shape(SCHEDULE_GPIPE, p, 1, m), f, b, w, (p - 1) * (f + b + w));
			bubble_is(&plain, q, f, b, w, (p - 1) * (f + b + w));
			for (int v = 1; v <= 4; v++) {
				bubble_is(&vpp, shape(SCHEDULE_VPP, p, v, m), f, b, w, (p - 1) * (f + b + w));
				bubble_is(
				    &less, shape(SCHEDULE_VPP_LESS, p, v, m), f, b, w, (p - 1) * (f + b + w));
			}
			for (q.splits = 2; q.splits <= 4; q.splits++) {
				struct load l = even_load(1, p, f / q.splits, (b + w) / q.splits, 0);
				double step = run(q, &l, NULL).step,
				       want = (m + (p - 1.0) / q.splits) * (f + b + w);

				case_is(&seq, fabs(step - want) < 1e-9, &q, step);
				load_free(&l);
			}
		}
	cases_done(&gpipe, "gpipe: (M + P - 1)(F + B)");
	cases_done(&plain, "1f1b: (M + P - 1)(F + B)");
	cases_done(&vpp, "vpp: a bubble of (P - 1)(F + B) of a chunk");
	cases_done(&less, "vpp-less: the same");
	cases_done(&seq, "sequence 1f1b, q splits: a bubble of (P - 1)(F + B)/q");
}

static void
zero_bubble(void)
{
	struct cases h1 = { 0 }, h2 = { 0 }, few = { 0 };
	double f = 3, b = 4, w = 2;

	for (int p = 2; p <= 16; p++) {
		for (int m = 3 * p; m <= 4 * p; m++) {
			bubble_is(&h1, shape(SCHEDULE_ZB_H1, p, 1, m), f, b, w, (p - 1) * (f + b - w));
			bubble_is(&h2, shape(SCHEDULE_ZB_H2, p, 1, m), f, b, w, (p - 1) * (f + b - 2 * w));
		}
		for (int m = 1; m <= p; m++) {
			double want = (m + p - 1) * (f + b) + w - m * (f + b + w);

			bubble_is(&few, shape(SCHEDULE_ZB_H1, p, 1, m), f, b, w, want);
			bubble_is(&few, shape(SCHEDULE_ZB_H2, p, 1, m), f, b, w, want);
		}
	}
	cases_done(&h1, "zb-h1: a bubble of (P - 1)(F + B - W)");
	cases_done(&h2, "zb-h2: a bubble of (P - 1)(F + B - 2 W)");
	cases_done(&few, "zero bubble, no more micro-batches than stages: (M + P - 1)(F + B) + W");
}

static void
two_pieces(void)
{
	struct cases zbv = { 0 }, half = { 0 }, least = { 0 }, steady = { 0 }, grows = { 0 };

	for (int p = 3; p <= 16; p++) {
		struct shape q = shape(SCHEDULE_V_HALF, p, 2, 4 * p),
			     more = shape(SCHEDULE_V_HALF, p, 2, 6 * p);
		double growth = bubble(more, 3, 4, 2) - bubble(q, 3, 4, 2);

		case_is(&steady, growth == 0, &q, growth);
		bubble_is(&half, q, 1, 1, 1, p % 2 == 0 ? 3 * p - 7 : 3 * p - 4);
		q.kind = more.kind = SCHEDULE_V_MIN;
		growth = bubble(more, 3, 4, 2) - bubble(q, 3, 4, 2);
		case_is(&grows, growth == 6 * 2 * p, &q, growth);
		bubble_is(&least, q, 1, 1, 1, p % 3 == 0 ? 4 * p - 7 : 4 * p - 5);
		bubble_is(&zbv, shape(SCHEDULE_ZBV, p, 2, 4 * p), 1, 1, 1, p - 1);
	}
	cases_done(&zbv, "zbv, F = B = W = 1: the fill alone");
	cases_done(&half, "v-half, F = B = W = 1: 3 P - 7 or 3 P - 4");
	cases_done(&least, "v-min, F = B = W = 1: 4 P - 5 or 4 P - 7");
	cases_done(&steady, "v-half: the bubble does not grow with M for (3, 4, 2)");
	cases_done(&grows, "v-min: it grows by 6 a micro-batch there");
}

/* Return the time of a stage's operations; a pair that runs together counts as long as it takes. */
static double
busy(struct shape q, const struct load *l, int stage)
{
	struct schedule s = schedule_new(&q);
	struct simulation sim = { 0 };
	double sum = 0;

	simulation_run(&sim, &s, l);
	for (size_t i = s.first[stage]; i < s.first[stage + 1]; i++)
		if (s.op[i].joined != 2)
			sum += sim.end[schedule_slot(&s, stage, s.op[i])] - simulation_start(&sim, stage, i);
	simulation_free(&sim);
	schedule_free(&s);
	return sum;
}

/* Return the waiting time of a stage of dualpipe. TOGETHER: time of a forward and a backward that run together. */
static double
stage_idle(struct shape q, int stage, double f, double b, double w, double together)
{
	struct load l = even_load(2, q.stages, f, b, w);
	double idle;

	l.together = together / (f + b + w);
	idle = run(q, &l, NULL).step - busy(q, &l, stage);
	load_free(&l);
	return idle;
}

/*
 * The stages in the middle of dualpipe wait longest. In its V shape they are the last stages. T: time of a forward and
 * a backward that run together.
 */
static void
dualpipe(void)
{
	struct cases c = { 0 }, v = { 0 };

	for (int p = 2; p <= 16; p += 2)
		for (int m = 2 * p; m <= 4 * p; m += 2)
			for (double together = 2.5; together <= 3; together += 0.5) {
				struct shape q = shape(SCHEDULE_DUALPIPE, p, 1, m);
				double idle = stage_idle(q, p / 2 - 1, 1, 1, 1, together);

				case_is(&c, fabs(idle - (p / 2 - 1) * (together + 2 - 3)) < 1e-9, &q, idle);
			}
	for (int p = 1; p <= 8; p++)
		for (int m = 4 * p; m <= 6 * p; m += 2)
			for (double together = 2.5; together <= 3; together += 0.5) {
				struct shape q = shape(SCHEDULE_DUALPIPEV, p, 2, m);
				double idle = stage_idle(q, p - 1, 1, 1, 1, together);

				case_is(&v, fabs(idle - (p - 1) * (together + 2 - 3)) < 1e-9, &q, idle);
			}
	cases_done(&c, "dualpipe: a bubble of (P/2 - 1)(T + B - 3 W)");
	cases_done(&v, "dualpipev: (P - 1)(T + B - 3 W), with twice as many pieces as stages");
	near(13, stage_idle(shape(SCHEDULE_DUALPIPE, 8, 1, 32), 3, 2, 3, 2, 6), 1e-9,
	    "with (2, 5, 2, 6) less, P 8");
	near(33, stage_idle(shape(SCHEDULE_DUALPIPE, 16, 1, 64), 7, 2, 3, 2, 6), 1e-9,
	    "with (2, 5, 2, 6) less, P 16");
}

/* Return by how many delays the step of equal stages gets longer, if delays are short. */
static double
delays_of(struct shape q, enum transfer_mode transfers, bool by_edge)
{
	static const double TC = 0.015625;
	struct load l = even_load(q.chunks, q.stages, 64, 128, 0);
	double still = run(q, &l, NULL).step, step;

	l.transfers = transfers;
	if (by_edge) {
		l.edge = list_new(q.stages - 1);
		for (int i = 0; i < q.stages - 1; i++)
			l.edge.at[i] = TC;
	} else {
		l.comm = TC;
	}
	step = run(q, &l, NULL).step;
	load_free(&l);
	return (step - still) / TC;
}

static void
delays_are(struct cases *c, struct shape q, enum transfer_mode transfers, bool by_edge, double want)
{
	double got = delays_of(q, transfers, by_edge);

	case_is(c, got == want, &q, got);
}

static void
delays(void)
{
	struct cases plain = { 0 }, vpp = { 0 }, less = { 0 }, edges = { 0 }, h1 = { 0 };

	for (int p = 2; p <= 16; p++)
		for (int k = 1; k <= 4; k++) {
			int m = k * p, round_trips = 2 * (p - 2) + 2 * (p - 1) * k;

			delays_are(&plain, shape(SCHEDULE_1F1B, p, 1, m), TRANSFERS_HIDDEN, false, round_trips);
			delays_are(&edges, shape(SCHEDULE_1F1B, p, 1, m), TRANSFERS_HIDDEN, true, round_trips);
			for (int v = 2; v <= 4; v++) {
				delays_are(&vpp, shape(SCHEDULE_VPP, p, v, m), TRANSFERS_HIDDEN, false, 2 * v * p - 2);
				delays_are(&less, shape(SCHEDULE_VPP_LESS, p, v, m), TRANSFERS_HIDDEN, false,
				    2 * (p - 1) + 2 * (v - 2) + 2 * v * (p - 1) * k);
			}
		}
	for (int p = 2; p <= 16; p++) {
		struct shape q = shape(SCHEDULE_ZB_H1, p, 1, 4 * p);
		struct load l = even_load(1, p, 300, 290, 190);
		double idle;

		l.comm = 5;
		idle = run(q, &l, NULL).step - q.micro * 780;
		case_is(&h1, idle == (p - 1) * (300 + 290 - 190 + 4 * 5.), &q, idle);
		load_free(&l);
	}
	cases_done(&plain, "1f1b: delays add 2(P - 2) + 2(P - 1)M/P of them");
	cases_done(&vpp, "vpp: delays add 2 V P - 2 of them");
	cases_done(&less, "vpp-less: delays add 2(P - 1) + 2(V - 2) + 2 V(P - 1)M/P of them");
	cases_done(&edges, "a delay for each edge");
	cases_done(&h1, "zb-h1: a bubble of (P - 1)(F + B - W + 4 Tc)");
}

/*
 * Return the number of transfers on the longest chain of operations, for P equal stages that interleave V chunks and M
 * micro-batches.
 */
static int
interleaved_transfers(int p, int v, int m)
{
	if (p == 2)
		return 4 * v * m - 2 * m;
	if (p % 2 == 0)
		return 4 * v * m + 4 * p - 13;
	return 6 * v * m - 2 * v * p + 4 * v - 2 * m + 6 * p - 16 + 2 * ((v - 2) / ((p - 1) / 2));
}

/* Test transfers that keep both stages busy. */
static void
blocking(void)
{
	struct cases plain = { 0 }, vpp = { 0 }, longer = { 0 };

	for (int p = 2; p <= 16; p++)
		for (int m = p; m <= 4 * p; m++)
			delays_are(&plain, shape(SCHEDULE_1F1B, p, 1, m), TRANSFERS_BLOCKING, false,
			    p == 2 ? 2 * m : 4 * m + 4 * p - (p % 2 == 0 ? 14 : 12));
	for (int p = 2; p <= 16; p++)
		for (int v = 2; v <= 6; v++)
			for (int m = p; m <= 4 * p; m += p)
				delays_are(&vpp, shape(SCHEDULE_VPP, p, v, m), TRANSFERS_BLOCKING, false,
				    interleaved_transfers(p, v, m));
	srand(3);
	for (int n = 0; n < 500; n++) {
		struct shape q = shape((enum schedule_kind)random_below(SCHEDULE_CUSTOM), 1 + random_below(8),
		    1 + random_below(3), 1 + random_below(20));
		struct load l;
		struct outcome overlapped, both;

		if (schedule_problem(&q) != NULL)
			continue;
		l = random_load(schedule_mirrored(q.kind) ? 2 : q.chunks, q.stages);
		l.comm = (1 + random_below(20)) / 8.;
		overlapped = run(q, &l, NULL);
		l.transfers = TRANSFERS_BLOCKING;
		both = run(q, &l, NULL);
		case_is(&longer, both.step >= overlapped.step - 1e-9 && fabs(both.path - both.step) < 1e-6,
		    &q, both.step - overlapped.step);
		load_free(&l);
	}
	cases_done(&plain, "1f1b: transfers that block add 4 M + 4 P - 14, or - 12 where P is odd");
	cases_done(&vpp, "vpp: transfers that block add as many as equal stages are known to");
	cases_done(&longer, "whatever the schedule, none stops another for good, and none is for nothing");
}

static double
member(const json_t *row, const char *name)
{
	return json_number_value(json_object_get(row, name));
}

/* Tables 5 and 6 of the zero-bubble paper: 12 settings, three schedules. */
static void
zero_bubble_tables(void)
{
	static const enum schedule_kind kinds[] = { SCHEDULE_1F1B, SCHEDULE_ZB_H1, SCHEDULE_ZB_H2 };
	json_t *file = json_load_file("tests/data/zb.json", 0, NULL), *row;
	struct cases c = { 0 };
	size_t i;

	json_array_foreach(json_object_get(file, "rows"), i, row) {
		double f = member(row, "F"), b = member(row, "B"), w = member(row, "W");
		struct shape q =
		    shape(SCHEDULE_1F1B, (int)member(row, "stages"), 1, (int)member(row, "micro_batches"));
		struct load l = even_load(1, q.stages, f, b, w);

		l.comm = member(row, "comm");
		for (int k = 0; k < 3; k++) {
			double want = member(json_object_get(row, "bubble_rate"), schedule_names[kinds[k]]),
			       rate;

			q.kind = kinds[k];
			rate = 1 - q.micro * (f + b + w) / run(q, &l, NULL).span;
			case_is(&c, fabs(rate - want) <= 0.00005, &q, rate);
		}
		load_free(&l);
	}
	json_decref(file);
	cases_done(&c, "bubble rates of the zero-bubble paper");
	same(36, c.n, "all of its 36");
}

static void
reuse(void)
{
	struct shape large = { .kind = SCHEDULE_VPP, .stages = 4, .chunks = 2, .micro = 16 }, small = large;
	struct load l = even_load(2, 4, 1, 2, 0), other = even_load(1, 8, 1, 2, 0);
	struct schedule a = schedule_new(&large), b;
	struct simulation sim = { 0 };

	small = (struct shape){ .kind = SCHEDULE_1F1B, .stages = 8, .chunks = 1, .micro = 8 };
	b = schedule_new(&small);
	simulation_run(&sim, &a, &l);
	simulation_run(&sim, &b, &other);
	near((8 + 7) * 3, sim.step_time, 0, "a simulation used again for another pipeline");
	simulation_run(&sim, &a, &l);
	near(2 * 16 * 3 + 3 * 3, sim.step_time, 0, "and again for the first");
	simulation_free(&sim);
	schedule_free(&a);
	schedule_free(&b);
	load_free(&l);
	load_free(&other);
}

static bool
same_path(const struct simulation *a, const struct simulation *b)
{
	struct path x = simulation_path(a), y = simulation_path(b);
	bool same = x.delay == y.delay;

	for (int p = 0; p < PHASES; p++)
		for (int i = 0; i < x.time[p].chunks * x.time[p].stages; i++)
			same &= x.time[p].at[i] == y.time[p].at[i];
	path_free(&x);
	path_free(&y);
	return same;
}

static bool
same_lists(struct list a, struct list b)
{
	bool same = a.n == b.n;

	for (int i = 0; i < a.n && same; i++)
		same = a.at[i] == b.at[i];
	return same;
}

/*
 * Simulate loads together. All steps, and all figures of the first load, must equal those of each load alone, to the
 * last bit. In some orders an operation runs long before the operations that wait for it.
 */
static void
beside(void)
{
	struct cases steps = { 0 }, told = { 0 };

	for (int kind = 0; kind < SCHEDULE_CUSTOM; kind++) {
		int own = schedule_chunks((enum schedule_kind)kind);
		struct shape q = shape((enum schedule_kind)kind, 20, own > 0 ? own : 3, 100);
		struct load l[1 + SIMULATION_BESIDE];
		struct schedule s = schedule_new(&q);
		struct simulation sim = { 0 }, alone = { 0 };
		double step[1 + SIMULATION_BESIDE];

		for (int i = 0; i <= SIMULATION_BESIDE; i++) {
			l[i] = even_load(s.chunks, s.stages, 1 + 0.1 * i, 1.3, 0.7 / (i + 1));
			l[i].forward.at[i] *= 1.7;
			l[i].comm = i == 1 ? 0 : 0.3;
			l[i].factor[0] = i == 1 ? table_new(1, 100) : (struct table){ 0 };
			for (int m = 0; m < l[i].factor[0].stages; m++)
				l[i].factor[0].at[m] = 1 + m % 3 / 7.0;
		}
		simulation_run_told(&sim, &s, &l[0], l + 1, SIMULATION_BESIDE, step + 1);
		step[0] = sim.step_time;
		for (int i = SIMULATION_BESIDE; i >= 0; i--) {
			simulation_run(&alone, &s, &l[i]);
			case_is(&steps, step[i] == alone.step_time, &q, step[i] - alone.step_time);
		}
		case_is(&told, same_path(&sim, &alone) && same_lists(sim.peak, alone.peak) &&
		    same_lists(sim.last, alone.last), &q, 0);
		for (int i = 0; i <= SIMULATION_BESIDE; i++)
			load_free(&l[i]);
		simulation_free(&sim);
		simulation_free(&alone);
		schedule_free(&s);
	}
	cases_done(&steps, "loads simulated beside one another: steps as of each alone");
	cases_done(&told, "path, peaks and ends of stages as where all ends are kept");
}

/*
 * The backward of a large piece runs with the forward of a small one: together they need the transient memory of both.
 */
static void
together(void)
{
	struct shape q = shape(SCHEDULE_CUSTOM, 1, 2, 2);
	struct load l = even_load(2, 1, 1, 1, 0);
	double peak = 0;

	q.order = "0F0 1F0 (1B0;0F1)OVERLAP_F_B 0B0 1F1 1B1 0B1";
	l.transient = table_new(2, 1);
	l.activation.at[0] = 10;
	l.activation.at[1] = 40;
	l.transient.at[0] = 3;
	l.transient.at[1] = 5;
	run(q, &l, &peak);
	near(10 + 40 + 3 + 5, peak, 0, "a backward and a forward together, before the backward frees anything");
	q.order = "0F0 0F1 1F0 1B0 (0B0;1F1)OVERLAP_F_B 1B1 0B1";
	l.transient.at[0] = 30;
	run(q, &l, &peak);
	near(10 + 40 + 30 + 5, peak, 0, "a large forward, after the backward has freed its memory");
	load_free(&l);
}

int
main(void)
{
	alternating();
	zero_bubble();
	two_pieces();
	dualpipe();
	delays();
	zero_bubble_tables();
	blocking();
	reuse();
	beside();
	together();
	return tap_done();
}
