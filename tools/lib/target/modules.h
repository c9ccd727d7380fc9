/*
 * Names of kinds of recomputation in Megatron-LM and frameworks based on it. A kind is a list of modules, which every
 * layer recomputes or offloads.
 */
#ifndef MODULES_H
#define MODULES_H

#include "lib/model/network.h"
#include "lib/record/record.h"
#include "target.h"

/* [kind], owned by the records; NULL: the kind has no record, or its record has no modules. */
struct modules {
	const struct operators *of[RECOMPUTE_KINDS];
	bool make;	/* kinds for other offloaded modules may be made, as no layers need them */
};

/* Collect the names from kind records, which must outlive the result. Exit if two kinds have the same modules. */
struct modules modules_of(const struct records *);
/* Return the kinds that are not built in and that the target's arguments can express, a set of 1 << kind. */
unsigned modules_kinds(const struct modules *, enum target);
/*
 * Return the kinds that modules_kinds() returns, except those that offload in the network but not in the target's
 * arguments.
 */
unsigned modules_kinds_of(const struct modules *, enum target, const struct network *);

/* The modules that arguments list; NULL: the argument is absent. */
struct module_words {
	const struct texts *recompute, *offload, *swap;
};
/*
 * Return the kind with exactly these modules, in any order, or -1. The default modules of selective recomputation are
 * RECOMPUTE_SELECT.
 */
int modules_find(const struct modules *, struct module_words);

#endif
