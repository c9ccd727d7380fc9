#include "borders.h"

#include <math.h>

#include "lib/base/alloc.h"

/* number of layers of a body in a piece that counts as 0: the solver's tolerance */
static const double NONE = 1e-9;

struct range *
ranges_new(int n, const struct range *from)
{
	struct range *r = xcalloc((size_t)n, sizeof *r);

	for (int i = 0; i < n; i++)
		r[i] = from != NULL ? from[i] : (struct range){ -INFINITY, INFINITY };
	return r;
}

bool
borders_allow(const struct problem *p, const struct range *border, int position, int body)
{
	for (int b = 0; b < p->net->nbodies - 1; b++)
		if (body > b ? position < border[b].low : position > border[b].high)
			return false;
	return true;
}

bool
borders_crossed(const struct problem *p, const double *layers, int *border, double *last)
{
	int nbodies = p->net->nbodies;

	for (*border = 0; *border < nbodies - 1; ++*border) {
		int first_later = p->pieces, last_earlier = -1;

		for (int n = 0; n < p->pieces; n++)
			for (int b = 0; b < nbodies; b++) {
				if (layers[p->piece[n] * nbodies + b] < NONE)
					continue;
				if (b > *border && n < first_later)
					first_later = n;
				if (b <= *border)
					last_earlier = n;
			}
		*last = floor((first_later + last_earlier) / 2.0);
		if (first_later < last_earlier)
			return true;
	}
	return false;
}
