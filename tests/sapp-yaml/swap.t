#!/bin/sh
# Plans that offload activations: MindFormers' swap_config, whose lists are of layers, written and read back.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/layers" <<'END'
{"kind":"model","name":"m"}
{"kind":"kind","name":"silu","select_recompute":["feed_forward\\.mul"],"select_comm_recompute":["ffn_norm"]}
{"kind":"kind","name":"swap","layer_swap":true,"backward_prefetch":20}
{"kind":"kind","name":"attn","op_swap":["attention.flash_attention","feed_forward"]}
{"kind":"layer","name":"D","type":"BODY","nb_layer":3,"time":10,"memory_activation":9,"memory_recompute":0,
"kinds":{"silu":{"activation":5,"backward_coef":0.1},"swap":{"activation":1,"offload":8}}}
{"kind":"layer","name":"B","type":"BODY","nb_layer":13,"time":10,"memory_activation":9,
"kinds":{"silu":{"activation":5,"backward_coef":0.1},"attn":{"activation":4,"offload":5}}}
END
sed -i -e ':a' -e '/,$/N; s/,\n/,/; ta' "$tmp/layers"
{
	cat "$tmp/layers"
	printf '%s\n' '{"kind":"pipeline","stages":4,"micro_batches":8,"interleave":2,"schedule":"vpp",'\
'"memory_limit":1000,"offload":10}' \
'{"kind":"plan","name":"p","origin":"manual","schedule":"vpp","interleave":2,"counts":{"D":{'\
'"full":[[1,0,0,0],[0,0,0,0]],"swap":[[1,1,0,0],[0,0,0,0]]},"B":{"none":[[0,0,1,0],[2,1,1,0]],'\
'"silu":[[0,1,1,1],[0,1,1,0]],"attn":[[0,0,0,1],[0,0,0,2]]}},"offset":[[0,0,0,0],[0,0,0,0]],'\
'"recompute":[[1,0,0,0],[0,0,0,0]],"select_recompute":[[1,0,0,0],[0,0,0,0]],'\
'"select_comm_recompute":[[1,0,0,0],[0,0,0,0]]}'
} >"$tmp/plan"
of() { jq -c 'select(.kind == "plan") | .counts | map_values(with_entries(select(.value | flatten | add > 0)))' "$@"; }

sapp-yaml "$tmp/plan" >"$tmp/lines"
# By hand: two layers per piece, piece after piece; in each piece recomputed layers come first.
same "lists of layers" "recompute_config:
  recompute: [0]
  select_recompute: {'feed_forward\\.mul': [3, 4, 6, 10, 12]}
  select_comm_recompute: {'ffn_norm': [3, 4, 6, 10, 12]}
swap_config:
  swap: True
  layer_swap:
    - {backward_prefetch: 20, layers: [1, 2]}
  op_swap:
    - {op_name: 'attention.flash_attention', backward_prefetch: 1, layers: [7, 14, 15]}
    - {op_name: 'feed_forward', backward_prefetch: 1, layers: [7, 14, 15]}" "$(sed -n '/^recompute/,$p' "$tmp/lines")"
sed 's/    pp_interleave_num/    num_layers: 16\n&/' "$tmp/lines" >"$tmp/train.yaml"
same "read back to the same counts" "$(of "$tmp/plan")" "$(sapp-yaml -r "$tmp/train.yaml" "$tmp/layers" | of)"
sim() { sapp-sim "$@" | get sim "[.step_time, .peak_memory]"; }
{ cat "$tmp/layers"; grep '"pipeline"' "$tmp/plan"; } | sapp-yaml -r "$tmp/train.yaml" >"$tmp/current" 2>/dev/null
same "and simulated the same" "$(sim "$tmp/plan")" "$(sim "$tmp/current")"
sed 's/recompute: \[0\]/recompute: False/; s/\[3, 4, 6, 10, 12\]/True/' "$tmp/train.yaml" >"$tmp/all.yaml"
fails "what no kind is" 1 "no kind record with the recomputation and offloading of layer 1" \
	sapp-yaml -r "$tmp/all.yaml" "$tmp/layers"

read_bad() { sed "$2" "$tmp/train.yaml" >"$tmp/bad.yaml"
	fails "$1" 1 "$3" sapp-yaml -r "$tmp/bad.yaml" "$tmp/layers"; }
read_bad "a layer that is not there" 's/layers: \[1, 2\]/layers: [1, 16]/' "layers"
read_bad "an operator that no record has" "s/'feed_forward'/'other'/" "op_swap: no kind record has the operator 'other'"
read_bad "a pattern that no record has" "s/feed_forward.\.mul/other/" "no kind record has the pattern 'other'"
read_bad "an unknown key" 's/backward_prefetch: 20/prefetch: 20/' "prefetch"
read_bad "nothing that is offloaded" '/^  layer_swap/,$d' "needs layer_swap or op_swap"
read_bad "no truth value" 's/swap: True/swap: 3/' "swap"

# Edited in place: a file with these settings, without offloading, with other offloading, and back.
edited() {	# NAME PLAN: $tmp/edit.yaml
	check "$1" sapp-yaml -w "$tmp/edit.yaml" "$2"
	cp "$tmp/edit.yaml" "$tmp/once.yaml"
	check "$1: a second time changes nothing" \
		sh -c 'sapp-yaml -w "$1" "$2" && cmp "$1" "$3"' sh "$tmp/edit.yaml" "$2" "$tmp/once.yaml"
	same "$1: read back" "$(of "$2")" "$(sapp-yaml -r "$tmp/edit.yaml" "$tmp/layers" | of)"
}
cp "$tmp/train.yaml" "$tmp/edit.yaml"
edited "what it says already" "$tmp/plan"
check "is left as it is" cmp "$tmp/train.yaml" "$tmp/edit.yaml"
cat >"$tmp/plain.yaml" <<'END'
# a comment
model: {model_config: {num_layers: 16, offset: [1, 0, -1, 0]}}	# another
parallel_config:
  pipeline_stage: 4
recompute_config:
  recompute: [1, 2, 0, 0]	# here
  select_recompute: {'feed_forward\.mul': [1, 2, 0, 0]}
  parallel_optimizer_comm_recompute: True
parallel:
  pipeline_config: {pipeline_interleave: False}
END
cp "$tmp/plain.yaml" "$tmp/edit.yaml"
edited "a file that does not offload" "$tmp/plan"
same "only what it must" "  recompute: [0]	# here
  parallel_optimizer_comm_recompute: True
swap_config:
  swap: True
  layer_swap: [{backward_prefetch: 20, layers: [1, 2]}]" \
	"$(grep -E '^# |  recompute:|optimizer|^swap|  swap|layer_swap' "$tmp/edit.yaml" | tail -n +2)"
check "whose lines stay else" grep -q "^# a comment" "$tmp/edit.yaml"
cat >>"$tmp/plain.yaml" <<'END'
swap_config:
  swap: True
  default_prefetch: 3
  layer_swap:
    - backward_prefetch: 2
      layers: [0, 3]
  op_swap: null
END
sed 's/\[1, 2, 0, 0\]/[5]/' "$tmp/plain.yaml" >"$tmp/edit.yaml"
edited "a file that offloads otherwise" "$tmp/plan"
check "what else is there stays" grep -q '^  default_prefetch: 3' "$tmp/edit.yaml"
sed 's/"swap":\[\[1,1/"none":[[1,1/' "$tmp/plan" >"$tmp/op"
edited "a plan without layer_swap" "$tmp/op"
same "which is taken away" "  layer_swap: null" "$(grep "^  layer_swap:" "$tmp/edit.yaml")"
sed 's/"swap":\[\[1,1/"silu":[[1,1/; s/"attn":\[\[0,0,0,1\],\[0,0,0,2\]\]/"none":[[0,0,1,1],[2,1,1,2]]/
	s/"B":{"none":\[\[0,0,1,0\],\[2,1,1,0\]\],/"B":{/' "$tmp/plan" >"$tmp/no"
edited "a plan that does not offload" "$tmp/no"
check "nothing is offloaded any more" grep -q '^  swap: False' "$tmp/edit.yaml"
same "and lists are of pieces again" "  recompute: [[1, 0, 0, 0], [0, 0, 0, 0]]" \
	"$(grep '^  recompute:' "$tmp/edit.yaml" | sed 's/	.*//')"
sed 's/feed_forward..mul/other/' "$tmp/plain.yaml" >"$tmp/bad.yaml"
fails "a pattern of nobody's is not overwritten" 1 "no kind record has the pattern 'other'" \
	sapp-yaml -w "$tmp/bad.yaml" "$tmp/plan"
sed '/num_layers/s/^/&/; s/  swap: True/&\n  swap: True/' "$tmp/plain.yaml" >"$tmp/bad.yaml"
fails "a key a second time is not edited" 1 "a duplicate key: remove one of the two" sapp-yaml -w "$tmp/bad.yaml" \
	"$tmp/no"
fails "not read for measurements" 1 "activations are offloaded, which is not supported in measurements" \
	sapp-yaml -init "$tmp/train.yaml"
for format in megatron nemo mindspeed torchtitan; do
	fails "-f $format refuses it" 1 "this plan does not" sapp-yaml -f $format "$tmp/plan"
done
sed 's/"silu":\[/"select":[/' "$tmp/plan" >"$tmp/select"
fails "select without patterns" 1 "no kind record with the layers or operators that 'select' offloads" sapp-yaml \
	"$tmp/select"
record() { echo "{\"kind\":\"kind\",\"name\":\"x\",$2}" | cat - "$tmp/plan" >"$tmp/bad"
	fails "$1" 1 "$3" sapp-yaml "$tmp/bad"; }
record "both swaps" '"layer_swap":true,"op_swap":["a"]' "kind: 'x': layer_swap and op_swap exclude each other"
record "a prefetch of nothing" '"backward_prefetch":2' "backward_prefetch without layer_swap or op_swap"
record "the same operators" '"op_swap":["feed_forward","attention.flash_attention"]' \
	"'attn' has the same patterns as 'x'"
done_testing
