#!/bin/sh
# sapp-balance takes the current run and its framework from the training file, even if memory was measured with other
# settings. If a setting is missing, it names the option for it before it measures anything.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/train.yaml" <<'END'
parallel_config: {pipeline_stage: 6, micro_batch_num: 8}
context: {max_device_memory: "3GB"}
model: {model_config: {num_layers: 24, offset: 0}}
recompute_config: {recompute: [4, 4, 4, 4, 4, 4]}
END
cat >"$tmp/init.yaml" <<'END'
pipeline_config: {pipeline_num: 6, num_layer: 24, offset: [1, -1, 2, 1, -2, -1]}
recompute_config: {recompute: [1, 2, 0, 3, 0, 1]}
END
s=0
while read -r n r; do	# layers, recomputed
	m=$((n * 300 + (6 - s) * ((n - r) * 90 + r * 10) + (s == 0) * 200 + (s == 5) * 150))
	echo "stage_${s}_rank_$((s * 8))/x.log:1: Actual peak memory usage (with fragments): ${m}M"
	s=$((s + 1))
done >"$tmp/peaks.txt" <<'END'
5 1
3 2
6 0
5 3
2 0
3 1
END
PATH=$BUILD/examples:$PATH
make-timeline -P 6 -L 24 -mb 8 -steps 4 -head 30 -body 180 -tail 90 -o "$tmp/timeline" >"$tmp/null"
balance() {	# DIR OPTION...
	dir=$tmp/$1; shift
	sapp-balance -t 2 -naive 0 -o "$dir" "$@" >"$tmp/report" 2>"$tmp/err"
}

# Use the settings of dryruns for memory, and the profile and the settings of the training run for times.
check 'settings of dryruns beside those of the training' balance both --train "$tmp/train.yaml" --init \
	"$tmp/init.yaml" \
	-S 1f1b,zb-h1 "$tmp/peaks.txt" "$tmp/timeline"
same 'today is the training' '[[4,4,4,4,4,4]]' \
	"$(jq -c 'select(.kind == "plan" and .name == "today").recompute' "$tmp/both/sim.jsonl")"
same 'plans are those of its framework' '1f1b mindformers' \
	"$(jq -r 'select(.kind == "plan" and .origin == "planner") | "\(.schedule) \(.target)"' "$tmp/both/plan.jsonl")"
check 'a schedule that it lacks is in the report' grep -q "^Not planned: zb-h1: MindFormers has no schedule 'zb-h1'" \
	"$tmp/report"
check 'the plan can be written' sapp-yaml -w "$tmp/train.yaml" -n "$tmp/both/plan.jsonl"
check 'which the report shows' grep -q '^== Changes of train.yaml ==' "$tmp/report"
check 'what the target cannot run is not proposed' balance any --train "$tmp/train.yaml" --layers \
	"$tmp/both/layers.jsonl" -target any -S zb-h1
check 'but the reason is said' sh -c 'sed -z "s/\n  / /g" "$1" |
	grep -q "^Next: the plan cannot be written into .*MindFormers has no schedule .zb-h1"' sh "$tmp/report"
sed 's/3GB/2GB/; s/recompute: \[.*/recompute: False}/' "$tmp/train.yaml" >"$tmp/large.yaml"
check 'a run that does not fit' balance large --train "$tmp/large.yaml" --layers "$tmp/both/layers.jsonl"
check 'is told of' grep -qE '^Today: .* It does not fit: [0-9]+ MB of 2048 on stage [0-5]\.' "$tmp/report"

# Peaks of dryruns give no memory limit, and a profile gives no number of micro-batches: -mem and -mb must give them.
fails 'no limit' 2 'the memory limit is missing: give -mem MB' sapp-balance --init "$tmp/init.yaml" -o "$tmp/no" \
	"$tmp/peaks.txt" "$tmp/timeline"
fails 'no micro-batches' 2 'the number of micro-batches is unknown: give -mb N' sapp-balance --init \
	"$tmp/init.yaml" -mem 3GB -o "$tmp/no" "$tmp/peaks.txt" "$tmp/timeline"
check 'with both' balance guided --init "$tmp/init.yaml" -mem 3G -mb 8 "$tmp/peaks.txt" "$tmp/timeline"
same 'whose limit is in MB' 3072 "$(jq 'select(.kind == "pipeline").memory_limit' "$tmp/guided/plan.jsonl")"

# A strategy of -manual is simulated once, even with several questions.
echo 'mine: {offset: 0, recompute: true, interleave_num: 1}' >"$tmp/manual.yaml"
check 'a strategy beside several questions' balance manual --layers "$tmp/both/layers.jsonl" -s 6 -mb 8 -mem 4000 -i \
	1-2 \
	-manual "$tmp/manual.yaml"
same 'is there once' mine "$(jq -r 'select(.kind == "sim" and .name[:4] == "mine").name' "$tmp/manual/sim.jsonl")"

# Give the variables of a script by option and environment; plan another number of stages on the same devices.
cat >"$tmp/train.sh" <<'END'
torchrun --nproc_per_node 8 --nnodes $MY_NODES pretrain_gpt.py --num-layers 24 --hidden-size 64 \
	--num-attention-heads 4 \
	--seq-length 64 --max-position-embeddings 64 --micro-batch-size 1 --global-batch-size 32 \
	--pipeline-model-parallel-size $MY_PP
END
MY_NODES=2; export MY_NODES
check 'variables of a script' balance script --train "$tmp/train.sh" -set MY_PP=4 -s 8 -mem 9000 --layers \
	"$tmp/both/layers.jsonl"
same 'as many devices: half of the replicas' '8 16' \
	"$(jq -r 'select(.kind == "pipeline") | "\(.stages) \(.micro_batches)"' \
	"$tmp/script/plan.jsonl")"
check 'is said' grep -q 'as many devices and sequences per step as today: 2 replicas of 16 micro-batches' "$tmp/report"
fails 'a variable that nobody gives' 1 '-set MY_PP=VALUE' sapp-balance --train "$tmp/train.sh" -mem 9000 --layers \
	"$tmp/both/layers.jsonl" -o "$tmp/no"

for option in '-i 0' '-lm 2' '-mem 80X'; do
	# shellcheck disable=SC2086 # several words
	fails "an error before long steps: $option" 2 "sapp-balance: ${option%% *}: " sapp-balance --init \
		"$tmp/init.yaml" \
		-o "$tmp/no" $option "$tmp/peaks.txt"
done
check 'nothing was measured before' test ! -e "$tmp/no/layers.jsonl"
fails 'a log that is missing' 1 'none.txt: no such file' sapp-balance --init "$tmp/init.yaml" "$tmp/none.txt"
done_testing
