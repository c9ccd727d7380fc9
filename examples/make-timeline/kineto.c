/* Kineto: the profile that torch.profiler writes for a run of Megatron-LM on CUDA: modules, launches and kernels. */
#include "kineto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/place.h"

enum { PROCESS = 3096504, MAIN = 3096504, AUTOGRAD = 3097120, DEVICE = 0, COMPUTE = 7, TENSOR = 24, PIPELINE = 28,
	LAUNCHED = 40000 };	/* ns from launch to start */

/* Classes of modules by the scopes of the same part. */
static const struct { const char *scope, *module; } modules[] = {
	{ "LlamaEmbedding", "LanguageModelEmbedding" },
	{ "LLamaDecodeLayer", "TransformerLayer" },
	{ "attention_norm-LlamaRMSNorm", "TENorm" },
	{ "LLamaAttention", "SelfAttention" },
	{ "wq-Linear", "TEColumnParallelLinear" },
	{ "wk-Linear", "TEColumnParallelLinear" },
	{ "wv-Linear", "TEColumnParallelLinear" },
	{ "LlamaRotaryEmbedding", "RotaryEmbedding" },
	{ "FlashAttention", "TEDotProductAttention" },
	{ "wo-Linear", "TERowParallelLinear" },
	{ "ffn_norm-LlamaRMSNorm", "TENorm" },
	{ "LlamaFeedForward", "MLP" },
	{ "w1-Linear", "TEColumnParallelLinear" },
	{ "w3-Linear", "TEColumnParallelLinear" },
	{ "w2-Linear", "TERowParallelLinear" },
	{ "norm_out-LlamaRMSNorm", "FinalNorm" },
	{ "lm_head-Linear", "ColumnParallelLinear" },
};

/* Names of kernels, forward and backward, of operations as autograd names them. */
static const struct { const char *op, *aten, *forward, *backward; } kernels[] = {
	{ "RmsNorm", "RMSNorm",
	    "void transformer_engine::normalization::rmsnorm_fwd_tuned_kernel<Kernel_traits<bf16>>(FwdParams)",
	    "void transformer_engine::normalization::rmsnorm_bwd_tuned_kernel<Kernel_traits<bf16>>(BwdParams)" },
	{ "MatMul", "Linear", "nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_NNT",
	    "nvjet_hsh_256x128_64x4_1x2_h_bz_coopB_NTN" },
	{ "Mul", "Mul", "void at::native::vectorized_elementwise_kernel<4, MulFunctor<float>>(int, float)",
	    "void at::native::vectorized_elementwise_kernel<4, MulFunctor<float>>(int, float)" },
	{ "Add", "Add", "void at::native::vectorized_elementwise_kernel<4, CUDAFunctor_add<BFloat16>>(int)",
	    "void at::native::vectorized_elementwise_kernel<4, CUDAFunctor_add<BFloat16>>(int)" },
	{ "FlashAttentionScore", "FusedAttnFunc", "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_bf16",
	    "cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_bf16" },
	{ "GatherV2", "Embedding", "void at::native::vectorized_gather_kernel<16, long>(char*)",
	    "void at::native::embedding_backward_feature_kernel<BFloat16>(long const*)" },
	{ "AllGather", "_AllGather", "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
	    "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)" },
	{ "AllReduce", "_Reduce", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
	    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)" },
	{ "LogSoftmax", "_VocabParallelCrossEntropy", "void at::native::softmax_warp_forward<float>(float*)",
	    "void at::native::softmax_warp_backward<float>(float*)" },
	{ "Send", "send", "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
	    "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)" },
	{ "Receive", "recv", "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
	    "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)" },
	{ "AdamWeightDecay", "_fused_adamw_", "void at::native::multi_tensor_apply_kernel<FusedAdamMathFunctor>()",
	    "" },
	{ "InitDataSetQueue", "to", "Memcpy HtoD (Pinned -> Device)", "" },
};

static const char *
when(const struct writer *w, int64_t start, int64_t end)
{
	static char text[2][96];
	static int turn;
	char *t = text[turn ^= 1];

	snprintf(t, sizeof text[0], "\"ts\": %.3f, \"dur\": %.3f", (double)(start - w->begin) / 1000,
	    (double)(end - start) / 1000);
	return t;
}

void
kineto_open(struct writer *w)
{
	writer_put(w, "{\"schemaVersion\": 1, \"baseTimeNanoseconds\": %lld, \"displayTimeUnit\": \"ms\", "
	    "\"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H100 80GB HBM3\", \"totalGlobalMem\": 84942979072, "
	    "\"computeMajor\": 9, \"computeMinor\": 0}], \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %d, "
	    "\"world_size\": %d}, \"record_shapes\": 0, \"with_modules\": 0, \"with_stack\": 1, \"traceEvents\": [",
	    (long long)w->begin, w->stage * RANKS_PER_STAGE, w->asked->stages * RANKS_PER_STAGE);
	EVENT(w, "\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"tid\": 0, \"ts\": 0, \"args\": "
	    "{\"name\": \"python\"}", PROCESS);
	EVENT(w, "\"ph\": \"M\", \"name\": \"process_labels\", \"pid\": %d, \"tid\": 0, \"ts\": 0, \"args\": "
	    "{\"labels\": \"GPU 0\"}", DEVICE);
}

/* The module of a component of a path; layers are numbered within their process. */
static bool
module_of(struct writer *w, const char *component, size_t n, char *name, size_t size)
{
	for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
		size_t m = strlen(modules[i].scope);

		if (m > n || memcmp(component + n - m, modules[i].scope, m) != 0)
			continue;
		if (component[0] >= '0' && component[0] <= '9')
			w->module = (int)strtol(component, NULL, 10) - w->first;
		snprintf(name, size, "%s_%d", modules[i].module, w->module);
		return true;
	}
	return false;
}

static void
leave(struct writer *w, int depth)
{
	for (int i = DEPTH - 1; i >= depth; i--)
		if (w->open[i].name[0] != '\0') {
			EVENT(w, "\"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"nn.Module: %s\", "
			    "\"pid\": %d, \"tid\": %d, %s, \"args\": {\"Python id\": %llu, \"Python module id\": %d}",
			    w->open[i].name, PROCESS, w->thread, when(w, w->open[i].start, w->open[i].end),
			    w->launches, w->module);
			w->open[i].name[0] = '\0';
		}
}

void
kineto_leave(struct writer *w)
{
	/* Operations within an autograd checkpoint run again, in the backward of the checkpoint. */
	if (w->open[0].name[0] != '\0' && w->thread == AUTOGRAD)
		EVENT(w, "\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"autograd::engine::evaluate_function: "
		    "CheckpointFunctionBackward\", \"pid\": %d, \"tid\": %d, %s, \"args\": {\"External id\": %llu, "
		    "\"Fwd thread id\": 1}", PROCESS, AUTOGRAD, when(w, w->open[0].start - 1000, w->open[0].end + 1000),
		    ++w->launches);
	leave(w, 0);
}

/* The modules that a forward operation is in: the host is in them from the first launch to the last. */
static void
enter(struct writer *w, const char *path, int64_t start, int64_t end)
{
	const char *slash;
	char name[64];
	int depth = 0;

	for (; (slash = strchr(path, '/')) != NULL && depth < DEPTH; path = slash + 1)
		if (module_of(w, path, (size_t)(slash - path), name, sizeof name)) {
			struct scope *s = &w->open[depth];

			if (strcmp(s->name, name) != 0) {
				leave(w, depth);
				memcpy(s->name, name, sizeof name);
				s->start = start - 1000;
			}
			s->end = end + 1000;
			depth++;
		}
	leave(w, depth);
}

void
kineto_kernel(struct writer *w, const char *path, bool shares, int64_t start, int64_t end)
{
	const char *op = strrchr(path, '/') + 1;
	bool backward = strncmp(path, "Gradients/", strlen("Gradients/")) == 0,
	    again = strncmp(path, "recompute_", strlen("recompute_")) == 0;
	int64_t launch = start - LAUNCHED;
	unsigned long long id = ++w->launches;
	size_t i, n = strcspn(op, "-");
	int stream = shares ? TENSOR : COMPUTE;

	for (i = 0; i < sizeof kernels / sizeof kernels[0] && (strlen(kernels[i].op) != n ||
	    memcmp(kernels[i].op, op, n) != 0); i++)
		;
	if (i == sizeof kernels / sizeof kernels[0])
		place_die((struct place){ .source = w->path }, "no kernel is known for the operation '%s'", op);
	if (strcmp(kernels[i].aten, "send") == 0 || strcmp(kernels[i].aten, "recv") == 0)
		stream = PIPELINE;
	w->thread = backward || again ? AUTOGRAD : MAIN;
	if (!backward)
		enter(w, path, launch, launch + 9000);
	if (backward)
		EVENT(w, "\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"autograd::engine::evaluate_function: "
		    "%sBackward\", \"pid\": %d, \"tid\": %d, %s, \"args\": {\"External id\": %llu, "
		    "\"Sequence number\": %lld, \"Fwd thread id\": 1}", kernels[i].aten, PROCESS, AUTOGRAD,
		    when(w, launch, launch + 9000), id, w->sequence);
	else
		EVENT(w, "\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"pid\": %d, \"tid\": %d, %s, "
		    "\"args\": {\"External id\": %llu, \"Sequence number\": %lld, \"Fwd thread id\": 0}",
		    kernels[i].aten, PROCESS, w->thread, when(w, launch, launch + 9000), id, w->sequence);
	EVENT(w, "\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": %d, \"tid\": %d, "
	    "%s, \"args\": {\"External id\": %llu, \"cbid\": 211, \"correlation\": %llu}", PROCESS, w->thread,
	    when(w, launch + 2000, launch + 8000), id, id);
	EVENT(w, "\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %d, \"tid\": %d, %s, \"args\": "
	    "{\"External id\": %llu, \"device\": 0, \"stream\": %d, \"correlation\": %llu}",
	    strncmp(kernels[i].forward, "Memcpy", 6) == 0 ? "gpu_memcpy" : "kernel",
	    backward ? kernels[i].backward : kernels[i].forward, DEVICE, stream, when(w, start, end), id, stream, id);
}

void
kineto_step(struct writer *w, int64_t start, int64_t end)
{
	EVENT(w, "\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%d\", \"pid\": %d, "
	    "\"tid\": %d, %s, \"args\": {\"External id\": %llu}", 10 + w->step, PROCESS, MAIN,
	    when(w, start - LAUNCHED - 2000, end - LAUNCHED - 2000), ++w->launches);
}

void
kineto_close(struct writer *w)
{
	writer_put(w, "], \"traceName\": \"%s\"}\n", w->path);
}
