/* The estimate record: what a configuration needs and takes, before anything has run. */
#ifndef PREDICTION_H
#define PREDICTION_H

#include "configuration.h"

struct memory_parts {		/* MB, of the worst stage */
	uint64_t given;
	double static_memory, activation, logits, reserve;
};

struct step_parts {		/* ms, which add up to the step */
	uint64_t given;
	double forward, backward, head, tp, cp, ep, pp, dp, optimizer, bubble;
};

struct share_parts {		/* of a step, by what bounds them */
	uint64_t given;
	double matmul, attention, memory, host, alltoall, network;
};

/* A: a layer but for its routed experts, which are X; ms, of a forward where nothing else is said. */
struct layer_detail_parts {
	uint64_t given;
	double rows_per_expert, grouped, attention;
	double bytes_memory;
	double segment_a, segment_x, segment_a_backward, segment_x_backward;	/* of the device */
	double host_a, host_x, sync;
	double dispatch;
	struct list link_bytes;		/* of a dispatch, [link] */
	double exposed;			/* of all-to-alls */
	double recompute_gpu, recompute;	/* that modules add: of the device, to the backward */
};

struct layer_parts {		/* of one kind of layer, on one device, for one micro-batch; bytes and ms */
	uint64_t given;
	char *type;
	int count;
	double parameters, parameters_dense, parameters_routed;
	double memory_parameter, memory_activation, memory_select_rec, memory_recompute;
	double forward_flops;
	double forward, backward;	/* with exposed communication */
	double select_rec, recompute;	/* what these add to backward */
	double forward_compute, backward_compute;
	double tp_bytes, ep_bytes, cp_bytes;	/* in one direction */
	double tp_ms, ep_ms, cp_ms;		/* before overlap, forward */
	struct layer_detail_parts detail;
};

struct end_parts {		/* of the embedding or the head with MTP; bytes and ms */
	uint64_t given;
	double parameters, memory_parameter, forward, backward;
	double memory_activation, logits;	/* of the head */
};

struct prediction_source {	/* where figures are from */
	uint64_t given;
	int memory, layers;	/* enum figure_source */
	int efficiency;		/* the cluster's: fitted, or defaults */
	int communication;	/* of replicas: enum figure_source */
	struct amounts shares;	/* of the step, by names of these */
};
enum figure_source { FIGURE_COMPUTED, FIGURE_FITTED, FIGURE_MEASURED };
enum efficiency_source { EFFICIENCY_DEFAULT, EFFICIENCY_FITTED, EFFICIENCY_BORROWED };

struct alike {			/* a configuration whose estimate agrees with that of a simpler one */
	uint64_t given;
	char *name;
	int dp, tp, cp, pp, ep, vp, mbs;
};

struct prediction {
	uint64_t given;
	struct configuration of;	/* its members are the record's own */
	bool fits;
	struct list over, memory;	/* MB, [stage] */
	struct memory_parts memory_parts;
	struct step_parts times;
	double step_time, lower_bound;	/* ms */
	double low, high;		/* ms: nine of ten steps are between the two */
	double error;			/* standard deviation of the step's logarithm */
	struct list memory_high;	/* MB, [stage]: with what lies beyond the allocated */
	struct share_parts shares;
	double tokens_per_second;	/* a device */
	double mfu;
	struct prediction_source source;
	/* With -parts. */
	struct array layers;		/* of struct layer_parts */
	struct end_parts head, tail;
	struct list state;		/* bytes of weights, gradients and optimizer, [stage] */
	struct grid split;		/* layers, [stage] */
	double dp_raw, p2p;		/* ms, before overlap */
	struct array alike;		/* of struct alike; where it stands for others in a ranking */
};

extern const struct fields prediction_source_fields;
extern const struct fields prediction_fields, layer_parts_fields, end_parts_fields, alike_fields;

/* An estimate was made with all settings, whether its record says them or they are as usual. */
void prediction_check(struct prediction *, struct place at);
/* MB on the worst stage. */
double prediction_peak(const struct prediction *);

#endif
