#!/bin/sh
# The whole step: time outside the pipeline, varying micro-batches, and modes of transfers.
. "$(dirname "$0")/../lib.sh"

step() { name=$1 want=$2; shift 2; near "$name" "$want" "$(chunks "$@" | sim | jq .step_time)" 1e-9; }

# Two stages of 1 and 2 ms with two micro-batches end after 9 and 7 ms.
step "no overhead" 9 1f1b 2 '[1,1]'
step "overhead everywhere" 13 1f1b 2 '[1,1]' ',"overhead":4'
step "the stage with most of it" 14 1f1b 2 '[1,1]' ',"overhead":[5,3]'
step "early on the last stage, behind the cool-down" 14 1f1b 2 '[1,1]' ',"overhead":[5,3],"overhead_early":[0,2]'
step "early on the last stage, longer than the cool-down" 16 1f1b 2 '[1,1]' ',"overhead":[5,6],"overhead_early":[0,4]'
chunks 1f1b 2 '[1,1]' ',"overhead":[5,3]' >"$tmp/over"
sim "$tmp/over" >"$tmp/sim"
same "the pipeline's part" 9 "$(jq .pipeline_time "$tmp/sim")"
same "none without overhead" null "$(chunks 1f1b 2 '[1,1]' | sim | jq .pipeline_time)"
same "the bubble is the pipeline's" "$(chunks 1f1b 2 '[1,1]' | sim | jq -c .bubble)" "$(jq -c .bubble "$tmp/sim")"
near "tokens a second count it" "$(jq -n '2 * 100 * 1000 / 14')" \
	"$(sim -tokens 100 "$tmp/over" | jq .tokens_per_second)" 0.01
same "the report has both" "step time: 14.0000 of which the pipeline: 9.0000" \
	"$(sapp-sim -H "$tmp/over" | grep -E '^(step time|of which)' | xargs)"

# Factors.
step "factors of one stage" 14 1f1b 3 '[1]' ',"forward_factor":[1,2,3],"backward_factor":[1,1,2]'
# gpipe: F1 of stage 0 ends at 3; F0, F1, B0, B1 of stage 1 at 3, 7, 9, 11; B1 of stage 0 two ms after this.
step "factors of each piece" 13 gpipe 2 '[1,1]' ',"forward_factor":[[1,2],[2,4]],"backward_factor":1'
step "all alike is the mean" 9 1f1b 2 '[1,1]' ',"forward_factor":[1,1]'
near "the bubble counts them" "$(chunks 1f1b 3 '[1]' | sim | jq .bubble.real)" \
	"$(chunks 1f1b 3 '[1]' ',"forward_factor":[1,2,3],"backward_factor":[1,1,2]' | sim | jq .bubble.real)" 1e-9
cat >"$tmp/plan" <<END
{"kind":"model","name":"m","overhead":[10,20],"overhead_early":[0,5]}
{"kind":"layer","name":"B","type":"BODY","nb_layer":2,"time":1}
{"kind":"pipeline","stages":2,"micro_batches":2,"interleave":1,"schedule":"1f1b","memory_limit":10,"micro_factor":[2,1]}
{"kind":"plan","name":"p","origin":"manual","schedule":"1f1b","interleave":1,"counts":{"B":{"none":[[1,1]]}},\
"offset":[[0,0]],"recompute":[[0,0]],"select_recompute":[[0,0]],"select_comm_recompute":[[0,0]]}
END
# F0 0-2, F1 2-3 on stage 0; F0 2-4, B0 4-8, F1 8-9, B1 9-11 on stage 1; B0 8-12, B1 12-14 on stage 0.
near "a plan's micro-batches: the pipeline" 14 "$(sim "$tmp/plan" | jq .pipeline_time)" 1e-9
near "a plan's overhead is the model's" 31 "$(sim "$tmp/plan" | jq .step_time)" 1e-9
sed 's/"interleave":1,"counts"/"interleave":1,"micro_batches":3,"counts"/' "$tmp/plan" >"$tmp/three"
run 0 sapp-sim "$tmp/three"
check "factors of other micro-batches are left out, which is said" grep -q \
	'micro_factor for 2 micro-batches is ignored' "$tmp/err"

# Micro-batches are drawn from measured ones. One of stage 0 takes F + B = 1 + 4 or 2 + 2, never 1 + 2 or 2 + 4.
drawn() { sim | jq -c '[.step_p10, .step_p90]'; }
same "forward and backward are drawn together" "[4,5]" \
	"$(chunks 1f1b 1 '[1]' ',"forward_sample":[1,2],"backward_sample":[2,1]' | drawn)"
same "the backward's are the forward's" "[3,6]" "$(chunks 1f1b 1 '[1]' ',"forward_sample":[1,2]' | drawn)"
same "and so are the pieces" "[9,9]" "$(chunks gpipe 1 '[1,1]' ',"forward_sample":[[1,2],[2,1]]' | drawn)"
same "all alike is the mean" "[$(chunks 1f1b 4 '[1,2,3]' | sim | jq '.step_time, .step_time' | paste -sd ,)]" \
	"$(chunks 1f1b 4 '[1,2,3]' ',"forward_sample":[1,1,1]' | drawn)"
same "without them there is no interval" "[null,null]" "$(chunks 1f1b 4 '[1,2,3]' | drawn)"
chunks 1f1b 8 '[1,1,1]' ',"forward_sample":[0.5,1,1.5],"overhead":[7]' >"$tmp/vary"
same "the step is one of those drawn, within the interval, with what is outside" true "$(sim "$tmp/vary" |
	jq '.step_p10 < .step_time and .step_time < .step_p90 and .step_time == .pipeline_time + 7')"
same "its operations are the same step's" true "$(sapp-sim -e "$tmp/vary" | jq -s '(map(select(.kind == "sim"))[0] |
	.pipeline_time) as $t | [.[] | select(.kind == "block").end] | max - $t | fabs < 1e-9')"
same "the same each time" "$(sim "$tmp/vary")" "$(sim "$tmp/vary")"
# Two of 1 or 3 on one stage, mean 4: F + B is 6, 12 or 18, one, two and one of four.
same "what is drawn is independent" "[6,18,12]" "$(chunks 1f1b 2 '[1]' ',"forward_sample":[1,3]' | sim |
	jq -c '[.step_p10, .step_p90, .step_time]')"
same "no bound of what is drawn" "[true,false]" "$(for f in '' ',"forward_sample":[0.5,1.5]'; do
	chunks v-auto 4 '[[1,1],[1,1]]' "$f" | sim; done | jq -c 'has("lower_bound")' | jq -cs .)"
# Plans get the varying times of the job; the same pipeline as chunks has the same steps.
{ echo '{"kind":"job","micro_sample":[0.5,1,1.5]}'; sed 's/,"micro_factor":\[2,1\]//' "$tmp/plan"; } >"$tmp/drawn"
same "a plan's are drawn from the job's" "$(chunks 1f1b 2 '[1,1]' ',"overhead":[10,20],"overhead_early":[0,5],
	"forward_sample":[0.5,1,1.5]' | tr -d '\n\t' | sim | jq -c '[.step_p10, .step_time, .step_p90]')" \
	"$(sim "$tmp/drawn" | jq -c '[.step_p10, .step_time, .step_p90]')"
same "factors of the question go before" "[31,null]" "$({ head -1 "$tmp/drawn"; cat "$tmp/plan"; } | sim |
	jq -c '[.step_time, .step_p90]')"
check "a report says so" sh -c "sapp-sim -H '$tmp/vary' | grep -q 'eight of ten steps take [0-9.]* to [0-9.]*'"

# Transfers of 1 ms: a step with two micro-batches waits for one on the way from stage 0, and for one on the way back.
T=',"comm_time":1'
hidden=$(chunks 1f1b 4 '[3,1,2,5]' "$T" | sim | jq .step_time)
for mode in hidden blocking batched; do
	same "the record says $mode" "$(chunks 1f1b 4 '[3,1,2,5]' "$T" | sim -transfers $mode | jq .step_time)" \
		"$(chunks 1f1b 4 '[3,1,2,5]' "$T,\"transfers\":\"$mode\"" | sim | jq .step_time)"
	same "the option wins over $mode" "$hidden" \
		"$(chunks 1f1b 4 '[3,1,2,5]' "$T,\"transfers\":\"$mode\"" | sim -transfers hidden | jq .step_time)"
done
# A middle stage that sends at once does not delay the next stage by its receive.
# F0 of stage 1 ends at 11 + 1, its transfer at 13 instead of when stage 0 has the second one ready.
same "batched sends before it receives" "true" "$(chunks 1f1b 3 '[[10,1,1]]' "$T" |
	sapp-sim -e -transfers batched |
	jq -s 'map(select(.kind == "block" and .stage == 2 and .phase == "F" and .micro == 0).start)[0] == 13')"
same "blocking: it receives first on an odd stage" "true" "$(chunks 1f1b 3 '[[10,1,1]]' "$T" |
	sapp-sim -e -transfers blocking |
	jq -s 'map(select(.kind == "block" and .stage == 2 and .phase == "F" and .micro == 0).start)[0] > 13')"
check "batched with chunks runs" \
	sh -c "printf '%s\n' '{\"kind\":\"chunks\",\"name\":\"v\",\"schedule\":\"vpp\",\"micro_batches\":4,
	\"forward\":[[1,1],[1,1]],\"comm_time\":0.1,\"transfers\":\"batched\"}' | tr -d '\n' | sapp-sim -j"

# A plan without a question gets the figures of the job record.
sed '/"pipeline"/d' "$tmp/plan" >"$tmp/alone"
fails "no micro-batches" 1 "' has no micro_batches" sapp-sim "$tmp/alone"
{ echo '{"kind":"job","stages":2,"micro_batches":2,"comm_time":1,"transfers":"batched","memory_limit":[7,8]}'
cat "$tmp/alone"; } >"$tmp/job"
same "micro-batches and limits of the job" '[2,[7,8]]' "$(sim "$tmp/job" | jq -c '[.micro_batches, .memory_limit]')"
same "its transfers" "$(sim -transfers hidden -comm 0 "$tmp/job" | jq '.pipeline_time + 3')" \
	"$(sim "$tmp/job" | jq .pipeline_time)"

# Refused input.
bad() { name=$1 message=$2; shift 2; chunks "$@" >"$tmp/in"
fails "$name" 1 "<stdin>:1: chunks: $message" sh -c "sapp-sim <'$tmp/in'"; }
bad "overhead of other stages" "overhead: 3 numbers for 2 stages" 1f1b 2 '[1,1]' ',"overhead":[1,2,3]'
bad "more early than there is" "overhead_early: more than overhead on stage 1 '4'" 1f1b 2 '[1,1]' \
	',"overhead":[5,3],"overhead_early":[0,4]'
bad "early without any" "overhead_early: more than overhead on stage 0 '1'" 1f1b 2 '[1,1]' ',"overhead_early":1'
bad "negative overhead" "overhead: negative '-1'" 1f1b 2 '[1,1]' ',"overhead":-1'
bad "factors of other micro-batches" "forward_factor: 3 numbers for 2 micro-batches" 1f1b 2 '[1,1]' \
	',"forward_factor":[1,2,3]'
bad "factors of other pieces" "backward_factor: 3 rows; expected one row for all pieces, or one row per piece" 1f1b \
	2 '[1,1]' \
	',"backward_factor":[[1,1],[1,1],[1,1]]'
bad "factors of mirrored pieces" "forward_factor: 2 rows; expected one row for all pieces" dualpipe 4 '[1,1]' \
	',"forward_factor":[[1,1,1,1],[1,1,1,1]]'
bad "negative factors" "forward_factor: negative '-1'" 1f1b 1 '[1,1]' ',"forward_factor":-1'
bad "samples of other pieces" "forward_sample: 3 rows; expected one row for all pieces, or one row per piece" 1f1b 2 \
	'[1,1]' \
	',"forward_sample":[[1,1],[1,1],[1,1]]'
bad "samples of mirrored pieces" "forward_sample: 2 rows; expected one row for all pieces" dualpipe 4 '[1,1]' \
	',"forward_sample":[[1,1],[1,1]]'
bad "samples of other micro-batches" "backward_sample: 3 numbers, but forward_sample has 2" 1f1b 1 '[1,1]' \
	',"forward_sample":[1,1],"backward_sample":[1,1,1]'
bad "samples of the backward alone" "backward_sample without forward_sample" 1f1b 1 '[1]' ',"backward_sample":[1,2]'
bad "samples and factors" "micro-batches have both factors and forward_sample; give one of them" 1f1b 2 '[1]' \
	',"forward_sample":[1,2],"backward_factor":[1,2]'
bad "negative samples" "forward_sample: negative '-1'" 1f1b 1 '[1,1]' ',"forward_sample":[-1,1]'
sed 's/1.5\]/-1.5]/' "$tmp/drawn" >"$tmp/bad"
fails "negative samples of a job" 1 "bad:1: job: micro_sample: negative '-1.5'" sapp-sim "$tmp/bad"
bad "no such transfers" "transfers: not one of hidden blocking batched overlap" 1f1b 2 '[1,1]' ',"transfers":"slow"'
sed 's/"micro_factor":\[2,1\]/"micro_factor":[2,1,1]/' "$tmp/plan" >"$tmp/bad"
fails "a question's factors" 1 "bad:3: pipeline: micro_factor: 3 numbers for 2 micro-batches" sapp-sim "$tmp/bad"
sed 's/"overhead":\[10,20\]/"overhead":[10,20,30]/' "$tmp/plan" >"$tmp/bad"
fails "a model's overhead, and its early part" 1 "bad:1: model: overhead_early: 2 numbers for 3 stages" sapp-sim \
	"$tmp/bad"
sed 's/"overhead":\[10,20\],"overhead_early":\[0,5\]/"overhead":[10,20,30]/' "$tmp/plan" >"$tmp/bad"
fails "a model's overhead for other stages" 1 "'p': overhead of the model: 3 numbers for 2 stages" sapp-sim "$tmp/bad"
done_testing
