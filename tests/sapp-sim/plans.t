#!/bin/sh
# Every tool refuses inconsistent plans with a message that names the member.
. "$(dirname "$0")/../lib.sh"
cat >"$tmp/layers" <<'END'
{"kind":"model","name":"m"}
{"kind":"layer","name":"H","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":10}
{"kind":"layer","name":"B","type":"BODY","nb_layer":16,"time":2,"memory_activation":10,"memory_recompute":1}
END
check 'a plan' sh -c 'sapp-lp -j -s 4 -mb 8 -i 2 -mem 2500 -t 1 "$0" >"$1"' "$tmp/layers" "$tmp/plan"
bad() {	# NAME MESSAGE JQ
	jq -c "if .kind == \"plan\" then $3 else . end" "$tmp/plan" >"$tmp/bad"
	for tool in sapp-sim sapp-yaml; do
		fails "$tool: $1" 1 "plan: $2" "$tool" "$tmp/bad"
	done
}
bad 'fewer chunks' "offset: 2 chunks, but interleave is '3'" '.interleave = 3'
bad 'a list of fewer chunks' "recompute: 1 chunks, but interleave is '2'" '.recompute |= .[:1]'
bad 'a list of fewer stages' "select_recompute: 3 stages, but offset has '4'" '.select_recompute |= map(.[:3])'
bad 'a list of more stages' "select_comm_recompute: 5 stages, but offset has '4'" \
	'.select_comm_recompute |= map(. + [0])'
bad 'counts of fewer chunks' 'counts: B: none: 1 x 4 entries, not 2 x 4' '.counts.B.none = [[1, 1, 1, 1]]'
bad 'counts of fewer stages' 'counts: B: full: 2 x 2 entries, not 2 x 4' '.counts.B.full = [[0, 0], [0, 0]]'
bad 'rows that differ' offset '.offset[1] |= .[:2]'
bad 'no such schedule' 'schedule: ' '.schedule = "best"'
bad 'no list' offset '.offset = "even"'
done_testing
