# Nine jobs with published models, for searches: files of the models here, and lines of recipe_jobs.
# shellcheck shell=bash

# Figures of the config.json files that their makers publish.
model() { jq -n "$2" >"$1.json"; }
model llama-3.1-70b '{ model_type: "llama", num_hidden_layers: 80, hidden_size: 8192, num_attention_heads: 64,
	num_key_value_heads: 8, intermediate_size: 28672, vocab_size: 128256, max_position_embeddings: 8192,
	tie_word_embeddings: false }'
model qwen3-30b-a3b '{ model_type: "qwen3_moe", num_hidden_layers: 48, hidden_size: 2048, num_attention_heads: 32,
	num_key_value_heads: 4, head_dim: 128, intermediate_size: 6144, moe_intermediate_size: 768, num_experts: 128,
	num_experts_per_tok: 8, vocab_size: 151936, max_position_embeddings: 4096, tie_word_embeddings: false }'
model qwen3-235b-a22b '{ model_type: "qwen3_moe", num_hidden_layers: 94, hidden_size: 4096, num_attention_heads: 64,
	num_key_value_heads: 4, head_dim: 128, intermediate_size: 12288, moe_intermediate_size: 1536, num_experts: 128,
	num_experts_per_tok: 8, vocab_size: 151936, max_position_embeddings: 4096, tie_word_embeddings: false }'
deepseek='{ model_type: "deepseek_v3", num_hidden_layers: 61, hidden_size: 7168, num_attention_heads: 128,
	intermediate_size: 18432, moe_intermediate_size: 2048, n_routed_experts: 256, num_experts_per_tok: 8,
	n_shared_experts: 1, first_k_dense_replace: 3, q_lora_rank: 1536, kv_lora_rank: 512, qk_nope_head_dim: 128,
	qk_rope_head_dim: 64, v_head_dim: 128, vocab_size: 129280, num_nextn_predict_layers: 1,
	max_position_embeddings: 4096, tie_word_embeddings: false }'
model deepseek-v3 "$deepseek"
model kimi-k2 "$deepseek + { num_attention_heads: 64, n_routed_experts: 384, first_k_dense_replace: 1,
	vocab_size: 163840, num_nextn_predict_layers: 0 }"
model glm-4.5 '{ model_type: "glm4_moe", num_hidden_layers: 92, hidden_size: 5120, num_attention_heads: 96,
	num_key_value_heads: 8, head_dim: 128, intermediate_size: 12288, moe_intermediate_size: 1536,
	n_routed_experts: 160, num_experts_per_tok: 8, n_shared_experts: 1, first_k_dense_replace: 3,
	vocab_size: 151552, max_position_embeddings: 4096, tie_word_embeddings: false, use_qk_norm: true }'
model gpt-oss-120b '{ model_type: "gpt_oss", num_hidden_layers: 36, hidden_size: 2880, num_attention_heads: 64,
	num_key_value_heads: 8, head_dim: 64, intermediate_size: 2880, num_local_experts: 128, num_experts_per_tok: 4,
	sliding_window: 128, vocab_size: 201088, max_position_embeddings: 4096, tie_word_embeddings: false }'
model qwen3-next-80b '{ model_type: "qwen3_next", num_hidden_layers: 48, hidden_size: 2048, num_attention_heads: 16,
	num_key_value_heads: 2, head_dim: 256, intermediate_size: 5120, moe_intermediate_size: 512, num_experts: 512,
	num_experts_per_tok: 10, shared_expert_intermediate_size: 512, full_attention_interval: 4,
	linear_conv_kernel_dim: 4, linear_key_head_dim: 128, linear_num_key_heads: 16, linear_num_value_heads: 32,
	linear_value_head_dim: 128, vocab_size: 151936, max_position_embeddings: 4096, tie_word_embeddings: false }'

# Model, devices, cluster, target, sequences of a step, and a published recipe as a candidate, with its own dispatcher
# and overlap: NVIDIA's Megatron-Bridge and DGX Cloud benchmarking; - where none is known for these devices. Beside it
# the best estimate with these settings.
v3='{"dp":64,"tp":2,"pp":8,"ep":64,"vp":4,"dispatcher":"flex","recompute":["mla_up_proj","mlp"]}'
recipe_jobs() {
	cat <<END
llama-3.1-70b 64 h100-2026 megatron 256 {"dp":2,"tp":4,"pp":8,"vp":5}
qwen3-30b-a3b 32 h100-2026 megatron 1024 {"dp":16,"tp":1,"pp":2,"ep":8,"vp":12}
qwen3-235b-a22b 256 h100-2026 megatron 2048 {"dp":16,"tp":2,"pp":8,"ep":32,"vp":4,"ep_overlap":true}
deepseek-v3 256 h100-2026 megatron 4096 -
deepseek-v3 1024 h100-2026 megatron 8192 $v3
glm-4.5 128 atlas-900-a3 mindformers 1024 -
gpt-oss-120b 64 h100-2026 megatron 1280 {"dp":64,"tp":1,"pp":1,"ep":8,"recompute":"full"}
kimi-k2 512 h100-2026 megatron 4096 -
qwen3-next-80b 64 h100-2026 megatron 1024 -
END
}
# Print how many of COUNT random candidates have a bound above their estimate, or a message, and their number.
bounds_above() {	# DEVICES BATCH CLUSTER NETWORK COUNT
	sapp-enum -n "$1" -gb "$2" -cluster "$3" "$4" 2>/dev/null | grep '"kind":"candidate"' |
		shuf -n "$5" --random-source=<(yes) | sapp-est "$4" - 2>&1 |
		jq -n -R -r '[inputs | fromjson? // { fault: . } | select(.fault or .kind == "estimate")] |
		"\(map(select(
			.fault or .lower_bound > .step_time * (1 + 1e-9))) | length) of \(length)"'
}
