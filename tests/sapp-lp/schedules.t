#!/bin/sh
# Plans for schedules with special rules: mirrored stages, orders given by hand, many schedules at equal memory.
. "$(dirname "$0")/../lib.sh"
. "$top/tests/sapp-lp/instance.sh"

cat >"$tmp/even" <<END
{"kind":"model","name":"m","stage_const_mem":-100}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":16,"time":1,"memory_parameter":200,"memory_activation":30,\
"memory_select_rec":20,"memory_select_comm":15,"memory_recompute":5}
END
cat >"$tmp/ends" <<END
{"kind":"layer","name":"E","type":"HEAD","nb_layer":1,"time":0.5,"memory_parameter":500}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":15,"time":1,"memory_parameter":200,"memory_activation":30,\
"memory_recompute":5}
{"kind":"layer","name":"T","type":"TAIL","nb_layer":1,"time":1.5,"memory_parameter":700}
END
plan() { sapp-lp -mb 8 -gap 0 -t 60 "$@" >"$tmp/out" 2>"$tmp/err"; }
# agrees NAME: the simulator, which does not fold mirrored stages, must have the same step within limits.
agrees() {
	same "$1" "0 true" "$(sapp-sim "$tmp/out" |
		jq -s -r '(map(select(.kind == "plan"))[0]) as $p | (map(select(.kind == "sim"))[0]) as $s |
		"\(($s.step_time - $p.step_time) * 1e6 | round) \([$s.peak_memory, ($s.memory_limit | if type == '\
'"array" then . else . as $m | $s.peak_memory | map($m) end)] |
		transpose | all(.[0] <= .[1] + 1e-6))"')"
}

# DualPipe: M (F + B) and (P / 2 - 1) (F&B + B - 3 W) more, with F = W = 4, B = 8, F&B = 12.
plan -S dualpipe "$tmp/even"
same "dualpipe: even layers" '["planned-dualpipe",1,104,"optimal"]' "$(of '[.name, .interleave, .step_time, .status]')"
agrees "dualpipe: simulated the same"
# 8 layers and P + 1 = 5 micro-batches of 4 layers: 1600 + 600, less 100.
plan -S dualpipe -mem 2100 "$tmp/even"
same "dualpipe: parameters of two pieces just fit" '[104,"optimal"]' "$(of '[.step_time, .status]')"
plan -S dualpipe -mem 2099 "$tmp/even"
same "dualpipe: with less, something is recomputed" true "$(of '.step_time > 104')"
agrees "dualpipe: simulated the same, within less"
plan -S dualpipe -mem 2200,2200,2200,2090 "$tmp/even"
same "dualpipe: the tighter limit of a stage and the one opposite holds" true "$(of '.step_time > 104')"
agrees "dualpipe: and is kept"
plan -S dualpipe -mem 2200,2200,2200,2090 "$tmp/even"; cp "$tmp/out" "$tmp/last"
plan -S dualpipe -mem 2090,2200,2200,2200 "$tmp/even"
same "dualpipe: whichever it is" "$(jq 'select(.kind == "plan").step_time' "$tmp/last")" "$(of .step_time)"
plan -S dualpipe -comm 0.25 "$tmp/ends"
agrees "dualpipe: delays, head and tail, simulated the same"
# 1200 MB, minus the savings of one layer less.
same "dualpipe: head and tail are on both ends" "true true" "$(sapp-sim "$tmp/out" |
	jq -r 'select(.kind == "sim").peak_memory | "\(.[0] == .[3]) \(.[0] > .[1] + 700)"')"
plan -S dualpipe -s 8 -mb 16 -mem 2500 "$tmp/even"
agrees "dualpipe of eight stages"
plan -S dualpipe -mem 1590,1590,1580,1590 "$tmp/even"
same "dualpipe: what does not fit names the stage with the tighter limit" '[2,"infeasible"]' \
	"$(of '[.binding_stage, .status]')"
more=$(of .excess)
plan -S dualpipe -mem "$(jq -rn --argjson e "$more" '[1590, 1590, 1580, 1590] | map(. + $e | tostring) | join(",")')" \
	"$tmp/even"
same "dualpipe: limits raised as told work" true "$(of '.step_time != null')"
plan -S dualpipe -mem 2050 "$tmp/even"
step=$(of .step_time)
if command -v cbc >/dev/null; then
	plan -S dualpipe -mem 2050 -solver cbc "$tmp/even"
	near "dualpipe: another solver finds the same" "$step" "$(of .step_time)" 1e-6
else
	skip "no cbc"
fi
plan -S dualpipe -mem 2050 -lp "$tmp/lp" "$tmp/even"
check "dualpipe: the model has the columns of all four stages" grep -q 'n_0_3_BODY_none' "$tmp/lp"
fails "dualpipe: an odd number of stages" 2 "dualpipe needs even numbers of stages" sapp-lp -s 3 -mb 8 -S dualpipe \
	"$tmp/even"
fails "dualpipe: few micro-batches" 2 "at least twice as many micro-batches" sapp-lp -s 4 -mb 6 -S dualpipe "$tmp/even"
fails "dualpipe: two chunks" 2 "one chunk per stage, and adds its mirror image itself" sapp-lp -s 4 -mb 8 -i 2 -S \
	dualpipe \
	"$tmp/even"

# Write the order of a schedule's simulation to a file. With this file as -order, the best plan has the same step as
# with the schedule.
order() { jq -s -r \
	'map(select(.kind == "block")) | (map(.stage) | max + 1) as $p | group_by(.stage)[] | sort_by([.start, .end]) |
	map((if $v and .chunk == 1 then 2 * $p - 1 - .stage else .chunk * $p + .stage end | tostring) + .phase +
	(.micro | tostring)) | join(",")' \
	--argjson v "$1"; }
for s in 1f1b,1,false,1450 vpp,2,false,1450 zb-h1,1,false,1550 v-half,2,true,2000; do
	IFS=, read -r name chunks folded limit <<-END
		$s
	END
	plan -S "$name" -i "$chunks" -mem "$limit" -mixes all "$tmp/ends"
	want=$(of '[.step_time, .status]')
	check "$name: a plan" test "$(of .status)" = '"optimal"'
	sapp-sim -e "$tmp/out" | order "$folded" >"$tmp/order.csv"
	plan -order "$tmp/order.csv" -i "$chunks" -mem "$limit" -mixes all "$tmp/ends"
	same "custom: the order of $name" "$want" "$(of '[.step_time, .status]')"
	agrees "custom: $name simulated from the pipeline record"
done
same "custom: the question has the order" '["custom",4]' \
	"$(jq -c 'select(.kind == "pipeline") | [.schedule, (.order | split("\n") | map(select(. != "")) | length)]' \
	"$tmp/out")"

# The model runs backwards over the stages: its head is on the last stage.
cat >"$tmp/back.csv" <<'END'
1F0,1F1,1B0,1B1
0F0,0F1,0B0,0B1
END
sapp-lp -s 2 -mb 2 -mem 9000 -order "$tmp/back.csv" "$tmp/ends" >"$tmp/out"
agrees "custom: pieces elsewhere"
cp "$tmp/out" "$tmp/back"
same "custom: the layers after the head" true \
	"$(sapp-sim "$tmp/out" | jq -s '(map(select(.kind == "plan"))[0].counts.BODY.none[0]) as $n |
	map(select(.kind == "sim"))[0].peak_memory | .[0] == $n[0] * 260 + 700 and .[1] == $n[1] * 260 + 500')"
same "custom: with others" "1f1b custom" \
	"$(sapp-lp -s 2 -mb 2 -S 1f1b,custom -order "$tmp/back.csv" "$tmp/ends" 2>"$tmp/err" |
	jq -r 'select(.kind == "plan").schedule' | sort | xargs)"
printf 'F0,B0,F1,B1\nF1,F0,B1,B0\n' >"$tmp/dead.csv"
# Rows that hold pieces in another order than the stages have the same step as stages in order with the same speeds.
printf '%s\n' '{"kind":"layer","name":"emb","type":"HEAD","nb_layer":1,"time":20,"memory_parameter":1}' \
	'{"kind":"layer","name":"a","type":"BODY","nb_layer":2,"time":2,"memory_parameter":10,"memory_activation":10}' \
	'{"kind":"layer","name":"b","type":"BODY","nb_layer":4,"time":5,"memory_parameter":10,"memory_activation":30}' \
	>"$tmp/head"
first=0F0,0F1,0B0,0F2,0B1,0F3,0B2,0B3 second=1F0,1B0,1F1,1B1,1F2,1B2,1F3,1B3
printf '%s\n' $first $second >"$tmp/forth.csv"
printf '%s\n' $second $first >"$tmp/swapped.csv"
rows() { sapp-lp -gap 0 -t 20 -s 2 -mb 4 "$@" "$tmp/head" 2>"$tmp/err" | tee "$tmp/rows" |
	jq -c 'select(.kind == "plan") | [.step_time, .status]'; }
same "rows of a custom order: the fast one has the head" '[217,"optimal"]' \
	"$(rows -mem 300 -speed 1,2 -order "$tmp/swapped.csv")"
same "as if it were the first" "$(rows -mem 300 -speed 2,1 -order "$tmp/forth.csv")" \
	"$(rows -mem 300 -speed 1,2 -order "$tmp/swapped.csv")"
same "simulated" 217 "$(sapp-sim "$tmp/rows" | get sim .step_time)"
same "limits go with the rows" "$(rows -mem 60,260 -order "$tmp/forth.csv")" \
	"$(rows -mem 260,60 -order "$tmp/swapped.csv")"
same "and the stage that lacks memory" 0 "$(rows -mem 5,400 -order "$tmp/swapped.csv" >"$tmp/null"
	jq 'select(.kind == "plan").binding_stage' "$tmp/rows")"
fails "custom: an order that can never run" 1 "dead.csv: can never run: " sapp-lp -s 2 -mb 2 -order "$tmp/dead.csv" \
	"$tmp/ends"
printf 'F0,B0\nF0,B0\n' >"$tmp/half.csv"
printf '%s\n' 0F0,0F1,0B0,0B1 1F0,1B0,999999999F1,1B1 >"$tmp/far.csv"
fails "custom: a piece of very many digits" 1 "far.csv: order: line 2: no piece '999999999'" \
	sapp-lp -s 2 -mb 2 -order "$tmp/far.csv" "$tmp/head"
fails "custom: half an order" 1 \
	"half.csv: order: line 1: no forward of micro-batch 1" sapp-lp -s 2 -mb 2 -order "$tmp/half.csv" "$tmp/ends"
fails "custom: for other stages" 1 "back.csv: order: line 2: only this many lines, but the pipeline has 3 stages" \
	sapp-lp \
	-s 3 -mb 2 -order "$tmp/back.csv" "$tmp/ends"
fails "custom: none" 2 "a custom schedule needs an order" sapp-lp -s 2 -mb 2 -S custom "$tmp/ends"
fails "custom: not asked for" 2 "-order: needs the schedule custom in -S" \
	sapp-lp -s 2 -mb 2 -S 1f1b -order "$tmp/back.csv" "$tmp/ends"
fails "custom: no file" 1 "nowhere.csv" sapp-lp -s 2 -mb 2 -order "$tmp/nowhere.csv" "$tmp/ends"
jq -c 'if .kind == "pipeline" then .order = "F0" else . end' "$tmp/back" >"$tmp/bad"
fails "custom: a pipeline record with half an order" 1 "pipeline: order: " sapp-sim "$tmp/bad"
jq -c 'if .kind == "pipeline" then .schedule = "1f1b" else . end' "$tmp/back" >"$tmp/bad"
fails "custom: an order for 1f1b" 1 "pipeline: order: only with the schedule custom, not '1f1b'" sapp-sim "$tmp/bad"
jq -c 'if .kind == "pipeline" then del(.order) else . end' "$tmp/back" >"$tmp/bad"
fails "custom: a pipeline record without" 1 "pipeline: a custom schedule needs an order" sapp-sim "$tmp/bad"

# All schedules at equal memory.
all=gpipe,1f1b,vpp,vpp-less,zb-h1,zb-h2,zbv,v-half,v-min,dualpipe,dualpipev,zero-bubble-v
sapp-lp -s 4 -mb 8 -mem 2400 -gap 0.01 -S $all "$tmp/even" >"$tmp/out"
same "every schedule at once" "$(echo $all | tr , '\n' | sort | xargs)" "$(of .schedule | tr -d '"' | sort | xargs)"
same "with the chunks that it has" "1 2" "$(jq -s -r 'map(select(.kind == "plan")) |
	"\(map(select(.schedule | IN("gpipe", "1f1b", "vpp", "vpp-less", "zb-h1", "zb-h2", "dualpipe")).interleave) '\
'| unique[0]) \(
	map(select(.schedule | IN("zbv", "v-half", "v-min", "dualpipev", "zero-bubble-v")).interleave) '\
' | unique[0])"' "$tmp/out")"
same "ranked" true "$(jq -s 'map(select(.kind == "plan").step_time) | . == sort' "$tmp/out")"
same "and all within it" true \
	"$(sapp-sim "$tmp/out" | jq -s 'map(select(.kind == "sim").peak_memory[]) | max <= 2400.000001')"
same "-i: those numbers that a schedule can have" "1f1b1 v-half2 vpp1 vpp2" \
	"$(sapp-lp -s 4 -mb 8 -i 1,2 -S 1f1b,v-half,vpp "$tmp/even" 2>"$tmp/err" |
	jq -r 'select(.kind == "plan") | .schedule + (.interleave | tostring)' | sort | xargs)"
done_testing
