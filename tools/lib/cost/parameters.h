/* Parameters of a network and of each device's part. */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include <stdint.h>

#include "lib/record/architecture.h"

/* Type of a class's feed-forward; the default classes have these numbers. */
enum layer_kind { KIND_DENSE, KIND_MOE };

/* Routed experts are divided over other devices than the rest. */
struct parameters {
	int64_t dense, routed;	/* trained */
	int64_t frozen;
};

struct device_parameters {
	struct parameters layer[CLASSES_MOST];	/* without shared parameters */
	struct parameters mtp;		/* on the last stage, without the embedding's copy */
	int64_t attention;		/* attention of each layer, including norms of latents */
	int64_t embedding;		/* on the first stage */
	int64_t norm;			/* final norm, on the last stage */
	/* matrix of the head, on the last stage; 0 if it is the embedding's matrix, on the same stage */
	int64_t output;
	int64_t shared[CLASSES_MOST];	/* shared by a class with others, counted once per stage */
	int64_t mtp_embedding;		/* embedding's copy for MTP, on the last of several stages */
	int64_t largest;		/* maximum over layers in use and the embedding */
};

/* Return the parameters divided by tp, ep and etp; STAGES: several stages. */
struct device_parameters parameters_on_device(const struct architecture *, int tp, int ep, int etp, bool stages);

struct parameter_count {
	int64_t total, active;		/* without MTP; active: passed by a token */
	int64_t mtp;
};
struct parameter_count parameters_count(const struct architecture *);
/* Return the rows of the embedding, padded to a multiple for tp. */
int64_t parameters_vocabulary(const struct architecture *, int tp);
/* Return the class of the last layer. */
int parameters_last(const struct architecture *);
/* Return whether, on a stage with LAYERS of each class, class K is the first that holds its shared parameters. */
bool parameters_shares(const struct architecture *, const int layers[CLASSES_MOST], int k);
/* Return shared parameters as trained ones, or as frozen ones if their class is frozen. */
struct parameters parameters_shared(const struct architecture *class, int64_t);
/*
 * Return the parameters of the embedding, or of the tail with norm and multi-token prediction. Includes trained copies
 * of frozen parameters.
 */
struct parameters parameters_embedding(const struct architecture *, const struct device_parameters *);
struct parameters parameters_tail(const struct architecture *, const struct device_parameters *);
/* Return the first argument plus TIMES the second. */
struct parameters parameters_sum(struct parameters, struct parameters, int64_t times);
enum layer_kind kind_of(const struct architecture *class);

#endif
