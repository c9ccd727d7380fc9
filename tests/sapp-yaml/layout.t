#!/bin/sh
# Layouts of manual plans: pieces without layers, embedding, loss and further tokens alone, in the order of the data.
. "$(dirname "$0")/../lib.sh"
unset -f jq	# the order of members matters here

# plan CHUNKS T M EMBEDDING LOSS: rows of numbers of layers, one per chunk; M layers predict; and the piece of each end.
plan() {
	jq -nc --argjson v "$1" --argjson t "$2" --argjson m "$3" --argjson e "$4" --argjson l "$5" '
		def all: map(add) | add;
		def one($i): [range($v) as $c | [range(4) | if $c * 4 + . == $i then 1 else 0 end]];
		($t | all) as $n | ($m | all) as $x | (($n + $x) / (4 * $v) | floor) as $even |
		def zero: [range($v) | [range(4) | 0]];
		{kind:"model",name:"m"},
		{kind:"layer",name:"emb",type:"HEAD",nb_layer:1,time:3,bound:false,memory_parameter:2},
		{kind:"layer",name:"t",type:"BODY",nb_layer:$n,time:10,memory_parameter:1,memory_activation:5},
		(select($x > 0) | {kind:"layer",name:"mtp",type:"BODY",nb_layer:$x,time:12,memory_parameter:1,
			memory_activation:6}),
		{kind:"layer",name:"loss",type:"TAIL",nb_layer:1,time:7,bound:false,memory_parameter:2},
		{kind:"pipeline",stages:4,micro_batches:8,interleave:$v,schedule:(if $v > 1 then "vpp" else "1f1b" end),
			memory_limit:1000},
		{kind:"plan",name:"p",origin:"manual",schedule:(if $v > 1 then "vpp" else "1f1b" end),interleave:$v,
			counts:({t:{none:$t}} + (if $x > 0 then {mtp:{none:$m}} else {} end)),
			offset:[range($v) as $c | [range(4) | $t[$c][.] + $m[$c][.] - $even]],
			recompute:zero,select_recompute:zero,select_comm_recompute:zero,
			ends:{emb:{none:one($e)},loss:{none:one($l)}}}' >"$tmp/plan"
}
# Print the pieces of a layout as Megatron-LM reads it: groups, single letters, bars.
pieces() {
	sed -n 's/.*layout "\(.*\)".*/\1/p' "$tmp/args" | tr -d , | awk '
		function times(s, n,  out) { while (n-- > 0) out = out s; return out }
		{ while (match($0, /\([^()]*\)\*[0-9]+/)) {
			part = substr($0, RSTART, RLENGTH); n = part; sub(/.*\*/, "", n)
			sub(/^\(/, "", part); sub(/\)\*[0-9]+$/, "", part)
			$0 = substr($0, 1, RSTART - 1) times(part, n) substr($0, RSTART + RLENGTH) }
		  while (match($0, /[EtmL]\*[0-9]+/)) {
			part = substr($0, RSTART, RLENGTH)
			$0 = substr($0, 1, RSTART - 1) times(substr(part, 1, 1), substr(part, 3)) \
				substr($0, RSTART + RLENGTH) }
		  print }'
}
laid() {	# NAME PIECES: of $tmp/plan
	check "$1: written" sh -c 'sapp-yaml -f megatron "$1/plan" >"$1/args"' sh "$tmp"
	same "$1" "$2" "$(pieces)"
	sapp-yaml -r "$tmp/args" -name back "$tmp/plan" >"$tmp/both" 2>"$tmp/err"
	same "$1: read back" "$(jq -c 'select(.kind == "plan") | .counts' "$tmp/plan")" \
		"$(tail -n 1 "$tmp/both" | jq -c '.counts | map_values({none})')"
	same "$1: and simulated the same" 1 "$(sapp-sim -j "$tmp/both" |
		jq -c 'select(.kind == "sim") | [.step_time, .peak_memory]' | sort -u | wc -l)"
}
none='[[0,0,0,0]]'
plan 1 '[[3,0,4,3]]' "$none" 0 3; laid 'an empty piece' 'Ettt||tttt|tttL'
plan 1 '[[3,0,0,3]]' "$none" 0 3; laid 'two of them' 'Ettt|||tttL'
plan 1 '[[0,4,4,0]]' "$none" 0 3; laid 'embedding and loss alone' 'E|tttt|tttt|L'
plan 1 '[[4,4,0,0]]' '[[0,0,1,0]]' 0 3; laid 'further tokens alone, and the loss' 'Etttt|tttt|m|L'
plan 1 '[[3,3,2,0]]' '[[0,0,0,1]]' 0 3; laid 'further tokens with the loss' 'Ettt|ttt|tt|mL'
plan 2 '[[1,2,0,2],[2,0,2,1]]' '[[0,0,0,0],[0,0,0,0]]' 0 7; laid 'two chunks, by turns' 'Et|tt||tt|tt||tt|tL'
plan 2 '[[2,2,2,2],[2,2,0,0]]' '[[0,0,0,0],[0,0,2,0]]' 0 7; laid 'two chunks, ends alone' 'Ett|tt|tt|tt|tt|tt|mm|L'
plan 2 '[[0,2,2,2],[2,2,2,0]]' '[[0,0,0,0],[0,0,0,0]]' 0 7; laid 'the same pieces in a row' 'E|tt|tt|tt|tt|tt|tt|L'
plan 2 '[[0,0,0,0],[0,0,4,4]]' '[[0,0,0,0],[0,0,0,0]]' 0 7; laid 'nothing but the last' 'E||||||tttt|ttttL'

refused() { fails "$1" 1 "$2" sapp-yaml -f megatron "$tmp/plan"; }
plan 1 '[[3,3,2,0]]' '[[0,0,1,1]]' 0 3
refused 'further tokens in two pieces' \
	'for multi-token prediction in one piece, the last of its stage, not the first stage'
plan 2 '[[2,2,2,2],[0,2,2,2]]' '[[0,0,0,0],[0,1,0,0]]' 0 7
refused 'layers behind those' 'the arguments'
plan 2 '[[2,2,2,2],[0,0,0,0]]' '[[0,0,0,0],[1,0,0,0]]' 0 7
refused 'further tokens on the first stage' 'not the first stage'
plan 2 '[[2,2,0,0],[0,0,0,0]]' '[[0,0,1,0],[0,0,0,0]]' 0 7
refused 'further tokens before the last chunk' 'the last of its stage'
plan 1 '[[3,3,3,1]]' "$none" 0 2
refused 'a loss before layers' "runs embedding and loss in the first and the last piece"
plan 1 '[[3,0,4,3]]' "$none" 0 3
for f in mindformers mindspeed torchtitan; do
	fails "$f: an empty piece" 1 'allows no piece without layers, but chunk 0 of stage 1 has none' \
		sapp-yaml -f "$f" "$tmp/plan"
done
done_testing
