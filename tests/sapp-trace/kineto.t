#!/bin/sh
# Synthetic profiles of PyTorch with known times: layers named in every way, and backwards joined in every way.
. "$(dirname "$0")/../lib.sh"

json=$tmp/rank0.pt.trace.json
profile() {
	vars=
	for v in "$@"; do vars="$vars -v $v"; done
	# shellcheck disable=SC2086 # several words
	awk $vars -f "$top/tests/sapp-trace/kineto.awk" >"$json"
}
body=
of() { jq -r --arg n "$body" --arg p "$1" --arg m "$2" \
	'select(.kind == "timing" and (.name == $n or $n == "") and .phase == $p) | .[$m]' "$tmp/out"; }
# named TITLE BODY [OPTIONS]: three layers, two kernels forward and three backward in each.
named() {
	title=$1 body=$2; shift 2
	run 0 sapp-trace -body "$body" "$@" "$json" || { not_ok "$title"; return; }
	same "$title: layers" 3 "$(of forward instances)"
	steps=$(of forward steps)
	near "$title: forward" "$(awk -v n="$steps" 'BEGIN { print n * 0.6 }')" "$(of forward busy)" 1e-6
	near "$title: backward" "$(awk -v n="$steps" 'BEGIN { print n * 0.9 }')" "$(of backward busy)" 1e-6
	near "$title: forward, wall" "$(awk -v n="$steps" 'BEGIN { print n * 0.66 }')" "$(of forward total)" \
		"$(awk -v n="$steps" 'BEGIN { print n * 0.011 }')"
	check "$title: nothing waits" sh -c '! grep -q "$2: the device waits for the host during" "$1"' sh \
		"$tmp/err" "$body"
	body=
}
profile names=module link=sequence
named 'modules, within themselves' TransformerBlock
fails 'a class misspelt' 1 \
	"no scope has the name TransformerBlok; layers found: \
'TransformerBlock', 'LayerNorm'; the nearest is 'TransformerBlock'" \
	sapp-trace -body TransformerBlok "$json"
run 0 sapp-trace -body TransformerBlock "$json"
check 'ends of a PyTorch model have its own words' grep -q \
	"warning: the time of the model's tail is not counted: give its \
modules after the layers with -tail; layers found: 'TransformerBlock', 'LayerNorm'$" "$tmp/err"
run 0 sapp-trace -body TransformerBlock -tail LayerNorm "$json"
same 'a norm within layers is no tail' 1 \
	"$(jq -s 'map(select(.kind == "timing") | .name) | unique | length' "$tmp/out")"
profile names=module link=flow
named 'modules, flows' TransformerBlock
profile names=annotation link=sequence
named 'record_function with numbers' layers.
profile names=device link=sequence
run 0 sapp-trace -body layers. "$json"
near 'annotations of the device' 0.6 "$(of forward busy)" 1e-6
profile names=plain link=sequence
named 'record_function without numbers' TransformerBlock -mb 1
profile names=plain link=sequence micro=2 steps=1
run 0 sapp-trace -body TransformerBlock -mb 2 "$json"
same 'without numbers, two micro-batches: layers' 3 "$(of forward instances)"
near 'without numbers, two micro-batches: a layer' 0.2 "$(jq 'select(.kind == "layer") | .busy_time' "$tmp/out")" 1e-6
profile names=phases
run 0 sapp-trace -body attn -mb 1 "$json"
near 'phases that are annotated: forward' 0.6 "$(of forward busy)" 1e-6
near 'phases that are annotated: backward' 0.9 "$(of backward busy)" 1e-6
sed 's/attn(B)/attn(W)/' "$json" >"$tmp/w.json"
run 0 sapp-trace -body attn -mb 1 "$tmp/w.json"
near 'gradients of weights' 0.9 "$(of weight busy)" 1e-6
profile names=module link=sequence checkpoint=1
named 'a checkpoint' TransformerBlock
near 'a checkpoint: what runs again' 0.6 "$(of recompute busy)" 1e-6
profile names=module link=sequence steps=5
run 0 sapp-trace -body TransformerBlock "$json"
same 'steady steps' 3 "$(of forward steps)"
run 0 sapp-trace -body TransformerBlock -steps 1-1 "$json"
same 'a step that is asked for' 1 "$(of forward steps)"
grep -v ProfilerStep "$json" >"$tmp/o.json"
run 0 sapp-trace -body TransformerBlock "$tmp/o.json"
same 'steps by the optimizer' 3 "$(of forward steps)"
for npu in plain module annotation; do
	profile names=$npu link=sequence npu=1
	case $npu in annotation) class=layers. ;; *) class=TransformerBlock ;; esac
	named "torch_npu, $npu" $class
done
gzip -c "$json" >"$json.gz"
check 'compressed' sapp-trace -body layers. "$json.gz"
profile names=none steps=4
named 'nothing named, what repeats' X
check 'nothing named: what was found' grep \
	-q 'no names of layers, so by repetition: 3 layers x 1 micro-batches x 4 steps$' "$tmp/err"
run 0 sapp-trace -v -body X "$json"
check 'and in full' grep -q '4 steps; around volta_sgemm_tn, 2 kernels per forward, 3 per backward' "$tmp/err"
grep -v '_tn\|_nn\|_nt' "$json" >"$tmp/few.json"
fails 'nothing named, nothing that repeats' 1 'put torch.profiler.record_function' sapp-trace -body X "$tmp/few.json"
check 'with figures' grep -q 'kernels: forward: nothing repeats' "$tmp/err"
profile names=module link=sequence
sed 's/"args": {"correlation": 2}/"args": {"correlation": 77}/' "$json" >"$tmp/orphan.json"
run 0 sapp-trace -body TransformerBlock "$tmp/orphan.json"
check 'a kernel that nobody launched is of no layer' awk -v b="$(of forward busy)" \
	'BEGIN { exit !(b > 0.49 && b < 0.51) }'
sed 's/"correlation": 3,/"correlation": 3, "correlation": 4,/; s/"ts": 1000010.000/"ts": "soon"/' \
	"$json" >"$tmp/bad.json"
fails 'a launch at no time' 1 'ts' sapp-trace -body TransformerBlock "$tmp/bad.json"

# An all-reduce of 1 MB in each layer takes 100 us; in the first layer 9 ms, since another rank is late.
profile names=module link=sequence tp=100 micro=2 mb=2
run 0 sapp-trace -body TransformerBlock -mb 2 "$json"
near 'all-reduces within layers' 0.3 "$(jq 'select(.kind == "layer") | .time' "$tmp/out")" 0.05
profile names=module link=sequence tp=100 micro=2 late=8900
run 0 sapp-trace -body TransformerBlock -mb 2 "$json"
near 'what waits for another rank is left out' 0.3 "$(jq 'select(.kind == "layer") | .time' "$tmp/out")" 0.05
body=TransformerBlock
near 'and counted' 17.8 "$(of forward wait)" 0.01
check 'and said' grep -q 'TransformerBlock: 9[0-9] % of the forward are waiting for other ranks in collectives' \
	"$tmp/err"
profile names=module link=sequence tp=9000 micro=2
fails 'where all wait, these are no layers' 1 "94 % of the layers' time are collectives" \
	sapp-trace -body TransformerBlock -mb 2 "$json"
body=

# The whole step of two ranks; the second waits 3 ms for the first in the reduction of gradients.
step() { jq -c "select(.kind == \"step\") | $1" "$tmp/out" | xargs; }
for by in kernel caller; do
	for rank in 0 1; do
		profile names=module link=sequence steps=3 reduce=2000 wait=$((3000 * rank)) by=$by rank=$rank p2p=1 \
			stages=2
		mv "$json" "$tmp/of_rank$rank.pt.trace.json"
	done
	run 0 sapp-trace -body TransformerBlock "$tmp/of_rank0.pt.trace.json" "$tmp/of_rank1.pt.trace.json"
	same "$by: stage and rank by what the profiler says" '[0,0] [1,1]' "$(step '[.stage, .rank]')"
	same "$by: waiting does not count, what stages reduce together is the embedding's" '2 2' \
		"$(step .parts.embedding_reduce)"
	same "$by: a transfer" '0.3 0.3' "$(step .transfer)"
	same "$by: nothing is unknown" 0 "$(grep -c 'collectives outside' "$tmp/err")"
	same "$by: micro-batches by the spans" '2 1' \
		"$(jq -r 'select(.kind == "job") | .stages, .micro_batches' "$tmp/out" | xargs)"
	cp "$tmp/out" "$tmp/files"
	mkdir -p "$tmp/named"
	for rank in 0 1; do cp "$tmp/of_rank$rank.pt.trace.json" "$tmp/named/rank-$rank.json"; done
	run 0 sapp-trace -body TransformerBlock "$tmp/named"
	same "$by: a directory with names of the user's own" "$(sed 's/,"source":.*//' "$tmp/files")" \
		"$(sed 's/,"source":.*//' "$tmp/out")"
	run 0 sapp-trace -body TransformerBlock "$tmp/of_rank1.pt.trace.json"
	same "$by: alone it does" 5 "$(step .parts.gradient_reduce)"
	check "$by: which is said" grep -q "collectives outside the pipeline take 5 of the step's" "$tmp/err"
done
for rank in 0 1; do
	profile names=module link=sequence steps=3 reduce=2000 wait=$((3000 * (1 - rank))) by=kernel rank=$rank
	mv "$json" "$tmp/of_rank$rank.pt.trace.json"
done
run 0 sapp-trace -body TransformerBlock "$tmp/of_rank0.pt.trace.json" "$tmp/of_rank1.pt.trace.json"
same 'what ranks reduce that send nothing are gradients' '2 2' "$(step .parts.gradient_reduce)"
profile names=module link=sequence steps=3 exchange=1
run 0 sapp-trace -body TransformerBlock "$json"
same 'an exchange of all with all is no transfer' null "$(step .transfer)"
profile names=module link=sequence micro=3
run 0 sapp-trace -body TransformerBlock "$json"
same 'three micro-batches by the spans' 3 "$(jq 'select(.kind == "job") | .micro_batches' "$tmp/out")"
near 'of which a layer takes' 0.2 "$(jq 'select(.kind == "layer") | .busy_time' "$tmp/out")" 1e-6
profile names=module link=sequence micro=2 checkpoint=1
run 0 sapp-trace -body TransformerBlock "$json"
same 'what runs again is no micro-batch' 2 "$(jq 'select(.kind == "job") | .micro_batches' "$tmp/out")"
# Two files with different numbers of micro-batches: the first one counts, and a message names the other.
profile names=module link=sequence micro=3
mv "$json" "$tmp/three.json"
run 0 sapp-trace -body TransformerBlock "$tmp/three.json" "$tmp/of_rank0.pt.trace.json"
same 'different numbers of micro-batches: the first' 3 "$(jq 'select(.kind == "job") | .micro_batches' "$tmp/out")"
check 'the other is told' grep -q "of_rank0.*: 1 micro-batches per step, but in .*three.json 3" "$tmp/err"
run 0 sapp-trace -mb 3 -body TransformerBlock "$tmp/three.json" "$tmp/of_rank0.pt.trace.json"
same 'with -mb nothing is' 0 "$(grep -c 'micro-batches per step' "$tmp/err")"

# A profile of Megatron-LM's profiler: read by its modules, and by its kernels alone, which also give the ends.
made() {
	rm -rf "$tmp/made"
	make-timeline -format kineto -P 4 -L 16 -mb 6 -head 3 -body 18 -tail 9 -o "$tmp/made" "$@" >/dev/null
}
layers() { jq -c 'select(.kind == "layer") | [.type, .time, .backward_time, .recompute_time |
	if type == "number" then . * 10 | round / 10 else . end]' "$tmp/out"; }
fails 'a tail that is shorter than its loss' 2 "the tail takes 1 ms at least, not '0.2'" \
	make-timeline -format kineto -tail 0.2 -o "$tmp/made"
made -recompute full,none
run 0 sapp-trace -mb 6 -body TransformerLayer "$tmp/made"
same 'Megatron-LM: modules' '["BODY",18,36,54]' "$(layers)"
run 0 sapp-trace -mb 6 "$tmp/made"
same 'Megatron-LM: no annotation' '["HEAD",3,6,null] ["BODY",18,36,54] ["TAIL",9,18,null]' "$(layers | xargs -d '\n')"
made -sp
run 0 sapp-trace -mb 6 "$tmp/made"
same 'a gather in front of the gradient of the embedding' '["HEAD",3,5.4,null] ["BODY",18,36,null] ["TAIL",9,18,null]' \
	"$(layers | xargs -d '\n')"

done_testing
