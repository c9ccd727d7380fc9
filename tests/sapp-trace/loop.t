#!/bin/sh
# Known times -> timelines in every format of MindSpore -> the same times to 0.1 %; kineto.t tests profiles of PyTorch.
. "$(dirname "$0")/../lib.sh"

# member NAME MEMBER: print a member of the layer record called NAME in $tmp/out.
member() {
	jq -r --arg n "$1" --arg m "$2" 'select(.kind == "layer" and .name == $n) | .[$m] // empty' "$tmp/out"
}
# closes FORMAT OPTIONS...: write, read and compare. Head 3, body 18, tail 9 ms (0.2 in the norm), ratio 1.9.
closes() {
	title=$1; shift
	rm -rf "$tmp/timeline"
	make-timeline -P 4 -L 12 -mb 6 -head 3 -body 18 -tail 9 -ratio 1.9 -recompute none,select,comm,both,full,none \
		-o "$tmp/timeline" "$@" >/dev/null || { not_ok "$title: made"; return; }
	run 0 sapp-trace -mb 6 "$tmp/timeline" || { not_ok "$title: read"; return; }
	near "$title: head" 3 "$(member LlamaEmbedding time)" 0.003
	near "$title: head backward" 5.7 "$(member LlamaEmbedding backward_time)" 0.0057
	near "$title: body" 18 "$(member LLamaDecodeLayer time)" 0.018
	near "$title: body backward" 34.2 "$(member LLamaDecodeLayer backward_time)" 0.034
	near "$title: select" 35.64 "$(member LLamaDecodeLayer select_rec_time)" 0.035
	near "$title: comm" 38.7 "$(member LLamaDecodeLayer select_comm_time)" 0.038
	near "$title: both" 40.14 "$(member LLamaDecodeLayer both_comm_select_time)" 0.04
	near "$title: full" 52.2 "$(member LLamaDecodeLayer recompute_time)" 0.052
	near "$title: tail" 8.8 "$(member lm_head-Linear time)" 0.0088
	near "$title: norm outside the layers" 0.2 "$(member LlamaRMSNorm time)" 0.0002
	same "$title: different layers" 9 "$(member LLamaDecodeLayer nb_layer)"
}
for format in trace_view older msprof display; do
	closes $format -format $format
done
closes gzip -gz
closes overhang -overhang
closes 'steps from a repeated operation' -nosteps
closes 'kernels, steps from a repeated operation' -nosteps -format msprof
closes 'micro-batches that differ' -spread 0.1

# Memory does not grow with the file. Sanitizers need additional memory.
if [ -z "${QUICK-}" ]; then
	for format in trace_view msprof display; do
		file=$(make-timeline -format $format -stages 0 -size 60 -o "$tmp/large") ||
			not_ok "a large file, $format"
		sapp-trace -v -mb 16 "$file" 2>&1 >"$tmp/null" |
			sed -n 's/.* of processor time, at most \([0-9.]*\) MB of memory$/\1/p' >"$tmp/peak"
		check "60 MB of $format in less than 20" awk '{ ok = $1 > 0 && $1 < 20 } END { exit !ok }' "$tmp/peak"
		rm "$file"
	done
else
	skip 'memory of large files: with sanitizers'
fi

done_testing
