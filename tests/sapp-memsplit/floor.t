#!/bin/sh
# Peaks outside the pipeline: late stages are equal if the optimizer's step needs more memory than their activations.
. "$(dirname "$0")/../lib.sh"

printf 'pipeline_config: {pipeline_num: 8, num_layer: 32, offset: 0}\n' >"$tmp/init.yaml"
# 4 layers per stage of 300 MB, with 40 MB of activations each; 500 and 900 MB at the ends. At the optimizer's step a
# layer needs FLOOR MB. NOISE: relative errors of the peaks, in turn.
peaks() {
	awk -v floor="$1" -v noise="$2" -v skip="${3:--1}" 'BEGIN { for (s = 0; s < 8; s++) {
		m = 1200 + (8 - s) * 160 + (s == 0) * 500 + (s == 7) * 900
		if (s > 0 && s < 7 && 4 * floor > m) m = 4 * floor
		if (s != skip) printf "{\"kind\":\"peak\",\"stage\":%d,\"which\":\"used\",\"memory\":%.3f}\n", s, \
			m * (1 + noise * (s % 3 - 1)) } }'
}
layer='{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":1}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":32,"time":10}
{"kind":"layer","name":"TAIL","type":"TAIL","nb_layer":1,"time":1}'
split() { { echo "$layer"; peaks "$@"; } | sapp-memsplit "$tmp/init.yaml" 2>"$tmp/said"; }
body() { jq -c 'select(.type == "BODY") | [.memory_parameter, .memory_activation, .memory_floor] |
	map(if . then . * 10 | round / 10 else . end)'; }

split 500 0 >"$tmp/split"
same "what a layer takes at both moments" "[300,40,500]" "$(body <"$tmp/split")"
check "which stages are of which kind" grep -q "the peaks of stages 4 to 6 are outside the pipeline" "$tmp/said"
same "in the record, too" "[4,5,6]" "$(jq -c 'select(.kind == "fit") | [.residuals[] | select(.floor) | .stage]' \
	"$tmp/split")"
same "and in the table" 3 \
	"$(peaks 500 0 | sapp-memsplit -H "$tmp/init.yaml" 2>/dev/null | grep -c 'at another moment$')"
near "a stage that is left out is predicted" 2000 "$(jq 'select(.kind == "fit").residuals[] |
	select(.stage == 5).left_out' "$tmp/split")" 0.1
split 500 0.003 >"$tmp/noisy"
near "with noise, too" 500 "$(body <"$tmp/noisy" | jq '.[2]')" 5
split 0 0.003 >"$tmp/none"
same "noise is no other moment" null "$(body <"$tmp/none" | jq '.[2]')"
split 305 0 >"$tmp/none"
same "nor is one below the pipeline's" null "$(body <"$tmp/none" | jq '.[2]')"
peaks 500 0 | head -4 | sapp-memsplit "$tmp/init.yaml" >"$tmp/few" 2>/dev/null
same "too few measurements do not tell" 0 "$(grep -c memory_floor "$tmp/few")"

# Another pipeline with this floor: 4 stages of 8 layers.
plan='{"kind":"pipeline","stages":4,"micro_batches":8,"interleave":1,"schedule":"1f1b","memory_limit":5000}
{"kind":"plan","name":"p","origin":"manual","schedule":"1f1b","interleave":1,"counts":{"BODY":{"none":[[8,8,8,8]]}},
"offset":[[0,0,0,0]],"recompute":[[0,0,0,0]],"select_recompute":[[0,0,0,0]],"select_comm_recompute":[[0,0,0,0]]}'
{ cat "$tmp/split"; echo "$plan" | sed '2{N;s/\n//}'; } >"$tmp/plan"
# 8 (300 + 40 (4 - s)) or 8 x 500, and the ends.
same "its peaks are the larger of both" "[4180,4000,4000,4000]" "$(sapp-sim -j "$tmp/plan" |
	jq -c 'select(.kind == "sim").peak_memory | map(round)')"
jq -c 'del(.memory_floor)' "$tmp/plan" >"$tmp/without"
same "without, the pipeline's" "[4180,3360,3040,3620]" "$(sapp-sim -j "$tmp/without" |
	jq -c 'select(.kind == "sim").peak_memory | map(round)')"
# 5000 MB hold 8 layers of 610 MB at this moment, although the pipeline could hold more if the embedding takes the time
# of some layers.
most() { jq -c "if .type == \"HEAD\" then .time = 40 elif .type == \"BODY\" then $1 else . end" "$tmp/split" |
	sapp-lp -j -s 4 -mb 8 -mem 5000 -t 5 2>/dev/null | jq -c 'select(.kind == "plan").counts.BODY |
	[.[][]] | transpose | map(add) | max' | head -1; }
same "plans of the pipeline alone" 9 "$(most 'del(.memory_floor)')"
same "the planner counts it" 8 "$(most '.memory_floor = 610')"
# Two chunks of a stage add their memory.
printf '%s\n' '{"kind":"model","name":"m","stage_const_mem":0}' \
	'{"kind":"layer","name":"emb","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":100}' \
	'{"kind":"layer","name":"b","type":"BODY","nb_layer":10,"time":10,"memory_parameter":100,'\
'"memory_activation":10,"memory_recompute":1,"memory_floor":300}' \
	'{"kind":"layer","name":"lm","type":"TAIL","nb_layer":1,"time":25,"memory_parameter":100}' >"$tmp/chunks"
ask() { sapp-lp -j -s 2 -mb 8 -i 2 -S vpp -t 5 -mem "$1" "$tmp/chunks" 2>"$tmp/said" >"$tmp/planned"; }
layers() { jq -c 'select(.kind == "plan") | [.status, ([.counts.b[][]] | transpose | map(add))]' "$tmp/planned"; }
ask 1600
same "two chunks of a stage" '["optimal",[5,5]]' "$(layers)"
ask 1900
same "where there is room" '["optimal",[6,4]]' "$(layers)"
ask 1900,1250
same "limits of their own" '["optimal",[6,4]]' "$(layers)"
fails "one MB less than five layers take" 3 'the smallest limit that works is 1500 MB' \
	sapp-lp -s 2 -mb 8 -i 2 -S vpp -mem 1499 -t 5 "$tmp/chunks"
done_testing
