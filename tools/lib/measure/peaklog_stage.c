/* Find the stage of each entry, and one figure for each stage. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "peaklog.h"

struct found {			/* an entry whose stage and round are known */
	int stage, round;
	const struct peaklog_entry *entry;
};

static const char *
name_of(const struct peaklog_entry *e)
{
	return e->path != NULL ? e->path : e->place.source;
}

ORDER_BY(int_compare, int, *it)

int
peaklog_ranks(const struct peaklog *log, int stages, int settings)
{
	if (log->stages > 0 && log->stages != stages)
		place_die(log->world_at, "a log of a run on %d stages, but the settings have '%d'", log->stages,
		    stages);
	if (log->scattered)
		return 0;
	if (log->world > 0 && log->world % stages == 0)
		return log->world;
	for (int i = 0; i < log->n; i++)
		if (log->at[i].rank >= settings)
			return 0;
	return settings % stages == 0 ? settings : 0;
}

/*
 * Return the number of ranks per stage. If all ranks have peaks, or the same ranks of every stage (0 1 16 17 ...), they
 * are divided evenly. Otherwise it is the minimum difference between two ranks.
 */
static int
ranks_a_stage(const struct peaklog *log, int stages)
{
	int *rank = xcalloc((size_t)log->n, sizeof *rank);
	int n = 0, least = 0, unequal = 0, group, each = 0;
	const struct peaklog_entry *one = NULL;

	for (int i = 0; i < log->n; i++)
		if (log->at[i].stage < 0) {
			rank[n++] = log->at[i].rank;
			one = &log->at[i];
		}
	SORT(rank, n, int_compare);
	for (int i = 1; i < n; i++)
		if (rank[i] != rank[unequal]) {
			if (least == 0 || rank[i] - rank[unequal] < least)
				least = rank[i] - rank[unequal];
			rank[++unequal] = rank[i];
		}
	group = (unequal + 1) / stages;
	if (n > 0 && rank[0] == 0 && group > 0 && (unequal + 1) % stages == 0 && stages > 1)
		each = rank[group];
	for (int i = 0; i <= unequal && each > 0; i++)
		if (rank[i] / each != i / group || rank[i] % each != rank[i % group])
			each = 0;
	if (one != NULL && least == 0 && one->rank != 0)
		place_die(one->place,
		    "the stage of rank %d is unknown; give the number of ranks with -ranks",
		    one->rank);
	if (one != NULL && unequal + 1 < stages)
		place_warn((struct place){ name_of(one), 0 },
		    "ranks of %d of %d stages: %d ranks per stage assumed; give the number of all ranks with -ranks",
		    
		    unequal + 1, stages, least == 0 ? 1 : least);
	for (int i = 0; i < log->n && each == 0; i++)
		if (log->at[i].stage < 0 && least > 0 && log->at[i].rank % least != 0)
			place_die(log->at[i].place, "rank %d: not the first rank of a stage of %d ranks; give the "
			    "number of ranks with -ranks", log->at[i].rank, least);
	free(rank);
	return each > 0 ? each : least == 0 ? 1 : least;
}

static struct found *
find_stages(const struct peaklog *log, int stages, int rounds, int rank_size)
{
	struct found *found = xcalloc((size_t)log->n, sizeof *found);
	int each = rank_size > 0 ? rank_size / stages : ranks_a_stage(log, stages);

	for (int i = 0; i < log->n; i++) {
		const struct peaklog_entry *e = &log->at[i];
		int stage = e->stage >= 0 ? e->stage : e->rank / each;

		if (stage >= stages && e->stage < 0)
			place_die(e->place, "rank %d of '%s' is beyond the last of %d stages of %d rank%s each; give "
			    "the number of ranks with -ranks", e->rank, name_of(e), stages, each,
			    each == 1 ? "" : "s");
		if (stage >= stages)
			place_die(e->place, "'%s' is stage %d, but there are %d stages", name_of(e), stage, stages);
		if (rounds > 1 && e->round < 0)
			place_die(e->place,
			    "'%s': which of the %d rounds is unknown: no round_R in the path",
			    name_of(e), rounds);
		if (rounds > 1 && e->round >= rounds)
			place_die(e->place, "'%s' is round %d, but there are %d rounds, counted from 0", name_of(e),
			    e->round, rounds);
		found[i] = (struct found){ stage, rounds > 1 ? e->round : 0, e };
	}
	return found;
}

ORDER_BY(found_compare, struct found, it->round, it->stage, it->entry)

/* Return PEAK_ACTUAL if every stage has an actual peak, otherwise PEAK_USED. A mixture of both cannot be fitted. */
static int
choose_which(const struct found *found, int n)
{
	const struct peaklog_entry *without[2] = { NULL, NULL };

	for (int i = 0; i < n; i++)
		for (int which = 0; which < 2; which++)
			if (!found[i].entry->has[which])
				without[which] = found[i].entry;
	if (without[PEAK_ACTUAL] == NULL)
		return PEAK_ACTUAL;
	if (without[PEAK_USED] == NULL)
		return PEAK_USED;
	place_die(without[PEAK_ACTUAL]->place, "only the used peak here, only the actual peak in '%s': choose the "
	    "runs' peaks with -peak", name_of(without[PEAK_USED]));
}

/*
 * Combine two figures of a stage. Of two ranks, the larger counts. Figures of the same rank must agree within the
 * printed precision.
 */
static double
larger(const struct found *a, const struct found *b, int which, double memory)
{
	const struct peaklog_entry *x = a->entry, *y = b->entry;

	if (x->stage < 0 && y->stage < 0 && x->rank != y->rank)
		return memory > y->memory[which] ? memory : y->memory[which];
	if (fabs(memory - y->memory[which]) > 1e-12 * memory)
		place_die(y->place, "stage %d has two peaks, %gM in '%s' and %gM in '%s'%s", a->stage, memory,
		    name_of(x), y->memory[which], name_of(y), x->round == y->round ? "" :
		    "; for several rounds use the init YAML of sapp-guide -o");
	return memory;
}

int
peaklog_peaks(const struct peaklog *log, int stages, int rounds, int rank_size, int which,
    struct peak **peaks)
{
	struct found *found = find_stages(log, stages, rounds, rank_size);
	int n = 0;

	SORT(found, log->n, found_compare);
	if (which < 0 && log->n > 0)
		which = choose_which(found, log->n);
	*peaks = xcalloc((size_t)log->n, sizeof **peaks);
	for (int i = 0; i < log->n; i++) {
		const struct peaklog_entry *e = found[i].entry;
		struct peak *last = n > 0 ? &(*peaks)[n - 1] : NULL;

		if (!e->has[which])
			continue;
		if (last != NULL && last->stage == found[i].stage && last->round == found[i].round) {
			last->memory = larger(&found[i - 1], &found[i], which, last->memory);
			if (e->state > last->state)
				GIVE(peak, last, state, e->state);
			continue;
		}
		last = &(*peaks)[n++];
		*last = (struct peak){ .stage = found[i].stage, .memory = e->memory[which], .which = which };
		GIVE(peak, last, round, found[i].round);
		if (e->state > 0)
			GIVE(peak, last, state, e->state);
		GIVE(peak, last, source, xstrdup(name_of(e)));
	}
	free(found);
	return n;
}

double
peaklog_margin(const struct peaklog *log)
{
	double most = 0;

	for (int i = 0; i < log->n; i++)
		if (log->at[i].has[PEAK_ACTUAL] && log->at[i].has[PEAK_USED])
			most = fmax(most, log->at[i].memory[PEAK_ACTUAL] - log->at[i].memory[PEAK_USED]);
	return most;
}
