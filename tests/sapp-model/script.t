#!/bin/sh
# Scripts in the forms that shells allow, and the arguments of Megatron-LM one by one.
. "$(dirname "$0")/../lib.sh"
base='--num-layers 4 --hidden-size 256 --num-attention-heads 4 --seq-length 128 --vocab-size 1000'
network() { sapp-model "$@" 2>"$tmp/err" | jq -c 'select(.kind == "network") | del(.kind, .name)'; }
python="python pretrain_gpt.py"
echo "$python $base" >"$tmp/base.sh"
plain=$(network "$tmp/base.sh")

# script TITLE TEXT: the script gives the same network.
script() { printf "$2" >"$tmp/script.sh"; same "$1" "$plain" "$(network "$tmp/script.sh")"; }
script 'an array' "A=(--num-layers 4 --hidden-size 256 # text\n # more\n\t'--num-attention-heads' 4\n--seq-length 128 \
--vocab-size 1000)\n$python \"\${A[@]}\"\n"
script 'an array that grows' "A=(--num-layers 4 --hidden-size 256)\nA+=(--num-attention-heads 4 --seq-length 128)\n\
A+=(--vocab-size 1000)\n$python \${A[@]}\n"
script 'a text that grows' "A='--num-layers 4 --hidden-size 256'\nA+=' --num-attention-heads 4'\n\
A+=\" --seq-length 128 --vocab-size 1000\"\n$python \$A\n"
script 'an array that grows from nothing' "A+=($base)\n$python \${A[@]}\n"
script 'an empty array, an empty text' "A=()\nB=\nC=''\n$python \$A \$B \$C $base\n"
script 'values of variables that are not set' "$python --num-layers \${L:-4} --hidden-size \${H-256} \
--num-attention-heads \${N:=4} --seq-length \${S=128} --vocab-size 1000\n"
script 'values of those that are' "L=4\nH=256\n$python --num-layers \${L:-5} --hidden-size \${H-7} \
--num-attention-heads \${L:=9} --seq-length \$((H / 2)) --vocab-size \$((1000 * (L - 3)))\n"
script 'sums within sums' "L=2\nL_x4=0\n$python --num-layers \$((L + \$L)) --hidden-size \$((64 * \${L} * L)) \
--num-attention-heads \$((L_x4 + 4)) --seq-length 128 --vocab-size 1000\n"
script 'letters with a backslash' "$python --num\\\\-layers 4 --hidden-size 2\\\\56 --num-attention-heads \"4\" \
--seq-length '1'28 --vocab-size 1000\n"
script 'lines that go on in quotes' "A=\"--num-layers 4 \\\\\n--hidden-size 256\\\\\n --num-attention-heads 4\n\
--seq-length 128 --vocab-size 1000\"\n$python \$A\n"
script 'prefixes of assignments' "export L=4\ntypeset H=256\nreadonly N=4\ndeclare S=128\nif true; then V=1000; fi\n\
$python --num-layers \$L --hidden-size \$H --num-attention-heads \$N --seq-length \$S --vocab-size \$V\n"
script 'several programs in a line' "cd /x && echo a | tee b; ( $python $base ) > log 2>&1 &\n"
script 'equal signs' "$python --num-layers=4 --hidden-size=256 --num-attention-heads=4 --seq-length=128 \
--vocab-size=1000\n"
script 'what only the run knows stands elsewhere' "X=\$(date)\nY=\$((1 +))\nZ=\$\n$python --save \$(pwd)/x \
--load \"\$X\" \
--seed \$Y --name a\$ $base\n"
script 'a comment behind' "$python $base # --num-layers 8\n# $python --num-layers 9\n"
script 'the branch that is taken' "if false; then A='--num-layers 5'; else A='--num-layers 4'; L=256; fi\n\
$python \$A --hidden-size \$L --num-attention-heads 4 --seq-length 128 --vocab-size 1000\n"
script 'a loop' "for H in 1 2; do\n $python $base\ndone\n"
printf "for H in 1 2; do\n $python $base --lr \$H\ndone\n" >"$tmp/loop.sh"
fails 'several programs that differ' 1 'choose one with -launch NUMBER (1: line 2, pretrain_gpt.py with 12 arguments' \
	sapp-model "$tmp/loop.sh"
same 'which -launch takes' "$plain" "$(sapp-args -launch 2 "$tmp/loop.sh" | sapp-model - 2>/dev/null |
	jq -cS 'select(.kind == "network") | del(.kind, .name)')"
script 'a document that is not run' "$python $base\ncat <<EOF\n$python --num-layers 9\nEOF\n"
script 'a command in quotes' "A='--num-layers 4 --hidden-size 256'\nssh x \"$python \$A --num-attention-heads 4 \
--seq-length 128 --vocab-size 1000\"\n"
script 'a command in single quotes' "bash -c '$python $base'\n"
fails 'text that ends within quotes' 1 'unexpected EOF while looking for matching' sh -c "
	echo '$python $base --name \"x' >'$tmp/x.sh'; sapp-model '$tmp/x.sh'"
fails 'a number that a program computes' 1 \
	"x.sh:1: --num-layers comes from 'nvidia-smi' (line 1), which is not run here" \
	sh -c "echo '$python --num-layers \$(nvidia-smi) --hidden-size 256' >'$tmp/x.sh'; sapp-model '$tmp/x.sh'"

# with TITLE ARGUMENTS JQ WANT: check a figure of the network with additional arguments.
with() { echo "$python $base $2" >"$tmp/with.sh"; same "$1" "$4" "$(network "$tmp/with.sh" | jq -cr "$3")"; }
for member in num-layers hidden-size num-attention-heads seq-length vocab-size; do
	echo "$python $base" | sed "s/--$member [0-9]*//" >"$tmp/less.sh"
	fails "without $member" 1 "$member" sapp-model "$tmp/less.sh"
done
with 'heads of another size' '--kv-channels 32' .head_dim 32
echo "$python $base" | sed 's/heads 4/heads 5/' >"$tmp/less.sh"
fails 'heads that do not divide' 1 "--hidden-size: not a multiple of --num-attention-heads, and no --kv-channels \
'256'" sapp-model "$tmp/less.sh"
sed 's/$/ --kv-channels 48/' "$tmp/less.sh" >"$tmp/more.sh"
same 'unless their size is said' 48 "$(network "$tmp/more.sh" | jq .head_dim)"
with 'groups of queries' '--group-query-attention --num-query-groups 2' .kv_heads 2
with 'groups, their number not said' '--group-query-attention' .kv_heads null
with 'a number without the flag' '--num-query-groups 2' .kv_heads null
with 'a vocabulary with its padding' '--padded-vocab-size 1024' '"\(.vocab_size) \(.vocab_multiple)"' '1024 null'
with 'padding to a multiple' '--make-vocab-size-divisible-by 64' .vocab_multiple 64
with 'layers that predict further' '--mtp-num-layers 1' .mtp_layers 1
with 'flags that are false' '--swiglu false --untie-embeddings-and-output-weights 0' '"\(.gated) \(.tied)"' 'false true'
with 'and true' '--swiglu true --untie-embeddings-and-output-weights 1' '"\(.gated) \(.tied)"' 'true null'
with 'a norm by a flag of its own' '--use-rmsnorm' .norm null
with 'a norm by its name' '--normalization LayerNorm' .norm layer
with 'or another' '--normalization RMSNorm' .norm null
with 'biases of queries alone' '--disable-bias-linear --add-qkv-bias' .bias qkv
with 'of all' '--add-qkv-bias' .bias all
with 'of none' '--disable-bias-linear' '.bias // "none"' none
with 'norms of queries' '--qk-layernorm' .qk_norm true
with 'learned positions' '--max-position-embeddings 128 --position-embedding-type learned_absolute' .positions 128
with 'rotary ones' '--max-position-embeddings 128 --position-embedding-type rope' .positions null
with 'rotary ones by a flag' '--max-position-embeddings 128 --use-rotary-position-embeddings' .positions null
with 'dropout of one' '--attention-dropout 0 --hidden-dropout 0.2' .dropout true
with 'of the other' '--attention-dropout 0.2 --hidden-dropout 0' .dropout true
with 'of none' '--attention-dropout 0 --hidden-dropout 0' .dropout null
with 'attention not fused' '--attention-backend unfused' .flash false
with 'nor elsewhere' '--attention-backend local' .flash false
with 'fused' '--attention-backend flash' .flash null
with 'gradients of two bytes' '--grad-reduce-in-bf16' .precision.gradient 2
with 'states of two bytes' '--exp-avg-dtype bf16 --exp-avg-sq-dtype bf16 --use-precision-aware-optimizer' \
	.precision.optimizer 8
experts='--num-experts 8'
with 'experts as large as the rest' "$experts" '"\(.experts_per_token) \(.expert_ffn_size)"' '2 1024'
with 'of their own size' "$experts --moe-ffn-hidden-size 64 --moe-router-topk 1" \
	'"\(.experts_per_token) \(.expert_ffn_size)"' '1 64'
with 'shared ones by number' "$experts --moe-intermediate-size 64 --n-shared-experts 2" .shared_ffn_size 128
with 'none shared' "$experts --n-shared-experts 0" .shared_ffn_size null
with 'every second layer' "$experts --moe-layer-freq 2" .moe_every 2
with 'every layer' "$experts --moe-layer-freq 1" .moe_every null
with 'the first layers dense' "$experts --first-k-dense-replace 2" .dense_layers 2
with 'by a pattern' "$experts --moe-layer-freq '([0]*2+[1]*2)'" .dense_layers 2
with 'or a list' "$experts --moe-layer-freq [0,0,1,1]" .dense_layers 2
with 'alternating' "$experts --moe-layer-freq [0,1,0,1]" '"\(.dense_layers) \(.moe_every)"' '1 2'
with 'no layer dense' "$experts --first-k-dense-replace -1 --moe-layer-freq -1" '"\(.dense_layers) \(.moe_every)"' \
	'null null'
with 'layers that do nothing' '--noop-layers 0,3' .layers 2
with 'gated, as MindSpeed-LLM calls it' '--gelu-tanh' .gated true
with 'a bias of the router' "$experts --moe-router-enable-expert-bias" .router_bias true
with 'no experts' '--num-experts 0 --moe-router-topk 2' .experts_per_token null
with 'latent attention' '--multi-latent-attention' \
	'"\(.kv_lora_rank) \(.qk_head_dim) \(.rope_head_dim) \(.v_head_dim)"' \
	'32 128 64 128'
with 'with its sizes' '--multi-latent-attention --q-lora-rank 48 --kv-lora-rank 16 --qk-nope-head-dim 24 '\
'--qk-rope-head-dim 8 --v-head-dim 40' \
	'"\(.q_lora_rank) \(.kv_lora_rank) \(.qk_head_dim) \(.rope_head_dim) \(.v_head_dim)"' '48 16 24 8 40'
echo "$python $base $experts --moe-layer-freq [0,1" >"$tmp/open.sh"
fails 'a list that is not closed' 1 'not a list of layers' sapp-model "$tmp/open.sh"
echo "$python $base $experts --moe-layer-freq [0,1,1]" >"$tmp/short.sh"
fails 'a list of other layers' 1 'moe_layer_freq' sapp-model "$tmp/short.sh"

# runs TITLE LAUNCHER ARGUMENTS WANT: check degrees and recomputation of the run.
runs() {
	{ echo "$2 pretrain_gpt.py $base --micro-batch-size 1 --global-batch-size 16 $3"; } >"$tmp/runs.sh"
	same "$1" "$4" "$(sapp-model "$tmp/runs.sh" 2>/dev/null | jq -r 'select(.kind == "candidate") |
		"\(.dp) \(.tp) \(.pp) \(.vp) \(.sp // false) \(.recompute // "-")"')"
}
two='--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2'
runs 'devices by what starts it' 'torchrun --nproc_per_node 8' "$two" '2 2 2 1 false none'
runs 'and nodes' 'torchrun --nproc-per-node=8 --nnodes 2' "$two" '4 2 2 1 false none'
runs 'of DeepSpeed' 'deepspeed --num_nodes 2 --num_gpus 8' "$two" '4 2 2 1 false none'
runs 'of the launcher that another one starts' \
	'srun -N 2 --ntasks-per-node=1 torchrun --nnodes 2 --nproc_per_node 8' "$two" '4 2 2 1 false none'
runs 'not the node of numactl' 'srun -N 2 --ntasks-per-node=8 numactl -N 0 python' "$two" '4 2 2 1 false none'
runs 'in short' 'srun -N2 --ntasks-per-node=8 python' "$two" '4 2 2 1 false none'
runs 'all in short' 'srun -n16 python' "$two" '4 2 2 1 false none'
runs 'of no launcher whose number of nodes only the run knows' 'torchrun --nnodes=1:4 --nproc_per_node=8' "$two" ''
runs 'or of processes' 'mpiexec -n $(cat nodes | wc -l) -ppn 8 python' "$two" ''
for all in 'srun -n 16' 'srun --nodes=2 --ntasks=16' 'mpirun -np 16' 'mpiexec -n 16 -x A' \
	'accelerate launch --num_machines 2 --num_processes 16' 'msrun --worker_num=16 --local_worker_num 8'; do
	runs "all processes: $all" "$all$(case $all in srun*|mpi*) echo ' python' ;; esac)" "$two" '4 2 2 1 false none'
done
runs 'not by tasks that start a launcher each' 'srun -n 2 torchrun --nnodes 2 --nproc_per_node 8' "$two" \
	'4 2 2 1 false none'
runs 'by variables' 'NPROC_PER_NODE=8 NNODES=2 python' "$two" '4 2 2 1 false none'
runs 'by one variable' 'WORLD_SIZE=8 python' "$two" '2 2 2 1 false none'
runs 'not by variables that are no numbers' 'NPROC_PER_NODE=x NNODES=y python' "$two" ''
runs 'nor by a number of nodes that is none' 'torchrun --nproc_per_node 8 --nnodes x' "$two" ''
eight='torchrun --nproc_per_node 8'
runs 'chunks by their layers' "$eight" "$two --num-layers-per-virtual-pipeline-stage 1" '2 2 2 2 false none'
runs 'more layers than a stage has' "$eight" "$two --num-layers-per-virtual-pipeline-stage 4" '2 2 2 1 false none'
runs 'chunks by number' "$eight" "$two --num-virtual-stages-per-pipeline-rank 2" '2 2 2 2 false none'
same 'layers that do nothing count for the chunks, and are those of their stages' '2 [1,2]' \
	"$(echo "$base $two --num-layers 4 --num-layers-per-virtual-pipeline-stage 1 --noop-layers 0 \
	--micro-batch-size 1 --global-batch-size 16 --world-size 4" >"$tmp/noop"; sapp-model "$tmp/noop" 2>/dev/null |
	jq -rc 'select(.kind == "candidate") | "\(.vp) \(.stage_layers)"')"
same 'back through the stages' '2 [1,2]' \
	"$(echo "$base $two --num-layers 4 --schedules-method dualpipev --noop-layers 3 --micro-batch-size 1 \
	--global-batch-size 16 --world-size 4" >"$tmp/noop"; sapp-model "$tmp/noop" 2>/dev/null |
	jq -rc 'select(.kind == "candidate") | "\(.vp) \(.stage_layers)"')"
runs 'no chunks without stages' "$eight" '--num-virtual-stages-per-pipeline-rank 2 --tensor-model-parallel-size 2' \
	'4 2 1 1 false none'
runs 'nor by layers' "$eight" '--num-layers-per-virtual-pipeline-stage 2 --tensor-model-parallel-size 2' \
	'4 2 1 1 false none'
runs 'sequences divided' "$eight" "$two --sequence-parallel" '2 2 2 1 true none'
runs 'not without tp' "$eight" "--pipeline-model-parallel-size 2 --sequence-parallel" '4 1 2 1 false none'
runs 'recomputed in full' "$eight" "$two --recompute-granularity full --recompute-method uniform" '2 2 2 1 false full'
runs 'in full, as usual' "$eight" "$two --recompute-granularity full" '2 2 2 1 false full'
runs 'some layers, which only a plan says' "$eight" "$two --recompute-granularity full --recompute-method block \
--recompute-num-layers 1" '2 2 2 1 false -'
runs 'selectively' "$eight" "$two --recompute-granularity selective" '2 2 2 1 false core'
runs 'as older releases say it' "$eight" "$two --recompute-activations" '2 2 2 1 false core'
done_testing
