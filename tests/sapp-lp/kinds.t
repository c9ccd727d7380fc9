#!/bin/bash
# Many different BODY layers: planned within the memory of a small machine, or refused before any is taken.
. "$(dirname "$0")/../lib.sh"
# kinds DIFFERENT LAYERS-OF-EACH
kinds() {
	jq -nc --argjson n "$1" --argjson l "$2" \
		'{ kind: "model", name: "m" }, (range($n) | { kind: "layer", name: "b\(.)", type: "BODY",
		nb_layer: $l, time: (1 + . % 7 / 10), memory_parameter: 10, memory_activation: 5,
		memory_recompute: 1 })' >"$tmp/layers"
}
# Addresses, not only memory in use: threads' stacks and libraries, too.
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
	# shellcheck disable=SC2086
	kinds $size
	fails "$size: refused" 1 \
		"${size% *} different BODY layers, $((${size% *} * ${size#* })) in all, are more than can be planned" \
		sapp-lp -j -s 8 -mb 16 -mem 560000 -t 1 "$tmp/layers"
done
done_testing
