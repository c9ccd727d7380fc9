#!/bin/sh
# sapp-yaml -j: one process writes every plan as settings of every framework, as records.
. "$(dirname "$0")/../lib.sh"

plans=$top/examples/llama-175b/plans.jsonl
sapp-sim -j -naive 1 "$plans" >"$tmp/sims"
check 'records of all plans in all formats' sh -c 'sapp-yaml -j "$1" >"$2"' sh "$tmp/sims" "$tmp/all"
names=$(jq -r 'select(.kind == "plan").name' "$tmp/sims")
same 'one for each' "$(for n in $names; do for f in mindformers megatron nemo mindspeed torchtitan primus flagscale \
	hyperparallel sapp-ppb; do echo "$n $f"; done; done)" "$(jq -r '"\(.name) \(.format)"' "$tmp/all")"
same 'with either lines or a reason' "$(wc -l <"$tmp/all")" \
	"$(jq -c 'select((.lines == null) != (.why == null))' "$tmp/all" | wc -l)"
jq -r 'select(.format == "mindformers") | select(.lines).name' "$tmp/all" >"$tmp/said"
check 'several plans have lines' test "$(wc -l <"$tmp/said")" -ge 2
while read -r name; do sapp-yaml -plan "$name" "$plans" 2>"$tmp/null"; done <"$tmp/said" >"$tmp/alone"
same 'which are those of sapp-yaml -f' "$(cat "$tmp/alone")" \
	"$(jq -r 'select(.format == "mindformers" and .lines).lines[]' "$tmp/all")"
same 'a framework that cannot run a plan says why' \
	"'by_hand': torchtitan recomputes in all layers or in none, but this \
plan does not: plan with sapp-lp -target pytorch" \
	"$(jq -r 'select(.format == "torchtitan" and .name == "by_hand").why' "$tmp/all")"
over=$(jq -r 'select(.kind == "sim" and .name == "naive_no_recomp") | .memory_limit as $l |
	[.peak_memory | to_entries[] | { key, value: (.value - ([$l] | flatten)[0]) }] | max_by(.value) |
	"does not fit: stage \(.key) needs \(.value | round) MB more"' "$tmp/sims")
same 'a plan that does not fit has no settings' "$over" \
	"$(jq -r 'select(.name == "naive_no_recomp").why' "$tmp/all" | sort -u)"
same 'one format and one plan alone' '1 by_hand sapp-ppb' \
	"$(sapp-yaml -j -f sapp-ppb -plan by_hand "$tmp/sims" | jq -rs '"\(length) \(.[0].name) \(.[0].format)"')"
fails 'with -w' 2 '-w: not with -j, as it edits a file' \
	sapp-yaml -w "$top/examples/llama-175b/train.yaml" -j "$plans"
fails 'a plan of no such name' 1 "no plan has the name 'none'" sapp-yaml -j -plan none "$plans"
done_testing
