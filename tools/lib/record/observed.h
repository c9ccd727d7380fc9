/* Records of kernels, collectives, tensors and memory within layers, from profiles. */
#ifndef OBSERVED_H
#define OBSERVED_H

#include "lib/field/field.h"

enum observed_part { PLACE_HEAD, PLACE_BODY, PLACE_TAIL, PLACE_OUTSIDE };
enum { PHASE_OPTIMIZER = 4 };	/* after the values of enum timing_phase */
enum observed_group { GROUP_TP, GROUP_CP, GROUP_EP, GROUP_ETP, GROUP_DP, GROUP_EDP, GROUP_PP, GROUP_EMBD, GROUP_OTHER };
enum observed_told { TOLD_METADATA, TOLD_TRAFFIC };
enum observed_op { OP_ALL_REDUCE, OP_ALL_GATHER, OP_REDUCE_SCATTER, OP_ALL_TO_ALL, OP_SEND, OP_BROADCAST };
enum observed_life { LIFE_STATIC, LIFE_KEPT, LIFE_PASSING };
extern const char *const observed_parts[], *const observed_phases[], *const observed_ops[];

struct observed_kernel {
	uint64_t given;
	char *run;
	int stage, part, phase;
	char *layer;		/* class of the layer */
	int order;		/* layer class */
	char *type;
	char *input, *output;	/* shapes */
	struct texts dtype;
	char *core;
	int calls;		/* per step */
	double time;		/* ms, median */
	double spread;		/* relative standard deviation */
};

struct observed_communication {
	uint64_t given;
	char *run;
	int stage, group, told, op, part, phase, order, members, stride, nodes;
	double bytes;		/* total that the group gathers, reduces or exchanges; send: the message */
	int calls;
	double time;		/* ms, minimum over ranks, mean over calls */
	double wait;		/* ms that the earliest ranks waited */
	char *dtype;
};

struct observed_tensor {
	uint64_t given;
	char *run;
	int stage, part, phase;
	char *layer;
	int order;
	char *name;		/* operator name */
	double bytes;
	int life, calls;
};

struct observed_usage {
	uint64_t given;
	char *run;
	int stage, part, phase;
	double begin, peak;	/* MB allocated */
	double reserved, outside;	/* MB */
};

extern const struct fields observed_kernel_fields, observed_communication_fields, observed_tensor_fields,
    observed_usage_fields;

#endif
