/* Build the tree from the events of libyaml, without recursion. */
#include "yaml.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"
#include "yaml_node.h"

enum { MAX_BYTES = 16 << 20 };

static struct place
mark_place(const struct parse *p, yaml_mark_t mark)
{
	return (struct place){ p->source, (long)mark.line + 1 };
}

/* Return the byte of a mark. libyaml counts characters, and does not count the byte order mark. */
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
				place_die(at, "alias inside the node that it refers to '*%s'", name);
			return p->anchor[i].node;
		}
	place_die(at, "alias of an unknown anchor '*%s'", name);
}

/* Return whether a tag is !!str. The other standard tags change nothing. Exit if a tag is unknown. */
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

/* Parse digits of BASE, with '_' anywhere. Return false on other characters, without digits, or on overflow. */
static bool
digits(const char *text, int base, unsigned long long *n)
{
	static const char known[] = "0123456789abcdef";
	bool any = false;

	for (*n = 0; *text != '\0'; text++) {
		const char *digit = *text == '_' ? NULL : strchr(known, tolower((unsigned char)*text));

		if (*text == '_')
			continue;
		if (digit == NULL || digit - known >= base || *n > LLONG_MAX / 64)
			return false;
		*n = *n * (unsigned)base + (unsigned)(digit - known);
		any = true;
	}
	return any;
}

/* Parse a number to base 60, as YAML 1.1 has it: "1:30" is 90. */
static bool
sexagesimal(const char *text, unsigned long long *n)
{
	unsigned long long part;

	if (*text < '1' || *text > '9' || strchr(text, ':') == NULL)
		return false;
	for (*n = 0; text != NULL; text = strchr(text, ':') != NULL ? strchr(text, ':') + 1 : NULL) {
		char *one = xstrndup(text, strcspn(text, ":"));
		bool is = digits(one, 10, &part) && (*n == 0 || (part < 60 && strlen(one) <= 2));

		free(one);
		if (!is || *n > LLONG_MAX / 64)
			return false;
		*n = *n * 60 + part;
	}
	return true;
}

/*
 * If the text is a whole number in another notation of YAML 1.1, return its decimal digits, as PyYAML loads it.
 * Otherwise return NULL.
 */
static char *
integer_text(const char *text)
{
	const char *sign = *text == '-' ? "-" : "";
	unsigned long long n;
	bool is;

	text += *text == '-' || *text == '+';
	if (*text < '0' || *text > '9')
		return NULL;
	if (strncmp(text, "0x", 2) == 0)
		is = digits(text + 2, 16, &n);
	else if (strncmp(text, "0b", 2) == 0)
		is = digits(text + 2, 2, &n);
	else if (*text == '0')
		is = text[1] != '\0' && digits(text + 1, 8, &n);
	else
		is = (strchr(text, '_') != NULL && digits(text, 10, &n)) || sexagesimal(text, &n);
	return is ? xasprintf("%s%llu", sign, n) : NULL;
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
		place_die(at, "a NUL byte in text");
	quoted |= tag_string(ev->data.scalar.tag, at);
	if (key_expected(p)) {
		struct node *map = p->stack[p->depth - 1];

		if (ev->data.scalar.anchor != NULL)
			place_die(at, "an anchor on a key is not supported '%s'", text);
		p->key = xstrdup(text);
		p->key_place = at;
		p->key_span = event_span(p, ev);
		if (!quoted && strcmp(text, "<<") == 0)
			*APPEND(map->merge, map->merges) = map->yaml.n;
		return;
	}
	node = node_new(p, YAML_SCALAR, at);
	node->yaml.text = quoted ? NULL : integer_text(text);
	if (node->yaml.text == NULL)
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

	/* libyaml ends a block at the next token, after comments and blank lines. */
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

/* Get the next event. Exit if libyaml reports an error. */
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
		/* The reader of libyaml gives the byte of an error instead of its mark. */
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
	struct yaml_document *doc;
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
