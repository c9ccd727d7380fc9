#!/bin/sh
# Printed proofs are true to the last digit: limits with many digits, and limits that peaks exactly reach.
. "$(dirname "$0")/../lib.sh"

# Both limits are below the peaks by less than the tolerance: a bound must include the tolerance, too.
cat >"$tmp/slack" <<'END'
{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":10.5,"memory_parameter":48}
{"kind":"layer","name":"B","type":"BODY","nb_layer":5,"time":12,"memory_parameter":100,"memory_select_rec":3}
END
check "limits just reached" run 0 sapp-lp -s 2 -mb 2 -i 2 -mem 259.99999992,314.99999992 "$tmp/slack"
same "optimal" optimal "$(jq -r 'select(.kind == "plan").status' "$tmp/out")"
near "its step" 290.22 "$(jq 'select(.kind == "plan").step_time' "$tmp/out")" 1e-9
check "the bound is below it" jq -e 'select(.kind == "plan") | .lower_bound <= .step_time and .lower_bound > 290.2199' \
	"$tmp/out"
same "the simulator finds no stage over its limit" "[]" "$(sapp-sim -mem 259.99999992,314.99999992 "$tmp/out" |
	jq -c 'select(.kind == "sim").over')"
fails "a little less does not do" 3 "raised by" sapp-lp -s 2 -mb 2 -i 2 -mem 259.9999998,314.99999992 "$tmp/slack"

# Some stages must hold more layers than the mean of all: only paths of single stages show it, no mean of paths.
for name in 1f1b-p48v1m96-159 $(draws '' 1f1b-p64v1m241-150+15); do
	question=$(grep "\"name\":\"$name\"" "$top/tests/data/hard.jsonl")
	printf '%s\n' "$question" | jq -c '.layers[]' >"$tmp/layers"
	options=$(printf '%s\n' "$question" | jq -r '"-s \(.stages) -mb \(.micro_batches) -S \(.schedule)",
		"-mem \(.memory_limit | if type == "array" then map(tostring) | join(",") else . end)"')
	# shellcheck disable=SC2086 # several words
	check "$name" run 0 sapp-lp -j -gap 0 -t 1000 $options "$tmp/layers"
	same "is proved" optimal "$(jq -r 'select(.kind == "plan").status' "$tmp/out")"
done

# The smallest limit must work as printed, with rounding.
for i in 1 2 3 4 5 6 7 8; do
	awk -v i=$i 'BEGIN {
		srand(i)
		printf "{\"kind\":\"layer\",\"name\":\"B\",\"type\":\"BODY\",\"nb_layer\":%d,\"time\":%.15g,", 6 + i,
		1 + rand()
		printf "\"memory_parameter\":%.15g,\"memory_activation\":%.15g,\"memory_recompute\":%.15g}\n",
		    1000 * rand(), 100 * rand(), 10 * rand()
	}' >"$tmp/layers"
	for options in "-s 2" "-s 3 -i 2" "-s 2 -i 2 -lm 1"; do
		# shellcheck disable=SC2086 # several words
		run 3 sapp-lp $options -mb 5 -mem 1 "$tmp/layers" || diag <"$tmp/err"
		limit=$(sed -n 's/.*the smallest limit that works is \([0-9.e+]*\) MB.*/\1/p' "$tmp/err")
		# shellcheck disable=SC2086 # several words
		check "layers $i, $options: $limit MB work" run 0 sapp-lp $options -mb 5 -mem "$limit" "$tmp/layers"
		less=$(echo "$limit" | awk '{ printf "%.12g", $1 * (1 - 2e-7) }')
		# shellcheck disable=SC2086 # several words
		fails "layers $i, $options: $less MB do not" 3 "fits into" sapp-lp $options -mb 5 -mem "$less" \
			"$tmp/layers"
	done
done
done_testing
