/* The estimate record: predicted memory and step time of a configuration. */
#ifndef PREDICTION_H
#define PREDICTION_H

#include "configuration.h"

struct memory_parts {		/* MB on the stage that needs most memory */
	uint64_t given;
	double static_memory, activation, logits, reserve;
};

struct step_parts {		/* ms; the sum is the step */
	uint64_t given;
	double forward, backward, head, tp, cp, ep, pp, dp, optimizer, bubble;
};

struct share_parts {		/* fractions of the step, by limiting resource */
	uint64_t given;
	double matmul, attention, memory, host, alltoall, network;
};

/*
 * Details of a layer. A: the layer without its routed experts; X: the routed experts. Times are ms of a forward unless
 * they are named backward.
 */
struct layer_detail_parts {
	uint64_t given;
	double rows_per_expert, grouped, attention;
	double bytes_memory;
	double segment_a, segment_x, segment_a_backward, segment_x_backward;	/* device times */
	double host_a, host_x, sync;
	double dispatch;
	struct list link_bytes;		/* bytes of a dispatch over each link, [link] */
	double exposed;			/* exposed all-to-all time */
	/* ms of recomputed modules: device time; increase of the backward */
	double recompute_gpu, recompute;
};

struct layer_parts {		/* a layer class on one device, for one micro-batch; bytes and ms */
	uint64_t given;
	char *type;
	int count;
	double parameters, parameters_dense, parameters_routed;
	double memory_parameter, memory_activation, memory_select_rec, memory_recompute;
	double forward_flops;
	double forward, backward;	/* including exposed communication */
	double select_rec, recompute;	/* increase of the backward by selective recomputation; by full recomputation */
	double forward_compute, backward_compute;
	double tp_bytes, ep_bytes, cp_bytes;	/* bytes sent in one direction */
	double tp_ms, ep_ms, cp_ms;		/* ms of the forward, before overlap */
	struct layer_detail_parts detail;
};

struct end_parts {		/* the embedding, or the head with multi-token prediction; bytes and ms */
	uint64_t given;
	double parameters, memory_parameter, forward, backward;
	double memory_activation, logits;	/* of the head only */
};

struct prediction_source {	/* sources of the figures */
	uint64_t given;
	int memory, layers;	/* enum figure_source */
	int efficiency;		/* of the cluster's efficiency: enum efficiency_source */
	int communication;	/* of communication between replicas: enum figure_source */
	struct amounts shares;	/* fraction of the step's time from each source */
};
enum figure_source { FIGURE_COMPUTED, FIGURE_FITTED, FIGURE_MEASURED };
enum efficiency_source { EFFICIENCY_DEFAULT, EFFICIENCY_FITTED, EFFICIENCY_BORROWED };

struct alike {			/* a configuration with the same estimate as a simpler one */
	uint64_t given;
	char *name;
	int dp, tp, cp, pp, ep, vp, mbs;
};

struct prediction {
	uint64_t given;
	struct configuration of;	/* the configuration; its members are also members of the record */
	bool fits;
	struct list over, memory;	/* MB above the limit; MB in use; [stage] */
	struct memory_parts memory_parts;
	struct step_parts times;
	double step_time, lower_bound;	/* ms */
	double low, high;		/* ms; nine of ten steps are expected in this range */
	double error;			/* standard deviation of log(step) */
	struct list memory_high;	/* MB that a device of each stage must have, [stage] */
	struct share_parts shares;
	double tokens_per_second;	/* per device */
	double mfu;
	struct prediction_source source;
	/* Only with -parts: */
	struct array layers;		/* of struct layer_parts */
	struct end_parts head, tail;
	struct list state;		/* bytes of weights, gradients and optimizer state, [stage] */
	struct grid split;		/* number of layers, [stage] */
	double dp_raw, p2p;		/* ms of gradient reduction and of a transfer, before overlap */
	/* of struct alike: further configurations that this estimate represents in a ranking */
	struct array alike;
};

extern const struct fields prediction_source_fields;
extern const struct fields prediction_fields, layer_parts_fields, end_parts_fields, alike_fields;

/* Mark all settings as given, since an estimate depends on all of them. */
void prediction_check(struct prediction *, struct place at);
/* Exit, naming AT, if the lower bound exceeds the step. That would be a fault of the estimator. */
void prediction_check_bound(const struct prediction *, struct place at);
/* Return the MB of the stage that needs most memory. */
double prediction_peak(const struct prediction *);

#endif
