#!/bin/bash
# Does -t hold? Large questions with little time, and the wall time by which each overruns it; then the same questions
# with TERM after a second, and how long each takes to end. Prints a table and the worst of both; the same as JSON lines
# in FILE with "deadline.sh FILE". Wall times are those of the machine as it is: on a busy one they say little.
# QUESTIONS: only those whose names match this pattern.
out=${1:-/dev/null}
: >"$out"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# layers KINDS EACH: so many kinds of layers with so many layers each, no two alike, between a head and a tail.
layers() {
	jq -nc --argjson kinds "$1" --argjson each "$2" '
		{ kind: "layer", name: "HEAD", type: "HEAD", nb_layer: 1, time: 30.3, memory_parameter: 4000 },
		(range($kinds) | (. * 37 % 101 / 101) as $x |
			{ kind: "layer", name: "B\(.)", type: "BODY", nb_layer: $each, time: (180.7 - 90 * $x),
			memory_parameter: (1500.3 - 700 * $x), memory_activation: (800.1 - 300 * $x),
			memory_select_rec: (600.7 - 250 * $x), memory_select_comm: (420.9 - 200 * $x),
			memory_both_comm_select: (310.1 - 100 * $x), memory_recompute: (32.3 - 10 * $x) }),
		{ kind: "layer", name: "TAIL", type: "TAIL", nb_layer: 1, time: 90.9, memory_parameter: 2000 }'
}
# row NAME HOW ALLOWED TOOK STATUS: s; what was taken above what was allowed is the overrun.
row() {
	jq -nc --arg name "$1" --arg how "$2" --argjson allowed "$3" --argjson took "$4" --argjson status "$5" \
		'{ bench: "deadline", name: $name, how: $how, allowed: $allowed, took: $took,
		overrun: ([$took - $allowed, 0] | max), status: $status }' | tee -a "$tmp/rows" |
		jq -r '[.name, .how, .allowed, .took, .overrun, 100 * .overrun / .allowed, .status] | @tsv' |
		awk -F '\t' '{ printf "%-40s %-4s %8.2f %8.2f %8.2f %8.1f %6s\n", $1, $2, $3, $4, $5, $6, $7 }'
}
seconds_since() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.3f", b - a }'; }

printf '%-40s %-4s %8s %8s %8s %8s %6s\n' question how allowed took overrun '%' status
while read -r name kinds each seconds options; do
	[[ $name =~ ${QUESTIONS-} ]] || continue
	layers "$kinds" "$each" >"$tmp/layers"
	begun=$EPOCHREALTIME
	# shellcheck disable=SC2086 # words are options
	sapp-lp -j $options -gap 0 -t "$seconds" "$tmp/layers" >"$tmp/plan" 2>"$tmp/err"
	status=$?
	row "$name" -t "$seconds" "$(seconds_since "$begun")" "$status"
	[ $status -eq 0 ] || [ $status -eq 3 ] || { cat "$tmp/err" >&2; exit 1; }
	# shellcheck disable=SC2086
	sapp-lp -j $options -gap 0 -t 1000 "$tmp/layers" >"$tmp/plan" 2>"$tmp/err" &
	job=$!
	sleep 1
	begun=$EPOCHREALTIME
	# What has ended by then has nothing to be told.
	if kill -TERM $job 2>/dev/null; then
		wait $job
		status=$?
		row "$name" TERM 1 "$(awk -v t="$(seconds_since "$begun")" 'BEGIN { print 1 + t }')" "$status"
	fi
done <<'END'
one-kind-1000-stages 1 2000 1 -s 1000 -mb 1000 -mem 60000
one-kind-1000-stages-longer 1 2000 5 -s 1000 -mb 1000 -mem 60000
one-kind-1000-stages-nothing-fits 1 2000 1 -s 1000 -mb 1000 -mem 100
450-kinds 450 1 1 -s 8 -mb 32 -mem 150000
450-kinds-two-chunks 450 1 1 -s 8 -i 2 -mb 32 -mem 150000
40-kinds-of-50 40 50 1 -s 64 -mb 128 -mem 400000
20-kinds-of-20-four-chunks 20 20 1 -s 64 -i 4 -mb 128 -mem 60000
450-kinds-nothing-fits 450 1 1 -s 8 -mb 32 -mem 1
450-kinds-two-chunks-nothing-fits 450 1 1 -s 8 -i 2 -mb 32 -mem 1
450-kinds-limits-of-stages 450 1 1 -s 4 -i 2 -mb 16 -mem 250000,210000,230000,190000
40-kinds-tight 40 10 1 -s 16 -i 2 -mb 64 -mem 52000
3-kinds-of-300 3 300 1 -s 16 -i 3 -mb 64 -mem 120000
3-kinds-of-300-all-mixes 3 300 1 -s 16 -i 3 -mb 64 -mem 120000 -mixes all
64-stages-of-4-chunks 1 256 1 -s 64 -i 4 -mb 256 -mem 30000
64-stages-of-4-chunks-longer 1 256 5 -s 64 -i 4 -mb 256 -mem 30000
64-stages-of-4-chunks-tight 1 256 1 -s 64 -i 4 -mb 256 -mem 14000
10000-layers 1 10000 1 -s 64 -mb 256 -mem 900000
10000-layers-two-chunks 2 5000 1 -s 64 -i 2 -mb 256 -mem 900000
v-shape 3 64 1 -s 64 -mb 256 -mem 60000 -S zbv
dualpipe 3 64 1 -s 64 -mb 256 -mem 60000 -S dualpipe
several-schedules 3 64 2 -s 32 -mb 128 -mem 60000 -i 1,2 -S 1f1b,vpp,zb-h1,vpp-less
free-order 1 128 1 -s 32 -mb 128 -mem 60000 -S free
free-order-two-chunks 1 256 1 -s 32 -i 2 -mb 128 -mem 60000 -S free
uniform-512-stages 1 1024 1 -s 512 -mb 1024 -mem 40000 -target megatron
uniform-four-chunks 3 128 1 -s 64 -i 4 -mb 256 -mem 40000 -target megatron
uniform-450-kinds 450 1 1 -s 8 -mb 32 -mem 150000 -mixes uniform
sequence-in-parts 1 128 1 -s 32 -mb 128 -mem 60000 -seq 8
END
cat "$tmp/rows" >>"$out"
jq -rs 'group_by(.how)[] | (max_by(.overrun)) as $worst | map(select(.overrun > ([0.2, 0.05 * .allowed] | max))) as $late |
	"\(.[0].how): \(length) questions, worst overrun \($worst.overrun * 1000 | round / 1000) s (\($worst.name)); " +
	"\($late | length) by more than 0.2 s and 5 %"' "$tmp/rows"
