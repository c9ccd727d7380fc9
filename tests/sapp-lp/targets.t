#!/bin/sh
# Plans are limited to what a target runs, and use all of that: parts of all layers, numbers of micro-batches.
. "$(dirname "$0")/../lib.sh"

layer() {
	printf '{"kind":"layer","name":"b","type":"BODY","nb_layer":%s,"time":10,"memory_parameter":1,%s}\n' "$1" "$2"
}
part='"memory_activation":40,"memory_select_rec":10,"select_rec_time":21'
layer 8 "$part"',"memory_recompute":2,"recompute_time":30' >"$tmp/both"
layer 4 "$part" >"$tmp/part"
layer 4 '"memory_activation":40,"memory_select_comm":10,"select_comm_time":21' >"$tmp/comm"
layer 8 '"memory_activation":40,"memory_recompute":2,"recompute_time":30' >"$tmp/whole"
layer 8 '"memory_activation":40,"kinds":{"act":{"activation":10,"backward_time":21}}' >"$tmp/act"
echo '{"kind":"kind","name":"act","recompute_modules":["mlp"]}' >>"$tmp/act"
# plan WANT NAME ARGUMENT...: step, status and kinds of the plan.
plan() {
	want=$1 name=$2; shift 2
	sapp-lp -t 20 "$@" >"$tmp/plan" 2>"$tmp/err"
	same "$name" "$want" "$(command jq -c 'select(.kind == "plan") | [.step_time, .status,
		([.counts.b | to_entries[] | select(.value | flatten | add > 0).key] | join(" "))]' "$tmp/plan")"
}
for target in flagscale primus hyperparallel; do
	plan '[682,"optimal","select"]' "$target: one part of all layers is planned beside layers as a whole" \
		-s 4 -mb 8 -mem 111 -target "$target" "$tmp/both"
	check "$target: its settings say so" sapp-yaml -f "$target" "$tmp/plan"
	plan '[310,"optimal","select"]' "$target: the part alone" -s 2 -mb 4 -mem 60 -target "$target" "$tmp/part"
	plan '[null,"infeasible","select"]' "$target: no plan fits" -s 2 -mb 4 -mem 30 -target "$target" "$tmp/part"
	check "$target: the smallest limit is that of the part" tells 'the smallest limit that works is 33 MB'
done
plan '[820,"optimal","none full"]' 'layers as a whole where no part has figures' -s 4 -mb 8 -mem 111 -target flagscale \
	"$tmp/whole"
for target in flagscale primus; do
	plan '[682,"optimal","act"]' "$target: modules of all layers" -s 4 -mb 8 -mem 111 -target "$target" "$tmp/act"
	check "$target: their words are written" sh -c 'sapp-yaml -f "$1" "$2" | grep -q mlp' sh "$target" "$tmp/plan"
done
plan '[310,"optimal","comm"]' 'uniform: communication of all layers' -s 2 -mb 4 -mem 60 -mixes uniform "$tmp/comm"
plan '[300,"optimal","none"]' 'megatron: what it does not recompute is left out' \
	-s 2 -mb 4 -mem 600 -target megatron "$tmp/comm"
check 'and a warning says so' tells "Megatron-LM has no recomputation 'comm': the planner does not use it"

# Embedding and loss may have the first and the last piece alone, bound or not; further tokens are predicted in one
# piece.
ends() {
	one() { printf '{"kind":"layer","name":"%s","type":"%s","nb_layer":%s,"time":%s%s}\n' "$@"; }
	one head HEAD 1 1 ',"memory_parameter":1'"$1"
	one b BODY 6 5 ',"memory_parameter":1,"memory_activation":1'
	[ -z "$2" ] || one mtp BODY 2 6 ',"memory_activation":1'
	one tail TAIL 1 "${3:-20}" ',"memory_parameter":1'"$1"
}
ends '' '' >"$tmp/bound"
ends ',"bound":false' '' >"$tmp/unbound"
ends '' mtp 8 >"$tmp/mtp"
# laid WANT NAME FORMAT ARGUMENT...: check step, layers of pieces, and that the arguments match the plan.
laid() {
	want=$1 name=$2 format=$3; shift 3
	sapp-lp -t 20 -gap 0 -mem 1000 -target "$format" "$@" >"$tmp/plan" 2>"$tmp/err"
	same "$name" "$want" "$(jq -c 'select(.kind == "plan") | [.step_time, .status]' "$tmp/plan")"
	sapp-yaml -f "$format" "$tmp/plan" >"$tmp/args" 2>"$tmp/said"
	check "$name: and its arguments take as long" \
		grep -q 'a step takes \([0-9.]*\) ms with these arguments, \1 as' "$tmp/said"
}
laid '[333,"optimal"]' 'megatron: the loss is in the last piece' megatron -s 4 -mb 4 -i 2 -empty "$tmp/unbound"
check 'alone' grep -q 'layout "E.*|L"' "$tmp/args"
laid '[333,"optimal"]' 'megatron: ends that no record binds may be alone, too' megatron \
	-s 4 -mb 4 -i 2 -empty "$tmp/bound"
laid '[528,"optimal"]' 'megatron: on a stage that is twice as fast all layers' megatron -s 4 -mb 8 -speed 1,1,2,1 \
	-empty "$tmp/unbound"
# -known accepts plans with such ends.
check 'megatron: -known takes such a plan' run 0 sapp-lp -t 20 -gap 0 -mem 1000 -target megatron -s 4 -mb 8 \
	-speed 1,1,2,1 -empty -known "$tmp/plan" "$tmp/unbound"
laid '[458,"optimal"]' 'megatron: both layers that predict further tokens in one piece' megatron -s 4 -mb 8 "$tmp/mtp"
laid '[393,"optimal"]' 'megatron: the last of its stage' megatron -s 2 -mb 4 -i 2 "$tmp/mtp"
sapp-lp -t 20 -gap 0 -mem 1000 -target megatron -s 4 -mb 8 -proof "$tmp/proof" "$tmp/mtp" >"$tmp/plan" 2>"$tmp/err"
check 'which sapp-check knows' sh -c \
	'sapp-check "$1" "$2" | grep -q "no plan of this question takes less than 45[78]"' sh \
	"$tmp/proof" "$tmp/plan"
sed 's/"target":"megatron"/"target":"primus"/' "$tmp/plan" >"$tmp/other"
fails 'and that others do not run' 1 'is not what its record says' sapp-check "$tmp/proof" "$tmp/other"
laid '[573,"optimal"]' 'mindspeed: on the last one' mindspeed -s 4 -mb 8 "$tmp/mtp"
fails 'too few layers for that' 2 'needs all layers for multi-token prediction in one piece' \
	sapp-lp -s 8 -mb 8 -target mindspeed "$tmp/mtp"
sed 's/"name":"b"/"name":"mtp0"/; s/"name":"mtp"/"name":"b"/' "$tmp/mtp" >"$tmp/first"
fails 'before others' 1 'for multi-token prediction after all other layers' sapp-lp -s 2 -mb 4 -target megatron \
	"$tmp/first"

# PyTorch's Schedule1F1B raises where stages outnumber micro-batches; ScheduleGPipe does not.
fails 'pytorch: 1f1b with fewer micro-batches than stages' 2 'at least as many micro-batches as the 4 stages, not 2' \
	sapp-lp -s 4 -mb 2 -target pytorch -S 1f1b "$tmp/both"
check 'pytorch: gpipe with fewer' run 0 sapp-lp -s 4 -mb 2 -t 20 -target pytorch -S gpipe "$tmp/both"
check 'pytorch: 1f1b with as many' run 0 sapp-lp -s 4 -mb 4 -t 20 -target pytorch -S 1f1b "$tmp/both"
done_testing
