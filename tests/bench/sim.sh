#!/bin/sh
# Speed of the simulator: operations a second, memory curve and critical path among it, and bytes an operation, for
# each schedule over stages, chunks and micro-batches. Prints a table; the same as JSON lines in FILE with
# "sim.sh FILE".
out=${1:-/dev/null}
: >"$out"
printf '%-10s %6s %6s %8s %10s %9s %12s %8s %12s\n' schedule stages chunks micro operations ms million/s bytes/op \
	process,s
while read -r schedule stages chunks micro; do
	record=$(awk -v k="$schedule" -v p="$stages" -v v="$chunks" -v m="$micro" 'BEGIN {
		printf "{\"kind\":\"chunks\",\"name\":\"%s\",\"schedule\":\"%s\",\"micro_batches\":%d,"\
				"\"activation\":1,\"forward\":[", k, k, m
		for (c = 0; c < v; c++) {
			printf "%s[", c ? "," : ""
			for (s = 0; s < p; s++)
				printf "%s%g", s ? "," : "", 1 + (7 * c + s) % 5 / 10
			printf "]"
		}
		print "]}"
	}')
	# The fastest of five: the machine may have other things to do.
	for _ in 1 2 3 4 5; do
		start=$(date +%s.%N)
		line=$(printf '%s\n' "$record" | sapp-sim -v 2>&1 >/dev/null) || { echo "$line" >&2; exit 1; }
		echo "$line $(date +%s.%N) $start"
	done | awk -v k="$schedule" -v p="$stages" -v v="$chunks" -v m="$micro" -v out="$out" '
		{ ms = $6; rate = $8; whole = $(NF - 1) - $NF
		  if (NR == 1 || ms < best) { best = ms; ops = $3; fast = rate; bytes = $(NF - 4) }
		  if (NR == 1 || whole < least) least = whole }
		END {
			printf "%-10s %6d %6d %8d %10d %9.3f %12.1f %8.1f %12.3f\n", k, p, v, m, ops, best, fast,
			bytes, least
			printf "{\"bench\":\"sim\",\"schedule\":\"%s\",\"stages\":%d,\"interleave\":%d," \
				"\"micro_batches\":%d," \
				"\"operations\":%d,\"milliseconds\":%s,\"million_per_second\":%s," \
				"\"bytes_per_operation\":%s," \
				"\"process_seconds\":%s}\n", k, p, v, m, ops, best, fast, bytes, least >>out
		}'
done <<'END'
gpipe 16 1 1024
1f1b 4 1 1024
1f1b 16 1 1024
1f1b 64 1 1024
1f1b 1000 1 2000
vpp 16 3 32
vpp 64 4 1024
vpp 64 4 8192
vpp-less 64 4 1024
vpp-less 16 3 32
gpipe 64 4 1024
zb-h1 16 1 128
zb-h1 64 1 1024
zb-h2 16 1 128
zb-h2 64 1 1024
zbv 16 2 128
zbv 64 2 1024
zbv 64 2 8192
v-half 16 2 128
v-half 64 2 1024
v-half 64 2 8192
v-min 16 2 128
v-min 64 2 1024
dualpipe 16 1 128
dualpipe 64 1 1024
dualpipe 64 1 8192
dualpipev 16 2 128
dualpipev 64 2 1024
END
