#include "fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "fitted.h"

static const double routed = 0.25;	/* relative tolerance for rows of experts, which are uneven */

void
series_free(struct series *s)
{
	free(s->v);
	free(s->x);
}

void
series_add(struct series *s, double v, const struct observed_run *r)
{
	s->v = xreallocarray(s->v, (size_t)s->n + 1, sizeof *s->v);
	s->x = xreallocarray(s->x, (size_t)s->n + 1, sizeof *s->x);
	s->v[s->n] = v;
	memcpy(s->x[s->n++], r->x, sizeof r->x);
}

static void
remember(struct fitting *f, const struct power *p)
{
	for (size_t i = 0; i < f->nfound; i++)
		if (memcmp(f->found[i].exponent, p->exponent, sizeof p->exponent) == 0)
			return;
	*APPEND(f->found, f->nfound) = *p;
}

/* Return whether the exponents found for other numbers explain these numbers within the unevenness of experts' rows. */
static bool
like_others(const struct fitting *f, const struct series *s, struct power *best)
{
	int found = 0;

	for (size_t i = 0; i < f->nfound; i++) {
		struct power p = f->found[i];

		if (factors_error(s->n, s->v, (const double (*)[FACTORS])s->x, &p) <= routed) {
			*best = p;
			found++;
		}
	}
	return found == 1;
}

bool
fitting_explain(struct fitting *f, const char *of, const struct series *s, double slack, bool rows, struct power *p)
{
	bool unsure[FACTORS];
	enum told told = factors_explain(s->n, s->v, (const double (*)[FACTORS])s->x, slack, p, unsure);

	if (told == TOLD_NONE && rows && fitted_said(f->run[0], FACTOR_EXPERTS) && like_others(f, s, p))
		return true;
	if (told == TOLD_ONE) {
		if (p->added == 0)
			remember(f, p);
		return true;
	}
	if (told == TOLD_NONE)		/* a third value may show that the number is a sum */
		factors_suspect(s->n, s->v, (const double (*)[FACTORS])s->x, unsure);
	doubts_add(&f->doubts, f->at, of, unsure, told == TOLD_NONE,
	    told == TOLD_SEVERAL ? "these runs change several factors together" : "no power of the factors fits");
	return false;
}

void
fitting_same_network(const struct fitting *f, size_t i, size_t k, const struct record *a, const struct record *b,
    double x, double y)
{
	if (fmax(x, y) > (1 + routed) * fmin(x, y) && memcmp(f->run[i]->x, f->run[k]->x, sizeof f->run[i]->x) == 0)
		place_die(b->place, "runs '%s' and '%s' have the same factors, but a dimension of %s is %.15g and "
		    "%.15g: the runs are of two networks", a->kernel.run, b->kernel.run, a->kernel.type, x, y);
}

static const char **
types_of(const struct fit_row *r, bool tensors)
{
	const char **type = xcalloc(r->n + 1, sizeof *type);

	for (size_t i = 0; i < r->n; i++)
		type[i] = tensors ? r->at[i]->tensor.name : r->at[i]->kernel.type;
	return type;
}

size_t
fitting_align(const struct fitting *f, const struct fit_row *rows, bool tensors, int **of)
{
	const char **base_types;
	size_t base = 0;

	for (size_t r = 1; r < f->n; r++)
		base = rows[r].n > rows[base].n ? r : base;
	base_types = types_of(&rows[base], tensors);
	for (size_t r = 0; r < f->n; r++) {
		const char **types = types_of(&rows[r], tensors);

		of[r] = align(rows[base].n, base_types, rows[r].n, types);
		free(types);
	}
	free(base_types);
	return base;
}

void
fitting_rows_free(const struct fitting *f, struct fit_row *rows, int **of)
{
	for (size_t r = 0; r < f->n; r++) {
		free(rows[r].at);
		free(of[r]);
	}
	free(rows);
	free(of);
}
