#!/bin/sh
# sapp-yaml -w on YAML in all forms; -r; refused input.
. "$(dirname "$0")/../lib.sh"

plan=$tmp/plan
cat >"$plan" <<EOF
{"kind":"pipeline","stages":4,"micro_batches":16,"interleave":1,"schedule":"1f1b","memory_limit":56000}
{"kind":"plan","name":"best","origin":"planner","schedule":"1f1b","interleave":1,"counts":{"Layer":{"none":[[1,3,4,\
3]],"full":[[3,2,0,0]]}},"offset":[[0,1,0,-1]],"recompute":[[3,2,0,0]],"select_recompute":[[3,2,0,0]],\
"select_comm_recompute":[[3,2,0,0]]}
EOF
cat >"$tmp/plan2" <<EOF
{"kind":"plan","name":"two","origin":"manual","schedule":"vpp","interleave":2,"counts":{"Layer":{"none":[[2,2,2,2],[2,\
2,2,2]]}},"offset":[[0,0,0,0],[0,0,0,0]],"recompute":[[0,0,0,0],[0,0,0,0]],"select_recompute":[[0,0,0,0],[0,0,0,0]],\
"select_comm_recompute":[[0,0,0,0],[0,0,0,0]]}
EOF

# edit NAME OPTIONS... <before; the expected result is in $tmp/want
edit() {
	name=$1; shift
	cat >"$tmp/t.yaml"
	sapp-yaml -w "$tmp/t.yaml" "$@" 2>"$tmp/err" || cat "$tmp/err" >>"$tmp/t.yaml"
	if cmp -s "$tmp/want" "$tmp/t.yaml"; then ok "$name"; else not_ok "$name"; diff "$tmp/want" "$tmp/t.yaml" |
		diag; fi
}

cat >"$tmp/want" <<'EOF'
# all here
model:
  model_config:
    num_layers: 16
    offset: [0, 1, 0, -1]   # behind
parallel_config: {pipeline_stage: 4, micro_batch_num: 8}   # flow
recompute_config:
  recompute: [3, 2, 0, 0]
  select_recompute: [3, 2, 0, 0]   # was true
  select_comm_recompute: [3, 2, 0, 0]
EOF
edit 'lists in their places, comments behind them stay' "$plan" <<'EOF'
# all here
model:
  model_config:
    num_layers: 16
    offset: [ 1, 0,  0,  # two
      -1 ]   # behind
parallel_config: {pipeline_stage: 4, micro_batch_num: 8}   # flow
recompute_config:
  recompute:   # block
    - 1
    - 1   # two
    - 1
    - 0
  select_recompute: True   # was true
  select_comm_recompute: False
EOF
check 'micro-batches that differ are worth a warning' \
	grep -q 'warning: micro_batch_num is 8, but the plan was made for 16 (write it with -mb)' "$tmp/err"

cat >"$tmp/want" <<'EOF'
model: {model_config: {num_layers: 16, offset: [0, 1, 0, -1]}}
parallel_config: {pipeline_stage: 4, micro_batch_num: 16}
recompute_config:
  recompute: [3, 2, 0, 0]
  select_recompute: [3, 2, 0, 0]
  select_comm_recompute: [3, 2, 0, 0]
EOF
edit 'a true that is every layer there gives way to none' "$plan" <<'EOF'
model: {model_config: {num_layers: 16, offset: [0, 1, 0, -1]}}
parallel_config: {pipeline_stage: 4, micro_batch_num: 16}
recompute_config:
  recompute: [3, 2, true, false]
  select_recompute: [3, 2, 0, 0]
  select_comm_recompute: [3, 2, 0, 0]
EOF

printf '\357\273\277model:\r\n  model_config:\r\n    name: \303\251\r\n    num_layers: 16\r\n    offset: [0, 1, 0, '\
'-1]\r\nparallel_config:\r\n  pipeline_stage: 4\r\n  micro_batch_num: 16\r\nrecompute_config:\r\n  recompute: [3, 2, '\
'0, 0]\r\n  select_recompute: [3, 2, 0, 0]\r\n  select_comm_recompute: [3, 2, 0, 0]\r\n' >"$tmp/want"
printf '\357\273\277model:\r\n  model_config:\r\n    name: \303\251\r\n    num_layers: 16\r\nparallel_config:\r\n  '\
'pipeline_stage: 4\r\n  micro_batch_num: 2\r\nrecompute_config:\r\n  recompute: False' >"$tmp/in"
edit 'CRLF, byte order mark, no newline at the end, keys that are missing' -mb "$plan" <"$tmp/in"

cat >"$tmp/want" <<'EOF'
lists:
  shared: &shared [1, 1, 1, 1]
  zero: &zero 0
model: {model_config: {num_layers: 16, offset: &off [0, 1, 0, -1], pp: 1}}
copy: *off
parallel_config: {pipeline_stage: 4}
recompute_config:
  recompute: [3, 2, 0, 0]
  select_recompute: [3, 2, *zero, *zero]
  select_comm_recompute: [3, 2, 0, 0]
EOF
edit 'aliases give way to values, anchors stay' "$plan" <<'EOF'
lists:
  shared: &shared [1, 1, 1, 1]
  zero: &zero 0
model: {model_config: {num_layers: 16, offset: &off 0, pp: 1}}
copy: *off
parallel_config: {pipeline_stage: 4}
recompute_config:
  recompute: *shared
  select_recompute: [3, 2, *zero, *zero]
  select_comm_recompute: [3, 2, *zero, 9]
EOF
check 'who else changes is said' grep -q \
	"t.yaml:5: warning: '\*off' changes too, as it refers to the anchor on line 4" "$tmp/err"

cat >"$tmp/want" <<'EOF'
model: {model_config: {num_layers: 16, offset: &off [0, 1, 0, -1] }}
parallel_config: {pipeline_stage: 4}
recompute_config:
  recompute: &none [3, 2, 0, 0]
  select_recompute: !!null [3, 2, 0, 0]
  select_comm_recompute: [3, 2, 0, 0]
EOF
edit 'an anchor or a tag with nothing behind it stays apart from the value' "$plan" <<'EOF'
model: {model_config: {num_layers: 16, offset: &off }}
parallel_config: {pipeline_stage: 4}
recompute_config:
  recompute: &none
  select_recompute: !!null
  select_comm_recompute:
EOF

cat >"$tmp/want" <<'EOF'
model:
  model_config: {num_layers: 16, offset: [0, 1, 0, -1]}
parallel_config:
  pipeline_stage: 4
recompute_config:
  recompute: [3, 2, 0, 0]
  select_recompute: [3, 2, 0, 0]
  select_comm_recompute: [3, 2, 0, 0]

# the end
last: 1
EOF
edit 'a section with nothing in it, a map in braces' "$plan" <<'EOF'
model:
  model_config: {num_layers: 16}
parallel_config:
  pipeline_stage: 4
recompute_config:

# the end
last: 1
EOF

cat >"$tmp/want" <<'EOF'
model:
  model_config:
    num_layers: 16
    text: |
      offset: 3

      recompute: True
    offset: [0, 1, 0, -1]
parallel_config:
  pipeline_stage: 4
# the end
recompute_config:
  recompute: [3, 2, 0, 0]
  select_recompute: [3, 2, 0, 0]
  select_comm_recompute: [3, 2, 0, 0]
EOF
edit 'a section that is missing; text that looks like a setting' "$plan" <<'EOF'
model:
  model_config:
    num_layers: 16
    text: |
      offset: 3

      recompute: True
parallel_config:
  pipeline_stage: 4
# the end
EOF

cat >"$tmp/want" <<'EOF'
model:
  model_config:
    num_layers: 16
    offset: [0, 1, 0, -1]
    pp_interleave_num: 1
parallel_config:
  pipeline_stage: 4
recompute_config:
  recompute: [3, 2, 0, 0]
  select_recompute: {'a\.b': [3, 2, 0, 0], 'plain': [3, 2, 0, 0]}
  select_comm_recompute: {'x': [3, 2, 0, 0], 'y': [3, 2, 0, 0]}
EOF
edit 'block lists of another shape, patterns' "$plan" <<'EOF'
model:
  model_config:
    num_layers: 16
    offset:
      - [1, 0, 0, 0]
      - [0, 0, 0, -1]
    pp_interleave_num: 2
parallel_config:
  pipeline_stage: 4
recompute_config:
  recompute:
  - [1, 0, 0, 0]
  - [0, 0, 0, 0]
  select_recompute:
    - 'a\.b'   # one
    - plain
  select_comm_recompute: ['x',  # x
    y]
EOF

cat >"$tmp/want" <<'EOF'
model:
  model_config:
    num_layers: 16
    offset: [0, 1, 0, -1]
parallel_config: {pipeline_stage: 4}
recompute_config:
  recompute: [3, 2, 0, 0]	# [0, 0, 0, 0]
  select_recompute: [3, 2, 0, 0] #true
  select_comm_recompute: [3, 2, 0, 0]   # none
EOF
edit 'a key without a value, a comment behind it' "$plan" <<'EOF'
model:
  model_config:
    num_layers: 16
    offset:
parallel_config: {pipeline_stage: 4}
recompute_config:
  recompute:	# [0, 0, 0, 0]
  select_recompute: #true
  select_comm_recompute:   # none
EOF

cat >"$tmp/want" <<'EOF'
base: &base {offset: 0, pp_interleave_num: 1}
model:
  model_config:
    <<: *base
    num_layers: 16
    offset: [0, 1, 0, -1]
parallel_config: &pc
  pipeline_stage: 4
recompute_config:
  recompute: [3, 2, 0, 0]
  select_recompute: [3, 2, 0, 0]
  select_comm_recompute: [3, 2, 0, 0]
EOF
edit 'what a merge brings is overridden, not edited' "$plan" <<'EOF'
base: &base {offset: 0, pp_interleave_num: 1}
model:
  model_config:
    <<: *base
    num_layers: 16
parallel_config: &pc
  pipeline_stage: 4
recompute_config:
  recompute: [3, 2, 0, 0]
  select_recompute: [3, 2, 0, 0]
  select_comm_recompute: [3, 2, 0, 0]
EOF

cat >"$tmp/want" <<'EOF'
model:
  model_config:
    num_layers: 16
    offset: 0
    pp_interleave_num: 2
parallel_config:
  pipeline_stage: 4
parallel:
  mode: 1
  pipeline_config:
    pipeline_interleave: True
recompute_config:
  recompute: [[0, 0, 0, 0], [0, 0, 0, 0]]
EOF
edit 'interleaving: one key in a map, another with the map itself' "$tmp/plan2" <<'EOF'
model:
  model_config:
    num_layers: 16
    offset: 0
parallel_config:
  pipeline_stage: 4
parallel:
  mode: 1
recompute_config:
  recompute: [1, 0, 0, 0]
EOF

# The output of -n: three lines around each change, with line numbers before and after it; and the unchanged end of the
# file.
cat >"$tmp/change" <<EOF
--- $tmp/t.yaml
+++ $tmp/t.yaml
@@ -2,6 +2,7 @@
 model:
   model_config:
     num_layers: 16
+    offset: [0, 1, 0, -1]
 # 5
 # 6
 # 7
@@ -10,6 +11,6 @@
 # 10
 # 11
 parallel_config: {pipeline_stage: 4}
-recompute_config: {recompute: False}
+recompute_config: {recompute: [3, 2, 0, 0], select_recompute: [3, 2, 0, 0], select_comm_recompute: [3, 2, 0, 0]}
 last: 1
 end: 2
\\ No newline at end of file
EOF
printf '%s\n' '# 1' 'model:' '  model_config:' '    num_layers: 16' '# 5' '# 6' '# 7' '# 8' '# 9' '# 10' '# 11' \
	'parallel_config: {pipeline_stage: 4}' 'recompute_config: {recompute: False}' 'last: 1' >"$tmp/t.yaml"
printf 'end: 2' >>"$tmp/t.yaml"
same 'two changes are shown, the first of which adds a line' "$(cat "$tmp/change")" \
	"$(sapp-yaml -w "$tmp/t.yaml" -n "$plan")"
cat >"$tmp/change" <<'EOF'
@@ -1,1 +1,1 @@
-{model: {model_config: {num_layers: 16, offset: 0}}, parallel_config: {pipeline_stage: 4}, recompute_config: {}}
+{model: {model_config: {num_layers: 16, offset: [0, 1, 0, -1]}}, parallel_config: {pipeline_stage: 4}, \
recompute_config: {recompute: [3, 2, 0, 0], select_recompute: [3, 2, 0, 0], select_comm_recompute: [3, 2, 0, 0]}}
EOF
sed -n 's/^-//p' "$tmp/change" >"$tmp/t.yaml"
same 'one line that is the whole file, a map in braces with nothing in it' \
	"$(sed ':a;/\\$/{N;s/\\\n//;ba}' "$tmp/change")" "$(sapp-yaml -w "$tmp/t.yaml" -n "$plan" | grep '^@\|^[+-]{')"

chmod 640 "$tmp/t.yaml"; ln -s t.yaml "$tmp/link.yaml"
sapp-yaml -w "$tmp/link.yaml" "$plan" 2>/dev/null
same 'mode kept' 640 "$(stat -c %a "$tmp/t.yaml")"
check 'a link is followed, not replaced' test -L "$tmp/link.yaml"

# Refused edits leave the file unchanged.
good='model: {model_config: {num_layers: 16, offset: 0}}
parallel_config: {pipeline_stage: 4}
recompute_config: {recompute: False}'
refuse() {	# NAME MESSAGE, and what sed does to a good file
	echo "$good" | sed "$3" >"$tmp/bad.yaml"; cp "$tmp/bad.yaml" "$tmp/before"
	fails "$1" 1 "$2" sapp-yaml -w "$tmp/bad.yaml" "$plan"
	cmp -s "$tmp/bad.yaml" "$tmp/before" || not_ok "$1: the file has changed"
}
refuse 'other layers' "num_layers is 32, but the plan 'best' ($plan:2) has 16 layers" 's/layers: 16/layers: 32/'
refuse 'a list that is too short' 'bad.yaml:3: recompute: 3 entries, but pipeline_stage is 4' \
	's/recompute: False/recompute: [1, 2, 3]/'
refuse 'more chunks than pp_interleave_num' 'offset: 2 lists, but pp_interleave_num is 1' \
	's/offset: 0/offset: [[0, 0, 0, 0], [0, 0, 0, 0]]/'
refuse 'a number for a list' "recompute: expected true, false or a list with one number per stage '7'" \
	's/recompute: False/recompute: 7/'
refuse 'no pipeline' 'no parallel_config: pipeline_stage' '/parallel_config/d'
refuse 'no model' "missing key 'model: model_config'" '/^model/d'
refuse 'a missing key of an aliased map' "'model_config' is an alias" \
	's/^model:.*/m: \&m {num_layers: 16}\nmodel: {model_config: *m}/'
refuse 'not YAML' 'not YAML' '1s/}}$/}/'
fails 'no file' 1 'cannot be opened' sapp-yaml -w "$tmp/none.yaml" "$plan"
fails 'no plan' 1 'no plan record in the input' sapp-yaml /dev/null
fails 'no such plan' 1 "no plan has the name 'x'; there are: best" sapp-yaml -plan x "$plan"
cat "$tmp/plan2" >"$tmp/two"; sed 's/"two"/"three"/' "$tmp/plan2" >>"$tmp/two"
fails 'several plans, none of the planner' 1 'choose a plan with -plan: two three' sapp-yaml "$tmp/two"
sed 's/"origin"/"status":"infeasible","origin"/' "$plan" >"$tmp/inf"
fails 'an infeasible plan' 1 "the plan 'best' is infeasible" sapp-yaml "$tmp/inf"
sed 's/"offset":\[\[0,1,0,-1\]\]/"offset":[[1,0,0,-1]]/' "$plan" >"$tmp/odd"
fails 'offset and counts that disagree' 1 'layers in chunk 0 of stage 0 by its counts' sapp-yaml "$tmp/odd"
fails '-mb without knowing' 1 '-mb: the plan and the pipeline record' sapp-yaml -w "$tmp/t.yaml" -mb "$tmp/plan2"
fails '-w on standard input' 2 "-w: needs a file, which is edited in place" sapp-yaml -w - "$plan"
fails '-n alone' 2 '-n and -mb: need -w' sapp-yaml -n "$plan"
fails 'an unknown format' 2 "-f: unknown 'x'; known: mindformers megatron" sapp-yaml -f x "$plan"
fails 'a full disk' 1 'cannot write to standard output' sh -c 'sapp-yaml "$1" >/dev/full' sh "$plan"

# Reading the current settings.
echo "$good" >"$tmp/r.yaml"
current() { sapp-yaml -r "$tmp/r.yaml" "$@" </dev/null | jq -c 'select(.kind=="plan")'; }
same '-r: counts' '{"BODY":{"none":[[4,4,4,4]]}}' "$(current | jq -c .counts)"
cat >"$tmp/r.yaml" <<EOF
model: {model_config: {num_layers: 18, pp_interleave_num: 2, offset: [[1, 0, 0, 0], [1, 0, 0, 0]]}}
parallel_config: {pipeline_stage: 4, micro_batch_num: 8}
context: {max_device_memory: "55.5GB"}
parallel: {pipeline_config: {pipeline_interleave: True}}
recompute_config: {recompute: [3, 0, 0, 0], select_recompute: {a: True, b: true}, select_comm_recompute: [[1, 0, 0, \
0], [true, false, 0, 0]]}
EOF
same '-r: one list for two chunks is dealt out' '[[2,0,0,0],[1,0,0,0]]' "$(current | jq -c .recompute)"
same '-r: patterns for every layer' '[[3,2,2,2],[3,2,2,2]]' "$(current | jq -c .select_recompute)"
same '-r: truth values in a list' '[[1,0,0,0],[3,0,0,0]]' "$(current | jq -c .select_comm_recompute)"
same '-r: the question' \
	'{"kind":"pipeline","stages":4,"micro_batches":8,"interleave":2,"schedule":"vpp","memory_limit":56832}' \
	"$(sapp-yaml -r "$tmp/r.yaml" </dev/null | head -1)"
cat >"$tmp/layers" <<'EOF'
{"kind":"note","text":"kept"}
{"kind":"layer","name":"Dense","type":"BODY","nb_layer":3,"time":1,"memory_activation":10}
{"kind":"layer","name":"Moe","type":"BODY","nb_layer":15,"time":2,"memory_activation":10}
EOF
sapp-yaml -r "$tmp/r.yaml" -name now "$tmp/layers" >"$tmp/out"
same '-r: other records first' "$(cat "$tmp/layers")" "$(head -3 "$tmp/out")"
same '-r: layers of several kinds' '{"Dense":3,"Moe":15}' \
	"$(tail -1 "$tmp/out" | jq -c '.counts | map_values([.[] | flatten[]] | add)')"
same '-r: its name' now "$(tail -1 "$tmp/out" | jq -r .name)"
sed -i 's/"nb_layer":15/"nb_layer":16/' "$tmp/layers"
fails '-r: other layers' 1 "num_layers is 18, but the layer records have '19'" sapp-yaml -r "$tmp/r.yaml" "$tmp/layers"
sed 's/{a: True, b: true}/{a: True, b: false}/' "$tmp/r.yaml" >"$tmp/r2.yaml"
fails '-r: patterns that differ' 1 "a list without patterns, next to lists that differ" \
	sh -c 'sapp-yaml -r "$1" </dev/null' sh "$tmp/r2.yaml"
sed 's/{a: True, b: true}/{a: [[1, 0, 0, 0], [0, 0, 0, 1]], b: [[1, 0, 0, 0], [0, 0, 0, 0]]}/' "$tmp/r.yaml" \
	>"$tmp/r2.yaml"
fails '-r: patterns that differ at the end' 1 "a list without patterns, next to lists that differ" \
	sh -c 'sapp-yaml -r "$1" </dev/null' sh "$tmp/r2.yaml"
sed 's/\[\[1, 0, 0, 0\], \[1, /[[1, 0, 0, 0], [2, /' "$tmp/r.yaml" >"$tmp/r2.yaml"
fails '-r: offsets that do not add up' 1 'offsets have the sum 3, not 2' sh -c 'sapp-yaml -r "$1" </dev/null' sh \
	"$tmp/r2.yaml"
done_testing
