#!/bin/sh
# Questions without an answer: the smallest limit that has one, and the stage in the way.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/one" <<'END'
{"kind":"model","name":"one","stage_const_mem":-100}
{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":500}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":18,"time":10,"memory_parameter":200,"memory_activation":30,"memory_select_rec":20.5,"memory_recompute":5.25}
{"kind":"layer","name":"TAIL","type":"TAIL","nb_layer":1,"time":2,"memory_parameter":701}
END
cat >"$tmp/two" <<'END'
{"kind":"layer","name":"dense","type":"BODY","nb_layer":3,"time":1,"memory_parameter":100,"memory_activation":33}
{"kind":"layer","name":"moe","type":"BODY","nb_layer":15,"time":2,"memory_parameter":417.5,"memory_activation":20,"memory_recompute":3}
END

# smallest NAME INPUT OPTION...: the limit named works, and one MB less does not, which says the same.
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

# A limit for each stage: the record says by how much all of them must rise.
check "limits of the stages" run 3 sapp-lp -s 4 -mb 8 -mem 1000,900,1200,800 "$tmp/one"
excess=$(jq 'select(.kind == "plan").excess' "$tmp/out")
check "that is said" grep -q "raised by $excess MB each, the limits would just do, stage [0-3] being the last" "$tmp/err"
raised() { echo "1000 900 1200 800" | awk -v e="$1" '{ printf "%.10g,%.10g,%.10g,%.10g", $1 + e, $2 + e, $3 + e, $4 + e }'; }
check "raised by that much they do" run 0 sapp-lp -s 4 -mb 8 -mem "$(raised "$excess")" "$tmp/one"
check "by less they do not" run 3 sapp-lp -s 4 -mb 8 -mem "$(raised "$(echo "$excess" | awk '{ print $1 - 1 }')")" "$tmp/one"

# Several questions, some without an answer.
check "one answer is enough" run 0 sapp-lp -s 4 -mb 8 -S gpipe,1f1b -mem 1295 "$tmp/one"
same "the other is ranked last" "1f1b gpipe" "$(jq -r 'select(.kind == "plan").name' "$tmp/out" | xargs)"
check "and explained" grep -q 'no plan of gpipe .* fits into 1295 MB' "$tmp/err"
check "-k leaves it out" run 0 sapp-lp -s 4 -mb 8 -S gpipe,1f1b -mem 1295 -k 1 "$tmp/one"
same "but for the message" "1f1b 1" "$(jq -r 'select(.kind == "plan").name' "$tmp/out") $(grep -c gpipe "$tmp/err")"
check "none at all" run 3 sapp-lp -s 4 -mb 8 -S gpipe,1f1b -mem 900 "$tmp/one"

# Layers that are larger than a whole limit, memory beyond any machine.
sed 's/"memory_parameter":200/"memory_parameter":60000/' "$tmp/one" >"$tmp/large"
fails "a layer larger than the limit" 3 "the smallest limit that works is" sapp-lp -s 4 -mb 8 "$tmp/large"
sed 's/"memory_parameter":200/"memory_parameter":1e17/' "$tmp/one" >"$tmp/large"
fails "a layer larger than anything" 3 "the smallest limit that works is 5e+17 MB" sapp-lp -s 4 -mb 8 "$tmp/large"
done_testing
