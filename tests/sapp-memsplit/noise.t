#!/bin/sh
# Measurements with 2 % noise: the errors of the unknowns, compared with the reported standard errors.
. "$(dirname "$0")/../lib.sh"

# noise STAGES LAYERS KINDS ROUNDS: 100 sets of noisy peaks of a design.
noise() {
	sapp-guide -s "$1" -n "$2" -k "$3" -rounds "$4" -o "$tmp/init.yaml" >"$tmp/measure.jsonl"
	jq -r --argjson P "$1" --argjson L "$2" \
		'. as $m | range(0; $P) | [$m.round, ., ($L / $P | floor) + $m.offset[.],
		$m.recompute[.], $m.select_recompute[.], $m.select_comm_recompute[.]] | @tsv' "$tmp/measure.jsonl" |
	awk -v P="$1" -v dir="$tmp" '
	function max(x, y) { return x > y ? x : y }
	{
		s = $2; n = $3; f = $4; a = $5; c = $6
		both = max(0, (a < c ? a : c) - f); select = max(0, a - f - both); comm = max(0, c - f - both)
		none = n - f - both - select - comm
		memory[NR] = n * 2200 + (P - s) * (none * 1000 + select * 780 + comm * 700 + both * 420 + f * 260) + \
			1200 + \
			(s == 0 ? 3400 : 0) + (s == P - 1 ? 4700 : 0)
		stage[NR] = s; round[NR] = $1
	}
	END {
		for (seed = 1; seed <= 100; seed++) {
			srand(seed)
			for (i = 1; i <= NR; i++) {
				z = sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand())
				printf "{\"kind\":\"peak\",\"stage\":%d,\"round\":%d,\"which\":\"actual\","\
			"\"memory\":%.3f}\n", stage[i],
					round[i], memory[i] * (1 + 0.02 * z) >(dir "/" seed ".jsonl")
			}
			close(dir "/" seed ".jsonl")
		}
	}'
	seed=1
	while [ $seed -le 100 ]; do
		sapp-memsplit -j -force "$tmp/init.yaml" <"$tmp/$seed.jsonl" 2>/dev/null | sed -n '/"kind":"fit"/p'
		seed=$((seed + 1))
	done >"$tmp/fits.jsonl"
	what="$1 stages, $2 layers, $3, $4 rounds"
	same "$what: all are solved" 100 "$(wc -l <"$tmp/fits.jsonl" | tr -d ' ')"
	jq -sc '{parameter: 2200, none: 1000, select: 780, comm: 700, both: 420, full: 260, const: 1200, head: 3400,
		tail: 4700}
		as $true | [.[].estimates[] | {name, within: ((.value - $true[.name] | fabs) <= 3 * .error)}] |
		group_by(.name) |
		map({key: .[0].name, value: (map(select(.within)) | length)}) | from_entries' \
		"$tmp/fits.jsonl" >"$tmp/within"
	echo "# within 3 standard errors, of 100: $(cat "$tmp/within")"
	echo "# runs in which all are: $(jq \
		-sc '{parameter: 2200, none: 1000, select: 780, comm: 700, both: 420, full: 260,
		const: 1200, head: 3400, tail: 4700} as $true | map(select(all(.estimates[];
		(.value - $true[.name] | fabs) <= 3 * .error))) | length' "$tmp/fits.jsonl")"
	check "$what: each unknown within 3 standard errors in 95 of 100" jq -e 'length > 4 and all(.[]; . >= 95)' \
		"$tmp/within"
	# Error bars that are too wide have no value.
	check "$what: and not for being huge" jq -se 'map(.estimates[] | select(.name == "parameter").error) |
		add / length < 1000' "$tmp/fits.jsonl"
}
noise 16 96 select,both 1
noise 8 80 full,both 2
noise 4 80 full 4
done_testing
