#!/bin/sh
# Speed of the simulator: for each schedule over stages, chunks and micro-batches, without transfers, with hidden
# transfers, and with transfers in the modes of runtimes (posts are placed anew in each run; sapp-lp's evaluator has
# them compiled). Columns: operations per second that are arranged and simulated, including memory curve and critical
# path; bytes per operation; and the processor time of the whole process, for its own operations, and including the
# ideal and the undelayed schedule. Medians of five runs. Prints a table; "sim.sh FILE" also writes it to FILE as JSON
# lines.
out=${1:-/dev/null}
: >"$out"

# Print figures from the numbers between two texts in the lines of standard input.
median() {
	sed -n "s/.*$1\([0-9.]*\)$2.*/\1/p" | sort -n | sed -n 3p
}

printf '%-13s %6s %6s %6s %5s %-10s %10s | %9s %9s %9s %8s | %9s %9s %9s\n' \
	'' '' '' '' '' '' '' arranged of\ it million bytes/ process million \ simulated \
	schedule stages chunks micro comm transfers operations ms order a\ second operation ms a\ second million/s
while read -r schedule stages chunks micro comm way; do
	record=$(awk -v k="$schedule" -v p="$stages" -v v="$chunks" -v m="$micro" -v comm="${comm:-0}" \
			-v way="${way:-hidden}" 'BEGIN {
		printf "{\"kind\":\"chunks\",\"name\":\"%s\",\"schedule\":\"%s\",\"micro_batches\":%d,"\
				"\"comm_time\":%s,\"transfers\":\"%s\",\"activation\":1,\"forward\":[",
				k, k, m, comm, way
		for (c = 0; c < v; c++) {
			printf "%s[", c ? "," : ""
			for (s = 0; s < p; s++)
				printf "%s%g", s ? "," : "", 1 + (7 * c + s) % 5 / 10
			printf "]"
		}
		print "]}"
	}')
	told=$(for _ in 1 2 3 4 5; do
		printf '%s\n' "$record" | sapp-sim -v 2>&1 >/dev/null || exit 1
	done) || { echo "$told" >&2; exit 1; }
	operations=$(printf '%s\n' "$told" | median ': ' ' operations in')
	ms=$(printf '%s\n' "$told" | median 'operations in ' ' ms')
	order=$(printf '%s\n' "$told" | median 'the order ' ' ms')
	rate=$(printf '%s\n' "$told" | median 'ms), ' ' million per second')
	bytes=$(printf '%s\n' "$told" | median 'second, ' ' bytes each')
	process=$(printf '%s\n' "$told" | median ': ' ' ms of processor')
	whole=$(printf '%s\n' "$told" | median 'per second ' ' million operations')
	simulated=$(printf '%s\n' "$told" | median 'schedules, ' ' million simulated')
	printf '%-13s %6d %6d %6d %5s %-10s %10d | %9.3f %9.3f %9.1f %8.1f | %9.3f %9.1f %9.1f\n' \
		"$schedule" "$stages" "$chunks" "$micro" "${comm:-0}" "${way:-hidden}" \
		"$operations" \
		"$ms" "$order" "$rate" "$bytes" "$process" "$whole" "$simulated"
	{
		printf '{"bench":"sim","schedule":"%s","stages":%d,"interleave":%d,"micro_batches":%d,"comm_time":%s,' \
			"$schedule" "$stages" "$chunks" "$micro" "${comm:-0}"
		printf '"transfers":"%s",' "${way:-hidden}"
		printf '"operations":%d,"milliseconds":%s,"order_milliseconds":%s,"million_per_second":%s,' \
			"$operations" "$ms" "$order" "$rate"
		printf '"bytes_per_operation":%s,"process_milliseconds":%s,"process_million_per_second":%s,' \
			"$bytes" "$process" "$whole"
		printf '"simulated_million_per_second":%s}\n' "$simulated"
	} >>"$out"
done <<'END'
gpipe 16 1 1024
1f1b 4 1 1024
1f1b 16 1 1024
1f1b 64 1 1024
1f1b 64 1 8192
1f1b 1000 1 2000
vpp 16 3 32
vpp 64 4 1024
vpp 64 4 8192
vpp-less 64 4 1024
vpp-less 16 3 32
gpipe 64 4 1024
zb-h1 16 1 128
zb-h1 64 1 1024
zb-h1 64 1 8192
zb-h2 16 1 128
zb-h2 64 1 1024
zb-h2 64 1 8192
zb-vpp 16 2 128
zb-vpp 64 2 1024
zb-vpp 64 2 8192
zbv 16 2 128
zbv 64 2 1024
zbv 64 2 8192
v-half 16 2 128
v-half 64 2 1024
v-half 64 2 8192
v-min 16 2 128
v-min 64 2 1024
v-min 64 2 8192
dualpipe 16 1 128
dualpipe 64 1 1024
dualpipe 64 1 8192
dualpipev 16 2 128
dualpipev 64 2 1024
dualpipev 64 2 8192
zero-bubble-v 64 2 8192
zb-h1 64 1 64
zbv 64 2 64
v-half 64 2 64
zb-h1 64 1 8192 0.1
zb-h2 64 1 8192 0.1
zbv 64 2 8192 0.1
v-half 64 2 8192 0.1
v-min 64 2 8192 0.1
1f1b 64 1 1024 0.1 hidden
1f1b 64 1 1024 0.1 blocking
1f1b 64 1 1024 0.1 batched
1f1b 64 1 1024 0.1 overlap
1f1b 64 1 1024 0.1 streams-1
1f1b 64 1 1024 0.1 streams-4
1f1b 64 1 1024 0.1 one-by-one
zb-h1 16 1 128 0.1 streams-1
zbv 16 2 128 0.1 streams-1
END
