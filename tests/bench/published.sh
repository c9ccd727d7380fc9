#!/bin/bash
# Differences between estimates and published steps, by confidence of the figures, separately for dense networks and
# networks with experts, with the shipped records; and whether ZeRO-3 ranks against tensor and pipeline parallelism as
# measured. Rows of 2026 and of 8 B200 are read from ../shared if they exist. "published.sh FILE" also writes JSON lines
# to FILE.
top=$(cd "$(dirname "$0")/../.." && pwd)
data=$top/tests/data/search
latest=$top/../shared/golden/search/published-2026.jsonl
steps=$top/../shared/data/b200/steps.jsonl
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
out=${1:-$tmp/out}
: >"$out"

jq -c . "$top"/share/clusters/*.json >"$tmp/shipped"
# The installed record of a row's device, with the links of its cluster; MPT's rows have the figures of their year.
read -r -d '' clusters <<'END'
def by(f): map({ key: f, value: . }) | from_entries;
	def device: ascii_downcase | sub("-[0-9.]+$"; "") | { "a100_(dgx-a100)": "a100-40gb",
		"ascend_910b": "atlas-900-a2", "h20": "h100", "a800-80gb": "a100-80gb",
		"mi355x-fp8": "mi355x" }[.] // .;
	def software($name): (.kernels[] | select(.software == $name)) as $k |
		del(.efficiency, .launch, .exp_width, .dispatch, .host, .kernels) * ($k | del(.dtype));
END
# A row's line: set, network, cluster, candidate, step.
gzip -dc "$data/published.jsonl.gz" | jq -c --slurpfile s "$data/settings.jsonl" --slurpfile d "$tmp/shipped" \
	--slurpfile c "$data/published-clusters.jsonl" "$clusters"'
	($d | by(.name)) as $shipped | ($c | by(.name)) as $named | ($s | by(.id))[.id] as $own | . as $r |
	(.cluster | device) as $name | $shipped[if .cluster == "Ascend_910B-16.0" then "atlas-800t-a2" else $name end] |
	select(. != null) | .links = $named[$r.cluster].links |
	(if $r.source == "mosaic" and .name == "h100" and $r.precision == "bf16" then software("mpt") else . end) |
	["older", $r.network * ($own.network // {}), ., ($r.candidate * ($own.candidate // {}) |
		.compute = $r.precision | .micro_batches = (.gb / .dp / .mbs | floor) | del(.gb)), $r.step_time, $r.id,
		$r.source]' >"$tmp/rows"
if [ -r "$latest" ]; then
	jq -c --slurpfile d "$tmp/shipped" "$clusters"'($d | by(.name)) as $shipped | . as $r |
		(.cluster | if type == "string" then $shipped[sub("-.*"; "")]
		else $shipped[.name | device] * ({ memory_limit, peak, memory_bandwidth, links } |
			.confidence = "borrowed" | if $r.device == null then {} else . end) end) as $on |
		["2026", .network, $on, .candidate * { compute: .precision }, .measured.step_time, .id,
		"2026 " + (.id | split("_")[0])]' "$latest" >>"$tmp/rows"
else
	echo "published: $latest is not there: skipped"
fi
jq -c '.[1], .[2], (.[3] | .kind = "candidate")' "$tmp/rows" | sapp-est 2>"$tmp/err" |
	jq -c 'select(.kind == "estimate") | { step_time, low, high, confidence: (.source.efficiency // "measured") }' |
	paste "$tmp/rows" - >"$tmp/all"
if [ -r "$steps" ]; then
	jq -c '["8 B200", .network, null, .candidate, .measured.step_time, .id, "8 B200"]' "$steps" >"$tmp/rows"
	jq -c '.[1], (.[3] | .kind = "candidate")' "$tmp/rows" | sapp-est -cluster b200 |
		jq -c 'select(.kind == "estimate") | { step_time, low, high, confidence: "measured" }' |
		paste "$tmp/rows" - >>"$tmp/all"
fi
jq -Rc 'split("\t") | map(fromjson) | { bench: "published", set: .[0][0], id: .[0][5],
	family: .[0][6],
	network: (if (.[0][1].experts // 0) > 0 then "experts" else "dense" end), measured: .[0][4],
	error: (.[1].step_time / .[0][4] - 1), 
	inside: (.[0][4] >= .[1].low and .[0][4] <= .[1].high) } + .[1]' "$tmp/all" |
	tee -a "$out" | jq -rs 'def q(s): sort | .[(s * (length - 1) + 0.5 | floor)];
	def row: [length, 100 * (map(.error | fabs) | q(0.5), q(0.9)), 100 * (map(.error) | q(0.5)),
		(map(select(.inside)) | length), 100 * (map(.high / .step_time - 1) | q(0.5))];
	(group_by([.set, .confidence, .network])[] | [(.[0] | .set, .confidence, .network)] + row),
	(map(select(.set != "8 B200")) | ["all but B200", "", ""] + row) | @tsv' |
	awk -F '\t' 'BEGIN { printf "%-14s %-10s %-8s %5s %8s %8s %8s %10s %8s\n", "rows", "figures", "network", "n",
		"median %", "90 %", "bias %", "inside", "up to +%" }
	{ printf "%-14s %-10s %-8s %5d %8.1f %8.1f %+8.1f %4d %4.0f%% %8.0f\n", $1, $2, $3, $4, $5, $6, $7, $8,
		100 * $8 / $4, $9 }'
# Intervals with widths from all families except the row's: nine of ten of the row's errors are inside.
jq -rs 'def q(s): sort | .[(s * (length - 1) + 0.5 | floor)];
	map(select(.bench == "published" and .confidence != "measured") |
		. + { off: ((.step_time / .measured | log | fabs) / (.high / .step_time | log)) }) |
	group_by(.confidence)[] | . as $all | [group_by(.family)[] | . as $own |
		($all - $own | map(.off) | q(0.9)) as $f | map(select(.off <= $f)) | length] | [$all[0].confidence,
		($all | length), add, ($all | map(.off) | q(0.9))] | @tsv' "$out" | awk -F '\t' '{
	printf "%-9s families left out in turn: %3d of %3d inside (%.0f %%); all of them: width x %.2f\n", $1, $3, $2,
	100 * $3 / $2, $4 }'

# ZeRO-3 against tensor and pipeline parallelism: TFLOP/s of a device, table 2 of Narayanan and others (2021); the step
# is computed from that of 76780 ms for the same number of operations.
jq -nc '
	def net(l; h; a): { kind: "network", name: "GPT", layers: l, hidden_size: h, num_heads: a, ffn_size: (4 * h),
		gated: false, vocab_size: 51200, seq_length: 2048, tied: true, vocab_multiple: 128, dropout: true,
		flash: false, norm: "layer", precision: { weight: 2, gradient: 2, optimizer: 12 } };
	def is(pp; n; gb; mbs; zero): { kind: "candidate", dp: (if zero then n else n / 8 / pp end),
		tp: (if zero then 1 else 8 end), pp: (if zero then 1 else pp end), mbs: mbs, recompute: "full",
		micro_batches: (if zero then gb / n / mbs else gb / (n / 8 / pp) end),
		zero: (if zero then 3 else 0 end), cp: 1, ep: 1, etp: 1, vp: 1, sp: false };
	([384, 4, 144, 153], [768, 2, 88, 149], [1536, 1, 44, 141] | [net(96; 12288; 96), 12, 4.5111e6, 1536, .]),
	([1120, 2, 98, 167], [2240, 1, 48, 159] | [net(105; 20480; 128), 35, 19.7476e6, 2240, .]) |
	. as [$net, $pp, $work, $gb, [$n, $mbs, $three, $parted]] |
	(["ZeRO-3", is($pp; $n; $gb; $mbs; true), $three], ["TP and PP", is($pp; $n; $gb; 1; false), $parted]) |
	[$net, .[1], { n: $n, how: .[0], measured: ($work / .[2] / $n * 1e3) }]' >"$tmp/pairs"
jq -c '.[0], .[1]' "$tmp/pairs" | sapp-est -cluster a100-80gb |
	jq -c 'select(.kind == "estimate") | { step_time }' |
	paste "$tmp/pairs" - | jq -Rc 'split("\t") | map(fromjson) | { bench: "published-zero" } + .[0][2] + .[1]' |
	tee -a "$out" | jq -rs 'def row: [.n, .how, .measured, .step_time, 100 * (.step_time / .measured - 1)] | @tsv;
	.[] | row' | awk -F '\t' '{
	printf "%-10s %5d devices: measured %7.0f ms, estimated %7.0f (%+.1f %%)%s\n",
		$2, $1, $3, $4, $5, NR % 2 ? "" : ($4 < before ? ", first as measured" : ", ORDER WRONG")
	before = $4 }'
