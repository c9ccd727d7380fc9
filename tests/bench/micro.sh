#!/bin/bash
# The possible gain of recomputing a layer in some micro-batches only: the questions of tests/data/plans.jsonl with only
# full recomputation, unchanged and with two layers per piece. They are planned without and with kinds that stand for a
# quarter, half and three quarters of the micro-batches, with mean times and memory. In a real run micro-batches wait
# for each other, so the gain would be smaller. Prints a table; "micro.sh FILE" also writes it to FILE as JSON lines.
out=${1:-/dev/null}
seconds=${SECONDS_EACH:-8}
data=$(dirname "$0")/../data/plans.jsonl
: >"$out"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# ask OPTION...: print the step (ms) and the status
ask() {
	sapp-lp -j -gap 0 -mixes all -t "$seconds" "$@" 2>"$tmp/err" |
		jq -e 'select(.kind == "plan") | { step_time, lower_bound, status }' || { cat "$tmp/err" >&2; exit 1; }
}

printf '%-36s %6s %12s %12s %7s %s\n' question layers step mixed 'less,%' status
while read -r line; do
	read -ra options < <(jq -r '.question | "-s \(.stages) -mb \(.micro_batches) -i \(.interleave)",
		"-S \(.schedule) -mem \(.memory_limit)"' <<<"$line" | xargs)
	for each in 0 2; do
		jq -c --argjson each "$each" '(.question.stages * .question.interleave * $each) as $layers |
			.records[] | select(.kind == "layer") | if .type == "BODY" then { kind, name, type, time,
			memory_parameter, memory_activation, memory_recompute: (.memory_recompute // 32), nb_layer } |
			if $each > 0 then (.nb_layer / $layers) as $x | .nb_layer = $layers | .time *= $x |
			.memory_parameter *= $x | .memory_activation *= $x | .memory_recompute *= $x else . end
			else . end' <<<"$line" >"$tmp/layers"
		jq -c 'if .type == "BODY" then . as $l | .kinds = ([0.25, 0.5, 0.75] | map({
			key: "part\(. * 100)",
			value: { activation: (. * $l.memory_recompute + (1 - .) * $l.memory_activation),
			backward_coef: (0.5 * .) } }) | from_entries) else . end' "$tmp/layers" >"$tmp/kinds"
		ask "${options[@]}" "$tmp/layers" >"$tmp/plain" || exit 1
		ask "${options[@]}" "$tmp/kinds" >"$tmp/mixed" || exit 1
		jq -c --slurpfile m "$tmp/mixed" --arg name "$(jq -r .name <<<"$line")" \
			--argjson each "$each" '$m[0] as $m |
			{ bench: "micro", name: $name, layers_each: $each, step_time,
			mixed: $m.step_time, less: (1 - $m.step_time / .step_time),
			status: "\(.status) \($m.status)" }' "$tmp/plain" |
			tee -a "$out" "$tmp/rows" | jq -r '[.name,
			(if .layers_each > 0 then .layers_each else "given" end), .step_time, .mixed,
			100 * .less, .status] | @tsv' |
			awk -F '\t' '{ printf "%-36s %6s %12.1f %12.1f %7.2f %s\n", $1, $2, $3, $4, $5, $6 }'
	done
done <"$data"
jq -rs 'group_by(.layers_each)[] | (map(.less) | sort) as $l |
	"\(if .[0].layers_each > 0 then "two layers a piece" else "layers as given" end): median " +
	"\($l[length / 2 | floor] * 1e4 | round / 100) %, most \($l[-1] * 1e4 | round / 100) %"' "$tmp/rows"
