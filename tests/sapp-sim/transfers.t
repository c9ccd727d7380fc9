#!/bin/sh
# Transfers compared with measured ones: exchanges, the time of a sender before its transfer, and the time to begin a
# transfer.
. "$(dirname "$0")/../lib.sh"

data=$(dirname "$0")/../data/transfers.jsonl

# step WANT WAY CHUNKS...
step() { name=$1 want=$2 way=$3; shift 3
	near "$name" "$want" "$(chunks "$@" | sapp-sim -j -transfers "$way" |
		jq 'select(.kind == "sim").step_time')" 1e-9; }

# Two equal stages, 8 micro-batches: 9 x 30 ms, and the time that transfers of 4 ms add. In an exchange a forward and a
# gradient cross at the same time: 9 times 4 ms; in sequence twice this time, except for the first and the last.
T=',"comm_time":4'
step "no transfers" 270 batched 1f1b 8 '[[10,10]]'
step "both directions of an exchange at once" 306 batched 1f1b 8 '[[10,10]]' "$T"
step "one after the other" 334 blocking 1f1b 8 '[[10,10]]' "$T"
step "a boundary with a time of its own" 306 batched 1f1b 8 '[[10,10]]' ',"comm_time":[4]'
# One micro-batch: F0 0-10, 14-24, B0 24-44, back 48-68. A sender's delay of 5 ms precedes its transfer, here to the
# next stage and back.
step "one micro-batch" 68 batched 1f1b 1 '[[10,10]]' "$T"
step "a sender that is late" 73 batched 1f1b 1 '[[10,10]]' "$T,\"send_delay_forward\":[5]"
step "back, too" 80 batched 1f1b 1 '[[10,10]]' "$T,\"send_delay_forward\":5,\"send_delay_backward\":7"
step "hidden data come later by that" 80 hidden 1f1b 1 '[[10,10]]' \
	"$T,\"send_delay_forward\":5,\"send_delay_backward\":7"
step "blocking ones, too" 80 blocking 1f1b 1 '[[10,10]]' "$T,\"send_delay_forward\":5,\"send_delay_backward\":7"
# Stage 1 reaches F1's exchange after 139 ms, long after the 5 ms of stage 0: only the delay of F0 counts.
step "no delay before sends" 282 batched 1f1b 2 '[[10,40]]' "$T"
step "a sender's own wait passes while the receiver computes" 287 batched 1f1b 2 '[[10,40]]' \
	"$T,\"send_delay_forward\":[5]"
# Each of F0 and B0 is one transfer on both stages. Hidden: F0 0-11, 11-22 with its receive, B0 22-43, 43-64.
step "what beginning a transfer takes" 64 hidden 1f1b 1 '[[10,10]]' ',"post_time":1'
# Stage 0 begins both directions of its exchange: 0-12, 12-22-42, 43-63.
step "in an exchange" 63 batched 1f1b 1 '[[10,10]]' ',"post_time":1'
step "of backwards that are split, weights send nothing" 54 hidden zb-h1 1 '[[10,10]]' ',"post_time":1'
# Longer transfers never make an order of operations shorter.
for way in hidden blocking batched; do
	same "$way: longer transfers, longer steps" ok "$(for c in 0 0.5 1 2 5 20; do
		chunks 1f1b 7 '[[5,9,4,7]]' ",\"comm_time\":$c"
		chunks 1f1b 7 '[[5,9,4,7]]' ",\"comm_time\":[1,$c,2],\"send_delay_backward\":[0,3,0],\"post_time\":0.5"
	done | sapp-sim -j -transfers $way | jq 'select(.kind == "sim").step_time' | awk '{ k = NR % 2
		if ($1 < last[k])
			bad = 1
		last[k] = $1 } END { print bad ? "shorter" : "ok" }')"
done
for way in batched blocking hidden; do
	same "$way, any schedule that there is, runs" 1 "$(for s in gpipe 1f1b vpp vpp-less zb-h1 zb-h2 zbv v-half \
		v-min zero-bubble-v dualpipev; do
		case $s in gpipe | 1f1b | zb-h?) f='[[3,1,2]]' ;; *) f='[[3,1,2],[1,3,2]]' ;; esac
		chunks $s 6 "$f" ',"comm_time":0.5,"post_time":0.1,"send_delay_forward":[1,0]'
	done | sapp-sim -j -transfers $way |
		jq -s 'map(select(.kind == "sim") | select(.step_time > 0)) | length / 11')"
done

# Measured runs: from the first forward to the last operation of stage 0.
measured() { jq -c "select(.schedule == \"$1\") | {kind: \"chunks\"} + del(.measured)" "$data" |
	sapp-sim -e -transfers "$2" |
	jq -r 'select(.kind == "block" and .stage == 0) | [.plan, .end] | @tsv' |
	awk -F '\t' '{ if ($2 > end[$1]) end[$1] = $2 } END { for (p in end) print p "\t" end[p] }' | sort >"$tmp/found"
	jq -r "select(.schedule == \"$1\") | [.name, .measured] | @tsv" "$data" | sort |
		join -t '	' - "$tmp/found" |
		awk -F '\t' '{ e = 100 * ($3 / $2 - 1); print e < 0 ? -e : e }' | sort -g >"$tmp/errors"; }
median() { awk '{ e[NR] = $1 } END { print (e[int((NR + 1) / 2)] + e[int(NR / 2) + 1]) / 2 }' "$tmp/errors"; }
less() { check "$1" awk "BEGIN { exit !($2 <= $3) }"; }
measured 1f1b batched
same "1f1b: runs" 12 "$(wc -l <"$tmp/errors")"
less "1f1b: median error, %" "$(median)" 1
less "1f1b: the worst" "$(tail -n 1 "$tmp/errors")" 3.5
measured custom hidden
same "zero bubble: runs" 18 "$(wc -l <"$tmp/errors")"
less "zero bubble: median error, %" "$(median)" 1
less "zero bubble: the worst" "$(tail -n 1 "$tmp/errors")" 3

# Refused input.
bad() { chunks 1f1b 2 '[[1,1,1]]' "$3" >"$tmp/bad"; fails "$1" 1 "bad:1: chunks: $2" sapp-sim "$tmp/bad"; }
bad "delays of other edges" "send_delay_forward: 4 numbers for the boundaries of 3 stages" \
	',"send_delay_forward":[1,2,3,4]'
bad "backwards, too" "send_delay_backward: 5 numbers for the boundaries" ',"send_delay_backward":[1,2,3,4,5]'
bad "a negative delay" "send_delay_backward: negative" ',"send_delay_backward":[1,-2]'
bad "a negative post" "post_time: negative" ',"post_time":-1'
bad "posts of each stage" "post_time: not a number" ',"post_time":[1,2,3]'
done_testing
