#!/bin/sh
# Offloaded activations: memory and time compared with figures by hand, planned and simulated.
. "$(dirname "$0")/../lib.sh"

# model OFFLOAD: four layers that keep 20 MB each and offload OFFLOAD MB.
model() {
	printf '%s\n' '{"kind":"layer","name":"B","type":"BODY","nb_layer":4,"time":10,"memory_parameter":1,'\
'"memory_activation":320,"kinds":{"swap":{"activation":20,"offload":'"$1"'}}}'
}
pipeline() {
	printf '%s\n' '{"kind":"pipeline","stages":2,"micro_batches":4,"interleave":1,"schedule":"1f1b",'\
'"memory_limit":1000'"$1"'}'
}
plan() {
	printf '%s\n' '{"kind":"plan","name":"p","origin":"manual","schedule":"1f1b","interleave":1,"counts":{"B":{'\
"$1"'}},"offset":[0,0],"recompute":[0,0],"select_recompute":[0,0],"select_comm_recompute":[0,0]}'
}
sim() { sapp-sim "$@" | get sim "[.step_time, .peak_memory]"; }

# 20 MB per ms: 200 of 300 MB leave in a forward of 10 ms, and twice 600 in 20 + 40 ms; two micro-batches on stage 0.
same "what fits takes no time" '[300,[482,242]]' \
	"$({ model 300; pipeline ',"offload":20'; plan '"swap":[2,2]'; } | sim)"
# Of 330 MB 130 stay, and twice 660 take 66 ms: the backward takes 46.
same "what does not takes time" '[330,[602,302]]' \
	"$({ model 330; pipeline ',"offload":20'; plan '"swap":[2,2]'; } | sim)"
same "another link" '[300,[82,42]]' \
	"$({ model 300; pipeline ',"offload":20'; plan '"swap":[2,2]'; } | sim -offload 1000)"
# One of two layers offloads: its transfers may take the time of both.
same "a layer that does not hides the other's" '[300,[1202,602]]' \
	"$({ model 460; pipeline ',"offload":20'; plan '"swap":[1,1],"none":[1,1]'; } | sim)"
same "nothing is offloaded" '[300,[1282,642]]' "$({ model 300; pipeline ''; plan '"none":[2,2]'; } | sim)"

# Ends do not give the link time: of one stage, 4 x (10 + 40 + 92), not 4 x (50 + 82).
same "a head's forward is not the link's" '[568,604]' "$({
	echo '{"kind":"layer","name":"E","type":"HEAD","nb_layer":1,"time":10,"backward_time":0}'
	model 330; pipeline ',"offload":20'; plan '"swap":[4]'; } |
	sed 's/"stages":2/"stages":1/; s/\[0,0\]/[0]/g' | sim)"

# Devices with twice the speed have half the time: 100 of 300 MB leave in 5 ms, and twice 600 take 60 - 10 ms.
same "a device's speed is not the link's" '[300,[882,442]]' \
	"$({ model 300; pipeline ',"offload":20,"speed":2'; plan '"swap":[2,2]'; } | sim)"
same "by the option" '[300,[882,442]]' \
	"$({ model 300; pipeline ',"offload":20'; plan '"swap":[2,2]'; } | sim -speed 2,2)"
# The first stage alone: backwards of 60 - 10 ms on it, and of 40 on the other stage; and with the stages exchanged.
same "on one stage" '[300,[882,242]]' \
	"$({ model 300; pipeline ',"offload":20'; plan '"swap":[2,2]'; } | sim -speed 2,1)"
same "on the other stage" '[300,[482,442]]' \
	"$({ model 300; pipeline ',"offload":20,"speed":[1,2]'; plan '"swap":[2,2]'; } | sim)"

# Planned: the least limit is the memory with offloading, and the step follows from the figures above.
ask() { sapp-lp -s 2 -mb 4 -t 60 -gap 0 -mixes all "$@"; }
model 300 | ask -mem 482 -offload 20 >"$tmp/plan"
same "planned in just as much" '["optimal",300,[2,2]]' \
	"$(jq -c 'select(.kind == "plan") | [.status, .step_time, .counts.B.swap[0]]' "$tmp/plan")"
same "planned for other devices" '["optimal",300,[882,442]]' "$(model 300 | sed 's/"memory_activation":320,//' |
	ask -mem 1000 -offload 20 -speed 2 2>"$tmp/warning" | sapp-sim -j |
	jq -cs '[(.[] | select(.kind == "plan") | .status, .step_time), (.[] | select(.kind == "sim").peak_memory)]')"
same "the question has the link" 20 "$(jq 'select(.kind == "pipeline") | .offload' "$tmp/plan")"
same "and is simulated by it" '[300,[482,242]]' "$(sim "$tmp/plan")"
# Without its own time, a kind has the layer's backward without recomputation: (10 + 30) x 2 x 5.
for backward in '"backward_coef":0.5' '"backward_time":30'; do
	same "no shorter than without, $backward" '["optimal",400,"swap"]' \
		"$(model 300 | sed "s/\"memory_p/$backward,&/" | ask -mem 482 -offload 20 2>"$tmp/warning" | jq -c \
		'select(.kind == "plan") | [.status, .step_time, (.counts.B | map_values(flatten | add) |
		to_entries[] | select(.value == 4).key)]')"
	same "which nothing is said of, $backward" "" "$(cat "$tmp/warning")"
done
model 300 >"$tmp/model"
# With one layer on the first stage, 2 x 120 + 1, and three layers on the last, 3 x 121.
fails "what is too little" 3 "the smallest limit that works is 363 MB" ask -mem 362 -offload 20 "$tmp/model"
same "a slow link is waited for, as little as can be" true "$(model 300 | ask -mem 1000 -offload 5 |
	jq 'select(.kind == "plan") | .step_time > 300 and .status == "optimal"')"
model 300 | ask -mem 1300 2>"$tmp/warning" | jq -c 'select(.kind == "plan") | .counts.B | keys' >"$tmp/kinds"
same "without a link it is not planned with" '["none"]' "$(cat "$tmp/kinds")"
check "with a warning" grep -q "'swap' offloads, but no -offload gives the speed: the planner does not use it" \
	"$tmp/warning"
{ cat "$tmp/model"; pipeline ''; plan '"swap":[2,2]'; } >"$tmp/bare"
fails "nor simulated" 1 \
	"plan: 'p' offloads with 'swap', but no offload speed is in the pipeline record or in -offload" \
	sapp-sim "$tmp/bare"
sed 's/"memory_activation":320,//' "$tmp/model" >"$tmp/only"
fails "nothing but that" 1 "'B' has only kinds that offload" ask -mem 1000 "$tmp/only"

# Different devices: a plan has the same step in sapp-sim, and other solvers find no shorter one.
for speed in 2,1 1,3 0.5,2; do
	ask -mem 1000 -offload 20 -speed $speed "$tmp/model" >"$tmp/plan"
	same "-speed $speed: proved" '"optimal"' "$(jq 'select(.kind == "plan") | .status' "$tmp/plan")"
	same "-speed $speed: simulated" "$(jq -c 'select(.kind == "plan") | .step_time' "$tmp/plan")" \
		"$(sapp-sim -j "$tmp/plan" | jq 'select(.kind == "sim") | .step_time')"
	for solver in cbc glpsol; do
		command -v $solver >/dev/null || { skip "$solver is not installed"; continue; }
		near "-speed $speed by $solver" "$(jq 'select(.kind == "plan") | .step_time' "$tmp/plan")" \
			"$(ask -mem 1000 -offload 20 -speed $speed -solver $solver "$tmp/model" |
			jq 'select(.kind == "plan") | .step_time')" 1e-6
	done
done
same "planned in just as much where speeds differ" '["optimal",300,[2,2]]' \
	"$(ask -mem 882,242 -offload 20 -speed 2,1 "$tmp/model" |
	jq -c 'select(.kind == "plan") | [.status, .step_time, .counts.B.swap[0]]')"
fails "no rate" 2 "-offload" ask -mem 1000 -offload 0 "$tmp/model"
# In another solver's model the link takes equally long: 300, and 330 if it is too slow for all activations.
for rate in 20 5 2; do
	ask -mem 1000 -offload $rate "$tmp/model" >"$tmp/plan"
	for solver in cbc glpsol; do
		command -v $solver >/dev/null || { skip "$solver is not installed"; continue; }
		same "$solver with $rate GB/s" \
			"$(jq -c 'select(.kind == "plan") | [.step_time, .status]' "$tmp/plan")" \
			"$(ask -mem 1000 -offload $rate -solver $solver -lp "$tmp/lp" "$tmp/model" |
			jq -c 'select(.kind == "plan") | [.step_time, .status]')"
	done
done
check "its model has the wait" grep -q '^link_0_0: .*wait_0_0' "$tmp/lp"
model -1 >"$tmp/bad"
fails "less than nothing" 1 "offload: negative '-1'" ask -mem 1000 -offload 20 "$tmp/bad"
done_testing
