#!/bin/sh
# Unbound head and tail layers: the planner places them, alone in a piece or with others.
. "$(dirname "$0")/../lib.sh"

# model LOSS_BOUND [MEMBERS]: 14 layers of 10, an embedding of 1, a loss of 18.
model() {
	printf '%s\n' '{"kind":"layer","name":"embedding","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":1}' \
		'{"kind":"layer","name":"t","type":"BODY","nb_layer":14,"time":10,"memory_parameter":1,'\
'"memory_activation":1,"memory_recompute":0.1}' \
		'{"kind":"layer","name":"loss","type":"TAIL","nb_layer":1,"time":18,"bound":'"$1"\
',"memory_parameter":1}'
}
model true >"$tmp/bound"
model false >"$tmp/free"
plan() { sapp-lp -mem 1000 -t 200 "$@" 2>"$tmp/err" | tee "$tmp/plan" |
	jq -c 'select(.kind == "plan") | [.step_time, .status, (.ends // {} | map_values(.none))]' | tr -d '"'; }

same 'bound to the last layers' '[1737,optimal,{}]' "$(plan -s 8 -mb 16 -gap 0 "$tmp/bound")"
same 'alone on the last stage' '[1395,optimal,{loss:[[0,0,0,0,0,0,0,1]]}]' \
	"$(plan -s 8 -mb 16 -gap 0 "$tmp/free")"
same 'the last stage has no other layer' 0 "$(jq 'select(.kind == "plan").counts.t.none[0][7]' "$tmp/plan")"
near 'the simulator has it there' 1395 "$(sapp-sim "$tmp/plan" | jq 'select(.kind == "sim").step_time')" 1e-9
near 'the bound is a proof' 1395 "$(jq 'select(.kind == "plan").lower_bound' "$tmp/plan")" 1e-6
same 'MindFormers has it with layers' '[1737,optimal,{}]' "$(plan -s 8 -mb 16 -gap 0 -target mindformers "$tmp/free")"
same 'so has torchtitan' '[1737,optimal,{}]' "$(plan -s 8 -mb 16 -gap 0 -target pytorch "$tmp/free")"
same 'Megatron-LM can' '[1395,optimal,{loss:[[0,0,0,0,0,0,0,1]]}]' \
	"$(plan -s 8 -mb 16 -gap 0 -target megatron "$tmp/free")"
same 'which a layout says' 'E*1 t*2 L' "$(sapp-yaml -f megatron "$tmp/plan" 2>"$tmp/err" |
	sed -n 's/.*layout "E\(t\*2\)|(t\*2|)\*5,t\*2|L".*/E*1 \1 L/p')"
fails 'and MindFormers refuses' 1 'MindFormers allows no piece without layers, but chunk 0 of stage 7 has none' \
	sapp-yaml "$tmp/plan"
fails 'so does torchtitan' 1 'allows no piece without layers' sapp-yaml -f torchtitan "$tmp/plan"
grep -v '"kind":"layer"' "$tmp/plan" >"$tmp/question"
jq -c 'select(.kind == "plan") | del(.ends)' "$tmp/plan" >"$tmp/without"
near 'a plan that does not name it has it on the last piece' 1395 \
	"$(jq -c 'select(.kind != "plan")' "$tmp/plan" | cat - "$tmp/without" | sapp-sim |
	jq 'select(.kind == "sim").step_time')" 1e-9

# An embedding and a layer that predicts further tokens as well; two chunks per stage.
cat >"$tmp/deep" <<'END'
{"kind":"layer","name":"embedding","type":"HEAD","nb_layer":1,"time":9,"bound":false,"memory_parameter":1}
{"kind":"layer","name":"loss","type":"TAIL","nb_layer":1,"time":18,"bound":false,"memory_parameter":1}
{"kind":"layer","name":"t","type":"BODY","nb_layer":13,"time":10,"memory_parameter":1,"memory_activation":1}
END
sed 's/"name":"loss"/"name":"mtp"/; s/18/11/' "$tmp/deep" | sed -n 2p >"$tmp/mtp"
{ sed -n '1p;3p' "$tmp/deep"; cat "$tmp/mtp"; sed -n 2p "$tmp/deep"; } >"$tmp/all"
plan -s 4 -mb 8 -i 2 -gap 0.01 -target megatron "$tmp/all" >"$tmp/null"
sapp-yaml -f megatron "$tmp/plan" >"$tmp/args" 2>"$tmp/err"
check 'the arguments take as long as the plan' \
	grep -q 'a step takes \([0-9.]*\) ms with these arguments, \1 as planned' \
	"$tmp/err"
check 'with the layer that predicts further tokens' grep -q -- '--mtp-num-layers 1' "$tmp/args"
check 'and a layout' grep -q 'layout "E.*m.*L"' "$tmp/args"
near 'no layer is twice or nowhere' 16 "$(jq 'select(.kind == "plan") | [.counts, .ends] |
	[.. | numbers] | add' "$tmp/plan")" 0
# Layers are in model order, whatever the order of records: the two TAIL layers follow all others.
same 'the order of the records is that of each end' 'mtp loss' \
	"$(command jq -r 'select(.kind == "plan").ends | keys_unsorted[]' \
	"$tmp/plan" | grep -v embedding | xargs)"

# Memory: the stage of an unbound layer has its parameters and activations.
sed 's/"memory_parameter":1}/"memory_parameter":50,"memory_activation":7}/' "$tmp/free" >"$tmp/heavy"
plan -s 8 -mb 16 -gap 0 "$tmp/heavy" >"$tmp/null"
same 'peak of the loss' 57 "$(sapp-sim "$tmp/plan" | jq 'select(.kind == "sim").peak_memory[7]')"
same 'limits move it' '[[0,0,1]]' "$(printf '%s\n' '{"kind":"layer","name":"t","type":"BODY","nb_layer":4,"time":1,'\
'"memory_parameter":10}' '{"kind":"layer","name":"loss","type":"TAIL","nb_layer":1,"time":1,"bound":false,'\
'"memory_parameter":30}' | sapp-lp -s 3 -mb 4 -mem 100,100,35 -gap 0 2>"$tmp/err" |
	jq -c 'select(.kind == "plan").ends.loss.none')"

# Uniform recomputation, lists and other solvers.
for mixes in yaml all uniform; do
	plan -s 4 -mb 8 -mem 20 -mixes $mixes -gap 0 "$tmp/free" >"$tmp/null"
	same "-mixes $mixes: no peak above its limit" true "$(sapp-sim "$tmp/plan" |
		jq 'select(.kind == "sim") | .peak_memory | max <= 20 + 1e-6')"
done
head -3 "$tmp/all" |
	sed 's/:13/:6/; s/"memory_activation":1/&,"memory_recompute":0.2,"memory_select_rec":0.5/' >"$tmp/small"
for mixes in all yaml; do
	best=$(plan -s 3 -mb 3 -mem 6 -mixes $mixes -gap 0 "$tmp/small" | tr -d '[' | cut -d, -f1)
	check "$mixes: a model for others" run 0 sapp-lp -s 3 -mb 3 -mem 6 -mixes $mixes -gap 0 \
		-mps "$tmp/mps" "$tmp/small"
	near "$mixes: its optimum" "$best" "$(cbc "$tmp/mps" -sec 60 -solve | sed -n 's/^Objective value: *//p')" 1e-5
done
sapp-lp -s 8 -mb 16 -mem 900 -gap 0 "$tmp/free" >"$tmp/known"
check '-known begins with such a plan' sapp-lp -s 8 -mb 16 -mem 1000 -gap 0 -known "$tmp/known" "$tmp/free"
same 'and ends with it' 1395 "$(jq 'select(.kind == "plan").step_time' "$tmp/check.out")"
same 'a free order' true "$(sapp-lp -s 3 -mb 6 -mem 1000 -t 3 -S 1f1b,free "$tmp/small" | tee "$tmp/plan" | jq -s '
	map(select(.kind == "plan")) | length == 2 and all(.ends | length > 0) and .[0].step_time <= .[1].step_time')"
check 'strategies beside it' sh -c 'sapp-sim -naive 1 "$1" 2>&1 | grep "naive_no_recomp.*step_time"' sh "$tmp/plan"

sed 's/"name":"t",/&"bound":true,/' "$tmp/free" >"$tmp/bad"
fails 'bound of a BODY' 1 "bound: only for a HEAD or TAIL layer, not for the BODY layer 't'" sapp-lp -s 2 "$tmp/bad"
sed 's/"bound":false/"bound":1/' "$tmp/free" >"$tmp/bad"
fails 'neither true nor false' 1 'bound' sapp-lp -s 2 "$tmp/bad"
{ cat "$tmp/free"; sed -n '/loss/s/loss/norm/p' "$tmp/bound"; } >"$tmp/bad"
fails 'some bound and some not' 1 'all of them or none' sapp-lp -s 2 "$tmp/bad"
{ cat "$tmp/free"; sed -n '/loss/p' "$tmp/free"; } >"$tmp/bad"
fails 'twice the same name' 1 "two unbound layers have the same name 'loss'" sapp-lp -s 2 "$tmp/bad"
sapp-lp -s 2 -mb 2 -mem 1000 -t 3 "$tmp/free" >"$tmp/plan"
sed 's/"ends":{"loss"/"ends":{"lose"/' "$tmp/plan" >"$tmp/bad"
fails 'a plan with an end that is none' 1 "places 'lose', which is not a HEAD or TAIL layer" sapp-sim "$tmp/bad"
sed 's/"ends":{"loss":{"none":\[\[0,1/"ends":{"loss":{"none":[[0,2/' "$tmp/plan" >"$tmp/bad"
fails 'too often' 1 "places 2 of the 1 layers 'loss'" sapp-sim "$tmp/bad"
sed 's/"ends":{"loss":{"none":\[\[0,1/"ends":{"loss":{"none":[[1,0/' "$tmp/plan" >"$tmp/bad"
fails 'before the body' 1 "layers 'loss' before layers that come earlier" sapp-sim "$tmp/bad"
sed 's/"ends":{"loss":{"none":\[\[0,1/"ends":{"loss":{"none":[[0,0,1/' "$tmp/plan" >"$tmp/bad"
fails 'of other stages' 1 'ends: loss: none: 1 x 3 entries' sapp-sim "$tmp/bad"
done_testing
