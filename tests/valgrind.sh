#!/bin/sh
# Run by "make valgrind": each tool once on a small job under $VALGRIND, from $BIN.
cd "$(dirname "$0")/.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
example=examples/llama-175b
under() {
	name=$1; shift
	echo "  MEMCHECK $name" >&2
	# shellcheck disable=SC2086 # words of a command
	$VALGRIND "$BIN/$name" "$@" || { echo "$name: status $?" >&2; exit 1; }
}
"$BIN/make-timeline" -P 4 -L 8 -mb 2 -steps 3 -o "$tmp/timeline" >/dev/null
under sapp-trace -mb 2 "$tmp/timeline" >"$tmp/times" || exit 1
under sapp-guide -s 4 -n 16 -k full >/dev/null || exit 1
sed '/profiling_config/,/tail_layers/d' $example/init.yaml >"$tmp/init.yaml"
printf 'time_config: {head: 30, body: 180, tail: 90}\n' >>"$tmp/init.yaml"
under sapp-memsplit "$tmp/init.yaml" $example/peaks.txt </dev/null >"$tmp/layers" || exit 1
under sapp-layers -o "$tmp/layers.json" "$tmp/layers" >/dev/null || exit 1
under sapp-lp -s 16 -mb 16 -mem 56000 -t 10 -gap 0.01 "$tmp/layers" >"$tmp/plan" || exit 1
under sapp-lp -s 4 -i 2 -lm both -mb 8 -mem 300000 -t 10 -gap 0.05 "$tmp/layers" >/dev/null || exit 1
under sapp-lp -s 4 -i 2 -mb 8 -mem 300000 -t 10 -gap 0 -solver cbc "$tmp/layers" >/dev/null || exit 1
under sapp-sim -e -naive 1 -manual $example/manual.yaml "$tmp/plan" >"$tmp/steps" || exit 1
under sapp-yaml "$tmp/plan" >/dev/null || exit 1
under sapp-plot -o "$tmp/step.svg" "$tmp/steps" || exit 1
echo "  no errors" >&2
