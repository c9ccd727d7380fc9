#!/bin/bash
# Very many contents of a piece: two or three kinds of hundreds of layers, with all kinds of recomputation.
. "$(dirname "$0")/../lib.sh"
. "$top/tests/sapp-lp/instance.sh"

# instance QUESTION LAYERS...: numbers of layers of each kind.
instance() {
	printf '%s\n' "$@" |
		jq -c -s '.[0] as $question | { question: $question, records: [ .[1:] | to_entries[] | .key as $k |
		{ kind: "layer", name: "B\($k)", type: "BODY", nb_layer: .value, time: (40 - 7 * $k),
		memory_parameter: (110 + 30 * $k),
		memory_activation: (780.017 - 170 * $k), memory_select_rec: (554.5 - 101 * $k),
		select_rec_coef: (0.07 - 0.02 * $k),
		memory_select_comm: (503.5 - 110 * $k), select_comm_coef: 0.13,
		memory_both_comm_select: (269.4 - 3 * $k),
		both_comm_select_coef: 0.25, memory_recompute: (38.9 - 8 * $k) }] }'
}
question() { printf '{"stages":%d,"interleave":%d,"schedule":"%s","memory_limit":%d,"micro_batches":8}' "$@"; }

# All contents with all their mixes would need far more memory. Sanitizers need additional memory.
[ -n "${QUICK-}" ] || ulimit -v 1500000
while read -r stages chunks schedule memory layers; do
	# shellcheck disable=SC2086 # one word a kind
	for mixes in yaml all; do
		ask "$(instance "$(question "$stages" "$chunks" "$schedule" "$memory")" $layers)" -t 0.05 -mixes $mixes
		holds "$stages stages of $chunks, $layers layers, -mixes $mixes: a plan that fits, and a bound" \
			"$PLACED and $FITS and $SIMULATED and $BOUNDED and \$plan.lower_bound > 0.5 * \$plan.step_time"
	done
done <<'END'
2 1 1f1b 65000 200 200
2 3 vpp 90000 200 200
8 2 vpp 60000 400 400
2 1 1f1b 200000 300 400 300
4 2 vpp-less 150000 300 400 300
END
# Nearly as many pieces as layers of three kinds: their order leaves few contents to each piece, and the optimum is
# proved.
few='{"question":{"stages":16,"interleave":3,"schedule":"vpp-less","memory_limit":60000,"micro_batches":64},"records":[
	{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":100},
	{"kind":"layer","name":"A","type":"BODY","nb_layer":17,"time":2.5,"memory_parameter":100,'\
'"memory_activation":33,"memory_recompute":3},
	{"kind":"layer","name":"B","type":"BODY","nb_layer":17,"time":1,"memory_parameter":417.5,'\
'"memory_activation":20,"memory_recompute":3},
	{"kind":"layer","name":"C","type":"BODY","nb_layer":17,"time":7,"memory_parameter":100,'\
'"memory_activation":33,"memory_recompute":3}]}'
ask "$(printf "%s" "$few" | jq -c .)" -gap 0 -t 60
holds "51 layers of three kinds on 48 pieces: the optimum" \
	"$PLACED and $FITS and $SIMULATED and \$plan.status == \"optimal\""
# The largest pipelines in use: 64 stages of 4 chunks, 256 layers, 256 micro-batches.
ask "$(instance '{"stages":64,"interleave":4,"schedule":"vpp","memory_limit":30000,"micro_batches":256}' 256)" -t 2
holds "64 stages of 4 chunks, 256 layers, 256 micro-batches: a plan that fits, and a bound" \
	"$PLACED and $FITS and $SIMULATED and $BOUNDED and \$plan.lower_bound > 0.5 * \$plan.step_time"
# The paths of the first bound alone take seconds here; there must be a bound without them.
if [ -z "${QUICK-}" ]; then
	ask "$(instance \
		'{"stages":500,"interleave":1,"schedule":"1f1b","memory_limit":60000,"micro_batches":1000}' 1000)" \
		-t 0.2 -v
	took=$(processor_time)
	holds "500 stages, 1000 micro-batches: a plan that fits, and a bound" \
		"$PLACED and $FITS and $SIMULATED and $BOUNDED"
	below "in the time that there is" "$took" 4
fi
# Hundreds of stages: the bound accounts for whole layers and the position of each stage.
stages=$(draws 130 260)
ask "$(instance "{\"stages\":$stages,\"interleave\":1,\"schedule\":\"1f1b\",\"memory_limit\":60000,\
\"micro_batches\":520}" $((stages * 25 / 13)) $((stages * 30 / 13)))" -t 200 -gap 0.05 -v
holds "$stages stages, many layers of two kinds: a plan that fits, and a bound close to it" \
	"$PLACED and $FITS and $SIMULATED and $BOUNDED and \$plan.lower_bound > 0.95 * \$plan.step_time"
# With too little memory for one chunk per stage, the least sufficient limit is known nevertheless.
ask "$(instance "$(question 3 1 1f1b 20000)" 200 200)"
same "nothing fits" 3 "$status"
least=$(of .excess | jq '20000 + .')
same "the smallest limit is known" \
	"no plan of 1f1b with 1 chunk per stage fits into 20000 MB: the smallest limit that works is X MB, for stage" \
	"$(sed 's/^sapp-lp: //; s/[0-9.]* MB, for stage [0-2]/X MB, for stage/' "$tmp/err")"
ask "$(instance "$(question 3 1 1f1b "$(jq -n "$least + 0.001 | ceil")")" 200 200)" -t 0.05
same "works" 0 "$status"
ask "$(instance "$(question 3 1 1f1b "$(jq -n "$least - 0.001 | floor")")" 200 200)" -t 0.05
same "and less does not" 3 "$status"
done_testing
