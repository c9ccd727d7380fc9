#!/bin/sh
# The scripts start few programs, since each start takes milliseconds.
. "$(dirname "$0")/lib.sh"

# started COMMAND...: print the number of programs that it starts, including itself.
started() {
	strace -f -qq -e trace=execve -e signal=none -o "$tmp/trace" "$@" >"$tmp/out" 2>"$tmp/err" || cat "$tmp/err" >&2
	grep -c '= 0$' "$tmp/trace"
}
# few NAME MOST COMMAND...
few() {
	name=$1 most=$2; shift 2
	n_started=$(started "$@")
	if [ "$n_started" -gt 3 ] && [ "$n_started" -le "$most" ]; then
		ok "$name"
	else
		not_ok "$name"
		printf '%s programs, more than %s\n' "$n_started" "$most" | diag
	fi
}
if ! strace -o "$tmp/trace" true 2>"$tmp/err"; then
	skip 'strace cannot trace here'
	done_testing
	exit
fi
cat >"$tmp/layers.jsonl" <<'END'
{"kind":"layer","name":"Head","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":100}
{"kind":"layer","name":"Body","type":"BODY","nb_layer":8,"time":2,"memory_parameter":200,"memory_activation":100}
{"kind":"layer","name":"Tail","type":"TAIL","nb_layer":1,"time":2,"memory_parameter":100}
END
balance() { few "$1" "$2" sapp-balance --layers "$tmp/layers.jsonl" -s 2 -mb 4 -mem 2500 -t 5 -o "$tmp/balance"; }
balance 'sapp-balance, with all pictures' 37
balance 'again, with nothing to do' 10
few 'sapp-sweep, nine questions' 40 sapp-sweep -s 2 -mb 4 -mem 2000-3000:500 -i 1,2 -t 1 -j 1 -o "$tmp/sweep" \
	"$tmp/layers.jsonl"
few 'again, with nothing to ask' 21 sapp-sweep -s 2 -mb 4 -mem 2000-3000:500 -i 1,2 -t 1 -j 1 -o "$tmp/sweep" \
	"$tmp/layers.jsonl"
cp "$top"/examples/moe-64/*.json "$top"/examples/moe-64/*.yaml "$tmp"
# It ends with the proof, before its time. On a busy machine it plans in more rounds.
n_started=$(started sapp-search -t 60 -j 1 -o "$tmp/search" "$tmp/job.yaml")
rounds=$(grep -c ' could be shorter$' "$tmp/err")
printf 'sapp-search: %s programs for %s rounds\n' "$n_started" "$rounds" >"$tmp/out"
check 'sapp-search, with its winners written' sh -c 'cat "$1" && [ "$2" -gt 50 ] && [ "$2" -le "$3" ]' sh "$tmp/out" \
	"$n_started" $((180 + 30 * rounds))
done_testing
