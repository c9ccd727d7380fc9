#!/bin/sh
# sapp-sim -why: the causes of a longer step and their costs; the step without each cause is also simulated separately.
. "$(dirname "$0")/../lib.sh"

even='{"kind":"chunks","name":"x","schedule":"1f1b","micro_batches":8,"forward":[10,10,10,10],"backward":[20,20,20,20]}'
step() { echo "$even" | jq -c "$1" | sapp-sim -j | jq 'select(.kind == "sim").step_time'; }
# price CAUSE WITH [STAGE]: print the price of CAUSE in the even pipeline changed by WITH.
why() { echo "$even" | jq -c "$1" | sapp-sim -j -why | jq -c 'select(.kind == "sim") | .prices[]?'; }
price() { why "$2" | jq -r --arg c "$1" 'select(.cause == $c and (.stage // .micro // -1) == '"${3:--1}"') | .time'; }
# costs NAME CAUSE WITH [STAGE [ELSE]]: the price is the difference from the even pipeline, or from the pipeline of
# ELSE.
costs() { near "$1" "$(jq -n "$(step "$3") - $(step "${5:-.}")")" "$(price "$2" "$3" "${4:--1}")" 0.001; }

same "where all is even nothing has a price" "" "$(why .)"
costs "a slow stage" stage '.forward[2] = 17 | .backward[2] = 34' 2
costs "which differs from the others" stages '.forward[2] = 18 | .backward[2] = 36' -1 \
	'.forward = [12,12,12,12] | .backward = [24,24,24,24]'
slow='.comm_time = [1,5,1]'
costs "a slow link" link "$slow" 1 '.comm_time = 1'
costs "all transfers" transfers "$slow"
costs "that keep stages busy" transfers "$slow | .transfers = \"batched\""
long='.forward_factor = [[1,1,1,3,1,1,1,1]]'
costs "a long micro-batch" micro_batch "$long" 3 '.forward_factor = [[1,1,1,1.25,1,1,1,1]]'
costs "micro-batches that differ" micro_batches "$long" -1 '.forward = [12.5,12.5,12.5,12.5]'
costs "an operation that took long" uneven '.forward_factor = ([range(4) | [1,1,1,1,1,1,1,1]] | .[1][4] = 6)' 1
costs "recomputation" recompute '.recompute = [10,0,10,0]'
costs "of one stage" recompute '.recompute = [10,0,0,0]' 0
costs "time outside the pipeline" outside '.overhead = [30,30,30,30]'
two='.schedule = "vpp" | .forward = [[10,10,10,10],[16,16,16,16]] | .backward = [[20,20,20,20],[32,32,32,32]]'
costs "chunks that differ" chunks "$two" -1 \
	"$two | .forward = [[13,13,13,13],[13,13,13,13]] | .backward = [[26,26,26,26],[26,26,26,26]]"

# Without -why the report also names a link that is much slower than the others, with the price that -why gives.
report() { echo "$even" | jq -c "$1" | sapp-sim -H | grep 'slow link'; }
same "the report names a slow link" "a slow link: a transfer between stages 1 and 2 takes 5 ms, the median 1: \
$(price link "$slow" 1 | xargs printf '%.2f') ms of the step, 8.0 %" "$(report "$slow")"
late='.comm_time = 1 | .send_delay_backward = [0,20,0] | .transfers = "batched"'
costs "one whose sender waits" link "$late" 1 '.comm_time = 1 | .transfers = "batched"'
same "too" 1 "$(report "$late" | grep -c 'stages 1 and 2 takes 21 ms, the median 1')"
same "none that is not twice as slow" "" "$(report '.comm_time = [1,1.9,1]')"
same "nor one that costs nothing" "" "$(report '.comm_time = [0.001,0.01,0.001]')"
same "nor where all are as slow, or there is one" "" "$(report '.comm_time = 9'
	report '.forward = [[10,10]] | .backward = [[20,20]] | .comm_time = [9]')"

all='.forward[2] = 17 | .recompute = [10,0,0,0] | .comm_time = [1,5,1] | .overhead = [30,30,30,30] |
	.forward_factor = [[1,1,1,3,1,1,1,1]]'
same "the five highest" 5 "$(why "$all" | wc -l)"
same "the highest first" "$(why "$all" | jq .time | sort -rn)" "$(why "$all" | jq .time)"
same "without the option there are none" null \
	"$(echo "$even" | jq -c "$all" | sapp-sim -j | jq 'select(.kind == "sim").prices')"
echo "$even" | jq -c '.forward[2] = 17 | .backward[2] = 34' | sapp-sim -H -why >"$tmp/report"
check "for people" grep -qE '^stage 2 takes 51 ms per micro-batch, the median 30 +151.00 +' "$tmp/report"
echo "$even" | jq -c '.forward[2] = 17 | .backward[2] = 34' | sapp-sim -j -e -why |
	sapp-plot -o "$tmp/page.html"
check "in the page" grep -q 'shorter without: 151 ms: stage 2 takes 51 ms per micro-batch' "$tmp/page.html"
check "of an even pipeline, too" sh -c 'echo "$1" | sapp-sim -H -why | grep -q "^no single cause"' sh "$even"

# Replays: compare each step of each pipeline with its own replay.
cat >"$tmp/replay" <<'END'
{"kind":"step","name":"step 1, pipeline 0","time":340,"pipeline":330,"rank":0}
{"kind":"chunks","name":"step 1, pipeline 0","schedule":"1f1b","micro_batches":8,"forward":[10,10,10,10]}
{"kind":"step","name":"step 1, pipeline 1","time":340,"pipeline":300,"rank":1}
{"kind":"chunks","name":"step 1, pipeline 1","schedule":"1f1b","micro_batches":8,"forward":[9,9,9,9]}
END
of() { jq -c --arg n "$1" 'select(.kind == "comparison" and .name == $n) | [.figures[] |
	select(.figure == "pipeline") | .measured, .predicted]'; }
sapp-sim -j -compare "$tmp/replay" "$tmp/replay" >"$tmp/out"
same "a pipeline and its own step" '[330,330] [300,297]' \
	"$(of "step 1, pipeline 0" <"$tmp/out") $(of "step 1, pipeline 1" <"$tmp/out")"
sapp-sim -H -compare "$tmp/replay" "$tmp/replay" >"$tmp/report"
same "the worst first" "step 1, pipeline 1 -1.00% step 1, pipeline 0 +0.00%" \
	"$(sed -n '/^pipeline, the worst first/,$p' "$tmp/report" | awk '/^step/ { print $1, $2, $3, $4, $7 }' | xargs)"
check "that one in full" grep -q '^step 1, pipeline 1 (1f1b)' "$tmp/report"
same "the others not" 0 "$(grep -c '^step 1, pipeline 0 (1f1b)' "$tmp/report")"
echo '{"kind":"chunks","name":"other","schedule":"1f1b","micro_batches":8,"forward":[10,10,10,10]}' >"$tmp/other"
same "another simulation, beside their mean" "[315,330]" \
	"$(sapp-sim -j -compare "$tmp/replay" "$tmp/other" | of other)"
sed 's/pipeline 1/pipeline 0/' "$tmp/replay" >"$tmp/twice"
fails "a name twice" 1 "two steps have the name 'step 1, pipeline 0'" sapp-sim -compare "$tmp/twice" "$tmp/replay"

f=$top/../shared/data/runs/straggler_ST_timeline.json.gz
if [ -e "$f" ]; then
	sapp-trace "$f" 2>"$tmp/err" | sapp-sim -j -why | jq -c 'select(.kind == "sim").prices[0] | [.cause, .stage]' \
		>"$tmp/first"
	same "of a production run the stage with the loss costs the most" '["stage",3]' "$(cat "$tmp/first")"
	sapp-trace -replay "$f" 2>"$tmp/err" >"$tmp/ran"
	sapp-sim -j -compare "$tmp/ran" "$tmp/ran" >"$tmp/out"
	same "its 64 pipelines are each predicted within 0.12 %" 64 "$(jq -c 'select(.kind == "comparison") |
		[.figures[] | select(.figure == "pipeline").error | fabs] | select(max < 0.0012)' "$tmp/out" | wc -l)"
else
	skip 'the timeline of a real run is not there'
fi
done_testing
