#!/bin/bash
# The value of each mechanism of the planner: the questions of tests/data/hard.jsonl, drawn.jsonl and plans.jsonl with
# all mechanisms, and with each disabled. ABLATE: names (default: all switches of sapp-lp -set ?); a+b disables both,
# a=2 sets another value. SEEDS (1 2 3). SECONDS_EACH (10): processor time. DATA (hard drawn plans). QUESTIONS: only
# questions whose names match.
out=${1:-/dev/null}
seconds=${SECONDS_EACH:-10}
data=$(dirname "$0")/../data
: >"$out"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Questions, each with its options and layers.
n=0
for name in ${DATA:-hard drawn plans}; do
	while read -r line; do
		jq -e --arg match "${QUESTIONS:-.}" '.name | test($match)' <<<"$line" >/dev/null || continue
		n=$((n + 1))
		jq -c '(.layers // .records)[] | select(.kind != "pipeline")' <<<"$line" >"$tmp/$n.layers"
		jq -r '(.question // .) |
			"-s \(.stages) -mb \(.micro_batches) -i \(.interleave) -S \(.schedule)",
			"-mem \(.memory_limit | if type == "array" then map(tostring) | join(",") else . end)",
			if (.comm_time // 0) != 0 then "-comm \(.comm_time | if type == "array" then
				map(tostring) | join(",") else . end)" else empty end' <<<"$line" >"$tmp/$n.options"
		jq -r .name <<<"$line" >"$tmp/$n.name"
	done <"$data/$name.jsonl"
done

# answer MECHANISM SEED QUESTION: print a row, with MECHANISM disabled unless it is "none".
answer() {
	local options name off=(-set wall=0)
	read -r -d '' -a options <"$tmp/$3.options"
	[ "$1" = none ] || for name in ${1//+/ }; do case $name in
		*=*) off+=(-set "$name") ;;
		*) off+=(-set "$name=0") ;;
		esac done
	sapp-lp -j -gap 0 -t "$seconds" -seed "$2" "${off[@]}" "${options[@]}" "$tmp/$3.layers" 2>/dev/null |
		jq -c --arg off "$1" --argjson seed "$2" --arg name "$(cat "$tmp/$3.name")" 'select(.kind == "plan") |
			{ bench: "ablate", off: $off, seed: $seed, name: $name, step_time, lower_bound, gap, status }'
}
read -r -d '' -a mechanisms < <(echo "${ABLATE:-$(sapp-lp -set '?' | awk '$2 == "on" && $1 != "wall" { print $1 }')}")
# Run all seeds of a question together, so that a change of the machine's speed affects all mechanisms equally.
for ((q = 1; q <= n; q++)); do
	for seed in ${SEEDS:-1 2 3}; do
		for off in none "${mechanisms[@]}"; do answer "$off" "$seed" "$q"; done
	done
done >"$tmp/rows"
cat "$tmp/rows" >>"$out"

# Compare each mechanism with all mechanisms for the same question and seed: points of gap, steps, proofs lost.
printf '%-18s %6s %10s %10s %10s %10s %8s  %s\n' off rows 'gap, %' '+ mean' '+ worst' 'step, +%' proofs 'worst question'
jq -r -s '(map(select(.off == "none") | { key: "\(.name) \(.seed)", value: . }) | from_entries) as $all |
	group_by(.off)[] | map(. as $r | $all["\(.name) \(.seed)"] as $a | . + {
		more: (100 * ((.gap // 10) - ($a.gap // 10))),
		longer: (if .step_time and $a.step_time then 100 * (.step_time / $a.step_time - 1) else 0 end),
		lost: ((if $a.status == "optimal" then 1 else 0 end) - (if .status == "optimal" then 1 else 0 end)) }) |
	max_by(.more) as $worst | [.[0].off, length, (map(100 * (.gap // 10)) | add / length),
		(map(.more) | add / length), $worst.more, (map(.longer) | add / length), -(map(.lost) | add),
		$worst.name] | @tsv' "$tmp/rows" |
	awk -F '\t' '{ printf "%-18s %6d %10.3f %+10.3f %+10.3f %+10.3f %+8d  %s\n", $1, $2, $3, $4, $5, $6, $7, $8 }' |
	sort -k4,4gr
