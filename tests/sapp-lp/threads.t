#!/bin/sh
# Search and proof in parallel on two threads: repeated runs give the same answer, for one chunk and several, listed
# and priced.
. "$(dirname "$0")/../lib.sh"

BODY='"type":"BODY","memory_parameter":400,"memory_activation":90,"memory_select_rec":60,"memory_recompute":12'
cat >"$tmp/one" <<-END
	{"kind":"layer","name":"H","type":"HEAD","nb_layer":1,"time":4,"memory_parameter":900}
	{"kind":"layer","name":"B","nb_layer":18,"time":7.3,$BODY}
	{"kind":"layer","name":"T","type":"TAIL","nb_layer":1,"time":9,"memory_parameter":900}
END
cat >"$tmp/two" <<-END
	{"kind":"layer","name":"dense","nb_layer":5,"time":5.1,$BODY}
	{"kind":"layer","name":"moe","nb_layer":9,"time":7.7,$BODY}
END
cat >"$tmp/seven" <<-'END'
	{"kind":"model","name":"m","stage_const_mem":210}
	{"kind":"layer","name":"H","type":"HEAD","nb_layer":1,"time":29.09,"memory_parameter":1591}
	{"kind":"layer","name":"dense","type":"BODY","nb_layer":17,"time":10.51,"memory_parameter":1602,
	"memory_activation":160.14,"memory_select_rec":128.11,"memory_recompute":9.61,"memory_select_comm":104.09,
	"memory_both_comm_select":72.06}
	{"kind":"layer","name":"moe","type":"BODY","nb_layer":25,"time":37.31,"memory_parameter":1162,
	"memory_activation":288.75,"memory_select_rec":231,"memory_recompute":17.32,"memory_select_comm":187.69,
	"memory_both_comm_select":129.94}
	{"kind":"layer","name":"T","type":"TAIL","nb_layer":1,"time":41.99,"memory_parameter":1659}
END
jq -c . "$tmp/seven" >"$tmp/lines"
# twice NAME FILE OPTION...: two runs must prove the same plan optimal, and so end before the time limit.
twice() {
	title=$1 file=$2; shift 2
	check "$title" run 0 sapp-lp -gap 0 -t 400 "$@" "$file"
	cp "$tmp/out" "$tmp/first"
	check "$title: again" run 0 sapp-lp -gap 0 -t 400 "$@" "$file"
	check "$title: the same answer" cmp "$tmp/first" "$tmp/out"
	same "$title: proved" optimal "$(jq -r 'select(.kind == "plan") | .status' "$tmp/out")"
}
twice "one chunk" "$tmp/one" -s 4 -mb 8 -mem 3000
twice "two chunks" "$tmp/one" -s 4 -mb 8 -i 2 -mem 2900
! long || twice "two kinds of layers" "$tmp/two" -s 3 -mb 6 -i 2 -mem 2700
! long || twice "split backwards" "$tmp/one" -s 4 -mb 8 -S zb-h1 -mem 3400
twice "folded stages" "$tmp/one" -s 4 -mb 8 -S dualpipe -mem 7000
# Lists of patterns of seven chunks would take long: with lists, or without branch and bound, a gap remains.
[ -z "${LONG-}" ] || twice "seven chunks" "$tmp/lines" -s 4 -mb 4 -i 7 -mem 15800
# With counted time the answer ends soon after the first generated columns.
# shellcheck disable=SC2046 # several words
check "seven chunks: once more" run 0 sapp-lp -v -gap 0 $(draws '-t 18 -set look=1e-2' '-t 400') \
	-s 4 -mb 4 -i 7 -mem 15800 "$tmp/lines"
check "seven chunks: columns are generated" grep -q 'columns are generated' "$tmp/err"

# Work is counted, not timed: with all processors busy (LONG) and without, -t has no effect.
busy=
for _ in $([ -z "${LONG-}" ] || seq "$(nproc)"); do
	while :; do :; done &
	busy="$busy $!"
done
trap '[ -z "$busy" ] || kill $busy 2>"$tmp/null"; rm -rf "$tmp"' EXIT
set -- -s 4 -mb 8 -i 2 -mem 2900 "$tmp/one"
counted() { sapp-lp -gap 0 -t 1 -set look=1e-3 -s 4 -mb 4 -i 7 -mem 15800 "$tmp/lines" >"$1" 2>"$tmp/err"; }
check "there with time that is counted" counted "$tmp/cut"
same "it is over first" feasible "$(jq -r 'select(.kind == "plan") | .status' "$tmp/cut")"
check "on a loaded machine" run 0 sapp-lp -gap 0 -t 30 -seed 3 "$@"
# shellcheck disable=SC2086 # numbers of processes
[ -z "$busy" ] || kill $busy
cp "$tmp/out" "$tmp/first"
check "and on one that is less so" run 0 sapp-lp -gap 0 -t 30 -seed 3 "$@"
check "the same bytes" cmp "$tmp/first" "$tmp/out"
check "on one that is less so, counted" counted "$tmp/again"
check "the same bytes where time is over" cmp "$tmp/cut" "$tmp/again"
same "proved long before the time" optimal "$(jq -r 'select(.kind == "plan") | .status' "$tmp/out")"
done_testing
