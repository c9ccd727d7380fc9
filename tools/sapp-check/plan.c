/* Plan: the layers of each stage, their memory, and the end times of their operations. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

struct plan_piece {
	mpz_t forward, backward;	/* in parts of the ledgers of ms and pace: see ledger.h */
	mpz_t parameter, floor, activation, transient;	/* in parts of the ledger of MB: see ledger.h */
};

static const struct body_counts *
counts_of(const struct plan *p, const struct check_body *b)
{
	const struct array *all = b->end ? &p->ends : &p->counts;
	const struct body_counts *at = all->at;

	for (int i = 0; i < all->n; i++)
		if (strcmp(at[i].name, b->name) == 0)
			return &at[i];
	return NULL;
}

static int
count(const struct check_question *q, const struct check_body *b, int kind, int piece)
{
	const struct body_counts *c = counts_of(q->plan, b);

	return c != NULL && c->kind[kind].at != NULL ? c->kind[kind].at[piece] : 0;
}

/*
 * Return a description of the error in the plan's counts, or NULL. Grids must have a number for each piece, and layers
 * only kinds that they have.
 */
static char *
counts_wrong(const struct check_question *q)
{
	if (q->plan->schedule != q->asked->schedule || q->plan->interleave != q->chunks)
		return xasprintf("its schedule is not that of the question");
	if (GIVEN(plan, q->plan, micro_batches) && q->plan->micro_batches != q->asked->micro_batches)
		return xasprintf("its micro-batches are not those of the question");
	for (int b = 0; b < q->nbodies; b++) {
		const struct body_counts *c = counts_of(q->plan, &q->body[b]);
		int sum = 0;

		for (int k = 0; k < RECOMPUTE_KINDS && c != NULL; k++) {
			if (c->kind[k].at == NULL)
				continue;
			if (c->kind[k].chunks != q->chunks || c->kind[k].stages != q->asked->stages)
				return xasprintf("its counts of '%s' are not one per piece", q->body[b].name);
			for (int s = 0; s < q->pieces; s++) {
				if (c->kind[k].at[s] > q->body[b].layers - sum)
					return xasprintf("more layers of '%s' are placed than %d", q->body[b].name,
					    q->body[b].layers);
				sum += c->kind[k].at[s];
				if (c->kind[k].at[s] > 0 && !q->body[b].has[k])
					return xasprintf("'%s' is recomputed as '%s', not allowed by the question",
					    
					    q->body[b].name, recompute_names[k]);
			}
		}
		if (sum != q->body[b].layers)
			return xasprintf("%d layers of '%s' are placed, not %d", sum, q->body[b].name,
			    q->body[b].layers);
	}
	return NULL;
}

/* Return the piece at a position in model order. */
static int
piece_at(const struct check_question *q, int place)
{
	int piece = 0;

	while (question_position(q, piece % q->asked->stages, piece / q->asked->stages) != place)
		piece++;
	return piece;
}

/*
 * Return a description of the error in the placement, or NULL: model order, empty pieces, or the mix of kinds in a
 * piece.
 */
static char *
placement_wrong(const struct check_question *q)
{
	int reached = 0;

	for (int n = 0; n < q->pieces; n++) {
		int s = piece_at(q, n), layers = 0, used = 0, kind[RECOMPUTE_KINDS], *held;
		bool may;

		held = xcalloc((size_t)q->nbodies, sizeof *held);

		for (int b = 0; b < q->nbodies; b++) {
			int before = used;

			for (int k = 0; k < RECOMPUTE_KINDS; k++) {
				bool here = count(q, &q->body[b], k, s) > 0;

				layers += count(q, &q->body[b], k, s);
				held[b] += count(q, &q->body[b], k, s);
				if (here && b < reached)
					return xasprintf("piece %d has '%s' after a later kind of layer", s,
					    q->body[b].name);
				reached = here ? b : reached;
				for (int i = 0; i < used && here && !q->body[b].end; i++)
					if (!q->follows[kind[i]][k] && (i < before || !q->follows[k][kind[i]]))
						return xasprintf("its lists do not give the recomputation of piece %d",
						    s);
				if (here && !q->body[b].end && used < RECOMPUTE_KINDS)
					kind[used++] = k;
			}
		}
		may = question_holds(q, s % q->asked->stages, s / q->asked->stages, held);
		free(held);
		if (!may)
			return layers == 0 ? xasprintf("piece %d is empty", s) :
			    xasprintf("piece %d has layers that the target does not allow there", s);
	}
	return NULL;
}

/* Add N times a ledger's number to TO. */
static void
add_times(mpz_t to, const struct ledger *l, int figure, int n)
{
	mpz_addmul_ui(to, ledger_at(l, figure), (unsigned long)n);
}

static void
set_most(mpz_t to, const struct ledger *l, int figure)
{
	if (mpz_cmp(ledger_at(l, figure), to) > 0)
		mpz_set(to, ledger_at(l, figure));
}

static void
piece_open(const struct check_question *q, int stage, int chunk, struct plan_piece *at)
{
	const struct check_end *end[2];

	mpz_inits(at->forward, at->backward, at->parameter, at->floor, at->activation, at->transient, NULL);
	for (int b = 0; b < q->nbodies; b++) {
		const struct check_body *of = &q->body[b];

		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			int n = count(q, of, k, chunk * q->asked->stages + stage);

			add_times(at->forward, &q->ms, of->forward, n);
			add_times(at->backward, &q->ms, of->backward[k], n);
			add_times(at->parameter, &q->mb, of->parameter, n);
			add_times(at->activation, &q->mb, of->activation[k], n);
			add_times(at->floor, &q->mb, of->floor, n);
			if (n > 0)
				set_most(at->transient, &q->mb, of->transient);
		}
	}
	for (int i = question_ends(q, stage, chunk, end); i-- > 0; ) {
		add_times(at->forward, &q->ms, end[i]->forward, 1);
		add_times(at->backward, &q->ms, end[i]->backward, 1);
		add_times(at->parameter, &q->mb, end[i]->parameter, 1);
		set_most(at->transient, &q->mb, end[i]->transient);
	}
	mpz_mul(at->forward, at->forward, ledger_at(&q->pace, q->paces[stage]));
	mpz_mul(at->backward, at->backward, ledger_at(&q->pace, q->paces[stage]));
}

static void
piece_close(struct plan_piece *at)
{
	mpz_clears(at->forward, at->backward, at->parameter, at->floor, at->activation, at->transient, NULL);
}

/* Return whether the stage stays within its limit at every moment. */
static bool
stage_fits(const struct check_question *q, int stage, const struct plan_piece *piece)
{
	mpz_srcptr limit = ledger_at(&q->mb, q->limit[stage]);
	struct moments m = question_moments(q, stage);
	mpz_t fixed, sum;
	bool good;

	mpz_inits(fixed, sum, NULL);
	mpz_set(fixed, ledger_at(&q->mb, q->constant));
	for (int v = 0; v < q->chunks; v++) {
		mpz_add(fixed, fixed, piece[v * q->asked->stages + stage].parameter);
		mpz_add(sum, sum, piece[v * q->asked->stages + stage].floor);
	}
	good = mpz_cmp(sum, limit) <= 0;
	for (int i = 0; i < m.n; i++) {
		mpz_add(sum, fixed, piece[m.runs[i] * q->asked->stages + stage].transient);
		for (int v = 0; v < q->chunks; v++)
			mpz_addmul_ui(sum, piece[v * q->asked->stages + stage].activation,
			    (unsigned long)m.live[i * q->chunks + v]);
		good &= mpz_cmp(sum, limit) <= 0;
	}
	mpz_clears(fixed, sum, NULL);
	moments_free(&m);
	return good;
}

/* Compute the end of each stage's last operation. The stages are visited in turn until all operations have run. */
static void
run(const struct check_question *q, const struct plan_piece *piece, mpz_t *end)
{
	int stages = q->asked->stages, micro = q->asked->micro_batches;
	size_t results = (size_t)q->pieces * 2 * (size_t)micro;
	/* [pieces][2][micro], end of each forward and backward */
	mpz_t *done = xcalloc(results, sizeof *done), arrival;
	int *next = xcalloc((size_t)stages, sizeof *next);
	bool more = true;

	mpz_init(arrival);
	while (more) {
		more = false;
		for (int s = 0; s < stages; s++)
			for (; next[s] < question_operations(q); next[s]++) {
				struct check_operation op = question_operation(q, s, next[s]), of;
				size_t at = (size_t)(op.chunk * stages + s), needs;
				int from, edge;

				if (question_waits(q, s, op, &from, &of)) {
					needs = ((size_t)(of.chunk * stages + from) * 2 + of.forward) * (size_t)micro +
					    (size_t)of.micro;
					if (done[needs]->_mp_d == NULL)
						break;
					edge = question_edge(q, from, s);
					mpz_set(arrival, done[needs]);
					if (edge >= 0)
						mpz_addmul(arrival, ledger_at(&q->ms, q->delay[edge]), q->pace.parts);
					if (mpz_cmp(arrival, end[s]) > 0)
						mpz_set(end[s], arrival);
				}
				mpz_add(end[s], end[s], op.forward ? piece[at].forward : piece[at].backward);
				mpz_init_set(done[(at * 2 + op.forward) * (size_t)micro + (size_t)op.micro], end[s]);
				more = true;
			}
	}
	for (size_t i = 0; i < results; i++)
		if (done[i]->_mp_d != NULL)
			mpz_clear(done[i]);
	mpz_clear(arrival);
	free(done);
	free(next);
}

static double
step_time(const struct check_question *q, const struct plan_piece *piece)
{
	mpz_t *end = xcalloc((size_t)q->asked->stages, sizeof *end), late;
	mpq_t step, parts;
	double ms;

	mpz_init(late);
	mpq_inits(step, parts, NULL);
	for (int s = 0; s < q->asked->stages; s++)
		mpz_init(end[s]);
	run(q, piece, end);
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
plan_wrong(const struct check_question *q)
{
	char *wrong = counts_wrong(q);
	bool fits = !GIVEN(plan, q->plan, status) || q->plan->status != PLAN_INFEASIBLE;
	struct plan_piece *piece;

	if (wrong == NULL)
		wrong = placement_wrong(q);
	if (wrong != NULL || !fits)
		return wrong;
	if (!GIVEN(plan, q->plan, step_time) || !GIVEN(plan, q->plan, lower_bound))
		return xasprintf("it has no step_time, or no lower_bound");
	if (q->any_order)
		return NULL;
	piece = xcalloc((size_t)q->pieces, sizeof *piece);
	for (int i = 0; i < q->pieces; i++)
		piece_open(q, i % q->asked->stages, i / q->asked->stages, &piece[i]);
	for (int s = 0; s < q->asked->stages && wrong == NULL; s++)
		if (!stage_fits(q, s, piece))
			wrong = xasprintf("stage %d exceeds its limit", s);
	if (wrong == NULL && !q->unsimulated) {
		double ms = step_time(q, piece);

		if (fabs(ms - q->plan->step_time) > 1e-9 * ms)
			wrong = xasprintf("its step takes %.12g ms, not %.12g ms", ms, q->plan->step_time);
	}
	for (int i = 0; i < q->pieces; i++)
		piece_close(&piece[i]);
	free(piece);
	return wrong;
}
