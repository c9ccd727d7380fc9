#!/bin/sh
# sapp-sweep -slurm on a cluster of one node started here; skipped without Slurm.
. "$(dirname "$0")/../lib.sh"
. "$top/tests/machines.sh"
start_slurm

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

# Names with a meaning for a shell or Slurm; interrupted, and continued.
cd "$tmp" || exit 1
odd="it's; touch PWNED; %j \$(touch PWNED)"
check 'in a directory of any name' sapp-sweep -s 4 -mb 8 -mem 2500 -t 2 -slurm '--time=5' -o "$odd" layers.jsonl
same 'the answer is there' 1 "$(grep -c '"kind":"plan"' "$odd/sweep.jsonl")"
same 'no name was run' '' "$(find "$tmp" -maxdepth 2 -name PWNED)"
lasting_planner
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
