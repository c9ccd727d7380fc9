/*
 * Simulate a schedule with transfers as frameworks implement them. Between operations a stage posts sends and receives.
 * A transfer begins when both stages have posted it, the sender has waited on its own stream, and the previous
 * transfers in the queues of both stages are complete. The mode determines how long stages wait.
 *
 * For given posts, in every mode, every time is a maximum of sums of times. So no time shrinks when another grows. No
 * mode is faster than hidden transfers without post times. Proof by induction along the orders: each operation waits at
 * least for the operations that it waits for with hidden transfers. A transfer completes no earlier than its data are
 * computed and have travelled, and no operation that uses them begins earlier.
 */
#include "simulation_transfers.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "transfers.h"

/* How far a stage has come. */
struct transfer_progress {
	size_t op, part;
	double clock;
	bool posted;		/* the stage has posted its current call */
	long sent[2];		/* last send of a forward, of a backward */
};

/* Stages and transfers that may be able to advance, in a ring buffer. */
struct waiting_transfer {
	int *ring, head, n, stages;
	bool *in;		/* [stage]: the stage is in the ring */
	long *next;		/* transfers that may be able to take place */
	size_t count;
};

static void
wake(struct waiting_transfer *w, int stage)
{
	if (w->in[stage])
		return;
	w->in[stage] = true;
	w->ring[(w->head + w->n++) % w->stages] = stage;
}

/* Return the ms from which one side of a transfer is ready; -1: not yet known. */
static double
ready(const struct transfers *t, const struct transfer *x, int side)
{
	double before = x->before[side] == NO_TRANSFER ? 0 : t->at[x->before[side]].over;

	if (x->posted[side] < 0 || before < 0)
		return -1;
	return fmax(x->posted[side], before);
}

/* If transfer I can take place, compute its end, then the ends of its successors. */
static void
take_place(const struct transfers *t, long i, struct waiting_transfer *w)
{
	w->next[w->count++] = i;
	while (w->count > 0) {
		struct transfer *x = &t->at[w->next[--w->count]];
		double receiver = ready(t, x, 0), sender = ready(t, x, 1);

		if (receiver < 0 || sender < 0 || x->over >= 0)
			continue;
		/*
		 * The sends of an exchange wait one after the other on the stream, and so do its receives. post() adds
		 * these delays.
		 */
		if (t->way->call != CALL_EXCHANGE)
			sender += load_send_delay(t->load, x->from, x->to, x->forward ? PHASE_F : PHASE_B);
		x->over = fmax(receiver, sender) + load_delay(t->load, x->from, x->to);
		wake(w, x->from);
		wake(w, x->to);
		for (int side = 0; side < 2; side++)
			if (x->behind[side] != NO_TRANSFER)
				w->next[w->count++] = x->behind[side];
	}
}

/*
 * Post the transfers of a call. Each of them takes time of the stage. In an exchange none begins before all are posted.
 */
static void
post(const struct transfers *t, struct transfer_progress *p, int stage, size_t last, struct waiting_transfer *w)
{
	bool exchange = t->way->call == CALL_EXCHANGE;
	double wait = 0;

	p->clock += exchange ? t->load->post * (double)(last - p->part) : 0;
	for (size_t k = p->part; k < last && exchange; k++) {
		const struct transfer *x = &t->at[t->part[k].transfer];

		if (x->from == stage)
			wait += load_send_delay(t->load, stage, x->to, x->forward ? PHASE_F : PHASE_B);
	}
	for (size_t k = p->part; k < last; k++) {
		struct transfer *x = &t->at[t->part[k].transfer];

		p->clock += exchange ? 0 : t->load->post;
		x->posted[x->from == stage] = p->clock + wait;
	}
	for (size_t k = p->part; k < last; k++)
		take_place(t, (long)t->part[k].transfer, w);
	p->posted = true;
}

/* Process a call. Return false if the stage must wait for a transfer. */
static bool
go_through(const struct transfers *t, struct transfer_progress *p, int stage, struct waiting_transfer *w)
{
	size_t last = transfers_call_end(t, stage, p->op, p->part);
	double end;

	if (!p->posted)
		post(t, p, stage, last, w);
	end = p->clock;
	for (size_t k = p->part; k < last; k++) {
		long i = transfers_stays_for(t, stage, p->sent, (long)t->part[k].transfer);

		if (i != NO_TRANSFER && t->at[i].over < 0)
			return false;
		end = i != NO_TRANSFER ? fmax(end, t->at[i].over) : end;
	}
	for (size_t k = p->part; k < last; k++) {
		const struct transfer *x = &t->at[t->part[k].transfer];

		if (x->from == stage)
			p->sent[!x->forward] = (long)t->part[k].transfer;
	}
	p->clock = end;
	p->part = last;
	p->posted = false;
	return true;
}

/* Process the next call or operation of a stage. Return false if the stage must wait or has finished. */
static bool
step(const struct transfers *t, struct transfer_progress *all, int stage, struct waiting_transfer *w)
{
	const struct schedule *s = t->s;
	struct transfer_progress *p = &all[stage];
	size_t last;
	double time, start = p->clock;

	if (p->part < t->first[stage + 1] && t->part[p->part].before == p->op)
		return go_through(t, p, stage, w);
	if (p->op == s->first[stage + 1])
		return false;
	last = transfers_after(s, p->op);
	for (size_t i = p->op; i < last; i++) {
		if (t->taken[i] == NO_TRANSFER)
			continue;
		if (t->at[t->taken[i]].over < 0)
			return false;
		start = fmax(start, t->at[t->taken[i]].over);
	}
	time = simulation_duration(t->load, stage, s->op[p->op]);
	if (s->op[p->op].joined == 1)
		time = t->load->together * (time + simulation_duration(t->load, stage, s->op[p->op + 1]));
	p->clock = start + time;
	for (; p->op < last; p->op++)
		t->end[p->op] = p->clock;
	return true;
}

/* Run all stages. Return false if they stop before the end. */
static bool
run(const struct transfers *t)
{
	int n = t->s->stages;
	struct transfer_progress *p = xcalloc((size_t)n, sizeof *p);
	struct waiting_transfer w = { .ring = xcalloc((size_t)n, sizeof *w.ring), .stages = n,
	    .in = xcalloc((size_t)n, sizeof *w.in), .next = xcalloc(t->n + 2, sizeof *w.next) };
	bool done = true;

	for (size_t i = 0; i < t->n; i++)
		t->at[i].posted[0] = t->at[i].posted[1] = t->at[i].over = -1;
	for (int i = 0; i < n; i++) {
		wake(&w, i);
		p[i] = (struct transfer_progress){ .op = t->s->first[i], .part = t->first[i],
		    .sent = { NO_TRANSFER, NO_TRANSFER } };
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
	free(w.next);
	free(p);
	return done;
}

static void
take_ends(struct simulation *sim, const struct schedule *s, const double *end)
{
	sim->step_time = 0;
	for (int stage = 0; stage < s->stages; stage++)
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			sim->end[schedule_slot(s, stage, s->op[i])] = sim->last.at[stage] = end[i];
			sim->step_time = fmax(sim->step_time, end[i]);
		}
}

bool
simulation_run_transfers(struct simulation *sim, const struct schedule *s, const struct load *load)
{
	struct transfers t;
	bool done = transfers_find(&t, sim, s, load);

	if (done) {
		transfers_arrange(&t, false);
		if (!run(&t)) {
			transfers_arrange(&t, true);
			done = run(&t);
		}
		take_ends(sim, s, t.end);
	}
	if (!done)
		sim->step_time = -1;
	sim->load = load;
	transfers_free(&t);
	return done;
}
