#!/bin/sh
# Questions that are hard for the planner, from tests/data/hard.jsonl or DATA: the gap after SECONDS_EACH (10), and the
# gap of November 2026 after 12 s; then median and maximum of each class. Prints a table; "hard.sh FILE" also writes it
# to FILE as JSON lines. A missing plan counts as an infinite gap.
out=${1:-/dev/null}
seconds=${SECONDS_EACH:-10}
name=${DATA:-hard}
data=$(dirname "$0")/../data/$name.jsonl
: >"$out"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

printf '%-34s %-30s %7s %12s %12s %8s %8s %s\n' question class s step bound gap,% before,% status
while read -r line; do
	printf '%s\n' "$line" | jq -c '.layers[]' >"$tmp/layers"
	# shellcheck disable=SC2046 # words are options
	sapp-lp -j -v $(printf '%s\n' "$line" |
		jq -r '"-s \(.stages) -mb \(.micro_batches) -i \(.interleave) -S \(.schedule)",
		"-mem \(.memory_limit | if type == "array" then map(tostring) | join(",") else . end)",
		if .comm_time > 0 then "-comm \(.comm_time)" else empty end') -gap 0 -t "$seconds" \
		"$tmp/layers" 2>"$tmp/err" |
		jq -c 'select(.kind == "plan")' >"$tmp/plan"
	[ -s "$tmp/plan" ] || { cat "$tmp/err" >&2; exit 1; }
	printf '%s\n' "$line" | jq -c --slurpfile p "$tmp/plan" --arg bench "$name" '$p[0] as $p | {
		bench: $bench, name, seconds: $p.solve_seconds, step_time: $p.step_time, lower_bound: $p.lower_bound,
		gap: $p.gap, status: $p.status,
		before: (if .step_12s == null then null else .step_12s / .bound_12s - 1 end),
		class: (([.layers[] | select(.type == "BODY")] | length) as $kinds |
		if .interleave == 1 then "one chunk"
			elif $kinds == 1 then "several chunks, one kind" else "several chunks, several kinds" end) }' |
		tee -a "$tmp/rows" | jq -r '[.name, .class, .seconds, .step_time // "-", .lower_bound // "-",
			if .gap == null then "-" else 100 * .gap end,
			if .before == null then "-" else 100 * .before end, .status] | @tsv' |
		awk -F '\t' '{ printf "%-34s %-30s %7.2f %12.1f %12.1f %8.3f %8s %s\n", $1, $2, $3, $4, $5, $6,
		    $7 == "-" ? "no plan" : sprintf("%.3f", $7), $8 }'
done <"$data"
cat "$tmp/rows" >>"$out"
jq -rs 'def median: sort |
	if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
	group_by(.class)[] | [.[0].class, length, (map(.gap // 1e9) | median * 100, max * 100),
	(map(.before // 1e9) | median * 100, max * 100)] | @tsv' "$tmp/rows" |
	awk -F '\t' 'function gap(g) { return g > 1e9 ? "no plan" : sprintf("%.2f %%", g) }
	{ printf "%s: %d questions, gap: median %s, largest %s; before: %s, %s\n", $1, $2, gap($3), gap($4), gap($5),
	gap($6) }'
