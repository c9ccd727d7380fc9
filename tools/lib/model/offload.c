#include "offload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/record/pipeline.h"

double
offload_activation(const struct network *net, const struct body *b, int kind, double pace)
{
	if (net->link == 0)
		return b->activation[kind];
	return b->stays[kind] + fmax(0, b->offload[kind] - net->link * pace * b->forward);
}

double
offload_link(const struct network *net, const struct body *b, int kind, double pace)
{
	if (net->link == 0)
		return 0;
	/* HEAD and TAIL layers need no time of the link, whether they are bound or not. */
	return b->side != 0 ? b->backward[kind] : 2 * b->offload[kind] / (net->link * pace) - b->forward;
}

static void
set_pace(const struct network *net, struct body *body, double pace)
{
	for (int b = 0; b < net->nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			body[b].activation[k] = offload_activation(net, &body[b], k, pace);
			body[b].link[k] = offload_link(net, &body[b], k, pace);
		}
}

struct network
network_at(const struct network *net, double pace)
{
	struct network at = *net;

	at.body = xcalloc((size_t)net->nbodies, sizeof *at.body);
	memcpy(at.body, net->body, (size_t)net->nbodies * sizeof *at.body);
	set_pace(net, at.body, pace);
	return at;
}

void
network_link(struct network *net, double rate, struct list speed)
{
	struct devices devices = { .speed = speed };
	unsigned offload = 0;
	double slowest = devices_pace(&devices, 0);

	for (int b = 0; b < net->nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			offload |= net->body[b].offload[k] > 0 && net->body[b].has[k] ? 1u << k : 0;
	for (int b = 0; b < net->nbodies && rate == 0; b++)
		if (!body_forbid(&net->body[b], offload))
			place_die(net->place, "layer: '%s' has only kinds that offload: give the speed with -offload",
			    net->body[b].name);
	for (int k = 0; k < RECOMPUTE_KINDS && rate == 0; k++)
		if (offload >> k & 1)
			place_warn(net->place, "'%s' offloads, but no -offload gives the speed: the planner does not "
			    "use it",
			    recompute_names[k]);
	if (rate == 0 || offload == 0)
		return;
	net->link = rate;
	for (int s = 1; s < speed.n; s++)
		slowest = fmax(slowest, devices_pace(&devices, s));
	for (int b = 0; b < net->nbodies; b++)
		memcpy(net->body[b].stays, net->body[b].activation, sizeof net->body[b].stays);
	set_pace(net, net->body, slowest);
}
