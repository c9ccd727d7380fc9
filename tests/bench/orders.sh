#!/bin/bash
# Orders made for the times beside those of published generators, at the same memory: each row of
# tests/data/orders.jsonl.gz is a pipeline of equal stages, with the step and the peak of the published order. Prints by
# schedule how many steps are longer, equal and shorter, step over published step in the mean and at worst, and the
# seconds that an order takes. v-auto: a V order for any limit, sapp-sim -free on v-min. The rows as JSON lines in FILE
# with "orders.sh FILE". EVERY=n: only each n-th row.
out=${1:-/dev/null}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

gzip -dc "$(dirname "$0")/../data/orders.jsonl.gz" | jq -c --argjson every "${EVERY:-1}" '
	select(input_line_number % $every == 0) | . as $r |
	[range(.chunks) | [range($r.stages) | 1]] as $one | def all(x): $one | map(map(. * x));
	. + { ask: ({ kind: "chunks", name: "x", schedule: (if .like == "v-auto" then "v-min" else .like end),
	micro_batches, comm_time, forward: all($r.forward), backward: all($r.backward), weight: all($r.weight),
	activation: all($r.activation), weight_activation: all($r.weight_activation) }) }' >"$tmp/rows"
while IFS= read -r row; do
	options=()
	if [ "$(jq -r .like <<<"$row")" = v-auto ]; then
		options=(-free -mem "$(jq .limit <<<"$row")")
	fi
	jq -c .ask <<<"$row" >"$tmp/in"
	begun=$(date +%s%N)
	sapp-sim -j "${options[@]}" "$tmp/in" >"$tmp/out" || exit 1
	jq -c --argjson row "$row" --argjson ns $(($(date +%s%N) - begun)) 'select(.kind == "sim") |
		($row | del(.ask)) + { bench: "orders", got: .step_time, got_peak: (.peak_memory | max),
		seconds: ($ns / 1e9) } | . + { ratio: (.got / .step) }' "$tmp/out"
done <"$tmp/rows" >"$tmp/all"
[ "$out" = /dev/null ] || cp "$tmp/all" "$out"
printf '%-8s %5s %7s %7s %7s %7s %8s %8s %6s\n' like rows longer equal shorter higher mean worst s
jq -rs 'group_by(.like)[] | [.[0].like, length, (map(select(.ratio > 1 + 1e-9)) | length),
	(map(select(.ratio - 1 | fabs <= 1e-9)) | length), (map(select(.ratio < 1 - 1e-9)) | length),
	(map(select(.got_peak > (.limit // .peak) + 1e-6)) | length), (map(.ratio) | add / length),
	(map(.ratio) | max), (map(.seconds) | add / length)] | @tsv' "$tmp/all" |
	awk -F '\t' '{ printf "%-8s %5d %7d %7d %7d %7d %8.4f %8.4f %6.2f\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 }'
