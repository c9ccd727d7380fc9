#!/bin/sh
# Devices: stages of different speeds, and transfer times of the boundaries between stages.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/six" <<END
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":6,"time":1,"memory_parameter":10,"memory_activation":1}
END
sed 's/"nb_layer":6/"nb_layer":3/' "$tmp/six" >"$tmp/three"
# plans OPTION...: step time, status and layers of every plan.
plans() { sapp-lp -mem 1000 -gap 0 -t 60 "$@" 2>"$tmp/err" | tee "$tmp/plans" | jq -c 'select(.kind == "plan") |
	[.step_time, .status, (.counts.BODY.none | add)]' | tr -d '"' | xargs; }
sim() { sapp-sim "$@" | get sim .step_time; }

# A stage with devices of twice the speed takes twice the layers: (M + P - 1) (F + B).
same "-speed 2,1: four layers and two" "[54,optimal,[4,2]]" "$(plans -s 2 -mb 8 -speed 2,1 "$tmp/six")"
near "the simulator takes it from the record" 54 "$(sim "$tmp/plans")" 1e-9
# The first stage, 12 ms / micro-batch, waits 2 ms for the first backward.
near "and other speeds from -speed" 98 "$(sim -speed 1,1 "$tmp/plans")" 1e-9
same "-speed 2: all of them" "[40.5,optimal,[3,3]]" "$(plans -s 2 -mb 8 -speed 2 "$tmp/six")"
same "-speed 0.5" "[162,optimal,[3,3]]" "$(plans -s 2 -mb 8 -speed 0.5 "$tmp/six")"
same "-speed 1 is none" "$(plans -s 2 -mb 8 "$tmp/six")" "$(plans -s 2 -mb 8 -speed 1 "$tmp/six")"
same "in the question" "[2,1]" "$(sapp-lp -s 2 -mb 8 -mem 1000 -speed 2,1 "$tmp/six" |
	jq -c 'select(.kind == "pipeline").speed')"
# The records of the question must have all digits of numbers in options, as the planner uses these records.
cat >"$tmp/two" <<END
{"kind":"layer","name":"head","type":"HEAD","nb_layer":1,"time":13,"memory_parameter":15}
{"kind":"layer","name":"b0","type":"BODY","nb_layer":6,"time":8,"backward_coef":0.25,"busy_time":5,\
"memory_parameter":10,"memory_activation":54,"memory_select_rec":28,"select_rec_coef":0.1,"memory_recompute":31}
{"kind":"layer","name":"b1","type":"BODY","nb_layer":1,"time":18,"backward_time":22,"memory_parameter":16,\
"memory_activation":26,"memory_select_rec":18,"memory_recompute":22,"recompute_time":50,"memory_transient":21,\
"memory_floor":119}
{"kind":"layer","name":"tail","type":"TAIL","nb_layer":1,"time":6,"memory_parameter":9}
END
sapp-lp -t 100 -s 3 -mb 5 -i 2 -S v-min -speed 0.3333333333333333,0.5,0.5 -mem 365 -target pytorch -comm 5.7 \
	-transfers blocking "$tmp/two" >"$tmp/plans" 2>"$tmp/err"
near "speeds of 16 digits" "$(jq 'select(.kind == "plan").step_time' "$tmp/plans")" "$(sim "$tmp/plans")" 1e-9
sapp-lp -S 1f1b -s 3 -mb 8 -speed 0.3333333333333333 -comm 1.1428571428571428,0.1 -mem 999.9999999999999 \
	-offload 7.000000000000001 -spread 0.14285714285714288 "$tmp/six" >"$tmp/out" 2>"$tmp/err"
sapp-lp -S dualpipev -s 2 -mb 8 -mem 1000 -overlap 0.7142857142857143 "$tmp/six" 2>"$tmp/err" >>"$tmp/out"
for digits in '"speed":0.3333333333333333' '"comm_time":[1.1428571428571428,0.1]' '"memory_limit":999.9999999999999' \
	'"offload":7.000000000000001' '"spread":0.14285714285714288' '"overlap":0.7142857142857143'; do
	check "$digits" grep -qF "$digits" "$tmp/out"
done
sapp-sim -speed 4,2 >"$tmp/out" <<'END'
{"kind":"chunks","name":"c","schedule":"1f1b","micro_batches":3,"forward":[[4,2]],"backward":[[8,4]]}
END
near "chunks at other speeds" 12 "$(jq 'select(.kind == "sim").step_time' "$tmp/out")" 1e-9

# One micro-batch crosses every boundary forwards and backwards.
same "-comm with a number for each boundary" "[12,optimal,[1,1,1]]" "$(plans -s 3 -mb 1 -comm 1,0.5 "$tmp/three")"
near "the simulator takes it from the record" 12 "$(sim "$tmp/plans")" 1e-9
near "and others from -comm" 15 "$(sim -comm 2,1 "$tmp/plans")" 1e-9
same "in the question" "[1,0.5]" "$(jq -c 'select(.kind == "pipeline").comm_time' "$tmp/plans")"
same "all alike as one number" "$(plans -s 3 -mb 4 -comm 1 "$tmp/six")" "$(plans -s 3 -mb 4 -comm 1,1 "$tmp/six")"
# With several chunks there is also a boundary from the last stage to the first.
same "interleaved: the last number, there and back" "[22,optimal,[1,1,1,1,1,1]]" \
	"$(plans -s 3 -mb 1 -i 2 -comm 0,0,2 "$tmp/six")"
same "without it nothing" "[18,optimal,[1,1,1,1,1,1]]" "$(plans -s 3 -mb 1 -i 2 -comm 0,0 "$tmp/six")"
same "bounds of unlike stages are proofs" true \
	"$(plans -s 4 -mb 12 -speed 1,0.7,1.3,1 -comm 0.3,0,2 -S 1f1b,gpipe,zb-h1 "$tmp/six" >"$tmp/all"
	jq -s 'map(select(.kind == "plan")) | length == 3 and
	all(.status == "optimal" and .lower_bound <= .step_time)' \
	"$tmp/plans")"
same "and the simulator agrees with every step" true "$(sapp-sim "$tmp/plans" | jq -s '[map(select(.kind == "plan")),
	map(select(.kind == "sim"))] | transpose | all((.[0].step_time - .[1].step_time | fabs) < 1e-6)')"
same "uniform mixes" "[54,optimal,[4,2]]" "$(plans -s 2 -mb 8 -mixes uniform -speed 2,1 "$tmp/six")"
same "stages that mirror one another" "[2,1,1,2]" \
	"$(plans -s 4 -mb 8 -S dualpipe -speed 2,1,1,2 -comm 1,0.5,1 "$tmp/six" >"$tmp/all"
	jq -c 'select(.kind == "plan") | .counts.BODY.none | add' "$tmp/plans" | sed 's/\[.*/[2,1,1,2]/')"
near "their simulated step" "$(jq 'select(.kind == "plan").step_time' "$tmp/plans")" "$(sim "$tmp/plans")" 1e-6
same "a free order is not below its bound, nor longer than the fixed ones" true \
	"$(plans -s 3 -mb 4 -t 2 -speed 1,2,1 -comm 1,0 -S 1f1b,free "$tmp/six" >"$tmp/all"
	jq -s 'map(select(.kind == "plan")) | (.[] | select(.name == "planned-free").step_time) as $f |
	all(.step_time >= $f - 1e-9) and all(.lower_bound <= .step_time)' "$tmp/plans")"

# Known answers count only for the same devices.
sapp-lp -s 2 -mb 8 -mem 1000 -speed 2,1 "$tmp/six" >"$tmp/known"
check "-known of other speeds is left alone" sapp-lp -s 2 -mb 8 -mem 1000 -known "$tmp/known" "$tmp/six"
same "which are other answers" 81 "$(jq 'select(.kind == "plan").step_time' "$tmp/check.out")"

fails "-speed 0" 2 "-speed" sapp-lp -s 2 -speed 0,1 "$tmp/six"
fails "-speed -1" 2 "-speed" sapp-lp -s 2 -speed=-1 "$tmp/six"
fails "-speed of letters" 2 "-speed" sapp-lp -s 2 -speed fast "$tmp/six"
fails "speeds of other stages" 2 "speed: 3 numbers for 2 stages" sapp-lp -s 2 -speed 1,2,1 "$tmp/six"
fails "delays of other boundaries" 2 "comm_time: 3 numbers for the boundaries of 2 stages" \
	sapp-lp -s 2 -comm 1,2,1 "$tmp/six"
# Two stages share one boundary in both directions.
for chunks in 1 2; do
	fails "two delays of one boundary, $chunks chunks" 2 \
		"comm_time: two numbers for the one boundary of 2 stages '1' '50'" \
		sapp-lp -s 2 -i $chunks -mb 4 -mem 1000 -comm 1,50 "$tmp/six"
done
step() { jq 'select(.kind == "plan").step_time'; }
sapp-lp -s 2 -i 2 -mb 4 -mem 1000 -comm 7 "$tmp/six" >"$tmp/one"
same "alike they are one" "$(step <"$tmp/one")" \
	"$(sapp-lp -s 2 -i 2 -mb 4 -mem 1000 -comm 7,7 "$tmp/six" | step)"
fails "nor are they simulated" 1 "two numbers for the one boundary of 2 stages '1' '50'" sapp-sim -comm 1,50 "$tmp/one"
sed 's/"comm_time":7/"comm_time":[1,50]/; s/"comm_time":\[7\]/"comm_time":[1,50]/' "$tmp/one" >"$tmp/bad"
fails "nor read" 1 "comm_time: two numbers for the one boundary" sapp-sim "$tmp/bad"
# Three stages have two boundaries, and a third one from the last stage to the first.
for last in 0 9; do
	sapp-lp -s 3 -i 2 -mb 6 -mem 1000 -comm 1,1,$last "$tmp/six" >"$tmp/three"
	same "from the last stage to the first: $last ms" "$(step <"$tmp/three")" \
		"$(sapp-sim -j "$tmp/three" | jq 'select(.kind == "sim").step_time')"
	step <"$tmp/three" >"$tmp/step-$last"
done
check "which takes time" awk 'NR > 1 && $1 > a { more = 1 } { a = $1 } END { exit !more }' "$tmp/step-0" "$tmp/step-9"
fails "a negative delay" 2 "-comm" sapp-lp -s 3 -comm 1,-2 "$tmp/six"
fails "stages that would mirror one another" 2 "stages 0 and 3 hold the same pieces" \
	sapp-lp -s 4 -mb 8 -S dualpipe -speed 1,1,1,2 "$tmp/six"
fails "boundaries that would" 2 "hold the same pieces, but the boundaries after stages 0 and 2 differ" \
	sapp-lp -s 4 -mb 8 -S dualpipe -comm 1,1,2 "$tmp/six"
fails "sapp-sim: speeds of other stages" 1 "3 speeds for 2 stages" sapp-sim -speed 1,2,3 "$tmp/known"
sed 's/"speed":\[2,1\]/"speed":[2,1,1]/' "$tmp/known" >"$tmp/bad"
fails "a record with speeds of other stages" 1 "speed: 3 numbers for 2 stages" sapp-sim "$tmp/bad"
sed 's/"speed":\[2,1\]/"speed":[2,0]/' "$tmp/known" >"$tmp/bad"
fails "a record with a speed of 0" 1 "speed" sapp-sim "$tmp/bad"
sed 's/"speed":\[2,1\]/"comm_time":[2,1,1]/' "$tmp/known" >"$tmp/bad"
fails "a record with delays of other boundaries" 1 "comm_time: 3 numbers for the boundaries of 2 stages" \
	sapp-sim "$tmp/bad"
done_testing
