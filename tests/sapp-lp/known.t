#!/bin/sh
# -known: answers for other limits.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/layers" <<END
{"kind":"model","name":"one","stage_const_mem":100}
{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":1.5,"memory_parameter":500}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":18,"time":10.25,"memory_parameter":200,"memory_activation":30,\
"memory_select_rec":20.5,"memory_recompute":5.25}
{"kind":"layer","name":"TAIL","type":"TAIL","nb_layer":1,"time":2,"memory_parameter":701}
END
ask() { run 0 sapp-lp -s 4 -mb 8 -i 2 -gap 0 "$@" "$tmp/layers"; }
of() { jq -c "select(.kind == \"plan\") | $1" "${2:-$tmp/out}"; }

for limit in 1700 2000 2500; do
	ask -mem $limit -t 60 >/dev/null && cp "$tmp/out" "$tmp/$limit"
done
same "three limits" '"optimal" "optimal" "optimal"' \
	"$(of .status "$tmp/1700") $(of .status "$tmp/2000") $(of .status "$tmp/2500")"
best() { of .step_time "$tmp/$1"; }

# With almost no time the answer is hardly better than the known one.
check "a larger limit's answer" ask -mem 2000 -known "$tmp/2500" -t 0.01
same "its bound is one here" true "$(of ".lower_bound >= $(best 2500) * (1 - 1e-9)")"
check "a smaller limit's answer" ask -mem 2000 -known "$tmp/1700" -t 0.01
same "its plan is one here" true "$(of ".step_time <= $(best 1700)")"
cat "$tmp/1700" "$tmp/2500" >"$tmp/both"
check "both" ask -mem 2000 -known "$tmp/both" -t 0.01
same "plan and bound" true "$(of ".step_time <= $(best 1700) and .lower_bound >= $(best 2500) * (1 - 1e-9)")"
check "the same limit's answer" ask -mem 2000 -known "$tmp/2000" -t 0.01
same "is the answer" '"optimal"' "$(of .status)"

# The bound of the answer includes the time outside the pipeline; the bound made from it includes it only once.
sed 's/"stage_const_mem":100/&,"overhead":100/' "$tmp/layers" >"$tmp/over"
check "100 ms outside the pipeline" run 0 sapp-lp -s 4 -mb 8 -i 2 -gap 0 -mem 2500 -t 60 "$tmp/over"
same "are in the step" "true" "$(of ".status == \"optimal\" and (.step_time - 100 - $(best 2500) | fabs) < 1e-6")"
mv "$tmp/out" "$tmp/outside"
check "for a smaller limit" run 0 sapp-lp -s 4 -mb 8 -i 2 -gap 0 -mem 2000 -known "$tmp/outside" -t 0.01 "$tmp/over"
same "they are in the bound, once" true \
	"$(of ".lower_bound - 100 | . >= $(best 2500) * (1 - 1e-9) and . <= $(best 2000)")"

# The search begins at the known plan, which it would not find in almost no time.
sapp-layers "$top/examples/llama-70b/layers.json" >"$tmp/large"
large() { run 0 sapp-lp -j -s 8 -mb 32 -mem 32000 -i 3 "$@" "$tmp/large"; }
check "eighty layers" large -t 5
mv "$tmp/out" "$tmp/eighty"
check "the same in no time" large -t 0.01 -known "$tmp/eighty"
same "is no longer" true "$(of ".step_time <= $(best eighty)")"

# A bound for a lower limit does not hold for a higher limit.
check "a plan that does not fit" ask -mem 1700 -known "$tmp/2500" -t 60
same "is not taken" "[$(best 1700),\"optimal\"]" "$(of '[.step_time, .status]')"
check "the bound of a smaller limit" ask -mem 2500 -known "$tmp/1700" -t 60
same "is none here" "[$(best 2500),\"optimal\"]" "$(of '[.step_time, .status]')"
check "limits of the stages" ask -mem 2500,2500,2500,1700 -known "$tmp/1700" -t 60
same "of which one is as low" true "$(of ".step_time <= $(best 1700) and .lower_bound < $(best 1700) - 1")"

# A false bound is reported as an error of the file, not of the planner.
jq -c 'if .kind == "pipeline" then .memory_limit = 2500 elif .kind == "plan" then .lower_bound = .step_time
	else . end' "$tmp/1700" >"$tmp/untrue"
fails "a false bound" 1 "-known: its lower bound $(best 1700) ms is wrong: a plan that fits takes" sapp-lp -s 4 \
	-mb 8 -i 2 -gap 0 -mem 2500 -t 20 -known "$tmp/untrue" "$tmp/layers"
same "and nothing is written" "" "$(cat "$tmp/out")"
jq -c 'if .kind == "pipeline" then .mixes = "all" elif .kind == "plan" then .lower_bound = 9999 else . end' \
	"$tmp/1700" >"$tmp/all-untrue"
fails "nor a false bound on uniform plans" 1 "-known: its lower bound 9999 ms is wrong: a plan that fits takes" \
	sapp-lp -s 4 -mb 8 -i 2 -gap 0 -mem 1700 -mixes uniform -t 100 -known "$tmp/all-untrue" "$tmp/layers"
# If one question of a stream fails, the planner answers the others.
for name in one second three; do
	jq -c --arg name $name 'select(.kind != "plan") | if .kind == "model" then .name = $name
		elif .kind == "pipeline" then .memory_limit = 2300 + ($name | length) * 10 else . end' "$tmp/1700"
done >"$tmp/asked"
jq -c 'if .kind == "plan" or .kind == "model" then .name = "second" else . end' "$tmp/untrue" >"$tmp/second"
fails "one question of a stream fails" 1 "second: -known: its lower bound $(best 1700) ms is wrong" \
	sapp-lp -j -t 100 -known "$tmp/second" "$tmp/asked"
check "which is said at the end" grep -q '^sapp-lp: 1 of 3 questions failed; the others are answered$' "$tmp/err"
same "the others are answered" 'one:optimal second: three:optimal' "$(jq -r '
	select(.kind == "model" or .kind == "plan") |
	if .kind == "model" then "\(.name):" else .status end' "$tmp/out" | tr -d '\n' | sed 's/second:/ & /')"

# Answers to other questions.
sed 's/"memory_limit":1700/"memory_limit":9999/' "$tmp/1700" >"$tmp/false"
grep -q 9999 "$tmp/false" || not_ok "a limit to be changed"
check "-mixes all" ask -mem 2500 -mixes all -known "$tmp/false" -t 60
same "does not take a bound for lists alone" true "$(of ".step_time <= $(best 2500)")"
ask -mem 2500 -mixes all -t 60 >/dev/null && cp "$tmp/out" "$tmp/all"
check "a bound for all mixes" ask -mem 2000 -known "$tmp/all" -t 0.01
same "is one for lists, too" true "$(of ".lower_bound >= $(best all) * (1 - 1e-9)")"
check "uniform mixes" ask -mem 2500 -mixes uniform -t 60
sed 's/"memory_limit":2500/"memory_limit":9999/' "$tmp/out" >"$tmp/uniform"
check "a bound for uniform ones" ask -mem 2500 -known "$tmp/uniform" -t 60
same "is none for lists" "[$(best 2500),\"optimal\"]" "$(of '[.step_time, .status]')"
# Targets: plan and bound hold for the same framework, and the bound for no other one.
check "a target" ask -mem 2000 -target megatron -t 60
cp "$tmp/out" "$tmp/megatron"
same "is said" '"megatron"' "$(of .target)"
check "the same in no time" ask -mem 2000 -target megatron -known "$tmp/megatron" -t 0.01
same "is the answer" "$(of '[.step_time, .status]' "$tmp/megatron")" "$(of '[.step_time, .status]')"
same "with a bound as high" true "$(of ".lower_bound >= $(of .lower_bound "$tmp/megatron") * (1 - 1e-9)")"
sed 's/"memory_limit":2000/"memory_limit":9999/' "$tmp/megatron" >"$tmp/uniform"
check "its bound with more memory" ask -mem 2500 -target mindspeed -known "$tmp/uniform" -t 60
same "is none for another" true "$(of '.lower_bound < '"$(best megatron)"' * (1 - 1e-9) and .target == "mindspeed"')"
check "nor" ask -mem 2500 -known "$tmp/uniform" -t 60
same "for any" "[$(best 2500),\"optimal\"]" "$(of '[.step_time, .status]')"
for other in '-comm 1' '-S vpp-less' '-group 8'; do
	# shellcheck disable=SC2086 # options are words
	check "$other" ask -mem 2500 $other -known "$tmp/false" -t 60
	same "$other: passed over" "[\"optimal\",\"\"]" "$(of "[.status, \"$(cat "$tmp/err")\"]")"
	# shellcheck disable=SC2086 # several words
	same "$other: which changes nothing" "$(of '[.step_time, .status]')" \
		"$(sapp-lp -s 4 -mb 8 -i 2 -gap 0 -mem 2500 $other -t 60 "$tmp/layers" |
		jq -c 'select(.kind == "plan") | [.step_time, .status]')"
done
sed 's/"time":10.25/"time":10.5/' "$tmp/layers" >"$tmp/slower"
check "other times of the layers" run 0 sapp-lp -s 4 -mb 8 -i 2 -mem 2000 -known "$tmp/2500" -t 0.01 "$tmp/slower"
slower="with these layers its step takes [0-9.]* ms, not 1356.25 ms: its bound is not used"
check "are told" grep -q "/2500:[0-9]*: plan 'planned-vpp-i2': $slower" "$tmp/err"
sed 's/"nb_layer":18/"nb_layer":17/' "$tmp/layers" >"$tmp/fewer"
fails "another number of layers" 1 "$tmp/2500:" sapp-lp -s 4 -mb 8 -i 2 -mem 2000 -known "$tmp/2500" "$tmp/fewer"
fails "no such file" 1 "$tmp/none" sapp-lp -known "$tmp/none" "$tmp/layers"
echo '{"kind":"plan","name":7}' >"$tmp/bad"
fails "no plan" 1 "$tmp/bad:1:" sapp-lp -known "$tmp/bad" "$tmp/layers"
check "an infeasible answer" run 3 sapp-lp -s 4 -mb 8 -i 2 -mem 900 "$tmp/layers"
cp "$tmp/out" "$tmp/900"
check "says nothing" ask -mem 2000 -known "$tmp/900" -t 60
same "but what the question does" "[$(best 2000),\"optimal\"]" "$(of '[.step_time, .status]')"
check "nor does a stream without answers" ask -mem 2000 -known "$tmp/layers" -t 60
same "all the same" "[$(best 2000),\"optimal\"]" "$(of '[.step_time, .status]')"
done_testing
