#!/bin/bash
# Degrees for known models: the result and the proof of a search of SECONDS_SEARCH, its duration, and whether the ranked
# steps are those of the settings read back. JOBS: only some jobs, by name.
out=$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
limit=${SECONDS_SEARCH:-30}

llama() {	# NAME LAYERS HIDDEN HEADS FFN
	jq -n --argjson l "$2" --argjson h "$3" --argjson a "$4" --argjson f "$5" '{ model_type: "llama",
		num_hidden_layers: $l, hidden_size: $h, num_attention_heads: $a, num_key_value_heads: 8,
		intermediate_size: $f, vocab_size: 128256, max_position_embeddings: 8192,
		tie_word_embeddings: false }' >"$1.json"
}
llama llama-3-8b 32 4096 32 14336
llama llama-3-70b 80 8192 64 28672
llama llama-3.1-405b 126 16384 128 53248
jq -n '{ model_type: "mixtral", num_hidden_layers: 32, hidden_size: 4096, num_attention_heads: 32,
	num_key_value_heads: 8, intermediate_size: 14336, num_local_experts: 8, num_experts_per_tok: 2,
	vocab_size: 32000, max_position_embeddings: 4096, tie_word_embeddings: false }' >mixtral.json
jq -n '{ model_type: "deepseek_v3", num_hidden_layers: 61, hidden_size: 7168, num_attention_heads: 128,
	intermediate_size: 18432, moe_intermediate_size: 2048, n_routed_experts: 256, num_experts_per_tok: 8,
	n_shared_experts: 1, first_k_dense_replace: 3, q_lora_rank: 1536, kv_lora_rank: 512,
	qk_nope_head_dim: 128, qk_rope_head_dim: 64, v_head_dim: 128, vocab_size: 129280,
	max_position_embeddings: 4096, tie_word_embeddings: false }' >deepseek-v3.json

# Print the number of rows whose settings do not give their step.
unlike() {	# DIR
	local layers name step
	layers=$(jq 'select(.kind == "network").layers' "$1/work/network.jsonl")
	while read -r name step; do
		jq -c 'select(.kind != "plan")' "$1/plans.jsonl" |
			awk -v name="\"name\":\"$name\"" 'index($0, "\"kind\":\"candidate\"") { mine = index($0, name) }
				mine' >"$1/asked"
		sapp-yaml -r "$1/$name"_pretrain.* -layers "$layers" "$1/asked" 2>/dev/null | sapp-sim |
			jq --argjson step "$step" 'select(.kind == "sim") | (.step_time / $step - 1 | fabs) <= 1e-9' |
			grep -q true || echo "$name"
	done < <(jq -r 'select(.kind == "plan") | "\(.name) \(.step_time)"' "$1/plans.jsonl") | wc -l
}

printf '%-20s %5s %-11s %7s %9s %8s %8s  %-34s %s\n' model gpus target seconds 'step s' planned open winner \
	'rows unlike their settings'
while read -r model devices batch; do
	for target in megatron mindformers; do
		cluster=h100
		[ $target = megatron ] || cluster=atlas-900-a3
		name=$model-$devices-$target
		[[ " ${JOBS:-$name} " == *" $name "* ]] || continue
		printf '%s\n' "model: $model.json" "devices: $devices" "cluster: $cluster" "global_batch: $batch" \
			"target: $target" >"$name.yaml"
		begun=$EPOCHREALTIME
		sapp-search -t "$limit" -k 3 -o "$name" "$name.yaml" >"$name.report" 2>"$name.log"
		status=$?
		jq -nc --arg model "$model" --argjson devices "$devices" --arg target $target --argjson status $status \
			--argjson seconds "$(awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" \
			--slurpfile ranked <(cat "$name/work/ranked.json" 2>/dev/null || echo '[]') \
			--argjson planned "$(jq -s 'map(.name) | unique | length' "$name/work/candidates.jsonl")" \
			--argjson open "$(tail -n 3 "$name.log" | sed -n 's/.*ms, \([0-9]*\) of .*/\1/p' | tail -n 1 |
				grep . || echo null)" \
			--argjson unlike "$([ $status -ne 0 ] || unlike "$name")" '{ bench: "search-job", model: $model,
			devices: $devices, target: $target, status: $status, seconds: $seconds, planned: $planned,
			open: $open, winner: $ranked[0][0].name, step_time: $ranked[0][0].step_time,
			lower_bound: $ranked[0][0].lower_bound, rows: ([$ranked[0] | length, 3] | min),
			unlike: $unlike }' | tee -a "$out" |
			jq -r '[.model, .devices, .target, .seconds, (.step_time // 0) / 1000, .planned, .open // "-",
				.winner // "none fits", "\(.unlike) of \(.rows)"] | @tsv' |
			awk -F '\t' '{ printf "%-20s %5d %-11s %7.1f %9.3f %8d %8s  %-34s %s\n", $1, $2, $3, $4, $5, $6,
				$7, $8, $9 }'
	done
done <<END
llama-3-8b 64 128
llama-3-70b 64 1024
llama-3.1-405b 1024 1024
mixtral 128 1024
deepseek-v3 256 2048
deepseek-v3 1024 8192
END
