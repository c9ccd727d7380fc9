/* When a stage's time changes, only the matches on its path to the root are repeated. */
#include "turns.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/alloc.h"

struct turns
turns_new(int stages)
{
	struct turns t = { .leaves = 1 };

	while (t.leaves < stages)
		t.leaves *= 2;
	t.node = xcalloc(2 * (size_t)t.leaves, sizeof *t.node);
	return t;
}

void
turns_free(struct turns *t)
{
	free(t->node);
	*t = (struct turns){ 0 };
}

void
turns_set(struct turns *t, int stage, double time)
{
	struct turn won = { time, stage };

	for (int node = t->leaves + stage;; node /= 2) {
		struct turn other;
		bool lost;

		t->node[node] = won;
		if (node == 1)
			return;
		other = t->node[node ^ 1];
		/* The left child has the lower stages, so it wins ties. */
		lost = (other.time < won.time) | (((node & 1) != 0) & (other.time == won.time));
		won.time = lost ? other.time : won.time;
		won.stage = lost ? other.stage : won.stage;
	}
}

void
turns_begin(struct turns *t, int n)
{
	for (int i = 1; i < 2 * t->leaves; i++)
		t->node[i] = (struct turn){ INFINITY, 0 };
	for (int i = 0; i < n; i++)
		turns_set(t, i, 0);
}
