/* Candidate: a plan under construction, its contents and mixes. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "tier.h"

struct candidate
candidate_new(const struct problem *p)
{
	return (struct candidate){
		.content = xcalloc((size_t)p->pieces, sizeof(int)),
		.mix = xcalloc((size_t)p->pieces, sizeof(int)),
	};
}

void
candidate_copy(const struct problem *p, struct candidate *to, const struct candidate *from)
{
	memcpy(to->content, from->content, (size_t)p->pieces * sizeof *to->content);
	memcpy(to->mix, from->mix, (size_t)p->pieces * sizeof *to->mix);
}

void
candidate_free(struct candidate *c)
{
	free(c->content);
	free(c->mix);
	*c = (struct candidate){ 0 };
}

void
candidate_stage(const struct problem *p, const struct candidate *c, int stage, int *content, int *mix)
{
	for (int v = 0; v < p->chunks; v++) {
		content[v] = c->content[v * p->stages + stage];
		if (mix != NULL)
			mix[v] = c->mix[v * p->stages + stage];
	}
}

void
candidate_set_mixes(const struct problem *p, struct candidate *c, int stage, const int *mix)
{
	for (int v = 0; v < p->chunks; v++)
		c->mix[v * p->stages + stage] = mix[v];
}

bool
candidate_lay_out(const struct problem *p, const int *layers, struct candidate *c)
{
	int first = 0;

	for (int n = 0; n < p->pieces; n++) {
		int i = p->piece[n];

		c->content[i] = piece_content(p, i, first, layers[i]);
		if (c->content[i] < 0 || layers[i] < p->fewest[i] || !problem_border(p, n, first))
			return false;
		first += layers[i];
	}
	return first == p->net->layers;
}

bool
candidate_placed(const struct problem *p, const struct candidate *c)
{
	int first = 0;

	for (int i = 0; i < p->pieces; i++) {
		int content = c->content[p->piece[i]], layers = p->contents.content[content].layers;

		if (piece_content(p, p->piece[i], first, layers) != content || layers < p->fewest[p->piece[i]] ||
		    !problem_border(p, i, first))
			return false;
		first += layers;
	}
	return first == p->net->layers;
}

void
candidate_costs(const struct problem *p, const struct candidate *c, double *cost)
{
	cost[p->evaluator.slots - 1] = 0;
	for (int i = 0; i < p->pieces; i++) {
		const struct content *content = &p->contents.content[c->content[i]];

		piece_costs(p, i, piece_times(p, i, content, problem_mix(p, c->content[i], c->mix[i])), cost);
	}
}
