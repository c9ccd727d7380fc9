#!/bin/sh
# Settings written into a file and read back have the planned step, for every question of the stream.
. "$(dirname "$0")/../lib.sh"

layers() {	# TIME: of a layer with its share of recomputation
	echo '{"kind":"model","name":"m"}'
	echo '{"kind":"layer","name":"E","type":"HEAD","nb_layer":1,"time":9,"memory_parameter":900}'
	echo '{"kind":"layer","name":"B","type":"BODY","nb_layer":16,"time":'"$1"',"memory_parameter":400,
		"memory_activation":300,"memory_select_rec":120,"memory_recompute":20}' | tr -d '\n\t'
	echo
	echo '{"kind":"layer","name":"L","type":"TAIL","nb_layer":1,"time":14,"memory_parameter":900}'
}
script() {
	echo torchrun --nproc_per_node 4 --nnodes 1 pretrain_gpt.py --num-layers 16 --pipeline-model-parallel-size 4 \
		--hidden-size 1024 --num-attention-heads 16 --seq-length 4096 --max-position-embeddings 4096 \
		--micro-batch-size 1 --global-batch-size 8 >"$1"
}
yaml() {
	cat >"$1" <<'END'
parallel_config: {pipeline_stage: 4, micro_batch_num: 8}
parallel: {pipeline_config: {pipeline_interleave: False, pipeline_scheduler: 1f1b}}
model: {model_config: {num_layers: 16, offset: 0, pp_interleave_num: 1}}
recompute_config: {recompute: False, select_recompute: False, select_comm_recompute: False}
END
}
step() { jq -c "select(.kind == \"sim\" and .name == \"$1\").step_time" "$tmp/sim"; }
# steps TARGET FORM TIME OPTION...: write every plan alone, read it back with the whole stream, and simulate it.
steps() {
	target=$1 form=$2; layers "$3" >"$tmp/layers"; shift 3
	sapp-lp -j -s 4 -mb 8 -t 2 -k 2 -target "$target" "$@" "$tmp/layers" >"$tmp/plan" 2>"$tmp/err"
	for plan in $(jq -r 'select(.kind == "plan").name' "$tmp/plan"); do
		"$form" "$tmp/train"
		check "$target $*: $plan is written" run 0 sapp-yaml -w "$tmp/train" -mb -plan "$plan" "$tmp/plan"
		sapp-yaml -r "$tmp/train" -name back "$tmp/plan" >"$tmp/both" 2>"$tmp/err"
		same "and is a question of the stream" '' "$(cat "$tmp/err")"
		sapp-sim -j "$tmp/both" 2>/dev/null >"$tmp/sim"
		same "and takes as long" "$(step "$plan")" \
			"$(step back)"
	done
}
steps megatron script 20 -mem 12000 -i 1-2 -comm 1.5
steps megatron script 7 -mem 8000 -i 1,2,4 -comm 4
steps mindformers yaml 20 -mem 12000 -i 1-2 -comm 3
steps mindformers yaml 11 -mem 9000 -i 1-2 -comm 0
steps megatron script 20 -mem 12000 -i 1-2 -comm 0

# No question in the stream: transfers have the mode of the file's schedule in the framework that was planned for.
layers 20 >"$tmp/layers"
sapp-lp -j -s 4 -mb 8 -t 2 -k 1 -mem 12000 -comm 1.5 -target megatron "$tmp/layers" >"$tmp/one" 2>/dev/null
same 'one chunk is planned with its transfers' batched "$(jq -r 'select(.kind == "pipeline").transfers' "$tmp/one")"
script "$tmp/train"
sed -i 's/$/ --num-layers-per-virtual-pipeline-stage 2/' "$tmp/train"
same 'two have theirs' overlap "$(sapp-yaml -r "$tmp/train" "$tmp/one" 2>"$tmp/err" |
	jq -r 'select(.kind == "pipeline").transfers' | tail -n 1)"
check 'and the question is another' tells "train: differs from the question in the stream ($tmp/one:"

# The limit of a file stays unchanged.
yaml "$tmp/limit.yaml"
echo 'context: {max_device_memory: "6GB"}' >>"$tmp/limit.yaml"
sapp-yaml -w "$tmp/limit.yaml" "$tmp/one" 2>"$tmp/err"
same 'a lower limit stays as it was written' 'context: {max_device_memory: "6GB"}' "$(tail -n 1 "$tmp/limit.yaml")"
check 'which a warning says' tells \
	"limit.yaml:5: warning: max_device_memory stays at 6144 MB, but the plan was made for \
12000 MB: plan with -mem 6144, or set the memory of the devices"
sed -i 's/6GB/60GB/' "$tmp/limit.yaml"
sapp-yaml -w "$tmp/limit.yaml" "$tmp/one" 2>"$tmp/err"
same 'a higher one, too' 'context: {max_device_memory: "60GB"}' "$(tail -n 1 "$tmp/limit.yaml")"
same 'without a word' '' "$(grep device_memory "$tmp/err")"
sapp-yaml -r "$tmp/limit.yaml" "$tmp/one" >/dev/null 2>"$tmp/err"
same 'that it is higher needs none when it is read' '' "$(cat "$tmp/err")"

# A misspelt key of a section gets a message; MindFormers ignores it.
yaml "$tmp/slip.yaml"
sed -i 's/ select_recompute:/ select_recompte:/' "$tmp/slip.yaml"
sapp-yaml -r "$tmp/slip.yaml" "$tmp/one" >/dev/null 2>"$tmp/err"
same 'a misspelt key' \
	"sapp-yaml: $tmp/slip.yaml:4: warning: unknown key 'select_recompte'; did you mean select_recompute?" \
	"$(cat "$tmp/err")"
yaml "$tmp/own.yaml"
sed -i 's/recompute: False,/&  my_own_option: 1,/; s/pipeline_scheduler/pipeline_shceduler/' "$tmp/own.yaml"
sapp-yaml -r "$tmp/own.yaml" "$tmp/one" >/dev/null 2>"$tmp/err"
same 'one that resembles none is not' "unknown key 'pipeline_shceduler'; did you mean pipeline_scheduler?" \
	"$(sed -n 's/.*warning: \(unknown\)/\1/p' "$tmp/err")"
published=${SHARED_DATA:-$top/../shared/data}/yaml
if [ -d "$published" ]; then
	for file in "$published"/*.yaml; do sapp-yaml -init "$file" -layers 64 2>&1 >/dev/null; done |
		grep 'unknown key' >"$tmp/false"
	same 'no key of a published YAML is' '' "$(cat "$tmp/false")"
else
	skip "no published YAMLs in $published"
fi
done_testing
