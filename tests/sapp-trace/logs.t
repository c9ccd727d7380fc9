#!/bin/sh
# Training logs as a source of times: figures known by construction, refused logs, and real logs.
. "$(dirname "$0")/../lib.sh"

# A run of 4 stages with 4 micro-batches, 8 ranks; stage 3 takes 12 and 30 ms, the others 10 and 25, a transfer 1.
arguments() {
	cat <<END
------------------------ arguments ------------------------
  data_parallel_size .............................. 1
  global_batch_size ............................... 8
  micro_batch_size ................................ 2
  num_layers ...................................... 16
  num_layers_per_virtual_pipeline_stage ........... None
  pipeline_model_parallel_size .................... 4
  tensor_model_parallel_size ...................... 2
  world_size ...................................... 8
-------------------- end of arguments ---------------------
END
}
row() { printf ' iteration %8d/    1000 | consumed samples: %d | elapsed time per iteration (ms): %s | loss scale: '\
'1.0 |\n' "$1" 1 "$2"; }
last='time (ms) | forward-compute: 48.00 | forward-recv: 33.00 | backward-compute: 120.00 | backward-send: 1.00 | '\
'backward-send-forward-recv: 6.00 | backward-params-all-reduce: 7.00 | backward-embedding-all-reduce: 78.00 | '\
'optimizer-clip-main-grad: 3.00 | optimizer: 9.00 | batch-generator: 1.00'
{
	arguments
	for i in 1 2; do row $i 5000.0; echo "$last" | sed 's/48.00/4800.00/'; done
	for i in 3 4 5 6 7; do row $i 303.0; echo "$last"; done
} >"$tmp/last.log"
run 0 sapp-trace "$tmp/last.log" || not_ok "the last rank's timers"
cp "$tmp/out" "$tmp/last"
same "no warning" "" "$(cat "$tmp/err")"
same "the median step, without the first two" "[303,5]" "$(get step '[.time, .steps]' <"$tmp/last")"
same "its pipeline, and what is behind it" "[286,17]" "$(get step '[.pipeline, .after]' <"$tmp/last")"
same "parts, optimizer once" '{"gradient_reduce":7,"optimizer":9}' "$(get step .parts <"$tmp/last")"
same "the last stage by its timers, the others by what it waits for" "[[10,10,10,12]]" \
	"$(get chunks .forward <"$tmp/last")"
same "backwards likewise" "[[25,25,25,30]]" "$(get chunks .backward <"$tmp/last")"
same "a transfer" '[1,"batched",4,17]' \
	"$(get chunks '[.comm_time, .transfers, .micro_batches, .overhead]' <"$tmp/last")"
same "timing of the stage that was timed" "[3,48,4] [3,120,4]" \
	"$(get timing '[.stage, .total, .events]' <"$tmp/last" | xargs)"
same "the question that it was" '{"comm_time":1,"kind":"job","micro_batches":4,"stages":4,"transfers":"batched"}' \
	"$(get job . <"$tmp/last")"
# The lines were written for sends after receives; an exchange of both at the same time takes 4 ms less.
near "the step from its parts" 299 "$(sapp-sim -j "$tmp/last" | get sim .step_time)" 1
same "-mb and -s win" "[8,1]" \
	"$(sapp-trace -mb 8 -s 1 "$tmp/last.log" | get chunks '[.micro_batches, (.forward[0] | length)]')"
for lines in 2 3; do	# of few iterations, the first of which is slow
	awk -v n=$lines '/^ iteration/ && (++seen == 2 || seen > n + 1) { skip = 1 }
		/^ iteration/ && seen > 2 && seen <= n + 1 { skip = 0 } !skip' "$tmp/last.log" >"$tmp/few.log"
	same "of $lines iterations the others than the first" "[303,$((lines - 1))] [[10,10,10,12]]" \
		"$(sapp-trace "$tmp/few.log" 2>/dev/null | tee "$tmp/few" | get step '[.time, .steps]') \
$(get chunks .forward <"$tmp/few")"
done
gzip -c "$tmp/last.log" >"$tmp/last.log.gz"
same "compressed, from standard input, in colours" \
	"$(get chunks .forward <"$tmp/last") $(get chunks .forward <"$tmp/last")" \
	"$(sapp-trace "$tmp/last.log.gz" |
	get chunks .forward) $(sed 's/elapsed/\x1b[32melapsed\x1b[0m/; s/^/\x1b[1m/' "$tmp/last.log" |
		sapp-trace | get chunks .forward)"

mkdir "$tmp/dir" "$tmp/dir/node"
cp "$tmp/last.log" "$tmp/dir/node/rank.out"
same "of a directory without timelines" "$(get chunks .forward <"$tmp/last")" \
	"$(sapp-trace "$tmp/dir" | get chunks .forward)"

# The arguments contain the network: 4 layers per stage with 24 h^2 + 4 s h operations per token each, and a loss with 2
# h v. Without recomputation the last stage's forwards take 12 ms for 4 layers and the loss, and its backwards 30 ms.
shape() {
	for a in 'hidden_size 64' 'num_attention_heads 4' 'seq_length 64' 'max_position_embeddings 64' "$@"; do
		echo "  ${a% *} .............. ${a#* }"
	done
	echo ' > padded vocab (size: 900) with 60 dummy tokens (new size: 960)'
}
{ shape; cat "$tmp/last.log"; } >"$tmp/layers.log"
run 0 sapp-trace "$tmp/layers.log" || not_ok "times of layers"
cp "$tmp/out" "$tmp/layers" && cp "$tmp/err" "$tmp/said"
ratio=$(jq -n '2 * 64 * 960 / (24 * 64 * 64 + 4 * 64 * 64)')
same "layers and loss by their operations" "$(jq -c -n "[[0, 0], [(12 / (4 + $ratio), 30 / (4 + $ratio))],
	[(12 * $ratio / (4 + $ratio), 30 * $ratio / (4 + $ratio))]] | map(map(. * 1e6 | round))")" \
	"$(jq -s -c 'map(select(.kind == "layer") | [.time, .backward_time] | map(. * 1e6 | round))' "$tmp/layers")"
same "as many as there are, and their network" '[16,64,960,2]' "$(jq -s -c 'map(select(.kind == "network"))[0] as $n |
	map(select(.type == "BODY"))[0].nb_layer as $l | map(select(.kind == "candidate"))[0] as $c |
	[$l, $n.hidden_size, $n.vocab_size, $c.tp]' "$tmp/layers")"
check "the error that this brings" grep -q 'times of layers are off by -[0-9.]* to +[0-9.]* %' "$tmp/said"
check "and what the wait for the others says" grep -q 'waits 10.00 ms per other stage' "$tmp/said"
# The backwards of 4 layers and a transfer for each of three other stages, out of 78 ms; the rest is outside the
# pipeline.
same "what no layers account for is outside the pipeline" \
	"$(jq -n "17 + 78 - 3 * (30 * 4 / (4 + $ratio) + 1) | . * 1e6 | round")" \
	"$(get model '[.overhead] | flatten[0] * 1e6 | round' <"$tmp/layers")"
{ shape 'recompute_granularity full' 'recompute_method uniform' 'recompute_num_layers 1'; cat "$tmp/last.log"; } \
	>"$tmp/full.log"
same "a recomputed layer's forward is no part of its plain backward" \
	"$(jq -c -n "(12 / (4 + $ratio)) as \$f | ((30 - 4 * \$f) / (4 + $ratio)) as \$b | [\$b, \$b + \$f] |
	map(. * 1e6 | round)")" "$(sapp-trace "$tmp/full.log" 2>/dev/null | jq -c 'select(.type == "BODY") |
	[.backward_time, .recompute_time] | map(. * 1e6 | round)')"
{ shape 'num_experts 8' 'moe_layer_freq 2'; cat "$tmp/last.log"; } >"$tmp/moe.log"
run 0 sapp-trace "$tmp/moe.log"
check "kinds that alternate are no runs of layers" grep -q 'mixtures of experts alternate' "$tmp/err"
same "so there are none" "" "$(get layer . <"$tmp/out")"
sed '/padded/d' "$tmp/layers.log" >"$tmp/words.log"
run 0 sapp-trace "$tmp/words.log"
check "what is missing is named" grep -q 'not of layers: no vocab_size among the arguments' "$tmp/err"
# Each stage by itself: middle stages give the time of a layer, and the ends have the rest.
{
	shape
	arguments
	for i in 3 4 5; do
		row $i 303.0
		echo 'times across ranks (ms):'
		for t in 'forward-compute 44 40 40 48' 'backward-compute 104 100 100 120'; do
			# shellcheck disable=SC2086 # several words
			set -- $t
			echo "  $1:"
			r=0
			for x in $2 $2 $3 $3 $4 $4 $5 $5; do echo "     rank  $r: $x.00"; r=$((r + 1)); done
		done
	done
} >"$tmp/each.log"
same "each stage says its own" "[[1,1],[2.5,6.25],[2,5]]" "$(sapp-trace "$tmp/each.log" 2>/dev/null |
	jq -s -c 'map(select(.kind == "layer") | [.time, .backward_time] | map(. * 1e6 | round / 1e6))')"

# Minimum and maximum over all ranks, as in newer releases; after the label of a launcher.
{
	arguments
	for i in 3 4 5; do
		row $i '100.0/200.0'
		cat <<END
(min, max) time across ranks (ms):
    forward-backward ...............................: (80.00, 90.00)
    forward-compute ................................: (40.00, 48.00)
    backward-compute ...............................: (100.00, 120.00)
    all-grads-sync .................................: (1.00, 4.00)
    optimizer ......................................: (5.00, 6.00)
END
	done
} | sed 's/^/0: /' >"$tmp/most.log"
run 0 sapp-trace "$tmp/most.log" || not_ok "the least and the most"
same "this iteration's time, not the mean behind it" "[100,86,14]" \
	"$(get step '[.time, .pipeline, .after]' <"$tmp/out")"
same "the last stage has the most" "[[10,10,10,12]] [[25,25,25,30]]" \
	"$(get chunks '.forward, .backward' <"$tmp/out" | xargs)"
check "which is said" grep -qF 'forward-compute takes 40.00 to 48.00 ms, but the log does not show on which ranks' \
	"$tmp/err"
sed 's/(min, max) time/max time/; s/([0-9.]*, \([0-9.]*\))/\1/' "$tmp/most.log" >"$tmp/max.log"
same "the most alone" "[[12,12,12,12]]" "$(sapp-trace "$tmp/max.log" | get chunks .forward)"

# Every rank.
{
	arguments
	row 3 100.0
	echo 'times across ranks (ms):'
	for t in forward:44,46,40,40,40,40,48,47 backward:100,101,90,90,90,90,120,119; do
		printf '  %s-compute:\n' "${t%%:*}"
		i=0
		for x in $(echo "${t#*:}" | tr , ' '); do printf '     rank %2d: %s.00\n' $i "$x"; i=$((i + 1)); done
	done
} >"$tmp/ranks.log"
run 0 sapp-trace "$tmp/ranks.log" || not_ok "every rank"
same "each stage has its slowest rank's" "[[11.5,10,10,12]] [[25.25,22.5,22.5,30]]" \
	"$(get chunks '.forward, .backward' <"$tmp/out" | xargs)"
same "and a timing record" 8 "$(get timing .stage <"$tmp/out" | wc -l)"

# Other frameworks.
for i in 1 2 3 4 5; do
	echo "2024-09-30 10:00:0$i - INFO - { Epoch:[  1/  2], step:[ $i/ 6500], loss: 10.5, per_step_time: \
41${i}0ms, lr: 1e-05, overflow cond: False }"
done >"$tmp/mindformers.log"
same "MindFormers" "[4140,3]" "$(sapp-trace "$tmp/mindformers.log" | get step '[.time, .steps]')"
echo 'Epoch 0: | | 9/? [v_num=0, reduced_train_loss=9.1, global_step=8.0, train_step_timing in s=2.5]' >"$tmp/nemo.log"
same "NeMo" 2500 "$(sapp-trace "$tmp/nemo.log" | get step .time)"
# The stage of a log: from the path, or from its rank and the numbers of stages and ranks.
whose() { get step '[.stage, .rank, .time]' | xargs; }
mkdir -p "$tmp/own/stage_3_rank_24" "$tmp/own/msrun" "$tmp/own/nemo"
cp "$tmp/mindformers.log" "$tmp/own/stage_3_rank_24/mindformer.log"
same "stage and rank of the path" "[3,24,4140]" "$(sapp-trace "$tmp/own/stage_3_rank_24" | whose)"
for i in 0 1 2 3 4 5 6 7; do sed "s/time: 41/time: 4$i/" "$tmp/mindformers.log" >"$tmp/own/msrun/worker_$i.log"; done
same "the rank of msrun" "[null,5,4540]" "$(sapp-trace "$tmp/own/msrun/worker_5.log" | whose)"
same "with -s and all of them the stage, too" \
	"[0,0,4040] [0,1,4140] [1,2,4240] [1,3,4340] [2,4,4440] [2,5,4540] [3,6,4640] [3,7,4740]" \
	"$(sapp-trace -s 4 "$tmp/own/msrun" | whose)"
printf 'parallel_config:\n  data_parallel: 2\n  model_parallel: 2\n  pipeline_stage: 2\n  micro_batch_num: '\
'4\nmodel:\n  model_config:\n    num_layers: 8\n' >"$tmp/train.yaml"
same "with a training YAML of one alone" "[1,5,4540]" \
	"$(sapp-trace -c "$tmp/train.yaml" "$tmp/own/msrun/worker_5.log" | whose)"
fails "more ranks than it has" 1 "its path says rank 5, but there are 4 ranks" \
	sh -c "sed 's/data_parallel: 2/data_parallel: 1/' '$tmp/train.yaml' >'$tmp/less.yaml'; sapp-trace -c \
'$tmp/less.yaml' '$tmp/own/msrun/worker_5.log'"
fails "a stage that is not there" 1 "its path says stage 3, but there are 2 stages" sapp-trace -s 2 \
	"$tmp/own/stage_3_rank_24"
fails "ranks that cannot be dealt out" 1 "8 ranks cannot be divided by 3 stages" sapp-trace -s 3 "$tmp/own/msrun"
cp "$tmp/nemo.log" "$tmp/own/nemo/nemo_log_globalrank-6_localrank-6.txt"
same "NeMo's rank" "[null,6,2500]" "$(sapp-trace "$tmp/own/nemo" | whose)"
{ row 3 100.0; echo "$last"; } >"$tmp/bare.log"
run 0 sapp-trace "$tmp/bare.log" || not_ok "no arguments"
check "no arguments: says what is missing" grep \
	-qF 'the number of stages is unknown without a list of arguments; give it with -s' "$tmp/err"
same "given by hand" "[[10,10,10,12]]" "$(sapp-trace -s 4 -mb 4 "$tmp/bare.log" | get chunks .forward)"
{ arguments; row 3 100.0; row 4 100; row 5 100; row 6 300; row 7 100; } >"$tmp/far.log"
run 0 sapp-trace "$tmp/far.log" || not_ok "steps that differ"
check "steps that differ are told" grep -qF \
	'1 of 3 times of an iteration differ by more than 20 % from their median of 100.0 ms, from 100.0 to 300.0' \
		"$tmp/err"
same "-steps" 300 "$(sapp-trace -steps 3-3 "$tmp/far.log" 2>/dev/null | get step .time)"
{ cat "$tmp/last.log"; for r in 6 2 0 4
do printf '[Rank %d] (after 2 iterations) memory (MB) | allocated: 1.5 | max allocated: 10%d.5 | reserved: 3.0 | max '\
'reserved: 20%d.0' $r $r $r; done; } >"$tmp/memory.log"
same "peaks out of the same log" "actual [200,202,204,206] used [100.5,102.5,104.5,106.5]" \
	"$(for w in actual used; do echo $w; sapp-trace "$tmp/memory.log" |
	jq -c -s "map(select(.kind == \"peak\" and .which == \"$w\").memory)"; done | xargs)"

# Refused logs.
bad() { name=$1 message=$2; fails "$name" 1 "$message" sapp-trace "$tmp/bad.log"; }
echo 'loss 11.2' >"$tmp/bad.log"; bad "nothing in it" "; not a training log: no 'elapsed time per iteration (ms)'"
{ arguments | sed 's/\(global_batch_size .* \)8/\19/'; row 3 100; } >"$tmp/bad.log"
bad "a batch that cannot be divided" \
	"bad.log:3: --global-batch-size: not a multiple of micro-batches of 2 on 1 replicas '9'"
{ arguments | sed 's/stage \.* None/stage ... 3/'; row 3 100; } >"$tmp/bad.log"
bad "layers that cannot be dealt out" \
	"--num-layers-per-virtual-pipeline-stage: 16 layers on 4 stages cannot be divided into chunks of 3"
{ arguments | sed 's/\(pipeline_model_parallel_size .* \)4/\1 40000/'; row 3 100; } >"$tmp/bad.log"
bad "no such pipeline" "not a whole number between 1 and 10000 '40000'"
{ row 3 100; } >"$tmp/bad.log"
fails "steps that are not there" 1 "-steps: the log has 1 lines with the time of an iteration" sapp-trace -steps 4-5 \
	"$tmp/bad.log"
{ row 3 nan; row 4 -1; row 5 ''; } >"$tmp/bad.log"; bad "times that are none" "; not a training log"
{ row 3 nan; row 4 100.0; echo 'time (ms) | forward-compute: x | | : | backward-compute: 1e99'; } >"$tmp/odd.log"
run 0 sapp-trace "$tmp/odd.log" || not_ok "odd timers"
check "a time that is none is left out, which is said" grep \
	-qF "odd.log:1: warning: 'elapsed time per iteration (ms):' without a time" "$tmp/err"
head -c 3000 /dev/urandom | tr '[{' '..' >"$tmp/noise"
fails "noise" 1 "not a timeline" sapp-trace "$tmp/noise"

# Real logs.
data=$top/../shared/data/logs
if [ -d "$data" ]; then
	for f in 'megatron_v100_tp4_pp4.out 1382.2 26204.56,24432.01,24299.01,25791.77' \
		'megatron_v100_tp4_pp8.out 1617.2 22113.06,20045.01,20044.51,20045.01,20045.01,20044.51,19945.51,'\
'21739.82'; do
		set -- $f
		sapp-trace "$data/$1" >"$tmp/real" 2>"$tmp/err"
		near "$1: measured" "$2" "$(get step .time <"$tmp/real")" 5
		near "$1: simulated, within 5 %" "$2" "$(sapp-sim -j "$tmp/real" | get sim .step_time)" \
			"$(jq -n "$2 * 0.05")"
		same "$1: memory of every stage" "$3" \
			"$(jq -s -r 'map(select(.kind == "peak" and .which == "used").memory * 100 | round / 100 |
			tostring) | join(",")' "$tmp/real")"
	done
	sapp-trace "$data/primus_pp2_ep4.log" >"$tmp/real" 2>/dev/null
	near "in colours, with means behind: this iteration's" 713 "$(get step .time <"$tmp/real")" 1
else
	skip "no real logs"
fi
for i in 1 2 3; do echo "steps: $((10 * i)) loss: 1.2345 iter time (s): 0.25$i samples/sec: 31.9"; done >"$tmp/deep.log"
same "DeepSpeed's steps" 252 "$(sapp-trace "$tmp/deep.log" | get step '.time | round')"

# DeepSpeed's pipeline with wall_clock_breakdown: timers of rank 0, sums over the 10 steps since the last line.
{
	info="[2023-02-27 23:33:59,001] [INFO]"
	echo "$info [engine.py:77:__init__] CONFIG: micro_batches=8 micro_batch_size=4"
	echo "$info [engine.py:151:__init__] RANK=0 STAGE=0 LAYERS=7 [0, 7) STAGE_PARAMS=21256704"
	echo "$info [engine.py:151:__init__] RANK=8 STAGE=1 LAYERS=6 [7, 13) STAGE_PARAMS=21308160"
	for i in 1 2 3; do
		echo "$info [logging.py:60:log_dist] [Rank 0] rank=0 time (ms) | train_batch: 0.00 |" \
			"forward: $((518 + i)).08 | backward_microstep: 1815.10 | backward: 1814 |" \
			"backward_inner_microstep: 1814.17 | backward_inner: $((1598 + i)).91 |" \
			"backward_allreduce: 0.12 | reduce_tied_grads: 0.33 | comms: 126.14 | reduce_grads: 125.80 |" \
			"step: 18.64 | _step_step: 17.40"
		echo "$info [logging.py:60:log_dist] [Rank 0] step=$((10 * i)), skipped=0, lr=[1e-06]"
		echo "steps: $((10 * i)) loss: 10.7133 iter time (s): 0.255 samples/sec: 226.457"
	done
	echo "[Rank 0] rank=0 time (ms) | forward: 99999.99 | backward_inner: 99999.99"
} >"$tmp/deep.log"
sapp-trace "$tmp/deep.log" >"$tmp/out" 2>"$tmp/said"
# The line in the middle: 520.08 / (10 steps x 8 micro-batches) and 1600.91 / 80.
same "its timers" '{"backward":[20.011,20.011],"forward":[6.501,6.501],"micro":8,"overhead":14.477,"stages":2}' \
	"$(jq -c 'select(.kind == "chunks") | {stages: (.forward[0] | length), micro: .micro_batches,
	forward: (.forward[0] | map(. * 1000 | round / 1000)),
	backward: (.backward[0] | map(. * 1000 | round / 1000)),
	overhead: (.overhead * 1000 | round / 1000)}' "$tmp/out")"
same "as times of the stage that has them" '"0 forward 52.008" "0 backward 160.091"' \
	"$(get timing '"\(.stage) \(.phase) \(.total * 1000 | round / 1000)"' <"$tmp/out" | paste -sd ' ' -)"
same "and what is outside" '"optimizer 1.864"' \
	"$(get step '.parts | to_entries[] | select(.key == "optimizer") | "\(.key) \(.value)"' <"$tmp/out")"
check "which is said" grep -q "times of rank 0: the times of stage 0 are used for all stages" "$tmp/said"
# (8 + 1) times a stage, plus the time outside: 253.1 of 255 ms.
near "simulated" 255 "$(sapp-sim -j "$tmp/out" | get sim .step_time)" 3
# Lines of both stages.
sed 's/\[Rank 0\] rank=0 time/[Rank 8] rank=8 time/; s/forward: [0-9]*/forward: 800/' "$tmp/deep.log" |
	grep rank=8 >"$tmp/other"
awk '/rank=0/ { getline other <"'"$tmp/other"'"; print other } { print }' "$tmp/deep.log" >"$tmp/both.log"
same "each stage has its own" '[6.501,10.001]' "$(sapp-trace "$tmp/both.log" 2>"$tmp/said" |
	jq -c 'select(.kind == "chunks") | .forward[0] | map(. * 1000 | round / 1000)')"
same "and nothing is taken for another" 0 "$(grep -c 'rank 0 alone' "$tmp/said")"
sed '/LAYERS=/d' "$tmp/deep.log" >"$tmp/none.log"
sapp-trace "$tmp/none.log" >"$tmp/out" 2>"$tmp/said"
check "without stages" grep -q "times of a stage, but the number of stages" "$tmp/said"
done_testing
