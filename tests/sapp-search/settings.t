#!/bin/sh
# Settings of a job other than degrees: given, taken from the training file, or assumed with the effect of other values.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/job.sh"
cd "$tmp" || exit 1
cat >moe.json <<'END'
{"model_type":"qwen3_moe","hidden_size":2048,"num_hidden_layers":16,"num_attention_heads":16,"num_key_value_heads":4,
"head_dim":128,"intermediate_size":6144,"moe_intermediate_size":1024,"num_experts":64,"num_experts_per_tok":8,
"vocab_size":32000,"max_position_embeddings":4096,"tie_word_embeddings":false}
END
job() { printf '%s\n' 'model: moe.json' 'devices: 16' 'cluster: h100-2026' 'global_batch: 64' "$@"; }
estimated() { job "$@" >job.yaml; run 0 estimate -o s job.yaml; }
steps() { jq -c 'select(.kind == "estimate") | [.dp, .tp, .cp, .pp, .ep, .vp, .mbs, .step_time]' \
	s/work/estimates.jsonl; }

check 'a job without settings' estimated
steps >plain
cp out report
check 'says what it assumes' grep -q '^assumed: all-to-all dispatch; with flex: .*TP.* % .*(needs DeepEP)$' report
same 'each assumption once' "$(grep -c . s/work/assumed.txt)" "$(grep '^assumed' s/work/assumed.txt | sort -u | wc -l)"
same 'in lines of 100 columns' '' "$(awk 'length > 100' s/work/assumed.txt)"
check 'the defaults named' estimated 'dispatcher: alltoall' 'ep_overlap: no' 'graph: none' 'limits:' '  modules: none' \
	'  cp_kind: ring' '  etp: 1' '  zero: 1'
steps >named
same 'change nothing' "$(cat plain)" "$(cat named)"
check 'and are no assumptions' grep -q '^given: dispatcher alltoall (job), ep_overlap no (job)' out
flex=$(sed -n 's/.*with flex: \(.*\), .*/\1/p' report)
check 'the alternative named' estimated 'limits: {dispatcher: flex}'
same 'has the degrees that were promised' "$flex" "$(command jq -r -L "$top/scripts/lib" 'include "search";
	select(.kind == "estimate") | degree_words' s/work/estimates.jsonl | head -n 1)"
same 'every configuration is so' true "$(jq -s 'map(select(.kind == "estimate")) | all(.dispatcher == "flex")' \
	s/work/estimates.jsonl)"
check 'several values are varied' estimated \
	'limits: {dispatcher: [alltoall, flex], graph: [none, full], tp: 1, cp: 1, mbs: 1}'
same 'all of them' 4 "$(jq -r 'select(.kind == "estimate") | "\(.dispatcher) \(.graph)"' s/work/estimates.jsonl |
	sort -u |
	wc -l)"

check 'a schedule' estimated 'schedule: interleaved'
same 'has chunks' true "$(steps | jq -s 'all(.[5] > 1)')"
check 'another one' estimated 'schedule: 1f1b'
same 'has none' true "$(steps | jq -s 'all(.[5] == 1)')"
check 'optimizers, two places, two types' estimated 'optimizer: [adam, adam16]' 'optimizer_host: [0, 0.5]' \
	'compute: [bf16, fp8]' 'hardware: {host_link: 20}' 'margin: 0.1' \
	'limits: {tp: 1, cp: 1, pp: 2, vp: 1, mbs: 1, ep: 8}'
same 'are varied' 8 "$(jq -r 'select(.kind == "estimate") | .name, (.alike // [])[].name' s/work/estimates.jsonl |
	sort -u |
	wc -l)"
static() { jq -s --arg name "$1" 'map(select(.name == $name and .kind == "estimate"))[0].memory_parts.static' \
	s/work/estimates.jsonl; }
# The worst stage has P parameters with all weights and gradients, and states of 12 or 8 bytes divided by 8 devices.
whole=$(static DP8_TP1_PP2_EP8_MBS1) narrow=$(static DP8_TP1_PP2_EP8_MBS1_ADAM16)
half=$(static DP8_TP1_PP2_EP8_MBS1_HOST50)
near 'half of the states on the host are half of 12 bytes less, moments of 16 bits 4 of them' 1.5 \
	"$(jq -n "($whole - $half) / ($whole - $narrow)")" 1e-6
check 'the reduction to the host takes time' jq -e -n --argjson a "$(jq -s 'map(select(.kind == "estimate" and
	.name == "DP8_TP1_PP2_EP8_MBS1"))[0].times.optimizer' s/work/estimates.jsonl)" --argjson b "$(jq -s \
	'map(select(.kind == "estimate" and .name == "DP8_TP1_PP2_EP8_MBS1_HOST50"))[0].times.optimizer' \
	s/work/estimates.jsonl)" '$b > $a'
fp8() { jq -s 'map(select(.kind == "estimate" and (.name | test("^DP8_TP1_PP2_EP8_MBS1(_FP8)?$")))) | sort_by(.name) |
	.[1].step_time < .[0].step_time' s/work/estimates.jsonl; }
same 'products of 8 bits are shorter' true "$(fp8)"
check 'without the time of the link' estimated 'optimizer_host: 0.5' 'limits: {tp: 1, cp: 1, mbs: 1}'
same 'that is said, once' 1 \
	"$(grep -c 'no host_link: an optimizer on the host is estimated like one on the device' err)"
check 'documents in a sequence' estimated 'packed: [512, 512, 3072]' 'margin: 0.1'
same 'have the mean length that a token attends within' 2432 \
	"$(jq 'select(.kind == "network").document' s/work/network.jsonl)"
same 'steps are shorter' true "$(steps | jq -s --slurpfile plain plain '.[0][-1] < $plain[0][-1]')"
job 'packed: [4097]' >job.yaml
fails 'a document longer than the sequence' 1 'job.yaml: packed: a document is longer than a sequence' estimate -o s \
	job.yaml
check 'a margin' estimated 'margin: 0.1'
same 'a margin is taken off the limit' true "$(jq -s 'map(select(.kind == "cluster").memory_limit) |
	.[0] * 0.9 - .[1] | fabs < 1e-6' s/work/whole.jsonl s/work/network.jsonl)"
check 'adapters' estimated 'lora: 16' 'lora_modules: attention' 'limits: {tp: 1, mbs: 1}'
same 'freeze the rest' true "$(jq 'select(.kind == "network").frozen' s/work/network.jsonl)"

# Settings in a training script.
cat >train.sh <<'END'
torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py --tensor-model-parallel-size 1 --bf16 \
	--pipeline-model-parallel-size 2 --expert-model-parallel-size 8 --num-layers 16 --hidden-size 2048 \
	--num-attention-heads 16 --group-query-attention --num-query-groups 4 --kv-channels 128 --swiglu \
	--ffn-hidden-size 6144 --num-experts 64 --moe-router-topk 8 --moe-ffn-hidden-size 1024 --seq-length 4096 \
	--max-position-embeddings 4096 --micro-batch-size 1 --global-batch-size 64 --vocab-size 32000 \
	--untie-embeddings-and-output-weights --moe-token-dispatcher-type flex --moe-enable-deepep \
	--use-precision-aware-optimizer --exp-avg-dtype bf16 --exp-avg-sq-dtype bf16
END
check 'a training script' estimated 'training: train.sh'
check 'gives its settings, which says from where' \
	grep -q '^given: dispatcher flex (train.sh), optimizer adam16 (train.sh)' \
	out
same 'all configurations have them' true "$(jq -s 'map(select(.kind == "estimate")) | all(.dispatcher == "flex")' \
	s/work/estimates.jsonl)"

# Settings of the job are written if the target can run them, and removed if the script has other settings.
job 'training: train.sh' 'compute: mxfp8' 'optimizer: adam' 'optimizer_host: 0.5' \
	'limits: {tp: 1, cp: 1, pp: 2, vp: 1, mbs: 1, ep: 8}' >job.yaml
check 'a script whose settings the job changes' run 0 sapp-search -t 3 -j 1 -k 1 -o written job.yaml
for argument in '--fp8-format hybrid' '--fp8-recipe mxfp8' '--use-precision-aware-optimizer' '--optimizer-cpu-offload' \
	'--optimizer-offload-fraction 0.5'; do
	check "it is written: $argument" grep -q -e "$argument" written/DP8_*_pretrain.sh
done
check 'and taken out' sh -c '! grep -q exp-avg "$1"' sh written/DP8_*_pretrain.sh
same 'which the current run of that script has' '"adam" 0.5 "mxfp8"' "$(sapp-model written/DP8_*_pretrain.sh 2>err |
	jq -r 'select(.kind == "candidate") | "\(.optimizer | tojson) \(.optimizer_host) \(.compute | tojson)"')"
printf '%s\n' 'model: train.sh' 'devices: 16' 'cluster: h100-2026' 'global_batch: 64' 'measured: nothing' \
	'compute: fp8' >bad.yaml
fails 'another type than what was measured' 1 "bad.yaml: compute: not the type of the measured run, bf16 'fp8'" \
	estimate -o b bad.yaml

# Kinds of recomputation that plans may use.
job 'memory: 20000' 'recompute: none,select' 'limits: {tp: 1, cp: 1, pp: 2, mbs: 1, vp: 1, ep: 8}' >job.yaml
check 'without full recomputation' run 0 sapp-search -t 3 -j 1 -k 1 -o kinds job.yaml
same 'no layer is' 0 "$(jq -s 'map(select(.kind == "plan").recompute | flatten | add) | add' kinds/plans.jsonl)"

# Layers that predict further tokens are on the loss's stage: settings count them, and scripts with them can be edited.
cat >mtp.sh <<'END'
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py --hidden-size 256 --ffn-hidden-size 512 --num-attention-heads 4 \
	--seq-length 128 --micro-batch-size 1 --global-batch-size 16 --padded-vocab-size 1024 --swiglu \
	--untie-embeddings-and-output-weights --num-layers 16 --pipeline-model-parallel-size 4 --mtp-num-layers 1
END
printf '%s\n' 'model: mtp.sh' 'training: mtp.sh' 'devices: 8' 'cluster: h100' 'global_batch: 16' \
	'limits: {pp: 2, tp: 1, mbs: 1, vp: 1}' >job.yaml
check 'a script with multi-token prediction' run 0 sapp-search -t 2 -j 1 -k 1 -o mtp job.yaml
same 'is edited' 1 "$(grep -c -- '--pipeline-model-parallel-size 2' mtp/*_pretrain.sh)"
sapp-yaml -f megatron mtp/plans.jsonl >args 2>err
same 'arguments have the layer, too' '--mtp-num-layers 1' "$(grep -o -- '--mtp-num-layers [0-9]*' args)"
grep -v '"kind":"plan"' mtp/plans.jsonl >asked
same 'which are read back as the plan' "$(jq 'select(.kind == "plan").step_time * 1e6 | round' mtp/plans.jsonl)" \
	"$(sapp-yaml -r args -layers 16 asked 2>/dev/null | sapp-sim |
	jq 'select(.kind == "sim").step_time * 1e6 | round')"

bad() { job "$2" >bad.yaml; fails "$1" 1 "$3" estimate -o b bad.yaml; }
bad 'a dispatcher that is none' 'limits: {dispatcher: deepep}' "limits: dispatcher: not alltoall|flex 'deepep'"
bad 'a module that is none' 'modules: mlp+atn' "modules: not none|core_attn|"
bad 'a margin above a half' 'margin: 8' 'margin: not between 0 and 0.5'
bad 'an optimizer that is none' 'optimizer: lion' "optimizer: not adam|adam16|sgd 'lion'"
bad 'more than all on the host' 'optimizer_host: 2' 'optimizer_host: not between 0 and 1'
bad 'a type of numbers that is none' 'compute: int8' "compute: not bf16|fp8|fp8_block|mxfp8|fp4 'int8'"
bad 'documents without lengths' 'packed: 512' 'packed: expected a list of numbers of tokens'
{ job 'graph: none' 'limits: {graph: full}'; } >bad.yaml
fails 'a setting twice' 1 'graph: also in limits' estimate -o b bad.yaml
done_testing
