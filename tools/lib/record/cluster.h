/* The cluster record: devices, their links, and the fraction of their speed that training reaches. */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "lib/field/field.h"

struct cluster_link {
	uint64_t given;
	double span;		/* devices connected by this link */
	double bandwidth;	/* GB/s per device, one direction */
	double latency;		/* us */
};

struct efficiency {		/* fractions of the peak, except size */
	uint64_t given;
	double matmul;		/* efficiency of a matrix product with infinite sides */
	double size;		/* side length at which a product takes twice its ideal time */
	double attention, memory, network;
	double grouped;		/* matmul of grouped expert products */
	double grouped_size;	/* size of grouped expert products */
	double permute;		/* times that each copy of a token is read or written */
	double fused;		/* fraction of the experts' memory traffic that remains in a whole-step graph */
	double quantize;	/* fraction of the bandwidth for conversions to narrower numbers */
};

struct dispatching {		/* fractions of the bandwidth: on the innermost link, on the links beyond it */
	uint64_t given;
	struct list alltoall, flex;
};

struct host {			/* host time to launch parts of a layer, in units of launch */
	uint64_t given;
	double attention, mla, mlp, router;
	double experts, expert;	/* per layer, and per expert on the device */
	double shared;
	double sync;		/* us, to wait for the token counts */
};

struct ring {			/* ring attention: keys and values circulate among the devices that share a sequence */
	uint64_t given;
	double block;		/* keys per step at which each key takes twice its asymptotic time */
	double step;		/* us of host and waiting time per additional step */
	double hidden;		/* fraction of the exchange hidden by attention */
	double sums;		/* bytes of traffic to add one number to the running sums */
};

struct overlap {		/* fractions of communication hidden by computation */
	uint64_t given;
	double dp, tp, ep, pp;
};

/*
 * Confidence of the efficiency figures: fitted to at least 6 steps of this device and precision, borrowed from
 * another device, or none of this type: another type's are used.
 */
enum confidence { CONFIDENCE_FITTED, CONFIDENCE_BORROWED, CONFIDENCE_NONE };

/* Figures of the device with another type of numbers, or other software, than the cluster's own figures. */
struct reached {
	uint64_t given;
	int dtype;			/* enum number_type, of the layers' matrix products */
	char *software;
	double peak;			/* TFLOP/s of these products */
	struct efficiency efficiency;
	double launch;
	struct overlap overlap;
	struct dispatching dispatch;
	struct host host;
	double exp_width;
	char *fitted;
	int confidence;
};

/* Optional members have their defaults after cluster_check(). */
struct cluster {
	uint64_t given;
	char *name;
	int devices_per_node;
	double memory_limit;		/* MB; 0: none */
	double reserve;			/* MB used by runtime and communication */
	double peak;			/* TFLOP/s, dense, 16 bit */
	double peak_linear;		/* TFLOP/s in the matrix products of the layers */
	double memory_bandwidth;	/* GB/s */
	struct array links;		/* of struct cluster_link, innermost first */
	struct efficiency efficiency;
	double launch;			/* us, minimum time of a layer */
	double logit_bytes;		/* per token and vocabulary entry while the loss is computed */
	struct overlap overlap;
	struct ring ring;
	char *fitted;			/* the data of the fit */
	int confidence;			/* enum confidence */
	/* width of a head whose products take as long as the exponentials of its scores */
	double exp_width;
	struct dispatching dispatch;
	double host_link;		/* GB/s of gradients and weights of an optimizer on the host; 0: unknown */
	struct host host;
	bool hosted;			/* host is present */
	struct array kernels;		/* of struct reached, of other types and other software */
	char *software;			/* software of the cluster's own figures */
	char *source;			/* source of the hardware's figures */
	bool detailed;			/* whether any member has details of MoE layers */
};

extern const struct fields cluster_fields;

/*
 * Return the fraction of a link's bandwidth that the dispatch of tokens reaches. FLEX: the flex dispatcher instead of
 * all-to-all. BEYOND: the links beyond the innermost one.
 */
double cluster_dispatch(const struct cluster *, bool flex, bool beyond);

/*
 * Return whether estimated memory means allocated memory, of which a device needs CLUSTER_ROOM times as much. If not,
 * estimates exclude stand-ins and moments, and the cluster's reserve is added.
 */
#define CLUSTER_ROOM 1.08	/* 54 of 55 stages on 8 B200 had reserved less */
bool cluster_allocates(const struct cluster *);

/*
 * Set *FLAT to a cluster with the figures of products of TYPE and without a list of kernels. It shares the texts and
 * lists of the cluster. All types of 8 bits count as one, whatever their scaling, and all of 16 bits. Return false if
 * the cluster has no such figures.
 */
bool cluster_of_type(struct cluster *flat, const struct cluster *, int type);
/* Do the same for the figures of a software, by its name. */
bool cluster_of_software(struct cluster *flat, const struct cluster *, const char *software);

/* Fill in the defaults. Exits, naming AT, if links do not widen or a fraction is above 1. */
void cluster_check(struct cluster *, struct place at);

#endif
