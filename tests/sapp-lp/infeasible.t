#!/bin/sh
# Questions without an answer: the smallest limit with an answer, and the stage that needs it.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/one" <<END
{"kind":"model","name":"one","stage_const_mem":-100}
{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":500}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":18,"time":10,"memory_parameter":200,"memory_activation":30,\
"memory_select_rec":20.5,"memory_recompute":5.25}
{"kind":"layer","name":"TAIL","type":"TAIL","nb_layer":1,"time":2,"memory_parameter":701}
END
cat >"$tmp/two" <<END
{"kind":"layer","name":"dense","type":"BODY","nb_layer":3,"time":1,"memory_parameter":100,"memory_activation":33}
{"kind":"layer","name":"moe","type":"BODY","nb_layer":15,"time":2,"memory_parameter":417.5,"memory_activation":20,\
"memory_recompute":3}
END

run 3 sapp-lp -s 4 -mb 8 -t 1 -mem 1 "$tmp/two"
check "layers that nobody measured with recomputation are named" grep -q \
	"layers 'dense' are not recomputed in any plan" "$tmp/err"
same "those that were are not" 0 "$(grep -c "layers 'moe' are not" "$tmp/err")"

# smallest NAME INPUT OPTION...: the named limit must work; 1 MB less must fail with the same message.
smallest() {
	name=$1 input=$2; shift 2
	run 3 sapp-lp -s 4 -mb 8 -t 10 -mem 1 "$@" "$input" || { not_ok "$name: exit status 3"; return; }
	ok "$name: exit status 3"
	limit=$(sed -n 's/.*the smallest limit that works is \([0-9.]*\) MB, for stage [0-3]$/\1/p' "$tmp/err")
	stage=$(sed -n 's/.*for stage //p' "$tmp/err")
	same "$name: the record says how much is missing, and where" "[\"infeasible\",$limit,$stage]" \
		"$(jq -c 'select(.kind == "plan") | [.status, (.excess + 1), .binding_stage]' "$tmp/out")"
	same "$name: the plan that needs it is whole" 18 \
		"$(jq 'select(.kind == "plan") | [.counts[][][][]] | add' "$tmp/out")"
	same "$name: and peaks there" "$limit" "$(sapp-sim "$tmp/out" | jq 'select(.kind == "sim").peak_memory | max')"
	same "$name: on that stage" "$stage" \
		"$(sapp-sim "$tmp/out" | jq 'select(.kind == "sim").peak_memory | index(max)')"
	check "$name: it works" run 0 sapp-lp -s 4 -mb 8 -t 10 -mem "$limit" "$@" "$input"
	less=$(echo "$limit" | awk '{ print $1 - 1 }')
	fails "$name: less does not" 3 "the smallest limit that works is $limit MB, for stage $stage" \
		sapp-lp -s 4 -mb 8 -t 10 -mem "$less" "$@" "$input"
}
smallest "1f1b" "$tmp/one"
smallest "gpipe" "$tmp/one" -S gpipe
smallest "vpp" "$tmp/one" -i 2
smallest "vpp-less" "$tmp/one" -i 3 -lm 1
smallest "two kinds of layers" "$tmp/two"

# A limit for each stage: the record has the necessary raise of all limits.
check "limits of the stages" run 3 sapp-lp -s 4 -mb 8 -mem 1000,900,1200,800 "$tmp/one"
excess=$(jq 'select(.kind == "plan").excess' "$tmp/out")
check "that is said" grep -q "raised by $excess MB each would just suffice (stage [0-3] needs the most)" \
	"$tmp/err"
raised() { echo "1000 900 1200 800" |
	awk -v e="$1" '{ printf "%.10g,%.10g,%.10g,%.10g", $1 + e, $2 + e, $3 + e, $4 + e }'; }
check "raised by that much they do" run 0 sapp-lp -s 4 -mb 8 -mem "$(raised "$excess")" "$tmp/one"
check "by less they do not" run 3 sapp-lp -s 4 -mb 8 -mem "$(raised "$(echo "$excess" | awk '{ print $1 - 1 }')")" \
	"$tmp/one"

# Several questions, some without an answer.
check "one answer is enough" run 0 sapp-lp -s 4 -mb 8 -S gpipe,1f1b -mem 1295 "$tmp/one"
same "the other is ranked last" "planned-1f1b planned-gpipe" \
	"$(jq -r 'select(.kind == "plan").name' "$tmp/out" | xargs)"
check "and explained" grep -q 'no plan of gpipe .* fits into 1295 MB' "$tmp/err"
check "-k leaves it out" run 0 sapp-lp -s 4 -mb 8 -S gpipe,1f1b -mem 1295 -k 1 "$tmp/one"
same "but for the message" "planned-1f1b 1" \
	"$(jq -r 'select(.kind == "plan").name' "$tmp/out") $(grep -c gpipe "$tmp/err")"
check "none at all" run 3 sapp-lp -s 4 -mb 8 -S gpipe,1f1b -mem 900 "$tmp/one"

# Layers that are larger than a whole limit, memory beyond any machine.
sed 's/"memory_parameter":200/"memory_parameter":60000/' "$tmp/one" >"$tmp/large"
fails "a layer larger than the limit" 3 "the smallest limit that works is" sapp-lp -s 4 -mb 8 "$tmp/large"
sed 's/"memory_parameter":200/"memory_parameter":1e17/' "$tmp/one" >"$tmp/large"
fails "a layer larger than anything" 3 "the smallest limit that works is 5e+17 MB" sapp-lp -s 4 -mb 8 "$tmp/large"

# Far too many contents to list: the limit is exact nevertheless, and lower than with one chunk per stage or even
# layers.
cat >"$tmp/many" <<END
{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":100}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":3000,"time":1,"memory_parameter":100,"memory_activation":30,\
"memory_select_rec":20,"memory_recompute":5}
{"kind":"layer","name":"TAIL","type":"TAIL","nb_layer":1,"time":1,"memory_parameter":100}
END
while read -r stages micro option chunks limit; do
	[ "$stages" -lt 64 ] || long || continue
	fails "$stages stages, $option $chunks, 3000 layers" 3 "the smallest limit that works is $limit MB" \
		sapp-lp -s "$stages" -mb "$micro" "$option" "$chunks" -mem 1000 -set wall=0 -t 40 "$tmp/many"
	# A plan for 20 stages takes a third of this file's time.
	[ "$stages" = 20 ] && ! long || check "it works" run 0 sapp-lp -s "$stages" -mb "$micro" "$option" "$chunks" \
		-mem "$limit" -gap 1 -set wall=0 -t 200 "$tmp/many"
	fails "less does not" 3 "fits into $((limit - 1)) MB: the smallest limit that works is $limit MB" \
		sapp-lp -s "$stages" -mb "$micro" "$option" "$chunks" -mem $((limit - 1)) -set wall=0 -t 40 "$tmp/many"
done <<'END'
64 256 -i 4 14260
64 256 -S dualpipe 16245
64 256 -S v-half 8505
16 32 -S v-half 23810
20 40 -i 5 25405
END
# Kinds of layers that cannot be listed either: a limit that works, and one that provably fails.
cat >"$tmp/kinds" <<END
{"kind":"layer","name":"dense","type":"BODY","nb_layer":250,"time":1,"memory_parameter":100,"memory_activation":33,\
"memory_recompute":3}
{"kind":"layer","name":"moe","type":"BODY","nb_layer":350,"time":2,"memory_parameter":417.5,"memory_activation":20,\
"memory_recompute":3}
END
# Seconds of the processor, of which the answer takes a fourth.
seconds=$([ -n "${QUICK-}" ] && echo 40 || draws 2 40)
check "two kinds of layers, too many to list" run 3 sapp-lp -s 8 -mb 16 -i 3 -mem 1000 -set wall=0 -t "$seconds" \
	"$tmp/kinds"
said='s/.* fits into 1000 MB: the smallest limit known to work is \([0-9.]*\) MB, for stage [0-7], and none below '\
'\([0-9.]*\) MB does$/'
works=$(sed -n "$said\\1/p" "$tmp/err") below=$(sed -n "$said\\2/p" "$tmp/err")
same "they are close" true "$(jq -n "${below:-0} <= ${works:-1} and ${works:-1} < 1.1 * ${below:-0}")"
# It takes half a minute to find.
! long || check "with a little more there is a plan" run 0 sapp-lp -s 8 -mb 16 -i 3 \
	-mem "$(jq -n "${works:-0} * 1.005 | ceil")" \
	-gap 1 -set wall=0 -t 200 "$tmp/kinds"
check "limits of the stages" run 3 sapp-lp -s 2 -mb 16 -i 3 -mem 1000,2000 -set wall=0 -t "$seconds" "$tmp/kinds"
check "are said to be too low, and by how much at least" \
	grep -q 'fits: limits raised by [0-9.]* MB each would suffice (stage [01] needs the most); an increase below '\
'[0-9.]* MB does not suffice$' "$tmp/err"

# The time limit holds for questions without an answer, too; it counts two threads.
if [ -z "${QUICK-}" ]; then
	run 3 sapp-lp -v -s 256 -mb 1024 -i 8 -mem 1000 -t 1 "$tmp/many"
	below "256 stages of 8 chunks, in a second" "$(processor_time)" 2.6
	run 3 sapp-lp -v -s 1000 -mb 2000 -mem 1000 -t 1 "$tmp/many"
	below "1000 stages, in a second" "$(processor_time)" 2.6
fi
done_testing
