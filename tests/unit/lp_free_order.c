/* Compare free orders with every order of tiny pipelines, and with the lower bound of all orders. */
#include <limits.h>

#include "sapp-lp/planner/free_order.h"
#include "lib/base/clock.h"
#include "lib/order/shop_list.h"
#include "lib/order/shop_orders.h"
#include "sapp-lp/bound/order_bound.h"
#include "sapp-lp/planner/answer.h"
#include "pipeline.h"

enum { MICRO = 2, OPS = 3 * MICRO, ORDERS = 90 };

/*
 * All orders of a stage in which F, I and W of a micro-batch follow one another: 6! / (3! 3!) and any micro-batch
 * first.
 */
static struct op stage_orders[ORDERS][OPS];
static int norders;

static void
list_orders(struct op *op, int n, const int *done)
{
	static const enum phase phases[] = { PHASE_F, PHASE_I, PHASE_W };

	if (n == OPS) {
		memcpy(stage_orders[norders++], op, OPS * sizeof *op);
		return;
	}
	for (int m = 0; m < MICRO; m++) {
		int next[MICRO];

		if (done[m] == 3)
			continue;
		memcpy(next, done, sizeof next);
		op[n] = (struct op){ .micro = (uint32_t)m, .phase = (uint8_t)phases[next[m]++] };
		list_orders(op, n + 1, next);
	}
}

/* Return the minimum step over all orders that fit, ms, or INFINITY if none fits. */
static double
best_order(const struct shape *q, const struct load *l, const struct room *room)
{
	struct schedule s = schedule_new(q);
	struct simulation sim = { 0 };
	double best = INFINITY;
	int all = 1;

	for (int i = 0; i < s.stages; i++)
		all *= norders;
	for (int n = 0; n < all; n++) {
		for (int i = 0, rest = n; i < s.stages; i++, rest /= norders)
			memcpy(s.op + s.first[i], stage_orders[rest % norders], sizeof stage_orders[0]);
		if (room_enough(room, &s, l) && simulation_run(&sim, &s, l))
			best = fmin(best, sim.step_time);
	}
	simulation_free(&sim);
	schedule_free(&s);
	return best;
}

/* Check the orders for random loads. */
static void
all_orders(void)
{
	struct cases shorter = { 0 }, fits = { 0 };
	int found = 0, cases = 0;

	srand(5);
	for (int n = 0; n < 120; n++) {
		struct shape q = shape(SCHEDULE_ZB_H1, 2, 1, MICRO);
		struct load l = random_load(1, q.stages);
		struct schedule s = schedule_new(&q);
		struct room room = room_of(&s, &l);
		double step, best;

		free(room.live);
		room.live = NULL;
		for (int i = 0; i < q.stages; i++)
			room.memory.at[i] += random_below(10);
		best = best_order(&q, &l, &room);
		shop_orders(&s, &l, &room, 1e5, INFINITY);
		step = simulation_step(&s, &l);
		case_is(&shorter, step >= best - 1e-9, &q, step - best);
		case_is(&fits, room_enough(&room, &s, &l), &q, 0);
		found += step <= best + 1e-9;
		cases++;
		room_free(&room);
		schedule_free(&s);
		load_free(&l);
	}
	cases_done(&shorter, "never shorter than the best of all orders");
	cases_done(&fits, "within the room");
	ok(found >= cases * 95 / 100, "as short as the best of all orders, nearly always");
}

/*
 * Return the list schedule by a rule for the operations of BASE. The result has no operations if no such schedule
 * exists.
 */
static struct schedule
listed(const struct schedule *base, const struct load *l, const struct room *room, const struct listing *how)
{
	struct shop j = shop_new(base, l, room);
	struct shop_lister *lister = shop_lister_new(&j);
	struct schedule s = shop_order(&j, base);

	if (!shop_list(lister, how, &s))
		s.first[s.stages] = 0;
	shop_lister_free(lister);
	shop_free(&j);
	return s;
}

static struct listing
rule(int rank, double fit)
{
	return (struct listing){ .waiting = INT_MAX, .fit[PHASE_W] = fit,
	    .rank = { (uint8_t)rank, (uint8_t)rank, (uint8_t)rank } };
}

/* Return whether the list schedule of any rule fits. */
static bool
any_list_fits(const struct schedule *base, const struct load *l, const struct room *room)
{
	bool any = false;

	for (int rank = 0; rank < RANKS && !any; rank++)
		for (int fit = 0; fit < 3 && !any; fit++) {
			struct listing how = rule(rank, fit / 2.);
			struct schedule s = listed(base, l, room, &how);

			any = schedule_ops(&s) > 0 && room_enough(room, &s, l);
			schedule_free(&s);
		}
	return any;
}

/* W may keep more memory than the activations: with the memory of a schedule, list schedules must exist. */
static void
kept_for_weights(void)
{
	static const enum schedule_kind kinds[] = { SCHEDULE_ZB_H1, SCHEDULE_ZB_H2, SCHEDULE_ZBV, SCHEDULE_V_HALF,
		SCHEDULE_ZB_VPP };
	int fit = 0, cases = 0;

	srand(7);
	for (int n = 0; n < 200; n++) {
		enum schedule_kind kind = kinds[n % 5];
		int stages = 2 + n % 4, chunks = kind == SCHEDULE_ZB_H1 || kind == SCHEDULE_ZB_H2 ? 1 : 2;
		struct shape q = shape(kind, stages, chunks, stages * (1 + n % 3));
		struct load l = random_load(q.chunks, q.stages);
		struct schedule s = schedule_new(&q);
		struct room room;

		for (int i = 0; i < chunks * stages; i++)
			l.kept.at[i] = l.activation.at[i] * random_below(13) / 4;
		room = room_of(&s, &l);
		free(room.live);
		room.live = NULL;
		fit += any_list_fits(&s, &l, &room);
		cases++;
		room_free(&room);
		schedule_free(&s);
		load_free(&l);
	}
	ok(fit >= cases * 99 / 100, "list schedules fit if W keeps more than the activations, nearly always");
}

/* Return whether a stage waited although the data of a later operation were present. */
static bool
waited(const struct simulation *sim, const struct schedule *s, int stage)
{
	double free = 0;

	for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
		double start = simulation_start(sim, stage, i);

		for (size_t k = i; k < s->first[stage + 1] && start > free + 1e-9; k++) {
			struct need need = schedule_need(s, stage, s->op[k]);
			double there = need.stage < 0 ? 0 : sim->end[schedule_slot(s, need.stage, need.op)] +
			    load_delay(sim->load, need.stage, stage);

			if (there < start - 1e-9)
				return true;
		}
		free = sim->end[schedule_slot(s, stage, s->op[i])];
	}
	return false;
}

/* With enough memory, a list schedule never leaves a stage idle while one of its operations could run. */
static void
never_waits(void)
{
	struct cases waits = { 0 };

	srand(6);
	for (int n = 0; n < 90; n++) {
		struct shape q = shape(n % 2 ? SCHEDULE_VPP : SCHEDULE_1F1B, 3 + n % 5, 1 + n % 2, 2 * (3 + n % 5));
		struct load l = random_load(q.chunks, q.stages);
		struct schedule base = schedule_new(&q), s;
		struct room room = { .memory = list_new(q.stages) };
		struct simulation sim = { 0 };
		struct listing how = rule(n % RANKS, 0);
		bool any;

		how.lane = RUNGS;
		for (int i = 0; i < q.stages; i++)
			room.memory.at[i] = 1e9;
		s = listed(&base, &l, &room, &how);
		any = schedule_ops(&s) == 0;
		if (!any)
			simulation_run(&sim, &s, &l);
		for (int i = 0; i < q.stages && !any; i++)
			any = waited(&sim, &s, i);
		schedule_free(&s);
		case_is(&waits, !any, &q, 0);
		simulation_free(&sim);
		room_free(&room);
		schedule_free(&base);
		load_free(&l);
	}
	cases_done(&waits, "no stage waits that could do something");
}

/* If no stage waits, only the rule determines the order of two chunks on a stage. */
static void
chunks_by_rule(int rank, const char *want, const char *name)
{
	struct shape q = shape(SCHEDULE_VPP, 1, 2, 2);
	struct load l = even_load(2, 1, 1, 2, 0);
	struct schedule base = schedule_new(&q), s;
	struct room room = { .memory = list_new(1) };
	struct listing how = rule(rank, 0);
	char got[64] = "", *to = got;

	room.memory.at[0] = 1e9;
	s = listed(&base, &l, &room, &how);
	for (size_t i = 0; i < schedule_ops(&s); i++)
		to += sprintf(to, "%s%d%c%u", i ? " " : "", s.op[i].chunk, s.op[i].phase == PHASE_F ? 'F' : 'B',
		    s.op[i].micro);
	schedule_free(&s);
	if (!ok(strcmp(want, got) == 0, name))
		printf("# expected %s\n# got      %s\n", want, got);
	room_free(&room);
	schedule_free(&base);
	load_free(&l);
}

/* Return the minimum step over every placement of few layers, with every recomputation, in every order. */
static double
best_of_all(const struct network *net, const struct shape *q, const struct devices *devices, struct list limit)
{
	const struct body *body = &net->body[0];
	double best = INFINITY;

	for (int first = 1; first < body->layers; first++)
		for (int full = 0; full < (first + 1) * (body->layers - first + 1); full++) {
			int at[2] = { first, body->layers - first },
			    again[2] = { full % (first + 1), full / (first + 1) };
			struct load l = load_even(net, q, devices);
			struct room room = { .memory = list_new(2) };

			for (int s = 0; s < 2; s++) {
				const struct end *end = s == 0 ? &net->head : &net->tail;
				int none = at[s] - again[s];

				l.forward.at[s] = at[s] * body->forward + end->forward;
				l.plain.at[s] = at[s] * body->backward[RECOMPUTE_NONE] + end->backward;
				l.backward.at[s] = none * body->backward[RECOMPUTE_NONE] +
				    again[s] * body->backward[RECOMPUTE_FULL] + end->backward;
				l.weight.at[s] = l.plain.at[s] / 2;
				l.activation.at[s] = l.kept.at[s] = none * body->activation[RECOMPUTE_NONE] +
				    again[s] * body->activation[RECOMPUTE_FULL];
				room.memory.at[s] = list_get(limit, s) - at[s] * body->parameter - end->parameter -
				    net->constant;
			}
			load_speed_set(&l, devices->speed);
			best = fmin(best, best_order(q, &l, &room));
			room_free(&room);
			load_free(&l);
		}
	return best;
}

static struct network
tiny_network(struct body *body)
{
	*body = (struct body){ .name = "layer", .layers = 3, .forward = 2 + random_below(5), .parameter = 10 };
	body->has[RECOMPUTE_NONE] = body->has[RECOMPUTE_FULL] = true;
	body->backward[RECOMPUTE_NONE] = 2 * body->forward;
	body->backward[RECOMPUTE_FULL] = 3 * body->forward;
	body->activation[RECOMPUTE_NONE] = 8;
	body->activation[RECOMPUTE_FULL] = 1;
	return (struct network){ .name = "tiny", .nbodies = 1, .body = body, .layers = 3,
	    .head = { .forward = 1, .backward = 2, .parameter = 5 },
	    .tail = { .forward = random_below(6), .backward = random_below(6), .parameter = 5 } };
}

static void
all_plans(void)
{
	static const enum schedule_kind kinds[] = { SCHEDULE_1F1B, SCHEDULE_ZB_H1, SCHEDULE_GPIPE };
	struct cases bound = { 0 }, shorter = { 0 }, fixed = { 0 };
	int found = 0, cases = 0;

	srand(9);
	for (int n = 0; n < 8; n++) {
		struct body body;
		struct network net = tiny_network(&body);
		struct shape q = shape(SCHEDULE_ZB_H1, 2, 1, MICRO);
		double comm = random_below(3), best, least = INFINITY, speed[] = { 1, n % 2 ? 1 : 1 + random_below(4) };
		struct devices devices = { .speed = { 2, speed }, .delay = { 1, &comm } };
		struct list limit = list_new(1);

		limit.at[0] = 40 + random_below(30);
		best = best_of_all(&net, &q, &devices, limit);
		for (int k = 0; k < 3; k++) {
			struct effort effort = { .seconds = 1, .seed = 1 };
			struct problem p;
			struct answer a;

			q.kind = kinds[k];
			p = problem_new(&net, &q, &devices, limit, true);
			a = planner_solve(&p, &effort);
			case_is(&bound, order_bound(&p) <= best * (1 + 1e-9), &q, order_bound(&p) - best);
			if (a.status != PLAN_INFEASIBLE) {
				struct plan plan = answer_plan(&p, &a, "fixed");
				double end = clock_now() + 1;
				struct free_order f = free_order_find(&p, &plan, &devices, limit, &effort, end);

				case_is(&shorter, f.step_time >= best * (1 - 1e-9), &q, f.step_time - best);
				case_is(&fixed, f.step_time <= a.step_time && f.lower_bound <= f.step_time, &q,
				    f.step_time);
				least = fmin(least, f.step_time);
				free_order_free(&f);
				fields_free(&plan_fields, &plan);
			}
			answer_free(&a);
			problem_free(&p);
		}
		found += least <= best * (1 + 1e-9);
		cases += best < INFINITY;
		free(limit.at);
	}
	cases_done(&bound, "the lower bound is that of every plan in every order");
	cases_done(&shorter, "no free order is shorter than the best plan in the best order");
	cases_done(&fixed, "and none longer than the plan it began with");
	ok(found > 0 && found >= cases / 3, "some are as short as that");
}

/*
 * By hand: a head of 10 and 20 ms before two layers of 1 and 2 ms, four micro-batches. The first stage has at least the
 * head, 4 x 30 ms; the second stage can have both layers, 10 + 4 x 6.
 */
static void
by_hand(void)
{
	struct body body = { .name = "b", .layers = 2, .forward = 1, .backward = { 2 }, .has = { true } };
	struct network net = { .name = "n", .body = &body, .nbodies = 1, .layers = 2, .empty = true,
		.head = { .there = true, .forward = 10, .backward = 20 } };
	struct shape shape = { .kind = SCHEDULE_1F1B, .stages = 2, .chunks = 1, .micro = 4 };
	struct devices devices = { 0 };
	double limit = 1000;
	struct problem p = problem_new(&net, &shape, &devices, (struct list){ 1, &limit }, false);

	near(120, order_bound(&p), 1e-6, "the head's stage");
	body.forward = 10;
	body.backward[0] = 20;
	near(240, order_bound(&p), 1e-6, "and a layer, if both on the other stage take 10 + 4 x 60");
	net.head.backward = 50;
	near(250, order_bound(&p), 1e-6, "the other one's, 10 + 4 x 60, is longer than the head's 4 x 60");
	p.together = 0.5;
	near(0.5 * 4 * 120 / 2, order_bound(&p), 1e-6, "if operations overlap, half of the mean load");
	p.together = 1;
	p.shape.splits = 1;
	body.weighed = net.head.weighed = true;
	near(300, order_bound(&p), 1e-6, "a backward that is all of inputs waits for the head's: 10 + 4 x 60 + 50");
	body.weighed = net.head.weighed = false;
	net.tail = (struct end){ .there = true, .forward = 20, .backward = 40 };
	near(380, order_bound(&p), 1e-6, "the tail and a layer, after the head and the other layer: 20 + 4 x 90");
	p.pace[0] = p.pace[1] = 2;
	/* 60 ms is the time of all layers, head and tail for each micro-batch. */
	ok(order_bound(&p) <= proved_bound(&p, 760, 760 + 2 * 4 * 2 * (60 + 60 + 60), 2 * 2 + 2 + 16),
	    "twice as much where stages take twice as long, without what rounding may have added");
	near(760, order_bound(&p), 1e-6, "and no less");
	problem_free(&p);
}

int
main(void)
{
	by_hand();
	list_orders((struct op[OPS]){ { .micro = 0 } }, 0, (const int[MICRO]){ 0 });
	all_orders();
	kept_for_weights();
	never_waits();
	chunks_by_rule(FORWARDS_FIRST, "0F0 0F1 1F0 1F1 1B0 1B1 0B0 0B1", "first what has longest to go");
	chunks_by_rule(6, "0F0 1F0 0F1 1F1 1B0 0B0 1B1 0B1", "or what is nearly through");
	all_plans();
	return tap_done();
}
