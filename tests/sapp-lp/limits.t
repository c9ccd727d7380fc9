#!/bin/sh
# Limits that were once wrongly reported as too low, and the smallest limit: it must work, and less must fail.
. "$(dirname "$0")/../lib.sh"

# Print the options of a question, after writing its layers to $tmp/layers.
plan() {
	# shellcheck disable=SC2086 # words are options
	sapp-lp $question -gap 10 "$@" "$tmp/layers" >"$tmp/out" 2>"$tmp/err"
	status=$?
}
of() { jq -c "select(.kind == \"plan\") | $1" "$tmp/out"; }
peaks() { sapp-sim "$tmp/out" | jq -c 'select(.kind == "sim").peak_memory'; }
said() { sed \
	-n 's/.*the smallest limit \(that works\|known to work\) is \([0-9.]*\) MB, for stage [0-9]*\(,.*\)*$/\2/p' \
	"$tmp/err"; }

while read -r line; do
	name=$(printf '%s\n' "$line" | jq -r .name) question=$(printf '%s\n' "$line" | jq -r .question)
	fits=$(printf '%s\n' "$line" | jq -r .fits) least=$(printf '%s\n' "$line" | jq -r '.least // empty')
	printf '%s\n' "$line" | jq -c '.records[]' >"$tmp/layers"
	[ -n "${LONG-}" ] || [ "$name" != several-chunks ] || continue
	plan -mem "$fits" -t 60
	same "$name: a plan fits" "0 " "$status $(grep -v warning: "$tmp/err")"
	same "$name: as its peaks say" true "$(jq -n --argjson peak "$(peaks)" --argjson limit "[$fits]" \
		'[$peak | keys[] as $s | $peak[$s] <= ($limit[$s] // $limit[0]) + 1e-6] | all')"
	case $fits in *,*) continue ;; esac
	# Ask with almost no memory: the reported limit must work.
	plan -mem 1 -t 20
	limit=$(said)
	[ -z "$least" ] || near "$name: the smallest limit" "$least" "$limit" 0.001
	[ "$limit" != "$fits" ] || continue
	plan -mem "$limit" -t 60
	same "$name: $limit MB are found to work" "0 " "$status $(grep -v warning: "$tmp/err")"
	[ -n "$least" ] || continue
	plan -mem "$(jq -n "$limit - 0.01")" -t 20
	same "$name: less does not, which says the same" "3 $limit" "$status $(said)"
done <"$top/tests/data/limits.jsonl"

# Separate forward times, by hand: one micro-batch on two stages waits for all, (1 + 2) + 2 (3 + 4) ms.
printf '%s\n' '{"kind":"layer","name":"h","type":"HEAD","nb_layer":1,"forward_time":1,"backward_time":2,"time":5}' \
	'{"kind":"layer","name":"b","type":"BODY","nb_layer":2,"forward_time":3,"backward_time":4,"time":10}' \
	>"$tmp/layers"
question='-s 2 -mb 1 -gap 0'
plan -mem 10
same 'forward_time, not time, is that of a forward' '0 17' "$status $(of .step_time)"

# The lists of the training YAML cannot express a layer without full recomputation before layers with it.
jq -c 'select(.name == "one-chunk").records[]' "$top/tests/data/limits.jsonl" >"$tmp/layers"
question='-s 4 -mb 3 -S gpipe'
plan -mem 436.78,411.791,382.513,800.163
same "lists say less: no plan fits" "3 [\"infeasible\",64.367055]" "$status $(of '[.status, .excess]')"
done_testing
