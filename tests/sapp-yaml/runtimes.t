#!/bin/sh
# Settings of Primus, FlagScale and HyperParallel: written, read back and simulated; plans that they cannot run are
# refused.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/layers" <<'END'
{"kind":"layer","name":"emb","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":500}
{"kind":"layer","name":"loss","type":"TAIL","nb_layer":1,"time":6,"memory_parameter":500}
END
jq -nc '{kind:"layer",name:"A",type:"BODY",nb_layer:18,time:10,memory_parameter:400,memory_activation:200,
	memory_recompute:20,memory_select_rec:150}' >>"$tmp/layers"
# The counts without kinds that no layer has.
plans() { jq -c 'select(.kind == "plan") | [.schedule, .offset,
	(.counts[] |= with_entries(select(.value | flatten | add > 0))).counts]' "$1" | tail -1; }
# round TARGET SCHEDULE CHUNKS MB [LINE...]: plan, write the plan with these lines, and read it back as the same plan.
round() {
	what="$1: $2 of $3" target=$1 mem=$4
	sapp-lp -target "$1" -S "$2" -i "$3" -s 4 -mb 8 -mem "$4" -t 3 "$tmp/layers" >"$tmp/plan" 2>"$tmp/err"
	shift 4
	sapp-yaml -f "$target" "$tmp/plan" >"$tmp/t.yaml" 2>"$tmp/said" || not_ok "$what is written"
	for line; do
		check "$what says $line" grep -qxF "$line" "$tmp/t.yaml"
	done
	sapp-yaml -r "$tmp/t.yaml" -name back "$tmp/plan" >"$tmp/back" 2>"$tmp/err"
	same "$what is read back" "$(plans "$tmp/plan")" "$(plans "$tmp/back")"
	same "$what takes as long" 1 "$(sapp-sim "$tmp/back" | jq -s '[.[] | select(.kind == "sim").step_time] |
		unique | length')"
}
round primus 1f1b 1 4200 '      recompute_layer_ids: [0, 1, 4, 5]' '      recompute_method: null' \
	'      recompute_granularity: full' '      num_layers: 18'
check 'Primus runs 1f1b by itself' sh -c '! grep -q pp_algorithm "$1"' sh "$tmp/t.yaml"
round primus vpp 2 4200
check 'with a layout' grep -q 'pipeline_model_parallel_layout: "E' "$tmp/t.yaml"
round primus zb-h1 1 6200 '      pp_algorithm: zero-bubble' '      patch_primus_pipeline: true'
round primus zbv 2 6200 '      pp_algorithm: zbv-formatted'
check 'the step is told' grep -q 'ms with these arguments' "$tmp/said"
round primus v-half 2 6200 '      pp_algorithm: v-half'
round primus v-min 2 6200 '      pp_algorithm: v-min'
round flagscale 1f1b 1 4200 '  recompute_num_layers_per_stage_micro_batch: [[2, 8, 2], [2, 8, 0]]' \
	'  recompute_method: block' '  recompute_num_layers: 1' '  num_layers: 18'
round flagscale vpp 2 4200
check 'no 0 beside chunks that recompute' grep -q ', -1\]' "$tmp/t.yaml"
round flagscale 1f1b 1 20000
check 'nothing is recomputed' sh -c '! grep -q recompute "$1"' sh "$tmp/t.yaml"
round hyperparallel 1f1b 1 4200 '    pp_layer_split: [4, 5, 5, 4]' '    num_layers: [2, 2, 0, 0]' \
	'    activation_checkpoint: full' '    pp_schedule: 1f1b' '    pp_micro_batch_num: 8'
round hyperparallel vpp 2 4200 '    pp_vpp: 2'
round hyperparallel gpipe 1 6200 '    pp_schedule: gpipe'
round hyperparallel 1f1b 1 20000 '    activation_checkpoint: "off"'

# One partial kind for all layers.
for target in primus flagscale; do
	sapp-lp -target $target -mixes uniform -s 4 -mb 8 -mem 3900 -t 3 "$tmp/layers" >"$tmp/plan" 2>/dev/null
	check "$target: alike everywhere" sapp-yaml -f $target "$tmp/plan"
done
jq -nc '{kind:"plan",name:"p",origin:"manual",schedule:"1f1b",interleave:1,counts:{A:{select:[[4,5,5,4]]}},
	offset:[[0,1,1,0]],recompute:[[0,0,0,0]],select_recompute:[[4,5,5,4]],select_comm_recompute:[[0,0,0,0]],
	micro_batches:8}' >"$tmp/select"
sapp-yaml -f primus "$tmp/select" >"$tmp/t.yaml"
same 'Primus: a part of all layers' '{"select":[[4,5,5,4]]}' \
	"$(sapp-yaml -r "$tmp/t.yaml" /dev/null | jq -c 'select(.kind == "plan").counts.BODY')"
check 'HyperParallel: a part of all layers' sh -c 'sapp-yaml -f hyperparallel "$1" >"$2" &&
	grep -q "activation_checkpoint: selective" "$2"' sh "$tmp/select" "$tmp/t.yaml"

# The lists of sapp_ppb.
jq -nc '{kind:"plan",name:"p",origin:"manual",schedule:"1f1b",interleave:1,micro_batches:8,
	counts:{A:{none:[[1,2,5,4]],both:[[1,1,0,0]],full:[[2,2,0,0]]}},offset:[[0,1,1,0]],recompute:[[2,2,0,0]],
	select_recompute:[[3,3,0,0]],select_comm_recompute:[[3,3,0,0]]}' >"$tmp/plan"
same 'sapp_ppb: its lists' 'p:
  offset: [[0, 1, 1, 0]]
  recompute: [[2, 2, 0, 0]]
  select_recompute: [[3, 3, 0, 0]]
  select_comm_recompute: [[3, 3, 0, 0]]
  interleave_num: 1' "$(sapp-yaml -f sapp-ppb "$tmp/plan")"
sapp-yaml -f sapp-ppb "$tmp/plan" >"$tmp/manual.yaml"
jq -c 'select(.type == "BODY").memory_both_comm_select = 100' "$tmp/layers" >"$tmp/both"
echo '{"kind":"pipeline","stages":4,"micro_batches":8,"interleave":1,"schedule":"1f1b","memory_limit":20000}' |
	cat "$tmp/both" - "$tmp/plan" >"$tmp/all"
same 'sapp_ppb: read as a manual configuration' 1 \
	"$(sapp-sim -manual "$tmp/manual.yaml" "$tmp/all" | jq -s '[.[] | select(.kind == "sim").step_time] | unique |
	length')"
jq -c '.counts.A |= {none, full, select: [[1, 0, 0, 0]], comm: [[0, 1, 0, 0]]} | .select_recompute = [[3, 2, 0, 0]] |
	.select_comm_recompute = [[2, 3, 0, 0]]' "$tmp/plan" >"$tmp/two"
check 'sapp_ppb: select and comm in different cells' sapp-yaml -f sapp-ppb "$tmp/two"
jq -c '.counts.A |= {none: [[0, 3, 5, 4]], full, select: [[1, 0, 0, 0]], comm: [[1, 0, 0, 0]]} |
	.select_recompute = [[3, 2, 0, 0]] | .select_comm_recompute = [[3, 2, 0, 0]]' "$tmp/plan" >"$tmp/two"
fails 'sapp_ppb: select and comm in one cell come back as both' 1 'the plan' sapp-yaml -f sapp-ppb "$tmp/two"

# The layers of sapp_ppb, with a blank in the name of a key.
cat >"$tmp/ppb.json" <<'END'
{"name": "toy", "layers_description": [
 {"name": "emb", "type": "HEAD", "nb_layer": 1, "time": 4, "memory_parameter": 3000},
 {"name": "dense", "type": "BODY", "nb_layer": 3, "time": 20, "memory_parameter": 900, "memory_activation": 500,
  "memory_recompute": 30, "recompute_time ": 61, "model_name": null, "select_rec_time": null},
 {"name": "out", "type": "TAIL", "nb_layer": 1, "time": 22, "memory_parameter": 3100}]}
END
same 'sapp_ppb: its layer file' 61 \
	"$(sapp-layers "$tmp/ppb.json" | jq 'select(.name == "dense").recompute_time')"
sed 's/"recompute_time ": 61/"recompute_time": 62, &/' "$tmp/ppb.json" >"$tmp/bad.json"
fails 'both spellings' 1 "'recompute_time ': also given as recompute_time" sapp-layers "$tmp/bad.json"
sed 's/"recompute_time "/"recompute_tim "/' "$tmp/ppb.json" >"$tmp/bad.json"
fails 'no other key has a blank' 1 "recompute_tim : unknown member" sapp-layers "$tmp/bad.json"

# The newer form of sapp_nd: figures by option.
cat >"$tmp/new.json" <<'END'
{"name": "toy", "layers_description_new": [
 {"name": "emb", "type": "HEAD", "nb_layer": 1, "time": 4, "memory_parameter": 3000},
 {"name": "BODY_0", "type": "BODY", "nb_layer": 3, "time": 20, "memory_parameter": 900,
  "options": ["NONE", "SLCT", "FULL"],
  "memory_activation": {"NONE": 500, "SLCT": 300, "FULL": 30}, "forward_time": {"NONE": 21, "SLCT": 21, "FULL": 21},
  "backward_time": {"NONE": 40, "SLCT": 44, "FULL": 61}},
 {"name": "out", "type": "TAIL", "nb_layer": 1, "time": 22, "memory_parameter": 3100}]}
END
same 'sapp_nd: figures by option' '[21,500,300,30,40,44,61]' "$(sapp-layers "$tmp/new.json" |
	jq -c 'select(.name == "BODY_0") | [.forward_time, .memory_activation, .memory_select_rec, .memory_recompute,
	.backward_time, .select_rec_time, .recompute_time]')"
newer() { sed "$2" "$tmp/new.json" >"$tmp/bad.json"; fails "sapp_nd: $1" 1 "$3" sapp-layers "$tmp/bad.json"; }
newer 'no option' 's/"SLCT": 300/"SELECT": 300/' \
	"memory_activation: not one of NONE, SLCT, COMM, BOTH and FULL 'SELECT'"
newer 'not among its options' 's/"options": .*\]/"options": ["NONE"]/' \
	"memory_activation: not in the layer's \"options\" 'SLCT'"
newer 'options that are no list' 's/"options": .*\]/"options": "NONE"/' 'options: not a list'
newer 'forwards that differ' 's/"SLCT": 21/"SLCT": 22/' 'forward_time: differs between'
newer 'twice' 's/"options"/"select_rec_time": 1, &/' 'select_rec_time: also given by option'
newer 'no number' 's/"SLCT": 300/"SLCT": "x"/' 'memory_select_rec'
newer 'both forms' 's/"name": "toy"/&, "layers_description": []/' 'both the old and the new form are present'

# The question file of sapp_ppb.
cat >"$tmp/question.yaml" <<'END'
pipeline_config:
  pipeline_num: 4
  micro_batch_num: 16
  num_layer: 18
  num_of_interleave: 2
  vpp_less_memory: true
  memory_limit: 5000
  constant_memory: 800
  sim_comm_time: 0.5
END
same 'sapp_ppb: its question is a job' '[4,16,2,[4200],[0.5]]' "$(
	sapp-yaml -init "$tmp/question.yaml" -j 2>"$tmp/said" |
	jq -c '[.stages, .micro_batches, .interleave, (.memory_limit, .comm_time | [.] | flatten)]')"
check 'what a job does not say is told' grep -q 'question.yaml:6: .*vpp_less_memory: .*-lm 1' "$tmp/said"
sapp-yaml -init "$tmp/question.yaml" -j 2>"$tmp/said" | cat - "$tmp/layers" |
	sapp-lp -i 2 -t 2 >"$tmp/plan" 2>"$tmp/said"
same 'which is planned' '[4,2]' "$(jq -c 'select(.kind == "plan" ) | [(.offset[0] | length), .interleave]' "$tmp/plan" |
	tail -n 1)"
question() { sed "$2" "$tmp/question.yaml" >"$tmp/bad.yaml"
	fails "sapp_ppb: $1" 1 "$3" sapp-yaml -init "$tmp/bad.yaml" -j; }
question 'no limit' 's/: 5000/: 0/' 'bad.yaml:7: memory_limit'
question 'all of it constant' 's/: 5000/: 800/' 'too low, must be above the constant_memory'
question 'half a stage' 's/num: 4/num: 4.5/' 'bad.yaml:2: pipeline_num'
question 'no stages' '/pipeline_num/s/4/0/' 'pipeline_num'
question 'a key that is none' 's/num_layer/num_layers/' 'num_layers'

# plan SCHEDULE CHUNKS MICRO KIND: 4 stages, 2 layers a piece, the first piece with one layer of a kind.
plan() {
	jq -nc --arg s "$1" --argjson v "$2" --argjson m "$3" --arg k "${4:-none}" '
		def all(n): [range($v) | [range(4) | n]];
		def one(n): [[n, 0, 0, 0]] + [range($v - 1) | [0, 0, 0, 0]];
		def rest: [range($v) as $c | [range(4) as $i | if $c == 0 and $i == 0 then 1 else 2 end]];
		{kind:"plan",name:"p",origin:"manual",schedule:$s,interleave:$v,micro_batches:$m,
			counts:{A:(if $k == "none" then {none:all(2)} else {none:rest,($k):one(1)} end)},offset:all(0),
			recompute:(if $k == "full" then one(1) else all(0) end),
			select_recompute:(if $k == "none" or $k == "comm" then all(0) else one(1) end),
			select_comm_recompute:(if $k == "full" or $k == "comm" then one(1) else all(0) end)}'
}
refused() {	# NAME FORMAT MESSAGE SCHEDULE CHUNKS MICRO [KIND]
	name=$1 format=$2 message=$3; shift 3
	plan "$@" >"$tmp/plan"
	fails "$name" 1 "$message" sapp-yaml -f "$format" "$tmp/plan"
	same "$name: nothing is printed" '' "$(cat "$tmp/out")"
}
refused 'Primus: gpipe' primus "Primus has no schedule 'gpipe'" gpipe 1 8
refused 'Primus: zb-h2' primus "Primus has no schedule 'zb-h2'" zb-h2 1 8
refused 'Primus: recomputation with split backwards' primus 'Primus cannot recompute in zbv, but this plan does' \
	zbv 2 8 full
refused 'Primus: a part of one piece' primus 'Primus recomputes whole layers of a piece, or the same part of all' \
	1f1b 1 8 select
refused 'Primus: too few micro-batches for zbv' primus 'runs zbv only with at least 7 micro-batches' zbv 2 6
refused 'Primus: too few for zero-bubble' primus 'runs zb-h1 only with at least as many' zb-h1 1 3
refused 'Primus: groups' primus 'only with at least as many micro-batches as the 4 stages' vpp 2 3
{ printf 'modules:\n  pre_trainer:\n    framework: megatron\n    overrides:\n      num_layers: 8\n'
	printf '      sequence_parallel: 1\n      use_torch_fsdp2: false\n      pipeline_model_parallel_size: 1\n'
} >"$tmp/one.yaml"
check 'Primus: 1 is true' sapp-yaml -r "$tmp/one.yaml" /dev/null
sed 's/fsdp2: false/fsdp2: 1/' "$tmp/one.yaml" >"$tmp/fsdp.yaml"
plan 1f1b 1 8 >"$tmp/plan"
fails 'Primus: FSDP beside a pipeline' 1 \
	"use_torch_fsdp2: Megatron-LM rejects it with --pipeline-model-parallel-size '" \
	sapp-yaml -w "$tmp/fsdp.yaml" "$tmp/plan"
echo 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 18 --use-torch-fsdp2 --use-distributed-optimizer' \
	>"$tmp/fsdp.sh"
fails 'and in a script beside the divided optimizer' 1 'Megatron-LM rejects it with --use-distributed-optimizer' \
	sapp-yaml -r "$tmp/fsdp.sh" /dev/null
refused 'FlagScale: zbv' flagscale "FlagScale has no schedule 'zbv'" zbv 2 8
refused 'FlagScale: a part of one piece' flagscale 'FlagScale recomputes whole layers of a piece' 1f1b 1 8 select
refused 'FlagScale: communication' flagscale 'FlagScale recomputes whole layers of a piece' 1f1b 1 8 comm
refused 'HyperParallel: vpp-less' hyperparallel "HyperParallel has no schedule 'vpp-less'" vpp-less 2 8
refused 'HyperParallel: left over' hyperparallel 'a multiple of the 4 stages, not 10' vpp 2 10
refused 'HyperParallel: too few micro-batches' hyperparallel 'as the 4 stages, not 3' 1f1b 1 3
refused 'HyperParallel: a part of one piece' hyperparallel 'HyperParallel recomputes whole layers of a piece' \
	1f1b 1 8 select
# Layers of the second kind first: FlagScale recomputes the first layers of a piece, Primus any.
jq -nc '{kind:"plan",name:"p",origin:"manual",schedule:"1f1b",interleave:1,micro_batches:8,
	counts:{A:{none:[[2,0]]},B:{none:[[0,1]],full:[[1,1]]}},offset:[[1,0]],recompute:[[1,1]],
	select_recompute:[[1,1]],select_comm_recompute:[[1,1]]}' >"$tmp/plan"
fails 'FlagScale: not the first layers of a piece' 1 \
	"the arguments would give chunk 0 of stage 0 1 layers 'A' with recomputation 'none', but the plan has 2" \
	sapp-yaml -f flagscale "$tmp/plan"
check 'Primus: any layers' sh -c 'sapp-yaml -f primus "$1" >"$2"' sh "$tmp/plan" "$tmp/t.yaml"
check 'by their numbers' grep -q 'recompute_layer_ids: \[2, 3\]' "$tmp/t.yaml"
jq -c 'del(.micro_batches)' "$tmp/plan" | jq -c '.counts={A:{none:[[1,1]],full:[[1,1]]}} | .offset=[[0,0]]' >"$tmp/no"
fails 'FlagScale: of no number of micro-batches' 1 'but the plan and the pipeline record have none' \
	sapp-yaml -f flagscale "$tmp/no"

# The contents of files, right or wrong: read TARGET LINES... as overrides of Primus, or as the system of FlagScale.
write() {
	target=$1; shift
	if [ "$target" = primus ]; then
		printf 'modules:\n  pre_trainer:\n    overrides:\n      num_layers: 16\n'
		printf '      pipeline_model_parallel_size: 4\n'
		[ $# = 0 ] || printf '      %s\n' "$@"
	else
		printf 'system:\n  pipeline_model_parallel_size: 4\n'
		printf '  %s\n' "$@"
		printf 'model: {num_layers: 16}\n'
	fi >"$tmp/t.yaml"
}
reads() {	# NAME COUNTS TARGET LINES...
	name=$1 want=$2; shift 2
	write "$@"
	same "$name" "$want" "$(sapp-yaml -r "$tmp/t.yaml" /dev/null 2>"$tmp/err" |
		jq -r 'select(.kind == "plan") | "\(.schedule) \(.counts.BODY | tostring)"' || cat "$tmp/err")"
}
wrong() {	# NAME MESSAGE TARGET LINES...
	name=$1 message=$2; shift 2
	write "$@"
	fails "$name" 1 "$message" sapp-yaml -r "$tmp/t.yaml" /dev/null
}
reads 'Primus: even' '1f1b {"none":[[4,4,4,4]]}' primus
reads 'Primus: by list' '1f1b {"none":[[3,4,4,5]]}' primus 'decoder_pipeline_manual_split_list: [3, 4, 4, 5]'
reads 'Primus: by list, stage by stage' 'vpp {"none":[[1,2,2,2],[3,2,2,2]]}' primus \
	'decoder_pipeline_manual_split_list: "[1,3,2,2,2,2,2,2]"'
reads 'Primus: by list, forth and back' 'zbv {"none":[[3,2,2,2],[1,2,2,2]]}' primus \
	'decoder_pipeline_manual_split_list: [3,2,2,2,2,2,2,1]' 'patch_primus_pipeline: true' \
	'pp_algorithm: zbv-formatted'
reads 'Primus: a layout, forth and back' 'v-min {"none":[[3,2,2,2],[1,2,2,2]]}' primus \
	'pipeline_model_parallel_layout: "Ettt|tt|tt|tt|tt|tt|tt|tL"' 'patch_primus_pipeline: true' \
	'pp_algorithm: v-min'
reads 'Primus: layers by number' '1f1b {"full":[[2,1,0,0]],"none":[[2,3,4,4]]}' primus 'recompute_granularity: full' \
	'recompute_method: null' 'recompute_layer_ids: "0,1,7"'
reads 'Primus: what the environment may say' '1f1b {"none":[[4,4,4,4]]}' primus \
	'recompute_granularity: ${PRIMUS_RECOMPUTE:null}'
reads 'Primus: its own 1f1b' '1f1b {"none":[[4,4,4,4]]}' primus 'patch_primus_pipeline: true' 'pp_algorithm: 1f1b'
reads 'Primus: its own interleaving' 'vpp {"none":[[2,2,2,2],[2,2,2,2]]}' primus 'patch_primus_pipeline: true' \
	'num_virtual_stages_per_pipeline_rank: 2'
wrong 'Primus: a list of another length' "t.yaml:6: decoder_pipeline_manual_split_list: 3 numbers with the sum 16" \
	primus 'decoder_pipeline_manual_split_list: [6, 5, 5]'
wrong 'Primus: a list of other layers' "numbers with the sum 17" primus \
	'decoder_pipeline_manual_split_list: [4, 4, 4, 5]'
wrong 'Primus: an empty stage' 'not a list of whole numbers between 1 and 16' primus \
	'decoder_pipeline_manual_split_list: [0, 5, 5, 6]'
wrong 'Primus: a list and a layout' 'exclude each other' primus 'decoder_pipeline_manual_split_list: [4, 4, 4, 4]' \
	'pipeline_model_parallel_layout: "Et*4|t*4|t*4|t*4L"'
wrong 'Primus: a layer that is not there' \
	't.yaml:8: --recompute-layer-ids: not a list of whole numbers between 0 and 15' \
	primus 'recompute_granularity: full' 'recompute_method: null' 'recompute_layer_ids: [0, 16]'
wrong 'Primus: layers without full' 't.yaml:6: recompute_layer_ids: only with recompute_granularity full' primus \
	'recompute_layer_ids: [0]'
wrong 'Primus: layers and a method' 't.yaml:7: recompute_method: not with recompute_layer_ids' primus \
	'recompute_granularity: full' 'recompute_method: block' 'recompute_layer_ids: [0]'
wrong 'Primus: an unknown order' "t.yaml:7: pp_algorithm: not one of" primus 'patch_primus_pipeline: true' \
	'pp_algorithm: zigzag'
wrong 'Primus: an order of two chunks' 'zbv-formatted needs two chunks per stage, not 1' primus \
	'patch_primus_pipeline: true' 'pp_algorithm: zbv-formatted'
wrong 'Primus: an order of one chunk' 'zero-bubble needs one chunk per stage, not 2' primus \
	'patch_primus_pipeline: true' \
	'pp_algorithm: zero-bubble' 'num_virtual_stages_per_pipeline_rank: 2'
wrong 'Primus: offloaded' 't.yaml:8: offload: activations are offloaded' primus 'patch_primus_pipeline: true' \
	'pp_algorithm: zbv-formatted' 'offload: true' 'num_virtual_stages_per_pipeline_rank: 2'
wrong 'Primus: zero bubbles by free memory' 't.yaml:6: patch_zero_bubble: the run chooses the order' primus \
	'patch_zero_bubble: true'
wrong 'Primus: both runtimes' 't.yaml:8: patch_primus_pipeline: not with a zero-bubble runtime' primus \
	'patch_zero_bubble: true' 'zero_bubble_max_pending_backward: 4' 'patch_primus_pipeline: true'
reads 'Primus: zero bubbles in V shape, half the memory by default' 'v-half {"none":[[2,2,2,2],[2,2,2,2]]}' primus \
	'patch_zero_bubble: true' 'zero_bubble_v_schedule: true' 'num_virtual_stages_per_pipeline_rank: 2'
reads 'Primus: zero bubbles that nothing selects' '1f1b {"none":[[4,4,4,4]]}' primus 'enable_zero_bubble: true' \
	'zero_bubble_v_schedule: true'
wrong 'Primus: V shape takes two chunks' 'zero_bubble_v_schedule needs two chunks per stage, not 1' primus \
	'patch_zero_bubble: true' 'zero_bubble_v_schedule: true'
wrong 'Primus: only known when it runs' 't.yaml:6: recompute_granularity: its value is only known at run time' primus \
	'recompute_granularity: ${MODE}'
wrong 'Primus: no truth value' 't.yaml:6: patch_primus_pipeline' primus 'patch_primus_pipeline: maybe'
reads 'FlagScale: by stage' '1f1b {"full":[[3,3,1,1]],"none":[[1,1,3,3]]}' flagscale 'recompute_granularity: full' \
	'recompute_method: block' 'recompute_num_layers: 1' \
	'recompute_num_layers_per_stage_micro_batch: [[2, 6, 3, 2, 3], [2, 8, 1]]' \
	'recompute_method_per_stage_micro_batch: [[4, 8, 1]]'
reads 'FlagScale: switched off on two stages' '1f1b {"full":[[4,4,0,0]],"none":[[0,0,4,4]]}' flagscale \
	'recompute_granularity: full' 'recompute_method: uniform' 'recompute_num_layers: 2' \
	'recompute_granularity_per_stage_micro_batch: ["2, 8, 1", "2, 8, 0"]'
reads 'FlagScale: stages by list' '1f1b {"none":[[3,4,4,5]]}' flagscale \
	'hetero: {enable_hetero: true, hetero_pipeline_layer_split: [3, 4, 4, 5]}'
same 'FlagScale: micro-batches by the lists' 8 "$(write flagscale 'recompute_granularity: full' \
	'recompute_method: block' 'recompute_num_layers_per_stage_micro_batch: [[4, 8, 1]]'
	echo '{"kind":"pipeline","stages":4,"micro_batches":16,"interleave":1,"schedule":"1f1b","memory_limit":1}' |
	sapp-yaml -r "$tmp/t.yaml" 2>/dev/null | jq 'select(.kind == "plan").micro_batches')"
lists='recompute_num_layers_per_stage_micro_batch'
flag() { name=$1 message=$2; shift 2; wrong "FlagScale: $name" "$message" flagscale 'recompute_granularity: full' \
	'recompute_method: block' 'recompute_num_layers: 1' "$@"; }
flag 'micro-batches that differ' 'recompute 3 and 2 layers, which a plan cannot express' \
	"$lists: [[2, 6, 3, 2, 2], [2, 8, 1]]"
flag 'too few stages' "t.yaml:6: $lists: lists for 3 of 4 pieces" "$lists: [[3, 8, 1]]"
flag 'too many stages' 'lists for more than 4 pieces' "$lists: [[3, 8, 1], [2, 8, 0]]"
flag 'other micro-batches' '6 micro-batches, not 8' "$lists: [[2, 8, 1], [2, 6, 0]]"
flag 'a pair that is none' 'expected the number of stages, then pairs' "$lists: [[4, 8, 1, 2]]"
flag 'no numbers' 'not a list of whole numbers' "$lists: [[4, 8, x]]"
flag 'a method that is none' ': expected 0, or 1 if stages have one chunk' "$lists: [[4, 8, 1]]" \
	'recompute_method_per_stage_micro_batch: [[4, 8, 2]]'
flag 'block by list of several chunks' 'or 1 if stages have one chunk' "$lists: [[8, 8, 1]]" \
	'recompute_method_per_stage_micro_batch: [[8, 8, 1]]' 'num_layers_per_virtual_pipeline_stage: 2'
flag 'a 0 beside chunks that recompute' 'a 0 for one chunk of stage 0 also ends recomputation' \
	"$lists: [[4, 8, 1], [4, 8, 0]]" \
	'num_layers_per_virtual_pipeline_stage: 2'
wrong 'FlagScale: without full' 'needs recompute_granularity full and a recompute_method' flagscale \
	"$lists: [[4, 8, 1]]"
wrong 'FlagScale: a list of other layers' 'numbers with the sum 17' flagscale \
	'hetero: {enable_hetero: true, hetero_pipeline_layer_split: [4, 4, 4, 5]}'

# Megatron-LM: some micro-batches recompute all layers.
partial() { printf '%s\n' '--num-layers 16 --pipeline-model-parallel-size 4 --recompute-granularity full' \
	"--recompute-method block --recompute-num-layers 1 --num-microbatches-with-partial-activation-checkpoints $1" \
	>"$tmp/args.sh"; }
partial 4
same 'as many as are in flight' '{"full":[[1,1,1,1]],"none":[[3,3,3,3]]}' \
	"$(sapp-yaml -r "$tmp/args.sh" /dev/null | jq -c 'select(.kind == "plan").counts.BODY')"
partial 0
same 'nexclude each other' '{"full":[[4,4,4,4]]}' \
	"$(sapp-yaml -r "$tmp/args.sh" /dev/null | jq -c 'select(.kind == "plan").counts.BODY')"
partial 2
fails 'some of them' 1 '2 of 4 micro-batches in flight recompute fewer layers' sapp-yaml -r "$tmp/args.sh" /dev/null
echo '{"kind":"kind","name":"moved","offload_modules":["core_attn"]}' >"$tmp/kinds"
share() { printf '%s\n' '--num-layers 16 --pipeline-model-parallel-size 4 --fine-grained-activation-offloading' \
	"--offload-modules core_attn $1" >"$tmp/args.sh"; }
share '--activation-offload-fraction 1.0 --delta-offload-bytes-across-pp-ranks 0'
check 'all groups are offloaded' sapp-yaml -r "$tmp/args.sh" "$tmp/kinds"
share '--activation-offload-fraction 0.5'
fails 'a share of the groups' 1 'activation_offload_fraction: only 1 is supported' \
	sapp-yaml -r "$tmp/args.sh" "$tmp/kinds"
share '--delta-offload-bytes-across-pp-ranks 1000'
fails 'less on later stages' 1 'delta_offload_bytes_across_pp_ranks: only 0 is supported,' \
	sapp-yaml -r "$tmp/args.sh" "$tmp/kinds"

# HyperParallel's files.
hyper() { printf 'train:\n  accelerator:\n    pp: 4\n'; printf '    %s\n' "$@"; }
hyper 'pp_schedule: 1f1b' 'pp_micro_batch_num: 8' >"$tmp/t.yaml"
same 'HyperParallel: even, the rest on later stages' '{"none":[[4,4,4,5]]}' \
	"$(sapp-yaml -r "$tmp/t.yaml" -layers 17 /dev/null | jq -c 'select(.kind == "plan").counts.BODY')"
bad() { name=$1 message=$2; shift 2; hyper "$@" >"$tmp/t.yaml"
	fails "HyperParallel: $name" 1 "$message" sapp-yaml -r "$tmp/t.yaml" -layers 16 /dev/null; }
bad 'no schedule' 'pp_schedule: missing, and its default depends on the model' 'pp_micro_batch_num: 8'
bad 'another schedule' "t.yaml:4: pp_schedule: not gpipe or 1f1b 'mpipe'" 'pp_schedule: mpipe'
bad 'less memory' 't.yaml:5: pp_less_memory: not supported: its order of operations is not known' \
	'pp_schedule: 1f1b' 'pp_less_memory: true'
bad 'a list too short' 'pp_layer_split: expected a list of 4 numbers, for' 'pp_schedule: 1f1b' 'pp_layer_split: [8, 8]'
bad 'an empty stage' 't.yaml:5: pp_layer_split' 'pp_schedule: 1f1b' 'pp_layer_split: [0, 5, 5, 6]'
bad 'other layers' "or the layer records have '16'" 'pp_schedule: 1f1b' 'pp_layer_split: [4, 4, 4, 5]'
hyper 'pp_schedule: 1f1b' 'pp_layer_split: [4, 4, 4, 4]' >"$tmp/t.yaml"
echo '  gradient_checkpointing: {activation_checkpoint: full, num_layers: [5, 0, 0, 0]}' >>"$tmp/t.yaml"
fails 'HyperParallel: more recomputed than there are' 1 \
	't.yaml:6: num_layers: 5, but there are only 4 layers on stage 0' \
	sapp-yaml -r "$tmp/t.yaml" /dev/null
sed -i 's/full, num_layers.*/zigzag}/' "$tmp/t.yaml"
fails 'HyperParallel: no such recomputation' 1 "t.yaml:6: activation_checkpoint: not one of off, full and selective" \
	sapp-yaml -r "$tmp/t.yaml" /dev/null

# Files edited in place: every other byte stays, and the plan is read back.
edited() {	# NAME TARGET SCHEDULE CHUNKS MB: a plan into $tmp/t.yaml
	what=$1
	sapp-lp -target "$2" -S "$3" -i "$4" -s 4 -mb 8 -mem "$5" -t 3 "$tmp/layers" >"$tmp/plan" 2>/dev/null
	cp "$tmp/t.yaml" "$tmp/before"
	check "$what: shown" sapp-yaml -w "$tmp/t.yaml" -n "$tmp/plan"
	check "$what: not changed yet" cmp "$tmp/t.yaml" "$tmp/before"
	check "$what: written" sapp-yaml -w "$tmp/t.yaml" "$tmp/plan"
	same "$what: read back" "$(plans "$tmp/plan")" \
		"$(sapp-yaml -r "$tmp/t.yaml" "$tmp/plan" 2>/dev/null >"$tmp/back"; plans "$tmp/back")"
	cp "$tmp/t.yaml" "$tmp/again"
	check "$what: written again" sapp-yaml -w "$tmp/t.yaml" "$tmp/plan"
	check "$what: nothing changes" cmp "$tmp/t.yaml" "$tmp/again"
}
cat >"$tmp/t.yaml" <<'END'
work_group: amd   # ours
modules:
  pre_trainer:
    framework: megatron
    config: pre_trainer.yaml
    overrides:
      num_layers: 18
      pipeline_model_parallel_size: &pp 2  # was 2
      stages: *pp
      virtual_pipeline_model_parallel_size: null
      recompute_granularity: ${MODE:full}
      recompute_method: block
      recompute_num_layers: 1
      lr: 1.0e-5
END
edited 'Primus' primus 1f1b 1 4200
check 'Primus: ids are there' grep -qxF '      recompute_layer_ids: [0, 1, 4, 5]' "$tmp/t.yaml"
check 'Primus: no method' grep -qxF '      recompute_method: null' "$tmp/t.yaml"
check 'Primus: anchors and comments stay' \
	grep -qxF '      pipeline_model_parallel_size: &pp 4  # was 2' "$tmp/t.yaml"
edited 'Primus, forth and back' primus zbv 2 6200
check 'Primus, forth and back: no ids' grep -qxF '      recompute_layer_ids: null' "$tmp/t.yaml"
sed -i 's/pipeline_model_parallel_layout: .*/decoder_pipeline_manual_split_list: [9, 9]/
	s/pipeline_model_parallel_size: &pp 4/pipeline_model_parallel_size: 2/; /stages:/d
	/decoder_first/d; /decoder_last/d
	/patch_primus/d; /pp_algorithm/d' "$tmp/t.yaml"
edited 'Primus, by list' primus 1f1b 1 6200
check 'Primus, by list: a list stays one' \
	grep -qxF '      decoder_pipeline_manual_split_list: [4, 5, 5, 4]' "$tmp/t.yaml"
check 'Primus, by list: no layout' sh -c '! grep -q "layout: .E" "$1"' sh "$tmp/t.yaml"
edited 'Primus, by list of chunks' primus vpp 2 6200
sed -i 's/num_layers: 18/num_layers: 20/' "$tmp/t.yaml"
cp "$tmp/t.yaml" "$tmp/before"
fails 'Primus: of another model' 1 't.yaml:7: --num-layers makes 20 layers' sapp-yaml -w "$tmp/t.yaml" "$tmp/plan"
check 'Primus: and the file stays' cmp "$tmp/t.yaml" "$tmp/before"
fails 'Primus: no micro-batches in it' 2 'has no number of micro-batches' \
	sh -c 'sed -i "s/num_layers: 20/num_layers: 18/" "$1"; sapp-yaml -w "$1" -mb "$2"' sh "$tmp/t.yaml" "$tmp/plan"

# A file of Primus that takes its network from a preset: the number of layers is given.
printf 'modules:\n  pre_trainer:\n    framework: megatron\n    overrides:\n      use_distributed_optimizer: false\n' \
	>"$tmp/bare.yaml"
echo '{"num_hidden_layers":18}' >"$tmp/config.json"
fails 'Primus without a network' 1 'give the number of layers with -layers' \
	sapp-yaml -w "$tmp/bare.yaml" "$tmp/plan"
fails 'Primus with another network' 1 'the network makes 20 layers' \
	sapp-yaml -w "$tmp/bare.yaml" -layers 20 "$tmp/plan"
check 'Primus with the number of layers' sapp-yaml -w "$tmp/bare.yaml" -n -layers 18 "$tmp/plan"
check 'Primus with a config.json' sapp-yaml -w "$tmp/bare.yaml" -layers "$tmp/config.json" "$tmp/plan"
check 'which it does not get' sh -c '! grep -q num_layers: "$1"' sh "$tmp/bare.yaml"
same 'and is read back' "$(plans "$tmp/plan")" \
	"$(sapp-yaml -r "$tmp/bare.yaml" -layers 18 "$tmp/plan" 2>/dev/null >"$tmp/back"; plans "$tmp/back")"
jq -c 'if .kind == "plan" then {kind: "candidate", name, dp: 2, tp: 2, pp: 4, mbs: 1, micro_batches: 8, vp: .interleave}
	else empty end' "$tmp/plan" | cat "$tmp/plan" - >"$tmp/more"
check 'Primus with a candidate that has no zero' sapp-yaml -w "$tmp/bare.yaml" -layers 18 "$tmp/more"
check 'whose optimizer stays' grep -qxF '      use_distributed_optimizer: false' "$tmp/bare.yaml"
check 'and whose degrees are written' grep -qxF '      tensor_model_parallel_size: 2' "$tmp/bare.yaml"
cat >"$tmp/t.yaml" <<'END'
system:
  pipeline_model_parallel_size: 4
  recompute: {recompute_granularity: full, recompute_method: uniform, recompute_num_layers: 1}
  hetero: {enable_hetero: true, hetero_pipeline_layer_split: [4, 5, 5, 4], hetero_device_types: [A, B]}
model: {num_layers: 18, seq_length: 4096}
END
edited 'FlagScale' flagscale 1f1b 1 4200
check 'FlagScale: the list of stages stays one' grep -q 'layer_split: \[4, 5, 5, 4\]' "$tmp/t.yaml"
check 'FlagScale: by stage' \
	grep -qxF '  recompute_num_layers_per_stage_micro_batch: [[2, 8, 2], [2, 8, 0]]' "$tmp/t.yaml"
sapp-lp -target flagscale -S vpp -i 2 -s 4 -mb 8 -mem 4200 -t 3 "$tmp/layers" >"$tmp/plan" 2>/dev/null
fails 'FlagScale: unlike devices and chunks' 1 'enable_hetero: not allowed with several chunks per stage' \
	sapp-yaml -w "$tmp/t.yaml" "$tmp/plan"
fails 'a file of another framework' 1 'not a file of Primus' sapp-yaml -w "$tmp/t.yaml" -f primus "$tmp/plan"
fails 'settings that are printed alone' 2 'not settings of torchtitan' \
	sapp-yaml -w "$tmp/t.yaml" -f torchtitan "$tmp/plan"
cat >"$tmp/t.yaml" <<'END'
model: {num_hidden_layers: 18}
train:
  lr: 1.0e-5  # as ever
  accelerator:
    pp: 2
    pp_schedule: 1f1b
    pp_micro_batch_num: 8
    tp: &tp 2  # ours
  copies: *tp
END
edited 'HyperParallel' hyperparallel 1f1b 1 4200
check 'HyperParallel: comments stay' grep -qxF '    tp: &tp 2  # ours' "$tmp/t.yaml"
check 'HyperParallel: recomputed by stage' grep -qxF '    num_layers: [2, 2, 0, 0]' "$tmp/t.yaml"
edited 'HyperParallel, chunks' hyperparallel vpp 2 4200
edited 'HyperParallel, nothing recomputed' hyperparallel 1f1b 1 20000
check 'HyperParallel: no list of what nothing recomputes' grep -qxF '    num_layers: null' "$tmp/t.yaml"
jq -c 'if .kind == "pipeline" then .micro_batches = 16 elif .kind == "plan" then .micro_batches = 16 else . end' \
	"$tmp/plan" >"$tmp/more"
check 'HyperParallel: micro-batches, too' sapp-yaml -w "$tmp/t.yaml" -mb "$tmp/more"
check 'HyperParallel: as asked' grep -qxF '    pp_micro_batch_num: 16' "$tmp/t.yaml"
sed 's/num_hidden_layers: 18/num_hidden_layers: 20/' "$tmp/t.yaml" >"$tmp/other.yaml"
fails 'HyperParallel: of another model' 1 'num_hidden_layers: the stages have 18 layers' \
	sapp-yaml -w "$tmp/other.yaml" "$tmp/plan"
printf 'parallel_config:\n  pipeline_stage: 4\n' >"$tmp/other.yaml"
fails 'HyperParallel: a file of MindFormers' 1 'other.yaml: not a file of HyperParallel' \
	sapp-yaml -w "$tmp/other.yaml" -f hyperparallel "$tmp/plan"
same 'HyperParallel: which stays' 2 "$(wc -l <"$tmp/other.yaml")"
degrees() { echo '{"kind":"candidate","name":"planned-1f1b","dp":4,"tp":8,"pp":4,"mbs":2,"micro_batches":8'"$1}" |
	cat "$tmp/plan" - >"$tmp/more"; }
degrees ',"zero":3,"shard":2,"ep":2,"etp":1'
check 'HyperParallel: degrees are written' sapp-yaml -w "$tmp/t.yaml" "$tmp/more"
same 'HyperParallel: by its names, beside what is there' 'cp: 1 dp_replicate: 2 dp_shard: 2 ep: 2 '\
'etp: 1 global_batch_size: 64 micro_batch_size: 2 tp: &tp 8 # ours' \
	"$(sed -n 's/^ *\(\(global\|micro\)_batch_size:\|dp_.*:\|[tce]p:\|etp:\)/\1/p' "$tmp/t.yaml" | sort | xargs)"
degrees ',"zero":1'
fails 'HyperParallel: FSDP divides all or nothing' 1 'candidate: zero: HyperParallel has no key for it' \
	sapp-yaml -w "$tmp/t.yaml" "$tmp/more"
printf 'train: {accelerator: 3}\n' >"$tmp/other.yaml"
fails 'HyperParallel: no map' 1 "'accelerator': expected a map with" sapp-yaml -w "$tmp/other.yaml" "$tmp/plan"
same 'HyperParallel: and the file stays' 'train: {accelerator: 3}' "$(cat "$tmp/other.yaml")"

# The planner considers only plans that the target can run.
fails 'no such schedule for FlagScale' 2 "FlagScale has no schedule 'zbv'" \
	sapp-lp -target flagscale -S zbv -s 4 -mb 8 "$tmp/layers"
fails 'no mixes that FlagScale cannot say' 2 'FlagScale only runs mixes that lists can express' \
	sapp-lp -target flagscale -mixes all -s 4 -mb 8 "$tmp/layers"
sapp-lp -target primus -S zbv -s 4 -mb 8 -mem 6200 -t 3 "$tmp/layers" >"$tmp/plan" 2>"$tmp/err"
same 'Primus recomputes nothing in zbv' '["none"]' "$(jq -c 'select(.kind == "plan").counts.A | keys' "$tmp/plan")"
check 'what is not planned with is said' \
	grep -q "Primus has no recomputation 'select' in zbv: the planner does not use it" "$tmp/err"
done_testing
