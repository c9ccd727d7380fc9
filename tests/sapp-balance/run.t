#!/bin/sh
# sapp-balance: all steps on the 175B example, reruns, the dialogue, refused input.
. "$(dirname "$0")/../lib.sh"

example=$top/examples/llama-175b
# Layer times are given, not read from a profile.
{ sed '/^profiling_config/,/tail_layers/d' "$example/init.yaml"; echo 'time_config: {head: 30, body: 180, tail: 90}'
} >"$tmp/init.yaml"
balance() {
	sapp-balance --init "$tmp/init.yaml" -mb 16 -mem 56000 -t 20 -manual "$example/manual.yaml" -o "$tmp/dir" "$@" \
		"$example/peaks.txt" >"$tmp/report" 2>"$tmp/err"
}
check 'runs' balance
for f in result.svg result_naive_all_recomp.svg result_naive_no_recomp.svg result_by_hand.svg result_compare.svg \
	result.html plan.jsonl report.txt; do
	check "$f" test -s "$tmp/dir/$f"
done
check 'stages from the init YAML' grep -q '"stages":16' "$tmp/dir/plan.jsonl"
check 'the bubble in the original words' grep -q 'bubble %  =  ideal  +  imba  +  recompute  +  comm' "$tmp/report"
check 'the settings' grep -q '^== To put into the training settings ==' "$tmp/report"
same 'of one plan' 1 "$(grep -c 'select_recompute:' "$tmp/report")"
check 'the training YAML' grep -q '^    offset: \[-\{0,1\}[0-9]' "$tmp/report"
check 'the fit' grep -q 'stage' "$tmp/dir/report.txt"
# The plan is good even with little processor time.
near 'the plan is proved to be near the best' 0 "$(jq -r 'select(.kind=="plan").gap' "$tmp/dir/plan.jsonl")" 0.05
check 'better than by hand' \
	sh -c 'jq -es "(map(select(.kind==\"sim\"))) as \$s | \$s[0].step_time < '\
'(\$s[]|select(.name==\"by_hand\").step_time)" "$1"' \
	sh "$tmp/dir/sim.jsonl"

# The init YAML of sapp-guide, with a profile and dryruns.
make-timeline -P 16 -L 96 -mb 16 -steps 5 -o "$tmp/steps" >"$tmp/null"
{ sed '/^time_config/d' "$tmp/init.yaml"; echo 'profiling_config: {micro_batch_num: 16}'; } >"$tmp/profiled.yaml"
check 'a timeline and peaks beside an init YAML' sh -c "sapp-balance --init '$tmp/profiled.yaml' -mem 56000 -t 1 \
	-naive 0 -o '$tmp/beside' '$tmp/steps' '$example/peaks.txt' >'$tmp/null' 2>'$tmp/err'"
same 'layers have its times' 180 "$(jq 'select(.type == "BODY").time' "$tmp/beside/layers.jsonl")"

cp "$tmp/report" "$tmp/report.1"; stat -c %Y.%y "$tmp"/dir/*.jsonl >"$tmp/times.1"
check 'a second time' balance
stat -c %Y.%y "$tmp"/dir/*.jsonl >"$tmp/times.2"
check 'with nothing done again' cmp "$tmp/times.1" "$tmp/times.2"
check 'and the same report' cmp "$tmp/report.1" "$tmp/report"
rm "$tmp/dir/sim.jsonl"
balance
check 'a step that is missing is done again' grep -q 'simulation \.\.\.' "$tmp/err"
check 'and those before it are not' grep -q 'the plan: as before' "$tmp/err"
balance -i 2 -lm 1 -t 1
check 'another question is planned' grep -q 'the plan \.\.\.' "$tmp/err"
check 'its name' grep -q 'vpp-less' "$tmp/report"
# With a dumped graph, which gives the savings of single operations.
cp "$top/tests/fuzz/corpus/ir/kinds" "$tmp/graph.ir"
balance -naive 0 -manual '' "$tmp/graph.ir"
same 'kinds that a graph says' 'fa fa+matmul' "$(jq -r 'select(.type == "BODY").kinds | keys[]' \
	"$tmp/dir/layers.jsonl" | xargs)"
check 'and planned with them' grep -q '"kind":"kind","name":"fa"' "$tmp/dir/plan.jsonl"
check 'fewer strategies' sh -c '! grep -q naive "$1"' sh "$tmp/dir/report.txt"
same 'the page offers the settings that can be written' 'mindformers: offset' "$(perl -0777 -ne \
	'print $1 if /const DATA = (\{.*?\n?\});\n/s' "$tmp/dir/result.html" | jq -r '.runs[0].settings[0] |
	"\(.name): \(.text | capture("(?<key>offset)").key)"')"
same 'pictures of no others stay' 'result.html result.svg result_compare.svg' "$(cd "$tmp/dir" && echo result*)"
check 'schedules by name' balance -S 1f1b,zb-h1,v-half -t 1
same 'each is planned' '1f1b v-half zb-h1' \
	"$(jq -r 'select(.kind == "plan").schedule' "$tmp/dir/plan.jsonl" | sort | xargs)"

# Different devices.
cat >"$tmp/six.jsonl" <<END
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":6,"time":1,"memory_parameter":10,"memory_activation":1}
END
check 'devices that are not alike' sapp-balance --layers "$tmp/six.jsonl" -s 2 -mb 8 -mem 1000 -t 5 \
	-speed 2,1 -comm 0.5 -naive 0 -o "$tmp/unlike"
same 'are planned and simulated' "2,1 true" "$(jq -r 'select(.kind == "pipeline").speed | join(",")' \
	"$tmp/unlike/plan.jsonl") $(cat "$tmp/unlike"/*.jsonl | jq -s '(map(select(.kind == "plan"))[0].step_time -
	map(select(.kind == "sim"))[0].step_time | fabs) < 1e-9')"

# Other options are passed to the planner.
cat >"$tmp/nine.jsonl" <<END
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":9,"time":10,"memory_parameter":1,"memory_activation":1}
{"kind":"layer","name":"loss","type":"TAIL","nb_layer":1,"time":20,"memory_parameter":1}
END
check 'pieces without layers' sapp-balance --layers "$tmp/nine.jsonl" -s 4 -mb 8 -mem 1000 -t 60 -S zbv -naive 0 \
	-empty -o "$tmp/empty"
same 'are planned' 900 "$(jq 'select(.kind == "plan").step_time' "$tmp/empty/plan.jsonl")"
check 'operations that run together' sapp-balance --layers "$tmp/nine.jsonl" -s 2 -i 2 -mb 8 -mem 1000 -t 5 -naive 0 \
	-S vpp-overlap -overlap 0.75 -o "$tmp/overlap"
same 'are asked for' 0.75 "$(jq 'select(.kind == "pipeline").overlap' "$tmp/overlap/plan.jsonl")"
check 'groups and spread' sapp-balance --layers "$tmp/nine.jsonl" -s 2 -i 2 -mb 8 -mem 1000 -t 5 -naive 0 \
	-group 4 -spread 0.1 -o "$tmp/group"
same 'too' '4 0.1' "$(jq -r 'select(.kind == "pipeline") | "\(.group) \(.spread)"' "$tmp/group/plan.jsonl")"

# From a layer-description document; the dialogue.
sapp-layers -o "$tmp/layers.json" "$tmp/dir/layers.jsonl" >"$tmp/null" 2>&1
check 'another name for its model' sapp-balance --layers "$tmp/layers.json" -m mine -s 16 -mb 16 -mem 56000 -t 2 \
	-naive 0 -o "$tmp/mine"
same 'is that of the model' mine "$(jq -r 'select(.kind == "model").name' "$tmp/mine/plan.jsonl" | head -n 1)"
check 'a layer-description document' sapp-balance --layers "$tmp/layers.json" -s 16 -mb 16 -t 1 -naive 0 \
	-o "$tmp/dir2"
printf '%s\n' "$tmp/init.yaml" '' 16 '' '' 1 1 '' "$tmp/dir3" >"$tmp/answers"
check 'the dialogue' sh -c 'sapp-balance <"$1"' sh "$tmp/answers"
check 'its answers are used' grep -q '"micro_batches":16' "$tmp/dir3/plan.jsonl"
same 'what to measure is asked, too' "$(sapp-guide -s 4 -n 80 -k full)" \
	"$(printf '%s\n' 4 80 y n n n '' | sapp-balance --guide 2>"$tmp/err")"

# Times from timelines in directories with odd names.
"$example/make-timeline" "$tmp/my time line" >"$tmp/null"
folders=0
while read -r folder; do
	folders=$((folders + 1))
	[ $folders = 2 ] || long || continue
	sed "s|folder_path:.*|folder_path: $folder|; /^memory_usage/,\$d" "$example/init.yaml" >"$tmp/traced.yaml"
	rm -rf "$tmp/dir7"
	check "layers are timed in $folder" sapp-balance --init "$tmp/traced.yaml" -t 0.2 -naive 0 \
		-mem 56000 -o "$tmp/dir7" "$example/peaks.txt"
	near 'their time' 180 "$(jq 'select(.type == "BODY").time' "$tmp/dir7/layers.jsonl")" 0.1
done <<'END'
my time line
"my time line"   # in quotes
'my time line'
END

# Settings from the training run itself.
sed 's/offset: \[.*/offset: [0, 0, -4, -2, 2, -2, -2, 10, -2, -2, -2, 0, 2, 2, 0, 0]/
	s/select_recompute: \[.*/select_recompute: [5, 5, 2, 1, 4, 3, 2, 14, 4, 4, 4, 6, 1, 5, 5, 6]/
	s/select_comm_recompute: \[.*/select_comm_recompute: [0, 5, 0, 1, 1, 4, 2, 2, 1, 3, 2, 6, 4, 5, 5, 1]/' \
	"$example/train.yaml" | sed 's/^\( *\)num_layers:.*/&\n\1seq_length: 4096/' >"$tmp/train.yaml"
echo 'runner_config: {batch_size: 1}' >>"$tmp/train.yaml"
check 'a training YAML, logs and timelines' sapp-balance --train "$tmp/train.yaml" -t 4 -o "$tmp/dir8" \
	"$example/peaks.txt" "$tmp/my time line"
same 'its stages, micro-batches and limit' '[16,16,57344]' \
	"$(jq -c 'select(.kind == "pipeline") | [.stages, .micro_batches, .memory_limit]' "$tmp/dir8/plan.jsonl")"
check 'tokens a second and device in the report' grep -q '^Tokens per second and device: [1-9]' "$tmp/dir8/report.txt"
fails 'a training YAML without timelines' 1 'no timeline among the operands' sapp-balance --train \
	"$tmp/train.yaml" -o "$tmp/dir9" "$example/peaks.txt"
# Only a log of Megatron-LM: arguments, timers of the last stage, peaks of all ranks.
{
	for a in 'global_batch_size 4' 'hidden_size 64' 'max_position_embeddings 64' 'micro_batch_size 1' \
		'num_attention_heads 4' 'num_layers 16' 'pipeline_model_parallel_size 4' 'seq_length 64' \
		'tensor_model_parallel_size 2' 'world_size 8' 'checkpoint_activations True' 'checkpoint_num_layers 1'
	do echo "  ${a% *} ............ ${a#* }"; done
	echo ' > padded vocab (size: 900) with 60 dummy tokens (new size: 960)'
	for i in 1 2 3 4 5; do
		echo " iteration $i/ 10 | elapsed time per iteration (ms): 303.0 |"
		echo 'time (ms) | forward-compute: 48.00 | forward-recv: 33.00 | backward-compute: 120.00 |' \
			'backward-send: 1.00 | backward-send-forward-recv: 6.00 | backward-embedding-all-reduce: 78.00'
	done
	for r in 0 1 2 3 4 5 6 7; do
		s=$((r / 2))
		m=$((4 * 500 + (4 - s) * 4 * 10 + (s == 0) * 300 + (s == 3) * 200))
		echo "[Rank $r] (after 2 iterations) memory (MB) | allocated: 1 | max allocated: $m | reserved: 1 |" \
			"max reserved: $((m + 100 + s))"
	done
} >"$tmp/megatron.log"
check 'a log is enough' sapp-balance --train "$tmp/megatron.log" -mem 2600 -s 8 -t 3 -o "$tmp/dir10"
same 'by what was allocated' 2460 "$(jq -s 'map(select(.kind == "fit"))[0].residuals[0].measured' \
	"$tmp/dir10/layers.jsonl")"
check 'what was reserved besides is in the report' grep -q 'devices held up to 103 MB more' "$tmp/dir10/report.txt"
check 'up to settings of Megatron-LM' grep -q -- '^--pipeline-model-parallel-size 8' "$tmp/dir10/report.txt"
same 'and arguments that go' '--checkpoint-activations True --checkpoint-num-layers 1' \
	"$(sed -n '/^Remove from the arguments of megatron.log:$/,/^$/p' "$tmp/dir10/report.txt" | sed 1d | xargs)"
check 'with what keeping everything needs, by the shapes' grep -q '^none .* computed from the network' \
	"$tmp/dir10/report.txt"
sed '/time (ms)/d' "$tmp/megatron.log" >"$tmp/timeless.log"
fails 'without times of stages that is said' 1 'it lacks timers of stages (--timing-log-level 2)' \
	sapp-balance --train "$tmp/timeless.log" -mem 2600 -t 3 -o "$tmp/dir11"
fails 'two kinds of layers' 2 '--init and --layers exclude each other' sapp-balance --layers \
	"$tmp/train.yaml" --init "$tmp/init.yaml"
fails 'nothing to go by' 2 '--init, --layers or --train is required' sapp-balance -mb 4
fails 'an unknown option' 2 "unknown option '--nix'" sapp-balance --init x --nix 1
fails 'an unknown schedule' 2 "-S: unknown '2f2b'" sapp-balance --init "$tmp/init.yaml" -S 2f2b -o "$tmp/dir6" \
	"$example/peaks.txt"
fails 'a value that is missing' 2 '-mb: a value is missing' sapp-balance -mb
fails 'logs without an init YAML' 2 "logs: only with --init, not with --layers 'x.log'" sapp-balance --layers \
	"$example/init.yaml" x.log
fails 'a directory for layers' 1 "$tmp: cannot be read" sapp-balance --layers "$tmp"
fails 'a file that is missing' 1 'none.yaml: cannot be read' sapp-balance --init "$tmp/none.yaml"
fails 'a memory limit that nothing meets' 3 'no answer; partial results are in' \
	sapp-balance --init "$tmp/init.yaml" -mb 16 -mem 20000 -t 5 -o "$tmp/dir4" "$example/peaks.txt"
check 'the smallest limit that works is said' grep -q 'infeasible' "$tmp/dir4/plan.jsonl"
echo 'not: [yaml' >"$tmp/bad.yaml"
fails 'a bad init YAML' 1 'not YAML' sapp-balance --init "$tmp/bad.yaml" -mem 9000 -o "$tmp/dir5"
check 'leaves nothing half made' sh -c '! ls "$1"/dir5/*.jsonl* 2>/dev/null' sh "$tmp"

# Without stages and micro-batches in the YAML or options sapp-balance tells its assumptions.
sapp-layers "$top/examples/llama-70b/layers.json" >"$tmp/plain.jsonl"
sapp-balance --layers "$tmp/plain.jsonl" -mb 8 -t 1 -o "$tmp/assumed" >"$tmp/out" 2>"$tmp/err"
check 'what is assumed is said' grep -q 'sapp-lp: assumed, as not given by an option or a job record: 4 stages (-s)' \
	"$tmp/err"
check 'the limit, too' grep -qx 'sapp-balance: assumed: a limit of 56000 MB (-mem)' "$tmp/err"
check 'and the report says it' grep -qx 'Assumed: a limit of 56000 MB (-mem).' "$tmp/assumed/report.txt"
done_testing
