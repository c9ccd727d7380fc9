#!/bin/sh
# On a terminal: reports for people instead of records, and progress.
. "$(dirname "$0")/lib.sh"
example=$top/examples/llama-175b

command -v script >/dev/null || { skip "script is not installed"; done_testing; exit; }
# terminal COMMAND: run COMMAND with sh on a terminal, with its output in $tmp/out.
terminal() { script -qec "$1" /dev/null </dev/null >"$tmp/out" 2>&1; }
shows() { check "$1" grep -qF -- "$2" "$tmp/out"; }
terminal true || { skip "no terminal can be had here"; done_testing; exit; }
records() { same "$1" 0 "$(grep -c '^{"kind"' "$tmp/out")"; }

terminal "sapp-memsplit '$example/init.yaml' '$example/peaks.txt'"
shows "sapp-memsplit: measured" measured
shows "and predicted" predicted
records "sapp-memsplit: no records"

sapp-layers "$top/examples/llama-70b/layers.json" >"$tmp/layers"
terminal "sapp-lp -s 8 -mb 32 -mem 29000 '$tmp/layers'"
shows "sapp-lp: settings to paste" "To put in yaml configuration:"
shows "sapp-lp: progress" " best "
records "sapp-lp: no records"
terminal "sapp-lp -s 8 -mb 32 -mem 29000 '$tmp/layers' 2>/dev/null"
same "sapp-lp: progress is on standard error" 0 "$(grep -c ' best .* bound ' "$tmp/out")"
terminal "sapp-lp -j -s 8 -mb 32 -mem 29000 '$tmp/layers' 2>/dev/null"
check "sapp-lp -j: records" grep -q '^{"kind":"plan"' "$tmp/out"

sapp-lp -s 8 -mb 32 -mem 29000 "$tmp/layers" >"$tmp/plan" 2>"$tmp/err"
same "not on a terminal: no progress" "" "$(cat "$tmp/err")"
terminal "sapp-sim '$tmp/plan'"
shows "sapp-sim: the bubble" "--------------------  bubble  --------------------"
records "sapp-sim: no records"
terminal "sapp-sim -j '$tmp/plan'"
check "sapp-sim -j: records" grep -q '^{"kind":"sim"' "$tmp/out"
terminal "sapp-sim '$tmp/plan' | cat"
check "sapp-sim into a pipe: records" grep -q '^{"kind":"sim"' "$tmp/out"

terminal "sapp-guide -s 8 -n 32 -k full"
check "sapp-guide: a table" grep -q . "$tmp/out"
records "sapp-guide: no records"
done_testing
