/* YAML nodes while a file is parsed. Only the parser's own files include this. */
#ifndef YAML_NODE_H
#define YAML_NODE_H

#include <yaml.h>

#include "lib/yaml/yaml.h"

enum {
	MAX_DEPTH = 64,
	MAX_NODES = 200000,
	MAX_EXPANDED = 1000000,	/* number of nodes, if each alias counts as all nodes of its value */
	MAX_ANCHORS = 1000,
	MAX_MERGED = 1000,	/* number of entries in a map that '<<' has merged */
};

struct node {
	struct yaml yaml;	/* must be first, so that a pointer to it is also a pointer to the node */
	long expanded;		/* number of nodes from this one down; each alias counts as all nodes of its value */
	int height;		/* number of levels below this node */
	int merges, *merge;	/* map: indices of the entries whose key is '<<', until the map is complete */
	bool open;		/* the node is not complete yet */
};

/* A document owns all its nodes. The first one is the root. */
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
	char *key;		/* key whose value has not been read yet */
	struct place key_place;
	struct yaml_span key_span;
	const char *text;
	size_t length;
	size_t character, byte;	/* the same position in the text, in characters and in bytes */
	struct yaml_anchor anchor[MAX_ANCHORS];
	int anchors;
	/* treatment of duplicate keys: error; the last one counts; the last one counts, with a warning */
	enum { UNIQUE, LAST_COUNTS, LAST_WARNED } keys;
};

/* Create a node. The first one created is the root. Exit, naming AT, if a node would exceed the limits. */
struct node *node_new(struct parse *, enum yaml_type, struct place at);
/* Add a node to the open list or map. In a map, its key is the pending key. */
void node_attach(struct parse *, struct node *child, struct yaml_span);
/* Add the size of a complete node to its parent's size. Exit, naming AT, if the tree is too large or too deep. */
void node_count(const struct parse *, const struct node *child, struct place at);
/* Complete a map: drop or reject duplicate keys, and merge the maps of a '<<'. */
void map_end(struct parse *, struct node *);

#endif
