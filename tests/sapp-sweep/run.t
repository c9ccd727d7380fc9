#!/bin/sh
# sapp-sweep: a grid of questions on this machine, on others, with Slurm; resumed; ranked.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/layers.jsonl" <<EOF
{"kind":"model","name":"m"}
{"kind":"layer","name":"Head","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":100}
{"kind":"layer","name":"Body","type":"BODY","nb_layer":16,"time":2,"memory_parameter":200,"memory_activation":100,\
"memory_recompute":10}
{"kind":"layer","name":"Tail","type":"TAIL","nb_layer":1,"time":2,"memory_parameter":100}
EOF
sweep() { sapp-sweep -s 4 -mb 8 -mem 1500-2500:500 -i 1,2 -t 2 -o "$tmp/dir" "$@" \
	"$tmp/layers.jsonl" >"$tmp/rank" 2>"$tmp/err"; }

same 'the questions' 9 "$(sapp-sweep -n -s 4 -mb 8 -mem 1500-2500:500 -i 1,2 "$tmp/layers.jsonl" 2>"$tmp/err" | wc -l)"
same 'schedules that go with the chunks' '-s 4 -mb 4 -i 1 -S gpipe -mem 56000 -t 90
-s 4 -mb 4 -i 2 -S vpp -mem 56000 -t 90' "$(sapp-sweep -n -i 1-2 -S gpipe,vpp "$tmp/layers.jsonl" 2>"$tmp/err" |
	sed 's/ *$//')"
# Combinations that a schedule or the target forbids are omitted, with one message.
left() { sapp-sweep -n -s 8 -mb "$1" -mem 60000 -t 1 -i 1-3 -target megatron "$tmp/layers.jsonl" 2>"$tmp/err" |
	awk '{ print $6, $8 }' | xargs; }
same 'questions that the target can run' '1 1f1b 2 vpp' "$(left 16)"
same 'what it cannot run is said once' '1 1' "$(grep -c "Megatron-LM has no schedule 'vpp-less'" "$tmp/err") $(grep -c \
	'left out: vpp with 3 chunks: 16 layers are too few for 8 stages of 3 chunks' "$tmp/err")"
same 'with few micro-batches' '1 1f1b' "$(left 4)"
check 'that is said, too' grep -q \
	'8 stages, 4 micro-batches: left out: vpp with 2 chunks, vpp with 3 chunks: Megatron-LM' "$tmp/err"
check 'a sweep of these ends with all answers' sapp-sweep -s 8 -mb 4 -mem 60000 -t 1 -i 1-3 -target megatron \
	-o "$tmp/few" "$tmp/layers.jsonl"
same 'which are one' 1 "$(grep -c '"kind":"plan"' "$tmp/few/sweep.jsonl")"

# A total number of devices: data parallelism and micro-batches follow, and more stages do not need more devices.
devices() { sapp-sweep -devices 16 -tp 2 -batch 32 "$@" "$tmp/layers.jsonl"; }
same 'micro-batches follow from the devices' '1 4
2 8
4 16
8 32' "$(devices -n 2>"$tmp/err" | awk '{ print $2, $4 }')"
same 'of several sequences' '4 8' "$(devices -n -s 4 -mbs 2 2>"$tmp/err" | awk '{ print $2, $4 }')"
same 'some stages leave devices over' '2 4' "$(devices -n -s 2-5 2>"$tmp/err" | awk '{ print $2 }' | xargs)"
check 'which is said' grep -qx 'sapp-sweep: numbers of stages that do not divide 8 devices are ignored: -s 3 5' \
	"$tmp/err"
check 'ranked' sh -c '"$@" >"$0"' "$tmp/rank" sapp-sweep -devices 16 -tp 2 -batch 32 -t 1 -o "$tmp/devices" \
	"$tmp/layers.jsonl"
same 'samples a second are those of the batch' '' "$(awk 'NR > 1 && ($7 * $NF / 1000 - 32) ^ 2 > 0.01' "$tmp/rank")"
same 'the most of them first' "$(awk 'NR > 1 { print $NF }' "$tmp/rank" | sort -rn)" \
	"$(awk 'NR > 1 { print $NF }' "$tmp/rank")"
same 'data parallelism takes the rest' '8' "$(awk 'NR > 1 { print $2 * $(NF - 1) }' "$tmp/rank" | sort -u)"
fails 'no batch' 2 '-devices: needs -batch, the sequences per step' sapp-sweep -n -devices 16 "$tmp/layers.jsonl"
fails 'micro-batches twice' 2 '-mb and -devices exclude each other: -batch determines the micro-batches' sapp-sweep \
	-n -devices 16 -batch 8 -mb 4 \
	"$tmp/layers.jsonl"
fails 'a degree that does not divide' 2 "-tp: does not divide 16 devices '3'" sapp-sweep -n -devices 16 -tp 3 -batch 8 \
	"$tmp/layers.jsonl"
fails 'not a number' 2 "-batch: not a number from 1 to 999999999 '8x'" sapp-sweep -n -devices 16 -batch 8x \
	"$tmp/layers.jsonl"
fails 'a batch without devices' 2 '-tp, -batch and -mbs: need -devices' sapp-sweep -n -batch 8 "$tmp/layers.jsonl"
fails 'a batch that no number of replicas divides' 2 'no number of stages divides devices and batch' \
	sapp-sweep -n -devices 16 -batch 7 -s 1,2 "$tmp/layers.jsonl"
check 'a sweep' sweep
check 'transfers that are taken as 0 ms are said' grep -q \
	 "^sapp-sweep: transfers: 0 ms assumed, .*; give their time with -lp '-comm MS'" "$tmp/err"
check 'with a time of them nothing is' sh -c 'sapp-sweep -s 4 -mb 8 -mem 2500 -t 1 -lp "-comm 0.1" -o "$1/comm" \
	"$1/layers.jsonl" 2>&1 >"$1/null" | grep -c transfers | grep -qx 0' sh "$tmp"
same 'an answer for every question' 9 "$(grep -c '"kind":"plan"' "$tmp/dir/sweep.jsonl")"
check 'a picture' test -s "$tmp/dir/sweep.svg"
check 'a page' grep -q 'const DATA = {"title":"Sweep"' "$tmp/dir/sweep.html"
same 'names are those of the questions' 9 \
	"$(jq -r 'select(.kind=="plan").name' "$tmp/dir/sweep.jsonl" | sort -u | grep -c '^layers-.*-s4-mb8-i[12]-')"
same 'the ranking' \
	"$(jq -rs '[.[]|select(.kind=="plan" and .status!="infeasible")|.step_time]|sort|map(.*10|round/10)|.[]' \
	"$tmp/dir/sweep.jsonl" | xargs printf '%.1f\n')" \
	"$(awk 'NR > 1 && $7 != "no" { print $7 }' "$tmp/rank")"
same 'what several chunks per stage give' 1 "$(grep -cx \
	'sapp-sweep: with several chunks per stage the best step is [0-9.]* % \(shorter\|longer\)' "$tmp/err")"
best=$(sed -n 's/^sapp-sweep: next: write the best plan into a YAML or script with sapp-yaml -w TRAIN\.yaml //p' \
	"$tmp/err")
same 'the best answer is named' "$(awk 'NR == 2 { print $7 }' "$tmp/rank")" \
	"$(jq -r 'select(.kind == "plan").step_time' "$best" | xargs printf '%.1f')"
if jq -es 'any(.[]; .status=="infeasible")' "$tmp/dir/sweep.jsonl" >/dev/null; then
	check 'no plan is an answer' grep -q 'no plan' "$tmp/rank"
fi
stat -c '%n %y' "$tmp"/dir/layers-* >"$tmp/times"
check 'a second time' sweep
stat -c '%n %y' "$tmp"/dir/layers-* >"$tmp/times.2"
check 'nothing is asked again' cmp "$tmp/times" "$tmp/times.2"
rm "$(find "$tmp/dir" -name '*-i2-vpp-2000.jsonl')"
sweep
check 'what is missing is' grep -q '9 questions, 8 answered before' "$tmp/err"
same 'and all are there' 9 "$(grep -c '"kind":"plan"' "$tmp/dir/sweep.jsonl")"
cp "$tmp/dir/sweep.jsonl" "$tmp/local"

# A bound for a larger limit holds for a smaller one.
shared() { sapp-sweep -j 1 -s 4 -mb 8 -mem 2400,2500 -i 2 -S vpp -t 0.01 -o "$tmp/shared" \
	"$tmp/layers.jsonl" >"$tmp/rank" 2>"$tmp/err"; }
check 'a sweep without time' shared
larger=$(find "$tmp/shared" -name '*-2500.jsonl') smaller=$(find "$tmp/shared" -name '*-2400.jsonl')
sapp-lp -s 4 -mb 8 -mem 2500 -i 2 -S vpp -t 60 -gap 0 "$tmp/layers.jsonl" >"$larger"
rm "$smaller"
check 'the smaller limit again' shared
same 'its bound is as good' true "$(jq -n --slurpfile a "$larger" --slurpfile b "$smaller" \
	'[$a, $b | .[] | select(.kind=="plan").lower_bound] | .[1] >= .[0]')"
same 'nothing is left behind' '' "$(find "$tmp/shared" -name '*.new')"

# Throughput if the model record has the numbers for it.
sed 's/"name":"m"/"name":"m","seq_length":1000,"batch_size":2,"model_parallel":4/' \
	"$tmp/layers.jsonl" >"$tmp/known.jsonl"
check 'a model that is known' sh -c \
	'sapp-sweep -s 4 -mb 8 -mem 2500 -t 2 -target mindformers -o "$1/known" "$1/known.jsonl" >"$1/rank"' sh "$tmp"
same 'tokens a second and device' "$(jq -r 'select(.kind=="plan") | 8 * 2 * 1000 * 1000 / (.step_time * 4 * 4) * 10 |
	round / 10' "$tmp/known/sweep.jsonl")" \
	"$(awk 'NR == 2 { print $NF + 0 }' "$tmp/rank")"

# Several files of layers, two with the same name, are distinguished in the ranking, the picture and the list of
# questions.
mkdir "$tmp/more"
sed 's/"time":2,/"time":3,/' "$tmp/layers.jsonl" >"$tmp/slow.jsonl"
sed 's/"time":2,/"time":4,/' "$tmp/layers.jsonl" >"$tmp/more/layers.jsonl"
several() { sapp-sweep -s 4 -mb 8 -mem 2400,2500 -t 2 -o "$tmp/several" "$@" "$tmp/layers.jsonl" "$tmp/slow.jsonl" \
	"$tmp/more/layers.jsonl"; }
check 'several files' sh -c '"$@" >"$0"' "$tmp/rank" sapp-sweep -s 4 -mb 8 -mem 2400,2500 -t 2 -o "$tmp/several" \
	"$tmp/layers.jsonl" "$tmp/slow.jsonl" "$tmp/more/layers.jsonl"
same 'the ranking names them' "$tmp/layers $tmp/layers slow slow $tmp/more/layers $tmp/more/layers" \
	"$(awk 'NR > 1 { print $NF }' "$tmp/rank" | sed 's/\.jsonl$//' | xargs)"
same 'a line for each in the picture' 3 \
	"$(sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' "$tmp/several/sweep.svg" | grep -c ': 1f1b')"
same 'and questions of each' 2 "$(several -n | grep -c '^-s 4 .* -t 2 .*/slow.jsonl$')"

# On machines of a list: this one without ssh, and by a stand-in for ssh that leaves the command to a shell, as sshd
# does.
mkdir "$tmp/bin"
cat >"$tmp/bin/ssh" <<'EOF'
#!/bin/sh
[ "$1" != gone ] || exit 255
echo "$*" >>"$SSH_LOG"
shift 2
exec sh -c "$*"
EOF
chmod +x "$tmp/bin/ssh"
alone() { jq -c 'select(.kind=="plan")|.offset,.recompute' "$1/sweep.jsonl"; }
check 'one at a time' sapp-sweep -s 4 -mb 8 -mem 2400,2500 -t 2 -j 1 -o "$tmp/alone" "$tmp/layers.jsonl"
printf '# ours\n\n:\n' >"$tmp/hosts"
check 'a file of hosts with this machine' sapp-sweep -s 4 -mb 8 -mem 2400,2500 -t 2 -hosts "$tmp/hosts" \
	-o "$tmp/hosted" "$tmp/layers.jsonl"
same 'its answers are the same' "$(alone "$tmp/alone")" "$(alone "$tmp/hosted")"
printf 'gone\n1/%s/bin/ssh -x there' "$tmp" >"$tmp/hosts"
odd="$tmp/o';touch PWNED; {} {#} \$HOME %j"
check 'machines over ssh, one of them not there' env PATH="$tmp/bin:$PATH" SSH_LOG="$tmp/ssh.log" sapp-sweep -s 4 \
	-mb 8 -mem 2400,2500 -t 2 \
	-hosts "$tmp/hosts" -o "$odd" "$tmp/layers.jsonl"
same 'its answers are the same' "$(alone "$tmp/alone")" "$(alone "$odd")"
same 'the other one did all' 2 "$(grep -c '^-x there exec bash -c' "$tmp/ssh.log")"
echo gone >"$tmp/hosts"
fails 'no machine is there' 1 'no machine is left' env PATH="$tmp/bin:$PATH" sapp-sweep -t 1 -hosts "$tmp/hosts" \
	-o "$tmp/none" "$tmp/layers.jsonl"
fails 'a directory of hosts' 1 "$tmp: cannot be read" sapp-sweep -t 1 -hosts "$tmp" -o "$tmp/none" "$tmp/layers.jsonl"
echo '# none' >"$tmp/hosts"
fails 'no machine in the list' 1 'no login in it' sapp-sweep -t 1 -hosts "$tmp/hosts" -o "$tmp/none" "$tmp/layers.jsonl"
echo '-oProxyCommand=touch' >"$tmp/hosts"
fails 'an option for a login' 1 \
	"not a login '-oProxyCommand=touch'" sapp-sweep -t 1 -hosts "$tmp/hosts" -o "$tmp/none" "$tmp/layers.jsonl"

# Test -slurm with a stand-in for sbatch, which runs the tasks of the array one after another.
cat >"$tmp/bin/sbatch" <<'EOF'
#!/bin/bash
echo "$*" >>"$SBATCH_LOG"
while [ $# -gt 0 ]; do
	case $1 in
	--array=*) array=${1#--array=} ;;
	--chdir=*) cd "${1#--chdir=}" || exit 1 ;;
	-*) ;;
	*) break ;;
	esac
	shift
done
for n in $(echo "${array%\%*}" | tr , ' '); do SLURM_ARRAY_TASK_ID=$n "$@" || exit 1; done
EOF
chmod +x "$tmp/bin/sbatch"
check 'an array job' env PATH="$tmp/bin:$PATH" SBATCH_LOG="$tmp/sbatch.log" sapp-sweep -s 4 -mb 8 -mem 2000,2500 -t 2 \
	-j 3 -slurm '--partition=x --time=5' \
	-o "$tmp/slurm" "$tmp/layers.jsonl"
check 'its options' grep -q -- \
	'--wait --array=1,2%3 .*--partition=x --time=5 --job-name=sapp-sweep-slurm-[^ ]* [^ ]*sapp-sweep -answer ' \
	"$tmp/sbatch.log"
same 'its answers' 2 "$(grep -c '"kind":"plan"' "$tmp/slurm/sweep.jsonl")"
# Of 1003 questions all but the second, the 1000th and the last are answered.
mkdir "$tmp/many"
name=$(sed -n '1s/\t.*//p' "$tmp/slurm/questions")
seq 2000 3002 | sed '2d; 1000d; $d' |
	while read -r mem; do echo "$tmp/many/$(echo "$name" | sed "s/2000/$mem/").jsonl"; done | xargs touch
rm -f "$tmp/sbatch.log"
check 'more questions than an array has tasks' env PATH="$tmp/bin:$PATH" SBATCH_LOG="$tmp/sbatch.log" sapp-sweep \
	-s 4 -mb 8 -mem 2000-3002:1 -t 2 -j 3 -slurm '' -o "$tmp/many" "$tmp/layers.jsonl"
same 'go in several arrays' '--array=2,1000%3 --array=3%3' "$(grep -o -- '--array=[0-9,%]*' "$tmp/sbatch.log" | xargs)"
same 'each its own questions' '2001 2999 3002' \
	"$(jq -r 'select(.kind == "pipeline").memory_limit' "$tmp/many/sweep.jsonl" | sort -n | xargs)"

fails 'no file' 2 'missing operand: a file of layer records' sapp-sweep -s 4
fails 'a file that is missing' 1 'none: cannot be read' sapp-sweep "$tmp/none"
same 'limits with units' "$(sapp-sweep -n -mem 2048-4096:1024,58572,2500 "$tmp/layers.jsonl" 2>"$tmp/err")" \
	"$(sapp-sweep -n -mem 2GB-4GB:1GB,57.2GB,2500MB "$tmp/layers.jsonl" 2>"$tmp/err")"
fails 'not a list' 2 "-mem: not a list of numbers from 1 to 999999999 '5,x'" sapp-sweep -mem 5,x "$tmp/layers.jsonl"
fails 'a range that runs backwards' 2 "-i: range runs backwards '3-1'" sapp-sweep -i 3-1 "$tmp/layers.jsonl"
fails 'no stages' 2 "-s: not a list of numbers from 1 to 999999999 '0'" sapp-sweep -s 0 -n "$tmp/layers.jsonl"
fails 'more than numbers can be' 2 "-s: not a list" sapp-sweep -s 99999999999999999999 -n "$tmp/layers.jsonl"
fails 'a range without end' 2 "-mem: more than 10000 numbers '1-100000000'; give the increment, FROM-TO:STEP" \
	sapp-sweep \
	-mem 1-100000000 -n "$tmp/layers.jsonl"
fails 'a directory' 1 "$tmp: cannot be read" sapp-sweep "$tmp"
fails 'usage on a full disk' 1 'No space left' sh -c 'sapp-sweep -h >/dev/full'
fails 'an option that the planner does not have, in its words' 2 "unrecognized option '-zz'" \
	sapp-sweep -lp -zz -t 1 -o "$tmp/zz" "$tmp/layers.jsonl"
fails 'an unknown option' 2 "unknown option '-x'" sapp-sweep -x "$tmp/layers.jsonl"
echo '{"kind":"layer"}' >"$tmp/bad.jsonl"
fails 'a planner that fails' 1 '1 questions have no answer' sapp-sweep -t 1 -o "$tmp/bad" "$tmp/bad.jsonl"
run 0 sapp-sweep -n -s 2 "$tmp/layers.jsonl"
check 'what is assumed is said' grep -q \
	'assumed, as not given by an option: 4 micro-batches (-mb), 56000 MB (-mem), 90 s per question (-t)$' "$tmp/err"
run 0 sapp-sweep -n -s 2 -mb 8 -mem 60000 -t 5 "$tmp/layers.jsonl"
check 'nothing where all is told' sh -c '! grep -q assumed "$1"' sh "$tmp/err"
done_testing
