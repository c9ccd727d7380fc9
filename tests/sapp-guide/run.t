#!/bin/sh
# Proposed settings: legal, sufficient for all unknowns, well conditioned, and reproducible.
. "$(dirname "$0")/../lib.sh"
condition() { sed -n 's/.*condition \([0-9.]*\).*/\1/p' "$1"; }

# proposed OPTION...: print what sapp-guide prints. The same question is asked once.
proposed() {
	answer=$tmp/proposed.$(printf '%s' "$*" | tr -c 'a-z0-9,\n-' _)
	[ -s "$answer" ] || sapp-guide "$@" >"$answer"
	cat "$answer"
}
# design STAGES LAYERS KINDS ROUNDS
design() {
	name="$1 stages, $2 layers, $3"
	check "$name" run 0 sapp-guide -s "$1" -n "$2" -k "$3" -v
	same "$name: rounds" "$4" "$(wc -l <"$tmp/out" | tr -d ' ')"
	# The sum of offsets is 0, each stage has a layer, recomputed layers do not exceed layers, and only requested
	# kinds occur.
	same "$name: legal" true "$(jq -s --argjson P "$1" --argjson L "$2" 'all(.[]; ($L / $P | floor) as $n |
		(.offset | add) == $L - $P * $n and all(.offset[]; . + $n >= 1) and
		all([[.offset, .recompute, .select_recompute, .select_comm_recompute] | transpose[] |
			[.[0] + $n, .[1], .[2], .[3]]][];
			.[0] >= ([.[2], .[3], .[1]] | max) and .[2] >= .[1] and .[3] >= .[1]))' \
		"$tmp/out")"
	condition "$tmp/err" >"$tmp/condition"
	# One round and two, the others in make check-long.
	case $1-$3 in 16-select | 4-full) repeated=1 ;; *) repeated= ;; esac
	[ -z "$repeated${LONG-}" ] ||
		same "$name: the same again" "$(cat "$tmp/out")" "$(sapp-guide -s "$1" -n "$2" -k "$3")"
	sapp-guide -s "$1" -n "$2" -k "$3" -random "$(draws 40 200)" | sort -g | sed -n 1p >"$tmp/random"
	check "$name: as good as the best of many drawn at random" \
		awk -v a="$(cat "$tmp/condition")" -v b="$(cat "$tmp/random")" \
		'BEGIN { exit !(a + 0 > 1 && a <= b * 1.001) }'
}
design 16 96 full,select,comm,both 1
design 16 96 select 1
design 4 80 full 2
design 3 12 both 4
! long || { design 4 5 none 2; design 2 8 full 3; design 64 128 comm,both 1; }

check "more rounds than needed" run 0 sapp-guide -s 8 -n 32 -rounds 3 -k full -H
same "three of them" 3 "$(grep -c '^  offset: \[' "$tmp/out")"
check "with their condition" grep -q '^3 rounds of 8 stages: 24 measurements of 6 unknowns, condition [0-9.]*$' \
	"$tmp/out"

same "and what to do with them" 1 "$(grep -cx "  sapp-dryrun 'COMMAND' DEVICES 8 output -round N" "$tmp/out")"

check "-o" run 0 sapp-guide -s 4 -n 80 -k full -o "$tmp/init.yaml"
check "is an init YAML with two rounds" sh -c "! sapp-memsplit '$tmp/init.yaml' </dev/null 2>'$tmp/err'"
check "that lacks only the peaks" grep -q 'no measured memory' "$tmp/err"
sed -n 's/^#\(profiling_config:\)/\1/p; s/^#\(  micro_batch_num: \|  folder_path: \)/\1/p' "$tmp/init.yaml" \
	>"$tmp/profile.yaml"
sed '/^#/d' "$tmp/init.yaml" | cat - "$tmp/profile.yaml" >"$tmp/with.yaml"
make-timeline -P 4 -L 80 -mb 16 -steps 2 -o "$tmp/timeline" >"$tmp/null" 2>&1
check "a profile goes with it" sh -c "sapp-trace -c '$tmp/with.yaml' '$tmp/timeline' >'$tmp/null' 2>&1"

# A training file has the settings that no option gives.
example=$top/examples/llama-175b/train.yaml
same "a training YAML has stages, layers and kinds" "$(proposed -s 16 -n 96 -k select,comm,both)" \
	"$(sapp-guide "$example")"
same "an option wins" "$(proposed -s 8 -n 96 -k full)" "$(sapp-guide -s 8 -k full "$example")"
sed 's/select_recompute:.*/select_recompute: False/; s/select_comm_recompute:.*/select_comm_recompute: False/' \
	"$example" \
	>"$tmp/train.yaml"
same "without recomputation all kinds are measured" "$(proposed -s 16 -n 96)" "$(sapp-guide "$tmp/train.yaml")"
same "a script has its own" "$(proposed -s 8 -n 48)" "$(sapp-guide "$top/examples/megatron/train.sh")"
fails "two training files" 2 "unexpected operand 'b'" sapp-guide "$example" b
fails "a training file and questions" 2 "unexpected operand 'a'" sapp-guide -i a

# According to -guess, no stage exceeds the limit.
guess=parameter=2217,none=1003,select=783,comm=696,both=423,const=1207,head=3408,tail=4679
check "-mem" run 0 sapp-guide -s 16 -n 96 -k select,comm,both -mem 50000 -guess $guess -H
check "the largest peak is below" awk '/^largest peak/ { exit !($(NF - 1) <= 50000 && $(NF - 1) > 10000) }' "$tmp/out"
sapp-guide -s 16 -n 96 -k select,comm,both -H >"$tmp/free"
check "at little cost" awk -v a="$(condition "$tmp/out")" -v b="$(condition "$tmp/free")" \
	'BEGIN { exit !(a < 1.5 * b) }'
fails "-mem that no run meets" 3 "-mem 20000: no settings of up to" \
	sapp-guide -s 16 -n 96 -k select,comm,both -rounds 1 -mem 20000 -guess $guess
# A lower limit reduces accuracy.
sapp-guide -s 16 -n 96 -k select,comm,both -guess $guess -mem 1000000 -H >"$tmp/high"
sapp-guide -s 16 -n 96 -k select,comm,both -guess $guess -mem 36500 -H >"$tmp/low"
check "a low limit costs accuracy" test "$(condition "$tmp/high" | cut -d. -f1)" -lt \
	"$(condition "$tmp/low" | cut -d. -f1)"
! long || fails "no number of rounds keeps within one that is too low" 3 \
	"-mem 30000: no settings of up to 10 rounds stay below it" \
	sapp-guide -s 16 -n 96 -k select,comm,both -mem 30000 -guess $guess
# Designs without a search, for comparison.
check "-random" run 0 sapp-guide -s 8 -n 32 -k full -random 20
check "twenty condition numbers" awk '{ bad += !($1 >= 1) } END { exit !(NR == 20 && !bad) }' "$tmp/out"
check "of more rounds" run 0 sapp-guide -s 8 -n 32 -k full -random 20 -rounds 4
mv "$tmp/out" "$tmp/four"
sapp-guide -s 8 -n 32 -k full -random 20 -rounds 2 >"$tmp/two"
check "which are better, in the middle" awk \
	'NR == FNR { a[NR] = $1; next } { b += a[FNR] < $1 } END { exit !(b > 10) }' "$tmp/four" "$tmp/two"

# The dialogue; invalid answers are asked again.
printf '%s\n' four 4 3 80 maybe y n n n '' | sapp-guide -i >"$tmp/asked" 2>"$tmp/err"
same "-i asks for the same" "$(proposed -s 4 -n 80 -k full)" "$(cat "$tmp/asked")"
check "one question a line" grep -q 'Number of pipeline stages: please type a whole number from 2 to 10000' "$tmp/err"
printf '%s\n' 1 10001 4x '' 4 80 YES No n '' n 4 | sapp-guide -i >"$tmp/asked" 2>"$tmp/err"
same "numbers that are none, or out of range, are asked for again" 4 \
	"$(grep -c 'please type a whole number from 2 to 10000' "$tmp/err")"
# The order of kinds is that of SAPP pipeline balance: the second answer is select, the third both, the fourth comm.
for answers in 'y n n n:full' 'n y n n:select' 'n n y n:both' 'n n n y:comm'; do
	# shellcheck disable=SC2086 # one word an answer
	same "-i: ${answers%:*}" "$(proposed -s 4 -n 80 -k "${answers#*:}")" \
		"$(printf '%s\n' 4 80 ${answers%:*} '' | sapp-guide -i 2>/dev/null)"
done
# longest STAGES LAYERS OPTION...: print the maximum number of layers on a stage
longest() {
	even=$(($2 / $1)) s=$1 l=$2
	shift 2
	sapp-guide -s "$s" -n "$l" "$@" 2>/dev/null | jq -s "map(.offset[]) | max + $even"
}
same "no stage has twice its share where the condition does not need it" 30 "$(longest 4 80 -k full)"
same "it has where the condition does" 8 "$(longest 3 12 -k both)"
same "-most limits it there, too" 6 "$(longest 3 12 -k both -most 6)"
same "-most allows it elsewhere" 40 "$(longest 4 80 -k full -most 40)"
fails "-i without an answer" 1 "no answer to 'Number of layers'" sh -c "echo 4 | sapp-guide -i"

# Dense layers, then experts: the proposed runs determine the memory of both.
run 0 sapp-guide -s 8 -n 3,21 -k full -plans -o "$tmp/kinds.yaml" || not_ok 'two kinds of layers'
check 'the init YAML has both numbers' grep -qxF '  num_layer: [3, 21]' "$tmp/kinds.yaml"
# 100 and 300 MB of parameters, 10 and 40 of activations, 2 and 5 if recomputed; recomputed layers come first.
same 'a plan has a count of each' 'BODY BODY2' "$(jq -r '.counts | keys[]' "$tmp/out" | sort -u | xargs)"
jq -c '(.name[6:] | tonumber) as $r | [.offset[0], .recompute[0]] | transpose | to_entries |
	reduce .[] as {key: $s, value: [$o, $f]} ({ dense: 3, peaks: [] }; (3 + $o) as $n |
		([.dense, $f] | min) as $df | ([.dense - $df, $n - $f] | min) as $dn |
		.dense -= $df + $dn | .peaks += [{ kind: "peak", round: $r, stage: $s, which: "actual",
			memory: (100 * ($df + $dn) + 300 * ($n - $df - $dn) + (8 - $s) * (10 * $dn + 2 * $df +
				40 * ($n - $f - $dn) + 5 * ($f - $df)) + 50 +
				(if $s == 0 then 700 elif $s == 7 then 900 else 0 end)) }]) |
	.peaks[]' "$tmp/out" >"$tmp/kinds.jsonl"
run 0 sapp-memsplit "$tmp/kinds.yaml" <"$tmp/kinds.jsonl" || not_ok 'the memory of two kinds'
same 'and they are told apart' '[700,null,null] [100,10,2] [300,40,5] [900,null,null]' "$(get layer '
	[.memory_parameter, .memory_activation, .memory_recompute | if type == "number" then round else . end]' \
	<"$tmp/out" | xargs)"
fails 'a guess of several kinds' 2 '-guess: only with one kind of layers' \
	sapp-guide -s 8 -n 3,21 -k none -mem 5 -guess parameter=1,none=2
fails 'five kinds' 2 '-n: more than 4 numbers, one for each kind of layers' sapp-guide -s 8 -n 3,3,3,3,3
fails "as many layers as stages" 3 \
	"stages: with one layer per stage, the runs cannot separate a layer's parameters from the constant" \
	sapp-guide -s 16 -n 16
fails "fewer" 3 "stages: with one layer per stage, the runs cannot separate a layer's parameters from the constant" \
	sapp-guide -s 16 -n 8
fails "too few rounds" 3 \
	"-rounds: 1 is too few to determine all unknowns: at least 2" sapp-guide -s 4 -n 80 -k full -rounds 1
fails "no layers" 2 "-s and -n are required" sapp-guide -s 16
fails "one stage" 2 "-s: not between 2 and 10000 '1'" sapp-guide -s 1 -n 8
# Two of 4 stages are middle stages. Their number must exceed the kinds other than none by three.
same "as many rounds as the manual says" "2 3 3 4" "$(
	for kinds in full full,select full,select,comm full,select,comm,both; do
	sapp-guide -j -s 4 -n 32 -k $kinds | grep -c '"measure"'; done | xargs)"
fails "a kind nobody knows" 2 "-k: unknown 'all'; known: none select comm both full" sapp-guide -s 4 -n 8 -k all
fails "a limit without a guess" 2 "-mem and -guess need each other" sapp-guide -s 4 -n 8 -mem 5
fails "a guess without a kind" 2 "-guess: full is missing" sapp-guide -s 4 -n 8 -k full -mem 5 -guess parameter=1,none=2
fails "a guess that is no number" 2 "-guess: not a number 'x'" sapp-guide -s 4 -n 8 -k none -mem 5 -guess parameter=x
same "a limit and guesses with units" \
	"$(sapp-guide -s 4 -n 8 -k none -mem 2048 -guess parameter=512,none=20 2>/dev/null)" \
	"$(sapp-guide -s 4 -n 8 -k none -mem 2GB -guess parameter=.5GB,none=20MB 2>/dev/null)"
fails "a guess of nothing" 2 "-guess: expected NAME=MB 'parameter'" sapp-guide -s 4 -n 8 -k none -mem 5 -guess parameter
fails "a guess below 0" 2 "-guess: not between" sapp-guide -s 4 -n 8 -k none -mem 5 -guess parameter=-1
fails "-most too small" 2 "do not fit" sapp-guide -s 4 -n 80 -most 10
fails "a file that is not there" 1 "cannot be opened" sapp-guide -s 4 -n 80 file
fails "a full disk" 1 "cannot write to standard output" sh -c "sapp-guide -s 4 -n 80 -k full >/dev/full"

# The settings of a round are written by sapp-yaml, and read back.
cp "$top/examples/llama-175b/train.yaml" "$tmp/train.yaml"
sapp-guide -s 16 -n 96 -k select,comm,both -rounds 2 -plans >"$tmp/rounds"
check 'a round is written into a training YAML' sapp-yaml -w "$tmp/train.yaml" -plan round_1 "$tmp/rounds"
lists='[.offset, .recompute, .select_recompute, .select_comm_recompute] | map(flatten)'
same 'as it was proposed' \
	"$(sapp-guide -s 16 -n 96 -k select,comm,both -rounds 2 -j | jq -c "select(.round == 1) | $lists")" \
	"$(sapp-yaml -r "$tmp/train.yaml" </dev/null | jq -c "select(.kind == \"plan\") | $lists")"
same 'a plan for each round' 'round_0 round_1' "$(jq -r .name "$tmp/rounds" | xargs)"

sapp-guide -s 2>"$tmp/err"
same "a value that is missing: a line of it, one of what to do" 'sapp-guide -h: a line for each option' \
	"$(sed 1d "$tmp/err")"
# The printed next commands can be typed, and an error is not a warning.
sapp-guide -s 4 -n 18 -k select -H >"$tmp/said"
same "the command of the plans" "$(sapp-guide -s 4 -n 18 -k select -plans)" \
	"$(sh -c "$(sed -n 's/^  \(sapp-guide .* -plans\) |.*/\1/p' "$tmp/said")")"
sapp-guide -s 4 -n 18 -k select -o "$tmp/want.yaml"  >/dev/null
(cd "$tmp" && sh -c "$(sed -n 's/^Then: \(sapp-guide .* -o init.yaml\)$/\1/p' "$tmp/said")" >/dev/null)
check "and how all of it is planned" grep -q '^and, with a profile: sapp-balance --train TRAIN.yaml --init init.yaml '\
'output PROFILE$' "$tmp/said"
check "the command of the init YAML" cmp "$tmp/want.yaml" "$tmp/init.yaml"
sapp-guide -s 16 -n 16 2>"$tmp/err"
same "as few layers as stages: no answer" 3 $?
same "which is no warning" \
	"sapp-guide: 16 layers on 16 stages: with one layer per stage, the runs cannot separate a layer's \
parameters from the constant: use fewer stages" "$(cat "$tmp/err")"
# above_manual OPTION...
above_manual() {
	sapp-guide "$@" >/dev/null 2>"$tmp/err"
	check "a condition above the manual's limit is told" grep -q \
		"warning: condition .*, above 10: errors of peaks" "$tmp/err"
}
above_manual -s 3 -n 3,12
! long || above_manual -s 8 -n 3,58
done_testing
