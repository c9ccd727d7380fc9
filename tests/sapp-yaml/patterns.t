#!/bin/sh
# Kinds of recomputation by name in the YAML: lists with numbers for each pattern, written, edited and read back.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/layers" <<END
{"kind":"model","name":"m"}
{"kind":"kind","name":"silu","select_recompute":["feed_forward\\\\.mul","feed_forward\\\\.w1\\\\.activation"]}
{"kind":"kind","name":"mlp","select_recompute":["feed_forward\\\\.mul","feed_forward\\\\.w1\\\\.activation","it's"],\
"select_comm_recompute":["ffn_norm"]}
{"kind":"layer","name":"D","type":"BODY","nb_layer":3,"time":10}
{"kind":"layer","name":"B","type":"BODY","nb_layer":13,"time":10}
END
# plan COUNTS-OF-B: 8 pieces of 2 layers; the first three layers are D.
plan() {
	cat "$tmp/layers"
	printf '%s\n' '{"kind":"pipeline","stages":4,"micro_batches":8,"interleave":2,"schedule":"vpp",'\
'"memory_limit":1000}' \
'{"kind":"plan","name":"p","origin":"manual","schedule":"vpp","interleave":2,"counts":{"D":{'\
'"full":[[1,0,0,0],[0,0,0,0]],'\
'"mlp":[[1,1,0,0],[0,0,0,0]]},"B":{'"$1"'}},"offset":[[0,0,0,0],[0,0,0,0]],"recompute":[[1,0,0,0],[0,0,0,0]],'\
'"select_recompute":[[1,0,0,0],[0,0,0,0]],"select_comm_recompute":[[1,0,0,0],[0,0,0,0]]}'
}
counts='"none":[[0,0,1,0],[2,1,1,0]],"silu":[[0,1,1,1],[0,1,1,0]],"mlp":[[0,0,0,1],[0,0,0,2]]'
plan "$counts" >"$tmp/plan"
of() { jq -c 'select(.kind == "plan") | .counts | map_values(with_entries(select(.value | flatten | add > 0)))' "$@"; }

check "printed" sapp-yaml "$tmp/plan"
sapp-yaml "$tmp/plan" >"$tmp/lines"
# By hand: in stage 0's first piece one layer is recomputed as a whole, and one with all patterns.
same "a list for each pattern" \
	"  select_recompute: {'feed_forward\\.mul': [[2, 2, 1, 2], [0, 1, 1, 2]], 'feed_forward\\.w1\\.activation': \
[[2, 2, 1, 2], [0, 1, 1, 2]], 'it''s': [[2, 1, 0, 1], [0, 0, 0, 2]]}" "$(grep '  select_recompute' "$tmp/lines")"
same "in both lists" "  select_comm_recompute: {'ffn_norm': [[2, 1, 0, 1], [0, 0, 0, 2]]}" \
	"$(grep '  select_comm' "$tmp/lines")"
sed 's/    pp_interleave_num/    num_layers: 16\n&/' "$tmp/lines" >"$tmp/train.yaml"
same "read back to the same counts" "$(of "$tmp/plan")" "$(sapp-yaml -r "$tmp/train.yaml" "$tmp/layers" | of)"

# An existing file: comments and other keys stay, and values that agree are not changed.
cat >"$tmp/old.yaml" <<'END'
parallel_config:
  pipeline_stage: 4
parallel: {pipeline_config: {pipeline_interleave: true}}
model:
  model_config:
    num_layers: 16
    pp_interleave_num: 2
recompute_config:
  recompute: False # none
  select_recompute:
    'feed_forward\.mul': True
    'it''s': [[1, 1, 1, 1], [0, 0, 0, 0]]
  mp_comm_recompute: True
END
cp "$tmp/old.yaml" "$tmp/new.yaml"
check "edited" sapp-yaml -w "$tmp/new.yaml" "$tmp/plan"
same "reads as the plan" "$(of "$tmp/plan")" "$(sapp-yaml -r "$tmp/new.yaml" "$tmp/layers" | of)"
same "other lines stay" 9 "$(grep -cxFf "$tmp/old.yaml" "$tmp/new.yaml")"
same "and again nothing changes" "" "$(sapp-yaml -w "$tmp/new.yaml" -n "$tmp/plan")"
same "read with simulated figures" '[["B","D"],16]' "$(sapp-yaml -r "$tmp/new.yaml" "$tmp/layers" |
	jq -c 'select(.kind == "plan") | .counts | [(keys), ([.[][] | flatten | add] | add)]')"

fails "a pattern that no record has" 1 "select_recompute: no kind record has the pattern 'other'" sh -c \
	"sed \"s/'it''s'/other/\" '$tmp/old.yaml' >'$tmp/other.yaml'; sapp-yaml -w '$tmp/other.yaml' '$tmp/plan'"
check "which is left as it was" grep -q 'other: \[\[1' "$tmp/other.yaml"
fails "nor is it read" 1 "select_recompute: no kind record has the pattern 'other'" \
	sapp-yaml -r "$tmp/other.yaml" "$tmp/layers"
fails "patterns that are no kind together" 1 "no kind record has the patterns that recompute layer 0 of chunk 0 of" \
	sapp-yaml -r "$tmp/old.yaml" "$tmp/layers"
# Kinds that do not nest, in one piece.
sed 's/"feed_forward\\\\.mul","feed_forward\\\\.w1\\\\.activation","it/"it/' "$tmp/plan" >"$tmp/crossed"
fails "kinds that do not nest" 1 "no kind record has the patterns that recompute layer 0 of chunk 0 of" \
	sapp-yaml "$tmp/crossed"
grep -v '"kind":"kind"' "$tmp/plan" >"$tmp/unsaid"
fails "kinds without records" 1 "no kind record with the patterns of 'mlp'" sapp-yaml "$tmp/unsaid"
plan '"none":[[0,0,1,0],[2,1,1,0]],"silu":[[0,1,1,1],[0,1,1,0]],"mlp":[[0,0,0,1],[0,0,0,0]],'\
'"select":[[0,0,0,0],[0,0,0,2]]' >"$tmp/select"
fails "select without patterns beside others" 1 "no kind record with the patterns of 'select'" \
	sapp-yaml "$tmp/select"
fails "Megatron-LM has no numbers of each piece" 1 "" sapp-yaml -f megatron "$tmp/plan"
done_testing
