#!/bin/sh
# Known kernels: the file kept between runs, and the share of a candidate that it covers.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1

# one NAME TP MBS TIME: a run with a product, a norm, and one without shapes.
one() {
	printf '{"kind":"run","name":"%s","dp":1,"tp":%s,"pp":1,"mbs":%s,"micro_batches":2,"device":"D"}\n' \
		"$1" "$2" "$3"
	kernel="{\"kind\":\"kernel\",\"run\":\"$1\",\"stage\":0,\"part\":\"body\",\"phase\":\"forward\",\"layer\":\"L\""
	printf '%s,"order":0,"type":"MatMul","input":[[%s,4096],[%s,4096]],"output":[[%s,%s]],"calls":4,"time":%s}\n' \
		"$kernel" $((4096 * $3)) $((8192 / $2)) $((4096 * $3)) $((8192 / $2)) "$4"
	printf '%s,"order":1,"type":"Norm","input":[[%s,4096]],"calls":6,"time":0.25}\n' "$kernel" $((4096 * $3))
	printf '%s,"order":2,"type":"Odd","calls":2,"time":0.5}\n' "$kernel"
}
fit() { sapp-fit -j "$@" 2>err; }
one a 2 1 2 >a
one b 4 2 1.5 >b
one c 8 1 0.7 >c
one a 2 1 2.2 | sed 's/"a"/"d"/' >d
for f in a b c d; do fit -db forth $f >/dev/null; done
for f in d c b a; do fit -db back $f >/dev/null; done
cat a b c d | fit -db once >/dev/null
check 'in any order the same' cmp forth back
check 'and at once' cmp forth once
same 'a line each' '["MatMul","MatMul","MatMul","Norm","Norm","Odd"]' "$(jq -sc 'map(.type)' forth)"
same 'calls and their time, ns' '[8,16800000,2000000,2200000]' \
	"$(jq -c 'select(.input[0] == [4096,4096] and .input[1] == [4096,4096]) | [.calls, .sum, .min, .max]' forth)"
same 'and how many in each bin' '{"297":4,"299":4}' \
	"$(jq -c 'select(.input[0] == [4096,4096] and .input[1] == [4096,4096]) | .bins' forth)"
same 'of its device' '["D"]' "$(jq -sc 'map(.device) | unique' forth)"
same 'in order' "$(cat forth)" "$(LC_ALL=C sort forth)"

# Coverage, compared with a separate count.
for x in '2 1' '4 1' '16 4' '1 1'; do
	set -- $x
	printf '{"kind":"candidate","name":"tp%s-mbs%s","dp":1,"tp":%s,"pp":1,"mbs":%s,"micro_batches":2}\n' \
		"$1" "$2" "$1" "$2"
done >candidates
cat a b c candidates | fit -coverage >out
same 'of every candidate' '["tp2-mbs1","tp4-mbs1","tp16-mbs4","tp1-mbs1"]' \
	"$(jq -sc 'map(select(.kind == "coverage") | .name)' out)"
# Manually: the kernels of run a, each with the sizes from the coefficients.
count() {
	jq -n --argjson tp "$1" --argjson mbs "$2" --slurpfile k kernels --slurpfile c out '
	def power($e): pow($tp; $e.tp // 0) * pow($mbs; $e.mbs // 0);
	def told($k; $tensor; $i; $j): [$c[] | select(.of == "dimension" and .type == $k.type and .tensor == $tensor and
		.index == $i and .axis == $j) | .terms | map(.value * power(.exponents)) | add][0];
	def shapes($k; $tensor): ($k[$tensor] // []) | to_entries | map(.key as $i | .value | to_entries |
		map(told($k; $tensor; $i; .key)));
	[$k[] | select(.run == "a") | . as $k |
		{calls, w: (.calls * .time), s: [shapes(.; "input"), shapes(.; "output")]} |
		.source = if (.s | flatten | any(. == null)) or (.s | flatten | length == 0) then "computed"
			elif .s as $s | any($all[]; .type == $k.type and [.input // [], .output // []] == $s)
			then "measured" else "fitted" end] | . as $r |
	["measured", "fitted", "computed"] | map(. as $s | [$r[] | select(.source == $s)] |
		[(map(.calls) | add // 0) / ($r | map(.calls) | add), (map(.w) | add // 0) / ($r | map(.w) | add)]) |
	transpose | map(map(. * 1e9 | round))' --slurpfile all kernels -c
}
cat a b c | grep '"kernel"' >kernels
for x in '2 1' '4 1' '16 4'; do
	set -- $x
	same "as counted by hand: tp $1, mbs $2" "$(count "$1" "$2")" \
		"$(jq -c "select(.kind == \"coverage\" and .name == \"tp$1-mbs$2\") |
		[.operators, .time] | map([.measured, .fitted, .computed] | map(. * 1e9 | round))" out)"
done
same 'some are measured, others fitted, or none is' '[true,true,true]' \
	"$(jq -sc 'map(select(.kind == "coverage") | .time) |
	[.[0].measured > 0.5, .[1].fitted > 0.4, .[2].measured == 0]' out)"
same 'another program is computed' '{"computed":1,"fitted":0,"measured":0}' \
	"$(jq -c 'select(.kind == "coverage" and .name == "tp1-mbs1") | .time' out)"
one e 4 1 1 >e
fit -db forth e >/dev/null
cat a b c candidates | fit -db forth -coverage >out
check 'what the file has is measured' test \
	"$(jq 'select(.kind == "coverage" and .name == "tp4-mbs1") | .time.fitted' out)" = 0

# A large file: a million lines pass through unchanged, in the memory of a few lines, in any order of the runs.
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "{\"kind\":\"opcost\",\"type\":\"A\",\"input\":[[%08d]]," \
	"\"calls\":1,\"sum\":5,\"min\":5,\"max\":5,\"bins\":{\"32\":1}}\n", 10000000 + i }' >many
cp many other
if [ -n "${QUICK:-}" ]; then limit=unlimited; else limit=204800; fi	# kB; sanitizers take addresses by the terabyte
check 'in 200 MB' sh -c "ulimit -v $limit && sapp-fit -j -db many a && sapp-fit -j -db many b"
for f in b a; do fit -db other $f >/dev/null; done
check 'in any order the same' cmp many other
check 'and what was there stays' sh -c 'grep "\"type\":\"A\"" many |
	awk "substr(\$0, 39, 8) != 9999999 + NR { exit 1 } \
	END { exit NR != 1000000 }"'

# Errors.
cp forth good
{ tail -1 forth; head -1 forth; } >bad
fails 'out of order' 1 'bad:2: not in order after the line before it' sapp-fit -j -db bad a
sed 's/"opcost"/"cost"/' forth >bad
fails 'another file' 1 'bad:1: not a line written by sapp-fit -db' sapp-fit -j -db bad a
head -c -20 forth >bad
fails 'a line that was cut' 1 'not JSON' sapp-fit -j -db bad c b a e
same 'is left as it was' "$(head -c -20 forth)" "$(cat bad)"
for bins in '"2147483647":4' '"abc":4' '"-1":4' '"":4' '"12":3,"5":1' '"10000":1'; do
	sed "s/\"bins\":{[^}]*}/\"bins\":{$bins}/" forth >bad
	fails "bins $bins" 1 'bad:1: bins: not a number above the number before it' sapp-fit -j -db bad a
done
fails 'a directory' 1 'cannot be' sapp-fit -j -db . a
check 'a full disk' sh -c '(ulimit -f 1; trap "" XFSZ; sapp-fit -j -db many a >two 2>err; [ $? = 1 ])
	grep "cannot be written" err && ! grep Success err'
# Two runs at the same time: one waits for the other.
one z 2 1 2 >z
calls() { jq -s 'map(.calls) | add' "$1"; }
sapp-fit -j -db alone z >two 2>err
for again in 1 2 3 4 5 6; do
	for f in z z z; do sapp-fit -j -db twice $f >two 2>err & done
	wait
done
same 'what two add at once is all there' $(($(calls alone) * 18)) "$(calls twice)"
check 'another run of these changes nothing else' sh -c "sapp-fit -j a >one; sapp-fit -j -db new a >two; cmp one two"
done_testing
