#include "pass.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "lib/base/whole.h"
#include "span.h"
#include "tally.h"

enum { PASSES_KEPT = 512 << 10, AT_ONCE = 200 /* gaps below 1/200 of the time before do not count */ };

static void
give_up(struct passes *p)
{
	free(p->at);
	p->at = NULL;
	p->n = 0;
	p->useless = true;
}

void
pass_kernel(struct passes *p, int instance, int phase, int64_t start, int64_t end)
{
	uint32_t key = (uint32_t)instance * PHASES_TIMED + (uint32_t)phase;
	struct pass *last;

	if (p->useless)
		return;
	if (p->n > 0 && start < p->latest) {
		give_up(p);
		return;
	}
	p->latest = start;
	last = p->n > 0 ? &p->at[p->n - 1] : NULL;
	if (instance < 0) {
		if (p->open)
			last->next = start;
		p->open = false;
		return;
	}
	/* Ignore a kernel of other work on another stream if the layer continues at once. */
	if (last != NULL && last->key == key &&
	    (p->open || start - last->end <= (last->end - last->start) / AT_ONCE)) {
		p->open = true;
		last->next = INT64_MAX;
		if (end > last->end)
			last->end = end;
		return;
	}
	if (p->n == PASSES_KEPT) {
		give_up(p);
		return;
	}
	if (p->open)
		last->next = start;
	p->open = true;
	*APPEND(p->at, p->n) = (struct pass){ start, end, INT64_MAX, key };
}

/* Return the number at the start or end of a component, as in 12-Name and name_12; -1: none. */
static long
number_of(const char *component)
{
	size_t n = strlen(component);

	if (isdigit((unsigned char)component[0]))
		return whole_of(component, INT_MAX);
	while (n > 0 && isdigit((unsigned char)component[n - 1]))
		n--;
	return component[n] != '\0' ? whole_of(component + n, INT_MAX) : -1;
}

bool
pass_neighbour(const struct instance *x, const struct instance *next, int phase)
{
	long m = number_of(x->component), n = number_of(next->component);

	return x->class == next->class && m >= 0 && n == (phase == TIMING_BACKWARD ? m - 1 : m + 1);
}

bool
pass_follows(const struct classes *c, const struct instance *x, const struct instance *next, int phase)
{
	enum layer_type a = c->at[x->class].type, b = c->at[next->class].type;
	long m = number_of(x->component), n = number_of(next->component);
	bool backward = phase == TIMING_BACKWARD;

	if (a != b)
		return backward ? b < a : a < b;
	if (a != LAYER_BODY)
		return x != next;
	if (m < 0 || n < 0)
		return x != next;
	return backward ? n < m : m < n;
}

void
passes_close(struct passes *p, const struct classes *classes, const struct instances *instances)
{
	for (size_t i = 0; i < p->n; i++) {
		struct pass *x = &p->at[i];
		const struct pass *y = i + 1 < p->n ? x + 1 : NULL;
		bool row = false;

		/*
		 * The time of a layer lasts until the next layer begins. If another kernel follows, the device may have
		 * waited for it.
		 */
		if (y != NULL && y->key % PHASES_TIMED == x->key % PHASES_TIMED && x->next == y->start)
			row = pass_follows(classes, &instances->at[x->key / PHASES_TIMED],
			    &instances->at[y->key / PHASES_TIMED], (int)(x->key % PHASES_TIMED));
		if (!row && (x->next == INT64_MAX || x->next - x->end > (x->end - x->start) / 2 ||
		    (y != NULL && x->next == y->start)))
			x->next = x->end;
		/* Exclude kernels that still run in parallel to the next layer. */
		if (!row && x->next < x->end)
			x->next = x->end;
	}
}

ORDER_BY(pass_order, struct pass, it->key, it->start)

void
passes_sort(struct passes *p)
{
	SORT(p->at, p->n, pass_order);
}

bool
pass_share(const struct passes *p, const struct instances *instances, const char *component, int phase,
    int64_t from, int64_t to, double *ns, int *n)
{
	int instance;
	uint32_t key;
	size_t low;

	*ns = *n = 0;
	if (p == NULL || p->n == 0 || (instance = instance_find(instances, component, p->process)) < 0)
		return false;
	key = (uint32_t)instance * PHASES_TIMED + (uint32_t)phase;
	low = COUNT_BEFORE(p->at, p->n, it->key < key || (it->key == key && it->end <= from));
	for (; low < p->n && p->at[low].key == key && p->at[low].start < to; low++, ++*n) {
		const struct pass *x = &p->at[low];

		*ns += (double)span_common(x->start, x->end, from, to);
		if (x->end <= to)
			*ns += (double)(x->next - x->end);
	}
	return *n > 0;
}

void
passes_free(struct passes *p)
{
	free(p->at);
	*p = (struct passes){ 0 };
}
