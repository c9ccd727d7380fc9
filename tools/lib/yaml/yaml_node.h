/* YAML nodes during parsing. Private to the parser's files. */
#ifndef YAML_NODE_H
#define YAML_NODE_H

#include <yaml.h>

#include "lib/yaml/yaml.h"

enum {
	MAX_DEPTH = 64,
	MAX_NODES = 200000,
	MAX_EXPANDED = 1000000,	/* nodes with all aliases expanded */
	MAX_ANCHORS = 1000,
	MAX_MERGED = 1000,	/* entries merged by '<<' in a map */
};

struct node {
	struct yaml yaml;	/* first, so that a struct yaml * converts to struct node * */
	long expanded;		/* nodes from this one down, aliases expanded */
	int height;		/* levels below this node */
	int merges, *merge;	/* map: indices of entries with key '<<', until the map is complete */
	bool open;		/* not complete yet */
};

/* The first node is the root and owns all others. */
struct yaml_document {
	struct node root;
	char *source;
	struct node **node;
	int nodes;
};

struct yaml_anchor {
	char *name;
	struct node *node;
};

struct parse {
	yaml_parser_t parser;
	struct yaml_document *doc;
	char *source;
	struct node *stack[MAX_DEPTH];
	int depth;
	char *key;		/* key whose value is not read yet */
	struct place key_place;
	struct yaml_span key_span;
	const char *text;
	size_t length;
	size_t character, byte;	/* a position in the text, in characters and in bytes */
	struct yaml_anchor anchor[MAX_ANCHORS];
	int anchors;
	enum { UNIQUE, LAST_COUNTS, LAST_WARNED } keys;	/* treatment of duplicate keys */
};

/* Create a node; the first is the root. Exits, naming AT, if there are too many. */
struct node *node_new(struct parse *, enum yaml_type, struct place at);
/* Add a node and the pending key to the open list or map. */
void node_attach(struct parse *, struct node *child, struct yaml_span);
/* Count a complete node in its parent. Exits, naming AT, if the tree is too large or too deep. */
void node_count(const struct parse *, const struct node *child, struct place at);
/* Complete a map: drop or reject duplicate keys, and merge a '<<'. */
void map_end(struct parse *, struct node *);

#endif
