/*
 * Operator lists: recomputation lists of MindFormers with numbers for each pattern of operators, and the kinds of
 * recomputation that they make where the numbers differ: each set of patterns by which some layer is recomputed.
 */
#ifndef OPERATOR_LISTS_H
#define OPERATOR_LISTS_H

#include <stdio.h>

#include "lib/field/table.h"
#include "lib/record/operators.h"
#include "lib/record/recompute.h"

struct operator_list {
	char *pattern;
	bool comm;		/* of select_comm_recompute */
	struct grid count;	/* layers of each piece, from the first one on */
	struct place place;
};

struct operator_lists {
	int n;
	struct operator_list *at;
};

/* The kinds that lists made, as records. */
struct operator_kinds {
	int n;
	struct operators at[RECOMPUTE_KINDS - RECOMPUTE_BUILT_IN];
};

/* COUNT is taken over. */
void operator_lists_add(struct operator_lists *, const char *pattern, bool comm, struct grid count, struct place);
/* Do patterns of one list have different numbers? Where they have not, they are select and comm. */
bool operator_lists_differ(const struct operator_lists *);
/*
 * Layers of each kind, where RECOMPUTE of them are recomputed as a whole; KIND[kinds], to be freed. Sets of patterns
 * that are met for the first time become KINDS. Exits where there are too many.
 */
void operator_lists_kinds(const struct operator_lists *, struct operator_kinds *, struct grid recompute,
    struct grid layers, struct grid kind[RECOMPUTE_KINDS]);
/* "{'feed_forward\.mul': [20, 8]}", those of one list as a YAML has them, "False" without any; to be freed. */
char *operator_lists_text(const struct operator_lists *, bool comm);
/* 'a''b\.c': a quoted scalar in which nothing but the quote is special. */
void operator_put_quoted(FILE *, const char *pattern);
void operator_lists_free(struct operator_lists *);
void operator_kinds_free(struct operator_kinds *);

#endif
