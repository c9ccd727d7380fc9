#!/bin/sh
# Certificates of golden questions: the whole bound is proved, with several chunks per stage for a wide gap. Plans,
# questions and files with false contents are refused. Questions without certificates are refused.
# shellcheck disable=SC2016,SC2034,SC2154 # jq's variables; variables of what is sourced
. "$(dirname "$0")/../lib.sh"
. "$top/tests/sapp-lp/instance.sh"

# proves NAME: the certificate in $tmp/proof proves the bound of the plan in $tmp/out.
proves() {
	check "$1: checked" sapp-check "$tmp/proof" "$tmp/out"
	said=$(sed -n 's/.*proved: no plan of this question takes less than \(.*\) ms/\1/p' "$tmp/check.out")
	near "$1: all of the bound" "$(of .lower_bound)" "${said:-none}" "$(of '.lower_bound * 1e-7')"
}
for file in plans moe; do
	jq -c 'select(.question.interleave == 1)' "$top/tests/data/$file.jsonl" >"$tmp/questions"
	while read -r line; do
		name=$(printf '%s\n' "$line" | jq -r .name)
		case ${LONG:-$name} in 1 | pp4* | taylor-2) ;; *) continue ;; esac
		ask "$line" -gap 0 -t 600 -proof "$tmp/proof"
		same "$name: answered" "0 " "$status $(cat "$tmp/err")"
		proves "$name"
		ask "$line" -gap 0.01 -t 600 -mixes all -proof "$tmp/proof"
		proves "$name all"
	done <"$tmp/questions"
done

# Several chunks per stage.
for name in llama70b-p8v2m32-60g-vpp-less llama175b-p16v3m32-56g-vpp; do
	ask "$(jq -c --arg name "$name" 'select(.name == $name)' "$top/tests/data/plans.jsonl")" \
		-gap "$(draws 0.05 0.02)" -t 600 -proof "$tmp/proof"
	proves "$name"
done

# With all other features of certificates.
sed 'N;/,\n/{s/\n//;b};P;D' >"$tmp/layers" <<'END'
{"kind":"model","name":"m","overhead":[30,20,25],"overhead_early":[10,20,5]}
{"kind":"layer","name":"e","type":"HEAD","time":3,"nb_layer":1,"bound":false,"memory_activation":2}
{"kind":"layer","name":"a","type":"BODY","time":10,"nb_layer":5,"memory_parameter":10,
"memory_activation":20,"memory_select_rec":12,"memory_select_comm":11,"memory_recompute":5,"memory_floor":14}
{"kind":"layer","name":"b","type":"BODY","time":14,"nb_layer":6,"memory_parameter":12,
"memory_activation":25,"memory_recompute":6,"memory_transient":4,"kinds":{"mine":{"activation":9,"backward_coef":0.3}}}
{"kind":"layer","name":"loss","type":"TAIL","time":8,"nb_layer":1,"memory_transient":9}
{"kind":"kind","name":"mine","select_recompute":["mine"]}
END
set -- -s 3 -mb 8 -gap 0 -t 200
check "layers of all sorts" sh -c 'out=$1 proof=$2 in=$3; shift 3
	sapp-lp -mem 170,165,160 -speed 1,1.1,0.9 -comm 2,3 -empty "$@" -proof "$proof" "$in" >"$out"' sh "$tmp/out" \
	"$tmp/proof" "$tmp/layers" "$@"
proves "layers of all sorts"
for schedule in gpipe vpp vpp-less; do
	sapp-lp -mem 300 "$@" -S $schedule -proof "$tmp/proof" "$tmp/layers" >"$tmp/out" 2>"$tmp/err"
	same "$schedule: answered" 0 $?
	proves "$schedule"
done

# Groups of micro-batches with a remainder, smaller than the number of stages, and larger.
for chunks in '-S vpp -i 2' '-S vpp-less -i 2 -group 4' '-S gpipe -i 2 -mixes all' '-S vpp -i 2 -group 4 -mb 9' \
	'-S vpp -i 2 -group 5 -mb 9' '-S vpp -i 2 -empty'; do
	# shellcheck disable=SC2086 # words
	sapp-lp -mem 300 -comm 2 -speed 1,1.1,0.9 "$@" -gap 0.03 $chunks -proof "$tmp/proof" "$tmp/layers" >"$tmp/out" \
		2>"$tmp/err"
	same "$chunks: answered" 0 $?
	proves "$chunks"
done

# no_more NAME: the certificate proves the bound; if the claim is above a plan's step, at most this step is proved.
no_more() {
	proves "$1"
	for factor in 1.0001 1.02 1.1 1.4 2; do
		jq -c --argjson f "$factor" 'if .kind == "proof" then .bound *= $f else . end' "$tmp/proof" >"$tmp/more"
		sapp-check "$tmp/more" "$tmp/out" 2>"$tmp/err" |
			sed -n 's/.*proved: no plan of this question takes less than \(.*\) ms/\1/p' >"$tmp/said"
		check "$1: no more, $factor times as much claimed: $(cat "$tmp/said")" awk -v step="$(of .step_time)" \
			'$1 > step { exit 1 }' "$tmp/said"
	done
}
# An end that may not be alone on a stage that would better be empty; ends that cannot have their own piece in a
# framework; hundreds of mixes.
body='"type":"BODY","memory_parameter":10'
kinds='"memory_activation":20,"memory_select_rec":12,"memory_select_comm":11,"memory_recompute":5'
cat >"$tmp/alone" <<END
{"kind":"layer","name":"h","type":"HEAD","nb_layer":1,"time":30}
{"kind":"layer","name":"a","nb_layer":3,"time":10,$body}
END
cat >"$tmp/behind" <<END
{"kind":"layer","name":"a","nb_layer":9,"time":10,$body,$kinds}
{"kind":"layer","name":"loss","type":"TAIL","nb_layer":1,"time":8,"bound":false,"memory_activation":2}
END
cat >"$tmp/mixes" <<END
{"kind":"layer","name":"a","nb_layer":7,"time":10,$body,"memory_activation":20,"memory_select_rec":17,\
"memory_recompute":5}
{"kind":"layer","name":"b","nb_layer":6,"time":14,$body,"memory_activation":31,"memory_select_rec":12,\
"memory_recompute":6}
END
while read -r file options; do
	# shellcheck disable=SC2086 # words
	sapp-lp -t 200 -gap 0 $options -proof "$tmp/proof" "$tmp/$file" >"$tmp/out" 2>"$tmp/err"
	same "$options: answered" 0 $?
	no_more "$file $options"
done <<'END'
alone -s 2 -mb 8 -mem 900 -empty
behind -s 3 -mb 6 -mem 120 -target mindformers
mixes -s 2 -mb 6 -S vpp -i 2 -mem 260
mixes -s 2 -mb 6 -S vpp -i 2 -mem 300,220
END

# No plan fits.
sapp-lp -mem 60 "$@" -proof "$tmp/none" "$tmp/layers" >"$tmp/nothing" 2>"$tmp/err"
same "nothing fits" 3 $?
same "which is proved" 'planned-1f1b: proved: no plan of this question fits into memory' \
	"$(sapp-check "$tmp/none" "$tmp/nothing")"
jq -c 'if .kind == "pipeline" then .memory_limit = 600 else . end' "$tmp/nothing" >"$tmp/roomy"
sapp-check "$tmp/none" "$tmp/roomy" 2>&1 | sed -n "s/.*the records have the question '\([^']*\)'.*/\1/p" >"$tmp/print"
sed "1s/\"question\":\"[^\"]*\"/\"question\":\"$(cat "$tmp/print")\"/" "$tmp/none" >"$tmp/false"
run 3 sapp-check "$tmp/false" "$tmp/roomy" && ok "not where it does" || not_ok "not where it does"

# The last answer with false statements.
sapp-lp -mem 170 "$@" -proof "$tmp/proof" "$tmp/layers" >"$tmp/answer" 2>"$tmp/err"
edited() { jq -c "if .kind == \"$1\" then $2 else . end" "$tmp/answer" >"$tmp/edited"; }
edited plan '.step_time *= 0.999'
fails "a step that is shorter than it is" 1 'its step takes' sapp-check "$tmp/proof" "$tmp/edited"
edited plan '.counts.b |= (to_entries | map(.value |= map(.[-1:] + .[:-1])) | from_entries)'
fails "layers moved" 1 "' is not what its record says:" sapp-check "$tmp/proof" "$tmp/edited"
edited plan 'def moves($body; $from; $to): .counts[$body] |= (to_entries |
	(map(.value[0][$from] > 0) | index(true)) as $kind |
	.[$kind].value[0] |= (.[$from] -= 1 | .[$to] += 1) | from_entries);
	moves("b"; 2; 0) | moves("a"; 0; 1)'
fails "one layer out of order" 1 "has 'a' after a later kind of layer" sapp-check "$tmp/proof" "$tmp/edited"
edited plan '.counts.a.none[0][0] += 1'
fails "a layer more" 1 "of 'a' are placed" sapp-check "$tmp/proof" "$tmp/edited"
edited plan '.counts.a |= (.none[0] = [.none[0], .select[0], .comm[0], .full[0]] | .none[0] |= (transpose | map(add)) |
	.none |= [.[0]] | .none = [.none[0]] | .select[0] |= map(0) | .comm[0] |= map(0) | .full[0] |= map(0))'
fails "nothing recomputed" 1 "' is not what its record says:" sapp-check "$tmp/proof" "$tmp/edited"
edited plan '.counts.e.full = [[0, 0, 0]]'
check "none of a kind that a layer has not" sapp-check "$tmp/proof" "$tmp/edited"
edited plan '.lower_bound = .step_time * 1.001'
run 3 sapp-check "$tmp/proof" "$tmp/edited" && ok "a bound above" || not_ok "a bound above"
check "what is not proved of it" grep -q 'unproved part: [0-9.]* ms' "$tmp/out"
edited pipeline '.memory_limit = [200]'
fails "another question" 1 'proof: question: the records have the question' sapp-check "$tmp/proof" "$tmp/edited"
edited layer 'if .name == "b" then .time = 13 else . end'
fails "other layers" 1 'proof: question: the records have the question' sapp-check "$tmp/proof" "$tmp/edited"
jq -c 'if .kind == "layer" then {note: "passes"} + . | del(.note) else . end' "$tmp/answer" >"$tmp/edited"
check "the same records written otherwise" sapp-check "$tmp/proof" "$tmp/edited"
check "from standard input" sh -c 'sapp-check "$1" <"$2"' sh "$tmp/proof" "$tmp/answer"
check "the certificate from there" sh -c 'sapp-check - "$2" <"$1"' sh "$tmp/proof" "$tmp/answer"

echo '{"kind":"layer","name":"B","type":"BODY","time":10,"nb_layer":4,"memory_activation":20,"memory_recompute":5}' |
	sapp-lp -s 2 -mb 4 -mem 50 -t 100 -gap 0 -proof "$tmp/small" >"$tmp/out" 2>"$tmp/err"
check "with recomputation" sapp-check "$tmp/small" "$tmp/out"
jq -c 'if .kind == "plan" then .counts.B = { none: [[2, 2]] } else . end' "$tmp/out" >"$tmp/edited"
fails "without what it takes to fit" 1 "stage 0 exceeds its limit" sapp-check "$tmp/small" "$tmp/edited"

# Files that are no certificates.
lines=$(wc -l <"$tmp/proof")
for keep in 1 2 $((lines / 2)) $((lines - 1)); do
	head -n "$keep" "$tmp/proof" >"$tmp/short"
	fails "cut off after $keep lines" 1 ":$((keep + 1)): the certificate ends before its end record" \
		sapp-check "$tmp/short" "$tmp/answer"
done
head -c 500 "$tmp/proof" >"$tmp/short"
fails "cut off within a line" 1 'not JSON' sapp-check "$tmp/short" "$tmp/answer"
: >"$tmp/empty"
fails "an empty file" 1 ':1: the certificate ends' sapp-check "$tmp/empty" "$tmp/answer"
fails "no file" 1 'No such file' sapp-check "$tmp/missing" "$tmp/answer"
fails "an answer instead" 1 "not a record of a certificate (proof, path, load, bound, branch, end) 'model'" \
	sapp-check "$tmp/answer" "$tmp/answer"
printf '\000\001' >"$tmp/binary"
fails "bytes" 1 'not a certificate: it contains a NUL byte' sapp-check "$tmp/binary" "$tmp/answer"
fails "no plan" 1 "no plan record has the name 'planned-1f1b'" sapp-check "$tmp/proof" "$tmp/layers"
fails "no records" 1 "no plan record has the name 'planned-1f1b'" sapp-check "$tmp/proof" "$tmp/empty"
fails "no certificate" 2 'missing operand: a certificate' sapp-check
# replaced SED MESSAGE NAME: the certificate changed so is an error.
replaced() {
	sed "$1" "$tmp/proof" >"$tmp/changed"
	fails "$3" 1 "$2" sapp-check "$tmp/changed" "$tmp/answer"
}
replaced '2s/\[\[0,0,/[[9,0,/' 'path: not operations of the schedule' "a stage that is not there"
replaced '2s/\[\[0,0,0\]/[[0,0,1]/' 'does not wait for' "a path that is none"
replaced '2s/\[\[0,0,0\]/[[0,0]/' 'path: steps' "steps of two numbers"
bound='2s/$/\n{"kind":"bound","node":1,"paths":'
replaced "$bound"'[0,0],"weights":[1]}/' 'bound: expected one weight per path' "a path without a weight"
replaced "$bound"'99,"weights":1}/' "bound: paths: no path has this number '99'" "a path that is not there"
replaced "$bound"'0,"weights":-1}/' "weights: negative '-1'" "a weight below 0"
replaced "$bound"'[0,0],"weights":[0,0]}/' 'bound: weights: all weights are 0' "no weights"
replaced '$s/end/bound/' "missing member 'node'" "no node"
replaced '$s/{/{"kind":"end"}\n{/' 'more text after the end record' "two ends"
replaced '2s/^/{"kind":"proof","plan":"x","question":"x"}\n/' 'a second proof record' "two proofs"
replaced '1d' 'begins with its proof record' "no proof"
replaced '2s/^/{"kind":"branch","node":1,"stage":0,"layers":1,"first":1}\n/' \
	'branch: expected one of layers' "two ways"
replaced '2s/^/{"kind":"branch","node":1,"stage":7,"layers":1}\n/' "branch: stage: out of range '7'" "a stage too many"

# Links and transfers: the bound of steps without them is proved; the whole bound, if the link is fast enough.
sed 's/"backward_coef":0.3/"offload":5/' "$tmp/layers" >"$tmp/swap"
while read -r options; do
	# shellcheck disable=SC2086 # words
	sapp-lp -s 3 -mb 6 -mem 170 -t 200 -gap 0 $options -proof "$tmp/proof" "$tmp/swap" >"$tmp/out" 2>"$tmp/err"
	same "$options: answered" 0 $?
	proves "$options"
	check "$options: its step is what it says" sh -c 'sapp-check "$1" "$2" | grep -q " ms by its own record$"' sh \
		"$tmp/proof" "$tmp/out"
done <<'END'
-S 1f1b -offload 20
-S gpipe -mem 240 -offload 20
-S vpp -i 2 -mem 240 -offload 20
-S 1f1b -offload 0.2
END
# If the order depends on times, the proved bound holds for all orders. If the order is fixed, a higher bound is proved.
# If the question restricts plans, the bound is proved for all plans.
while read -r least options; do
	# shellcheck disable=SC2086 # words
	sapp-lp -s 3 -mb 6 -mem 400 -t 200 -gap 0.01 $options -proof "$tmp/proof" "$tmp/swap" >"$tmp/answer" \
		2>"$tmp/err"
	same "$options: answered" 0 $?
	sapp-check "$tmp/proof" "$tmp/answer" >"$tmp/said" 2>&1
	same "$options: in part" 3 $?
	check "$options: what is left" grep -q 'unproved part' "$tmp/said"
	said=$(sed -n 's/.*proved: no plan of this question takes less than \(.*\) ms/\1/p' "$tmp/said")
	check "$options: ${said:-none}" awk -v said="${said:-0}" -v least="$least" -v bound="$(jq -r '
		select(.kind == "plan").lower_bound' "$tmp/answer")" \
		'BEGIN { exit !(said > least * bound && said < bound) }'
done <<'END'
0.95 -S 1f1b -comm 3 -transfers blocking
0.95 -S gpipe -comm 3 -transfers batched
0.85 -S vpp -i 2 -comm 3 -transfers batched
0.7 -S zb-h1
0.7 -S zb-h2
0.7 -S zb-vpp -i 2
0.7 -S zbv -i 2
0.7 -S v-half -i 2
0.7 -S v-min -i 2
0.7 -S zero-bubble-v -i 2
0.7 -S dualpipev -i 2
0.7 -S vpp-overlap -i 2
0.7 -S zb-h1 -comm 3 -transfers batched
END
# A load is a path in every order; the last of the questions has a path of the operations in 1f1b.
sed '2s/^/{"kind":"path","steps":[[0,0,0]]}\n/' "$tmp/proof" >"$tmp/changed"
fails "a path of no known order" 1 'path: the order of operations is free' sapp-check "$tmp/changed" "$tmp/answer"
sed '2s/"stage":0/"stage":3/' "$tmp/proof" >"$tmp/changed"
fails "a stage that is not there" 1 "load: stage: out of range '3'" sapp-check "$tmp/changed" "$tmp/answer"
for options in '-mixes uniform' '-target mindformers'; do
	# shellcheck disable=SC2086 # words
	sapp-lp -s 3 -mb 6 -mem 400 -t 200 $options -proof "$tmp/proof" "$tmp/layers" >"$tmp/out" 2>"$tmp/err"
	same "$options: answered" 0 $?
	proves "$options"
done

# sapp-lp reports questions that certificates do not cover before planning.
beyond() {
	what=$1; shift
	fails "beyond: $what" 2 "-proof: this question cannot be certified: $what" \
		sapp-lp -s 3 -mb 8 -t 2 -proof "$tmp/beyond" "$@" "$tmp/layers"
	check "no file is made then" test ! -e "$tmp/beyond"
}
awk 'BEGIN { for (s = 0; s < 3; s++) for (i = 0; i < 16; i++)
	printf "%d%s%d%s", s, i < 8 ? "F" : "B", i % 8, i < 15 ? "," : "\n" }' >"$tmp/order.csv"
beyond "the places of its pieces follow only from its order" -S custom -order "$tmp/order.csv"
beyond 'an overlapped forward and backward take less than their sum' -S vpp-overlap -i 2 -overlap 0.9
fails "several questions" 2 '-proof: only for one question; these are 2' \
	sapp-lp -S 1f1b,gpipe -proof "$tmp/beyond" "$tmp/layers"
done_testing
