/* Node bounds: ranges, and what lies within them. */
#include "node_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static struct range *
ranges(int n, const struct range *from)
{
	struct range *r = xcalloc((size_t)n, sizeof *r);

	for (int i = 0; i < n; i++)
		r[i] = from != NULL ? from[i] : (struct range){ -INFINITY, INFINITY };
	return r;
}

struct node_bounds
node_bounds_new(const struct problem *p)
{
	return (struct node_bounds){ ranges(p->stages, NULL), ranges(p->pieces, NULL), ranges(p->pieces, NULL),
		ranges(p->net->nbodies - 1, NULL) };
}

struct node_bounds
node_bounds_copy(const struct problem *p, const struct node_bounds *b)
{
	return (struct node_bounds){ ranges(p->stages, b->total), ranges(p->pieces, b->layers), ranges(p->pieces, b->backward),
		ranges(p->net->nbodies - 1, b->border) };
}

void
node_bounds_free(struct node_bounds *b)
{
	free(b->total);
	free(b->layers);
	free(b->backward);
	free(b->border);
	*b = (struct node_bounds){ 0 };
}

static bool
within(double x, struct range r)
{
	return x >= r.low && x <= r.high;
}

/*
 * Before the piece where a body ends there are no layers of later bodies, behind it none of that body or earlier
 * ones.
 */
static bool
in_order(const struct problem *p, const struct node_bounds *b, int position, const struct content *c)
{
	for (int border = 0; border < p->net->nbodies - 1; border++)
		for (int i = 0; i < p->net->nbodies; i++)
			if (c->body[i] > 0 && (i > border ? position < b->border[border].low : position > b->border[border].high))
				return false;
	return true;
}

bool
node_allows_contents(const struct problem *p, const struct node_bounds *b, int stage, const int *content)
{
	int total = 0;

	for (int v = 0; v < p->chunks; v++) {
		const struct content *c = &p->contents.content[content[v]];
		int n = c->layers, piece = v * p->stages + stage;

		if (!within(n, b->layers[piece]) || !in_order(p, b, p->position[piece], c))
			return false;
		total += n;
	}
	return within(total, b->total[stage]);
}

bool
node_allows_backward(const struct problem *p, const struct node_bounds *b, int chunk, int stage, double backward)
{
	return within(backward, b->backward[chunk * p->stages + stage]);
}

bool
node_allows_setting(const struct problem *p, const struct node_bounds *b, int stage, const double *backward)
{
	for (int v = 0; v < p->chunks; v++)
		if (!node_allows_backward(p, b, v, stage, backward[v]))
			return false;
	return true;
}
