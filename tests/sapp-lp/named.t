#!/bin/sh
# Named kinds of recomputation: from layer and kind records to plans, simulated and read back.
. "$(dirname "$0")/../lib.sh"

# layer KINDS: a model of 12 layers with the object KINDS as member kinds.
layer() {
	printf '%s\n' '{"kind":"model","name":"m"}' \
'{"kind":"layer","name":"B","type":"BODY","nb_layer":12,"time":10,"memory_parameter":100,"memory_activation":300,'\
'"memory_recompute":40,"kinds":'"$1"'}'
}
kinds='{"silu":{"activation":220,"backward_coef":0.02},"mlp":{"activation":150,"backward_time":21.5}}'
nested='{"kind":"kind","name":"silu","select_recompute":["mul","act"]}
{"kind":"kind","name":"mlp","select_recompute":["mul","act","reshape"]}'
crossed='{"kind":"kind","name":"silu","select_recompute":["mul","act"]}
{"kind":"kind","name":"mlp","select_recompute":["mul","reshape"]}'
ask() { memory=$1; shift; sapp-lp -s 3 -mb 6 -mem "$memory" -t 60 -gap 0 "$@"; }
step() { jq -s '[.[] | select(.kind == "plan") | .step_time][0]'; }
counts() { jq -sc '[.[] | select(.kind == "plan")][0].counts.B'; }

{ layer "$kinds"; printf '%s\n' "$nested"; } >"$tmp/nested"
{ layer "$kinds"; printf '%s\n' "$crossed"; } >"$tmp/crossed"
layer "$kinds" >"$tmp/bare"
layer '{}' >"$tmp/none"

# By hand: stage 0 holds 3 micro-batches of 4 layers; 400 + 12 x (300, 220, 150) MB, which leaves 2600 of 3000 MB.
ask 3000 -mixes all "$tmp/bare" >"$tmp/plan"
same "both kinds are in the plan" '["mlp","silu"]' "$(counts <"$tmp/plan" |
	jq -c '[to_entries[] | select(.value | flatten | add > 0) | .key] - ["none", "full"] | sort')"
near "its step is the simulated one" "$(step <"$tmp/plan")" \
	"$(sapp-sim -j "$tmp/plan" | jq 'select(.kind == "sim") | .step_time')" 1e-9
same "no peak is above the limit" true \
	"$(sapp-sim -j "$tmp/plan" | jq -c 'select(.kind == "sim") | .peak_memory | max <= 3000')"
same "counts add up to the layers" 12 "$(counts <"$tmp/plan" | jq '[.[] | flatten | add] | add')"
ask 3000 -mixes all -H "$tmp/bare" >"$tmp/report"
check "the report names them" grep -q '^  silu: \[' "$tmp/report"

# Lists: only nested kinds may share a piece; without kind records no named kind may.
ask 3000 -mixes all "$tmp/none" | step >"$tmp/all.none"
ask 3000 -mixes yaml "$tmp/nested" | step >"$tmp/yaml.nested"
ask 3000 -mixes yaml "$tmp/crossed" >"$tmp/crossed.plan"
ask 3000 -mixes yaml "$tmp/bare" 2>"$tmp/warning" | step >"$tmp/yaml.bare"
same "nested kinds are as good as any" "$(step <"$tmp/plan")" "$(cat "$tmp/yaml.nested")"
same "in no piece are two kinds that do not nest" 0 "$(counts <"$tmp/crossed.plan" |
	jq '[[.silu[0] // [], .mlp[0] // []] | transpose[] | select(min > 0)] | length')"
check "which costs time" sh -c "awk -v a=\"$(step <"$tmp/crossed.plan")\" -v b=\"$(step <"$tmp/plan")\" \
	'BEGIN { exit !(a >= b) }'"
same "without kind records they are left out" "$(cat "$tmp/all.none")" "$(cat "$tmp/yaml.bare")"
check "with a warning" grep -q "no kind record with patterns for 'silu'" "$tmp/warning"

# The built-in kinds by name.
layer '{"full":{"activation":40}}' | sed 's/"memory_recompute":40,//' >"$tmp/builtin"
same "a built-in kind in kinds is the same" "$(ask 3000 -mixes all "$tmp/none" | counts)" \
	"$(ask 3000 -mixes all "$tmp/builtin" | counts)"

# Records are passed on to the output.
same "through a document and back" "$(layer "$kinds" | jq -c 'select(.kind == "layer") | .kinds')" \
	"$(sapp-layers -o "$tmp/doc.json" "$tmp/bare" >/dev/null &&
	sapp-layers "$tmp/doc.json" | jq -c 'select(.kind == "layer") | .kinds')"

bad() { layer "$2" >"$tmp/bad"; [ -z "${4-}" ] || printf "%s\n" "$4" >>"$tmp/bad"
	fails "$1" 1 "$3" sapp-lp -s 3 -mb 6 -mem 3000 -t 1 "$tmp/bad"; }
bad "no time" '{"x":{"activation":1}}' "'x' of 'B' has neither a backward_time nor a backward_coef"
bad "no activation" '{"x":{"backward_coef":1}}' "'x' of 'B' has no activation"
bad "time and fraction" '{"x":{"activation":1,"backward_coef":1,"backward_time":20}}' "both a backward_time and a"
bad "twice" '{"full":{"activation":4}}' "'full' of 'B' has an activation that another member also gives"
bad "an unknown member" '{"x":{"activation":1,"coef":1}}' "kinds: x: coef: unknown member"
bad "too many" "$(jq -nc '[range(8) | {key: "k\(.)", value: {activation: 1, backward_coef: 0}}] | from_entries')" \
	"more than 7 kinds of recomputation in addition to the built-in kinds 'k7'"
bad "a name of nothing" '{"":{"activation":1,"backward_coef":0}}' "has 1 to 63 characters"
bad "the same patterns" "$kinds" "'mlp' has the same patterns as 'silu'" \
	"$(printf '%s\n' "$nested" | sed 's/,"reshape"//')"
bad "a second record" "$kinds" "a second record of the same name 'silu'" \
	"$(printf '%s\n' "$nested" | sed 's/"mlp"/"silu"/')"
bad "what is built in" "$kinds" "'full' is built in and cannot be redefined" '{"kind":"kind","name":"full"}'
bad "no string" "$kinds" "select_recompute: not a string '1'" '{"kind":"kind","name":"x","select_recompute":[1]}'
printf '%s\n' '{"kind":"layer","name":"H","type":"HEAD","nb_layer":1,"time":1,"kinds":{}}' >"$tmp/head"
check "an empty object of a HEAD is nothing" sapp-layers -o "$tmp/h.json" "$tmp/head"
sed 's/{}/{"x":{"activation":1,"backward_coef":0}}/' "$tmp/head" >"$tmp/head2"
fails "kinds of a HEAD" 1 "kinds: only for a BODY layer, not for 'H'" sapp-layers -o "$tmp/h.json" "$tmp/head2"

# Other solvers' models have the lists, too.
for file in nested crossed; do
	for solver in cbc glpsol; do
		command -v $solver >/dev/null || { skip "$solver is not installed"; continue; }
		same "$file by $solver" "$(ask 3000 "$tmp/$file" | step)" \
			"$(ask 3000 -solver $solver -lp "$tmp/lp" "$tmp/$file" | step)"
	done
done
check "its model has the chains" grep -q '^only_silu_0_0: .*n_0_0_B_silu.* chain_' "$tmp/lp"
done_testing
