#!/bin/sh
# Settings out of training YAMLs and Megatron's arguments; peaks out of every kind of log and table; what is known
# otherwise.
. "$(dirname "$0")/../lib.sh"

# A pipeline of 6 stages and 24 layers: par 100, none 10, head 500, tail 300, stage s peaks at
# n 100 + (6 - s) n 10.
peak() { echo $(($2 * 100 + (6 - $1) * $2 * 10 + ($1 == 0) * 500 + ($1 == 5) * 300)); }
layers='5 4 4 4 4 3'
cat >"$tmp/init.yaml" <<'END'
pipeline_config: {pipeline_num: 6, num_layer: 24, offset: [1, 0, 0, 0, 0, -1]}
END
each() { s=0; for c in $layers; do printf "$1\n" $s "$(peak $s "$c")"; s=$((s + 1)); done; }
each '[Rank %d] (after 2 iterations) memory (MB) | max allocated: %d.0 | max reserved: 1' |
	sed 's/reserved: 1/reserved: 9/' >"$tmp/log"
split() { sapp-memsplit -peak used "$@" </dev/null 2>"$tmp/err" | get fit '.residuals | map([.stage, .measured])'; }
want=$(split "$tmp/init.yaml" "$tmp/log")
same "the peaks of the log" "[[0,1300],[1,600],[2,560],[3,520],[4,480],[5,630]]" "$want"
solved() { sapp-memsplit -peak used "$@" 2>"$tmp/err" | jq -s -c \
	'map(select(.kind == "layer") | [.memory_parameter, .memory_activation // 0] | map(. * 1000 | round / 1000))'; }
base=$(solved "$tmp/init.yaml" "$tmp/log" </dev/null)
same "what they are made of" "[[500,0],[100,10],[300,0]]" "$base"

# Settings.
cat >"$tmp/train.yaml" <<'END'
parallel_config:
  pipeline_stage: 6
  micro_batch_num: 12
context:
  max_device_memory: "58GB"
model:
  model_config:
    num_layers: 24
    offset: [1, 0, 0, 0, 0, -1]
END
same "a training YAML" "$base" "$(solved "$tmp/train.yaml" "$tmp/log" </dev/null)"
same "the question it has travels on" '{"kind":"job","memory_limit":59392,"micro_batches":12,"stages":6}' \
	"$(sapp-memsplit -peak used "$tmp/train.yaml" "$tmp/log" </dev/null 2>/dev/null | get job .)"
same "of an init YAML, too" '{"kind":"job","stages":6}' \
	"$(sapp-memsplit -peak used "$tmp/init.yaml" "$tmp/log" </dev/null 2>/dev/null | get job .)"
sed 's/pipeline_stage: 6/&\n  model_parallel: 4/
	s/^context:/runner_config: {batch_size: 2}\nmicro_batch_interleave_num: 2\n&/
	s/num_layers: 24/&\n    seq_length: 4096/' "$tmp/train.yaml" >"$tmp/batch.yaml"
batch() { sapp-memsplit -peak used "$1" "$tmp/log" </dev/null 2>/dev/null |
	get model '[.seq_length, .batch_size, .model_parallel]'; }
same "what throughput takes" '[4096,4,4]' "$(batch "$tmp/batch.yaml")"
same "or not" '[null,null,null]' "$(batch "$tmp/train.yaml")"
sapp-yaml -init "$tmp/batch.yaml" -j >"$tmp/job"
same "as records" '[4096,4,4]' "$(jq -c '[.seq_length, .batch_size, .model_parallel]' "$tmp/job")"
same "that are believed" '[4096,4,4]' "$(sapp-memsplit -peak used "$tmp/init.yaml" "$tmp/log" <"$tmp/job" \
	2>/dev/null | get model '[.seq_length, .batch_size, .model_parallel]')"
same "unless the model says otherwise" '[8192,null,4]' "$({ cat "$tmp/job"
	echo '{"kind":"model","name":"m","seq_length":8192}'; } |
	sapp-memsplit -peak used "$tmp/init.yaml" "$tmp/log" 2>/dev/null |
	get model '[.seq_length, .batch_size, .model_parallel]')"
arguments() {
	for a in 'data_parallel_size 1' 'global_batch_size 12' 'micro_batch_size 1' 'num_layers 24' \
		'pipeline_model_parallel_size 6' \
		'tensor_model_parallel_size 1' 'world_size 6' 'decoder_first_pipeline_num_layers 5' \
		'decoder_last_pipeline_num_layers 3' "$@"; do
		echo "  ${a% *} .............. ${a#* }"
	done
}
{ arguments; cat "$tmp/log"; } >"$tmp/run.log"
same "the list of arguments in the log itself" "$base" "$(solved "$tmp/run.log" "$tmp/run.log" </dev/null)"
{ arguments 'fine_grained_activation_offloading False' 'swap_attention False'; cat "$tmp/log"; } >"$tmp/kept.log"
same "nothing is offloaded" "$base" "$(solved "$tmp/kept.log" "$tmp/kept.log" </dev/null)"
same "and its micro-batches" 12 \
	"$(sapp-memsplit -peak used "$tmp/run.log" "$tmp/run.log" </dev/null 2>/dev/null | get job .micro_batches)"
echo '{"kind":"network","name":"n","layers":40,"hidden_size":64,"num_heads":4,"ffn_size":64,"vocab_size":64,'\
'"seq_length":128}' \
	>"$tmp/network"
sapp-memsplit -peak used "$tmp/run.log" "$tmp/run.log" <"$tmp/network" >/dev/null 2>"$tmp/err"
same "a network with another number of layers is an error" 1 $?
check "which names both" grep -qF "network: it has 40 layers, but num_layer of $tmp/run.log is 24" "$tmp/err"
echo '{"kind":"layer","name":"a","type":"BODY","nb_layer":25,"time":1}' >"$tmp/measured"
sapp-memsplit -peak used "$tmp/run.log" "$tmp/run.log" <"$tmp/measured" >/dev/null 2>"$tmp/err"
check "more layers in a profile than there are" tells 'num_layer is 24, but 25 layers were measured'

# Megatron-LM prints the memory of every rank of data-parallel rank 0: with tensor parallelism, two ranks of each stage.
# The number of ranks is in the log or the script, or follows from equal groups.
s=0; for c in $layers; do
	for r in 0 1; do echo "[Rank $((16 * s + r))] (after 2 iterations) memory (MB) | max allocated: \
$(peak $s "$c").0 | max reserved: 9"; done; s=$((s + 1))
done >"$tmp/tensor.log"
same "ranks of tensor parallel, by equal groups" "$base" "$(solved "$tmp/init.yaml" "$tmp/tensor.log" </dev/null)"
world='using world size: 96, data-parallel size: 8, context-parallel size: 1, tensor-model-parallel size: 2'
{ echo "[2026-11-27 08:11:02] $world, pipeline-model-parallel size: 6"; cat "$tmp/tensor.log"; } >"$tmp/world.log"
sed '/Rank 17/d' "$tmp/world.log" >"$tmp/uneven.log"
same "by the world size in the log" "$base" "$(solved "$tmp/init.yaml" "$tmp/uneven.log" </dev/null)"
same "which may be standard input" "$base" "$(solved "$tmp/init.yaml" <"$tmp/uneven.log")"
# The ranks of the first pipeline count first.
{ echo '  use_tp_pp_dp_mapping ............................ True'; head -n 1 "$tmp/world.log"
	awk -F '[][ ]+' '/Rank/ { sub(/Rank [0-9]+/, "Rank " int($3 / 16) * 2 + $3 % 16); print }' "$tmp/world.log"
} >"$tmp/mapped.log"
same "by another order of ranks" "0 1 2 3 $base" "$(grep -o 'Rank [0-9]*' "$tmp/mapped.log" | head -n 4 |
	sed 's/Rank //' | tr '\n' ' ')$(solved "$tmp/init.yaml" "$tmp/mapped.log" </dev/null)"
sed -n '/Rank/!d; /Rank 17/!p' "$tmp/world.log" >"$tmp/none.log"
cat >"$tmp/ranks.sh" <<'END'
torchrun --nproc_per_node 8 --nnodes 12 pretrain_gpt.py --num-layers 24 --pipeline-model-parallel-size 6 \
	--tensor-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 96 \
	--decoder-first-pipeline-num-layers 5 --decoder-last-pipeline-num-layers 3
END
same "by the devices of the script" "$base" "$(solved "$tmp/ranks.sh" "$tmp/none.log" </dev/null)"
solved "$tmp/init.yaml" "$tmp/none.log" </dev/null >/dev/null
check "else the rank is named, and what to do" tells \
	"none.log:3: rank 16 of '$tmp/none.log' is beyond the last of 6 stages of 1 rank each; give the number of ranks"
sed 's/nnodes 12/nnodes 1/' "$tmp/ranks.sh" >"$tmp/one.sh"
sed -i 's/global-batch-size 96/global-batch-size 12/; s/nproc_per_node 8/nproc_per_node 12/' "$tmp/one.sh"
same "not by a script with too few devices" "$base" "$(solved "$tmp/one.sh" "$tmp/tensor.log" </dev/null)"
sed 's/parallel size: 6/parallel size: 3/' "$tmp/world.log" >"$tmp/other.log"
solved "$tmp/init.yaml" "$tmp/other.log" </dev/null >/dev/null
check "a log of another pipeline" tells "other.log:1: a log of a run on 3 stages, but the settings have '6'"
# Lines of DeepSpeed in a log of Megatron-LM: its world_size is of a node, and its memory belongs to no rank.
{ echo '[2026-11-02 10:00:00,100] [INFO] [config.py:1002:print]   world_size ................... 1'; arguments
	echo '[2026-11-02 10:00:00,100] [INFO] [utils.py:628:see_memory_usage] MA 1.69 GB         Max_MA 1.69 GB '\
'        CA 1.7 GB         Max_CA 2 GB'; cat "$tmp/log"; } >"$tmp/both.log"
same "DeepSpeed's lines beside them" "$base" "$(solved "$tmp/both.log" "$tmp/both.log" </dev/null)"
sapp-memsplit -peak used "$tmp/both.log" "$tmp/both.log" </dev/null >/dev/null 2>"$tmp/err"
check "a peak of no rank is said to be left out" tells 'without a rank is ignored, as other lines have a rank'
{ arguments | sed 's/^  num_layers \.* /--num-layers /'; cat "$tmp/log"; } >"$tmp/dashes.log"
same "or in part as it was typed" "$base" "$(solved "$tmp/dashes.log" "$tmp/dashes.log" </dev/null)"
cat >"$tmp/run.sh" <<'END'
torchrun --nproc_per_node 6 pretrain_gpt.py --pipeline-model-parallel-size 6 --num-layers 24 \
	--decoder-first-pipeline-num-layers 5 --decoder-last-pipeline-num-layers 3 \
	--micro-batch-size 1 --global-batch-size 12 --seq-length 2048
END
same "what throughput takes, of a script" '[2048,1,1]' "$(batch "$tmp/run.sh")"
same "a launch script" "$base" "$(solved "$tmp/run.sh" "$tmp/log" </dev/null)"
{ arguments 'pipeline_model_parallel_layout Et*5|(t*4|)*3,t*4|t*3L' |
	sed '/decoder/d'; cat "$tmp/log"; } >"$tmp/layout.log"
same "a layout among the arguments" "$base" "$(solved "$tmp/layout.log" "$tmp/layout.log" </dev/null)"
sed '/ num_layers/d' "$tmp/layout.log" >"$tmp/layout2.log"
same "which says how many layers there are" "$base" "$(solved "$tmp/layout2.log" "$tmp/layout2.log" </dev/null)"
sed 's/decoder-first.*num-layers 3/pipeline-model-parallel-layout "Et*5|(t*4|)*3,t*4|t*3L"/' \
	"$tmp/run.sh" >"$tmp/layout.sh"
same "and in a launch script" "$base" "$(solved "$tmp/layout.sh" "$tmp/log" </dev/null)"
# A layout in Python's form, in a log and in a configuration, on one line or on several.
d4="['decoder', 'decoder', 'decoder', 'decoder']"
lists="[['embedding'] + ['decoder']*5, $d4, $d4, $d4, $d4, ['decoder'] * 3 + ['loss']]"
printed() { printf '  pipeline_model_parallel_layout ..... %s\n' "$1"; }
{ arguments | sed '/decoder_/d'; printed "$lists"; cat "$tmp/log"; } >"$tmp/lists.log"
same "a layout as lists" "$base" "$(solved "$tmp/lists.log" "$tmp/lists.log" </dev/null)"
sed "s/'decoder'/<LayerType.decoder: 4>/g" "$tmp/lists.log" >"$tmp/enums.log"
same "as Python shows them" "$base" "$(solved "$tmp/enums.log" "$tmp/enums.log" </dev/null)"
{
	printf 'model:\n  num_layers: 24\n  pipeline_model_parallel_size: 6\n  pipeline_model_parallel_layout:\n'
	for piece in 'embedding decoder decoder decoder decoder decoder' 'decoder decoder decoder decoder' \
		'decoder decoder decoder decoder' 'decoder decoder decoder decoder' 'decoder decoder decoder decoder' \
		'decoder decoder decoder loss'; do
		first='  - - '
		for word in $piece; do printf '%s%s\n' "$first" "$word"; first='    - '; done
	done
	printf '  tensor_model_parallel_size: 1\nmicro_batch_size: 1\nglobal_batch_size: 12\n'
} >"$tmp/config.yaml"
same "a configuration in YAML" "$base" "$(solved "$tmp/config.yaml" "$tmp/log" </dev/null)"
awk '/- - /{ if (open) print "]"; printf "  - [%s", $3; open = 1; next } open && /^    - /{ printf ", %s", $2; next }
	open { print "]"; open = 0 } { print }' "$tmp/config.yaml" >"$tmp/flow.yaml"
same "with a list on each line" "$base" "$(solved "$tmp/flow.yaml" "$tmp/log" </dev/null)"
sed '/layout:/d; /^ *- /d' "$tmp/config.yaml" >"$tmp/ends.yaml"
sed -i 's/^  num_layers: 24/&\n  num_layers_in_first_pipeline_stage: 5\n  num_layers_in_last_pipeline_stage: 3/' \
	"$tmp/ends.yaml"
same "with layers of the ends" "$base" "$(solved "$tmp/ends.yaml" "$tmp/log" </dev/null)"
sed "s/--decoder-first.*num-layers 3/--pipeline-model-parallel-layout \"$lists\"/" "$tmp/run.sh" >"$tmp/lists.sh"
same "lists in a launch script" "$base" "$(solved "$tmp/lists.sh" "$tmp/log" </dev/null)"
# With everything recomputed, no measured layer keeps all activations.
{ arguments 'recompute_granularity full' 'recompute_method uniform' 'recompute_num_layers 1'
	cat "$tmp/log"; } >"$tmp/full.log"
same "recomputed as a whole" "[[500,null],[100,10],[300,null]]" \
	"$(sapp-memsplit -peak used "$tmp/full.log" "$tmp/full.log" </dev/null 2>/dev/null |
	jq -s -c 'map(select(.kind == "layer") | [(.memory_parameter * 1000 | round / 1000),
	(if .memory_recompute then .memory_recompute * 1000 | round / 1000 else null end)])')"
full=$(sapp-memsplit -peak used "$tmp/full.log" "$tmp/full.log" </dev/null 2>/dev/null | get layer .)
for a in 'checkpoint_activations True' 'activations_checkpoint_method uniform' \
	"activations_checkpoint_granularity full
activations_checkpoint_method uniform"; do
	{ echo "$a" | while read -r one; do arguments "$one"; done; cat "$tmp/log"; } >"$tmp/full.log"
	same "as it was called earlier, $a" "$full" \
		"$(sapp-memsplit -peak used "$tmp/full.log" "$tmp/full.log" </dev/null 2>/dev/null | get layer .)"
done
{ arguments 'checkpoint_activations False' 'checkpoint_num_layers 1' 'activations_checkpoint_method None'
	cat "$tmp/log"; } >"$tmp/none.log"
same "or is not" "$base" "$(solved "$tmp/none.log" "$tmp/none.log" </dev/null)"
# With 2 micro-batches no stage holds more than 2.
s=0; : >"$tmp/few"
for c in $layers; do
	m=$((6 - s < 2 ? 6 - s : 2))
	echo "[Rank $s] (after 2 iterations) memory (MB) | max allocated: \
$((c * 100 + m * c * 10 + (s == 0) * 500 + (s == 5) * 300)) | max reserved: 1" >>"$tmp/few"
	s=$((s + 1))
done
{ arguments | sed 's/\(global_batch_size .* \)12/\12/'; cat "$tmp/few"; } >"$tmp/few.log"
same "fewer micro-batches than stages" "[[0,1100],[1,480],[2,480],[3,480],[4,480],[5,630]]" \
	"$(split "$tmp/few.log" "$tmp/few.log")"

# Peaks.
sed 's/^.*Rank \([0-9]\).*allocated: \([0-9]*\).*/\1 \2/' "$tmp/log" >"$tmp/pairs"
mkdir "$tmp/msrun" "$tmp/titan" "$tmp/npu"
while read -r r m; do
	echo "Used peak memory usage (without fragments): ${m}M" >"$tmp/msrun/worker_$r.log"
	echo "[rank$r]:[titan] 2025-01-01 00:00:00,0 - root - INFO - step: 10  loss:  4.5  memory: $(jq \
		-n "$m / 1024")GiB(50.90%%)  tps: 7,000  mfu: 40%%" | sed 's/%%/%/g' >>"$tmp/titan.log"
	echo "MA 1.0 GB Max_MA $(jq -n "$m / 1024") GB CA 2.0 GB Max_CA 99 GB" >"$tmp/titan/rank_$r.log"
	echo "[Rank $r] max_memory_allocated: $m MB" >>"$tmp/torch.log"
	d="$tmp/npu/rank_${r}_ascend_pt/ASCEND_PROFILER_OUTPUT"
	mkdir -p "$d"
	printf 'Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\nPTA,1.5\t,1.0,7.0,'\
'NPU:0\nPTA,2.5\t,%d.0,9.0,NPU:0\nAPP,3\t,,99.5,NPU:0\n' "$m" >"$d/memory_record.csv"
	printf 'Name,Size(KB),Allocation Total Allocated(MB),Allocation Total Reserved(MB)\n"a,b",1,5,6\n' \
		>"$d/operator_memory.csv"
done <"$tmp/pairs"
same "worker_N.log of msrun" "$want" "$(split "$tmp/init.yaml" "$tmp/msrun")"
same "torchtitan, which says what is reserved" "$want" "$(sapp-memsplit "$tmp/init.yaml" \
	"$tmp/titan.log" </dev/null 2>/dev/null | get fit '.residuals | map([.stage, .measured])')"
esc=$(printf '\033')
sed "s/step:/${esc}[31m&/; s/memory:/${esc}[38;2;54;234;195m&/; s/mfu:/${esc}[35m&/; s/\$/${esc}[39m/" \
	"$tmp/titan.log" >"$tmp/colours.log"
same "which has colours" "$want" "$(sapp-memsplit "$tmp/init.yaml" "$tmp/colours.log" </dev/null 2>/dev/null |
	get fit '.residuals | map([.stage, .measured])')"
same "DeepSpeed" "$want" "$(split "$tmp/init.yaml" "$tmp/titan")"
same "PyTorch's functions" "$want" "$(split "$tmp/init.yaml" "$tmp/torch.log")"
same "memory_record.csv, not the tables beside it" "$want" "$(split "$tmp/init.yaml" "$tmp/npu")"
same "and what is reserved apart" 99.5 "$(sapp-memsplit -peak actual "$tmp/init.yaml" \
	"$tmp/npu" </dev/null 2>/dev/null | get fit '.residuals[0].measured')"
rm "$tmp"/npu/*/*/memory_record.csv
same "operator_memory.csv" "[[0,5],[1,5],[2,5],[3,5],[4,5],[5,5]]" "$(split "$tmp/init.yaml" "$tmp/npu")"
sed 's/^\([0-9]\) \(.*\)/node0\1: out\/stage_\1_rank_\10\/mindformer.log:54: Used peak memory usage (without '\
'fragments): \2M/' "$tmp/pairs" >"$tmp/nodes"
same "behind the name of a host" "$want" "$(sapp-memsplit -peak used "$tmp/init.yaml" <"$tmp/nodes" 2>/dev/null |
	get fit '.residuals | map([.stage, .measured])')"
sed 's/^\([0-9]\) \(.*\)/{"kind":"peak","stage":\1,"memory":\2,"which":"used"}\n{"kind":"peak","stage":\1,'\
'"memory":9999,"which":"actual"}/' "$tmp/pairs" >"$tmp/peaks"
same "used and actual peaks of a stream" "$want" "$(sapp-memsplit -peak used \
	"$tmp/init.yaml" <"$tmp/peaks" 2>/dev/null | get fit '.residuals | map([.stage, .measured])')"

# Peaks in the stream, and in the log that they came from, which has more digits.
digits() { sed 's/allocated: \([0-9]*\)\.0/allocated: \1.123456789012345/; s/reserved: 9/reserved: 1400/' "$tmp/log"; }
{ arguments; digits; echo ' iteration 1/ 2 | elapsed time per iteration (ms): 5.0 |'; } >"$tmp/digits.log"
sapp-trace "$tmp/digits.log" 2>/dev/null | grep '"peak"' >"$tmp/peaks"
check "peaks of a stream and of its log agree" run 0 sapp-memsplit -peak used "$tmp/digits.log" "$tmp/digits.log" \
	<"$tmp/peaks"
same "as many as there are" 12 "$(wc -l <"$tmp/peaks")"
check "what devices had besides is said" grep -q 'devices held up to 920 MB more' "$tmp/err"
sapp-memsplit "$tmp/digits.log" "$tmp/digits.log" <"$tmp/peaks" >"$tmp/out" 2>"$tmp/err"
same "not where that is what is split" 0 "$(grep -c 'MB more' "$tmp/err")"
# "[rank0]:" at the start of a line is not a path; the path of the log gives the round.
mkdir "$tmp/round_0" "$tmp/round_1"
printf 'pipeline_config: {pipeline_num: 6, num_layer: 24, offset: [[1, 0, 0, 0, 0, -1], [1, 0, 0, 0, 0, -1]]}\n' \
	>"$tmp/rounds.yaml"
for r in 0 1; do
	sed 's/^\(.\) \(.*\)/[rank\1]: Used peak memory usage: \2M/' "$tmp/pairs" >"$tmp/round_$r/x.log"
done
same "lines that say their rank, of two rounds" 12 "$(sapp-memsplit -peak used "$tmp/rounds.yaml" "$tmp/round_0" \
	"$tmp/round_1" </dev/null 2>/dev/null | get fit '.residuals | length')"

# Figures known from other sources.
cat >"$tmp/two.yaml" <<'END'
pipeline_config: {pipeline_num: 2, num_layer: 8}
profiling_config: {micro_batch_num: 2}
END
cat >"$tmp/known" <<'END'
{"kind":"peak","stage":0,"memory":1480,"which":"used"}
{"kind":"peak","stage":1,"memory":1240,"which":"used"}
{"kind":"step","time":100,"pipeline":60,"stage":0,"before":5,"after":30,"transfer":0.5}
{"kind":"step","time":100,"pipeline":50,"stage":1,"before":5,"after":32,"transfer":0.7}
{"kind":"layer","name":"B","type":"BODY","nb_layer":8,"time":1,"memory_activation":20}
END
run 0 sapp-memsplit "$tmp/two.yaml" <"$tmp/known" 2>/dev/null
sapp-memsplit "$tmp/two.yaml" <"$tmp/known" >"$tmp/out" 2>"$tmp/err"
check "two peaks and measured activations: what is open is said" grep \
	-q 'cannot separate the parameters of layers from those of head and tail' "$tmp/err"
same "the activations are those" 20 "$(get 'layer' 'select(.type == "BODY").memory_activation' <"$tmp/out")"
same "the peaks come out" "[1480,1240]" \
	"$(jq -s -c '[.[] | select(.kind == "layer")] as $l | $l[1].memory_parameter * 4 |
	[. + 160 + $l[0].memory_parameter, . + 80 + $l[2].memory_parameter] | map(round)' "$tmp/out")"
same "overhead of each stage" "[35,37]" "$(get model .overhead <"$tmp/out")"
same "transfers" '[2,2,0.6,"batched"]' "$(get job '[.stages, .micro_batches, .comm_time, .transfers]' <"$tmp/out")"
same "one step for all" 40 "$(sed '3d; s/"stage":1,"before":5,"after":32/"before":8,"after":32/' "$tmp/known" |
	sapp-memsplit "$tmp/two.yaml" 2>/dev/null | get model .overhead)"
{ cat "$tmp/known"; for t in HEAD TAIL
do echo "{\"kind\":\"layer\",\"name\":\"$t\",\"type\":\"$t\",\"nb_layer\":1,\"time\":1}"; done; } |
	sapp-memsplit "$tmp/two.yaml" 2>/dev/null | sapp-lp -t 1 -mem 9999 >"$tmp/out" 2>"$tmp/err"
same "sapp-lp asks what was measured" '[2,2,0.6,"batched"]' \
	"$(get pipeline '[.stages, .micro_batches, .comm_time, .transfers]' <"$tmp/out")"
check "and says so" grep -qF \
	'2 stages, 2 micro-batches, 0.6 ms per transfer, batched transfers: from the job record' "$tmp/err"
sed 5d "$tmp/known" >"$tmp/unknown"
run 3 sapp-memsplit "$tmp/two.yaml" <"$tmp/unknown" && ok "without them there is no answer" ||
	not_ok "without them there is no answer"

# Two stages of 8 layers of 30 MB that keep 5 MB each, 2 micro-batches, an embedding of 100 MB, an output of 150 MB.
{
	printf '{"kind":"peak","stage":%d,"which":"used","memory":%d}\n' 0 420 1 430
	echo '{"kind":"layer","name":"L","type":"BODY","nb_layer":16,"time":1,"memory_activation":5}'
} >"$tmp/two"
printf 'pipeline_config: {pipeline_num: 2, num_layer: 16}\nprofiling_config: {micro_batch_num: 2, body_layers: L}\n' \
	>"$tmp/two.yaml"
run 0 sapp-memsplit -peak used "$tmp/two.yaml" <"$tmp/two"
check "what two stages cannot tell: between which figures it lies" grep -q \
	'parameter 0 to 42.5 MB ([0-9.]*), head 0 to 340 MB ([0-9.]*), tail 50 to 390 MB ([0-9.]*): the smallest' \
		"$tmp/err"
echo '{"kind":"network","name":"n","layers":16,"hidden_size":64,"num_heads":4,"ffn_size":256,"vocab_size":1000,'\
'"seq_length":128}' | cat - "$tmp/two" >"$tmp/network"
run 0 sapp-memsplit -peak used "$tmp/two.yaml" <"$tmp/network"
check "a network tells how much more the embedding is than a layer" grep -q 'head is set to [0-9.]* times' "$tmp/err"
times=$(sed -n 's/.*head is set to \([0-9.]*\) times.*/\1/p' "$tmp/err")
near "so that a layer takes its part of the first stage" "$(awk -v t="$times" 'BEGIN { print 340 / (8 + t) }')" \
	"$(jq 'select(.kind == "layer" and .type == "BODY") | .memory_parameter' "$tmp/out")" 0.01
near "and the embedding its own" "$(awk -v t="$times" 'BEGIN { print 340 * t / (8 + t) }')" \
	"$(jq 'select(.kind == "layer" and .type == "HEAD") | .memory_parameter' "$tmp/out")" 0.1

# Refused input.
bad() { name=$1 message=$2; shift 2; fails "$name" 1 "$message" sapp-memsplit "$@" ; }
{ arguments 'virtual_pipeline_model_parallel_size 2' 'num_layers_per_virtual_pipeline_stage 2' |
	grep -v decoder; } >"$tmp/bad.log"
bad "chunks" "2 chunks per stage: memory can only be split from runs without interleaving" "$tmp/bad.log" "$tmp/log"
arguments | sed 's/num_layers_at.*//; s/\(num_layers \.* \)24/\123/' >"$tmp/bad.log"
bad "layers that cannot be dealt out" "15 layers of the other 4 stages cannot be divided evenly over them" \
	"$tmp/bad.log" "$tmp/log"
arguments | grep -v num_layers >"$tmp/bad.log"
bad "no layers" "no --num-layers; give the number of layers with -layers" "$tmp/bad.log" "$tmp/log"
even() { arguments "$@" | sed '/decoder_.*_layers/d'; }
even | sed 's/\(pipeline_model.* \)6/\11/' >"$tmp/bad.log"
bad "one stage" "a pipeline of 1 stage: nothing to split" "$tmp/bad.log" "$tmp/log"
even "pipeline_model_parallel_layout Et*4|t*20L" >"$tmp/bad.log"
bad "a layout for other stages" "bad.log:8: layout: 2 pieces cannot be divided evenly over 6 stages" "$tmp/bad.log" \
	"$tmp/log"
even "pipeline_model_parallel_layout Et*5|(t*4|)*3,t*4|t*4L" >"$tmp/bad.log"
bad "a layout for other layers" \
	"bad.log:8: layout: 25 t and 0 m, but 24 layers and 0 layers for multi-token prediction" \
	"$tmp/bad.log" "$tmp/log"
even "pipeline_model_parallel_layout Et*5|x|tL" >"$tmp/bad.log"
bad "a layout that is none" "layout: not one of E, t, m, L and '|' 'x'" "$tmp/bad.log" "$tmp/log"
{ even; printed "[['embedding'], ['encoder', 'loss']]"; } >"$tmp/bad.log"
bad "a layer of another kind" "layout: not one of embedding, decoder, mtp and loss ''encoder', 'loss']]" \
	"$tmp/bad.log" "$tmp/log"
{ even; printed "['embedding', 'decoder']"; } >"$tmp/bad.log"
bad "a list without pieces" "bad.log:8: layout: not one of E, t, m, L and '|' 'e'" \
	"$tmp/bad.log" "$tmp/log"
{ even; printed "[['embedding'] * x]"; } >"$tmp/bad.log"
bad "repeated how often" "bad.log:8: layout: no number after '*'" "$tmp/bad.log" "$tmp/log"
{ even; printed "[['embedding', 'decoder'"; } >"$tmp/bad.log"
bad "a list without end" "layout: a list that does not end" "$tmp/bad.log" "$tmp/log"
arguments "pipeline_model_parallel_layout Et*2|(t*2|)*10,t*2L" | sed 's/decoder.*//' >"$tmp/bad.log"
bad "a layout of several chunks" "2 chunks per stage: memory can only be split from runs without interleaving" \
	"$tmp/bad.log" \
	"$tmp/log"
echo 'step: 3 loss: 1 memory: 4.0GiB(5%) tps: 1' >"$tmp/bad.log"
bad "a peak of nobody" "M of an unknown stage: no '[rankR]' in the line, and no stage_S or rank_R in the path" \
	"$tmp/init.yaml" \
	"$tmp/bad.log"
mkdir -p "$tmp/t/rank_0"
printf 'Component,Total Allocated(MB)\n' >"$tmp/t/rank_0/memory_record.csv"
bad "a table without its column" "no column 'Total Reserved(MB)'" "$tmp/init.yaml" "$tmp/t"
printf 'Total Allocated(MB),Total Reserved(MB)\n1,x\n' >"$tmp/t/rank_0/memory_record.csv"
bad "a table with something else in it" "memory_record.csv:2: not a number of megabytes 'x'" "$tmp/init.yaml" "$tmp/t"
: >"$tmp/t/rank_0/memory_record.csv"
bad "an empty table" "empty, not a table of memory" "$tmp/init.yaml" "$tmp/t"
mkdir "$tmp/u"; printf 'Total Allocated(MB),Total Reserved(MB)\n1,2\n' >"$tmp/u/memory_record.csv"
bad "a table of nobody" "peaks of an unknown stage" "$tmp/init.yaml" "$tmp/u"
sed 's/"stage":1,"before"/"stage":2,"before"/' "$tmp/known" >"$tmp/in"
fails "a step of another stage" 1 "step: stage 2, but there are 2" sh -c "sapp-memsplit '$tmp/two.yaml' <'$tmp/in'"

# Real logs.
data=$top/../shared/data
if [ -d "$data/qwen3-0.6b-pp2" ]; then
	(cd "$data/qwen3-0.6b-pp2" &&
		printf 'pipeline_config: {pipeline_num: 2, num_layer: 28}\nprofiling_config: {micro_batch_num: 2}\n' \
		>"$tmp/qwen.yaml" &&
		{ sapp-trace -c "$tmp/qwen.yaml" . |
		sapp-memsplit -peak used "$tmp/qwen.yaml"; echo '{"kind":"plan","name":"ran","origin":"manual",
		"schedule":"1f1b","interleave":1,"counts":{"layer":{"none":[[14,14]]}},"offset":[[0,0]],'\
'"recompute":[[0,0]],
		"select_recompute":[[0,0]],"select_comm_recompute":[[0,0]]}' | tr -d '\n'; } | sapp-sim -j) \
		2>/dev/null | get sim . >"$tmp/qwen"
	near "a real run from end to end: the pipeline, within 3 %" 639.8 "$(jq .pipeline_time "$tmp/qwen")" 19
	near "the whole step, within 5 %" 810.0 "$(jq .step_time "$tmp/qwen")" 40
	near "the peak of stage 0, within 5 %" 10282.7 "$(jq '.peak_memory[0]' "$tmp/qwen")" 514
	near "the peak of stage 1, within 5 %" 10818.1 "$(jq '.peak_memory[1]' "$tmp/qwen")" 541
else
	skip "no real pipeline run"
fi
for a in 'fine_grained_activation_offloading True' 'swap_attention True'; do
	{ arguments "$a"; cat "$tmp/log"; } >"$tmp/moved.log"
	fails "$a" 1 "activations are offloaded in a way that is not supported" \
		sapp-memsplit -peak used "$tmp/moved.log" "$tmp/moved.log"
done
done_testing
