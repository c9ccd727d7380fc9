#!/bin/sh
# Pieces without layers: planned on request, simulated, written for Megatron-LM and refused for other targets.
. "$(dirname "$0")/../lib.sh"

# model LAYERS LOSS: layers of 10 ms, and a loss bound to the last one.
model() {
	printf '%s\n' '{"kind":"layer","name":"t","type":"BODY","nb_layer":'"$1"',"time":10,"memory_parameter":1,'\
'"memory_activation":1,"memory_recompute":0.1}' \
		'{"kind":"layer","name":"loss","type":"TAIL","nb_layer":1,"time":'"$2"',"memory_parameter":1}'
}
plan() { sapp-lp -mem 1000 -t 200 -gap 0 "$@" 2>"$tmp/err" | tee "$tmp/plan" |
	jq -c 'select(.kind == "plan") | [.step_time, .status,
		([.counts.t[] | flatten] | transpose | map(select(add == 0)) | length)]'; }
sim() { sapp-sim "$@" | get sim .step_time; }

# If every piece has a layer, one stage of zbv waits for another. The optimal steps are from an exhaustive search.
model 9 20 >"$tmp/nine"
same "every piece with a layer" '[980,"optimal",0]' "$(plan -s 4 -mb 8 -S zbv "$tmp/nine")"
same "the question does not ask for it" null "$(jq 'select(.kind == "pipeline").empty' "$tmp/plan")"
same "three of eight without one" '[900,"optimal",3]' "$(plan -s 4 -mb 8 -S zbv -empty "$tmp/nine")"
same "the question does" true "$(jq 'select(.kind == "pipeline").empty' "$tmp/plan")"
near "the simulator takes as long" 900 "$(sim "$tmp/plan")" 1e-9
near "the bound is a proof" 900 "$(jq 'select(.kind == "plan").lower_bound' "$tmp/plan")" 1e-6
same "the last piece is bound to the loss" true "$(jq 'select(.kind == "plan").counts.t.none[1][0] > 0' "$tmp/plan")"
for mixes in all uniform; do
	same "-mixes $mixes" '[900,"optimal"' \
		"$(plan -s 4 -mb 8 -S zbv -empty -mixes $mixes "$tmp/nine" | cut -d, -f1-2)"
done
same "a free order" true "$(sapp-lp -s 4 -mb 4 -mem 1000 -t 5 -S zbv,free -empty "$tmp/nine" 2>"$tmp/err" |
	jq -s 'map(select(.kind == "plan").step_time) | .[0] <= .[1]')"
check "as a stream" sh -c 'grep -v "\"plan\"" "$1" | sapp-lp -t 20 | grep "\"step_time\":900,"' sh "$tmp/plan"

# Fewer layers than pieces.
model 6 40 >"$tmp/six"
fails "refused without the option" 2 \
	"6 layers are too few for 2 stages of 4 chunks: every piece needs a layer, except with -empty" \
	sapp-lp -s 2 -i 4 -mem 1000 "$tmp/six"
same "one after the other" '[1500,"optimal",6]' "$(plan -s 2 -mb 8 -i 4 -empty "$tmp/six")"
near "simulated" 1500 "$(sim "$tmp/plan")" 1e-9
sed 's/TAIL/HEAD/; s/loss/embedding/' "$tmp/six" | sed -n 2p >"$tmp/one"
sed 's/"nb_layer":6/"nb_layer":1/' "$tmp/six" >>"$tmp/one"
fails "both ends need one" 2 \
	"1 layers are too few for 2 stages of 1 chunks: every piece needs a layer if a head or tail" \
	sapp-lp -s 2 -mem 1000 -empty "$tmp/one"

# Thirty layers on 32 pieces of Megatron-LM.
model 30 5 >"$tmp/thirty"
plan -s 8 -mb 16 -i 4 -t 3 -empty -target megatron "$tmp/thirty" >"$tmp/null"
check "arguments" sapp-yaml -f megatron "$tmp/plan"
cp "$tmp/check.out" "$tmp/args"
check "take as long as the plan" \
	grep -q 'a step takes \([0-9.]*\) ms with these arguments, \1 as planned' "$tmp/args"
check "with a layout" grep -q 'layout "E.*||.*L"' "$tmp/args"
sapp-yaml -f megatron "$tmp/plan" >"$tmp/args" 2>"$tmp/err"
near "which is read back" "$(sim "$tmp/plan")" "$(grep -v '"plan"' "$tmp/plan" | sapp-yaml -r "$tmp/args" | sim)" 1e-9
fails "MindFormers is given no such file" 1 "allows no piece without layers" sapp-yaml "$tmp/plan"
for target in mindformers pytorch mindspeed; do
	fails "nor plans for $target" 2 "-empty: " sapp-lp -s 4 -mem 1000 -empty -target $target "$tmp/nine"
done

# Memory: too low limits get a message, and sufficient ones a plan; with limits per stage one stage has no layers.
fails "too little" 3 "the smallest limit that works is 3.9000000000000004 MB" \
	sapp-lp -s 4 -mb 8 -mem 3 -i 2 -empty "$tmp/nine"
same "enough" '["optimal"' "$(sapp-lp -s 4 -mb 8 -mem 3.9000000000000004 -i 2 -gap 0 -empty "$tmp/nine" |
	jq -c 'select(.kind == "plan") | [.status, .step_time]' | cut -d, -f1)"
same "a stage that has no room has no layer" '[4,0,4,1]' "$(sapp-lp -s 4 -mb 8 -mem 100,1,100,100 -t 20 -empty \
	"$tmp/nine" | jq -c 'select(.kind == "plan").counts.t.none[0]')"

# Known answers: a bound for plans without empty pieces does not hold for other plans.
sapp-lp -s 4 -mb 8 -mem 1000 -S zbv -gap 0 "$tmp/nine" >"$tmp/known"
same "-known of others" 900 "$(sapp-lp -s 4 -mb 8 -mem 1000 -S zbv -gap 0 -empty -known "$tmp/known" "$tmp/nine" |
	jq 'select(.kind == "plan").step_time')"

# Other solvers.
printf '%s\n' '{"kind":"layer","name":"t","type":"BODY","nb_layer":4,"time":10,"memory_activation":1}' \
	'{"kind":"layer","name":"loss","type":"TAIL","nb_layer":1,"time":20}' >"$tmp/small"
best=$(plan -s 2 -mb 3 -i 3 -empty -mixes all -mps "$tmp/mps" "$tmp/small" | tr -d '[' | cut -d, -f1)
near "a model for them" "$best" "$(cbc "$tmp/mps" -sec 60 -solve | sed -n 's/^Objective value: *//p')" 1e-5

sed 's/"empty":true/"empty":1/' "$tmp/plan" >"$tmp/bad"
fails "neither true nor false" 1 "empty" sapp-sim "$tmp/bad"
done_testing
