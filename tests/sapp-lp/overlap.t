#!/bin/sh
# Forwards and backwards that run together take less than their sum: planned, proved and simulated alike.
. "$(dirname "$0")/../lib.sh"

# model LAYERS LOSS
model() {
	printf '%s\n' '{"kind":"layer","name":"t","type":"BODY","nb_layer":'"$1"',"time":10,"memory_parameter":1,'\
'"memory_activation":1,"memory_recompute":0.1}' \
		'{"kind":"layer","name":"loss","type":"TAIL","nb_layer":1,"time":'"$2"',"memory_parameter":1}'
}
plan() { sapp-lp -mem 1000 -t 200 -gap 0 "$@" 2>"$tmp/err" | tee "$tmp/plan" |
	jq -c 'select(.kind == "plan") | [.step_time, .status]'; }
sim() { sapp-sim "$@" | get sim .step_time; }

# One stage, 20 + 40 ms per micro-batch: of four, three forwards overlap with a backward, 45 ms each; one runs alone.
model 2 0 >"$tmp/two"
same "by hand" '[195,"optimal"]' "$(plan -s 1 -mb 4 -S vpp-overlap -overlap 0.75 "$tmp/two")"
same "the question has it" 0.75 "$(jq 'select(.kind == "pipeline").overlap' "$tmp/plan")"
same "1 is none" "$(plan -s 1 -mb 4 -S vpp-overlap "$tmp/two")" \
	"$(plan -s 1 -mb 4 -S vpp-overlap -overlap 1 "$tmp/two")"

model 17 5 >"$tmp/model"
for schedule in "vpp-overlap -i 2" dualpipe dualpipev; do
	# shellcheck disable=SC2086 # the schedule and its option
	whole=$(plan -s 4 -mb 8 -S $schedule "$tmp/model" | tr -d '[' | cut -d, -f1)
	# shellcheck disable=SC2086 # the same
	same "$schedule: optimal" '"optimal"]' \
		"$(plan -s 4 -mb 8 -S $schedule -overlap 0.75 "$tmp/model" | cut -d, -f2)"
	step=$(jq 'select(.kind == "plan").step_time' "$tmp/plan")
	check "$schedule: shorter" awk -v a="$step" -v b="$whole" 'BEGIN { exit !(a < b) }'
	near "$schedule: simulated" "$step" "$(sim "$tmp/plan")" 1e-6
done
near "as a stream" "$step" "$(grep -v '"kind":"plan"' "$tmp/plan" | sapp-lp -t 60 -gap 0 2>"$tmp/err" |
	jq 'select(.kind == "plan").step_time')" 1e-6
same "for Megatron-LM" '"optimal"]' "$(plan -s 4 -mb 8 -S vpp-overlap -i 2 -overlap 0.75 -target megatron "$tmp/model" |
	cut -d, -f2)"
check "whose arguments" sapp-yaml -f megatron "$tmp/plan"
cp "$tmp/check.out" "$tmp/args"
check "take as long as the plan" \
	grep -q 'a step takes \([0-9.]*\) ms with these arguments, \1 as planned' "$tmp/args"
sapp-lp -s 4 -mb 8 -mem 1000 -S dualpipe -overlap 0.75 -gap 0 "$tmp/model" >"$tmp/known"
same "-known of another is passed over" "$(plan -s 4 -mb 8 -S dualpipe "$tmp/model")" \
	"$(plan -s 4 -mb 8 -S dualpipe -known "$tmp/known" "$tmp/model")"

fails "no such schedule" 2 "-overlap: no schedule of -S overlaps" sapp-lp -s 4 -mem 1000 -overlap 0.7 "$tmp/model"
fails "more than the sum" 2 "-overlap: not between" sapp-lp -s 4 -mem 1000 -S dualpipe -overlap 1.1 "$tmp/model"
done_testing
