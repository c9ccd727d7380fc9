#!/bin/sh
# Timelines of a pipeline's operations: figures known by construction, refused input, and a production run.
. "$(dirname "$0")/../lib.sh"

# timeline PIPELINES STAGES MICRO STEPS PROGRAM: print operations of 1f1b without transfers, stage by stage. The jq
# PROGRAM computes the duration of a forward in us from $p $s $m $k; a backward takes twice this time.
timeline() {
	jq -cn --argjson P "$1" --argjson S "$2" --argjson M "$3" --argjson K "$4" '
	def f($p; $s; $m; $k): '"$5"';
	def x($name; $tid; $p; $ts; $dur; $k; $m): {name: $name, ph: "X", pid: $p, tid: $tid, ts: $ts, dur: $dur,
		args: {step: $k, model_chunk: 0, mb_id: $m}};
	[range($P) as $p | range($S) as $s | range($K) as $k |
		# All operations of a stage begin at the same time: only durations and ends matter.
		x("params-all-gather"; 2 * $s; $p; $k * 1000000; 100; $k; -1),
		(range($M) as $m |
		x("forward-compute"; 2 * $s; $p; $k * 1000000 + 500 + $m * 1000; f($p; $s; $m; $k); $k; $m),
		x("backward-compute"; 2 * $s; $p; $k * 1000000 + 100000 + $m * 2000; 2 * f($p; $s; $m; $k); $k; $m),
		x("forward-send"; 2 * $s + 1; $p; $k * 1000000 + 400000 + $m * 1000; 40; $k; -1),
		x("backward-recv"; 2 * $s + 1; $p; $k * 1000000 + 400000 + $m * 1000; 40; $k; -1)),
		x("grads-reduce-scatter"; 2 * $s; $p; $k * 1000000 + 500000; 700; $k; -1),
		x("optimizer"; 2 * $s; $p; $k * 1000000 + 600000; 300; $k; -1)] +
	[range($P) as $p | range(2 * $S) as $t | {name: "thread_name", ph: "M", pid: $p, tid: $t,
		args: {name: "PP rank \($t / 2 | floor), TP rank 0, compute"}}]'
}

timeline 1 3 4 6 '100 * ($s + 1)' >"$tmp/even.json"
run 0 sapp-trace "$tmp/even.json" || not_ok "an even one"
same "no warning" "" "$(cat "$tmp/err")"
cp "$tmp/out" "$tmp/even"
same "forward of each stage" "[[0.1,0.2,0.3]]" "$(get chunks .forward <"$tmp/even")"
same "backward of each stage" "[[0.2,0.4,0.6]]" "$(get chunks .backward <"$tmp/even")"
same "micro-batches, schedule, how transfers are made" '[4,"1f1b","batched"]' \
	"$(get chunks '[.micro_batches, .schedule, .transfers]' <"$tmp/even")"
same "the question that it was" '{"comm_time":0.04,"kind":"job","micro_batches":4,"stages":3,"transfers":"batched"}' \
	"$(get job . <"$tmp/even")"
same "two transfers at once are one exchange" 0.04 "$(get chunks .comm_time <"$tmp/even")"
same "the whole step, its pipeline, what is before and after" "[600.3,106.1,0.5,493.7]" \
	"$(get step '[.time, .pipeline, .before, .after] | map(. * 1e6 | round / 1e6)' <"$tmp/even" | head -1)"
same "the first two steps are not steady" 4 "$(get step .steps <"$tmp/even" | head -1)"
same "-steps all counts them" 6 "$(sapp-trace -steps all "$tmp/even.json" | get step .steps | head -1)"
same "-steps 1-2" 2 "$(sapp-trace -steps 1-2 "$tmp/even.json" | get step .steps | head -1)"
same "parts of each stage by name" '{"gradient_reduce":0.7,"optimizer":0.3,"parameter_gather":0.1}' \
	"$(get step 'select(.stage == 1) | .parts | map_values(. * 1e6 | round / 1e6)' <"$tmp/even")"
same "timing of a stage" "[1,\"backward\",6.4,16,4]" \
	"$(get timing 'select(.stage == 1 and .phase == "backward") |
	[.stage, .phase, (.total * 1e6 | round / 1e6), .events, .steps]' <"$tmp/even")"
same "the step simulated has what is outside" "$(get chunks '.overhead[0]' <"$tmp/even")" \
	"$(sapp-sim -j "$tmp/even" | get sim '(.step_time - .pipeline_time) * 1e6 | round / 1e6')"

# Unequal micro-batches, and unequal ranks.
timeline 1 3 4 6 '100 * ($m + 1)' >"$tmp/uneven.json"
run 0 sapp-trace "$tmp/uneven.json" || not_ok "uneven micro-batches"
check "micro-batches that differ are told" grep -qF 'the longest forward takes 4.00 times as long as the shortest' \
	"$tmp/err"
same "their factors" "[[0.4,0.8,1.2,1.6]]" \
	"$(get chunks '.forward_factor | map(map(. * 1e6 | round / 1e6)) | unique' <"$tmp/out")"
timeline 3 2 4 6 'if $p == 1 and $s == 0 then 125 else 100 end' >"$tmp/slow.json"
run 0 sapp-trace "$tmp/slow.json" || not_ok "a straggler"
check "a straggler is named" grep \
	-qF 'a straggler: the forwards of stage 0 of pipeline 1 take 0.50 ms per step, 25 % more' "$tmp/err"
same "and nobody else" 2 "$(grep -c straggler "$tmp/err")"
same "the slowest pipeline is the job's" "[[0.125,0.1]]" "$(get chunks .forward <"$tmp/out")"
timeline 1 6 4 6 'if $s == 2 then 125 else 100 end' >"$tmp/slow.json"
run 0 sapp-trace "$tmp/slow.json" || not_ok "a straggling stage"
check "among the middle stages of one pipeline" grep \
	-qF 'stage 2 of pipeline 0 take 0.50 ms per step, 25 % more than on the other middle' "$tmp/err"
timeline 2 2 3 2 '100 * ($m + 1) + 10 * $p + $k' >"$tmp/each.json"
run 0 sapp-trace -replay "$tmp/each.json" || not_ok "-replay"
same "-replay: every step of every pipeline" \
	"step 0, pipeline 0 step 0, pipeline 1 step 1, pipeline 0 step 1, pipeline 1 " \
	"$(get chunks .name <"$tmp/out" | tr -d '"' | tr '\n' ' ')"
same "-replay: each micro-batch has its own time" "[0.111,0.211,0.311]" \
	"$(get chunks '.forward[0][0] as $f | .forward_factor[0] | map(. * $f * 1e6 | round / 1e6)' <"$tmp/out" |
	tail -1)"
gzip -c "$tmp/even.json" >"$tmp/even.json.gz"
same "compressed" "$(get chunks .forward <"$tmp/even")" "$(sapp-trace "$tmp/even.json.gz" | get chunks .forward)"
same "from standard input" "$(get chunks .forward <"$tmp/even")" "$(sapp-trace <"$tmp/even.json" | get chunks .forward)"
jq -c '{traceEvents: .}' "$tmp/even.json" >"$tmp/object.json"
same "as an object" "$(get chunks .forward <"$tmp/even")" "$(sapp-trace "$tmp/object.json" | get chunks .forward)"
jq -c 'map(select(.args.mb_id != 3 or .args.step != 4))' "$tmp/even.json" >"$tmp/part.json"
run 0 sapp-trace "$tmp/part.json" || not_ok "a step that is not complete"
check "a step that is not complete is left out" grep \
	-qF '1 of 6 steps are incomplete and ignored: step 4 has 18 of 24 operations' "$tmp/err"
# Two chunks per stage.
jq -c '. + map(select(.name | test("compute$")) | .args.model_chunk = 1 | .ts += 50000)' \
	"$tmp/even.json" >"$tmp/vpp.json"
same "two chunks" '["vpp",[[0.1,0.2,0.3],[0.1,0.2,0.3]]]' \
	"$(sapp-trace "$tmp/vpp.json" | get chunks '[.schedule, .forward]')"

# Randomly varying micro-batches: the sample from the first half of the steps predicts the other half.
here=$(dirname "$0")
sh "$here/varying.sh" 240 0.3 17 >"$tmp/vary.json"
run 0 sapp-trace -steps 1-120 "$tmp/vary.json" || not_ok "micro-batches that vary"
cp "$tmp/out" "$tmp/vary"
same "samples instead of factors, a row a piece" "[null,null,4,128,4,128]" "$(get chunks '[.forward_factor,
	.backward_factor] + ([.forward_sample, .backward_sample] | map(length, (.[0] | length)))' <"$tmp/vary")"
same "their means are 1" true "$(get chunks '[.forward_sample[], .backward_sample[]] |
	all(add / length - 1 | fabs < 1e-9)' <"$tmp/vary")"
sapp-trace -replay "$tmp/vary.json" 2>/dev/null >"$tmp/replay"
same "a single step is replayed, not drawn" 0 "$(grep -c _sample "$tmp/replay")"
get step .pipeline <"$tmp/replay" | tail -n +121 | jq -s . >"$tmp/later"
mean=$(jq 'add / length' "$tmp/later")
sapp-sim -j "$tmp/vary" | get sim . >"$tmp/sim"
near "the mean of steps not seen, within 3 %" "$mean" "$(jq .step_time "$tmp/sim")" "$(jq -n "0.03 * $mean")"
same "mean times are more than 5 % short" true "$(jq -c 'del(.forward_sample, .backward_sample)' "$tmp/vary" |
	sapp-sim -j | get sim ".step_time < 0.95 * $mean")"
same "the interval has 7 to 9 of 10 of those steps" true "$(jq --slurpfile later "$tmp/later" '. as $s | $later[0] |
	(map(select(. >= $s.step_p10 and . <= $s.step_p90)) | length) / length | . >= 0.7 and . <= 0.9' "$tmp/sim")"
same "for plans the same, of whole micro-batches" "[128,true]" "$(get job '.micro_sample | [length,
	(add / length - 1 | fabs < 1e-9)]' <"$tmp/vary")"
sapp-sim -j -compare "$tmp/replay" "$tmp/vary" >"$tmp/compared"
same "-compare has the interval beside all steps" true "$(jq -s 'map(select(.kind == "sim"))[0] as $s |
	map(select(.kind == "comparison"))[0] | (.figures[0] | [.low, .high]) == [$s.step_p10, $s.step_p90] and
	(.cause | capture("ms, as are (?<n>[0-9]+) of 238 measured steps").n | tonumber | . > 170 and . < 215)' \
	"$tmp/compared")"
same "and beside their mean" true "$(sapp-sim -j -compare "$tmp/vary" "$tmp/vary" | get comparison '.cause |
	test("the measured step is within$")')"
# The varying times pass through all tools to steps of plans.
printf 'pipeline_config: {pipeline_num: 4, num_layer: 8}\ntime_config: {head: 1, body: 10, tail: 2}\n' >"$tmp/init.yaml"
for s in 0 1 2 3; do
	echo "{\"kind\":\"peak\",\"stage\":$s,\"which\":\"used\",\"memory\":$((600 + (4 - s) * 20))}"
done | cat - "$tmp/vary" | grep -v '"chunks"' | sapp-memsplit "$tmp/init.yaml" 2>"$tmp/err" |
	sapp-lp -mem 3000 -gap 0 -t 5 2>"$tmp/err" | sapp-sim -j >"$tmp/planned"
same "steps of plans are drawn behind sapp-memsplit and sapp-lp" true \
	"$(get sim '.step_p10 < .step_time and .step_time < .step_p90' <"$tmp/planned")"

sh "$here/varying.sh" 40 0.01 17 >"$tmp/steady.json"
same "of a few per cent: factors of each" "[4,null,null]" "$(sapp-trace "$tmp/steady.json" 2>/dev/null |
	get chunks '[(.forward_factor | length), .forward_sample, .backward_sample]')"

# Refused input.
bad() { name=$1 message=$2; jq -c "$3" "$tmp/even.json" >"$tmp/bad.json"
fails "$name" 1 "$message" sapp-trace "$tmp/bad.json"; }
bad "threads without names" ", whose stage is unknown: the thread has no name 'PP rank N'" 'map(select(.ph == "X"))'
bad "no step is complete" \
	"no complete step of a pipeline of 3 stages, 1 chunks per stage and 4 micro-batches: step 0 has 21 of 24 \
operations" \
	'map(select(.args.mb_id != 3 or .tid != 0 or .name != "forward-compute")) | map(select(.tid != 2 or '\
'.args.mb_id != 2 or .args.step < 9)) |
	map(select(.name != "backward-compute" or .tid != 4 or .args.mb_id > 1))'
bad "a micro-batch twice" "has micro-batch 0 twice on stage 0 of pipeline 0" \
	'. + map(select(.name == "forward-compute"))'
bad "a negative micro-batch" "an operation of micro-batch -1" \
	'map(if .name == "forward-compute" then .args.mb_id = -1 else . end)'
bad "a step that is no number" "its step or micro-batch is not a whole number" \
	'map(if .ph == "X" then .args.step = "x" else . end)'
bad "a time that is none" "ts or dur is not a time" 'map(if .ph == "X" then .dur = "x" else . end)'
fails "steps that are not there" 1 "-steps: the timeline has 6 complete steps" sapp-trace -steps 8-9 "$tmp/even.json"

# Events that end before they begin, because clocks differ, are skipped, and counted once.
jq -c 'map(if .name == "optimizer" and .tid == 0 then .dur = -27 - .args.step else . end)' "$tmp/even.json" \
	>"$tmp/clocks.json"
run 0 sapp-trace "$tmp/clocks.json" || not_ok "events of negative length"
same "they are counted once" "warning: 6 events end before they begin, by at most 0.032 ms: ignored" \
	"$(sed 's/.*json: //' "$tmp/err")"
same "the rest is as it was" "$(get chunks '[.forward, .backward]' <"$tmp/even")" \
	"$(get chunks '[.forward, .backward]' <"$tmp/out")"
jq -c 'map(if .name == "forward-compute" and .tid == 0 and .args.step == 3 and .args.mb_id == 1 then .dur = -5
	else . end)' "$tmp/even.json" >"$tmp/needed.json"
run 0 sapp-trace "$tmp/needed.json" || not_ok "an operation of negative length"
check "a step that needs one is left out" grep -q '1 of 6 steps are incomplete and ignored: step 3 has 23 of 24' \
	"$tmp/err"

# Operations printed by ranks, one file each: 2 stages, 2 micro-batches, a forward takes 10 or 20 ms, a backward twice.
mkdir "$tmp/echo" "$tmp/morph"
echo_rank() {	# RANK STAGE FORWARD END: END 1: the time is that of the end
	t=1000.5
	for m in 0 1; do for what in forward backward; do
		case $what in backward) d=$((2 * $3)) ;; *) d=$3 ;; esac
		jq -nr --arg w $what --argjson r "$1" --argjson s "$2" --argjson m $m --argjson d "$d" \
			--argjson t "$t" --argjson e "$4" '
			"rank:\($r):\($w)_step(stage_id=\($s),batch_id=\($m),mg_state=steady,duration=\($d),"+
			"description=None,timestamp=\($t + $e * $d),sub_operations=[trace(name=a,duration=99,"+
			"timestamp=7)])", "rank:\($r):send_forward(stage_id=\($s),batch_id=\($m),"+
			"mg_state=steady,duration=0.5,timestamp=\($t + $d + $e * 0.5))"'
		t=$(jq -n "$t + $d + 1")
	done; done
	echo "rank:$1:dp_allreduce(stage_id=$2,batch_id=None,mg_state=finalize,duration=3,timestamp=$t)"
}
for e in 0 1; do
	for r in 0 1 2 3; do echo_rank $r $((r / 2)) $((10 + 10 * (r / 2))) $e >"$tmp/echo/$r.log"; done
	run 0 sapp-trace "$tmp"/echo/*.log || not_ok "Echo's ranks"
	same "Echo: times of $e, stages and micro-batches" "[[[10,20]],[[20,40]],2]" \
		"$(get chunks '[.forward, .backward, .micro_batches]' <"$tmp/out")"
	near "from the first forward to the end of the last backward" 123 \
		"$(get step .pipeline <"$tmp/out" | head -1)" 1e-6
	same "and what is besides" '{"gradient_reduce":3}' "$(get step 'select(.stage == 1).parts' <"$tmp/out")"
done
sed 's/,timestamp=[0-9.]*//' "$tmp/echo/0.log" >"$tmp/timeless.log"
fails "an operation without its time" 1 'timeless.log:1: an operation of rank 0 without a duration and a timestamp' \
	sapp-trace "$tmp/timeless.log"
for r in 0 1; do
	for i in 0 1 2 3 4; do
		echo "[RANK$r] Iteration $i"
		b=$((1000000 * i + 1000 * r)) f=$((10 + 10 * r))
		echo "[RANK$r] F @ $b.25 (ms) to $((b + f)).25 (ms), cudaEventElapsed = 9.99 (ms)"
		echo "[RANK$r] B @ $((b + 100)) (ms) to $((b + 100 + 2 * f)) (ms), cudaEventElapsed = 1 (ms)"
		echo "[RANK$r] F @ $((b + 200)) (ms) to $((b + 200 + f)) (ms), cudaEventElapsed = 1 (ms)"
		echo "[RANK$r] B @ $((b + 300)) (ms) to $((b + 300 + 2 * f)) (ms), cudaEventElapsed = 1 (ms)"
	done >"$tmp/morph/rank$r.log"
done
run 0 sapp-trace "$tmp"/morph/*.log || not_ok "PipeMorph's ranks"
same "PipeMorph: ranks are stages" "[[[10,20]],[[20,40]],2]" \
	"$(get chunks '[.forward, .backward, .micro_batches]' <"$tmp/out")"
same "steps by iteration" 3 "$(get step .steps <"$tmp/out" | head -1)"
same "-s says how many stages, others run beside them" "[[[20]],[[40]]]" "$(sapp-trace -s 1 "$tmp"/morph/*.log \
	2>/dev/null | get chunks '[.forward, .backward]')"
fails "ranks that are no stages" 1 '2 ranks cannot be divided by 3 stages' sapp-trace -s 3 "$tmp"/morph/*.log
for unit in us s ns; do
	mkdir -p "$tmp/$unit"
	for r in 0 1; do
		awk -v u=$unit 'BEGIN { of["us"] = 1000; of["s"] = 0.001; of["ns"] = 1000000 } {
			for (i = 1; i < NF; i++) if ($(i + 1) ~ /^\(ms\)/ && $(i - 1) ~ /^(@|to)$/) {
			$i = sprintf("%.6f", $i * of[u]); sub(/ms/, u, $(i + 1)) } print }' "$tmp/morph/rank$r.log" |
			sed 's/$/\n/' >"$tmp/$unit/rank$r.log"
	done
	same "PipeMorph: times in $unit, and blank lines" "[[[10,20]],[[20,40]],2]" "$(sapp-trace "$tmp/$unit"/*.log \
		2>/dev/null | get chunks '[.forward, .backward, .micro_batches]')"
done
fails "a unit that nobody knows" 1 'without its two times, in s, ms, us or ns' sh -c \
	"echo '[RANK0] F @ 5 (min) to 6 (min)' | sapp-trace"
awk '/ F @/ { f++; if (f % 2) { sub(/ F @/, " 2F @"); print }; next } / B @/ { print; next } { f = 0; print }' \
	"$tmp/morph/rank0.log" >"$tmp/two.log"
same "operations that were joined share their time" "[[5]]" "$(sapp-trace "$tmp/two.log" 2>/dev/null |
	get chunks '.forward')"
fails "an operation without its second time" 1 'an operation of rank 0 without its two times' sh -c \
	"echo '[RANK0] F @ 5 (ms)' | sapp-trace"

# A production run: 2 pipelines of 4 stages, 32 steps.
real=$top/../shared/data/runs/straggler_ST_timeline.json.gz
if [ -e "$real" ]; then
	sapp-trace "$real" >"$tmp/real" 2>/dev/null
	near "production: the measured step" 2214.3 "$(get step .time <"$tmp/real" | head -1)" 0.1
	near "production: its pipeline" 2013.3 "$(get step .pipeline <"$tmp/real" | head -1)" 0.1
	sapp-sim -j "$tmp/real" | get sim . >"$tmp/sim"
	near "production: the pipeline simulated, within 0.5 %" 2013.3 "$(jq .pipeline_time "$tmp/sim")" 10
	near "production: the step simulated, within 2 %" 2214.3 "$(jq .step_time "$tmp/sim")" 44
	same "production: each of 64 replayed, within 0.1 %" "64 true" "$(sapp-trace -replay "$real" | sapp-sim -j |
		jq -s '[.[] | select(.kind == "step" or .kind == "sim")] | [range(0; length; 2) as $i |
		.[$i + 1].pipeline_time / .[$i].pipeline - 1 | fabs] | length, (max < 0.001)' | xargs)"
	same "production: micro-batches do not vary" 0 "$(grep -c _sample "$tmp/real")"
	near "production: optimizer of stage 0" 42.5 \
		"$(get step 'select(.stage == 0).parts.optimizer' <"$tmp/real")" 0.1
	near "production: gradients of stage 1" 49.5 \
		"$(get step 'select(.stage == 1).parts.gradient_reduce' <"$tmp/real")" 0.1
else
	skip "no production run"
fi
done_testing
