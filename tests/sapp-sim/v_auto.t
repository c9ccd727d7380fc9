#!/bin/sh
# v-auto: a V order for any memory.
. "$(dirname "$0")/../lib.sh"

v() {	# LIMIT [SCHEDULE]: 8 stages, 16 micro-batches
	jq -nc --arg s "${2:-v-auto}" '[range(2) | [range(8) | 1]] as $one | def all(x): $one | map(map(. * x));
		{ kind: "chunks", name: "x", schedule: $s, micro_batches: 16, comm_time: 0, forward: all(3.5),
		backward: all(4.5), weight: all(1.5), activation: all(1), weight_activation: all(0.5) }' |
		sapp-sim -j ${1:+-mem "$1"} |
		jq -c 'select(.kind == "sim") | [.step_time, (.peak_memory | max), .lower_bound]'
}
least=9999
for limit in 2 $(draws '' 3) 4 $(draws '' 6) 8 $(draws '' 12) 16; do
	v $limit >"$tmp/v$limit"
	check "$limit pieces: within the limit" jq -e ".[1] <= $limit" "$tmp/v$limit"
	check "$limit pieces: no longer than with fewer" jq -e ".[0] <= $least" "$tmp/v$limit"
	check "$limit pieces: the bound is below" jq -e '.[2] > 0.5 * .[0] and .[2] <= .[0]' "$tmp/v$limit"
	least=$(jq '.[0]' "$tmp/v$limit")
done
check "at the memory of v-min no longer than it" \
	jq -e ".[0] <= $(v 8 v-min | jq '.[0] * 1.01')" "$tmp/v8"
check "less than a bubble of 6 % with twice as many pieces as stages" jq -e '.[0] <= 16 * 2 * 8 * 1.13' "$tmp/v16"
# From h = 7 x 3.5 on: 16 micro-batches hold 1 for 17 x 6.5 ms on any stage and 0.5 for 2 x 1.5, over 4; or 16 x 16 ms.
near "the bound: memory times time, where there is little" 472.5 "$(jq '.[2]' "$tmp/v4")" 1e-5
near "where there is more, the load" 280.5 "$(jq '.[2]' "$tmp/v16")" 1e-5
v "" >"$tmp/any"
same "without a limit: 2P pieces, as zbv" 16 "$(jq ".[1]" "$tmp/any")"
v 1 >"$tmp/v1"
check "less than two pieces: said to be over it" jq -e '.[1] > 1' "$tmp/v1"

sapp-layers "$top/examples/llama-70b/layers.json" >"$tmp/layers"
sapp-lp -s 4 -mb 8 -mem 62000 -gap 0.01 -t "$(draws 1 100)" -S v-auto,v-half "$tmp/layers" >"$tmp/plans"
same "sapp-lp: an order of its own" "planned-v-auto-i2 custom" \
	"$(jq -r 'select(.kind == "plan" and (.name | test("auto"))) | "\(.name) \(.schedule)"' "$tmp/plans")"
same "never longer than what is asked beside it" true "$(jq -s 'map(select(.kind == "plan").step_time) | .[0] <= min' \
	"$tmp/plans")"
same "and within the limits" '[]' "$(sapp-sim -j "$tmp/plans" |
	jq -c 'select(.kind == "sim" and (.name | test("auto"))).over')"
fails "sapp-lp: it has two chunks" 2 "has 2 chunks" sapp-lp -s 4 -i 1 -S v-auto "$tmp/layers"
fails "sapp-lp: no sequence splits" 2 "no sequence splits" sapp-lp -s 4 -S v-auto -seq 2 "$tmp/layers"
fails "sapp-sim: one chunk" 1 "two chunks" sapp-sim - <<'X'
{"kind":"chunks","name":"x","schedule":"v-auto","micro_batches":2,"forward":[[1,1]],"backward":[[2,2]]}
X
jq -c 'if .kind == "model" then .overhead = [100, 0, 0, 300] | .overhead_early = [90, 0, 0, 250] else . end' \
	"$tmp/layers" >"$tmp/overhead"
sapp-lp -s 4 -mb 4 -mem 62000 -gap 0.01 -t 100 -S free,zb-h1,1f1b "$tmp/overhead" >"$tmp/plans"
same "a free order: nor with work outside the pipeline" true \
	"$(jq -s 'map(select(.kind == "plan")) |
	(map(select(.name | test("free")).step_time)[0]) <= (map(.step_time) | min)' "$tmp/plans")"
done_testing
