#include "front.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

void
kept_free(struct kept_candidate *k)
{
	free(k->candidate);
	free(k->estimate);
	*k = (struct kept_candidate){ 0 };
}

bool
front_has_room(const struct top_front *f, double step_time, double memory)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->at[i].step_time <= step_time && f->at[i].memory <= memory)
			return false;
	return true;
}

void
front_add(struct top_front *f, struct kept_candidate k)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (f->at[i].step_time >= k.step_time && f->at[i].memory >= k.memory)
			kept_free(&f->at[i]);
		else
			f->at[n++] = f->at[i];
	}
	*APPEND(f->at, n) = k;
	f->n = n;
}

ORDER_BY(compare, struct kept_candidate, it->step_time)

void
front_sort(struct top_front *f)
{
	SORT(f->at, f->n, compare);
}

void
front_free(struct top_front *f)
{
	for (size_t i = 0; i < f->n; i++)
		kept_free(&f->at[i]);
	free(f->at);
	*f = (struct top_front){ 0 };
}
