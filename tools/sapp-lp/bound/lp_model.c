#include "lp_model.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/model/weights.h"
#include "sapp-lp/model/tier.h"

struct times
column_times(const struct lp_model *l, int c)
{
	const struct body *b = &l->p->net->body[l->column[c].body];

	return (struct times){ b->forward, b->backward[l->column[c].kind], body_kind_weight(b, l->column[c].kind) };
}

double
path_constant(const struct problem *p, const struct visits *v)
{
	int first = p->piece[0], last = p->piece[p->pieces - 1];
	double c = v->delay + times_product(piece_worth(p, first, v), end_times(p, first));

	return first == last ? c : c + times_product(piece_worth(p, last, v), end_times(p, last));
}

double
path_coefficient(const struct lp_model *l, const struct visits *v, int c)
{
	return times_product(piece_worth(l->p, l->column[c].piece, v), column_times(l, c));
}

double
memory_coefficient(const struct lp_model *l, int stage, int row, int c)
{
	const struct rows *rows = &l->p->evaluator.rows[stage];
	int at = row * l->p->chunks + l->column[c].piece / l->p->stages;
	const struct body *b = stage_body(l->p, stage, l->column[c].body);

	if (l->column[c].piece % l->p->stages != stage)
		return 0;
	return row_parameter(l->p, stage, row, b) + rows->live[at] * b->activation[l->column[c].kind] +
	    rows->held[at] * (b->kept + b->kept_more[l->column[c].kind]);
}

double
memory_room(const struct problem *p, int stage, int row)
{
	return proof_limit(p, stage) - stage_ends(p, stage) - row_least_transient(p, stage, row);
}

/* Add a row for the number of layers of a body in a piece; -1: all bodies, all pieces. */
static void
add_layers(struct lp_model *l, int body, int piece, enum lp_sense sense, double right)
{
	for (int c = 0; c < l->columns; c++)
		if (l->column[c].body == body || l->column[c].piece == piece)
			lp_put(l->lp, c + 2, 1);
	lp_end_row(l->lp, sense, right);
}

static void
add_memory(struct lp_model *l)
{
	const struct problem *p = l->p;

	for (int s = 0; s < p->stages; s++)
		for (int i = 0; i < p->evaluator.rows[s].n; i++) {
			for (int c = 0; c < l->columns; c++)
				lp_put(l->lp, c + 2, memory_coefficient(l, s, i, c) / l->mb);
			lp_end_row(l->lp, LP_AT_MOST, memory_room(p, s, i) / l->mb);
		}
}

static void
choose_units(struct lp_model *l)
{
	const struct problem *p = l->p;
	double work = 0;

	for (int b = 0; b < p->net->nbodies; b++)
		work += p->net->body[b].layers *
		    (p->net->body[b].forward + p->net->body[b].backward[RECOMPUTE_NONE]);
	l->ms = work > 0 ? p->micro * work / p->stages : 1;
	l->mb = 0;
	for (int s = 0; s < p->stages; s++)
		l->mb = fmax(l->mb, p->limit[s]);
}

void
lp_model_open(struct lp_model *l, const struct problem *p, bool scaled)
{
	*l = (struct lp_model){ .p = p, .ms = 1, .mb = 1 };
	l->column = xcalloc((size_t)p->pieces * (size_t)p->net->nbodies * RECOMPUTE_KINDS, sizeof *l->column);
	for (int piece = 0; piece < p->pieces; piece++)
		for (int b = 0; b < p->net->nbodies; b++)
			for (int k = 0; k < RECOMPUTE_KINDS; k++)
				if (p->net->body[b].has[k] && piece_can_have(p, piece, b))
					l->column[l->columns++] = (struct counted){ piece, b, k };
	if (scaled)
		choose_units(l);
	l->wait = xcalloc((size_t)p->pieces, sizeof *l->wait);
	l->lp = lp_new(l->columns + 1);
	lp_set_cost(l->lp, 1, 1);
	for (int b = 0; b < p->net->nbodies; b++)
		add_layers(l, b, -1, LP_EQUAL, p->net->body[b].layers);
	for (int piece = 0; piece < p->pieces; piece++)
		add_layers(l, -1, piece, LP_AT_LEAST, p->fewest[piece]);
	add_memory(l);
	l->rows = lp_rows(l->lp);
}

void
lp_model_close(struct lp_model *l)
{
	lp_free(l->lp);
	path_cuts_free(&l->paths);
	free(l->column);
	free(l->wait);
}

/* The row: z - path(x) >= constant. */
void
lp_model_add(struct lp_model *l, const struct visits *v)
{
	int before = l->paths.n;

	if (path_cuts_add(l->p, &l->paths, v) < before)
		return;
	lp_put(l->lp, 1, 1);
	for (int c = 0; c < l->columns; c++)
		lp_put(l->lp, c + 2, -path_coefficient(l, v, c) / l->ms);
	for (int i = 0; i < l->p->pieces; i++)
		if (l->wait[i] > 0)
			lp_put(l->lp, l->wait[i], -piece_worth(l->p, i, v).backward / l->ms);
	lp_end_row(l->lp, LP_AT_LEAST, path_constant(l->p, v) / l->ms);
}
