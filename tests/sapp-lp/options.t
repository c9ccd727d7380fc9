#!/bin/sh
# Options: the questions they ask, and answers computed by hand.
. "$(dirname "$0")/../lib.sh"
. "$top/tests/sapp-lp/instance.sh"

cat >"$tmp/even" <<END
{"kind":"model","name":"m","stage_const_mem":-100}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":16,"time":1,"memory_parameter":200,"memory_activation":30,\
"memory_select_rec":20,"memory_select_comm":15,"memory_recompute":5}
END
# plans OPTION...: name, step time and status of every plan, in order.
plans() { sapp-lp -mb 8 -gap 0 -t 60 "$@" 2>"$tmp/err" |
	jq -c 'select(.kind == "plan") | [.name, .step_time, .status]' |
	tr -d '"' | xargs; }
question() { jq -c 'select(.kind == "pipeline")' | sed 's/"kind":"pipeline",//'; }

# Unlimited memory, any order of layers: (M + P - 1) (F + B), or (P - 1) (F + B) / V beyond M (F + B).
same "the defaults of -s, -mb, -i, -mem" \
	'{"interleave":1,"memory_limit":56000,"micro_batches":4,"schedule":"1f1b","stages":4}' \
	"$(sapp-lp "$tmp/even" 2>"$tmp/err" | question)"
same "four stages" "[planned-1f1b,132,optimal]" "$(plans "$tmp/even")"
same "-i 1-4: ranked" \
	"[planned-vpp-i4,105,optimal] [planned-vpp-i3,112,optimal] [planned-vpp-i2,114,optimal] \
[planned-1f1b,132,optimal]" \
	"$(plans -i 1-4 "$tmp/even")"
same "-i with a list" "[planned-vpp-i4,105,optimal] [planned-1f1b,132,optimal]" "$(plans -i 1,4 "$tmp/even")"
same "-k: the best of them" "[planned-vpp-i4,105,optimal] [planned-vpp-i3,112,optimal]" \
	"$(plans -i 1-4 -k 2 "$tmp/even")"
same "-lm 1" "[planned-vpp-less-i2,114,optimal]" "$(plans -i 2 -lm 1 "$tmp/even")"
same "-lm both: equal plans in the order asked" "[planned-vpp-i2,114,optimal] [planned-vpp-less-i2,114,optimal]" \
	"$(plans -i 2 -lm both "$tmp/even")"
same "-lm means nothing without chunks" "[planned-1f1b,132,optimal]" "$(plans -i 1 -lm 1 "$tmp/even")"
same "-S with a list" "[planned-gpipe,132,optimal] [planned-1f1b,132,optimal]" "$(plans -S gpipe,1f1b "$tmp/even")"
same "each plan behind its question" "gpipe gpipe 1f1b 1f1b" \
	"$(sapp-lp -mb 8 -S gpipe,1f1b "$tmp/even" 2>"$tmp/err" |
	jq -r 'select(.kind == "pipeline" or .kind == "plan").schedule' |
	xargs)"
same "-comm: 2 (P - 2) + 2 (P - 1) M / P delays" "[planned-1f1b,133.6,optimal]" "$(plans -comm 0.1 "$tmp/even")"
same "-comm is in the question" 0.1 "$(sapp-lp -comm 0.1 "$tmp/even" 2>"$tmp/err" | question | jq .comm_time)"
sapp-lp -comm 0.1 -mb 8 -i 2 "$tmp/even" 2>"$tmp/err" | sapp-sim >"$tmp/out"
same "and the simulator agrees" 0 "$(jq -s '(map(select(.kind == "sim"))[0].step_time) -
	(map(select(.kind == "plan"))[0].step_time) | . * 1e6 | round' "$tmp/out")"
same "gpipe keeps all activations: two layers of each stage with select" "[planned-gpipe,133.76,optimal]" \
	"$(plans -S gpipe -mem 1500 "$tmp/even")"
same "-gap: good enough" true \
	"$(sapp-lp -mb 8 -S gpipe -mem 1500 -gap 0.5 "$tmp/even" 2>"$tmp/err" |
	jq 'select(.kind == "plan").gap <= 0.5')"
same "one stage" "[planned-1f1b,384,optimal]" "$(plans -s 1 "$tmp/even")"
same "a layer a piece" "[planned-1f1b,57,optimal]" "$(plans -s 16 -mb 4 "$tmp/even")"
same "one micro-batch" "[planned-1f1b,48,optimal]" "$(plans -mb 1 "$tmp/even")"
same "--long options" "[planned-1f1b,132,optimal]" "$(plans --s 4 --mem 56000 "$tmp/even")"
same "-s=4" "[planned-1f1b,132,optimal]" "$(plans -s=4 "$tmp/even")"

# Option -mixes: kinds that may be mixed.
cat >"$tmp/mixed" <<END
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":2,"time":100,"memory_parameter":0,"memory_activation":100,\
"memory_select_rec":50,"memory_select_comm":20}
END
same "lists cannot say select and comm on one piece: two comm" "[planned-1f1b,650,optimal]" \
	"$(plans -s 1 -mb 1 -mem 71 "$tmp/mixed")"
same "-mixes all: one each" "[planned-1f1b,633,optimal]" "$(plans -s 1 -mb 1 -mem 71 -mixes all "$tmp/mixed")"
same "-mixes yaml: twice select" "[planned-1f1b,616,optimal]" "$(plans -s 1 -mb 1 -mem 100 -mixes yaml "$tmp/mixed")"
same "-mixes yaml: none and select" "[planned-1f1b,608,optimal]" "$(plans -s 1 -mb 1 -mem 150 -mixes yaml "$tmp/mixed")"

cat >"$tmp/order" <<'END'
{"kind":"layer","name":"A","type":"BODY","nb_layer":1,"time":1,"memory_parameter":1,"memory_activation":1}
{"kind":"layer","name":"B","type":"BODY","nb_layer":1,"time":1,"memory_parameter":1,"memory_recompute":1}
END
fails "lists recompute the first layers of a piece, not the second alone" 3 \
	"no 1f1b plan with 1 chunk per stage can be written as lists, at any limit: try -mixes all" \
	sapp-lp -s 1 "$tmp/order"
fails "other questions are answered all the same" 0 "no 1f1b plan with 1 chunk per stage can be written as lists" \
	sapp-lp -s 1 -S 1f1b,vpp -i 1,2 "$tmp/order"
same "by what can be said" "vpp2" "$(of '.schedule + (.interleave | tostring)' | tr -d '"')"
fails "a report ranks those that there are" 0 "try -mixes all" sapp-lp -H -s 1 -S 1f1b,vpp -i 1,2 "$tmp/order"
check "and no others" sh -c '[ "$(sed -n "/^ranking/,\$p" "$1" | grep -c "^ *[0-9]")" = 1 ]' sh "$tmp/out"
fails "what does not fit is ranked last, with what it lacks" 0 \
	"no plan of gpipe" sapp-lp -H -mb 8 -S gpipe,1f1b -mem 800 "$tmp/even"
check "in MB" grep -Eq '^  2  planned-gpipe  +[0-9.]+ MB too much for stage [0-9]$' "$tmp/out"
same "-mixes all" "[planned-1f1b,56,optimal]" "$(plans -s 1 -mixes all "$tmp/order")"
same "a piece for each: 1 + 8 (1 + 3) + 2" "[planned-1f1b,35,optimal]" "$(plans -s 2 "$tmp/order")"

# The lists of every plan must agree with its counts.
ask "$(sed -n 2p "$top/tests/data/plans.jsonl")" -t 1
same "offset and lists say what the counts say" "[96,true,true]" "$(of '. as $p |
	(.counts.BODY | map_values(flatten)) as $c | [range(48)] | map(. as $i | $c | map_values(.[$i])) |
	[(map(add) | add), (map(add - 2) == ($p.offset | flatten)),
	(map([(.select // 0) + (.both // 0), (.comm // 0) + (.both // 0)]) ==
	([$p.select_recompute, $p.select_comm_recompute] | map(flatten) | transpose))]')"

# Two models in one stream.
{
	echo '{"kind":"layer","name":"A","model_name":"a","type":"BODY","nb_layer":8,"time":1,"memory_parameter":200,'\
'"memory_activation":30}'
	echo '{"kind":"layer","name":"B","model_name":"b","type":"BODY","nb_layer":8,"time":2,"memory_parameter":200,'\
'"memory_activation":30}'
} >"$tmp/models"
same "-m a" "[planned-1f1b,66,optimal]" "$(plans -m a "$tmp/models")"
same "-m b" "[planned-1f1b,132,optimal]" "$(plans -m b "$tmp/models")"
fails "which one must be said" 1 "layer: a second model 'b' after 'a'; choose one with -m" sapp-lp "$tmp/models"
fails "and be there" 1 "no layer record of type BODY for the model 'c'" sapp-lp -m c "$tmp/models"

# Ends of the model: the first stage must leave room for the head, the last for the tail.
cat >"$tmp/ends" <<'END'
{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":0,"memory_parameter":1000}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":16,"time":1,"memory_parameter":500,"memory_activation":0.001}
{"kind":"layer","name":"TAIL","type":"TAIL","nb_layer":1,"time":0,"memory_parameter":1500}
END
same "head and tail take the room of layers" "[4,5,4,3]" \
	"$(sapp-lp -mb 8 -mem 3001,3001,2001,3001 -gap 0 "$tmp/ends" 2>"$tmp/err" |
	jq -c 'select(.kind == "plan").counts.BODY.none[0]')"
same "a limit for each stage" "[1,5,5,5]" \
	"$(sapp-lp -mb 8 -mem 1501,2501,2501,4001 -gap 0 "$tmp/ends" 2>"$tmp/err" |
	jq -c 'select(.kind == "plan").counts.BODY.none[0]')"

# The same question and seed give the same bytes; the time limit of -t holds.
line=$(sed -n 6p "$top/tests/data/plans.jsonl")
ask "$line" -gap 0 -t 300
cp "$tmp/out" "$tmp/first"
ask "$line" -gap 0 -t 300
check "the same question twice" cmp "$tmp/first" "$tmp/out"
ask "$line" -gap 0 -t 300 -seed 7
same "another seed, the same optimum" "$(of .step_time)" "$(jq 'select(.kind == "plan").step_time' "$tmp/first")"
# Search and proof run in parallel, and neither result may depend on the other's progress.
for line in "$(grep '"llama70b-p8v2m32-60g-vpp-less"' "$top/tests/data/plans.jsonl")" \
	"$(grep '"llama175b-p16v3m32-56g-vpp-less"' "$top/tests/data/plans.jsonl")"; do
	[ -n "${LONG-}" ] || break
	ask "$line" -gap 0.01 -t 300
	cp "$tmp/out" "$tmp/first"
	command -v taskset >/dev/null && one="taskset -c $(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')" || one=
	printf '%s\n' "$line" | jq -c '.records[]' >"$tmp/layers"
	# shellcheck disable=SC2046,SC2086 # one word an option
	$one sapp-lp $(printf '%s\n' "$line" | jq -r '.question |
		"-s \(.stages) -mb \(.micro_batches) -i \(.interleave) -S \(.schedule) -mem \(.memory_limit)"') \
		-gap 0.01 -t 300 "$tmp/layers" >"$tmp/out" 2>"$tmp/err"
	check "several chunks, on one processor: the same bytes" cmp "$tmp/first" "$tmp/out"
done
line=$(sed -n 8p "$top/tests/data/plans.jsonl")
ask "$line" -gap 0 -t 2 -v
same "-t is used" true "$(of '.solve_seconds >= 1.9')"
if [ -n "${QUICK:-}" ]; then
	skip "too slow here to measure time"
else
	# Two threads, which may get less time on a busy machine.
	below "and no more than that" "$(processor_time)" 4.2
fi
check "-v: what it took" grep -Eq '^sapp-lp: [0-9.]+ s of processor time, at most [0-9.]+ MB of memory$' "$tmp/err"
check "-v: how fast the search was" grep \
	-Eq '^ *[0-9.]+ s  searched  [1-9][0-9]* plans, [0-9.]+ million operations per second$' "$tmp/err"
check "-v: how it goes on stderr" grep -q ' s  .* best .* bound .* gap .* %' "$tmp/err"
ask "$line" -gap 0 -t 2 -S vpp,vpp-less -v
same "several questions are answered" 2 "$(grep -c '"kind":"plan"' "$tmp/out")"
below "and share it" "$(processor_time)" 4.2
ask "$line" -gap 0.2 -t 1000 -v
same "-gap ends it before" true "$(of '.solve_seconds < 900 and .gap <= 0.2')"

# No layer was measured without recomputation, so arguments with equal recomputation everywhere recompute all layers.
sed 's/"memory_activation":30,.*/"memory_recompute":5}/' "$tmp/even" >"$tmp/full"
same "uniform plans of the only kind that is known" '"optimal" 16 0' "$(sapp-lp -s 2 -mb 4 -mem 9000 -t 100 -gap 0 \
	-target megatron "$tmp/full" 2>/dev/null | jq -r -c 'select(.kind == "plan") | "\(.status | tojson) '\
'\([.counts.BODY.full[][]] | add) \([(.counts.BODY.none // [])[][]] | add // 0)"')"
# Switch off each mechanism of the planner: there must be a checked plan with a bound.
check "switches are listed" run 0 sapp-lp -set '?'
sed -n 's/\ton\t.*//p' "$tmp/out" >"$tmp/switches"
sed -n '/\ton\t/!s/\t/=/p' "$tmp/out" | cut -f1 >"$tmp/values"
check "and values" test "$(wc -l <"$tmp/values")" -eq 4
check "of all mechanisms" test "$(wc -l <"$tmp/switches")" -gt 10
cat >"$tmp/two" <<END
{"kind":"layer","name":"H","type":"HEAD","nb_layer":1,"time":3,"memory_parameter":300}
{"kind":"layer","name":"A","type":"BODY","nb_layer":9,"time":10,"memory_parameter":100,"memory_activation":30,\
"memory_recompute":3}
{"kind":"layer","name":"B","type":"BODY","nb_layer":14,"time":17,"memory_parameter":140,"memory_activation":40,\
"memory_recompute":4}
{"kind":"layer","name":"T","type":"TAIL","nb_layer":1,"time":9,"memory_parameter":400}
END
step=$(sapp-lp -s 4 -mb 8 -i 2 -mem 2600 -gap 0 -t 100 "$tmp/two" | jq 'select(.kind == "plan").step_time')
while read -r switch; do
	check "without $switch" run 0 sapp-lp -s 4 -mb 8 -i 2 -mem 2600 -gap 0 -t 2 -set "$switch=0" "$tmp/two"
	same "without $switch: no bound above the best plan" true \
		"$(jq --argjson s "$step" 'select(.kind == "plan") | .lower_bound <= $s * (1 + 1e-9)' "$tmp/out")"
done <"$tmp/switches"
set -- -seed 1
while read -r value; do set -- "$@" -set "$value"; done <"$tmp/values"
plain() { jq -c 'del(.seconds, .question)' "$tmp/out"; }
run 0 sapp-lp -j -s 4 -mb 8 -i 2 -mem 2600 -gap 0 -t 20 "$tmp/two"
whole=$(plain)
run 0 sapp-lp -j -s 4 -mb 8 -i 2 -mem 2600 -gap 0 -t 20 "$@" "$tmp/two"
same "with every value at its default it answers as without" "$whole" "$(plain)"
check "with other values" run 0 sapp-lp -s 4 -mb 8 -i 2 -mem 2600 -t 2 -set front_mixes=2 -set spare_paths=0 "$tmp/two"
for bad in caps caps=2 caps= none=0 =0 '' spare_paths=-1 load_work=inf front_mixes=1 look=x look=1x; do
	fails "-set $bad" 2 "-set: expected a NAME=VALUE that -set ?" sapp-lp -set "$bad" "$tmp/two"
done
done_testing
