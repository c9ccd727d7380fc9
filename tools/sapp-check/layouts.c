/* Layouts: dynamic programming over stages and layers placed. */
#include "layouts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

enum { RUNS_MAX = 1 << 26 };

static size_t
state(const struct layouts *l, int stage, int first)
{
	return (size_t)stage * (size_t)(l->question->layers + 1) + (size_t)first;
}

static size_t
run_at(const struct layouts *l, int stage, int first, int layers)
{
	return state(l, stage, first) * (size_t)l->contents.width + (size_t)layers;
}

static mpz_t *
numbers_new(size_t n)
{
	mpz_t *at = xcalloc(n, sizeof *at);

	for (size_t i = 0; i < n; i++)
		mpz_init(at[i]);
	return at;
}

static void
numbers_free(mpz_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		mpz_clear(at[i]);
	free(at);
}

/* A time of question.ms as parts of pace, too. */
static void
as_paced(const struct question *q, int figure, mpz_t out)
{
	mpz_mul(out, ledger_at(&q->ms, figure), q->pace.parts);
}

/* MB that activations have left beside a content on a stage; false: the content does not even fit without. */
static bool
room_beside(const struct question *q, int stage, const struct content *c, mpz_t room)
{
	mpz_t transient;
	bool floor = mpz_cmp(c->floor, ledger_at(&q->mb, q->limit[stage])) <= 0;

	mpz_init_set(transient, c->transient);
	mpz_sub(room, ledger_at(&q->mb, q->limit[stage]), ledger_at(&q->mb, q->constant));
	mpz_sub(room, room, c->parameter);
	for (int i = 0; i < 2; i++) {
		const struct end *e = i == 0 ? &q->head : &q->tail;

		if (stage != (i == 0 ? 0 : q->asked->stages - 1))
			continue;
		mpz_sub(room, room, ledger_at(&q->mb, e->parameter));
		if (mpz_cmp(ledger_at(&q->mb, e->transient), transient) > 0)
			mpz_set(transient, ledger_at(&q->mb, e->transient));
	}
	mpz_sub(room, room, transient);
	mpz_clear(transient);
	return floor;
}

static void
set_hold(const struct question *q, int stage, int live, const struct content *c, struct hold *h)
{
	mpz_t room;

	mpz_init(room);
	mpz_init(h->forward);
	mpz_init(h->backward);
	h->fits = room_beside(q, stage, c, room) && content_least(c, live, room, h->backward);
	mpz_set(h->forward, c->forward);
	if (stage == 0) {
		mpz_add(h->forward, h->forward, ledger_at(&q->ms, q->head.forward));
		mpz_add(h->backward, h->backward, ledger_at(&q->ms, q->head.backward));
	}
	if (stage == q->asked->stages - 1) {
		mpz_add(h->forward, h->forward, ledger_at(&q->ms, q->tail.forward));
		mpz_add(h->backward, h->backward, ledger_at(&q->ms, q->tail.backward));
	}
	mpz_mul(h->forward, h->forward, ledger_at(&q->pace, q->paces[stage]));
	mpz_mul(h->backward, h->backward, ledger_at(&q->pace, q->paces[stage]));
	mpz_clear(room);
}

/* Does a stage with it work for as long as is claimed, or more, with what comes behind its operations? */
static bool
too_busy(const struct layouts *l, int stage, const struct hold *h)
{
	mpz_t busy, late;
	bool too;

	mpz_inits(busy, late, NULL);
	as_paced(l->question, l->question->late[stage], late);
	mpz_add(busy, h->forward, h->backward);
	mpz_mul_si(busy, busy, l->question->asked->micro_batches);
	mpz_add(busy, busy, late);
	too = l->question->bound >= 0 && mpz_cmp(busy, l->claim) >= 0;
	mpz_clears(busy, late, NULL);
	return too;
}

/* Layers of the largest run that some stage may hold, by the least that layers take of time and memory. */
static int
most_layers(const struct layouts *l)
{
	const struct question *q = l->question;
	mpz_t least, most, each, pace, sum;
	int n = q->layers;

	mpz_inits(least, most, each, pace, sum, NULL);
	mpz_set(pace, ledger_at(&q->pace, q->paces[0]));
	for (int s = 1; s < q->asked->stages; s++)
		if (mpz_cmp(ledger_at(&q->pace, q->paces[s]), pace) < 0)
			mpz_set(pace, ledger_at(&q->pace, q->paces[s]));
	for (int b = 0; b < q->nbodies; b++) {
		mpz_set_si(each, -1);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (q->body[b].has[k] && (mpz_sgn(each) < 0 ||
			    mpz_cmp(ledger_at(&q->ms, q->body[b].backward[k]), each) < 0))
				mpz_set(each, ledger_at(&q->ms, q->body[b].backward[k]));
		if (mpz_sgn(each) < 0)
			mpz_set_si(each, 0);
		mpz_add(each, each, ledger_at(&q->ms, q->body[b].forward));
		if (b == 0 || mpz_cmp(each, least) < 0)
			mpz_set(least, each);
	}
	mpz_mul(least, least, pace);
	mpz_mul_si(least, least, q->asked->micro_batches);
	if (q->bound >= 0 && mpz_sgn(least) > 0) {
		mpz_fdiv_q(most, l->claim, least);
		if (mpz_cmp_si(most, n) < 0)
			n = (int)mpz_get_si(most);
	}
	mpz_clears(least, most, each, pace, sum, NULL);
	return n > 0 ? n : 0;
}

void
layouts_open(struct layouts *l, const struct question *q, struct place at)
{
	size_t states = (size_t)(q->asked->stages + 1) * (size_t)(q->layers + 1), holds;
	int most;

	*l = (struct layouts){ .question = q };
	mpz_init(l->claim);
	if (q->bound >= 0) {
		mpz_sub(l->claim, ledger_at(&q->ms, q->bound), ledger_at(&q->ms, q->rest));
		mpz_mul(l->claim, l->claim, q->pace.parts);
	}
	most = most_layers(l);
	if ((double)states * (most + 1) > RUNS_MAX)
		place_die(at, "proof: more than %d runs of layers on stages", RUNS_MAX);
	contents_open(&l->contents, q, most);
	l->runs = (size_t)q->asked->stages * (size_t)(q->layers + 1) * (size_t)l->contents.width;
	holds = (size_t)q->asked->stages * (size_t)l->contents.n;
	l->hold = xcalloc(holds, sizeof *l->hold);
	for (int s = 0; s < q->asked->stages; s++)
		for (int c = 0, live = question_live(q, s); c < l->contents.n; c++)
			set_hold(q, s, live, &l->contents.at[c],
			    &l->hold[(size_t)s * (size_t)l->contents.n + (size_t)c]);
	l->cost = numbers_new(holds);
	l->before = numbers_new(states);
	l->after = numbers_new(states);
	l->reached = xcalloc(states, sizeof *l->reached);
	l->reaches = xcalloc(states, sizeof *l->reaches);
}

void
layouts_free(struct layouts *l)
{
	size_t states = (size_t)(l->question->asked->stages + 1) * (size_t)(l->question->layers + 1);
	size_t holds = (size_t)l->question->asked->stages * (size_t)l->contents.n;

	for (size_t i = 0; i < holds; i++) {
		mpz_clear(l->hold[i].forward);
		mpz_clear(l->hold[i].backward);
	}
	numbers_free(l->cost, holds);
	numbers_free(l->before, states);
	numbers_free(l->after, states);
	free(l->hold);
	free(l->reached);
	free(l->reaches);
	mpz_clear(l->claim);
	contents_free(&l->contents);
}

static const struct hold *
hold_of(const struct layouts *l, int stage, int content)
{
	return &l->hold[(size_t)stage * (size_t)l->contents.n + (size_t)content];
}

void
layouts_begin(const struct layouts *l, unsigned char *alive)
{
	const struct question *q = l->question;

	for (int s = 0; s < q->asked->stages; s++) {
		bool bound = (s == 0 && q->head.there) || (s == q->asked->stages - 1 && q->tail.there);
		int fewest = bound || !q->asked->empty;

		for (int i = 0; i <= q->layers; i++)
			for (int n = 0; n < l->contents.width; n++) {
				int c = contents_find(&l->contents, i, n);
				const struct hold *h = c >= 0 ? hold_of(l, s, c) : NULL;

				alive[run_at(l, s, i, n)] = h != NULL && n >= fewest && h->fits && !too_busy(l, s, h);
			}
	}
}

/* before[], after[], reached[] and reaches[] of the costs, or, where COSTS is false, the latter two alone. */
static void
sweep(struct layouts *l, const unsigned char *alive, bool costs)
{
	int stages = l->question->asked->stages, layers = l->question->layers, width = l->contents.width;
	mpz_t sum;

	mpz_init(sum);
	memset(l->reached, 0, (size_t)(stages + 1) * (size_t)(layers + 1) * sizeof *l->reached);
	memset(l->reaches, 0, (size_t)(stages + 1) * (size_t)(layers + 1) * sizeof *l->reaches);
	l->reached[0] = l->reaches[state(l, stages, layers)] = true;
	mpz_set_si(l->before[0], 0);
	mpz_set_si(l->after[state(l, stages, layers)], 0);
	for (int turn = 0; turn < 2 * stages; turn++) {
		bool on = turn < stages;	/* from the first stage on, then from the last one back */
		int s = on ? turn : 2 * stages - 1 - turn;
		mpz_t *sums = on ? l->before : l->after;
		bool *is = on ? l->reached : l->reaches;

		for (int i = 0; i <= layers; i++)
			for (int n = 0; n < width && i + n <= layers; n++) {
				size_t here = state(l, s, i), next = state(l, s + 1, i + n);
				size_t from = on ? here : next, to = on ? next : here;

				if (!is[from] || !alive[run_at(l, s, i, n)] || (!on && !l->reached[here]))
					continue;
				if (costs) {
					int c = contents_find(&l->contents, i, n);

					mpz_add(sum, sums[from], l->cost[s * l->contents.n + c]);
					if (!is[to] || mpz_cmp(sum, sums[to]) < 0)
						mpz_set(sums[to], sum);
				}
				is[to] = true;
			}
	}
	mpz_clear(sum);
}

/* The mean's sum for each content on each stage; DELAY: what it has besides. */
static void
set_costs(struct layouts *l, int n, const struct path *const path[], const int *weight, mpz_t delay)
{
	const struct question *q = l->question;
	mpz_t forwards, backwards, part;

	mpz_inits(forwards, backwards, part, NULL);
	mpz_set_si(delay, 0);
	for (int i = 0; i < n; i++) {
		as_paced(q, q->late[path[i]->last], part);
		mpz_mul_si(part, part, weight[i]);
		mpz_add(delay, delay, part);
	}
	for (int s = 0; s < q->asked->stages; s++) {
		mpz_set_si(forwards, 0);
		mpz_set_si(backwards, 0);
		for (int i = 0; i < n; i++) {
			mpz_set_si(part, path[i]->forwards[s]);
			mpz_addmul_ui(forwards, part, (unsigned long)weight[i]);
			mpz_set_si(part, path[i]->backwards[s]);
			mpz_addmul_ui(backwards, part, (unsigned long)weight[i]);
			as_paced(q, q->delay[s], part);
			mpz_mul_si(part, part, path[i]->crossings[s]);
			mpz_addmul_ui(delay, part, (unsigned long)weight[i]);
		}
		for (int c = 0; c < l->contents.n; c++) {
			const struct hold *h = hold_of(l, s, c);
			mpz_t *cost = &l->cost[s * l->contents.n + c];

			mpz_mul(*cost, h->forward, forwards);
			mpz_addmul(*cost, h->backward, backwards);
		}
	}
	mpz_clears(forwards, backwards, part, NULL);
}

bool
layouts_drop(struct layouts *l, unsigned char *alive, int n, const struct path *const path[], const int *weight,
    mpq_t least)
{
	const struct question *q = l->question;
	int stages = q->asked->stages;
	size_t end = state(l, stages, q->layers);
	mpz_t weights, room, sum;
	bool any;

	mpz_inits(weights, room, sum, NULL);
	set_costs(l, n, path, weight, room);
	sweep(l, alive, true);
	any = l->reached[end];
	for (int i = 0; i < n; i++)
		mpz_add_ui(weights, weights, (unsigned long)weight[i]);
	mpz_add(mpq_numref(least), l->before[end], room);
	mpz_set(mpq_denref(least), weights);
	mpq_canonicalize(least);
	/* A layout may sum up to less than this in all. */
	mpz_mul(weights, weights, l->claim);
	mpz_sub(room, weights, room);
	any = any && mpz_cmp(l->before[end], room) < 0;
	for (int s = 0; s < stages; s++)
		for (int i = 0; i <= q->layers; i++)
			for (int k = 0; k < l->contents.width && i + k <= q->layers; k++) {
				unsigned char *run = &alive[run_at(l, s, i, k)];
				size_t from = state(l, s, i), to = state(l, s + 1, i + k);

				if (!*run)
					continue;
				*run = l->reached[from] && l->reaches[to];
				if (!*run)
					continue;
				mpz_add(sum, l->before[from], l->after[to]);
				mpz_add(sum, sum, l->cost[s * l->contents.n + contents_find(&l->contents, i, k)]);
				*run = mpz_cmp(sum, room) < 0;
			}
	mpz_clears(weights, room, sum, NULL);
	return any && layouts_any(l, alive);
}

bool
layouts_any(struct layouts *l, unsigned char *alive)
{
	int stages = l->question->asked->stages, layers = l->question->layers;

	sweep(l, alive, false);
	for (int s = 0; s < stages; s++)
		for (int i = 0; i <= layers; i++)
			for (int n = 0; n < l->contents.width && i + n <= layers; n++)
				alive[run_at(l, s, i, n)] &= l->reached[state(l, s, i)] &&
				    l->reaches[state(l, s + 1, i + n)];
	return l->reached[state(l, stages, layers)];
}

void
layouts_keep(const struct layouts *l, unsigned char *alive, int stage, bool first, int most, bool above)
{
	for (int i = 0; i <= l->question->layers; i++)
		for (int n = 0; n < l->contents.width; n++)
			alive[run_at(l, stage, i, n)] &= ((first ? i : n) > most) == above;
}
