/*
 * MindFormers' recomputation lists that give a number of layers for each pattern of operators. If the numbers of
 * patterns differ, every set of patterns that some layer recomputes becomes a kind of recomputation.
 */
#ifndef OPERATOR_LISTS_H
#define OPERATOR_LISTS_H

#include <stdio.h>

#include "lib/base/table.h"
#include "lib/record/operators.h"
#include "lib/record/recompute.h"

struct operator_list {
	char *pattern;
	bool comm;		/* from select_comm_recompute */
	struct grid count;	/* number of layers of each piece, counted from its first layer */
	struct place place;
};

struct operator_lists {
	int n;
	struct operator_list *at;
};

/* The operators records of the kinds of recomputation that a YAML's lists of operators define. */
struct operator_kinds {
	int n;
	struct operators at[RECOMPUTE_KINDS - RECOMPUTE_BUILT_IN];
};

/* Add a pattern with its numbers. Takes ownership of COUNT. */
void operator_lists_add(struct operator_lists *, const char *pattern, bool comm, struct grid count, struct place);
/* Return whether the patterns of a list have different numbers. If not, the lists are the kinds select and comm. */
bool operator_lists_differ(const struct operator_lists *);
/*
 * Count the layers of each kind into KIND, whose grids the caller frees. RECOMPUTE: number of fully recomputed layers.
 * Add new sets of patterns to KINDS. Exit if no room is left for a kind.
 */
void operator_lists_kinds(const struct operator_lists *, struct operator_kinds *, struct grid recompute,
    struct grid layers, struct grid kind[RECOMPUTE_KINDS]);
/*
 * Return one of the two lists in YAML syntax, such as "{'feed_forward\.mul': [20, 8]}", or "False" if it is empty.
 * Caller frees.
 */
char *operator_lists_text(const struct operator_lists *, bool comm);
/* Write a YAML scalar in single quotes, such as 'a''b\.c'. */
void operator_put_quoted(FILE *, const char *pattern);
void operator_lists_free(struct operator_lists *);
void operator_kinds_free(struct operator_kinds *);

#endif
