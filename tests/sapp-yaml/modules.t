#!/bin/sh
# Kinds that stand for modules: written as settings of Megatron-LM, NeMo and MindSpeed-LLM, and read back.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/layers" <<'END'
{"kind":"model","name":"m"}
{"kind":"kind","name":"act","recompute_modules":["mlp","layernorm"]}
{"kind":"kind","name":"out","offload_modules":["expert_fc1","core_attn"],"swap_modules":["self_attention","input_norm"]}
{"kind":"kind","name":"mixed","recompute_modules":["moe_act"],"offload_modules":["core_attn"]}
{"kind":"kind","name":"proj","offload_modules":["attn_proj"],
"swap_modules":["input_norm","self_attention","post_attention_norm"]}
{"kind":"layer","name":"B","type":"BODY","nb_layer":11,"time":10,"memory_activation":9,"kinds":{
"act":{"activation":5,"backward_coef":0.1},"out":{"activation":1,"offload":8},"proj":{"activation":1,"offload":8},
"mixed":{"activation":2,"offload":4,"backward_coef":0.05}}}
{"kind":"layer","name":"mtp","type":"BODY","nb_layer":1,"time":10,"memory_activation":9,"kinds":{
"act":{"activation":5,"backward_coef":0.1},"out":{"activation":1,"offload":8},"proj":{"activation":1,"offload":8},
"mixed":{"activation":2,"offload":4,"backward_coef":0.05}}}
END
sed -i -e ':a' -e '/[,{]$/N; s/\([,{]\)\n/\1/; ta' "$tmp/layers"
# plan KIND: 11 layers and one that predicts further tokens, on 2 stages of 2 chunks, all with the kind.
plan() {
	cat "$tmp/layers"
	printf '%s\n' '{"kind":"pipeline","stages":2,"micro_batches":4,"interleave":2,"schedule":"vpp",'\
'"memory_limit":1000,"offload":1}' \
'{"kind":"plan","name":"p","origin":"manual","schedule":"vpp","interleave":2,"counts":{"B":{"'"$1"'":[[2,4],[3,2]]},'\
'"mtp":{"'"$1"'":[[0,0],[0,1]]}},"offset":[[-1,1],[0,0]],"recompute":[[0,0],[0,0]],'\
'"select_recompute":[[0,0],[0,0]],"select_comm_recompute":[[0,0],[0,0]]}'
}
of() { jq -c 'select(.kind == "plan" and .name == "'"$1"'") |
	.counts | map_values(with_entries(select(.value | flatten | add > 0)))'; }
sims() { sapp-sim -j "$@" | jq -c 'select(.kind == "sim") | [.step_time, .peak_memory]' | uniq | wc -l; }
words() { sed 's/ \\$//' "$tmp/args" | grep -E 'recompute|offload|swap' | xargs; }

written() {	# FORMAT KIND WORDS
	plan "$2" >"$tmp/plan"
	sapp-yaml -f "$1" "$tmp/plan" >"$tmp/args" 2>"$tmp/err"
	same "$1, $2" "$3" "$(words)"
	check "$1, $2: the step that is planned" \
		grep -qE 'a step takes ([0-9.]+) ms with these arguments, \1 as planned' "$tmp/err"
	sapp-yaml -r "$tmp/args" -name back "$tmp/plan" >"$tmp/both" 2>"$tmp/err"
	same "$1, $2: read back to the same counts" "$(of p <"$tmp/plan")" "$(of back <"$tmp/both")"
	same "$1, $2: and simulated the same" 1 "$(sims "$tmp/both")"
}
for f in megatron mindspeed; do
	written $f act '--recompute-granularity selective --recompute-modules mlp layernorm'
done
written megatron out '--fine-grained-activation-offloading --offload-modules expert_fc1 core_attn'
written megatron mixed '--recompute-granularity selective --recompute-modules moe_act '\
'--fine-grained-activation-offloading --offload-modules core_attn'
written mindspeed out '--swap-attention --swap-modules self_attention,input_norm'
written nemo act 'model.recompute_granularity=selective model.recompute_modules=[mlp,layernorm]'
written nemo mixed 'model.recompute_granularity=selective model.recompute_modules=[moe_act] '\
'model.fine_grained_activation_offloading=true model.offload_modules=[core_attn]'

no() {	# FORMAT KIND MESSAGE
	plan "$2" >"$tmp/plan"
	fails "$1 refuses $2" 1 "$3" sapp-yaml -f "$1" "$tmp/plan"
	same "$1 refuses $2: nothing is printed" '' "$(cat "$tmp/out")"
}
no mindspeed mixed "plan with sapp-lp -target mindspeed"
no megatron proj "plan with sapp-lp -target megatron"
no torchtitan act "plan with sapp-lp -target pytorch"
no mindformers act "no kind record with the patterns of 'act'"
plan act | sed 's/"act":\[\[2,4\],\[3,2\]\]/"act":[[1,4],[3,2]],"none":[[1,0],[0,0]]/' >"$tmp/some"
fails 'some layers only' 1 'the same part of all layers, but this plan does not: plan with' \
	sapp-yaml -f megatron "$tmp/some"

# Modules are read in any order, from scripts with backslashes, quotes and arrays.
base='--num-layers 11 --mtp-num-layers 1 --pipeline-model-parallel-size 2
	--pipeline-model-parallel-layout "Et*2|t*4|t*3|t*2,mL"'
kind() { printf '%s\n' "$base $1" >"$tmp/run.sh"
	sapp-yaml -r "$tmp/run.sh" "$tmp/layers" 2>"$tmp/err" | of current | jq -c '.B | keys[]' -r; }
while IFS='|' read -r want arguments; do
	same "$arguments" "$want" "$(kind "$arguments")"
done <<'END'
act|--recompute-granularity selective --recompute-modules layernorm mlp
act|--recompute-granularity selective --recompute-modules "layernorm" 'mlp' --swiglu
select|--recompute-granularity selective --recompute-modules core_attn
select|--recompute-granularity selective
select|--recompute-activations
out|--fine-grained-activation-offloading --offload-modules core_attn expert_fc1
out|--swap-attention --swap-modules input_norm,self_attention
proj|--swap-attention
none|--offload-modules core_attn expert_fc1
END
printf '%s\n' "$base --swap-attention" >"$tmp/default.sh"
check 'the default of MindSpeed is said' sh -c 'sapp-yaml -r "$1" "$2" 2>&1 >"$3" |
	grep -q "assumed, input_norm,self_attention,post_attention_norm; if the release has another"' \
	sh "$tmp/default.sh" "$tmp/layers" "$tmp/out"
printf '%s --recompute-granularity selective --recompute-modules mlp \\\n   layernorm \\\n --swiglu\n' "$base" \
	>"$tmp/run.sh"
same 'a list over several lines' act "$(sapp-yaml -r "$tmp/run.sh" "$tmp/layers" 2>/dev/null | of current |
	jq -r '.B | keys[]')"
full='--recompute-granularity full --recompute-method uniform' fine=--fine-grained-activation-offloading
swap='--swap-attention --swap-modules x' part='--recompute-granularity selective'
both="$fine --offload-modules x $swap"
while IFS='|' read -r message arguments; do
	printf '%s\n' "$base $arguments" >"$tmp/run.sh"
	fails "$arguments" 1 "$message" sapp-yaml -r "$tmp/run.sh" "$tmp/layers"
done <<END
each layer: {"kind":"kind","name":"mlp","recompute_modules":["mlp"]}|$part --recompute-modules mlp
no --offload-modules|--fine-grained-activation-offloading
no kind record of the input has these modules|--fine-grained-activation-offloading --offload-modules core_attn
--recompute-granularity: 'full' is not supported together with offloaded|$fine --offload-modules x $full
--recompute-granularity: 'selective' is not supported together with offloaded|--swap-attention --swap-modules x $part
each layer: {"kind":"kind","name":"swap","swap_modules":["x","y"]}|--swap-attention --swap-modules x,y
each layer: {"kind":"kind","name":"swap_mlp","recompute_modules":["mlp"],"swap_modules":["x"]}|$swap $full
--recompute-method block: no --recompute-num-layers|--swap-attention --recompute-method block
--swap-attention: not allowed with --fine-grained-activation-offloading|$both
END

# Without layers the kinds are made. With --swap-attention, full recomputation is that of the MLP.
base='--num-layers 8 --pipeline-model-parallel-size 2'
made() { printf '%s\n' "$base $1" >"$tmp/run.sh"
	sapp-yaml -r "$tmp/run.sh" </dev/null 2>"$tmp/err" >"$tmp/made"
	jq -c 'if .kind == "kind" then del(.kind) else .counts.BODY end' "$tmp/made" | paste -sd' '; }
mlp='"recompute_modules":["mlp"]' x='"swap_modules":["x"]'
same 'swapping alone' '{"name":"swap","swap_modules":["x"]} {"swap":[[4,4]]}' "$(made "$swap")"
same 'the first layers also recompute' \
	"{\"name\":\"swap_mlp\",$mlp,$x} {\"name\":\"swap\",$x} {\"swap\":[[3,3]],\"swap_mlp\":[[1,1]]}" \
	"$(made "$swap --recompute-num-layers 1")"
same 'block: the further layers keep everything' \
	"{\"name\":\"swap_mlp\",$mlp,$x} {\"none\":[[3,3]],\"swap_mlp\":[[1,1]]}" \
	"$(made "$swap ${full%uniform}block --recompute-num-layers 1")"
same 'uniform: all layers' "{\"name\":\"swap_mlp\",$mlp,$x} {\"swap_mlp\":[[4,4]]}" "$(made "$swap $full")"
same 'the chunks of a stage share the number' '{"swap":[[0,0],[1,1]],"swap_mlp":[[2,2],[1,1]]}' "$(made "$swap \
	--num-virtual-stages-per-pipeline-rank 2 --recompute-num-layers 3 --enable-recompute-layers-per-pp-rank" |
	sed 's/.* //')"
same 'offloading' '{"name":"offload","offload_modules":["x"]} {"offload":[[4,4]]}' "$(made "$fine --offload-modules x")"
echo '{"kind":"kind","name":"swap","swap_modules":["y"]}' >"$tmp/taken"
printf '%s\n' "$base $swap" >"$tmp/run.sh"
fails 'a name that other modules have' 1 "the input has a kind 'swap' with other modules: rename it" \
	sapp-yaml -r "$tmp/run.sh" "$tmp/taken"
printf '%s\n' "$base $swap $full --hidden-size 8 --num-attention-heads 2 --seq-length 8 --vocab-size 10" >"$tmp/run.sh"
check 'a candidate cannot offload, which is said' sh -c 'sapp-model "$1" 2>&1 >/dev/null |
	grep -q "swap_attention: activations are offloaded, which a candidate cannot express"' sh "$tmp/run.sh"
printf '%s\n' '--num-layers 12 --pipeline-model-parallel-size 2' \
	'--fine-grained-activation-offloading --offload-modules x' >"$tmp/run.sh"
fails 'not read for measurements' 1 'activations are offloaded in a way that is not supported' \
	sapp-yaml -init "$tmp/run.sh"
record() { { echo "{\"kind\":\"kind\",\"name\":\"x\",$2}"; plan act; } >"$tmp/bad"
	fails "$1" 1 "$3" sapp-yaml -f megatron "$tmp/bad"; }
record 'the same modules' '"recompute_modules":["layernorm","mlp"]' "'act' has the same modules as 'x'"
record 'not a name of a module' '"offload_modules":["a b"]' "not a name of a module in offload_modules 'a b'"
record 'twice' '"swap_modules":["a","a"]' "swap_modules has an entry twice 'a'"

# Planned for a target.
ask() { sapp-lp -s 2 -mb 4 -mem "$1" -target "$2" $3 -t 2 "$tmp/layers" 2>"$tmp/err" |
	jq -r 'select(.kind == "plan").counts.B | with_entries(select(.value | flatten | add > 0)) | keys[]'; }
same 'planned for Megatron-LM' out "$(ask 60 megatron '-offload 1')"
same 'planned for MindSpeed-LLM' out "$(ask 60 mindspeed '-offload 1')"
same 'without a link' act "$(ask 75 megatron)"
check 'with a warning' grep -q "'out' offloads, but no -offload gives the speed: the planner does not use it" "$tmp/err"
same 'and not for torchtitan' none "$(ask 200 pytorch)"
check 'which is told' grep -q "no kind record with the framework's words for 'act'" "$tmp/err"
done_testing
