#!/bin/sh
# Free orders: never longer than their first order, within limits, and with the same step in sapp-sim.
. "$(dirname "$0")/../lib.sh"

sapp-layers "$top/examples/llama-70b/layers.json" >"$tmp/layers"
plan() { sapp-lp -s 4 -mb 8 -mem 62000 -gap 0.01 -t 100 "$@" "$tmp/layers"; }

plan -S free,zb-h1,1f1b >"$tmp/plans"
same "a free order and what it was asked for beside" "planned-free custom" \
	"$(jq -r 'select(.kind == "plan" and .name == "planned-free") | "\(.name) \(.schedule)"' "$tmp/plans")"
same "schedules that only help are not printed" "planned-1f1b planned-free planned-zb-h1" \
	"$(jq -r 'select(.kind == "plan").name' "$tmp/plans" | sort | xargs)"
same "never longer than the best of them" true \
	"$(jq -s 'map(select(.kind == "plan")) |
	(map(select(.name == "planned-free"))[0].step_time) <= (map(.step_time) | min)' "$tmp/plans")"
same "shorter than the best of them" true "$(jq -s 'map(select(.kind == "plan")) |
	(map(select(.name == "planned-free"))[0].step_time) <
	(map(select(.name != "planned-free").step_time) | min)' "$tmp/plans")"
same "the bound is below" true \
	"$(jq 'select(.name == "planned-free") | .lower_bound <= .step_time and .gap >= 0' "$tmp/plans")"
sapp-sim -j "$tmp/plans" >"$tmp/sim"
same "sapp-sim finds the same step, within the limits" true \
	"$(jq -s '(map(select(.kind == "plan" and .name == "planned-free"))[0].step_time) as $p |
	map(select(.kind == "sim" and .name == "planned-free"))[0] | (.step_time - $p | fabs) < 1e-6 and .over == []' \
	"$tmp/sim")"
jq -c 'select(.kind != "pipeline" and .kind != "plan")' "$tmp/plans" >"$tmp/one"
jq -c 'select(.kind == "pipeline" and .schedule == "custom")' "$tmp/plans" >>"$tmp/one"
jq -c 'select(.kind == "plan" and .name == "planned-free")' "$tmp/plans" >>"$tmp/one"
sapp-sim -j -order-csv "$tmp/order.csv" "$tmp/one" >/dev/null
same "its order as a file" "$(jq -r 'select(.kind == "pipeline") | .order' "$tmp/one" | grep .)" \
	"$(cat "$tmp/order.csv")"
plan -S free,zb-h1,1f1b >"$tmp/again"
check "the same question gives the same bytes" cmp "$tmp/plans" "$tmp/again"
same "two chunks: as for each number of -i" "planned-free planned-free-i2" \
	"$(plan -S free -i 1,2 -t 1 | jq -r 'select(.kind == "plan").name' | sort | xargs)"
same "as many chunks as the schedules beside it" "planned-free-i2 planned-zbv-i2" \
	"$(plan -S free,zbv -t 1 | jq -r 'select(.kind == "plan").name' | sort | xargs)"
check "with groups, which only vpp has" plan -S free -i 2 -group 4 -t 1
plan -S free -H -t 1 >"$tmp/report"
check "a report says what the bound is" grep -q 'the lower bound holds for all orders' "$tmp/report"

# 16 layers of 10 ms and 1 MB: of the schedules with two chunks only v-min fits into 9 MB.
echo '{"kind":"layer","name":"b","type":"BODY","nb_layer":16,"time":10,"memory_parameter":0.1,"memory_activation":1}' \
	>"$tmp/even"
sapp-lp -s 4 -mb 8 -i 2 -mem 9 -gap 0.01 -t 100 -S free,v-half,v-min "$tmp/even" >"$tmp/plans" 2>"$tmp/err"
same "where only v-min fits: one that is no longer" "infeasible true" "$(jq -rs 'map(select(.kind == "plan")) |
	map({ (.name): . }) | add | "\(.["planned-v-half-i2"].status) \(.["planned-free-i2"].step_time <=
	.["planned-v-min-i2"].step_time)"' "$tmp/plans")"

fails "nothing fits" 3 "no schedule to start from fits" sapp-lp -s 4 -mb 8 -mem 1000 -t 2 -S free \
	"$tmp/layers"
fails "no sequence splits" 2 "no sequence splits" sapp-lp -s 4 -S free -seq 2 "$tmp/layers"
fails "no model of all orders" 2 "no model for other solvers describes all orders" sapp-lp -s 4 -S free -lp \
	"$tmp/model" "$tmp/layers"
fails "no uniform recomputation" 2 ": a free order does not allow uniform recomputation" sapp-lp -s 4 -S free -mixes \
	uniform "$tmp/layers"
fails "not for a framework without orders by hand" 2 "-S free" sapp-lp -s 4 -S free -target mindformers "$tmp/layers"
fails "an order is not that of a free one" 2 "custom" sapp-lp -s 4 -S free -order "$tmp/order.csv" "$tmp/layers"
# Without time left, planning starts from the first answer.
starts() { plan -v -S free "$@" 2>&1 >"$tmp/out" | grep -c ' start '; }
check "with time, every schedule is planned to start from" test "$(starts)" -ge 3
same "without, one" 1 "$(starts -t 1 -set look=1)"
same "and the free order is planned" 1 "$(grep -c '"name":"planned-free"' "$tmp/out")"
done_testing
