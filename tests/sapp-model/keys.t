#!/bin/sh
# YAML files with keys of Megatron-LM: FlagScale, Primus, NeMo, maps of arguments; and refused files.
# shellcheck disable=SC2016 # expansions of files and scripts
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
said() {
	sapp-model "$@" 2>err | jq -r 'if .kind == "network"
		then "\(.layers) \(.hidden_size) \(.ffn_size) \(.kv_heads) \(.gated) \(.bias) \(.tied)"
		else "dp \(.dp) tp \(.tp) pp \(.pp) vp \(.vp) \(.micro_batches) \(.recompute)" end'
}
size='hidden_size: 256
  num_attention_heads: 4
  seq_length: 128
  micro_batch_size: 1
  global_batch_size: 16'
cat >flagscale.yaml <<END
experiment:
  runner:
    nnodes: 2
    nproc_per_node: 8
  batch: 32
system:
  tensor_model_parallel_size: 2
  pipeline_model_parallel_size: 2
  sequence_parallel: true
  precision:
    bf16: true
model:
  num_layers: 16
  swiglu: true
  ffn_hidden_size: 512
  disable_bias_linear: false
  untie_embeddings_and_output_weights: true
  $size
data:
  tokenizer:
    vocab_size: 1024
END
sed -i 's/size: 16$/size: ${experiment.batch}/' flagscale.yaml
same 'FlagScale, with nodes and another key of the file' '16 256 512 null true all null
dp 4 tp 2 pp 2 vp 1 8 none' "$(said flagscale.yaml)"

mkdir -p primus/configs/models/megatron
printf 'num_layers: 24\nhidden_size: 256\nnum_attention_heads: 4\nswiglu: true\nadd_bias_linear: false\nodd: 1\n' \
	>primus/configs/models/megatron/base.yaml
printf 'extends:\n  - base.yaml\nnum_layers: 32\nvocab_size: 1024\nffn_hidden_size: 512\n' \
	>primus/configs/models/megatron/some.yaml
cat >primus.yaml <<'END'
modules:
  pre_trainer:
    framework: megatron
    model: ${PRIMUS_MODEL:some}.yaml
    overrides:
      seq_length: 128
      micro_batch_size: 1
      global_batch_size: 64
      tensor_model_parallel_size: 2
      pipeline_model_parallel_size: 4
      virtual_pipeline_model_parallel_size: 2
      sequence_parallel: 1
      recompute_granularity: full
      recompute_method: uniform
      recompute_num_layers: 1
      untie_embeddings_and_output_weights: true
      multi_latent_atention: false
END
same 'Primus, with the model of its checkout' '32 256 512 null true none null
dp 1 tp 2 pp 4 vp 1 64 full' "$(said -n 8 primus.yaml)"
check 'a key that no list knows is named' grep -q 'primus.yaml:17: warning: --multi-latent-atention: unknown' err
check 'those of the checkout are not' sh -c '! grep -q odd err'
same 'sapp-yaml leaves its virtual size out, too' '1f1b full' "$(sapp-yaml -r primus.yaml -layers 32 2>err |
	jq -r '"\(.schedule) \(.counts.BODY | keys[0])"')"
# A script that names the file.
cat >primus.sh <<'END'
export PRIMUS_MODEL=some
torchrun --nproc_per_node 8 primus/cli/main.py train pretrain --config primus.yaml --micro_batch_size 2 \
	--context_parallel_size $CP
END
fails 'a script that names it, with options that are not known' 1 \
	'--context_parallel_size has no value: CP is not set; give it: sapp-args -set CP=VALUE primus.sh' \
	sapp-model primus.sh
sed -i 's/\$CP/1/' primus.sh
same 'the options of the script win' '32 256 512 null true none null
dp 1 tp 2 pp 4 vp 1 32 full' "$(said primus.sh)"
same 'sapp-yaml, too' '32 1f1b full' "$(sapp-yaml -r primus.sh </dev/null 2>err |
	jq -r 'select(.kind == "plan") | "\(.micro_batches) \(.schedule) \(.counts.BODY | keys[0])"')"
sapp-yaml -r primus.sh </dev/null >plan.jsonl 2>err
cp primus.sh written.sh
fails 'a plan belongs into the file' 1 "the program takes its settings from a file: give that file, after" \
	sapp-yaml -w written.sh plan.jsonl
sed 's/=some/=none/' primus.sh >none.sh
fails "the script's variables count" 1 'no layers: its usual place is' sapp-model none.sh
sed 's/--micro_batch_size 2/modules.x=2/' primus.sh >other.sh
fails 'overrides of another form' 1 "give that file, after moving the arguments that follow it into it 'primus.yaml'" \
	sapp-model other.sh

sed 's/framework: megatron/framework: maxtext/' primus.yaml >maxtext.yaml
fails 'Primus for another framework' 1 "files of Primus are only read for megatron; give sapp-model the" \
	sapp-model maxtext.yaml
echo 'model_type: kimi_k3' >>primus/configs/models/megatron/some.yaml
fails 'a type of model that settings do not describe' 1 \
	'primus.yaml: model_type: settings do not describe layers of this type' sapp-model primus.yaml
check 'whose stages have numbers, though' sh -c 'sapp-yaml -r primus.yaml </dev/null 2>err | grep -q counts'
sed -i 's/:some/:other/' primus.yaml
fails 'a model that no checkout has' 1 'no layers' sapp-model primus.yaml
check 'is named' tells "give the network's config.json before this file"

# Layers of the stages by lists, which have other names in other frameworks.
stages() { sapp-model -n 4 "$@" 2>err | jq -c 'select(.kind == "candidate") | [.vp, .stage_layers]'; }
listed() {	# LINE...
	printf '%s\n' 'modules:' '  pre_trainer:' '    framework: megatron' '    overrides:' '      num_layers: 16' \
		'      hidden_size: 256' '      num_attention_heads: 4' '      seq_length: 128' \
			'      vocab_size: 1000' \
		'      micro_batch_size: 1' '      global_batch_size: 16' '      pipeline_model_parallel_size: 2' "$@" \
		>list.yaml
}
listed '      decoder_pipeline_manual_split_list: [6, 10]'
same 'a list of Primus' '[1,[6,10]]' "$(stages list.yaml)"
listed '      decoder_pipeline_manual_split_list: [1, 5, 4, 6]'
same 'of both chunks of each stage' '[2,[6,10]]' "$(stages list.yaml)"
listed '      decoder_pipeline_manual_split_list: [1, 5, 4, 6]' '      patch_primus_pipeline: true' \
	'      pp_algorithm: zbv-formatted'
same 'or forth and back' '[2,[7,9]]' "$(stages list.yaml)"
listed '      decoder_pipeline_manual_split_list: [6, 9]'
fails 'a list of other layers' 1 "not numbers of layers of 2 stages, that sum to 16 '6,9'" sapp-model -n 4 list.yaml
sed 's/^  pipeline_model_parallel_size: 2/&\n  enable_hetero: true\n  hetero_pipeline_layer_split: [6, 10]/' \
	flagscale.yaml >hetero.yaml
same 'a list of FlagScale' '[1,[6,10]]' "$(stages hetero.yaml)"
echo 'torchrun --nproc_per_node 4 pretrain_gpt.py --num-layers 16 --hidden-size 256 --num-attention-heads 4 \
	--seq-length 128 --max-position-embeddings 128 --vocab-size 1000 --micro-batch-size 1 --global-batch-size 16 \
	--pipeline-model-parallel-size 2 --num-layer-list 6,10' >list.sh
same 'a list of MindSpeed' '[1,[6,10]]' "$(stages list.sh)"

cat >nemo.yaml <<END
trainer:
  devices: 8
  num_nodes: 2
model:
  tensor_model_parallel_size: 2
  pipeline_model_parallel_size: 4
  virtual_pipeline_model_parallel_size: 2
  num_layers: 32
  ffn_hidden_size: 512
  num_query_groups: 2
  normalization: rmsnorm
  bias: false
  activation: fast-swiglu
  share_embeddings_and_output_weights: false
  activations_checkpoint_granularity: selective
  $size
END
same 'NeMo' '32 256 512 2 true none null
dp 2 tp 2 pp 4 vp 2 8 core' "$(said -vocab 1024 nemo.yaml)"
same 'in silence' '' "$(cat err)"
same 'sapp-yaml reads it, too' 'vpp 2 8' "$(sapp-yaml -r nemo.yaml |
	jq -r '"\(.schedule) \(.interleave) \(.micro_batches)"')"
# As in its examples: a method beside no granularity, formats of 8 bits that are off, an optimizer with divided states.
# Its exp_manager has the directory that an experiment of FlagScale has, too.
cat >example.yaml <<END
exp_manager:
  exp_dir: null
$(sed 's/granularity: selective/granularity: null/; s/^model:/&\
  fp8: False\
  fp8_hybrid: True\
  fp8_e4m3: True\
  activations_checkpoint_method: uniform\
  activations_checkpoint_num_layers: 1\
  optim:\
    name: mcore_distributed_optim\
    lr: 0.1/' nemo.yaml)
END
example() { sapp-model -vocab 1024 example.yaml 2>err | jq -r 'select(.kind == "candidate") |
	"\(.recompute) \(.compute // "bf16") \(.zero)"'; }
same 'an example of NeMo' 'none bf16 1' "$(example)"
same 'in silence, too' '' "$(cat err)"
sed -i 's/name: mcore_distributed_optim/name: fused_adam/; s/fp8: False/fp8: True/; /granularity: null/d' example.yaml
same 'without division, with formats, and of a release without granularities' 'full fp8 0' "$(example)"
cat >plan <<'END'
{"kind":"plan","name":"x","origin":"manual","schedule":"1f1b","interleave":1,"micro_batches":8,
"counts":{"BODY":{"none":[[16,16]]}},"offset":[[0,0]],"recompute":[[0,0]],"select_recompute":[[0,0]],
"select_comm_recompute":[[0,0]]}
END
tr -d '\n' <plan >line
printf 'MODEL_ARGS:\n  --num-layers: 32\n' >arguments.yaml
for file in example.yaml arguments.yaml; do
	fails "plans are not written into $file" 1 'not written: files like this are only read; sapp-yaml -f' \
		sapp-yaml -w "$file" line
done
# The same as overrides in a script.
cat >example.sh <<END
torchrun --nproc_per_node 8 --nnodes 2 gpt.py model.tensor_model_parallel_size=2 model.num_layers=32 \\
	model.pipeline_model_parallel_size=4 model.ffn_hidden_size=512 model.optim.name=distributed_fused_adam \\
	$(printf '%s\n' "$size" | sed 's/^ */model./; s/: /=/' | tr '\n' ' ') model.fp8=False model.fp8_hybrid=True
END
sed -i "s/torchrun --nproc_per_node 8 --nnodes 2/python/; s/gpt.py/& trainer.devices=8 trainer.num_nodes=2/" example.sh
same "which has the devices itself" "2 4" "$(sapp-model -vocab 1024 example.sh 2>err |
	jq -r 'select(.kind == "candidate") | "\(.dp) \(.pp)"')"
same 'overrides of NeMo' 'none bf16 1' "$(sapp-model -vocab 1024 example.sh 2>err |
	jq -r 'select(.kind == "candidate") | "\(.recompute) \(.compute // "bf16") \(.zero)"')"
# Megatron-Bridge: overrides of a recipe, with the network in another file; the batch is in its own map.
cat >bridge.yaml <<'END'
model: {pipeline_model_parallel_size: 2, seq_length: 256}
train: {train_iters: 100, global_batch_size: 32, micro_batch_size: 2}
optimizer: {lr: 0.1, use_distributed_optimizer: true}
END
fails 'overrides of a recipe of Megatron-Bridge' 1 'Megatron-Bridge that names a model or recipe has none: give its' \
	sapp-model bridge.yaml
cat >llama.json <<'END'
{"model_type": "llama", "num_hidden_layers": 8, "hidden_size": 256, "num_attention_heads": 4, "intermediate_size": 512,
"vocab_size": 1024, "max_position_embeddings": 4096, "tie_word_embeddings": false}
END
same 'beside its network' '8 256 512 null null null null
dp 2 tp 1 pp 2 vp 1 8 none' "$(said -n 4 llama.json bridge.yaml)"
same 'and its optimizer' 1 "$(sapp-model -n 4 llama.json bridge.yaml 2>err | jq 'select(.kind == "candidate").zero')"
same 'and its layers' '[[4,4]] 2' "$(sapp-yaml -r bridge.yaml -layers 8 </dev/null 2>err |
	jq -r 'select(.kind == "plan") | "\(.counts.BODY.none | tojson) \(.offset[0] | length)"')"

# A list of layers as a list of the YAML.
sed 's/^  seq_length: 128/&\n  window_size: [127, 0]\n  window_attn_skip_freq: [1,1,1,0,1,1,1,0,1,1,1,0,1,1,1,0]/' \
	flagscale.yaml >windows.yaml
same 'windows of some layers, by a list' '128 12' "$(sapp-model windows.yaml 2>err | jq -r 'select(.kind == "network") |
	. as $n | [.pattern[] as $name | $n.classes[] | select(.name == $name).window // empty] | "\(.[0]) \(length)"')"
cat >map.yaml <<'END'
ENV_VARS:
  CUDA_DEVICE_MAX_CONNECTIONS: 1
MODEL_ARGS:
  --num-layers: 12
  --hidden-size: 512
  --num-attention-heads: 8
  --seq-length: 1024
  --micro-batch-size: 4
  --global-batch-size: 32
  --vocab-size: 1024
  --pipeline-model-parallel-size: 2
  --swiglu: true
END
same "a map of arguments" '12 512 1344 null true all true
dp 2 tp 1 pp 2 vp 1 4 none' "$(said -n 4 map.yaml)"

cat >swift.yaml <<'END'
model: some/model
num_layers: 8
micro_batch_size: 1
global_batch_size: 16
pipeline_model_parallel_size: 2
recompute_granularity: full
recompute_method: uniform
recompute_num_layers: 1
END
same 'a file of "megatron sft"' '[[4,4]]' \
	"$(sapp-yaml -r swift.yaml </dev/null 2>err | jq -c 'select(.kind == "plan").counts.BODY.full')"
printf 'num_layers: 4\nhidden_size: 8\n' >base.yaml
printf 'extends: [base.yaml]\nnum_layers: 6\n' >own.yaml
same 'a model that extends another one replaces what that says' '[[6]]' \
	"$(sapp-yaml -r own.yaml </dev/null 2>err | jq -c 'select(.kind == "plan").counts.BODY.none')"
printf '[parallelism]\npipeline_parallel_degree = 4\n' >t.toml
fails 'a TOML file' 1 't.toml: not read: this is the TOML file of torchtitan; give' sapp-model t.toml
fails 'to sapp-yaml, too' 1 'this is the TOML file of torchtitan' sapp-yaml -r t.toml
foreign() {
	printf '%s\n' "$2" >"$1"
	fails "a file of $3" 1 "not read: this is ${4:-the} $3" sapp-model "$1"
}
foreign ds.json '{"train_batch_size": 8, "zero_optimization": {"stage": 1}}' 'configuration of DeepSpeed'
foreign neox.yml '  "pipe_parallel_size": 4' 'configuration of GPT-NeoX'
foreign neox2.yml '"zero_optimization": 1
"pipe-parallel-size": 4' 'configuration of GPT-NeoX'
foreign fsdp.yaml 'parallel:
  fsdp_modules: [a]' "configuration of MindSpeed's trainer with FSDP2"
foreign flagscale.yaml 'experiment:
  exp_dir: x' 'experiment of FlagScale'
foreign compress.yaml 'compress_args:
  quantization: 1' 'compression of FlagScale' a
foreign generate.yaml 'llm:
  vq_model: x' 'inference of FlagScale' an
foreign serve.yaml '- engine_args:
    model: x' "configuration of a server"
foreign plan.yaml 'parallel:
  fsdp_plan:' "configuration of MindSpeed's trainer with FSDP2"
foreign mm.yaml 'gpt_args:
  context_parallel_size: 1' 'configuration of MindSpeed-MM'
foreign learn.yaml 'runtime_args:
  rollout_backend: vllm' 'configuration of ChatLearn'
foreign inf.yaml 'cluster:
  component_placement:' 'configuration of RLinf'
foreign roll.yaml 'exp_name: x
actor_train:
  strategy_args:' 'configuration of ROLL'
foreign areal.yaml 'allocation_mode: sglang:d4+d4' 'configuration of AReaL'
foreign neuron.yaml 'exp_manager:
  exp_dir: null
distributed_strategy:
  tensor_model_parallel_size: 8' 'configuration of neuronx-distributed-training'
foreign max.yaml 'base_emb_dim: 4096' 'configuration of MaxText'
foreign verl.yaml 'actor_rollout_ref:
  actor: 1' 'configuration of verl'
foreign rl.yaml 'policy:
  megatron_cfg:
    tensor_model_parallel_size: 2' 'recipe of NeMo-RL'
echo '{"hidden_size": 8}' >none.json
fails 'a config.json without model_type' 1 'no model_type: this is not the config.json of a network' \
	sapp-model none.json
sed 's/^  activation.*/&\n&/' nemo.yaml >twice.yaml
check 'of a key twice the last counts' sh -c 'sapp-model -vocab 1024 twice.yaml 2>err >out'
check 'with a warning' grep -q 'duplicate key, first on line' err
# The current run: uneven stages, and settings that a candidate cannot express.
base='--num-layers 16 --hidden-size 256 --num-attention-heads 4 --seq-length 128 --vocab-size 1000 --swiglu
--micro-batch-size 1 --global-batch-size 16 --pipeline-model-parallel-size 4'
runs() {
	echo "$base $*" >arguments
	sapp-model -n 8 arguments 2>err | jq -c 'select(.kind == "candidate") | [.stage_layers, .vp, .recompute]'
}
same 'first and last stage' '[[2,5,5,4],1,"none"]' \
	"$(runs --decoder-first-pipeline-num-layers 2 --decoder-last-pipeline-num-layers 4)"
same 'a last stage alone' '[[5,5,5,1],1,"none"]' "$(runs --decoder-last-pipeline-num-layers 1)"
block='--recompute-granularity full --recompute-method block --recompute-num-layers'
same 'some layers of each piece' '[null,1,null]' "$(runs "$block" 2)"
check 'are warned of' tells '2 layers of every piece are recomputed, which a candidate cannot express'
same 'all of them' '[null,1,"full"]' "$(runs "$block" 4)"
same 'two chunks of dualpipev' '[null,2,"none"]' "$(runs --schedules-method dualpipev)"
check 'with a warning' tells '--schedules-method dualpipev: the candidate has interleaved 1F1B with two chunks instead'
same 'two chunks of zero bubbles in V shape' '[null,2,"none"]' "$(runs --zero-bubble-v-schedule)"
check 'with a warning, too' tells '--zero-bubble-v-schedule: the candidate has interleaved 1F1B with two chunks instead'
same 'zero bubbles' '[null,1,"none"]' "$(runs --enable-zero-bubble)"
check 'with a warning of 1F1B' tells '--enable-zero-bubble: the candidate has 1F1B instead'
echo "$base $block 3 --num-layers-per-virtual-pipeline-stage 2 --enable-recompute-layers-per-pp-rank" >arguments
same 'layers recomputed by stage, in chunks' '[[2,2,2,2],[1,1,1,1]]' \
	"$(sapp-yaml -r arguments | jq -c .counts.BODY.full)"
cat >mindformers.yaml <<'END'
runner_config: { batch_size: 1 }
parallel_config: { data_parallel: 2, model_parallel: 1, pipeline_stage: 4, micro_batch_num: 8 }
recompute_config: { recompute: [4, 4, 0, 0] }
model:
  model_config: { num_layers: 16, hidden_size: 256, num_heads: 4, vocab_size: 1000, seq_length: 128,
    offset: [1, 0, 0, -1] }
END
same 'offsets of MindFormers' '[5,4,4,3]' "$(sapp-model mindformers.yaml 2>err |
	jq -c 'select(.kind == "candidate").stage_layers')"
check 'a list of recomputation is warned of' tells 'recompute_config: a candidate cannot express which layers'
# ms-swift: the network is in a model's file, and keys have underscores; a file to include is missing.
printf 'megatron sft --model a/b --pipeline_model_parallel_size 4 --decoder_first_pipeline_num_layers 5 \\\n' >swift.sh
printf ' --micro_batch_size 1 --global_batch_size 8\n' >>swift.sh
unconfined=$(sapp-args swift.sh 2>&1 | grep -c 'cannot be confined')
if [ "$unconfined" = 0 ]; then
	same 'underscores are dashes' '5,9,9,9' "$(sapp-yaml -r swift.sh -layers 32 2>err |
		jq -r '.counts.BODY.none[0] | map(tostring) | join(",")')"
	fails 'without its network it says what to give' 1 'give its config.json before it' sapp-model swift.sh
	cat >q.json <<-'END'
	{"model_type": "qwen3", "hidden_size": 1024, "num_hidden_layers": 28, "num_attention_heads": 16,
	"num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 3072, "vocab_size": 151936,
	"max_position_embeddings": 40960, "tie_word_embeddings": true}
	END
	printf 'NPROC_PER_NODE=8 megatron sft --model a/b --dataset x#9 '\
'--tensor_model_parallel_size 2 --max_length 2048 ' >swift.sh
	printf -- '--micro_batch_size 1 --global_batch_size 8 --packing true --vllm_mode x %s\n' \
		'--tuner_type lora --lora_rank 4 --target_modules linear_proj' >>swift.sh
	same 'a run says of the network of another file: length, adapters; ms-swift divides states' \
		"2048 $(((2048 + 1024) * 4)) 1 4" "$(sapp-model q.json swift.sh 2>err |
		jq -rs '"\(.[0].seq_length) \(.[0].trained) \(.[1].zero) \(.[1].dp)"')"
	check 'no argument of ms-swift is unknown' sh -c '! grep unknown err'
	sed 's/--packing true/& --optimizer_cpu_offload true --optimizer_offload_fraction 0.5 --mtp_num_layers 1/' \
		swift.sh >host.sh
	same 'and states on the host, layers that predict tokens' '0.5 1' "$(sapp-model q.json host.sh 2>/dev/null |
		jq -rs '"\(.[1].optimizer_host) \(.[0].mtp_layers)"')"
	sed 's/linear_proj/all-linear all-router/' swift.sh >all.sh
	check 'adapters of routers are named' sh -c 'sapp-model q.json all.sh 2>&1 >/dev/null |
		grep -q "adapters of routers are not counted"'
	same 'a pipeline of one stage, of a network of another file' '[[28]]' \
		"$(sapp-yaml -r swift.sh -layers q.json </dev/null 2>/dev/null | jq -c \
			'select(.kind == "plan").counts.BODY | add')"
	sed 's/--tuner_type lora/--tuner_type llamapro/' swift.sh >tuner.sh
	sed 's/--tuner_type lora/--tuner_type lora_llm/' swift.sh >language.sh
	same 'adapters of the language model' "$(sapp-model q.json swift.sh 2>/dev/null)" \
		"$(sapp-model q.json language.sh 2>err)"
	check 'without the towers, which is said' grep -q \
		'warning: --tuner_type lora_llm: the training of towers is not counted: memory more' err
	fails 'another tuner' 1 "tuner.sh:1: --tuner_type: not full, lora or lora_llm 'llamapro'" \
		sapp-model q.json tuner.sh
	mkdir -p models
	echo 'MODEL_ARGS=(--num-layers 4 --hidden-size 256 --num-attention-heads 4 --vocab-size 1000 --swiglu)' \
		>models/small.sh
	cat >slime.sh <<-'END'
	source "$(dirname "$0")/models/small.sh"
	ray job submit --address=x -- python3 train.py --actor-num-nodes 2 --actor-num-gpus-per-node 8 \
		--colocate ${MODEL_ARGS[@]} --prompt-data p --rollout-batch-size 32 --global-batch-size 256 \
		--sglang-mem-fraction-static 0.7 --tensor-model-parallel-size 2 --context-parallel-size 2 \
		--use-dynamic-batch-size --max-tokens-per-gpu 1024
	END
	same 'slime: devices of the actor, packed sequences, divided states' '2048 4 1' "$(sapp-model slime.sh 2>err |
		jq -rs '"\(.[0].seq_length) \(.[1].dp) \(.[1].zero)"')"
	same 'slime: what is not counted' '--use-dynamic-batch-size' \
		"$(sed -n 's/.*warning: \(--[a-z-]*\) is not counted.*/\1/p' err)"
	printf 'source ./models/any.sh\ntorchrun train.py ${MODEL_ARGS[@]} --micro-batch-size 1\n' >sourced.sh
	fails 'without layers' 1 'no layers' sapp-model sourced.sh
	check 'a file that is not there is named' tells "sourced.sh:1: warning: no such file: './models/any.sh'"
else
	for i in 1 2 3 4; do skip 'scripts cannot be confined here'; done
fi

# Precedence of names in a training YAML: the length of its sequences is not the maximum of the model.
printf '%s\n' 'model: {model_config: {num_heads: 4, num_layers: 2, hidden_size: 64, vocab_size: 100,' \
	'  seq_length: 128, max_position_embeddings: 4096}}' >"$tmp/both.yaml"
same 'seq_length before max_position_embeddings' 128 "$(sapp-model "$tmp/both.yaml" 2>/dev/null | jq -r .seq_length)"
done_testing
