/*
 * The operator record: one operator of one device. With a time it is a measurement, without one a question. Sizes are
 * whole numbers of at least 1.
 */
#ifndef DEVICE_OPERATOR_H
#define DEVICE_OPERATOR_H

#include "lib/field/field.h"

enum operator_op { OPERATOR_MATMUL, OPERATOR_GROUPED, OPERATOR_ATTENTION, OPERATOR_BYTES, OPERATOR_LAYER };
/* Layouts of a matmul: forward, gradient of the input, gradient of the weight. */
enum operator_layout { LAYOUT_TN, LAYOUT_NN, LAYOUT_NT };
/* Phases of the other operators, in the same order. */
enum operator_phase { OPERATOR_FORWARD, OPERATOR_BACKWARD, OPERATOR_WEIGHT };
enum number_type { TYPE_BF16, TYPE_FP16, TYPE_FP32, TYPE_FP8, TYPE_FP8_BLOCK, TYPE_MXFP8, TYPE_FP4, NUMBER_TYPES };

struct device_operator {
	uint64_t given;
	int op;				/* enum operator_op */
	int m, n, k;			/* rows, columns, depth of a product; of grouped those of its forward */
	int layout;			/* enum operator_layout, of matmul */
	bool accumulate;		/* the result is added to the output */
	int groups;			/* experts of the device; m is the rows of each */
	int phase;			/* enum operator_phase */
	int batch, seq, heads, kv_heads, qk_dim, v_dim;	/* of attention; seq: the whole sequence */
	bool causal, contiguous;
	int window;			/* tokens */
	char *of;			/* of bytes: the operator that moves them; of layer: the layer's name */
	double bytes;			/* read and written */
	int dtype, out;			/* enum number_type, of the operands and of the result */
	int gradient;			/* enum number_type, of a grouped weight gradient */
	double time;			/* ms, median of warm calls on cold caches */
	double spread;			/* interquartile range over median */
	double bandwidth, latency;	/* GB/s and ms, instead of time: a rate for every size */
	bool fitted;			/* a rate from measurements, not a starting value */
	int calls;
	char *device, *software, *source, *why;
	double share;			/* of a question: of the step, */
	int candidates;			/* number of candidates that need it, */
	double worth;			/* and sum of their squared errors */
};

extern const struct fields device_operator_fields;
extern const char *const number_types[];

/* Fill in the defaults; exits, naming AT, on a member of another operator or a missing one. */
void device_operator_check(struct device_operator *, struct place at);

#endif
