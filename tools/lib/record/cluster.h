/* The cluster record: devices, their links, and the fractions of peak speed that training reaches. */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "lib/field/field.h"

struct cluster_link {
	uint64_t given;
	double span;		/* number of devices connected by this link */
	double bandwidth;	/* GB/s per device in one direction */
	double latency;		/* us */
};

struct efficiency {		/* fractions of the peak, except the two sizes and permute */
	uint64_t given;
	double matmul;		/* fraction of peak for a matrix product with infinitely long sides */
	double size;		/* side length at which a product takes twice its ideal time */
	double attention, memory, network;
	double grouped;		/* fraction of matmul that grouped expert products reach */
	double grouped_size;	/* size, for grouped expert products */
	double permute;		/* number of reads and writes of each copy of a token to sort tokens by expert */
	double fused;	/* fraction of the experts' memory traffic that remains if a graph contains the whole step */
	double quantize;	/* fraction of the memory traffic for conversions to narrower numbers */
};

struct dispatching {	/* fractions of the bandwidth, two each: of the innermost link, of the links beyond it */
	uint64_t given;
	struct list alltoall, flex;
};

struct host {			/* host time to launch each part of a layer, in units of launch */
	uint64_t given;
	double attention, mla, mlp, router;
	double experts, expert;	/* all experts of a layer; each expert on the device */
	double shared;
	double sync;		/* us, to wait until the host knows the experts' token counts */
};

/* ring attention: keys and values circulate among the devices that share a sequence, one device's keys per step */
struct ring {
	uint64_t given;
	double block;		/* number of keys per step at which a key takes twice its time in a long step */
	/* us of host time for each step after the first, in a forward; a backward needs twice this time */
	double step;
	double hidden;		/* fraction of the exchange that attention can hide */
	double sums;		/* bytes of memory traffic to add one number to the sums over steps */
};

struct overlap {		/* fractions of communication that computation hides */
	uint64_t given;
	double dp, tp, ep, pp;
};

/*
 * Origin of the efficiency figures. FITTED: fitted to at least 6 steps of this device and precision. BORROWED: taken
 * from another device. NONE: taken from another number type, since this type has no figures.
 */
enum confidence { CONFIDENCE_FITTED, CONFIDENCE_BORROWED, CONFIDENCE_NONE };

/*
 * Figures of the same device for another number type or other software. The cluster itself has the figures for 16 bits.
 */
struct reached {
	uint64_t given;
	int dtype;			/* enum number_type of the layers' matrix products */
	char *software;
	double peak;			/* TFLOP/s, peak of these products */
	struct efficiency efficiency;
	double launch;
	struct overlap overlap;
	struct dispatching dispatch;
	struct host host;
	double exp_width;
	char *fitted;
	int confidence;
};

/* cluster_check() sets unset optional members to their defaults. */
struct cluster {
	uint64_t given;
	char *name;
	int devices_per_node;
	double memory_limit;		/* MB; 0: none */
	double reserve;			/* MB used by the runtime and by communication */
	double peak;			/* TFLOP/s, dense products of 16 bits */
	double peak_linear;		/* TFLOP/s, matrix products of the layers */
	double memory_bandwidth;	/* GB/s */
	struct array links;		/* of struct cluster_link, innermost first */
	struct efficiency efficiency;
	double launch;			/* us, minimum time of a layer */
	double logit_bytes;		/* bytes per token and vocabulary entry while the loss is computed */
	struct overlap overlap;
	struct ring ring;
	char *fitted;			/* the data that the figures were fitted to */
	int confidence;			/* enum confidence */
	/* width of an attention head at which its products and the exponentials of its scores take equal times */
	double exp_width;
	struct dispatching dispatch;
	/* GB/s between device and host, for the gradients and weights of an optimizer on the host; 0: unknown */
	double host_link;
	struct host host;
	bool hosted;			/* whether the record has the member host */
	struct array kernels;		/* of struct reached */
	char *software;			/* software of the cluster's own figures */
	char *source;			/* publication with the hardware's figures */
	bool detailed;			/* whether the record has any member for the details of MoE layers */
};

extern const struct fields cluster_fields;

/*
 * Return the fraction of a link's bandwidth that the dispatch of tokens to experts reaches. FLEX: with the flex
 * dispatcher instead of all-to-all. BEYOND: on links beyond the innermost one.
 */
double cluster_dispatch(const struct cluster *, bool flex, bool beyond);

/*
 * Return whether estimates of memory count allocated bytes. If they do, a device needs CLUSTER_ROOM times these bytes.
 * If not, estimates leave out stand-ins of gradients and short-lived tensors, and add the cluster's reserve.
 */
#define CLUSTER_ROOM 1.08	/* reserved / allocated memory; 54 of 55 measured stages on 8 B200 were below */
bool cluster_allocates(const struct cluster *);

/*
 * Set *FLAT to a cluster whose own figures are for products of TYPE, and whose list of kernels is empty. All types of 8
 * bits count as one type, whatever their scaling. So do all types of 16 bits. *FLAT shares texts and lists with the
 * cluster. Return false if the cluster has no such figures.
 */
bool cluster_of_type(struct cluster *flat, const struct cluster *, int type);
/* Set *FLAT to a cluster whose own figures are for SOFTWARE. Return false if the cluster has no such figures. */
bool cluster_of_software(struct cluster *flat, const struct cluster *, const char *software);

/* Fill in the defaults. Exit, naming AT, if spans of links do not ascend or a fraction is above 1. */
void cluster_check(struct cluster *, struct place at);

#endif
