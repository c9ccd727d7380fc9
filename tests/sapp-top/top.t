#!/bin/sh
# The best of many estimates, by one or two figures; as records, CSV and a table.
. "$(dirname "$0")/../lib.sh"
sapp-model "$top/examples/moe-64/config.json" >"$tmp/net"
sapp-enum -n 64 -gb 256 -cluster h100 -vp 1-4 "$tmp/net" 2>/dev/null | sapp-est >"$tmp/all"
jq -s 'map(select(.kind == "estimate" and .fits))' "$tmp/all" >"$tmp/fit"
best() { jq -c "[.[] | $1] | sort | .[:5]" "$tmp/fit"; }
got() { sapp-top "$@" "$tmp/all" | jq -sc '[.[] | select(.kind == "estimate")] | '"$by"; }

by='map(.step_time)'; same 'by step time' "$(best .step_time)" "$(got -k 5)"
by='map(.lower_bound)'; same 'by bound' "$(best .lower_bound)" "$(got -k 5 -by lower_bound)"
by='map(-.mfu)'; same 'by mfu, the largest first' "$(best '-.mfu')" "$(got -k 5 -by mfu)"
by='map(.high)'; same 'by the upper end of nine of ten' "$(best .high)" "$(got -k 5 -by high)"
by='map(.low)'; same 'by the lower' "$(best .low)" "$(got -k 5 -by low)"
jq -c 'del(.high)' "$tmp/all" >"$tmp/without"
fails 'which estimates must have' 1 'estimate: -by high: no such member' sapp-top -by high "$tmp/without"
by='map(.memory | max)'; same 'by memory' "$(best '.memory | max')" "$(got -k 5 -by memory)"
same 'candidates stay with their estimates' 10 \
	"$(sapp-top -k 5 "$tmp/all" |
	jq -r 'select(.kind == "candidate" or .kind == "estimate") |
	"\(.dp) \(.tp) \(.pp) \(.ep) \(.vp) \(.mbs) \(.shard)"' | uniq -c |
	awk '{ s += $1 == 2 ? 2 : 0 } END { print s }')"
same 'network and cluster pass' 'network cluster' "$(sapp-top -k 1 "$tmp/all" | jq -r .kind | head -2 | xargs)"
sapp-top -csv -k 3 "$tmp/all" >"$tmp/csv"
same 'CSV: a line each' 4 "$(wc -l <"$tmp/csv")"
same 'CSV: its columns' 'test,micro,dp,tp,pp,ep,vp,op/fsdp' "$(head -1 "$tmp/csv" | cut -d, -f1-8)"
same 'CSV: as many figures as columns' '22' "$(awk -F, '{ print NF }' "$tmp/csv" | sort -u)"
check 'a table says what it is not' sh -c 'sapp-top -H -k 3 "$1" | grep -q "estimates without measurements"' sh \
	"$tmp/all"
same 'an interval is that of the estimate' "$(sapp-top -k 1 "$tmp/all" | jq -r 'select(.kind == "estimate") |
	[.low, .high] | map(. * 10 | round / 10) | "\(.[0])..\(.[1])"')" "$(sapp-top -H -k 1 "$tmp/all" | sed -n 2p |
	awk '{ for (i = 1; i <= NF; i++) if ($i == "..") print $(i - 1) + 0 ".." $(i + 1) + 0 }')"
same 'in one process the same' "$(sapp-top -k 5 "$tmp/all" | jq -c 'select(.kind == "estimate")')" \
	"$(sapp-est -space -n 64 -gb 256 -cluster h100 -vp 1-4 -k 5 "$tmp/net" 2>/dev/null |
	jq -c 'select(.kind == "estimate")')"
same 'estimates are made anew, not twice' "$(wc -l <"$tmp/all")" "$(sapp-est "$tmp/all" | wc -l)"
same 'and are the same' "$(cksum <"$tmp/all")" "$(sapp-est "$tmp/all" | cksum)"
fails 'nothing to rank' 3 'no estimate record' sapp-top /dev/null
jq -c 'if .kind == "cluster" then .memory_limit = 100 else . end' "$tmp/all" | sapp-est >"$tmp/small"
fails 'nothing fits' 3 'estimates fits into memory' sapp-top "$tmp/small"
check 'but can be had' sh -c 'sapp-top -all -k 1 "$1" | grep -q estimate' sh "$tmp/small"
fails 'a figure that is none' 2 'known: step_time' sapp-top -by speed "$tmp/all"
done_testing
