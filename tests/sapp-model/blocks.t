#!/bin/sh
# Layers of many kinds by the options of Megatron-LM and MindFormers: patterns, lists, frequencies, ratios.
. "$(dirname "$0")/../lib.sh"
base='--hidden-size 256 --num-attention-heads 4 --seq-length 1024 --vocab-size 1000 --ffn-hidden-size 512'
moe='--num-experts 8 --moe-router-topk 2 --moe-ffn-hidden-size 64'
run() { echo "python pretrain_mamba.py $base $1" >"$tmp/run.sh"; sapp-model "$tmp/run.sh" 2>"$tmp/err"; }
# Print the classes of layers, each with the number of consecutive layers.
pattern() { jq -r 'select(.kind == "network") | .pattern[]?' | uniq -c | awk '{ printf "%s%s%s", (NR > 1 ? " " : ""),
	$2, ($1 > 1 ? "*" $1 : "") }'; }
# layers TITLE OPTIONS WANT
layers() { same "$1" "$3" "$(run "$2" | pattern)"; }

# Totals of published networks, with the options of their scripts.
total() { sapp-model "$1" 2>"$tmp/err" | sapp-est -parameters | jq "select(.total) | ${2:-.total}"; }
common='--normalization RMSNorm --disable-bias-linear --untie-embeddings-and-output-weights --attention-dropout 0
--hidden-dropout 0 --seq-length 4096 --make-vocab-size-divisible-by 16'
cat >"$tmp/nano.sh" <<END
python pretrain_mamba.py $(echo $common) --num-layers 52 --hidden-size 2688 --num-attention-heads 32 \\
	--group-query-attention --num-query-groups 2 --kv-channels 128 --ffn-hidden-size 1856 --vocab-size 131072 \\
	--hybrid-override-pattern MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME --mamba-num-heads 64 \\
	--num-experts 128 --moe-router-topk 6 --moe-ffn-hidden-size 1856 --moe-shared-expert-intermediate-size 3712
END
same 'Nemotron 3 Nano' 31577937344 "$(total "$tmp/nano.sh")"
super='MEMEMEM*EMEMEMEM*EMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEM*EMEMEMEME/*E'
cat >"$tmp/super.sh" <<END
python pretrain_hybrid.py $(echo $common) --hidden-size 4096 --num-attention-heads 32 --group-query-attention \\
	--num-query-groups 2 --kv-channels 128 --ffn-hidden-size 2688 --vocab-size 131072 --mamba-num-heads 128 \\
	--hybrid-layer-pattern '$super' --num-experts 512 --moe-router-topk 22 --moe-latent-size 1024 \\
	--moe-ffn-hidden-size 2688 --moe-shared-expert-intermediate-size 5376
END
same 'Nemotron 3 Super with its layer of prediction' 123611012096 "$(total "$tmp/super.sh" '.total + .mtp')"
cat >"$tmp/next.sh" <<END
python pretrain_gpt.py $(echo $common) --num-layers 48 --hidden-size 2048 --num-attention-heads 16 \\
	--vocab-size 151936 --group-query-attention --num-query-groups 2 --kv-channels 256 --ffn-hidden-size 5120 \\
	--swiglu --qk-layernorm \\
	--experimental-attention-variant gated_delta_net --linear-attention-freq 4 --attention-output-gate \\
	--linear-num-value-heads 32 --num-experts 512 --moe-router-topk 10 --moe-ffn-hidden-size 512 \\
	--moe-shared-expert-intermediate-size 512 --moe-shared-expert-gate
END
same 'Qwen3-Coder-Next' 79674391296 "$(total "$tmp/next.sh")"
sed 's/--linear-attention-freq 4/--linear-attention-freq "([1]*3+[0])*12"/' "$tmp/next.sh" >"$tmp/list.sh"
same 'the same by a list' "$(sapp-model "$tmp/next.sh" 2>"$tmp/err" | jq -c .pattern)" \
	"$(sapp-model "$tmp/list.sh" 2>"$tmp/err" | jq -c .pattern)"
cat >"$tmp/oss.sh" <<END
python pretrain_gpt.py $(echo $common | sed 's/--disable-bias-linear//') --num-layers 24 \\
	--hidden-size 2880 --num-attention-heads 64 --group-query-attention --num-query-groups 8 --kv-channels 64 \\
	--ffn-hidden-size 2880 --swiglu --vocab-size 201088 --num-experts 32 --moe-router-topk 4 \\
	--softmax-type learnable --window-size 128,0 --window-attn-skip-freq 2
END
same 'sliding and full attention in turn, with sinks' '12 129 64' "$(sapp-model "$tmp/oss.sh" 2>"$tmp/err" | jq -r '
	([.pattern[] | select(. == "sliding+moe")] | length) as $n | .classes[0] | "\($n) \(.window) \(.parameters)"')"
cat >"$tmp/deepseek.sh" <<END
python pretrain_gpt.py $(echo $common) --num-layers 61 --hidden-size 7168 --num-attention-heads 128 \\
	--multi-latent-attention --q-lora-rank 1536 --kv-lora-rank 512 --qk-head-dim 128 --qk-pos-emb-head-dim 64 \\
	--v-head-dim 128 --ffn-hidden-size 18432 --swiglu --vocab-size 129280 --num-experts 256 --moe-router-topk 8 \\
	--moe-ffn-hidden-size 2048 --moe-shared-expert-intermediate-size 2048 --moe-router-enable-expert-bias \\
	--moe-layer-freq '([0]*3+[1]*58)'
END
same 'DeepSeek V3' 671026419200 "$(total "$tmp/deepseek.sh")"
sed '$s/$/ --experimental-attention-variant dsa --dsa-indexer-n-heads 64 --dsa-indexer-head-dim 128 '\
'--dsa-indexer-topk 2048/' "$tmp/deepseek.sh" >"$tmp/sparse.sh"
same 'the indexer of V3.2 on every layer' $((61 * 13959424)) \
	$(($(total "$tmp/sparse.sh") - $(total "$tmp/deepseek.sh")))

# A list of arguments in a log gives the same network.
{
	echo '------------------------ arguments ------------------------'
	while read -r name value; do
		printf '  %s ................................ %s\n' "$name" "$value"
	done <<-END
	attention_output_gate False
	experimental_attention_variant None
	ffn_hidden_size 512
	group_query_attention False
	hidden_size 256
	hybrid_attention_ratio 0.0
	hybrid_layer_pattern M-M*|-M-*
	hybrid_mlp_ratio 0.0
	linear_attention_freq None
	mamba_head_dim 64
	mamba_state_dim 128
	max_position_embeddings 1024
	micro_batch_size 1
	global_batch_size 8
	moe_layer_freq 1
	normalization RMSNorm
	num_attention_heads 4
	num_layers 8
	padded_vocab_size 1024
	pipeline_model_parallel_size 2
	seq_length 1024
	tensor_model_parallel_size 1
	window_size None
	world_size 2
	END
	echo '-------------------- end of arguments ---------------------'
} >"$tmp/log"
sapp-model "$tmp/log" >"$tmp/out" 2>"$tmp/err"
same 'a hybrid out of a log' 'mamba2 mlp mamba2 attention mlp mamba2 mlp attention' "$(pattern <"$tmp/out")"
same 'with the layers of its stages' '[4,4] 1' \
	"$(jq -cr 'select(.kind == "candidate") | "\(.stage_layers | flatten | tojson) \(.vp)"' "$tmp/out")"

# Options one by one.
layers 'Mamba without a pattern' '--num-layers 4 --is-hybrid-model' 'mamba2*4'
layers 'ratios, as releases without a pattern allocate' \
	'--num-layers 10 --hybrid-attention-ratio 0.3 --hybrid-mlp-ratio 0.2' \
	'mamba2*2 attention mamba2 mlp attention mamba2 attention mamba2 mlp'
layers 'attention alone' '--num-layers 8 --hybrid-attention-ratio 0.25' 'mamba2*2 attention mamba2*2 attention mamba2*2'
layers 'pieces do not count' "--hybrid-layer-pattern 'M-|M*|-M'" 'mamba2 mlp mamba2 attention mlp mamba2'
layers 'latent attention has a symbol of its own' "--hybrid-layer-pattern 'M+' --kv-lora-rank 32" 'mamba2 latent'
same 'and heads of latent sizes' '32 128' \
	"$(run "--hybrid-layer-pattern 'M+'" | jq -r '"\(.kv_lora_rank) \(.v_head_dim)"')"
layers 'a gated delta net' "--hybrid-layer-pattern 'G-G*'" 'delta mlp delta attention'
layers 'experts of a list' "--num-layers 4 $moe --moe-layer-freq [0,1,1,0]" \
	'attention+mlp attention+moe*2 attention+mlp'
layers 'each layer in turn' "--num-layers 4 $moe --moe-layer-freq '([0,1]*2)'" ''
layers 'sliding windows at each but the third' "--num-layers 6 --window-size '(64, 0)' --window-attn-skip-freq 3" \
	'sliding+mlp*2 attention+mlp sliding+mlp*2 attention+mlp'
same 'windows of all layers' '65 1' "$(run '--num-layers 2 --window-size 64,0' | jq -r '"\(.window) \(.window_share)"')"
layers 'none where the window has no end' '--num-layers 2 --window-size -1,-1' ''
layers 'delta attention of Kimi' '--num-layers 4 --experimental-attention-variant kda --linear-attention-freq 4' \
	'kda+mlp*3 attention+mlp'
layers 'experts, gates and windows at once' "--num-layers 3 $moe --attention-output-gate --window-size 8,0 \
--window-attn-skip-freq [1,0,1] --moe-layer-freq [1,1,0]" 'gated_sliding+moe gated_attention+moe gated_sliding+mlp'
run "--hybrid-layer-pattern 'M-M*' --num-layers 9" >"$tmp/out"
check 'another number of layers is named' grep -q \
	"hybrid_layer_pattern: the pattern has 4 layers, which are used instead of num_layers '9'" "$tmp/err"

# bad TITLE OPTIONS MESSAGE
bad() { echo "python pretrain_gpt.py $base $2" >"$tmp/bad.sh"; fails "$1" 1 "$3" sapp-model "$tmp/bad.sh"; }
bad 'a symbol that is none' "--hybrid-layer-pattern 'MX'" \
	"bad.sh:1: --hybrid-layer-pattern: not one of M, G"
bad 'a pattern of no layers' "--hybrid-layer-pattern '/*-'" 'bad.sh:1: hybrid_layer_pattern: no layers'
bad 'predictions that are not alike' "--hybrid-layer-pattern 'MM/*-/*E'" \
	'the blocks for multi-token prediction differ from each other'
bad 'a ratio above 1' '--num-layers 4 --hybrid-attention-ratio 1.5' \
	"bad.sh:1: hybrid_attention_ratio: not between 0 and 1 '1.5'"
bad 'a list that is not closed' "--num-layers 2 $moe --moe-layer-freq '[0,1'" \
	'bad.sh:1: moe_layer_freq: not a list of layers'
bad 'a list of other numbers' "--num-layers 2 $moe --moe-layer-freq [0,2]" \
	'bad.sh:1: moe_layer_freq: not a list of layers'
bad 'a list of too few layers' "--num-layers 3 --experimental-attention-variant gdn --linear-attention-freq [0,1]" \
	'linear_attention_freq: a list of 2 layers, but the network has 3'
bad 'a list that never ends' "--num-layers 2 $moe --moe-layer-freq '[0]*99999*99999'" \
	'moe_layer_freq: not a list'
bad 'brackets without end' "--num-layers 2 $moe --moe-layer-freq '$(printf '%040d' 0 | tr 0 '(')[0,1]'" \
	'moe_layer_freq: not a list'
bad 'a window that looks ahead' '--num-layers 2 --window-size 8,8' \
	"bad.sh:1: window_size: expected W,0: a window of W tokens before, none after '8,8'"
bad 'a window that is none' '--num-layers 2 --window-size wide' 'window_size: expected W,0: a window of W tokens before'
bad 'a tower with stages of its own' '--num-layers 4 --encoder-pipeline-model-parallel-size 1' \
	"encoder_pipeline_model_parallel_size: a tower with its own degrees of parallelism is not supported '1'"
bad 'attention of a kind that is not known' '--num-layers 2 --experimental-attention-variant magic' \
	'the kind of layer 0 is unknown'
bad 'an indexer without its sizes' '--num-layers 2 --multi-latent-attention --experimental-attention-variant dsa' \
	"no window: its formula index_topk needs 'dsa_indexer_topk', which is missing"

# MindFormers.
yaml() { cat <<-END
	trainer:
	  model_name: mine
	model:
	  model_config:
	    num_layers: 4
	    hidden_size: 256
	    num_heads: 4
	    intermediate_size: 512
	    vocab_size: 1000
	    seq_length: 1024
	END
	for line; do echo "    $line"; done; }
mine() { title=$1 want=$2; shift 2; yaml "$@" >"$tmp/mine.yaml"
	same "$title" "$want" "$(sapp-model "$tmp/mine.yaml" 2>"$tmp/err" | pattern)"; }
experts='n_routed_experts: 8
    num_experts_per_tok: 2
    moe_intermediate_size: 64'
mine 'YAML: a list of layers with experts' 'attention+moe*2 attention+mlp attention+moe' "$experts" \
	'moe_layer_freq: [1, 1, 0, 1]'
yaml "$experts" 'moe_layer_freq: 2' >"$tmp/mine.yaml"
same 'a frequency' '2 null' "$(sapp-model "$tmp/mine.yaml" 2>"$tmp/err" | jq -r '"\(.moe_every) \(.dense_layers)"')"
yaml "$experts" 'first_k_dense_replace: 1' 'moe_layer_freq: 1' >"$tmp/mine.yaml"
same 'first layers without' 1 "$(sapp-model "$tmp/mine.yaml" 2>"$tmp/err" | jq .dense_layers)"
mine 'linear attention' 'delta+mlp*3 attention+mlp' 'full_attention_interval: 4' 'linear_num_key_heads: 2' \
	'linear_num_value_heads: 4' 'linear_key_head_dim: 32' 'linear_value_head_dim: 32' 'linear_conv_kernel_dim: 4'
mine 'sliding windows of a list' 'sliding+mlp*3 attention+mlp' 'sliding_window: 128' \
	'layer_types: [sliding_attention, sliding_attention, sliding_attention, full_attention]'
mine 'windows with a frequency' 'sliding+mlp attention+mlp sliding+mlp attention+mlp' 'window_size: [128, 0]' \
	'window_attn_skip_freq: 2'
yaml 'full_attention_interval: 4' >"$tmp/mine.yaml"
fails 'sizes that are not there' 1 "needs 'linear_num_key_heads', which is missing" sapp-model "$tmp/mine.yaml"
done_testing
