/* The cluster record: devices, the links between them, and how much of both a training run gets. */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "lib/field/field.h"

struct cluster_link {
	uint64_t given;
	double span;		/* devices that are connected so */
	double bandwidth;	/* GB/s a device, one direction */
	double latency;		/* us */
};

struct efficiency {		/* fractions of the peak, but size */
	uint64_t given;
	double matmul;		/* of a matrix product with infinite sides */
	double size;		/* side of a product that takes twice as long as its operations for one side */
	double attention, memory, network;
	double grouped;		/* of a product of experts, more than of others */
	double grouped_size;	/* its size */
	double permute;		/* times that a token's copies are read or written */
	double fused;		/* of the experts' memory traffic that is left in a whole-step graph */
	double quantize;	/* of the traffic of conversion to narrower numbers */
};

struct dispatching {		/* fractions of the bandwidth of the innermost link, and of those beyond it */
	uint64_t given;
	struct list alltoall, flex;
};

struct host {			/* time to launch parts of a layer, in units of launch */
	uint64_t given;
	double attention, mla, mlp, router;
	double experts, expert;	/* of all together, and of each one on the device */
	double shared;
	double sync;		/* us, to wait for numbers of tokens */
};

struct ring {			/* attention whose keys and values go round the devices that share a sequence */
	uint64_t given;
	double block;		/* keys of a step that take twice as long for each as very many do */
	double step;		/* us of the host and of waiting, a step more than one */
	double hidden;		/* fraction of the exchange that attention can hide */
	double sums;		/* bytes that adding one number to a sum of all steps takes */
};

struct overlap {		/* fractions of communication that is hidden behind computation */
	uint64_t given;
	double dp, tp, ep, pp;
};

/* Of the efficiency figures: fitted to at least 6 steps of this device and precision, or another device's. */
enum confidence { CONFIDENCE_FITTED, CONFIDENCE_BORROWED };

/* Members that are optional have their defaults after cluster_check(). */
struct cluster {
	uint64_t given;
	char *name;
	int devices_per_node;
	double memory_limit;		/* MB; 0: none */
	double reserve;			/* MB that runtime and communication take */
	double peak;			/* TFLOP/s, dense, 16 bit */
	double peak_linear;		/* TFLOP/s of the layers' matrix products */
	double memory_bandwidth;	/* GB/s */
	struct array links;		/* of struct cluster_link, from the inside out */
	struct efficiency efficiency;
	double launch;			/* us, the least that a layer takes */
	double logit_bytes;		/* for each token and word, while the loss is computed */
	struct overlap overlap;
	struct ring ring;
	char *fitted;			/* on what */
	int confidence;			/* enum confidence */
	double exp_width;		/* of a head, whose products take as long as the exponentials of its scores */
	struct dispatching dispatch;
	struct host host;
	bool hosted;			/* host is there */
	bool detailed;			/* any of what tells MoE layers apart is there */
};

extern const struct fields cluster_fields;

/* The fraction of a link's bandwidth that dispatch gets: FLEX or not, on the innermost link or BEYOND. */
double cluster_dispatch(const struct cluster *, bool flex, bool beyond);

/*
 * Is memory what a program allocates, of which a device must have CLUSTER_ROOM times as much?  Else it is computed
 * without stand-ins and moments, and the cluster's reserve stands beside it.
 */
#define CLUSTER_ROOM 1.08	/* 54 of 55 stages on 8 B200 had reserved less */
bool cluster_allocates(const struct cluster *);

/* Fill in the defaults; exits naming AT where links do not widen, or a fraction is above 1. */
void cluster_check(struct cluster *, struct place at);

#endif
