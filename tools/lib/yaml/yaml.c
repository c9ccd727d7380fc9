/* Configuration YAML as a tree that knows its lines: libyaml's events, without recursion. */
#include "yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"

enum {
	MAX_BYTES = 16 << 20,
	MAX_DEPTH = 64,
	MAX_NODES = 200000,
	MAX_EXPANDED = 1000000,	/* nodes of the tree if every alias were written out */
	MAX_ANCHORS = 1000,
	MAX_MERGED = 1000,	/* entries of a map with '<<' */
};

struct node {
	struct yaml yaml;	/* first: a struct yaml of ours is a struct node */
	long expanded;		/* nodes below and including this one, aliases written out */
	int height;		/* levels below this one */
	int merge;		/* map: 1 + the entry whose key is '<<' */
	bool open;		/* its end has not been read */
};

/* The first node read is the root, and owns all others. */
struct document {
	struct node root;
	char *source;
	struct node **node;
	int nodes;
};

struct anchor {
	char *name;
	struct node *node;
};

struct parse {
	yaml_parser_t parser;
	struct document *doc;
	char *source;
	struct node *stack[MAX_DEPTH];
	int depth;
	char *key;		/* read, its value still to come */
	struct place key_place;
	struct yaml_span key_span;
	const char *text;
	size_t length;
	size_t character, byte;	/* a position in the text, counted both ways */
	struct anchor anchor[MAX_ANCHORS];
	int anchors;
	enum { UNIQUE, LAST_COUNTS, LAST_WARNED } keys;	/* the same one several times */
};

static struct place
mark_place(const struct parse *p, yaml_mark_t mark)
{
	return (struct place){ p->source, (long)mark.line + 1 };
}

/* libyaml counts characters, without a byte order mark. */
static size_t
mark_byte(struct parse *p, yaml_mark_t mark)
{
	while (p->character < mark.index && p->byte < p->length) {
		p->character++;
		do
			p->byte++;
		while (p->byte < p->length && (p->text[p->byte] & 0xc0) == 0x80);
	}
	while (p->character > mark.index && p->byte > 0) {
		p->character--;
		do
			p->byte--;
		while (p->byte > 0 && (p->text[p->byte] & 0xc0) == 0x80);
	}
	return p->byte;
}

static struct yaml_span
event_span(struct parse *p, const yaml_event_t *ev)
{
	struct yaml_span span = { .start = mark_byte(p, ev->start_mark) };

	span.end = mark_byte(p, ev->end_mark);
	return span;
}

static struct node *
node_new(struct parse *p, enum yaml_type type, struct place at)
{
	struct document *doc = p->doc;
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

/* Put a node into the list or map that is being read. */
static void
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

/* Count a node whose end has been read into the one around it. */
static void
node_count(const struct parse *p, const struct node *child, struct place at)
{
	struct node *parent;

	if (p->depth == 0)
		return;
	parent = p->stack[p->depth - 1];
	parent->expanded += child->expanded;
	if (parent->expanded > MAX_EXPANDED)
		place_die(at, "aliases make this more than %d values: not a configuration", MAX_EXPANDED);
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

/* An unquoted key "<<": the entries of the map or maps it stands for, except those that are there. */
static void
map_merge(struct parse *p, struct node *node)
{
	struct yaml *map = &node->yaml, *from;
	struct place at;

	if (node->merge == 0)
		return;
	from = map->item[node->merge - 1];
	at = map->key_place[node->merge - 1];
	map_remove(map, node->merge - 1);
	for (int i = 0; i < (from->type == YAML_LIST ? from->n : 1); i++) {
		const struct yaml *source = from->type == YAML_LIST ? from->item[i] : from;

		if (source->type != YAML_MAP)
			place_die(at, "'<<' takes a map or a list of maps");
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

/* Of entries with the same key the last stays. */
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
				    "key a second time, first on line %ld: the last one counts '%s'",
				    map->key_place[j].line, map->key[i]);
			map->repeated = xreallocarray(map->repeated, (size_t)map->repeats + 1, sizeof *map->repeated);
			map->repeated[map->repeats++] = xstrdup(map->key[i]);
			map_remove(map, j);
			node->merge -= node->merge > j + 1;
			i--;
		}
}

static void
map_end(struct parse *p, struct node *node)
{
	struct yaml *map = &node->yaml;
	char ***sorted = xcalloc((size_t)map->n, sizeof *sorted);
	bool again = false;

	for (int i = 0; i < map->n; i++)
		sorted[i] = &map->key[i];
	qsort(sorted, (size_t)map->n, sizeof *sorted, key_compare);
	for (int i = 1; i < map->n; i++)
		if (strcmp(*sorted[i - 1], *sorted[i]) == 0) {
			long a = sorted[i - 1] - map->key, b = sorted[i] - map->key;

			again = true;
			if (p->keys != UNIQUE && map->n <= MAX_MERGED)
				continue;
			place_die(map->key_place[a > b ? a : b], "key a second time, first on line %ld '%s'",
			    map->key_place[a > b ? b : a].line, *sorted[i]);
		}
	free(sorted);
	if (again)
		keep_last(node, p->keys == LAST_WARNED);
	map_merge(p, node);
}

static void
anchor_set(struct parse *p, const yaml_char_t *name, struct node *node)
{
	int i = 0;

	if (name == NULL)
		return;
	while (i < p->anchors && strcmp(p->anchor[i].name, (const char *)name) != 0)
		i++;
	if (i == MAX_ANCHORS)
		place_die(node->yaml.place, "more than %d anchors", MAX_ANCHORS);
	if (i == p->anchors)
		p->anchor[p->anchors++].name = xstrdup((const char *)name);
	p->anchor[i].node = node;
	node->yaml.anchored = true;
}

static struct node *
anchor_get(const struct parse *p, const char *name, struct place at)
{
	for (int i = 0; i < p->anchors; i++)
		if (strcmp(p->anchor[i].name, name) == 0) {
			if (p->anchor[i].node->open)
				place_die(at, "alias inside of what it stands for '*%s'", name);
			return p->anchor[i].node;
		}
	place_die(at, "alias of an anchor that is not there '*%s'", name);
}

/* Standard tags say what plain YAML says anyway, but for !!str; others are not ours to understand. */
static bool
tag_string(const yaml_char_t *tag, struct place at)
{
	static const char standard[] = "tag:yaml.org,2002:";

	if (tag == NULL)
		return false;
	if (strcmp((const char *)tag, "!") == 0)
		return true;
	if (strncmp((const char *)tag, standard, sizeof standard - 1) != 0)
		place_die(at, "tags are not supported '%s'", (const char *)tag);
	return strcmp((const char *)tag + sizeof standard - 1, "str") == 0;
}

static bool
key_expected(const struct parse *p)
{
	return p->depth > 0 && p->stack[p->depth - 1]->yaml.type == YAML_MAP && p->key == NULL;
}

static void
scalar(struct parse *p, const yaml_event_t *ev, struct place at)
{
	const char *text = (const char *)ev->data.scalar.value;
	bool quoted = ev->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	struct node *node;

	if (strlen(text) != ev->data.scalar.length)
		place_die(at, "a NUL in text");
	quoted |= tag_string(ev->data.scalar.tag, at);
	if (key_expected(p)) {
		struct node *map = p->stack[p->depth - 1];

		if (ev->data.scalar.anchor != NULL)
			place_die(at, "an anchor on a key is not supported '%s'", text);
		p->key = xstrdup(text);
		p->key_place = at;
		p->key_span = event_span(p, ev);
		if (!quoted && strcmp(text, "<<") == 0)
			map->merge = map->yaml.n + 1;
		return;
	}
	node = node_new(p, YAML_SCALAR, at);
	node->yaml.text = xstrdup(text);
	node->yaml.quoted = quoted;
	node->yaml.span = event_span(p, ev);
	anchor_set(p, ev->data.scalar.anchor, node);
	node_attach(p, node, node->yaml.span);
	node_count(p, node, at);
}

static void
collection_start(struct parse *p, const yaml_event_t *ev, struct place at)
{
	bool list = ev->type == YAML_SEQUENCE_START_EVENT;
	const yaml_char_t *anchor = list ? ev->data.sequence_start.anchor : ev->data.mapping_start.anchor;
	struct node *node;

	if (key_expected(p))
		place_die(at, "a list or map as a key is not supported");
	if (p->depth == MAX_DEPTH)
		place_die(at, "more than %d levels deep", MAX_DEPTH);
	tag_string(list ? ev->data.sequence_start.tag : ev->data.mapping_start.tag, at);
	node = node_new(p, list ? YAML_LIST : YAML_MAP, at);
	node->yaml.flow = list ? ev->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
	    : ev->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
	node->yaml.span = event_span(p, ev);
	anchor_set(p, anchor, node);
	node_attach(p, node, node->yaml.span);
	p->stack[p->depth++] = node;
}

static void
collection_end(struct parse *p, const yaml_event_t *ev, struct place at)
{
	struct node *node = p->stack[p->depth - 1];
	struct yaml *yaml = &node->yaml;

	/* libyaml has a block end where the next thing begins, behind comments and blank lines. */
	if (yaml->flow)
		yaml->span.end = mark_byte(p, ev->end_mark);
	else if (yaml->n > 0)
		yaml->span.end = yaml->item_span[yaml->n - 1].end;
	if (p->depth > 1) {
		const struct yaml *parent = &p->stack[p->depth - 2]->yaml;

		parent->item_span[parent->n - 1] = yaml->span;
	}
	if (node->yaml.type == YAML_MAP)
		map_end(p, node);
	node->open = false;
	p->depth--;
	node_count(p, node, at);
}

static void
alias(struct parse *p, const yaml_event_t *ev, struct place at)
{
	const char *name = (const char *)ev->data.alias.anchor;
	struct node *node;

	if (key_expected(p))
		place_die(at, "an alias as a key is not supported '*%s'", name);
	node = anchor_get(p, name, at);
	node_attach(p, node, event_span(p, ev));
	node_count(p, node, at);
}

/* The next event, or an exit with what libyaml found wrong. */
static void
event(struct parse *p, yaml_event_t *ev)
{
	struct place at = { p->source, 0 };

	if (yaml_parser_parse(&p->parser, ev))
		return;
	at = mark_place(p, p->parser.problem_mark);
	switch (p->parser.error) {
	case YAML_MEMORY_ERROR:
		place_die(at, "out of memory");
	case YAML_READER_ERROR:
		/* libyaml reads ahead of its marks, and tells the byte. */
		at.line = 1;
		for (size_t i = 0; i < p->parser.problem_offset && i < p->length; i++)
			at.line += p->text[i] == '\n';
		place_die(at, "not text in UTF-8 or UTF-16: %s", p->parser.problem);
	default:
		place_die(at, "not YAML: %s%s%s", p->parser.context != NULL ? p->parser.context : "",
		    p->parser.context != NULL ? ": " : "", p->parser.problem);
	}
}

static struct yaml *
parse(const char *text, size_t length, const char *source, bool last_counts, bool warn)
{
	struct parse *p = xcalloc(1, sizeof *p);
	struct document *doc;
	yaml_event_t ev;
	int documents = 0;
	bool more = true;

	p->source = xstrdup(source);
	p->text = text;
	p->length = length;
	p->keys = last_counts ? warn ? LAST_WARNED : LAST_COUNTS : UNIQUE;
	p->byte = byte_order_mark(text, length);
	if (!yaml_parser_initialize(&p->parser))
		place_die((struct place){ source, 0 }, "out of memory");
	yaml_parser_set_input_string(&p->parser, (const unsigned char *)text, length);
	while (more) {
		struct place at;

		event(p, &ev);
		at = mark_place(p, ev.start_mark);
		switch (ev.type) {
		case YAML_DOCUMENT_START_EVENT:
			if (documents++ > 0)
				place_die(at, "a second document: only one is read");
			break;
		case YAML_SCALAR_EVENT:
			scalar(p, &ev, at);
			break;
		case YAML_SEQUENCE_START_EVENT:
		case YAML_MAPPING_START_EVENT:
			collection_start(p, &ev, at);
			break;
		case YAML_SEQUENCE_END_EVENT:
		case YAML_MAPPING_END_EVENT:
			collection_end(p, &ev, at);
			break;
		case YAML_ALIAS_EVENT:
			alias(p, &ev, at);
			break;
		case YAML_STREAM_END_EVENT:
			more = false;
			break;
		case YAML_NO_EVENT:
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		}
		yaml_event_delete(&ev);
	}
	if (p->doc == NULL)
		place_die((struct place){ source, 0 }, "empty: no YAML document in it");
	doc = p->doc;
	for (int i = 0; i < p->anchors; i++)
		free(p->anchor[i].name);
	yaml_parser_delete(&p->parser);
	free(p);
	return &doc->root.yaml;
}

char *
yaml_slurp(const char *path, size_t *length)
{
	return slurp(path, MAX_BYTES, length);
}

struct yaml *
yaml_parse(const char *text, size_t length, const char *source)
{
	return parse(text, length, source, false, false);
}

struct yaml *
yaml_parse_loaded(const char *text, size_t length, const char *source, bool warn)
{
	return parse(text, length, source, true, warn);
}

struct yaml *
yaml_read(const char *path)
{
	size_t length;
	char *text = yaml_slurp(path, &length);
	struct yaml *root = yaml_parse(text, length, slurp_name(path));

	free(text);
	return root;
}

static void
node_clear(struct node *node)
{
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
	struct document *doc = (struct document *)root;

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
