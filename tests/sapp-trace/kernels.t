#!/bin/sh
# -kernels: the kernels of layers. Tables made with known shapes and times, one rank of each of two stages; real
# tables if available.
. "$(dirname "$0")/../lib.sh"

# rank N STAGE-OPTIONS: write the directory of rank N, with tp 1, pp 2, dp 2.
rank() {
	dir=$tmp/run/rank_$1
	mkdir -p "$dir"
	r=$1; shift
	vars=
	for v in "$@"; do vars="$vars -v $v"; done
	# shellcheck disable=SC2086 # several words
	awk $vars -v form=full -v transfers=1 -f "$top/tests/sapp-trace/details.awk" >"$dir/kernel_details.csv"
	printf '{"distributed_args":{"tensor_model_parallel_size":1,"pipeline_model_parallel_size":2,
	"data_parallel_size":2,"context_parallel_size":1,"expert_model_parallel_size":1,"rank":%s,"world_size":4}}' \
		"$r" >"$dir/profiler_metadata.json"
}
rank 0 order=FFBB layers=3 head=1
rank 2 order=FBFB layers=3 tail=1
operation() { printf '"%s@%s":{"Communication Time Info":{"Elapse Time(ms)":%s,"Transit Time(ms)":0},
	"Communication Bandwidth Info":{"SDMA":{"Transit Size(MB)":%s},"RDMA":{"Transit Size(MB)":0}}}' "$@"; }
scatter() { grep -o 'hcom_reduceScatter[^,]*' "$1" | head -1; }
printf '{"step1":{"p2p":{},"collective":{%s}}}' \
	"$(operation "$(scatter "$tmp/run/rank_0/kernel_details.csv")" 77 3 500)" >"$tmp/run/rank_0/communication.json"
of() { jq -s -c "[.[] | select(.kind == \"$1\")] | $2" "$tmp/out"; }

check 'both ranks' run 0 sapp-trace -kernels -body L -head H -tail T "$tmp/run"
same 'the run' '[{"cp":1,"dp":2,"ep":1,"micro_batches":2,"name":"run","pp":2,"tp":1}]' \
	"$(of run 'map(del(.kind, .step_time))')"
same 'every kernel is there' "$(cat "$tmp"/run/*/kernel_details.csv | grep -cvE 'Step Id|hcom_')" \
	"$(of kernel 'map(.calls) | add')"
near 'with all its time' "$(awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "Duration(us)") d = i }
	FNR > 1 && !/hcom_/ { t += $d } END { print t / 1e3 }' "$tmp"/run/*/kernel_details.csv)" \
	"$(of kernel 'map(.calls * .time) | add')" 1e-6
same 'a layer forward, in order' '"RmsNorm MatMulV3 RotaryPositionEmbedding FlashAttentionScore MatMulV3 Add '\
'RmsNorm MatMulV3 SwiGlu MatMulV3 Add"' "$(of kernel 'map(select(.stage == 0 and .part == "body" and
	.phase == "forward")) | sort_by(.order) | map(.type) | join(" ")')"
same 'each in 3 layers and 2 micro-batches' '[6]' \
	"$(of kernel 'map(select(.part == "body") | .calls) | unique')"
same 'and has the name of its class' '["L"]' "$(of kernel 'map(select(.part == "body") | .layer) | unique')"
same 'the ends of the model' '[[0,"head","H"],[1,"tail","T"]]' \
	"$(of kernel 'map(select(.part == "head" or .part == "tail") | [.stage, .part, .layer]) | unique')"
same 'shapes are lists' true "$(of kernel 'any(.input != null) and all(.input // [] | all(type == "array"))')"
same 'gradients go round dp, twice what its links saw' '["dp","traffic",2,1,1000000000]' \
	"$(of communication 'map(select(.op == "reduce_scatter" and .stage == 0))[0] |
	[.group, .told, .members, .stride, .bytes]')"
same 'what is sent goes to the next stage' '["pp"]' "$(of communication 'map(select(.op == "send") | .group) | unique')"

sapp-trace -kernels "$tmp/run" >"$tmp/one" 2>/dev/null
sapp-trace -kernels "$tmp/run" >"$tmp/two" 2>/dev/null
check 'the same again' cmp "$tmp/one" "$tmp/two"
sapp-trace "$tmp/run" 2>/dev/null >"$tmp/two"
jq -c 'select(.kind | IN("run", "kernel", "communication", "tensor", "usage") | not)' "$tmp/one" >"$tmp/three"
jq -c . "$tmp/two" >"$tmp/four"
check 'other records are what they are without it' cmp "$tmp/three" "$tmp/four"

echo '{"kind":"run","dir":"small/run","dp":2,"tp":1,"pp":2,"micro_batches":2,"mbs":3,"seq_length":512}' >"$tmp/runs"
check 'what a run record says' run 0 sapp-trace -kernels -runs "$tmp/runs" "$tmp/run"
same 'is in the run' '[[3,512,"run"]]' "$(of run 'map([.mbs, .seq_length, .name])')"
sed 's/"tp":1/"tp":2/' "$tmp/runs" >"$tmp/others"
fails 'degrees that differ' 1 "others:1: run: dp 2, tp 2" sapp-trace -kernels -runs "$tmp/others" "$tmp/run"
fails 'a run that is not there' 1 "-runs: no run record has the dir or name 'rank_0'" \
	sapp-trace -kernels -runs "$tmp/runs" "$tmp/run/rank_0"
fails 'without -kernels' 2 '-runs: needs -kernels' sapp-trace -runs "$tmp/runs" "$tmp/run"
fails 'nodes without' 2 '-nodes: needs -kernels' sapp-trace -nodes 2 "$tmp/run"
fails 'a rank is missing' 0 'stage 1 of 2: no profile' sapp-trace -kernels "$tmp/run/rank_0"
mkdir "$tmp/run/rank_1" && cp "$tmp"/run/rank_2/*.csv "$tmp/run/rank_1"
sed 's/"rank":2/"rank":1/; s/"data_parallel_size":2/"data_parallel_size":1/' "$tmp/run/rank_2/profiler_metadata.json" \
	>"$tmp/run/rank_1/profiler_metadata.json"
fails 'two runs in one' 1 'but other files of the run have tp 1, dp 2' sapp-trace -kernels "$tmp/run"
rm -r "$tmp/run/rank_1"

# Tensors, assigned by the times of kernels.
csv=$tmp/run/rank_0/kernel_details.csv
first=$(awk -F, '/FlashAttentionScore,/ { print $10; exit }' "$csv")
last=$(awk -F, '/FlashAttentionScoreGrad,/ { t = $10 } END { print t }' "$csv")
soon=$(jq -rn --argjson t "${first%.*}" '$t + 40')
{
	echo 'Name,Size(KB),Allocation Time(us),Release Time(us)'
	echo "aten::kept,2048,${first%.*},${last%.*}"
	echo "aten::passing,1024,${first%.*},$soon"
	echo "aten::static,512,${first%.*},"
	echo "aten::before,99,,${last%.*}"
} >"$tmp/run/rank_0/operator_memory.csv"
run 0 sapp-trace -kernels "$tmp/run"
same 'tensors: how long they live' '[["aten::kept",2097152,"kept"],["aten::passing",1048576,"passing"],'\
'["aten::static",524288,"static"]]' "$(of tensor 'map([.name, .bytes, .life])')"
sed 's/2048/many/' "$tmp/run/rank_0/operator_memory.csv" >"$tmp/table"
cp "$tmp/table" "$tmp/run/rank_0/operator_memory.csv"
fails 'no size' 1 "operator_memory.csv:2: Size(KB): not a size 'many'" sapp-trace -kernels "$tmp/run"
echo 'Name,Allocation Time(us),Release Time(us)' >"$tmp/run/rank_0/operator_memory.csv"
fails 'a column is missing' 1 "operator_memory.csv:1: no column 'Size(KB)'" sapp-trace -kernels "$tmp/run"
rm "$tmp/run/rank_0/operator_memory.csv"
lines=$(wc -l <"$csv")
truncate -s -40 "$csv"
fails 'a table that was cut' 0 "kernel_details.csv:$lines: warning: the table ends within a row" \
	sapp-trace -kernels "$tmp/run"
sed 's/"[^"]*"//g; s/Input Shapes/Other/' "$csv" >"$tmp/table"
cp "$tmp/table" "$csv"
fails 'no shapes' 0 'kernels without shapes' sapp-trace -kernels "$tmp/run/rank_0"

# Tables of collectives.
head='# Collective test starting: all_gather_perf
#  Rank  0 Group  0 Pid  77 on    node1 device  0 [0x07] NVIDIA H100
#  Rank  1 Group  0 Pid  78 on    node2 device  1 [0x0f] NVIDIA H100
#       size         count      type   redop    root     time   algbw   busbw #wrong     time
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)'
printf '%s\n        1024           128     float    none      -1    12.34    0.08    0.04      0    11.11\n' "$head" \
	>"$tmp/table"
run 0 sapp-trace -kernels "$tmp/table"
same 'nccl-tests' '["all_gather",2,2,1024,0.01234]' \
	"$(of communication '.[0] | [.op, .members, .nodes, .bytes, .time]')"
printf 'data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:\n8192 | 80.37 | 0.1 | success\n' \
	>"$tmp/all_reduce_test.log"
run 0 sapp-trace -kernels -nodes 1 "$tmp/all_reduce_test.log"
same 'hccl_test' '["all_reduce",1,8192,0.08037]' "$(of communication '.[0] | [.op, .nodes, .bytes, .time]')"
cp "$tmp/all_reduce_test.log" "$tmp/nameless"
fails 'of what' 1 "nameless:1: a table of an unknown collective: name the collective in the file's name" sapp-trace \
	-kernels "$tmp/nameless"
printf '%s\n 1024 128\n' "$head" >"$tmp/table"
fails 'a row without a time' 1 'table:6: fewer columns' sapp-trace -kernels "$tmp/table"
printf '%s\n 1024 128 float none -1 soon\n' "$head" >"$tmp/table"
fails 'a time that is none' 1 "table:6: time: not a number 'soon'" sapp-trace -kernels "$tmp/table"
# json NAME TEXT: a file of Galvatron's profiler.
json() { printf '%s\n' "$2" >"$tmp/$1.json"; }
json sp_time_2nodes_8gpus_per_node '{"allreduce_size_8_64MB_time": 0.9, "all2all_size_16_0.5MB_time": 0.31}'
run 0 sapp-trace -kernels "$tmp/sp_time_2nodes_8gpus_per_node.json"
same "Galvatron's" '[["all_reduce",8,1,67108864,0.9],["all_to_all",16,2,524288,0.31]]' \
	"$(of communication 'map([.op, .members, .nodes, .bytes, .time])')"
json plain '{"all2all_size_2_1MB_time": 2}'
run 0 sapp-trace -kernels "$tmp/plain.json"
same 'of nodes that are not said' '[["all_to_all",2,null]]' "$(of communication 'map([.op, .members, .nodes])')"
while IFS='|' read -r what text message; do
	json bad "$text"
	fails "$what" 1 "$message" sapp-trace -kernels "$tmp/bad.json"
done <<'END'
another key|{"allreduce_size_8_64MB_time": 1, "overlap_coe": 1.2}|such as 'allreduce_size_8_64MB_time' 'overlap_coe'
one device|{"allreduce_size_1_64MB_time": 1}|'allreduce_size_1_64MB_time'
more behind it|{"allreduce_size_8_64MB_times": 1, "allreduce_size_8_64MB_time": 1}|'allreduce_size_8_64MB_times'
a time of none|{"allreduce_size_8_64MB_time": 0}|allreduce_size_8_64MB_time: not a time in ms
words|{"allreduce_size_8_64MB_time": "fast"}|not a time in ms
cut|{"allreduce_size_8_64MB_time": 1|bad.json:
twice|{"allreduce_size_8_64MB_time": 1, "allreduce_size_8_64MB_time": 1}|duplicate
END

real=${SHARED_DATA:-$top/../shared/data}
if [ ! -d "$real/qwen3-0.6b-pp2" ]; then
	skip "no real pipeline run in $real"
	done_testing
	exit
fi
run 0 sapp-trace -kernels "$real/qwen3-0.6b-pp2"
same 'a real run' '[{"dp":2,"micro_batches":2,"pp":2,"tp":1}]' "$(of run 'map({dp, tp, pp, micro_batches})')"
same 'its 5050 rows but for 38 collectives' 5012 "$(of kernel 'map(.calls) | add')"
same 'its 164 kinds but for 4 of collectives' 160 "$(of kernel 'map([.type, .input, .output, .dtype, .core]) | unique |
	length')"
same 'of 53 types, with collectives' 53 "$({ jq -r 'select(.kind == "kernel") | .type' "$tmp/out"
	cut -d , -f 7 "$real"/qwen3-0.6b-pp2/*/ASCEND_PROFILER_OUTPUT/kernel_details.csv | grep '^hcom'; } | sort -u |
	wc -l)"
same '56 attentions backward' 56 "$(of kernel 'map(select(.type == "FlashAttentionScoreGrad") | .calls) | add')"
near 'of 2252 us' 2.2523 "$(of kernel 'map(select(.type == "FlashAttentionScoreGrad") | .time) | add / 2')" 0.004
near 'with a spread of a hundredth' 0.01 "$(of kernel 'map(select(.type == "FlashAttentionScoreGrad") | .spread) |
	add / length')" 0.005
near 'gradients of stage 0, MB' 1503.26 "$(of communication 'map(select(.stage == 0 and .group == "dp" and
	.op == "reduce_scatter") | .bytes * .calls) | add / 1e6')" 0.01
near 'its parameters' 751.63 "$(of communication 'map(select(.stage == 0 and .group == "dp" and .op == "all_gather") |
	.bytes * .calls) | add / 1e6')" 0.01
same 'the tied embedding on both stages' '[622.329856,622.329856]' \
	"$(of communication 'map(select(.group == "embd") | .bytes / 1e6)')"
same 'messages' '[8.388608]' "$(of communication 'map(select(.group == "pp") | .bytes / 1e6) | unique')"
near 'a layer keeps 201.7 MB, by its tensors' 201.7 "$(of tensor 'map(select(.stage == 0 and .part == "body" and
	.phase == "forward" and .life == "kept") | .bytes * .calls) | add / 28 / 1048576')" 8
near 'before the first forward' 4313 "$(of usage 'map(select(.stage == 0) | .begin) | min')" 1
run 0 sapp-trace -kernels -body BasicBlock "$real/kineto/resnet_checkpoint_mi300_training.json.gz"
same 'PyTorch: shapes from the operator, bytes from the collective' '[[10,64,56,56],[8,17632384]]' \
	"$(jq -sc '[([.[] | select(.kind == "kernel")][0].input[0]),
	([.[] | select(.kind == "communication" and .part == "outside" and .op == "all_reduce")][0] |
	[.members, .bytes])]' "$tmp/out")"
done_testing
