#!/bin/sh
# Every key of a job in forms of YAML, and unknown keys.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/job.sh"
cd "$tmp" || exit 1
small_job
mkdir dir
cp net.json 'dir/a net.json'

estimated() { run 0 estimate -k 1 -o s "$@"; }
names() { jq -r 'select(.kind == "estimate").name' s/work/estimates.jsonl | sort; }
check 'a job as before' estimated job.yaml
names >plain
fastest() { jq -s 'map(.step_time // empty) | min' s/work/estimates.jsonl; }
fastest >step
sed 's/^cluster:.*/&\nhardware: {peak: 0.148, memory_bandwidth: 9}/' job.yaml >slow.yaml
check 'units of another size are read' run 0 sapp-model -job slow.yaml
check 'with a warning' tells \
	"slow.yaml:4: warning: hardware: peak: in TFLOP/s; below that of all listed devices '0.148'"
check 'for each' tells "memory_bandwidth: in GB/s; below that of all listed devices '9'"
sed 's/^cluster:.*/&\nhardware: {memory_bandwidth: 300}/' job.yaml >slow.yaml
check 'slower memory' estimated slow.yaml
same 'makes longer steps' true "$(fastest | jq --slurpfile before step '. > 1.1 * $before[0]')"

# The same job in other forms of YAML.
cat >flow.yaml <<'EOT'
%YAML 1.1
---
"model": 'dir/a net.json'	# a name with a blank
devices: &n 8
cluster: "a100-40gb"
global_batch: 16
limits: {pp: [2, 3-4], vp: 1-2, mbs: ["1", 2],
         cp: 1, even: false}
...
EOT
check 'flow maps, quotes, comments, anchors' estimated flow.yaml
same 'say the same' "$(cat plain)" "$(names)"
grep -v '^limits\|^  ' job.yaml >bare.yaml
with() { cat bare.yaml >with.yaml; printf '%s\n' "$@" >>with.yaml; }
with 'limits: &l {pp: 2, tp: 2, dp: 2, cp: 1, mbs: 1, vp: 1}'
check 'limits of one number each' estimated with.yaml
same 'leave one configuration' 'DP2_TP2_PP2_EP1_MBS1' "$(names)"
with 'limits:' '  tp: 1,2' '  etp: [1, tp]' '  zero: 1' '  shard: all' '  ep: 1' '  cp_kind: [ring, ulysses]' \
	'  pp: 1-2' '  cp: 1-1' '  even: true' '  empty: true'
check 'all limits' estimated with.yaml
same 'are kept' '2 2' "$(jq -s -r 'map(select(.kind == "estimate")) | "\(map(.tp) | max) \(map(.pp) | max)"' \
	s/work/estimates.jsonl)"
with 'limits:'
check 'no limits' estimated with.yaml

with 'seq_length: 2048'
check 'a sequence length' estimated with.yaml
same 'is the network'"'"'s' 2048 "$(jq 'select(.kind == "network").seq_length' s/work/network.jsonl)"
with 'memory: 30000'
check 'memory' estimated with.yaml
same 'is the limit' 30000 "$(jq 'select(.kind == "cluster").memory_limit' s/work/network.jsonl)"
for memory in '54GB 55296' '54GiB 55296' '0.5GB 512' '30000MB 30000'; do
	with "memory: ${memory% *}"
	same "memory in units, ${memory% *}" "${memory#* }" "$(sapp-model -job with.yaml | jq .memory)"
done
with 'hardware: {peak: 150}' 'limits: {pp: 2, tp: 2, cp: 1, mbs: 1, vp: 1}'
check 'the peak of another device' estimated with.yaml
same 'is as sure as a borrowed one' borrowed \
	"$(jq -r 'select(.kind == "estimate").source.efficiency' s/work/estimates.jsonl)"
check 'sequences that nothing names are assumed' grep -q '^assumed: sequences of 4,096 tokens' out
with 'imbalance: 1.5'
check 'an imbalance' estimated with.yaml
with 'target: mindformers' 'limits: {pp: 2, mbs: 1, tp: 2, cp: 1}'
check 'a target' estimated with.yaml
printf 'dp,tp,pp,dmratio,bfratio,re_grow_ration,hratio,moe_fw\n2,2,2,1,2,1,1,50\n' >profile.csv
with 'profile: profile.csv' 'limits: {dp: 2, pp: 2, tp: 2, cp: 1, mbs: 1, vp: 1}'
check 'a profile' estimated with.yaml
same 'gives times' measured "$(jq -r 'select(.kind == "estimate").source.layers' s/work/estimates.jsonl)"
mkdir -p logs/DP2_TP2_PP2
echo 'Actual peak memory usage (with fragments): 12345M' >logs/DP2_TP2_PP2/x.log
with 'peaks: logs' 'limits: {dp: 2, pp: 2, tp: 2, cp: 1, mbs: 1, vp: 1}'
check 'peaks of dryruns' estimated with.yaml
same 'give memory' 12345 "$(jq 'select(.kind == "estimate").memory | max' s/work/estimates.jsonl)"
same 'and their table' '2,2,2,12345' "$(tail -n 1 s/nd_candidate_config.csv)"

same 'today on other devices is compared by devices, too' \
	'today N on 8 devices: 65.30 s (estimated); the winner takes '\
'15.5 % of it on 64, 124.0 % of its device seconds' "$(jq -nr -L "$top/scripts/lib" 'include "search";
	{ name: "N", dp: 2, tp: 2, pp: 2, step_time: 65300, fits: true } | today_line(10120; 64)')"
# The current run: the script's degrees, with the job's batch size, and only if the script has degrees.
check 'a config.json runs nothing today' test ! -s s/work/baseline.jsonl
cat >train.sh <<'EOT'
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py --tensor-model-parallel-size 2 \
	--pipeline-model-parallel-size 2 --num-layers 10 --hidden-size 4096 --ffn-hidden-size 14336 \
		--num-attention-heads 32 \
	--seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 --global-batch-size 4
EOT
script() { sed 's/^model:.*/model: train.sh/' bare.yaml >with.yaml; printf '%s\n' "$@" >>with.yaml; }
script
fails 'a script without the vocabulary' 1 'vocab' estimate -o s with.yaml
script 'vocab: 32000' 'limits: {pp: 2, tp: 2, cp: 1, mbs: 1, vp: 1}'
check 'which the job says' estimated with.yaml
same 'today has the batch of the job' '2 8' "$(jq -r '"\(.pp) \(.micro_batches)"' s/work/baseline.jsonl)"
step=$(sapp-est -layers s/work/network.jsonl s/work/current.jsonl | sapp-yaml -r train.sh 2>err | jq -c \
	'if .kind == "plan" then .micro_batches = 8 else . end' | sapp-sim | jq 'select(.kind == "sim").step_time')
near 'and the step of its own settings' "$step" "$(jq .step_time s/work/baseline.jsonl)" 1e-6
near 'whose parts add up' "$step" "$(jq '[.times[]] | add' s/work/baseline.jsonl)" 1e-6
with 'vocab: 32001'
fails 'a vocabulary that contradicts the file' 1 "with.yaml: vocab: not the 32000 of" estimate -o s with.yaml
with 'training: train.sh' 'limits: {pp: 2, tp: 2, cp: 1, mbs: 1, vp: 1}'
check 'a network and a script beside it' estimated with.yaml
same 'of what runs' 'DP2_TP2_PP2_EP1_ZERO0_MBS1' "$(jq -r .name s/work/baseline.jsonl)"
with 'limits: {pp: 3}'
fails 'limits that no degrees meet' 3 '0 configurations, 0 legal' estimate -o s with.yaml
check 'of which no memory is the reason' sh -c '! grep -q "whole memory limit is used" err'
with 'training: train.sh' 'seq_length: 2048'
fails 'sequences that contradict the training file' 1 "with.yaml: seq_length: not the 4096 of" \
	estimate -o s with.yaml
sed 's/--seq-length 4096/--seq-length 2048/' train.sh >short.sh
with 'training: short.sh' 'limits: {pp: 2, tp: 2, cp: 1, mbs: 1, vp: 1}'
check 'shorter sequences than the model can' estimated with.yaml
same 'are those trained' 2048 "$(jq 'select(.kind == "network").seq_length' s/work/network.jsonl)"
with 'training: short.sh' 'seq_length: 2048' 'limits: {pp: 2, tp: 2, cp: 1, mbs: 1, vp: 1}'
check 'said twice' estimated with.yaml
sed 's/--hidden-size 4096/--hidden-size 8192/' train.sh >wide.sh
with 'training: wide.sh'
fails 'a script of another network' 1 "wide.sh: not the network of ./net.json: hidden_size is 8192, not 4096" \
	estimate -o s with.yaml

# Measurements of the run that a script describes.
"$top/examples/megatron/make-profile" profile || exit 1
cp "$top/examples/megatron/train.sh" "$top/examples/megatron/train.log" .
job() {
	printf '%s\n' 'model: train.sh' 'devices: 64' 'cluster: h100' 'global_batch: 64' 'vocab: 50000' \
		'limits: {tp: 8, pp: 8, vp: 1, mbs: 1, cp: 1}' "$@" >with.yaml
}
body() { sapp-est -layers -measured s/measured.jsonl s/work/network.jsonl s/work/estimates.jsonl |
	jq -c 'select(.type == "BODY") | [.time, .backward_time, (.memory_activation | round)]' | sort -u; }
job
check 'without' estimated with.yaml
job 'measured: [profile, train.log]'
check 'a profile and a log' estimated with.yaml
same 'times and memory of its layers' '[12,24,700]' "$(body)"
same 'which are said to be measured' measured \
	"$(jq -r 'select(.kind == "estimate").source.layers' s/work/estimates.jsonl)"
same 'the end of two layers' 75 "$(sapp-est -parts -measured s/measured.jsonl s/work/network.jsonl \
	s/work/current.jsonl |
	jq 'select(.kind == "estimate") | .tail.forward + .tail.backward | round')"
check 'and planned, to an edited script' run 0 sapp-search -t 6 -k 1 -o s with.yaml
script=s/DP1_TP8_PP8_EP1_MBS1_pretrain.sh
ours='recompute|virtual|pipeline-num-layers|layout|global-batch-size|sequence-parallel|distributed-optimizer'
ours="$ours|context-parallel"
check 'which bash takes' bash -n "$script"
same 'with the batch of the job' '--global-batch-size 64' "$(grep -o -- '--global-batch-size [0-9]*' "$script")"
same 'and nothing else changed' "$(grep -vE -- "--($ours)" train.sh)" "$(grep -vE -- "--[a-z-]*($ours)" "$script")"
same 'which is what was ranked' "$(jq -r 'select(.kind == "plan").step_time * 1e6 | round' s/plans.jsonl)" \
	"$(jq -c 'select(.kind != "plan")' s/plans.jsonl | sapp-yaml -r "$script" -layers 48 2>/dev/null | sapp-sim |
	jq -r 'select(.kind == "sim").step_time * 1e6 | round')"
check 'beside what runs today' grep -q '^today DP1_TP8_PP8_EP1_ZERO0_MBS1: .* the winner takes' s/report.txt
same 'in the measured times' '[12,24]' "$(jq -c 'select(.type == "BODY") | [.time, .backward_time]' s/plans.jsonl)"
mv train.sh whole.sh
sed 's/^torchrun/A=--global-batch-size B="16 --bf16"\n&/; s/--global-batch-size 16/$A $B/' whole.sh >train.sh
check 'a script whose value stands elsewhere' run 0 sapp-search -t 2 -k 1 -o s with.yaml
check 'is not edited, and why' \
	grep -q 'train.sh is not edited, line [0-9]*: not written: no edit of one place changes only' "$tmp/err"
same 'arguments are' '--pipeline-model-parallel-size 8' \
	"$(cat s/*_pretrain.* | grep -o -- '--pipeline-model-parallel-size [0-9]*')"
check 'in a file of their own' test -e s/DP1_TP8_PP8_EP1_MBS1_pretrain.args -a ! -e "$script"
mv whole.sh train.sh
job 'measured: profile'
check 'a profile alone' estimated with.yaml
same 'of another batch: no step beside the estimate' null "$(jq .measured s/work/baseline.jsonl)"
same 'its times' '[12,24]' "$(body | jq -c '.[:2]')"
sed -i 's/global_batch: 64/global_batch: 16/' with.yaml
check 'a job of the batch that ran' estimated with.yaml
same 'its step is beside the estimate' "$(sapp-trace -c s/work/init.yaml profile 2>"$tmp/null" |
	jq -s '[.[] | select(.kind == "step").time] | sort | .[length / 2 | floor]')" \
	"$(jq 'select(.kind == "estimate").measured' s/work/baseline.jsonl)"
job 'measured:' '- train.log'
check 'a log alone' estimated with.yaml
same 'its memory' 700 "$(body | jq '.[2]')"
cat >runs.jsonl <<'EOT'
{"kind":"run","name":"small","dp":1,"tp":8,"pp":1,"mbs":1,"micro_batches":4}
EOT
printf '{"kind":"coefficient","of":"%s","run":"small","part":"body","terms":[{"value":%s,"exponents":{}}],'\
'"source":"measured","runs":1}\n' time 13 backward_time 29 >>runs.jsonl
job 'measured: runs.jsonl'
check 'small runs, as sapp-fit has them' estimated with.yaml
same 'their times' '[13,29]' "$(body | jq -c '.[:2]')"
job 'measured: nowhere'
fails 'nothing measured there' 1 "with.yaml: measured: cannot be read './nowhere'" estimate -o s with.yaml
with 'measured: [profile]'
fails 'measured of nobody knows what' 1 'lacks the degrees of the measured run' estimate -o s with.yaml

# bad NAME MESSAGE LINE...
bad() {
	name=$1 message=$2
	shift 2
	with "$@"
	fails "$name" 1 "$message" estimate -o b with.yaml
}
known='known: model devices cluster global_batch seq_length packed vocab memory hardware '\
'target training measured runs coefficients operators known peaks dryruns candidates profile'
echo 'model: config.json' >alone.yaml
missing="missing keys 'devices', 'cluster', 'global_batch'"
fails 'all missing keys at once, and those that may be there' 1 \
	"alone.yaml: $missing (optional keys: seq_length packed vocab memory " \
	sapp-search -o b alone.yaml
echo '{ "architectures": ["X"], "model_type": "x" }' >config.json
fails 'a network instead of a job' 1 \
	"config.json:1: a network, not a job; write a job with 'model: config.json'" \
	sapp-search -o b config.json
printf 'parallel_config:\n  data_parallel: 1\n' >train.yaml
fails 'a training file instead of a job' 1 "not a job; write a job with 'training: train.yaml'" \
	sapp-search -o b train.yaml
bad 'a key that is none' "sapp-search: with.yaml:5: unknown key 'devcies'; the nearest is 'devices'; $known" \
	'devcies: 3'
bad 'a limit that is none' "with.yaml:6: limits: unknown key 'tpp'; the nearest is 'tp'; known: dp tp" 'limits:' \
	'  tpp: 2'
bad 'a limit that is no number' "with.yaml:5: limits: tp: not a number or a range such as 4-16 'x'" 'limits: {tp: x}'
bad 'half a range' "not a number or a range such as 4-16 '4-'" 'limits: {tp: [2, 4-]}'
bad 'a word of another limit' "shard: not a number or a range such as 4-16 or all 'tp'" 'limits: {shard: tp}'
bad 'a way of attention that is none' "cp_kind: not ring|ulysses 'tree'" 'limits: {cp_kind: tree}'
bad 'an empty list' 'limits: tp: empty' 'limits: {tp: []}'
bad 'neither true nor false' "even: not true or false '3'" 'limits: {even: 3}'
bad 'limits that are no map' "with.yaml:5: limits: not a map '8'" 'limits: 8'
bad 'a list that is no name' 'with.yaml:5: training: expected text, not a list' 'training: [a, b]'
bad 'a number in quotes' "vocab: not a positive whole number '32000'" 'vocab: "32000"'
bad 'a vocabulary of none' "vocab: not a positive whole number '0'" 'vocab: 0'
bad 'a number that is too large' "memory: not between 1 and 999999999 '1000000000'" 'memory: 1000000000'
bad 'a unit of memory that is none' "memory: not a number of MB, MiB, GB or GiB '54TB'" 'memory: 54TB'
bad 'an imbalance below 1' 'with.yaml:5: imbalance: not between 1 and' 'imbalance: 0.5'
bad 'nothing measured' 'with.yaml:5: measured: empty' 'measured: []'
bad 'peaks of nothing' 'peaks: empty' 'peaks:'
bad 'no YAML' 'with.yaml:' 'limits: {tp: 8'
bad 'a key again' "with.yaml:5: duplicate key, first on line 2 'devices'" 'devices: 4'
printf 'model: "a\\nb"\n' >with.yaml
fails 'a name of two lines' 1 'control characters in it' estimate -o b with.yaml
echo '[1, 2]' >with.yaml
fails 'no map' 1 'with.yaml:1: not a map of keys and values' estimate -o b with.yaml
: >with.yaml
fails 'an empty file' 1 'with.yaml: empty' estimate -o b with.yaml
fails 'a job and a file' 2 '-job: not with other files' sapp-model -job job.yaml net.json
done_testing
