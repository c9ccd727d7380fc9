#!/bin/sh
# Published logs, if available.
. "$(dirname "$0")/../lib.sh"
logs=${SHARED_DATA:-$top/../shared/data}/logs
if [ ! -d "$logs" ]; then
	echo "1..0 # SKIP no published logs in $logs"
	exit 0
fi
init() { jq -r "select(.case == \"$1\").init_yaml" "$top/tests/data/memsplit.jsonl" |
	sed '/^memory_usage/d' >"$tmp/init.yaml"; }
estimate() { jq "select(.kind == \"fit\").estimates[] | select(.name == \"$1\").value" "$tmp/out"; }

init llama175b-14
check "16 actual peaks" run 0 sapp-memsplit "$tmp/init.yaml" <"$logs/llama2_175b_pp16_actual_peak.grep.txt"
near "parameter" 2217.487621 "$(estimate parameter)" 1e-3
near "head" 3407.945514 "$(estimate head)" 1e-3
check "as a log file" run 0 sapp-memsplit "$tmp/init.yaml" "$logs/llama2_175b_pp16_actual_peak.grep.txt" </dev/null
near "the same" 2217.487621 "$(estimate parameter)" 1e-3
init alternating-6
check "8 used peaks, by rank" run 0 sapp-memsplit "$tmp/init.yaml" <"$logs/llama2_175b_pp16_used_peak.grep.txt"
near "parameter" 2141.75 "$(estimate parameter)" 1e-3
near "const" -1896.75 "$(estimate const)" 1e-3
check "what the ranks were taken for is said" grep -q 'ranks of 8 of 16 stages: 1024 ranks per stage' "$tmp/err"
check "their number can be given" run 0 sapp-memsplit -ranks 16384 \
	"$tmp/init.yaml" <"$logs/llama2_175b_pp16_used_peak.grep.txt"
near "parameter" 2141.75 "$(estimate parameter)" 1e-3

# Blocks as they end a log; a single stage cannot be split, but its peak is read.
mkdir "$tmp/stage_1"
printf 'pipeline_config: {pipeline_num: 4, num_layer: 32}\n' >"$tmp/init.yaml"
# peak LOG OPTIONS: print the peak read from a log as stage 1.
peak() {
	cp "$logs/$1" "$tmp/stage_1/x.log"
	shift
	sapp-memsplit -j "$@" "$tmp/init.yaml" "$tmp/stage_1/x.log" </dev/null 2>/dev/null | jq '.residuals[0].measured'
}
same "three blocks, the last counts" 260 "$(peak mindspore_docs_blocks.txt)"
same "its used peak" 245 "$(peak mindspore_docs_blocks.txt -peak used)"
same "a real run and a dryrun" 35720 "$(peak qwen25_7b_tp2pp2_real_vs_dryrun.txt)"
same "the block at the end of a log" 48874 "$(peak readme_tail_block.txt)"

# Megatron: one rank of each of four stages; 20 ranks of four stages, two records on a line.
measured() { sapp-memsplit -j "$@" </dev/null 2>/dev/null |
	jq -c 'select(.kind == "fit") | [.residuals[] | [.stage, .measured]]'; }
same "Megatron, reserved" '[[0,74306],[1,58770],[2,51772],[3,56328]]' \
	"$(measured "$tmp/init.yaml" "$logs/megatron_deepseek_v3_proxy_h100_pp4_memory.log")"
same "Megatron, allocated" '[[0,48545],[1,38760],[2,34950],[3,41311]]' \
	"$(measured -peak used "$tmp/init.yaml" "$logs/megatron_deepseek_v3_proxy_h100_pp4_memory_offload.log" |
	jq -c 'map([.[0], (.[1] | round)])')"
same "Megatron, glued" '[[0,48934],[1,44816],[2,44752],[3,44752]]' \
	"$(measured -ranks 24 "$tmp/init.yaml" "$logs/megatron_interleaved_ranks_glued_lines.log")"
done_testing
