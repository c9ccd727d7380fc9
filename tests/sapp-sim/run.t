#!/bin/sh
# Input and output: records passed on, options, figures computed by hand, bad input.
. "$(dirname "$0")/../lib.sh"
unset -f jq	# the order of members matters here

cat >"$tmp/layers" <<END
{"kind":"model","name":"m","stage_const_mem":-100,"batch_size":2}
{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":50}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":8,"time":10,"memory_parameter":200,"memory_activation":30,\
"memory_recompute":5}
{"kind":"layer","name":"TAIL","type":"TAIL","nb_layer":1,"time":2,"memory_parameter":70}
END
cat >"$tmp/question" <<'END'
{"kind":"pipeline","stages":4,"micro_batches":8,"interleave":1,"schedule":"1f1b","memory_limit":450}
END
cat >"$tmp/plan" <<END
{"kind":"plan","name":"p","origin":"manual","schedule":"1f1b","interleave":1,"counts":{"BODY":{"none":[[1,2,2,3]]}},\
"offset":[[-1,0,0,1]],"recompute":[[0,0,0,0]],"select_recompute":[[0,0,0,0]],"select_comm_recompute":[[0,0,0,0]]}
END
cat "$tmp/layers" "$tmp/question" "$tmp/plan" >"$tmp/all"

# Figures known by hand.
chunks 1f1b 16 '[8,8,8,8.8]' ',"activation":[8,8,8,8.8]' | sim >"$tmp/sim"
same "peaks in units of activation" "[32,24,16,8.8]" "$(jq -c .peak_memory "$tmp/sim")"
# The last stage runs 16 forwards of the first chunk and one of the second in a row.
for rows in 'a,b [96,96,96,96,96,96,96,93,100,92,84,76,68,60,52.2]' \
	'b,a [96,96,96,96,96,96,96,93,103,97,91,85,79,73,70.2]'; do
	f=$(jq -cn '[range(15) | 3] as $a | ($a[:8] + [4,4,4,4,4,4,4.2]) as $b | {a: $a, b: $b} | [.[$x[]]]' \
		--argjson x "$(printf '%s' "${rows%% *}" | jq -Rc 'split(",")')")
	chunks vpp 16 "$f" ",\"activation\":$f" | sim >"$tmp/sim"
	same "15 stages, a remainder: bubble" "0.5741 0.4375 0.1366" \
		"$(jq -r '.bubble | [.real, .ideal, .imba][]' "$tmp/sim" | xargs printf '%.4f %.4f %.4f')"
	same "15 stages, a remainder: peaks" "${rows#* }" "$(jq -c .peak_memory "$tmp/sim")"
done

# The stream.
sapp-sim -e "$tmp/all" >"$tmp/out"
same "the input comes out unchanged and in order" "$(cat "$tmp/all")" "$(head -6 "$tmp/out")"
same "then a sim and the blocks" "sim block" "$(tail -n +7 "$tmp/out" | jq -r .kind | uniq | xargs)"
same "one block an operation" 64 "$(grep -c '"block"' "$tmp/out")"
same "blocks end with the step" "$(jq -s '[.[] | select(.kind == "block").end] | max' "$tmp/out")" \
	"$(jq 'select(.kind == "sim").step_time' "$tmp/out")"
same "the memory of blocks peaks where the sim says" \
	"$(jq -c -s '[.[] | select(.kind == "block")] | group_by(.stage) | map(map(.memory) | max)' "$tmp/out")" \
	"$(jq -c 'select(.kind == "sim").peak_memory' "$tmp/out")"
same "what is over the limit" "[1,3]" "$(jq -c 'select(.kind == "sim").over' "$tmp/out")"
same "-mem instead of the limit" "[2]" "$(sim -mem 1000,1000,100,1000 "$tmp/all" | jq -c .over)"
same "tokens a second" "$(jq 'select(.kind == "sim") | 8 * 2 * 4096 * 1000 / .step_time | floor' "$tmp/out")" \
	"$(sim -tokens 4096 "$tmp/all" | jq '.tokens_per_second | floor')"
cat >"$tmp/known" <<EOF
{"kind":"model","name":"m","seq_length":4096,"batch_size":2,"model_parallel":4}
{"kind":"layer","name":"B","type":"BODY","nb_layer":8,"time":1}
{"kind":"pipeline","stages":4,"micro_batches":8,"interleave":1,"schedule":"1f1b","memory_limit":1000}
{"kind":"plan","name":"x","origin":"manual","schedule":"1f1b","interleave":1,"counts":{"B":{"none":[2,2,2,2]}},\
"offset":[0,0,0,0],"recompute":[0,0,0,0],"select_recompute":[0,0,0,0],"select_comm_recompute":[0,0,0,0]}
EOF
same 'tokens a second and device by the model' 'tokens per second and device: 62060.61' \
	"$(sapp-sim -H "$tmp/known" | grep device)"
same 'not where it does not say' '' "$(sed 's/"batch_size":2,//' "$tmp/known" | sapp-sim -H | grep tokens)"
{ echo '{"kind":"else","x":[1, 2]}'; cat "$tmp/all"; echo; printf '{"kind":"else"}'; } >"$tmp/other"
same "other kinds pass to the byte" '{"kind":"else","x":[1, 2]} {"kind":"else"}' \
	"$(sapp-sim "$tmp/other" | grep else | xargs -0 printf %s | paste -sd' ')"
same "cut and resumed" "$(sapp-sim "$tmp/all")" "$(jq -c . "$tmp/all" | sapp-sim | head -7)"

# Strategies.
sapp-sim -naive 1 "$tmp/all" >"$tmp/out"
same "-naive adds two plans with their sims behind the plan" \
	"model layer layer layer pipeline plan sim plan sim plan sim" \
	"$(jq -r .kind "$tmp/out" | xargs)"
same "what they are called" "p naive_all_recomp naive_no_recomp" \
	"$(jq -r 'select(.kind == "plan").name' "$tmp/out" | xargs)"
same "everything recomputed: 80 ms more than 249" "0.321" \
	"$(jq 'select(.name == "naive_all_recomp" and .kind == "sim").bubble.recompute * 1000 | floor / 1000' \
	"$tmp/out")"
same "the first one simulated is the measure" 1 "$(jq -r 'select(.kind == "sim").relative' "$tmp/out" | head -1)"
sed 's/"nb_layer":8/"nb_layer":9/; s/\[1,2,2,3\]/[1,2,2,4]/' "$tmp/all" >"$tmp/nine"
run 0 sapp-sim -naive 1 "$tmp/nine"
same "no naive plan for layers that do not divide" 1 "$(grep -c '"plan"' "$tmp/out")"
check "and that is said" grep -q 'divides evenly' "$tmp/err"
cat >"$tmp/manual.yaml" <<'END'
mine:
  offset: [0, 0, 1, -1]
  recompute: [1, 0, 0, 0]
  show: true
  file_name: mine.svg
two:
  interleave_num: 2
  recompute: true
END
sapp-sim -manual "$tmp/manual.yaml" "$tmp/layers" "$tmp/question" >"$tmp/out"
same "-manual" '{"BODY":{"none":[[1,2,3,1]],"full":[[1,0,0,0]]}}' \
	"$(jq -c 'select(.name == "mine" and .kind == "plan").counts' "$tmp/out")"
same "file_name is the plan's picture" '["mine.svg",null]' \
	"$(jq -c 'select(.kind == "plan") | .picture' "$tmp/out" | jq -cs '.[-2:]')"
sapp-sim -e -manual "$tmp/manual.yaml" "$tmp/layers" "$tmp/question" |
	sapp-plot -o "$tmp/drawn.svg" -plan two -plan mine
same "and sapp-plot draws to it" "drawn.svg mine.svg" "$(cd "$tmp" && ls ./*.svg | sed 's,./,,' | xargs)"
same "interleaved though the pipeline is not" "vpp" \
	"$(jq -r 'select(.name == "two" and .kind == "sim").schedule' "$tmp/out")"

{ cat "$tmp/layers" "$tmp/question"; sed 's/"interleave":1,"schedule":"1f1b"/"interleave":2,"schedule":"vpp"/' \
	"$tmp/question"; cat "$tmp/question"; } >"$tmp/three"
same "strategies for several questions are told apart, those of -manual told once" \
	"naive_all_recomp naive_no_recomp mine naive_all_recomp-vpp-i2 naive_no_recomp-vpp-i2 two \
naive_all_recomp-1f1b naive_no_recomp-1f1b" \
	"$(printf 'mine: {offset: 0, interleave_num: 1}\ntwo: {interleave_num: 2}\n' >"$tmp/both.yaml"
	sapp-sim -naive 1 -manual "$tmp/both.yaml" "$tmp/three" | jq -r 'select(.kind == "sim").name' |
		xargs)"
same "and counted where that is not enough" "naive_all_recomp-1f1b naive_all_recomp-1f1b-2" \
	"$(cat "$tmp/layers" "$tmp/question" "$tmp/question" "$tmp/question" | sapp-sim -naive 1 |
	jq -r 'select(.kind == "sim" and (.name | test("all.*-"))).name' | xargs)"

# The bubble in both readings: 1F1B of equal stages waits (P - 1) / (M + P - 1) of its step.
echo '{"kind":"chunks","name":"c","schedule":"1f1b","micro_batches":8,"forward":[1,1,1,1]}' >"$tmp/even"
check "the bubble as a share of the step" \
	sh -c 'sapp-sim -H "$1" | grep -qx "fractions of useful work; 27.27 % of the step is waiting"' sh "$tmp/even"

# The report.
sapp-sim -H -naive 1 "$tmp/all" >"$tmp/out"
for words in "To put in yaml configuration:" "  offset: [-1, 0, 0, 1]" \
	"------------- pp: 4, vp: 1, micro:  8 ------------" \
	"--------------------  bubble  --------------------" "   real    =   ideal   +   imba" \
	"--------------------  memory  --------------------" "peak memory: 270.00, 480.00" "stage 3 is" \
	"critical path: stage"; do
	check "the report says $words" grep -qF -- "$words" "$tmp/out"
done

# Bad input.
fails "empty input" 1 "sapp-sim: /dev/null: nothing to simulate" sapp-sim /dev/null
echo 'x' >"$tmp/bad"; fails "not JSON" 1 "bad:1: not a JSON object" sapp-sim "$tmp/bad"
chunks 1f1b 0 '[1,2]' >"$tmp/bad"; fails "no micro-batches" 1 "micro_batches: not positive '0'" sapp-sim "$tmp/bad"
chunks 1f1b 4 '[[1,2],[1,2]]' >"$tmp/bad"
fails "1f1b with chunks" 1 "bad:1: chunks: this schedule has one chunk" sapp-sim "$tmp/bad"
chunks 1f2b 4 '[1,2]' >"$tmp/bad"; fails "unknown schedule" 1 "not one of gpipe 1f1b" sapp-sim "$tmp/bad"
chunks 1f1b 2000000000 '[1,2]' >"$tmp/bad"; fails "too many operations" 1 "operations" sapp-sim "$tmp/bad"
chunks 1f1b 4 '[1,-2]' >"$tmp/bad"; fails "negative time" 1 "forward: negative '-2'" sapp-sim "$tmp/bad"
chunks 1f1b 4 '[1,2]' ',"activation":[1,2,3]' >"$tmp/bad"
fails "wrong shape" 1 "1 x 3 numbers, but forward has 1 x 2" sapp-sim "$tmp/bad"
chunks 1f1b 4 '[1,2]' ',"colour":1' >"$tmp/bad"; fails "unknown member" 1 "colour: unknown member" sapp-sim "$tmp/bad"
fails "a plan without layers" 1 "no layer record" sapp-sim "$tmp/question" "$tmp/plan"
fails "a plan without micro-batches" 1 "' has no micro_batches" sapp-sim "$tmp/layers" "$tmp/plan"
sed 's/\[1,2,2,3\]/[1,2,2,4]/' "$tmp/all" >"$tmp/bad"
fails "a plan with a layer too many" 1 "places 9 of the 8 layers 'BODY'" sapp-sim "$tmp/bad"
sed 's/"BODY":{/"OTHER":{/' "$tmp/all" >"$tmp/bad"
fails "a plan for other layers" 1 "no counts for the layer 'BODY'" sapp-sim "$tmp/bad"
sed 's/"stages":4/"stages":5/' "$tmp/all" >"$tmp/bad"
fails "a plan for other stages" 1 "has 4 stages, but the pipeline has 5" sapp-sim "$tmp/bad"
fails "-mem for other stages" 1 "3 memory limits for 4 stages" sapp-sim -mem 1,2,3 "$tmp/all"
fails "-mem of nothing" 2 "-mem: not a number" sapp-sim -mem x "$tmp/all"
for v in ' 16' '16 ' 0x10 1e1 16.0 '' x; do
	fails "-tokens '$v'" 2 "-tokens: not a whole number '$v'" sapp-sim -tokens "$v" "$tmp/all"; done
for v in ' 1e4' '1e4 ' 0x1p20 nan inf -inf ''; do
	fails "-mem '$v'" 2 "-mem: not a number" sapp-sim -mem "$v" "$tmp/all"; done
same "limits with units" "$(sapp-sim -mem 1024,2048,512,50000 "$tmp/all")" \
	"$(sapp-sim -mem 1GB,2048MB,.5GiB,50000 "$tmp/all")"
for v in +16 016; do check "-tokens $v" sapp-sim -tokens $v "$tmp/all"; done
for v in +5e4 .5e5 50000. 1,2,3,4; do check "-mem $v" sapp-sim -mem $v "$tmp/all"; done
fails "-naive 2" 2 "-naive: not between 0 and 1" sapp-sim -naive 2 "$tmp/all"
fails "an option it does not have" 2 "usage: sapp-sim" sapp-sim -x
fails "a file that is not there" 1 "cannot be read" sapp-sim "$tmp/none"
fails "a manual file that is not there" 1 "none.yaml" sapp-sim -manual "$tmp/none.yaml" "$tmp/all"
printf 'a:\n  offset: [0, 0, 1]\n' >"$tmp/bad.yaml"
fails "manual: too few stages" 1 "bad.yaml:2: offset: 3 numbers" sapp-sim -manual "$tmp/bad.yaml" "$tmp/all"
fails "manual: a training YAML" 1 "train.yaml:2: 'seed' is not a map of settings, such as offset" sapp-sim \
	-manual "$top/examples/llama-175b/train.yaml" "$tmp/all"
printf '{"kind":"plan","name"' >"$tmp/bad"
fails "a record that was cut" 1 "bad:1: not a JSON object" sapp-sim "$tmp/bad"
same "is no document" 0 "$(grep -c sapp-layers "$tmp/err")"
fails "a layer-description document" 1 "layers.json:1: not a record: no string member 'kind'; convert a \
layer-description document with sapp-layers" sapp-sim "$top/examples/llama-70b/layers.json"
jq . "$tmp/all" >"$tmp/divided"
check "records over several lines" run 0 sapp-sim "$tmp/divided"
sed '$d' "$tmp/divided" >"$tmp/bad"
fails "and one that was cut" 1 "not a JSON object" sapp-sim "$tmp/bad"
for name in ../x.svg /x.svg .svg x x.gif; do
	printf 'a:\n  file_name: %s\n' "$name" >"$tmp/bad.yaml"
	fails "manual: the picture $name" 1 "bad.yaml:2: file_name: expected a name that ends in .svg" \
		sapp-sim -manual "$tmp/bad.yaml" "$tmp/layers" "$tmp/question"
done
printf 'a:\n  ofset: 0\n' >"$tmp/bad.yaml"
fails "manual: unknown key" 1 "bad.yaml:2:" sapp-sim -manual "$tmp/bad.yaml" "$tmp/all"
printf 'a:\n  offset: [0, 0, 0, 1]\n' >"$tmp/bad.yaml"
fails "manual: offsets that do not sum up" 1 "offsets have the sum 1" sapp-sim -manual "$tmp/bad.yaml" "$tmp/all"
printf 'a:\n  select_recompute: [1, 0, 0, 0]\n' >"$tmp/bad.yaml"
fails "manual: a kind of recomputation that was not measured" 1 \
	"bad.yaml:2: 'a': 1 layers 'BODY' with recomputation 'select', whose memory was not measured" \
	sapp-sim -manual "$tmp/bad.yaml" "$tmp/layers" "$tmp/question"
printf '{"kind":"chunks","name":"a\\nb","schedule":"1f1b","micro_batches":2,"forward":[1,2]}\n' >"$tmp/bad"
fails "a name of two lines" 1 'bad:1: chunks: name: control characters' sapp-sim "$tmp/bad"
printf '{"kind":"chunks","name":"a\\u001b[31m","schedule":"1f1b","micro_batches":2,"forward":[1,2]}\n' >"$tmp/bad"
fails "a name that colours the terminal" 1 'bad:1: chunks: name: control characters' sapp-sim "$tmp/bad"
printf '{"kind":"chunks","name":"größer, “so” & é","schedule":"1f1b","micro_batches":2,"forward":[1,2]}\n' \
	>"$tmp/good"
check "a name in any language" sapp-sim "$tmp/good"
fails "-devices that stages cannot share" 1 \
	"-devices: the devices of one pipeline, a multiple of its 4 stages, not '6'" \
	sapp-sim -devices 6 -tokens 4096 "$tmp/all"
jq -c 'if .kind == "model" then .model_parallel = 2 else . end' "$tmp/all" >"$tmp/shared"
sapp-sim -devices 64 -tokens 4096 "$tmp/shared" >"$tmp/out" 2>"$tmp/err"
check "-devices of more than one pipeline: a warning" tells \
	"-devices 64: not the devices of one pipeline, 4 stages times model_parallel 2, 8 devices"
fails "-devices alone" 2 "-devices: needs -tokens" sapp-sim -devices 8 "$tmp/all"
chunks 1f1b 2 '[1,2]' >"$tmp/two"
printf 'F0,F1,B0,B1\nF0,B0,F1,X1\n' >"$tmp/order.csv"
fails "-order: the file, the line and who asks" 1 \
	"order.csv: order: line 2: not an operation 'X1'; in the plan 'c' ($tmp/two:1)" \
	sapp-sim -order "$tmp/order.csv" "$tmp/two"
fails "-order: an empty file" 1 "/dev/null: order: too short" sapp-sim -order /dev/null "$tmp/two"
printf '\357\273\277F0,F1,B0,B1\r\nF0,B0,F1,B1\r\n' >"$tmp/order.csv"
check "-order with a byte order mark" sapp-sim -order "$tmp/order.csv" "$tmp/two"
sed 's/$/ /; s/"nb_layer":8/"nb_layer":2/' "$tmp/layers" >"$tmp/twice"
check "the planner's, too" sapp-lp -s 2 -mb 2 -order "$tmp/order.csv" "$tmp/twice"
{ printf '\357\273\277'; cat "$tmp/two"; } >"$tmp/marked"
same "records with a byte order mark" "$(sapp-sim "$tmp/two")" "$(sapp-sim "$tmp/marked")"
{ cat "$tmp/two"; printf '\357\273\277'; cat "$tmp/two"; } >"$tmp/bad"
fails "a byte order mark further on" 1 "bad:2: not a JSON object" sapp-sim "$tmp/bad"
fails "a full disk" 1 "cannot write" sh -c 'sapp-sim -e "$1" >/dev/full' sh "$tmp/all"
chunks 1f1b 20000 '[1,2]' >"$tmp/big"
{ sapp-sim -e "$tmp/big"; echo $? >"$tmp/status"; } 2>"$tmp/err" | head -1 >/dev/null
same "a reader that goes away ends it quietly" "141 0" "$(cat "$tmp/status") $(wc -c <"$tmp/err")"
chunks zb-h1 16 '[1,1]' | sapp-sim -v 2>&1 >/dev/null | sed -E 's/[0-9]+\.[0-9]+/N/g' >"$tmp/told"
same "-v: how fast each was" \
	"sapp-sim: c: 96 operations in N ms (the order N ms), N million per second, N bytes each" \
	"$(head -1 "$tmp/told")"
same "and all of it" \
	"sapp-sim: N ms of processor time; per second N million operations of schedules, N million simulated" \
	"$(tail -n +2 "$tmp/told")"
done_testing
