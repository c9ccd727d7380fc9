#!/bin/sh
# Several kinds of body layers: placed on the pieces in the order of the data, on whatever stage; their times.
. "$(dirname "$0")/../lib.sh"
unset -f jq	# the order of members matters here

cat >"$tmp/layers" <<END
{"kind":"layer","name":"dense","type":"BODY","nb_layer":10,"time":10,"memory_activation":30,"memory_select_rec":20,\
"memory_recompute":5}
{"kind":"layer","name":"moe","type":"BODY","nb_layer":7,"time":20,"memory_activation":40,"memory_select_rec":25,\
"memory_recompute":6}
END
question() {
	printf '{"kind":"pipeline","stages":4,"micro_batches":8,"interleave":%d,'\
'"schedule":"%s","memory_limit":9000}\n' "$@"; }
cat >"$tmp/manual.yaml" <<'END'
mine:
  offset: [[0, 0, 0, 0], [0, 0, 1, 0]]
  recompute: [[1, 0, 0, 0], [0, 1, 2, 0]]
  select_recompute: [[2, 0, 1, 0], [0, 1, 3, 1]]
END
counts() { jq -c 'select(.kind == "plan") | .counts'; }

# The pieces of a V are 0,0 0,1 0,2 0,3 1,3 1,2 1,1 1,0: dense has the first four and two layers of the fifth.
for schedule in zbv v-half v-min; do
	{ cat "$tmp/layers"; question 2 $schedule; } | sapp-sim -manual "$tmp/manual.yaml" >"$tmp/out" 2>"$tmp/err"
	same "$schedule: dense layers first, moe on the way back" \
		'{"dense":{"none":[[0,2,1,2],[0,0,0,1]],"select":[[1,0,1,0],[0,0,0,1]],"full":[[1,0,0,0],[0,0,0,0]]},'\
'"moe":{"none":[[0,0,0,0],[2,1,0,0]],"select":[[0,0,0,0],[0,0,1,0]],"full":[[0,0,0,0],[0,1,2,0]]}}' \
		"$(counts <"$tmp/out")"
	same "$schedule: it is simulated" 1 "$(grep -c '"kind":"sim"' "$tmp/out")"
	same "$schedule: what is written can be read" \
		"$(jq -c 'select(.kind == "sim") | [.step_time, .peak_memory]' "$tmp/out")" \
		"$(grep -v '"sim"' "$tmp/out" | sapp-sim | jq -c 'select(.kind == "sim") | [.step_time, .peak_memory]')"
done
for schedule in vpp vpp-less; do
	{ cat "$tmp/layers"; question 2 $schedule; } | sapp-sim -manual "$tmp/manual.yaml" >"$tmp/out"
	same "$schedule: dense layers to the piece (1,0)" \
		'{"dense":{"none":[[0,2,1,2],[2,0,0,0]],"select":[[1,0,1,0],[0,0,0,0]],"full":[[1,0,0,0],[0,0,0,0]]},'\
'"moe":{"none":[[0,0,0,0],[0,1,0,1]],"select":[[0,0,0,0],[0,0,1,1]],"full":[[0,0,0,0],[0,1,2,0]]}}' \
		"$(counts <"$tmp/out")"
done
{ sed 's/"nb_layer":10/"nb_layer":9/' "$tmp/layers"; question 2 zbv; } | sapp-sim -naive 1 2>/dev/null |
	counts >"$tmp/out"
same "naive plans of a V, too" '{"dense":{"none":[[2,2,2,2],[0,0,0,1]]},"moe":{"none":[[0,0,0,0],[2,2,2,1]]}}' \
	"$(tail -n 1 "$tmp/out")"

# Backward: an unmeasured time exceeds the measured one by a fraction.
step() {	# MEMBERS KIND: step of one stage, one micro-batch, forward 10
	printf '%s\n' \
		'{"kind":"layer","name":"x","type":"BODY","nb_layer":1,"time":10,"memory_activation":1,'\
'"memory_select_rec":1,"memory_select_comm":1,"memory_both_comm_select":1,"memory_recompute":1'"$1"'}' \
		'{"kind":"pipeline","stages":1,"micro_batches":1,"interleave":1,'\
'"schedule":"1f1b","memory_limit":9000}' \
		'{"kind":"plan","name":"p","origin":"manual","schedule":"1f1b","interleave":1,'\
'"counts":{"x":{"'"$2"'":[[1]]}},"offset":[[0]],"recompute":[[0]],'\
'"select_recompute":[[0]],"select_comm_recompute":[[0]]}' |
		sapp-sim | jq -c 'select(.kind == "sim").step_time'
}
near "nothing measured: none" 30 "$(step '' none)" 1e-9
near "nothing measured: select" 30.8 "$(step '' select)" 1e-9
near "nothing measured: full" 40 "$(step '' full)" 1e-9
near "backward measured: none" 40 "$(step ',"backward_time":30' none)" 1e-9
near "backward measured: select" 40.8 "$(step ',"backward_time":30' select)" 1e-9
near "backward measured: comm" 42.5 "$(step ',"backward_time":30' comm)" 1e-9
near "backward measured: both" 43.3 "$(step ',"backward_time":30' both)" 1e-9
near "backward measured: full" 50 "$(step ',"backward_time":30' full)" 1e-9
near "backward measured, the host is slow: full, by what the device works" 44 \
	"$(step ',"backward_time":30,"busy_time":4' full)" 1e-9
near "backward measured, the host is slow: comm" 41 "$(step ',"backward_time":30,"busy_time":4' comm)" 1e-9
near "nothing measured but the host: full" 40 "$(step ',"busy_time":4' full)" 1e-9
near "a coefficient of its own" 52 "$(step ',"backward_time":30,"recompute_coef":0.4' full)" 1e-9
near "a coefficient of its own, nothing measured" 38 "$(step ',"recompute_coef":0.4' full)" 1e-9
near "a time of its own" 43 "$(step ',"backward_time":30,"recompute_time":33' full)" 1e-9

# Ends have the coefficients of other layers.
ends() {	# MEMBERS
	printf '%s\n' '{"kind":"layer","name":"h","type":"HEAD","nb_layer":2,"time":5'"$1"'}' \
		'{"kind":"layer","name":"x","type":"BODY","nb_layer":1,"time":10}' \
		'{"kind":"pipeline","stages":1,"micro_batches":1,"interleave":1,'\
'"schedule":"1f1b","memory_limit":9000}' |
		sapp-sim -naive 1 2>/dev/null | jq -c 'select(.kind == "sim").step_time'
}
near "a head" 60 "$(ends '')" 1e-9
near "a head whose backward was measured" 46 "$(ends ',"backward_time":3')" 1e-9
near "a head with a coefficient" 70 "$(ends ',"backward_coef":0.5')" 1e-9

fails "both time and coefficient" 1 "has both a backward time and a coefficient" \
	sh -c 'sed "s/\"nb_layer\":10/&,\"recompute_time\":1,\"recompute_coef\":1/" "$1" | sapp-sim' sh "$tmp/layers"
printf 'mine:\n  offset: [[0, 0, 0, 0], [0, 0, 0, 0]]\n' >"$tmp/bad.yaml"
fails "offsets of a V that do not sum up" 1 "bad.yaml:2: offset" \
	sh -c '{ cat "$1/layers"; echo "$2"; } | sapp-sim -manual "$1/bad.yaml"' sh "$tmp" "$(question 2 zbv)"
printf 'mine:\n  interleave_num: 3\n  offset: [[1, 1, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]]\n' >"$tmp/three.yaml"
same "three chunks beside a V of two are interleaved" vpp \
	"$({ cat "$tmp/layers"; question 2 zbv; } | sapp-sim -manual "$tmp/three.yaml" |
	jq -r 'select(.kind == "sim").schedule')"
plan='{"kind":"plan","name":"p","origin":"manual","schedule":"zbv","interleave":2,"counts":{"dense":{"none":[[2,2,2,'\
'2],[2,0,0,0]]},"moe":{"none":[[0,0,0,0],[0,2,3,2]]}},"offset":[[0,0,0,0],[0,0,1,0]],"recompute":[[0,0,0,0],[0,0,0,'\
'0]],"select_recompute":[[0,0,0,0],[0,0,0,0]],"select_comm_recompute":[[0,0,0,0],[0,0,0,0]]}'
fails "a plan of a V in the order of stages" 1 "before layers that come earlier in the model" \
	sh -c '{ cat "$1/layers"; echo "$2"; echo "$3"; } | sapp-sim' sh "$tmp" "$(question 2 zbv)" "$plan"
done_testing
