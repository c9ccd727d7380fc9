#include "tally.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "lib/base/whole.h"

enum { NAME_MAX_BYTES = 4096, NUMBERS_MAX = 1 << 24, BUCKETS = 1 << 14 };

struct trail {			/* the origin of a node's data */
	uint32_t marked;	/* 1 + group of the marked operation from which the data come; 0: none */
	/* 1 + group of the first operation after the marked one that only moves data; 0: none */
	uint32_t via;
};

/* Return whether an operation computes nothing. The users of such an operation need its result, not its input. */
static bool
moves_data(const char *op)
{
	static const char *const moving[] = { "Reshape", "Transpose", "TransposeExt", "Squeeze", "ExpandDims",
	    "Flatten",
		"View", "Contiguous", "Cast", "StridedSlice", "Depend", "Load", "TupleGetItem", "MakeTuple",
		    "BroadcastTo" };

	for (size_t i = 0; i < sizeof moving / sizeof moving[0]; i++)
		if (strcmp(op, moving[i]) == 0)
			return true;
	return false;
}

/*
 * Get the name and return the layer of a node. Scope ".../0-LLamaDecodeLayer/feed_forward-LLamaFeedForward/Mul-op3"
 * with instance mul gives "feed_forward.mul" in layer 0. Cells have the name before their class. Operations have the
 * name of their instance, or their own name in lower case.
 */
static int
name_of(const struct ir_node *node, struct clipped *name)
{
	const char *at = node->scope;
	int layer = NO_LAYER;

	while (*at != '\0') {
		size_t length = strcspn(at, "/"), word = strcspn(at, "-/");
		bool last = at[length] == '\0';

		if (layer == NO_LAYER && isdigit((unsigned char)*at) && at[word] == '-' &&
		    strspn(at, "0123456789") == word) {
			layer = whole_of(at, INT_MAX);
			*name = clipped_new(name->at, name->size);
		} else if (!last) {
			clipped_add(name, at, word);
			clipped_add(name, ".", 1);
		}
		at += length + !last;
	}
	if (*node->instance != '\0') {
		clipped_add(name, node->instance, strlen(node->instance));
	} else {
		size_t begin = name->n;

		clipped_add(name, node->op, strlen(node->op));
		for (char *c = name->at + begin; *c != '\0'; c++)
			*c = (char)tolower((unsigned char)*c);
	}
	return layer;
}

static uint32_t
hash(const char *name, const char *op)
{
	uint32_t h = 2166136261u;

	for (; *name != '\0'; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	for (; *op != '\0'; op++)
		h = (h ^ (unsigned char)*op) * 16777619u;
	return h % BUCKETS;
}

static uint32_t
group_of(struct ir_tally *t, const char *name, const char *op)
{
	uint32_t *link = &t->groups[hash(name, op)];

	for (uint32_t i = *link; i != 0; i = t->group[i - 1].next)
		if (strcmp(t->group[i - 1].name, name) == 0 && strcmp(t->group[i - 1].op, op) == 0)
			return i - 1;
	*APPEND(t->group, t->ngroups) = (struct tally_group){ .name = xstrdup(name), .op = xstrdup(op), .next = *link };
	*link = t->ngroups;
	return t->ngroups - 1;
}

uint32_t
tally_group(struct ir_tally *t, const struct ir_node *node, int *layer)
{
	char name[NAME_MAX_BYTES];
	struct clipped whole = CLIPPED(name);

	*layer = name_of(node, &whole);
	if (t->groups == NULL) {
		t->groups = xcalloc(BUCKETS, sizeof *t->groups);
		t->operations = xcalloc(BUCKETS, sizeof *t->operations);
	}
	return group_of(t, name, node->op);
}

static struct ir_operation *
operation_of(struct ir_tally *t, const struct ir_node *node)
{
	int layer;
	uint32_t *link, group = tally_group(t, node, &layer);

	link = &t->operations[(group * 2654435761u ^ (uint32_t)layer) % BUCKETS];
	for (uint32_t i = *link; i != 0; i = t->operation[i - 1].next)
		if (t->operation[i - 1].group == group && t->operation[i - 1].layer == layer)
			return &t->operation[i - 1];
	*APPEND(t->operation, t->n) = (struct ir_operation){ .group = group, .layer = layer, .next = *link };
	*link = t->n;
	return &t->operation[t->n - 1];
}

static void
between_add(struct ir_tally *t, uint32_t from, uint32_t via, uint32_t to)
{
	for (size_t i = t->nbetween; i > 0; i--)
		if (t->between[i - 1].from == from && t->between[i - 1].via == via && t->between[i - 1].to == to) {
			t->between[i - 1].times++;
			return;
		}
	*APPEND(t->between, t->nbetween) = (struct between){ from, via, to, 1 };
}

/* Find the origin of a node's data, and whether an operation on the way only moves the data. */
static void
follow(struct ir_tally *t, const struct ir_node *node, uint32_t self, bool marked)
{
	bool moves = moves_data(node->op);
	struct trail trail = { 0 };

	for (int i = 0; i < node->ninputs; i++) {
		long from = node->input[i];
		struct trail before = from < t->trails && from < node->number ? t->trail[from] : trail;

		if (from >= t->trails || before.marked == 0)
			continue;
		if (marked && before.via != 0)
			between_add(t, before.marked - 1, before.via - 1, self);
		else if (!marked && moves && before.via == 0)
			between_add(t, before.marked - 1, self, self);
		if (!marked && moves && trail.marked == 0)
			trail = (struct trail){ before.marked, before.via != 0 ? before.via : self + 1 };
	}
	if (marked)
		trail = (struct trail){ self + 1, 0 };
	if (node->number >= t->trails) {
		long room = t->trails > 0 ? 2 * t->trails : 4096;

		while (room <= node->number)
			room *= 2;
		t->trail = xreallocarray(t->trail, (size_t)room, sizeof *t->trail);
		memset(t->trail + t->trails, 0, (size_t)(room - t->trails) * sizeof *t->trail);
		t->trails = room;
	}
	t->trail[node->number] = trail;
	t->used = node->number >= t->used ? node->number + 1 : t->used;
}

void
ir_tally_add(struct ir_tally *t, const struct ir_node *node)
{
	struct ir_operation *o;
	bool marked = node->recompute && !node->duplicated;

	if (node->number >= NUMBERS_MAX)
		return;
	/* A new graph begins. */
	if (node->number == 0 && t->used > 0) {
		memset(t->trail, 0, (size_t)t->used * sizeof *t->trail);
		t->used = 0;
	}
	if (!marked && !node->duplicated && !moves_data(node->op)) {
		if (node->number < t->trails)
			t->trail[node->number] = (struct trail){ 0 };
		return;
	}
	o = operation_of(t, node);
	o->marked += marked;
	o->duplicated += node->duplicated;
	o->carried += node->duplicated && node->recompute;
	if (!node->duplicated)
		follow(t, node, o->group, marked);
	else if (node->number < t->trails)
		t->trail[node->number] = (struct trail){ 0 };
}

void
ir_tally_free(struct ir_tally *t)
{
	for (uint32_t i = 0; i < t->ngroups; i++) {
		free(t->group[i].name);
		free(t->group[i].op);
	}
	free(t->group);
	free(t->operation);
	free(t->groups);
	free(t->operations);
	free(t->between);
	free(t->trail);
	*t = (struct ir_tally){ 0 };
}
