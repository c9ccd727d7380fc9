#include "instance.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"

static uint64_t
hash(struct text component, int process)
{
	return hash_text(component.at, component.n, (uint64_t)process);
}

static int
find(const struct instances *all, struct text component, int process)
{
	size_t tries = 0;
	int i;

	while ((i = index_next(&all->names, hash(component, process), &tries)) >= 0)
		if (all->at[i].process == process && text_is(component, all->at[i].component))
			break;
	return i;
}

int
instance_find(const struct instances *all, const char *component, int process)
{
	return find(all, (struct text){ component, strlen(component) }, process);
}

int
instance_of(struct instances *all, struct text component, int class, int process, struct place at)
{
	int i = find(all, component, process);

	if (i >= 0)
		return i;
	if (all->n == MAX_INSTANCES)
		place_die(at, "more than %d different layers", MAX_INSTANCES);
	index_add(&all->names, hash(component, process), all->n);
	*APPEND(all->at, all->n) = (struct instance){ xstrndup(component.at, component.n), class, process };
	return all->n - 1;
}

void
instances_free(struct instances *all)
{
	for (int i = 0; i < all->n; i++)
		free(all->at[i].component);
	free(all->at);
	index_free(&all->names);
	*all = (struct instances){ 0 };
}
