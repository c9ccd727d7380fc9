#include "tier.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/model/offload.h"

static struct network
tier_new(const struct network *net, double pace, bool split)
{
	struct network at = network_at(net, pace);

	if (split)
		return at;
	at.weighs_kinds = at.keeps_kinds = false;
	for (int b = 0; b < at.nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			at.body[b].weight_more[k] = at.body[b].kept_more[k] = 0;
	return at;
}

void
tiers_set(struct problem *p, bool split)
{
	p->tier = xcalloc((size_t)p->stages, sizeof *p->tier);
	p->on = xcalloc((size_t)p->stages, sizeof *p->on);
	for (int s = 0; s < p->stages; s++) {
		int first = 0;

		while (p->net->link > 0 && p->pace[first] != p->pace[s])
			first++;
		p->tier[s] = first < s ? p->tier[first] : p->tiers;
		if (first == s)
			p->on[p->tiers++] = tier_new(p->net, p->pace[s], split);
	}
}

void
tiers_free(struct problem *p)
{
	for (int i = 0; i < p->tiers; i++)
		free(p->on[i].body);
	free(p->on);
	free(p->tier);
}

const struct body *
stage_body(const struct problem *p, int stage, int body)
{
	return &p->on[p->tier[stage]].body[body];
}

int
piece_content(const struct problem *p, int piece, int first, int length)
{
	return contents_find(&p->contents, p->tier[piece % p->stages], first, length);
}
