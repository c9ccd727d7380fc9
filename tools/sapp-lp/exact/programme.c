#include "programme.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

enum {
	UNUSED_ROUNDS = 12,	/* rounds without use after which a row or column is dropped */
	KEEP_ROUNDS = 3,	/* rows and columns used in this number of last rounds pass to the next programme */
};
/* A row is used if its multiplier is above this, a column if its reduced cost is below this. */
static const double USED_ROW = 1e-9, USED_COLUMN = 0.02;
static const double LACK = 1;	/* penalty for a layer too few or too many, in units of the programme's time */

static void
subset_add(struct subset *set, char **has, int *room, int i)
{
	if (i >= *room) {
		*has = xreallocarray(*has, (size_t)i * 2 + 64, 1);
		memset(*has + *room, 0, (size_t)i * 2 + 64 - (size_t)*room);
		*room = i * 2 + 64;
	}
	(*has)[i] = 1;
	*APPEND(set->at, set->n) = i;
}

static void
make_room(struct programme *g)
{
	int need = 4 + g->columns.n + g->paths.n + g->pool->problem->stages + 3 * g->pool->problem->net->nbodies;

	if (need <= g->room)
		return;
	g->room = 2 * need;
	g->row = xreallocarray(g->row, (size_t)g->room, sizeof *g->row);
	g->x = xreallocarray(g->x, (size_t)g->room, sizeof *g->x);
	g->path_used = xreallocarray(g->path_used, (size_t)g->room, sizeof *g->path_used);
	g->column_used = xreallocarray(g->column_used, (size_t)g->room, sizeof *g->column_used);
}

/* Return the ms that a column adds to a path. */
static double
length(const struct problem *p, const struct column *c, const struct visits *v)
{
	double sum = 0;

	for (int k = 0; k < p->chunks; k++) {
		const struct content *content = &p->contents.content[c->content[k]];
		int piece = k * p->stages + c->stage;

		sum += times_product(piece_worth(p, piece, v),
		    piece_times(p, piece, content, problem_mix(p, c->content[k], c->mix[k])));
	}
	return sum;
}

bool
programme_join_column(struct programme *g, int number)
{
	const struct problem *p = g->pool->problem;
	const struct column *c = &g->pool->column[number];
	int n = 0;

	if (number < g->column_room && g->has_column[number])
		return false;
	make_room(g);
	for (int b = 0; b < p->net->nbodies; b++, n++) {
		g->row[n] = 0;
		for (int k = 0; k < p->chunks; k++)
			g->row[n] += p->contents.content[c->content[k]].body[b];
	}
	for (int s = 0; s < p->stages; s++)
		g->row[n++] = s == c->stage;
	for (int i = 0; i < g->paths.n; i++)
		g->row[n++] = -length(p, c, &g->pool->paths.at[g->paths.at[i]]) / g->ms;
	tableau_add_column(g->lp, 0, g->row);
	g->column_used[g->columns.n] = g->round;
	subset_add(&g->columns, &g->has_column, &g->column_room, number);
	return true;
}

bool
programme_join_path(struct programme *g, int number)
{
	const struct visits *v = &g->pool->paths.at[number];

	if (number < g->path_room && g->has_path[number])
		return false;
	make_room(g);
	memset(g->row, 0, (size_t)g->first * sizeof *g->row);
	g->row[0] = 1;
	for (int i = 0; i < g->columns.n; i++)
		g->row[g->first + i] = -length(g->pool->problem, &g->pool->column[g->columns.at[i]], v) / g->ms;
	tableau_add_row(g->lp, g->row, v->delay / g->ms);
	g->path_used[g->paths.n] = g->round;
	subset_add(&g->paths, &g->has_path, &g->path_room, number);
	return true;
}

/*
 * Add slacks for missing and excess layers of each body, because no combination of the columns may place all layers
 * yet.
 */
static void
add_lacks(struct programme *g)
{
	memset(g->row, 0, (size_t)g->first_path * sizeof *g->row);
	for (int b = 0; b < g->pool->problem->net->nbodies; b++) {
		for (int sign = 1; sign >= -1; sign -= 2) {
			g->row[b] = sign;
			tableau_add_column(g->lp, LACK, g->row);
		}
		g->row[b] = 0;
	}
}

struct programme
programme_new(struct column_pool *pool, double ms)
{
	const struct problem *p = pool->problem;
	struct programme g = { .pool = pool, .ms = ms, .first_path = p->net->nbodies + p->stages };

	make_room(&g);
	for (int i = 0; i < g.first_path; i++)
		g.row[i] = i < p->net->nbodies ? p->net->body[i].layers : 1;
	g.lp = tableau_new(g.first_path, g.row);
	if (p->chunks > 1)
		add_lacks(&g);
	g.first = tableau_columns(g.lp);
	return g;
}

void
programme_free(struct programme *g)
{
	tableau_free(g->lp);
	free(g->paths.at);
	free(g->columns.at);
	free(g->x);
	free(g->has_path);
	free(g->has_column);
	free(g->path_used);
	free(g->column_used);
	free(g->row);
}

bool
programme_solve(struct programme *g, double deadline, double *ms)
{
	if (!tableau_solve(g->lp, deadline))
		return false;
	*ms = tableau_value(g->lp) * g->ms;
	tableau_solution(g->lp, g->x);
	g->round++;
	return true;
}

void
programme_mark_used(struct programme *g, struct subset *paths, struct subset *columns)
{
	for (int i = 0; i < g->paths.n; i++)
		if (tableau_dual(g->lp, g->first_path + i) > USED_ROW)
			g->path_used[i] = g->round;
	for (int i = 0; i < g->columns.n; i++)
		if (tableau_reduced(g->lp, g->first + i) < USED_COLUMN)
			g->column_used[i] = g->round;
	paths->n = columns->n = 0;
	paths->at = xreallocarray(paths->at, (size_t)g->paths.n, sizeof(int));
	columns->at = xreallocarray(columns->at, (size_t)g->columns.n, sizeof(int));
	for (int i = 0; i < g->paths.n; i++)
		if (g->path_used[i] > g->round - KEEP_ROUNDS)
			paths->at[paths->n++] = g->paths.at[i];
	for (int i = 0; i < g->columns.n; i++)
		if (g->column_used[i] > g->round - KEEP_ROUNDS)
			columns->at[columns->n++] = g->columns.at[i];
}

/*
 * Drop the members of a subset that were unused for some rounds, if CAN allows dropping them. For each, set HAS, and
 * KEEP of its row or column, to 0. FIRST: row or column of the first member.
 */
static void
leave_out(const struct programme *g, bool (*can)(const struct tableau *, int), int first, struct subset *set, int *used,
    char *has, char *keep)
{
	int left = 0;

	for (int i = 0; i < set->n; i++) {
		if (used[i] < g->round - UNUSED_ROUNDS && can(g->lp, first + i)) {
			keep[first + i] = has[set->at[i]] = 0;
			continue;
		}
		used[left] = used[i];
		set->at[left++] = set->at[i];
	}
	set->n = left;
}

void
programme_drop_unused(struct programme *g)
{
	int rows = tableau_rows(g->lp), columns = tableau_columns(g->lp);
	char row[rows], column[columns];

	memset(row, 1, (size_t)rows);
	memset(column, 1, (size_t)columns);
	leave_out(g, tableau_can_drop_row, g->first_path, &g->paths, g->path_used, g->has_path, row);
	leave_out(g, tableau_can_drop_column, g->first, &g->columns, g->column_used, g->has_column, column);
	tableau_keep(g->lp, row, column);
}
