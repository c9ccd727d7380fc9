/*
 * The operator record: one operator of one device. A record with a time is a measurement, one without a time is a
 * question. Sizes are whole numbers of at least 1.
 */
#ifndef DEVICE_OPERATOR_H
#define DEVICE_OPERATOR_H

#include "lib/field/field.h"

enum operator_op { OPERATOR_MATMUL, OPERATOR_GROUPED, OPERATOR_ATTENTION, OPERATOR_BYTES, OPERATOR_LAYER };
/* Layouts of a matmul: forward, input gradient, weight gradient. */
enum operator_layout { LAYOUT_TN, LAYOUT_NN, LAYOUT_NT };
/* Phases of the other operators, in the same order. */
enum operator_phase { OPERATOR_FORWARD, OPERATOR_BACKWARD, OPERATOR_WEIGHT };
enum number_type { TYPE_BF16, TYPE_FP16, TYPE_FP32, TYPE_FP8, TYPE_FP8_BLOCK, TYPE_MXFP8, TYPE_FP4, NUMBER_TYPES };

struct device_operator {
	uint64_t given;
	int op;				/* enum operator_op */
	int m, n, k;			/* rows, columns and depth of a product; of grouped, those in the forward */
	int layout;			/* enum operator_layout; matmul only */
	bool accumulate;		/* adds the result to the output */
	int groups;			/* experts on the device; m counts rows per expert */
	int phase;			/* enum operator_phase */
	int batch, seq, heads, kv_heads, qk_dim, v_dim;	/* sizes of attention; seq: whole sequence */
	bool causal, contiguous;
	int window;			/* tokens */
	char *of;			/* bytes: the operator that moves them; layer: the layer's name */
	double bytes;			/* read and written */
	int dtype, out;			/* enum number_type, operands and result */
	int gradient;			/* enum number_type, of a grouped weight gradient */
	double time;			/* ms, median of warm calls on cold caches */
	double spread;			/* interquartile range over median */
	double bandwidth, latency;	/* GB/s and ms, instead of time: one rate for all sizes */
	bool fitted;			/* rate fitted to measurements, not an initial value */
	int calls;
	char *device, *software, *source, *why;
	double share;			/* questions: fraction of the step */
	int candidates;			/* questions: number of candidates that need it */
	double worth;			/* questions: sum over candidates of (share x error)^2 */
};

extern const struct fields device_operator_fields;
extern const char *const number_types[];

/* Fill in the defaults. Exits, naming AT, on a missing member or a member of another operator. */
void device_operator_check(struct device_operator *, struct place at);

#endif
