#!/bin/sh
# Input that cannot be split, and the messages.
. "$(dirname "$0")/../lib.sh"
ex=$top/examples/llama-175b
yaml=$tmp/init.yaml
nomem=$tmp/nomem.yaml
sed '/^memory_usage/,$d' "$ex/init.yaml" >"$nomem"
split() { sapp-memsplit "$@" </dev/null; }
piped() { in=$1; shift; printf '%b' "$in" | sapp-memsplit "$@"; }
# small KEYS: a pipeline of 4 stages and 80 layers, with more keys.
small() { printf 'pipeline_config: {pipeline_num: 4, num_layer: 80, offset: %s}\n%b' "$1" "$2" >"$yaml"; }

fails "no operand" 2 "missing operand" split
fails "an unknown option" 2 "usage: sapp-memsplit" split -x "$ex/init.yaml"
fails "-peak that is neither" 2 "-peak: unknown 'largest'; known: actual used" split -peak largest "$ex/init.yaml"
fails "-ranks that the stages do not divide" 1 "1000 ranks cannot be divided by pipeline_num 16" split -ranks 1000 \
	"$ex/init.yaml"
fails "no such file" 1 "nowhere.yaml: cannot be opened: No such file" split "$tmp/nowhere.yaml"
fails "no such log" 1 "nowhere.log: cannot be read" split "$nomem" "$tmp/nowhere.log"
fails "nothing measured" 1 "no measured memory" split "$nomem"
printf 'profiling_config: {micro_batch_num: 4}\n' >"$yaml"
fails "no pipeline" 1 "missing key 'pipeline_config'" split "$yaml"
small 0 'recompute_config: {recompute: [1, 1, 1, 1, 1]}\nmemory_usage: {head_memory: 5}\n'
fails "a list of 5 for 4 stages" 1 "init.yaml:2: recompute: 5 numbers, but the pipeline has 4 stages" split "$yaml"
small '[1, 0, 0, 0]' ''
fails "offsets that do not sum up" 1 "init.yaml:1: offsets have the sum 1, not 0" split "$yaml"
small 0 'memory_usge: 1\n'
fails "an unknown key" 1 "init.yaml:2: unknown key 'memory_usge'" split "$yaml"

# Logs.
fails "a peak of no stage" 1 "<stdin>:1: a peak of 5M of an unknown stage" \
	piped 'Actual peak memory usage (with fragments): 5M\n' "$nomem"
fails "a stage that is not there" 1 "is stage 16, but there are 16" \
	piped 'stage_16_rank_0/x.log:1:Actual peak memory usage: 5M\n' "$nomem"
fails "a stage twice" 1 "stage 1 has two peaks, 5M in 'a/stage_1/x.log' and 6M in 'b/stage_1/x.log'" \
	piped 'a/stage_1/x.log:1:Actual peak memory usage: 5M\nb/stage_1/x.log:1:Actual peak memory usage: 6M\n' \
	"$nomem"
fails "rounds without their settings" 1 \
	"in 'o/round_1/stage_1/x.log'; for several rounds use the init YAML of \
sapp-guide -o" \
	piped 'o/round_0/stage_1/x.log:1:Actual peak memory usage: 5M\n'\
'o/round_1/stage_1/x.log:1:Actual peak memory usage: 6M\n' \
	"$nomem"
fails "actual here and used there" 1 "': choose the runs' peaks with -peak" \
	piped 'stage_1/x.log:1:Actual peak memory usage: 5M\nstage_2/x.log:1:Used peak memory usage: 6M\n' "$nomem"
fails "none of the kind that is asked for" 1 "no used peak in any log" \
	piped 'stage_1/x.log:1:Actual peak memory usage: 5M\n' -peak used "$nomem"
fails "a rank between stages" 1 "rank 5: not the first rank of a stage of 3 ranks" \
	piped 'rank_0/x.log:1:Actual peak memory usage: 5M\nrank_5/x.log:1:Actual peak memory usage: '\
'6M\nrank_8/x.log:1:Actual peak memory usage: 6M\n' "$nomem"
fails "one rank alone" 1 "the stage of rank 5 is unknown; give the number of ranks with -ranks" \
	piped 'rank_5/x.log:1:Actual peak memory usage: 5M\n' "$nomem"
fails "a line that is cut off" 1 "warning: 'Actual peak memory usage' without a number" \
	piped 'stage_1/x.log:1:Actual peak memory usage (with fr\n' "$nomem"
printf 'Out of Memory!!! Request memory size: 33100113920B\n' >"$tmp/stage_1.log"
fails "a run out of memory" 1 "stage_1.log: no peak memory in it: the run ran out of memory" split "$nomem" \
	"$tmp/stage_1.log"
printf 'nothing\n' >"$tmp/stage_2.log"
fails "a log without a peak" 1 "stage_2.log: no peak memory in it: no 'Actual peak memory usage'" split "$nomem" \
	"$tmp/stage_2.log"
head -c 3000000 /dev/zero >"$tmp/stage_3.log"
fails "a log of NULs" 1 "no peak memory in it" split "$nomem" "$tmp/stage_3.log"
small '[[0, 0, 0, 0], [0, 1, -1, 0]]' ''
fails "a log of no round" 1 ": which of the 2 rounds" \
	piped 'stage_1/x.log:1:Actual peak memory usage: 5M\n' "$yaml"
fails "a round that is not there" 1 "is round 2, but there are 2 rounds, counted from 0" \
	piped 'round_2/stage_1/x.log:1:Actual peak memory usage: 5M\n' "$yaml"

# Records.
fails "a member nobody knows" 1 '<stdin>:1: timing: ' piped '{"kind":"timing","nme":"x"}\n' "$ex/init.yaml"
fails "not JSON" 1 "<stdin>:2: not a JSON object" piped 'text\n{"kind":\n' "$ex/init.yaml"
fails "a stage that no pipeline has" 1 "is stage 99, but there are 16" \
	piped '{"kind":"peak","stage":99,"memory":5,"which":"actual"}\n' "$nomem"
mkdir "$tmp/deep"
for r in 0 17; do echo "[Rank $r] memory (MB) | allocated: 1 | max allocated: 50 | reserved: 2 | max reserved: 60"
done >"$tmp/deep/all.log"
fails "a rank that no pipeline has, named by file and line" 1 "sapp-memsplit: $tmp/deep/all.log:2: " split -ranks 16 \
	"$nomem" "$tmp/deep"
fails "text that is not UTF-8, by its line" 1 "latin.yaml:2: not text in UTF-8" \
	sh -c '{ sed 2q "$1" | tr "\n" "\351"; cat "$1"; } | sed "1s/^/\n# /" >"$2/latin.yaml"; sapp-memsplit '\
'"$2/latin.yaml" </dev/null' sh "$ex/init.yaml" "$tmp"
fails "a training YAML" 1 "train.yaml: no measured memory: it has no memory_usage, and no log or peak was given" split \
	"$ex/train.yaml"
fails "two kinds of body layers" 1 "2 kinds of body layers, 'A' and 'B'" \
	piped '{"kind":"layer","name":"A","type":"BODY","nb_layer":3,"time":1}\n{"kind":"layer","name":"B",'\
'"type":"BODY","nb_layer":3,"time":1}\n' "$ex/init.yaml"
fails "two models" 1 "a second model 'b' after 'a'" \
	piped '{"kind":"model","name":"a"}\n{"kind":"model","name":"b"}\n' "$ex/init.yaml"

# Splits without an answer: exit status 3, the unknowns left, and the missing measurements.
small 0 'memory_usage: {head_memory: 70000, tail_memory: 25000, body_memories: {stage_id: [1, 2], memories: [50000, '\
'35000]}}\n'
check "two middle stages, no recomputation: solved without const" run 0 split "$yaml"
check "and said so" grep -q '(const) is counted as part of the layers' "$tmp/err"
small 0 'memory_usage: {head_memory: 60000, tail_memory: 20000, body_memories: {stage_id: [1], memories: [50000]}}\n'
fails "one middle stage: parameter and none go together" 3 "parameter, none, head and tail cannot be separated" split \
	"$yaml"
check "what to measure" grep -q 'measure: stage [0-3] with offset' "$tmp/err"
check "and the tool for it" grep -q 'sapp-guide -s 4 -n 80$' "$tmp/err"
check "the rank is written" test "$(jq -c '[.unknowns, .rank, (.residuals | length)]' "$tmp/out")" = '[4,3,3]'
small 0 'memory_usage: {body_memories: {stage_id: [1, 2], memories: [50000, 35000]}}\n'
fails "ends that were not measured" 3 "head: no measurement determines it separately" split "$yaml"
check "are to be measured" grep -q 'measure: stage 0\|and: stage 0' "$tmp/err"
small 0 'recompute_config: {recompute: true}\nmemory_usage: {head_memory: 60000, tail_memory: 20000, body_memories: '\
'{stage_id: [1, 2], memories: [50000, 35000]}}\n'
fails "everything recomputed" 3 "none: no measurement determines it separately" split "$yaml"

# Memory cannot be negative.
small '[0, 1, -1, 0]' \
	'memory_usage: {head_memory: 60000, tail_memory: 100000, body_memories: {stage_id: [1, 2], memories: [30000, '\
'45000]}}\n'
fails "activations below 0" 3 "none is negative, -" split "$yaml"
check "-force holds them at 0" run 0 split -force "$yaml"
check "and says so" grep -q 'none was negative, -.* and is held at 0' "$tmp/err"
same "0 in the record" 0 "$(jq 'select(.type == "BODY").memory_activation' "$tmp/out")"

# P = 2: no middle stage; two rounds of both ends.
printf 'pipeline_config: {pipeline_num: 2, num_layer: 8, offset: [[0, 0], [1, -1]]}\nmemory_usage: {head_memory: '\
'[%s, %s], tail_memory: [%s, %s]}\n' \
	$((4 * 100 + 2 * 4 * 50 + 30)) $((5 * 100 + 2 * 5 * 50 + 30)) $((4 * 100 + 4 * 50 + 20)) \
	$((3 * 100 + 3 * 50 + 20)) >"$yaml"
check "two stages" run 0 split "$yaml"
same "two stages: 100 a layer, 50, head 30, tail 20" '[100,50,30,20]' \
	"$(jq -c 'select(.kind == "fit") | [.estimates[].value | . * 1e6 | round / 1e6]' "$tmp/out")"

fails "a full disk" 1 "cannot write to standard output" sh -c "sapp-memsplit '$ex/init.yaml' </dev/null >/dev/full"
mkdir "$tmp/dir"
fails "-o in a directory that is not there" 1 "cannot be written" split -o "$tmp/dir/no/doc.json" "$ex/init.yaml"
done_testing
