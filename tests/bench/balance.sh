#!/bin/sh
# Seconds of sapp-balance on the 175B example, with times from a profile and all pictures, and for a repeated command.
# Prints a table; "balance.sh FILE" also writes it to FILE as JSON lines.
out=${1:-/dev/null}
here=$(cd "$(dirname "$0")" && pwd)
example=$here/../../examples/llama-175b
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
: >"$out"
"$example/make-timeline" "$tmp/timeline" >/dev/null || exit 1
cp "$example/init.yaml" "$tmp" || exit 1
printf '%-12s %8s %10s\n' run seconds pictures
for run in first again; do
	start=$(date +%s.%N)
	sapp-balance --init "$tmp/init.yaml" -mb 16 -mem 56000 -manual "$example/manual.yaml" -o "$tmp/results" \
		"$example/peaks.txt" >"$tmp/report" 2>"$tmp/err" || { cat "$tmp/err" >&2; exit 1; }
	seconds=$(echo "$(date +%s.%N) $start" | awk '{ print $1 - $2 }')
	pictures=$(find "$tmp/results" -name '*.svg' | wc -l)
	printf '%-12s %8.2f %10d\n' "$run" "$seconds" "$pictures"
	printf '{"bench":"balance","name":"%s","seconds":%s,"pictures":%d}\n' "$run" "$seconds" "$pictures" >>"$out"
done
