#include "dump.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

/*
 * Roles of operations. Views own no memory. Operations that pass on, pick or pack results are not matched by patterns.
 */
enum role { COMPUTES, VIEWS, PASSES, PICKS, PACKS, TALKS };
enum { NUMBERS_MOST = 1 << 24, SEEN = 1, KEPT = 2 };

/*
 * Ratios of today's devices: operations of matrix products per byte moved (150 to 300); bytes moved in memory per byte
 * sent.
 */
static const double balance = 200, slower_link = 10;

static enum role
role_of(const char *op)
{
	static const struct { const char *op; enum role role; } known[] = {
		{ "Reshape", VIEWS }, { "ExpandDims", VIEWS }, { "Squeeze", VIEWS }, { "Flatten", VIEWS },
		{ "FlattenExt", VIEWS }, { "View", VIEWS },
		{ "Depend", PASSES }, { "Load", PASSES }, { "UpdateState", PASSES },
		{ "TupleGetItem", PICKS }, { "MakeTuple", PACKS },
		{ "AllReduce", TALKS }, { "AllGather", TALKS }, { "ReduceScatter", TALKS }, { "AlltoAll", TALKS },
		{ "AllToAll", TALKS }, { "Send", TALKS }, { "Receive", TALKS }, { "Broadcast", TALKS },
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(op, known[i].op) == 0)
			return known[i].role;
	return COMPUTES;
}

/* Return the number of operations if a node computes matrix products. Other nodes only move data. */
static double
products(const struct ir_node *n)
{
	const struct tensor *a = &n->in[0], *out = &n->out;
	double batch = 1;

	if (strstr(n->op, "Attention") != NULL) {
		double sequence = a->dims == 4 ? fmax(a->dim[1], a->dim[2]) :
		    a->dims == 3 ? fmax(a->dim[0], a->dim[1]) : 0;

		/* The scores, and their product with the values; half of them are masked. */
		return 2 * a->numbers * sequence;
	}
	if (strstr(n->op, "MatMul") == NULL || out->numbers <= 0)
		return 0;
	for (int i = 0; i + 2 < out->dims && n->in[1].dims > 2; i++)
		batch *= out->dim[i];
	return 2 * out->numbers * sqrt(a->numbers * n->in[1].numbers / (out->numbers * batch));
}

static double
work_of(const struct ir_node *n, enum role role)
{
	if (role == TALKS)
		return slower_link * n->out.bytes;
	if (role != COMPUTES)
		return 0;
	return fmax(products(n) / balance, n->in[0].bytes + n->in[1].bytes + n->out.bytes);
}

void
dump_add(struct dump *g, const struct ir_node *n)
{
	struct dump_node *at;
	enum role role = role_of(n->op);
	bool parameters;

	if (n->number >= NUMBERS_MOST)
		return;
	/* A new graph begins. */
	if (n->number == 0 && g->used > 0) {
		memset(g->at, 0, (size_t)g->used * sizeof *g->at);
		g->used = 0;
	}
	if (n->number >= g->numbers) {
		long room = g->numbers > 0 ? 2 * g->numbers : 4096;

		while (room <= n->number)
			room *= 2;
		g->at = xreallocarray(g->at, (size_t)room, sizeof *g->at);
		memset(g->at + g->numbers, 0, (size_t)(room - g->numbers) * sizeof *g->at);
		g->numbers = room;
	}
	at = APPEND(g->node, g->n);
	*at = (struct dump_node){ .role = (int)role, .input = g->ninput, .numbers = n->out.numbers,
		.bytes = n->out.bytes,
		.copy = n->duplicated, .backward = strncmp(n->scope, "Gradients/", 10) == 0 };
	at->group = tally_group(&g->names, n, &at->layer);
	/* Data received from another stage are not parameters. */
	parameters = at->layer != NO_LAYER && strcmp(n->op, "Receive") != 0;
	for (int i = 0; i < n->ninputs; i++) {
		uint32_t from = n->input[i] >= 0 && n->input[i] < g->numbers ? g->at[n->input[i]] : 0;

		if (from == 0)
			continue;
		*APPEND(g->input, g->ninput) = from - 1;
		at->ninputs++;
		parameters &= g->node[from - 1].fixed;
	}
	at->storage = at->maker = (uint32_t)g->n - 1;
	if (at->ninputs > 0) {
		const struct dump_node *first = &g->node[g->input[at->input]];

		if (role == VIEWS || role == PASSES)
			at->storage = first->storage;
		if (role == VIEWS || role == PASSES || role == PICKS)
			at->maker = first->maker;
	}
	at->fixed = parameters && !at->backward;
	at->work = at->fixed ? 0 : work_of(n, role);
	g->at[n->number] = (uint32_t)g->n;
	g->used = n->number + 1 > g->used ? n->number + 1 : g->used;
	if (!at->backward && !at->copy && !at->fixed && at->layer != NO_LAYER) {
		uint64_t instance = (uint64_t)at->layer << 32 | (uint32_t)n->micro;

		if (g->instances == 0 || g->instance[g->instances - 1] != instance)
			*APPEND(g->instance, g->instances) = instance;
		g->work += at->work;
	}
}

ORDER_BY(number_compare, uint64_t, *it)

/* Sort N numbers, and drop duplicates. Return the number left. */
static size_t
unique(uint64_t *at, size_t n)
{
	size_t left = 0;

	SORT(at, n, number_compare);
	for (size_t i = 0; i < n; i++)
		if (left == 0 || at[left - 1] != at[i])
			at[left++] = at[i];
	return left;
}

void
dump_complete(struct dump *g)
{
	g->instances = unique(g->instance, g->instances);
	g->computes = xcalloc(g->names.ngroups + 1, sizeof *g->computes);
	for (size_t i = 0; i < g->n; i++) {
		const struct dump_node *n = &g->node[i];

		if (n->backward || n->fixed || n->layer == NO_LAYER)
			continue;
		g->computes[n->group] |= n->role == COMPUTES;
		if (n->role == VIEWS)
			*APPEND(g->shown, g->nshown) = (uint64_t)n->group << 32 | g->node[n->maker].group;
	}
	g->nshown = unique(g->shown, g->nshown);
	for (size_t i = 0; i < g->n; i++)
		for (int j = 0; j < g->node[i].ninputs; j++) {
			struct dump_node *from = &g->node[g->input[g->node[i].input + (size_t)j]];

			from->needed |= g->node[i].backward && !from->backward;
			from->passed_on |= !g->node[i].backward && g->node[i].layer != from->layer;
		}
	g->stack = xcalloc(g->ninput + g->n + 1, sizeof *g->stack);
	g->mark = xcalloc(g->n + 1, 1);
}

bool
dump_shows(const struct dump *g, uint32_t group, uint32_t of)
{
	uint64_t pair = (uint64_t)group << 32 | of;

	return g->nshown > 0 && bsearch(&pair, g->shown, g->nshown, sizeof pair, number_compare) != NULL;
}

/* Return whether a result is kept until the backward, and not recomputed. */
static bool
stays(const struct dump *g, const struct dump_node *n, const bool *again)
{
	if (n->role == PASSES || n->role == PACKS)
		return false;
	return n->passed_on || !again[n->role == PICKS ? g->node[n->maker].group : n->group];
}

struct effect
dump_effect(struct dump *g, const bool *again)
{
	struct effect e = { 0 };
	size_t depth = 0;

	memset(g->mark, 0, g->n);
	for (size_t i = 0; i < g->n; i++)
		if (g->node[i].needed)
			g->stack[depth++] = (uint32_t)i;
	while (depth > 0) {
		const struct dump_node *n = &g->node[g->stack[--depth]], *memory = &g->node[n->storage];

		if ((g->mark[n - g->node] & SEEN) || n->fixed || n->layer == NO_LAYER)
			continue;
		g->mark[n - g->node] |= SEEN;
		if (stays(g, n, again)) {
			if (!(g->mark[memory - g->node] & KEPT) && !memory->fixed && memory->layer != NO_LAYER)
				e.kept += memory->bytes;
			g->mark[memory - g->node] |= KEPT;
			continue;
		}
		e.again += n->work;
		for (int j = 0; j < n->ninputs; j++)
			g->stack[depth++] = g->input[n->input + (size_t)j];
	}
	e.kept /= (double)g->instances;
	e.again = g->work > 0 ? e.again / g->work : 0;
	return e;
}

void
dump_free(struct dump *g)
{
	ir_tally_free(&g->names);
	free(g->node);
	free(g->input);
	free(g->at);
	free(g->instance);
	free(g->computes);
	free(g->shown);
	free(g->stack);
	free(g->mark);
	*g = (struct dump){ 0 };
}
