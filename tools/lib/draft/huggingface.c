/* Hugging Face's config.json: what a family leaves unsaid is what its code does. */
#include <string.h>

#include "lib/base/alloc.h"
#include "draft.h"

/* Families whose files do not say what their code does. */
struct family {
	const char *type;	/* model_type */
	bool gated, layer_norm, tied, qk_norm, router_bias, learned;
	enum bias bias;
	int dropout;		/* its default is above 0 */
	const char *but;	/* what a network record has no members for; NULL: nothing */
};

static const struct family families[] = {
	{ "llama", true, false, false, false, false, false, BIAS_NONE, 0, NULL },
	{ "llama4_text", true, false, false, false, false, false, BIAS_NONE, 0, NULL },
	{ "mistral", true, false, false, false, false, false, BIAS_NONE, 0, NULL },
	{ "mixtral", true, false, false, false, false, false, BIAS_NONE, 0, NULL },
	{ "qwen2", true, false, false, false, false, false, BIAS_QKV, 0, NULL },
	{ "qwen2_moe", true, false, false, false, false, false, BIAS_QKV, 0,
	    "the gate of its shared expert, hidden_size parameters a layer, is not counted" },
	{ "qwen3", true, false, false, true, false, false, BIAS_NONE, 0, NULL },
	{ "qwen3_moe", true, false, false, true, false, false, BIAS_NONE, 0, NULL },
	{ "deepseek_v2", true, false, false, false, false, false, BIAS_NONE, 0, NULL },
	{ "deepseek_v3", true, false, false, false, true, false, BIAS_NONE, 0, NULL },
	{ "kimi_k2", true, false, false, false, true, false, BIAS_NONE, 0, NULL },
	{ "glm4_moe", true, false, false, false, true, false, BIAS_NONE, 0, NULL },
	{ "internlm2", true, false, false, false, false, false, BIAS_NONE, 0, NULL },
	{ "baichuan", true, false, false, false, false, false, BIAS_NONE, 0, NULL },
	{ "chatglm", true, false, false, false, false, false, BIAS_QKV, 0, NULL },
	{ "gemma", true, false, true, false, false, false, BIAS_NONE, 0, NULL },
	{ "gemma2", true, false, true, false, false, false, BIAS_NONE, 0,
	    "its norms behind attention and feed-forward, two a layer, are not counted" },
	{ "gemma3_text", true, false, true, true, false, false, BIAS_NONE, 0,
	    "its norms behind attention and feed-forward, two a layer, are not counted" },
	{ "phi3", true, false, false, false, false, false, BIAS_NONE, 0, NULL },
	{ "olmo2", true, false, false, true, false, false, BIAS_NONE, 0, NULL },
	{ "olmoe", true, false, false, true, false, false, BIAS_NONE, 0, NULL },
	{ "gpt2", false, true, true, false, false, true, BIAS_ALL, 1, NULL },
	{ "gpt_bigcode", false, true, true, false, false, true, BIAS_ALL, 1, NULL },
	{ "gpt_neo", false, true, true, false, false, true, BIAS_ALL, 0, NULL },
	{ "gpt_neox", false, true, false, false, false, false, BIAS_ALL, 0, NULL },
	{ "gptj", false, true, false, false, false, false, BIAS_NONE, 0,
	    "it has one norm a layer where two are counted, and biases of feed-forward and head that are not" },
	{ "opt", false, true, true, false, false, true, BIAS_ALL, 1, NULL },
	{ "bloom", false, true, true, false, false, false, BIAS_ALL, 0, NULL },
	{ "falcon", false, true, true, false, false, false, BIAS_NONE, 0,
	    "where attention and feed-forward are parallel it has one norm a layer, and two are counted" },
	{ "phi", false, true, false, false, false, false, BIAS_ALL, 0,
	    "it has one norm a layer where two are counted, and a bias of the head that is not" },
	{ "starcoder2", false, true, true, false, false, false, BIAS_ALL, 0, NULL },
	{ "bert", false, true, true, false, false, true, BIAS_ALL, 1, NULL },
};

/* Where members usually stand, for what is missing. */
static const char *const usual[][2] = {
	{ "layers", "num_hidden_layers (n_layer, num_layers)" },
	{ "hidden_size", "hidden_size (n_embd, d_model)" },
	{ "num_heads", "num_attention_heads (n_head)" },
	{ "ffn_size", "intermediate_size (n_inner, ffn_dim)" },
	{ "vocab_size", "vocab_size" },
	{ "seq_length", "max_position_embeddings (n_positions); -seq says it" },
	{ "experts_per_token", "num_experts_per_tok (moe_top_k)" },
	{ "expert_ffn_size", "moe_intermediate_size" },
	{ "qk_head_dim", "qk_nope_head_dim" },
	{ "rope_head_dim", "qk_rope_head_dim" },
	{ "v_head_dim", "v_head_dim" },
	{ NULL, NULL },
};

/* Settings without weight, as far as time and memory go. */
static const char *const ignored[] = {
	"architectures", "model_type", "_name_or_path", "name_or_path", "transformers_version", "torch_dtype", "dtype",
	"auto_map",
	"bos_token_id|eos_token_id|pad_token_id|unk_token_id|sep_token_id|cls_token_id|decoder_start_token_id",
	"bos_token|eos_token|pad_token", "initializer_range|initializer_factor|init_std|embd_std",
	"use_cache|cache_implementation",
	"rope_theta|rope_scaling|rotary_pct|rotary_emb_base|rotary_dim|rope_interleave|rope_type",
	"partial_rotary_factor|rope_parameters",
	"rms_norm_eps|layer_norm_eps|layer_norm_epsilon|norm_epsilon|layernorm_epsilon|norm_eps", "pretraining_tp",
	"hidden_activation",
	"sliding_window|use_sliding_window|max_window_layers|sliding_window_pattern|layer_types",
	"attention_chunk_size|no_rope_layers",
	"summary_activation|summary_first_dropout|summary_proj_to_labels|summary_type|summary_use_proj|"
	    "task_specific_params",
	"router_aux_loss_coef|router_z_loss_coef|aux_loss_alpha|output_router_logits|seq_aux|router_jitter_noise",
	"norm_topk_prob|routed_scaling_factor|scoring_func|topk_group|n_group|topk_method", "quantization_config",
	"ep_size",
	"multi_query_attention|rmsnorm|multi_query|original_rope|post_layer_norm|kv_cache_prefix",
	"use_parallel_residual|parallel_attn|new_decoder_architecture|alibi|apply_residual_connection_post_layernorm",
	"scale_attn_weights|scale_attn_by_inverse_layer_idx|reorder_and_upcast_attn|max_length|min_length",
	"chunk_size_feed_forward",
	"is_decoder|is_encoder_decoder|add_cross_attention|tie_encoder_decoder|gradient_checkpointing",
	"problem_type|return_dict",
	"output_attentions|output_hidden_states|id2label|label2id|finetuning_task|use_bfloat16|"
	    "torchscript|pruned_heads",
	"mlp_bias|attn_logit_softcapping|final_logit_softcapping|query_pre_attn_scalar|logits_soft_cap|head_dim_scale",
	"temperature|top_k|top_p|do_sample|repetition_penalty|num_beams|language|license|_commit_hash|unsloth_version",
	NULL,
};

static const struct family *
family_of(const char *type)
{
	for (size_t i = 0; type != NULL && i < sizeof families / sizeof families[0]; i++)
		if (strcmp(families[i].type, type) == 0)
			return &families[i];
	return NULL;
}

static void
read_sizes(struct draft *d, struct bag *b)
{
	bool one;

	TAKE(d, b, layers, 1, "num_hidden_layers|n_layer|n_layers|num_layers");
	TAKE(d, b, hidden_size, 1, "hidden_size|n_embd|d_model|dim");
	TAKE(d, b, num_heads, 1, "num_attention_heads|n_head|n_heads|num_heads");
	TAKE(d, b, kv_heads, 1, "num_key_value_heads|multi_query_group_num|num_kv_heads|n_head_kv|n_kv_heads");
	TAKE(d, b, head_dim, 1, "head_dim|kv_channels|attention_head_dim");
	TAKE(d, b, vocab_size, 1, "padded_vocab_size|vocab_size|n_vocab");
	TAKE(d, b, seq_length, 1,
	    "max_position_embeddings|n_positions|max_seq_len|seq_length|max_sequence_length|model_max_length|n_ctx");
	TAKE(d, b, ffn_size, 1, "intermediate_size_mlp|intermediate_size|n_inner|ffn_dim|ffn_hidden_size|d_ff");
	TAKE(d, b, mtp_layers, 0, "num_nextn_predict_layers|num_mtp_layers");
	if (bag_bool(b, "multi_query", &one) && one && !GIVEN(architecture, &d->net, kv_heads))
		SET(d, kv_heads, 1);
}

static void
read_latent(struct draft *d, struct bag *b)
{
	TAKE(d, b, q_lora_rank, 0, "q_lora_rank");
	TAKE(d, b, kv_lora_rank, 0, "kv_lora_rank");
	TAKE(d, b, qk_head_dim, 1, "qk_nope_head_dim");
	TAKE(d, b, rope_head_dim, 0, "qk_rope_head_dim");
	TAKE(d, b, v_head_dim, 1, "v_head_dim");
	bag_find(b, "qk_head_dim");
	if (d->net.kv_lora_rank == 0)
		return;
	/* A head's size and number of keys mean nothing where keys come out of a latent. */
	d->net.kv_heads = d->net.head_dim = 0;
	d->net.given &= ~(field_bit(&architecture_fields, offsetof(struct architecture, kv_heads)) |
	    field_bit(&architecture_fields, offsetof(struct architecture, head_dim)));
}

/* Layers listed as plain must be the first ones, or none. */
static int
plain_layers(struct bag *b)
{
	const struct setting *s = bag_find(b, "mlp_only_layers");

	if (s == NULL || s->node == NULL || s->node->type != YAML_LIST)
		return 0;
	for (int i = 0; i < s->node->n; i++)
		if (yaml_int(s->node->item[i], s->name, 0, 1 << 20) != i)
			place_die(s->place, "%s: dense layers that are not the first ones cannot be said in a network "
			    "record", s->name);
	return s->node->n;
}

static void
read_experts(struct draft *d, struct bag *b)
{
	int shared, step = 1, first = plain_layers(b), freq;

	TAKE(d, b, experts, 0, "n_routed_experts|num_local_experts|num_experts|moe_num_experts|num_routed_experts");
	TAKE(d, b, experts_per_token, 1,
	    "num_experts_per_tok|num_experts_per_token|moe_top_k|moe_k|num_selected_experts|router_top_k");
	TAKE(d, b, expert_ffn_size, 1, "moe_intermediate_size|expert_ffn_size|moe_ffn_hidden_size");
	TAKE(d, b, shared_ffn_size, 0, "shared_expert_intermediate_size|moe_shared_expert_intermediate_size");
	bag_int(b, "first_k_dense_replace", 0, &first);
	bag_int(b, "decoder_sparse_step|interleave_moe_layer_step", 1, &step);
	if (!bag_int(b, "n_shared_experts|num_shared_experts", 0, &shared))
		shared = 0;
	if (d->net.experts == 0)
		return;
	if (!GIVEN(architecture, &d->net, expert_ffn_size)) {
		/* Experts that have the size of the feed-forward; Llama 4 says the dense one apart. */
		if (!bag_int(b, "intermediate_size|ffn_dim", 1, &d->net.expert_ffn_size))
			return;
		SET(d, expert_ffn_size, d->net.expert_ffn_size);
	}
	if (shared > 0)
		SET(d, shared_ffn_size, shared * d->net.expert_ffn_size);
	if (bag_int(b, "moe_layer_freq", 1, &freq) && freq > 1) {
		step = freq;
		first = (first + freq - 1) / freq * freq;
		SET(d, dense_layers, first);
		SET(d, moe_every, step);
		return;
	}
	/* Every so many, from the last of the first group on. */
	if (step > 1) {
		SET(d, dense_layers, step - 1);
		SET(d, moe_every, step);
	} else if (first > 0) {
		SET(d, dense_layers, first);
	}
}

static void
read_style(struct draft *d, struct bag *b, const struct family *f)
{
	const char *act = bag_text(b, "hidden_act|hidden_activation|activation_function|activation");
	bool yes = false, parallel = false;
	double p, drop = f != NULL && f->dropout ? 0.1 : 0;

	if (f != NULL ? !f->gated : act != NULL && strstr(act, "silu") == NULL && strstr(act, "glu") == NULL)
		SET(d, gated, false);
	if (f != NULL ? f->layer_norm : bag_find(b, "rms_norm_eps") == NULL && bag_find(b,
	    "layer_norm_eps|layer_norm_epsilon") != NULL)
		SET(d, norm, NORM_LAYER);
	yes = f != NULL ? f->tied : true;
	bag_bool(b, "tie_word_embeddings", &yes);
	if (yes)
		SET(d, tied, true);
	yes = f != NULL && f->qk_norm;
	bag_bool(b, "use_qk_norm|qk_norm|qk_layernorm", &yes);
	if (yes)
		SET(d, qk_norm, true);
	if (f != NULL && f->bias != BIAS_NONE)
		SET(d, bias, f->bias);
	if (bag_bool(b, "attention_bias|qkv_bias|add_qkv_bias|use_qkv_bias", &yes) &&
	    (f == NULL || f->bias != BIAS_ALL))
		SET(d, bias, yes ? BIAS_QKV : BIAS_NONE);
	if (bag_bool(b, "bias|use_bias|add_bias_linear", &yes) && (yes || f == NULL || f->bias == BIAS_ALL))
		SET(d, bias, yes ? BIAS_ALL : BIAS_NONE);
	if (f != NULL && f->router_bias && d->net.experts > 0)
		SET(d, router_bias, true);
	if (f != NULL && f->learned && GIVEN(architecture, &d->net, seq_length))
		SET(d, positions, d->net.seq_length + (strcmp(f->type, "opt") == 0 ? 2 : 0));
	if (bag_real(b, "attn_pdrop|attention_dropout|attention_probs_dropout_prob", &p))
		drop = p;
	if (bag_real(b,
	    "resid_pdrop|hidden_dropout|hidden_dropout_prob|resid_dropout|"
	    "dropout|embd_pdrop|classifier_dropout", &p) && p > drop)
		drop = p;
	if (drop > 0)
		SET(d, dropout, true);
	bag_bool(b, "parallel_attn", &parallel);
	if (f != NULL && strcmp(f->type, "bert") == 0)
		SET(d, causal, false);
}

void
huggingface_read(struct draft *d, const struct yaml *root)
{
	struct bag b = { .place = root->place };
	const struct yaml *text = yaml_get(root, "text_config");
	const struct family *f;
	const char *type;
	int ffn = 0;

	if (text == NULL)
		text = yaml_get(root, "language_config") != NULL ? yaml_get(root, "language_config")
		    : yaml_get(root, "llm_config");
	if (text != NULL && text->type == YAML_MAP)
		place_warn(text->place, "only the language model is read, not what it is given to see or hear");
	else
		text = root;
	d->usual = usual;
	bag_put_map(&b, text);
	type = bag_text(&b, "model_type");
	f = family_of(type);
	if (f == NULL)
		place_warn(root->place, "model_type is not a family that is known, its usual keys are taken as they "
		    "stand '%s'", type != NULL ? type : "");
	else if (f->but != NULL)
		place_warn(root->place, "%s: %s", f->type, f->but);
	read_sizes(d, &b);
	read_latent(d, &b);
	read_experts(d, &b);
	read_style(d, &b, f);
	/* Where GPT's files say nothing, or null. */
	if (!GIVEN(architecture, &d->net, ffn_size) && GIVEN(architecture, &d->net, hidden_size) && f != NULL &&
	    !f->gated)
		ffn = 4 * d->net.hidden_size;
	if (!GIVEN(architecture, &d->net, ffn_size) && d->net.expert_ffn_size > 0)
		ffn = d->net.expert_ffn_size;
	if (ffn > 0)
		SET(d, ffn_size, ffn);
	draft_ignore(&b, ignored);
	draft_name_unknown(&b, "a key");
	if (bag_text(&b, "_name_or_path|name_or_path") != NULL && *bag_text(&b, "_name_or_path|name_or_path") != '\0') {
		const char *path = bag_text(&b, "_name_or_path|name_or_path"), *base = strrchr(path, '/');

		d->net.name = xstrdup(base != NULL && base[1] != '\0' ? base + 1 : path);
	} else if (type != NULL) {
		d->net.name = xstrdup(type);
	}
	bag_free(&b);
}
