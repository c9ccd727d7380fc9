#include "index.h"

#include <stdlib.h>

#include "alloc.h"

enum { FIRST_PLACES = 64 };

void
index_add(struct index *x, uint64_t hash, int number)
{
	size_t at;

	if (2 * x->n >= x->places) {
		struct index larger = { .places = x->places > 0 ? 2 * x->places : FIRST_PLACES };

		larger.at = xcalloc(larger.places, sizeof *larger.at);
		for (size_t i = 0; i < x->places; i++)
			if (x->at[i].number != 0)
				index_add(&larger, x->at[i].hash, x->at[i].number - 1);
		free(x->at);
		*x = larger;
	}
	for (at = hash & (x->places - 1); x->at[at].number != 0; at = (at + 1) & (x->places - 1))
		continue;
	x->at[at] = (struct index_place){ hash, number + 1 };
	x->n++;
}

void
index_free(struct index *x)
{
	free(x->at);
	*x = (struct index){ 0 };
}
