#!/bin/sh
# Even without time a first plan is shorter than any even layout, wherever the remaining layers are.
. "$(dirname "$0")/../lib.sh"

# Remaining layers cost more in the first chunks than in the last one, and most in two chunks.
sed 'N;/,\n/{s/\n//;b};P;D' >"$tmp/layers" <<'END'
{"kind":"layer","name":"head","type":"HEAD","time":0.2,"nb_layer":1}
{"kind":"layer","name":"moe","type":"BODY","nb_layer":95,"time":10.5,"backward_time":18.5,
"memory_parameter":100,"memory_activation":9}
{"kind":"layer","name":"tail","type":"TAIL","time":9,"backward_time":14,"nb_layer":1}
END
# layout NAME CHUNK...: offsets of the chunks, equal on all stages except the first and the last.
layout() {
	name=$1; shift
	printf '%s:\n  interleave_num: 4\n  offset: [' "$name"
	for chunk; do
		echo "$chunk" | awk -v divider="${chunk_divider-}" '{ printf "%s[%s", divider, $1
			for (s = 1; s < 15; s++) printf ",%s", $2
			printf ",%s]", $3 }'
		chunk_divider=,
	done
	unset chunk_divider
	echo ']'
}
{
	layout first '1 1 1' '1 1 0' '0 0 0' '0 0 0'
	layout last '0 0 0' '0 0 0' '0 1 1' '1 1 1'
	layout ends '1 1 1' '0 0 0' '0 0 0' '0 1 1'
} >"$tmp/even.yaml"
# Each read of the clock counts as a second, so no step has time.
sapp-lp -s 16 -mb 128 -i 4 -S vpp -mem 60000 -comm 0.35 -t 1 -set look=1 "$tmp/layers" >"$tmp/plan"
sapp-sim -j -manual "$tmp/even.yaml" "$tmp/plan" | get sim '{ key: .name, value: .step_time }' | jq -sc '
	from_entries as $sim | [$sim.first, $sim.last, $sim.ends] as $even |
	{ plan: ($sim | del(.first, .last, .ends)[]), even: ($even | min), far: ($even | max) }' >"$tmp/steps"
check "the even layouts differ" jq -e '.far > 1.05 * .even' "$tmp/steps"
check "the first plan is shorter than the best of them" jq -e '.plan < .even' "$tmp/steps"
# Little memory on the last stage: the repair moves a layer to a piece that already has the most layers.
printf '{"kind":"layer","name":"%s","type":"%s","nb_layer":%d,"time":%d,"backward_time":%d,"memory_parameter":%d,
"memory_activation":%d}\n' dense BODY 3 8 15 1000 20 moe BODY 58 21 30 3500 20 tail TAIL 1 12 20 6600 0 |
	paste -d '' - - >"$tmp/layers"
sapp-lp -s 16 -mb 64 -i 2 -S vpp -mem 17000 -t 1 -set look=1 "$tmp/layers" >"$tmp/plan"
check "no piece has three layers of the dear kind" jq -es 'map(select(.kind == "plan"))[0].counts.moe |
	map_values(flatten) | [to_entries[].value] | transpose | map(add) | max <= 2' "$tmp/plan"
done_testing
