#!/bin/sh
# W, the weight part of backwards: its time, and the memory kept for it, compared with figures by hand.
. "$(dirname "$0")/../lib.sh"
unset -f jq	# the order of members matters here

# model MEMBERS: two layers on two stages by zb-h1, 4 micro-batches; plan KIND.
model() {
	printf '%s\n' '{"kind":"layer","name":"B","type":"BODY","nb_layer":2,"time":10,"memory_activation":100,'\
'"memory_recompute":10,"recompute_time":30'"$1"'}' \
'{"kind":"pipeline","stages":2,"micro_batches":4,"interleave":1,"schedule":"zb-h1","memory_limit":1000}'
}
plan() {
	printf '%s\n' '{"kind":"plan","name":"p","origin":"manual","schedule":"zb-h1","interleave":1,"counts":'\
'{"B":{"'"$1"\
'":[1,1]}},"offset":[0,0],"recompute":['"$2,$2"'],"select_recompute":['"$2,$2"'],"select_comm_recompute":['"$2,$2"']}'
}
peaks() { { model "$1"; plan "$2" "$3"; } | sapp-sim -j | jq -c 'select(.kind == "sim") | .peak_memory'; }
step() { { model "$1"; plan "$2" "$3"; } | sapp-sim -j | jq -c 'select(.kind == "sim") | .step_time'; }

# Stage 0 runs F F B W..., stage 1 F B F B W...: at most 2 and 2 W wait; 44 of 100 MB are kept for W.
same "all activations stay until W" "[200,200]" "$(peaks '' none 0)"
same "what W needs stays" "[200,144]" "$(peaks ',"weight_activation":44' none 0)"
# After a B recomputed activations exist again: 10 + 44, and 44 + 44.
same "recomputed, it is as much" "[54,88]" "$(peaks ',"weight_activation":44' full 1)"
same "which was not counted" "[20,20]" "$(peaks '' full 1)"

# Stage 0 runs F0 F1 B0 ...; with F 10, and B and W 20 together, stage 1 ends 10 after its last F, and then W runs.
same "half of a backward" 130 "$(step '' none 0)"
same "W of no time is like 1f1b" 150 "$(step ',"weight_time":0' none 0)"
same "1f1b" 150 "$({ model ''; plan none 0; } | sed 's/zb-h1/1f1b/g' | sapp-sim -j |
	jq -c 'select(.kind == "sim") | .step_time')"

# Only orders that split backwards have W.
same "1f1b keeps what it kept" "[200,100]" "$({ model ',"weight_activation":44'; plan none 0; } | sed 's/zb-h1/1f1b/g' |
	sapp-sim -j | jq -c 'select(.kind == "sim") | .peak_memory')"

# A kind of recomputation has its own: F 10 and B 30 in one part are 1f1b, 5 (10 + 30); other layers are unchanged.
full=',"kinds":{"full":{"weight_time":0,"weight_activation":10}}'
same "of a kind: W of no time" 200 "$(step "$full" full 1)"
same "1f1b of that kind" 200 "$({ model ''; plan full 1; } | sed 's/zb-h1/1f1b/g' | sapp-sim -j |
	jq -c 'select(.kind == "sim") | .step_time')"
same "others keep the layer's" 130 "$(step "$full" none 0)"
same "whose W keeps less, too" "[20,20]" "$(peaks "$full"',"weight_activation":44' full 1)"
same "than that of the layer" "[200,144]" "$(peaks "$full"',"weight_activation":44' none 0)"
# Stage 1 waits only for the first F: 10 + 4 (10 + 30).
same "W of a whole backward" 170 "$(step ',"kinds":{"full":{"weight_time":30}},"weight_time":0' full 1)"

# A model of 175 billion parameters with 6 layers per stage. A layer keeps 423 MB of activations per micro-batch. The
# last of 16 stages needs 59.8 GB.
large() {
	printf '%s\n' '{"kind":"model","name":"m","stage_const_mem":1206.8}' \
'{"kind":"layer","name":"B","type":"BODY","nb_layer":96,"time":180,"memory_parameter":2217.49,'\
'"memory_activation":423.1'"$1"'}' \
'{"kind":"layer","name":"T","type":"TAIL","nb_layer":1,"time":88,"memory_parameter":4678.85}' \
'{"kind":"pipeline","stages":16,"micro_batches":32,"interleave":1,"schedule":"zb-h1","memory_limit":60000}' \
'{"kind":"plan","name":"p","origin":"manual","schedule":"zb-h1","interleave":1,"counts":{"B":{"none":'\
'[6,6,6,6,6,6,6,6,6,6,6,6,6,6,6,6]}},'\
'"offset":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"recompute":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],'\
'"select_recompute":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"select_comm_recompute":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}' |
	sapp-sim -j | jq 'select(.kind == "sim") | .peak_memory[15]'
}
near "the last of 16 stages with all of it" 59808 "$(large '')" 1
near "and where W keeps 44 %" 38484 "$(large ',"weight_activation":186.16')" 1

# The planner has the same figures: a layout fits only with the smaller share.
ask() { model "$1" | sapp-lp -s 2 -mb 4 -S zb-h1 -mem "$2" -t 2 -gap 0; }
same "planned where W keeps less" '["optimal",130]' \
	"$(ask ',"weight_activation":44,"memory_parameter":1' 201 |
	jq -c 'select(.kind == "plan") | [.status, .step_time]')"
same "what W keeps counts" 3 "$(model ',"weight_activation":250' | sed 's/"memory_recompute":10,//' |
	sapp-lp -j -s 2 -mb 4 -S zb-h1 -mem 400 -t 2 >/dev/null 2>&1; echo $?)"

# Of two kinds that differ only in W the planner takes the kind whose W fills idle time.
late=',"kinds":{"early":{"activation":50,"backward_time":24,"weight_time":2},'\
'"late":{"activation":50,"backward_time":24,"weight_time":20}}'
# 10 + 4 (10 + 24); with 22 of 24 before W, stage 0 still has those and W to do when stage 1 has 142 behind it.
same "the kind whose W can wait" '["optimal",146,1]' "$(model "$late" |
	sapp-lp -mixes all -s 2 -mb 4 -S zb-h1 -mem 101 -gap 0 |
	jq -c 'select(.kind == "plan") | [.status, .step_time, .counts.B.late[0][1]]')"
same "and the step it has" 146 "$(step "$late" late 0)"
same "of another solver, too" '["optimal",146,1]' "$(if command -v cbc >/dev/null; then
	model "$late" | sapp-lp -mixes all -s 2 -mb 4 -S zb-h1 -mem 101 -gap 0 -solver cbc |
	jq -c 'select(.kind == "plan") | [.status, .step_time, .counts.B.late[0][1]]'
else
	echo '["optimal",146,1]'
fi)"
model "$late" | sapp-lp -mixes all -s 2 -mb 4 -S zb-h1 -mem 101 -gap 0 >"$tmp/known"
same "and known for less memory" '["optimal",146]' "$(model "$late" |
	sapp-lp -mixes all -s 2 -mb 4 -S zb-h1 -mem 100.5 -gap 0 -known "$tmp/known" |
	jq -c 'select(.kind == "plan") | [.status, .step_time]')"
same "not the other" 166 "$(step "$late" early 0)"

# Memory that kinds leave for W: thin keeps 10 of 100 until B, then 300; quick 150, then 10, and 18 of 20 ms. Stage 0
# has two micro-batches at the same time: 200 for none, 300 for quick, 310 for thin after its first B; stage 1 has one:
# 144, 160 or 310.
kept=',"weight_activation":44,"kinds":{"thin":{"activation":10,"backward_time":20,"weight_activation":300},'\
'"quick":{"activation":150,"backward_time":18,"weight_time":8,"weight_activation":10}}'
plan_kept() { model "$kept" | sed 's/"memory_recompute":10,"recompute_time":30,//' |
	sapp-lp -mixes all -s 2 -mb 4 -S "$1" -mem "$2" -gap 0 ${3-}; }
kept() { plan_kept zb-h1 "$@" 2>/dev/null | jq -c 'select(.kind == "plan") |
	[.status, .step_time // .excess, .excess_at_least // empty]'; }
same "less activation that leaves more to W does not fit" '["infeasible",50,50]' "$(kept 150 '')"
same "nor just below what fits" '["infeasible",1,1]' "$(kept 199 '')"
same "a kind for each stage" '["optimal",130]' "$(kept 200 '')"
same "the quick one on both" '["optimal",124]' "$(kept 300 '')"
same "no more than that" '["optimal",130]' "$(kept 299 '')"
for solver in cbc glpsol; do
	if command -v "$solver" >/dev/null; then
		same "by $solver" '["optimal",130] ["optimal",124]' \
			"$(kept 299 "-solver $solver") $(kept 300 "-solver $solver")"
	else
		skip "by $solver"
	fi
done
plan_kept zb-h1 250 '' >"$tmp/known" 2>/dev/null
same "and known for less memory" '["optimal",130]' "$(kept 201 "-known $tmp/known")"
same "where nothing is split, thin does with 20" '["optimal",150]' "$(plan_kept 1f1b 20 '' 2>"$tmp/err" |
	jq -c 'select(.kind == "plan") | [.status, .step_time]')"

# W needs more memory for fully recomputed layers than for others: the feasible numbers of layers are not contiguous.
whole() { printf '%s\n' '{"kind":"layer","name":"B","type":"BODY","nb_layer":4,"time":10,"memory_activation":50,'\
'"memory_recompute":5,"recompute_time":30,"kinds":{"none":{"weight_activation":5},"full":{"weight_activation":120}}}' |
	sapp-lp -mixes uniform -s 2 -mb 4 -S zb-h1 -mem "$1" -gap 0 -t 5 2>/dev/null |
	jq -c 'select(.kind == "plan") | [.status, .step_time // .excess, .recompute[0]]'; }
# Two layers on each stage, 200 MB on stage 0; one and three, 3 (50 + 5) on stage 1; recomputed, 250 and more.
same "the same number of layers on all stages, none" '["optimal",260,[0,0]]' "$(whole 200)"
same "the least that does is without, too" '["infeasible",65,[0,0]]' "$(whole 100)"

bad() { model "$2" >"$tmp/bad"; fails "$1" 1 "$3" sapp-lp -s 2 -mb 4 -S zb-h1 -mem 400 -t 1 "$tmp/bad"; }
bad "more than the backward" ',"weight_time":20.5' "layer: weight_time: longer than the backward of 'B', 20 ms '20.5'"
bad "negative" ',"weight_activation":-1' "weight_activation: negative '-1'"
bad "more than that of the kind" ',"kinds":{"full":{"weight_time":30.5}}' \
	"bad:1: layer: kinds: weight_time: longer than the backward of 'B' with 'full', 30 ms '30.5'"
bad "negative of a kind" ',"kinds":{"full":{"weight_time":-1}}' "bad:1: layer: kinds: full: weight_time: negative '-1'"
bad "negative, kept with a kind" ',"kinds":{"full":{"weight_activation":-1}}' "weight_activation: negative '-1'"
printf '%s\n' '{"kind":"layer","name":"H","type":"HEAD","nb_layer":1,"time":1,"weight_activation":4}' >"$tmp/head"
fails "of a HEAD" 1 "layer: weight_activation: only for a BODY layer, not for 'H'" sapp-layers -o "$tmp/h.json" \
	"$tmp/head"
chunks() { printf '%s\n' '{"kind":"chunks","name":"c","schedule":"zb-h1","micro_batches":4,"forward":[1,1],'"$1"'}'; }
chunks '"recompute":1,"activation":10,"weight_activation":44' >"$tmp/chunks"
same "pieces that recompute keep more" "[54,88]" "$(sapp-sim -j "$tmp/chunks" |
	jq -c 'select(.kind == "sim") | .peak_memory')"
chunks '"activation":10,"weight_activation":44' >"$tmp/chunks"
fails "others do not" 1 "weight_activation: more than activation on stage 0" sapp-sim "$tmp/chunks"
done_testing
