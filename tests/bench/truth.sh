#!/bin/sh
# Predictions and measurements of every available real run: the step, its pipeline, peaks; and predictions with one
# measurement left out. Prints a table; "truth.sh FILE" also writes it to FILE as JSON lines.
out=${1:-/dev/null}
: >"$out"
data=$(cd "$(dirname "$0")/../.." && pwd)/../shared/data
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
printf '%-18s %-46s %10s %10s %8s\n' run figure measured predicted error

# row RUN FIGURE MEASURED PREDICTED
row() {
	case $4 in '' | null) echo "$1: no figure: $2" | tee -a "$tmp/missing" >&2; return 0 ;; esac
	awk -v run="$1" -v what="$2" -v a="$3" -v b="$4" -v out="$out" 'BEGIN {
		printf "%-18s %-46s %10.1f %10.1f %+7.2f%%\n", run, what, a, b, 100 * (b / a - 1)
		printf "{\"bench\":\"truth\",\"run\":\"%s\",\"figure\":\"%s\","\
		"\"measured\":%.6g,\"predicted\":%.6g,\"error\":%.4g}\n",
			run, what, a, b, b / a - 1 >>out }'
}
# measured MEMBER: print a member of the step record of the job, or of the first stage, in $tmp/run.
measured() { jq -s "map(select(.kind == \"step\")) | .[0].$1" "$tmp/run"; }
sim() { sapp-sim -j "$@" "$tmp/input" 2>/dev/null | jq -s "map(select(.kind == \"sim\"))[0] | $member"; }
# without RUN WHAT FILTER [OPTION...]: predict again with records changed by a jq filter.
without() {
	run=$1 what=$2 filter=$3; shift 3
	cp "$tmp/input" "$tmp/whole"
	jq -c "$filter" "$tmp/whole" >"$tmp/input"
	member='.step_time'
	row "$run" "  step without $what" "$step" "$(sim "$@")"
	cp "$tmp/whole" "$tmp/input"
}
# steps RUN: compare the run in $tmp/run with the simulation of $tmp/input.
steps() {
	step=$(measured time)
	member='.pipeline_time // .step_time'
	row "$1" "pipeline, ms" "$(measured pipeline)" "$(sim)"
	member='.step_time'
	row "$1" "step, ms" "$step" "$(sim)"
	without "$1" "time outside the pipeline" 'del(.overhead, .overhead_early)'
	without "$1" "transfers" '.' -comm 0
	without "$1" "blocking transfers (hidden)" '.' -transfers hidden
	if grep -q _factor "$tmp/input"; then
		without "$1" "factors of micro-batches" 'del(.forward_factor, .backward_factor)'
	fi
}

# layers: print the layers of run $f from times and peaks on standard input, with the plan that ran.
layers() {
	jq -r 'select(.kind == "peak" and .which == "used") | "\(.stage) \(.memory)"' "$tmp/run" | sort -n >"$tmp/peaks"
	grep -v '"kind":"chunks"' | sapp-memsplit -peak used "$f" 2>/dev/null >"$tmp/layers"
	sapp-yaml -r "$f" "$tmp/layers" 2>/dev/null
}

f=$data/runs/straggler_ST_timeline.json.gz
if [ -e "$f" ]; then
	sapp-trace "$f" >"$tmp/run" 2>/dev/null && cp "$tmp/run" "$tmp/input" && steps production-dp2-pp4
	sapp-trace -replay "$f" 2>/dev/null | sapp-sim -j 2>/dev/null |
		jq -s -r '[.[] | select(.kind == "step" or .kind == "sim")] |
		[range(0; length; 2) as $i | [.[$i].pipeline, .[$i + 1].pipeline_time]] |
		sort_by(.[1] / .[0] - 1 | fabs) | last |
		"\(.[0]) \(.[1])"' >"$tmp/worst"
	read -r a b <"$tmp/worst" && row production-dp2-pp4 "worst of all pipelines replayed, ms" "$a" "$b"
fi
for p in 4 8; do
	f=$data/logs/megatron_v100_tp4_pp$p.out
	[ -e "$f" ] || continue
	sapp-trace "$f" >"$tmp/run" 2>/dev/null && cp "$tmp/run" "$tmp/input" && steps "megatron-v100-pp$p"
	# shellcheck disable=SC2016 # a program of jq
	without "megatron-v100-pp$p" "times of the other stages" 'if .kind == "chunks" then
		.forward[0] = [.forward[0][] as $x | .forward[0][-1]] |
		.backward[0] = [.backward[0][] as $x | .backward[0][-1]] else . end'
	# Only the log, as layers, in the settings that ran. Time that layers do not explain is overhead, so this checks
	# the way from log to plan rather than the model of a step.
	layers <"$tmp/run" >"$tmp/input"
	member='.step_time'
	row "megatron-v100-pp$p" "step from layers, ms" "$step" "$(sim)"
	member='.peak_memory[]'
	sim | paste -d ' ' "$tmp/peaks" - >"$tmp/pairs"
	while read -r s a b; do row "megatron-v100-pp$p" "peak of stage $s, MB" "$a" "$b"; done <"$tmp/pairs"
	# Each stage predicted from the other stages and the network's shapes.
	i=0
	while [ $i -lt "$p" ]; do
		grep -v "\"kind\":\"peak\",\"stage\":$i," "$tmp/run" | layers >"$tmp/input"
		member=".peak_memory[$i]"
		row "megatron-v100-pp$p" "  peak of stage $i without its own" \
			"$(sed -n "s/^$i //p" "$tmp/peaks")" "$(sim)"
		i=$((i + 1))
	done
done
if [ -d "$data/qwen3-0.6b-pp2" ]; then
	printf 'pipeline_config: {pipeline_num: 2, num_layer: 28}\nprofiling_config: {micro_batch_num: 2}\n' \
		>"$tmp/q.yaml"
	plan() {
		sapp-trace "$@" -c "$tmp/q.yaml" "$data/qwen3-0.6b-pp2" 2>/dev/null |
			sapp-memsplit -peak used "$tmp/q.yaml" 2>/dev/null
		printf %s '{"kind":"plan","name":"ran","origin":"manual","schedule":"1f1b","interleave":1,'\
'"counts":{"layer":' \
			'{"none":[[14,14]]}},"offset":[[0,0]],"recompute":[[0,0]],"select_recompute":[[0,0]],'\
'"select_comm_recompute":[[0,0]]}'
	}
	plan >"$tmp/run" && cp "$tmp/run" "$tmp/input" && steps qwen3-0.6b-pp2
	plan -busy >"$tmp/input"
	member='.pipeline_time'
	row qwen3-0.6b-pp2 "  pipeline by busy, not wall times" "$(measured pipeline)" "$(sim)"
	cp "$tmp/run" "$tmp/input"
	for s in 0 1; do
		member=".peak_memory[$s]"
		row qwen3-0.6b-pp2 "peak of stage $s, MB" \
			"$(jq -s "map(select(.kind == \"peak\" and .which == \"used\" and .stage == $s))[0].memory" \
			"$tmp/run")" "$(sim)"
	done
fi
[ -s "$out" ] || [ "$out" = /dev/null ] || echo "no real run in $data"

# A synthetic run whose micro-batches vary by 30 %: the first half of its steps predicts the mean of the other half, and
# how many of these steps are inside the interval of eight of ten.
sh "$(dirname "$0")/../sapp-trace/varying.sh" 240 0.3 17 >"$tmp/vary.json"
sapp-trace -steps 1-120 "$tmp/vary.json" >"$tmp/input" 2>/dev/null
sapp-trace -replay "$tmp/vary.json" 2>/dev/null | jq 'select(.kind == "step").pipeline' | tail -n +121 >"$tmp/later"
step=$(jq -s 'add / length' "$tmp/later") member='.step_time'
row "made, varying" "step of 120 unseen, ms" "$step" "$(sim)"
without "made, varying" "drawn micro-batches" 'del(.forward_sample, .backward_sample)'
member='"\(.step_p10) \(.step_p90)"'
sim | tr -d '"' | while read -r a b; do
	row "made, varying" "steps of ten within p10 to p90" 8 \
		"$(jq -s "(map(select(. >= $a and . <= $b)) | length) / length * 10" "$tmp/later")"
done

# Use the recorded run of examples/cpu-run. Its profile has 6 layers on each stage. Predict the step with 6 and 6
# layers, and the step with 9 and 3 layers, which were not profiled.
own=$(dirname "$0")/../data/cpu-run
printf '%s\n' 'pipeline_config: {pipeline_num: 2, num_layer: 12, offset: [[0, 0], [3, -3]]}' >"$tmp/own.yaml"
sapp-trace -head embedding -body layers. -tail loss "$own/round_0/profile" 2>/dev/null |
	sapp-memsplit "$tmp/own.yaml" "$own" >"$tmp/layers" 2>/dev/null
for ran in '0 6,6 0,0' '1 9,3 3,-3'; do
	read -r round layers offset <<END
$ran
END
	printf '{"kind":"plan","name":"ran","origin":"manual","schedule":"1f1b","interleave":1,"counts":{"layers.":'\
'{"none":[[%s]]}},"offset":[[%s]],"recompute":[[0,0]],"select_recompute":[[0,0]],"select_comm_recompute":[[0,0]]}\n' \
		"$layers" "$offset" | cat "$tmp/layers" - >"$tmp/input"
	member='.step_time'
	row "own, processors" "step of $layers layers, ms" \
		"$(sed -n 's/^median \(.*\) ms/\1/p' "$own/round_$round/train.log")" "$(sim -transfers hidden)"
done

# Steps with given transfers, from the first forward to the last operation of stage 0: the median and the worst error of
# each schedule. Exchanges in 1f1b; zero bubble does not wait for its sends.
given=$(dirname "$0")/../data/transfers.jsonl
jq -c '{kind: "chunks"} + del(.measured) | .transfers = if .schedule == "1f1b" then "batched" else "hidden" end' \
	"$given" | sapp-sim -e | jq -r 'select(.kind == "block" and .stage == 0) | [.plan, .end] | @tsv' |
	awk -F '\t' '{ if ($2 > end[$1]) end[$1] = $2 } END { for (p in end) print p "\t" end[p] }' | sort >"$tmp/ends"
for schedule in $(jq -r .schedule "$given" | sort -u); do
	jq -r --arg s "$schedule" 'select(.schedule == $s) | [.name, .measured] | @tsv' "$given" | sort |
		join -t '	' - "$tmp/ends" |
		awk -F '\t' '{ e = $3 / $2 - 1; print (e < 0 ? -e : e) "\t" $2 "\t" $3 }' | sort -g >"$tmp/errors"
	for at in "in the middle:$(($(wc -l <"$tmp/errors") / 2 + 1))" "the worst:$(wc -l <"$tmp/errors")"; do
		sed -n "${at##*:}p" "$tmp/errors" | while read -r _ a b; do
			row "given-transfers" "$schedule, ${at%:*} of $(wc -l <"$tmp/errors"), ms" "$a" "$b"
		done
	done
done
[ ! -e "$tmp/missing" ]
