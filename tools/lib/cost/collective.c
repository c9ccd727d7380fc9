#include "collective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/record/observed.h"

static struct collective *
collective_of(struct collectives *all, enum collective_kind kind, int members, int nodes)
{
	struct collective *c;

	for (int i = 0; i < all->n; i++) {
		c = &all->at[i];
		if (c->kind == kind && c->members == members && c->nodes == nodes)
			return c;
	}
	c = APPEND(all->at, all->n);
	*c = (struct collective){ .members = members, .nodes = nodes, .kind = kind };
	return c;
}

static void
add_knot(struct collective *c, double bytes, double time, double error)
{
	int i;

	c->error = fmax(c->error, error);
	c->bytes = xreallocarray(c->bytes, (size_t)c->n + 1, sizeof *c->bytes);
	c->time = xreallocarray(c->time, (size_t)c->n + 1, sizeof *c->time);
	for (i = c->n++; i > 0 && c->bytes[i - 1] > bytes; i--) {
		c->bytes[i] = c->bytes[i - 1];
		c->time[i] = c->time[i - 1];
	}
	c->bytes[i] = bytes;
	c->time[i] = time;
}

enum collective_kind
collective_kind_of(int op)
{
	static const enum collective_kind kinds[] = { [OP_ALL_REDUCE] = COLLECTIVE_REDUCE,
		[OP_ALL_GATHER] = COLLECTIVE_GATHER, [OP_REDUCE_SCATTER] = COLLECTIVE_SCATTER,
		[OP_ALL_TO_ALL] = COLLECTIVE_EXCHANGE, [OP_SEND] = COLLECTIVE_SENDS,
		[OP_BROADCAST] = COLLECTIVE_SENDS };

	return kinds[op];
}

void
collectives_knot(struct collectives *all, int op, int members, int nodes, double bytes, double time, double error)
{
	/* An all-reduce counts as a reduce-scatter and an all-gather. */
	double rounds = op == OP_ALL_REDUCE ? 2 : 1;

	nodes = nodes > 1 ? nodes : 1;
	if (op == OP_BROADCAST || !(bytes > 0) || !(time > 0))
		return;
	add_knot(collective_of(all, collective_kind_of(op), members, nodes), bytes, time, error);
	if (op != OP_ALL_TO_ALL && op != OP_SEND)
		add_knot(collective_of(all, COLLECTIVE_RING, members, nodes), bytes, time / rounds, error);
}

static double
distance(double a, double b)
{
	return fabs(log(a / b));
}

const struct collective *
collectives_find(const struct collectives *all, enum collective_kind kind, double members, double nodes)
{
	const struct collective *best = NULL;

	for (int i = 0; i < all->n; i++) {
		const struct collective *c = &all->at[i];
		double nearer;

		if (c->kind != kind || (c->nodes > 1) != (nodes > 1))
			continue;
		nearer = best == NULL ? 1 : distance(best->members, members) - distance(c->members, members);
		if (nearer > 0 || (nearer == 0 && distance(c->nodes, nodes) < distance(best->nodes, nodes)))
			best = c;
	}
	return best;
}

double
collective_time(const struct collective *c, double bytes)
{
	int i = 1;

	while (i < c->n && c->bytes[i] < bytes)
		i++;
	if (i >= c->n || bytes <= c->bytes[0])
		return i >= c->n ? c->time[c->n - 1] : c->time[0];
	if (c->bytes[i] == c->bytes[i - 1])
		return c->time[i];
	/* Interpolate linearly, since latency and bandwidth make a linear time. */
	return c->time[i - 1] + (c->time[i] - c->time[i - 1]) * (bytes - c->bytes[i - 1]) /
	    (c->bytes[i] - c->bytes[i - 1]);
}

void
collectives_free(struct collectives *all)
{
	for (int i = 0; i < all->n; i++) {
		free(all->at[i].bytes);
		free(all->at[i].time);
	}
	free(all->at);
}
