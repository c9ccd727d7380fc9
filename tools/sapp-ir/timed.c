#include "timed.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/base/index.h"
#include "lib/record/observed.h"

/* Return the size of the first tensor in shapes such as "[[4096,1,1024],[4096,1,1]]"; 0: none exists. */
static double
numbers_of(const char *shapes)
{
	double n = 1;
	const char *p = shapes != NULL ? shapes + strspn(shapes, "[ ") : "";

	if (!isdigit((unsigned char)*p))
		return 0;
	while (isdigit((unsigned char)*p)) {
		char *end;

		n *= strtod(p, &end);
		p = end + strspn(end, ", ");
	}
	return n;
}

struct kernel_time {		/* kernels of one type (or its versions) and one size */
	const char *type;	/* the first length bytes count, in upper or lower case */
	size_t length;
	double numbers, time;	/* time: ms, sum over the kernels */
	int n;
};

struct kernel_times {
	struct index index;
	size_t n;
	struct kernel_time *at;
};

/* Return the kernels of a type and size; NULL: none. MAKE: create them instead. */
static struct kernel_time *
kernel_times_find(struct kernel_times *t, const char *type, size_t length, double numbers, bool make)
{
	uint64_t hash = hash_begin((uint64_t)numbers);
	size_t tries = 0;

	for (size_t i = 0; i < length; i++)
		hash = hash_add(hash, (uint64_t)tolower((unsigned char)type[i]));
	hash = hash_end(hash);
	for (int i; (i = index_next(&t->index, hash, &tries)) >= 0;) {
		struct kernel_time *x = &t->at[i];

		if (x->length == length && x->numbers == numbers && strncasecmp(x->type, type, length) == 0)
			return x;
	}
	if (!make)
		return NULL;
	index_add(&t->index, hash, (int)t->n);
	*APPEND(t->at, t->n) = (struct kernel_time){ .type = type, .length = length, .numbers = numbers };
	return &t->at[t->n - 1];
}

/*
 * Add the kernels in the forwards of layers under their type. Kernels such as "MatMulV3" are added also under "MatMul".
 */
static void
kernel_times_read(struct kernel_times *t, const struct records *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct observed_kernel *k = &all->at[i].kernel;
		double numbers;

		if (all->at[i].kind != RECORD_KERNEL || k->part != PLACE_BODY || k->phase != TIMING_FORWARD ||
		    (numbers = numbers_of(k->output)) <= 0)
			continue;
		for (const char *p = k->type; ; p++) {
			struct kernel_time *x;

			if (*p != '\0' && (p == k->type || *p != 'V' || !isdigit((unsigned char)p[1])))
				continue;
			x = kernel_times_find(t, k->type, (size_t)(p - k->type), numbers, true);
			x->time += k->time;
			x->n++;
			if (*p == '\0')
				break;
		}
	}
}

/* Return the ms of the kernels that have an operation's type (or its versions) and size; 0: none exist. */
static double
time_of(struct kernel_times *t, const char *op, double numbers)
{
	const struct kernel_time *x = numbers > 0 ? kernel_times_find(t, op, strlen(op), numbers, false) : NULL;

	return x != NULL ? x->time / x->n : 0;
}

double
timed_take(struct dump *d, const struct records *all, double forward)
{
	double known = 0, rest = 0, unit;
	struct kernel_times times = { 0 };

	kernel_times_read(&times, all);
	for (size_t i = 0; i < d->n; i++) {
		struct dump_node *n = &d->node[i];

		n->time = n->work > 0 ? time_of(&times, d->names.group[n->group].op, n->numbers) : 0;
		if (n->backward || n->copy || n->layer == NO_LAYER)
			continue;
		known += n->time;
		rest += n->time > 0 ? 0 : n->work;
	}
	index_free(&times.index);
	free(times.at);
	if (known <= 0)
		return 0;
	/* ms per byte moved. If the kernels take longer than the layer, the unit follows from the kernels alone. */
	forward *= (double)d->instances;
	unit = forward > known && rest > 0 ? (forward - known) / rest : known / fmax(d->work - rest, 1);
	d->work = known / unit + rest;
	for (size_t i = 0; i < d->n; i++)
		if (d->node[i].time > 0)
			d->node[i].work = d->node[i].time / unit;
	return known / (unit * d->work);
}
