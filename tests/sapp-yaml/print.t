#!/bin/sh
# sapp-yaml's lines for MindFormers and its arguments for Megatron-LM agree with the plan.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/v2" <<EOF
{"kind":"pipeline","stages":3,"micro_batches":6,"interleave":2,"schedule":"vpp","memory_limit":56000}
{"kind":"plan","name":"naive","origin":"naive","schedule":"vpp","interleave":2,"counts":{"A":{"none":[[2,2,2],[2,2,\
2]]}},"offset":[[0,0,0],[0,0,0]],"recompute":[[0,0,0],[0,0,0]],"select_recompute":[[0,0,0],[0,0,0]],\
"select_comm_recompute":[[0,0,0],[0,0,0]]}
{"kind":"plan","name":"best","origin":"planner","schedule":"vpp","interleave":2,"counts":{"A":{"none":[[1,1,2],[3,2,\
1]],"both":[[1,0,0],[0,0,0]],"full":[[1,0,0],[0,0,0]]}},"offset":[[1,-1,0],[1,0,-1]],"recompute":[[1,0,0],[0,0,0]],\
"select_recompute":[[2,0,0],[0,0,0]],"select_comm_recompute":[[2,0,0],[0,0,0]]}
EOF
sapp-yaml "$tmp/v2" >"$tmp/out"
same 'the planner'\''s plan, all lines' '# best: 12 layers on 3 stages, 2 chunks a stage, schedule vpp
parallel_config:
  pipeline_stage: 3
  micro_batch_num: 6
parallel:
  pipeline_config:
    pipeline_interleave: True
    pipeline_scheduler: 1f1b
model:
  model_config:
    pp_interleave_num: 2
    offset: [[1, -1, 0], [1, 0, -1]]
recompute_config:
  recompute: [[1, 0, 0], [0, 0, 0]]
  select_recompute: [[2, 0, 0], [0, 0, 0]]
  select_comm_recompute: [[2, 0, 0], [0, 0, 0]]' "$(cat "$tmp/out")"
same 'another by its name' '# naive: 12 layers on 3 stages, 2 chunks a stage, schedule vpp' \
	"$(sapp-yaml -plan naive "$tmp/v2" | head -1)"

# The printed lines are a training YAML that -r reads.
sed 's/model_config:/&\n    num_layers: 12/' "$tmp/out" >"$tmp/t.yaml"
same 'printed lines read back' \
	"$(tail -1 "$tmp/v2" | jq -c '[.offset,.recompute,.select_recompute,.select_comm_recompute]')" \
	"$(sapp-yaml -r "$tmp/t.yaml" </dev/null |
	jq -c 'select(.kind=="plan")|[.offset,.recompute,.select_recompute,.select_comm_recompute]')"

fails 'Megatron: recomputation that differs by piece' 1 \
	"v2:3: 'best': Megatron-LM recomputes the same number of first layers in every piece" \
	sapp-yaml -f megatron "$tmp/v2"
sed 's/"both":..1,0,0.,.0,0,0..,"full":..1,0,0./"full":[[1,1,1]/; s/"none":..1,1,2.,.3,2,1../"none":[[2,0,1],[2,1,'\
'0]]/; s/"full":..1,1,1.,.0,0,0../"full":[[1,1,1],[1,1,1]]/' "$tmp/v2" >"$tmp/uniform"
sapp-yaml -f megatron "$tmp/uniform" >"$tmp/out" 2>"$tmp/err"
same 'Megatron: a layout where pieces differ' '--num-layers 12 \
--pipeline-model-parallel-size 3 \
--pipeline-model-parallel-layout "Et*3|t|t*2|t*3|t*2|tL" \
--recompute-granularity full \
--recompute-method block \
--recompute-num-layers 1' "$(cat "$tmp/out")"
same 'Megatron: even chunks' '--num-layers 12 \
--pipeline-model-parallel-size 3 \
--num-layers-per-virtual-pipeline-stage 2' "$(sapp-yaml -f megatron -plan naive "$tmp/v2")"

# plan STAGES LAYERS OFFSETS: one chunk, nothing recomputed
plan() {
	jq -nc --argjson p "$1" --argjson l "$2" --argjson o "$3" \
		'{kind:"plan",name:"x",origin:"manual",schedule:"1f1b",interleave:1,
		counts:{A:{none:[$o|map(.+($l/$p|floor))]}},offset:[$o],recompute:[$o|map(0)],'\
'select_recompute:[$o|map(0)],select_comm_recompute:[$o|map(0)]}'
}
same 'Megatron: first and last differ' '--num-layers 16 \
--pipeline-model-parallel-size 4 \
--decoder-first-pipeline-num-layers 3 \
--decoder-last-pipeline-num-layers 3' "$(plan 4 16 '[-1,1,1,-1]' | sapp-yaml -f megatron)"
same 'Megatron: even stages say nothing' 2 "$(plan 4 16 '[0,0,0,0]' | sapp-yaml -f megatron | wc -l)"

# Print the layout as Megatron-LM expands it: groups, then single letters, then pieces.
expand() {
	sed -n 's/.*layout "\(.*\)".*/\1/p' |
		perl -ne 's/,//g; s/\(([^)]+)\)\*(\d+)/$1 x $2/ge; s/(.)\*(\d+)/$1 x $2/ge; chomp;
		die "ends" unless s/^E// && s/L$//; print join(",", map { tr{t}{} } split /\|/, $_, -1), "\n"'
}
for offsets in '[0,0,0,0,1,0,0,0]' '[1,-1,2,2,2,2,2,-8]' '[-4,0,0,0,0,0,1,3]' '[3,3,3,-1,-1,-1,-1,-5]' \
	'[0,1,-1,1,-1,1,-1,0]'; do
	sum=$(echo "$offsets" | jq add)
	same "Megatron: layout of $offsets" "$(echo "$offsets" | jq -c 'map(.+9)' | tr -d '[]')" \
		"$(plan 8 $((72 + sum)) "$offsets" | sapp-yaml -f megatron | expand)"
done

fails '-name without -r' 2 '-name: needs -r' sapp-yaml -name x "$tmp/v2"
fails '-layers without -r' 2 '-layers: needs -r, -w or -init' sapp-yaml -layers 12 "$tmp/v2"
fails 'no plan, by the name of the input' 1 'sapp-yaml: /dev/null: no plan record' sapp-yaml /dev/null

# The lists have the same form as in the reports of sapp-lp and sapp-sim.
sapp-layers "$top/examples/llama-70b/layers.json" >"$tmp/layers"
for chunks in 1 2; do
	sapp-lp -j -s 4 -mb 8 -mem 70000 -i $chunks -t 1 "$tmp/layers" >"$tmp/plan" 2>"$tmp/err"
	lists() { grep -E '^ *(offset|recompute|select_recompute|select_comm_recompute): \[' | sed 's/^ *//' | sort; }
	sapp-yaml "$tmp/plan" | lists >"$tmp/yaml"
	same "lists of $chunks chunks" 4 "$(wc -l <"$tmp/yaml")"
	same "sapp-sim -H prints lists of $chunks chunks as sapp-yaml does" "$(cat "$tmp/yaml")" \
		"$(sapp-sim -H "$tmp/plan" | lists)"
done
done_testing
