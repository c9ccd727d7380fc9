/* Keys of operators. Operators with the same key take the same time on a device. */
#ifndef OPERATOR_KEY_H
#define OPERATOR_KEY_H

#include <stdint.h>

#include "lib/record/device_operator.h"

enum { KEY_SIZES = 6 };
/* Indices of size[], for products and for attention. */
enum { PRODUCT_M, PRODUCT_N, PRODUCT_K, PRODUCT_GROUPS };
enum { ATTENTION_BATCH, ATTENTION_SEQ, ATTENTION_HEADS, ATTENTION_KV, ATTENTION_QK, ATTENTION_V };

struct operator_key {		/* the key of a matmul, a grouped product or an attention */
	int op, phase;		/* enum operator_op; enum operator_layout for a matmul, otherwise enum operator_phase */
	/* enum number_type of the operands; of the result, or for a grouped product, of its weight gradient */
	int dtype, out;
	int accumulate, causal, contiguous, window;
	int64_t size[KEY_SIZES];
};

struct operator_key operator_key_of(const struct device_operator *);
/* Return an operator record for the key. It has no time, so it is a question. */
struct device_operator operator_question(const struct operator_key *);
/*
 * Return the number of arithmetic operations. A product has 2 m n k operations, times the number of groups if it is
 * grouped. The forward of an attention has 2 batch seq^2 heads (qk + v) operations; qk and v are the sizes of a head's
 * query and value. The backward has 2.5 times the operations of the forward.
 */
double operator_operations(const struct operator_key *);
/* Return the minimum number of bytes that a product reads and writes. Return 0 for an attention. */
double operator_bytes(const struct operator_key *);
/* Return the bytes of a number of an enum number_type. */
double number_bytes(int type);

#endif
