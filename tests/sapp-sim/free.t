#!/bin/sh
# -free: an order for each plan, never longer, within memory, and replayed from its file.
. "$(dirname "$0")/../lib.sh"

chunks() {	# SCHEDULE CHUNKS
	jq -nc --arg s "$1" --argjson v "$2" '{kind:"chunks",name:"x",schedule:$s,micro_batches:8,activation:1,
		forward:[[8,9,8,11],[7,9,8,8],[9,7,8,8]][:$v]}'
}
below() {	# NAME OPTION...: the bound
	name=$1
	shift
	check "$name: the bound is below" sh -c 'sapp-sim -j "$@" | jq -e "select(.kind == \"sim\") |
		.lower_bound > 0 and .lower_bound <= .step_time"' sh "$@"
}
sim() { sapp-sim -j "$@" | jq -c 'select(.kind == "sim") | [.schedule, .step_time, .peak_memory]'; }
within() {	# NAME BEFORE AFTER: each as sim() has it
	check "$1" jq -ne --argjson a "$2" --argjson b "$3" \
		'$b[1] <= $a[1] * (1 + 1e-12) and ([range(4) | $b[2][.] <= $a[2][.] + 1e-9] | all)'
}
for s in gpipe:1 1f1b:1 vpp:2 vpp-less:2 zb-h1:1 zb-h2:1 zb-vpp:2 zbv:2 v-half:2 v-min:2; do
	case ${LONG:-$s} in 1 | vpp:* | zb-h1:*) ;; *) continue ;; esac
	chunks "${s%:*}" "${s#*:}" >"$tmp/in"
	before=$(sim "$tmp/in") after=$(sim -free "$tmp/in")
	within "${s%:*}: no longer, and no more memory" "$before" "$after"
	same "${s%:*}: the same again" "$after" "$(sim -free "$tmp/in")"
	within "${s%:*}: nor with transfers that keep stages busy" "$(sim -comm 2 -transfers batched "$tmp/in")" \
		"$(sim -comm 2 -transfers batched -free "$tmp/in")"
done
for s in 1f1b:1 vpp:2 $(draws '' 'vpp:3 zb-vpp:2'); do
	chunks "${s%:*}" "${s#*:}" >"$tmp/in"
	below "${s%:*}, ${s#*:} chunks" -free "$tmp/in"
	below "${s%:*}, ${s#*:} chunks, transfers that keep stages busy" -free -comm 2 -transfers batched "$tmp/in"
done
chunks zb-vpp 2 >"$tmp/in"
same "shorter" '["zb-vpp",486] ["custom",481]' \
	"$(echo "$(sim "$tmp/in" | cut -d, -f1-2)] $(sim -free "$tmp/in" | cut -d, -f1-2)]")"
sapp-sim -j -free -order-csv "$tmp/order.csv" "$tmp/in" >"$tmp/out"
same "written and replayed" "$(sim -free "$tmp/in")" "$(sim -order "$tmp/order.csv" "$tmp/in")"
chunks v-min 2 >"$tmp/in"
check "with more memory shorter still" \
	awk -v "a=$(sim -free -mem 100 "$tmp/in" | cut -d, -f2)" 'BEGIN { exit !(a < 500) }'
check "none is above its limit" jq -ne --argjson a "$(sim -free -mem 6 "$tmp/in")" '$a[1] < 534 and ($a[2] | max) <= 6'
h2=$(chunks zb-h2 1 | sim -comm 4 | cut -d, -f2)
check "one chunk: with the memory of zb-h2 no longer than it, and shorter than zb-h1" jq -ne \
	--argjson h1 "$(chunks zb-h1 1 | sim -comm 4)" --argjson a "$(chunks zb-h1 1 | sim -comm 4 -free -mem 8)" \
	"\$a[1] <= $h2 * (1 + 1e-9) and $h2 < \$h1[1] and (\$a[2] | max) <= 8"
same "what cannot be shorter stays" '["1f1b"' "$(chunks 1f1b 1 | sim -free | cut -d, -f1)"

printf '%s\n' '{"kind":"layer","name":"t","type":"BODY","nb_layer":17,"time":10,"memory_parameter":1,'\
'"memory_activation":1}' '{"kind":"layer","name":"loss","type":"TAIL","nb_layer":1,"time":5}' |
	sapp-lp -s 4 -mb 8 -mem 40 -i 2 -t 5 -gap 0 >"$tmp/plan"
check "a plan of sapp-lp" jq -ne --argjson a "$(sim "$tmp/plan")" --argjson b "$(sim -free "$tmp/plan")" \
	'$b[1] < $a[1] and $b[0] == "custom" and ($b[2] | max) <= 40 + 1e-9'
check "as a report" sh -c 'sapp-sim -H -free "$1" | grep "^planned-vpp-i2 (custom)"' sh "$tmp/plan"

for s in dualpipe:1 vpp-overlap:2; do
	chunks "${s%:*}" "${s#*:}" >"$tmp/in"
	fails "${s%:*}" 1 "-free: 'x': schedules that overlap operations have no free order" sapp-sim -free "$tmp/in"
done
chunks 1f1b 1 | jq -c '. + {seq_split: 2}' >"$tmp/in"
fails "parts of sequences" 1 "-free: 'x': an order in a file cannot split sequences" sapp-sim -free "$tmp/in"
fails "one or the other" 2 "-free and -order exclude each other" sapp-sim -free -order "$tmp/order.csv" "$tmp/plan"
done_testing
