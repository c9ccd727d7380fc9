#!/bin/sh
# sapp-sweep -slurm on a cluster of one node that is started here; skipped where Slurm is not installed.
. "$(dirname "$0")/../lib.sh"

PATH=$PATH:/usr/sbin
for t in slurmctld slurmd sbatch sinfo munged; do
	command -v $t >/dev/null || { skip "$t is not installed"; done_testing; exit; }
done
[ "$(id -u)" -eq 0 ] || { skip 'only root can start a cluster'; done_testing; exit; }

d=$tmp/slurm
stop() {
	for p in slurmd slurmctld munged; do
		[ ! -s "$d/$p.pid" ] || kill "$(cat "$d/$p.pid")" 2>/dev/null
	done
	sleep 1
	rm -rf "$tmp"
}
trap stop EXIT
mkdir "$d" "$d/state" "$d/spool"
chmod 755 "$tmp" "$d"
node=$(hostname -s)
port=$((20000 + $$ % 20000))
dd if=/dev/urandom of="$d/key" bs=1 count=128 2>/dev/null && chmod 400 "$d/key"
cat >"$d/slurm.conf" <<EOF
ClusterName=sapp
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthInfo=socket=$d/munge.sock
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$d/state
SlurmdSpoolDir=$d/spool
SlurmctldPidFile=$d/slurmctld.pid
SlurmdPidFile=$d/slurmd.pid
SlurmctldLogFile=$d/slurmctld.log
SlurmdLogFile=$d/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
MpiDefault=none
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF="$d/slurm.conf"
munged --force --socket="$d/munge.sock" --key-file="$d/key" --pid-file="$d/munged.pid" --log-file="$d/munged.log" \
	--seed-file="$d/seed" && slurmctld && slurmd
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	sinfo -h -o %T 2>/dev/null | grep -q idle && break
	sleep 1
done
if ! sinfo -h -o %T 2>/dev/null | grep -q idle; then
	skip "Slurm does not start here: $(tail -n 1 "$d/slurmctld.log" 2>/dev/null)"
	done_testing
	exit
fi

cat >"$tmp/layers.jsonl" <<EOF
{"kind":"model","name":"m"}
{"kind":"layer","name":"Body","type":"BODY","nb_layer":16,"time":2,"memory_parameter":200,"memory_activation":100,\
"memory_recompute":10}
EOF
check 'an array job' sapp-sweep -s 4 -mb 8 -mem 1500-2500:500 -t 2 -j 2 -slurm '--partition=test --time=5' \
	-o "$tmp/sweep" "$tmp/layers.jsonl"
same 'every question is answered' 3 "$(grep -c '"kind":"plan"' "$tmp/sweep/sweep.jsonl")"
same 'by Slurm' 3 "$(find "$tmp/sweep" -name 'slurm-*_*.log' | wc -l)"
check 'as without it' sapp-sweep -s 4 -mb 8 -mem 1500-2500:500 -t 2 -o "$tmp/local" "$tmp/layers.jsonl"
same 'with the same plans' "$(jq -c 'select(.kind=="plan")|[.name,.offset,.recompute]' "$tmp/local/sweep.jsonl")" \
	"$(jq -c 'select(.kind=="plan")|[.name,.offset,.recompute]' "$tmp/sweep/sweep.jsonl")"

# Names that a shell or Slurm would make something of; interrupted, and gone on with.
cd "$tmp" || exit 1
odd="it's; touch PWNED; %j \$(touch PWNED)"
check 'in a directory of any name' sapp-sweep -s 4 -mb 8 -mem 2500 -t 2 -slurm '--time=5' -o "$odd" layers.jsonl
same 'the answer is there' 1 "$(grep -c '"kind":"plan"' "$odd/sweep.jsonl")"
same 'no name was run' '' "$(find "$tmp" -maxdepth 2 -name PWNED)"
mkdir "$tmp/bin"
printf '#!/bin/sh\necho $$ >>"%s"\nexec sleep 60\n' "$tmp/pids" >"$tmp/bin/sapp-lp"
chmod +x "$tmp/bin/sapp-lp"
begun() { [ -s "$tmp/pids" ]; }
empty() { [ -z "$(squeue -h)" ]; }
PATH=$tmp/bin:$PATH sapp-sweep -s 4 -mb 8 -mem 1500,2500 -t 2 -j 1 -slurm '--time=5' \
	-o stopped layers.jsonl >"$tmp/out" 2>"$tmp/err" &
script=$!
soon 'the array runs' begun
same 'under a name that tells whose it is' sapp-sweep-stopped "$(squeue -h -o %j | head -n 1 | cut -d- -f1-3)"
kill -TERM $script
wait $script
same 'interrupted' 143 $?
check 'and said' grep -q 'the array job sapp-sweep-stopped-.* is cancelled' "$tmp/err"
soon 'no job is left' empty
same 'nor an answer' '' "$(find stopped -name '*s4*.jsonl')"
check 'the same command goes on' sapp-sweep -s 4 -mb 8 -mem 1500,2500 -t 2 -slurm '--time=5' -o stopped layers.jsonl
same 'to all answers' 2 "$(grep -c '"kind":"plan"' stopped/sweep.jsonl)"
same 'with nothing left behind' '' "$(find stopped -name '*.new')"
done_testing
