#!/bin/sh
# Plans of hybrid models for Megatron-LM: pieces as a pattern of blocks, read back and simulated.
. "$(dirname "$0")/../lib.sh"
sapp-model -seq 8192 "$top/examples/hybrid/config.json" | cat - "$top/examples/hybrid/degrees.jsonl" |
	sapp-est -cluster h100 -layers | sapp-lp -target megatron -t 2 >"$tmp/plan" 2>"$tmp/err"
sapp-yaml -f megatron "$tmp/plan" >"$tmp/arguments" 2>"$tmp/said"
pattern=$(sed -n 's/^--hybrid-layer-pattern "\(.*\)" .*/\1/p' "$tmp/arguments")
same 'all blocks are in the pattern, in order' "$(jq -r .hybrid_override_pattern "$top/examples/hybrid/config.json")" \
	"$(echo "$pattern" | tr -d '|')"
same 'in a piece for each stage' 4 "$(echo "$pattern" | tr '|' '\n' | wc -l)"
same 'a layout, which Megatron-LM refuses beside it, is not there' 0 "$(grep -c layout "$tmp/arguments")"
check 'read back they take as long as planned' \
	grep -q 'a step takes \([0-9.]*\) ms with these arguments, \1 as planned' "$tmp/said"
# A layer of prediction has its blocks after the pattern.
jq '.mtp_hybrid_override_pattern = "*-" | .num_nextn_predict_layers = 1' "$top/examples/hybrid/config.json" \
	>"$tmp/more.json"
sapp-model -seq 8192 "$tmp/more.json" | cat - "$top/examples/hybrid/degrees.jsonl" |
	sapp-est -cluster h100 -layers | sapp-lp -target megatron -t 2 >"$tmp/more" 2>"$tmp/err"
sapp-yaml -f megatron "$tmp/more" >"$tmp/arguments" 2>"$tmp/said"
same 'blocks that predict further tokens' '*-' \
	"$(sed -n 's|^--hybrid-layer-pattern ".*/\(.*\)" .*|\1|p' "$tmp/arguments")"
check 'with them, too' grep -q 'a step takes \([0-9.]*\) ms with these arguments, \1 as planned' "$tmp/said"
{ echo 'python pretrain_hybrid.py \'; sed '$s/$/ \\/' "$tmp/arguments"; echo '--hidden-size 4480 \
	--num-attention-heads 40 \
	--seq-length 8192 --vocab-size 131072 --ffn-hidden-size 15680'; } >"$tmp/run.sh"
same 'sapp-model reads the pattern as it was' \
	"$(sapp-model -seq 8192 "$tmp/more.json" | jq -c '.pattern, .mtp_pattern')" \
	"$(sapp-model "$tmp/run.sh" 2>"$tmp/err" | jq -c 'select(.kind == "network") | .pattern, .mtp_pattern')"
# A plan whose layers are not the pattern's blocks.
printf '%s\n' '{"kind":"plan","name":"p","origin":"manual","schedule":"1f1b","interleave":1,"micro_batches":8,' \
	'"counts":{"L":{"none":[[1,2,3,2]]}},"offset":[[-1,0,1,0]],"recompute":[[0,0,0,0]],' \
	'"select_recompute":[[0,0,0,0]],"select_comm_recompute":[[0,0,0,0]]}' | tr -d '\n' >"$tmp/other"
echo 'python pretrain_hybrid.py --num-layers 8 --hybrid-layer-pattern "M-M-M*M-" --hidden-size 64 \
	--num-attention-heads 4 --seq-length 64 --pipeline-model-parallel-size 1 --micro-batch-size 1 \
	--global-batch-size 8' >"$tmp/blocks.sh"
fails 'layers that are no blocks of the pattern' 1 "the plan's layers are not blocks of this pattern; plan the layers" \
	sapp-yaml -w "$tmp/blocks.sh" "$tmp/other"

# MindFormers: layers of linear attention, and full attention in every fourth layer, in one list each.
jq -c 'select(.model_type == "qwen3_next") | .config + {model_type}' "$top/tests/data/models/models.jsonl" |
	head -n 1 >"$tmp/next.json"
echo '{"kind":"candidate","dp":8,"tp":1,"pp":8,"ep":8,"mbs":1,"micro_batches":32,"zero":1}' >"$tmp/degrees"
sapp-model -seq 8192 "$tmp/next.json" 2>"$tmp/err" | cat - "$tmp/degrees" |
	sapp-est -cluster atlas-900-a2 -layers >"$tmp/layers"
counts() { jq -c 'select(.kind == "plan" and .name == "'"$1"'") | .counts |
	map_values(with_entries(select(.value | flatten | add > 0)))' "$2"; }
for chunks in 1 2; do
	schedule=$(echo x1f1b vpp | cut -d' ' -f$chunks | tr -d x)
	jq -c "if .kind == \"pipeline\" then .memory_limit = 60000 | .interleave = $chunks |
		.schedule = \"$schedule\" else . end" \
		"$tmp/layers" | sapp-lp -target mindformers -t 4 >"$tmp/next" 2>"$tmp/err"
	name=$(jq -r 'select(.kind == "plan").name' "$tmp/next")
	same "$schedule: both kinds of layers are recomputed, in part, as lists can say" '2 true true' \
		"$(jq -r 'select(.kind == "plan").counts | to_entries | group_by(.key | sub("[0-9]*$"; "")) |
		map(any(.[].value.full // [[0]] | flatten | add; . > 0)) | "\(length) \(.[0]) \(.[1])"' "$tmp/next")"
	sapp-yaml -f mindformers "$tmp/next" | sed 's/    pp_interleave_num/    num_layers: 48\n&/' >"$tmp/train.yaml"
	sapp-yaml -r "$tmp/train.yaml" "$tmp/next" >"$tmp/back" 2>"$tmp/err"
	same "$schedule: read back for each layer" "$(counts "$name" "$tmp/next")" "$(counts current "$tmp/back")"
	same "$schedule: and simulated" 1 "$(sapp-sim "$tmp/back" | jq -s '[.[] | select(.kind == "sim") |
		[.step_time, .memory // .peak_memory]] | unique | length')"
done
# Lists have numbers, so names of layers make no difference.
jq -c 'select(.kind != "plan")' "$tmp/plan" | sapp-lp -target mindformers -t 2 >"$tmp/spaces" 2>"$tmp/err"
check 'state spaces are planned' grep -q '"kind":"plan"' "$tmp/spaces"
same 'they count as any other layers' "$(jq -c 'select(.kind == "plan").offset[0]' "$tmp/spaces")" \
	"$(sapp-yaml -f mindformers "$tmp/spaces" 2>"$tmp/err" | sed -n 's/ *offset: //p' | tr -d ' ')"

# Layers before a language model are not part of the layers that frameworks divide.
sapp-model "$top/examples/vision/config.json" | cat - "$top/examples/hybrid/degrees.jsonl" |
	sapp-est -cluster h100 -layers | sapp-lp -t 2 >"$tmp/vision" 2>"$tmp/err"
check 'a tower is planned' grep -q '"kind":"plan"' "$tmp/vision"
for f in megatron mindspeed mindformers torchtitan; do
	fails "and refused by $f" 1 'layers in front of the language model cannot be divided into stages by' \
		sapp-yaml -f $f "$tmp/vision"
done
# A frozen tower can be on the first stage, as in these frameworks.
first() { sapp-model "$@" | cat - "$top/examples/hybrid/degrees.jsonl" | sapp-est -cluster h100 -layers -tower-first; }
first -freeze tower "$top/examples/vision/config.json" >"$tmp/first"
time_of() { jq -s "[.[] | select(.kind == \"layer\" and (.name | test(\"$1\"))) | .time * .nb_layer] | add" "$2"; }
same 'its layers are ends, with the times that they had' "$(time_of qwen "$tmp/vision") HEAD 0 null" \
	"$(time_of qwen "$tmp/first") $(jq -r 'select(.kind == "layer" and (.name | test("qwen"))) |
		"\(.type) \(.backward_time) \(.memory_activation)"' "$tmp/first" | sort -u)"
sapp-lp -target megatron -t 2 "$tmp/first" >"$tmp/language" 2>"$tmp/err"
same 'the language model is what is planned' '["attention+mlp34"]' \
	"$(jq -c 'select(.kind == "plan") | .counts | keys' "$tmp/language")"
check 'with fewer layers behind the tower' test "$(jq 'select(.kind == "plan").counts[].none[0] | .[0] < .[1]' \
	"$tmp/language")" = true
for f in megatron mindformers torchtitan; do
	check "and written for $f" sapp-yaml -f $f "$tmp/language"
done
sapp-yaml -f megatron "$tmp/language" 2>"$tmp/said" | grep -q -- '--num-layers 28 '
same 'with the layers that the framework divides' 0 $?
check 'which take as long' grep -q 'a step takes \([0-9.]*\) ms with these arguments, \1 as planned' "$tmp/said"
failing() { title=$1 message=$2; shift 2; first "$@" >/dev/null 2>"$tmp/said"
	same "$title: status" 1 $?; check "$title: said" grep -qF -- "$message" "$tmp/said"; }
failing 'a tower that is trained' 'the tower is trained, so it keeps activations' "$top/examples/vision/config.json"
failing 'none' 'no layers in front of a language model' -seq 8192 "$top/examples/hybrid/config.json"
fails 'estimates have no stages' 2 '-tower-first: needs -layers' sapp-est -cluster h100 -tower-first /dev/null

sed 's/mlp\([0-9]\)/mamba2+mlp\1/g' "$tmp/plan" >"$tmp/two"
fails 'a layer of two blocks has no symbol' 1 "has no symbol for layer 'mamba2+mlp" sapp-yaml -f megatron "$tmp/two"
done_testing
