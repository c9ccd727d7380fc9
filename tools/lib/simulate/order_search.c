/* Order search: late acceptance (Burke and Bykov, European Journal of Operational Research 258, 2017). */
#include "order_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/random.h"
#include "simulation.h"

#define CLOSE 1e-9	/* rounding of times, relative to the step */
enum { HISTORY = 30 };	/* a change is taken when the step is no longer than it was so many changes ago */

/* Operations next to each other on a stage and on the longest chain. */
struct joint {
	int stage;
	size_t at;		/* of the second one in schedule.op */
};

struct search {
	struct schedule *s;
	const struct load *load;
	const struct room *room;
	struct simulation sim;
	uint32_t *place;	/* by schedule_slot(): where in schedule.op */
	struct joint *joint;
	size_t njoints;
	uint64_t random;
};

/* An operation moved from one place to another, those between going one on. */
struct move {
	int stage;
	size_t from, to;
};

static void
index_ops(struct search *f, int stage, size_t from, size_t to)
{
	for (size_t i = from; i <= to; i++)
		f->place[schedule_slot(f->s, stage, f->s->op[i])] = (uint32_t)i;
}

static void
apply(struct search *f, struct move m)
{
	struct op *op = f->s->op, moved = op[m.from];

	if (m.from < m.to)
		memmove(op + m.from, op + m.from + 1, (m.to - m.from) * sizeof *op);
	else
		memmove(op + m.to + 1, op + m.to, (m.from - m.to) * sizeof *op);
	op[m.to] = moved;
	index_ops(f, m.stage, m.from < m.to ? m.from : m.to, m.from < m.to ? m.to : m.from);
}

static struct move
undone(struct move m)
{
	return (struct move){ m.stage, m.to, m.from };
}

/* The joints of a longest chain, from its end; where two chains meet, either of them. */
static void
find_joints(struct search *f)
{
	const struct schedule *s = f->s;
	double close = CLOSE * f->sim.step_time;
	int stage = 0;
	size_t i;

	while (f->sim.end[schedule_slot(s, stage, s->op[s->first[stage + 1] - 1])] < f->sim.step_time)
		stage++;
	i = s->first[stage + 1] - 1;
	f->njoints = 0;
	for (;;) {
		double start = simulation_start(&f->sim, stage, i);
		struct need need = schedule_need(s, stage, s->op[i]);
		bool before = i > s->first[stage] &&
		    f->sim.end[schedule_slot(s, stage, s->op[i - 1])] >= start - close;
		bool data = need.stage >= 0 && f->sim.end[schedule_slot(s, need.stage, need.op)] +
		    load_arrival(f->load, need.stage, stage, s->op[i]) >= start - close;

		if (before && data)
			before = xorshift_below(&f->random, 2) == 0;
		if (before) {
			f->joint[f->njoints++] = (struct joint){ stage, i-- };
		} else if (data) {
			i = f->place[schedule_slot(s, need.stage, need.op)];
			stage = need.stage;
		} else {
			return;
		}
	}
}

/* Operations of the chain on both sides of a joint that are next to one another. */
static void
block(const struct search *f, size_t joint, size_t *first, size_t *last)
{
	size_t j = joint;

	*last = f->joint[joint].at;
	*first = *last - 1;
	while (j + 1 < f->njoints && f->joint[j + 1].stage == f->joint[joint].stage && f->joint[j + 1].at == *first) {
		j++;
		--*first;
	}
	for (j = joint; j > 0 && f->joint[j - 1].stage == f->joint[joint].stage && f->joint[j - 1].at == *last + 1; j--)
		++*last;
}

/* A move of one of two operations at a random joint past the other, or to an end of what the chain runs there. */
static struct move
random_move(struct search *f)
{
	size_t j = xorshift_below(&f->random, (int)f->njoints), first, last;
	struct joint joint = f->joint[j];

	block(f, j, &first, &last);
	switch (xorshift_below(&f->random, 4)) {
	case 0:
		return (struct move){ joint.stage, joint.at, first };
	case 1:
		return (struct move){ joint.stage, joint.at - 1, last };
	default:
		return (struct move){ joint.stage, joint.at - 1, joint.at };
	}
}

/* Of one micro-batch in one chunk: forward, backward and weights' gradients keep their order. Of one kind, too. */
static bool
may_pass(struct op a, struct op b)
{
	return a.chunk != b.chunk || (a.micro != b.micro && (a.phase == PHASE_F) != (b.phase == PHASE_F) ) ||
	    (a.micro != b.micro && (a.phase == PHASE_W) != (b.phase == PHASE_W));
}

static bool
allowed(const struct search *f, struct move m)
{
	const struct op *op = f->s->op;
	size_t low = m.from < m.to ? m.from + 1 : m.to, high = m.from < m.to ? m.to : m.from - 1;

	for (size_t i = low; i <= high; i++)
		if (!may_pass(op[m.from], op[i]))
			return false;
	return true;
}

/* Does the stage hold no more than it can, at the operations that moved? */
static bool
has_room(const struct search *f, struct move m)
{
	const struct schedule *s = f->s;
	size_t last = m.from < m.to ? m.to : m.from;
	double memory = 0, most = list_get(f->room->memory, m.stage) * (1 + CLOSE);
	int live = 0;

	for (size_t i = s->first[m.stage]; i <= last; i++) {
		live += s->op[i].phase == PHASE_F ? 1 : s->op[i].phase == PHASE_I ? 0 : -1;
		if (simulation_held(f->load, m.stage, &s->op[i], memory) > most ||
		    (f->room->live != NULL && live > f->room->live[m.stage]))
			return false;
		memory += simulation_memory(f->load, m.stage, s->op[i]);
	}
	return true;
}

/* The rules tried, those that help most often first. */
static const struct rule rules[] = {
	{ AS_BEFORE, false, 1 },
	{ BACKWARD_FIRST, true, 0 },
	{ BACKWARD_FIRST, true, 1 },
	{ STRICTLY, true, 0 },
	{ AS_BEFORE, false, 0 },
	{ IN_TURN, true, 0.5 },
	{ IN_TURN, true, 1 },
	{ STRICTLY, true, 1 },
	{ BACKWARD_FIRST, true, 0.5 },
	{ AS_BEFORE, false, 0.5 },
	{ IN_TURN, true, 0 },
	{ FORWARD_FIRST, true, 0 },
	{ FORWARD_FIRST, true, 1 },
	{ BACKWARD_FIRST, false, 0.5 },
};

double
order_list(struct schedule *s, const struct load *load, const struct room *room, double operations)
{
	struct schedule base = schedule_copy(s), other = schedule_copy(s);
	struct simulation sim = { 0 };
	struct lister *lister = lister_new(&base, load, room);
	double shortest = simulation_run(&sim, s, load) ? sim.step_time : INFINITY;

	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		operations -= (double)schedule_ops(s);
		if (operations < 0)
			break;
		if (!lister_list(lister, rules[i], &other))
			continue;
		if (simulation_run(&sim, &other, load) && sim.step_time < shortest * (1 - CLOSE) &&
		    room_enough(room, &other, load)) {
			struct schedule longer = *s;

			*s = other;
			other = longer;
			shortest = sim.step_time;
		}
	}
	lister_free(lister);
	simulation_free(&sim);
	schedule_free(&base);
	schedule_free(&other);
	return shortest;
}

double
order_search(struct schedule *s, const struct load *load, const struct room *room, double operations, uint64_t seed)
{
	size_t n = schedule_ops(s);
	struct search f = { .s = s, .load = load, .room = room, .random = seed * 2654435769u + 88172645463325252u };
	struct op *best = xcalloc(n, sizeof *best);
	double late[HISTORY], step, shortest;
	long changes = 0;

	f.place = xcalloc(schedule_slots(s), sizeof *f.place);
	f.joint = xcalloc(n, sizeof *f.joint);
	for (int stage = 0; stage < s->stages; stage++)
		index_ops(&f, stage, s->first[stage], s->first[stage + 1] - 1);
	simulation_run(&f.sim, s, load);
	step = shortest = f.sim.step_time;
	memcpy(best, s->op, n * sizeof *best);
	for (int i = 0; i < HISTORY; i++)
		late[i] = step;
	find_joints(&f);
	for (; operations > 0 && f.njoints > 0; operations -= (double)n / 16) {
		struct move m = random_move(&f);
		double *then = &late[changes % HISTORY];

		if (!allowed(&f, m))
			continue;
		apply(&f, m);
		if (!has_room(&f, m)) {
			apply(&f, undone(m));
			continue;
		}
		operations -= (double)n;
		changes++;
		if (!simulation_run(&f.sim, s, load) || (f.sim.step_time > *then && f.sim.step_time > step)) {
			apply(&f, undone(m));
			continue;
		}
		step = *then = f.sim.step_time;
		if (step < shortest * (1 - CLOSE)) {
			shortest = step;
			memcpy(best, s->op, n * sizeof *best);
		}
		find_joints(&f);
	}
	memcpy(s->op, best, n * sizeof *best);
	free(best);
	free(f.place);
	free(f.joint);
	simulation_free(&f.sim);
	return shortest;
}
