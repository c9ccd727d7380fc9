/* Run: the operations of a device in a training step. */
#include "run.h"

#include <stdio.h>

#include "kineto.h"
#include "lib/record/recompute.h"

enum phase { FORWARD, BACKWARD, AGAIN };
enum { HEAD, NORM, OUTPUT, ENDS };
enum { PARTS = 32 };	/* of a layer, at most */
#define LOSS 0.5	/* ms; Kineto's is within the tail */

static const char root[] = "network-MFPipelineWithLossScaleCell/network-_VirtualDatasetCell/"
    "_backbone-GradAccumulationCell/network-LlamaForCausalLM";
static const char *const phase_root[] = { "Default", "Gradients/Default", "recompute_Default" };

struct part {
	const char *scope, *op;
	int share;
	bool communicates;	/* an AllReduce starts within it and ends within the next */
};

static const struct part layer_parts[] = {
	{ "attention_norm-LlamaRMSNorm", "RmsNorm", 3, false },
	{ "attention-LLamaAttention/wq-Linear", "MatMul", 8, false },
	{ "attention-LLamaAttention/wk-Linear", "MatMul", 8, false },
	{ "attention-LLamaAttention/wv-Linear", "MatMul", 8, false },
	{ "attention-LLamaAttention/apply_rotary_emb-LlamaRotaryEmbedding", "Mul", 3, false },
	{ "attention-LLamaAttention/flash_attention-FlashAttention", "FlashAttentionScore", 17, false },
	{ "attention-LLamaAttention/wo-Linear", "MatMul", 8, true },
	{ "ffn_norm-LlamaRMSNorm", "RmsNorm", 3, false },
	{ "feed_forward-LlamaFeedForward/w1-Linear", "MatMul", 13, false },
	{ "feed_forward-LlamaFeedForward/w3-Linear", "MatMul", 13, false },
	{ "feed_forward-LlamaFeedForward", "Mul", 2, false },
	{ "feed_forward-LlamaFeedForward/w2-Linear", "MatMul", 13, true },
	{ "", "Add", 1, false },
};
static const struct part one_part[] = { { "", "MatMul", 1, false } };
static const struct part embedding_parts[] = { { "", "GatherV2", 9, false }, { "", "AllGather", 1, false } };

/* Spend MS on SCOPE, number SLOT in the model: its kernels run one after another, with small gaps. */
static void
run_scope(struct writer *w, enum phase phase, int slot, const char *scope, const struct part *parts, int n, double ms)
{
	int64_t total = (int64_t)(ms * w->slow * 1e6 + .5), start = w->now, spent = 0, gap = total / 2000;
	int shares = 0, done = 0;
	char path[512], own[64];

	for (int i = 0; i < n; i++)
		shares += parts[i].share;
	for (int turn = 0; turn < n; turn++) {
		/* Autograd runs from the last operation to the first. */
		int i = w->asked->format == KINETO && phase == BACKWARD ? n - 1 - turn : turn;
		int64_t length, end;

		done += parts[i].share;
		/* The time is that of the scope, including the gaps between its kernels. */
		length = total * done / shares - spent;
		spent += length;
		end = start + length - (turn + 1 < n ? gap : 0);
		/* Gradients have their own component. */
		own[0] = '\0';
		if (phase == BACKWARD)
			snprintf(own, sizeof own, "grad%s-expand/", parts[i].op);
		snprintf(path, sizeof path, "%s/%s/%s%s%s/%s%s-op%d", phase_root[phase], root, scope,
		    *parts[i].scope ? "/" : "", parts[i].scope, own, parts[i].op, ++w->kernel);
		w->sequence = (((long long)w->step * w->asked->micro + w->micro) * (w->asked->layers + ENDS) + slot) *
		    PARTS + i;
		writer_kernel(w, path, 2, start, end);
		if (parts[i].communicates && turn + 1 < n) {
			snprintf(path, sizeof path, "%s/%s/%s/%s/AllReduce-op%d", phase_root[phase], root,
			    scope, parts[i].scope, ++w->kernel);
			writer_communication(w, path, start + length / 2, end + total / 200);
		}
		if (turn + 1 < n)
			end += gap;
		start = end;
	}
	w->now = start;
	if (w->asked->format == KINETO)
		kineto_leave(w);
}

static void
run_layer(struct writer *w, enum phase phase, int layer, double ms)
{
	char scope[128];
	/* Micro-batches differ, but their mean is fixed. */
	double wave = w->asked->micro % 2 == 0 ? (w->micro % 2 ? w->asked->spread : -w->asked->spread) : 0;

	snprintf(scope, sizeof scope, "model-LlamaModel/layers-CellList/%d-LLamaDecodeLayer", layer);
	run_scope(w, phase, layer, scope, layer_parts, (int)(sizeof layer_parts / sizeof layer_parts[0]),
	    ms * (1 + wave));
}

/* An operation outside all layers. */
static void
run_other(struct writer *w, const char *path, double ms)
{
	char name[512];
	int64_t end = w->now + (int64_t)(ms * 1e6);

	snprintf(name, sizeof name, "%s-op%d", path, ++w->kernel);
	w->sequence = -1;
	writer_kernel(w, name, 2, w->now, end);
	w->now = end;
}

/* Return the first layer of a stage; if layers do not divide evenly, the first stages have one more. */
static int
first_layer(const struct asked *a, int stage)
{
	int even = a->layers / a->stages, more = a->layers % a->stages;

	return stage * even + (stage < more ? stage : more);
}

static void
forward(struct writer *w, int micro)
{
	const struct asked *a = w->asked;

	w->micro = micro;
	if (w->stage > 0)
		run_other(w, "Default/network-MFPipelineWithLossScaleCell/Receive", 0.05);
	else
		run_scope(w, FORWARD, a->layers + HEAD, "model-LlamaModel/tok_embeddings-LlamaEmbedding",
		    embedding_parts, 2, a->head);
	for (int k = first_layer(a, w->stage); k < first_layer(a, w->stage + 1); k++)
		run_layer(w, FORWARD, k, a->body);
	if (w->stage < a->stages - 1) {
		run_other(w, "Default/network-MFPipelineWithLossScaleCell/Send", 0.05);
		w->now += (int64_t)(a->idle * 1e6);
		return;
	}
	run_scope(w, FORWARD, a->layers + NORM, "model-LlamaModel/norm_out-LlamaRMSNorm", one_part, 1, a->tail / 45);
	run_scope(w, FORWARD, a->layers + OUTPUT, "lm_head-Linear", one_part, 1, a->tail * 44 / 45 -
	    (a->format == KINETO ? LOSS : 0));
	run_other(w, "Default/network-MFPipelineWithLossScaleCell/network-_VirtualDatasetCell/"
	    "_backbone-GradAccumulationCell/network-LlamaForCausalLM/loss-CrossEntropyLoss/LogSoftmax", LOSS);
}

static void
backward(struct writer *w, int micro)
{
	const struct asked *a = w->asked;

	w->micro = micro;
	if (w->stage == a->stages - 1) {
		run_scope(w, BACKWARD, a->layers + OUTPUT, "lm_head-Linear", one_part, 1, a->ratio * a->tail * 44 / 45);
		run_scope(w, BACKWARD, a->layers + NORM, "model-LlamaModel/norm_out-LlamaRMSNorm", one_part, 1,
		    a->ratio * a->tail / 45);
	} else if (a->format == KINETO)
		run_other(w, "Gradients/Default/network-MFPipelineWithLossScaleCell/Receive", a->idle + 0.05);
	else
		w->now += (int64_t)(a->idle * 1e6);
	for (int k = first_layer(a, w->stage + 1) - 1; k >= first_layer(a, w->stage); k--) {
		int kind = a->kind[k % a->kinds];

		if (kind != RECOMPUTE_NONE)
			run_layer(w, AGAIN, k, 2 * recompute_default_coef[kind] * a->body);
		run_layer(w, BACKWARD, k, a->ratio * a->body);
	}
	if (w->stage == 0)
		run_scope(w, BACKWARD, a->layers + HEAD, "model-LlamaModel/tok_embeddings-LlamaEmbedding",
		    embedding_parts, a->format == KINETO && !a->sequence_parallel ? 1 : 2, a->ratio * a->head);
	else if (a->format == KINETO)
		run_other(w, "Gradients/Default/network-MFPipelineWithLossScaleCell/Send", 0.05);
}

void
run_step(struct writer *w)
{
	int warm = w->asked->stages - w->stage - 1, m = w->asked->micro, f = 0, b = 0;
	int64_t start = w->now;

	w->kernel = 100;
	w->first = first_layer(w->asked, w->stage);
	w->slow = w->step == 0 ? 2.5 : w->step == 1 ? 1.3 : 1;
	run_other(w, "Default/InitDataSetQueue", 0.01);
	w->now += 200000;
	while (f < m && f < warm)
		forward(w, f++);
	while (b < m) {
		if (f < m)
			forward(w, f++);
		backward(w, b++);
	}
	run_other(w, "Default/network-MFPipelineWithLossScaleCell/optimizer-AdamW/AdamWeightDecay", 5);
	w->now += 300000;
	if (w->asked->format == KINETO)
		kineto_step(w, start, w->now);
	else if (w->asked->format != DISPLAY && !w->asked->nosteps)
		EVENT(w, "\"name\": \"Iteration %d\", \"pid\": %d, \"tid\": 10036, %s, \"args\": "
		    "{\"Iteration ID\": %d}, \"ph\": \"X\"", w->step + 1, HARDWARE,
		    writer_when(w, start, w->now), w->step + 1);
	w->now += 100000;
	w->step++;
}
