#!/bin/bash
# Compare 22 measured steps, and their memory, on 8 B200 with estimates by operators: with the installed table, and with
# a table that lacks every product of the row. Prints a table; "operators.sh FILE" also writes it to FILE as JSON lines.
out=${1:-/dev/null}
top=$(cd "$(dirname "$0")/../.." && pwd)
steps=$top/../shared/data/b200/steps.jsonl
[ -r "$steps" ] || { echo "operators: $steps is not there: skipped"; exit 0; }
: >"$out"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# A row is two lines of rows, a network and a candidate, and one line of measured, the measured step.
jq -c '.network, (.candidate | .kind = "candidate")' "$steps" >"$tmp/rows"
jq -r '[.id, .measured.step_time] | @tsv' "$steps" >"$tmp/measured"

# summary NAME FILE: summarize FILE, whose lines have a measured, an estimated, a low and a high value.
summary() {
	awk -v name="$1" -v out="$out" '
	{ e = $2 / $1 - 1; if (e < 0) e = -e; error[++n] = e; inside += $1 >= $3 && $1 <= $4 }
	END {
		for (i = 2; i <= n; i++) for (j = i; j > 1 && error[j - 1] > error[j]; j--) {
			t = error[j]; error[j] = error[j - 1]; error[j - 1] = t }
		median = n % 2 ? error[(n + 1) / 2] : (error[n / 2] + error[n / 2 + 1]) / 2
		printf "%-44s %2d steps  median %5.2f %%  worst %5.2f %%  inside %d\n", name, n, 100 * median,
			100 * error[n], inside
		printf "{\"bench\":\"operators\",\"table\":\"%s\",\"steps\":%d,\"median\":%.4g,\"worst\":%.4g,"\
			"\"inside\":%d}\n", name, n, median, error[n], inside >>out
	}' "$2"
}
figures() { jq -r 'select(.kind == "estimate") | [.step_time, .low, .high] | @tsv'; }

sapp-est -cluster b200 "$tmp/rows" | figures | paste "$tmp/measured" - | cut -f 2- >"$tmp/given"
summary 'all operators of the table' "$tmp/given"

# Compare the allocated memory of each stage.
jq -r '.measured.allocated[]' "$steps" >"$tmp/allocated"
sapp-est -cluster b200 "$tmp/rows" | jq -r 'select(.kind == "estimate") | .memory[]' | paste "$tmp/allocated" - |
	awk '{ print $0, 0, 0 }' >"$tmp/memory"
summary 'allocated memory of a stage' "$tmp/memory" | sed 's/ inside 0//'

# On a device without a table all operators of a row are listed; remove the products among them from the table.
row=0
while read -r _ measured; do
	row=$((row + 1))
	sed -n "$((2 * row - 1)),$((2 * row))p" "$tmp/rows" >"$tmp/row"
	sapp-est -cluster h100 -operators -until 0 "$tmp/row" 2>"$tmp/err" |
		jq -c 'select(.op == "matmul") | [.m, .n, .k, .layout]' >"$tmp/asked"
	jq -c --slurpfile asked "$tmp/asked" 'select(.op != "matmul" or ([.m, .n, .k, .layout] as $key |
		all($asked[]; . != $key)))' "$top/share/operators/b200.jsonl" >"$tmp/left"
	printf '%s\t%s\n' "$measured" \
		"$(sapp-est -cluster b200 -measured "$tmp/left" "$tmp/row" 2>"$tmp/err" | figures)"
done <"$tmp/measured" >"$tmp/without"
summary 'without the products of the row' "$tmp/without"

# Measure the processor time for a space of DeepSeek-V3 on 1024 devices, with the installed table and without a table.
sed -n 1p "$tmp/rows" | jq -c '.layers = 61 | .experts = 256 | .experts_per_token = 8 | .expert_ffn_size = 2048 |
	.dense_layers = 3' >"$tmp/net"
jq -c '.name = "other" | del(.kernels)' "$top/share/clusters/b200.json" >"$tmp/other.json"
TIMEFORMAT=%U
for cluster in b200 "$tmp/other.json"; do
	for _ in 1 2 3; do
		{
			time sapp-est -space -n 1024 -gb 1024 -cluster "$cluster" -shard all -k 1 "$tmp/net" \
				>/dev/null 2>&1
		} 2>&1
	done | sort -n | sed -n 2p
done | paste -s | awk '{ printf "%-44s %.2f s, without a table %.2f s: %.2f of the rate\n",
	"a space of 1024 devices", $1, $2, $2 / $1 }' | tee "$tmp/speed"
awk '{ printf "{\"bench\":\"operators-speed\",\"rate\":%s}\n", $(NF - 3) }' "$tmp/speed" >>"$out"
