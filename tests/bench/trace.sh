#!/bin/sh
# Speed and memory of sapp-trace on timelines of SIZE MB (1024) written to TMPDIR, compared with Python's json.load on
# the same file if python3 and the memory are available. Prints a table; "trace.sh FILE" also writes it to FILE as JSON
# lines.
out=${1:-/dev/null}
size=${SIZE:-1024}
: >"$out"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Elapsed seconds of a command; its output goes to $tmp/out and $tmp/err.
seconds() {
	start=$(date +%s.%N)
	"$@" >"$tmp/out" 2>"$tmp/err" || { cat "$tmp/err" >&2; exit 1; }
	echo "$(date +%s.%N) $start" | awk '{ print $1 - $2 }'
}
# row NAME MB ELAPSED PROCESSOR PEAK: print a row; if known, the figures of json.load are in $load and $load_peak.
row() {
	awk -v n="$1" -v mb="$2" -v t="$3" -v cpu="$4" -v m="$5" -v load="$load" -v loadm="$load_peak" -v out="$out" \
		'BEGIN {
		printf "%-18s %7d %8.2f %8.2f %8.0f %8.1f", n, mb, t, cpu, mb / cpu, m
		printf "{\"bench\":\"trace\",\"name\":\"%s\",\"MB\":%d,\"seconds\":%s,"\
			"\"processor_seconds\":%s,\"peak_MB\":%s", \
			n, mb, t, cpu, m >>out
		if (load != "") {
			printf " %9.1f %9.1f", load / cpu, loadm / m
			printf ",\"times_faster\":%.3g,\"times_smaller\":%.3g", load / cpu, loadm / m >>out
		}
		print ""
		print "}" >>out
	}'
}
load='' load_peak=''
printf '%-18s %7s %8s %8s %8s %8s %9s %9s\n' timeline MB seconds 'proc. s' MB/s 'peak MB' 'x faster' 'x smaller'
for format in trace_view msprof display; do
	file=$(make-timeline -format $format -stages 0 -size "$size" -o "$tmp/$format") || exit 1
	mb=$(($(wc -c <"$file") >> 20))
	load='' load_peak=''
	free=$(awk '/MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
	if command -v python3 >/dev/null && [ "$free" -gt $((mb * 12)) ]; then
		python3 -c 'import json, resource, sys
json.load(open(sys.argv[1]))
r = resource.getrusage(resource.RUSAGE_SELF)
print(r.ru_utime + r.ru_stime, r.ru_maxrss / 1024)' "$file" >"$tmp/load" && read -r load load_peak <"$tmp/load"
	fi
	for form in "$format" "$format.gz"; do
		[ "$form" = "$format" ] || { gzip -1 "$file"; file=$file.gz; }
		elapsed=$(seconds sapp-trace -v -mb 16 "$file") || exit 1
		# "sapp-trace: 1.50 s of processor time, at most 22.1 MB of memory"
		read -r cpu peak <<-END
			$(sed -n 's/.*: \([0-9.]*\) s of processor time, at most \([0-9.]*\) MB.*/\1 \2/p' "$tmp/err")
		END
		row "$form" "$mb" "$elapsed" "$cpu" "$peak"
	done
	[ -z "$load" ] || row "$format json.load" "$mb" "$load" "$load" "$load_peak"
	rm -rf "${tmp:?}/$format"
done

# A table of kernels: a stage of 40 layers, its steps over and over.
load='' load_peak=''
awk -v form=full -v order=FFBFBFBB -v layers=40 -v transfers=1 -v steps=20 \
	-f "$(dirname "$0")/../sapp-trace/details.awk" >"$tmp/part.csv"
{ cat "$tmp/part.csv"; i=1; while [ $((i * $(wc -c <"$tmp/part.csv") >> 20)) -lt $((size / 4)) ]; do
	tail -n +2 "$tmp/part.csv" |
		awk -F, -v OFS=, -v i=$i '{ $1 += 20 * i; print }'; i=$((i + 1)); done; } >"$tmp/kernel_details.csv"
mb=$(($(wc -c <"$tmp/kernel_details.csv") >> 20))
elapsed=$(seconds sapp-trace -v "$tmp/kernel_details.csv") || exit 1
read -r cpu peak <<END
$(sed -n 's/.*: \([0-9.]*\) s of processor time, at most \([0-9.]*\) MB.*/\1 \2/p' "$tmp/err")
END
row kernel_details "$mb" "$elapsed" "$cpu" "$peak"
