/*
 * Delays that keep both stages busy: a transfer takes place when sender and receiver are both between
 * two operations, and neither goes on before it is over. Its place in the order of a stage decides.
 *
 * In exchanges a stage begins several transfers at once, and goes on when the last of them is over: each begins when
 * both stages have come to it, and takes as long as if it were alone (sapp.7).
 */
#include "simulation_blocking.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"

struct transfer {
	int from, to;		/* stages */
	size_t sent, used;	/* positions in schedule.op: what makes the data, and what takes them */
	bool forward;
	double when;		/* in the run without delays */
};

/* A transfer as one of its stages sees it. */
struct part {
	size_t before;		/* position of the operation it comes before */
	int rank;		/* among those before the same operation; the same of all parts of an exchange */
	double when;
	size_t transfer;
};

struct transfers {
	const struct simulation *sim;	/* without delays, by which they are put in order */
	const struct schedule *s;
	const struct load *load;	/* with them */
	double little;			/* ms, less than anything takes in that order */
	size_t n;
	struct transfer *at;
	bool *late;			/* [operations]: what they make is sent one operation later */
	size_t *first;		/* [stages + 1]: where each stage's parts begin */
	struct part *part;
	double *posted;		/* [transfers x 2], when receiver and sender came to its exchange; -1: not yet */
	double *end;		/* [operations], with the delays, by position in schedule.op */
};

static double
end_of(const struct transfers *t, int stage, size_t i)
{
	return t->sim->end[schedule_slot(t->s, stage, t->s->op[i])];
}

/* The first position on a stage whose operation begins at TIME or later. */
static size_t
position_at(const struct transfers *t, int stage, double time)
{
	size_t low = t->s->first[stage], high = t->s->first[stage + 1];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (simulation_start(t->sim, stage, middle) < time - t->little / 100)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first moment from TIME on at which a stage is between operations. */
static double
free_at(const struct transfers *t, int stage, double time)
{
	size_t i = position_at(t, stage, time);

	return i == t->s->first[stage] ? time : fmax(time, end_of(t, stage, i - 1));
}

/* When both stages are first free at once, if not too late for the data; otherwise when the receiver is. */
static double
moment(const struct transfers *t, const struct transfer *x)
{
	double made = end_of(t, x->from, x->sent), when = made;
	double needed = simulation_start(t->sim, x->to, x->used);

	while (when <= needed + t->little / 100) {
		double receiver = free_at(t, x->to, when), sender = free_at(t, x->from, receiver);

		if (sender <= receiver)
			return receiver;
		when = sender;
	}
	return free_at(t, x->to, made);
}

static size_t
after(const struct schedule *s, size_t i)
{
	return i + (s->op[i].joined == 1 ? 2 : 1);
}

static size_t
at(const struct schedule *s, size_t i)
{
	return i - (s->op[i].joined == 2 ? 1 : 0);
}

/*
 * Made while forwards and backwards alternate: an operation of the other kind comes next. Not so forward data
 * used less than two places further on in the order of their stage: sender and receiver then turn from all
 * their forwards to all their backwards, and late data would make them wait for each other for ever.
 */
static bool
made_alternating(const struct schedule *s, const struct transfer *x)
{
	size_t next = x->sent + 1;

	if (next == s->first[x->from + 1] || (s->op[next].phase == PHASE_F) == x->forward)
		return false;
	return !x->forward || x->used - s->first[x->to] >= next + 1 - s->first[x->from];
}

/* Micro-batches go round as many at a time as there are stages: the first stage is free for each that is back. */
static bool
whole_rounds(const struct shape *q)
{
	return q->kind == SCHEDULE_VPP && q->chunks > 1 && q->splits <= 1 && q->micro % q->stages == 0 &&
	    (q->group == 0 || q->group == q->stages);
}

static void
find_transfers(struct transfers *t)
{
	const struct schedule *s = t->s;
	size_t slots = schedule_slots(s);
	size_t *position = xcalloc(slots, sizeof *position);
	bool late = whole_rounds(&s->shape);

	t->at = xcalloc(schedule_ops(s), sizeof *t->at);
	for (int stage = 0; stage < s->stages; stage++)
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++)
			position[schedule_slot(s, stage, s->op[i])] = i;
	for (int stage = 0; stage < s->stages; stage++)
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			struct need need = schedule_need(s, stage, s->op[i]);

			if (need.stage >= 0 && need.stage != stage)
				t->at[t->n++] = (struct transfer){
					.from = need.stage,
					.to = stage,
					.sent = position[schedule_slot(s, need.stage, need.op)],
					.used = i,
					.forward = need.op.phase == PHASE_F,
				};
		}
	free(position);
	t->late = xcalloc(schedule_ops(s), sizeof *t->late);
	for (size_t i = 0; i < t->n; i++) {
		struct transfer *x = &t->at[i];

		x->when = moment(t, x);
		t->late[x->sent] = late && made_alternating(s, x);
	}
}

static int
by_place(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->before != y->before)
		return x->before < y->before ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->when != y->when)
		return x->when < y->when ? -1 : 1;
	return x->transfer < y->transfer ? -1 : x->transfer > y->transfer;
}

/*
 * Between two operations forward data go first. Of the same kind, even stages send before they receive, and odd
 * ones the other way round, unless they still have the data of the operation before to send.
 */
static int
rank(const struct transfers *t, const struct transfer *x, bool sends)
{
	bool second = !t->late[x->sent] && x->sent > t->s->first[x->from] && t->late[x->sent - 1];
	int kind = x->forward ? 0 : 3;

	if (!sends)
		return kind + 1;
	return kind + (x->from % 2 == 0 || second ? 0 : 2);
}

/*
 * The exchange among those before the same operation. With one chunk a stage sends first, and what it then receives
 * belongs to the same exchange if that is with the same stage; with several chunks all of it is one.
 */
static int
exchange(const struct transfers *t, const struct transfer *x, bool sends)
{
	const struct op *op = t->s->op + x->used;

	if (sends || t->s->chunks > 1 || x->used == t->s->first[x->to])
		return 0;
	return schedule_receiver(t->s, x->to, op[-1]) == x->from ? 0 : 1;
}

/*
 * Received just before use; sent as soon as made, or one operation later. Where that makes stages wait for each
 * other for ever, each transfer has its moment instead.
 */
static struct part
part_of(const struct transfers *t, size_t i, int stage, bool timed)
{
	const struct transfer *x = &t->at[i];
	bool sends = x->from == stage;
	struct part p = { .transfer = i, .when = x->when };

	if (!timed) {
		p.before = sends ? after(t->s, x->sent) + t->late[x->sent] : at(t->s, x->used);
		p.rank = t->load->batched ? exchange(t, x, sends) : rank(t, x, sends);
		return p;
	}
	p.before = position_at(t, stage, x->when);
	if (sends && p.before < after(t->s, x->sent))
		p.before = after(t->s, x->sent);
	if (!sends && p.before > at(t->s, x->used))
		p.before = at(t->s, x->used);
	if (p.before < t->s->first[stage + 1])
		p.before = at(t->s, p.before);
	/* At the same moment everywhere in the same order, so that no circle can come about. */
	p.transfer = i;
	return p;
}

static void
arrange(struct transfers *t, bool timed)
{
	size_t *next = xcalloc((size_t)t->s->stages, sizeof *next);

	free(t->first);
	free(t->part);
	t->first = xcalloc((size_t)t->s->stages + 1, sizeof *t->first);
	t->part = xcalloc(2 * t->n, sizeof *t->part);
	for (size_t i = 0; i < t->n; i++) {
		t->first[t->at[i].from + 1]++;
		t->first[t->at[i].to + 1]++;
	}
	for (int s = 0; s < t->s->stages; s++) {
		t->first[s + 1] += t->first[s];
		next[s] = t->first[s];
	}
	for (size_t i = 0; i < t->n; i++) {
		t->part[next[t->at[i].from]++] = part_of(t, i, t->at[i].from, timed);
		t->part[next[t->at[i].to]++] = part_of(t, i, t->at[i].to, timed);
	}
	for (int s = 0; s < t->s->stages; s++)
		qsort(t->part + t->first[s], t->first[s + 1] - t->first[s], sizeof *t->part, by_place);
	free(next);
}

/* How far a stage has come. */
struct progress {
	size_t op, part;
	double clock;
	bool posted;		/* its exchange has begun */
};

/* Stages that may be able to go on. */
struct waiting {
	int *ring, head, n, stages;
	bool *in;		/* [stages] */
};

static void
wake(struct waiting *w, int stage)
{
	if (w->in[stage])
		return;
	w->in[stage] = true;
	w->ring[(w->head + w->n++) % w->stages] = stage;
}

/* The transfer a stage stands at, SIZE_MAX: none. */
static size_t
standing_at(const struct transfers *t, const struct progress *p, int stage)
{
	if (p->part == t->first[stage + 1] || t->part[p->part].before != p->op)
		return SIZE_MAX;
	return t->part[p->part].transfer;
}

/* One transfer, both stages being there. */
static bool
hand_over(const struct transfers *t, struct progress *all, int stage, size_t i, struct waiting *w)
{
	const struct transfer *x = &t->at[i];
	int there = x->from == stage ? x->to : x->from;
	struct progress *p = &all[stage], *q = &all[there];

	if (standing_at(t, q, there) != i)
		return false;
	p->clock = fmax(p->clock, q->clock) + load_delay(t->load, x->from, x->to) + t->load->post +
	    load_send_delay(t->load, x->from, x->to, x->forward ? PHASE_F : PHASE_B);
	q->clock = p->clock;
	p->part++;
	q->part++;
	wake(w, there);
	return true;
}

/* Begin the exchange that a stage stands at, up to part LAST: what it sends may wait on its own stream. */
static void
post(const struct transfers *t, struct progress *p, int stage, size_t last, struct waiting *w)
{
	double at = p->clock + t->load->post * (double)(last - p->part);

	for (size_t k = p->part; k < last; k++) {
		const struct transfer *x = &t->at[t->part[k].transfer];

		if (x->from == stage)
			at += load_send_delay(t->load, stage, x->to, x->forward ? PHASE_F : PHASE_B);
	}
	for (size_t k = p->part; k < last; k++) {
		const struct transfer *x = &t->at[t->part[k].transfer];

		t->posted[2 * t->part[k].transfer + (x->from == stage)] = at;
		wake(w, x->from == stage ? x->to : x->from);
	}
	p->posted = true;
}

/* Go through an exchange; false when another stage has not come to one of its transfers. */
static bool
go_through(const struct transfers *t, struct progress *p, int stage, struct waiting *w)
{
	size_t last = p->part + 1;
	double end = p->clock;

	while (last < t->first[stage + 1] && t->part[last].before == p->op &&
	    t->part[last].rank == t->part[p->part].rank)
		last++;
	if (!p->posted)
		post(t, p, stage, last, w);
	for (size_t k = p->part; k < last; k++) {
		size_t i = t->part[k].transfer;
		double one = t->posted[2 * i], other = t->posted[2 * i + 1];

		if (one < 0 || other < 0)
			return false;
		end = fmax(end, fmax(one, other) + load_delay(t->load, t->at[i].from, t->at[i].to));
	}
	p->clock = end;
	p->part = last;
	p->posted = false;
	return true;
}

/* One step of a stage; false when it must wait, or has nothing left to do. */
static bool
step(const struct transfers *t, struct progress *all, int stage, struct waiting *w)
{
	const struct schedule *s = t->s;
	struct progress *p = &all[stage];
	size_t i = standing_at(t, p, stage);
	double time;

	if (i != SIZE_MAX)
		return t->load->batched ? go_through(t, p, stage, w) : hand_over(t, all, stage, i, w);
	if (p->op == s->first[stage + 1])
		return false;
	time = simulation_duration(t->load, stage, s->op[p->op]);
	if (s->op[p->op].joined == 1)
		time = t->load->together * (time + simulation_duration(t->load, stage, s->op[p->op + 1]));
	p->clock += time;
	for (size_t last = after(s, p->op); p->op < last; p->op++)
		t->end[p->op] = p->clock;
	return true;
}

/* Run all stages; false when they stop before the end. */
static bool
run(const struct transfers *t)
{
	int n = t->s->stages;
	struct progress *p = xcalloc((size_t)n, sizeof *p);
	struct waiting w = { .ring = xcalloc((size_t)n, sizeof *w.ring), .stages = n,
	    .in = xcalloc((size_t)n, sizeof *w.in) };
	bool done = true;

	for (size_t i = 0; i < 2 * t->n; i++)
		t->posted[i] = -1;
	for (int i = 0; i < n; i++) {
		wake(&w, i);
		p[i] = (struct progress){ .op = t->s->first[i], .part = t->first[i] };
	}
	while (w.n > 0) {
		int stage = w.ring[w.head];

		w.head = w.head + 1 == n ? 0 : w.head + 1;
		w.n--;
		w.in[stage] = false;
		while (step(t, p, stage, &w))
			continue;
	}
	for (int i = 0; i < n; i++)
		done &= p[i].op == t->s->first[i + 1] && p[i].part == t->first[i + 1];
	free(w.ring);
	free(w.in);
	free(p);
	return done;
}

/* A load by which transfers can be put in order: without delays, and nothing in it takes no time at all. */
static struct load
orderly(const struct load *load, double *little)
{
	struct load l = load_undelayed(load);
	int pieces = l.chunks * l.stages;

	l.factor[0] = l.factor[1] = (struct table){ 0 };
	l.forward = table_copy(l.forward);
	l.backward = table_copy(l.backward);
	l.weight = table_copy(l.weight);
	*little = 0;
	for (int i = 0; i < pieces; i++)
		*little += 1e-4 * (l.forward.at[i] + l.backward.at[i]) / pieces;
	if (*little == 0)
		*little = 1;
	for (int i = 0; i < pieces; i++) {
		l.forward.at[i] = fmax(l.forward.at[i], *little);
		l.weight.at[i] = fmax(l.weight.at[i], *little);
		l.backward.at[i] = fmax(l.backward.at[i], l.weight.at[i] + *little);
	}
	return l;
}

static void
take_ends(struct simulation *sim, const double *end)
{
	const struct schedule *s = sim->schedule;

	sim->step_time = 0;
	for (int stage = 0; stage < s->stages; stage++)
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			sim->end[schedule_slot(s, stage, s->op[i])] = sim->last.at[stage] = end[i];
			sim->step_time = fmax(sim->step_time, end[i]);
		}
}

bool
simulation_run_blocking(struct simulation *sim, const struct schedule *s, const struct load *load)
{
	struct transfers t = { .sim = sim, .s = s, .load = load };
	struct load still = orderly(load, &t.little);
	bool done = simulation_run(sim, s, &still);

	if (done) {
		t.end = xcalloc(schedule_ops(s), sizeof *t.end);
		find_transfers(&t);
		t.posted = xcalloc(2 * t.n, sizeof *t.posted);
		arrange(&t, false);
		if (!run(&t)) {
			arrange(&t, true);
			done = run(&t);
		}
		take_ends(sim, t.end);
	}
	if (!done)
		sim->step_time = -1;
	sim->load = load;
	free(still.forward.at);
	free(still.backward.at);
	free(still.weight.at);
	free(t.at);
	free(t.late);
	free(t.first);
	free(t.part);
	free(t.posted);
	free(t.end);
	return done;
}
