#!/bin/bash
# Many different BODY layers: planned within the memory of a small machine, or refused before allocation.
. "$(dirname "$0")/../lib.sh"
# kinds DIFFERENT LAYERS-OF-EACH
kinds() {
	jq -nc --argjson n "$1" --argjson l "$2" \
		'{ kind: "model", name: "m" }, (range($n) | { kind: "layer", name: "b\(.)", type: "BODY",
		nb_layer: $l, time: (1 + . % 7 / 10), memory_parameter: 10, memory_activation: 5,
		memory_recompute: 1 })' >"$tmp/layers"
}
# The limit is on address space, which includes threads' stacks and libraries.
small() { (ulimit -v 1500000; exec "$@"); }
if [ -n "${QUICK:-}" ]; then
	skip "sanitizers take addresses by the terabyte"
else
	for size in '300 1' '60 10' '2 1000'; do
		# shellcheck disable=SC2086 # words
		kinds $size
		check "$size: planned" small sapp-lp -j -s 8 -mb 16 -mem 560000 -t 1 "$tmp/layers"
	done
fi
for size in '600 1' '2000 1' '400 2' '10 800' '1000 4'; do
	# shellcheck disable=SC2086 # several words
	kinds $size
	many="$((${size% *} * ${size#* })) in all, are too many to plan: merge similar layers"
	fails "$size: refused" 1 "${size% *} different BODY layers, $many" \
		sapp-lp -j -s 8 -mb 16 -mem 560000 -t 1 "$tmp/layers"
done

# Warnings tell of figures that planning ignores, and of kinds faster than no recomputation.
layer() { echo '{"kind":"layer","name":"'"$1"'","type":"BODY","nb_layer":4,"time":10,"memory_parameter":1'"$2"'}'; }
ask() { sapp-lp -s 2 -mb 4 -t 60 -gap 0 -mixes all -mem 9000 | jq -c \
	'select(.kind == "plan") | [.status, .step_time]'; }
# said NAME STEP WARNING LAYER...: check the step planned for the layers, and the only line of warnings.
said() {
	name=$1 step=$2 warning=$3; shift 3
	same "$name" "[\"optimal\",$step]" "$(printf '%s\n' "$@" | ask 2>"$tmp/warning")"
	same "$name: what is said" "${warning:+sapp-lp: <stdin>:1: warning: layer: $warning}" "$(cat "$tmp/warning")"
}
full=',"memory_recompute":20'
said "all there" 300 "" "$(layer B "$full"',"memory_activation":320')"
none="memory with 'none' is missing or 0: the planner does not use its backward of 20 ms"
said "memory without recomputation is 0" 400 "'B': $none" "$(layer B "$full"',"memory_activation":0')"
said "is missing" 400 "'B': $none" "$(layer B "$full")"
said "of several layers" 800 "'B' and others: $none" "$(layer B "$full")" "$(layer C "$full")"
said "no memory at all" 300 "" "$(layer B)"
said "another's is 0" 300 "'B': memory with 'full' is missing or 0: the planner does not use its backward of 30 ms" \
	"$(layer B ',"memory_activation":320,"memory_recompute":0')"
said "is missing, but not its time" 300 \
	"'B': memory with 'select' is missing or 0: the planner does not use its backward of 25 ms" \
	"$(layer B ',"memory_activation":320,"select_rec_time":25')"
said "is shorter than without" 300 \
	"'B': a backward with 'full' takes 20 ms, less than the 29 ms without recomputation" \
	"$(layer B "$full"',"recompute_time":20,"backward_time":29,"memory_activation":320')"
said "by a fraction that the layer has" 308 \
	"'B': a backward with 'select' takes 20.8 ms, less than the 30 ms without recomputation" \
	"$(layer B ',"backward_coef":0.5,"memory_select_rec":20,"memory_activation":320')"
done_testing
