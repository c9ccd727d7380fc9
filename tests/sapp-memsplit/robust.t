#!/bin/sh
# -robust: a wrong measurement hardly changes the result; with least squares it does.
. "$(dirname "$0")/../lib.sh"

truth='{"parameter": 2200, "none": 1000, "select": 780, "both": 420, "const": 1200, "head": 3400, "tail": 4700}'
sapp-guide -s 16 -n 96 -k select,both -rounds 2 -o "$tmp/init.yaml" >"$tmp/measure.jsonl"
# peaks STAGE ROUND MB: the exact peaks, with MB added to one stage.
peaks() {
	jq -c --argjson t "$truth" --argjson stage "$1" --argjson round "$2" --argjson more "$3" \
		'. as $m | range(16) as $s |
		$m.select_comm_recompute[$s] as $both | ($m.select_recompute[$s] - $both) as $select |
		(6 + $m.offset[$s]) as $n |
		{kind: "peak", stage: $s, round: $m.round, which: "actual",
		memory: ($n * $t.parameter + $t.const + (16 - $s) *
		(($n - $both - $select) * $t.none + $select * $t.select + $both * $t.both) +
		(if $s == 0 then $t.head else 0 end) +
		(if $s == 15 then $t.tail else 0 end) +
		(if $s == $stage and $m.round == $round then $more else 0 end))}' "$tmp/measure.jsonl"
}
# off: print the largest error of the estimates in $tmp/out, MB.
off() { jq --argjson t "$truth" 'select(.kind == "fit") | [.estimates[] | .value - $t[.name] | fabs] | max' \
	"$tmp/out"; }

peaks 0 0 0 >"$tmp/peaks"
check 'as measured' run 0 sapp-memsplit -robust "$tmp/init.yaml" <"$tmp/peaks"
near 'every memory' 0 "$(off)" 1e-3
same 'nothing stands out' null "$(jq 'select(.kind == "fit").outliers' "$tmp/out")"
for odd in '5 0 4000' '9 1 -2500' '14 0 900'; do
	# shellcheck disable=SC2086 # three numbers
	peaks $odd >"$tmp/peaks"
	check "one off, $odd" run 0 sapp-memsplit -robust "$tmp/init.yaml" <"$tmp/peaks"
	near 'every memory all the same' 0 "$(off)" 1e-3
	same 'which one it is' "$odd" \
		"$(jq -r 'select(.kind == "fit") | .residuals[] | select((.measured - .predicted | fabs) > 1) |
		"\(.stage) \(.round) \(.measured - .predicted | round)"' "$tmp/out")"
	check 'it is called out' grep -q "stage ${odd%% *} of round .* is an outlier" "$tmp/err"
	sapp-memsplit -force "$tmp/init.yaml" <"$tmp/peaks" >"$tmp/out" 2>"$tmp/err"
	check 'least squares is pulled away' test "$(off | cut -d. -f1)" -ge 10
done
done_testing
