#!/bin/sh
# sapp-search -hosts over ssh, to an sshd started on this machine, and -j; interrupted and continued.
. "$(dirname "$0")/../lib.sh"
. "$top/tests/machines.sh"
. "$(dirname "$0")/job.sh"
start_sshd
cd "$tmp" || exit 1
small_job
check 'here' run 0 sapp-search -t 20 -o here job.yaml
grep '^best' out >said
echo "2/$login" >hosts
odd="it's; touch PWNED; \$(touch PWNED) {} \"x\""
check 'on another machine' run 0 sapp-search -t 20 -hosts hosts -o "$odd" job.yaml
same 'no name was run' '' "$(find "$tmp" "$HOME" -maxdepth 1 -name PWNED)"
same 'the same is best' "$(first_of here)" "$(first_of "$odd")"
check 'and proved' grep -q '^best of' out
check 'planners side by side' run 0 sapp-search -t 20 -j 3 -o three job.yaml
same 'find the same' "$(first_of here)" "$(first_of three)"
echo "2/ssh -p 1 -o BatchMode=yes nobody@127.0.0.1" >>hosts
check 'a machine that is not there is left out' run 0 sapp-search -t 20 -hosts hosts -o fewer job.yaml
check 'and said' grep -q 'nobody@127.0.0.1: no connection' err
same 'without it the same is best' "$(first_of here)" "$(first_of fewer)"
echo "2/$login" >hosts

# An interruption ends remote processes, too.
lasting_planner
PATH=$tmp/bin:$PATH sapp-search -t 20 -hosts hosts -o stopped job.yaml >out 2>err &
script=$!
soon 'a planner runs there' begun
fails 'one search at a time in a directory' 1 'another sapp-search is running in it' sapp-search -o stopped job.yaml
kill -TERM $script
wait $script
same 'interrupted' 143 $?
soon 'it is gone' none_left
same 'without an answer' '0' "$(grep -c plan stopped/work/answers.jsonl)"
check 'the same command goes on' run 0 sapp-search -t 20 -hosts hosts -o stopped job.yaml
same 'to the same' "$(first_of here)" "$(first_of stopped)"
# Killed by SIGKILL after its first round: the round is not planned again.
cp -r here killed
rm -f killed/work/ranked.json killed/report.txt
grep -c plan killed/work/answers.jsonl >before
touch killed/work/round/7.out.x.new
check 'killed, it goes on' run 0 sapp-search -t 20 -o killed job.yaml
same 'plans nothing anew' "$(cat before)" "$(grep -c plan killed/work/answers.jsonl)"
same 'and leaves nothing half done' '' "$(find killed -name '*.new')"
same 'with the same verdict' "$(cat said)" "$(grep '^best' out)"
fails 'hosts and Slurm at once' 2 'one of them' sapp-search -hosts hosts -slurm '' job.yaml
fails 'no job at once' 2 "not a number of jobs '0'" sapp-search -j 0 job.yaml
fails 'half a job' 2 "not a number of jobs '1.5'" sapp-search -j 1.5 job.yaml
: >hosts
fails 'no machine' 1 'no login in it' sapp-search -hosts hosts -o none job.yaml
done_testing
