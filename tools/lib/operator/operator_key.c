#include "operator_key.h"

#include <string.h>

double
number_bytes(int type)
{
	static const double bytes[NUMBER_TYPES] = { [TYPE_BF16] = 2, [TYPE_FP16] = 2, [TYPE_FP32] = 4, [TYPE_FP8] = 1,
		[TYPE_FP8_BLOCK] = 1, [TYPE_MXFP8] = 1, [TYPE_FP4] = 0.5 };

	return bytes[type];
}

struct operator_key
operator_key_of(const struct device_operator *o)
{
	struct operator_key k;

	memset(&k, 0, sizeof k);	/* keys are compared byte by byte */
	k.op = o->op;
	k.phase = o->op == OPERATOR_MATMUL ? o->layout : o->phase;
	k.dtype = o->dtype;
	if (o->op == OPERATOR_ATTENTION) {
		const int64_t size[KEY_SIZES] = { o->batch, o->seq, o->heads, o->kv_heads, o->qk_dim, o->v_dim };

		memcpy(k.size, size, sizeof size);
		k.causal = !GIVEN(device_operator, o, causal) || o->causal;
		k.contiguous = o->contiguous;
		k.window = o->window;
		k.out = o->dtype;
	} else {
		const int64_t size[KEY_SIZES] = { o->m, o->n, o->k, o->op == OPERATOR_GROUPED ? o->groups : 0 };

		memcpy(k.size, size, sizeof size);
		k.out = o->op == OPERATOR_GROUPED ? o->gradient : o->out;
		k.accumulate = o->op == OPERATOR_MATMUL && o->accumulate;
	}
	return k;
}

struct device_operator
operator_question(const struct operator_key *k)
{
	struct device_operator o = { .op = k->op };

	GIVE(device_operator, &o, dtype, k->dtype);
	if (k->op == OPERATOR_ATTENTION) {
		GIVE(device_operator, &o, phase, k->phase);
		GIVE(device_operator, &o, batch, (int)k->size[ATTENTION_BATCH]);
		GIVE(device_operator, &o, seq, (int)k->size[ATTENTION_SEQ]);
		GIVE(device_operator, &o, heads, (int)k->size[ATTENTION_HEADS]);
		GIVE(device_operator, &o, kv_heads, (int)k->size[ATTENTION_KV]);
		GIVE(device_operator, &o, qk_dim, (int)k->size[ATTENTION_QK]);
		GIVE(device_operator, &o, v_dim, (int)k->size[ATTENTION_V]);
		GIVE(device_operator, &o, causal, k->causal);
		GIVE(device_operator, &o, contiguous, k->contiguous);
		return o;
	}
	GIVE(device_operator, &o, m, (int)k->size[PRODUCT_M]);
	GIVE(device_operator, &o, n, (int)k->size[PRODUCT_N]);
	GIVE(device_operator, &o, k, (int)k->size[PRODUCT_K]);
	if (k->op == OPERATOR_MATMUL) {
		GIVE(device_operator, &o, layout, k->phase);
		GIVE(device_operator, &o, out, k->out);
		GIVE(device_operator, &o, accumulate, k->accumulate);
	} else {
		GIVE(device_operator, &o, groups, (int)k->size[PRODUCT_GROUPS]);
		GIVE(device_operator, &o, phase, k->phase);
		GIVE(device_operator, &o, gradient, k->out);
	}
	return o;
}

static double
product_of(const struct operator_key *k, int a, int b)
{
	return (double)k->size[a] * (double)k->size[b];
}

double
operator_operations(const struct operator_key *k)
{
	if (k->op != OPERATOR_ATTENTION)
		return 2 * product_of(k, PRODUCT_M, PRODUCT_N) * (double)k->size[PRODUCT_K] *
		    (k->op == OPERATOR_GROUPED ? (double)k->size[PRODUCT_GROUPS] : 1);
	return (k->phase == OPERATOR_FORWARD ? 2 : 5) * product_of(k, ATTENTION_BATCH, ATTENTION_SEQ) *
	    product_of(k, ATTENTION_SEQ, ATTENTION_HEADS) * (double)(k->size[ATTENTION_QK] + k->size[ATTENTION_V]);
}

double
operator_bytes(const struct operator_key *k)
{
	double in = number_bytes(k->dtype), out = number_bytes(k->out);
	double mn = product_of(k, PRODUCT_M, PRODUCT_N), mk = product_of(k, PRODUCT_M, PRODUCT_K);
	double nk = product_of(k, PRODUCT_N, PRODUCT_K);

	if (k->op == OPERATOR_ATTENTION)
		return 0;
	if (k->op == OPERATOR_MATMUL)
		return in * (mk + nk) + out * (k->accumulate ? 2 : 1) * mn;
	/* A weight gradient is added to: both read and written. */
	return (double)k->size[PRODUCT_GROUPS] * (in * (mn + mk) + (k->phase == OPERATOR_WEIGHT ? 2 * out : in) * nk);
}
