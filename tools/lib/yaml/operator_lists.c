#include "operator_lists.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "settings.h"

/* maximum length of the name of a kind; in a longer one, patterns are replaced by their number */
enum { NAME_LONG = 36 };

void
operator_lists_add(struct operator_lists *l, const char *pattern, bool comm, struct grid count, struct place place)
{
	*APPEND(l->at, l->n) = (struct operator_list){ xstrdup(pattern), comm, count, place };
}

bool
operator_lists_differ(const struct operator_lists *l)
{
	for (int i = 0; i < l->n; i++)
		for (int j = 0; j < i; j++) {
			struct grid a = l->at[i].count, b = l->at[j].count;

			if (l->at[i].comm == l->at[j].comm &&
			    memcmp(a.at, b.at, (size_t)(a.chunks * a.stages) * sizeof *a.at) != 0)
				return true;
		}
	return false;
}

static bool
texts_same(const struct texts *a, const struct texts *b)
{
	for (int i = 0; i < a->n && i < b->n; i++)
		if (strcmp(a->at[i], b->at[i]) != 0)
			return false;
	return a->n == b->n;
}

/*
 * Write the part of a pattern that identifies its operator, such as "activation" of 'feed_forward\.w1\.activation'.
 * Return its length.
 */
static int
put_operator(FILE *f, const char *pattern)
{
	const char *dot = strrchr(pattern, '.'), *from = dot != NULL && dot[1] != '\0' ? dot + 1 : pattern, *p = from;

	for (; *p != '\0' && p - from < NAME_LONG / 2; p++)
		putc(isalnum((unsigned char)*p) ? *p : '_', f);
	return (int)(p - from);
}

static bool
name_taken(const char *name)
{
	int n = recompute_known();

	for (int k = 0; k < n; k++)
		if (strcmp(recompute_names[k], name) == 0)
			return true;
	return false;
}

/*
 * Return a name for a kind, such as "mul+activation+reshape". With many patterns it is like "mul+activation+18". If the
 * name is taken, "-2" follows.
 */
static char *
name_of(const struct operators *o)
{
	char *name, *other;
	size_t size;
	FILE *f = memstream_open(&name, &size);
	int n = o->select_recompute.n + o->select_comm_recompute.n, length = 0;

	for (int i = 0; i < n; i++) {
		bool comm = i >= o->select_recompute.n;

		if (length > NAME_LONG / 2 && i < n - 1) {
			fprintf(f, "+%d", n - i);
			break;
		}
		fputs(i > 0 ? "+" : "", f);
		length += put_operator(f, comm ? o->select_comm_recompute.at[i - o->select_recompute.n] :
		    o->select_recompute.at[i]);
	}
	memstream_close(f);
	for (int i = 2; name_taken(name); i++) {
		other = xasprintf("%.*s-%d", (int)strcspn(name, "-"), name, i);
		free(name);
		name = other;
	}
	return name;
}

/* Return the kind that recomputes exactly the patterns of LAYER in PIECE. */
static int
kind_of(const struct operator_lists *l, struct operator_kinds *kinds, int piece, int layer)
{
	struct operators o = { 0 };
	struct place at = { 0 };
	int i = 0;

	for (int p = 0; p < l->n; p++)
		if (layer < l->at[p].count.at[piece]) {
			texts_add(l->at[p].comm ? &o.select_comm_recompute : &o.select_recompute, l->at[p].pattern);
			at = l->at[p].place;
		}
	if (o.select_recompute.n + o.select_comm_recompute.n == 0)
		return RECOMPUTE_NONE;
	while (i < kinds->n && !(texts_same(&o.select_recompute, &kinds->at[i].select_recompute) &&
	    texts_same(&o.select_comm_recompute, &kinds->at[i].select_comm_recompute)))
		i++;
	if (i < kinds->n) {
		texts_free(&o.select_recompute);
		texts_free(&o.select_comm_recompute);
		return recompute_kind(kinds->at[i].name, at);
	}
	if (o.select_recompute.n > 0)
		field_give(&operators_fields, &o, offsetof(struct operators, select_recompute));
	if (o.select_comm_recompute.n > 0)
		field_give(&operators_fields, &o, offsetof(struct operators, select_comm_recompute));
	o.name = name_of(&o);
	/* exits if no number is left for the kind */
	recompute_kind(o.name, at);
	kinds->at[kinds->n++] = o;
	return recompute_kind(o.name, at);
}

void
operator_lists_kinds(const struct operator_lists *l, struct operator_kinds *kinds, struct grid recompute,
    struct grid layers, struct grid kind[RECOMPUTE_KINDS])
{
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		kind[k] = grid_new(layers.chunks, layers.stages);
	for (int i = 0; i < layers.chunks * layers.stages; i++) {
		for (int p = 0; p < l->n; p++)
			if (l->at[p].count.at[i] > layers.at[i])
				place_die(l->at[p].place, "%d layers are recomputed on stage %d, which has only %d",
				    l->at[p].count.at[i], i % layers.stages, layers.at[i]);
		for (int j = 0; j < layers.at[i]; j++) {
			bool whole = recompute.at != NULL && j < recompute.at[i];

			kind[whole ? RECOMPUTE_FULL : kind_of(l, kinds, i, j)].at[i]++;
		}
	}
}

void
operator_put_quoted(FILE *f, const char *pattern)
{
	putc('\'', f);
	for (; *pattern != '\0'; pattern++)
		fprintf(f, *pattern == '\'' ? "''" : "%c", *pattern);
	putc('\'', f);
}

char *
operator_lists_text(const struct operator_lists *l, bool comm)
{
	char *text, *count;
	size_t size;
	int n = 0;
	FILE *f = memstream_open(&text, &size);

	for (int i = 0; i < l->n; i++)
		if (l->at[i].comm == comm) {
			fputs(n++ > 0 ? ", " : "{", f);
			operator_put_quoted(f, l->at[i].pattern);
			count = settings_text(l->at[i].count);
			fprintf(f, ": %s", count);
			free(count);
		}
	fputs(n > 0 ? "}" : "False", f);
	memstream_close(f);
	return text;
}

void
operator_lists_free(struct operator_lists *l)
{
	for (int i = 0; i < l->n; i++) {
		free(l->at[i].count.at);
		free(l->at[i].pattern);
	}
	free(l->at);
	*l = (struct operator_lists){ 0 };
}

void
operator_kinds_free(struct operator_kinds *k)
{
	for (int i = 0; i < k->n; i++)
		fields_free(&operators_fields, &k->at[i]);
	*k = (struct operator_kinds){ 0 };
}
