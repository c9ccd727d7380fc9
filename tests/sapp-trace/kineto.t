#!/bin/sh
# Profiles of PyTorch made with known times: layers named in every way, backward joined in every way.
. "$(dirname "$0")/../lib.sh"

json=$tmp/rank0.pt.trace.json
profile() {
	vars=
	for v in "$@"; do vars="$vars -v $v"; done
	# shellcheck disable=SC2086
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
	check "$title: nothing waits" sh -c '! grep -q "$2: the device waits for the host" "$1"' sh "$tmp/err" "$body"
	body=
}
profile names=module link=sequence
named 'modules, within themselves' TransformerBlock
fails 'a class misspelt' 1 \
	"no scope called TransformerBlok, LlamaEmbedding, lm_head-Linear, LlamaRMSNorm; layers there: \
'TransformerBlock', 'LayerNorm'; the nearest is 'TransformerBlock'" \
	sapp-trace -body TransformerBlok "$json"
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
	-q '3 layers x 1 micro-batches x 4 steps told by what repeats around volta_sgemm_tn: 2 kernels a forward, 3 '\
'a backward' "$tmp/err"
grep -v '_tn\|_nn\|_nt' "$json" >"$tmp/few.json"
fails 'nothing named, nothing that repeats' 1 'put torch.profiler.record_function' sapp-trace -body X "$tmp/few.json"
check 'with figures' grep -q 'kernels, forward: nothing repeats' "$tmp/err"
profile names=module link=sequence
sed 's/"args": {"correlation": 2}/"args": {"correlation": 77}/' "$json" >"$tmp/orphan.json"
run 0 sapp-trace -body TransformerBlock "$tmp/orphan.json"
check 'a kernel that nobody launched is of no layer' awk -v b="$(of forward busy)" \
	'BEGIN { exit !(b > 0.49 && b < 0.51) }'
sed 's/"correlation": 3,/"correlation": 3, "correlation": 4,/; s/"ts": 1000010.000/"ts": "soon"/' \
	"$json" >"$tmp/bad.json"
fails 'a launch at no time' 1 'ts' sapp-trace -body TransformerBlock "$tmp/bad.json"

done_testing
