#!/bin/sh
# sapp-yaml -r on typical scripts that run Megatron-LM and MindSpeed-LLM; -init; refused scripts.
. "$(dirname "$0")/../lib.sh"
unset -f jq	# the order of members matters here

# reads NAME WANT: the script on standard input: stages, chunks, micro-batches, schedule, and layers by recomputation.
reads() {
	name=$1 want=$2
	cat >"$tmp/train.sh"
	same "$name" "$want" "$(sapp-yaml -r "$tmp/train.sh" /dev/null 2>"$tmp/err" | jq -r 'select(.kind == "plan") |
		"\(.schedule) \(.micro_batches // 0) \(.counts.BODY | with_entries(select([.value | flatten[]] | add '\
'> 0)) | tostring)"')"
}
reads 'variables, a string of several lines, comments' '1f1b 16 {"none":[[2,2,2,2]],"full":[[1,1,1,1]]}' <<'EOF'
#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NNODES=2            # nodes
WORLD_SIZE=$(($GPUS_PER_NODE*$NNODES))
TP=2 PP=4
MBS=1
GBS=$((WORLD_SIZE / (TP * PP) * MBS * 16))
DISTRIBUTED_ARGS="--nproc_per_node $GPUS_PER_NODE --nnodes $NNODES --master_addr $MASTER_ADDR"
GPT_ARGS="
    --tensor-model-parallel-size ${TP} \
    --pipeline-model-parallel-size ${PP} \
    --num-layers 12 \
    --hidden-size 4096 \
    --micro-batch-size ${MBS} \
    --global-batch-size ${GBS} \
    --recompute-granularity full \
    --recompute-method block \
    --recompute-num-layers 1 \
    --bf16
"
torchrun $DISTRIBUTED_ARGS pretrain_gpt.py $GPT_ARGS --data-path ${DATA:-/data/x}
EOF
# Earlier names of the arguments of recomputation.
base='--num-layers 12 --pipeline-model-parallel-size 2'
reads 'checkpoint-activations' '1f1b 0 {"full":[[6,6]]}' <<EOF
python x.py $base --checkpoint-activations --checkpoint-num-layers 1
EOF
reads 'activations-checkpoint-method' '1f1b 0 {"none":[[4,4]],"full":[[2,2]]}' <<EOF
python x.py $base --activations-checkpoint-method block --activations-checkpoint-num-layers=2
EOF
reads 'a number of layers alone recomputes none' '1f1b 0 {"none":[[6,6]]}' <<EOF
python x.py $base --checkpoint-num-layers 1
EOF
reads 'no layer of each chunk' '1f1b 0 {"none":[[6,6]]}' <<EOF
python x.py $base --recompute-granularity full --recompute-method block --recompute-num-layers 0
EOF
reads "NeMo's selective" '1f1b 0 {"select":[[6,6]]}' <<EOF
model.num_layers=12 model.pipeline_model_parallel_size=2 model.activations_checkpoint_granularity=selective
EOF
reads "NeMo's method, which is whole layers" '1f1b 0 {"full":[[6,6]]}' <<EOF
model.num_layers=12 model.pipeline_model_parallel_size=2 model.activations_checkpoint_method=uniform
EOF
# A log that lists its arguments, with colours, names of tasks, and other lines around.
cat >"$tmp/a.log" <<'EOF'
using world size: 8, data-parallel-size: 2, tensor-model-parallel size: 2, pipeline-model-parallel size: 2
------------------------ arguments ------------------------
  add_bias_linear ................................. False
  data_path ....................................... ['/data/a b', 'c']
  encoder_seq_length .............................. 64
  global_batch_size ............................... 16
  hidden_size ..................................... 64
  max_position_embeddings ......................... 64
  micro_batch_size ................................ 1
  num_attention_heads ............................. 4
  num_layers ...................................... 8
  num_layers_per_virtual_pipeline_stage ........... 2
  pipeline_model_parallel_size .................... 2
  recompute_granularity ........................... full
  recompute_method ................................ uniform
  recompute_modules ............................... ['core_attn', 'mlp']
  recompute_num_layers ............................ 1
  seq_length ...................................... 64
  swiglu .......................................... True
  tensor_model_parallel_size ...................... 2
  use_flash_attn .................................. False
  virtual_pipeline_model_parallel_size ............ 2
  world_size ...................................... 8
-------------------- end of arguments ---------------------
> building GPT2BPETokenizer tokenizer ...
 > padded vocab (size: 250) with 6 dummy tokens (new size: 256)
EOF
reads 'a log' 'vpp 8 {"full":[[2,2],[2,2]]}' <"$tmp/a.log"
log=$(sapp-yaml -r "$tmp/a.log" </dev/null)
printf '[Rank 0] (after 2 iterations) memory (MB) | allocated: 1.0 | max allocated: 2.0 |\n' >"$tmp/memory.log"
fails 'a log without its arguments' 1 'memory.log: a log without the list of its arguments' \
	sapp-yaml -r "$tmp/memory.log"
sed "s/^/3: /; s/num_layers /\x1b[32m&\x1b[0m/" "$tmp/a.log" >"$tmp/colours.log"
same "with names of tasks and colours" "$log" "$(sapp-yaml -r "$tmp/colours.log" </dev/null)"
same "its network, with the vocabulary as it was padded" '[8,64,256,64,"none",true]' "$(sapp-model "$tmp/a.log" |
	jq -c 'select(.kind == "network") | [.layers, .hidden_size, .vocab_size, .seq_length, .bias, .gated]')"
{ cat "$tmp/a.log"; echo '-----------------------------------------'; } >"$tmp/line.log"
same "a line of dashes is no argument" 256 \
	"$(sapp-model "$tmp/line.log" | jq 'select(.kind == "network").vocab_size')"
same "and what it runs" '[2,2,2,2,8,"full"]' "$(sapp-model "$tmp/a.log" |
	jq -c 'select(.kind == "candidate") | [.dp, .tp, .pp, .vp, .micro_batches, .recompute]')"
sed 's/^  num_layers .*/  num_layers ... eight/' "$tmp/a.log" >"$tmp/bad.log"
fails "a number that is none is named with its line" 1 'bad.log:11: --num-layers: not a whole number' \
	sapp-yaml -r "$tmp/bad.log"
sed '/pipeline_model_parallel_size/d' "$tmp/a.log" >"$tmp/bad.log"
fails "without stages it is no log" 1 'bad.log' sapp-yaml -r "$tmp/bad.log"
sed 's/recompute_granularity .*/checkpoint_activations ...... True/; /recompute_method/d' "$tmp/a.log" >"$tmp/old.log"
same "earlier names in a log" "$log" "$(sapp-yaml -r "$tmp/old.log" </dev/null)"
reads 'an array, defaults, equal signs' 'vpp 0 {"select":[[2,2],[2,2]]}' <<'EOF'
VPP=${VPP:-2}
MODEL_ARGS=(
    --num-layers=8
    --pipeline-model-parallel-size "2"
    --num-virtual-stages-per-pipeline-rank ${VPP}
    --recompute-activations)
python pretrain_gpt.py "${MODEL_ARGS[@]}"
EOF
reads 'a layout with an empty piece and one that predicts' 'vpp 0 {"none":[[0,3],[2,2]]}' <<'EOF'
ARGS=(--num-layers 6 --mtp-num-layers 1 --pipeline-model-parallel-size 2)
ARGS+=(--pipeline-model-parallel-layout "E|(t)*3|tt,|tmL")
python pretrain_gpt.py "${ARGS[@]}"
EOF
reads 'embedding and loss count as layers' '1f1b 0 {"none":[[3,4,4,3]]}' <<EOF
--num-layers 14 --pipeline-model-parallel-size 4 --account-for-embedding-in-pipeline-split \
--account-for-loss-in-pipeline-split
EOF
reads 'a number for the last stage only' '1f1b 0 {"none":[[4,4,4,2]]}' <<'EOF'
--num-layers 14 --pipeline-model-parallel-size 4 --decoder-last-pipeline-num-layers 2
EOF
reads 'MindSpeed-LLM: a list' '1f1b 0 {"none":[[3,4,4,3]]}' <<'EOF'
    --num-layers 14 \
    --pipeline-model-parallel-size 4 \
    --num-layer-list 3,4,4,3
EOF
reads 'MindSpeed-LLM: layers that do nothing' 'vpp 0 {"none":[[2,1],[2,1]]}' <<'EOF'
    --num-layers 8 --pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 2 --noop-layers 3,7
EOF
reads 'MindSpeed-LLM: dualpipev, uniform recomputation' 'dualpipev 0 {"full":[[2,2],[2,2]]}' <<'EOF'
    --num-layers 8 --pipeline-model-parallel-size 2 --schedules-method dualpipev --moe-fb-overlap
    --recompute-granularity full --recompute-method uniform --recompute-num-layers 1
EOF
reads 'NeMo' 'vpp 0 {"none":[[1,1],[1,1]],"full":[[1,1],[1,1]]}' <<'EOF'
python train.py model.num_layers=8 model.pipeline_model_parallel_size=2 model.virtual_pipeline_model_parallel_size=2 \
    model.recompute_granularity=full model.recompute_method=block model.recompute_num_layers=1 \
    'model.recompute_modules=[core_attn]'
EOF
reads 'dualpipev: the last layer is on the first stage' 'dualpipev 0 {"none":[[2,2],[1,2]]}' <<'EOF'
--num-layers 8 --pipeline-model-parallel-size 2 --schedules-method dualpipev --noop-layers 7
EOF
v='--num-layers 8 --pipeline-model-parallel-size 2'
reads 'zero bubbles in V shape' 'zbv 0 {"none":[[2,2],[2,2]]}' <<EOF
$v --enable-zero-bubble --zero-bubble-v-schedule
EOF
reads 'with a third of the memory' 'v-min 0 {"none":[[2,2],[2,2]]}' <<EOF
$v --zero-bubble-v-schedule --zero-bubble-v-schedule-mem-setup min
EOF
reads 'zero bubbles for as many micro-batches as stages' 'zb-h1 0 {"none":[[4,4]]}' <<EOF
$v --enable-zero-bubble --zero-bubble-max-pending-backward 2
EOF
reads 'zero bubbles for twice as many' 'zb-h2 0 {"none":[[4,4]]}' <<EOF
$v --enable-zero-bubble --zero-bubble-max-pending-backward 4
EOF
reads 'nodes of the scheduler: layers, but no micro-batches' '1f1b 0 {"none":[[4,4]]}' <<'EOF'
torchrun --nproc_per_node 8 --nnodes $SLURM_NNODES x.py --num-layers 8 --pipeline-model-parallel-size 2 \
	--global-batch-size 64 --micro-batch-size 1
EOF
check 'and a warning' \
	grep -q "warning: --nnodes has no value: SLURM_NNODES is not set; give it: sapp-args -set" "$tmp/err"
refuse() {	# NAME MESSAGE SCRIPT
	name=$1 message=$2
	printf "%s\n" "$3" >"$tmp/bad.sh"
	fails "$name" 1 "$message" sapp-yaml -r "$tmp/bad.sh" /dev/null
	same "$name: nothing is written" '' "$(cat "$tmp/out")"
}
base='--num-layers 8 --pipeline-model-parallel-size 4'
refuse 'no layers' 'no --num-layers' '--pipeline-model-parallel-size 4'
refuse 'uneven' '--num-layers: 9 layers cannot be divided evenly over 4 pieces' \
	'--num-layers 9 --pipeline-model-parallel-size 4'
# shellcheck disable=SC2016 # for the script, not for this shell
refuse 'known when it runs' 'bad.sh:1: --num-layers has no value: argument 1 is not set; give it: sapp-args ' \
	'python x.py --num-layers $1 --pipeline-model-parallel-size 4'
refuse 'a variable in a list' "bad.sh:1: a list of arguments has no variables" \
	'--num-layers $1 --pipeline-model-parallel-size 4'
refuse 'no number' "--num-layers: not a whole number between 1 and 100000 '8x'" \
	'--num-layers 8x --pipeline-model-parallel-size 4'
refuse 'pieces of a layout' 'layout: 3 pieces cannot be divided evenly over 4 stages' \
	"$base --pipeline-model-parallel-layout Et|t|tL"
refuse 'layers of a layout' 'layout: 7 t and 0 m, but 8 layers' "$base --pipeline-model-parallel-layout 'Ettt|tt|t|tL'"
refuse 'letters of a layout' "layout: not one of E, t, m, L and '|' 'x'" \
	"$base --pipeline-model-parallel-layout 'Ettx|tt|tt|ttL'"
refuse 'a group of nothing in a layout' "layout: not one of E, t, m, L and '|' '('" \
	"$base --pipeline-model-parallel-layout 'E()*2tt|tt|tt|ttL'"
refuse 'a layout that explodes' 'repeated too often' "$base --pipeline-model-parallel-layout 'E(t)*99999999|tt|tt|ttL'"
refuse 'a list for other stages' '--num-layer-list: 3 numbers with the sum 9, but 4 stages and 8 layers' \
	"$base --num-layer-list 3,3,3"
refuse 'one after the last' "--noop-layers: not a list of whole numbers between 0 and 7 '1,8'" \
	"$base --noop-layers 1,8"
refuse 'twice the same' "--noop-layers: twice '1'" "$base --noop-layers 1,1"
refuse 'no method' '--recompute-method must be block or uniform' "$base --recompute-granularity full"
refuse 'no number of layers' 'no --recompute-num-layers' "$base --recompute-granularity full --recompute-method block"
refuse 'an unknown granularity' "not full or selective 'some'" "$base --recompute-granularity some"
refuse 'zero bubbles by free memory' '--enable-zero-bubble: the run chooses the order by its free memory' \
	"$base --pipeline-model-parallel-size 2 --enable-zero-bubble"
refuse 'zero bubbles for another number' '--zero-bubble-max-pending-backward: only 2' \
	"$base --pipeline-model-parallel-size 2 --enable-zero-bubble --zero-bubble-max-pending-backward 3"
refuse 'an unknown memory of V shape' "--zero-bubble-v-schedule-mem-setup: not zb, half or min 'third'" \
	"$base --pipeline-model-parallel-size 2 --zero-bubble-v-schedule --zero-bubble-v-schedule-mem-setup third"
refuse '1F1B in V shape' '--enable-1f1b-v: this order is not known here' "$base --enable-1f1b-v"
refuse 'an unknown schedule' "--schedules-method: only dualpipev is supported, not 'zigzag'" \
	"$base --schedules-method zigzag"
refuse 'two ways to say it' 'exclude each other' \
	"$base --num-virtual-stages-per-pipeline-rank 2 --num-layers-per-virtual-pipeline-stage 1"
refuse 'a batch that cannot be divided' 'not a multiple of micro-batches of 1 on 3 replicas' \
	"$base --global-batch-size 10 --micro-batch-size 1 --nproc_per_node 12"

# For measurements: the init YAML and the job record.
cat >"$tmp/t.yaml" <<'EOF'
parallel_config: {pipeline_stage: 4, micro_batch_num: 8}
context: {max_device_memory: 50GB}
model: {model_config: {num_layers: 10, offset: [1, 0, 0, 1]}}
recompute_config: {recompute: True, select_recompute: [1, 0, 0, 0]}
EOF
sapp-yaml -init "$tmp/t.yaml" >"$tmp/init.yaml"
same '-init: all that is known' 'pipeline_config:
  pipeline_num: 4
  num_layer: 10
  offset: [1, 0, 0, 1]
recompute_config:
  recompute: [3, 2, 2, 3]
  select_recompute: [1, 0, 0, 0]
  select_comm_recompute: [0, 0, 0, 0]
profiling_config:
  micro_batch_num: 8' "$(grep -v '^#' "$tmp/init.yaml")"
same '-init -j: the job record' \
	'{"kind":"job","stages":4,"micro_batches":8,"interleave":1,"memory_limit":51200,'\
'"target":"mindformers","source":"'"$tmp"'/t.yaml"}' \
	"$(sapp-yaml -init "$tmp/t.yaml" -j)"
printf 'stage_%d_rank_%d/x.log:1: Actual peak memory usage (with fragments): %dM\n' 0 0 640 1 8 320 2 16 280 3 24 410 \
	>"$tmp/peaks.txt"
sed -i 's/recompute: True, //; s/select_recompute: \[1, 0, 0, 0\]/recompute: False/' "$tmp/t.yaml"
sapp-yaml -init "$tmp/t.yaml" >"$tmp/init.yaml"
check 'sapp-memsplit takes it' sapp-memsplit "$tmp/init.yaml" "$tmp/peaks.txt"
sed 's/num_layers: 10/num_layers: 9, mtp_depth: 1/' "$tmp/t.yaml" >"$tmp/m.yaml"
check 'layers that predict further tokens, counted' \
	sh -c 'sapp-yaml -init "$1" |
		grep -qx "# 1 of the layers are for multi-token prediction, and are counted like the others."' \
		sh "$tmp/m.yaml"
sed 's/num_layers: 10/num_layers: 10, mtp_depth: 1/' "$tmp/t.yaml" >"$tmp/m.yaml"
check 'or with the tail' \
	sh -c \
		'sapp-yaml -init "$1" |
		grep -qx "# 1 more layers are for multi-token prediction, and are measured with the tail."' \
	sh "$tmp/m.yaml"
sed 's/offset: .1, 0, 0, 1./pp_interleave_num: 2, offset: [[1, 0, 0, 1], [0, 0, 0, 0]]/' "$tmp/t.yaml" >"$tmp/m.yaml"
echo 'parallel: {pipeline_config: {pipeline_interleave: True}}' >>"$tmp/m.yaml"
fails '-init: interleaving' 1 'measure with one chunk' sapp-yaml -init "$tmp/m.yaml"
fails '-init with others' 2 '-init: only with -layers and -j' sapp-yaml -init "$tmp/t.yaml" -f megatron
fails '-init and another file' 2 '-init: unexpected operand' sapp-yaml -init "$tmp/t.yaml" "$tmp/t.yaml"
done_testing
