#include "transfers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/schedule/scheme.h"

/* The modes. Their sources are in sapp(7), Transfers. */
static const struct way ways[] = {
	[TRANSFERS_BLOCKING] = { POST_AT_USE, CALL_EVEN_ODD, { STAY, STAY }, true, 0 },
	[TRANSFERS_BATCHED] = { POST_AT_USE, CALL_EXCHANGE, { STAY, STAY }, true, 0 },
	[TRANSFERS_OVERLAP] = { POST_NEXT, CALL_ALL, { STAY, STAY_BEFORE }, false, 0 },
	[TRANSFERS_STREAMS_1] = { POST_IN_TURNS, CALL_ALL, { STAY_NOT, STAY_NOT }, false, 1 },
	[TRANSFERS_STREAMS_2] = { POST_IN_TURNS, CALL_ALL, { STAY_NOT, STAY_NOT }, false, 2 },
	[TRANSFERS_STREAMS_4] = { POST_IN_TURNS, CALL_ALL, { STAY_NOT, STAY_NOT }, false, 4 },
	[TRANSFERS_ONE_BY_ONE] = { POST_AT_USE, CALL_IN_TURN, { STAY, STAY }, true, 0 },
};

/* Return the position of the first operation of a stage that starts at TIME or later. */
static size_t
position_at(const struct transfers *t, int stage, double time)
{
	size_t low = t->s->first[stage], high = t->s->first[stage + 1];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->start[middle] < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return the first moment, from TIME on, at which the stage is between two operations. */
static double
free_at(const struct transfers *t, int stage, double time)
{
	size_t i = position_at(t, stage, time);

	return i == t->s->first[stage] ? time : fmax(time, t->end[i - 1]);
}

/*
 * Return the first moment at which both stages are between operations. If it is after the data are needed, return the
 * first such moment of the receiver alone.
 */
static double
moment(const struct transfers *t, const struct transfer *x)
{
	double made = t->end[x->sent], when = made, needed = t->start[x->used];

	while (when <= needed) {
		double receiver = free_at(t, x->to, when), sender = free_at(t, x->from, receiver);

		if (sender <= receiver)
			return receiver;
		when = sender;
	}
	return free_at(t, x->to, made);
}

size_t
transfers_after(const struct schedule *s, size_t i)
{
	return i + (s->op[i].joined == 1 ? 2 : 1);
}

static size_t
at(const struct schedule *s, size_t i)
{
	return i - (s->op[i].joined == 2 ? 1 : 0);
}

/*
 * Return whether the data of a transfer are computed while forwards and backwards alternate. An operation of the other
 * kind then follows. Return false for forward data that are used less than two positions later in their stage's order.
 * There sender and receiver turn from all forwards to all backwards, and late data would deadlock.
 */
static bool
made_alternating(const struct schedule *s, const struct transfer *x)
{
	size_t next = x->sent + 1;

	if (next == s->first[x->from + 1] || (s->op[next].phase == PHASE_F) == x->forward)
		return false;
	return !x->forward || x->used - s->first[x->to] >= next + 1 - s->first[x->from];
}

/*
 * Return whether micro-batches run in rounds of P, the number of stages. The first stage is then free for each
 * micro-batch that returns.
 */
static bool
whole_rounds(const struct shape *q)
{
	return schedule_scheme(q->kind)->early && q->chunks > 1 && q->splits <= 1 && q->micro % q->stages == 0 &&
	    (q->group == 0 || q->group == q->stages);
}

/*
 * Return the position after the previous operation of the same kind on the stage. If none precedes, return the position
 * of the previous operation.
 */
static size_t
behind_last(const struct schedule *s, int stage, size_t used)
{
	bool forward = s->op[used].phase == PHASE_F;
	size_t i = at(s, used), first = s->first[stage];

	for (size_t k = i; k-- > first;)
		if ((s->op[k].phase == PHASE_F) == forward && s->op[k].phase != PHASE_W)
			return transfers_after(s, k);
	return i > first ? at(s, i - 1) : i;
}

static void
list(struct transfers *t)
{
	const struct schedule *s = t->s;
	uint32_t *position = xcalloc(schedule_slots(s), sizeof *position);

	t->at = xcalloc(schedule_ops(s), sizeof *t->at);
	t->taken = xcalloc(schedule_ops(s), sizeof *t->taken);
	for (int stage = 0; stage < s->stages; stage++)
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++)
			position[schedule_slot(s, stage, s->op[i])] = (uint32_t)i;
	for (int stage = 0; stage < s->stages; stage++)
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			struct need need = schedule_need(s, stage, s->op[i]);

			t->taken[i] = NO_TRANSFER;
			if (need.stage < 0 || need.stage == stage)
				continue;
			t->taken[i] = (int32_t)t->n;
			t->at[t->n++] = (struct transfer){
				.from = need.stage,
				.to = stage,
				.sent = position[schedule_slot(s, need.stage, need.op)],
				.used = (uint32_t)i,
				.forward = need.op.phase == PHASE_F,
			};
		}
	free(position);
}

/*
 * Return whether the data for operation I, and for the operation that overlaps it, are computed. Data from the stage
 * itself count as computed.
 */
static bool
all_made(const struct transfers *t, const bool *made, size_t i)
{
	for (size_t last = transfers_after(t->s, i); i < last; i++)
		if (t->taken[i] != NO_TRANSFER && !made[t->taken[i]])
			return false;
	return true;
}

/*
 * Run operations in turns: in each round every stage, in order, runs its next operation if its data are computed. The
 * stage posts the sends after the operation, and the receivers post the receives at their current positions. So all
 * stages post transfers in the same order, and an operation that waits for a transfer comes after its posts. This order
 * cannot deadlock.
 */
static void
post_in_turns(struct transfers *t)
{
	const struct schedule *s = t->s;
	bool *made = xcalloc(t->n, sizeof *made), went = true;
	size_t *next = xcalloc((size_t)s->stages, sizeof *next);
	int32_t *sends = xcalloc(schedule_ops(s), sizeof *sends);
	double turn = 0;

	for (size_t i = 0; i < schedule_ops(s); i++)
		sends[i] = NO_TRANSFER;
	for (size_t i = 0; i < t->n; i++)
		sends[t->at[i].sent] = (int32_t)i;
	for (int stage = 0; stage < s->stages; stage++)
		next[stage] = s->first[stage];
	while (went) {
		went = false;
		for (int stage = 0; stage < s->stages; stage++) {
			size_t i = next[stage];

			if (i == s->first[stage + 1] || !all_made(t, made, i))
				continue;
			for (next[stage] = transfers_after(s, i); i < next[stage]; i++) {
				struct transfer *x = sends[i] == NO_TRANSFER ? NULL : &t->at[sends[i]];

				if (x != NULL) {
					made[sends[i]] = true;
					x->when = turn++;
					x->early = (uint32_t)next[x->to];
				}
			}
			went = true;
		}
	}
	free(made);
	free(next);
	free(sends);
}

static void
place(struct transfers *t)
{
	bool rounds = whole_rounds(&t->s->shape) &&
	    (t->way->call == CALL_EVEN_ODD || t->way->call == CALL_EXCHANGE);

	t->late = xcalloc(schedule_ops(t->s), sizeof *t->late);
	if (t->way->post == POST_IN_TURNS) {
		post_in_turns(t);
		return;
	}
	for (size_t i = 0; i < t->n; i++) {
		struct transfer *x = &t->at[i];

		x->when = moment(t, x);
		x->early = (uint32_t)(t->way->post == POST_NEXT ? behind_last(t->s, x->to, x->used)
		    : at(t->s, x->used));
		t->late[x->sent] = rounds && made_alternating(t->s, x);
	}
}

static bool
comes_before(const struct transfers *t, const struct transfer_part *x, const struct transfer_part *y)
{
	double a = t->at[x->transfer].when, b = t->at[y->transfer].when;

	if (x->before != y->before)
		return x->before < y->before;
	if (x->rank != y->rank)
		return x->rank < y->rank;
	/* All stages break ties in the same way, so no cycle can occur. */
	return a != b ? a < b : x->transfer < y->transfer;
}

/*
 * Sort the parts of a stage by the operation after them. Few parts have the same operation. ROOM: buffer for the parts;
 * AT: buffer for the operations.
 */
static void
sort_parts(const struct transfers *t, int stage, struct transfer_part *room, uint32_t *at)
{
	size_t first = t->s->first[stage], n = t->first[stage + 1] - t->first[stage];
	size_t places = t->s->first[stage + 1] - first + 1;
	struct transfer_part *part = t->part + t->first[stage];

	memset(at, 0, (places + 1) * sizeof *at);
	memcpy(room, part, n * sizeof *room);
	for (size_t k = 0; k < n; k++)
		at[room[k].before - first + 1]++;
	for (size_t k = 0; k < places; k++)
		at[k + 1] += at[k];
	for (size_t k = 0; k < n; k++)
		part[at[room[k].before - first]++] = room[k];
	for (size_t k = 1; k < n; k++) {
		struct transfer_part p = part[k];
		size_t to = k;

		for (; to > 0 && comes_before(t, &p, &part[to - 1]); to--)
			part[to] = part[to - 1];
		part[to] = p;
	}
}

/*
 * Return the rank of a transfer among the transfers before the same operation, if even stages send first. Data of
 * forwards precede data of backwards. Within a kind, even stages send before they receive. Odd stages receive first,
 * unless they still have to send the data of the previous operation.
 */
static int
even_odd(const struct transfers *t, const struct transfer *x, bool sends)
{
	bool second = !t->late[x->sent] && x->sent > t->s->first[x->from] && t->late[x->sent - 1];
	int kind = x->forward ? 0 : 3;

	if (!sends)
		return kind + 1;
	return kind + (x->from % 2 == 0 || second ? 0 : 2);
}

/*
 * Return the number of the exchange that a transfer belongs to, among the transfers before the same operation. With one
 * chunk per stage, the first exchange has the sends. The first exchange also has the receive if the stage receives from
 * the stage to which it sends. With several chunks all transfers are one exchange.
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
 * Return the rank of a send or receive. Sends come first, except between a backward and a forward. Between a backward
 * and a forward, both transfers are with the stage before, which sends first.
 */
static int
in_turn(const struct transfers *t, size_t before, int stage, bool sends)
{
	const struct op *op = t->s->op + before;
	bool turns = before > t->s->first[stage] && before < t->s->first[stage + 1] && op->phase == PHASE_F &&
	    op[-1].phase != PHASE_F;

	return sends == turns;
}

static int
rank(const struct transfers *t, const struct transfer *x, size_t before, int stage)
{
	bool sends = x->from == stage;

	switch (t->way->call) {
	case CALL_EVEN_ODD:
		return even_odd(t, x, sends);
	case CALL_EXCHANGE:
		return exchange(t, x, sends);
	case CALL_IN_TURN:
		return in_turn(t, before, stage, sends);
	case CALL_ALL:
		break;
	}
	return 0;
}

/*
 * Return a stage's part of a transfer. A receive is before the use or earlier, a send after the data are computed or
 * one operation later. TIMED: place it at the transfer's moment, for modes whose rule would deadlock.
 */
static struct transfer_part
part_of(const struct transfers *t, size_t i, int stage, bool timed)
{
	const struct transfer *x = &t->at[i];
	bool sends = x->from == stage;
	size_t before;

	if (!timed) {
		before = sends ? transfers_after(t->s, x->sent) + t->late[x->sent] : x->early;
		return (struct transfer_part){ (uint32_t)before, (uint32_t)i, rank(t, x, before, stage) };
	}
	before = position_at(t, stage, x->when);
	if (sends && before < transfers_after(t->s, x->sent))
		before = transfers_after(t->s, x->sent);
	if (!sends && before > at(t->s, x->used))
		before = at(t->s, x->used);
	if (before < t->s->first[stage + 1])
		before = at(t->s, before);
	return (struct transfer_part){ .before = (uint32_t)before, .transfer = (uint32_t)i };
}

int
transfers_queue(const struct way *way, const struct transfer *x, bool sends)
{
	return way->queues == 4 ? 2 * sends + x->forward : way->queues == 2 ? sends : 0;
}

/* Link each transfer to its predecessor in the queues of the stage. */
static void
line_up(struct transfers *t, int stage)
{
	int32_t last[4] = { NO_TRANSFER, NO_TRANSFER, NO_TRANSFER, NO_TRANSFER };

	for (size_t k = t->first[stage]; k < t->first[stage + 1]; k++) {
		int32_t i = (int32_t)t->part[k].transfer, *before;
		struct transfer *x = &t->at[i];
		bool sends = x->from == stage;

		before = &last[transfers_queue(t->way, x, sends)];
		x->before[sends] = *before;
		if (*before != NO_TRANSFER)
			t->at[*before].behind[t->at[*before].from == stage] = i;
		*before = i;
	}
}

void
transfers_arrange(struct transfers *t, bool timed)
{
	size_t *next = xcalloc((size_t)t->s->stages, sizeof *next), most = 0;
	struct transfer_part *room;
	uint32_t *places;

	free(t->first);
	free(t->part);
	t->first = xcalloc((size_t)t->s->stages + 1, sizeof *t->first);
	t->part = xcalloc(2 * t->n, sizeof *t->part);
	for (size_t i = 0; i < t->n; i++) {
		t->at[i].before[0] = t->at[i].before[1] = t->at[i].behind[0] = t->at[i].behind[1] = NO_TRANSFER;
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
	for (int s = 0; s < t->s->stages; s++) {
		size_t operations = t->s->first[s + 1] - t->s->first[s], parts = t->first[s + 1] - t->first[s];

		most = operations > most ? operations : most;
		most = parts > most ? parts : most;
	}
	room = xcalloc(most, sizeof *room);
	places = xcalloc(most + 2, sizeof *places);
	for (int s = 0; s < t->s->stages; s++)
		sort_parts(t, s, room, places);
	free(room);
	free(places);
	for (int s = 0; s < t->s->stages && t->way->queues > 0; s++)
		line_up(t, s);
	free(next);
}

/*
 * Return a load in which operations take 1 ms and backwards with weight gradients 2 ms. Lists other than times are
 * shared.
 */
static struct load
even(const struct load *load)
{
	struct load l = load_undelayed(load);
	int pieces = l.chunks * l.stages;

	l.factor[0] = l.factor[1] = (struct table){ 0 };
	l.together = 1;
	l.forward = table_new(l.chunks, l.stages);
	l.backward = table_new(l.chunks, l.stages);
	l.weight = table_new(l.chunks, l.stages);
	for (int i = 0; i < pieces; i++) {
		l.forward.at[i] = l.weight.at[i] = 1;
		l.backward.at[i] = 2;
	}
	return l;
}

/* Store the start and end of each operation in the even run, by position. */
static void
take_even(struct transfers *t)
{
	const struct schedule *s = t->s;

	t->start = xcalloc(schedule_ops(s), sizeof *t->start);
	t->end = xcalloc(schedule_ops(s), sizeof *t->end);
	for (int stage = 0; stage < s->stages; stage++)
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			t->start[i] = simulation_start(t->sim, stage, i);
			t->end[i] = t->sim->end[schedule_slot(s, stage, s->op[i])];
		}
}

bool
transfers_find(struct transfers *t, struct simulation *sim, const struct schedule *s, const struct load *load)
{
	bool done;

	*t = (struct transfers){ .way = &ways[load->transfers], .sim = sim, .s = s, .load = load };
	t->even = even(load);
	done = simulation_run(sim, s, &t->even);
	if (done) {
		take_even(t);
		list(t);
		place(t);
	}
	return done;
}

void
transfers_free(struct transfers *t)
{
	free(t->even.forward.at);
	free(t->even.backward.at);
	free(t->even.weight.at);
	free(t->at);
	free(t->late);
	free(t->taken);
	free(t->start);
	free(t->first);
	free(t->part);
	free(t->end);
	*t = (struct transfers){ 0 };
}

size_t
transfers_call_end(const struct transfers *t, int stage, size_t op, size_t part)
{
	bool alone = t->way->call == CALL_EVEN_ODD || t->way->call == CALL_IN_TURN;
	size_t last = part + 1;

	while (!alone && last < t->first[stage + 1] && t->part[last].before == op &&
	    t->part[last].rank == t->part[part].rank)
		last++;
	return last;
}

long
transfers_stays_for(const struct transfers *t, int stage, const long sent[2], long i)
{
	const struct transfer *x = &t->at[i];

	if (x->to == stage)
		return t->way->receives ? i : NO_TRANSFER;
	switch (t->way->stay[!x->forward]) {
	case STAY:
		return i;
	case STAY_BEFORE:
		return sent[!x->forward];
	case STAY_NOT:
		break;
	}
	return NO_TRANSFER;
}
