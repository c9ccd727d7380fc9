#!/bin/bash
# The real closed loop: the training script of examples/cpu-run, on two processors, with tp, dp or pp 2. Short runs of
# few layers predict other numbers of layers, micro-batches and tokens, and are compared with measured steps. ROUNDS
# (3): number of runs of each in turn, limited by MINUTES (7), at least one; for short runs the median round counts, for
# others the median step. STEPS (6): steps of each run. WIDTH (256), VOCABULARY (8000), TOKENS (128) and LAYERS (8): the
# network. Prints a table, and the variation of steps of the same run; "loop.sh FILE" also writes it to FILE as JSON
# lines. Status 77: PyTorch is missing.
out=${1:-/dev/null}
here=$(cd "$(dirname "$0")" && pwd)
train=$here/../../examples/cpu-run/train
rounds=${ROUNDS:-3} minutes=${MINUTES:-7} steps=${STEPS:-6}
width=${WIDTH:-256} words=${VOCABULARY:-8000} tokens=${TOKENS:-128}
layers=${LAYERS:-8}
for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
	"$python" -c 'import torch.distributed' 2>/dev/null && break
	python=
done
[ -n "$python" ] || { echo "$0: no PyTorch: on Debian, apt-get install python3-torch" >&2; exit 77; }
[ "$(nproc)" -ge 2 ] || { echo "$0: two processors are needed" >&2; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# A run per line: name tp dp pp mbs layers micro-batches tokens.
runs() {
	for d in 'tp 2 1 1' 'dp 1 2 1' 'pp 1 1 2'; do
		read -r name tp dp pp <<<"$d"
		for mbs in 1 4; do echo "$name-mbs$mbs $tp $dp $pp $mbs $((2 * pp)) 4 $tokens"; done
	done
}
others() {
	for d in 'tp 2 1 1' 'dp 1 2 1' 'pp 1 1 2'; do
		read -r name tp dp pp <<<"$d"
		for mbs in 1 2; do echo "$name-mbs$mbs-all $tp $dp $pp $mbs $layers 8 $tokens"; done
		echo "$name-short $tp $dp $pp 2 $layers 8 $((tokens / 2))"
	done
}
# once DIR NAME TP DP PP MBS LAYERS MICRO TOKENS: train with a profile in DIR/NAME, and write the step (ms) to DIR/step.
once() {
	local dir=$1
	mkdir -p "$dir"
	"$python" "$train" --layers "$(jq -nr --argjson p "$5" --argjson n "$7" '[range($p) | $n / $p] | join(",")')" \
		--tp "$3" --dp "$4" --batch "$6" --micro-batches "$8" --sequence "$9" --hidden "$width" \
		--vocabulary "$words" --steps "$steps" --profile "$dir/$2" >"$dir/log" 2>&1 || {
		cat "$dir/log" >&2
		exit 1
	}
	awk '/^median/ { print $2 }' "$dir/log" >"$dir/step"
}
record() {	# KIND NAME TP DP PP MBS LAYERS MICRO TOKENS
	local IFS=,
	jq -nc --arg kind "$1" --arg name "$2" --argjson d "[${*:3}]" '{ kind: $kind, name: $name, tp: $d[0], dp: $d[1],
		pp: $d[2], mbs: $d[3], micro_batches: $d[5], sp: false, zero: 0, recompute: "none" } +
		if $kind == "run" then { layers: $d[4], seq_length: $d[6] } else {} end'
}
network() {	# LAYERS TOKENS
	jq -nc --argjson n "$1" --argjson s "$2" --argjson h "$width" --argjson v "$words" '{ kind: "network",
		name: "cpu-run", layers: $n, hidden_size: $h, num_heads: 4, ffn_size: (4 * $h), vocab_size: $v,
		seq_length: $s, gated: false, tied: false, flash: false, norm: "layer",
		precision: { weight: 4, gradient: 4, optimizer: 8 } }'
}
# Rough figures of a processor: computed times only extrapolate measured ones.
cat >"$tmp/cluster.json" <<'END'
{"kind":"cluster","name":"processors","devices_per_node":2,"memory_limit":1000000,"reserve":0,"peak":0.06,
"memory_bandwidth":10,"links":[{"span":2,"bandwidth":1,"latency":100}],"efficiency":{"matmul":0.8,"size":1,
"attention":0.3,"memory":0.5,"network":0.7},"launch":5,"overlap":{"dp":0,"tp":0,"ep":0,"pp":0}}
END
jq -c . "$tmp/cluster.json" >"$tmp/cluster"

runs >"$tmp/runs"
others >"$tmp/others"
for ((r = 0; r < rounds && SECONDS * (r + 1) <= 60 * minutes * r + (r == 0) * 60 * minutes; r++)); do
	while read -r name degrees; do
		# shellcheck disable=SC2086 # words
		once "$tmp/$name/$r" "$name" $degrees </dev/null
	done < <(cat "$tmp/runs" "$tmp/others")
done
while read -r name degrees; do
	middle=$(grep -H . "$tmp/$name"/*/step | sed 's,/step:, ,' | sort -k2,2n |
		awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] }')
	# shellcheck disable=SC2086 # words
	record run "$name" $degrees | jq -c --arg dir "$middle/$name" '.dir = $dir' >"$tmp/run"
	sapp-trace -kernels -nodes 1 -head embedding -body layers. -tail loss -runs "$tmp/run" "$middle/$name" \
		2>>"$tmp/said" || { tail -3 "$tmp/said" >&2; exit 1; }
done <"$tmp/runs" >"$tmp/measured"
sapp-fit -j "$tmp/measured" >"$tmp/fit" 2>>"$tmp/said" || { tail -3 "$tmp/said" >&2; exit 1; }
while read -r name degrees; do
	read -r _ _ _ _ n _ s <<<"$degrees"
	# shellcheck disable=SC2086 # words
	{ network "$n" "$s"; cat "$tmp/cluster" "$tmp/fit"; record candidate "$name" $degrees; } |
		sapp-est 2>>"$tmp/said" | jq -c --argjson step "$(sort -n "$tmp/$name"/*/step |
			awk '{ s[NR] = $1 } END { print (s[int((NR + 1) / 2)] + s[int((NR + 2) / 2)]) / 2 }')" '
		select(.kind == "estimate") | { bench: "loop", name, measured: $step, said: .step_time, low, high,
			error: (.step_time / $step - 1), inside: (.low <= $step and $step <= .high),
			layers: .source.layers, shares: .source.shares }'
done <"$tmp/others" >"$tmp/rows"
[ "$(wc -l <"$tmp/rows")" = "$(wc -l <"$tmp/others")" ] || { tail -3 "$tmp/said" >&2; exit 1; }
cat "$tmp/rows" >>"$out"
jq -r '[.name, .measured, .said, .low, .high, 100 * .error, .layers, if .inside then "inside" else "" end] | @tsv' \
	"$tmp/rows" | awk -F '\t' 'BEGIN { printf "%-16s %9s %9s %21s %8s  %s\n", "run", "measured", "estimated",
	"9 of 10 within", "error", "layers" } {
	printf "%-16s %9.1f %9.1f %9.1f .. %8.1f %+7.1f%%  %-9s %s\n", $1, $2, $3, $4, $5, $6, $7, $8 }'
# The minimum and maximum of the same run's steps, over all rounds.
for d in "$tmp"/*/; do sort -n "$d"*/step | sed -n '1p;$p' | paste -s -d ' '; done |
	jq -nc --argjson rounds "$r" '[inputs as $a | input as $b | $b / $a] | sort | { bench: "loop", rounds: $rounds,
		apart: .[length / 2 | floor], most: .[-1] }' | tee -a "$out" | jq -r '"\(.rounds) rounds" +
	if .rounds > 1 then ": the longest step of a run is \(.apart * 100 | round / 100) times its shortest in " +
	"the median, \(.most * 100 | round / 100) at most" else ": how far steps are apart is not known" end'
jq -rs 'def at($q): sort | .[(length * $q | floor)]; (map(.error | fabs)) as $e |
	"\(length) runs by six shorter ones: median error \($e | at(0.5) * 1000 | round / 10) %, worst \(
	$e | max * 1000 | round / 10) %, inside \(map(select(.inside)) | length)"' "$tmp/rows"
