#!/bin/bash
# The state that MindFormers' optimizer parallel divides. The cases are from its performance tuning guide (r1.5.0): 13
# billion parameters with data parallel 8 and full recomputation, 1860 tokens/s/p; 7 billion with data parallel 8, MFU
# 53 %.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1

train() {	# NETWORK STEPS OPTIMIZER [CONFIG [RECOMPUTE]]
	printf '%s\n' 'context: {max_device_memory: "58GB"}' \
		"runner_config: {batch_size: 1, gradient_accumulation_steps: $2}" \
		"parallel: {enable_parallel_optimizer: $3, parallel_optimizer_config: {$4}}" \
		'parallel_config: {data_parallel: 8, model_parallel: 1, pipeline_stage: 1, micro_batch_num: 1}' \
		"recompute_config: {recompute: True${5:+, $5}}" "model: {model_config: {offset: 0, $1}}" >t.yaml
	sapp-model t.yaml | sapp-est -cluster atlas-900-a2 >estimate
	jq -r 'select(.kind == "estimate") |
		"\(.zero) \(.memory[0] < 58 * 1024) \(.memory_parts.static | round)"' estimate
}
large='num_layers: 40, hidden_size: 5120, num_heads: 40, intermediate_size: 13824, vocab_size: 32000, seq_length: 4096'
small='num_layers: 32, hidden_size: 4096, num_heads: 32, intermediate_size: 11008, vocab_size: 32000, seq_length: 4096'
# 13,015,864,320 parameters with 2 bytes of gathered weights, and an eighth of 4 bytes of gradients and 12 of states.
parameters=13015864320
static() { echo "$parameters $1 $2" | awk '{ printf "%.0f", $1 * ($2 + $3 / 8) / 1048576 }'; }
same '13B without it' "0 false $(static 18 0)" "$(train "$large" 1 False)"
same '13B' '2 true' "$(train "$large" 1 True | cut -d' ' -f1,2)"
near '13B: weights are gathered, the rest is divided' "$(static 2 16)" "$(train "$large" 1 True | cut -d' ' -f3)" 700
same '13B with gradients that are accumulated whole' "1 false $(static 6 12)" "$(train "$large" 4 True)"
same '13B with those divided' '2 true' \
	"$(train "$large" 4 True 'gradient_accumulation_shard: True' | cut -d' ' -f1,2)"
same '13B with weights gathered again' '3 true' \
	"$(train "$large" 1 True '' 'parallel_optimizer_comm_recompute: True' | cut -d' ' -f1,2)"
same '7B' '2 true' "$(train "$small" 1 True | cut -d' ' -f1,2)"
same "7B without recomputation: the interval holds the guide's MFU" true "$(
	sed 's/recompute: True/recompute: False/' t.yaml >plain.yaml
	sapp-model plain.yaml | sapp-est -cluster atlas-900-a2 | jq 'select(.kind == "estimate") |
		.fits and .mfu * .step_time / .high < 0.53 and 0.53 < .mfu * .step_time / .low')"
train "$large" 1 True >/dev/null
same "13B: the interval holds the guide's tokens/s/p" true "$(jq 'select(.kind == "estimate") |
	(.tokens_per_second * .step_time) as $tokens | $tokens / .high < 1860 and 1860 < $tokens / .low' estimate)"
same 'a space has it so' '[1,2]' "$(sapp-model t.yaml | head -n 1 | sapp-enum -n 8 -gb 16 -tp 1 -pp 1 -cp 1 -mbs 1,2 \
	-rules mindformers 2>/dev/null | jq -sc 'map(select(.kind == "candidate").zero // 1) | unique')"
done_testing
