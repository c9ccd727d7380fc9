/*
 * The transfer time over each boundary is the mean of the transfers' events. Without such events, it is the time from
 * the end of a stage's operation to the start of the next stage's operation that waited for it.
 */
#include "operation_links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/record/record.h"

static const double slow = 2;		/* factor above the median of all boundaries */
static const double consistent = 2;	/* factor above the median of all stages */
/* minimum gap between two operations, relative to the link's time, that shows a busy stage */
static const double exchange = 0.75;
static const double alike = 1e-6;	/* relative difference that counts as rounding */
static const double too_early = 0.05;	/* fraction of the transfers' time above which stages were waiting for data */
static const double noticed = 0.05;	/* fraction of the link's time below which a sender's delay is ignored */

/* The arrival of data at an operation, with the gap since the previous operation of its stage. */
struct arrival {
	int stage;
	int from;		/* boundary that the data cross; -1: none */
	int kind;
	/* ms from the end of the operation that computed the data to the start of this operation */
	double late;
	/* ms from the end of the stage's previous operation to the end of the operation that computed the data */
	double idle;
	/* number of transfers of the stage between its previous operation and this one; 0: unknown */
	int posts;
	int link;		/* boundary of one of these transfers */
	double gap;		/* ms from the end of the stage's previous operation */
};

struct arrivals {
	size_t n;
	struct arrival *at;
	double transfers, early;	/* ms of transfers; ms of them before the data were computed */
};

struct samples {
	int n;
	double *at;
};

/*
 * Return the number of boundaries: one between two neighbouring stages, and with several chunks one from the last stage
 * to the first.
 */
static int
boundaries(const struct operation_steps *s)
{
	return s->stages < 2 ? 0 : s->chunks > 1 && s->stages > 2 ? s->stages : s->stages - 1;
}

/* Return the boundary before a piece. */
static int
boundary_before(const struct operation_steps *s, int piece)
{
	return (piece - 1) % s->stages % boundaries(s);
}

/*
 * Return the boundary between an operation's piece and the piece from which it receives data; with SENDS, to which it
 * sends data. -1: none.
 */
static int
boundary_of(const struct operation_steps *s, int kind, int piece, bool sends)
{
	bool before = (kind == OPERATION_FORWARD) != sends;

	if (before ? piece == 0 : piece == s->stages * s->chunks - 1)
		return -1;
	return boundary_before(s, before ? piece : piece + 1);
}

static int
piece_of(const struct operation_steps *s, const struct trace_operation *op)
{
	return op->chunk * s->stages + s->of->thread[op->thread].stage;
}

static void
arrivals_add(struct arrivals *a, const struct operation_steps *s, const struct operation_step *step, int pipeline)
{
	const struct trace_operation *at = s->of->at, *op;
	size_t stages = (size_t)s->pipelines * (size_t)s->stages;
	/* Positions of the step's operations in operations.at. */
	size_t *index = xcalloc(2 * stages * (size_t)s->chunks * (size_t)s->micro, sizeof *index);
	/* The last operation of each stage, and the end of the stage's work. */
	const struct trace_operation **last = xcalloc(stages, sizeof *last);
	/* The transfer after the last operation of each stage. */
	const struct trace_operation **received = xcalloc(stages, sizeof *received);
	int64_t *busy = xcalloc(stages, sizeof *busy);

	for (size_t i = step->from; i < step->to; i++)
		if (at[i].kind <= OPERATION_BACKWARD)
			index[operation_slot(s, s->of->thread[at[i].thread].pipeline, at[i].kind,
			    piece_of(s, &at[i]), at[i].micro)] = i;
	for (op = at + step->from; op < at + step->to; op++) {
		const struct thread *t = &s->of->thread[op->thread];
		size_t k = (size_t)t->pipeline * (size_t)s->stages + (size_t)t->stage;

		if (pipeline >= 0 && t->pipeline != pipeline)
			continue;
		if (op->kind == OPERATION_TRANSFER) {
			a->transfers += ms(op->end - op->start);
			received[k] = op;
			continue;
		}
		if (op->kind <= OPERATION_BACKWARD) {
			int piece = piece_of(s, op), from = boundary_of(s, op->kind, piece, false);
			int to = last[k] != NULL && last[k]->kind <= OPERATION_BACKWARD ?
			    boundary_of(s, last[k]->kind, piece_of(s, last[k]), true) : -1;
			struct arrival r = { .stage = t->stage, .from = from, .kind = op->kind, .idle = INFINITY };

			if (from >= 0) {
				int maker = op->kind == OPERATION_FORWARD ? piece - 1 : piece + 1;
				size_t slot = operation_slot(s, t->pipeline, op->kind, maker, op->micro);
				int64_t made = at[index[slot]].end;

				r.late = ms(op->start - made);
				if (received[k] != NULL && received[k]->start < made && received[k]->end > made)
					a->early += ms(made - received[k]->start);
				if (last[k] != NULL)
					r.idle = ms(made - busy[k]);
			}
			if (last[k] != NULL && last[k]->kind <= OPERATION_BACKWARD && busy[k] == last[k]->end) {
				r.posts = (from >= 0) + (to >= 0);
				r.link = to >= 0 ? to : from;
				r.gap = ms(op->start - busy[k]);
			}
			*APPEND(a->at, a->n) = r;
		}
		if (last[k] == NULL || op->end > busy[k])
			busy[k] = op->end;
		last[k] = op;
		received[k] = NULL;
	}
	free(received);
	free(index);
	free(last);
	free(busy);
}

/* Gather the delays of data over a boundary, at operations that waited for the data. */
static void
gather(struct samples *to, const struct arrivals *a, int boundary, int kind)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct arrival *r = &a->at[i];

		/* A stage that was idle for less time may have waited for another transfer of its own. */
		if (r->from == boundary && r->kind == kind && r->idle >= r->late)
			*APPEND(to->at, to->n) = r->late;
	}
}

/*
 * Return the median delay at operations that waited; negative: none did. If data seem to be used before they are
 * computed, the clocks of two ranks differ. Then return half the sum of both directions.
 */
static double
waited(const struct arrivals *a, int boundary)
{
	struct samples all = { 0 }, each = { 0 };
	double median, sum = 0;
	int directions = 0;
	bool before = false;

	for (int kind = OPERATION_FORWARD; kind <= OPERATION_BACKWARD; kind++) {
		each.n = 0;
		gather(&each, a, boundary, kind);
		gather(&all, a, boundary, kind);
		if (each.n == 0)
			continue;
		median = numbers_median(each.at, (size_t)each.n);
		before |= median < 0;
		sum += median;
		directions++;
	}
	median = all.n > 0 ? numbers_median(all.at, (size_t)all.n) : -1;
	if (before)
		median = directions == 2 ? sum / 2 : -1;
	free(each.at);
	free(all.at);
	return median;
}

/*
 * Compute the delay of senders, if transfers have events: the median by which awaited data arrived later than the
 * transfer takes. If data arrived earlier in one direction, clocks differ and the delay is unknown.
 */
static void
send_delays(struct operation_links *l, const struct arrivals *a, int boundaries)
{
	struct samples each = { 0 };

	for (int kind = 0; kind < 2; kind++)
		l->send[kind] = list_new(boundaries);
	for (int i = 0; i < boundaries; i++) {
		double link = list_get(l->time, i), more[2] = { 0 };

		for (int kind = OPERATION_FORWARD; kind <= OPERATION_BACKWARD; kind++) {
			each.n = 0;
			gather(&each, a, i, kind);
			if (each.n > 0)
				more[kind] = numbers_median(each.at, (size_t)each.n) - link;
		}
		for (int kind = 0; kind < 2; kind++)
			if (more[kind] > noticed * link && more[!kind] >= -noticed * link)
				l->send[kind].at[i] = more[kind];
	}
	for (int kind = 0; kind < 2; kind++)
		if (!list_any(l->send[kind])) {
			free(l->send[kind].at);
			l->send[kind] = (struct list){ 0 };
		}
	free(each.at);
}

/*
 * Return whether stages are busy during transfers. Then a single transfer between two operations takes the link's time.
 */
static bool
exchanged(const struct arrivals *a, const double *link)
{
	struct samples share = { 0 };
	bool is = false;

	for (size_t i = 0; i < a->n; i++)
		if (a->at[i].posts == 1 && link[a->at[i].link] > 0 &&
		    (a->at[i].from < 0 || -a->at[i].idle >= link[a->at[i].from]))
			*APPEND(share.at, share.n) = a->at[i].gap / link[a->at[i].link];
	if (share.n > 0)
		is = numbers_median(share.at, (size_t)share.n) >= exchange;
	free(share.at);
	return is;
}

/*
 * Return the time to start a transfer. It is the minimum gap between two operations without waiting, divided by the
 * number of transfers between them; 0 if stages differ.
 */
static double
post(const struct operation_steps *s, const struct arrivals *a, const double *link)
{
	struct samples least = { 0 };
	double median = 0;

	for (int stage = 0; stage < s->stages; stage++) {
		double min = INFINITY;

		for (size_t i = 0; i < a->n; i++) {
			const struct arrival *r = &a->at[i];

			if (r->stage == stage && r->posts > 0 && (r->from < 0 || -r->idle >= link[r->from]))
				min = fmin(min, r->gap / r->posts);
		}
		if (isfinite(min))
			*APPEND(least.at, least.n) = fmax(min, 0);
	}
	if (least.n > 0) {
		median = numbers_median(least.at, (size_t)least.n);
		if (least.at[0] * consistent < median || least.at[least.n - 1] > median * consistent)
			median = 0;
	}
	free(least.at);
	return median;
}

/* Set unknown links, and find slow links. */
static void
judge(struct operation_links *l)
{
	struct samples known = { 0 };
	double median;
	bool same = true;

	for (int i = 0; i < l->time.n; i++)
		if (l->time.at[i] >= 0)
			*APPEND(known.at, known.n) = l->time.at[i];
	l->unknown = l->time.n - known.n;
	if (known.n == 0) {
		free(l->time.at);
		l->time = (struct list){ 0 };
		return;
	}
	median = numbers_median(known.at, (size_t)known.n);
	free(known.at);
	for (int i = 0; i < l->time.n; i++) {
		if (l->time.at[i] < 0)
			l->time.at[i] = median;
		l->slow |= l->time.at[i] > slow * median;
		same &= fabs(l->time.at[i] - l->time.at[0]) <= alike * median;
	}
	if (same)
		l->time.n = 1;
}

struct operation_links
operation_links(const struct operation_steps *s, const struct operation_step *step, int n, int pipeline)
{
	double all = operation_transfer(s, step, n, pipeline, -1, -1);
	struct operation_links l = { .time = list_new(boundaries(s)), .transfers = TRANSFERS_BATCHED };
	struct arrivals a = { 0 };

	for (int i = 0; i < n && l.time.n > 0; i++)
		arrivals_add(&a, s, &step[i], pipeline);
	for (int i = 0; i < l.time.n; i++)
		l.time.at[i] = all >= 0 ? operation_transfer(s, step, n, pipeline, -1, i) : waited(&a, i);
	l.early = a.transfers > 0 ? a.early / a.transfers : 0;
	judge(&l);
	if (l.time.n > 0 && l.unknown == 0 && all >= 0)
		send_delays(&l, &a, boundaries(s));
	if (l.time.n == 0 && all >= 0) {
		l.time = list_new(1);
		l.time.at[0] = all;
		l.unknown = 0;
	}
	if (all < 0 && l.time.n > 0) {
		double *link = xcalloc((size_t)boundaries(s), sizeof *link);

		for (int i = 0; i < boundaries(s); i++)
			link[i] = list_get(l.time, i);
		/* If stages exchange data, starting a transfer is only a part of the link's time. */
		if (!exchanged(&a, link)) {
			l.transfers = TRANSFERS_HIDDEN;
			l.post = post(s, &a, link);
			for (int i = 0; i < l.time.n; i++)
				l.time.at[i] = fmax(l.time.at[i] - 2 * l.post, 0);
		}
		free(link);
	}
	free(a.at);
	return l;
}

void
operation_links_warn(const struct operation_steps *s)
{
	struct operation_links l = operation_links(s, s->at, s->n, -1);
	struct place at = { .source = s->of->source };
	double *sorted = xcalloc((size_t)l.time.n + 1, sizeof *sorted), median;

	if (l.unknown > 0)
		place_warn(at, "the time of a transfer is unknown at %d of %d boundaries between stages, where no "
		    "operation waited for its data after they were computed%s", l.unknown, boundaries(s),
		    l.time.n > 0 ? "; the median of the others is used" : ", so the record has no comm_time");
	if (l.early >= too_early)
		place_warn(at, "%.0f %% of the time of transfers is before their data were computed, as receives wait; "
		    "comm_time includes this waiting", 100 * l.early);
	if (l.slow) {
		memcpy(sorted, l.time.at, (size_t)l.time.n * sizeof *sorted);
		median = numbers_median(sorted, (size_t)l.time.n);
		for (int i = 0; i < l.time.n; i++)
			if (l.time.at[i] > slow * median)
				place_warn(at, "a slow link: a transfer between stages %d and %d takes %.3g ms, the "
				    "median of all links %.3g ms", i, (i + 1) % s->stages, l.time.at[i], median);
	}
	free(sorted);
	free(l.time.at);
	free(l.send[0].at);
	free(l.send[1].at);
}
