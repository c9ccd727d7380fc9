#!/bin/sh
# sapp-sweep -hosts over ssh, to an sshd of its own on this machine; skipped where there is none.
. "$(dirname "$0")/../lib.sh"
PATH=$PATH:/usr/sbin
for t in sshd ssh ssh-keygen; do
	command -v $t >"$tmp/null" || { skip "$t is not installed"; done_testing; exit; }
done
d=$tmp/ssh
mkdir -m 700 "$d"
trap '[ ! -s "$d/pid" ] || kill "$(cat "$d/pid")"; rm -rf "$tmp"' EXIT
ssh-keygen -q -t ed25519 -N '' -f "$d/host" && ssh-keygen -q -t ed25519 -N '' -f "$d/key" &&
	cp "$d/key.pub" "$d/authorized"
port=$((20000 + $$ % 20000))
cat >"$d/sshd_config" <<END
ListenAddress 127.0.0.1
Port $port
HostKey $d/host
PidFile $d/pid
AuthorizedKeysFile $d/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
END
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
"$(command -v sshd)" -f "$d/sshd_config" -E "$d/log"
login="ssh -p $port -i $d/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=$d/known -o BatchMode=yes $(id \
	-un)@127.0.0.1"
reached=no
for _ in 1 2 3 4 5 6 7 8 9 10; do
	if $login true 2>"$tmp/err"; then reached=yes; break; fi
	sleep 0.3
done
[ $reached = yes ] || { skip "sshd does not start here: $(tail -n 1 "$d/log" "$tmp/err" 2>/dev/null | tail -n 1)"
done_testing; exit; }

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

# Interrupted: what runs there ends, too.
mkdir "$tmp/bin"
printf '#!/bin/sh\ntrap "exit 0" TERM INT HUP\necho $$ >>"%s"\ni=0\nwhile [ $i -lt 600 ]; do sleep 0.1; i=$((i + '\
'1)); done\n' "$tmp/pids" >"$tmp/bin/sapp-lp"
chmod +x "$tmp/bin/sapp-lp"
begun() { [ -s "$tmp/pids" ]; }
none_left() { for p in $(cat "$tmp/pids"); do ! kill -0 "$p" 2>"$tmp/null" || return 1; done; }
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
