/* The identity of an operator: two with the same key take the same time on a device. */
#ifndef OPERATOR_KEY_H
#define OPERATOR_KEY_H

#include <stdint.h>

#include "lib/record/device_operator.h"

enum { KEY_SIZES = 6 };
/* Indices of size[]. */
enum { PRODUCT_M, PRODUCT_N, PRODUCT_K, PRODUCT_GROUPS };
enum { ATTENTION_BATCH, ATTENTION_SEQ, ATTENTION_HEADS, ATTENTION_KV, ATTENTION_QK, ATTENTION_V };

struct operator_key {		/* of matmul, grouped and attention */
	int op, phase;		/* enum operator_op; enum operator_layout of matmul, else enum operator_phase */
	int dtype, out;		/* enum number_type; out: of grouped, the type of the weight gradient */
	int accumulate, causal, contiguous, window;
	int64_t size[KEY_SIZES];
};

struct operator_key operator_key_of(const struct device_operator *);
/* Return the key as a question: a record without a time. */
struct device_operator operator_question(const struct operator_key *);
/*
 * Return the operations: 2mnk of a product, times groups if grouped; attention 2 or 5 (backward) batch seq^2 heads (qk
 * + v).
 */
double operator_operations(const struct operator_key *);
/* Minimum number of bytes that a product reads and writes; 0 for attention. */
double operator_bytes(const struct operator_key *);
/* Return the bytes of a number. */
double number_bytes(int type);

#endif
