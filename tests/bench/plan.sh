#!/bin/sh
# Results of the planner: for each instance of tests/data/plans.jsonl the time to the first plan, the step after
# SECONDS_EACH (10) compared with the best known step and the original program's, the lower bound and the gap; then a
# large question. Prints a table; "plan.sh FILE" also writes it to FILE as JSON lines. The instances allow mixes that
# the lists of the training YAML cannot express, hence -mixes all.
out=${1:-/dev/null}
seconds=${SECONDS_EACH:-10}
data=$(dirname "$0")/../data/plans.jsonl
: >"$out"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# plan OPTION...: write the plan to $tmp/plan, the time of the first plan to $tmp/first, and the million operations per
# second that the search simulates on a thread to $tmp/speed.
# the search simulated on a thread to $tmp/speed.
plan() {
	sapp-lp -v "$@" <"$tmp/layers" 2>"$tmp/err" | jq -c 'select(.kind == "plan")' >"$tmp/plan"
	[ -s "$tmp/plan" ] || { cat "$tmp/err" >&2; exit 1; }
	awk '$3 == "start" { print $1; exit }' "$tmp/err" >"$tmp/first"
	awk '$3 == "searched" { v = $6 } END { print v + 0 }' "$tmp/err" >"$tmp/speed"
}

printf '%-36s %7s %7s %10s %10s %8s %9s %10s %7s %6s %s\n' instance first,s s step known step/known step/orig bound \
	gap,% Mop/s status
while read -r line; do
	printf '%s\n' "$line" | jq -c '.records[]' >"$tmp/layers"
	# shellcheck disable=SC2046 # words are options
	plan $(printf '%s\n' "$line" | jq -r '.question |
		"-s \(.stages) -mb \(.micro_batches) -i \(.interleave) -S \(.schedule) -mem \(.memory_limit)"') \
		-mixes all -gap 0 -t "$seconds"
	printf '%s\n' "$line" | jq -c --slurpfile p "$tmp/plan" --slurpfile first "$tmp/first" --slurpfile speed \
		"$tmp/speed" '$p[0] as $p |
		{ bench: "plan", name, first_seconds: $first[0], seconds: $p.solve_seconds, step_time: $p.step_time,
		best_known,
		  million_per_second: $speed[0], original: .original.step_time, lp_bound, lower_bound: $p.lower_bound,
		  gap: $p.gap, status: $p.status,
		  interleave: .question.interleave }' | tee -a "$tmp/rows" |
		jq -r '[.name, .first_seconds, .seconds, .step_time, .best_known, .step_time / .best_known,
		.step_time / .original,
			.lower_bound, 100 * .gap, .million_per_second, .status] | @tsv' |
		awk -F '\t' '{ printf "%-36s %7.3f %7.2f %10.1f %10.1f %8.5f %9.5f %10.1f %7.3f %6.0f %s\n", $1, $2,
		$3, $4, $5, $6, $7, $8, $9, $10, $11 }'
done <"$data"
cat "$tmp/rows" >>"$out"
jq -rs 'def mean(f): (map(f | log) | add / length | exp); def gaps: if length > 0 then map(.gap) |
	add / length * 100 else 0 end;
	[mean(.step_time / .best_known), mean(.step_time / .original), (map(select(.interleave > 1 and
	.step_time < .best_known - 0.05)) | length), (map(select(.interleave > 1)) | length),
	 gaps, (map(select(.interleave > 1)) | gaps), (map(.first_seconds) | max),
	 (map(select(.status == "optimal")) | length)] | @tsv' "$tmp/rows" |
	awk -F '\t' '{
	printf "geometric means: %.5f of the best known, %.5f of the original; below the best known: "\
	"%d of %d interleaved; mean gap: %.3f %%, interleaved %.3f %%; first plan within %.3f s; optimal: %d\n", $1,
	$2, $3, $4, $5, $6, $7, $8 }'

# 64 stages of 4 chunks, 256 layers, 256 micro-batches.
cat >"$tmp/layers" <<END
{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":30,"memory_parameter":4000}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":256,"time":180,"memory_parameter":1500,"memory_activation":800,\
"memory_select_rec":600,"memory_select_comm":420,"memory_both_comm_select":310,"memory_recompute":32}
{"kind":"layer","name":"TAIL","type":"TAIL","nb_layer":1,"time":90,"memory_parameter":2000}
END
plan -s 64 -i 4 -mb 256 -mem 60000 -t "${SECONDS_LARGE:-60}"
peak=$(sed -n 's/.* at most \([0-9.]*\) MB of memory$/\1/p' "$tmp/err")
jq -c --slurpfile first "$tmp/first" --argjson peak "$peak" --slurpfile speed "$tmp/speed" \
	'{ bench: "plan-large", first_seconds: $first[0], seconds: .solve_seconds,
	step_time, lower_bound, gap, status, peak_MB: $peak, million_per_second: $speed[0] }' "$tmp/plan" |
	tee -a "$out" |
	jq -r '[.first_seconds, .seconds, .step_time, .lower_bound, 100 * .gap, .peak_MB] | @tsv' |
	awk -F '\t' '{
	printf "64 stages x 4 chunks x 256 layers x 256 micro-batches: first plan %.3f s; after %.1f s "\
	"step %.1f, bound %.1f, gap %.3f %%, at most %.0f MB\n", $1, $2, $3, $4, $5, $6 }'
