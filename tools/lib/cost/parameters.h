/* Numbers of parameters, of a network and of a device. */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include <stdint.h>

#include "lib/record/architecture.h"

/* Types of a class's feed-forward. The default classes "dense" and "moe" have these numbers. */
enum layer_kind { KIND_DENSE, KIND_MOE };

/*
 * Numbers of parameters. Routed experts are counted separately, since other devices divide them than divide the rest.
 */
struct parameters {
	int64_t dense, routed;	/* trained parameters */
	int64_t frozen;
};

struct device_parameters {
	/* of one layer of each class, without parameters shared with other classes */
	struct parameters layer[CLASSES_MOST];
	struct parameters mtp;	/* multi-token prediction, on the last stage, without its copy of the embedding */
	int64_t attention;		/* attention of one layer, including norms of latents */
	int64_t embedding;		/* on the first stage */
	int64_t norm;			/* final norm, on the last stage */
	/* matrix of the head, on the last stage; 0 if the head uses the embedding's matrix on the same stage */
	int64_t output;
	/* parameters that a class shares with another class; each stage counts them once */
	int64_t shared[CLASSES_MOST];
	int64_t mtp_embedding;	/* copy of the embedding for multi-token prediction, on the last of several stages */
	int64_t largest;		/* maximum over the embedding and the layers of the network */
};

/* Return the parameters of a device if tp, ep and etp divide them. STAGES: whether the pipeline has several stages. */
struct device_parameters parameters_on_device(const struct architecture *, int tp, int ep, int etp, bool stages);

struct parameter_count {
	int64_t total, active;		/* without multi-token prediction: all parameters; those that a token passes */
	int64_t mtp;
};
struct parameter_count parameters_count(const struct architecture *);
/* Return the number of rows of the embedding, padded to a multiple as tp needs. */
int64_t parameters_vocabulary(const struct architecture *, int tp);
/* Return the class of the last layer. */
int parameters_last(const struct architecture *);
/*
 * Return whether class K counts its shared parameters on a stage with LAYERS of each class. Only the first class there
 * that shares these parameters counts them.
 */
bool parameters_shares(const struct architecture *, const int layers[CLASSES_MOST], int k);
/* Return a number of shared parameters as trained ones, or as frozen ones if their class is frozen. */
struct parameters parameters_shared(const struct architecture *class, int64_t);
/*
 * Return the parameters of the embedding. Return the parameters of the tail: final norm, head and multi-token
 * prediction. Both include trained copies of frozen parameters.
 */
struct parameters parameters_embedding(const struct architecture *, const struct device_parameters *);
struct parameters parameters_tail(const struct architecture *, const struct device_parameters *);
/* Return the sum of the first argument and TIMES the second. */
struct parameters parameters_sum(struct parameters, struct parameters, int64_t times);
enum layer_kind kind_of(const struct architecture *class);

#endif
