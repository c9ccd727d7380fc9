/* Classes of layers. Members of a class replace the network's members. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/whole.h"
#include "architecture.h"

const struct architecture *
architecture_class(const struct architecture *n, int k)
{
	return (const struct architecture *)n->classes.at + k;
}

int
architecture_find(const struct architecture *n, const char *name)
{
	for (int k = 0; k < n->classes.n; k++)
		if (strcmp(architecture_class(n, k)->name, name) == 0)
			return k;
	return -1;
}

int
architecture_class_of(const struct architecture *n, int l)
{
	if (n->pattern.n > 0)
		return architecture_find(n, n->pattern.at[l]);
	return n->experts > 0 && l >= n->dense_layers && (l - n->dense_layers) % n->moe_every == 0;
}

int
architecture_count(const struct architecture *n, int k, int l)
{
	int moe = n->experts == 0 || l <= n->dense_layers ? 0 : (l - n->dense_layers - 1) / n->moe_every + 1, count = 0;

	if (n->pattern.n == 0)
		return k == 1 ? moe : l - moe;
	for (int i = 0; i < l; i++)
		count += strcmp(n->pattern.at[i], architecture_class(n, k)->name) == 0;
	return count;
}

const int *
architecture_counts(const struct architecture *n, int count[CLASSES_MOST])
{
	for (int k = 0; k < n->classes.n; k++)
		count[k] = architecture_count(n, k, n->layers);
	return count;
}

bool
architecture_is_moe(const struct architecture *n, int l)
{
	return architecture_class(n, architecture_class_of(n, l))->experts > 0;
}

int
architecture_moe_before(const struct architecture *n, int l)
{
	int moe = 0;

	for (int k = 0; k < n->classes.n; k++)
		if (architecture_class(n, k)->experts > 0)
			moe += architecture_count(n, k, l);
	return moe;
}

bool
architecture_product(const char **products, int *columns, int *depth)
{
	const char *end;

	if (*products == NULL || **products == '\0')
		return false;
	*columns = whole_of(*products, 1 << 28);
	end = strchr(*products, ',');
	*depth = whole_of(end + 1, 1 << 28);
	*products = strchr(end, ';') + 1;
	return true;
}

/* Check a text of pairs of whole numbers, "columns,depth;...". */
static void
check_products(const char *products, const char *member, struct place at)
{
	const char *s = products;

	while (s != NULL && *s != '\0') {
		const char *end = strchr(s, ';'), *comma = strchr(s, ',');

		if (comma == NULL || comma > end || memchr(comma + 1, ',', (size_t)(end - comma - 1)) != NULL)
			place_die(at, "network: classes: %s: expected COLUMNS,DEPTH '%.*s'", member, (int)(end - s), s);
		for (const char *number = s; number != NULL; number = number == s ? comma + 1 : NULL)
			if (strtol(number, NULL, 10) < 1 || strtol(number, NULL, 10) > 1 << 28)
				place_die(at, "network: classes: %s: out of range '%.*s'", member, (int)(end - s), s);
		s = end + 1;
	}
}

/* Copy the members that C leaves unset from N. */
static void
inherit(struct architecture *c, const struct architecture *n)
{
	for (int i = 0; i < layer_class_fields.n; i++) {
		const struct field *f = &layer_class_fields.field[i];
		char *to = (char *)c + f->offset;
		const char *from = (const char *)n + f->offset;
		size_t size = f->type == FIELD_INT || f->type == FIELD_ENUM ? sizeof(int) :
		    f->type == FIELD_BOOL ? sizeof(bool) : f->type == FIELD_REAL ? sizeof(double) :
		    f->type == FIELD_OBJECT ? f->sub->size : 0;

		if (!(c->given >> i & 1) && size > 0)
			memcpy(to, from, size);
		if ((f->type == FIELD_SHAPES || f->offset == offsetof(struct architecture, shared)) &&
		    *(char **)to == NULL && *(char *const *)from != NULL)
			*(char **)to = xstrdup(*(char *const *)from);
	}
	/* Derive members of the class from its other members, as the network does. */
#define OWN(member) GIVEN(architecture, c, member)
	if (OWN(num_heads) && !OWN(kv_heads))
		c->kv_heads = c->num_heads;
	if ((OWN(num_heads) || OWN(hidden_size)) && !OWN(head_dim))
		c->head_dim = c->num_heads > 0 ? c->hidden_size / c->num_heads : 0;
	if (OWN(hidden_size) && !OWN(expert_hidden_size))
		c->expert_hidden_size = c->hidden_size;
	if (OWN(window) && !OWN(window_share))
		c->window_share = 1;
	if (OWN(blocks) && !OWN(norms))
		c->norms = c->blocks;
#undef OWN
	c->layers = 1;
}

static void
check_class(const struct architecture *n, int k, struct place at)
{
	struct architecture *c = (struct architecture *)n->classes.at + k;

	if (*c->name == '\0' || architecture_find(n, c->name) < k)
		place_die(at, "network: classes: a name that is missing or occurs twice '%s'", c->name);
	architecture_check_sizes(c, at);
	inherit(c, n);
	check_products(c->up, "up", at);
	check_products(c->down, "down", at);
	check_products(c->whole, "whole", at);
	if (!GIVEN(architecture, n, classes))
		return;
	if (c->attention && (GIVEN(architecture, c, num_heads) || GIVEN(architecture, c, hidden_size)))
		architecture_check_heads(c, at);
	if (c->attention)
		architecture_check_attention(c, at);
	architecture_check_experts(c, at);
}

static void
check_names(const struct architecture *n, const struct texts *names, const char *member, struct place at)
{
	for (int i = 0; i < names->n; i++)
		if (architecture_find(n, names->at[i]) < 0)
			place_die(at, "network: %s: no class '%s'", member, names->at[i]);
}

/* Clear the backward of frozen layers before the first trained layer. The embedding feeds the first text layer. */
static void
find_backwards(struct architecture *n)
{
	struct architecture *class = n->classes.at;
	bool trained = false;

	for (int k = 0; k < n->classes.n; k++)
		class[k].backward = false;
	for (int l = 0; l < n->layers; l++) {
		struct architecture *c = &class[architecture_class_of(n, l)];

		trained |= !c->frozen || c->trained > 0 || ((!n->frozen || n->trained_embedding) &&
		    !GIVEN(architecture, c, seq_length));
		c->backward |= trained;
	}
	n->backward = trained || !n->frozen || n->trained_head;
}

void
architecture_classes(struct architecture *n, struct place at)
{
	static const char *const both[] = { "dense", "moe" };

	if (GIVEN(architecture, n, pattern) != GIVEN(architecture, n, classes))
		place_die(at, "network: missing member '%s': classes and pattern need each other",
		    GIVEN(architecture, n, pattern) ? "classes" : "pattern");
	if (GIVEN(architecture, n, pattern) && n->pattern.n != n->layers)
		place_die(at, "network: pattern: has %d layers, but the network has %d", n->pattern.n, n->layers);
	if (n->classes.n > CLASSES_MOST)
		place_die(at, "network: classes: more than %d '%d'", CLASSES_MOST, n->classes.n);
	for (int k = n->classes.n; !GIVEN(architecture, n, classes) && k < 2; k++) {
		struct architecture *c = array_add(&layer_class_fields, &n->classes);

		c->name = xstrdup(both[k]);
		if (k == 0)
			GIVE(architecture, c, experts, 0);
	}
	for (int k = 0; k < n->classes.n; k++)
		check_class(n, k, at);
	check_names(n, &n->pattern, "pattern", at);
	check_names(n, &n->mtp_pattern, "mtp_pattern", at);
	find_backwards(n);
}

struct architecture
architecture_like(const struct architecture *n)
{
	struct architecture a = *n;

	a.classes = (struct array){ 0 };
	for (int k = 0; k < n->classes.n && GIVEN(architecture, n, classes); k++)
		fields_copy(&layer_class_fields, array_add(&layer_class_fields, &a.classes), architecture_class(n, k));
	return a;
}

void
architecture_free_classes(struct architecture *n)
{
	for (int k = 0; k < n->classes.n; k++)
		fields_free(&layer_class_fields, (struct architecture *)n->classes.at + k);
	free(n->classes.at);
	n->classes = (struct array){ 0 };
}
