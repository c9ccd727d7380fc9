#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clipped.h"
#include "lib/base/memstream.h"

enum { MAX_ENTRY = 100000 };

/* Return an entry of a list, or 0 if the list is absent. */
static int
entry(struct grid g, int chunk, int stage)
{
	return g.chunks == 0 ? 0 : *grid_at(g, chunk, stage);
}

static void
shape_check(struct grid g, const char *key, const struct settings *s, struct place at)
{
	if (g.chunks != 0 && (g.chunks != s->offset.chunks || g.stages != s->offset.stages))
		place_die(at, "%s has %d x %d entries, but offset has %d x %d (chunks x stages)", key,
		    g.chunks, g.stages, s->offset.chunks, s->offset.stages);
}

/* Return " on stage 3", or with several chunks " in chunk 1 on stage 3". */
static const char *
where(const struct settings *s, int chunk, int stage)
{
	static char text[64];
	struct clipped place = CLIPPED(text);

	if (s->offset.chunks > 1)
		clipped_print(&place, "in chunk %d on stage %d", chunk, stage);
	else
		clipped_print(&place, "on stage %d", stage);
	return text;
}

struct grid
settings_layers(const struct settings *s, int layers, struct place at)
{
	int chunks = s->offset.chunks, stages = s->offset.stages;
	int even = layers / (chunks * stages);
	long sum = 0;

	for (int v = 0; v < chunks; v++)
		for (int p = 0; p < stages; p++) {
			int offset = *grid_at(s->offset, v, p);

			if (offset < -even)
				place_die(at,
				    "offset %d %s makes the number of layers negative: the even share is %d",
				    offset, where(s, v, p), even);
			sum += offset;
		}
	if (sum != layers - (long)even * chunks * stages)
		place_die(at, "offsets have the sum %ld, not %d: %d layers, %d pieces of %d", sum,
		    layers - even * chunks * stages, layers, chunks * stages, even);
	struct grid g = grid_new(chunks, stages);
	for (int i = 0; i < chunks * stages; i++)
		g.at[i] = even + s->offset.at[i];
	return g;
}

static int
max(int a, int b)
{
	return a > b ? a : b;
}

void
settings_to_counts(const struct settings *s, int layers, struct grid kind[RECOMPUTE_KINDS], struct place at)
{
	struct grid total = settings_layers(s, layers, at);

	shape_check(s->recompute, "recompute", s, at);
	shape_check(s->select_recompute, "select_recompute", s, at);
	shape_check(s->select_comm_recompute, "select_comm_recompute", s, at);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		kind[k] = grid_new(total.chunks, total.stages);
	for (int v = 0; v < total.chunks; v++)
		for (int p = 0; p < total.stages; p++) {
			int n = *grid_at(total, v, p), f = entry(s->recompute, v, p);
			int a = entry(s->select_recompute, v, p), c = entry(s->select_comm_recompute, v, p);
			int both, select, comm;

			if (f < 0 || a < 0 || c < 0)
				place_die(at, "a negative number of recomputed layers %s", where(s, v, p));
			both = max(0, a < c ? a - f : c - f);
			select = max(0, a - f - both);
			comm = max(0, c - f - both);
			if ((long)f + both + select + comm > n)
				place_die(at, "%ld layers are recomputed %s, which has only %d",
				    (long)f + both + select + comm, where(s, v, p), n);
			*grid_at(kind[RECOMPUTE_NONE], v, p) = n - f - both - select - comm;
			*grid_at(kind[RECOMPUTE_SELECT], v, p) = select;
			*grid_at(kind[RECOMPUTE_COMM], v, p) = comm;
			*grid_at(kind[RECOMPUTE_BOTH], v, p) = both;
			*grid_at(kind[RECOMPUTE_FULL], v, p) = f;
		}
	free(total.at);
}

struct settings
settings_from_counts(const struct grid kind[RECOMPUTE_KINDS], int layers)
{
	int chunks = 0, stages = 0;
	struct settings s;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (kind[k].chunks != 0)
			chunks = kind[k].chunks, stages = kind[k].stages;
	s.offset = grid_new(chunks, stages);
	s.recompute = grid_new(chunks, stages);
	s.select_recompute = grid_new(chunks, stages);
	s.select_comm_recompute = grid_new(chunks, stages);
	for (int v = 0; v < chunks; v++)
		for (int p = 0; p < stages; p++) {
			int full = entry(kind[RECOMPUTE_FULL], v, p);
			int both = entry(kind[RECOMPUTE_BOTH], v, p), n = 0;

			for (int k = 0; k < RECOMPUTE_KINDS; k++)
				n += entry(kind[k], v, p);
			*grid_at(s.offset, v, p) = n - layers / (chunks * stages);
			*grid_at(s.recompute, v, p) = full;
			*grid_at(s.select_recompute, v, p) =
			    entry(kind[RECOMPUTE_SELECT], v, p) + both + full;
			*grid_at(s.select_comm_recompute, v, p) =
			    entry(kind[RECOMPUTE_COMM], v, p) + both + full;
		}
	return s;
}

/* Fill the entries FROM to before TO from one number, or from true or false. */
static void
fill(const struct yaml *node, const char *key, struct grid g, int from, int to, const struct grid *layers)
{
	bool all = yaml_is_bool(node) && yaml_bool(node, key);

	if (all && layers == NULL)
		place_die(node->place, "%s: expected 0, or a list with one number per stage '%s'", key,
		    node->text);
	if (!yaml_is_bool(node) && yaml_int(node, key, -MAX_ENTRY, MAX_ENTRY) != 0)
		place_die(node->place, "%s: expected 0%s, or a list of %d numbers, one per stage '%s'", key,
		    layers != NULL ? ", false, true" : "", g.stages, node->text);
	for (int v = from; v < to; v++)
		for (int p = 0; p < g.stages; p++)
			*grid_at(g, v, p) = all ? *grid_at(*layers, v, p) : 0;
}

static void
row(const struct yaml *node, const char *key, struct grid g, int chunk, const struct grid *layers)
{
	if (node->type == YAML_SCALAR) {
		fill(node, key, g, chunk, chunk + 1, layers);
		return;
	}
	if (node->type != YAML_LIST)
		place_die(node->place, "%s: expected a list of %d numbers, one per stage, not a map", key,
		    g.stages);
	if (node->n != g.stages)
		place_die(node->place, "%s: %d numbers, but the pipeline has %d stages", key, node->n,
		    g.stages);
	for (int p = 0; p < g.stages; p++)
		*grid_at(g, chunk, p) =
		    yaml_int(node->item[p], key, layers != NULL ? 0 : -MAX_ENTRY, MAX_ENTRY);
}

struct grid
settings_list(const struct yaml *node, const char *key, int chunks, int stages, const struct grid *layers)
{
	struct grid g = grid_new(chunks, stages);
	bool nested = false;

	if (node == NULL)
		return g;
	for (int i = 0; node->type == YAML_LIST && i < node->n; i++)
		nested |= node->item[i]->type == YAML_LIST;
	if (node->type == YAML_SCALAR) {
		fill(node, key, g, 0, chunks, layers);
	} else if (chunks == 1 && !nested) {
		row(node, key, g, 0, layers);
	} else {
		if (node->type != YAML_LIST || !nested)
			place_die(node->place, "%s: expected %d lists of %d numbers, one list per chunk", key,
			    chunks, stages);
		if (node->n != chunks)
			place_die(node->place, "%s: %d lists, but a stage has %d chunk%s", key, node->n,
			    chunks, chunks == 1 ? "" : "s");
		for (int v = 0; v < chunks; v++)
			row(node->item[v], key, g, v, layers);
	}
	return g;
}

void
settings_deal(const struct grid kind[RECOMPUTE_KINDS], const enum recompute first[RECOMPUTE_KINDS],
    const int order[], int bodies, const int layers[], struct grid out[][RECOMPUTE_KINDS])
{
	int pieces = kind[RECOMPUTE_NONE].chunks * kind[RECOMPUTE_NONE].stages;
	int body = 0, left = bodies > 0 ? layers[0] : 0;

	memset(out, 0, (size_t)bodies * sizeof *out);
	for (int i = 0; i < pieces * RECOMPUTE_KINDS && body < bodies; i++) {
		int at = order != NULL ? order[i / RECOMPUTE_KINDS] : i / RECOMPUTE_KINDS;
		enum recompute k = first[i % RECOMPUTE_KINDS];
		int there = kind[k].chunks != 0 ? kind[k].at[at] : 0;

		while (there > 0 && body < bodies) {
			int n = there < left ? there : left;

			if (n > 0 && out[body][k].at == NULL)
				out[body][k] = grid_new(kind[k].chunks, kind[k].stages);
			if (n > 0)
				out[body][k].at[at] += n;
			there -= n;
			left -= n;
			if (left == 0)
				left = ++body < bodies ? layers[body] : 0;
		}
	}
}

void
settings_free(struct settings *s)
{
	free(s->offset.at);
	free(s->recompute.at);
	free(s->select_recompute.at);
	free(s->select_comm_recompute.at);
	memset(s, 0, sizeof *s);
}

char *
settings_text(struct grid g)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	if (g.chunks > 1)
		putc('[', f);
	for (int v = 0; v < g.chunks; v++) {
		fputs(v > 0 ? ", [" : "[", f);
		for (int s = 0; s < g.stages; s++)
			fprintf(f, "%s%d", s > 0 ? ", " : "", *grid_at(g, v, s));
		putc(']', f);
	}
	if (g.chunks > 1)
		putc(']', f);
	memstream_close(f);
	return text;
}
