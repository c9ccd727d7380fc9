#!/bin/sh
# Tools refuse inconsistent records with a message that names the line and the error.
. "$(dirname "$0")/../lib.sh"
plain='{"kind":"layer","name":"B","type":"BODY","nb_layer":16,"time":2,"memory_activation":10,"memory_recompute":1}'
pipeline='{"kind":"pipeline","stages":4,"micro_batches":8,"interleave":1,"schedule":"1f1b","memory_limit":2500}'
bad() {	# NAME MESSAGE TOOL RECORD JQ
	{ echo '{"kind":"model","name":"m"}'; printf '%s\n' "$4" | jq -c "$5"; } >"$tmp/in"
	# shellcheck disable=SC2086 # options
	fails "$1" 1 "in:2: $2" $3 "$tmp/in"
}
lp='sapp-lp -s 4 -mb 8 -mem 2500 -t 1'
bad 'too many layers' "layer: nb_layer: above 100000 '100001'" "$lp" "$plain" '.nb_layer = 100001'
with() { printf '.kinds = {"%s": {%s}}' "$1" "$2"; }
bad 'kinds of a head' "layer: kinds: only for a BODY layer, not for 'B'" "$lp" "$plain" \
	".type = \"HEAD\" | $(with attn 'activation: 5, backward_coef: 0.1')"
bad 'a kind without a time' "layer: kinds: 'attn' of 'B' has neither a backward_time nor a backward_coef" "$lp" \
	"$plain" "$(with attn 'activation: 5')"
bad 'a kind with two' "layer: kinds: 'attn' of 'B' has both a backward_time and a backward_coef" "$lp" "$plain" \
	"$(with attn 'activation: 5, backward_time: 5, backward_coef: 0.1')"
bad 'a kind without activation' "layer: kinds: 'attn' of 'B' has no activation" "$lp" "$plain" \
	"$(with attn 'backward_time: 5')"
bad 'a built-in kind twice' "layer: kinds: 'full' of 'B' has " "$lp" "$plain" \
	"$(with full 'activation: 5, backward_time: 5')"

sim=sapp-sim
bad 'limits of other stages' 'pipeline: memory_limit: 3 numbers for 4 stages' $sim "$pipeline" \
	'.memory_limit = [1, 2, 3]'
bad 'an order of no custom schedule' "pipeline: order: only with the schedule custom, not '1f1b'" $sim "$pipeline" \
	'.order = "0F0"'
bad 'speeds of other stages' 'pipeline: speed: 3 numbers for 4 stages' $sim "$pipeline" '.speed = [1, 1, 2]'
bad 'delays of other boundaries' 'pipeline: comm_time: 2 numbers for the boundaries of 4 stages' $sim "$pipeline" \
	'.comm_time = [1, 2]'
bad 'an overlap that slows' "pipeline: overlap: above 1 '1.5'" $sim "$pipeline" '.overlap = 1.5'
bad 'a custom schedule without order' 'pipeline: a custom schedule needs an order' $sim "$pipeline" \
	'.schedule = "custom"'
bad 'two that hold the same, not as fast' 'pipeline: speed: stages 0 and 3 hold the same pieces' $sim "$pipeline" \
	'.schedule = "dualpipe" | .speed = [1, 1, 1, 2]'
bad 'nor as near' 'pipeline: comm_time: stages 0 and 3 hold the same pieces' $sim "$pipeline" \
	'.schedule = "dualpipe" | .comm_time = [1, 1, 2]'
check 'as fast and as near' sh -c 'printf "%s\n" "$0" | jq -c "$1" | sapp-sim >"$2" 2>&1; ! grep -q pipeline: "$2"' \
	"$pipeline" '.schedule = "dualpipe" | .speed = [2, 1, 1, 2] | .comm_time = [2, 1, 2]' "$tmp/out"

job='{"kind":"job","stages":4,"micro_batches":8}'
bad 'too many stages' "job: stages: above 10000 '10001'" "$lp" "$job" '.stages = 10001'
bad 'too many micro-batches' "job: micro_batches: above 1000000 '1000001'" "$lp" "$job" '.micro_batches = 1000001'
bad 'limits of other stages of a job' 'job: memory_limit: 2 numbers for 4 stages' "$lp" "$job" \
	'.memory_limit = [1, 2]'
bad 'delays of other boundaries of a job' 'job: comm_time: 2 numbers for the boundaries of 4 stages' "$lp" "$job" \
	'.comm_time = [1, 2]'
bad 'two delays of one boundary of a job' \
	"job: comm_time: two numbers for the one boundary of 2 stages '1' '50'" "$lp" "$job" \
	'.stages = 2 | .comm_time = [1, 50]'
done_testing
