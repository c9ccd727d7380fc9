#include "timed.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/record/observed.h"

/* Numbers of the first of shapes "[[4096,1,1024],[4096,1,1]]"; 0: there is none. */
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

/* "MatMul", "MatMulV3". */
static bool
is_version(const char *type, const char *op)
{
	size_t n = strlen(op);

	return strncasecmp(type, op, n) == 0 &&
	    (type[n] == '\0' || (type[n] == 'V' && isdigit((unsigned char)type[n + 1])));
}

/* ms of the kernels that are such an operation: of that type, or a version of it, and size; 0: there are none. */
static double
kernel_time(const struct records *all, const char *op, double numbers)
{
	double time = 0;
	int n = 0;

	for (size_t i = 0; i < all->n && numbers > 0; i++) {
		const struct observed_kernel *k = &all->at[i].kernel;

		if (all->at[i].kind != RECORD_KERNEL || k->part != PLACE_BODY || k->phase != TIMING_FORWARD ||
		    !is_version(k->type, op) || numbers_of(k->output) != numbers)
			continue;
		time += k->time;
		n++;
	}
	return n > 0 ? time / n : 0;
}

double
timed_take(struct dump *d, const struct records *all, double forward)
{
	double known = 0, rest = 0, unit;

	for (size_t i = 0; i < d->n; i++) {
		struct dump_node *n = &d->node[i];

		n->time = n->work > 0 ? kernel_time(all, d->names.group[n->group].op, n->numbers) : 0;
		if (n->backward || n->copy || n->layer == NO_LAYER)
			continue;
		known += n->time;
		rest += n->time > 0 ? 0 : n->work;
	}
	if (known <= 0)
		return 0;
	/* ms of a byte that is moved; where kernels take longer than the layer, as little as shapes say. */
	forward *= (double)d->instances;
	unit = forward > known && rest > 0 ? (forward - known) / rest : known / fmax(d->work - rest, 1);
	d->work = known / unit + rest;
	for (size_t i = 0; i < d->n; i++)
		if (d->node[i].time > 0)
			d->node[i].work = d->node[i].time / unit;
	return known / (unit * d->work);
}
