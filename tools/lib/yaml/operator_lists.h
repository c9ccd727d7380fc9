/*
 * Operator lists: MindFormers' recomputation lists with separate numbers per operator pattern. If the numbers differ,
 * each set of patterns applied to some layer becomes a kind of recomputation.
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
	struct grid count;	/* layers of each piece, counted from its first layer */
	struct place place;
};

struct operator_lists {
	int n;
	struct operator_list *at;
};

/* Kinds created from lists, as records. */
struct operator_kinds {
	int n;
	struct operators at[RECOMPUTE_KINDS - RECOMPUTE_BUILT_IN];
};

/* Takes ownership of COUNT. */
void operator_lists_add(struct operator_lists *, const char *pattern, bool comm, struct grid count, struct place);
/* Return whether patterns of a list have different numbers. If not, the lists are the kinds select and comm. */
bool operator_lists_differ(const struct operator_lists *);
/*
 * Count the layers of each kind into KIND (caller frees). RECOMPUTE: number of fully recomputed layers. Adds new sets
 * of patterns to KINDS. Exits if they are too many.
 */
void operator_lists_kinds(const struct operator_lists *, struct operator_kinds *, struct grid recompute,
    struct grid layers, struct grid kind[RECOMPUTE_KINDS]);
/* Return one list in YAML syntax, "{'feed_forward\.mul': [20, 8]}", or "False" if empty; caller frees. */
char *operator_lists_text(const struct operator_lists *, bool comm);
/* Write a single-quoted YAML scalar: 'a''b\.c'. */
void operator_put_quoted(FILE *, const char *pattern);
void operator_lists_free(struct operator_lists *);
void operator_kinds_free(struct operator_kinds *);

#endif
