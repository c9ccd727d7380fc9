#include "yaml_node.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

struct node *
node_new(struct parse *p, enum yaml_type type, struct place at)
{
	struct yaml_document *doc = p->doc;
	struct node *node;

	if (doc == NULL) {
		doc = p->doc = xcalloc(1, sizeof *doc);
		doc->source = p->source;
		node = &doc->root;
	} else {
		if (doc->nodes >= MAX_NODES)
			place_die(at, "more than %d values: not a configuration", MAX_NODES);
		if ((doc->nodes & (doc->nodes - 1)) == 0)
			doc->node =
			    xreallocarray(doc->node, 2 * (size_t)doc->nodes + 1, sizeof(struct node *));
		node = doc->node[doc->nodes++] = xcalloc(1, sizeof *node);
	}
	node->yaml.type = type;
	node->yaml.place = at;
	node->expanded = 1;
	node->open = type != YAML_SCALAR;
	return node;
}

void
node_attach(struct parse *p, struct node *child, struct yaml_span span)
{
	struct yaml *parent;

	if (p->depth == 0)
		return;
	parent = &p->stack[p->depth - 1]->yaml;
	if ((parent->n & (parent->n - 1)) == 0) {
		size_t room = 2 * (size_t)parent->n + 1;

		parent->item = xreallocarray(parent->item, room, sizeof *parent->item);
		parent->item_span = xreallocarray(parent->item_span, room, sizeof *parent->item_span);
		if (parent->type == YAML_MAP) {
			parent->key_span = xreallocarray(parent->key_span, room, sizeof *parent->key_span);
			parent->key = xreallocarray(parent->key, room, sizeof *parent->key);
			parent->key_place = xreallocarray(parent->key_place, room, sizeof *parent->key_place);
		}
	}
	if (parent->type == YAML_MAP) {
		parent->key[parent->n] = p->key;
		parent->key_place[parent->n] = p->key_place;
		parent->key_span[parent->n] = p->key_span;
		p->key = NULL;
	}
	parent->item_span[parent->n] = span;
	parent->item[parent->n++] = &child->yaml;
}

void
node_count(const struct parse *p, const struct node *child, struct place at)
{
	struct node *parent;

	if (p->depth == 0)
		return;
	parent = p->stack[p->depth - 1];
	parent->expanded += child->expanded;
	if (parent->expanded > MAX_EXPANDED)
		place_die(at, "aliases expand to more than %d values: not a configuration", MAX_EXPANDED);
	if (child->height + 1 > parent->height)
		parent->height = child->height + 1;
	if (p->depth + child->height > MAX_DEPTH)
		place_die(at, "more than %d levels deep", MAX_DEPTH);
}

static int
key_compare(const void *a, const void *b)
{
	return strcmp(**(char ***)a, **(char ***)b);
}

static void
map_remove(struct yaml *map, int i)
{
	size_t behind = (size_t)(--map->n - i);

	free(map->key[i]);
	memmove(map->key + i, map->key + i + 1, behind * sizeof *map->key);
	memmove(map->key_place + i, map->key_place + i + 1, behind * sizeof *map->key_place);
	memmove(map->key_span + i, map->key_span + i + 1, behind * sizeof *map->key_span);
	memmove(map->item_span + i, map->item_span + i + 1, behind * sizeof *map->item_span);
	memmove(map->item + i, map->item + i + 1, behind * sizeof *map->item);
}

/* Add those entries of the map FROM, or of the maps in the list FROM, that the map does not have. */
static void
merge_from(struct parse *p, struct yaml *map, const struct yaml *from, struct place at)
{
	for (int i = 0; i < (from->type == YAML_LIST ? from->n : 1); i++) {
		const struct yaml *source = from->type == YAML_LIST ? from->item[i] : from;

		if (source->type != YAML_MAP)
			place_die(at, "'<<': expected a map or a list of maps");
		for (int j = 0; j < source->n; j++) {
			if (yaml_get(map, source->key[j]) != NULL)
				continue;
			if (map->n >= MAX_MERGED)
				place_die(at, "'<<' makes a map of more than %d entries", MAX_MERGED);
			p->key = xstrdup(source->key[j]);
			p->key_place = source->key_place[j];
			p->key_span = (struct yaml_span){ 0 };
			node_attach(p, (struct node *)source->item[j], (struct yaml_span){ 0 });
			node_count(p, (struct node *)source->item[j], at);
		}
	}
}

struct merge {
	const struct yaml *from;
	struct place at;
};

/*
 * Remove the entries whose key is an unquoted '<<'. Return their values, [n], the last first, since it takes
 * precedence.
 */
static struct merge *
merges_take(struct node *node)
{
	struct yaml *map = &node->yaml;
	struct merge *m = xcalloc((size_t)node->merges + 1, sizeof *m);

	for (int k = node->merges - 1, n = 0; k >= 0; k--, n++) {
		int i = node->merge[k];

		m[n] = (struct merge){ map->item[i], map->key_place[i] };
		if (n == 0) {
			map->merge_key = map->key_span[i];
			map->merge_item = map->item_span[i];
		}
		map_remove(map, i);
	}
	return m;
}

/* Keep only the last of all entries with the same key. */
static void
keep_last(struct node *node, bool warn)
{
	struct yaml *map = &node->yaml;

	for (int i = map->n - 1; i > 0; i--)
		for (int j = i - 1; j >= 0; j--) {
			if (strcmp(map->key[i], map->key[j]) != 0)
				continue;
			if (warn)
				place_warn(map->key_place[i],
				    "duplicate key, first on line %ld: the last value is used '%s'",
				    map->key_place[j].line, map->key[i]);
			*APPEND(map->repeated, map->repeats) = xstrdup(map->key[i]);
			map_remove(map, j);
			i--;
		}
}

void
map_end(struct parse *p, struct node *node)
{
	struct yaml *map = &node->yaml;
	struct merge *merge = merges_take(node);
	char ***sorted = xcalloc((size_t)map->n + 1, sizeof *sorted);
	bool again = false;

	for (int i = 0; i < map->n; i++)
		sorted[i] = &map->key[i];
	SORT(sorted, map->n, key_compare);
	for (int i = 1; i < map->n; i++)
		if (strcmp(*sorted[i - 1], *sorted[i]) == 0) {
			long a = sorted[i - 1] - map->key, b = sorted[i] - map->key;

			again = true;
			if (p->keys != UNIQUE && map->n <= MAX_MERGED)
				continue;
			place_die(map->key_place[a > b ? a : b], "duplicate key, first on line %ld '%s'",
			    map->key_place[a > b ? b : a].line, *sorted[i]);
		}
	free(sorted);
	if (again)
		keep_last(node, p->keys == LAST_WARNED);
	for (int i = 0; i < node->merges; i++)
		merge_from(p, map, merge[i].from, merge[i].at);
	free(merge);
}

static void
node_clear(struct node *node)
{
	free(node->merge);
	free(node->yaml.text);
	for (int i = 0; node->yaml.key != NULL && i < node->yaml.n; i++)
		free(node->yaml.key[i]);
	free(node->yaml.key);
	for (int i = 0; i < node->yaml.repeats; i++)
		free(node->yaml.repeated[i]);
	free(node->yaml.repeated);
	free(node->yaml.key_place);
	free(node->yaml.key_span);
	free(node->yaml.item);
	free(node->yaml.item_span);
}

void
yaml_release(struct yaml *root)
{
	struct yaml_document *doc = (struct yaml_document *)root;

	if (doc == NULL)
		return;
	for (int i = 0; i < doc->nodes; i++) {
		node_clear(doc->node[i]);
		free(doc->node[i]);
	}
	node_clear(&doc->root);
	free(doc->node);
	free(doc->source);
	free(doc);
}
