#!/bin/sh
# -order-csv: the order of every schedule as a file, which -order reads back to the same step and peaks.
. "$(dirname "$0")/../lib.sh"

chunks() {	# SCHEDULE CHUNKS
	jq -nc --arg s "$1" --argjson v "$2" '{kind:"chunks",name:"x",schedule:$s,micro_batches:12,comm_time:0.25,
		forward:[range($v)|. as $c|[range(4)|2+$c+./4]],activation:[range($v)|. as $c|[range(4)|10+$c+.]]}'
}
for s in gpipe:1 gpipe:2 1f1b:1 vpp:2 vpp:3 vpp-less:3 zb-h1:1 zb-h2:1 zbv:2 v-half:2 v-min:2 dualpipe:1 dualpipev:2 \
    zero-bubble-v:2 vpp-overlap:2 zb-vpp:2 zb-vpp:3; do
	chunks "${s%:*}" "${s#*:}" >"$tmp/in"
	sapp-sim -j -order-csv "$tmp/order.csv" "$tmp/in" |
		jq -c 'select(.kind=="sim")|[.step_time,.peak_memory]' >"$tmp/want"
	same "${s%:*}, ${s#*:} chunks" "$(cat "$tmp/want")" \
		"$(sapp-sim -j -order "$tmp/order.csv" "$tmp/in" |
		jq -c 'select(.kind=="sim")|[.step_time,.peak_memory]')"
	cp "$tmp/order.csv" "$tmp/first.csv"
	sapp-sim -j -order "$tmp/first.csv" -order-csv "$tmp/order.csv" "$tmp/in" >"$tmp/out"
	check "${s%:*}, ${s#*:} chunks: a free order is written as it is" cmp "$tmp/first.csv" "$tmp/order.csv"
done
chunks 1f1b 1 | jq -c '.micro_batches=2' | sapp-sim -j -order-csv "$tmp/order.csv" >"$tmp/out"
same 'what it looks like' '0F0,0F1,0B0,0B1
1F0,1F1,1B0,1B1
2F0,2F1,2B0,2B1
3F0,3B0,3F1,3B1' "$(cat "$tmp/order.csv")"
printf '0F0,\033[31mX\n' >"$tmp/escape.csv"
sapp-layers "$top/examples/llama-70b/layers.json" >"$tmp/escape"
fails 'an order that the terminal would obey' 1 "escape.csv: order: line 1: not an operation '?[31mX'" \
	sapp-lp -s 4 -mb 2 -order "$tmp/escape.csv" "$tmp/escape"
same 'is shown without its controls' 0 "$(LC_ALL=C grep -c "$(printf '\033')" "$tmp/err")"
fails 'an order without end' 1 '/dev/zero: larger than 64 MB' sapp-sim -order /dev/zero "$tmp/in"
chunks zbv 2 | jq -c '.micro_batches=8' | sapp-sim -j -order-csv "$tmp/order.csv" >"$tmp/out"
check 'backwards in two parts' grep -q '^0F0,.*7I0,7W0' "$tmp/order.csv"
chunks dualpipev 2 | sapp-sim -j -order-csv "$tmp/order.csv" >"$tmp/out"
check 'operations that run together' grep -qE '\(0F[0-9]+;7B[0-9]+\)OVERLAP_F_B' "$tmp/order.csv"

rm "$tmp/order.csv"
chunks dualpipe 1 >"$tmp/in"
sapp-sim -j -order-csv "$tmp/order.csv" "$tmp/in" >"$tmp/out"
same 'two models: where a micro-batch finds a piece' '0F0,3F6' \
	"$(head -1 "$tmp/order.csv" | grep -oE '^0F0|3F6' | paste -sd,)"
sed '1s/3F6/0F6/' "$tmp/order.csv" >"$tmp/bad.csv"
fails 'two models: another piece' 1 \
	"order: line 1: micro-batch 6 finds piece 3 here, not '0'" sapp-sim -order "$tmp/bad.csv" "$tmp/in"
sed '$d' "$tmp/order.csv" >"$tmp/bad.csv"
fails 'two models: a line less' 1 'the pipeline has 4 stages' sapp-sim -order "$tmp/bad.csv" \
	"$tmp/in"
rm "$tmp/order.csv"
{ chunks 1f1b 1; chunks zb-h1 1 | sed 's/"x"/"y"/'; } >"$tmp/in"
fails 'two plans' 1 "in:2: -order-csv: a file holds one order, but 'y' is the second of 2" sapp-sim -order-csv \
	"$tmp/order.csv" "$tmp/in"
chunks 1f1b 1 | jq -c '.seq_split=2' >"$tmp/in"
fails 'parts of sequences' 1 'an order in a file cannot split sequences' sapp-sim -order-csv "$tmp/order.csv" \
	"$tmp/in"
check 'nothing is written then' test ! -e "$tmp/order.csv"
# Two operations that run as one wait for the inputs of both.
jq -nc '{kind:"chunks",name:"x",schedule:"vpp",micro_batches:2,forward:[[1],[1]]}' >"$tmp/in"
echo '0F0,(0F1;0B0)OVERLAP_F_B,1F0,1B0,1F1,0B1,1B1' >"$tmp/order.csv"
fails 'operations that run together and wait for one another' 3 'B0 of chunk 0 on stage 0 waits for B0 of chunk 1' \
	sapp-sim -order "$tmp/order.csv" "$tmp/in"
done_testing
