#!/bin/sh
# sapp-balance --again: whether the current plan is still the best according to the newest profile.
. "$(dirname "$0")/../lib.sh"

timeline() { make-timeline -P 4 -L 16 -mb 8 -steps 4 -head 30 -body 180 -recompute full "$@"; }
cat >"$tmp/train.yaml" <<'END'
parallel_config: {pipeline_stage: 4, micro_batch_num: 8}
context: {max_device_memory: "4GB"}
model: {model_config: {num_layers: 16, offset: [0, 0, 0, 0]}}
recompute_config: {recompute: [4, 4, 4, 4]}
END
for s in 0 1 2 3; do
	memory=$((4 * 300 + (4 - s) * 4 * 10 + (s == 0) * 200 + (s == 3) * 150))
	echo "{\"kind\":\"peak\",\"stage\":$s,\"which\":\"used\",\"memory\":$memory}"
done >"$tmp/peaks.jsonl"
PATH=$BUILD/examples:$PATH
timeline -tail 90 -o "$tmp/first"
again() { sapp-balance --train "$tmp/train.yaml" -t 3 -o "$tmp/dir" "$@"; }

fails 'before anything was planned' 1 'no layers.jsonl of an earlier plan; first plan without --again' \
	again --again "$tmp/first"
sapp-trace -mb 8 "$tmp/first" 2>/dev/null >"$tmp/times"
mkdir -p "$tmp/dir" "$tmp/live"
cat "$tmp/times" "$tmp/peaks.jsonl" | sapp-memsplit "$tmp/train.yaml" 2>/dev/null >"$tmp/dir/layers.jsonl"

cp -r "$tmp/first" "$tmp/live/step100"
again --again "$tmp/live" -left 1000 >"$tmp/report" 2>"$tmp/err"
check 'a run as it was planned' grep -qE '^LLamaDecodeLayer +forward +180.000 +180.000 +\+0.0 %' "$tmp/report"
check 'needs no other plan' grep -q 'Another plan does not pay\|with 1000 left it does not pay' "$tmp/report"

# Later the loss takes the time of four layers, so the last stage should have fewer layers.
timeline -tail 720 -o "$tmp/live/step200"
find "$tmp/live/step100" -type f -exec touch -d '2 hours ago' {} +
echo ' iteration 9/ 10 | elapsed time per iteration (ms): 5.0 |' >"$tmp/live/train.log"
again --again "$tmp/live" -left 100000 >"$tmp/report" 2>"$tmp/err"
check 'the newest is taken that has times of layers' grep -q 'Newest: .*/live/step200$' "$tmp/report"
check 'what has drifted' grep -qE 'forward +88.000 +704.000 +\+700.0 %' "$tmp/report"
now=$(sed -n 's/^With these times the step takes \([0-9.]*\) ms.*/\1/p' "$tmp/report")
best=$(sed -n 's/.*and \([0-9.]*\) ms with the best plan: .*/\1/p' "$tmp/report")
check 'another plan is shorter' test "$(jq -n "$now > 1.1 * $best")" = true
near 'as simulated' "$now" "$(sapp-sim -j "$tmp/dir/again_now.jsonl" | jq 'select(.kind == "sim").step_time')" 0.01
steps=$(sed -n 's/^A restart of 600 s pays off after \([0-9]*\) steps.*/\1/p' "$tmp/report")
near 'paid back after' "$(jq -n "600000 / ($now - $best)")" "$steps" 2
check 'which pays with many steps left' grep -q 'with 100000 steps left it saves' "$tmp/report"
again --again "$tmp/live" -left "$((steps / 2))" >"$tmp/report" 2>"$tmp/err"
check 'and not with few' grep -q "left it does not pay" "$tmp/report"
again --again "$tmp/live" -restart 0.001 >"$tmp/report" 2>"$tmp/err"
check 'a restart that takes no time' grep -q 'A restart of 0.001 s pays off after 1 steps[.]' "$tmp/report"
check 'with the settings' grep -q '^    offset: \[' "$tmp/report"
same 'what was planned with stays' 90 \
	"$(jq -s 'map(select(.type == "TAIL").time) | add' "$tmp/dir/layers.jsonl")"

mkdir "$tmp/empty"
fails 'no profile' 1 'no profile and no log in it' again --again "$tmp/empty"
fails 'no directory' 1 'not a directory' again --again "$tmp/train.yaml"
fails 'without settings' 2 '--again: needs --train' \
	sapp-balance --layers "$tmp/dir/layers.jsonl" --again "$tmp/live"
fails 'a restart of no number' 2 "-restart: not a number of seconds 'soon'" again --again "$tmp/live" -restart soon
fails 'steps left of nothing' 2 '-restart and -left: need --again' again -left 5
done_testing
