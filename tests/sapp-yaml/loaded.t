#!/bin/bash
# A YAML is read like PyYAML loads it (6.0.3 gave these values), and written also if a map contains only a merge.
# Changes by another program in the meantime are not lost.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1

train() {	# PARALLEL_CONFIG...
	printf '%s\n' "$@" 'recompute_config: {recompute: False}' 'runner_config: {batch_size: 1}' \
		'model: {model_config: {num_layers: 4, offset: 0, hidden_size: 64, num_heads: 4,' \
		'  vocab_size: 64, seq_length: 64}}'
}
says() { sapp-model "$1" 2>err | jq -c 'select(.kind == "candidate") | [.dp, .tp, .pp]'; }

# Whole numbers of YAML 1.1.
while read -r text value; do
	train "parallel_config: {data_parallel: $text, model_parallel: 1, pipeline_stage: 1}" >t.yaml
	same "$text is $value" "[$value,1,1]" "$(says t.yaml)"
done <<'EOF'
040 32
0x20 32
0b100000 32
3_2 32
1:30 90
1_0:0 600
0_7 7
+7 7
0010 8
EOF
for text in 08 0o17 1:60 1e1 0x; do
	train "parallel_config: {data_parallel: $text, model_parallel: 1, pipeline_stage: 1}" >t.yaml
	fails "$text is none" 1 "'$text'" sapp-model t.yaml
done

# Maps with only merges, with several merges, and with merges and other keys: the written file has the candidate's
# degrees.
counts='"counts":{"L":{"none":[[1,1]],"full":[[0,2]]}},'
lists='"offset":[[-1,1]],"recompute":[[0,2]],"select_recompute":[[0,2]],"select_comm_recompute":[[0,2]]'
cat >plan.jsonl <<EOF
{"kind":"candidate","name":"x","dp":2,"tp":2,"pp":2,"mbs":2,"micro_batches":8,"zero":1,"sp":true}
{"kind":"pipeline","stages":2,"micro_batches":8,"interleave":1,"schedule":"1f1b","memory_limit":50000}
{"kind":"plan","name":"x","origin":"planner","schedule":"1f1b","interleave":1,"micro_batches":8,$counts$lists}
EOF
merged() {	# NAME FILE [LAYERS]
	check "$1: written" run 0 sapp-yaml -w "$2" plan.jsonl
	same "$1: read back" '[2,2,2,2,8,true]' "$(sapp-yaml -r "$2" plan.jsonl 2>err | jq -c '
		select(.kind == "candidate" and .name == "current") | [.dp, .tp, .pp, .mbs, .micro_batches, .sp]')"
	cp "$2" once
	check "$1: again" run 0 sapp-yaml -w "$2" plan.jsonl
	same "$1: with nothing to do" "$(cat once)" "$(cat "$2")"
}
cat >merges.yaml <<'EOF'
degrees: &degrees {data_parallel: 8, model_parallel: 1, pipeline_stage: 1}
again: &again {recompute: False}
all: &all {enable_parallel_optimizer: False}
sizes: &sizes {num_layers: 4, offset: 0, hidden_size: 64, num_heads: 4, vocab_size: 64, seq_length: 64}
batch: &batch {batch_size: 1}
parallel_config:
  <<: *degrees
recompute_config:
  <<: *again
parallel:
  <<: *all
runner_config: {<<: *batch}
model:
  model_config:
    <<: *sizes
EOF
merged 'maps of merges alone' merges.yaml
cat >two.yaml <<'EOF'
a: &a {data_parallel: 8, model_parallel: 4, pipeline_stage: 1}
b: &b {model_parallel: 1, micro_batch_num: 2}
parallel_config:
  <<: *a
  <<: *b
recompute_config: {recompute: False}
runner_config: {batch_size: 1}
model: {model_config: {num_layers: 4, offset: 0, hidden_size: 64, num_heads: 4, vocab_size: 64, seq_length: 64}}
EOF
same 'of two merges the later one counts' '[8,1,1]' "$(says two.yaml)"
same 'and is no key a second time' '' "$(cat err)"
merged 'two merges' two.yaml
cat >primus.yaml <<'EOF'
base: &base {num_layers: 4, tensor_model_parallel_size: 8, micro_batch_size: 1}
modules:
  pre_trainer:
    framework: megatron
    overrides:
      <<: *base
EOF
cat >flagscale.yaml <<'EOF'
base: &base {tensor_model_parallel_size: 8, sequence_parallel: false}
sizes: &sizes {num_layers: 4, micro_batch_size: 1}
system:
  <<: *base
model:
  <<: *sizes
EOF
jq -c 'if .kind == "plan" then .counts.L = { none: [[1, 3]] } | .recompute = [[0, 0]] | .select_recompute = [[0, 0]] |
	.select_comm_recompute = [[0, 0]] else . end' plan.jsonl >none && mv none plan.jsonl
merged 'overrides of Primus' primus.yaml
merged "FlagScale's maps" flagscale.yaml

# The file is read before the records, so a change in between is by another program.
printf '%s\n' 'system: {tensor_model_parallel_size: 8}' 'model: {num_layers: 4}' >mine.yaml
train 'parallel_config: {data_parallel: 8, model_parallel: 1, pipeline_stage: 1}' >t.yaml
echo torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64 --num-attention-heads 4 \
	--seq-length 64 --max-position-embeddings 64 --pipeline-model-parallel-size 1 --micro-batch-size 1 \
	--global-batch-size 8 >t.sh
for file in t.yaml t.sh mine.yaml; do
	rm -f records
	mkfifo records
	sapp-yaml -w "$file" records 2>err &
	exec 3>records
	echo '# by another hand' >>"$file"
	cp "$file" now
	cat plan.jsonl >&3
	exec 3>&-
	wait $!
	same "$file: an edit in between is an error" 1 $?
	check "$file: which is said" grep -q 'another program has changed it' err
	same "$file: and stays" "$(cat now)" "$(cat "$file")"
	same "$file: nothing is left beside it" '' "$(find . -name "$file.*")"
done
done_testing
