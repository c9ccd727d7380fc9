#include "layers.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/base/sorted.h"

enum { PARTS_MOST = 8 };

static const char *const slots[] = { "mixer", "beside", "feed_forward" };
/* Members of which each part of a layer adds its share. */
static const size_t added[] = { offsetof(struct architecture, blocks), offsetof(struct architecture, norms),
	offsetof(struct architecture, parameters), offsetof(struct architecture, expert_parameters),
	offsetof(struct architecture, kept), offsetof(struct architecture, moved),
	offsetof(struct architecture, operations), offsetof(struct architecture, shared_parameters) };

struct uses {			/* for each part, the number of preceding layers that have it */
	int n;
	struct use {
		const char *part;
		long times;
	} *at;
};

static bool
is_added(size_t offset)
{
	for (size_t i = 0; i < sizeof added / sizeof added[0]; i++)
		if (added[i] == offset)
			return true;
	return false;
}

static int
choice_of(struct scope *s, const struct yaml *formula, const struct field *f)
{
	struct term x = scope_value(s, formula);

	for (int i = 0; x.type == TERM_TEXT && f->names[i] != NULL; i++)
		if (strlen(f->names[i]) == x.length && strncmp(f->names[i], x.text, x.length) == 0)
			return i;
	scope_bad(s, formula, x, f->name, "not one of its kinds");
}

/* Append the products of a list, each a pair of columns and depth, to *TO. */
static void
take_products(struct scope *s, char **to, const struct yaml *list, const char *member)
{
	char *all, *before = *to;
	size_t size;
	FILE *f = memstream_open(&all, &size);

	fputs(before != NULL ? before : "", f);
	if (list->type != YAML_LIST)
		place_die(list->place, "%s: expected a list of pairs, columns and depth", member);
	for (int i = 0; i < list->n; i++) {
		const struct yaml *each = list->item[i];
		long sides[2];

		if (each->type != YAML_LIST || each->n != 2)
			place_die(each->place, "%s: expected two numbers, columns and depth", member);
		for (int k = 0; k < 2; k++)
			sides[k] = scope_number(s, each->item[k], member, 0);
		/* The product of a part that the layer does not have is left out: it has no columns. */
		if (sides[0] > 0 && sides[1] > 0)
			fprintf(f, "%ld,%ld;", sides[0], sides[1]);
	}
	memstream_close(f);
	free(before);
	*to = all;
	if (size == 0) {
		free(*to);
		*to = NULL;
	}
}

/* Set a member of a class by the formula of a part. A name that is not a member is for use in formulas only. */
static void
take_member(struct scope *s, struct architecture *c, const char *name, const struct yaml *formula)
{
	for (int i = 1; i < layer_class_fields.n; i++) {
		const struct field *f = &layer_class_fields.field[i];
		char *to = (char *)c + f->offset;
		struct term x;

		if (strcmp(f->name, name) != 0)
			continue;
		if (f->type == FIELD_SHAPES) {
			take_products(s, (char **)to, formula, name);
			if (*(char **)to == NULL)
				return;
		} else if (f->type == FIELD_INT) {
			int value = (int)scope_number(s, formula, name, f->sign == POSITIVE ? 1 : 0);

			if (__builtin_add_overflow(value, is_added(f->offset) ? *(int *)to : 0, (int *)to))
				place_die(formula->place, "%s: out of range, added to that of the parts before", name);
		} else if (f->type == FIELD_BOOL) {
			*(bool *)to = scope_number(s, formula, name, 0) != 0;
		} else if (f->type == FIELD_ENUM) {
			*(int *)to = choice_of(s, formula, f);
		} else if (f->type == FIELD_STRING) {
			x = scope_value(s, formula);
			if (x.type != TERM_NUMBER)
				scope_bad(s, formula, x, name, "not a number");
			free(*(char **)to);
			*(char **)to = xasprintf("%s%ld", c->name, x.number);
		} else {
			place_die(formula->place, "a part has no such member '%s'", name);
		}
		field_give(&layer_class_fields, c, f->offset);
		return;
	}
}

/* Set the usual names of members. They come from the family's "usual", or else from the formulas. */
static void
tell_usual(struct draft *d, const struct scope *s)
{
	const char *(*usual)[2] = xcalloc((size_t)architecture_fields.n + 1, sizeof *usual);
	int n = 0;

	for (int i = 0; i < layer_class_fields.n; i++) {
		const char *name = layer_class_fields.field[i].name;
		const struct yaml *said = yaml_get(scope_entry(s, "usual"), name), *formula = scope_formula(s, name);

		if (said == NULL && formula == NULL)
			continue;
		usual[n][0] = name;
		usual[n++][1] = said != NULL ? said->text : formula->text;
	}
	d->usual = (const char *const (*)[2])(d->owned = usual);
}

void
layers_members(struct draft *d, struct scope *s)
{
	for (int i = 1; i < layer_class_fields.n; i++) {
		const struct field *f = &layer_class_fields.field[i];
		const struct yaml *formula = scope_formula(s, f->name);
		char *to = (char *)&d->net + f->offset;
		bool usual = f->offset == offsetof(struct architecture, gated) ||
		    f->offset == offsetof(struct architecture, causal) ||
		    f->offset == offsetof(struct architecture, flash);
		struct term x;

		if (formula == NULL)
			continue;
		x = scope_value(s, formula);
		if (x.type == TERM_NONE && x.text == NULL)
			continue;
		if (f->type == FIELD_BOOL && x.type != TERM_NUMBER)
			scope_bad(s, formula, x, f->name, "neither true nor false");
		if (f->type == FIELD_ENUM && (*(int *)to = choice_of(s, formula, f)) == 0)
			continue;
		if (f->type == FIELD_INT)
			*(int *)to = (int)scope_number(s, formula, f->name,
			    architecture_fields.field[i].sign == POSITIVE ? 1 : 0);
		if (f->type == FIELD_BOOL && (*(bool *)to = scope_number(s, formula, f->name, 0) != 0) == usual)
			continue;
		if (f->type == FIELD_INT || f->type == FIELD_BOOL || f->type == FIELD_ENUM)
			field_give(&architecture_fields, &d->net, f->offset);
	}
	tell_usual(d, s);
}

void
layers_of_keys(struct draft *d, struct bag *keys, const struct formulas *formulas, const char *family)
{
	struct scope s = { .formulas = formulas, .bag = { keys, NULL }, .place = keys->place, .keys = true };

	scope_push(&s, "families", family);
	layers_members(d, &s);
}

/* Return the first key of a map whose condition holds. The key "layers" does not count. */
static const char *
chosen(struct scope *s, const struct yaml *map)
{
	if (map->type != YAML_MAP)
		place_die(map->place, "not a map of parts and conditions");
	for (int i = 0; i < map->n; i++)
		if (strcmp(map->key[i], "layers") != 0 && scope_holds(s, map->item[i]))
			return map->key[i];
	place_die(s->place, "the kind of layer %ld is unknown: none of the conditions at %s:%ld holds", s->layer,
	    map->place.source, map->place.line);
}

static long *
uses_of(struct uses *u, const char *part)
{
	struct use *new;

	for (int i = 0; i < u->n; i++)
		if (strcmp(u->at[i].part, part) == 0)
			return &u->at[i].times;
	new = APPEND(u->at, u->n);
	*new = (struct use){ .part = part };
	return &new->times;
}

static void
add_part(struct scope *s, struct architecture *c, const char *part, struct uses *uses)
{
	int before = s->n;
	struct scope inner = *s;
	long *used = uses_of(uses, part);

	inner.n = 0;
	scope_push(&inner, "parts", part);
	if (inner.n + before > SCOPES_MOST)
		place_die(inner.map[0]->place, "a chain of more than %d parts or families that are 'like' another",
		    SCOPES_MOST);
	for (int i = 0; i < before; i++)
		inner.map[inner.n++] = s->map[i];
	inner.used = *used;
	++*used;
	free(c->name);
	c->name = xstrdup(part);
	for (int m = 0; m < inner.n - before; m++)
		for (int i = 0; i < inner.map[m]->n; i++) {
			const char *key = inner.map[m]->key[i];
			bool again = false;

			for (int k = 0; k < m; k++)
				again |= yaml_get(inner.map[k], key) != NULL;
			if (!again && strcmp(key, "like") != 0)
				take_member(&inner, c, key, inner.map[m]->item[i]);
		}
}

static struct architecture
class_of_parts(struct scope *s, const char *const part[], int n, struct uses *uses)
{
	struct architecture c = { 0 };
	char *name, *all;
	size_t size;
	FILE *f = memstream_open(&all, &size);

	/* A member without a part is absent. */
	GIVE(architecture, &c, attention, false);
	GIVE(architecture, &c, ffn_size, 0);
	GIVE(architecture, &c, experts, 0);
	GIVE(architecture, &c, blocks, 0);
	GIVE(architecture, &c, norms, 0);
	for (int i = 0; i < n; i++) {
		add_part(s, &c, part[i], uses);
		fprintf(f, "%s%s", i > 0 ? "+" : "", part[i]);
	}
	memstream_close(f);
	name = c.name;
	c.name = all;
	free(name);
	return c;
}

/* Remove the members that are equal to the network's. A class of another width keeps all of them. */
static void
leave_out(struct architecture *c, const struct architecture *n)
{
	struct architecture base = *n;

	architecture_default(&base);
	for (int i = 1; i < layer_class_fields.n && !GIVEN(architecture, c, hidden_size); i++) {
		const struct field *f = &layer_class_fields.field[i];
		const char *a = (const char *)c + f->offset, *b = (const char *)&base + f->offset;
		bool same = f->type == FIELD_BOOL ? *(const bool *)a == *(const bool *)b :
		    (f->type == FIELD_INT || f->type == FIELD_ENUM) && *(const int *)a == *(const int *)b;

		if (f->offset == offsetof(struct architecture, norms))
			same = c->norms == c->blocks;
		/* In a class with experts the size of the feed-forward has no effect. */
		if (f->offset == offsetof(struct architecture, ffn_size))
			same |= c->experts > 0;
		if (f->offset == offsetof(struct architecture, norms) && c->blocks == base.blocks)
			same = c->norms == base.norms;
		/* A class with another number of heads must keep these. */
		if (f->offset == offsetof(struct architecture, kv_heads) ||
		    f->offset == offsetof(struct architecture, head_dim))
			same &= c->num_heads == 0 || c->num_heads == base.num_heads;
		if (same)
			c->given &= ~((uint64_t)1 << i);
	}
}

/* Return the number of an existing class with equal members. If none exists, add the class and return its number. */
static int
class_number(struct architecture *n, struct architecture *c)
{
	json_t *object;
	int alike = 0;

	leave_out(c, n);
	object = fields_put(&layer_class_fields, c);
	for (int k = 0; k < n->classes.n; k++) {
		struct architecture *old = (struct architecture *)n->classes.at + k;
		size_t length = strlen(c->name);
		char *name = old->name;
		json_t *other;
		bool same;

		if (strncmp(name, c->name, length) != 0 || (name[length] != '\0' && name[length] != '_'))
			continue;
		old->name = c->name;
		other = fields_put(&layer_class_fields, old);
		old->name = name;
		same = json_equal(object, other);
		json_decref(other);
		if (same) {
			json_decref(object);
			fields_free(&layer_class_fields, c);
			return k;
		}
		alike++;
	}
	json_decref(object);
	if (alike > 0) {
		char *name = xasprintf("%s_%c%.0d", c->name, 'a' + alike % 26, alike / 26);

		free(c->name);
		c->name = name;
	}
	*(struct architecture *)array_add(&layer_class_fields, &n->classes) = *c;
	return n->classes.n - 1;
}

static void
add_layer(struct draft *d, struct scope *s, const char *const part[], int n, struct uses *uses, struct texts *to)
{
	struct architecture c = class_of_parts(s, part, n, uses);
	int k = class_number(&d->net, &c);

	texts_add(to, ((struct architecture *)d->net.classes.at)[k].name);
}

/* Add the layer of the language model with index S->layer. */
static void
add_text_layer(struct draft *d, struct scope *s, struct uses *uses, struct texts *to)
{
	const char *part[PARTS_MOST];
	int n = 0;

	for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
		const struct yaml *map = scope_entry(s, slots[i]);
		const char *name = map != NULL ? chosen(s, map) : "none";

		if (strcmp(name, "none") != 0)
			part[n++] = name;
	}
	if (n == 0)
		place_die(s->place, "layer %ld has no parts", s->layer);
	add_layer(d, s, part, n, uses, to);
}

/* Add the layers before the language model, row by row. Return their number. */
static int
add_front(struct draft *d, struct scope *s, struct uses *uses)
{
	const struct yaml *rows = scope_entry(s, "front");
	int all = 0;

	if (rows != NULL && rows->type != YAML_LIST)
		place_die(rows->place, "front: not a list");
	for (int r = 0; rows != NULL && r < rows->n; r++) {
		const struct yaml *row = rows->item[r];
		struct term n = scope_value(s, yaml_need(row, "layers"));

		if (n.type == TERM_NONE)
			continue;
		if (n.type != TERM_NUMBER || n.number < 0 || n.number > 10000)
			scope_bad(s, yaml_need(row, "layers"), n, "layers", "not a number of layers");
		for (s->layer = 0; s->layer < n.number; s->layer++, all++) {
			const char *part = chosen(s, row);

			add_layer(d, s, &part, 1, uses, &d->net.pattern);
		}
	}
	return all;
}

/* Return whether the class and the network differ at most in the number of experts. */
static bool
only_experts(const struct architecture *c)
{
	uint64_t may = field_bit(&architecture_fields, offsetof(struct architecture, experts));

	return (c->given & ~may & ~(uint64_t)1) == 0;
}

/*
 * Describe the layers with experts by the first of them and the distance between them. Return false if this does not
 * describe all layers.
 */
static bool
say_plainly(struct architecture *n)
{
	struct architecture as = *n;
	int first = -1, every = 0;
	bool moe[2] = { false };

	for (int k = 0; k < n->classes.n; k++) {
		const struct architecture *c = architecture_class(n, k);
		bool has = GIVEN(architecture, c, experts) ? c->experts > 0 : n->experts > 0;

		if (!only_experts(c) || moe[has])
			return false;
		moe[has] = true;
	}
	for (int l = 0; l < n->layers; l++) {
		const struct architecture *c = architecture_class(n, architecture_class_of(n, l));

		if (GIVEN(architecture, c, experts) || n->experts == 0)
			continue;
		if (first < 0)
			first = l;
		else if (every == 0)
			every = l - first;
	}
	as.pattern.n = 0;
	as.dense_layers = first;
	as.moe_every = every > 0 ? every : n->layers;
	for (int l = 0; l < n->layers && first >= 0; l++)
		if ((architecture_class_of(&as, l) == 1) != !GIVEN(architecture,
		    architecture_class(n, architecture_class_of(n, l)), experts))
			return false;
	if (first < 0 && n->experts > 0)
		return false;
	if (first > 0)
		GIVE(architecture, n, dense_layers, first);
	if (first >= 0 && as.moe_every > 1)
		GIVE(architecture, n, moe_every, as.moe_every);
	return true;
}

/* Make members that all classes share members of the network instead. */
static void
lift(struct architecture *n)
{
	struct architecture *c = n->classes.at;

	for (int i = 1; i < layer_class_fields.n; i++) {
		const struct field *f = &layer_class_fields.field[i];
		size_t size = f->type == FIELD_SHAPES || f->type == FIELD_STRING ? sizeof(char *) :
		    f->type == FIELD_BOOL ? sizeof(bool) : sizeof(int);

		if (!(c->given >> i & 1))
			continue;
		memcpy((char *)n + f->offset, (char *)c + f->offset, size);
		if (size == sizeof(char *))
			*(char **)((char *)c + f->offset) = NULL;
		n->given |= (uint64_t)1 << i;
		c->given &= ~((uint64_t)1 << i);
	}
	if (GIVEN(architecture, n, window))
		GIVE(architecture, n, window_share, 1);
}

void
layers_classes(struct draft *d, struct scope *s)
{
	struct architecture *n = &d->net;
	const struct yaml *blocks = scope_formula(s, "mtp_blocks");
	struct uses uses = { 0 };
	int text = n->layers, front = 0;

	if (draft_missing(d) != NULL)
		return;
	architecture_check_sizes(n, s->place);
	front = add_front(d, s, &uses);
	for (s->layer = 0; s->layer < text; s->layer++)
		add_text_layer(d, s, &uses, &n->pattern);
	n->layers = front + text;
	if (n->mtp_layers > 0 && blocks != NULL) {
		int each = (int)scope_number(s, blocks, "mtp_blocks", 1);

		if (each > 10000)
			place_die(s->place, "mtp_blocks: above 10000 '%d'", each);
		s->mtp = true;
		for (s->layer = 0; s->layer < each; s->layer++)
			add_text_layer(d, s, &uses, &n->mtp_pattern);
		s->mtp = false;
		field_give(&architecture_fields, n, offsetof(struct architecture, mtp_pattern));
	}
	free(uses.at);
	if (n->classes.n == 1 && !GIVEN(architecture, architecture_class(n, 0), ffn_size) && front == 0 &&
	    n->mtp_pattern.n == 0)
		lift(n);
	if (n->mtp_pattern.n == 0 && front == 0 && say_plainly(n)) {
		texts_free(&n->pattern);
		architecture_free_classes(n);
		return;
	}
	field_give(&architecture_fields, n, offsetof(struct architecture, pattern));
	field_give(&architecture_fields, n, offsetof(struct architecture, classes));
}

void
layers_of_options(struct draft *d, struct bag *options, const struct formulas *formulas, const char *family)
{
	struct scope s = { .formulas = formulas, .bag = { options, NULL }, .place = options->place, .net = &d->net,
		.seq = d->net.seq_length };

	scope_push(&s, "families", family);
	layers_classes(d, &s);
}
