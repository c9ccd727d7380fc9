#!/bin/bash
# Certificates of each golden question in tests/data (FILES, "plans moe hard"), with several chunks per stage at a gap
# of 1 %: the time of planning and of the certificate, each at most SECONDS_EACH (20); the processor time of sapp-check
# (s); the size of the certificate, and the proved share of the bound. Also for more stages and layers. Prints a table,
# and the number of proved questions; "proof.sh FILE" also writes it to FILE as JSON lines. Status 1: a certificate is
# refused, checking takes more than ten times the time of the proof, or a certificate of one chunk per stage in a fixed
# order has an unproved part. With several chunks sapp-lp gives up on a part that takes too long; for orders that
# sapp-check cannot derive, a certificate has only loads.
out=${1:-/dev/null}
: >"$out"
top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${SECONDS_EACH:-20}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
TIMEFORMAT='%U %S'

# took COMMAND...: print its processor time (s); its output is in $tmp/said, its status in $tmp/status.
took() {
	{ time { "$@" >"$tmp/said" 2>"$tmp/err"; echo $? >"$tmp/status"; }; } 2>&1 | awk '{ print $1 + $2 }'
}

# Questions: the questions of tests/data, and 8 to 64 stages of 27 to 195 layers of two kinds.
for file in ${FILES-plans moe hard}; do
	jq -c 'if .question then . else { name, question: ., records: .layers } | del(.question.layers) end' \
		"$top/tests/data/$file.jsonl"
done >"$tmp/questions"
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
		([.memory_limit] | flatten | join(",")), "-comm", (.comm_time // 0)' <<<"$line")
	plan=$(took sapp-lp -t "$seconds" "${options[@]}" "$tmp/layers")
	whole=$(took sapp-lp -t "$seconds" "${options[@]}" -proof "$tmp/proof" "$tmp/layers")
	cp "$tmp/said" "$tmp/answer"
	check=$(took sapp-check "$tmp/proof" "$tmp/answer")
	jq -nc --arg name "$name" --argjson plan "$plan" --argjson proof "$whole" --argjson check "$check" \
		--argjson bytes "$(wc -c <"$tmp/proof")" --argjson status "$(cat "$tmp/status")" \
		--arg below "$(sed -n 's/.*no plan of this question takes less than \([^ ]*\) ms/\1/p' "$tmp/said")" \
		--slurpfile answer <(jq -c 'select(.kind == "plan")' "$tmp/answer") '$answer[0] as $a |
		{ $name, schedule: ($a.schedule + if ($a.interleave // 1) > 1 then ", several chunks" else "" end),
		$plan, $proof, $check, $bytes, $status, proved:
		(if $status == 0 then 1 else (($below | tonumber? // 0) / ($a.lower_bound // 1)) end) }' >"$tmp/row"
	cat "$tmp/row" >>"$out"
	jq -r '[.name, .plan, .proof, .check, (.bytes / 1024), 100 * .proved] | @tsv' "$tmp/row" |
		awk -F '\t' '{ printf "%-32s %10.2f %10.2f %10.2f %10.1f  %.4f %%\n", $1, $2, $3, $4, $5, $6 }'
	[ "$(cat "$tmp/status")" = 0 ] || [ "$(cat "$tmp/status")" = 3 ] || sed 's/^/    /' "$tmp/err"
	cat "$tmp/row" >>"$tmp/rows"
done <"$tmp/questions"
jq -rs 'group_by(.schedule)[] | "\(.[0].schedule): \(map(select(.status == 0)) | length) of \(length) proved" +
	(map(select(.status == 3)) | if . == [] then "" else ", of the others at least " +
	"\(map(.proved) | min * 1000 | floor / 10) %" end)' "$tmp/rows"
jq -s 'map(.check / (.proof + 0.01)) | max' "$tmp/rows" >"$tmp/most"
jq -r '"checking takes at most \(. * 100 | round / 100) times as long as the proof" +
	(if . > 10 then ": too long" else "" end)' "$tmp/most"
jq -es --slurpfile most "$tmp/most" '$most[0] <= 10 and all(.[]; .status == 0 or
	(.status == 3 and ([.schedule] | inside(["1f1b", "gpipe"]) | not)))' "$tmp/rows" >/dev/null ||
	exit 1
