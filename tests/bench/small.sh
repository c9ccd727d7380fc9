#!/bin/sh
# From small runs to large runs: eight runs on one node and one on two nodes of NETWORKS (20) networks of
# examples/make-runs, with 3 % noise, and 50 other configurations of 64 to 1024 devices each. Compares estimates with
# steps, counts steps inside their intervals, and compares other ways to fit a layer to the same runs: a line through
# micro-batches of tp 1, divided by tp, as in Galvatron, and a line through all operations, as MindSpeed Auto Tuning has
# for each type. Both have separate lines for collectives. A quarter of the networks is also used with context
# parallelism, and with experts. Prints a table; "small.sh FILE" also writes it to FILE as JSON lines.
out=${1:-/dev/null}
here=$(dirname "$0")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cluster=atlas-800t-a2

# round KIND K NETWORK RUNS CANDIDATES: jq filters for the Kth network, its runs, and its candidates.
round() {
	dir=$tmp/$1/$2
	mkdir -p "$dir/runs"
	jq -nc --argjson k "$2" "$sizes $3" >"$dir/net"
	jq -nc --argjson k "$2" "[$4] | .[] | {kind: \"run\", layers: (2 * .pp), micro_batches: 4} + . |
		.name = \"tp\\(.tp)-cp\\(.cp // 1)-ep\\(.ep // 1)-pp\\(.pp)-dp\\(.dp)-mbs\\(.mbs)\"" >"$dir/list"
	jq -nc --argjson k "$2" "[$5 | {kind: \"candidate\", recompute: \"none\"} + .] |
		to_entries | sort_by((.key * 7919 + \$k * 104729) % 10007) | .[:50][].value" >"$dir/candidates"
	make="$here/../../examples/make-runs -noise ${NOISE:-0.03}"
	$make -seed "$2" "$dir/net" "$dir/list" "$dir/runs" >"$dir/made"
	$make -seed $(($2 + 1000)) -steps "$dir/net" "$dir/candidates" . >"$dir/truth"
	for r in "$dir"/runs/*; do
		nodes=$(jq -s --arg name "${r##*/}" 'map(select(.name == $name))[0] |
			(.tp * (.cp // 1) * .pp * .dp / 8 | ceil)' "$dir/list")
		sapp-trace -kernels -nodes "$nodes" -runs "$dir/made" "$r" 2>>"$dir/said" >"$dir/on$nodes.${r##*/}"
	done
	cat "$dir"/on* | sapp-fit -j >"$dir/fit" 2>"$dir/err"
	of "$dir/fit" "$dir" >"$dir/estimates"
	cat "$dir"/on1.* | sapp-fit -j 2>>"$dir/err" >"$dir/fit1"
	of "$dir/fit1" "$dir" >"$dir/estimates1"
}
# Estimate the candidates from a fit: of FIT DIR.
of() {
	cat "$2/net" "$1" "$2/candidates" | sapp-est -cluster $cluster -parts 2>>"$2/err" |
		jq -c 'select(.kind == "estimate")'
}
# shellcheck disable=SC2016 # programs of jq
{
sizes='[1536, 2048, 3072, 4096, 5120][$k % 5] as $h | ($h / 128) as $heads | {kind: "network", name: "n\($k)",
	layers: [16, 24, 32, 40][$k % 4], hidden_size: $h, num_heads: ($heads - $heads % 8), kv_heads: 8, head_dim: 128,
	ffn_size: (256 * ($h * [2.75, 3, 3.5][$k % 3] / 256 | floor)), vocab_size: [32000, 64000, 128256][$k % 3],
	seq_length: [2048, 4096, 8192][$k % 3], gated: true, tied: false} |'
runs='[[1, 8, 1, 1], [1, 8, 1, 3], [2, 4, 1, 1], [2, 2, 2, 4], [4, 2, 1, 2], [8, 1, 1, 1], [8, 1, 1, 4], [4, 1, 2, 1],
	[2, 8, 1, 1]][] | {tp: .[0], dp: .[1], pp: .[2], mbs: .[3]}'
asked='[1, 2, 4, 8] as $t | [1, 2, 4, 8] as $p |
	{tp: $t[], pp: $p[], mbs: (1, 2, 4), n: (64, 128, 256, 512, 1024), m: (8, 16, 32)} |
	.dp = .n / .tp / .pp | select(.dp >= 1) | {tp, dp, pp, mbs, micro_batches: .m}'
long='[[1, 4, 2, 1], [1, 4, 2, 2], [1, 2, 4, 1], [2, 2, 2, 1], [2, 2, 2, 2], [2, 1, 4, 1], [4, 1, 2, 1], [1, 8, 1, 1],
	[2, 4, 4, 1]][] | {tp: .[0], dp: .[1], pp: 1, cp: .[2], mbs: .[3], cp_kind: "ulysses"}'
long_asked='{tp: (1, 2, 4), pp: (1, 2, 4), cp: (2, 4), mbs: (1, 2), n: (64, 256, 1024), m: (8, 16, 32)} |
	.dp = .n / .tp / .pp / .cp | select(.dp >= 1 and .tp * .cp <= 8) |
	{tp, dp, pp, cp, mbs, micro_batches: .m, cp_kind: "ulysses"}'
experts='. + {experts: 32, experts_per_token: 4, expert_ffn_size: ($h / 2)}'
expert='[[1, 8, 1, 8], [1, 8, 2, 8], [1, 8, 1, 4], [1, 8, 2, 4], [2, 4, 1, 4], [2, 4, 2, 4],
	[1, 8, 1, 2], [2, 4, 1, 2], [2, 8, 1, 8]][] | {tp: .[0], dp: .[1], pp: 1, mbs: .[2], ep: .[3]}'
expert_asked='{tp: (1, 2), pp: (1, 2, 4), ep: (2, 4, 8), mbs: (1, 2), n: (64, 256, 1024), m: (8, 16, 32)} |
	.dp = .n / .tp / .pp | select(.dp >= .ep) | {tp, dp, pp, ep, mbs, micro_batches: .m}'
}
for k in $(seq "${NETWORKS:-20}"); do
	round dense "$k" . "$runs" "$asked"
done
for k in $(seq $(((${NETWORKS:-20} + 3) / 4))); do
	round cp "$k" . "$long" "$long_asked"
	round ep "$k" "$experts" "$expert" "$expert_asked"
done
# Other fits give only a layer's time; the rest of the step is that of the estimate.
for dir in "$tmp"/dense/*/; do
	dir=${dir%/}
	jq -nc --slurpfile e "$dir/estimates" --slurpfile t "$dir/truth" --slurpfile f "$dir/fit" \
		--slurpfile n "$dir/net" '
	def line: (length) as $n | (map(.[0]) | add / $n) as $x | (map(.[1]) | add / $n) as $y |
		(map((.[0] - $x) * (.[0] - $x)) | add) as $xx |
		(if $xx > 0 then (map((.[0] - $x) * (.[1] - $y)) | add) / $xx else $y / $x end) as $w |
		[$w, if $xx > 0 then $y - $w * $x else 0 end];
	def at($x): .[0] * $x + .[1];
	[$f[] | select(.kind == "run")] as $runs |
	[$runs[] as $r | {tp: $r.tp, mbs: $r.mbs, time: ([$f[] | select(.run == $r.name and .part == "body" and
		(.of == "time" or .of == "backward_time")) | .terms[0].value] | add)}] as $at |
	# Eight collectives per layer, which both other fits separate: a line through measurements of the same number of
	# members.
	(reduce (2, 4, 8) as $tp ({}; .["\($tp)"] = ([$f[] | select(.knots and .op != "send" and .members == $tp and
		.nodes == 1) | .knots[] | [.[0], .[1]]] | line))) as $lines |
	def sent($tp; $mbs): if $tp == 1 then 0 else
		8 * ($lines["\($tp)"] | at(2 * $mbs * $n[0].seq_length * $n[0].hidden_size)) end;
	($at | map(select(.tp == 1) | [.mbs, .time]) | line) as $batches |
	($at | map([.mbs / .tp, .time - sent(.tp; .mbs)]) | line) as $operations |
	range($e | length) as $i | $e[$i] as $s | $t[$i].step_time as $step |
	($s.layers[0] | .forward + .backward) as $layer |
	($n[0].layers / $s.pp * ($s.micro_batches + $s.pp - 1)) as $times |
	{step: $step, ours: $s.step_time, inside: ($s.low <= $step and $step <= $s.high),
		layers: $s.source.layers, width: ($s.high / $s.low),
		batches: ($s.step_time + $times * (($batches | at($s.mbs)) / $s.tp + sent($s.tp; $s.mbs) - $layer)),
		operations: ($s.step_time + $times * (($operations | at($s.mbs / $s.tp)) + sent($s.tp; $s.mbs) -
			$layer))}'
done >"$tmp/all"
printf '%-24s %6s %8s %8s %8s %8s  %s\n' way steps median 'of ten 9' worst inside 'memory kept, worst'
for way in ours batches operations; do
	jq -rs --arg way "$way" 'def at($q): sort | .[(length * $q | floor)];
		(map((.[$way] / .step - 1) | fabs)) as $e | [$way, length, ($e | at(0.5)), ($e | at(0.9)), ($e | max),
		if $way == "ours" then (map(select(.inside)) | length) / length else 0 end] | @tsv' "$tmp/all"
done | while read -r way n median ninety worst inside; do
	case $way in ours) what='sapp-fit and sapp-est';; batches) what='line through batches';;
	*) what='line through operations';; esac
	awk -v w="$what" -v n="$n" -v a="$median" -v b="$ninety" -v c="$worst" -v i="$inside" -v out="$out" 'BEGIN {
		printf "%-24s %6d %7.1f%% %7.1f%% %7.1f%% %8s\n", w, n, 100 * a, 100 * b, 100 * c,
			(i > 0 ? sprintf("%.1f%%", 100 * i) : "-")
		printf "{\"bench\":\"small\",\"way\":\"%s\",\"steps\":%d,\"median\":%.4g,\"nine_of_ten\":%.4g,"\
			"\"worst\":%.4g%s}\n", w, n, a, b, c, (i > 0 ? ",\"inside\":" i : "") >>out }'
done
# Runs on one node only; and context parallelism and experts, with the same questions.
for way in 'dense estimates1 one node only' 'cp estimates ours, cp' 'ep estimates ours, ep'; do
	kind=${way%% *} way=${way#* }
	for dir in "$tmp/$kind"/*/; do
		paste -d ' ' "${dir}${way%% *}" "${dir}truth"
	done | jq -nc --arg way "${way#* }" 'def at($q): sort | .[(length * $q | floor)];
		[inputs as $e | input as $t | {error: ($e.step_time / $t.step_time - 1 | fabs),
		memory: ($e.layers[0].memory_activation / $t.kept - 1 | fabs),
		inside: ($e.low <= $t.step_time and $t.step_time <= $e.high)}] | {bench: "small", way: $way,
		steps: length, median: (map(.error) | at(0.5)), nine_of_ten: (map(.error) | at(0.9)),
		worst: (map(.error) | max), memory: (map(.memory) | max),
		inside: ((map(select(.inside)) | length) / length)}' | tee -a "$out" |
		jq -r '[.way, .steps, (.median, .nine_of_ten, .worst, .inside, .memory) * 100] | @tsv' |
		awk -F '\t' '{
			printf "%-24s %6d %7.1f%% %7.1f%% %7.1f%% %7.1f%%  %.3f%%\n", $1, $2, $3, $4, $5, $6, $7 }'
done
# Among configurations of the same number of devices, the one with the least time per sequence: by estimates, and by
# steps.
for dir in "$tmp"/dense/*/; do
	jq -nc --slurpfile e "${dir}estimates" --slurpfile t "${dir}truth" '[range($e | length) as $i | $e[$i] |
		(.dp * .mbs * .micro_batches) as $sequences | {devices: (.dp * .tp * .pp),
		said: (.step_time / $sequences),
		is: ($t[$i].step_time / $sequences)}] | group_by(.devices)[] | select(length > 3) | sort_by(.said) |
		(map(.is) | min) as $best | {among: length, place: (map(.is) | index($best) + 1),
		longer: (.[0].is / $best - 1)}'
done >"$tmp/ranked"
jq -rs '{bench: "small", rankings: length, first: (map(select(.place == 1)) | length),
	first_three: (map(select(.place <= 3)) | length), longer: (map(.longer) | add / length),
	longest: (map(.longer) | max)}' "$tmp/ranked" | jq -c . | tee -a "$out" |
	jq -r '"\(.rankings) rankings: the shortest is the first in \(.first), among the first three in " +
	"\(.first_three); the first is \(.longer * 1e4 | round / 100) % longer in the mean, " +
	"\(.longest * 1e3 | round / 10) % at most"'
# The maximum size of sapp-fit -db.
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "{\"kind\":\"opcost\",\"type\":\"A\",\"input\":[[%08d]]," \
	"\"calls\":1,\"sum\":5,\"min\":5,\"max\":5,\"bins\":{\"32\":1}}\n", 10000000 + i }' >"$tmp/db"
printf '%s\n' '{"kind":"run","name":"a","dp":1,"tp":1,"pp":1,"mbs":1,"micro_batches":2,"device":"D"}' \
	'{"kind":"kernel","run":"a","stage":0,"part":"body","phase":"forward","layer":"L","order":0,"type":"N",'\
'"input":[[4096]],"calls":4,"time":1}' >"$tmp/run"
sapp-fit -v -j -db "$tmp/db" "$tmp/run" 2>"$tmp/said" >"$tmp/fitted" || { cat "$tmp/said" >&2; exit 1; }
sed -n 's/.*: \([0-9.]*\) s of processor time, at most \([0-9.]*\) MB.*/\1 \2/p' "$tmp/said" |
	awk -v n="$(wc -l <"$tmp/db")" -v out="$out" '{
		printf "a run into %d lines of what is known: %s s of processor time, %s MB\n", n, $1, $2
		printf "{\"bench\":\"small\",\"lines\":%d,\"processor_seconds\":%s,\"mb\":%s}\n", n, $1, $2 >>out }'
