#!/bin/sh
# Condition numbers of proposed designs, compared with 1000 random designs that determine all unknowns. Prints a table;
# "guide.sh FILE" also writes it to FILE as JSON lines.
out=${1:-/dev/null}
: >"$out"
printf '%6s %6s %-24s %6s %9s %9s %9s %8s\n' stages layers kinds rounds proposed best median seconds
while read -r stages layers kinds; do
	start=$(date +%s.%N)
	line=$(sapp-guide -s "$stages" -n "$layers" -k "$kinds" -H | tail -n 1) || exit 1
	seconds=$(echo "$(date +%s.%N) $start" | awk '{ print $1 - $2 }')
	rounds=${line%% *}
	proposed=${line##* }
	sapp-guide -s "$stages" -n "$layers" -k "$kinds" -random 1000 | sort -g |
		awk -v s="$stages" -v l="$layers" -v k="$kinds" \
		-v r="$rounds" -v p="$proposed" -v t="$seconds" -v out="$out" '{ c[NR] = $1 }
		END {
			if (NR == 0)	# none of a million determines all
				c[1] = "inf"
			median = c[int((NR + 1) / 2)]
			printf "%6d %6d %-24s %6d %9.3f %9.3f %9.3f %8.2f\n", s, l, k, r, p, c[1], median, t
			printf "{\"bench\":\"guide\",\"stages\":%d,\"layers\":%d,\"kinds\":\"%s\"," \
				"\"rounds\":%d,\"condition\":%s," \
				"\"best_random\":%s,\"median_random\":%s,\"seconds\":%s}\n", s, l, k, r, p, c[1],
				median, t >>out
		}'
done <<'END'
16 96 full,select,comm,both
16 96 select,comm,both
16 96 full
16 17 full,select,comm,both
8 32 full,select
8 80 full,comm
4 80 full
4 80 full,select,comm,both
4 5 none
3 12 none
2 8 full
64 256 full,select,comm,both
END
