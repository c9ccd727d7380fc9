#!/bin/bash
# Errors of estimates by source of published steps, their ranking, and the speed of estimates and of the search.
out=$1
: >"$out"
top=$(cd "$(dirname "$0")/../.." && pwd)
data=$top/tests/data/search
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Estimates of all published rows, with the measured steps.
gzip -dc "$data/published.jsonl.gz" | jq -c --slurpfile c "$data/published-clusters.jsonl" \
	'($c | map({ key: .name, value: . }) | from_entries) as $by |
	.network, $by[.cluster],
	(.candidate | .micro_batches = (.gb / .dp / .mbs | floor) | del(.gb) | .kind = "candidate")' >"$tmp/in"
estimated() { sapp-est "$1" | jq -c 'select(.kind == "estimate").step_time'; }
estimated "$tmp/in" >"$tmp/estimated"
gzip -dc "$data/published.jsonl.gz" | jq -c '[.source, .precision, .step_time]' | paste "$tmp/estimated" - |
	jq -Rc 'split("\t") | [(.[0] | tonumber), (.[1] | fromjson)] |
	{ bench: "search", source: .[1][0], precision: .[1][1], estimated: .[0], measured: .[1][2],
		error: (.[0] / .[1][2] | log | fabs) }' >"$tmp/rows"
cat "$tmp/rows" >>"$out"
jq -rs 'def q(s): sort | .[(s * (length - 1) + 0.5 | floor)];
	(group_by(.source)[] |
	[.[0].source, length, (map(.error) | q(0.5)), (map(.error) | q(0.9)), (map(.error) | max)]),
	["all", length, (map(.error) | q(0.5)), (map(.error) | q(0.9)), (map(.error) | max)] | @tsv' "$tmp/rows" |
	awk -F '\t' 'BEGIN { printf "%-12s %5s %8s %8s %8s\n", "source", "rows", "median", "90 %", "worst";
	say["korthikanti"] = "Calculon of itself: mean 3.65 %, worst 8.9 %"
		say["vtrain"] = "vTrain of itself: mean 14.7 % on several nodes, 8.4 % on one" }
		{ printf "%-12s %5d %8.3f %8.3f %8.3f  %s\n", $1, $2, $3, $4, $5, say[$1] }'

# Context parallelism: its costs, in addition to exposed exchanges.
jq -c 'if .kind == "cluster" then .ring = { block: 0, step: 0, hidden: 1, sums: 0 } else . end' \
	"$tmp/in" >"$tmp/no-ring"
gzip -dc "$data/published.jsonl.gz" | jq -c '[.id, .candidate.cp, .step_time]' |
	paste <(estimated "$tmp/no-ring") "$tmp/estimated" - |
	jq -Rc 'split("\t") | map(fromjson) | select(.[2][1] > 1) |
	{ bench: "search-context", id: .[2][0], cp: .[2][1], measured: .[2][2], before: .[0], estimated: .[1] }' |
	tee -a "$out" | jq -r '[.id, .cp, .before / .measured, .estimated / .measured] | @tsv' |
	awk -F '\t' '{ printf "%-28s cp %d: estimate %.3f of measured without the costs of cp, %.3f with them\n",
	$1, $2, $3, $4 }'

# The same rows with the settings that ran, if known, and whether steps are inside their intervals, on records with
# separate parts of layers, except for 4 bits, which have none. The width of intervals is checked with the other sources
# only: "factor" would include nine of ten of their errors, "left" is the number of the source's own steps inside.
jq -c 'select(.name | test("-moe$"))' "$data/clusters.jsonl" >"$tmp/moe"
gzip -dc "$data/published.jsonl.gz" | jq -c --slurpfile s "$data/settings.jsonl" --slurpfile m "$tmp/moe" \
	--slurpfile c "$data/published-clusters.jsonl" 'def by(f): map({ key: f, value: . }) | from_entries;
	($s | by(.id)) as $set | ($c + $m | by(.name)) as $named | . as $r | ($set[.id] // {}) as $own |
	(if .source != "bridge" then .cluster else .cluster as $old | (.cluster | ascii_downcase |
		sub("-8.0$"; "-fp8-moe") | sub("-16[.][0-9]$"; "-bf16-moe")) |
		if $named[.] then . else $old end end) as $name |
	(.network * ($own.network // {})), $named[$name],
	(.candidate * ($own.candidate // {}) | .micro_batches = (.gb / .dp / .mbs | floor) | del(.gb) |
		.kind = "candidate" | .name = $r.id)' >"$tmp/in"
sapp-est "$tmp/in" | jq -c 'select(.kind == "estimate") | { name, step_time, low, high, over: (.over | max),
	most: (.memory | max) }' >"$tmp/estimated"
gzip -dc "$data/published.jsonl.gz" | jq -c --slurpfile e "$tmp/estimated" --slurpfile s "$data/settings.jsonl" '
	($e | map({ key: .name, value: . }) | from_entries) as $by | ($s | map(.id)) as $ran | . as $r |
	$by[.id] as $is | { bench: "search-settings",
	source: (if ($ran | index($r.id)) then "bridge, what ran" else .source end),
	network: .network.name, error: ($is.step_time / .step_time | log),
	wide: ($is.high / $is.step_time | log), over: ($is.over / ($is.most - $is.over)) }' >"$tmp/rows"
cat "$tmp/rows" >>"$out"
jq -rs 'def q(s): sort | .[(s * (length - 1) + 0.5 | floor)];
	def inside(f): map(select((.error | fabs) <= .wide * f)) | length;
	def row(name; f; left): [name, length, (map(.error | fabs) | q(0.5), q(0.9)), (map(.error) | q(0.5)),
		inside(1) / length, f, left / length, (map(.wide) | q(0.5))] | @tsv;
	. as $all | [group_by(.source)[] | . as $own |
		{ own: ., f: ($all - $own | map((.error | fabs) / .wide) | q(0.9)) } |
		.left = (.f as $f | .own | inside($f))] as $each |
	($each[] | . as $e | .own | row(.[0].source; $e.f; $e.left)), row("all"; 1; $each | map(.left) | add),
	"what ran and does not fit, by more than 1 %: " +
	(map(select(.source == "bridge, what ran" and .over > 0.01)) | length | tostring)' "$tmp/rows" |
	awk -F '\t' 'BEGIN { printf "%-18s %5s %8s %8s %8s %8s %8s %8s %8s\n", "with settings", "rows", "median",
		"90 %", "bias", "inside", "factor", "left", "+-" }
	NF > 1 { printf "%-18s %5d %8.3f %8.3f %+8.3f %7.0f%% %8.2f %7.0f%% %8.3f\n", $1, $2, $3, $4, $5, 100 * $6, $7,
		100 * $8, $9 }
	NF == 1'

# Order: configurations of one network on one number of devices.
while read -r question; do
	printf '%s\n' "$question" | jq -c --slurpfile c \
		"$top/share/clusters/$(printf '%s\n' "$question" | jq -r .cluster).json" '. as $q | .network,
		($c[0] | .links[-1].bandwidth = $q.inter_gbs),
		(.rows[] | [$q.columns, .] | transpose | map({ key: .[0], value: .[1] }) | from_entries |
		{ kind: "candidate", dp, tp, pp, mbs, micro_batches: (.gb / .dp / .mbs | floor), zero: $q.zero,
		sp: $q.sp, recompute: $q.recompute })' |
		sapp-est | jq -c 'select(.kind == "estimate").step_time' |
		jq -sc --argjson q "$question" '. as $e | $q.rows | to_entries |
		map({ e: ($e[.key] / .value[-2]), m: (.value[-1] / .value[-2]) }) |
		def ranks(f): to_entries | sort_by(.value | f) | to_entries | sort_by(.value.key) | map(.key);
		length as $n | ranks(.e) as $x | ranks(.m) as $y | { bench: "search-rank", rows: $n,
		spearman: (if $n < 3 then 1
		else 1 - 6 * ([range($n) | ($x[.] - $y[.]) * ($x[.] - $y[.])] | add) / ($n * ($n * $n - 1)) end),
		first: (min_by(.e).m / (map(.m) | min) - 1) }'
done <"$data/rank.jsonl" | tee -a "$out" |
	jq -rs '[length, (map(.spearman) | add / length), (map(.first) | max * 100)] | @tsv' |
	awk -F '\t' '{
	printf "ranking: %d questions, Spearman mean %.3f; the first choice at most %.1f %% from the measured best\n",
	$1, $2, $3 }'

# Speed: DeepSeek-V3 on 1024 devices.
cat >"$tmp/net" <<END
{"kind":"network","name":"deepseek-v3","layers":61,"hidden_size":7168,"num_heads":128,"ffn_size":18432,\
"vocab_size":129280,"seq_length":4096,"experts":256,"experts_per_token":8,"expert_ffn_size":2048,\
"shared_ffn_size":2048,"dense_layers":3,"q_lora_rank":1536,"kv_lora_rank":512,"qk_head_dim":128,"rope_head_dim":64,\
"v_head_dim":128,"router_bias":true}
END
for _ in 1 2 3 4 5; do
	sapp-est -space -n 1024 -gb 1024 -cluster h100 -shard all -k 1 "$tmp/net" 2>&1 >/dev/null |
		sed -n 's/.* \([0-9]*\) configurations per second/\1/p'
done | sort -n | sed -n 3p >"$tmp/speed"
sapp-enum -n 1024 -gb 1024 -cluster h100 "$tmp/net" 2>/dev/null >"$tmp/candidates"
n=$(wc -l <"$tmp/candidates")
for _ in 1 2 3 4 5; do
	TIMEFORMAT=%U
	{ time sapp-est <"$tmp/candidates" >/dev/null; } 2>&1
done | sort -n | sed -n 3p | awk -v n="$n" '{ print n / $1 }' >"$tmp/pipe"
jq -nc --slurpfile s "$tmp/speed" --slurpfile p "$tmp/pipe" '{ bench: "search-speed", process: $s[0], pipe: $p[0] }' |
	tee -a "$out" |
	jq -r '"speed on one core: \(.process) configurations per second in one process, " +
		"\(.pipe | floor) through a pipe"'

# The whole search with its proof, and the steps of rows whose settings are read back.
"$top/tests/bench/search_jobs.sh" "$out"

# Compared with published recipes: the conclusion of a search, its assumptions, and its certainty.
"$top/tests/bench/search_recipes.sh" "$out"
