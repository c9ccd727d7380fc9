#!/bin/sh
# sapp-sim -H: for transfers of unknown time the report tells that they count as 0, and the time from which another
# plan wins.
. "$(dirname "$0")/../lib.sh"

# Four stages of 10 ms forward and 20 backward: 1f1b takes (8 + 3) * 30 ms and crosses a boundary 6 times, two chunks a
# stage (8 + 1.5) * 30 ms and 14 boundaries beside what is hidden.
chunks 1f1b 8 '[[10,10,10,10]]' '' | sed 's/"c"/"one"/' >"$tmp/one"
chunks vpp 8 '[[5,5,5,5],[5,5,5,5]]' '' | sed 's/"c"/"two"/' >"$tmp/two"
said() { sapp-sim -H "$@" | sed -n 's/^transfers: //p'; }
step() { sapp-sim -j -comm "$2" "$tmp/$1" | get sim .step_time; }
said "$tmp/one" "$tmp/two" >"$tmp/said"
same 'that none is known' '0 ms assumed; each ms of them makes the step of two' \
	"$(sed -n '1s/ [0-9.]* ms longer$//p' "$tmp/said")"
near 'what a millisecond costs' "$(jq -n "$(step two 0.001) - $(step two 0)")" \
	"$(sed -n '1s/.* \([0-9.]*\) ms longer$/\1/p' "$tmp/said" | awk '{ print $1 / 1000 }')" 1e-6
from=$(sed -n '2s/^at \([0-9.]*\) ms and above one is shorter than two$/\1/p' "$tmp/said")
check 'from which time on another is shorter' test -n "$from"
longer() { jq -n "$(step two "$(jq -n "$from * $1")") > $(step one "$(jq -n "$from * $1")")"; }
same 'below it is not, above it is' 'false true' "$(longer 0.98) $(longer 1.02)"
same 'nothing where it is known' '' "$(said -comm 1 "$tmp/one" "$tmp/two")"
same 'nothing of one stage' '' "$(chunks 1f1b 8 '[[10]]' '' | said)"
same 'a plan alone' 1 "$(said "$tmp/one" | grep -c .)"
same 'what does not fit does not win' 1 "$(sed 's/}$/,"activation":100}/' "$tmp/one" | cat - "$tmp/two" |
	said -mem 50 | grep -c 'none that fits is shorter than two\|step of two')"
done_testing
