#!/bin/sh
# sapp-sim -compare: a real run next to its simulation; runs are simulations with one change, and real runs.
. "$(dirname "$0")/../lib.sh"

guess='{"kind":"chunks","name":"guess","schedule":"1f1b","micro_batches":8,
"forward":[10,10,10,12],"backward":[20,20,20,24],
"comm_time":0.5,"activation":1000,"parameter":6000,"overhead":[30,30,30,30]}'
guess=$(echo "$guess" | tr -d '\n')
echo "$guess" >"$tmp/guess"
# Make the records that profilers would give for this run: FILTER changes the pipeline that really ran.
ran() {
	transfer=$(echo "$guess" | jq "$1 | .comm_time")
	echo "$guess" | jq -c "$1" | sapp-sim -e | jq -s -c --argjson transfer "$transfer" '
		map(select(.kind == "sim"))[0] as $s | map(select(.kind == "block")) as $b |
		{ kind: "step", time: $s.step_time, pipeline: $s.pipeline_time, steps: 2, transfer: $transfer },
		(range($s.stages) as $i | ("forward", "backward") as $p | { kind: "timing", name: "stage", phase: $p,
			total: (2 * ([$b[] | select(.stage == $i and (.phase == "F") == ($p == "forward")) |
				.end - .start] | add)),
			instances: 1, events: 16, steps: 2, stage: $i }),
		(range($s.stages) as $i | { kind: "peak", stage: $i, memory: $s.peak_memory[$i], which: "actual" })'
}
# of FIGURE STAGE: print measured, predicted and error.
of() {
	jq -r --arg f "$1" --argjson s "$2" 'select(.kind == "comparison") | .figures[] |
		select(.figure == $f and .stage == $s) |
		"\(.measured) \(.predicted) \(.error * 10000 | round)"' "$tmp/out"
}
cause() { jq -r 'select(.kind == "comparison") | .cause' "$tmp/out"; }
compare() { run 0 sapp-sim -j -compare "$tmp/ran" "$@" "$tmp/guess"; }

ran . >"$tmp/ran"
compare
same 'a run as it was predicted: every figure is there' 16 \
	"$(jq 'select(.kind == "comparison") | .figures | length' "$tmp/out")"
same 'and none is off' 0 \
	"$(jq 'select(.kind == "comparison") | [.figures[].error | fabs] | max | . * 1e9 | round' "$tmp/out")"
check 'which is said' sh -c 'echo "$1" | grep -q "^the step is predicted with an error of 0.01 %"' sh "$(cause)"
same 'behind its simulation' 'sim comparison' \
	"$(jq -r 'select(.kind == ("sim", "comparison")) | .kind' "$tmp/out" | xargs)"

ran '.backward[2] = 23' >"$tmp/ran"
compare
same 'a stage that takes longer' '184 160 -1304' "$(of backward 2)"
same 'the others as they were' '160 160 0' "$(of backward 1)"
check 'the cause is in the pipeline, on that stage' sh -c \
	'echo "$1" | grep -q "in the pipeline: .*, mostly from the backwards of stage 2, predicted 24 ms shorter"' \
	sh "$(cause)"
ran '.overhead = [90,90,90,90]' >"$tmp/ran"
compare
same 'what is outside' '90 30 -6667' "$(of outside null)"
check 'is the cause then' sh -c 'echo "$1" | grep -q "most of it outside the pipeline: -60.00 ms"' sh "$(cause)"
ran '.comm_time = 4' >"$tmp/ran"
compare
same 'transfers' '4 0.5 -8750' "$(of transfer null)"
check 'are the cause where the operations are not' sh -c \
	'echo "$1" | grep -q ": a transfer is predicted to take 0.5 ms, measured 4; .* -87.50 %: transfer"' \
	sh "$(cause)"
ran '.activation = 1500' >"$tmp/ran"
compare
same 'a peak' '12000 10000 -1667' "$(of peak 0)"
check 'the largest error' sh -c 'echo "$1" | grep -q "the largest error is -16.67 %: peak of stage 0"' sh "$(cause)"
jq -c 'if .kind == "peak" then (., .which = "used" | if .which == "used" then .memory -= 500 else . end) else . end' \
	"$tmp/ran" >"$tmp/both" && mv "$tmp/both" "$tmp/ran"
compare
same 'of two kinds of peaks that of the devices' '12000 10000 -1667' "$(of peak 0)"
compare -peak used
same 'or that which is asked for' '11500 10000 -1304' "$(of peak 0)"

# Records of ranks, each with its own part.
sapp-sim -e "$tmp/guess" | jq -s -c 'map(select(.kind == "block")) | group_by(.stage)[] |
	{ kind: "step", stage: .[0].stage, rank: (8 * .[0].stage), time: 500,
	pipeline: ((map(.end) | max) - (map(.start) | min)) }' \
	>"$tmp/ran"
compare
same 'a part of the pipeline for each stage' '0 0 0 0' \
	"$(for s in 0 1 2 3; do of pipeline $s; done | awk '{ print $3 }' | xargs)"
same 'that of the first is all of it' 0 "$(of pipeline null | awk '{ print $3 }')"

# The report for people.
ran '.backward[2] = 23' >"$tmp/ran"
sapp-sim -H -compare "$tmp/ran" "$tmp/guess" >"$tmp/report"
check 'a row for a figure' grep -qE '^stage 2: backward, ms +184.00 +160.00 +-13.04% +#+\|' "$tmp/report"
same 'the longest bar is that of the largest error' '############|' \
	"$(grep -oE '#+\|' "$tmp/report" | awk 'length > length(m) { m = $0 } END { print m }')"
check 'and where it comes from' grep -q "mostly from the backwards of stage 2" "$tmp/report"
check 'no peaks of a pipeline without memory' sh -c \
	'jq -c "del(.activation, .parameter)" "$1/guess" | sapp-sim -H -compare "$1/ran" | grep -c peak, | grep -qx 0' \
	sh "$tmp"
for s in 1f1b gpipe; do echo "$guess" | jq -c --arg s $s '.schedule = $s | .name = $s'; done |
	sapp-sim -j -compare "$tmp/ran" >"$tmp/out"
same 'each of several' '1f1b gpipe' "$(jq -r 'select(.kind == "comparison") | .name' "$tmp/out" | xargs)"

fails 'a run without steps and peaks' 1 "guess: no step or peak records of a run" \
	sapp-sim -compare "$tmp/guess" "$tmp/guess"
fails 'no run' 1 'none: cannot be read: No such file' sapp-sim -compare "$tmp/none" "$tmp/guess"
echo '{"kind":"peak","stage":4,"memory":1,"which":"used"}' >"$tmp/bad"
fails 'more stages than are simulated' 1 "bad: stage 4 was measured, but 'guess' has 4 stages" \
	sapp-sim -compare "$tmp/bad" "$tmp/guess"
same 'nothing half-written' '' "$(cat "$tmp/out")"
echo '{"kind":"peak","stage":2000000000,"memory":1,"which":"used"}' >"$tmp/bad"
fails 'more stages than there can be' 1 "bad:1: stage: must be below 10000 '2000000000'" \
	sapp-sim -compare "$tmp/bad" "$tmp/guess"
echo '{"kind":"step","time":-1}' >"$tmp/bad"
fails 'a step of less than no time' 1 'bad:1: step: time:' sapp-sim -compare "$tmp/bad" "$tmp/guess"
fails 'peaks of nothing' 2 '-peak: needs -compare' sapp-sim -peak used "$tmp/guess"
fails 'peaks of no kind' 2 "-peak: unknown 'usd'; known: actual used; the nearest is 'used'" \
	sapp-sim -compare "$tmp/ran" -peak usd "$tmp/guess"

f=$top/../shared/data/runs/straggler_ST_timeline.json.gz
if [ -e "$f" ]; then
	sapp-trace "$f" >"$tmp/ran" 2>"$tmp/err"
	run 0 sapp-sim -j -compare "$tmp/ran" "$tmp/ran"
	check 'a real run is predicted within a tenth of a per cent' \
		jq -e 'select(.kind == "comparison") | [.figures[] | select(.figure == "step").error | fabs] |
		max < 0.001' "$tmp/out"
	check 'and the work of its stages within a half' \
		jq -e 'select(.kind == "comparison") | [.figures[] | select(.stage != null).error | fabs] |
		max < 0.005' "$tmp/out"
else
	skip 'the timeline of a real run is not there'
fi
done_testing
