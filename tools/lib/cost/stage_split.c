#include "stage_split.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static int
layers_of(int stage, int stages, int layers)
{
	int turn = stage == stages - 1 ? stages - 1 : stage == 0 ? (stages > 1 ? stages - 2 : 0) : stage - 1;

	return layers / stages + (turn < layers % stages);
}

static int
class_of(struct stage_split *s, const struct stage_class *c)
{
	for (int i = 0; i < s->nclasses; i++) {
		struct stage_class *k = &s->class[i];

		if (memcmp(k->layers, c->layers, sizeof c->layers) == 0 && k->first == c->first && k->last == c->last) {
			k->count++;
			return i;
		}
	}
	*APPEND(s->class, s->nclasses) = *c;
	return s->nclasses - 1;
}

/*
 * Return the number of layers of STAGE. If TAIL exceeds the last stage's share, the stage before it loses the
 * difference.
 */
static int
beside_tail(int stage, int stages, int layers, int tail)
{
	int own = layers_of(stage, stages, layers + tail), last = layers_of(stages - 1, stages, layers + tail) - tail;

	if (stage == stages - 1)
		return last > 0 ? last : 0;
	return stage == stages - 2 && last < 0 ? own + last : own;
}

struct stage_split
stage_split_new(const struct architecture *n, int stages, int tail, const int *layers)
{
	struct stage_split s = { .stages = stages, .tail = tail, .of = xcalloc((size_t)stages, sizeof *s.of) };

	for (int i = 0, before = 0; i < stages; i++) {
		int after = before + (layers != NULL ? layers[i] : beside_tail(i, stages, n->layers, tail));
		struct stage_class c = { .first = i == 0, .last = i == stages - 1, .at = i, .count = 1 };

		for (int k = 0; k < n->classes.n; k++)
			c.layers[k] = architecture_count(n, k, after) - architecture_count(n, k, before);

		s.of[i] = class_of(&s, &c);
		before = after;
	}
	return s;
}

void
stage_split_free(struct stage_split *s)
{
	free(s->class);
	free(s->of);
	*s = (struct stage_split){ 0 };
}
