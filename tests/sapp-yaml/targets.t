#!/bin/sh
# Plans that a framework cannot run are refused; others are written as its settings, and read back.
. "$(dirname "$0")/../lib.sh"

# plan SCHEDULE CHUNKS MICRO [KIND [SPLITS [GROUP]]]: 4 stages, 2 layers a piece, all with a kind of recomputation.
plan() {
	jq -nc --arg s "$1" --argjson v "$2" --argjson m "$3" --arg k "${4:-none}" --argjson q "${5:-1}" \
		--argjson g "${6:-0}" '
		def all(n): [range($v) | [range(4) | n]];
		{kind:"pipeline",stages:4,micro_batches:$m,interleave:$v,schedule:$s,memory_limit:56000} +
			(if $q > 1 then {seq_split:$q} else {} end) + (if $g > 0 then {group:$g} else {} end),
		{kind:"plan",name:"p",origin:"manual",schedule:$s,interleave:$v,counts:{A:{($k):all(2)}},offset:all(0),
			recompute:all(if $k == "full" then 2 else 0 end),
			select_recompute:all(if $k == "full" or $k == "select" or $k == "both" then 2 else 0 end),
			select_comm_recompute:all(if $k == "full" or $k == "comm" or $k == "both" then 2 else 0 end)}'
}
refused() {	# NAME FORMAT MESSAGE SCHEDULE CHUNKS MICRO [KIND [SPLITS [GROUP]]]
	name=$1 format=$2 message=$3; shift 3
	plan "$@" >"$tmp/plan"
	fails "$name" 1 "$message" sapp-yaml -f "$format" "$tmp/plan"
	same "$name: nothing is printed" '' "$(cat "$tmp/out")"
}
for s in zb-h1:1 zb-h2:1 zbv:2 v-half:2 v-min:2 dualpipe:1 dualpipev:2; do
	refused "mindformers: ${s%:*}" mindformers \
		"MindFormers has no schedule '${s%:*}': plan with sapp-lp -target mindformers -S one of gpipe, 1f1b, \
vpp, vpp-less, zero-bubble-v" \
		"${s%:*}" "${s#*:}" 16
done
for s in gpipe:1 vpp-less:2 zb-h1:1 zbv:2 v-half:2 dualpipev:2 zero-bubble-v:2; do
	refused "megatron: ${s%:*}" megatron "Megatron-LM has no schedule '${s%:*}'" "${s%:*}" "${s#*:}" 16
done
refused 'mindspeed: zbv' mindspeed "MindSpeed-LLM has no schedule 'zbv'" zbv 2 16
refused 'torchtitan: dualpipe' torchtitan "torchtitan has no schedule 'dualpipe'" dualpipe 1 16
refused 'mindformers: fewer micro-batches than stages' mindformers \
	'at least as many micro-batches as the 4 stages, not 3' 1f1b 1 3
refused 'megatron: what is left over' megatron 'only in groups that divide them evenly, or with a remainder of' vpp 2 18
refused 'megatron: a group of more than there are' megatron \
	'interleaves in groups of at most 8 micro-batches, not 16' vpp 2 8 none 1 16
refused 'hyperparallel: gpipe in chunks' hyperparallel 'runs several chunks per stage only by interleaved 1F1B' \
	gpipe 2 8
refused 'megatron: fewer micro-batches than stages' megatron \
	'at least as many micro-batches as the 4 stages, not 3' vpp 2 3
refused 'mindspeed: what is left over' mindspeed 'a multiple of the 4 stages, not 6' vpp 2 6
refused 'mindspeed: too few for dualpipev' mindspeed 'at least 7 micro-batches on 4 stages, not 6' dualpipev 2 6
refused 'megatron: overlap without chunks' megatron 'vpp-overlap only with several chunks per stage' vpp-overlap 1 16
refused 'megatron: overlap and whole layers' megatron \
	'cannot recompute whole layers in vpp-overlap' vpp-overlap 2 16 full
refused 'mindspeed: overlap' mindspeed "MindSpeed-LLM has no schedule 'vpp-overlap'" vpp-overlap 2 16
refused 'megatron: communication' megatron 'this plan does not: plan with sapp-lp -target megatron' 1f1b 1 16 comm
refused 'torchtitan: both' torchtitan 'in all layers or in none' 1f1b 1 16 both
refused 'megatron: parts of sequences' megatron 'does not divide sequences into 2 parts' 1f1b 1 16 none 2
refused 'mindformers: parts of sequences in gpipe' mindformers \
	'divides sequences only in 1f1b, vpp and vpp-less, not' gpipe 1 16 none 2
refused 'chunks that the schedule cannot have' mindformers 'this schedule needs two chunks per stage' zero-bubble-v 1 16
refused 'too few micro-batches for zero_bubble_v' mindformers \
	'zero-bubble-v needs at least 2 P - 1 micro-batches on P stages' zero-bubble-v 2 6
refused 'mindformers: groups of parts' mindformers \
	'interleaves 2 parts of sequences in groups of 2 micro-batches: plan with -group 2' vpp 2 16 none 2 3
refused 'mindformers: less memory, groups of parts' mindformers 'plan with -group 2' vpp-less 2 16 none 2
refused 'mindformers: parts that do not divide the stages' mindformers \
	'but 4 / 3 is not a whole number: plan with another -seq' vpp-less 2 16 none 3
refused 'mindformers: groups without parts' mindformers 'has no groups of 5 micro-batches' vpp 2 16 none 1 5

# Values of pipeline_scheduler, written into a file with another value, and read back.
word() {	# SCHEDULE CHUNKS SPLITS WORD [GROUP [ENVIRONMENT]]
	for was in '' gpipe seqpipe zero_bubble_v; do
		cat >"$tmp/t.yaml" <<-END
		parallel_config: {pipeline_stage: 4, micro_batch_num: 16, seq_split_num: 2}
		parallel:
		  pipeline_config:
		    pipeline_interleave: ${was:+True}
		    pipeline_scheduler: ${was:-1f1b}
		model: {model_config: {num_layers: $((8 * $2)), pp_interleave_num: 2}}
		END
		[ -n "$was" ] || sed -i '/pipeline_/!b; /pipeline_stage/b; d' "$tmp/t.yaml"
		[ -n "$was" ] || sed -i '/^parallel:/d' "$tmp/t.yaml"
		plan "$1" "$2" 16 none "$3" "${5:-0}" >"$tmp/plan"
		check "$1, $3 parts, over '$was'" sapp-yaml -w "$tmp/t.yaml" "$tmp/plan"
		cp "$tmp/check.out" "$tmp/said"
		same "$1, $3 parts, over '$was': read back" "$1 $2 $3 ${5:-0}" \
			"$(env $6 sapp-yaml -r "$tmp/t.yaml" "$tmp/plan" 2>/dev/null |
			tail -2 |
			jq -rs '"\(.[1].schedule) \(.[1].interleave) \(.[0].seq_split // 1) \(.[0].group // 0)"')"
		grep -q "pipeline_scheduler: *$4" "$tmp/t.yaml" || [ "$4" = 1f1b ] || not_ok "$1: no $4"
	done
}
word gpipe 1 1 gpipe
word 1f1b 1 1 1f1b
word vpp 2 1 1f1b
word vpp-less 2 1 1f1b 0 ENABLE_LESS_MEM_VPP=1
same 'less memory: what to export' 'sapp-yaml: in the environment of the run: export ENABLE_LESS_MEM_VPP=1' \
	"$(cat "$tmp/said")"
word zero-bubble-v 2 1 zero_bubble_v
word 1f1b 1 2 seqpipe
word vpp 2 2 seqpipe
word vpp 2 2 seqvpp 2
word vpp-less 2 2 seqsmartvpp 2
word vpp-less 2 4 seqsmartvpp 1
plan vpp-less 2 16 >"$tmp/plan"
{
	echo 'context: {jit_level: "O2"}'
	cat <<-END
	parallel_config: {pipeline_stage: 4, micro_batch_num: 16}
	parallel: {pipeline_config: {pipeline_interleave: True}}
	model: {model_config: {num_layers: 16, pp_interleave_num: 2}}
	END
} >"$tmp/whole.yaml"
fails "less memory: not at jit_level O2" 1 "whole.yaml:1: jit_level: 'O2' cannot run vpp-less" \
	sapp-yaml -w "$tmp/whole.yaml" "$tmp/plan"
same 'less memory: read back at jit_level O2' vpp "$(ENABLE_LESS_MEM_VPP=1 \
	sapp-yaml -r "$tmp/whole.yaml" "$tmp/plan" 2>"$tmp/said" |
	jq -r 'select(.kind == "plan").schedule' | tail -n 1)"
check 'less memory: jit_level O2 is said' grep -q "whole.yaml:1: warning: jit_level: 'O2' ignores ENABLE" "$tmp/said"
sed 's/{jit_level: "O2"}/{jit_config: {jit_level: O1}}/' "$tmp/whole.yaml" >"$tmp/part.yaml"
check 'less memory: at jit_level O1' sapp-yaml -w "$tmp/part.yaml" "$tmp/plan"
check 'less memory: printed lines' \
	sh -c 'sapp-yaml "$1" | grep -qx "# in the environment of the run: export ENABLE_LESS_MEM_VPP=1"' sh "$tmp/plan"

# Overlapped forwards and backwards.
plan vpp-overlap 2 16 select >"$tmp/overlap"
for f in megatron nemo; do
	check "$f: vpp-overlap" sh -c 'sapp-yaml -f "$1" "$2" >"$3"' sh "$f" "$tmp/overlap" "$tmp/args.sh"
	check "$f: its argument" grep -q 'overlap.moe.expert.parallel.comm' "$tmp/args.sh"
	same "$f: vpp-overlap read back" vpp-overlap \
		"$(sapp-yaml -r "$tmp/args.sh" "$tmp/overlap" 2>/dev/null | tail -1 | jq -r .schedule)"
done
printf '%s\n' '--num-layers 16 --pipeline-model-parallel-size 4 --overlap-moe-expert-parallel-comm' >"$tmp/args.sh"
fails 'overlap without chunks' 1 \
	'--overlap-moe-expert-parallel-comm: only with several chunks per stage' sapp-yaml -r "$tmp/args.sh" /dev/null
printf '%s\n' \
	'--num-layers 16 --pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 2 '\
'--overlap-moe-expert-parallel-comm --recompute-granularity full --recompute-method uniform' >"$tmp/args.sh"
fails 'overlap and whole layers' 1 '--overlap-moe-expert-parallel-comm: not allowed with --recompute-granularity full' \
	sapp-yaml -r "$tmp/args.sh" /dev/null
printf '%s\n' \
	'--num-layers 16 --mtp-num-layers 2 --pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage '\
'2 --overlap-moe-expert-parallel-comm' >"$tmp/args.sh"
fails 'overlap and two further tokens' 1 \
	'at most one layer for multi-token prediction, not' sapp-yaml -r "$tmp/args.sh" /dev/null

# The file overrides the question in the stream.
cat >"$tmp/t.yaml" <<'EOF'
parallel_config: {pipeline_stage: 4, micro_batch_num: 8}
parallel: {pipeline_config: {pipeline_interleave: False, pipeline_scheduler: gpipe}}
context: {max_device_memory: 50GB}
model: {model_config: {num_layers: 16, pp_interleave_num: 2}}
recompute_config: {recompute: [1, 1, 0, 0]}
EOF
sapp-yaml -r "$tmp/t.yaml" "$tmp/plan" >"$tmp/out" 2>"$tmp/err"
same 'the file is believed' \
	'{"interleave":1,"memory_limit":51200,"micro_batches":8,"schedule":"gpipe","stages":4} '\
'{"full":[[1,1,0,0]],"none":[[3,3,4,4]]}' \
	"$(tail -2 "$tmp/out" | jq -cs '.[0] |= del(.kind) | "\(.[0]) \(.[1].counts.BODY)"' -r)"
same 'what the stream asks otherwise is said' \
	"sapp-yaml: $tmp/t.yaml: differs from the question in the stream ($tmp/plan:1): micro-batches 16, here 8, \
chunks per stage 2, here 1, schedule vpp-less, here gpipe, limit 56000 MB, here 51200" \
	"$(cat "$tmp/err")"
sed 's/gpipe/zigzag/' "$tmp/t.yaml" >"$tmp/bad.yaml"
fails 'an unknown scheduler' 1 \
	"pipeline_scheduler: unknown 'zigzag'; known: 1f1b gpipe seqpipe seqvpp seqsmartvpp zero_bubble_v" sapp-yaml \
	-r "$tmp/bad.yaml" /dev/null
sed 's/gpipe/zero_bubble_v/' "$tmp/t.yaml" >"$tmp/bad.yaml"
parts() {	# NAME MESSAGE WORD SPLITS MICRO CHUNKS
	sed "s/gpipe/$3/; s/False/True/; s/pp_interleave_num: 2/pp_interleave_num: $6/; /^recompute/d
		s/micro_batch_num: 8/micro_batch_num: $5, seq_split_num: $4/" "$tmp/t.yaml" >"$tmp/parts.yaml"
	fails "$1" 1 "$2" sapp-yaml -r "$tmp/parts.yaml" /dev/null
}
parts 'seqvpp of one chunk' "'seqvpp' needs pipeline_interleave and a pp_interleave_num above 1" seqvpp 2 8 1
parts 'parts that do not divide the stages' \
	"'seqsmartvpp' needs pipeline_stage divisible by seq_split_num, not 4 / 3" seqsmartvpp 3 8 2
parts 'left over without parts' "'seqpipe' without seq_split_num spreads the remainder of 10 micro-batches" \
	seqpipe 1 10 2
fails 'one chunk in a V' 1 \
	'zero_bubble_v needs pipeline_interleave and pp_interleave_num 2' sapp-yaml -r "$tmp/bad.yaml" /dev/null

# Layers that predict further tokens: included in the offset, or after the other layers.
layers() { sapp-yaml -r "$tmp/m.yaml" "$@" 2>/dev/null | jq -c 'select(.kind=="plan").counts|[.[]|.none[0]]'; }
echo 'parallel_config: {pipeline_stage: 16}
model: {model_config: {num_layers: 16, mtp_depth: 1, offset: 0}}' >"$tmp/m.yaml"
same 'a scalar offset, one more behind' '[[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]]' "$(layers /dev/null)"
echo '{"kind":"layer","name":"A","type":"BODY","nb_layer":16,"time":1}
{"kind":"layer","name":"MTP","type":"BODY","nb_layer":1,"time":1}' >"$tmp/layers"
same 'the model counts it' '[[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]]' \
	"$(layers "$tmp/layers")"
sed -i 's/offset: 0/offset: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]/' "$tmp/m.yaml"
same 'the offset counts it' '[[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]]' "$(layers /dev/null)"
echo 'parallel_config: {pipeline_stage: 4}
parallel: {pipeline_config: {pipeline_interleave: True}}
model: {model_config: {num_layers: 45, mtp_depth: 1, pp_interleave_num: 2, offset: [1, 0, 1, 0]}}' >"$tmp/m.yaml"
fails '45 layers are not called 46' 1 \
	'offsets have the sum 4, not 5: 45 layers, 8 pieces of 5' sapp-yaml -r "$tmp/m.yaml" /dev/null
# Without pipeline_interleave, or if it is false, there is one chunk, and lists for two chunks have no effect.
sed 's/True/False/' "$tmp/m.yaml" >"$tmp/one.yaml"
sed '/^parallel:/d' "$tmp/m.yaml" >"$tmp/none.yaml"
for file in one none; do
	same "$file: one chunk" '1 [[12,11,12,11]]' "$(sapp-yaml -r "$tmp/$file.yaml" /dev/null 2>"$tmp/err" |
		jq -r 'select(.kind == "plan") | "\(.interleave) \(.counts.BODY.none | tostring)"')"
	sed 's/^model/recompute_config: {recompute: [[1, 0, 0, 0], [0, 1, 0, 0]]}\n&/' "$tmp/$file.yaml" \
		>"$tmp/bad.yaml"
	fails "$file: lists of two" 1 \
		'recompute: 2 lists, but a stage has 1 chunk, as pipeline_interleave is not true' \
		sapp-yaml -r "$tmp/bad.yaml" /dev/null
done
check 'which is told where nothing is said' \
	grep -q 'pp_interleave_num 2 is ignored, as pipeline_interleave is not true: one chunk per stage' "$tmp/err"
jq -nc '{kind:"plan",name:"p",origin:"manual",schedule:"1f1b",interleave:1,
	counts:{A:{none:[[12,11,11,11]]},mtp:{none:[[0,0,0,1]]}},offset:[[1,0,0,1]],
	recompute:[[0,0,0,0]],select_recompute:[[0,0,0,0]],select_comm_recompute:[[0,0,0,0]]}' >"$tmp/plan"
check '45 layers and one more, as lines' \
	sh -c 'sapp-yaml "$1" | grep -q "p: 45 layers and 1 layer for multi-token prediction on 4 stages"' sh \
		"$tmp/plan"
echo 'parallel_config: {pipeline_stage: 4}
model: {model_config: {num_layers: 44, offset: 0}}' >"$tmp/m.yaml"
fails '45 layers are not called 46 by the plan either' 1 \
	'has 45 layers and 1 layer for multi-token prediction' sapp-yaml -w "$tmp/m.yaml" "$tmp/plan"
echo 'parallel_config: {pipeline_stage: 4}
model: {model_config: {offset: 0}}' >"$tmp/m.yaml"
echo '{"model_type": "x", "num_hidden_layers": 8}' >"$tmp/config.json"
same 'layers from config.json' '[[2,2,2,2]]' "$(layers -layers "$tmp/config.json" /dev/null)"
fails 'a config.json without' 1 'config.json: -layers: no num_hidden_layers' \
	sh -c 'echo "{}" >"$1/config.json"; sapp-yaml -r "$1/m.yaml" -layers "$1/config.json" /dev/null' sh "$tmp"
fails 'neither a number nor a file' 1 \
	"nix: -layers: neither a number nor a model's config.json" sapp-yaml -r "$tmp/m.yaml" -layers nix /dev/null

# A repeated key.
cat >"$tmp/two.yaml" <<'EOF'
parallel_config: {pipeline_stage: 4, micro_batch_num: 16}
model: {model_config: {num_layers: 9, num_layers: 8}}
recompute_config:
  recompute: True
  recompute: False
EOF
plan 1f1b 1 16 >"$tmp/plan"; cp "$tmp/two.yaml" "$tmp/before"
check 'a key a second time: the last one counts' sapp-yaml -w "$tmp/two.yaml" "$tmp/plan"
cp "$tmp/check.out" "$tmp/said"
check 'with a warning' grep -q 'two.yaml:2: warning: duplicate key, first on line 2: the last value is used' \
	"$tmp/said"
check 'nothing to edit' cmp "$tmp/two.yaml" "$tmp/before"
plan 1f1b 1 16 full >"$tmp/plan"
fails 'what an edit means cannot be said' 1 \
	"two.yaml:5: a duplicate key: remove one of the two before editing 'recompute'" \
	sapp-yaml -w "$tmp/two.yaml" "$tmp/plan"
check 'and the file is left alone' cmp "$tmp/two.yaml" "$tmp/before"
done_testing
