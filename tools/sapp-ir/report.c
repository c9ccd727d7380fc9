#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/base/sorted.h"

static const struct ir_tally *sorted_of;	/* argument of by_name() */

/* Compare operations by name and type, then by layer. */
static int
by_name(const void *a, const void *b)
{
	const struct ir_operation *const *x = a, *const *y = b;
	const struct tally_group *p = &sorted_of->group[(*x)->group], *q = &sorted_of->group[(*y)->group];
	int order = strcmp(p->name, q->name);

	if (order == 0)
		order = strcmp(p->op, q->op);
	return order != 0 ? order : (*x)->layer - (*y)->layer;
}

/*
 * Return the number of marked nodes of an operation. A copy with a mark counts for its original, if the original is not
 * in the graph.
 */
static long
marks(const struct ir_operation *o)
{
	return o->marked > o->carried ? o->marked : o->carried;
}

static bool
in_effect(const struct ir_operation *o)
{
	return o->duplicated >= marks(o);
}

/*
 * Return a list such as "0-3,5": the layers of the N operations at AT that are in effect, or with EFFECT false those
 * that are not.
 */
static char *
layers(const struct ir_operation *const *at, size_t n, bool effect)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);
	const char *divider = "";

	for (size_t i = 0; i < n; i++) {
		int from = at[i]->layer, to = from;

		if (in_effect(at[i]) != effect)
			continue;
		while (i + 1 < n && at[i + 1]->layer == to + 1 && in_effect(at[i + 1]) == effect)
			to = at[++i]->layer;
		if (from == NO_LAYER)
			fprintf(f, "%snone", divider);
		else if (from == to)
			fprintf(f, "%s%d", divider, from);
		else
			fprintf(f, "%s%d-%d", divider, from, to);
		divider = ",";
	}
	memstream_close(f);
	return text;
}

/* Write a name as a pattern, such as "feed_forward\.w1\.reshape". */
static void
put_pattern(const char *name)
{
	for (; *name != '\0'; name++)
		fputs(*name == '.' ? "\\." : (char[]){ *name, '\0' }, stdout);
}

/* Print the operations that move data of ineffective operations to their users. */
static void
put_between(const struct ir_tally *t, uint32_t group)
{
	for (size_t i = 0; i < t->nbetween; i++) {
		const struct between *b = &t->between[i];
		const struct tally_group *via = &t->group[b->via];
		bool behind = false;

		if (b->from != group)
			continue;
		/* Print the operation together with the next, if both must be recomputed. */
		for (size_t k = 0; k < t->nbetween && b->via == b->to; k++)
			behind |= t->between[k].from == group && t->between[k].via == b->via &&
			    t->between[k].to != b->via;
		if (behind)
			continue;
		printf("    %s follows it%s%s and is not recomputed: add '", via->op, b->via == b->to ? "" :
		    " before ",
		    b->via == b->to ? "" : t->group[b->to].name);
		put_pattern(via->name);
		puts("'");
	}
}

/* Print the operations that a pattern matches (NULL: all), a line per name. Return whether all are in effect. */
static bool
put_operations(const struct ir_tally *t, const struct ir_operation *const *sorted, const struct ir_pattern *p)
{
	long marked = 0, duplicated = 0;
	bool all = true;

	for (size_t i = 0, n; i < t->n; i += n) {
		const struct tally_group *g = &t->group[sorted[i]->group];
		char *with, *without;
		long own[2] = { 0, 0 };

		for (n = 0; i + n < t->n && sorted[i + n]->group == sorted[i]->group; n++) {
			own[0] += marks(sorted[i + n]);
			own[1] += sorted[i + n]->duplicated;
		}
		if (own[0] == 0 || (p != NULL && !pattern_means(p, g->name)))
			continue;
		with = layers(sorted + i, n, true);
		without = layers(sorted + i, n, false);
		printf("  %-40s %-20s %8ld %10ld  %s%s", g->name, g->op, own[0], own[1], *with != '\0' ? "layers " : "",
		    with);
		if (*without != '\0')
			printf("%snot in %s", *with != '\0' ? "; " : "", without);
		putchar('\n');
		if (*without != '\0')
			put_between(t, sorted[i]->group);
		all &= *without == '\0';
		marked += own[0];
		duplicated += own[1];
		free(with);
		free(without);
	}
	if (p != NULL)
		printf("%s: %s: %ld marked, %ld recomputed\n", p->text,
		    marked == 0 ? "matches no operation that is marked" :
		    all ? "in effect" : "not in effect", marked, duplicated);
	else
		printf("%s: %ld marked, %ld recomputed\n",
		    marked == 0 ? "no operation is marked" : all ? "all in effect" :
		    "not all in effect", marked, duplicated);
	return all && marked > 0;
}

bool
report_effect(const struct ir_tally *t, const struct ir_pattern *p, int n)
{
	const struct ir_operation **sorted = xcalloc((size_t)t->n + 1, sizeof *sorted);
	bool all = true;

	for (uint32_t i = 0; i < t->n; i++)
		sorted[i] = &t->operation[i];
	sorted_of = t;
	SORT(sorted, t->n, by_name);
	printf("  %-40s %-20s %8s %10s  %s\n", "operation", "", "marked", "duplicated", "in effect");
	if (n == 0)
		all = put_operations(t, sorted, NULL);
	for (int i = 0; i < n; i++)
		all &= put_operations(t, sorted, &p[i]);
	free(sorted);
	return all;
}
