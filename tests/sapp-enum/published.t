#!/bin/sh
# Candidates that MindSpeed Auto Tuning counts for a network of 32 layers, compared with the space of sapp-enum under
# its rules: its first version was run, for the second only its rules are known.
. "${0%/*}/../lib.sh"

# space S GB EXPERTS OPTION...: every configuration, also those that another framework's rules reject.
space() {
	s=$1 gb=$2 experts=$3
	shift 3
	echo '{"kind":"network","name":"n","layers":32,"hidden_size":8192,"num_heads":64,"kv_heads":64,"ffn_size":32768,
		"vocab_size":131072}' | jq -c --argjson s "$s" --argjson e "$experts" '.seq_length = $s | if $e > 0 then
		.experts = $e | .experts_per_token = 2 | .expert_ffn_size = 8192 else . end' |
		sapp-enum -gb "$gb" -mbs 1,2 -zero 1 -rejected "$@" 2>/dev/null
}
# legal VERSION LEAST S GB EXPERTS: the number of configurations that its rules allow, by tp. LEAST: minimum number of
# tokens per device if cp is above 1.
legal() {
	jq -s -r --argjson version "$1" --argjson least "$2" --argjson s "$3" --argjson gb "$4" --argjson e "$5" '
		map(select(.kind == "candidate") | . as $c | (.cp * .dp) as $d |
		select(32 % (.pp * .vp) == 0 and (.pp > 1 or .vp == 1)) |
		select(.cp == 1 or (($s / .cp | floor) >= $least and ($version == 1 or $s % .cp == 0))) |
		select($e == 0 or (.ep <= $e and .ep <= $d and $d % .ep == 0 and $e % .ep == 0)) |
		# The first version divides by the given micro-batch size, which is 1,
		(if $version == 1 then $gb else $gb / .mbs end | floor) as $m |
		select($m % .dp == 0 and ($m / (.pp * .dp) | floor) > 1) |
		# and counts each configuration with and without a divided optimizer.
		if $version == 1 and $d > 1 then (., .) else . end) |
		"\(length):", (group_by(.tp)[] | length)' | tr '\n' ' ' | sed 's/ $//'
}
while read -r devices node s gb experts least first second; do
	few=1,8 all=1,2,4,8
	[ "$least" = 8192 ] || few=1,2,4,8
	[ "$node" = 8 ] || all=1,2,4,8,16
	same "$devices devices, $node a node, $s tokens, $experts experts: the first version" \
		"$(echo "$first" | tr / ' ')" \
		"$(space "$s" "$gb" "$experts" -n "$devices" -cp "1-$devices" -tp $few |
		legal 1 "$least" "$s" "$gb" "$experts")"
	same 'the second' "$(echo "$second" | tr / ' ')" \
		"$(space "$s" "$gb" "$experts" -n "$devices" -cp "1-$devices" -tp $all |
		legal 2 "$least" "$s" "$gb" "$experts")"
done <<'END'
16 8 8192 64 0 8192 70:/56/14 88:/30/26/20/12
16 8 32768 64 0 8192 166:/148/18 182:/76/58/34/14
16 16 8192 64 0 4096 268:/108/86/56/18 150:/56/46/32/14/2
16 16 32768 64 0 4096 364:/172/114/60/18 198:/88/60/34/14/2
64 8 32768 512 0 8192 298:/188/110 316:/94/88/76/58
16 8 32768 64 8 8192 510:/484/26 480:/244/152/66/18
64 16 32768 512 8 4096 2596:/920/782/580/314 1370:/460/392/292/160/66
END
done_testing
