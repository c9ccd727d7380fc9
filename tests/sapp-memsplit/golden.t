#!/bin/sh
# Memory sets with a known split: every unknown and every residual.
. "$(dirname "$0")/../lib.sh"
data=$top/tests/data/memsplit.jsonl

while read -r line; do
	case=$(printf "%s\n" "$line" | jq -r .case)
	printf "%s\n" "$line" | jq -r .init_yaml >"$tmp/init.yaml"
	check "$case: is split" run 0 sapp-memsplit "$tmp/init.yaml" </dev/null
	cp "$tmp/out" "$tmp/$case.jsonl"
	printf "%s\n" "$line" | jq -c '.result | to_entries | sort_by(.key)' >"$tmp/want"
	jq -c 'select(.kind == "fit") |
		[.estimates[] | {key: (if .name == "parameter" then "memory_parameter" else .name end),
		value}] | sort_by(.key)' "$tmp/out" >"$tmp/got"
	same "$case: the unknowns" "$(jq -c 'map(.key)' "$tmp/want")" "$(jq -c 'map(.key)' "$tmp/got")"
	near "$case: their values" 0 "$(jq -s '[.[0], .[1]] | transpose | map(.[0].value - .[1].value | fabs) | max' \
		"$tmp/want" "$tmp/got")" 1e-3
	printf "%s\n" "$line" | jq -c '[.stage, .residual] | transpose' >"$tmp/want"
	jq -c 'select(.kind == "fit") | [.residuals[] | [.stage, .predicted - .measured]]' "$tmp/out" >"$tmp/got"
	same "$case: the stages" "$(jq -c 'map(.[0])' "$tmp/want")" "$(jq -c 'map(.[0])' "$tmp/got")"
	near "$case: their residuals" 0 "$(jq -s 'transpose | map(.[0][1] - .[1][1] | fabs) | max' \
		"$tmp/want" "$tmp/got")" 1e-3
	same "$case: equations, unknowns, rank" "$(printf "%s\n" "$line" | jq -c '[.equations, .unknowns, .rank]')" \
		"$(jq -c 'select(.kind == "fit") | [(.residuals | length), .unknowns, .rank]' "$tmp/out")"
done <"$data"

# Members of the layer records.
cd "$tmp" || exit 1
same "model: the constant" 1206.804192 \
	"$(jq 'select(.kind == "model").stage_const_mem * 1e6 | round / 1e6' llama175b-14.jsonl)"
same "no constant solved for, none in the model" null \
	"$(jq 'select(.kind == "model").stage_const_mem' no-constant.jsonl)"
same "layers: types and numbers" '["HEAD",1] ["BODY",96] ["TAIL",1]' \
	"$(jq -c 'select(.kind == "layer") | [.type, .nb_layer]' llama175b-14.jsonl | tr '\n' ' ' | sed 's/ $//')"
same "layers: memory by kind" '[2217.488,1002.893,783.463,695.768,423.105,null]' \
	"$(jq -c 'select(.type == "BODY") | [.memory_parameter, .memory_activation, .memory_select_rec,
		.memory_select_comm, .memory_both_comm_select, .memory_recompute] |
		map(if . then . * 1000 | round / 1000 else . end)' llama175b-14.jsonl)"
same "stage 11 is called out" 11 "$(jq -c 'select(.kind == "fit").outliers[].stage' llama175b-14.jsonl)"
same "nothing stands out of what fits exactly" null "$(jq -c 'select(.kind == "fit").outliers' alternating-6.jsonl)"
same "standard errors where there are equations to spare" 8 \
	"$(jq -c 'select(.kind == "fit") | [.estimates[] | select(.error > 0)] | length' llama175b-14.jsonl)"
same "and none where not" 0 \
	"$(jq -c 'select(.kind == "fit") | [.estimates[] | select(has("error"))] | length' alternating-6.jsonl)"
done_testing
