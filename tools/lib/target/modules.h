/*
 * Modules: names of kinds of recomputation in Megatron-LM and frameworks based on it, which recompute or offload the
 * same parts of all layers.
 */
#ifndef MODULES_H
#define MODULES_H

#include "lib/model/network.h"
#include "lib/record/record.h"
#include "target.h"

/* [kinds], owned by the records; NULL for a kind without record or modules. */
struct modules {
	const struct operators *of[RECOMPUTE_KINDS];
};

/* Build the names from kind records, which must outlive the result. Exits if two kinds have the same modules. */
struct modules modules_of(const struct records *);
/* Return the kinds, other than built-in ones, that the target can express, a set of 1 << kind. */
unsigned modules_kinds(const struct modules *, enum target);
/* Do the same without kinds that offload in the network but not in the target's words. */
unsigned modules_kinds_of(const struct modules *, enum target, const struct network *);

/* Modules in arguments; NULL: argument absent. */
struct module_words {
	const struct texts *recompute, *offload, *swap;
};
/* Return the kind with exactly these modules in any order, or -1; RECOMPUTE_SELECT for its default modules. */
int modules_find(const struct modules *, struct module_words);

#endif
