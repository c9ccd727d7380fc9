#!/bin/sh
# sapp-yaml -w changes the number of devices in the words of each launcher, and keeps the names that forks with
# DeepSpeed have for arguments: bash then starts what is expected.
. "$(dirname "$0")/../lib.sh"
base='--num-layers 8 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 --micro-batch-size 1'
base="$base --global-batch-size 16"
cat >"$tmp/layers" <<'END'
{"kind":"layer","name":"head","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":10,"memory_activation":5}
{"kind":"layer","name":"body","type":"BODY","nb_layer":8,"time":10,"memory_parameter":10,"memory_activation":5}
{"kind":"layer","name":"tail","type":"TAIL","nb_layer":1,"time":1,"memory_parameter":10,"memory_activation":5}
END
sapp-lp -s 4 -mb 8 -mem 1000 -gap 0 -t 100 -target megatron "$tmp/layers" >"$tmp/plan" 2>"$tmp/err"
mkdir "$tmp/bin"
for program in torchrun deepspeed srun mpirun accelerate msrun; do
	printf '#!/bin/sh\necho "${0##*/} $*"\n' >"$tmp/bin/$program"
	chmod +x "$tmp/bin/$program"
done

# written NAME LAUNCHER ARGUMENTS LAUNCHER ARGUMENTS: the plan has four stages instead of two, and twice the devices.
written() {
	printf '%s pretrain_gpt.py \\\n\t%s\n' "$2" "$base $3 --pipeline-model-parallel-size 2" >"$tmp/run.sh"
	check "$1: written" sapp-yaml -w "$tmp/run.sh" "$tmp/plan"
	same "$1" "$4 pretrain_gpt.py $base $5" "$(PATH="$tmp/bin:$PATH" bash "$tmp/run.sh")"
}
four='--pipeline-model-parallel-size 4'
written torchrun 'torchrun --nproc_per_node 8' '' 'torchrun --nproc_per_node 8 --nnodes 2' "$four"
written deepspeed 'deepspeed --num_gpus 8' '' 'deepspeed --num_gpus 8 --num_nodes 2' "$four"
written 'deepspeed with nodes' 'deepspeed --num_nodes=2 --num_gpus=8' '' \
	'deepspeed --num_nodes=4 --num_gpus=8' "$four"
written srun 'srun -N 2 --ntasks-per-node 8 python' '' 'srun -N 4 --ntasks-per-node 8 python' "$four"
written 'srun, all tasks' 'srun -n 16 python' '' 'srun -n 32 python' "$four"
written 'srun with nodes and all tasks' 'srun -N 2 -n 16 python' '' 'srun -N 4 -n 32 python' "$four"
written 'srun of torchrun' 'srun --nodes=2 --ntasks-per-node=1 torchrun --nnodes 2 --nproc_per_node 8' '' \
	'srun --nodes=2 --ntasks-per-node=1 torchrun --nnodes 4 --nproc_per_node 8' "$four"
for nodes in 'srun --nodes=2' "#!/bin/bash
#SBATCH --nodes=2
srun"; do
	printf '%s torchrun --nnodes 2 --nproc_per_node 8 pretrain_gpt.py %s\n' "$nodes" \
		"$base --pipeline-model-parallel-size 2" >"$tmp/outer.sh"
	sapp-yaml -w "$tmp/outer.sh" "$tmp/plan" >"$tmp/null" 2>"$tmp/err"
	check 'a warning that other nodes stay' grep -q 'of nodes that start it stays 2, and it needs 4' "$tmp/err"
done
written mpirun 'mpirun -np 16 python' '' 'mpirun -np 32 python' "$four"
written accelerate 'accelerate launch --num_machines 2 --num_processes 16' '' \
	'accelerate launch --num_machines 4 --num_processes 32' "$four"
written msrun 'msrun --worker_num 16 --local_worker_num 8' '' 'msrun --worker_num 32 --local_worker_num 8' "$four"

# The names of DeepSpeed stay, with their values; a name of earlier releases goes if the plan decides the option.
deep='--num-experts 8 --moe-expert-parallel-size 4 --ds-sequence-parallel-size 2 --deepspeed --fp8-e4m3'
written "DeepSpeed's names" 'deepspeed --num_gpus 8' "$deep --checkpoint-activations" \
	'deepspeed --num_gpus 8 --num_nodes 2' "$deep $four"
# Without a pipeline, too, an argument that is added has DeepSpeed's name; and there is one stage.
cat >"$tmp/candidate" <<'END'
{"kind":"candidate","name":"x","dp":4,"tp":1,"cp":2,"cp_kind":"ulysses","pp":1,"ep":2,"mbs":1,"micro_batches":4}
END
sapp-lp -s 1 -mb 4 -mem 10000 -gap 0 -t 100 "$tmp/layers" 2>"$tmp/err" | cat "$tmp/candidate" - |
	sed 's/"name":"planned[^"]*"/"name":"x"/' >"$tmp/degrees"
printf 'deepspeed --num_gpus 8 pretrain_gpt.py %s\n' \
	"$base --num-experts 8 --pipeline-model-parallel-size 1 --deepspeed --no-pipeline-parallel" >"$tmp/run.sh"
cp "$tmp/run.sh" "$tmp/one.sh"
check 'degrees without a pipeline' sapp-yaml -w "$tmp/run.sh" "$tmp/degrees"
same 'have its names' '--ds-sequence-parallel-size 2 --moe-expert-parallel-size 2' \
	"$(grep -oE -e '--(ds-sequence|moe-expert|context|expert-model)-parallel-size [0-9]*' "$tmp/run.sh" |
		sort | xargs)"
fails 'stages without a pipeline' 1 "DeepSpeed has one stage, and the plan has more '--no-pipeline-parallel'" \
	sapp-yaml -w "$tmp/one.sh" "$tmp/plan"
# refused NAME MESSAGE OPTION...: a plan that DeepSpeed's pipeline cannot run is not written.
refused() {
	name=$1 message=$2
	shift 2
	printf 'deepspeed --num_gpus 4 pretrain_gpt.py %s\n' \
		"$base --pipeline-model-parallel-size 2 --deepspeed" >"$tmp/run.sh"
	cp "$tmp/run.sh" "$tmp/was"
	sapp-lp -mb 8 -gap 0 -t 100 "$@" >"$tmp/other" 2>"$tmp/err"
	fails "$name" 1 "$message" sapp-yaml -w "$tmp/run.sh" "$tmp/other"
	check "$name: unchanged" cmp "$tmp/was" "$tmp/run.sh"
}
sed 's/"time":1,/"time":25,/' "$tmp/layers" >"$tmp/ends"
refused 'unequal stages' "DeepSpeed's pipeline has no argument for it '--decoder-" -s 4 -mem 1000 -target megatron \
	"$tmp/ends"
refused chunks "no argument for it '--num-layers-per-virtual-pipeline-stage'" -s 4 -i 2 -mem 1000 -target megatron \
	"$tmp/layers"
done_testing
