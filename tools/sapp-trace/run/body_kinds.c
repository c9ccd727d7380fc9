#include "body_kinds.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"

/* minimum ratio of the kernel times of different kinds, in forward or backward */
static const double differ = 1.10;

/* Return the ns of the kernels of each layer of the stage per micro-batch, [layer][forward or backward]. */
static double
(*layer_times(const struct layout *l))[2]
{
	double (*busy)[2] = xcalloc((size_t)l->layers + 1, sizeof *busy);

	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].part == LAYER_BODY && l->at[i].phase <= TIMING_BACKWARD)
			busy[l->at[i].layer][l->at[i].phase == TIMING_BACKWARD] += l->at[i].busy / l->micro / l->steps;
	return busy;
}

static bool
near(const double a[2], const double b[2])
{
	for (int phase = 0; phase < 2; phase++)
		if (fmax(a[phase], b[phase]) > differ * fmin(a[phase], b[phase]))
			return false;
	return true;
}

/* Return the class of a new kind. */
static int
class_for(struct body_kinds *k, struct classes *c, bool named)
{
	int first = class_first(c, LAYER_BODY), n = 0;

	for (int i = 0; i < c->n && (k->n == 0 || named); i++)
		if (c->at[i].type == LAYER_BODY && n++ == k->n)
			return i;
	k->name[k->n] = xasprintf("%s_%d", c->at[first].said, k->n + 1);
	class_add(c, k->name[k->n], LAYER_BODY, (struct place){ 0 });
	return c->n - 1;
}

/* Return the kind of a layer; -1: the kinds are too many. */
static int
kind_of(struct body_kinds *k, struct classes *c, uint64_t signature, const double busy[2], bool named)
{
	int kind = 0;

	for (int i = 0; i < k->nseen; i++)
		if (k->seen[i].signature == signature)
			return k->seen[i].kind;
	while (kind < k->n && !near(k->at[kind].busy, busy))
		kind++;
	if (kind == MAX_BODY_KINDS)
		return -1;
	if (kind == k->n) {
		int class = class_for(k, c, named);

		k->at[k->n++] = (struct body_kind){ .class = class, .busy = { busy[0], busy[1] } };
	}
	*APPEND(k->seen, k->nseen) = (struct layer_set){ signature, kind };
	return kind;
}

void
body_kinds_classify(struct body_kinds *k, struct classes *c, struct layout *l, bool named)
{
	double (*busy)[2] = layer_times(l);
	int *kind = xcalloc((size_t)l->layers + 1, sizeof *kind);

	for (int i = 0; i < k->n; i++)
		k->at[i].layers = 0;
	for (int i = 0; i < l->layers; i++) {
		kind[i] = kind_of(k, c, l->signature[i], busy[i], named);
		kind[i] = kind[i] < 0 ? 0 : kind[i];
		k->at[kind[i]].layers++;
	}
	for (size_t i = 0; i < l->n; i++)
		l->at[i].class = l->at[i].part == LAYER_BODY ? k->at[kind[l->at[i].layer]].class :
		    class_first(c, l->at[i].part);
	free(kind);
	free(busy);
}

void
body_kinds_free(struct body_kinds *k)
{
	free(k->seen);
	for (int i = 0; i < MAX_BODY_KINDS; i++)
		free(k->name[i]);
	*k = (struct body_kinds){ 0 };
}
