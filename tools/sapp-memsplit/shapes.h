/* Shapes: memory computed from the shapes of the network, if peaks do not determine it. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stdbool.h>

#include "lib/base/place.h"
#include "lib/cost/layer_cost.h"
#include "lib/record/record.h"
#include "lib/yaml/initfile.h"

struct bodies;
struct fitted_peak;

struct memsplit_shapes {
	bool known;
	const char *missing;	/* figure that the settings file lacks; NULL: none, or not a settings file */
	bool megatron;		/* whether selective recomputation is Megatron's, of attention scores only */
	struct architecture net;	/* without a name */
	struct division division;
};

/*
 * Read the network from the settings at PATH, if they describe one: the list of arguments in a log, or a script that
 * starts one program. VOCABULARY: number of words, if the settings do not have it; 0: unknown.
 */
void shapes_of_settings(struct memsplit_shapes *, const char *path, int vocabulary);
/* Read the last network of a stream, and its candidate, if any. */
void shapes_of_stream(struct memsplit_shapes *, const struct records *);

/* Return the advice how to give the network. */
const char *shapes_wanted(const struct memsplit_shapes *);
/* Return the network's class of layers for a body; -1: ambiguous. */
int shapes_kind(const struct memsplit_shapes *, const struct bodies *, int body);
/* Return the MB that a layer of a class keeps per micro-batch with this recomputation; negative: unknown. */
double shapes_kept(const struct memsplit_shapes *, int, enum recompute);
/*
 * Return the number of parameters per device: of a layer of a class; of the embedding, shapes_head(); of the part after
 * the layers, shapes_tail().
 */
double shapes_parameters(const struct memsplit_shapes *, int);
double shapes_head(const struct memsplit_shapes *);
double shapes_tail(const struct memsplit_shapes *);
/* Return the MB of the logits and of their gradient. */
double shapes_logits(const struct memsplit_shapes *);

/*
 * Set the MB of a layer's state: its parameters times the bytes per parameter that stages use between steps. If stages
 * disagree, warn and set nothing.
 */
void shapes_state(const struct memsplit_shapes *, struct bodies *, const struct fitted_peak *, int m,
    const struct initfile *);

#endif
