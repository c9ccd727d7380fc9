#!/bin/sh
# Lists with different numbers for each pattern of operators give separate kinds of recomputation.
. "$(dirname "$0")/../lib.sh"

# The lists of a published example of 13B, on more stages: layers with all patterns, with those of the activation,
# without.
cat >"$tmp/train.yaml" <<'END'
parallel_config: {pipeline_stage: 6, micro_batch_num: 24}
context: {max_device_memory: "40GB"}
model: {model_config: {num_layers: 48, offset: [1, 0, 0, 0, 0, -1]}}
recompute_config:
  recompute: [2, 0, 0, 0, 0, 0]
  select_recompute:
    'feed_forward\.mul': [9, 8, 8, 3, 5, 0]
    'feed_forward\.w1\.activation': [9, 8, 8, 3, 5, 0]
    'feed_forward\.w1\.matmul': [9, 4, 1, 0, 0, 0]
    'feed_forward\.w3\.matmul': [9, 4, 1, 0, 0, 0]
    'ffn_norm\.norm': [9, 4, 1, 0, 0, 0]
  select_comm_recompute: False
END
# For 6 - s micro-batches: layers of 400 MB, and 90 (none), 60 (mul and activation), 25 (all), 8 (whole); 900 and 1500
# MB at the ends.
awk 'BEGIN {
	split("2 0 0 0 0 0", full); split("7 4 1 0 0 0", all); split("0 4 7 3 5 0", some); split("9 8 8 8 8 7", layers)
	for (i = 1; i <= 6; i++)
		printf "{\"kind\":\"peak\",\"stage\":%d,\"memory\":%d,\"which\":\"used\"}\n", i - 1, 400 * layers[i] + \
		    (7 - i) * (8 * full[i] + 25 * all[i] + 60 * some[i] + \
		    90 * (layers[i] - full[i] - all[i] - some[i])) + \
		    (i == 1 ? 900 : i == 6 ? 1500 : 0) }' >"$tmp/peaks"
printf '%s\n' '{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":4}' \
	'{"kind":"layer","name":"TAIL","type":"TAIL","nb_layer":1,"time":6}' \
	'{"kind":"layer","name":"BODY","type":"BODY","nb_layer":48,"time":10,"backward_time":20,"memory_recompute":8}' \
	>"$tmp/layer"
cat "$tmp/layer" "$tmp/peaks" >"$tmp/in"
memory() { command jq -c 'select(.kind == "layer" and .type == "BODY") | [.memory_parameter, .memory_activation,
	(.kinds | to_entries[] | .value.activation)] | map(. * 100 | round / 100)'; }

sapp-memsplit "$tmp/train.yaml" <"$tmp/in" >"$tmp/out" 2>"$tmp/said"
same "memory of each kind" "[400,90,25,60]" "$(memory <"$tmp/out")"
same "the kinds, by their patterns" '["mul+activation+matmul+2",5]
["mul+activation",2]' "$(jq -c 'select(.kind == "kind") | [.name, (.select_recompute | length)]' "$tmp/out")"
same "in the table of unknowns, too" "2" \
	"$(sapp-memsplit -H "$tmp/train.yaml" <"$tmp/in" 2>/dev/null | grep -c '^mul+activation')"
# (90 - 60) / (90 - 8) of a forward, which is half the backward.
check "a backward that nobody measured is said" grep -q \
	"the backward of 'BODY' with 'mul+activation' was not measured: estimated as 18.3 % longer" "$tmp/said"
sed 's/,"memory_recompute":8/&,"kinds":{"mul+activation":{"activation":0,"backward_time":20.5}}/' "$tmp/in" |
	sapp-memsplit "$tmp/train.yaml" 2>"$tmp/said" >"$tmp/timed"
same "measured ones stay" "20.5 60" "$(jq -r 'select(.type == "BODY") | .kinds["mul+activation"] |
	"\(.backward_time) \(.activation | round)"' "$tmp/timed")"
same "and nothing is said of them" 0 "$(grep -c "with 'mul+activation' was" "$tmp/said")"

sapp-yaml -init "$tmp/train.yaml" >"$tmp/init.yaml"
check "the init YAML has the lists" grep -qF \
	"select_recompute: {'feed_forward\\.mul': [9, 8, 8, 3, 5, 0], 'feed_forward\\.w1\\.activation': [9, " \
	"$tmp/init.yaml"
same "and gives the same" "$(memory <"$tmp/out")" "$(sapp-memsplit "$tmp/init.yaml" <"$tmp/in" 2>/dev/null | memory)"
same "read as a plan of kinds" '{"none":[[0,0,0,5,3,7]],"full":[[2,0,0,0,0,0]],
"mul+activation+matmul+2":[[7,4,1,0,0,0]],
"mul+activation":[[0,4,7,3,5,0]]}' "$(sapp-yaml -r "$tmp/train.yaml" </dev/null |
	command jq -c 'select(.kind == "plan") | .counts.BODY' | sed 's/,"mul+/,\n"mul+/g')"
sapp-yaml -r "$tmp/train.yaml" </dev/null | jq -c 'select(.kind == "plan")' >"$tmp/now"
same "kinds that were made once are read by them" "$(cat "$tmp/now")" \
	"$(grep '"kind":"kind"' "$tmp/out" | sapp-yaml -r "$tmp/train.yaml" | jq -c 'select(.kind == "plan")')"
sapp-lp -s 6 -mb 24 -mem 5000 -t 20 "$tmp/out" 2>/dev/null >"$tmp/plan"
same "planned with" optimal "$(jq -r 'select(.kind == "plan" and .origin == "planner") | .status' "$tmp/plan")"
check "and written as lists by pattern" grep -q "'feed_forward.\.w1.\.activation': \[" \
	"$(sapp-yaml "$tmp/plan" >"$tmp/lines"; echo "$tmp/lines")"

# Rounds: all lists are equal in one, and different in the other.
cat >"$tmp/rounds.yaml" <<'END'
pipeline_config: {pipeline_num: 4, num_layer: 8, offset: [[1, 0, 0, -1], [0, 0, 0, 0]]}
recompute_config:
  select_recompute: {'a\.mul': [[1, 1, 1, 1], [2, 1, 1, 0]], 'a\.add': [[1, 1, 1, 1], [0, 1, 1, 0]]}
memory_usage:
  head_memory: [1340, 940]
  tail_memory: [710, 1000]
  body_memories: {stage_id: [[1, 2], [1, 2]], memories: [[580, 520], [580, 520]]}
END
same "of all rounds" "[200,50,10,30]" "$(sapp-memsplit "$tmp/rounds.yaml" </dev/null 2>/dev/null | memory)"

fails "numbers without patterns beside them" 1 \
	"plain.yaml:12: a list without patterns, next to lists that differ from pattern to pattern" \
	sh -c "sed 's/comm_recompute: False/comm_recompute: [1, 1, 1, 1, 1, 1]/' '$tmp/train.yaml' >'$tmp/plain.yaml'
	sapp-memsplit '$tmp/plain.yaml' <'$tmp/in'"
fails "more kinds than there may be" 1 "more than 7 kinds of recomputation in addition to the built-in kinds" sh -c \
	"awk 'BEGIN { print \"parallel_config: {pipeline_stage: 2}\"; print \"model: {model_config: {num_layers: 40}}\"
	print \"recompute_config:\"; print \"  select_recompute:\"
	for (i = 1; i < 10; i++) printf \"    op%d: [%d, 0]\\n\", i, i }' >'$tmp/many.yaml'
	sapp-yaml -init '$tmp/many.yaml'"
sed 's/\[2, 1, 1, 0\]/[2, 1, 1]/' "$tmp/rounds.yaml" >"$tmp/short.yaml"
fails "a list of a pattern that is too short" 1 "select_recompute: 3 numbers, but the pipeline has 4 stages" \
	sapp-memsplit "$tmp/short.yaml"
sed 's/\[2, 1, 1, 0\]/[7, 1, 1, 0]/' "$tmp/rounds.yaml" >"$tmp/many.yaml"
fails "more layers than a stage has" 1 "many.yaml:3: 7 layers are recomputed on stage 0, which has only 2" \
	sapp-memsplit "$tmp/many.yaml"
done_testing
