/* Tiers: one for each pace, where that matters. */
#include "tier.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/model/offload.h"

void
tiers_set(struct problem *p)
{
	p->tier = xcalloc((size_t)p->stages, sizeof *p->tier);
	p->on = xcalloc((size_t)p->stages, sizeof *p->on);
	if (p->net->link == 0) {
		p->on[p->tiers++] = *p->net;
		return;
	}
	for (int s = 0; s < p->stages; s++) {
		int first = 0;

		while (p->pace[first] != p->pace[s])
			first++;
		p->tier[s] = first < s ? p->tier[first] : p->tiers;
		if (first == s)
			p->on[p->tiers++] = network_at(p->net, p->pace[s]);
	}
}

void
tiers_free(struct problem *p)
{
	for (int i = 0; i < p->tiers && p->net->link > 0; i++)
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
