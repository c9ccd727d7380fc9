/* Instances. */
#include "instance.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"

enum { SLOTS = 1 << 17 };

/* Where a component stands in the table, or would. */
static size_t
slot_of(const struct instances *all, struct text component, int process)
{
	size_t slot = hash_text(component.at, component.n, (uint64_t)process) % SLOTS;

	for (; all->slot[slot] != 0; slot = (slot + 1) % SLOTS) {
		const struct instance *i = &all->at[all->slot[slot] - 1];

		if (i->process == process && strlen(i->component) == component.n &&
		    memcmp(i->component, component.at, component.n) == 0)
			break;
	}
	return slot;
}

int
instance_find(const struct instances *all, const char *component, int process)
{
	if (all->n == 0)
		return -1;
	return all->slot[slot_of(all, (struct text){ component, strlen(component) }, process)] - 1;
}

int
instance_of(struct instances *all, struct text component, int class, int process, struct place at)
{
	size_t slot;

	if (all->slot == NULL)
		all->slot = xcalloc(SLOTS, sizeof *all->slot);
	slot = slot_of(all, component, process);
	if (all->slot[slot] != 0)
		return all->slot[slot] - 1;
	if (all->n == MAX_INSTANCES)
		place_die(at, "more than %d different layers", MAX_INSTANCES);
	*APPEND(all->at, all->n) = (struct instance){ xstrndup(component.at, component.n), class, process };
	all->slot[slot] = all->n;
	return all->n - 1;
}

void
instances_free(struct instances *all)
{
	for (int i = 0; i < all->n; i++)
		free(all->at[i].component);
	free(all->at);
	free(all->slot);
	*all = (struct instances){ 0 };
}
