#!/bin/bash
# Certificates: of each question in tests/data, with several chunks a stage at a gap of 1 %, what planning and the
# certificate take, and what sapp-check takes, s of the processor, and the certificate's size; of more stages and
# layers, too. Prints a table and whether checking is no slower than ten times the proof; the same as JSON lines in
# FILE with "proof.sh FILE".
out=${1:-/dev/null}
: >"$out"
top=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
TIMEFORMAT='%U %S'

# seconds COMMAND...: of the processor; what it prints is in $tmp/said.
seconds() { { time "$@" >"$tmp/said" 2>"$tmp/err"; } 2>&1 | awk '{ print $1 + $2 }'; }

# Questions: those of tests/data, and 32 stages of 100 layers of two kinds.
jq -c . "$top"/tests/data/{plans,moe}.jsonl >"$tmp/questions"
for stages in 8 32 64; do
	jq -nc --argjson p $stages '{ name: "two kinds, \($p) stages", question: { stages: $p, micro_batches: (4 * $p),
		schedule: "1f1b", memory_limit: 30000 }, records: [
		{ kind: "layer", name: "HEAD", type: "HEAD", nb_layer: 1, time: 3.1, memory_parameter: 900 },
		{ kind: "layer", name: "dense", type: "BODY", nb_layer: $p, time: 10.3, memory_parameter: 1500,
		memory_activation: 300, memory_select_rec: 200, memory_recompute: 30 },
		{ kind: "layer", name: "moe", type: "BODY", nb_layer: (2 * $p + 3), time: 13.7, memory_parameter: 1900,
		memory_activation: 350, memory_select_rec: 230, memory_recompute: 35 },
		{ kind: "layer", name: "TAIL", type: "TAIL", nb_layer: 1, time: 9.7, memory_parameter: 700 }] }'
done >>"$tmp/questions"
printf '%-32s %10s %10s %10s %10s  %s\n' question plan 'with proof' check KB proved
while read -r line; do
	name=$(jq -r .name <<<"$line")
	jq -c '.records[]' <<<"$line" >"$tmp/layers"
	mapfile -t options < <(jq -r '.question | "-s", .stages, "-mb", .micro_batches, "-S", .schedule,
		"-i", (.interleave // 1), "-gap", (if (.interleave // 1) > 1 then 0.01 else 0 end), "-mem",
		([.memory_limit] | flatten | join(","))' <<<"$line")
	plan=$(seconds sapp-lp -t 20 "${options[@]}" "$tmp/layers")
	whole=$(seconds sapp-lp -t 20 "${options[@]}" -proof "$tmp/proof" "$tmp/layers")
	cp "$tmp/said" "$tmp/answer"
	check=$(seconds sapp-check "$tmp/proof" "$tmp/answer")
	jq -nc --arg name "$name" --argjson plan "$plan" --argjson proof "$whole" --argjson check "$check" \
		--argjson bytes "$(wc -c <"$tmp/proof")" \
		--argjson answer "$(jq -c 'select(.kind == "plan")' "$tmp/answer")" \
		--argjson left "$(sed -n 's/.*unproved part: \([^ ]*\) .*/\1/p' "$tmp/said" | grep . || echo 0)" \
		'{ $name, $plan, $proof, $check, $bytes, proved: (1 - $left / $answer.lower_bound) }' >"$tmp/row"
	cat "$tmp/row" >>"$out"
	jq -r '[.name, .plan, .proof, .check, (.bytes / 1024), 100 * .proved] | @tsv' "$tmp/row" |
		awk -F '\t' '{ printf "%-32s %10.2f %10.2f %10.2f %10.1f  %.4f %%\n", $1, $2, $3, $4, $5, $6 }'
	cat "$tmp/row" >>"$tmp/rows"
done <"$tmp/questions"
jq -rs 'map(.check / (.proof + 0.01)) | max |
	"checking takes at most \(. * 100 | round / 100) times as long as the proof" +
	(if . > 10 then ": too long" else "" end)' "$tmp/rows"
