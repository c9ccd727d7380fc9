/* Kinds of the layers of each piece, from a launch's arguments of recomputation and offloading. */
#ifndef RECOMPUTED_H
#define RECOMPUTED_H

#include "lib/record/recompute.h"
#include "lib/target/modules.h"
#include "lib/yaml/operator_lists.h"
#include "launch.h"

enum { LAYERS_MAX = 100000 };

/* The first layers of each piece have one kind. */
struct firsts {
	enum recompute kind;
	int most;	/* at most this number of layers, with those before them; LAYERS_MAX: no limit */
};

/*
 * Read the kinds of the layers of each piece; the others keep everything. Return the number of parts. Kinds that the
 * input's records do not have are added to MADE. The modules are names of kinds, or NULL. Exit, naming the argument, if
 * arguments contradict each other, or if no kind has the modules and none may be made.
 */
int recomputed_read(struct operator_kinds *made, const struct launch *, const struct modules *,
    struct firsts parts[2]);

#endif
