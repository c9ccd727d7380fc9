#include "node_bounds.h"

#include <stdlib.h>

struct node_bounds
node_bounds_new(const struct problem *p, const struct node_bounds *from)
{
	const struct node_bounds all = { 0 }, *b = from != NULL ? from : &all;

	return (struct node_bounds){ ranges_new(p->stages, b->total), ranges_new(p->pieces, b->layers),
		ranges_new(p->pieces, b->backward), ranges_new(p->pieces, b->gradient),
		ranges_new(p->net->nbodies - 1, b->border) };
}

void
node_bounds_free(struct node_bounds *b)
{
	free(b->total);
	free(b->layers);
	free(b->backward);
	free(b->gradient);
	free(b->border);
	*b = (struct node_bounds){ 0 };
}

static bool
within(double x, struct range r)
{
	return x >= r.low && x <= r.high;
}

static bool
in_order(const struct problem *p, const struct node_bounds *b, int position, const struct content *c)
{
	for (int i = 0; i < p->net->nbodies; i++)
		if (c->body[i] > 0 && !borders_allow(p, b->border, position, i))
			return false;
	return true;
}

bool
node_allows_content(const struct problem *p, const struct node_bounds *b, int piece, int content)
{
	const struct content *c = &p->contents.content[content];

	return within(c->layers, b->layers[piece]) && in_order(p, b, p->position[piece], c);
}

bool
node_allows_contents(const struct problem *p, const struct node_bounds *b, int stage, const int *content)
{
	int total = 0;

	for (int v = 0; v < p->chunks; v++) {
		if (!node_allows_content(p, b, v * p->stages + stage, content[v]))
			return false;
		total += p->contents.content[content[v]].layers;
	}
	return within(total, b->total[stage]);
}

bool
node_allows_times(const struct problem *p, const struct node_bounds *b, int chunk, int stage, double backward,
    double gradient)
{
	int piece = chunk * p->stages + stage;

	return within(backward, b->backward[piece]) && within(gradient, b->gradient[piece]);
}

bool
node_allows_setting(const struct problem *p, const struct node_bounds *b, int stage, const double *backward,
    const double *gradient)
{
	for (int v = 0; v < p->chunks; v++)
		if (!node_allows_times(p, b, v, stage, backward[v], gradient[v]))
			return false;
	return true;
}
