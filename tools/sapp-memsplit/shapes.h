/* Shapes: what the network's shapes say of memory, for what no peak says. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stdbool.h>

#include "lib/base/place.h"
#include "lib/record/record.h"
#include "lib/strategy/layer_cost.h"
#include "lib/yaml/initfile.h"

struct bodies;
struct measured;

struct shapes {
	bool known;
	bool megatron;		/* its selective recomputation is meant, of the scores alone */
	struct architecture net;	/* without a name */
	struct division division;
};

/* Of the list of arguments in a log, as far as it describes the network. */
void shapes_of_log(struct shapes *, const char *text, size_t length, struct place at);
/* The last network of a stream, with the candidate that ran; nothing changes where there are none. */
void shapes_of_stream(struct shapes *, const struct records *);

/* The network's kind of layer that a body is; -1: it is not plain. */
int shapes_kind(const struct shapes *, const struct bodies *, int body);
/* MB that a layer of a kind keeps of a micro-batch with this recomputation; negative: not known. */
double shapes_kept(const struct shapes *, int, enum recompute);
/* Parameters of a layer, of embedding and of what is behind the layers, on one device. */
double shapes_parameters(const struct shapes *, int);
double shapes_head(const struct shapes *);
double shapes_tail(const struct shapes *);
/* MB of logits and their gradient. */
double shapes_logits(const struct shapes *);

/*
 * MB of a layer's state by what stages use between steps: parameters times the bytes that these say of each. Nothing
 * where that is not told, or stages do not agree; a warning says so.
 */
void shapes_state(const struct shapes *, struct bodies *, const struct measured *, int m, const struct initfile *);

#endif
