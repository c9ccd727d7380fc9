#include "role.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/clipped.h"
#include "lib/record/observed.h"

enum { NAME_LOOKED_AT = 1024 };

/* Words in names of kernels of CANN, CUDA and ROCm, in lower case. */
static const struct { const char *word; unsigned roles; } words[] = {
	{ "grad", ROLE_GRADIENT }, { "bwd", ROLE_GRADIENT }, { "backward", ROLE_GRADIENT },
	{ "bprop", ROLE_GRADIENT },
	{ "attention", ROLE_ATTENTION }, { "flash", ROLE_ATTENTION }, { "fmha", ROLE_ATTENTION },
	{ "attn", ROLE_ATTENTION }, { "sdpa", ROLE_ATTENTION },
	/* Replacements of attention in some layers: linear attention, state spaces. */
	{ "gated_delta", ROLE_ATTENTION }, { "delta_rule", ROLE_ATTENTION }, { "selective_scan", ROLE_ATTENTION },
	{ "chunk_scan", ROLE_ATTENTION }, { "retention", ROLE_ATTENTION }, { "wkv", ROLE_ATTENTION },
	{ "logsoftmax", ROLE_LOSS }, { "log_softmax", ROLE_LOSS }, { "crossentropy", ROLE_LOSS },
	{ "cross_entropy", ROLE_LOSS }, { "nll_loss", ROLE_LOSS }, { "nllloss", ROLE_LOSS },
	{ "norm", ROLE_NORM }, { "ln_fwd", ROLE_NORM }, { "ln_bwd", ROLE_NORM },
	{ "glu", ROLE_ACTIVATION }, { "silu", ROLE_ACTIVATION }, { "gelu", ROLE_ACTIVATION },
	{ "relu", ROLE_ACTIVATION },
	{ "matmul", ROLE_MATMUL }, { "gemm", ROLE_MATMUL }, { "xmma", ROLE_MATMUL }, { "cijk_", ROLE_MATMUL },
	{ "nvjet", ROLE_MATMUL }, { "cutlass", ROLE_MATMUL }, { "conv", ROLE_MATMUL },
	{ "embedding", ROLE_EMBEDDING }, { "gatherv", ROLE_EMBEDDING }, { "indexselect", ROLE_EMBEDDING },
	{ "index_select", ROLE_EMBEDDING }, { "vectorized_gather", ROLE_EMBEDDING },
	{ "fillscalar", ROLE_ONES }, { "oneslike", ROLE_ONES }, { "ones_like", ROLE_ONES },
	{ "fillfunctor", ROLE_ONES },
	{ "adam", ROLE_OPTIMIZER }, { "lpnorm", ROLE_OPTIMIZER }, { "l2norm", ROLE_OPTIMIZER },
	{ "foreach", ROLE_OPTIMIZER }, { "multi_tensor", ROLE_OPTIMIZER }, { "sgd", ROLE_OPTIMIZER },
	{ "lamb", ROLE_OPTIMIZER }, { "momentum", ROLE_OPTIMIZER },
};

static bool
begins(const char *name, const char *word)
{
	return strncmp(name, word, strlen(word)) == 0;
}

int
op_of(const char *name)
{
	static const struct { const char *word; int op; } ops[] = {
		{ "alltoall", OP_ALL_TO_ALL }, { "all_to_all", OP_ALL_TO_ALL }, { "all2all", OP_ALL_TO_ALL },
		{ "allreduce", OP_ALL_REDUCE }, { "all_reduce", OP_ALL_REDUCE },
		{ "allgather", OP_ALL_GATHER }, { "all_gather", OP_ALL_GATHER },
		{ "reducescatter", OP_REDUCE_SCATTER }, { "reduce_scatter", OP_REDUCE_SCATTER },
		{ "broadcast", OP_BROADCAST }, { "send", OP_SEND }, { "recv", OP_SEND }, { "receive", OP_SEND },
	};

	for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
		if (strcasestr(name, ops[i].word) != NULL)
			return ops[i].op;
	return -1;
}

/*
 * Return the role of communication, unless a collective is fused with a matrix product (MC2), which is work. The name
 * of a pure collective begins with the name of the library.
 */
static unsigned
communication(const char *name)
{
	static const char *const libraries[] = { "hcom_", "hccl", "nccl", "rccl", "gloo:", "mscclpp",
		"void mscclpp", NULL };

	for (int i = 0; libraries[i] != NULL; i++)
		if (begins(name, libraries[i]))
			return op_of(name) == OP_SEND ? ROLE_COMMUNICATION | ROLE_TRANSFER : ROLE_COMMUNICATION;
	return 0;
}

unsigned
roles_of(const char *name, size_t n)
{
	char lower[NAME_LOOKED_AT + 1];
	struct clipped copy = CLIPPED(lower);
	unsigned roles;

	clipped_add(&copy, name, n);
	for (char *c = lower; c < lower + copy.n; c++)
		*c = (char)tolower((unsigned char)*c);
	roles = communication(lower);
	if (roles != 0)
		return roles;
	if (strcmp(lower, "fill") == 0 || strcmp(lower, "ones") == 0)
		roles |= ROLE_ONES;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strstr(lower, words[i].word) != NULL)
			roles |= words[i].roles;
	/* RotaryPositionEmbedding rotates, and does not look up an embedding. */
	if (strstr(lower, "rotary") != NULL || strstr(lower, "position") != NULL)
		roles &= ~(unsigned)ROLE_EMBEDDING;
	if ((roles & ROLE_GRADIENT) && (roles & ROLE_EMBEDDING))
		roles ^= ROLE_EMBEDDING | ROLE_EMBEDDING_GRADIENT;
	if (roles & (ROLE_NORM | ROLE_OPTIMIZER))
		roles &= ~(unsigned)ROLE_ATTENTION;
	return roles;
}
