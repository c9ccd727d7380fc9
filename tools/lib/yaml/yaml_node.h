/* YAML nodes: the tree while it is being read. Private to the reader's own files. */
#ifndef YAML_NODE_H
#define YAML_NODE_H

#include <yaml.h>

#include "lib/yaml/yaml.h"

enum {
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
	int merges, *merge;	/* map: entries whose key is '<<', until its end is read */
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
	enum { UNIQUE, LAST_COUNTS, LAST_WARNED } keys;	/* what becomes of a key that stands in a map again */
};

/* A node of the document, the first one its root. Exits naming AT when there are too many. */
struct node *node_new(struct parse *, enum yaml_type, struct place at);
/* Put a node into the list or map that is being read, with the key that was read. */
void node_attach(struct parse *, struct node *child, struct yaml_span);
/* Count a node whose end has been read into the one around it. Exits naming AT when they are too many or too deep. */
void node_count(const struct parse *, const struct node *child, struct place at);
/* At the end of a map: keys that stand there again are dropped or refused, and a '<<' is merged in. */
void map_end(struct parse *, struct node *);

#endif
