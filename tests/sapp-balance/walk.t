#!/bin/sh
# Ways of a user from end to end: guide, dryruns, profile and plan; a script of Slurm; a script with several chunks;
# another number of devices.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
cp "$top/examples/llama-175b/train.yaml" .

# MindFormers: one round of dryruns with the proposed settings, a profile of the run as it is, and the plan in the YAML.
cp train.yaml round_0.yaml
check 'settings to measure, from the training YAML' run 0 sapp-guide -o init.yaml train.yaml
cp out measure.jsonl
sapp-guide -plans train.yaml | sapp-yaml -w round_0.yaml -plan round_0 2>"$tmp/null"
same 'are in the YAML of the dryruns' "$(jq -c .offset measure.jsonl)" \
	"$(sed -n 's/^ *offset: \(\[[^]]*\]\).*/\1/p' round_0.yaml | tr -d ' ')"
export PAR=2142 NONE=852 SELECT=767 COMM=536 BOTH=511 FULL=40 CONST=1000 HEAD=6142 TAIL=3100 LAYERS=96 STAGES=16
check 'dryruns' run 0 sapp-dryrun "'$top/tests/sapp-dryrun/standin' '$tmp/measure.jsonl'" 1024 16 logs -j 2
make-timeline -P 16 -L 96 -mb 16 -steps 2 -head 30 -body 180 -tail 90 -o timeline >"$tmp/null"
check 'dryruns and a profile make a plan' run 0 sapp-balance --train train.yaml --init init.yaml -t 3 -naive 0 -o plan \
	logs timeline
near 'whose layers have the memory of the dryruns' "$PAR" "$(jq 'select(.type == "BODY").memory_parameter' \
	plan/layers.jsonl)" 1
eval "$(sed -n 's/^Next: \(sapp-yaml -w .*\) writes the changes below\.$/\1/p' out)" >"$tmp/null" 2>err
same 'the command of the report writes the plan into the YAML' \
	"$(jq -c 'select(.kind == "plan").offset | flatten' plan/plan.jsonl | head -n 1)" \
	"$(sed -n 's/^ *offset: \(\[[^]]*\]\).*/\1/p' train.yaml | tr -d ' ')"
same 'and it makes the step of the plan' "$(jq 'select(.kind == "plan").step_time' plan/plan.jsonl | head -n 1)" \
	"$(sapp-yaml -r train.yaml plan/layers.jsonl 2>"$tmp/null" | sapp-sim -mem 57344 | get sim .step_time)"

# A script of Slurm says in its head on how many devices it runs.
make-timeline -P 8 -L 48 -mb 16 -steps 2 -head 5 -body 12 -tail 25 -o profile >"$tmp/null"
cp "$top/examples/megatron/train.log" "$top/examples/megatron/train.sh" .
cat >slurm.sh <<'END'
#!/bin/bash
#SBATCH --job-name=gpt
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=8	# one of each device
ARGS="--tensor-model-parallel-size 8 --pipeline-model-parallel-size 8 --num-layers 48 --hidden-size 8192
	--num-attention-heads 64 --seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 \
		--global-batch-size 16"
srun --output=log.txt python pretrain_gpt.py $ARGS
END
check 'a script of Slurm' run 0 sapp-balance --train slurm.sh -t 3 -naive 0 -o slurm train.log profile
check 'has its devices' grep -q '^Tokens per second: [0-9]* on 64 devices' out
sapp-balance --train train.sh -t 3 -naive 0 -o script train.log profile >"$tmp/null" 2>&1
# The last digits of a proved bound depend on the order of the proof's threads.
plan_of() { jq -c 'select(.kind == "plan") | del(.lower_bound, .gap)' "$1"; }
same 'and the plan of any other script' "$(plan_of script/plan.jsonl)" "$(plan_of slurm/plan.jsonl)"

# Stages that do not divide the devices of today.
check 'six stages' run 0 sapp-balance --train train.sh -s 6 -t 3 -naive 0 -o six train.log profile
same 'the report begins with the devices that they take' 'The plan needs 48 devices; 64 run today.' "$(head -n 1 out)"
check 'as does the page' grep -qF '"note":"The plan needs 48 devices; 64 run today.\u000aplanned-1f1b: ' six/result.html
same 'four stages take those of today' 0 "$(sapp-balance --train train.sh -s 4 -t 3 -naive 0 -o four train.log profile \
	2>"$tmp/null" | grep -c '^The plan needs')"

# A reader that stops early ends nothing with an error.
for tool in "sapp-balance --train train.sh -s 6 -t 3 -naive 0 -o six train.log profile" 'sapp-lp -j six/layers.jsonl' \
	'sapp-sim -j -e six/plan.jsonl' 'sapp-yaml -j six/plan.jsonl' "sapp-trace profile" \
		'sapp-plot -html six/sim.jsonl' \
	'sapp-memsplit -j six/init.yaml train.log' 'sapp-guide -H train.yaml'; do
	{ $tool 2>err </dev/null; echo $? >status; } | head -n 1 >"$tmp/null"
	check "${tool%% *} behind head" sh -c '{ [ "$(cat status)" -eq 0 ] || [ "$(cat status)" -eq 141 ]; } &&
		! grep -i "pipe\|cannot be written" err'
done

# Memory of a run with several chunks is not split: what to do is said in steps, which lead to a plan.
sed 's/--num-layers 48/& --num-layers-per-virtual-pipeline-stage 3/' train.sh >chunks.sh
fails 'a script with two chunks a stage' 1 'sapp-balance: 1. copy chunks.sh to one_chunks.sh, and take '\
'--num-layers-per-virtual-pipeline-stage out of the copy' sapp-balance --train chunks.sh -t 3 -o chunks train.log \
	profile
check 'how its layers are measured' tells '3. measure its layers: sapp-balance --train one_chunks.sh -o one LOG PROFILE'
again=$(sed -n 's/^sapp-balance: 4\. plan for chunks.sh: //p' err | sed "s,one/,six/,; s/-mem MB/-mem 60000/; s/'//g")
check 'and the plan is made' run 0 $again -t 3 -naive 0 -o chunks
check 'with the script as it is today' grep -q 'shorter than today' out
done_testing
