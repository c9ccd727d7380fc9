/* MIP model: whole layers, names, and binary columns for what is not linear. */
#include "mip_model.h"

#include <ctype.h>
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/status.h"
#include "sapp-lp/model/stage_settings.h"

enum { NAME_LENGTH = 40 };	/* of a body layer's name at most, so that no solver's limit is met */
static const double WHOLE = 1e-4;	/* by how much a solver's whole numbers may differ from whole ones */

static bool
plain(const char *name)
{
	size_t n = 0;

	while (isalnum((unsigned char)name[n]) || name[n] == '_')
		n++;
	return n > 0 && n <= NAME_LENGTH && name[n] == '\0';
}

/* A body layer's name where all of them can be part of names in these files, else its number. */
static char *
body_label(const struct problem *p, int body)
{
	for (int b = 0; b < p->net->nbodies; b++)
		if (!plain(p->net->body[b].name))
			return xasprintf("body%d", body);
	return xstrdup(p->net->body[body].name);
}

/* The name of a kind of recomputation, or its number. */
static char *
kind_label(int kind)
{
	return plain(recompute_names[kind]) ? xstrdup(recompute_names[kind]) : xasprintf("kind%d", kind);
}

static char *
piece_label(const struct problem *p, int piece)
{
	return xasprintf("%d_%d", p->plan_piece[piece] / p->shape.stages, p->plan_piece[piece] % p->shape.stages);
}

/* Takes NAME over. */
static void
name_column(struct lp_model *l, int column, char *name)
{
	lp_name_column(l->lp, column, name);
	free(name);
}

static void
name_row(struct lp_model *l, int row, char *name)
{
	lp_name_row(l->lp, row, name);
	free(name);
}

static int
most_layers(const struct problem *p, int body)
{
	return p->net->body[body].layers < p->contents.most ? p->net->body[body].layers : p->contents.most;
}

static void
name_columns(struct lp_model *l)
{
	const struct problem *p = l->p;

	name_column(l, 1, xstrdup("z"));
	for (int c = 0; c < l->columns; c++) {
		char *body = body_label(p, l->column[c].body), *piece = piece_label(p, l->column[c].piece);
		char *kind = kind_label(l->column[c].kind);

		name_column(l, c + 2, xasprintf("n_%s_%s_%s", piece, body, kind));
		free(kind);
		lp_set_whole(l->lp, c + 2);
		lp_set_upper(l->lp, c + 2, most_layers(p, l->column[c].body));
		free(body);
		free(piece);
	}
}

/* In the order in which lp_model_open() makes them. */
static void
name_rows(struct lp_model *l)
{
	const struct problem *p = l->p;
	int row = 1;

	for (int b = 0; b < p->net->nbodies; b++) {
		char *body = body_label(p, b);

		name_row(l, row++, xasprintf("placed_%s", body));
		free(body);
	}
	for (int i = 0; i < p->pieces; i++) {
		char *piece = piece_label(p, i);

		name_row(l, row++, xasprintf("filled_%s", piece));
		free(piece);
	}
	for (int s = 0; s < p->stages; s++)
		for (int i = 0; i < p->evaluator.rows[s].n; i++)
			name_row(l, row++, xasprintf("memory_%d_%d", p->limited[s], i));
}

static int
add_choice(struct lp_model *l, char *name)
{
	int column = lp_add_binary(l->lp);

	name_column(l, column, name);
	return column;
}

struct sum {			/* a row under construction */
	int n;
	double *at;
	int *column;
};

static struct sum
sum_new(const struct lp_model *l)
{
	return (struct sum){ 0, xcalloc((size_t)l->columns + 1, sizeof(double)),
	    xcalloc((size_t)l->columns + 1, sizeof(int)) };
}

static void
sum_add(struct sum *s, int column, double factor)
{
	s->at[s->n] = factor;
	s->column[s->n++] = column;
}

/* Add the sum as a row of that name; then it is empty. */
static void
sum_end(struct lp_model *l, struct sum *s, enum lp_sense sense, double right, char *name)
{
	lp_add_row(l->lp, s->n, s->at, s->column, sense, right);
	name_row(l, lp_rows(l->lp), name);
	s->n = 0;
}

static void
sum_free(struct sum *s)
{
	free(s->at);
	free(s->column);
}

/*
 * What the lists of the training YAML can express, see pareto.h: the steps by which the layers of a piece are
 * recomputed, in order, by kind. Select and comm are of the same step, but only one of them can be on a piece.
 */
enum { STEPS = 4 };
static const int step_of[RECOMPUTE_BUILT_IN] = {
	[RECOMPUTE_FULL] = 0, [RECOMPUTE_BOTH] = 1, [RECOMPUTE_SELECT] = 2, [RECOMPUTE_COMM] = 2,
	[RECOMPUTE_NONE] = 3,
};

static bool
any_has(const struct problem *p, enum recompute kind)
{
	for (int b = 0; b < p->net->nbodies; b++)
		if (p->net->body[b].has[kind])
			return true;
	return false;
}

/* Only select on a piece, or only comm. */
static void
add_either(struct lp_model *l, int piece, struct sum *s)
{
	char *at = piece_label(l->p, piece);
	int most = l->p->contents.most, choice = add_choice(l, xasprintf("comm_%s", at));

	for (int k = RECOMPUTE_SELECT; k <= RECOMPUTE_COMM; k++) {
		for (int c = 0; c < l->columns; c++)
			if (l->column[c].piece == piece && l->column[c].kind == k)
				sum_add(s, c + 2, 1);
		sum_add(s, choice, k == RECOMPUTE_COMM ? -most : most);
		sum_end(l, s, LP_AT_MOST, k == RECOMPUTE_COMM ? 0 : most,
		    xasprintf("only_%s_%s", recompute_names[k], at));
	}
	free(at);
}

/*
 * The order of steps on a piece: either layers of bodies up to BODY may be recomputed by steps behind STEP, or layers
 * of later bodies by steps up to it; not both.
 */
static void
add_step(struct lp_model *l, int piece, int body, int step, struct sum *s)
{
	char *label = body_label(l->p, body), *at = piece_label(l->p, piece);
	int most = l->p->contents.most, choice = add_choice(l, xasprintf("beyond_%d_%s_%s", step, at, label));

	for (int later = 0; later < 2; later++) {
		for (int c = 0; c < l->columns; c++)
			if (l->column[c].piece == piece && (l->column[c].body > body) == later &&
			    l->p->net->body[l->column[c].body].side == 0 &&
			    (step_of[l->column[c].kind] > step) == !later)
				sum_add(s, c + 2, 1);
		sum_add(s, choice, later ? most : -most);
		sum_end(l, s, LP_AT_MOST, later ? most : 0,
		    xasprintf("%s_%d_%s_%s", later ? "later" : "first", step, at, label));
	}
	free(label);
	free(at);
}

static void
add_listed(struct lp_model *l, int piece, struct sum *s)
{
	const struct problem *p = l->p;

	if (any_has(p, RECOMPUTE_SELECT) && any_has(p, RECOMPUTE_COMM))
		add_either(l, piece, s);
	for (int b = 0; b + 1 < p->net->nbodies; b++)
		for (int step = 0; step + 1 < STEPS; step++) {
			bool reached = false;

			for (int k = 0; k < RECOMPUTE_KINDS; k++)
				reached |= any_has(p, (enum recompute)k) && step_of[k] == step;
			if (reached)
				add_step(l, piece, b, step, s);
		}
}

/* The sum of the layers of a body on the model's pieces up to a position. */
static void
add_until(const struct lp_model *l, int position, int body, struct sum *s)
{
	for (int n = 0; n <= position; n++)
		for (int c = 0; c < l->columns; c++)
			if (l->column[c].piece == l->p->piece[n] && l->column[c].body == body)
				sum_add(s, c + 2, 1);
}

/* The model's order: the next body may only have begun at a position if this one has ended there. */
static void
add_sequence(struct lp_model *l, int position, int body, struct sum *s)
{
	const struct problem *p = l->p;
	char *label = body_label(p, body), *next = body_label(p, body + 1);
	char *at = piece_label(p, p->piece[position]);
	int choice = add_choice(l, xasprintf("ended_%s_%s", at, label));

	add_until(l, position, body, s);
	sum_add(s, choice, -p->net->body[body].layers);
	sum_end(l, s, LP_AT_LEAST, 0, xasprintf("until_%s_%s", at, label));
	add_until(l, position, body + 1, s);
	sum_add(s, choice, -p->net->body[body + 1].layers);
	sum_end(l, s, LP_AT_MOST, 0, xasprintf("begun_%s_%s", at, next));
	free(label);
	free(next);
	free(at);
}

/*
 * What a piece takes only while it runs is that of its largest layer: more than the least, which is in the rows of
 * memory, where it has any layer of such a body.
 */
static void
add_transient(struct lp_model *l, int piece, struct sum *s)
{
	const struct problem *p = l->p;
	const struct rows *rows = &p->evaluator.rows[piece % p->stages];
	double least = piece_least_transient(p, piece), *runs = xcalloc((size_t)rows->n + 1, sizeof *runs);
	int *row = xcalloc((size_t)rows->n + 1, sizeof *row), first = 1 + p->net->nbodies + p->pieces, extra = 0;
	char *at = piece_label(p, piece);

	for (int i = 0; i < piece % p->stages; i++)
		first += p->evaluator.rows[i].n;
	for (int i = 0; i < rows->n; i++) {
		runs[i] = rows->runs[i * p->chunks + piece / p->stages];
		row[i] = first + i;
	}
	for (int b = 0; b < p->net->nbodies; b++) {
		double more = p->net->body[b].transient - least;
		char *label;
		int choice;

		if (more <= 0 || !piece_can_have(p, piece, b))
			continue;
		label = body_label(p, b);
		if (extra == 0) {
			lp_add_column(l->lp, rows->n, runs, row);
			extra = lp_columns(l->lp);
			name_column(l, extra, xasprintf("transient_%s", at));
		}
		choice = add_choice(l, xasprintf("has_%s_%s", at, label));
		for (int c = 0; c < l->columns; c++)
			if (l->column[c].piece == piece && l->column[c].body == b)
				sum_add(s, c + 2, 1);
		sum_add(s, choice, -p->contents.most);
		sum_end(l, s, LP_AT_MOST, 0, xasprintf("has_any_%s_%s", at, label));
		sum_add(s, extra, 1);
		sum_add(s, choice, -more);
		sum_end(l, s, LP_AT_LEAST, 0, xasprintf("takes_%s_%s", at, label));
		free(label);
	}
	free(at);
	free(row);
	free(runs);
}

void
mip_open(struct lp_model *l, const struct problem *p)
{
	struct sum s;

	lp_model_open(l, p, false);
	lp_model_opened(l);
	if (plain(p->net->name))
		lp_name(l->lp, p->net->name);
	name_columns(l);
	name_rows(l);
	s = sum_new(l);
	for (int i = 0; i < p->pieces && p->listed; i++)
		add_listed(l, i, &s);
	for (int i = 0; i < p->pieces; i++)
		add_transient(l, i, &s);
	for (int b = 0; b + 1 < p->net->nbodies; b++)
		for (int n = 0; n + 1 < p->pieces; n++)
			add_sequence(l, n, b, &s);
	sum_free(&s);
	l->rows = lp_rows(l->lp);
}

static void
name_paths(struct lp_model *l)
{
	for (int i = 0; i < l->paths.n; i++)
		name_row(l, l->rows + 1 + i, xasprintf("path_%d", i));
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
 * The fastest mix with no more activation than COUNT[bodies][kinds], or where parts of backwards or what waits for W
 * matter one that is as good in all of it; -1 when there is none as fast as those counts.
 */
static int
find_mix(const struct problem *p, int content, const int *count)
{
	const struct pareto_front *front;
	double activation = 0, backward = 0, gradient = 0, kept = 0;
	bool parts = p->weighs || p->holds;

	for (int b = 0; b < p->net->nbodies; b++) {
		int sum = 0;

		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			int n = count[b * RECOMPUTE_KINDS + k];

			sum += n;
			activation += n * p->net->body[b].activation[k];
			backward += n * p->net->body[b].backward[k];
			gradient += p->weighs ? n * p->net->body[b].weight_more[k] : 0;
			kept += p->holds ? n * p->net->body[b].kept_more[k] : 0;
		}
		if (sum != p->contents.content[content].body[b])
			return -1;
	}
	front = contents_front(&p->contents, content);
	for (int m = 0; m < front->n; m++) {
		const struct mix *x = &front->mix[m];
		double input = backward - gradient;

		if (x->activation <= activation * (1 + 1e-9) && x->backward <= backward * (1 + 1e-9) &&
		    x->gradient <= gradient * (1 + 1e-9) && x->backward - x->gradient <= input * (1 + 1e-9) &&
		    x->kept <= kept * (1 + 1e-9))
			return m;
		/* Later ones are slower where neither parts of backwards nor what waits for W matter. */
		if (x->activation <= activation * (1 + 1e-9) && !parts)
			return -1;
	}
	return -1;
}

bool
mip_plan(const struct lp_model *l, const double *x, struct candidate *out)
{
	const struct problem *p = l->p;
	int width = p->net->nbodies * RECOMPUTE_KINDS, first = 0, chunk[p->chunks], mix[p->chunks];
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
		out->content[i] = contents_find(&p->contents, first, layers);
		first += layers;
		if (out->content[i] < 0)
			good = false;
		else
			out->mix[i] = find_mix(p, out->content[i], count + i * width);
		good = good && out->mix[i] >= 0;
	}
	free(count);
	for (int s = 0; s < p->stages && good; s++) {
		for (int v = 0; v < p->chunks; v++) {
			chunk[v] = out->content[v * p->stages + s];
			mix[v] = out->mix[v * p->stages + s];
		}
		good = stage_peak(p, s, chunk, mix) <= p->limit[s] + MEMORY_SLACK;
	}
	return good && first == p->net->layers;
}
