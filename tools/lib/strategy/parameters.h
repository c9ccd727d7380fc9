/* Parameters of a network and of each device's part of it. */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include <stdint.h>

#include "lib/record/architecture.h"

/* What the feed-forward of a class is; the classes of a network that names none have these numbers. */
enum layer_kind { KIND_DENSE, KIND_MOE };

/* Routed experts are divided over other devices than the rest. */
struct parameters {
	int64_t dense, routed;	/* trained */
	int64_t frozen;
};

struct device_parameters {
	struct parameters layer[CLASSES_MOST];	/* without what is shared */
	struct parameters mtp;		/* on the last stage, without the embedding's copy */
	int64_t attention;		/* of each layer, with the norms of latents */
	int64_t embedding;		/* on the first stage */
	int64_t norm;			/* the final one, on the last stage */
	int64_t output;			/* the head's matrix, on the last stage; 0: it is the embedding's, one stage */
	int64_t shared[CLASSES_MOST];	/* by a class with others, once a stage */
	int64_t mtp_embedding;		/* the embedding's copy for MTP, on the last of several stages */
	int64_t largest;		/* of a layer's that occurs and the embedding's */
};

/* With tp-fold, expert- and expert-tensor-fold division, on one of several stages or the only one. */
struct device_parameters parameters_on_device(const struct architecture *, int tp, int ep, int etp, bool stages);

struct parameter_count {
	int64_t total, active;		/* without MTP; active: experts that a token passes */
	int64_t mtp;
};
struct parameter_count parameters_count(const struct architecture *);
/* Rows of the embedding, padded so that tp divides them. */
int64_t parameters_vocabulary(const struct architecture *, int tp);
/* The class of the last layer. */
int parameters_last(const struct architecture *);
/* Does a stage with so many LAYERS of each class hold what class K shares, as the first of those that do? */
bool parameters_shares(const struct architecture *, const int layers[CLASSES_MOST], int k);
/* Parameters of what layers share, which are trained where they are. */
struct parameters parameters_shared(const struct architecture *class, int64_t);
/*
 * Those of the ends: the head with its norm and multi-token prediction. With copies of frozen ones that are trained
 * beside them.
 */
struct parameters parameters_embedding(const struct architecture *, const struct device_parameters *);
struct parameters parameters_tail(const struct architecture *, const struct device_parameters *);
struct parameters parameters_sum(struct parameters, struct parameters, int64_t times);	/* the second TIMES */
enum layer_kind kind_of(const struct architecture *class);

#endif
