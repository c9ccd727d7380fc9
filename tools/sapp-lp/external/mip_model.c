#include "mip_model.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/status.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/model/tier.h"
#include "mip_lists.h"

static const double WHOLE = 1e-4;	/* maximum difference between a solver's whole number and the nearest integer */

static int
most_layers(const struct problem *p, int body)
{
	return p->net->body[body].layers < p->contents.most ? p->net->body[body].layers : p->contents.most;
}

static void
name_columns(struct lp_model *l)
{
	const struct problem *p = l->p;

	mip_name_column(l, 1, xstrdup("z"));
	for (int c = 0; c < l->columns; c++) {
		char *body = mip_body_label(p, l->column[c].body), *piece = mip_piece_label(p, l->column[c].piece);
		char *kind = mip_kind_label(l->column[c].kind);

		mip_name_column(l, c + 2, xasprintf("n_%s_%s_%s", piece, body, kind));
		free(kind);
		lp_set_whole(l->lp, c + 2);
		lp_set_upper(l->lp, c + 2, most_layers(p, l->column[c].body));
		free(body);
		free(piece);
	}
}

/* Name the rows in the order in which lp_model_open() makes them. */
static void
name_rows(struct lp_model *l)
{
	const struct problem *p = l->p;
	int row = 1;

	for (int b = 0; b < p->net->nbodies; b++) {
		char *body = mip_body_label(p, b);

		mip_name_row(l, row++, xasprintf("placed_%s", body));
		free(body);
	}
	for (int i = 0; i < p->pieces; i++) {
		char *piece = mip_piece_label(p, i);

		mip_name_row(l, row++, xasprintf("filled_%s", piece));
		free(piece);
	}
	for (int s = 0; s < p->stages; s++)
		for (int i = 0; i < p->evaluator.rows[s].n; i++)
			mip_name_row(l, row++, xasprintf("memory_%d_%d", p->limited[s], i));
}

/* Add to the current row the layers of a body in the model's pieces up to a position. */
static void
add_until(const struct lp_model *l, int position, int body)
{
	for (int n = 0; n <= position; n++)
		for (int c = 0; c < l->columns; c++)
			if (l->column[c].piece == l->p->piece[n] && l->column[c].body == body)
				lp_put(l->lp, c + 2, 1);
}

/*
 * Add two rows and a column of 0 or 1 for model order. The pieces up to POSITION may have layers of the body after BODY
 * only if these pieces have all layers of BODY.
 */
static void
add_sequence(struct lp_model *l, int position, int body)
{
	const struct problem *p = l->p;
	char *label = mip_body_label(p, body), *next = mip_body_label(p, body + 1);
	char *at = mip_piece_label(p, p->piece[position]);
	int choice = mip_choice(l, xasprintf("ended_%s_%s", at, label));

	add_until(l, position, body);
	lp_put(l->lp, choice, -p->net->body[body].layers);
	mip_row_end(l, LP_AT_LEAST, 0, xasprintf("until_%s_%s", at, label));
	add_until(l, position, body + 1);
	lp_put(l->lp, choice, -p->net->body[body + 1].layers);
	mip_row_end(l, LP_AT_MOST, 0, xasprintf("begun_%s_%s", at, next));
	free(label);
	free(next);
	free(at);
}

/*
 * Add rows for a piece's transient memory, which is that of its largest layer. The memory rows include the minimum.
 * These rows add the difference if the piece has a layer of a larger body.
 */
static void
add_transient(struct lp_model *l, int piece)
{
	const struct problem *p = l->p;
	const struct rows *rows = &p->evaluator.rows[piece % p->stages];
	double least = piece_least_transient(p, piece), *running = xcalloc((size_t)rows->n + 1, sizeof *running);
	int *row = xcalloc((size_t)rows->n + 1, sizeof *row), first = 1 + p->net->nbodies + p->pieces, extra = 0;
	char *at = mip_piece_label(p, piece);

	for (int i = 0; i < piece % p->stages; i++)
		first += p->evaluator.rows[i].n;
	for (int i = 0; i < rows->n; i++) {
		running[i] = rows->running[i * p->chunks + piece / p->stages];
		row[i] = first + i;
	}
	for (int b = 0; b < p->net->nbodies; b++) {
		double more = p->net->body[b].transient - least;
		char *label;
		int choice;

		if (more <= 0 || !piece_can_have(p, piece, b))
			continue;
		label = mip_body_label(p, b);
		if (extra == 0) {
			lp_add_column(l->lp, rows->n, running, row);
			extra = lp_columns(l->lp);
			mip_name_column(l, extra, xasprintf("transient_%s", at));
		}
		choice = mip_choice(l, xasprintf("has_%s_%s", at, label));
		for (int c = 0; c < l->columns; c++)
			if (l->column[c].piece == piece && l->column[c].body == b)
				lp_put(l->lp, c + 2, 1);
		lp_put(l->lp, choice, -p->contents.most);
		mip_row_end(l, LP_AT_MOST, 0, xasprintf("has_any_%s_%s", at, label));
		lp_put(l->lp, extra, 1);
		lp_put(l->lp, choice, -more);
		mip_row_end(l, LP_AT_LEAST, 0, xasprintf("takes_%s_%s", at, label));
		free(label);
	}
	free(at);
	free(row);
	free(running);
}

/* Return the ms by which a layer of a count keeps the offloading link busy longer than its backward takes. */
static double
link_longer(const struct lp_model *l, int count)
{
	const struct counted *c = &l->column[count];
	const struct body *b = stage_body(l->p, c->piece % l->p->stages, c->body);

	return b->link[c->kind] - b->backward[c->kind];
}

/*
 * Add a column for the ms that a piece's backward waits for the offloading link. The wait is at least the time by which
 * the link is busy longer than the backward takes. This time is linear in the layers.
 */
static void
add_wait(struct lp_model *l, int piece)
{
	bool waits = false;
	char *at;

	for (int c = 0; c < l->columns && !waits; c++)
		waits = l->column[c].piece == piece && link_longer(l, c) > 0;
	if (!waits)
		return;
	for (int c = 0; c < l->columns; c++)
		if (l->column[c].piece == piece)
			lp_put(l->lp, c + 2, -link_longer(l, c));
	lp_add_column(l->lp, 0, NULL, NULL);
	l->wait[piece] = lp_columns(l->lp);
	at = mip_piece_label(l->p, piece);
	mip_name_column(l, l->wait[piece], xasprintf("wait_%s", at));
	lp_put(l->lp, l->wait[piece], 1);
	mip_row_end(l, LP_AT_LEAST, 0, xasprintf("link_%s", at));
	free(at);
}

/* Return whether a count is for layers that may be among a piece's first layers, which are fully recomputed. */
static bool
among_first(const struct lp_model *l, int count)
{
	const struct network *net = l->p->net;

	return net->body[l->column[count].body].side == 0 && l->column[count].body < net->first_bodies;
}

/*
 * Add rows for uniform recomputation: the first layers, up to the limit, are fully recomputed. Other layers exist only
 * if all of these are.
 */
static void
add_alike(struct lp_model *l, int piece)
{
	char *at = mip_piece_label(l->p, piece);
	int most = l->p->contents.most, first = l->p->net->first_layers, choice = 0;

	for (int c = 0; c < l->columns && choice == 0; c++)
		if (l->column[c].piece == piece && among_first(l, c))
			choice = mip_choice(l, xasprintf("more_%s", at));
	for (int way = 0; way < 3 && choice > 0; way++) {
		for (int c = 0; c < l->columns; c++) {
			if (l->column[c].piece != piece || !among_first(l, c))
				continue;
			if ((l->column[c].kind == RECOMPUTE_FULL) == (way < 2))
				lp_put(l->lp, c + 2, 1);
		}
		if (way > 0)
			lp_put(l->lp, choice, way == 1 ? -first : -most);
		mip_row_end(l, way == 1 ? LP_AT_LEAST : LP_AT_MOST, way == 0 ? first : 0,
		    xasprintf("%s_%s", way == 0 ? "alike" : way == 1 ? "all" : "rest", at));
	}
	for (int c = 0; c < l->columns; c++)
		if (l->column[c].piece == piece && l->column[c].kind == RECOMPUTE_FULL && !among_first(l, c))
			lp_set_upper(l->lp, c + 2, 0);
	free(at);
}

/* Add a row for the maximum number of layers of a piece. */
static void
add_most(struct lp_model *l, int piece)
{
	char *at = mip_piece_label(l->p, piece);

	for (int c = 0; c < l->columns; c++)
		if (l->column[c].piece == piece)
			lp_put(l->lp, c + 2, 1);
	mip_row_end(l, LP_AT_MOST, l->p->net->piece_layers, xasprintf("most_%s", at));
	free(at);
}

void
mip_open(struct lp_model *l, const struct problem *p)
{
	lp_model_open(l, p, false);
	if (mip_plain(p->net->name))
		lp_name(l->lp, p->net->name);
	name_columns(l);
	name_rows(l);
	if (p->listed)
		mip_lists_add(l);
	/* Without these rows no layer can be recomputed. */
	for (int i = 0; i < p->pieces && p->net->first_only && p->net->first_layers > 0; i++)
		add_alike(l, i);
	for (int i = 0; i < p->pieces && p->net->piece_layers > 0; i++)
		add_most(l, i);
	for (int i = 0; i < p->pieces; i++)
		add_transient(l, i);
	for (int i = 0; i < p->pieces && p->net->link > 0; i++)
		add_wait(l, i);
	for (int b = 0; b + 1 < p->net->nbodies; b++)
		for (int n = 0; n + 1 < p->pieces; n++)
			add_sequence(l, n, b);
	l->rows = lp_rows(l->lp);
}

static void
name_paths(struct lp_model *l)
{
	for (int i = 0; i < l->paths.n; i++)
		mip_name_row(l, l->rows + 1 + i, xasprintf("path_%d", i));
}

void
mip_write_lp(struct lp_model *l, FILE *f)
{
	name_paths(l);
	fputs("/* z: ms of a step; n_CHUNK_STAGE_LAYER_KIND: layers; memory_: MB; path_: those known */\n", f);
	if (!lp_write_lp(l->lp, f))
		errx(STATUS_ERROR, "the model cannot be written");
}

void
mip_write_mps(struct lp_model *l, FILE *f)
{
	name_paths(l);
	if (!lp_write_mps(l->lp, f))
		errx(STATUS_ERROR, "the model cannot be written");
}

/*
 * Return the fastest mix that has at most the activation of COUNT[bodies][kinds], and is as good in both parts of the
 * backward and in memory for W. Return -1 if no such mix exists.
 */
static int
find_mix(const struct problem *p, int content, const int *count)
{
	const struct pareto_front *front;
	double activation = 0, backward = 0, gradient = 0, kept = 0, link = 0;

	for (int b = 0; b < p->net->nbodies; b++) {
		const struct body *body = &p->on[p->contents.content[content].tier].body[b];
		int sum = 0;

		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			int n = count[b * RECOMPUTE_KINDS + k];

			sum += n;
			activation += n * body->activation[k];
			backward += n * body->backward[k];
			link += n * body->link[k];
			gradient += n * body->weight_more[k];
			kept += n * body->kept_more[k];
		}
		if (sum != p->contents.content[content].body[b])
			return -1;
	}
	if (p->net->link > 0)
		backward = fmax(backward, link);
	front = contents_front(&p->contents, content);
	for (int m = 0; m < front->n; m++) {
		const struct mix *x = &front->mix[m];
		double input = backward - gradient;

		if (x->activation <= activation * (1 + 1e-9) && x->backward <= backward * (1 + 1e-9) &&
		    x->gradient <= gradient * (1 + 1e-9) && x->backward - x->gradient <= input * (1 + 1e-9) &&
		    x->kept <= kept * (1 + 1e-9))
			return m;
	}
	return -1;
}

bool
mip_plan(const struct lp_model *l, const double *x, struct candidate *out)
{
	const struct problem *p = l->p;
	int width = p->net->nbodies * RECOMPUTE_KINDS, first = 0;
	int *count = xcalloc((size_t)p->pieces * (size_t)width, sizeof *count);
	bool good = true;

	for (int i = 0; i < l->columns; i++) {
		const struct counted *c = &l->column[i];
		double whole = round(x[i + 2]);

		good = good && fabs(x[i + 2] - whole) < WHOLE && whole >= 0 && whole <= p->net->layers;
		if (good)
			count[c->piece * width + c->body * RECOMPUTE_KINDS + c->kind] = (int)whole;
	}
	for (int n = 0; n < p->pieces && good; n++) {
		int i = p->piece[n], layers = 0;

		for (int w = 0; w < width; w++)
			layers += count[i * width + w];
		out->content[i] = piece_content(p, i, first, layers);
		first += layers;
		if (out->content[i] < 0)
			good = false;
		else
			out->mix[i] = find_mix(p, out->content[i], count + i * width);
		good = good && out->mix[i] >= 0;
	}
	free(count);
	return good && candidate_placed(p, out) && candidate_fits(p, out) && first == p->net->layers;
}
