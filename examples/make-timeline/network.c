#include "network.h"

#include <stddef.h>
#include <string.h>

#include "lib/base/random.h"

enum unit { NORM, QKV, ATTENTION, OUT, ADD, ROPE, QK_NORM, UP, GLU, DOWN, ROUTER, MOE_UP, MOE_GLU, MOE_DOWN, UNITS };

/*
 * Operations of a unit in its forward, and in its backward, in this order; a product has the gradients of its input and
 * its weight.
 */
struct unit_kernels {
	int forwards, backwards;
	struct kernel forward[3], backward[3];
};

static const struct unit_kernels units[UNITS] = {
	[NORM] = { 1, 1, { { { "RmsNorm", "ln_fwd" }, 10 } }, { { { "RmsNormGrad", "ln_bwd" }, 20 } } },
	[QK_NORM] = { 1, 1, { { { "RmsNorm", "ln_fwd" }, 4 } }, { { { "RmsNormGrad", "ln_bwd" }, 8 } } },
	[QKV] = { 1, 2, { { { "MatMulV3", "gemm_qkv" }, 150 } }, { { { "MatMulV3", "gemm_qkv_dgrad" }, 150 },
	    { { "MatMulV3", "gemm_qkv_wgrad" }, 150 } } },
	[OUT] = { 1, 2, { { { "MatMulV3", "gemm_o" }, 60 } }, { { { "MatMulV3", "gemm_o_dgrad" }, 60 },
	    { { "MatMulV3", "gemm_o_wgrad" }, 60 } } },
	[ADD] = { 1, 0, { { { "Add", "vectorized_elementwise_kernel<4, CUDAFunctor_add>" }, 6 } },
	    { { { NULL }, 0 } } },
	[ROPE] = { 1, 1, { { { "RotaryMul", "rope_fwd" }, 8 } }, { { { "RotaryMulGrad", "rope_bwd" }, 8 } } },
	[UP] = { 1, 2, { { { "MatMulV3", "nvjet_up" }, 200 } }, { { { "MatMulV3", "nvjet_up_dgrad" }, 200 },
	    { { "MatMulV3", "nvjet_up_wgrad" }, 200 } } },
	[GLU] = { 1, 1, { { { "SwiGlu", "swiglu_fwd" }, 15 } }, { { { "SwiGluGrad", "swiglu_bwd" }, 30 } } },
	[DOWN] = { 1, 2, { { { "MatMulV3", "nvjet_down" }, 200 } }, { { { "MatMulV3", "nvjet_down_dgrad" }, 200 },
	    { { "MatMulV3", "nvjet_down_wgrad" }, 200 } } },
	[ROUTER] = { 3, 3, { { { "MatMulV3", "gemm_router" }, 12 }, { { "MoeGatingTopK", "topk_gating" }, 15 },
	    { { "MoeTokenPermute", "permute_tokens" }, 40 } }, {
	    { { "MoeTokenPermuteGrad", "permute_tokens_bwd" }, 50 },
	    { { "MoeGatingTopKGrad", "topk_gating_bwd" }, 20 }, { { "MatMulV3", "gemm_router_dgrad" }, 14 } } },
	[MOE_UP] = { 1, 2, { { { "GroupedMatmul", "grouped_gemm_up" }, 330 } }, {
	    { { "GroupedMatmul", "grouped_gemm_up_dgrad" }, 330 },
	    { { "GroupedMatmul", "grouped_gemm_up_wgrad" }, 340 } } },
	[MOE_GLU] = { 1, 1, { { { "SwiGlu", "swiglu_fwd" }, 25 } }, { { { "SwiGluGrad", "swiglu_bwd" }, 50 } } },
	[MOE_DOWN] = { 2, 3, { { { "GroupedMatmul", "grouped_gemm_down" }, 320 }, { { "MoeTokenUnpermute",
	    "unpermute_tokens" }, 40 } }, { { { "MoeTokenUnpermuteGrad", "unpermute_tokens_bwd" }, 45 },
	    { { "GroupedMatmul", "grouped_gemm_down_dgrad" }, 320 },
	    { { "GroupedMatmul", "grouped_gemm_down_wgrad" }, 310 } } },
};

static const struct unit_kernels mixers[] = {
	[FULL] = { 1, 1, { { { "FlashAttentionScore", "flash_fwd_kernel<128, false>" }, 100 } },
	    { { { "FlashAttentionScoreGrad", "flash_bwd_kernel<128, false>" }, 240 } } },
	[SLIDING] = { 1, 1, { { { "FlashAttentionScore", "flash_fwd_kernel<128, true>" }, 50 } },
	    { { { "FlashAttentionScoreGrad", "flash_bwd_kernel<128, true>" }, 120 } } },
	[LINEAR] = { 2, 2, { { { "CausalConv1d", "causal_conv1d_fwd" }, 20 },
	    { { "chunk_gated_delta_rule_fwd", "chunk_gated_delta_rule_fwd" }, 180 } },
	    { { { "chunk_gated_delta_rule_bwd", "chunk_gated_delta_rule_bwd" }, 400 },
	    { { "CausalConv1dGrad", "causal_conv1d_bwd" }, 30 } } },
	[UNKNOWN] = { 2, 2, { { { "ShortFilter", "short_filter" }, 30 }, { { "HyenaMix", "hyena_mix" }, 140 } },
	    { { { "HyenaMixGrad", "hyena_mix_bwd" }, 300 }, { { "ShortFilterGrad", "short_filter_bwd" }, 40 } } },
};

static void
add(struct body *b, int phase, const struct kernel k[], int n, const double factor)
{
	for (int i = 0; i < n; i++) {
		b->kernel[phase][b->n[phase]] = k[i];
		b->kernel[phase][b->n[phase]++].us *= factor;
	}
}

/*
 * A layer of a mixer and a feed-forward, with or without experts. FACTOR [UNITS + 1]: factors of the times of the
 * units.
 */
static struct body
layer(enum mixer mixer, bool experts, const bool has[], const double factor[])
{
	enum unit row[24];
	struct body b = { { 0, 0 }, { { { { NULL }, 0 } } } };
	int n = 0;

	row[n++] = NORM;
	row[n++] = QKV;
	if (has[QK_NORM] && mixer <= SLIDING)
		row[n++] = QK_NORM;
	if (has[ROPE] && mixer <= SLIDING)
		row[n++] = ROPE;
	row[n++] = ATTENTION;
	row[n++] = OUT;
	if (has[ADD])
		row[n++] = ADD;
	row[n++] = NORM;
	if (experts)
		row[n++] = ROUTER;
	row[n++] = experts ? MOE_UP : UP;
	row[n++] = experts ? MOE_GLU : GLU;
	row[n++] = experts ? MOE_DOWN : DOWN;
	if (has[ADD])
		row[n++] = ADD;
	for (int i = 0; i < n; i++) {
		const struct unit_kernels *f = row[i] == ATTENTION ? &mixers[mixer] : &units[row[i]],
		    *g = row[n - 1 - i] == ATTENTION ? &mixers[mixer] : &units[row[n - 1 - i]];

		add(&b, 0, f->forward, f->forwards, factor[row[i]]);
		add(&b, 1, g->backward, g->backwards, factor[row[n - 1 - i]]);
	}
	return b;
}

static const struct body head = { { 1, 1 }, { { { { "GatherV2", "indexSelectLargeIndex<BFloat16>" }, 20 } },
    { { { "EmbeddingDenseGrad", "embedding_backward_feature_kernel" }, 40 } } } };
static const struct body tail = { { 2, 3 }, { { { { "MatMulV3", "nvjet_vocab" }, 300 },
    { { "SoftmaxCrossEntropy", "cross_entropy_fwd" }, 50 } }, {
    { { "SoftmaxCrossEntropyGrad", "cross_entropy_bwd" }, 50 },
    { { "MatMulV3", "nvjet_vocab_dgrad" }, 300 }, { { "MatMulV3", "nvjet_vocab_wgrad" }, 300 } } } };

void
network_draw(struct network *n, int layers, uint64_t *random)
{
	static const char *const patterns[] = { "plain", "experts", "hybrid 3:1", "hybrid 5:1", "alternating",
		"dense first", "every second", "hybrid 3:1, every second", "unknown 3:1" };
	int pattern = random_below(random, (int)(sizeof patterns / sizeof patterns[0]));
	bool has[UNITS] = { [ADD] = random_below(random, 2), [ROPE] = random_below(random, 2),
		[QK_NORM] = random_below(random, 3) == 0 };
	int dense = 1 + random_below(random, 3), made[UNKNOWN + 1][2];
	double factor[UNITS];

	*n = (struct network){ .pattern = patterns[pattern], .layers = layers, .head = head, .tail = tail };
	memset(made, -1, sizeof made);
	for (int i = 0; i < UNITS; i++)
		factor[i] = 0.5 + 1.5 * random_unit(random);
	for (int i = 0; i < layers; i++) {
		enum mixer mixer = FULL;
		bool experts = pattern == 1 || (pattern == 5 && i >= dense) ||
		    ((pattern == 6 || pattern == 7) && i % 2);

		if ((pattern == 2 || pattern == 7) && i % 4 != 3)
			mixer = LINEAR;
		else if (pattern == 8 && i % 4 != 3)
			mixer = UNKNOWN;
		else if ((pattern == 3 && i % 6 != 5) || (pattern == 4 && i % 2 == 0))
			mixer = SLIDING;
		if (made[mixer][experts] < 0) {
			made[mixer][experts] = n->bodies;
			n->at[n->bodies++] = layer(mixer, experts, has, factor);
		}
		n->body[i] = made[mixer][experts];
	}
}
