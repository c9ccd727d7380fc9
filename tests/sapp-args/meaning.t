#!/bin/sh
# Each argument has a meaning: it is read, has no effect on memory and the step, or is said not to be counted.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
base='--num-layers 4 --hidden-size 256 --num-attention-heads 4 --seq-length 128 --vocab-size 1000'

echo "$base --pipeline-model-parallel-sizes 2" >typing
fails 'an argument that no list knows' 1 \
	'typing:1: --pipeline-model-parallel-sizes: unknown; did you mean --pipeline-model-parallel-size?' \
	sapp-model typing
fails 'sapp-yaml, too' 1 '--pipeline-model-parallel-sizes: unknown' sapp-yaml -r typing
same '-lenient goes on' 4 "$(sapp-model -lenient typing 2>err | jq 'select(.kind == "network").layers')"
check 'with a warning' grep -q 'typing:1: warning: --pipeline-model-parallel-sizes: unknown; did you mean' err
echo "$base --optimizer-cpu-offload --overlap_grad_reduce --save x --log-interval 1 --profile --use-pytorch-profiler --swiglu" >known
same 'what is not counted is said, with the direction; the rest is silent' \
'sapp-model: known:1: warning: --optimizer-cpu-offload is not counted: memory less, step longer
sapp-model: known:1: warning: --overlap_grad_reduce is not counted: step shorter' \
	"$(sapp-model known 2>&1 >/dev/null | grep -v 'no candidate')"

# Names of each class: the share that is not counted may only fall.
check 'no name is in two classes, and no more are not counted than before' \
	awk '/^#/ { next } /^\[/ { class = $0; next }
	{ for (i = 1; i <= NF; i++) { n[class]++; if (seen[$i]++) { print "twice: " $i; bad = 1 } } }
	END { for (c in n) all += n[c]
		other = all - n["[read]"] - n["[no effect]"]
		if (other > MOST) print "not counted: " other " of " all
		exit bad || other > MOST || !n["[read]"] || !n["[no effect]"] }' MOST=992 "$top/share/arguments"
done_testing
