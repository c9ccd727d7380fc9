/* A thin layer over lp_solve. */
#include "lp.h"

#include <err.h>
#include <lpsolve/lp_lib.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/status.h"

struct lp {
	lprec *rec;
	int terms;		/* number of terms in the next row */
	double *value;		/* [terms] */
	int *column;
};

/* Exit if a call failed. For calls that fail only if memory runs out. */
static void
check(bool good)
{
	if (!good)
		err(STATUS_ERROR, "out of memory");
}

struct lp *
lp_new(int columns)
{
	struct lp *l = xcalloc(1, sizeof *l);

	l->rec = make_lp(0, columns);
	check(l->rec != NULL);
	set_verbose(l->rec, NEUTRAL);
	return l;
}

void
lp_free(struct lp *l)
{
	delete_lp(l->rec);
	free(l->value);
	free(l->column);
	free(l);
}

/* Return whether the deadline is over. lp_solve calls this at intervals. */
static int __WINAPI
out_of_time(lprec *rec, void *deadline)
{
	(void)rec;
	return !clock_left(*(double *)deadline);
}

void
lp_set_deadline(struct lp *l, double *deadline)
{
	put_abortfunc(l->rec, out_of_time, deadline);
}

void
lp_set_cost(struct lp *l, int column, double cost)
{
	check(set_obj(l->rec, column, cost));
}

void
lp_set_upper(struct lp *l, int column, double upper)
{
	check(set_upbo(l->rec, column, upper));
}

void
lp_set_unbounded(struct lp *l, int column)
{
	check(set_unbounded(l->rec, column));
}

void
lp_set_whole(struct lp *l, int column)
{
	check(set_int(l->rec, column, TRUE));
}

void
lp_set_right(struct lp *l, int row, double right)
{
	check(set_rh(l->rec, row, right));
}

void
lp_put(struct lp *l, int column, double value)
{
	int n = l->terms;

	if (value == 0)
		return;
	*APPEND(l->value, n) = value;
	*APPEND(l->column, l->terms) = column;
}

void
lp_end_row(struct lp *l, enum lp_sense sense, double right)
{
	static const int type[] = { [LP_AT_MOST] = LE, [LP_AT_LEAST] = GE, [LP_EQUAL] = EQ };

	check(add_constraintex(l->rec, l->terms, l->value, l->column, type[sense], right));
	l->terms = 0;
}

void
lp_add_column(struct lp *l, int n, double *value, int *index)
{
	check(add_columnex(l->rec, n, value, index));
}

int
lp_add_binary(struct lp *l)
{
	lp_add_column(l, 0, NULL, NULL);
	check(set_binary(l->rec, lp_columns(l), TRUE));
	return lp_columns(l);
}

int
lp_rows(const struct lp *l)
{
	return get_Nrows(l->rec);
}

int
lp_columns(const struct lp *l)
{
	return get_Ncolumns(l->rec);
}

enum lp_status
lp_solve(struct lp *l)
{
	int status = solve(l->rec);

	return status == OPTIMAL ? LP_OPTIMAL : status == SUBOPTIMAL ? LP_SUBOPTIMAL : LP_NO_SOLUTION;
}

double
lp_value(const struct lp *l)
{
	return get_objective(l->rec);
}

const double *
lp_solution(const struct lp *l)
{
	double *x;

	return get_ptr_variables(l->rec, &x) ? x : NULL;
}

bool
lp_duals(const struct lp *l, double *dual)
{
	return get_dual_solution(l->rec, dual);
}

void
lp_name(struct lp *l, const char *name)
{
	check(set_lp_name(l->rec, (char *)name));
}

void
lp_name_column(struct lp *l, int column, const char *name)
{
	check(set_col_name(l->rec, column, (char *)name));
}

void
lp_name_row(struct lp *l, int row, const char *name)
{
	check(set_row_name(l->rec, row, (char *)name));
}

int
lp_find_column(const struct lp *l, const char *name)
{
	return get_nameindex(l->rec, (char *)name, FALSE);
}

static int __WINAPI
put(void *file, char *text)
{
	return fputs(text, file) < 0 ? -1 : (int)strlen(text);
}

bool
lp_write_lp(struct lp *l, FILE *f)
{
	return write_lpex(l->rec, f, put);
}

bool
lp_write_mps(struct lp *l, FILE *f)
{
	bool good = write_freeMPS(l->rec, f);

	/* lp_solve would keep F, and flush it later, when F is closed already. */
	set_outputstream(l->rec, NULL);
	return good;
}
