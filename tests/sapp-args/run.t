#!/bin/bash
# Launch scripts run by bash, which cannot change files.
# shellcheck disable=SC2016 # the scripts' own expansions
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
mkdir scripts victim
echo 'torchrun x.py' >scripts/one.sh
sapp-args scripts/one.sh >out 2>err
unconfined=
if grep -q 'cannot be confined' err; then
	unconfined=-unconfined
	check "without Landlock or seccomp the message names -unconfined" grep -q -- '-unconfined runs' err
else
	same "a script of one line" \
		'{"kind":"launch","line":1,"source":"scripts/one.sh","environment":{},"launcher":["torchrun"],'\
'"program":"x.py","arguments":[]}' "$(cat out)"
fi
# said SCRIPT OPTION...: print launcher, program and arguments of each launch, one per line.
said() {
	# shellcheck disable=SC2086 # none or one word
	sapp-args $unconfined "${@:2}" "$1" 2>err |
		jq -r '[.line, .launcher[], "|", .program, "|", .arguments[]] | map(tostring) | join(" ")'
}

cat >ways.sh <<'END'
#!/bin/bash
set -euo pipefail
source /no/such/environment.sh
cd /nowhere
PYTHON=/opt/conda/bin/python
f() { local n=$1; if [[ abc =~ a(b)c ]]; then printf '%s' "${BASH_REMATCH[1]}$n"; fi; false || printf '%s' $?; }
x=$(f 3)
A=(--one "two words" --x "$x")
case $x in b31) A+=(--case) ;; *) A+=(--other) ;; esac
let n=2*3; printf -v m %02d 7; read -r r s <<<"8 9"
"$PYTHON" -m torch.distributed.run --nproc_per_node 8 pretrain.py "${A[@]}" 2>&1 | tee logs/out.txt
FOO="a b" /opt/conda/bin/torchrun --nproc-per-node=8 train.py --a ${n:+--n $n} --m $m --r $r > logs/x.log
nohup numactl -N 0 torchrun two.py --b >nohup.out
env A=1 B="x y" python3 three.py --c
srun -N 2 bash -c 'torchrun --nproc 8 four.py --d "$0"' zz
bash -c "python five.py"
ray job submit --address=x -- python3 six.py --e $(seq -s, 3)
time eval "deepspeed --num_gpus 8 seven.py --f"
megatron sft --tensor_model_parallel_size 2
( exec python eight.py )
python -m mypackage.train --g
if [ -z "${UNSET-}" ]; then exec python last.py $(basename "$0" .sh) "$*"; fi
python never.py
END
same "words as bash makes them of a script in all styles" \
"11 /opt/conda/bin/python -m torch.distributed.run --nproc_per_node 8 | pretrain.py | --one two words --x b31 --case
12 /opt/conda/bin/torchrun --nproc-per-node=8 | train.py | --a --n 6 --m 07 --r 8
13 torchrun | two.py | --b
14 python3 | three.py | --c
15 srun -N 2 torchrun --nproc 8 | four.py | --d zz
16 python | five.py |
17 ray job submit --address=x -- python3 | six.py | --e 1,2,3
18 deepspeed --num_gpus 8 | seven.py | --f
19 megatron | sft | --tensor_model_parallel_size 2
20 python | eight.py |
21 python -m | mypackage.train | --g
22 python | last.py | ways " "$(said ways.sh)"
same "variables before a command and those of env are its environment" '{"FOO":"a b"} {"A":"1","B":"x y"}' \
	"$(sapp-args $unconfined ways.sh 2>err |
		jq -c 'select(.program == "train.py" or .program == "three.py").environment' | xargs -d '\n')"
sapp-args $unconfined -v ways.sh >/dev/null 2>err
check "-v names what is missing" grep -q "ways.sh:3: warning: no such file: '/no/such/environment.sh'" err
same "arguments of the script, and -set over an assignment" "1 torchrun | x.py | --size 7B --pp 4
2 python | ./y.py |" "$(printf 'PP=2; torchrun x.py --size $1 --pp $PP\npython ./y.py' >arguments.sh
	sapp-args $unconfined -set PP=4 arguments.sh 7B |
	jq -r '[.line, .launcher[], "|", .program, "|", .arguments[]] | map(tostring) | join(" ")')"
cat >sh.sh <<'END'
#!/bin/sh
. ./common
torchrun x.py --pp $PP
END
echo 'PP=8' >common
same "a script for sh, which reads another in" '3 torchrun | x.py | --pp 8' "$(said sh.sh)"
printf 'torchrun x.py --a 1 \\ \n --b 2\r\n' >broken.sh
same "a blank after the backslash ends the command" '1 torchrun | x.py | --a 1  ' "$(said broken.sh)"
check "and so the message says" grep -q \
	"broken.sh:2: warning: '--b' is run as a program: check that the line before it" err
check "and that there is a carriage return" grep -q "its lines end with a carriage return" err

unknown() { sapp-args $unconfined "$@" | jq -c '.unknown // []'; }
cat >unknown.sh <<'END'
GPUS=$(nvidia-smi -L | wc -l)
export NODES=$SLURM_NNODES
if command -v rocm-smi >/dev/null; then BACKEND=rocm; else BACKEND=cuda; fi
torchrun --nproc_per_node $GPUS --nnodes $NODES x.py --backend $BACKEND --num-layers 4 --rank "$RANK" --flag
END
same "values that programs or nobody computes" \
	'[{"argument":"--nproc_per_node","from":"nvidia-smi","line":1,"variable":"GPUS"},'\
'{"argument":"--backend","from":"command -v rocm-smi","line":3},'\
'{"argument":"--nnodes","variable":"SLURM_NNODES"},{"argument":"--rank","variable":"RANK"}]' \
	"$(unknown unknown.sh)"
same "-set gives them" '[{"argument":"--backend","from":"command -v rocm-smi","line":3}]' \
	"$(unknown -set GPUS=8 -set SLURM_NNODES=2 -set RANK=0 unknown.sh)"
printf 'PORT=$(shuf -n 1 -i 1-9)\nrun="torchrun --master_port $PORT x.py"\neval "$run"\n' >shuf.sh
same "shuf -n 1 prints one line" '[{"argument":"--master_port","from":"shuf","line":1,"variable":"PORT"}]' \
	"$(unknown shuf.sh)"
sed -i 's/ -n 1//' shuf.sh
fails "and otherwise several" 1 "'shuf' is not run here, but its output decides whether line 3 starts 'torchrun'" \
	sapp-args $unconfined shuf.sh
printf '#!/bin/bash\nif [ $# -lt 1 ]; then\n\texit 1\nfi\ntorchrun x.py --size $1\n' >exits.sh
fails "a script that ends before" 1 "exits.sh:3: the script ends here, before it starts a program" \
	sapp-args $unconfined exits.sh
printf 'if [ -z "$IMAGE" ] || [ -z "${DATA:-}" ]; then\n\techo no\n\texit 1\nfi\ntorchrun x.py\n' >image.sh
fails "with the variables that it tests" 1 "set its variables (IMAGE, DATA) with -set" \
	sapp-args $unconfined image.sh
cat >runners.sh <<'END'
uv sync
uv run --extra x python -m torch.distributed.run --nproc-per-node 8 -m examples.pretrain --a
uv run coverage run --data-file=x examples/run_grpo.py --b
coverage run -a tests/pretrain.py --c=1
poetry run ft_launcher --nnodes 2 train.py --d
END
same "what runs in an environment" '2 python -m torch.distributed.run --nproc-per-node 8 -m | examples.pretrain | --a
3 | examples/run_grpo.py | --b
4 | tests/pretrain.py | --c=1
5 ft_launcher --nnodes 2 | train.py | --d' "$(said runners.sh)"
cat >named.sh <<'END'
torchrun --nproc_per_node 8 --nnodes=2 --standalone $RUN --num-layers 8
torchrun --nproc_per_node 8 --nnodes $NODES --node_rank 0 bin/entry --num-layers 8 --config x.py
torchrun --master_port $PORT x.py config/a.yaml
torchrun --nproc_per_node 8 --num-layers 8 --tp 2
python3.11 -u -m torch.distributed.run --max_restarts 0 entry --a
python3 -u entry --b c.py
deepspeed --num_gpus 8 --hostfile=h --no_local_rank entry --b
torchrun -t 3 -m --nnodes 2 package.entry --c
eval torchrun --master_port $(free-port) x.py --d
END
same "a program of any name, or none" '1 torchrun --nproc_per_node 8 --nnodes=2 --standalone | entry | --num-layers 8
2 torchrun --nproc_per_node 8 --nnodes --node_rank 0 | bin/entry | --num-layers 8 --config x.py
3 torchrun --master_port | x.py | config/a.yaml
4 torchrun --nproc_per_node 8 |  | --num-layers 8 --tp 2
5 python3.11 -u -m torch.distributed.run --max_restarts 0 | entry | --a
6 python3 -u | entry | --b c.py
7 deepspeed --num_gpus 8 --hostfile=h --no_local_rank | entry | --b
8 torchrun -t 3 -m --nnodes 2 | package.entry | --c
9 torchrun --master_port 1 | x.py | --d' "$(said named.sh -set RUN=entry)"
same "-past-exit goes on" '5 torchrun | x.py | --size' "$(said exits.sh -past-exit)"
printf 'set -u\ntorchrun x.py --nnodes $NNODES\n' >unset.sh
fails "set -u names the variable" 1 "unset.sh:2: NNODES is not set; give it: sapp-args -set NNODES=VALUE unset.sh" \
	sapp-args $unconfined unset.sh
printf 'set -u\nA=()\ntorchrun x.py --nnodes ${A[0]}\n' >unset.sh
fails "and an array whose element is not" 1 "unset.sh:3: A is not set; give it: sapp-args -set A=VALUE unset.sh" \
	sapp-args $unconfined unset.sh
printf 'set -u\n\nP=$1\ntorchrun x.py --nnodes $P\n' >unset.sh
fails "or the argument" 1 "unset.sh:3: argument 1 of the script is not set; give it: sapp-args unset.sh ARGUMENT..." \
	sapp-args $unconfined unset.sh
check "as is done" run 0 sapp-args $unconfined unset.sh 4
printf 'set -u\nbash -c "echo $2"\ntorchrun x.py\n' >second.sh
fails "or the second" 1 "argument 2 of the script is not set" sapp-args $unconfined second.sh
printf 'set -u\nfor v in A; do\n\t[ -n "${!v}" ]\ndone\ntorchrun x.py\n' >indirect.sh
fails "or says that another variable names it" 1 "indirect.sh:3: the variable that v names is not set; give each" \
	sapp-args $unconfined indirect.sh
printf 'set -u\nX=(1)\necho ${X[3]}\ntorchrun x.py\n' >entry.sh
fails "or repeats what bash says" 1 "entry.sh:3: a variable is not set; bash: " sapp-args $unconfined entry.sh
printf 'CHECKPOINT=<a path>\ntorchrun x.py\n' >words.sh
fails "a value that is to be written" 1 "not valid for bash: replace words in <...> by values; bash: words.sh" \
	sapp-args $unconfined words.sh
fails "no launcher" 1 "the script starts no known launcher (torchrun" sapp-args $unconfined common
printf '#!/bin/csh\nset x = 1\n' >csh.sh
fails "another shell" 1 "csh.sh:1: not a script of bash or sh '#!/bin/csh'" sapp-args $unconfined csh.sh
fails "no script" 2 "missing operand: a script" sapp-args
fails "a file that is not there" 1 "nowhere.sh: cannot be opened" sapp-args nowhere.sh
fails "-set without a value" 2 "-set: expected NAME=VALUE 'NODES'" sapp-args -set NODES scripts/one.sh
fails "-launch above their number" 1 "-launch: the script starts 1 program, not '2'" \
	sapp-args $unconfined -launch 2 scripts/one.sh
same "several: -launch takes one" '13 torchrun | two.py | --b' "$(said ways.sh -launch 3)"
{ for i in $(seq 30000); do echo "V$i='some value, number $i of them'"; done; echo 'torchrun x.py --a "$V7"'; } >big.sh
same "a script of 1 MB" "30001 torchrun | x.py | --a some value, number 7 of them" "$(said big.sh)"
echo 'while :; do :; done' >loop.sh
fails "a loop without end is ended" 1 "the script starts no program and does not end" sapp-args $unconfined -t 0.3 \
	loop.sh
printf 'torchrun x.py\nwhile :; do :; done' >after.sh
check "what it started before is taken" sh -c "sapp-args $unconfined -t 1 after.sh 2>err | grep -q x.py"
check "with a warning" grep -q "the script does not end; the programs that it started until then are used" err

if [ -n "$unconfined" ]; then
	skip "no Landlock or seccomp here: the hostile script is not run"
	skip "no Landlock or seccomp here: the fork bomb is not run"
	done_testing
	exit
fi
lacks() {
	strace -f -o trace -e trace="$1" -e inject="$1:error=ENOSYS" sapp-args scripts/one.sh
}
if strace -o trace true 2>/dev/null; then
	fails "without Landlock the message names it" 1 \
		"bash cannot be confined: this kernel or container has no Landlock" lacks landlock_create_ruleset
	fails "without seccomp, too" 1 "has no seccomp with notification; if you trust the script" \
		lacks seccomp
else
	skip "no strace here, which lets system calls fail"
	skip "no strace here, which lets system calls fail"
fi
echo abc >victim/keep
state() {
	find victim . -maxdepth 1 ! -name err ! -name out ! -name check.out -printf '%p %m %u %s %T@ %y %l\n' | sort
	cat victim/keep
}
cat >hostile.sh <<'END'
V=$PWD/victim
rm -rf "$V"; { echo x; } >$V/a; exec 5>$V/b; echo hi >/dev/tcp/127.0.0.1/80; kill -9 -1; kill -9 $PPID; find $V -delete
sed -i s/a/b/ $V/keep; awk 'BEGIN { system("rm -rf '$V'"); print "x" >"'$V'/awk" }'; /bin/rm -rf $V; /usr/bin/touch $V/t
\rm -rf $V; command rm -rf $V; builtin echo x >|$V/keep; printf x >>$V/keep; : >$V/keep; cat /etc/passwd >$V/keep
/bin/sh -c "rm -rf $V"; /bin/bash -c "echo x >$V/keep"; perl -e 'unlink "'$V'/keep"'; eval "rm -rf $V"
find $V -exec rm {} \; ; find $V -fprint $V/fp; sort -o $V/keep $V/keep
sed -n "w $V/w" $V/keep; sed "e rm -rf $V" $V/keep
awk '{ print >FILENAME }' $V/keep; ln -s $V x; mkdir $V/d; PATH=/bin:/usr/bin rm -rf $V; (exec /bin/rm -rf $V)
trap "rm -rf $V; echo >$V/trap" EXIT; bash --norc -c "/bin/rm -rf $V"; env -i /bin/bash -c "/bin/rm -rf $V"
BASH_ENV= bash -c "/bin/rm -rf $V; rm -r $V; echo >$V/q"; exec 3<>$V/keep; echo x >&3; history -w $V/hist
python3 -c "open('$V/py','w')"; /lib64/ld-linux-x86-64.so.2 /bin/rm -rf $V; /usr/bin/env rm -rf $V; date -s 2000-01-01
chmod 777 $V; umask 0; ulimit -f 0; coproc rm -rf $V
cd $V && rm -rf ./* && : >here; cd -; mv $V w; cp hostile.sh $V/copy
unset BASH_ENV; trap - DEBUG; /bin/rm -rf $V; rm -rf $V; : >$V/new; /bin/mkdir $V/e; /bin/mv $V/keep $V/k
/bin/chmod 0 $V/keep
unset -f command_not_found_handle; torchrun x.py
END
before=$(state)
timeout 60 sapp-args hostile.sh >out 2>&1
same "a hostile script changes nothing" "$before" "$(state)"
echo 'f() { f | f & }; f; wait' >bomb.sh
fails "a fork bomb is ended" 1 "the script starts more and more processes" sapp-args -t 60 bomb.sh
# Slurm's variables by the head of a script; -set wins, and lines after the first command are comments.
printf '%s\n' '#!/bin/bash' '#SBATCH -N 4' '# of each node' '#SBATCH --gres=gpu:h100:8' \
	'#SBATCH --ntasks-per-node 2  # few' '' \
	'srun python pretrain_gpt.py --nodes-are $SLURM_NNODES' '#SBATCH --nodes=9' >"$tmp/job.sbatch"
slurm() { sapp-args "$@" "$tmp/job.sbatch" | command jq -r \
	'.environment | "\(.SLURM_NNODES) \(.SLURM_NTASKS_PER_NODE) " +
	"\(.SLURM_NTASKS) \(.SLURM_GPUS_ON_NODE)"'; }
same 'variables of Slurm' '4 2 8 8' "$(slurm)"
same 'and those given' '3 2 8 8' "$(slurm -set SLURM_NNODES=3)"
same 'the script sees them' 4 "$(sapp-args "$tmp/job.sbatch" | jq -r '.arguments[1]')"
done_testing
