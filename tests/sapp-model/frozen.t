#!/bin/sh
# A hybrid and a vision model from config.json to a plan; frozen parts have no state, weight gradients or backward.
. "$(dirname "$0")/../lib.sh"
layers() {	# FILE OPTION...: of the question
	file=$1
	shift
	sapp-model -seq 8192 "$@" "$top/examples/$file/config.json" | cat - "$top/examples/hybrid/degrees.jsonl" |
		sapp-est -cluster h100 -layers
}
figure() { jq -r "select(.kind == \"layer\" and .name == \"$1\") | $2"; }
layers hybrid >"$tmp/hybrid"
same 'layers of a hybrid are in the order of the pattern' 56 \
	"$(jq -s 'map(select(.type == "BODY") | .nb_layer) | add' "$tmp/hybrid")"
same 'which has three classes' 'attention mamba2 mlp' "$(jq -r 'select(.type == "BODY") | .name |
	sub("(?<x>mamba2|[a-z]+)[0-9]*$"; "\(.x)")' "$tmp/hybrid" | sort -u | xargs)"
sapp-lp -t 2 "$tmp/hybrid" >"$tmp/plan" 2>"$tmp/err"
same 'and are all planned' 56 "$(jq -s '[.[] | select(.kind == "plan") | .counts | .. | numbers] | add' "$tmp/plan")"
layers vision >"$tmp/whole"
layers vision -freeze tower >"$tmp/tower"
layers vision -freeze language >"$tmp/language"
layers vision -lora 16 >"$tmp/lora"
same 'a tower is layers in front' 'qwen2_5_vl_embedding0 attention+mlp34' \
	"$(jq -r 'select(.type == "BODY") | .name' "$tmp/whole" | sed -n '1p;$p' | xargs)"
same 'a frozen one has no backward, and keeps nothing' '0 0 0' \
	"$(figure qwen2_5_vl_window1 '"\(.backward_time) \(.weight_time) \(.memory_activation)"' <"$tmp/tower")"
same 'and two bytes a parameter, not 18' 9 "$(jq -n "$(figure qwen2_5_vl_window1 .memory_parameter <"$tmp/whole") /
	$(figure qwen2_5_vl_window1 .memory_parameter <"$tmp/tower") | round")"
same 'what is behind it is as it was' "$(figure attention+mlp34 . <"$tmp/whole")" \
	"$(figure attention+mlp34 . <"$tmp/tower")"
same 'a frozen language model has a backward before which the tower is trained' 'true 0' \
	"$(figure attention+mlp34 '"\(.backward_time > 0) \(.weight_time)"' <"$tmp/language")"
same 'which has its own' "$(figure qwen2_5_vl_window1 .backward_time <"$tmp/whole")" \
	"$(figure qwen2_5_vl_window1 .backward_time <"$tmp/language")"
# The whole workflow with a frozen tower, and with adapters only.
for how in tower lora; do
	sapp-lp -t 2 "$tmp/$how" >"$tmp/plan" 2>"$tmp/err"
	same "$how: all layers are planned" 62 \
		"$(jq -s '[.[] | select(.kind == "plan") | .counts | .. | numbers] | add' "$tmp/plan")"
	same "$how: and simulated" true "$(sapp-sim "$tmp/plan" | jq -s 'map(select(.kind == "sim"))[0].step_time > 0')"
done
faster() { jq -s 'map(select(.kind == "sim"))[0].step_time'; }
sapp-lp -t 2 "$tmp/whole" 2>"$tmp/err" | sapp-sim | faster >"$tmp/trained"
sapp-lp -t 2 "$tmp/tower" 2>"$tmp/err" | sapp-sim | faster >"$tmp/frozen"
check 'a frozen tower makes the step shorter' test "$(jq -n "$(cat "$tmp/frozen") < $(cat "$tmp/trained")")" = true
same 'adapters have some weight gradients' true "$(figure attention+mlp34 '.weight_time > 0 and
	.weight_time < 0.01 * .backward_time' <"$tmp/lora")"
# Rank 16 times the sides of q, k, v, o, gate, up and down, in 28 layers.
sapp-model -lora 16 "$top/examples/vision/config.json" >"$tmp/network"
same 'their parameters' 1441792 "$(jq '.classes[] | select(.name == "attention+mlp") | .trained' "$tmp/network")"
# The sides: 3584 and 512 or 3584 columns of attention, 3584 and 18944 of the feed-forward.
trained() {	# NAMES EXPECTED
	same "adapters of $1" $((16 * ($2))) "$(sapp-model -lora 16 -modules "$1" "$top/examples/vision/config.json" |
		jq '.classes[] | select(.name == "attention+mlp") | .trained')"
}
trained attention '4 * 3584 + 2 * 4096'
trained q_proj,v_proj '2 * 3584 + 4096'
trained wq,wv '2 * 3584 + 4096'
trained linear_qkv '2 * 3584 + 2 * 512'
trained linear_fc1,linear_fc2 '3584 + 2 * 18944 + 18944 + 3584'
trained mlp,o_proj '3 * (3584 + 18944) + 2 * 3584'
fails 'a product that no layer has' 1 "adapters: no layer has a product 'in_proj'" \
	sapp-model -lora 16 -modules q_proj,in_proj "$top/examples/vision/config.json"
fails 'half a name' 1 "no layer has a product 'proj'" \
	sapp-model -lora 16 -modules proj "$top/examples/vision/config.json"
fails 'modules without adapters' 1 '-modules: needs -lora' \
	sapp-model -modules q_proj "$top/examples/vision/config.json"
cat >"$tmp/pet.yaml" <<'END'
model:
  model_config:
    num_layers: 4
    hidden_size: 64
    num_heads: 4
    head_dim: 16
    intermediate_size: 128
    vocab_size: 100
    seq_length: 64
    pet_config:
      pet_type: lora
      lora_rank: 8
      target_modules: '.*wq|.*wk|.*wv|.*wo'
END
same "a YAML's own adapters" 'true 4096' "$(sapp-model "$tmp/pet.yaml" | jq -r '"\(.frozen) \(.trained)"')"
same 'which options win over' 1024 "$(sapp-model -lora 4 -modules wv,wo "$tmp/pet.yaml" | jq .trained)"
arguments="--num-layers 4 --hidden-size 64 --num-attention-heads 4 --ffn-hidden-size 128 --seq-length 64 \
--max-position-embeddings 64 --padded-vocab-size 128 --micro-batch-size 1"
echo "$arguments --lora-r 8 --lora-alpha 16 --lora-target-modules linear_qkv linear_proj --swiglu" >"$tmp/arguments"
same "arguments' own adapters" $((8 * (64 + 192 + 128))) "$(sapp-model "$tmp/arguments" 2>"$tmp/null" |
	jq 'select(.kind == "network") | .trained')"
# Routed experts have adapters of their own; MindSpeed-LLM joins the products that make latents.
echo "$arguments --lora-r 2 --lora-target-modules linear_qkv linear_fc1 linear_fc2 --swiglu --num-experts 4" \
	--moe-ffn-hidden-size 32 --n-shared-experts 1 --first-k-dense-replace 1 --multi-latent-attention \
	--q-lora-rank 48 --kv-lora-rank 16 --qk-head-dim 24 --qk-pos-emb-head-dim 8 --v-head-dim 40 >"$tmp/latent"
latents=$((64 + 48 + 16 + 8)) wide=$((64 + 256 + 128 + 64)) narrow=$((64 + 64 + 32 + 64))
same 'adapters of latents, dense layers, shared and routed experts' \
	"dense $((2 * (latents + wide))) null moe $((2 * (latents + narrow))) $((2 * narrow))" \
	"$(sapp-model "$tmp/latent" 2>"$tmp/null" | jq -rs \
		'.[0].classes | map("\(.name) \(.trained) \(.trained_expert)") |
		join(" ")')"
sed 's/--multi-latent.*--v-head-dim 40/--expert-model-parallel-size 4 --world-size 4 --global-batch-size 4/' \
	"$tmp/latent" >"$tmp/spread"
same 'a token does not pass those of idle experts' $((3 * 2 * (3 * 64 * 32 + 2 * narrow))) \
	"$(sapp-model "$tmp/spread" 2>"$tmp/null" | sapp-est -parameters |
	jq -rs 'map(select(.kind == "count"))[0] | .total - .active')"
same 'a device has those of its experts' "$((8 * narrow)) $((2 * narrow))" "$(sapp-model "$tmp/spread" 2>"$tmp/null" |
	sapp-est -parameters | jq -rs 'map(select(.kind == "count").moe_routed) | join(" ")')"
pet() { sed "$2" "$tmp/pet.yaml" >"$tmp/wrong.yaml"; fails "$1" 1 "$3" sapp-model "$tmp/wrong.yaml"; }
pet 'another kind of adapter' 's/lora$/prefix/' "wrong.yaml:11: pet_config: not lora, the only supported type 'prefix'"
pet 'adapters without a rank' '/lora_rank/d' 'wrong.yaml:11: pet_config: no lora_rank'
pet 'adapters of no product' 's/wq/w_none/' "no layer has a product 'w_none'"
pet 'a list for a text' 's/target_modules:.*/target_modules: [wq]/' 'target_modules: expected text'
# PEFT's own file: the same adapters as with options; trained copies of the ends.
vision="$top/examples/vision/config.json"
peft() {
	command jq -n "{peft_type: \"LORA\", task_type: \"CAUSAL_LM\", base_model_name_or_path: \"x\", bias: \"none\",
		r: 16, lora_alpha: 32, lora_dropout: 0.05, use_dora: false, rank_pattern: {}, layers_to_transform: null,
		target_modules: [\"self_attn.q_proj\", \"v_proj\"], modules_to_save: null} | $1" \
		>"$tmp/adapter_config.json"
}
by_file() { sapp-model -lora "$tmp/adapter_config.json" "$@" 2>"$tmp/said"; }
peft .
same "PEFT's adapters: as by options" "$(sapp-model -lora 16 -modules q_proj,v_proj "$vision")" "$(by_file "$vision")"
check 'what is in front has none, which is told' grep -q 'PEFT adds adapters to all products' "$tmp/said"
same 'no key of it is unknown' '' "$(grep 'not known' "$tmp/said")"
peft '.target_modules = "all-linear"'
same 'at all products' "$(sapp-model -lora 16 "$vision")" "$(by_file "$vision")"
# The ends and their copies: two bytes frozen, 18 trained, for 152064 words of 3584 numbers on tp 4.
ends() { by_file "$vision" | cat - "$top/examples/hybrid/degrees.jsonl" | sapp-est -cluster h100 -layers >"$tmp/ends"; }
state() { jq -r 'select(.kind == "layer" and .type == "'"$1"'") | .memory_parameter' "$tmp/ends"; }
peft .
ends
state HEAD >"$tmp/head"
state TAIL >"$tmp/tail"
same 'a frozen embedding has no backward' 0 "$(jq -s '.[] | select(.type == "HEAD") | .backward_time // 0' "$tmp/ends")"
peft '.modules_to_save = ["model.embed_tokens", "lm_head"]'
ends
grow() { jq -n "($(state "$1") - $(cat "$2")) * 1048576 * $(jq .tp "$top/examples/hybrid/degrees.jsonl") /
	(152064 * 3584) | round"; }
same 'a copy of the embedding is trained' "$(grow TAIL "$tmp/tail")" "$(grow HEAD "$tmp/head")"
check 'by more than the frozen one takes' test "$(grow HEAD "$tmp/head")" -gt 2
same 'the embedding has a backward, the head weight gradients' 'true null' \
	"$(jq -rs '"\(.[] | select(.type == "HEAD").backward_time > 0) \(.[] | select(.type == "TAIL").weight_time)"' \
	"$tmp/ends")"
same 'all of them are counted' $((2 * 152064 * 3584)) "$(jq -n "$(by_file "$vision" | sapp-est -parameters |
	jq 'select(.kind == "count").total') - $(peft . && by_file "$vision" | sapp-est -parameters |
	jq 'select(.kind == "count").total')")"
while IFS='|' read -r change message; do
	peft "$change"
	fails "$change" 1 "$message" sapp-model -lora "$tmp/adapter_config.json" "$vision"
done <<'END'
.peft_type = "IA3"|peft_type: not LORA, the only supported type 'IA3'
del(.peft_type)|peft_type: not LORA, the only supported type ''
del(.r)|missing key 'r', the rank of the adapters
.r = 0|adapter_config.json:6: r: not positive '0'
.r = 100000|adapter_config.json:6: r: above 65536 '100000'
.r = "wide"|adapter_config.json:6: r: not a whole number 'wide'
.target_modules = null|no target_modules: PEFT then chooses them by model family
.target_modules = []|target_modules: not a list of names
.target_modules = ".*q_proj"|target_modules: not a list of names or all-linear
.target_modules = ["c_attn"]|adapters: no layer has a product 'c_attn'
.target_modules = ["layers.3.self_attn.q_proj"]|target_modules: settings of single layers are not supported '
.target_modules = [["q_proj"]]|target_modules: expected text
.modules_to_save = ["score"]|modules_to_save: not the embedding or the head (embed_tokens
.modules_to_save = "lm_head"|modules_to_save: not a list of names
.rank_pattern = {"q_proj": 8}|rank_pattern: not supported: the parameters that it trains are not known 'a list or a map'
.use_dora = true|use_dora: not supported: the parameters that it trains are not known 'true'
.bias = "all"|bias: not supported: the parameters that it trains are not known 'all'
.layers_to_transform = [0, 1]|layers_to_transform: not supported: the parameters that it trains are not known '
.exclude_modules = "visual"|exclude_modules: not supported: the parameters that it trains are not known 'visual'
END
peft '.some_new_key = 1'
by_file "$vision" >"$tmp/network"
check 'another key is named' grep -q "a key: not known, ignored 'some_new_key'" "$tmp/said"
peft '.target_modules = ["q_proj", "down_proj"]'
fails 'adapters of experts' 1 'target_modules: names products of experts' \
	sapp-model -lora "$tmp/adapter_config.json" "$top/examples/moe-64/config.json"
peft '.modules_to_save = ["lm_head"]'
jq '.tie_word_embeddings = true' "$top/examples/moe-64/config.json" >"$tmp/tied.json"
fails 'a copy of a tied head' 1 "modules_to_save: embedding and head share a matrix" \
	sapp-model -lora "$tmp/adapter_config.json" "$tmp/tied.json"
fails 'no network' 1 'adapters of PEFT: give this file with -lora' sapp-model "$tmp/adapter_config.json"
fails 'no file' 1 'none.json' sapp-model -lora none.json "$vision"
fails 'no rank' 2 '-lora' sapp-model -lora 0 "$vision"

fails 'what is not there cannot be frozen' 1 "-freeze: not tower, language or a layer class of the network 'eyes'" \
	sapp-model -freeze eyes "$top/examples/vision/config.json"

# User-defined formulas.
jq '.model_type = "mine"' "$top/examples/hybrid/config.json" >"$tmp/mine.json"
sapp-model -seq 8192 -classes "$top/examples/hybrid/mine.yaml" "$tmp/mine.json" >"$tmp/network"
same 'a family of formulas' '4 4096' "$(jq -r '[.pattern[] | select(. == "sliding")] as $all |
	"\($all | length) \(.classes[] | select(.name == "sliding") | .window)"' "$tmp/network")"
# A changed attention: keys and values from a latent, with a gate of low rank, with its own keys in the file.
cat >"$tmp/changed.yaml" <<'END'
families:
  changed:
    like: llama
    mixer: {squeezed: (i + 1) % every != 0, attention: 1}
parts:
  squeezed:
    low: squeeze.rank
    blocks: 1
    norms: 1
    up: [[num_heads*head_dim, hidden_size], [2*kv_heads*head_dim, low], [num_heads*head_dim, squeeze.gate_rank | low]]
    down: [[hidden_size, num_heads*head_dim]]
    whole: [[low + (squeeze.gate_rank | low), hidden_size]]
    parameters: low
    operations: 2*num_heads*head_dim*seq_length
    kept: 4*num_heads*head_dim
END
changed() { command jq -n "{model_type: \"changed\", hidden_size: 512, num_hidden_layers: 4, num_attention_heads: 8,
	head_dim: 64, num_key_value_heads: 2, intermediate_size: 1024, vocab_size: 1000, max_position_embeddings: 1024,
	every: 2, squeeze: {rank: 96}} | $1" >"$tmp/changed.json"; }
changed .
sapp-model -classes "$tmp/changed.yaml" "$tmp/changed.json" >"$tmp/network"
# q, two products of keys and values from the latent, the gate with two products; o; all norms; the feed-forward.
same 'attention of formulas' $((512 * 512 + 256 * 96 + 512 * 96 + 512 * 512 + 192 * 512 + 96 + 1024 + 3 * 512 * 1024)) \
	"$(sapp-est -parameters "$tmp/network" | jq 'select(.kind == "count") | .classes[] |
	select(.name == "squeezed+mlp") | .parameters')"
same 'in every second layer' 'squeezed+mlp attention+mlp squeezed+mlp attention+mlp' \
	"$(jq -r '.pattern | join(" ")' "$tmp/network")"
check 'it is estimated as others' grep -q '"name":"squeezed+mlp0"' <<END
$(cat "$tmp/network" "$top/examples/hybrid/degrees.jsonl" | sapp-est -cluster h100 -layers)
END
changed '.squeeze = null'
fails 'a key that it needs' 1 "changed.json:1: no up: its formula low needs 'squeeze.rank', which is missing" \
	sapp-model -classes "$tmp/changed.yaml" "$tmp/changed.json"
changed '.squeeze.rank = "wide"'
fails 'a key that is no number' 1 'changed.json:12: squeeze: not a whole number' \
	sapp-model -classes "$tmp/changed.yaml" "$tmp/changed.json"
changed .
wrong() { sed "$2" "$tmp/changed.yaml" >"$tmp/wrong.yaml"
	fails "$1" 1 "$3" sapp-model -classes "$tmp/wrong.yaml" "$tmp/changed.json"; }
wrong 'a formula without an end' '7s/squeeze.rank/(squeeze.rank/' "wrong.yaml:7: not a formula '(squeeze.rank'"
wrong 'a division by nothing' '14s|$| / 0|' "wrong.yaml:14: operations: division by 0"
wrong 'a product of one side' '11s/hidden_size, num/num/' 'wrong.yaml:11: down: expected two numbers, columns and depth'
wrong 'what is no YAML' '4s/{squeezed/{[squeezed/' 'wrong.yaml:4: a list or map as a key'

bad() { echo "$2" >"$tmp/bad.yaml"; fails "$1" 1 "$3" sapp-model -seq 8192 -classes "$tmp/bad.yaml" "$tmp/mine.json"; }
bad 'a formula that is none' 'families: {mine: {like: nemotron_h, gated: 1 +}}' "not a formula '1 +'"
bad 'a part that is not there' 'families: {mine: {like: nemotron_h, mixer: {magic: 1}}}' \
	"not in the section parts of the tables 'magic'"
bad 'a family that is like none' 'families: {mine: {like: yours}}' "not in the section families of the tables 'yours'"
bad 'no condition that holds' 'families: {mine: {like: nemotron_h, mixer: {mamba2: 0}}}' \
	'the kind of layer 0 is unknown'
bad 'a key that is not there' 'families: {mine: {like: nemotron_h, vocab_size: words}}' \
	'no vocab_size: its usual place is words'
bad 'a section that is none' 'family: {}' "family"
row='families: {mine: {like: nemotron_h, mixer: {q: 1}, beside: {q: 1}, feed_forward: {none: 1}}}'
bad 'figures that are too large together' "$row
parts: {q: {operations: 2000000000}}" 'operations: out of range, added to that of the parts before'
bad 'a figure that must be positive' "$row
parts: {q: {attention: 1, num_heads: 0}}" 'num_heads: not positive'
bad 'products that are too wide' "$row
parts: {q: {attention: 1, up: [[2000000000, 2]]}}" "up: out of range '2000000000,2'"
bad 'layers in front that are no list' 'families: {mine: {like: nemotron_h, front: {layers: 1}}}' 'front: not a list'
bad 'ignored keys that are no list' 'families: {mine: {like: nemotron_h}}
ignored: 3' 'ignored: not a list'
bad 'a remark that is no text' 'families: {mine: {like: nemotron_h, but: {a: 1}}}' 'but: expected text'
bad 'too many layers of prediction' 'families: {mine: {like: nemotron_h, mtp_layers: 1, mtp_blocks: 2000000000}}' \
	"mtp_blocks: above 10000 '2000000000'"
bad 'a name right behind an index' "families: {mine: {like: nemotron_h, norms: 'rows[0]x'}}" "not a formula 'rows[0]x'"
bad 'a number too large to be negated' \
	'families: {mine: {like: nemotron_h, head_dim: 0 - -(0 - 1073741824*1073741824*8)}}' 'too large'
bad 'a number too large to be divided' \
	'families: {mine: {like: nemotron_h, head_dim: (0 - 1073741824*1073741824*8)/-1}}' 'too large'
bad 'parts and families that are like too many' "$(awk 'BEGIN { print "families:\n  mine: {like: f1, mixer: {p1: 1}}"
	for (i = 1; i < 20; i++) print "  f" i ": {like: f" i + 1 "}"
	print "  f20: {like: nemotron_h}\nparts:"
	for (i = 1; i < 20; i++) print "  p" i ": {like: p" i + 1 "}"
	print "  p20: {}" }')" 'a chain of more than 24 parts or families'
bad 'formulas that are deep in one another' "$(awk 'BEGIN { print "families: {mine: {like: nemotron_h, norms: n1}}"
	print "names:"
	for (k = 0; k < 99; k++) { open = open "("; end = end ")" }
	for (i = 1; i < 60; i++) print "  n" i ": " open "n" i + 1 end
	print "  n60: 1" }')" 'formulas that depend on each other in a cycle'
bad 'formulas that depend on each other in a cycle too often' \
	"$(awk 'BEGIN { print "families: {mine: {like: nemotron_h, norms: n1}}"
	print "names:"
	for (i = 1; i < 12; i++) print "  n" i ": n" i + 1 "+n" i + 1 "+n" i + 1 "+n" i + 1
	print "  n12: 1" }')" 'formulas that depend on each other in a cycle'
jq '.rows = [[1]]' "$tmp/mine.json" >"$tmp/rows.json"
echo 'families: {mine: {like: nemotron_h, norms: rows == rows}}' >"$tmp/bad.yaml"
fails "lists that are compared" 1 "norms: a list" sapp-model -seq 8192 -classes "$tmp/bad.yaml" "$tmp/rows.json"
jq '.num_hidden_layers = 2000000000 | .model_type = "llama" | .max_position_embeddings = 8192' "$tmp/mine.json" \
	>"$tmp/many.json"
fails 'too many layers' 1 'layers: above 100000' sapp-model "$tmp/many.json"
jq '.num_hidden_layers = 8 | .intermediate_size = 16777216' "$tmp/many.json" >"$tmp/wide.json"
fails 'adapters that are too large' 1 'adapters: a layer has more than' sapp-model -lora 65536 "$tmp/wide.json"
done_testing
