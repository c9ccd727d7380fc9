#!/bin/bash
# The limit of a search is that of the training file unless the job sets one; a file with a lower limit than the
# plan's is written with a higher one. A current run with fused operators can be searched.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
cat >train.yaml <<'EOF'
context:
  max_device_memory: "30GB"
runner_config:
  batch_size: 1
parallel:
  enable_parallel_optimizer: False
parallel_config:
  data_parallel: 2
  model_parallel: 2
  pipeline_stage: 2
  micro_batch_num: 8
recompute_config:
  recompute: False
model:
  model_config:
    num_layers: 4
    hidden_size: 4096
    num_heads: 32
    vocab_size: 32000
    seq_length: 4096
    offset: 0
EOF
job() {	# MODEL LINE...
	printf '%s\n' "model: $1" "${@:2}" 'devices: 8' 'cluster: atlas-900-a2' 'global_batch: 16' 'limits:' '  tp: 2' \
		'  mbs: 1' '  cp: 1' '  pp: 2'
}
limit() { jq 'select(.kind == "cluster").memory_limit' "$1/work/network.jsonl"; }
job train.yaml 'target: mindformers' >file.yaml
check 'a job' run 0 sapp-search -t 3 -k 1 -j 1 -o file file.yaml
same "the file's limit is that of the search" 30720 "$(limit file)"
check 'of which a line tells' grep -q 'max_device_memory is 30720 MB, but the memory of the cluster' err
same 'and the file keeps it' '  max_device_memory: "30GB"' "$(grep max_device file/*_pretrain.yaml)"
same 'the divided optimizer that was planned is written' True \
	"$(sed -n 's/.*enable_parallel_optimizer: //p' file/*_pretrain.yaml)"
job train.yaml 'target: mindformers' 'memory: 40GB' >more.yaml
check 'a job that says otherwise' run 0 sapp-search -t 3 -k 1 -j 1 -o more more.yaml
same 'is planned with what it says' 40960 "$(limit more)"
check 'of which a line tells, too' grep -q 'max_device_memory is 30720 MB, but the memory of the job is 40960 MB' err
same 'and its file gives what it gave' '  max_device_memory: "30GB"' "$(grep max_device more/*_pretrain.yaml)"
check 'of which a line tells at the end' grep -q \
	'max_device_memory stays at 30720 MB, but the plan was made for 40960' err

echo torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py --num-layers 4 --hidden-size 4096 \
	--num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 --swiglu --vocab-size 32000 \
	--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 16 \
	--sequence-parallel --use-ascend-mc2 >mc2.sh
job mc2.sh 'target: megatron' >mc2.yaml
check 'a script with fused operators' run 0 sapp-search -t 3 -k 1 -j 1 -o mc2 mc2.yaml
same 'their worth is said to be unknown once' 1 "$(grep -c 'no run shows what mc2 saves' err)"
same 'the winner has them, and the optimizer' '--use-ascend-mc2 --use-distributed-optimizer' \
	"$(grep -ohE -- '--use-(ascend|distributed)[a-z0-9-]*' mc2/*_pretrain.sh | sort | tr '\n' ' ' | sed 's/ $//')"

# MindSpeed-LLM reads the same script, and makes chunks uneven with no-op layers.
job mc2.sh 'target: mindspeed' | sed 's/limits:/&\n  vp: 2/' >mindspeed.yaml
check 'a job of MindSpeed-LLM' run 0 sapp-search -t 3 -k 1 -j 1 -o mindspeed mindspeed.yaml
name=$(jq -r 'select(.kind == "plan").name' mindspeed/plans.jsonl)
jq -c 'select(.kind != "plan")' mindspeed/plans.jsonl >asked
same 'its script makes the step of its plan' \
	"$(jq 'select(.kind == "plan").step_time * 1e6 | round' mindspeed/plans.jsonl)" \
	"$(sapp-yaml -r "mindspeed/${name}_pretrain.sh" -layers 4 asked 2>/dev/null | sapp-sim |
	jq 'select(.kind == "sim").step_time * 1e6 | round')"
fails 'a limit of operators that are none' 1 "fused: not none|mc2|permute|mc2+permute 'mc3'" \
	sapp-search -n <(job mc2.sh 'target: mindspeed' | sed 's/limits:/&\n  fused: mc3/')
done_testing
