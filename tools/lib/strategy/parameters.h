/* Parameters of a network and of each device's part of it. */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include <stdint.h>

#include "lib/record/architecture.h"

enum layer_kind { KIND_DENSE, KIND_MOE, LAYER_KINDS };
extern const char *const layer_kind_names[LAYER_KINDS];

/* Routed experts are divided over other devices than the rest. */
struct parameters {
	int64_t dense, routed;
};

struct device_parameters {
	struct parameters layer[LAYER_KINDS];
	struct parameters mtp;		/* on the last stage, without the embedding's copy */
	int64_t attention;		/* of each layer, with the norms of latents */
	int64_t embedding;		/* on the first stage */
	int64_t norm;			/* the final one, on the last stage */
	int64_t output;			/* the head's matrix, on the last stage; 0: it is the embedding's, one stage */
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
/* The kind of the last layer, which MTP repeats. */
enum layer_kind parameters_last(const struct architecture *);

#endif
