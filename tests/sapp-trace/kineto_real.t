#!/bin/sh
# Profiles of PyTorch on NVIDIA and AMD devices, if available: device times of layers, found by name and by
# repetition; others are refused with advice.
. "$(dirname "$0")/../lib.sh"
data=${SHARED_DATA:-$top/../shared/data}

if [ ! -d "$data/kineto" ]; then
	skip "no real profiles in $data/kineto"
	done_testing
	exit
fi
busy() { jq --arg n "$1" --arg p "$2" 'select(.kind == "timing" and .name == $n and .phase == $p) | .busy * 1000' \
	"$tmp/out"; }
instances() { jq --arg n "$1" --arg p "$2" 'select(.kind == "timing" and .name == $n and .phase == $p) | .instances' \
	"$tmp/out"; }

qwen=$data/kineto/qwen1.5-0.5b_h100_inference.json.gz
run 0 sapp-trace -mb 1 -body Qwen2DecoderLayer "$qwen"
near 'Qwen: all layers' 31674.178 "$(busy Qwen2DecoderLayer forward)" 1
same 'Qwen: layers' 24 "$(instances Qwen2DecoderLayer forward)"
check 'Qwen: layers are alike' sh -c '! grep -q differ "$1"' sh "$tmp/err"
for i in '0 1323.644' '1 1316.088' '2 1320.411' '3 1315.547'; do
	run 0 sapp-trace -body "Qwen2DecoderLayer_${i% *}" "$qwen"
	near "Qwen: layer ${i% *}" "${i#* }" "$(busy "Qwen2DecoderLayer_${i% *}" forward)" 1
done
run 0 sapp-trace -mb 1 -busy -body BertLayer "$data/kineto/bert-small_h100_inference.json.gz"
near 'BERT: the mean layer of a faster host' 0.0582955 "$(jq 'select(.kind == "layer") | .time' "$tmp/out")" 0.0005
run 0 sapp-trace -v "$qwen"
near 'Qwen by what repeats, the same' 31674.178 "$(busy layer forward)" 1
check 'and what that is' grep \
	-q '24 layers x 1 micro-batches x 1 steps; around .*flash_fwd_kernel.*, 49 kernels per forward' "$tmp/err"
fails 'a class misspelt: what is there' 1 \
	"; layers found: 'Qwen2Model', 'Embedding', 'Qwen2RotaryEmbedding', 'Qwen2DecoderLayer', 'Qwen2RMSNorm', \
'Qwen2Attention', 'Linear', 'Qwen2MLP', 'SiLU'; the nearest is 'Qwen2DecoderLayer'" \
	sapp-trace -body Qwen2DecodeLayer "$qwen"

resnet=$data/kineto/resnet_checkpoint_mi300_training.json.gz
run 0 sapp-trace -body CheckpointWrapper "$resnet"
forward=$(busy CheckpointWrapper forward)
near 'a checkpoint runs forward again, once' "$forward" "$(busy CheckpointWrapper recompute)" 700
same 'with as many kernels' "$(jq 'select(.phase == "forward") | .events' "$tmp/out")" \
	"$(jq 'select(.phase == "recompute") | .events' "$tmp/out")"
check 'backward takes longer, and waits in no collective' awk -v f="$forward" \
	-v b="$(busy CheckpointWrapper backward)" 'BEGIN { exit !(b > 1.3 * f && b < 2.5 * f) }'
same 'steps' 3 "$(jq 'select(.phase == "forward") | .steps' "$tmp/out")"
fails 'a class within the other alone: nothing of it is left' 1 \
	"-body: no layer of this name in any timeline 'BasicBlock'; layers found:" \
	sapp-trace -body BasicBlock -body CheckpointWrapper "$resnet"

run 0 sapp-trace "$data/kineto/mlp20_training.json.gz"
same 'twenty layers by what repeats' '20 20' \
	"$(instances layer forward) $(instances layer backward)"
check 'in forty steps' grep -q '20 layers x 1 micro-batches x 40 steps' "$tmp/err"
near 'a layer forward' 137.5 "$(busy layer forward | awk '{ print $1 / 20 / 38 }')" 7
check 'steps that differ' grep -q \
	'warning: steps differ: all forwards of layer take 4.433 ms in step 22 and 14.776 ms in step 10' "$tmp/err"

fails 'convolutions that are no layers' 1 'put torch.profiler.record_function' sapp-trace \
	"$data/timelines/kineto_benchmark.json.gz"
fails 'the end of a step' 1 'forward: nothing repeats' sapp-trace "$data/npu/kernel_details_591.csv"
check 'and what is needed' grep -q 'profile a whole step' "$tmp/err"
fails 'torch_npu without names' 1 'or give the whole directory *_ascend_pt' sapp-trace "$data/npu/trace_view_small.json"

done_testing
