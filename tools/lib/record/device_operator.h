/*
 * The operator record: one operator of one device. With a time it is a measurement, without a time it is a question.
 * All sizes are whole numbers of at least 1.
 */
#ifndef DEVICE_OPERATOR_H
#define DEVICE_OPERATOR_H

#include "lib/field/field.h"

enum operator_op { OPERATOR_MATMUL, OPERATOR_GROUPED, OPERATOR_ATTENTION, OPERATOR_BYTES, OPERATOR_LAYER };
/* Layouts of a matmul's operands, in the order forward, gradient of the input, gradient of the weight. */
enum operator_layout { LAYOUT_TN, LAYOUT_NN, LAYOUT_NT };
/* Phases of operators other than matmul, in the same order. */
enum operator_phase { OPERATOR_FORWARD, OPERATOR_BACKWARD, OPERATOR_WEIGHT };
enum number_type { TYPE_BF16, TYPE_FP16, TYPE_FP32, TYPE_FP8, TYPE_FP8_BLOCK, TYPE_MXFP8, TYPE_FP4, NUMBER_TYPES };

struct device_operator {
	uint64_t given;
	int op;				/* enum operator_op */
	int m, n, k;		/* rows, columns and depth of a product; of grouped products, sizes in the forward */
	int layout;			/* enum operator_layout; of matmul only */
	bool accumulate;		/* adds the product to the output */
	int groups;			/* number of experts on the device; m is then the number of rows per expert */
	int phase;			/* enum operator_phase */
	int batch, seq, heads, kv_heads, qk_dim, v_dim;	/* sizes of attention; seq: tokens of the whole sequence */
	bool causal, contiguous;
	int window;			/* number of earlier tokens that attention sees */
	char *of;			/* of bytes: the operator that moves them; of layer: name of the layer */
	double bytes;			/* bytes read and written */
	int dtype, out;			/* enum number_type of the operands; of the result */
	int gradient;			/* enum number_type of the weight gradient of grouped products */
	double time;			/* ms, median of calls after a warm-up, with cold caches */
	double spread;			/* interquartile range of the times / median */
	double bandwidth, latency;	/* GB/s, for all sizes, instead of time; ms of a call */
	bool fitted;			/* the rate was fitted to measurements; false: initial value */
	int calls;
	char *device, *software, *source, *why;
	double share;			/* of a question: its largest fraction of a step */
	int candidates;			/* of a question: number of candidates that need the operator */
	double worth;			/* of a question: sum over candidates of (share x error)^2 */
};

extern const struct fields device_operator_fields;
extern const char *const number_types[];

/* Fill in the defaults. Exit, naming AT, if a member is missing or belongs to another operator. */
void device_operator_check(struct device_operator *, struct place at);

#endif
