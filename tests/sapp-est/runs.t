#!/bin/sh
# Measured runs: estimates of the same runs and of other shapes, their intervals, and invalid run records.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
echo '{"kind":"network","name":"n","layers":8,"hidden_size":1024,"num_heads":16,"kv_heads":8,"head_dim":128,'\
'"ffn_size":3072,"vocab_size":32000,"seq_length":4096,"gated":true,"tied":false}' >net

jq -c 'select(.name == "atlas-800t-a2")' "$top/tests/data/search/clusters.jsonl" >atlas

# one NAME DP TP PP MBS FORWARD OPTIMIZER STEP: a run with these ms of a layer, of an optimizer and of a step.
one() {
	printf '{"kind":"run","name":"%s","dp":%s,"tp":%s,"pp":%s,"mbs":%s,"micro_batches":4,"step_time":%s}\n' \
		"$1" "$2" "$3" "$4" "$5" "$8"
	for p in forward backward; do
		[ $p = forward ] && f=1 || f=2
		for l in embedding:head:1:0.25 layer:body:8:1 loss:tail:1:2; do
			IFS=: read -r class part layers times <<EOT
$l
EOT
			total=$(jq -n "$6 * $f * $times * 4 * $layers")
			printf '{"kind":"timing","name":"%s","phase":"%s","total":%s,"instances":%s,"events":8,'\
'"steps":1,"min":%s,"median":%s,"max":%s}\n' "$class" $p "$total" "$layers" "$6" "$6" "$6"
			printf '{"kind":"kernel","run":"%s","stage":0,"part":"%s","phase":"%s","layer":"%s","order":0,'\
'"type":"MatMul","calls":4,"time":1}\n' "$1" "$part" $p "$class"
		done
	done
	printf '{"kind":"step","time":%s,"pipeline":%s,"stage":0,"parts":{"gradient_reduce":%s}}\n' "$8" \
		"$(jq -n "$8 - $7 - ($2 - 1) * 15")" "$(jq -n "($2 - 1) * 15")"
	printf '{"kind":"layer","name":"layer","type":"BODY","nb_layer":8,"time":999}\n'
}
step() { jq -n "$2 * 3 * (8 + 0.25 + 2) * 4 + $1"; }
can() { printf '{"kind":"candidate","dp":%s,"tp":%s,"pp":%s,"mbs":%s,"micro_batches":%s}\n' "$@"; }
# est RUNS CANDIDATE...: the estimates.
est() {
	{ cat net; sapp-fit -j "$1" 2>/dev/null; can "$2" "$3" "$4" "$5" "$6"; } |
		sapp-est -cluster ./atlas 2>"$tmp/err" | jq -c 'select(.kind == "estimate")'
}

one a 1 1 1 1 5 40 "$(step 40 5)" >a
near 'a run itself' "$(step 40 5)" "$(est a 1 1 1 1 4 | jq .step_time)" 1
same 'all of it is measured' '{"computed":0,"fitted":0,"measured":1}' "$(est a 1 1 1 1 4 | jq -c .source.shares)"
same 'layers and their shapes' '["measured","computed"]' "$(est a 1 1 1 1 4 | jq -c '[.source.layers, .source.memory]')"
near 'more micro-batches' "$(jq -n '5 * 3 * 10.25 * 8 + 40')" "$(est a 1 1 1 1 8 | jq .step_time)" 1
near 'two stages are of the same layers' "$(jq -n '15 * (4 * 6 + 4.25)')" "$(est a 1 1 2 1 4 | jq '.step_time - 40 -
	.times.pp')" 30
same 'another tp is another program' computed "$(est a 1 2 1 1 4 | jq -r .source.layers)"
same 'another micro-batch is fitted' fitted "$(est a 1 1 1 2 4 | jq -r .source.layers)"
near 'in proportion to what is computed' 2 "$(jq -n "$(est a 1 1 1 2 4 | jq .times.forward) /
	$(est a 1 1 1 1 4 | jq .times.forward)")" 0.05
width() { est "$@" | jq '.high / .low | log'; }
check 'and less sure' test "$(jq -n "$(width a 1 1 1 4 4) > $(width a 1 1 1 1 4)")" = true
check 'another program is less sure still' test "$(jq -n "$(width a 1 2 1 1 4) > $(width a 1 1 1 4 4)")" = true

# Between two runs that are 10 % above and below the times computed from the first.
{ cat a; one b 1 1 1 4 22 40 "$(step 40 22)"; } >ab
f=$(est ab 1 1 1 2 4 | jq .times.forward)
check 'between two runs' test "$(jq -n "$f > 8 * 4 * 5 * 1.5 and $f < 8 * 4 * 22 / 1.5")" = true
same 'each is still what it was' "$(est a 1 1 1 1 4 | jq .times.forward)" "$(est ab 1 1 1 1 4 | jq .times.forward)"
{ cat ab; one c 1 2 1 1 3 30 "$(step 30 3)"; } >abc
same 'a third of another program, too' '["measured","measured"]' "$({ est abc 1 2 1 1 4; est abc 1 1 1 4 4; } |
	jq -sc 'map(.source.layers)')"
near 'the rest of a step goes by parameters' 35 "$(est abc 1 2 1 1 4 | jq .times.optimizer)" 6

# Memory beyond allocations: the maximum that a run's allocator held, and the memory outside it.
usage() { printf '{"kind":"usage","run":"a","stage":%s,"part":"outside","phase":"%s","begin":100,"peak":%s%s}\n' "$@"; }
use() { { cat net; usage 0 forward 900 ',"reserved":1000'; usage 0 backward 950 ',"reserved":1000'; [ -z "$1" ] ||
	usage 1 optimizer 500 ",\"reserved\":520,\"outside\":$1"; can 1 1 2 1 4; } | sapp-est -cluster ./atlas |
	jq -c 'select(.kind == "estimate")'; }
same 'what allocators hold' '[50,50]' \
	"$(use '' | jq -c '[.memory_high, .memory] | transpose | map(.[0] - .[1] | round)')"
same 'what they do not see, instead of what is assumed' "$(jq '50 + 6000 - .reserve' \
	atlas)" "$(use 6000 | jq '.memory_high[0] - .memory[0]')"
# Memory allocated before a step, in addition to the computed parameters, gradients and optimizer.
before() { { cat net; echo '{"kind":"run","name":"a","dp":2,"tp":1,"pp":2,"micro_batches":4'"$2"'}'
	usage 1 forward 90000 | sed "s/\"begin\":100/\"begin\":$1/"
	usage 1 backward 90000 | sed 's/"begin":100/"begin":80000/'; can 2 1 2 1 4; } | sapp-est \
	-cluster ./atlas 2>"$tmp/err" | jq -c 'select(.kind == "estimate") | [.memory[1], .memory_high]'; }
# state LAYERS: MB, of a stage of such a network.
state() { { jq -c ".layers = $1" net; can 2 1 2 1 4; } | sapp-est -cluster ./atlas -parts |
	jq 'select(.kind == "estimate").static[1] / 1048576'; }
mb=$(state 8)
plain=$(before "$mb" '' | jq '.[0]')
same 'as much as is computed' '' "$(cat "$tmp/err")"
before "$(jq -n "$mb * 1.04")" '' >"$tmp/more"
same 'or about as much' '' "$(cat "$tmp/err")"
near 'counts' "$(jq -n "$plain + 0.04 * $mb")" "$(jq '.[1][1]' "$tmp/more")" 0.01
near 'what is far more does' "$(jq -n "$plain + 7000")" "$(before "$(jq -n "$mb + 7000")" '' | jq '.[1][1]')" 0.01
told="usage: run 'a', stage 1: $(jq -n "$mb + 7000 | \
	round") MB are allocated before the step, but computed parameters, gradients"
told="$told and optimizer take $(jq -n "$mb | round") MB: check zero of the run and the network's precision"
same 'and is told' "sapp-est: $told" "$(cat "$tmp/err")"
same 'so is less, of which nothing is taken off' "[$plain,null]" "$(before "$(jq -n "$mb * 0.9")" '')"
check 'by its figures' grep -q "stage 1: $(jq -n "$mb * 0.9 | round") MB are allocated" "$tmp/err"
before "$mb" ',"zero":0' >"$tmp/more"
check 'and another zero' grep -q "stage 1: $(jq -n "$mb | round") MB are allocated before the step" "$tmp/err"
before "$(state 4)" ',"layers":4' >"$tmp/more"
same 'of as many layers as the run has' '' "$(cat "$tmp/err")"
same 'without such records none' null "$(est a 1 1 1 1 4 | jq -c .memory_high)"

# Collectives: knots of two members on a node apply to two and four members, not to two nodes.
t() { printf '{"kind":"communication","run":"a","group":"dp","part":"outside","phase":"optimizer","op":"%s",'\
'"members":2,"nodes":1,"bytes":%s,"calls":1,"time":%s}\n' "$@"; }
{ one a 2 1 1 1 5 40 "$(step 55 5)"; t reduce_scatter 1e8 10; t reduce_scatter 1e9 100; t all_gather 2e8 20; } >dp
sed 's/"calls":1,"time":\(.*\)}/"calls":1,"time":\10}/' dp >dp10
near 'ten times as long, none of it hidden' 10 "$(jq -n "$(est dp10 2 1 1 1 4 | jq .times.dp) /
	$(est dp 2 1 1 1 4 | jq .times.dp)")" 0.01
same 'of as many members' '"measured"' "$(est dp 2 1 1 1 4 | jq -c .source.communication)"
same 'of others' '"fitted"' "$(est dp 4 1 1 1 4 | jq -c .source.communication)"
same 'of several nodes' '"computed"' "$(est dp 16 1 1 1 4 | jq -c .source.communication)"
# The error of a step from one run: layers 0.015, the rest 0.1 and more, replicas at least 0.1, and 0.05 for the
# remainder.
replicas() { est dp "$1" 1 1 1 4 | jq '.times as $t | ([$t | .[]] | add - $t.bubble) as $all |
	((.error * .error - 0.0025) * $all * $all - pow(0.015 * ($all - $t.dp - $t.optimizer); 2) -
	pow((0.1 + 0.08 * ('"$1"' / 2 | log)) * $t.optimizer; 2) | sqrt) / $t.dp'; }
near 'as many members were measured: off by 0.05' 0.05 "$(replicas 2)" 0.001
near 'others: by 0.1, times 1.3' 0.13 "$(replicas 4)" 0.001
near 'no link of theirs: by 0.3' 0.3 "$(replicas 16)" 0.003
# Eight members on two or four nodes: four members on a node have twice the connections of two.
for nodes in 2 4; do
	sed "s/\"members\":2,\"nodes\":1/\"members\":8,\"nodes\":$nodes/" dp >dp$nodes
done
for tp in 2 4; do
	near "$((8 / tp)) on a node: what two on a node took, four take half of" 0.5 "$(jq -n "$(est dp4 8 $tp 1 1 4 |
		jq .times.dp) / $(est dp2 8 $tp 1 1 4 | jq .times.dp)")" 0.02
done

# Eight runs with unexplained differences give wide intervals.
for i in 1 2 3 4 5 6 7 8; do
	f=$(jq -n "5 * pow($i; 1 + 0.3 * ($i % 2))")
	one "r$i" 1 1 1 $i "$f" 40 "$(step 40 "$f")"
done >odd
for i in 1 2 3 4 5 6 7 8; do one "r$i" 1 1 1 $i $((5 * i)) 40 "$(step 40 $((5 * i)))"; done >even
check 'runs that disagree make it less sure' test "$(jq -n "$(width odd 1 1 1 16 4) >
	1.5 * $(width even 1 1 1 16 4)")" = true
same 'the same again' "$(est odd 1 1 1 16 4)" "$(est odd 1 1 1 16 4)"

# A whole space, with the runs before it.
check 'a space' sh -c "{ cat net; sapp-fit -j abc 2>/dev/null; } | sapp-est -space -n 8 -gb 32 -cluster ./atlas \
	>'$tmp/space' 2>/dev/null"
same 'where another program is off as runs are' true "$(jq -s 'map(select(.kind == "estimate" and .cp > 1)) |
	all(.times.forward > 100)' space)"

check 'a table says so' sh -c "sapp-top -H space | grep -q 'estimates; times of layers: [1-9]'"

# The proposed next run: the cheapest run whose figures decide between the best configuration and the next ones.
next() { { cat net; sapp-fit -j abc 2>/dev/null; for c in "$@"; do
	# shellcheck disable=SC2086 # degrees are words
	can $c
done; } | sapp-est -cluster ./atlas -next 2>"$tmp/err" >next; jq -c 'select(.purpose)' next; }
best='8 1 1 4 8' behind='2 4 1 2 50'
next "$best" "$behind" >run
same 'shapes that were not measured are' '["anchor",1,4,1,2,4]' \
	"$(jq -c '[.purpose, .dp, .tp, .pp, .mbs, .devices]' run)"
near 'as far as the two differ less than is unsure of them' "$(jq -s 'map(select(.kind == "estimate")) |
	(.[0].step_time / .[1].step_time | log | fabs) as $d |
	[1 - $d / (map(.error * .error) | add | sqrt), 0] | max' next)" \
	"$(jq -r '.tells[1]' run | awk '{ print $7 }')" 0.15
same 'and then less so' true "$(jq '.tells[1] | [scan("[0-9.]+") | tonumber] | .[2] < .[1]' run)"
same 'of two the cheaper one' '["anchor",1,1,1,2,1]' "$(next "$best" "$behind" '4 1 2 2 27' |
	jq -c '[.purpose, .dp, .tp, .pp, .mbs, .devices]')"
same 'what is measured needs none' '' "$(next "$best" '8 1 1 1 32')"
check 'which is said' grep -q 'no short run would help to find' err
same 'nor what is far behind' '' "$(next "$best" '2 4 1 2 5000')"

# Errors.
fit() { sapp-fit -j a 2>/dev/null; }
bad() {
	name=$1 message=$2
	shift 2
	"$@" >in 2>/dev/null
	fails "$name" 1 "$message" sapp-est -cluster ./atlas in
}
orphan() { cat net; fit | grep -v '"run",'; can 1 1 1 1 4; }
bad 'a coefficient of no run' "no run record before this one has the name 'a'" orphan
late() { cat net; can 1 1 1 1 4; fit; }
bad 'too late' 'coefficient: measured records must come before the first candidate' late
strange() { cat net; fit | sed 's/"terms":/"term":/'; can 1 1 1 1 4; }
bad 'a member that is none' 'coefficient: term: unknown member' strange
with() { cat net; fit | jq -c "if .kind == \"coefficient\" then $1 else . end"; can 1 1 1 1 4; }
bad 'a factor that is none' "coefficient: exponents: unknown factor 'dp'" \
	with '.terms[0].exponents = { dp: 1 }'
bad 'an exponent without measure' "coefficient: exponents: not between -8 and 8 '1000'" with \
	'.terms[0].exponents = { mbs: 1000 }'
bad 'a degree that is none' "coefficient: regime: unknown factor 'dp'" with '.regime = { dp: 2 }'
bad 'a time of nothing' "coefficient: 'time' has neither terms nor knots" with 'del(.terms)'
same 'runs are passed on' 1 "$({ cat net; fit; can 1 1 1 1 4; } | sapp-est -cluster ./atlas 2>/dev/null |
	grep -c '"kind":"run"')"

real=${SHARED_DATA:-$top/../shared/data}/qwen3-0.6b-pp2
if [ -d "$real" ]; then
	{
		echo '{"kind":"network","name":"qwen3-0.6b","layers":28,"hidden_size":1024,"num_heads":16,'\
'"kv_heads":8,"head_dim":128,"ffn_size":3072,"vocab_size":151936,"seq_length":4096,"gated":true,"tied":true,'\
'"qk_norm":true}'
		sapp-trace -kernels "$real" 2>/dev/null | sapp-fit
		can 2 1 2 1 2
	} | sapp-est -cluster ./atlas 2>"$tmp/err" | jq -c 'select(.kind == "estimate")' >real
	near 'a real run: its step of 810 ms' 810 "$(jq .step_time real)" 24
	same 'its parameters and optimizer within 5 % of what is computed' 0 "$(grep -c allocated "$tmp/err")"
	same 'all of which is measured' 1 "$(jq .source.shares.measured real)"
	check 'within the interval' jq -e '.low < 810 and .high > 810' real
else
	skip "no real run in $real"
fi
done_testing
