#!/bin/sh
# Networks from config.json, training YAML, scripts and arguments; missing values get a message.
. "$(dirname "$0")/../lib.sh"
network() { sapp-model "$@" 2>"$tmp/err" | jq -c 'select(.kind == "network") | del(.kind)'; }
current() { sapp-model "$@" 2>"$tmp/err" | jq -r 'select(.kind == "candidate") |
	"\(.dp) \(.tp) \(.cp) \(.pp) \(.ep) \(.etp) \(.zero) \(.vp) \(.mbs) \(.micro_batches) \(.sp) \(.recompute)"'; }
total() { sapp-model "$@" 2>/dev/null | sapp-est -parameters | jq -r 'select(.total) | .total'; }

# Hugging Face: totals are the published ones.
config() { echo "$2" >"$tmp/$1.json"; }
config gpt2 '{"model_type":"gpt2","n_layer":12,"n_embd":768,"n_head":12,"n_positions":1024,"n_ctx":1024,'\
'"vocab_size":50257,"layer_norm_epsilon":1e-05,"attn_pdrop":0.1}'
same 'gpt2' 124439808 "$(total "$tmp/gpt2.json")"
config llama \
	'{"model_type":"llama","num_hidden_layers":32,"hidden_size":4096,"num_attention_heads":32,'\
'"num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256,"max_position_embeddings":8192,'\
'"tie_word_embeddings":false}'
same 'llama 3 8B' 8030261248 "$(total "$tmp/llama.json")"
config qwen2 \
	'{"model_type":"qwen2","num_hidden_layers":80,"hidden_size":8192,"num_attention_heads":64,'\
'"num_key_value_heads":8,"intermediate_size":29568,"vocab_size":152064,"max_position_embeddings":32768,'\
'"tie_word_embeddings":false}'
same 'qwen 2.5 72B' 72706203648 "$(total "$tmp/qwen2.json")"
config qwen3 \
	'{"model_type":"qwen3_moe","num_hidden_layers":48,"hidden_size":2048,"head_dim":128,"num_attention_heads":32,'\
'"num_key_value_heads":4,"intermediate_size":6144,"moe_intermediate_size":768,"num_experts":128,'\
'"num_experts_per_tok":8,"vocab_size":151936,"max_position_embeddings":40960,"tie_word_embeddings":false,'\
'"decoder_sparse_step":1,"mlp_only_layers":[]}'
same 'qwen 3 30B' 30532122624 "$(total "$tmp/qwen3.json")"
same 'mixtral 8x7B' 46702792704 "$(total "$top/examples/moe-64/config.json")"
config deepseek \
	'{"model_type":"deepseek_v3","num_hidden_layers":61,"hidden_size":7168,"num_attention_heads":128,'\
'"num_key_value_heads":128,"intermediate_size":18432,"moe_intermediate_size":2048,"n_routed_experts":256,'\
'"num_experts_per_tok":8,"n_shared_experts":1,"first_k_dense_replace":3,"moe_layer_freq":1,"q_lora_rank":1536,'\
'"kv_lora_rank":512,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"num_nextn_predict_layers":1,'\
'"vocab_size":129280,"max_position_embeddings":163840,"tie_word_embeddings":false}'
same 'deepseek 3' 671026419200 "$(total "$tmp/deepseek.json")"
config neox '{"model_type":"gpt_neox","num_hidden_layers":44,"hidden_size":6144,"num_attention_heads":64,'\
'"intermediate_size":24576,"vocab_size":50432,"max_position_embeddings":2048,"tie_word_embeddings":false}'
same 'gpt-neox 20B' 20554567680 "$(total "$tmp/neox.json")"
config maverick \
	'{"model_type":"llama4","text_config":{"model_type":"llama4_text","num_hidden_layers":48,"hidden_size":5120,'\
'"num_attention_heads":40,"num_key_value_heads":8,"head_dim":128,"intermediate_size":8192,'\
'"intermediate_size_mlp":16384,"interleave_moe_layer_step":2,"num_local_experts":128,"num_experts_per_tok":1,'\
'"vocab_size":202048,"max_position_embeddings":8192}}'
same 'every second layer a mixture' '16384 8192 1 2' \
	"$(network "$tmp/maverick.json" | jq -r '"\(.ffn_size) \(.expert_ffn_size) \(.dense_layers) \(.moe_every)"')"
jq -c '.whatever = 1' "$tmp/llama.json" >"$tmp/more.json"
network "$tmp/more.json" >/dev/null
check 'a key that is not known is named with its line' grep \
	-q "more.json:1: warning: a key: not known, ignored 'whatever'" "$tmp/err"
jq -c '.model_type = "newest"' "$tmp/llama.json" >"$tmp/new.json"
fails 'a family that is not known' 1 "model_type: not a known family" \
	sapp-model "$tmp/new.json"
for key in num_hidden_layers hidden_size num_attention_heads intermediate_size vocab_size max_position_embeddings; do
	jq -c "del(.$key)" "$tmp/llama.json" >"$tmp/less.json"
	fails "without $key" 1 "$key |" sapp-model "$tmp/less.json"
	jq -c ".$key = 0" "$tmp/llama.json" >"$tmp/less.json"
	fails "$key 0" 1 "$key: not positive '0'" sapp-model "$tmp/less.json"
	jq -c ".$key = 1.5" "$tmp/llama.json" >"$tmp/less.json"
	fails "$key with a fraction" 1 "$key: not a whole number '1.5'" sapp-model "$tmp/less.json"
done
same 'the sequence may be said' 1234 "$(network -seq 1234 "$tmp/llama.json" | jq .seq_length)"
same 'devices and sequences make no candidate of a config' '' "$(current -n 8 -gb 8 "$tmp/llama.json")"

# MindFormers
same 'training YAML' "$(network "$top/examples/moe-64/config.json" | jq -c 'del(.name)')" \
	"$(network "$top/examples/moe-64/train.yaml" | jq -c 'del(.name)')"
same 'what it runs' '8 2 1 4 8 1 1 1 1 32 true full' "$(current "$top/examples/moe-64/train.yaml")"
sed '/num_layers/d; /hidden_size/d' "$top/examples/moe-64/train.yaml" >"$tmp/half.yaml"
fails 'a YAML without a shape' 1 'no layers: its usual place is model: model_config: num_layers' sapp-model \
	"$tmp/half.yaml"
same 'goes behind the file that has it' '1 8 2' "$(sapp-model "$tmp/llama.json" "$tmp/half.yaml" 2>/dev/null |
	jq -s '"\(map(select(.kind == "network")) | length) \(.[1].dp) \(.[1].tp)"' -r)"
sed 's/intermediate_size: 14336$/multiple_of: 4096\n    ffn_dim_multiplier: 1.3/; /expert/d; /^moe_config/,$d' \
	"$top/examples/moe-64/train.yaml" | sed 's/hidden_size: 4096/hidden_size: 8192/' >"$tmp/mult.yaml"
same 'a feed-forward by its multiple' 28672 "$(network "$tmp/mult.yaml" | jq .ffn_size)"
if [ -d "$top/../shared/data/yaml" ]; then
	for f in "$top"/../shared/data/yaml/*.yaml; do
		sapp-model "$f" >"$tmp/out" 2>"$tmp/err" || grep -q 'its usual place is' "$tmp/err" ||
			{ diag <"$tmp/err"; echo bad; }
	done >"$tmp/bad"
	same 'published YAMLs are read, or what they leave to other files is named' '' "$(cat "$tmp/bad")"
else
	skip 'published YAMLs are not here'
fi

# Megatron-LM, MindSpeed
cat >"$tmp/run.sh" <<'EOF'
#!/bin/bash
# a run of some years ago
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NNODES=${NNODES:-16}
TP=4; PP=8
MBS=2
GBS=$((MBS * 4 * 64))
DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE   # all of a node
    --nnodes $NNODES
)
GPT_ARGS="
    --num-layers 96 \
    --hidden-size 12288 \
    --num-attention-heads 96 --seq-length 2048
    --max-position-embeddings 2048
"
TRAIN_ARGS="--micro-batch-size ${MBS} --global-batch-size $GBS --bf16 \
    --attention-dropout 0.0 --hidden-dropout 0.0"
MODEL_PARALLEL="--tensor-model-parallel-size $TP --pipeline-model-parallel-size=$PP --sequence-parallel"
torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py $GPT_ARGS $TRAIN_ARGS \
    $MODEL_PARALLEL --vocab-size 51200 --use-distributed-optimizer \
    --num-layers-per-virtual-pipeline-stage 3 --recompute-granularity full \
    --recompute-method uniform --recompute-num-layers 1
EOF
same 'a script' \
	'{"bias":"all","ffn_size":49152,"gated":false,"hidden_size":12288,"layers":96,"norm":"layer","num_heads":96,'\
'"positions":2048,"seq_length":2048,"tied":true,"vocab_multiple":128,"vocab_size":51200}' \
	"$(network "$tmp/run.sh" | jq -c 'del(.name)')"
same 'with its degrees' '4 4 1 8 1 1 1 4 2 64 true full' "$(current "$tmp/run.sh")"
same 'on other devices' '8 4 1 8 1 1 1 4 2 32 true full' "$(current -n 256 "$tmp/run.sh")"
cat >"$tmp/moe.sh" <<'EOF'
NPUS_PER_NODE=16
NNODES=4
TP=2
PP=4
EP=8
MOE_ARGS="
    --num-experts 64 \
    --moe-router-topk 6 \
    --moe-ffn-hidden-size 1408 \
    --moe-layer-freq ([0]*1+[1]*27) \
    --moe-shared-expert-intermediate-size 2816 \
    --expert-model-parallel-size ${EP}
"
MLA_ARGS='
    --multi-latent-attention --kv-lora-rank 512 --qk-head-dim 128 --qk-pos-emb-head-dim 64 --v-head-dim 128
'
GPT_ARGS="--num-layers 28 --hidden-size 2048 --ffn-hidden-size 10944 --num-attention-heads 16 --seq-length 4096 \
    --swiglu --normalization RMSNorm --disable-bias-linear --untie-embeddings-and-output-weights \
    --position-embedding-type rope --padded-vocab-size 102400 --micro-batch-size 1 --global-batch-size 64 \
    --attention-dropout 0 --hidden-dropout 0 --tensor-model-parallel-size ${TP} --pipeline-model-parallel-size ${PP}"
torchrun --nproc_per_node $NPUS_PER_NODE --nnodes $NNODES pretrain_gpt.py $GPT_ARGS $MOE_ARGS $MLA_ARGS
EOF
same 'groups of arguments in quotes' 64 "$(network "$tmp/moe.sh" | jq .experts)"
same 'a pattern of layers' '1 null' "$(network "$tmp/moe.sh" | jq -r '"\(.dense_layers) \(.moe_every)"')"
same 'etp is tp where it is not said' '8 2 1 4 8 2 0 1 1 8 false none' "$(current "$tmp/moe.sh")"
echo '--num-layers 4 --hidden-size 256 --num-attention-heads 4 --seq-length 128 --vocab-size 1000 --swiglu '\
'--micro-batch-size 1' >"$tmp/args"
same 'plain arguments' '4 640 true' "$(network "$tmp/args" | jq -r '"\(.layers) \(.ffn_size) \(.gated)"')"
sed 's/--vocab-size 1000//' "$tmp/args" >"$tmp/less"
fails 'a vocabulary that stands nowhere' 1 '--vocab-size' sapp-model "$tmp/less"
same 'can be said' 1000 "$(network -vocab 1000 "$tmp/less" | jq .vocab_size)"
sed 's/--num-layers 4/--num-layers four/' "$tmp/args" >"$tmp/less"
fails 'a number that is none' 1 "num_layers: not a whole number 'four'" sapp-model "$tmp/less"
fails 'nothing' 1 'the file is empty' sapp-model /dev/null
fails 'missing operand: a file' 2 'missing operand: a file' sapp-model
fails 'a file that is not there' 1 'nowhere' sapp-model "$tmp/nowhere"
echo 'just words' >"$tmp/words"
fails 'words' 1 'not a config.json, a training YAML or arguments' sapp-model "$tmp/words"
# Arithmetic of a shell, and invalid arithmetic.
summed() { printf 'N=$((%s))\n%s $N %s\n' "$1" 'python pretrain_gpt.py --swiglu --num-layers' \
	'--hidden-size 256 --num-attention-heads 4 --seq-length 128 --vocab-size 1000' >"$tmp/sum.sh"; }
while IFS='|' read -r sum want; do
	summed "$sum"
	same "\$(($sum))" "$want" "$(network "$tmp/sum.sh" | jq .layers)"
done <<'EOF'
2 + 3 * 4|14
(2+3)*4|20
-2 * -7|14
17 % 5 + 10 / 3|5
10 - 3 - 2|5
7 / -1 + 14|7
9 % -1 + 4|4
((((4))))|4
EOF
for sum in 1/0 '5 % 0' '4 4' '4 +' ')4('; do
	summed "$sum"
	fails "no sum: $sum" 1 "sum.sh" sapp-model "$tmp/sum.sh"
done
done_testing
