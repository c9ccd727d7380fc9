#!/bin/bash
# One argument, key or option at a time, and its effect on the network or the current run.
. "$(dirname "$0")/../lib.sh"
base='--num-layers 8 --hidden-size 256 --num-attention-heads 4 --seq-length 128 --vocab-size 1000 --swiglu'
run='--micro-batch-size 1 --nproc_per_node 8 --nnodes 2 --tensor-model-parallel-size 2 --pipeline-model-parallel-size 4'
moe="$run --global-batch-size 16 --num-experts 4 --expert-model-parallel-size 2"
graphs="$moe --cuda-graph-impl" selective="$moe --recompute-granularity selective --recompute-modules"
of() { jq -rs "[.[] | select(.kind == \"$1\")][0] | $2" "$tmp/out"; }

# Megatron-LM
while IFS='|' read -r arguments kind member want; do
	echo "$base $arguments" >"$tmp/args"
	sapp-model "$tmp/args" >"$tmp/out" 2>"$tmp/err"
	same "$arguments" "$want" "$(of "$kind" "$member" | xargs -d '\n')"
done <<END
--group-query-attention --num-query-groups 2|network|.kv_heads|2
--disable-bias-linear --add-qkv-bias|network|.bias|qkv
--qk-layernorm|network|.qk_norm|true
--attention-backend unfused|network|.flash|false
--grad-reduce-in-bf16|network|.precision.gradient|2
--use-rotary-position-embeddings|network|.positions|null
--normalization RMSNorm|network|.norm|null
--kv-channels 32|network|.head_dim|32
--num-experts 4|network|.expert_ffn_size|640
--num-experts 4 --moe-ffn-hidden-size 64 --n-shared-experts 2|network|.shared_ffn_size|128
--num-experts 4 --moe-layer-freq 2|network|.moe_every|2
--num-experts 4 --first-k-dense-replace 3|network|.dense_layers|3
--num-experts 4 --moe-router-enable-expert-bias|network|.router_bias|true
--num-experts 4 --moe-layer-freq "([0,1]*4)"|network|"\(.dense_layers) \(.moe_every)"|1 2
$run --global-batch-size 16|candidate|"\(.dp) \(.micro_batches) \(.recompute)"|2 8 none
$run --global-batch-size 16 --recompute-activations|candidate|.recompute|core
$run --global-batch-size 16 --recompute-granularity selective|candidate|.recompute|core
$run --global-batch-size 16 --num-virtual-stages-per-pipeline-rank 2|candidate|.vp|2
$moe|candidate|"\(.dispatcher) \(.ep_overlap) \(.graph) \(.graph_scope)"|null null null null
$moe --moe-token-dispatcher-type alltoall|candidate|.dispatcher|alltoall
$moe --moe-token-dispatcher-type alltoall_seq|candidate|.dispatcher|alltoall
$moe --moe-token-dispatcher-type allgather|candidate|.dispatcher|null
$moe --moe-token-dispatcher-type flex --moe-flex-dispatcher-backend hybridep|candidate|.dispatcher|flex
$moe --moe-token-dispatcher-type alltoall --moe-enable-deepep|candidate|.dispatcher|flex
$run --global-batch-size 16 --moe-token-dispatcher-type flex|candidate|.dispatcher|null
$moe --moe-permute-fusion|candidate|.fused[]|permute
$moe --use-fused-moe-token-permute-and-unpermute|candidate|.fused[]|permute
$moe --moe-token-dispatcher-type flex --moe-permute-fusion|candidate|.fused|null
$run --global-batch-size 16 --moe-permute-fusion|candidate|.fused|null
$run --global-batch-size 16 --sequence-parallel --use-ascend-mc2|candidate|.fused[]|mc2
$run --global-batch-size 16 --use-ascend-mc2|candidate|.fused|null
$moe --sequence-parallel --use-ascend-mc2|candidate|.fused|null
$moe --overlap-moe-expert-parallel-comm|candidate|.ep_overlap|true
$moe --moe-fb-overlap|candidate|.ep_overlap|true
$moe --cuda-graph-impl none|candidate|.graph|null
$moe --cuda-graph-impl local --cuda-graph-scope full_iteration|candidate|"\(.graph) \(.graph_scope)"|full null
$graphs transformer_engine --cuda-graph-scope attn moe_router --bf16|candidate|.graph_scope[]|attn moe_router
$moe --external-cuda-graph|candidate|.graph_scope[]|attn moe_router moe_preprocess
$run --global-batch-size 16 --external-cuda-graph|candidate|"\(.graph) \(.graph_scope)"|full null
$run --global-batch-size 16 --recompute-granularity selective --recompute-modules mlp|candidate|.recompute[]|mlp
$selective moe_act layernorm --bf16|candidate|.recompute[]|layernorm moe_act
$moe --recompute-granularity selective --recompute-modules shared_experts|candidate|.recompute[]|
$moe --fp8-format hybrid --fp8-recipe mxfp8|candidate|"\(.store) \(.attention8) \(.compute)"|1.03125 null mxfp8
$moe --fp8-format hybrid --fp8-dot-product-attention|candidate|"\(.store) \(.attention8) \(.compute)"|1.03125 true fp8
$moe --fp4-format e2m1|candidate|.store|0.5625
$moe --use-precision-aware-optimizer --exp-avg-dtype bf16 --exp-avg-sq-dtype bf16|network|.precision.optimizer|8
$moe --use-precision-aware-optimizer --exp-avg-dtype fp8 --main-grads-dtype bf16|network|.precision[]|2 9
$moe --moe-router-num-groups 4 --moe-router-group-topk 2|network|.node_limit|2
$moe --moe-router-group-topk 2 --moe-router-force-load-balancing|network|.node_limit|null
END
while read -r layout stages; do
	echo "$base $moe --pipeline-model-parallel-layout $layout" >"$tmp/args"
	check "$layout" run 0 sapp-model "$tmp/args"
	same "$layout: layers of each stage" "$stages" "$(of candidate '"\(.vp) \(.stage_layers)"')"
done <<'END'
"Et|t*2|t*3|t*2L" 1 [1,2,3,2]
"Et|t|t|t|t|t|t|tL" 2 [2,2,2,2]
END
bad_argument() { echo "$base $2" >"$tmp/args"; fails "$1" 1 "$3" sapp-model "$tmp/args"; }
bad_argument 'a list of layers that does not end' '--num-experts 4 --moe-layer-freq "([0]*1+[1"' \
	"moe_layer_freq: not a list of layers '([0]*1+[1'"
bad_argument 'a list of other layers' '--num-experts 4 --moe-layer-freq "([0]+[1])*3"' \
	"moe_layer_freq: a list of 6 layers, but the network has 8 '([0]+[1])*3'"
echo "$base --num-experts 4 --moe-layer-freq \"([1]+[0]+[1]+[0]*2+[1]*3)\"" >"$tmp/args"
same 'mixtures here and there' 'moe mlp moe mlp mlp moe moe moe' \
	"$(sapp-model "$tmp/args" 2>"$tmp/err" | jq -r '[.pattern[] | sub(".*[+]"; "")] | join(" ")')"
bad_argument 'a layout of other stages' "$moe --pipeline-model-parallel-layout Et*4|t*4L" 'layout: '
bad_argument 'a layout that is none' "$moe --pipeline-model-parallel-layout Ex|t|t|tL" 'layout: not one of E'
echo "$base $moe --recompute-granularity selective --recompute-modules mlp all" >"$tmp/args"
check 'a module that is not known' run 0 sapp-model "$tmp/args"
check 'is named' grep -q "recompute_modules: not known, ignored 'all'" "$tmp/err"
bad_argument 'heads that do not divide' '--hidden-size 250' '--hidden-size: not a multiple of --num-attention-heads'
bad_argument 'a batch that does not divide' "$run --global-batch-size 7" \
	"7 sequences per step: not a multiple of dp 2 times 1 sequences per micro-batch '7'"
echo "$base $run --global-batch-size 16" >"$tmp/args"
fails 'devices that do not divide' 1 "12 devices: not a multiple of tp 2 times pp 4 times cp 1 '12'" \
	sapp-model -n 12 "$tmp/args"
echo "$base $run" >"$tmp/args"
check 'no batch' run 0 sapp-model "$tmp/args"
same 'no candidate then, which is said' '0 1' "$(grep -c '"candidate"' "$tmp/out") $(grep -c 'give it with' "$tmp/err")"
check 'but with -gb' run 0 sapp-model -gb 16 -name mine "$tmp/args"
same 'and a name' 'mine 8' "$(of network .name) $(of candidate .micro_batches)"
printf 'export WORLD_SIZE=32\n%s\n' "python pretrain_gpt.py $base --micro-batch-size 1 --global-batch-size 64" \
	>"$tmp/world.sh"
check 'devices of a variable' run 0 sapp-model "$tmp/world.sh"
same 'as many' 32 "$(of candidate .dp)"

# Hugging Face
llama='{"model_type":"llama","num_hidden_layers":8,"hidden_size":256,"num_attention_heads":4,"intermediate_size":640,
	"vocab_size":1000,"max_position_embeddings":128}'
config() { jq -nc "$llama | $1" >"$tmp/config.json"; }
while IFS='|' read -r change member want; do
	config "${change//;/|}"
	sapp-model "$tmp/config.json" >"$tmp/out" 2>"$tmp/err"
	same "$change" "$want" "$(of network "$member")"
done <<'END'
.attention_bias = true|.bias|qkv
.use_bias = true|.bias|all
.hidden_dropout = 0.1|.dropout|true
.attention_dropout = 0|.dropout|null
._name_or_path = "some/where/good"|.name|good
._name_or_path = "good"|.name|good
.model_type = "bert"|.causal|false
.model_type = "gpt_bigcode" ; .multi_query = true|.kv_heads|1
.n_routed_experts = 4 ; .num_experts_per_tok = 2 ; .moe_intermediate_size = 64 ; .moe_layer_freq = 2|.moe_every|2
.num_local_experts = 4 ; .num_experts_per_tok = 2|.expert_ffn_size|640
.num_experts = 4 ; .moe_top_k = 2 ; .moe_intermediate_size = 64 ; .mlp_only_layers = [0, 1]|.dense_layers|2
.num_experts = 4 ; .moe_top_k = 2 ; .moe_intermediate_size = 64 ; .mlp_only_layers = [0, 2]|.pattern[2]|attention+mlp
.num_key_value_heads = null|.kv_heads|null
END
while IFS='|' read -r change message; do
	config "${change//;/|}"
	fails "$change" 1 "$message" sapp-model "$tmp/config.json"
done <<'END'
.num_hidden_layers = 99999999999|num_hidden_layers: out of range '99999999999'
.num_hidden_layers = "8x"|num_hidden_layers: not a whole number '8x'
.num_hidden_layers = [8]|num_hidden_layers: not a whole number 'a list or a map'
.hidden_dropout = "much"|hidden_dropout: not a number 'much'
.attention_bias = "maybe"|attention_bias: not a number 'maybe'
.tie_word_embeddings = {}|tie_word_embeddings: neither true nor false 'a list or a map'
.num_hidden_layers = 0|num_hidden_layers: not positive '0'
END

# MindFormers
training() { printf 'model:\n  model_config:\n    type: LlamaConfig\n    num_layers: 8\n    hidden_size: 256\n' &&
	printf '    num_heads: 4\n    seq_length: 128\n    vocab_size: 1000\n    intermediate_size: 640\n' &&
	printf '    %s\n' "$1"; }
while IFS='|' read -r line member want; do
	training "$line" >"$tmp/train.yaml"
	sapp-model "$tmp/train.yaml" >"$tmp/out" 2>"$tmp/err"
	same "$line" "$want" "$(of network "$member")"
done <<'END'
tie_word_embeddings: True|.tied|true
tie_word_embeddings: False|.tied|null
use_flash_attention: off|.flash|false
use_flash_attention: yes|.flash|null
qk_layernorm: True|.qk_norm|true
n_kv_heads: 2|.kv_heads|2
END

# The kind of attention with context parallelism.
kind() { jq -r 'select(.kind == "candidate") | .cp_kind // "ring"'; }
for words in '--cp-comm-type a2a|ulysses' '--cp-comm-type p2p|ring' '--context-parallel-algo ulysses_cp_algo|ulysses' \
	'--context-parallel-algo megatron_cp_algo|ring'; do
	printf '%s\n' "--num-layers 8 --hidden-size 256 --num-attention-heads 4 --seq-length 128 --vocab-size 1000 \
		--context-parallel-size 2 --micro-batch-size 1 --global-batch-size 8 ${words%|*}" >"$tmp/run.args"
	same "$words" "${words#*|}" "$(sapp-model -n 8 "$tmp/run.args" 2>"$tmp/err" | kind)"
done
for words in 'ulysses_cp|ulysses' 'colossalai_cp|ring'; do
	{ training 'n_kv_heads: 2'; printf 'parallel_config:\n  data_parallel: 2\n  model_parallel: 1\n' &&
		printf '  context_parallel: 2\n  context_parallel_algo: %s\n' "${words%|*}"; } >"$tmp/train.yaml"
	same "context_parallel_algo: $words" "${words#*|}" "$(sapp-model "$tmp/train.yaml" 2>"$tmp/err" | kind)"
done
training 'tie_word_embeddings: perhaps' >"$tmp/train.yaml"
fails 'neither true nor false' 1 "train.yaml:10: tie_word_embeddings: neither true nor false 'perhaps'" sapp-model \
	"$tmp/train.yaml"
done_testing
