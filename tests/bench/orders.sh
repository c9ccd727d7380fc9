#!/bin/bash
# Compare orders made for the times with orders of published generators, at the same memory. Each row of
# tests/data/orders.jsonl.gz is a pipeline of equal stages, with the step and the peak of the published order. For each
# schedule this prints how many steps are longer, equal and shorter, the mean and the maximum of step over published
# step, and the seconds to make an order. "orders.sh FILE" also writes the rows to FILE as JSON lines. Then it prints
# the time to make large orders, how far tiny orders are from the best of all orders, found by trying all
# (tests/unit/job_bound.c), the bound at 1000 stages, and measured next to simulated steps, see transfers(). With
# EVERY=n it uses only each n-th row.
out=${1:-/dev/null}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

gzip -dc "$(dirname "$0")/../data/orders.jsonl.gz" | jq -c --argjson every "${EVERY:-1}" '
	select(input_line_number % $every == 0) | . as $r |
	[range(.chunks) | [range($r.stages) | 1]] as $one | def all(x): $one | map(map(. * x));
	. + { ask: ({ kind: "chunks", name: "x", schedule: .like,
	micro_batches, comm_time, forward: all($r.forward), backward: all($r.backward), weight: all($r.weight),
	activation: all($r.activation), weight_activation: all($r.weight_activation) }) }' >"$tmp/rows"
while IFS= read -r row; do
	options=()
	if [ "$(jq -r .like <<<"$row")" = v-auto ]; then
		options=(-mem "$(jq .limit <<<"$row")")
	fi
	jq -c .ask <<<"$row" >"$tmp/in"
	begun=$(date +%s%N)
	sapp-sim -j "${options[@]}" "$tmp/in" >"$tmp/out" || exit 1
	jq -c --argjson row "$row" --argjson ns $(($(date +%s%N) - begun)) 'select(.kind == "sim") |
		($row | del(.ask)) + { bench: "orders", got: .step_time, got_peak: (.peak_memory | max),
		seconds: ($ns / 1e9) } | . + { ratio: (.got / .step) }' "$tmp/out"
done <"$tmp/rows" >"$tmp/all"
[ "$out" = /dev/null ] || cp "$tmp/all" "$out"
printf '%-8s %5s %7s %7s %7s %7s %8s %8s %6s\n' like rows longer equal shorter higher mean worst s
jq -rs 'group_by(.like)[] | [.[0].like, length, (map(select(.ratio > 1 + 1e-9)) | length),
	(map(select(.ratio - 1 | fabs <= 1e-9)) | length), (map(select(.ratio < 1 - 1e-9)) | length),
	(map(select(.got_peak > (.limit // .peak) + 1e-6)) | length), (map(.ratio) | add / length),
	(map(.ratio) | max), (map(.seconds) | add / length)] | @tsv' "$tmp/all" |
	awk -F '\t' '{ printf "%-8s %5d %7d %7d %7d %7d %8.4f %8.4f %6.2f\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 }'

# Print the time to make an order of 16 stages and 128 micro-batches, and how far its step is from the bound.
printf '%-8s %8s %10s %10s %10s %10s\n' like 'P x M' step bound over seconds
for like in zb-h1 zb-h2 zbv v-half v-min v-auto; do
	jq -nc --arg like "$like" '(if $like | startswith("zb-h") then 1 else 2 end) as $v |
		[range($v) | [range(16) | 1]] as $one | def all(x): $one | map(map(. * x / $v));
		{ kind: "chunks", name: "x", schedule: $like, micro_batches: 128, comm_time: 0.4,
		forward: all(11.3), backward: all(19.3), weight: all(8.1), activation: all(1) }' |
		sapp-sim -v -j >"$tmp/out" 2>"$tmp/err" || exit 1
	sed -n 's/.*(the order \([0-9.]*\) ms.*/\1/p' "$tmp/err" | jq -r --slurpfile out "$tmp/out" \
		--arg like "$like" '($out | map(select(.kind == "sim"))[0]) as $r | [$like, $r.step_time,
		$r.lower_bound, 100 * ($r.step_time / $r.lower_bound - 1), . / 1000] | @tsv'
done | awk -F '\t' '{ printf "%-8s %8s %10.1f %10.1f %8.2f %% %10.3f\n", $1, "16 x 128", $2, $3, $4, $5 }'

# Print how far tiny orders are from the best of all orders. Print the bound for 1000 stages after 5 s of processor
# time, next to the time of filling, load and draining.
proofs() {
	"${BUILD:-build}/tests/job_bound" | sed -n 's/^ok [0-9]* - \(.*any order.*\)/\1/p; s/^# \(the best\)/\1/p'
	jq -nc '{ kind: "layer", name: "b", type: "BODY", nb_layer: 2000, time: 10, memory_parameter: 1,
		memory_activation: 1 }' | sapp-lp -s 1000 -mb 1024 -mem 100000 -set wall=0 -t 5 |
		jq -r 'select(.kind == "plan") | "1f1b 1000 x 1024: bound \(.lower_bound), " +
		"filling, load and draining \((1024 + 999) * 60)"'
}

[ -n "${EVERY:-}" ] || proofs

# transfers: print measured next to simulated steps, from the first forward to the last operation of stage 0. 1f1b uses
# exchanges; zero bubble does not wait for its sends. The last lines have the mean measured and simulated step of both
# modes on clean links, to compare how they rank.
measured=$(dirname "$0")/../data/transfers.jsonl
transfers() {
	printf '%-34s %-8s %10s %10s %8s\n' run transfers measured simulated error
	jq -c '{kind: "chunks"} + del(.measured) |
		.transfers = if .schedule == "1f1b" then "batched" else "hidden" end' "$measured" |
		sapp-sim -e | jq -r 'select(.kind == "block" and .stage == 0) | [.plan, .end] | @tsv' |
		awk -F '\t' '{ if ($2 > end[$1]) end[$1] = $2 } END { for (p in end) print p "\t" end[p] }' |
		sort >"$tmp/simulated"
	jq -r '[.name, if .schedule == "1f1b" then "exchange" else "hidden" end, .measured] | @tsv' \
		"$measured" | sort | join -t '	' - "$tmp/simulated" | sort -t '	' -k 2,2 |
		awk -F '\t' -v out="$out" '
		function median(way, n,    i, j, x) {
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && e[way, j] < e[way, j - 1]; j--) {
					x = e[way, j]; e[way, j] = e[way, j - 1]; e[way, j - 1] = x
				}
			return (e[way, int((n + 1) / 2)] + e[way, int(n / 2) + 1]) / 2
		}
		{
			error = 100 * ($4 / $3 - 1)
			printf "%-34s %-8s %10.1f %10.1f %+7.2f%%\n", $1, $2, $3, $4, error
			printf "{\"bench\":\"orders\",\"run\":\"%s\",\"transfers\":\"%s\",\"measured\":%s,"\
			"\"simulated\":%s}\n", $1, $2, $3, $4 >>out
			e[$2, ++n[$2]] = error < 0 ? -error : error
			if ($1 ~ /clean|\/ZB\//) {	# clean links
				sum[$2] += $3; found[$2] += $4; clean[$2]++
			}
		}
		END {
			for (way in n) {
				half = median(way, n[way])
				printf "%-34s %-8s median %.2f%%, worst %.2f%%\n", n[way] " runs", way, half,
					e[way, n[way]]
			}
			for (way in clean)
				printf "%-34s %-8s %10.1f %10.1f\n", "clean links, mean", way, sum[way] / clean[way],
					found[way] / clean[way]
		}'
}

transfers
