#!/bin/sh
# Known memories -> sapp-guide -> stand-in dryruns -> sapp-memsplit -> the same memories.
. "$(dirname "$0")/../lib.sh"
standin=$top/tests/sapp-dryrun/standin
export PAR NONE SELECT COMM BOTH FULL CONST HEAD TAIL LAYERS STAGES

# loop NAME STAGES LAYERS KINDS MEMORIES: the memories are found to 1 MB, although logs have no decimals.
loop() {
	name=$1 STAGES=$2 LAYERS=$3 kinds=$4
	read -r PAR NONE SELECT COMM BOTH FULL CONST HEAD TAIL <<-END
		$5
	END
	rm -rf "$tmp/runs" && mkdir "$tmp/runs"
	sapp-guide -s "$STAGES" -n "$LAYERS" -k "$kinds" -o "$tmp/init.yaml" >"$tmp/measure.jsonl" \
		2>"$tmp/guide.err" || { not_ok "$name"; diag <"$tmp/guide.err"; return; }
	round=0
	while read -r line; do
		printf '%s\n' "$line" >"$tmp/round_$round.json"
		sapp-dryrun "'$standin' '$tmp/round_$round.json'" $((STAGES * 64)) "$STAGES" \
			"$tmp/runs" -round $round -j 2 2>"$tmp/dry.err" || diag <"$tmp/dry.err"
		round=$((round + 1))
	done <"$tmp/measure.jsonl" >"$tmp/peaks.txt"
	sapp-memsplit -j "$tmp/init.yaml" <"$tmp/peaks.txt" >"$tmp/split.jsonl" 2>"$tmp/err" ||
		{ cat "$tmp/err" | diag; }
	near "$name, $round rounds" 0 \
		"$(jq -n --slurpfile r "$tmp/split.jsonl" '[$r[] | select(.kind == "fit").estimates[] |
		.value - (env[{parameter: "PAR", none: "NONE", select: "SELECT", comm: "COMM", both: "BOTH",
		full: "FULL",
		const: "CONST", head: "HEAD", tail: "TAIL"}[.name]] | tonumber) | fabs] | max')" 1
	same "$name: all unknowns" "$6" "$(jq 'select(.kind == "fit").unknowns' "$tmp/split.jsonl")"
}
loop "16 stages, 96 layers, all kinds" 16 96 full,select,comm,both "2142 852 767 536 511 40 -1897 6142 3100" 9
loop "4 stages, 80 layers, full" 4 80 full "400 743 0 0 0 131 955 504 2374" 6
loop "3 stages, 12 layers, full" 3 12 full "400 743 0 0 0 131 955 504 2374" 6
loop "2 stages, 8 layers, full" 2 8 full "400 743 0 0 0 131 0 504 2374" 5
loop "8 stages, 20 layers, none" 8 20 none "1562 822 0 0 0 0 77 9785 2869" 5
loop "8 stages, 9 layers, select and comm" 8 9 select,comm "1562 822 700 498 0 0 77 9785 2869" 7
loop "with fractions: 16 stages, 96 layers" 16 96 select,comm,both \
	"2141.75 852.5 767.25 535.857 511.5 0 -1896.75 6142 3100" 8
sapp-memsplit -j "$tmp/init.yaml" "$tmp/runs" </dev/null >"$tmp/again.jsonl" 2>/dev/null
same "from the logs instead of the lines" "$(jq -c 'select(.kind == "layer")' "$tmp/split.jsonl")" \
	"$(jq -c 'select(.kind == "layer")' "$tmp/again.jsonl")"
done_testing
