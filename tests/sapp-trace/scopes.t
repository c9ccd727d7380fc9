#!/bin/sh
# Forms of timelines: small ones written by hand, and stages of one layer.
. "$(dirname "$0")/../lib.sh"

t=$tmp/t.json
now=1736408883688177
# Print events; times are in microseconds after $now. scope START DUR DEPTH NAME, kernel START DUR STREAM PATH.
event() { events="$events${events:+, }$1"; }
scope() { event \
	"{\"name\": \"$4\", \"ph\": \"X\", \"pid\": 77, \"tid\": $3, \"ts\": \"$((now + $1)).000\", \"dur\": $2}"; }
kernel() { event "{\"name\": \"$4\", \"ph\": \"X\", \"pid\": 3, \"tid\": $3, \"ts\": $((now + $1)), \"dur\": $2}"; }
process() { event \
	"{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": $1, \"tid\": 0, \"args\": {\"name\": \"$2\"}}"; }
iteration() { event \
	"{\"name\": \"Iteration $3\", \"ph\": \"X\", \"pid\": 3, \"tid\": 9, \"ts\": $((now + $1)), \"dur\": $2}"; }
names() { process 3 'Ascend Hardware'; process 77 'Scope Layer'; }
begin() { events=; }
# total NAME PHASE WANT TITLE [OPTIONS]: microseconds.
total() {
	layer=$1 phase=$2 sum=$3 title=$4; shift 4
	printf '[%s]\n' "$events" >"$t"
	run 0 sapp-trace "$@" "$t" || { not_ok "$title"; return; }
	near "$title" "$sum" "$(jq --arg n "$layer" --arg p "$phase" \
		'select(.name == $n and .phase == $p) | .total * 1000' "$tmp/out")" 1e-6
}
body=LLamaDecodeLayer

begin
scope 0 100 0 Default
scope 10 80 7 0-$body
scope 12 10 8 attention_norm-LlamaRMSNorm
scope 91 5 6 norm_out-LlamaRMSNorm
scope 10 300 7 1-My$body
kernel 0 500 2 0-$body
names
total $body forward 80 'found by name, not by pid, and named after its events'
total LlamaRMSNorm forward 5 'a norm within a layer is no tail'
same 'a longer word is another layer' 1 "$(jq 'select(.name == "LLamaDecodeLayer") | .instances' "$tmp/out")"
scope 96 3 7 1-$body
printf '[%s]\n' "$events" >"$t"
run 0 sapp-trace -body $body -body "0-$body" "$t"
same 'the longest name wins' "$body 0-$body" "$(jq -r 'select(.name | test("Decode")) | .name' "$tmp/out" | xargs)"

begin
scope 0 200 0 Default
scope 10 80 7 0-$body
scope 60 50 7 norm_out-LlamaRMSNorm
names
total LlamaRMSNorm forward 50 'a norm no deeper than the layer is a tail'
total $body forward 50 'and its time is not the layer'"'"'s'

begin
scope 0 100 0 Default
scope 60 70 7 0-$body
scope 100 80 0 Gradients
names
total $body forward 40 'a scope that overhangs its window is clipped'
same 'and is no backward' '' "$(jq 'select(.phase == "backward")' "$tmp/out")"

begin
scope 0 100 0 Default
scope 60 90 7 0-$body
scope 100 80 0 recompute_Default
scope 180 90 0 Gradients
scope 180 90 1 Default
scope 190 70 8 0-$body
names
total $body forward 40 'a scope that goes on in the recomputation'
total $body recompute 50 'is divided'
total $body backward 70 'backward is one deeper, its Default is no window'

begin
scope 0 105 0 Default
scope 0 105 7 0-$body
scope 100 80 0 recompute_Default
scope 105 60 7 1-$body
names
total $body forward 105 'windows that overlap are not counted twice'

begin
iteration 0 100 1
iteration 60 40 2
iteration 100 100 3
iteration 100 100 3
iteration 200 100 4
scope 0 300 0 Default
scope 0 300 7 0-$body
names
total $body forward 300 'marks within others that end with them are the same step'
same 'of three' 3 "$(jq 'select(.phase == "forward").steps' "$tmp/out")"
run 0 sapp-trace -steps all "$t"
same 'none of which is left out' 3 "$(jq 'select(.phase == "forward").steps' "$tmp/out")"

begin
iteration 0 100 1
iteration 100 100 2
iteration 200 100 3
for i in 0 1 2; do
	scope $((i * 100)) 90 0 Default
	scope $((i * 100)) $((10 * i + 10)) 7 0-$body
done
names
total $body forward 60 'three steps all count'
iteration 300 100 4
scope 300 90 0 Default
scope 300 40 7 0-$body
total $body forward 70 'of four, the first two do not'
same 'two steps' 2 "$(jq .steps "$tmp/out")"
total $body forward 50 'steps that are asked for' -steps 1-2
total $body forward 20 'one step' -steps 1-1
total $body forward 100 'all of it' -steps all
scope 500 90 0 Default
scope 500 1 7 0-$body
total $body forward 101 'outside any step, too' -steps all
run 0 sapp-trace -steps all "$t"
same 'spread over steps: least, middle, most' '[0.01,0.025,0.041]' \
	"$(jq -c 'select(.kind == "timing") | [.min, .median, .max] | map(. * 1e6 | round / 1e6)' "$tmp/out")"
total $body forward 70 'but not otherwise'
fails 'more steps than there are' 1 '-steps: the timeline has only 4 steps, 0-3' sapp-trace -steps 3-4 "$t"

begin
scope 0 200 0 Default
scope 10 40 7 0-$body
scope 50 44 7 1-$body
names
total $body forward 84 'layers that differ by a tenth'
check 'are of one kind' sh -c '! grep -q "layers of" "$1"' sh "$tmp/err"
scope 94 45 7 2-$body
total $body forward 129 'layers that differ by more'
check 'are worth a warning' grep \
	-q "layers of $body differ: the forwards of one step take, takes 0-$body 0.04 ms, 2-$body 0.045 ms" "$tmp/err"

begin
scope 0 200 0 Default
scope 10 40 7 0-$body
scope 60 50 7 1-$body
scope 130 20 7 3-$body
names
total $body forward 120 'a layer goes on until the next begins, where that is its neighbour'

# Times of 20 digits do not fit a double: these steps are 8 ns long.
begin
for i in 0 1 2 3; do
	event "{\"name\": \"ProfilerStep#$((i + 50))\", \"ph\": \"X\", \"pid\": 1, \"tid\": \
1, \"ts\": \"$now.10$((2 * i))\", \"dur\": 0.002}"
	event "{\"name\": \"Default\", \"ph\": \"X\", \"pid\": 77, \"tid\": \
0, \"ts\": \"$now.10$((2 * i))\", \"dur\": 0.002}"
	event "{\"name\": \"0-$body\", \"ph\": \"X\", \"pid\": 77, \"tid\": \
7, \"ts\": \"$now.10$((2 * i))\", \"dur\": 0.00$((i / 2 + 1))}"
done
names
total $body forward 0.004 'nanoseconds count'

path=Default/network-Net/0-$body
begin
scope 0 1000 0 Default
scope 0 1000 7 0-$body
kernel 0 499 2 $path/MatMul-op1
kernel 200 600 3 Default/AllReduce-op2
kernel 500 300 2 $path/MatMul-op3
names
total $body forward 800 'a scope is cut to its kernels, with the gaps between them'

begin
kernel 0 10 2 $path/MatMul-op1
kernel 20 10 2 $path/Mul-op2
kernel 5 20 3 $path/AllReduce-op3
event "{\"name\": \"$path/Mul-op2\", \"ph\": \"X\", \"pid\": 8, \"tid\": 3, \"ts\": $now, \"dur\": 1000}"
process 3 'Ascend Hardware'; process 8 'MindSpore'
total $body forward 30 'kernels: streams that overlap count once, the host not at all'
kernel 40 7 2 Gradients/$path/gradMatMul-expand/MatMul-op4
kernel 50 6 2 recompute_$path/attention_norm-LlamaRMSNorm/Mul-op5
kernel 60 5 2 Default/network-Net/norm_out-LlamaRMSNorm/Mul-op6
total $body backward 7 'kernels: backward'
total $body recompute 6 'kernels: recomputation'
total LlamaRMSNorm forward 5 'kernels: a norm within a layer is no tail'
printf '{"baseTimeNanoseconds": 1, "x": [{"traceEvents": 3}], "traceEvents": [%s], "displayTimeUnit": "ns"}' \
	"$(echo "$events" | sed 's,/,\\/,g')" >"$t"
run 0 sapp-trace "$t"
near 'an object, slashes escaped' 0.03 \
	"$(jq "select(.name == \"$body\" and .phase == \"forward\") | .total" "$tmp/out")" 1e-9
printf '[%s]' "$(echo "$events" | sed 's,/,\\u002f,g; s,LLama,\\u004cL\\u0061ma,g')" >"$t"
run 0 sapp-trace "$t"
near 'letters written as \u' 0.03 \
	"$(jq "select(.name == \"$body\" and .phase == \"forward\") | .total" "$tmp/out")" 1e-9

# A stage of one layer: its scopes merge.
for format in trace_view older msprof display; do
	rm -rf "$tmp/d"
	make-timeline -P 4 -L 4 -mb 6 -head 3 -body 18 -tail 9 -recompute full -format $format -o "$tmp/d" >/dev/null
	run 0 sapp-trace -mb 6 "$tmp/d"
	near "one layer a stage, $format" 18 \
		"$(jq "select(.kind == \"layer\" and .name == \"$body\") | .time" "$tmp/out")" 0.018
	near "its recomputation, $format" 54 \
		"$(jq "select(.kind == \"layer\" and .name == \"$body\") | .recompute_time" "$tmp/out")" 0.054
done
rm -rf "$tmp/d"
make-timeline -P 4 -L 4 -mb 6 -body 18 -recompute none -idle 0 -short -o "$tmp/d" >/dev/null
run 0 sapp-trace -mb 6 "$tmp/d"
near 'one layer a stage, the scope track alone' 18 \
	"$(jq "select(.kind == \"layer\" and .name == \"$body\") | .time" "$tmp/out")" 0.2
rm -rf "$tmp/d"
make-timeline -P 4 -L 8 -mb 6 -body 18 -recompute select,both,none -short -o "$tmp/d" >/dev/null
run 0 sapp-trace -mb 6 "$tmp/d"
near 'two layers a stage, the scope track alone' 18 \
	"$(jq "select(.kind == \"layer\" and .name == \"$body\") | .time" "$tmp/out")" 0.018

# Several files.
sapp-trace -mb 6 "$tmp/d" | sed 's/,"source":"[^"]*"//; s/"events":[0-9]*/"events":0/' >"$tmp/once"
cp "$tmp/d/trace_view_0.json" "$tmp/d/trace_view_1.json"
sapp-trace -mb 6 "$tmp/d" | sed 's/,"source":"[^"]*"//; s/"events":[0-9]*/"events":0/' >"$tmp/twice"
check 'a second rank of a stage changes nothing' cmp "$tmp/once" "$tmp/twice"
check 'standard input' sh -c "sapp-trace <'$tmp/d/trace_view_0.json'"
check 'standard input, compressed' sh -c "gzip -1c '$tmp/d/trace_view_0.json' | sapp-trace -"
mkdir -p "$tmp/e/rank_0/out" "$tmp/e/rank_8/out"
mv "$tmp/d/trace_view_0.json" "$tmp/e/rank_0/out/trace_view.json"
mv "$tmp/d/trace_view_24.json" "$tmp/e/rank_8/out/trace_view.json"
echo '[]' >"$tmp/e/rank_0/out/msprof_1.json"
echo 'of the same kernels' >"$tmp/e/rank_0/out/kernel_details.csv"
check 'a table beside a timeline with names is not read' sapp-trace "$tmp/e"
run 0 sapp-trace -v "$tmp/e"
same 'directories below' 2 "$(grep -c 'events, 5 steps' "$tmp/err")"
check 'msprof files of the same run are not read' sh -c '! grep -q msprof_1 "$1"' - "$tmp/err"
rm "$tmp/e/rank_0/out/kernel_details.csv"
echo '[]' >"$tmp/e/trace_view_9.json"
fails 'a directory whose only file is empty' 1 'found 0 events' sapp-trace "$tmp/e"
run 0 sapp-trace "$tmp/e/trace_view_9.json" "$tmp/e/rank_0/out/trace_view.json"
check 'a timeline without layers among others is a warning' grep -q 'warning: no module scopes' "$tmp/err"

# The init file.
cat >"$tmp/init.yaml" <<'Y'
pipeline_config: {pipeline_num: 4, num_layer: 8, offset: 0}
profiling_config:
  micro_batch_num: 6
  folder_path: e/rank_8
  head_layers: LlamaEmbedding
  body_layers: [LLamaDecodeLayer]
  tail_layers: [lm_head-Linear]
Y
run 0 sapp-trace -c "$tmp/init.yaml"
same 'init file: folder beside it, micro-batches, number of layers' '8 18' \
	"$(jq -r 'select(.kind == "layer" and .type == "BODY") | "\(.nb_layer) \(.time)"' "$tmp/out")"
same 'init file: names' '' "$(jq 'select(.name == "LlamaRMSNorm")' "$tmp/out")"
run 0 sapp-trace -c "$tmp/init.yaml" -mb 3 "$tmp/e/rank_8"
same 'options win' 36 "$(jq 'select(.kind == "layer" and .type == "BODY") | .time' "$tmp/out")"

# Two classes of body layers, each with its own number of layers.
begin
scope 0 100 0 Default
scope 10 30 7 0-Dense
scope 50 40 7 1-Moe
names
printf '[%s]\n' "$events" >"$t"
two() { printf 'pipeline_config: {pipeline_num: 3, num_layer: %s}\nprofiling_config: {micro_batch_num: 1, '\
'body_layers: [Dense, Moe]}\n' "$1" >"$tmp/two.yaml"; }
numbers() { sapp-trace -c "$tmp/two.yaml" "$t" 2>/dev/null | jq -sc '[.[] | select(.kind == "layer") | .nb_layer]'; }
two '[3, 15]'; same 'a number for each class' '[3,15]' "$(numbers)"
two 18; same 'one number for two classes: those that were seen' '[1,1]' "$(numbers)"
two '[3, 5, 10]'; same 'numbers for other classes: those that were seen' '[1,1]' "$(numbers)"
two '[3, 0]'; fails 'a class without layers' 1 \
	"two.yaml:1: num_layer: not between 1 and 100000 '0'" sapp-trace -c "$tmp/two.yaml" "$t"
printf 'time_config: {head: 1, body: 1, tail: 1}\n' >"$tmp/init.yaml"
fails 'init file without a profile' 1 \
	"add 'profiling_config: {micro_batch_num: N}', or give the training YAML" \
	sapp-trace -c "$tmp/init.yaml" "$tmp/e"

done_testing
