#include "solution.h"

#include <err.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/status.h"

const char *const dialect_names[DIALECTS] = { "cbc", "glpsol", "highs", "scip" };

/* Extended regular expressions for the lines of a solver's files. */
static const struct dialect_row {
	const char *optimal, *infeasible;	/* in the solution file, or in the log */
	const char *value;			/* in the solution file: column and value */
	const char *bound;			/* in the log: value; the last match counts */
} rows[DIALECTS] = {
#define NUMBER "([-+]?[0-9.]+(e[-+]?[0-9]+)?)"
	[DIALECT_CBC] = { "^Optimal - objective", "^(Integer i|I)nfeasible - objective",
		"^[ *]*[0-9]+ +([^ ]+) +" NUMBER, "^Lower bound: +" NUMBER },
	[DIALECT_GLPSOL] = { "^s mip [0-9]+ [0-9]+ o ", "^s mip [0-9]+ [0-9]+ n ", "^j ([0-9]+) " NUMBER,
		">= +" NUMBER },
	[DIALECT_HIGHS] = { "^Optimal$", "^Infeasible$", "^([^ #]+) " NUMBER "$", "^ *Dual bound +" NUMBER },
	[DIALECT_SCIP] = { "^solution status: optimal solution found", "^solution status: infeasible",
		"^([^ ]+) +" NUMBER "[ \t]+\\(obj:", "^Dual Bound *: *" NUMBER },
#undef NUMBER
};

struct phrases {
	regex_t optimal, infeasible, value, bound;
};

static void
compile(regex_t *re, const char *pattern)
{
	if (regcomp(re, pattern, REG_EXTENDED) != 0)
		err(STATUS_ERROR, "out of memory");
}

struct phrases *
phrases_new(enum dialect dialect)
{
	struct phrases *p = xcalloc(1, sizeof *p);
	const struct dialect_row *row = &rows[dialect];

	compile(&p->optimal, row->optimal);
	compile(&p->infeasible, row->infeasible);
	compile(&p->value, row->value);
	compile(&p->bound, row->bound);
	return p;
}

void
phrases_free(struct phrases *p)
{
	regfree(&p->optimal);
	regfree(&p->infeasible);
	regfree(&p->value);
	regfree(&p->bound);
	free(p);
}

struct solution
solution_none(struct lp_model *l)
{
	return (struct solution){ .status = SOLVED_STOPPED, .bound = -INFINITY,
	    .x = xcalloc((size_t)lp_columns(l->lp) + 1, sizeof(double)) };
}

/* Return the column with this name, or with this number if the solver prints no names; less than 1: none. */
static int
find_column(struct lp_model *l, char *name)
{
	char *end;
	long n = strtol(name, &end, 10);

	if (*name != '\0' && *end == '\0')
		return n >= 1 && n <= lp_columns(l->lp) ? (int)n : -1;
	return lp_find_column(l->lp, name);
}

/* Parse the matched number. Return false if it is infinite, or not a number, such as "..". */
static bool
read_figure(const char *line, regmatch_t m, double *x)
{
	char *end;

	*x = strtod(line + m.rm_so, &end);
	return end == line + m.rm_eo && isfinite(*x);
}

static void
read_value(struct solution *out, const struct phrases *p, struct lp_model *l, char *line)
{
	regmatch_t m[3];
	int column;
	double x;

	if (regexec(&p->value, line, 3, m, 0) != 0 || !read_figure(line, m[2], &x))
		return;
	line[m[1].rm_eo] = '\0';
	column = find_column(l, line + m[1].rm_so);
	if (column < 1)
		return;
	out->x[column] = x;
	out->found = true;
}

static bool
matches(const regex_t *re, const char *line)
{
	return regexec(re, line, 0, NULL, 0) == 0;
}

void
solution_read(struct solution *out, const struct phrases *p, struct lp_model *l, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		if (matches(&p->optimal, line))
			out->status = SOLVED_OPTIMAL;
		if (matches(&p->infeasible, line))
			out->status = SOLVED_INFEASIBLE;
		read_value(out, p, l, line);
	}
}

char *
solution_read_log(struct solution *out, const struct phrases *p, char *text)
{
	const char *last = "no message";
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		regmatch_t m[2];
		double x;

		if (matches(&p->infeasible, line))
			out->status = SOLVED_INFEASIBLE;
		if (regexec(&p->bound, line, 2, m, 0) == 0 && read_figure(line, m[1], &x))
			out->bound = x;
		if (line[strspn(line, " \t\r")] != '\0')
			last = line + strspn(line, " \t");
	}
	return xstrdup(last);
}

void
solution_free(struct solution *s)
{
	free(s->x);
	*s = (struct solution){ 0 };
}
