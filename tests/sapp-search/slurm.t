#!/bin/sh
# sapp-search -slurm on a cluster of one node started here; interrupted and continued.
. "$(dirname "$0")/../lib.sh"
. "$top/tests/machines.sh"
. "$(dirname "$0")/job.sh"
start_slurm
cd "$tmp" || exit 1
small_job
check 'here' run 0 sapp-search -t 20 -o here job.yaml
odd="it's; touch PWNED; %j \$(touch PWNED)"
check 'in array jobs' run 0 sapp-search -t 30 -j 2 -slurm '--partition=test --time=5' -o "$odd" job.yaml
check 'proved' grep -q '^best of' out
check 'by Slurm' test "$(find "$odd" -name 'slurm-*_*.log' | wc -l)" -ge 2
same 'the same is best' "$(first_of here)" "$(first_of "$odd")"
same 'no name was run' '' "$(find "$tmp" -maxdepth 2 -name PWNED)"

lasting_planner
empty() { [ -z "$(squeue -h)" ]; }
PATH=$tmp/bin:$PATH sapp-search -t 20 -j 1 -slurm '--time=5' -o stopped job.yaml >out 2>err &
script=$!
soon 'the array runs' begun
kill -TERM $script
wait $script
same 'interrupted' 143 $?
check 'and said' grep -q 'the array job sapp-search-stopped-.* is cancelled' err
soon 'no job is left' empty
check 'the same command goes on' run 0 sapp-search -t 30 -slurm '--time=5' -o stopped job.yaml
same 'to the same' "$(first_of here)" "$(first_of stopped)"
same 'with nothing left behind' '' "$(find stopped -name '*.new')"
done_testing
