/*
 * Compare the tableau with lp_solve: programmes like the planner's, to which columns and rows are added in several
 * rounds, are solved anew by lp_solve. A minimum is also checked from the solution and the multipliers.
 */
#include "lib/base/alloc.h"
#include "lib/base/random.h"
#include "lib/linear/lp.h"
#include "lib/linear/tableau.h"
#include "tap.h"

enum { PROGRAMMES = 300, MOST = 160, ROUNDS = 6 };

struct programme {
	int equalities, rows, columns;
	double right[MOST], cost[MOST], at[MOST][MOST];		/* [rows][columns] */
	struct tableau *tableau;
};

static struct {
	long solved, failed, apart, rows, columns, duals, dropped;
	double worst;
} tally;

/* Whole numbers have ties, which cause degenerate pivots. */
static double
number(uint64_t *random, bool whole)
{
	return whole ? random_below(random, 4) : random_unit(random) * 3;
}

/*
 * Add a column for a setting of a stage: its layers of each body, one for the stage's row, and its time on each path.
 */
static void
add_column(struct programme *g, int bodies, bool whole, uint64_t *random)
{
	int j = g->columns++, stage = bodies + random_below(random, g->equalities - bodies);
	double value[MOST];

	g->cost[j] = 0;
	for (int i = 0; i < g->rows; i++)
		g->at[i][j] = value[i] = i < bodies ? random_below(random, 5) : i < g->equalities ? i == stage :
		    random_below(random, 3) == 0 ? 0 : -number(random, whole);
	tableau_add_column(g->tableau, 0, value);
}

static void
add_row(struct programme *g, bool whole, uint64_t *random)
{
	int i = g->rows++;

	g->right[i] = number(random, whole) / 4;
	for (int j = 0; j < g->columns; j++)
		g->at[i][j] = j == 0 ? 1 : g->cost[j] > 0 || random_below(random, 3) == 0 ? 0 : -number(random, whole);
	tableau_add_row(g->tableau, g->at[i], g->right[i]);
}

/* Return the minimum by lp_solve, with the same price for the shortfall of an equality. */
static double
solved_afresh(const struct programme *g)
{
	struct lp *lp = lp_new(g->columns + g->equalities);
	double least;

	for (int j = 0; j < g->columns; j++)
		lp_set_cost(lp, 1 + j, g->cost[j]);
	for (int i = 0; i < g->equalities; i++)
		lp_set_cost(lp, 1 + g->columns + i, TABLEAU_LACK);
	for (int i = 0; i < g->rows; i++) {
		for (int j = 0; j < g->columns; j++)
			lp_put(lp, 1 + j, g->at[i][j]);
		if (i < g->equalities)
			lp_put(lp, 1 + g->columns + i, 1);
		lp_end_row(lp, i < g->equalities ? LP_EQUAL : LP_AT_LEAST, g->right[i]);
	}
	least = lp_solve(lp) == LP_OPTIMAL ? lp_value(lp) : NAN;
	lp_free(lp);
	return least;
}

/*
 * Check that the solution is a minimum: no value is below 0, no row is violated, and no column has a negative reduced
 * cost.
 */
static void
check_solution(const struct programme *g)
{
	double x[MOST], dual[MOST];

	tableau_solution(g->tableau, x);
	for (int i = 0; i < g->rows; i++) {
		double sum = -g->right[i];

		dual[i] = tableau_dual(g->tableau, i);
		for (int j = 0; j < g->columns; j++)
			sum += g->at[i][j] * x[j];
		tally.rows += i < g->equalities ? sum > 1e-6 : sum < -1e-6;
		tally.duals += i >= g->equalities && dual[i] < -1e-6;
	}
	for (int j = 0; j < g->columns; j++) {
		double reduced = g->cost[j];

		for (int i = 0; i < g->rows; i++)
			reduced -= dual[i] * g->at[i][j];
		tally.columns += x[j] < 0 || reduced < -1e-6 || fabs(x[j] * reduced) > 1e-5 ||
		    fabs(reduced - tableau_reduced(g->tableau, j)) > 1e-5;
	}
}

/* Drop some of the removable rows and columns. */
static void
drop_some(struct programme *g, uint64_t *random)
{
	char row[MOST], column[MOST];
	int rows = 0, columns = 0;

	for (int i = 0; i < g->rows; i++)
		row[i] = !tableau_can_drop_row(g->tableau, i) || random_below(random, 2) == 0;
	for (int j = 0; j < g->columns; j++)
		column[j] = !tableau_can_drop_column(g->tableau, j) || random_below(random, 2) == 0;
	tableau_keep(g->tableau, row, column);
	for (int i = 0; i < g->rows; i++) {
		int at = 0;

		if (!row[i])
			continue;
		for (int j = 0; j < g->columns; j++)
			if (column[j])
				g->at[rows][at++] = g->at[i][j];
		g->right[rows++] = g->right[i];
	}
	for (int j = 0; j < g->columns; j++)
		if (column[j])
			g->cost[columns++] = g->cost[j];
	tally.dropped += g->rows - rows + g->columns - columns;
	g->rows = rows;
	g->columns = columns;
}

static void
try_programme(uint64_t *random)
{
	static struct programme g;
	int bodies = 1 + random_below(random, 3), stages = 1 + random_below(random, 16);
	bool whole = random_below(random, 2) == 0, lacks = random_below(random, 3) == 0;

	g = (struct programme){ .equalities = bodies + stages, .rows = bodies + stages, .columns = 1 };
	g.cost[0] = 1;
	for (int i = 0; i < g.rows; i++)
		g.right[i] = i < bodies ? random_below(random, 3 * stages) : 1;
	g.tableau = tableau_new(g.rows, g.right);
	for (int b = 0; b < bodies && lacks; b++) {
		double value[MOST] = { 0 };

		value[b] = g.at[b][g.columns] = 1;
		g.cost[g.columns++] = 0.5;
		tableau_add_column(g.tableau, 0.5, value);
	}
	for (int round = 0; round < ROUNDS; round++) {
		int columns = random_below(random, 20), rows = random_below(random, 12);
		double want;

		for (int i = 0; i < rows / 2; i++)
			add_row(&g, whole, random);
		for (int i = 0; i < columns; i++)
			add_column(&g, bodies, whole, random);
		for (int i = rows / 2; i < rows; i++)
			add_row(&g, whole, random);
		if (!tableau_solve(g.tableau, INFINITY)) {
			tally.failed++;
			break;
		}
		tally.solved++;
		want = solved_afresh(&g);
		tally.worst = fmax(tally.worst, fabs(tableau_value(g.tableau) - want) / fmax(1, want));
		tally.apart += !(fabs(tableau_value(g.tableau) - want) <= 1e-6 * fmax(1, want));
		check_solution(&g);
		if (round % 2 == 1)
			drop_some(&g, random);
	}
	tableau_free(g.tableau);
}

/* By hand: with x1 = 1, x0 >= 2 and x0 >= 3 - x1 give the minimum 2. Then x0 >= 5 - 2 x1 raises it to 3. */
static void
by_hand(void)
{
	double right[] = { 1 }, column[] = { 1 }, x[2];
	struct tableau *t = tableau_new(1, right);

	tableau_add_column(t, 0, column);
	tableau_add_row(t, (double[]){ 1, 0 }, 2);
	tableau_add_row(t, (double[]){ 1, 1 }, 3);
	ok(tableau_solve(t, INFINITY), "it has a minimum");
	near(2, tableau_value(t), 1e-12, "of 2");
	tableau_add_row(t, (double[]){ 1, 2 }, 5);
	ok(tableau_solve(t, INFINITY), "also with another row");
	near(3, tableau_value(t), 1e-12, "of 3");
	ok(tableau_can_drop_row(t, 1) && !tableau_can_drop_row(t, 3), "a row that it is above can be dropped alone");
	tableau_solution(t, x);
	near(3, x[0], 1e-12, "which is its first column");
	near(1, x[1], 1e-12, "beside the other");
	near(0, tableau_dual(t, 1), 1e-12, "a row that it is above has no multiplier");
	near(1, tableau_dual(t, 3), 1e-12, "the one that it is at has");
	near(-2, tableau_dual(t, 0), 1e-12, "and what there is more of the other is worth two");
	near(0, tableau_reduced(t, 1), 1e-12, "no column would make it less");
	ok(tableau_work(t) > 0, "it took something");
	same(4, tableau_rows(t), "rows");
	same(2, tableau_columns(t), "columns");
	ok(!tableau_can_drop_column(t, 0) && !tableau_can_drop_column(t, 1), "neither column can be dropped");
	tableau_keep(t, (char[]){ 1, 0, 1, 1 }, (char[]){ 1, 1 });
	same(3, tableau_rows(t), "rows without one");
	tableau_add_row(t, (double[]){ 1, 0 }, 4);
	ok(tableau_solve(t, INFINITY), "it still has a minimum");
	near(4, tableau_value(t), 1e-12, "with a row that comes then, of 4");
	tableau_free(t);
}

int
main(void)
{
	uint64_t random = 1;

	by_hand();
	for (int i = 0; i < PROGRAMMES; i++)
		try_programme(&random);
	printf("# %ld programmes solved, %.2g from lp_solve's minimum at most; %ld rows and columns dropped\n",
	    tally.solved, tally.worst, tally.dropped);
	ok(tally.solved > PROGRAMMES * ROUNDS * 9 / 10, "programmes are solved");
	same(0, tally.failed, "every one");
	same(0, tally.apart, "the minimum is lp_solve's");
	same(0, tally.rows, "solutions keep to the rows");
	same(0, tally.duals, "multipliers of rows are not negative");
	same(0, tally.columns, "no column would make it less");
	return tap_done();
}
