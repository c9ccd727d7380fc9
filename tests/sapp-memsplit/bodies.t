#!/bin/sh
# Several kinds of body layers: an init YAML made from known memory is split into the same memory; refused input.
. "$(dirname "$0")/../lib.sh"

# The peaks of 6 stages in three rounds, layer by layer in model order; recomputed layers come first on each stage.
rounds='[{"layers":[3,3,3,3,3,3],"full":[2,1,0,1,2,0]},{"layers":[2,4,3,2,4,3],"full":[1,2,3,0,1,1]},{"layers":[4,2,'\
'3,3,3,3],"full":[0,1,1,2,0,3]}]'
peaks=$(jq -nc --argjson rounds "$rounds" '
	{dense: {par: 1000, none: 500, full: 30}, moe: {par: 2600, none: 700, full: 150}} as $truth |
	$rounds | map(. as $r | [range(6) as $s | ($r.layers[:$s] | add // 0) as $before |
		[range($r.layers[$s]) as $i | $truth[if $before + $i < 3 then "dense" else "moe" end] |
			.par + (6 - $s) * (if $i < $r.full[$s] then .full else .none end)] | add - 100 +
		(if $s == 0 then 2000 elif $s == 5 then 900 else 0 end)])')
init() {	# NUM_LAYER EXTRA
	echo "pipeline_config:"
	echo "  pipeline_num: 6"
	echo "  num_layer: $1"
	echo "  offset: $(echo "$rounds" | jq -c 'map(.layers | map(. - 3))')"
	echo "recompute_config: {recompute: $(echo "$rounds" | jq -c 'map(.full)')}"
	echo "memory_usage:"
	echo "  head_memory: $(echo "$peaks" | jq -c 'map(.[0])')"
	echo "  tail_memory: $(echo "$peaks" | jq -c 'map(.[5])')"
	echo "  body_memories: {stage_id: [[1,2,3,4],[1,2,3,4],[1,2,3,4]], memories: $(echo "$peaks" |
		jq -c 'map(.[1:5])')}"
	printf '%b' "${2-}"
}
split() { sapp-memsplit "$@" </dev/null; }
near6='. * 1e6 | round / 1e6'
truth='[["dense",3,1000,500,30],["moe",15,2600,700,150]]'
got() { jq -sc \
	"map(select(.type == \"BODY\") | [.name, .nb_layer] + ([.memory_parameter, .memory_activation, \
.memory_recompute] | map($near6)))" "$1"; }

init '[3, 15]' 'profiling_config: {micro_batch_num: 4, body_layers: [dense, moe]}\n' >"$tmp/named.yaml"
check 'three rounds of two kinds' run 0 split "$tmp/named.yaml"
same 'the memory of both' "$truth" "$(got "$tmp/out")"
same 'const, head and tail' '[-100,2000,900]' \
	"$(jq -sc "[(.[] | select(.kind == \"model\").stage_const_mem), (.[] | select(.type == \"HEAD\" or .type \
== \"TAIL\").memory_parameter)] | map($near6)" "$tmp/out")"
same 'the unknowns are named by kind' \
	'dense parameter, dense none, dense full, moe parameter, moe none, moe full, const, head, tail' \
	"$(jq -r 'select(.kind == "fit") | [.estimates[].name] | join(", ")' "$tmp/out")"
sapp-memsplit -robust "$tmp/named.yaml" </dev/null >"$tmp/robust"
same 'least absolute deviations, too' "$truth" "$(got "$tmp/robust")"
check 'a report' run 0 split -H "$tmp/named.yaml"
check 'its layers of each kind' grep -q '^    1     1      4          0          1        2        1 ' "$tmp/out"

init 18 >"$tmp/records.yaml"
layers='{"kind":"layer","name":"dense","type":"BODY","nb_layer":3,"time":1}
{"kind":"layer","name":"moe","type":"BODY","nb_layer":15,"time":2}'
echo "$layers" | sapp-memsplit "$tmp/records.yaml" >"$tmp/out"
same 'numbers of layers from records' "$truth" "$(got "$tmp/out")"
same 'their times stay' '[1,2]' "$(jq -sc '[.[] | select(.type == "BODY").time]' "$tmp/out")"
same 'the planner takes them' 0 "$(jq -c 'if .type == "HEAD" or .type == "TAIL" then .time = 1 else . end' \
	"$tmp/out" | sapp-lp -s 6 -mb 8 -mem 20000 -t 1 >/dev/null; echo $?)"
echo "$layers" | sed 's/"nb_layer":15/"nb_layer":2/' >"$tmp/seen"
sapp-memsplit "$tmp/named.yaml" <"$tmp/seen" >"$tmp/out"
same 'num_layer wins over the layers that a profile saw' "$truth" "$(got "$tmp/out")"
init '[3, 15]' 'time_config: {head: 1, body: [1.5, 2.5], tail: 1}\n' >"$tmp/times.yaml"
check 'a time for each kind' run 0 split "$tmp/times.yaml"
same 'in their order' '["BODY",1.5,"BODY2",2.5]' "$(jq -sc '[.[] | select(.type == "BODY") | .name, .time]' "$tmp/out")"

# Timelines of two kinds: the number of layers of each kind.
printf '%s\n' '{"kind":"timing","name":"dense","phase":"forward","total":24,"instances":1,"events":4,"steps":1}' \
	'{"kind":"timing","name":"moe","phase":"forward","total":80,"instances":2,"events":4,"steps":1}' |
	sapp-memsplit "$tmp/named.yaml" >"$tmp/out"
same 'times from timing records' '[6,10]' "$(jq -sc '[.[] | select(.type == "BODY").time]' "$tmp/out")"

# One round with all dense layers on the first stage: they cannot be distinguished from the head.
one() { jq -nr --argjson p "$peaks" \
	'"pipeline_config: {pipeline_num: 6, num_layer: [3, 15]}\nrecompute_config: {recompute: [2,1,0,1,2,'\
'0]}\nmemory_usage: {head_memory: \($p[0][0]), tail_memory: \($p[0][5]), body_memories: {stage_id: [1,2,3,'\
'4], memories: \($p[0][1:5])}}"'; }
one >"$tmp/one.yaml"
fails 'kinds that no stage tells apart' 3 'one.yaml: 6 measurements determine' split "$tmp/one.yaml"
check 'which' grep -q 'BODY parameter, BODY none, BODY full and head cannot be separated' "$tmp/err"
check 'and what to do' grep -q 'measure: another round, with offsets that change the number of layers of each kind' \
	"$tmp/err"

{ echo "$layers" | sed 's/dense/first/'; echo "$layers"; } | sed 3d >"$tmp/three"
fails 'numbers for too few kinds' 1 \
	"named.yaml:2: num_layer: numbers for 2 kinds of body layers, but the profile has 3: 'first'" \
	sh -c 'sapp-memsplit "$1" <"$2"' sh "$tmp/named.yaml" "$tmp/three"
fails 'numbers for too many kinds' 1 "but the profile has 1: 'dense'" sh -c \
	'echo "$1" | head -n 1 | sapp-memsplit "$2"' sh \
	"$layers" "$tmp/named.yaml"
fails 'records that do not add up' 1 \
	"2 kinds of body layers, 'dense' and 'moe', but num_layer is '18': write a number for each" \
	sh -c 'sapp-memsplit "$1" <"$2"' sh "$tmp/records.yaml" "$tmp/seen"
init 18 'profiling_config: {micro_batch_num: 4, body_layers: [dense, moe]}\n' >"$tmp/bad.yaml"
fails 'names alone' 1 "bad.yaml:2: 2 kinds of body layers, 'dense' and 'moe', but num_layer is '18'" split \
	"$tmp/bad.yaml"
init '[3, 15]' 'time_config: {head: 1, body: 1.5, tail: 1}\n' >"$tmp/bad.yaml"
fails 'one time for two kinds' 1 'bad.yaml:10: body: 1 time for the 2 kinds of body layers' split "$tmp/bad.yaml"
init 18 'time_config: {head: 1, body: [1, 2], tail: 1}\n' >"$tmp/bad.yaml"
fails 'two times for one kind' 1 'bad.yaml:10: body: 2 times for the 1 kind of body layers' split "$tmp/bad.yaml"
init '[]' >"$tmp/bad.yaml"; fails 'no number' 1 'num_layer: 0 numbers; expected one for each kind of body layers' \
	split "$tmp/bad.yaml"
init '[1,1,1,1,1,1,1,1,10]' >"$tmp/bad.yaml"; fails 'too many kinds' 1 \
	'num_layer: 9 numbers; expected one for each kind of body layers, at most 8' split "$tmp/bad.yaml"
init '[3, 0]' >"$tmp/bad.yaml"
fails 'a kind without layers' 1 "num_layer: not between 1 and 100000 '0'" split "$tmp/bad.yaml"
init '[3, 14]' >"$tmp/bad.yaml"; fails 'offsets for another number' 1 'offsets have the sum' split "$tmp/bad.yaml"
done_testing
