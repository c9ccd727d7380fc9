#include "process.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"

enum { MAX_PROCESSES = 60000 };

int
process_of(struct processes *all, struct text pid, const struct scan *s)
{
	uint64_t hash;
	size_t tries = 0;

	if (pid.at == NULL)
		pid.at = "";
	if (all->n > 0 && text_is(pid, all->at[all->last].id))
		return all->last;
	hash = hash_text(pid.at, pid.n, 0);
	for (int i; (i = index_next(&all->ids, hash, &tries)) >= 0;)
		if (text_is(pid, all->at[i].id))
			return all->last = i;
	if (all->n == MAX_PROCESSES)
		scan_die(s, "more than %d processes", MAX_PROCESSES);
	*APPEND(all->at, all->n) = (struct process){ .id = xstrndup(pid.at, pid.n) };
	index_add(&all->ids, hash, all->n - 1);
	return all->last = all->n - 1;
}

void
processes_free(struct processes *all)
{
	for (int i = 0; i < all->n; i++) {
		free(all->at[i].id);
		free(all->at[i].name);
		free(all->at[i].marker);
		free(all->at[i].mark);
	}
	free(all->at);
	index_free(&all->ids);
	*all = (struct processes){ 0 };
}

bool
process_is_scope_track(const struct process *p)
{
	/* Older releases append the rank to the name. */
	return p->name != NULL ? strncmp(p->name, "Scope Layer", 11) == 0 : p->windows;
}

bool
process_is_device(const struct process *p)
{
	char *end;
	unsigned long id;

	if (p->name != NULL)
		return strncmp(p->name, "Ascend Hardware", 15) == 0;
	/* Releases without names use these numbers for AI CPU, communication, host, overlap and GPU activity. */
	id = strtoul(p->id, &end, 10);
	return end != p->id && *end == '\0' && (id < 9000 || id > 13000);
}
