#!/bin/sh
# The stream contains the question, and the step includes the time outside the pipeline.
. "$(dirname "$0")/../lib.sh"
B='{"kind":"layer","name":"B","type":"BODY","nb_layer":8,"time":1,"memory_parameter":1,"memory_activation":1}'
J='{"kind":"job","stages":2,"micro_batches":6,"memory_limit":100}'
plan() { sapp-lp "$@" 2>"$tmp/err" | jq -c 'select(.kind == "plan")'; }
asked() { sapp-lp "$@" 2>"$tmp/err" | jq -c 'select(.kind == "pipeline") | [.stages, .micro_batches, .memory_limit]'; }

# The question.
printf '%s\n' "$J" "$B" >"$tmp/job"
same "from the job record" "[2,6,100]" "$(asked "$tmp/job")"
same "which is said" "sapp-lp: 2 stages, 6 micro-batches, 100 MB: from the job record ($tmp/job:1)" "$(cat "$tmp/err")"
same "options win" "[4,3,50]" "$(asked -s 4 -mb 3 -mem 50 "$tmp/job")"
same "and nothing is said" "" "$(cat "$tmp/err")"
same "one option" "[2,3,100]" "$(asked -mb 3 "$tmp/job")"
same "what is left is said" "sapp-lp: 2 stages, 100 MB: from the job record ($tmp/job:1)" "$(cat "$tmp/err")"
printf '%s\n' "$J" '{"kind":"job","micro_batches":9}' "$B" >"$tmp/jobs"
same "the last one wins, the others complete it" "[2,9,100]" "$(asked "$tmp/jobs")"
printf '%s\n' "$B" >"$tmp/none"
same "nothing says" "[4,4,56000]" "$(asked "$tmp/none")"
same "what is assumed is said" \
	"sapp-lp: assumed, as not given by an option or a job record: 4 stages (-s), 4 micro-batches (-mb), 56000 \
MB (-mem)" \
	"$(cat "$tmp/err")"
printf '%s\n' '{"kind":"job","stages":2,"memory_limit":[100,90]}' "$B" >"$tmp/part"
same "a limit for each stage, and an assumption" "[2,4,[100,90]]" "$(asked "$tmp/part")"
same "both are said" 2 "$(grep -c . "$tmp/err")"
same "limits of other stages are not taken" "[4,4,56000]" "$(asked -s 4 "$tmp/part")"
fails "-mem of other stages" 2 "-mem: 3 limits for 2 stages" sapp-lp -mem 1,2,3 "$tmp/job"
same "records pass" "job layer pipeline plan" "$(sapp-lp "$tmp/job" 2>/dev/null | jq -r .kind | xargs)"

# The whole step. 4 layers a stage, 6 micro-batches: (6 + 1) x 12.
near "the pipeline alone" 84 "$(plan "$tmp/job" | jq .step_time)" 1e-9
{ echo '{"kind":"model","name":"m","overhead":[10,20],"overhead_early":[0,5]}'; cat "$tmp/job"; } >"$tmp/over"
plan "$tmp/over" >"$tmp/plan"
near "with what is outside" 99 "$(jq .step_time "$tmp/plan")" 1e-9
same "proved with it" '["optimal",0]' "$(jq -c '[.status, (.gap * 1e9 | round)]' "$tmp/plan")"
same "the simulator says the same" true "$(sapp-lp "$tmp/over" 2>/dev/null | sapp-sim -j |
	jq -s 'map(select(.kind == "plan"))[0].step_time == map(select(.kind == "sim"))[0].step_time')"
check "the report, too" sh -c "sapp-lp -H '$tmp/over' 2>/dev/null | grep -q 'step time: 99.0000'"
printf '%s\n' '{"kind":"job","stages":2,"micro_batches":6,"memory_limit":100,"comm_time":0.5,"transfers":"batched"}' \
	"$B" >"$tmp/way"
sapp-lp "$tmp/way" 2>"$tmp/err" >"$tmp/out"
check "transfers are taken and said" grep -q '0.5 ms per transfer, batched transfers: from the job record' "$tmp/err"
same "exchanges are planned with: nothing is said of hidden ones" 0 "$(grep -c hidden "$tmp/err")"
same "and are proved with" '["optimal",true]' "$(jq -s -c 'map(select(.kind == "plan"))[0] |
	[.status, .gap < 1e-6]' "$tmp/out")"
near "the plan is the shortest with them" "$(for n in 1 2 3 4 5 6 7; do
	jq -c "if .kind == \"plan\" then .counts[].none = [[$n, 8 - $n]] | .offset = [[$n - 4, 4 - $n]] else . end" \
		"$tmp/out" | sapp-sim -j 2>/dev/null | jq 'select(.kind == "sim").step_time'
	done | sort -g | head -n 1)" \
	"$(jq 'select(.kind == "plan").step_time' "$tmp/out")" 1e-9
asked_way() { sapp-lp "$@" 2>/dev/null | jq -r 'select(.kind == "pipeline") | .transfers // "hidden"'; }
same "options win over the record" "blocking batched hidden" \
	"$(for way in blocking batched hidden; do asked_way -transfers $way "$tmp/way"; done | xargs)"
same "without a record transfers are hidden" hidden "$(asked_way -comm 1 "$tmp/none")"
{ cat "$tmp/way"; echo '{"kind":"job","transfers":"blocking"}'; } >"$tmp/ways"
same "the last record wins" blocking "$(asked_way "$tmp/ways")"
same "and handed on" '[0.5,"batched"]' "$(jq -c 'select(.kind == "pipeline") | [.comm_time, .transfers]' "$tmp/out")"
# Runtimes of orders with a split backward wait for data only where the data are used.
ways() { sapp-lp "$@" -t 60 2>/dev/null |
	jq -r 'select(.kind == "pipeline") | [.schedule, .transfers // "hidden"] | @tsv' | sort | tr '\t\n' '  '; }
same "each schedule has its own way" "1f1b batched zb-h1 hidden zb-h2 hidden " "$(ways -S 1f1b,zb-h1,zb-h2 "$tmp/way")"
same "unless it is asked for" "1f1b batched zb-h1 batched " "$(ways -S 1f1b,zb-h1 -transfers batched "$tmp/way")"
same "each framework, too: Megatron-LM" "1f1b batched vpp overlap " \
	"$(ways -i 1,2 -target megatron -comm 1 "$tmp/none")"
same "torchtitan" "1f1b batched zb-h1 streams-1 " "$(ways -S 1f1b,zb-h1 -target pytorch -comm 1 "$tmp/none")"
same "MindFormers" "1f1b streams-1 vpp streams-4 " \
	"$(ways -i 1,2 -target mindformers -comm 1 "$tmp/none")"
same "whatever another one did" "1f1b streams-1 " "$(ways -S 1f1b -target mindformers "$tmp/way")"
# Four stages of 33 and 60 ms, measured with both orders: 1541 ms of 1F1B, 1333 ms of zero bubble.
printf '%s\n' '{"kind":"job","stages":4,"micro_batches":12,"memory_limit":1000,"comm_time":2.7,"transfers":"batched"}' \
	'{"kind":"layer","name":"B","type":"BODY","nb_layer":32,"time":4,"backward_time":7.5,"weight_time":2.8,'\
'"memory_parameter":1,"memory_activation":1}' | sed 'N;s/\n\n/\n/' >"$tmp/both"
same "1f1b and zero bubble in the order that was measured" "planned-zb-h2 planned-zb-h1 planned-1f1b" \
	"$(sapp-lp -S 1f1b,zb-h1,zb-h2 -t 3 "$tmp/both" 2>/dev/null | jq -r 'select(.kind == "plan").name' | xargs)"
same "the simulator says the same of them" true "$(sapp-sim -j "$tmp/out" |
	jq -s '(map(select(.kind == "plan"))[0].step_time - map(select(.kind == "sim"))[0].step_time) | fabs < 1e-9')"
same "the bound holds" true "$(jq -s 'map(select(.kind == "plan"))[0] | .lower_bound <= .step_time' "$tmp/out")"
same "-comm wins" 1 "$(sapp-lp -comm 1 "$tmp/way" 2>/dev/null | jq 'select(.kind == "pipeline") | .comm_time')"

# Refused questions.
bad() { name=$1 message=$2; shift 2; printf '%s\n' "$@" "$B" >"$tmp/bad"
fails "$name" 1 "bad:1: job: $message" sapp-lp "$tmp/bad"; }
bad "no stages" "stages: not positive '0'" '{"kind":"job","stages":0}'
bad "too many" "stages: above 10000 '10001'" '{"kind":"job","stages":10001}'
bad "too many micro-batches" "micro_batches: above 1000000" '{"kind":"job","micro_batches":1000001}'
bad "limits for others" "memory_limit: 3 numbers for 2 stages" '{"kind":"job","stages":2,"memory_limit":[1,2,3]}'
bad "another member" "ranks: unknown member" '{"kind":"job","ranks":2}'
bad "no way to send" "transfers: not one of" '{"kind":"job","transfers":"fast"}'
sed 's/\[10,20\],"overhead_early":\[0,5\]/[10,20,30]/' "$tmp/over" >"$tmp/bad"
fails "overhead of other stages" 1 "model: overhead: 3 numbers for 2 stages" sapp-lp "$tmp/bad"
done_testing
