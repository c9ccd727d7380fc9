#!/bin/sh
# sapp-sweep -hosts over ssh, to an sshd started on this machine; skipped without sshd.
. "$(dirname "$0")/../lib.sh"
. "$top/tests/machines.sh"
start_sshd

cat >"$tmp/layers.jsonl" <<END
{"kind":"model","name":"m"}
{"kind":"layer","name":"Body","type":"BODY","nb_layer":16,"time":2,"memory_parameter":200,"memory_activation":100,\
"memory_recompute":10}
END
echo "2/$login" >"$tmp/hosts"
cd "$tmp" || exit 1
odd="it's; touch PWNED; \$(touch PWNED) {} \"x\""
check 'on another machine' sapp-sweep -s 4 -mb 8 -mem 1500-2500:500 -t 2 -hosts hosts -o "$odd" layers.jsonl
same 'every question is answered there' 3 "$(grep -c '"kind":"plan"' "$odd/sweep.jsonl")"
same 'no name was run' '' "$(find "$tmp" "$HOME" -maxdepth 1 -name PWNED)"
check 'as here' sapp-sweep -s 4 -mb 8 -mem 1500-2500:500 -t 2 -o here layers.jsonl
same 'with the same plans' "$(jq -c 'select(.kind=="plan")|[.name,.offset,.recompute]' here/sweep.jsonl)" \
	"$(jq -c 'select(.kind=="plan")|[.name,.offset,.recompute]' "$odd/sweep.jsonl")"

# An interruption ends remote processes, too.
lasting_planner
PATH=$tmp/bin:$PATH sapp-sweep -s 4 -mb 8 -mem 1500 -t 2 -hosts hosts -o stopped layers.jsonl >"$tmp/out" 2>"$tmp/err" &
script=$!
soon 'a planner runs there' begun
kill -TERM $script
wait $script
same 'interrupted' 143 $?
soon 'it is gone' none_left
same 'without an answer' '' "$(find stopped -name '*s4*.jsonl' -o -name '*.new')"
check 'the same command goes on' sapp-sweep -s 4 -mb 8 -mem 1500 -t 2 -hosts hosts -o stopped layers.jsonl
done_testing
