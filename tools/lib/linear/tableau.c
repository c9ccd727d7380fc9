/* The primal and the dual simplex method on dense rows. */
#include "tableau.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/each_width.h"

static const double TOLERANCE = 1e-9;	/* for right sides and reduced costs */
static const double PIVOT = 1e-7;	/* minimum magnitude of a pivot */
/* relative difference of the primal and the dual objective that shows a spoilt tableau */
static const double SPOILT = 1e-6;
enum {
	CHECK_EVERY = 64,	/* number of pivots from one look at the clock to the next */
	PIVOTS = 20,		/* maximum number of pivots per row and column */
};

/*
 * Row r of the tableau belongs to the variable basic[r], whose value is right[r]. A variable is a column, or ~i for the
 * slack of row i. The slack of an equality has coefficient 1. The slack of any other row has coefficient -1, as it is a
 * surplus. inverse is the inverse of the basis.
 */
struct tableau {
	int rows, equalities, columns, row_room, column_room;
	double **body;		/* [rows][columns], coefficients */
	double **inverse;	/* [rows][rows] */
	double *right;		/* [rows] */
	double *given;		/* [rows], right sides of the programme */
	int *basic;		/* [rows], variables */
	/* [columns] and [rows]: 1 + the row in which the column, the slack is basic; 0: it is not basic */
	int *place, *slack;
	double *reduced;	/* [columns], reduced costs */
	double *unit;		/* [rows], reduced costs of the unit columns: minus the multipliers */
	double value;		/* value of the objective */
	int known;		/* number of columns whose reduced costs were made nonnegative */
	double work;		/* see tableau_work() */
};

EACH_WIDTH static void
subtract(double *restrict to, const double *restrict from, double times, int n)
{
	for (int i = 0; i < n; i++)
		to[i] -= times * from[i];
}

static void
make_room(struct tableau *t, int rows, int columns)
{
	t->row_room = rows;
	t->column_room = columns;
	t->body = xreallocarray(t->body, (size_t)rows, sizeof *t->body);
	t->inverse = xreallocarray(t->inverse, (size_t)rows, sizeof *t->inverse);
	t->right = xreallocarray(t->right, (size_t)rows, sizeof *t->right);
	t->given = xreallocarray(t->given, (size_t)rows, sizeof *t->given);
	t->basic = xreallocarray(t->basic, (size_t)rows, sizeof *t->basic);
	t->slack = xreallocarray(t->slack, (size_t)rows, sizeof *t->slack);
	t->unit = xreallocarray(t->unit, (size_t)rows, sizeof *t->unit);
	t->place = xreallocarray(t->place, (size_t)columns, sizeof *t->place);
	t->reduced = xreallocarray(t->reduced, (size_t)columns, sizeof *t->reduced);
	for (int r = 0; r < t->rows; r++) {
		t->body[r] = xreallocarray(t->body[r], (size_t)columns, sizeof **t->body);
		t->inverse[r] = xreallocarray(t->inverse[r], (size_t)rows, sizeof **t->inverse);
	}
}

struct tableau *
tableau_new(int rows, const double *right)
{
	struct tableau *t = xcalloc(1, sizeof *t);

	make_room(t, 2 * rows, 4 * rows);
	t->rows = t->equalities = rows;
	for (int i = 0; i < rows; i++) {
		t->body[i] = xcalloc((size_t)t->column_room, sizeof **t->body);
		t->inverse[i] = xcalloc((size_t)t->row_room, sizeof **t->inverse);
		t->inverse[i][i] = 1;
		t->right[i] = t->given[i] = right[i];
		t->basic[i] = ~i;
		t->slack[i] = 1 + i;
		t->unit[i] = -TABLEAU_LACK;
		t->value += TABLEAU_LACK * right[i];
	}
	t->columns = 1;
	t->reduced[0] = 1;
	t->place[0] = 0;
	return t;
}

void
tableau_free(struct tableau *t)
{
	for (int i = 0; i < t->rows; i++) {
		free(t->body[i]);
		free(t->inverse[i]);
	}
	free(t->body);
	free(t->inverse);
	free(t->right);
	free(t->basic);
	free(t->unit);
	free(t->place);
	free(t->slack);
	free(t->reduced);
	free(t->given);
	free(t);
}

static int *
place_of(struct tableau *t, int var)
{
	return var >= 0 ? &t->place[var] : &t->slack[~var];
}

void
tableau_add_column(struct tableau *t, double cost, const double *value)
{
	int j = t->columns;

	if (j == t->column_room)
		make_room(t, t->row_room, 2 * t->column_room);
	for (int r = 0; r < t->rows; r++) {
		double sum = 0;

		for (int i = 0; i < t->rows; i++)
			sum += t->inverse[r][i] * value[i];
		t->body[r][j] = sum;
	}
	t->reduced[j] = cost;
	for (int i = 0; i < t->rows; i++)
		t->reduced[j] += t->unit[i] * value[i];
	t->place[j] = 0;
	t->columns++;
	t->work += (double)t->rows * t->rows;
}

void
tableau_add_row(struct tableau *t, const double *value, double right)
{
	int r = t->rows;

	if (r == t->row_room)
		make_room(t, 2 * t->row_room, t->column_room);
	/*
	 * The surplus is the sum of the columns minus RIGHT. In this row, basic columns are replaced by their own rows.
	 */
	t->body[r] = xcalloc((size_t)t->column_room, sizeof **t->body);
	t->inverse[r] = xcalloc((size_t)t->row_room, sizeof **t->inverse);
	for (int j = 0; j < t->columns; j++)
		t->body[r][j] = -value[j];
	t->inverse[r][r] = -1;
	t->right[r] = -right;
	t->given[r] = right;
	for (int i = 0; i < r; i++) {
		t->inverse[i][r] = 0;
		if (t->basic[i] >= 0 && value[t->basic[i]] != 0) {
			double times = -value[t->basic[i]];

			subtract(t->body[r], t->body[i], times, t->columns);
			subtract(t->inverse[r], t->inverse[i], times, r);
			t->right[r] -= times * t->right[i];
		}
	}
	t->basic[r] = ~r;
	t->slack[r] = 1 + r;
	t->unit[r] = 0;
	t->rows++;
	t->work += (double)t->rows * (t->rows + t->columns);
}

bool
tableau_can_drop_row(const struct tableau *t, int row)
{
	return row >= t->equalities && t->slack[row] != 0;
}

bool
tableau_can_drop_column(const struct tableau *t, int column)
{
	return column > 0 && t->place[column] == 0;
}

/* Set TO to the new index of each kept entry, from 0; -1: dropped. Return the number of kept entries. */
static int
number(const char *keep, int n, int *to)
{
	int kept = 0;

	for (int i = 0; i < n; i++)
		to[i] = keep[i] ? kept++ : -1;
	return kept;
}

/* Move the numbers FROM[n] to their new indices in TO. */
static void
move_up(double *from, const int *to, int n)
{
	for (int i = 0; i < n; i++)
		if (to[i] >= 0)
			from[to[i]] = from[i];
}

/* Drop the row of the tableau in which the slack of a dropped row is basic. */
static void
drop_body_row(struct tableau *t, int r)
{
	free(t->body[r]);
	free(t->inverse[r]);
	t->body[r] = t->inverse[r] = NULL;
}

void
tableau_keep(struct tableau *t, const char *keep_row, const char *keep_column)
{
	int row[t->rows], column[t->columns], rows = number(keep_row, t->rows, row);
	int columns = number(keep_column, t->columns, column), at = 0, known = 0;

	for (int i = 0; i < t->rows; i++)
		if (row[i] < 0)
			drop_body_row(t, t->slack[i] - 1);
	for (int r = 0; r < t->rows; r++) {
		if (t->body[r] == NULL)
			continue;
		t->body[at] = t->body[r];
		t->inverse[at] = t->inverse[r];
		t->right[at] = t->right[r];
		t->basic[at] = t->basic[r] >= 0 ? column[t->basic[r]] : ~row[~t->basic[r]];
		move_up(t->body[at], column, t->columns);
		move_up(t->inverse[at++], row, t->rows);
	}
	move_up(t->given, row, t->rows);
	move_up(t->unit, row, t->rows);
	move_up(t->reduced, column, t->columns);
	for (int j = 0; j < t->known; j++)
		known += column[j] >= 0;
	t->rows = rows;
	t->columns = columns;
	t->known = known;
	memset(t->place, 0, (size_t)columns * sizeof *t->place);
	memset(t->slack, 0, (size_t)rows * sizeof *t->slack);
	for (int r = 0; r < rows; r++)
		*place_of(t, t->basic[r]) = 1 + r;
}

int
tableau_rows(const struct tableau *t)
{
	return t->rows;
}

int
tableau_columns(const struct tableau *t)
{
	return t->columns;
}

/* Return the coefficient of a variable in a row. VAR: a column or ~i. */
static double
coefficient(const struct tableau *t, int row, int var)
{
	return var >= 0 ? t->body[row][var] : ~var < t->equalities ? t->inverse[row][~var] : -t->inverse[row][~var];
}

/* Return the reduced cost of a variable. */
static double
reduced(const struct tableau *t, int var)
{
	return var >= 0 ? t->reduced[var] : ~var < t->equalities ? TABLEAU_LACK + t->unit[~var] : -t->unit[~var];
}

static void
pivot(struct tableau *t, int row, int var)
{
	double by = 1 / coefficient(t, row, var), cost;

	for (int j = 0; j < t->columns; j++)
		t->body[row][j] *= by;
	for (int i = 0; i < t->rows; i++)
		t->inverse[row][i] *= by;
	t->right[row] *= by;
	for (int r = 0; r < t->rows; r++) {
		double times = r == row ? 0 : coefficient(t, r, var);

		if (times == 0)
			continue;
		subtract(t->body[r], t->body[row], times, t->columns);
		subtract(t->inverse[r], t->inverse[row], times, t->rows);
		t->right[r] -= times * t->right[row];
		if (var >= 0)
			t->body[r][var] = 0;
		else
			t->inverse[r][~var] = 0;
	}
	cost = reduced(t, var);
	subtract(t->reduced, t->body[row], cost, t->columns);
	subtract(t->unit, t->inverse[row], cost, t->rows);
	t->value += cost * t->right[row];
	t->work += (double)t->rows * (t->rows + t->columns);
	*place_of(t, t->basic[row]) = 0;
	*place_of(t, var) = 1 + row;
	t->basic[row] = var;
	/* The reduced cost of a basic variable is exactly 0. */
	if (var >= 0)
		t->reduced[var] = 0;
	else
		t->unit[~var] = ~var < t->equalities ? -TABLEAU_LACK : 0;
}

/*
 * Return the row that limits the growth of VAR most; -1: no row does. Of equal rows take the one with the largest
 * coefficient.
 */
static int
leaving(const struct tableau *t, int var)
{
	double least = INFINITY, largest = 0;
	int row = -1;

	for (int r = 0; r < t->rows; r++) {
		double c = coefficient(t, r, var);

		if (c > PIVOT)
			least = fmin(least, (fmax(t->right[r], 0) + TOLERANCE) / c);
	}
	for (int r = 0; r < t->rows; r++) {
		double c = coefficient(t, r, var);

		if (c > PIVOT && fmax(t->right[r], 0) / c <= least && c > largest) {
			largest = c;
			row = r;
		}
	}
	return row;
}

/*
 * Set *VAR to the variable with the least reduced cost, which enters the basis (Dantzig's rule). Return false if no
 * reduced cost is negative.
 */
static bool
entering(const struct tableau *t, int *var)
{
	double least = -TOLERANCE;

	for (int j = 0; j < t->columns; j++)
		if (t->reduced[j] < least && t->place[j] == 0) {
			least = t->reduced[j];
			*var = j;
		}
	for (int i = 0; i < t->rows; i++)
		if (reduced(t, ~i) < least && t->slack[i] == 0) {
			least = reduced(t, ~i);
			*var = ~i;
		}
	return least < -TOLERANCE;
}

/* Return whether another pivot may be made. */
static bool
go_on(int *pivots, double deadline)
{
	return --*pivots >= 0 && (*pivots % CHECK_EVERY != 0 || clock_left(deadline));
}

static bool
primal(struct tableau *t, int *pivots, double deadline)
{
	int var;

	while (entering(t, &var)) {
		int row = leaving(t, var);

		if (row < 0 || !go_on(pivots, deadline))
			return false;
		pivot(t, row, var);
	}
	return true;
}

/* Return the row with the most negative right side; -1: none is negative. */
static int
lacking(const struct tableau *t)
{
	double worst = -TOLERANCE;
	int row = -1;

	for (int r = 0; r < t->rows; r++)
		if (t->right[r] < worst) {
			worst = t->right[r];
			row = r;
		}
	return row;
}

/*
 * Set *VAR to the variable that enters the basis for an infeasible row, such that no reduced cost becomes negative
 * (ratio test). Of equal variables take the one with the largest coefficient. Return false if no variable can enter.
 */
static bool
entering_for(const struct tableau *t, int row, int *var)
{
	double least = INFINITY, largest = 0;

	for (int pass = 0; pass < 2; pass++)
		for (int v = -t->rows; v < t->known; v++) {
			double c = -coefficient(t, row, v), cost;

			if (c <= PIVOT || (v >= 0 ? t->place[v] : t->slack[~v]) != 0)
				continue;
			cost = fmax(reduced(t, v), 0);
			if (pass == 0)
				least = fmin(least, (cost + TOLERANCE) / c);
			else if (c > largest && cost <= least * c) {
				largest = c;
				*var = v;
			}
		}
	return largest > 0;
}

/* Run the dual simplex method on the columns whose reduced costs are not negative. Return false if it fails. */
static bool
dual(struct tableau *t, int *pivots, double deadline)
{
	int row, var;

	while ((row = lacking(t)) >= 0) {
		if (!entering_for(t, row, &var) || !go_on(pivots, deadline))
			return false;
		pivot(t, row, var);
	}
	return true;
}

/* Return whether the objectives of the programme and of its dual agree within rounding. */
static bool
sound(const struct tableau *t)
{
	double sum = 0, magnitude = 1;

	for (int i = 0; i < t->rows; i++) {
		sum -= t->unit[i] * t->given[i];
		magnitude += fabs(t->unit[i] * t->given[i]);
	}
	return fabs(sum - t->value) <= SPOILT * magnitude;
}

bool
tableau_solve(struct tableau *t, double deadline)
{
	int pivots = PIVOTS * (t->rows + t->columns), row = lacking(t);

	/* In the first solution, column 0 is large enough to make all rows feasible. */
	if (row >= 0 && t->known == 0)
		pivot(t, row, 0);
	if (!dual(t, &pivots, deadline))
		return false;
	t->known = t->columns;
	return primal(t, &pivots, deadline) && sound(t);
}

double
tableau_value(const struct tableau *t)
{
	return t->value;
}

void
tableau_solution(const struct tableau *t, double *x)
{
	memset(x, 0, (size_t)t->columns * sizeof *x);
	for (int r = 0; r < t->rows; r++)
		if (t->basic[r] >= 0)
			x[t->basic[r]] = fmax(t->right[r], 0);
}

double
tableau_dual(const struct tableau *t, int row)
{
	return -t->unit[row];
}

double
tableau_reduced(const struct tableau *t, int column)
{
	return t->reduced[column];
}

double
tableau_work(const struct tableau *t)
{
	return t->work;
}
