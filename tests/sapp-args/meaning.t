#!/bin/sh
# Each argument is read, has no effect on memory and the step, or is reported as not counted.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
base='--num-layers 4 --hidden-size 256 --num-attention-heads 4 --seq-length 128 --vocab-size 1000'

echo "$base --pipeline-model-parallel-sizes 2" >typing
fails 'an argument that no list knows' 1 \
	'typing:1: --pipeline-model-parallel-sizes: unknown; did you mean --pipeline-model-parallel-size?' \
	sapp-model typing
for name in pipeline-model-paralel-size=pipeline-model-parallel-size hiden-size=hidden-size num-layer=num-layers; do
	echo "$base --${name%=*} 2" >slip
	fails "the whole name counts: $name" 1 "--${name%=*}: unknown; did you mean --${name#*=}?" sapp-model slip
done
fails 'sapp-yaml, too' 1 '--pipeline-model-parallel-sizes: unknown' sapp-yaml -r typing
same '-lenient goes on' 4 "$(sapp-model -lenient typing 2>err | jq 'select(.kind == "network").layers')"
check 'with a warning' grep -q 'typing:1: warning: --pipeline-model-parallel-sizes: unknown; did you mean' err
echo "$base --no-overlap-p2p-communication --overlap_grad_reduce --save x --log-interval 1 --profile" \
	--use-pytorch-profiler --swiglu >known
same 'what is not counted is said, with the direction; the rest is silent' \
'sapp-model: known:1: warning: --no-overlap-p2p-communication is not counted: step longer
sapp-model: known:1: warning: --overlap_grad_reduce is not counted: step shorter' \
	"$(sapp-model known 2>&1 >/dev/null | grep -v 'no candidate')"

echo "$base --swiglu --optimizer muon" >muon
check 'a value may decide the class' sh -c "sapp-model muon 2>&1 | grep -q -- '--optimizer is not counted: memory less'"
echo "$base --swiglu --optimizer adam" >adam
same 'as the usual one does' '' "$(sapp-model adam 2>&1 >/dev/null | grep -v 'no candidate')"
echo "$base --swiglu --decoder-seq-length 512 --vision-model-type clip --img-h 336" >vision
same 'of a vision model the length is that of the decoder' 512 \
	"$(sapp-model vision 2>err | jq 'select(.kind == "network").seq_length')"
echo "$base --swiglu --geglu --pad-vocab-size-to 2048 --zero-stage 1 --micro-batch-size 1 --global-batch-size 8" >zero
same 'DeepSpeed divides states, and pads the vocabulary' '2048 1' "$(sapp-model -n 2 zero 2>err |
	jq -rs '"\(.[0].vocab_size) \(.[1].zero)"')"
stages() { sapp-yaml -r "$1" </dev/null 2>/dev/null | jq -c 'select(.kind == "plan").counts.BODY | add'; }
echo "$base --pipeline-model-parallel-size 2 --pp-partition-method type:transformer" >partition
same 'DeepSpeed divides the layers' '[[2,2]]' "$(stages partition)"
echo "$base --pipeline-model-parallel-size 3 --pp-partition-method 'type:transformer|embedding' --world-size 3" \
	'--micro-batch-size 1 --global-batch-size 8 --swiglu' >partition
same 'or embedding and head among them' '[[1,2,1]]' "$(stages partition)"
same 'the candidate of what runs, too' '[1,2,1]' \
	"$(sapp-model partition 2>/dev/null | jq -c 'select(.kind == "candidate").stage_layers')"
sed -i 's/--pipeline-model-parallel-size 3/--pipeline-model-parallel-size 4/' partition
fails 'which must be whole' 1 '6 layers cannot be divided evenly over 4 pieces; --pp-partition-method or' \
	sapp-yaml -r partition
sed -i "s/'type:[a-z|]*'/best/" partition
fails 'another division of DeepSpeed' 1 \
	"--pp-partition-method: not uniform, type:transformer or type:transformer|embedding 'best'" \
	sapp-yaml -r partition
echo "$base --pipeline-model-parallel-size 4 --world-size 6 --micro-batch-size 1 --global-batch-size 8" >devices
fails 'too few devices are named' 1 '6 devices: not a multiple of tensor times pipeline times context parallel, 4' \
	sapp-yaml -r devices

echo '--model.model_name_or_path x --parallel.fsdp_size 8' >fsdp2
fails 'a trainer with FSDP2' 1 \
	"fsdp2:1: --model.model_name_or_path: not read: these are arguments of MindSpeed's trainer with FSDP2" \
	sapp-model fsdp2
printf '{"kind":"launch","line":3,"source":"t.sh","environment":{},"launcher":["torchrun"],%s}\n' \
	'"program":"train_fsdp2.py","arguments":["a.yaml"]' >file
fails 'a program that reads a file' 1 "the program takes its settings from a file: give that file 'a.yaml'" \
	sapp-model file

echo "$base --pipeline-model-parallel-size 2 --swiglu --decoder-num-layers 4" >t5
fails 'encoder and decoder, in sapp-yaml, too' 1 't5:1: --decoder-num-layers: networks of encoder and decoder' \
	sapp-yaml -r t5

mkdir -p train
printf 'parallel:\n  fsdp_modules: [a]\n' >train/a.yaml
echo 'torchrun train_fsdp2.py train/a.yaml' >follows.sh
mkdir -p elsewhere away
printf '{"kind":"launch","line":3,"source":"%s/follows.sh","environment":{},"launcher":["torchrun"],%s}\n' "$tmp" \
	'"program":"train_fsdp2.py","arguments":["train/a.yaml"]' >elsewhere/record
for tool in 'sapp-model follows.sh' 'sapp-yaml -r follows.sh' 'env -C away sapp-model ../elsewhere/record'; do
	fails "a file that is followed, but not read: $tool" 1 \
		"train/a.yaml: not read: this is the configuration of MindSpeed's trainer with FSDP2" $tool
done

called() {
	printf '{"kind":"launch","line":3,"source":"t.sh","environment":{},"launcher":["x"],"program":"%s",%s}\n' "$1" \
		 "\"arguments\":[$2]" >call
}
called run_grpo.py '"--config","a/b.yaml","policy.x=1"'
fails 'or by an option' 1 \
	"from a file: give that file, after moving the arguments that follow it into it 'a/b.yaml'" sapp-model call
called tools/checkpoint/convert.py '"--num-layers","4","--target-tensor-parallel-size","2"'
for tool in 'sapp-model call' 'sapp-yaml -r call'; do
	fails "what does not train is named: $tool" 1 \
		"not read: by its name 'tools/checkpoint/convert.py' does not train" \
		$tool
done
printf '{"kind":"launch","line":3,"source":"t.sh","environment":{},"launcher":["swift"],%s}\n' \
	'"program":"sft","arguments":["--max_length","4","--max_steps","2"]' >call
fails 'ms-swift without Megatron' 1 'not read: these are arguments of transformers, which trains without a pipeline' \
	sapp-model call
called megatron_mimo_training.py '"--num-layers","4","--vision-encoder","x"'
fails 'networks in the program' 1 'not read: it uses a recipe, a Python program whose settings' sapp-model call
called pretrain_t5.py '"--num-layers","4"'
fails 'T5 by its name' 1 'networks of encoder and decoder, such as T5, are not supported' sapp-model call
called maxtext.train '"a.yml"'
fails 'arguments of MaxText' 1 'not read: these are arguments of MaxText' sapp-yaml -r call
called run_recipe.py '"--recipe","llama_config","model.pipeline_model_parallel_size=2"'
fails 'a recipe' 1 'not read: it uses a recipe, a Python program whose settings are not in the script' sapp-model call
called sft.py '"--per_device_train_batch_size","1"'
fails 'a trainer without a pipeline' 1 \
	'not read: these are arguments of transformers, which trains without a pipeline' sapp-model call
called own.py '"--experiment-dir","x"'
fails 'a program with other arguments' 1 \
	"not read: the arguments of 'own.py', such as --experiment-dir" sapp-model call

echo "$base --swiglu --encoder-num-layers 4 --decoder-num-layers 4" >t5
fails 'encoder and decoder' 1 't5:1: --decoder-num-layers: networks of encoder and decoder, such as T5' sapp-model t5
echo "$base --intermediate-size 512 --pipeline-model-parallel-size 2" >patched
fails 'layers of its own' 1 \
	"--intermediate-size: belongs to layers of Megatron-Patch, which the arguments do not describe; give the" \
	sapp-model patched
same 'of which a stage has a number, though' '[[2,2]]' "$(stages patched)"

# verl: the actor's overrides count, not those of the rollout, the reference or the critic.
a=actor_rollout_ref.actor.megatron
cat >verl.sh <<END
python3 -m verl.trainer.main_ppo --config-path=config --config-name=ppo_megatron_trainer.yaml \\
	$a.pipeline_model_parallel_size=4 $a.tensor_model_parallel_size=2 \\
	actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 trainer.n_gpus_per_node=8 trainer.nnodes=2 \\
	+$a.override_transformer_config.recompute_granularity=full \\
	+$a.override_transformer_config.recompute_method=uniform \\
	+$a.override_transformer_config.num_layers_in_first_pipeline_stage=1 \\
	+$a.override_transformer_config.num_layers_in_last_pipeline_stage=1 \\
	actor_rollout_ref.rollout.tensor_model_parallel_size=8 \\
	actor_rollout_ref.ref.megatron.pipeline_model_parallel_size=1 critic.megatron.pipeline_model_parallel_size=2
END
same 'the stages of the actor of verl' '[[1,3,3,1]]' \
	"$(sapp-yaml -r verl.sh -layers 8 </dev/null 2>err | jq -c 'select(.kind == "plan").counts.BODY.full')"
printf '{"model_type": "llama", "hidden_size": 256, "num_hidden_layers": 8, "num_attention_heads": 4,
"intermediate_size": 512, "vocab_size": 1000, "max_position_embeddings": 128}\n' >config.json
echo "$base --pipeline-model-parallel-size 2 --world-size 2 --micro-batch-size 1 --global-batch-size 8" \
	'--intermediate-size 512' >patched
fails 'a network before the layers of Megatron-Patch must be theirs' 1 \
	"patched: 4 layers, but the network before it has '8'" sapp-model config.json patched
sed -i 's/--num-layers 4/--num-layers 8/' patched
same 'which then have degrees' '["llama",8,512,null] [null,null,null,2]' \
	"$(sapp-model config.json patched | paste -sd' ' |
	jq -sc '.[] | [if .kind == "network" then .name else null end, .layers, .ffn_size, .pp]' | paste -sd' ')"
same 'and its candidate' '[2,4,2,2,16,"full",true,1]' "$(sapp-model -gb 64 config.json verl.sh 2>err |
	jq -c 'select(.kind == "candidate") | [.tp, .pp, .dp, .mbs, .micro_batches, .recompute, .sp, .zero]')"
check 'with a warning' grep -q "verl: the degrees of the actor are used" err

# Megatron-Patch and DeepSpeed have names of their own.
said() { sapp-model own 2>/dev/null | jq -rs "$1"; }
echo "$base --attention-head-type multiquery --n-head-kv 2 --glu-activation geglu --disable-bias-linear-fc" >own
same "Megatron-Patch's heads, gates and biases" '2 true 1024 qkv' \
	"$(said '.[0] | "\(.kv_heads) \(.gated) \(.ffn_size) \(.bias)"')"
echo "$base --num-experts 8 --enable-shared-expert --shared-moe-ffn-hidden-size 99 --moe-topk 3" >own
same 'and its experts' '99 3' "$(said '.[0] | "\(.shared_ffn_size) \(.experts_per_token)"')"
echo "$base --num-experts 8 --moe-expert-parallel-size 4 --mlp-type residual --world-size 8" \
	'--micro-batch-size 1 --global-batch-size 8 --tensor-model-parallel-size 2' >own
same "DeepSpeed's experts: every second layer, one a token, a dense layer beside them, not divided" \
	'2 1 1024 4 1' "$(said '"\(.[0] | "\(.moe_every) \(.experts_per_token) \(.shared_ffn_size)") \(.[1] |
		"\(.ep) \(.etp)")"')"
sed -i 's/$/ --topk 2 --expert-interval 1 --enable-expert-tensor-parallelism/' own
same 'if nothing else is said' 'null 2 2' "$(said '"\(.[0] | "\(.moe_every) \(.experts_per_token)") \(.[1].etp)"')"

echo "$base --num-experts 4 4 8 8" >own
fails 'layers with different numbers of experts' 1 'give sapp-lp layer records, with a BODY record for each number' \
	sapp-model own
echo "$base --ds-sequence-parallel-size 2 --num-key-value-heads 2 --zero-stage 3 --no-pipeline-parallel" \
	'--micro-batch-size 1 --global-batch-size 8 --world-size 8' >own
same "DeepSpeed's parallel sequences and key-value heads, and weights divided without a pipeline" '2 2 ulysses 4 3' \
	"$(said '"\(.[0].kv_heads) \(.[1] | "\(.cp) \(.cp_kind) \(.dp) \(.zero)")"')"
sed -i 's/ --no-pipeline-parallel//' own
same 'not with a pipeline' 1 "$(said '.[1].zero')"
for words in "--mm-model model.json|in this file of MindSpeed-MM; give" \
	"mindspeed_mm/fsdp/train/trainer.py run.yaml|trainer with FSDP2, which has no pipeline; give" \
	"pretrain_transformers.py run.yaml --distributed-backend nccl|trainer with FSDP2, which has no pipeline; give" \
	"pretrain_own.py run.yaml --distributed-backend nccl|takes its settings from a file: give that file"; do
	case $words in -*) launch="pretrain_vlm.py $base" ;; *) launch= ;; esac
	echo "torchrun --nproc_per_node 8 $launch ${words%|*}" >own.sh
	fails "not read: ${words%|*}" 1 "${words#*|}" sapp-model own.sh
done

echo 'python nmt.py model.encoder.num_layers=4 model.decoder.num_layers=2 model.micro_batch_size=1' >own.sh
fails 'encoder and decoder of NeMo' 1 'give sapp-lp layer records, with a BODY record for each of the two' \
	sapp-model own.sh

echo 'python train.py --config-path conf --config-name gpt model.x=1' >own.sh
fails 'the name of a file as another word' 1 "follow it into it 'gpt'" sapp-model own.sh
echo "$base --num-attention-heads-kv 2 --no-tie-embed-logits --use-rms-norm" >own
same 'names of Megatron-LLM' '2 null rms' "$(said '.[0] | "\(.kv_heads) \(.tied) \(.norm // "rms")"')"

# Names of each class: the share of arguments that are not modelled may only fall.
check 'no name is in two classes, and no larger share is not counted than before' \
	awk '/^#/ { next } /^\[/ { class = $0; next }
	{ for (i = 1; i <= NF; i++) { n[class]++; if (seen[$i]++) { print "twice: " $i; bad = 1 } } }
	END { for (c in n) all += n[c]
		other = all - n["[read]"] - n["[no effect]"]
		if (other > MOST * all) print "not counted: " other " of " all
		exit bad || other > MOST * all || !n["[read]"] || !n["[no effect]"] }' MOST=0.302 "$top/share/arguments"
done_testing
