/*
 * Modules: what kinds of recomputation are called by Megatron-LM and its kin, which recompute or offload the same parts
 * of all layers.
 */
#ifndef MODULES_H
#define MODULES_H

#include "lib/model/network.h"
#include "lib/record/record.h"
#include "target.h"

/* [kinds], the records' own; NULL: there is none, or it names no modules. */
struct modules {
	const struct operators *of[RECOMPUTE_KINDS];
};

/* By the kind records among them, which must outlive it. Exits where two kinds stand for the same modules. */
struct modules modules_of(const struct records *);
/* Kinds besides the built-in ones that the target has words for, a set of 1 << kind. */
unsigned modules_kinds(const struct modules *, enum target);
/* The same without those that offload activations by the network, but by no word of the target's. */
unsigned modules_kinds_of(const struct modules *, enum target, const struct network *);

/* What arguments say of modules; NULL where an argument is not there. */
struct module_words {
	const struct texts *recompute, *offload, *swap;
};
/* The kind that stands for just these modules in any order, or -1. RECOMPUTE_SELECT for what that is by itself. */
int modules_find(const struct modules *, struct module_words);

#endif
