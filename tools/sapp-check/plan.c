/* Plan: the layers of each stage, their memory, and the longest path through their operations. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

struct stage {
	mpz_t forward, backward;	/* parts of ms and pace */
	mpz_t memory, floor;		/* parts of MB, at the peak, without transient */
	mpz_t transient;
};

static const struct body_counts *
counts_of(const struct plan *p, const struct body *b)
{
	const struct array *all = b->end ? &p->ends : &p->counts;
	const struct body_counts *at = all->at;

	for (int i = 0; i < all->n; i++)
		if (strcmp(at[i].name, b->name) == 0)
			return &at[i];
	return NULL;
}

static int
count(const struct body_counts *c, int kind, int stage)
{
	return c != NULL && kind < RECOMPUTE_KINDS && c->kind[kind].at != NULL ? c->kind[kind].at[stage] : 0;
}

/* The grids have a number for each stage, and the layers are all there, of kinds that they have. */
static char *
counts_wrong(const struct question *q)
{
	if (q->plan->schedule != q->asked->schedule || q->plan->interleave != 1)
		return xasprintf("it is for another schedule than the question");
	if (GIVEN(plan, q->plan, micro_batches) && q->plan->micro_batches != q->asked->micro_batches)
		return xasprintf("it is for other micro-batches than the question");
	for (int b = 0; b < q->nbodies; b++) {
		const struct body_counts *c = counts_of(q->plan, &q->body[b]);
		int sum = 0;

		for (int k = 0; k < RECOMPUTE_KINDS && c != NULL; k++) {
			if (c->kind[k].at == NULL)
				continue;
			if (c->kind[k].chunks != 1 || c->kind[k].stages != q->asked->stages)
				return xasprintf("counts of '%s' are not one for each stage", q->body[b].name);
			for (int s = 0; s < q->asked->stages; s++) {
				if (c->kind[k].at[s] > q->body[b].layers - sum)
					return xasprintf("more layers of '%s' are placed than %d", q->body[b].name,
					    q->body[b].layers);
				sum += c->kind[k].at[s];
				if (c->kind[k].at[s] > 0 && !q->body[b].has[k])
					return xasprintf("'%s' is recomputed as '%s', which is not to be planned with",
					    q->body[b].name, recompute_names[k]);
			}
		}
		if (sum != q->body[b].layers)
			return xasprintf("%d layers of '%s' are placed, not %d", sum, q->body[b].name,
			    q->body[b].layers);
	}
	return NULL;
}

/* In the model's order, no stage empty that may not be, and mixes that may be in one piece. */
static char *
placement_wrong(const struct question *q)
{
	int reached = 0;

	for (int s = 0; s < q->asked->stages; s++) {
		int layers = 0, used = 0, kind[RECOMPUTE_KINDS];
		bool bound = (s == 0 && q->head.there) || (s == q->asked->stages - 1 && q->tail.there);

		for (int b = 0; b < q->nbodies; b++) {
			const struct body_counts *c = counts_of(q->plan, &q->body[b]);
			int before = used;

			for (int k = 0; k < RECOMPUTE_KINDS; k++) {
				bool here = count(c, k, s) > 0;

				layers += count(c, k, s);
				if (here && b < reached)
					return xasprintf("stage %d has '%s' after a later kind of layer", s,
					    q->body[b].name);
				reached = here ? b : reached;
				for (int i = 0; i < used && here && !q->body[b].end; i++)
					if (!q->follows[kind[i]][k] && (i < before || !q->follows[k][kind[i]]))
						return xasprintf("no lists say how stage %d is recomputed", s);
				if (here && !q->body[b].end && used < RECOMPUTE_KINDS)
					kind[used++] = k;
			}
		}
		if (layers == 0 && (bound || !q->asked->empty))
			return xasprintf("stage %d is empty", s);
	}
	return NULL;
}

static void
add_end(const struct question *q, const struct end *e, struct stage *at)
{
	mpz_add(at->forward, at->forward, ledger_at(&q->ms, e->forward));
	mpz_add(at->backward, at->backward, ledger_at(&q->ms, e->backward));
	mpz_add(at->memory, at->memory, ledger_at(&q->mb, e->parameter));
	if (mpz_cmp(ledger_at(&q->mb, e->transient), at->transient) > 0)
		mpz_set(at->transient, ledger_at(&q->mb, e->transient));
}

/* TO grows by N times a figure. */
static void
add_times(mpz_t to, const struct ledger *l, int figure, int n)
{
	mpz_addmul_ui(to, ledger_at(l, figure), (unsigned long)n);
}

static void
stage_open(const struct question *q, int s, struct stage *at)
{
	int live = question_live(q, s);

	mpz_inits(at->forward, at->backward, at->memory, at->floor, at->transient, NULL);
	mpz_set(at->memory, ledger_at(&q->mb, q->constant));
	for (int b = 0; b < q->nbodies; b++) {
		const struct body *of = &q->body[b];

		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			int n = count(counts_of(q->plan, of), k, s);

			add_times(at->forward, &q->ms, of->forward, n);
			add_times(at->backward, &q->ms, of->backward[k], n);
			add_times(at->memory, &q->mb, of->parameter, n);
			add_times(at->memory, &q->mb, of->activation[k], n * live);
			add_times(at->floor, &q->mb, of->floor, n);
			if (n > 0 && mpz_cmp(ledger_at(&q->mb, of->transient), at->transient) > 0)
				mpz_set(at->transient, ledger_at(&q->mb, of->transient));
		}
	}
	if (s == 0)
		add_end(q, &q->head, at);
	if (s == q->asked->stages - 1)
		add_end(q, &q->tail, at);
	mpz_add(at->memory, at->memory, at->transient);
	mpz_mul(at->forward, at->forward, ledger_at(&q->pace, q->paces[s]));
	mpz_mul(at->backward, at->backward, ledger_at(&q->pace, q->paces[s]));
}

static void
stage_close(struct stage *at)
{
	mpz_clears(at->forward, at->backward, at->memory, at->floor, at->transient, NULL);
}

/* End of the operation that one of a stage waits for on another, in ENDS[stages][2 * micro]; NULL: none. */
static int
waits_for(const struct question *q, int s, struct operation op)
{
	int from = op.forward ? s - 1 : s + 1;

	return from >= 0 && from < q->asked->stages ? from : -1;
}

/* When the operations of each stage have ended: all of them, by going over the stages until none has more. */
static void
run(const struct question *q, const struct stage *stage, mpz_t *end)
{
	int stages = q->asked->stages, micro = q->asked->micro_batches;
	/* [stages][2][micro], forwards and backwards that have ended */
	mpz_t *done = xcalloc((size_t)stages * 2 * (size_t)micro, sizeof *done), delay;
	int *next = xcalloc((size_t)stages, sizeof *next);
	bool more = true;

	mpz_init(delay);
	while (more) {
		more = false;
		for (int s = 0; s < stages; s++)
			for (; next[s] < 2 * micro; next[s]++) {
				struct operation op = question_operation(q, s, next[s]);
				int from = waits_for(q, s, op);
				size_t at = ((size_t)s * 2 + op.forward) * (size_t)micro + (size_t)op.micro;

				if (from >= 0) {
					mpz_t *of = &done[((size_t)from * 2 + op.forward) * (size_t)micro +
					    (size_t)op.micro];

					if ((*of)->_mp_d == NULL)
						break;
					mpz_mul(delay, ledger_at(&q->ms, q->delay[from < s ? from : s]), q->pace.parts);
					mpz_add(delay, delay, *of);
					if (mpz_cmp(delay, end[s]) > 0)
						mpz_set(end[s], delay);
				}
				mpz_add(end[s], end[s], op.forward ? stage[s].forward : stage[s].backward);
				mpz_init_set(done[at], end[s]);
				more = true;
			}
	}
	for (size_t i = 0; i < (size_t)stages * 2 * (size_t)micro; i++)
		if (done[i]->_mp_d != NULL)
			mpz_clear(done[i]);
	mpz_clear(delay);
	free(done);
	free(next);
}

static double
step_time(const struct question *q, const struct stage *stage)
{
	mpz_t *end = xcalloc((size_t)q->asked->stages, sizeof *end), late;
	mpq_t step, parts;
	double ms;

	mpz_init(late);
	mpq_inits(step, parts, NULL);
	for (int s = 0; s < q->asked->stages; s++)
		mpz_init(end[s]);
	run(q, stage, end);
	for (int s = 0; s < q->asked->stages; s++) {
		mpz_mul(late, ledger_at(&q->ms, q->late[s]), q->pace.parts);
		mpz_add(late, late, end[s]);
		if (mpz_cmp(late, mpq_numref(step)) > 0)
			mpz_set(mpq_numref(step), late);
		mpz_clear(end[s]);
	}
	mpz_addmul(mpq_numref(step), ledger_at(&q->ms, q->rest), q->pace.parts);
	mpq_set_z(parts, q->pace.parts);
	mpq_div(step, step, parts);
	ms = ledger_double(&q->ms, step);
	mpz_clear(late);
	mpq_clears(step, parts, NULL);
	free(end);
	return ms;
}

char *
plan_wrong(const struct question *q)
{
	char *wrong = counts_wrong(q);
	bool fits = !GIVEN(plan, q->plan, status) || q->plan->status != PLAN_INFEASIBLE;
	struct stage *stage;

	if (wrong == NULL)
		wrong = placement_wrong(q);
	if (wrong != NULL || !fits)
		return wrong;
	if (!GIVEN(plan, q->plan, step_time) || !GIVEN(plan, q->plan, lower_bound))
		return xasprintf("it has no step_time, or no lower_bound");
	stage = xcalloc((size_t)q->asked->stages, sizeof *stage);
	for (int s = 0; s < q->asked->stages; s++) {
		stage_open(q, s, &stage[s]);
		if (wrong == NULL && (mpz_cmp(stage[s].memory, ledger_at(&q->mb, q->limit[s])) > 0 ||
		    mpz_cmp(stage[s].floor, ledger_at(&q->mb, q->limit[s])) > 0))
			wrong = xasprintf("stage %d exceeds its limit", s);
	}
	if (wrong == NULL) {
		double ms = step_time(q, stage);

		if (fabs(ms - q->plan->step_time) > 1e-9 * ms)
			wrong = xasprintf("its step takes %.12g ms, not %.12g", ms, q->plan->step_time);
	}
	for (int s = 0; s < q->asked->stages; s++)
		stage_close(&stage[s]);
	free(stage);
	return wrong;
}
