#!/bin/sh
# Among plans with nearly equal steps sapp-lp prints the simplest: fewer different pieces, then a lower highest peak.
. "$(dirname "$0")/../lib.sh"

# plans MEMORY OPTION...: without and with a gap, one line each: step, gap, status, different pieces, highest peak.
plans() {
	memory=$1; shift
	for gap in 0 0.001; do
		sapp-lp -s 8 -mb 64 -mem "$memory" -gap $gap -t 20 "$@" "$tmp/layers" | sapp-sim -j >"$tmp/plan$gap"
		jq -sc '(map(select(.kind == "plan"))[0]) as $p | (map(select(.kind == "sim"))[0]) as $s |
			[$p.step_time, $p.gap, $p.status,
			([$p.counts.a | to_entries | map(.value | flatten) | transpose[]] | unique | length),
			($s.peak_memory | max), ($s.step_time - $p.step_time | fabs < 1e-6),
			$p.step_time / $p.lower_bound - 1 - $p.gap, ([$p.counts.a[]] | flatten | add)]' "$tmp/plan$gap"
	done | jq -sc '{shortest: .[0], plain: .[1]}' >"$tmp/both"
}
both() { check "$1" jq -e "$2" "$tmp/both"; }
told() { both "$1: the step and the gap are the plan's own" 'all(.[5] and (.[6] | fabs < 1e-9) and .[7] == 81)'; }

sed 'N;/,\n/{s/\n//;b};P;D' >"$tmp/layers" <<'END'
{"kind":"layer","name":"h","type":"HEAD","time":12,"nb_layer":1,"memory_parameter":900}
{"kind":"layer","name":"a","type":"BODY","time":100,"nb_layer":81,"memory_parameter":1200,
"memory_activation":300,"memory_recompute":60}
{"kind":"layer","name":"t","type":"TAIL","time":60,"nb_layer":1,"memory_parameter":900}
END
plans 56000
told 'memory enough'
both 'without a gap the shortest plan is kept' '.shortest[2] == "optimal" and .shortest[3] >= 3'
both 'within it one of fewer different pieces wins' '.plain[3] == 2 and .plain[0] <= 1.001 * .shortest[0]'
both 'and is as near the bound as was asked' '.plain[1] <= 0.001'
plans 32000
told 'little memory'
both 'if layers are recomputed, too' \
	'.plain[3] < .shortest[3] and .plain[0] <= 1.001 * .shortest[0] and .plain[1] <= 0.001'
both 'and within the limit' '.plain[4] <= 32000'
# If no plan is simpler, the plan stays.
sed -i 's/"nb_layer":81/"nb_layer":80/; /HEAD\|TAIL/d' "$tmp/layers"
plans 56000
both 'even layers stay what they are' '.plain[0:4] == .shortest[0:4] and .plain[2] == "optimal" and .plain[3] == 1'
done_testing
