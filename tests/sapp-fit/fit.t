#!/bin/sh
# sapp-fit: synthetic networks with known exponents, determined and undetermined exponents, and unreadable files.
. "$(dirname "$0")/../lib.sh"

# one NAME TP CP MBS SEQ [MEMBERS]: a run of a network: products of 64 heads, a norm, a ring of cp steps, a padded row.
one() {
	name=$1 tp=$2 cp=$3 mbs=$4 seq=$5
	printf '{"kind":"run","name":"%s","dp":1,"tp":%s,"cp":%s,"pp":1,"mbs":%s,"micro_batches":2,'\
'"seq_length":%s%s}\n' \
		"$name" "$tp" "$cp" "$mbs" "$seq" "$6"
	rows=$((seq * mbs / cp)) order=0
	kernel() { printf '{"kind":"kernel","run":"%s","stage":0,"part":"body","phase":"forward","layer":"L",'\
'"order":%s,"type":"%s","input":%s,"calls":%s,"time":%s}\n' "$name" $order "$1" "$2" 4 0.5
		order=$((order + 1)); }
	kernel Norm "[[$((rows / tp)),4096]]"
	kernel MatMul "[[$rows,4096],[$((12288 / tp)),4096]]"
	for _ in $(seq "$cp"); do kernel Attention "[[$rows,$((8192 / tp))]]"; done
	kernel Latent "[[$((576 + 24576 / tp))]]"
	# shellcheck disable=SC2017 # rows are whole
	printf '{"kind":"tensor","run":"%s","stage":0,"part":"body","phase":"forward","layer":"L","order":%s,'\
'"name":"%s","bytes":%s,"life":"%s","calls":4}\n' "$name" 0 norm $((rows / tp * 8192 + 512)) kept \
		"$name" 1 product $((rows * 24576 / tp + 512)) kept "$name" 2 scratch 777 passing
}
fit() { sapp-fit -j "$@" >"$tmp/out" 2>"$tmp/err"; }
of() { jq -s -c "[.[] | select(.kind == \"coefficient\" and .of == \"$1\")] | $2" "$tmp/out"; }
doubts() { jq -s -c "[.[] | select(.kind == \"doubt\")] | $1" "$tmp/out"; }

{ one a 2 2 1 4096; one b 4 2 3 4096; one c 2 4 1 12288; one d 8 2 1 4096; } >"$tmp/runs"
check 'four runs' fit "$tmp/runs"
same 'rows of the norm go by tp and cp, the sequence and the micro-batch' \
	'[1,{"cp":-1,"mbs":1,"seq":1,"tp":-1}]' \
	"$(of dimension 'map(select(.type == "Norm" and .axis == 0))[0].terms[0] | [.value, .exponents]')"
same 'a product cut by tp' '[12288,{"tp":-1}]' \
	"$(of dimension 'map(select(.type == "MatMul" and .index == 1 and .axis == 0))[0].terms[0] |
	[.value, .exponents]')"
same 'what nothing cuts' '[4096,{}]' \
	"$(of dimension 'map(select(.type == "MatMul" and .index == 1 and .axis == 1))[0].terms[0] |
	[.value, .exponents]')"
same 'the ring has cp steps' '[[1,{"cp":1}]]' "$(of multiplicity 'map(.terms[0] | [.value, .exponents])')"
same 'what a layer keeps, MB' '[{"cp":-1,"mbs":1,"seq":1,"tp":-1}]' "$(of memory_activation \
	'map(.terms[].exponents)')"
near 'of 8192 and 24576 bytes a row' 0.03125 "$(of memory_activation '.[0].terms[0].value')" 1e-5
same 'a sum is no product of these runs, and a third tp tells it' '[[24576,{"tp":-1}],[576,{}]]' \
	"$(of dimension 'map(select(.type == "Latent"))[0].terms | map([.value, .exponents])')"
same 'times are what each run has' '[2.5,2.5,3.5,2.5]' "$(of time 'map(.terms[0].value)')"
same 'degrees of 1 are another program' '[["ep"]]' "$(doubts 'map(select(.why | test("above 1")) | .factors)')"

{ one a 2 1 1 4096; one b 4 1 1 4096; one c 8 1 1 4096; } >"$tmp/sum"
fit "$tmp/sum"
same 'a number and a product, of three values' '[[24576,{"tp":-1}],[576,{}]]' \
	"$(of dimension 'map(select(.type == "Latent"))[0].terms | map([.value, .exponents])')"
same 'factors with one value' '["mbs","seq"]' "$(doubts 'map(select(.why | test("the same")))[0].factors')"
# Two values do not determine a sum: the proposed run has a third value, also if the first run has twice the value.
{ one a 2 1 1 4096; one b 4 1 1 4096; } >"$tmp/two"
fit "$tmp/two"
same 'a third tp would tell the sum' '[["tp"],8]' \
	"$(doubts 'map(select(.why == "no power of the factors fits"))[0] | [.factors, .run.tp]')"
# A size that is equal in runs with different values of a factor does not depend on it. A proposed run has its own
# directory.
{ one a 2 2 1 4096 ',"dir":"a","cost":7,"devices":8'; one b 4 2 3 4096; one c 2 4 1 12288; } >"$tmp/other"
fit "$tmp/other"
same 'of what it may follow' '[["tp","mbs"],"a_tp8",8,2,1,null]' \
	"$(doubts 'map(select(.why == "no power of the factors fits"))[0] |
	[.factors, (.run | .name, .tp, .cp, .mbs, .dir // .cost // .devices)]')"
{ cat "$tmp/other"; one d 8 2 1 4096; } >"$tmp/more"
fit "$tmp/more"
same 'which tells it' '[[24576,{"tp":-1}],[576,{}]] 0' "$(of dimension 'map(select(.type == "Latent"))[0].terms |
	map([.value, .exponents])') $(doubts 'map(select(.count)) | length')"
# Two factors of three values that change together would give two sums, so none is determined.
{ one a 2 2 1 4096; one b 4 2 2 4096; one d 8 2 4 4096; } >"$tmp/more"
fit "$tmp/more"
same 'not where another factor says so, too' '["mbs","tp"]' \
	"$(doubts 'map(select(.why == "no power of the factors fits").factors[]) | unique')"
{ one a 2 1 1 4096; one b 4 1 2 4096; } >"$tmp/together"
fit "$tmp/together"
same 'factors that move together' true "$(doubts 'any(.factors == ["tp","mbs"] and (.why | test("together")))')"
same 'and a run that would tell, which is a run' 0 "$(grep together "$tmp/out" | jq -c '.run + {kind: "run"}' |
	sapp-fit -j >/dev/null 2>&1; echo $?)"
same 'with one of them twice' '[4,1]' "$(doubts 'map(select(.why | test("together")))[0].run | [.tp, .mbs]')"
{ one a 2 2 1 4096; one b 1 2 1 4096; } >"$tmp/regimes"
fit "$tmp/regimes"
same 'tp 1 and 2 are not fitted together' '[{"cp":2,"ep":1,"pp":1,"tp":1},{"cp":2,"ep":1,"pp":1,"tp":2}]' \
	"$(of dimension 'map(.regime) | unique')"
fit "$tmp/runs" && cp "$tmp/out" "$tmp/first" && fit "$tmp/runs"
check 'the same again' cmp "$tmp/first" "$tmp/out"

# The published example of MindSpeed's shape inference: a sequence of 8192, its product of queries, keys and values, a
# norm, a gated product of 11008, and tokens of 4 experts, which a kernel takes and gives.
published() {
	for x in "$@"; do
		IFS=, read -r tp cp mbs ep <<EOT
$x
EOT
		printf '{"kind":"run","name":"%s","dp":%s,"tp":%s,"cp":%s,"ep":%s,"pp":1,"mbs":%s,"micro_batches":1,'\
'"seq_length":8192}\n' "$x" "$ep" "$tp" "$cp" "$ep" "$mbs"
		rows=$((8192 * mbs / cp)) tokens=$((8192 * mbs * ep / cp / 4 / tp)) order=0
		for k in "MatMul [$rows,4096],[$((12288 / tp)),4096]" "RmsNorm [$((rows / tp)),1,4096],[4096]" \
			"MatMul [$rows,4096],[$((22016 / tp)),4096]" "Grouped [$tokens,4096]"; do
			printf '{"kind":"kernel","run":"%s","stage":0,"part":"body","phase":"forward","layer":"L",'\
'"order":%s,"type":"%s","input":[%s],"output":[[%s]],"calls":1,"time":1}\n' \
				"$x" $order "${k% *}" "${k#* }" "$tokens"
			order=$((order + 1))
		done
	done >"$tmp/published"
	fit "$tmp/published"
}
# shapes TP CP MBS EP: inputs of all kernels, by the coefficients of their regime.
shapes() {
	jq -s -r --argjson tp "$1" --argjson cp "$2" --argjson mbs "$3" --argjson ep "$4" '
		{$tp, $cp, $mbs, $ep, seq: 8192, experts: 1} as $x |
		map(select(.kind == "coefficient" and .of == "dimension" and .tensor == "input" and
			(.regime.cp > 1) == ($cp > 1))) |
		group_by(.order) | map(group_by(.index) | map(sort_by(.axis) | map(.terms | map(.value *
		([.exponents | to_entries[] | pow($x[.key]; .value)] | reduce .[] as $f (1; . * $f))) | add | round |
		tostring) | join(",")) | join(";")) | join(" ")' "$tmp/out"
}
published 4,1,1,1 8,1,1,1 4,4,1,1 4,2,1,1 8,2,1,1
same 'a published example' '[[8192,{"cp":-1}],[12288,{"tp":-1}],[8192,{"cp":-1,"tp":-1}],[4096,{}],'\
'[8192,{"cp":-1}],[22016,{"tp":-1}],[2048,{"cp":-1,"tp":-1}]]' "$(of dimension 'map(select(.regime.cp == 2 and
	.axis == 0 and .tensor == "input").terms[0] | [.value, .exponents])')"
same 'and without a second cp' '[[8192,{}],[12288,{"tp":-1}],[8192,{"tp":-1}],[4096,{}],[8192,{}],[22016,{"tp":-1}],'\
'[2048,{"tp":-1}]]' "$(of dimension 'map(select(.regime.cp == 1 and .axis == 0 and .tensor == "input").terms[0] |
	[.value, .exponents])')"
same 'the micro-batch is untold, not taken for constant' true "$(doubts 'any(.factors | index("mbs") != null)')"
same 'shapes of tp 2' '8192,4096;6144,4096 4096,1,4096;4096 8192,4096;11008,4096 1024,4096' "$(shapes 2 1 1 1)"
same 'of tp 8 and cp 2' '4096,4096;1536,4096 512,1,4096;4096 4096,4096;2752,4096 128,4096' "$(shapes 8 2 1 1)"
# MindSpeed's own fit takes the micro-batch size as constant without cp, and takes cp as constant if cp has one value.
# It would give the norms in the next two tests 2048 rows each.
published 4,1,1,1 8,1,1,1 4,4,1,1 4,2,1,1 8,2,1,1 8,1,2,1 4,2,2,1
same 'of micro-batches of 2' '16384,4096;3072,4096 4096,1,4096;4096 16384,4096;5504,4096 1024,4096' \
	"$(shapes 4 1 2 1)"
same 'with tp 8 and cp 2' '8192,4096;1536,4096 1024,1,4096;4096 8192,4096;2752,4096 256,4096' "$(shapes 8 2 2 1)"
same 'a norm of cp 2' 1024 "$(shapes 4 2 1 1 | cut -d ' ' -f 2 | cut -d , -f 1)"
same 'a gated product of tp 8, cp 4 and micro-batches of 2' '4096,4096;2752,4096' \
	"$(shapes 8 4 2 1 | cut -d ' ' -f 3)"
# A number has one meaning, as input or output of a kernel: tokens of experts depend on cp and ep, and on tp and
# cp.
published 4,2,1,2 8,2,1,2 4,4,1,2 4,2,1,4
same 'tokens go by all three, in and out' '[[2048,{"cp":-1,"ep":1,"tp":-1}],[2048,{"cp":-1,"ep":1,"tp":-1}]]' \
	"$(of dimension 'map(select(.type == "Grouped" and .axis == 0).terms[0] | [.value, .exponents])')"
published 4,2,1,2 8,2,1,2 4,2,1,4
same 'or by those that are told' '[{"ep":1,"tp":-1},{"ep":1,"tp":-1}]' \
	"$(of dimension 'map(select(.type == "Grouped" and .axis == 0).terms[0].exponents)')"

# Memory, MB: the part on every device and the part that tp divides, from two samples, tp 4 and 8. A sum needs a third.
halves() {
	for tp in "$@"; do
		printf '{"kind":"run","name":"%s","dp":1,"tp":%s,"pp":1,"micro_batches":1}\n' "$tp" "$tp"
		printf '{"kind":"kernel","run":"%s","stage":0,"part":"body","phase":"forward","layer":"L","order":0,'\
'"type":"N","input":[[1]],"calls":1,"time":1}\n' "$tp"
		order=0
		for part in $terms; do
			printf '{"kind":"tensor","run":"%s","stage":0,"part":"body","phase":"forward","layer":"L",'\
'"order":%s,"name":"t%s","bytes":%s,"life":"kept","calls":1}\n' "$tp" $order $order \
				$((1048576 * (${part%:*} + ${part#*:} / tp)))
			order=$((order + 1))
		done
	done >"$tmp/halves"
	fit "$tmp/halves"
}
halves 2 4 8
for x in 2:56 82:1640 40:2240 20:1520 20:1920; do
	terms=$x halves 2 4 8
	same "published parts of memory, $x" "[[${x#*:},{\"tp\":-1}],[${x%:*},{}]]" \
		"$(of memory_activation '.[0].terms | map([.value, .exponents])')"
done
terms=2:56 halves 4 8
same 'not of two samples, which any line goes through' '[] 1' \
	"$(of memory_activation .) $(doubts 'map(select(.of == "memory_activation")) | length')"
terms='0:32 0:1000' halves 4 8
same 'what tp alone divides' '[[1032,{"tp":-1}]]' \
	"$(of memory_activation '.[0].terms | map([.value, .exponents])')"

# GPT-2's vocabulary, padded to a multiple of 128 on each device, is never a product of the degrees.
head() {
	printf '{"kind":"run","name":"%s","dp":1,"tp":%s,"pp":1,"micro_batches":2}\n'\
'{"kind":"kernel","run":"%s","stage":0,"part":"tail","phase":"forward","layer":"L","order":0,"type":"Head",'\
'"input":[[4096,1024],[%s,1024]],"calls":4,"time":0.5}\n' "$1" "$2" "$1" $(((50257 + 128 * $2 - 1) / (128 * $2) * 128))
}
rows() { of dimension 'map(select(.index == 1 and .axis == 0).terms | map([.value, .exponents]))'; }
{ head a 2; head b 4; head c 8; } >"$tmp/padded"
fit "$tmp/padded"
same 'a padded vocabulary' '[[[50176,{"tp":-1}],[128,{}]]]' "$(rows)"
{ head a 2; head b 4; } >"$tmp/padded"
fit "$tmp/padded"
same 'two of its values tell nothing' '[]' "$(rows)"
same 'which is said' true "$(doubts 'any(.why == "no power of the factors fits")')"

# Rows of experts, uneven by some percent, have the exponents of other dimensions.
for x in 'a 2 2 1 2050' 'b 4 2 1 1010' 'c 8 2 1 530'; do
	# shellcheck disable=SC2086 # several words
	set -- $x
	one "$1" "$2" "$3" "$4" 4096 ',"experts":8'
	printf '{"kind":"kernel","run":"%s","stage":0,"part":"body","phase":"backward","layer":"L","order":0,'\
'"type":"Grouped","input":[[%s],[%s]],"calls":4,"time":1}\n' "$1" "$5" $((4096 / $2))
done >"$tmp/uneven"
fit "$tmp/uneven"
same 'uneven rows go as others do' '{"tp":-1}' \
	"$(of dimension 'map(select(.type == "Grouped" and .index == 0))[0].terms[0].exponents')"

# Collectives: equal sizes, decreasing times.
c() { printf '{"kind":"communication","op":"all_reduce","members":8,"nodes":1,"bytes":%s,"calls":1,"time":%s}\n' "$@"; }
{ c 4e6 4; c 1e6 1; c 1.02e6 2; c 2e6 2; c 8e6 3; c 64e6 64; } >"$tmp/tables"
fit "$tmp/tables"
same 'knots grow' '[1.5,2,3.5,3.5,64]' "$(of communication '.[0].knots | map(.[1])')"
near 'with the error of each left out' 0.25 "$(of communication '.[0].error')" 0.25
{ c 2.048e6 10; c 2.048e6 12; } >"$tmp/one"
fit "$tmp/one"
same 'one size is its mean, not what came first (MindSpeed: 5.3711 or 4.8828 ms a thousand)' '[[2048000,11]]' \
	"$(of communication '.[0].knots')"
same 'two nodes are apart' 2 "$({ cat "$tmp/tables"; c 1e6 9 | sed 's/"nodes":1/"nodes":2/'; } | sapp-fit -j | wc -l)"

{ one a 2 1 1 4096 ',"num_heads":16'; one b 4 1 1 4096 ',"num_heads":32'; } >"$tmp/heads"
fit "$tmp/heads"
same 'other heads are fitted separately' 2 \
	"$(of dimension 'map(select(.type == "MatMul" and .index == 1 and .axis == 0)) |
	length')"

# The report for people, and errors.
check 'shares' run 0 sapp-fit -H "$tmp/runs"
check 'of the time' grep -q '57.14%.*Attention' "$tmp/out"
{ one a 2 1 1 4096; one b 2 1 1 4096 | sed 's/4096\]/6144]/'; } >"$tmp/two"
fails 'two networks' 1 "runs 'a' and 'b' have the same factors, but a dimension of" sapp-fit -j "$tmp/two"
{ one a 2 1 1 4096 ',"device":"910B"'; one b 4 1 1 4096 ',"device":"910C"'; } >"$tmp/devices"
fails 'two devices' 0 "run 'b' is of another device than 'a': fitted separately" sapp-fit -j "$tmp/devices"
one a 2 1 1 4096 | sed 's/"pp":1/"pp":2/' >"$tmp/missing"
fails 'a stage is missing' 0 "run 'a': no profile of stage 1 of 2" sapp-fit -j "$tmp/missing"
one a 2 1 1 4096 | sed 's/"input":[^a-z]*,"calls/"calls/' >"$tmp/bare"
fails 'no shapes' 0 "run 'a': kernels without shapes" sapp-fit -j "$tmp/bare"
sed -n 2p "$tmp/runs" >"$tmp/orphans"
fails 'kernels of no run' 1 "orphans:1: no run record before this one has the name 'a'" sapp-fit -j "$tmp/orphans"
{ one a 2 1 1 4096; one a 4 1 1 4096; } >"$tmp/twice"
fails 'a name twice' 1 "a second run with the name 'a'" sapp-fit -j "$tmp/twice"
{ one a 2 1 1 4096; one b 4 1 1 4096 | sed 's/,"seq_length":4096//'; } >"$tmp/some"
fails 'a sequence of one run alone' 1 "seq_length of 'b' is not given" sapp-fit -j "$tmp/some"
fails 'nothing' 1 'no run or communication record' sapp-fit -j /dev/null
sed 's/"calls":4/"calls":0/' "$tmp/runs" >"$tmp/zero"
fails 'a kernel that never runs' 1 'kernel: calls: not positive' sapp-fit -j "$tmp/zero"

real=${SHARED_DATA:-$top/../shared/data}/qwen3-0.6b-pp2
if [ -d "$real" ]; then
	sapp-trace -kernels "$real" 2>/dev/null >"$tmp/real"
	fit "$tmp/real"
	near 'a real layer forward, ms by the wall' 5.066 \
		"$(of time 'map(select(.layer == "layer"))[0].terms[0].value')" 0.02
	near 'backward' 5.362 "$(of backward_time 'map(select(.layer == "layer"))[0].terms[0].value')" 0.05
	same 'what one run cannot tell' '["cp","ep","mbs","seq","tp"]' "$(doubts 'map(.factors[]) | unique')"
	check 'shares of it' run 0 sapp-fit -H "$tmp/real"
	check 'attention backward, a fifth' grep -q '19.96% .* 56  FlashAttentionScoreGrad' "$tmp/out"
else
	skip "no real run in $real"
fi
done_testing
