#!/bin/sh
# Orders made for the times, with the memory of published orders: no order holds more (tests/bench/orders.sh).
. "$(dirname "$0")/../lib.sh"

[ -n "${LONG-}" ] || { skip 'make check-long'; done_testing; exit; }
EVERY=8 "$top/tests/bench/orders.sh" "$tmp/rows" >"$tmp/table"
same "rows of each schedule" "v-auto 7 v-half 5 v-min 5 zb-h1 5 zb-h2 5 zbv 5" \
	"$(awk 'NR > 1 && $1 == "like" { exit } NR > 1 { print $1, $2 }' "$tmp/table" | xargs)"
same "large orders, none below the bound" 6 "$(awk '$2 == 16 && $3 == "x" { n += $5 >= $6 } END { print n }' \
	"$tmp/table")"
same "no stage holds more than published" 0 \
	"$(jq -s 'map(select(.got_peak > (.limit // .peak) + 1e-6)) | length' "$tmp/rows")"
below() {	# NAME FILTER LIMIT: of ratios of steps
	check "$1" jq -se "map(select($2)) | $3 <= $4" "$tmp/rows"
}
below "one chunk: none longer than published" '.chunks == 1' '(map(.ratio) | max)' 1.000000001
below "any limit, half and least memory: none either" '.like != "zbv"' '(map(.ratio) | max)' 1.000000001
below "v-min: shorter by 9 % in the mean" '.like == "v-min"' '(map(.ratio) | add / length)' 0.91
below "v-half: shorter by 4 % in the mean" '.like == "v-half"' '(map(.ratio) | add / length)' 0.965
below "zbv: shorter in the mean" '.like == "zbv"' '(map(.ratio) | add / length)' 1
below "any limit: shorter by 1.5 % in the mean" '.like == "v-auto"' '(map(.ratio) | add / length)' 0.985
below "none longer by more than 2 %" 'true' '(map(.ratio) | max)' 1.02
done_testing
