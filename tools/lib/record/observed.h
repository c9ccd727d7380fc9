/* Records of kernels, collectives, tensors and memory in the layers of a profile. */
#ifndef OBSERVED_H
#define OBSERVED_H

#include "lib/field/field.h"

enum observed_part { PLACE_HEAD, PLACE_BODY, PLACE_TAIL, PLACE_OUTSIDE };
enum { PHASE_OPTIMIZER = 4 };	/* continues enum timing_phase */
enum observed_group { GROUP_TP, GROUP_CP, GROUP_EP, GROUP_ETP, GROUP_DP, GROUP_EDP, GROUP_PP, GROUP_EMBD, GROUP_OTHER };
enum observed_told { TOLD_METADATA, TOLD_TRAFFIC };
enum observed_op { OP_ALL_REDUCE, OP_ALL_GATHER, OP_REDUCE_SCATTER, OP_ALL_TO_ALL, OP_SEND, OP_BROADCAST };
enum observed_life { LIFE_STATIC, LIFE_KEPT, LIFE_PASSING };
extern const char *const observed_parts[], *const observed_phases[], *const observed_ops[];

struct observed_kernel {
	uint64_t given;
	char *run;
	int stage, part, phase;
	char *layer;		/* name of the layer class */
	int order;		/* position in its part and phase, from 0 */
	char *type;
	char *input, *output;	/* shapes of the inputs; shapes of the outputs */
	struct texts dtype;
	char *core;
	int calls;		/* calls per step on one rank */
	double time;		/* ms, median of the calls */
	double spread;		/* standard deviation of the times / mean */
};

struct observed_communication {
	uint64_t given;
	char *run;
	int stage, group, told, op, part, phase, order, members, stride, nodes;
	/* size of the message for a send; otherwise the size that the group gathers, reduces or exchanges */
	double bytes;
	int calls;
	double time;		/* ms, the time of the rank that came last, mean over calls */
	double wait;		/* ms, mean additional waiting of the ranks of the stage */
	char *dtype;
};

struct observed_tensor {
	uint64_t given;
	char *run;
	int stage, part, phase;
	char *layer;
	int order;
	char *name;		/* name of the operator */
	double bytes;
	int life, calls;
};

struct observed_usage {
	uint64_t given;
	char *run;
	int stage, part, phase;
	double begin, peak;	/* MB allocated: minimum at the start of the phase, maximum during the phase */
	/* MB, maximum held by the framework's allocator; maximum outside that allocator */
	double reserved, outside;
};

extern const struct fields observed_kernel_fields, observed_communication_fields, observed_tensor_fields,
    observed_usage_fields;

#endif
