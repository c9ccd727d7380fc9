#!/bin/sh
# Schedules, delays, manual orders, sequence splits: from record to record.
. "$(dirname "$0")/../lib.sh"

# Steps and peaks that can be checked by hand: F = B = W = 1.
same "zb-h1: M (F + B + W) + (P - 1)(F + B - W)" "[21,[4,4,4,4]]" \
	"$(chunks zb-h1 6 '[1,1,1,1]' ',"activation":1' | sim | jq -c '[.step_time, .peak_memory]')"
same "zb-h2 at twice the memory: no bubble but the fill" "[39,[7,7,7,7]]" \
	"$(chunks zb-h2 12 '[1,1,1,1]' ',"activation":1' | sim | jq -c '[.step_time, .peak_memory]')"
same "memory that B frees" "[4,3.25,2.5,1.75]" \
	"$(chunks zb-h1 12 '[1,1,1,1]' ',"activation":1,"weight_activation":0.25' | sim | jq -c .peak_memory)"
same "the part of backward that W takes: no bubble but the fill" "39" \
	"$(chunks zb-h1 12 '[1,1,1,1]' ',"weight":0.8' | sim | jq .step_time)"
same "v-min holds floor((P + 4) / 3) micro-batches" "[4,4,4,4]" \
	"$(chunks v-min 12 '[[1,1,1,1],[1,1,1,1]]' ',"activation":1' | sim | jq -c .peak_memory)"
same "dualpipe mirrors its stages: parameters twice, the constant once" "[13,13,13,13]" \
	"$(chunks dualpipe 8 '[1,1,1,1]' ',"parameter":[1,2,3,4],"constant":3,"activation":1' | sim |
	jq -c .peak_memory)"
same "dualpipe: forwards and backwards together" "26 24" \
	"$(for o in 1 0.833333333333333333; do chunks dualpipe 8 '[1,1,1,1]' ",\"overlap\":$o"; done | sim |
	jq .step_time | xargs)"
same "zero-bubble-v: 6 M + 2 (P - 1), and as much memory as zbv" "[54,[8,8,8,8]]" \
	"$(chunks zero-bubble-v 8 '[[1,1,1,1],[1,1,1,1]]' ',"activation":1' | sim | jq -c '[.step_time, .peak_memory]')"
same "phases of blocks" "B F W" \
	"$(chunks zbv 8 '[[1,1],[1,1]]' | sapp-sim -e | jq -r 'select(.kind == "block").phase' | sort -u | xargs)"
same "dualpipe: micro-batches of the other end count on" "0 1 2 3 4 5 6 7" \
	"$(chunks dualpipe 8 '[1,1,1,1]' | sapp-sim -e | jq -r 'select(.stage == 2).micro' | sort -un | xargs)"
for schedule in zb-h1 zb-h2 dualpipe; do
	near "$schedule: equal stages have the ideal bubble alone" 0 \
		"$(chunks $schedule 16 '[2,2,2,2]' | sim | jq .bubble.imba)" 1e-9
done
for schedule in zbv v-half v-min dualpipev zero-bubble-v; do
	near "$schedule: equal stages have the ideal bubble alone" 0 \
		"$(chunks $schedule 16 '[[2,2,2,2],[2,2,2,2]]' | sim | jq .bubble.imba)" 1e-9
done

# Interleaved zero bubble, and forwards together with backwards.
f='[[1,1,1,1],[1,1,1,1],[1,1,1,1]]'
same "zb-vpp: 3 V M and the fill, P V chunks" "75 [12,12,12,12]" \
	"$(chunks zb-vpp 8 "$f" ',"activation":1' | sim | jq -c '.step_time, .peak_memory' | xargs)"
same "with one chunk it is zb-h1" \
	"$(chunks zb-h1 8 '[2,1,1,3]' | sapp-sim -e | jq -c 'select(.kind == "block") | del(.plan)')" \
	"$(chunks zb-vpp 8 '[2,1,1,3]' | sapp-sim -e | jq -c 'select(.kind == "block") | del(.plan)')"
same "6 micro-batches on 4 stages are one round" "FFFFFFFB" \
	"$(chunks zb-vpp 6 '[[1,1,1,1],[1,1,1,1]]' | sapp-sim -e |
		jq -s 'map(select(.kind == "block" and .stage == 3)) | sort_by(.start) | map(.phase) | .[:8] | add' -r)"
chunks zb-vpp 9 '[1,1,1,1]' >"$tmp/bad"; fails "rounds of unequal size" 1 \
	"zb-vpp on P stages needs a number of micro-batches M that floor(M / P) divides" sapp-sim "$tmp/bad"
chunks zb-vpp 8 '[1,1,1,1]' ',"group":4' >"$tmp/bad"; fails "zb-vpp in groups" 1 "neither" sapp-sim "$tmp/bad"
same "vpp-overlap: one forward more" "[12,10,8,6]" \
	"$(chunks vpp-overlap 8 '[[1,1,1,1],[1,1,1,1]]' ',"activation":1' | sim | jq -c .peak_memory)"
same "the others run together, 11 on the last stage" "57 50.4" \
	"$(for o in 1 0.8; do chunks vpp-overlap 8 '[[1,1,1,1],[1,1,1,1]]' ",\"overlap\":$o"; done |
	sim | jq .step_time | xargs)"

# A published example of MindSpeed Auto Tuning: memory of stages of a network with 32 layers and 8192 tokens, and full
# recomputation. tp 4: 16 MB per layer and micro-batch, 32 for the embedding, 500 for the loss, 1200 while a layer runs
# backward.
kept() { chunks "$1" 32 "$2" ",\"activation\":$3,\"transient\":$4" | sim | jq -c .peak_memory; }
same 'a published stage alone' 2244 "$(kept 1f1b '[1]' '[1044]' 1200)"
same 'four of them' '[1840,1584,1456,1828]' "$(kept 1f1b '[1,1,1,1]' '[160,128,128,628]' 1200)"
same 'of micro-batches of 2, tp 8 and cp 2' '[968,832,768,954]' \
	"$(kept 1f1b '[1,1,1,1]' '[82,64,64,314]' 640)"
# With four chunks it has 7 micro-batches of the embedding where the first chunk holds 8, and keeps the loss of 12
# micro-batches at the same time (7216), although each is freed before the next begins.
f='[[1,1,1,1],[1,1,1,1],[1,1,1,1],[1,1,1,1]]'
same 'of four chunks' "[$((2032 + 32)),1744,1680,$((13 * 32 + 500 + 1200))]" \
	"$(kept vpp "$f" '[[64,32,32,32],[32,32,32,32],[32,32,32,32],[32,32,32,532]]' 1200)"
# Layers that are not recomputed keep 500 MB each. The published increase has one layer less, since with recomputation
# the activations of one layer also exist.
more() { kept "$1" "$2" "$3" 0 | jq '(.[0]? // .) - 500'; }
same 'without recomputation: 32 layers, 8 on each of four stages, with four chunks' '15500 15500 18500' \
	"$(more 1f1b '[1]' 16000) $(more 1f1b '[1,1,1,1]' 4000) $(more vpp "$f" 1000)"
# Its time of a step: 55 ms per layer and micro-batch, and 12 + 80 ms outside.
same 'its step, of one chunk and of two' '15492 14832' \
	"$({ chunks 1f1b 32 '[160,160,160,160]' ',"backward":280,"overhead":[92,92,92,92]'
	chunks vpp 32 '[[80,80,80,80],[80,80,80,80]]' ',"backward":140,"overhead":[92,92,92,92]'; } | sim |
	jq .step_time | xargs)"

# Orders that depend on times: M <= P, and delays.
v='[[1,1,1,1,1,1,1,1],[1,1,1,1,1,1,1,1]]'
same "zbv with as many micro-batches as stages: 7 P - 1" 55 "$(chunks zbv 8 "$v" | sim | jq .step_time)"
same "zb-h2: 3 M and the fill" 31 "$(chunks zb-h2 8 '[1,1,1,1,1,1,1,1]' | sim | jq .step_time)"
same "zb-h1 with delays: forwards fill the wait for the first backward" "35 [4,4,4,4]" \
	"$(chunks zb-h1 4 '[2,2,2,2]' ',"backward":3,"weight":1,"comm_time":1,"activation":1' | sim |
		jq -c '.step_time, .peak_memory' | xargs)"
same "blocks are those of the same order" "35" "$(chunks zb-h1 4 '[2,2,2,2]' ',"backward":3,"weight":1,"comm_time":1' |
	sapp-sim -e | jq -s 'map(select(.kind == "block").end) | max')"

# Sequence splits and groups.
same "sequence 1f1b: (M + (P - 1)/q)(F + B)" "57" "$(chunks 1f1b 8 '[2,2,2,2]' ',"seq_split":2' | sim | jq .step_time)"
same "its bubble in words of the whole" "0.1875" \
	"$(chunks 1f1b 8 '[2,2,2,2]' ',"seq_split":2' | sim | jq .bubble.ideal)"
same "its memory, in parts" "[2.5,2,1.5,1]" \
	"$(chunks 1f1b 8 '[2,2,2,2]' ',"seq_split":2,"activation":1' | sim | jq -c .peak_memory)"
same "a group of six" "[13,11,9,7]" \
	"$(chunks vpp 12 '[[1,1,1,1],[1,1,1,1]]' ',"group":6,"activation":1' | sim | jq -c .peak_memory)"
same "micro-batches left over are the last group" "[13,11,9,7]" \
	"$(chunks vpp 10 '[[1,1,1,1],[1,1,1,1]]' ',"group":6,"activation":1' | sim | jq -c .peak_memory)"
same "fewer than stages, or in groups of no given size, they join the first" "[13,11,9,7] [13,11,9,7]" \
	"$(for g in '' ',"group":4'; do chunks vpp 10 '[[1,1,1,1],[1,1,1,1]]' "$g,\"activation\":1"; done | sim |
	jq -c .peak_memory | xargs)"

# Delays.
f='[1,1,1,1]'
same "1f1b: 2(P - 2) + 2(P - 1)M/P delays" 34.6 "$(chunks 1f1b 8 "$f" ',"comm_time":0.1' | sim | jq .step_time)"
same "-comm instead" 34.6 "$(chunks 1f1b 8 "$f" | sim -comm 0.1 | jq .step_time)"
same "one delay for each edge" 34.6 "$(chunks 1f1b 8 "$f" ',"comm_time":[0.1,0.1,0.1]' | sim | jq .step_time)"
same "only one edge is slow" 33.6 "$(chunks 1f1b 8 "$f" | sim -comm 0.1,0,0,0 | jq .step_time)"
near "the bubble's part of them" 0.0167 "$(chunks 1f1b 8 "$f" ',"comm_time":0.1' | sim | jq .bubble.comm)" 0.07
same "blocking: the figures of its users" "0.2658 0.1875 0.0615 0.0168" \
	"$(chunks 1f1b 16 '[8,8,8,8.8]' | sim -comm 0.1 -transfers blocking |
	jq -r '.bubble | .real, .ideal, .imba, .comm' | xargs printf '%.4f %.4f %.4f %.4f')"
same "blocking: on two equal stages delays are all that is lost but the fill" "[0.1625,0.0625,0,0.1]" \
	"$(chunks vpp 8 '[[1,1],[1,1]]' | sim -comm 0.1 -transfers blocking |
	jq -c '.bubble | [.real, .ideal, .imba, .comm] | map(. * 1e9 | round / 1e9 + 0)')"
f='[[2,2,2,2],[1,2,3,3.2]]'
same "blocking: several chunks per stage" "154.5 0.4971 0.1875 0.2447 0.0649" \
	"$(chunks vpp 8 "$f" | sim -comm 0.1 -transfers blocking |
		jq -r '.step_time, (.bubble | .real, .ideal, .imba, .comm)' | xargs printf '%g %.4f %.4f %.4f %.4f')"
same "its memory: a backward frees what its own chunk holds" "[19,18,17,11.2]" \
	"$(chunks vpp 8 "$f" ",\"activation\":$f" | sim -comm 0.1 -transfers blocking | jq -c .peak_memory)"
f='[[2,2,2,2,2,2,2,2],[2,2,2,2,2,2,2,2],[2,2,2,2,2,2,2,2.6]]'
r='[[0,0,0,0,0,0,0,0],[1,0,0,0,0,0,0,0],[2,2,1,0,0,0,0,0]]'
same "blocking: with recomputation" "0.4444 0.1458 0.1851 0.0724 0.0412" \
	"$(chunks vpp 16 "$f" ",\"recompute\":$r" | sim -comm 0.1 -transfers blocking |
		jq -r '.bubble | .real, .ideal, .imba, .comm, .recompute' | xargs printf '%.4f %.4f %.4f %.4f %.4f')"
f='[[3,7,1,5,2],[8,4,6,2,9],[5,5,1,7,3]]'
same "blocking: long delays, uneven chunks" "688 1310" \
	"$(for m in 5 10; do chunks vpp $m "$f"; done | sim -comm 4 -transfers blocking | jq .step_time | xargs)"
same "the path and its delays make the step" true "$(chunks vpp 8 '[[1,2,1],[2,1,1]]' ',"comm_time":0.5' | sim |
	jq '([.critical | .forward, .backward | .[][]] | add) + .critical.delay == .step_time')"

# The slow stage never waits once it has begun: forwards of two stages before it, and of each of its pieces what it
# runs.
same "the path by phase, stage and piece" '[98,2,[[1,1,32]],[[0,0,32]],[[0,0,32]]]' "$(chunks zb-h1 8 '[1,1,4]' | sim |
	jq -c '[.step_time, .critical.stage, (.critical | .forward, .backward, .weight)]')"
same "the path in words, with the chunk" "true stage 2: 86 % of the step, mostly chunk 1 backward (47 %)" \
	"$(chunks vpp 8 '[[1,1,1,1],[1,1,3,1]]' | sim |
	jq -r '"\((.critical.share - 88 / .step_time | fabs) < 1e-9) \(.critical.why)"')"

# Idle time.
same "equal stages wait for the first backward" \
	'{"backward":[9,6,3,0],"comm":[0,0,0,0],"drain":[0,2,4,6],"fill":[0,1,2,3],"forward":[0,0,0,0]}' \
	"$(chunks 1f1b 8 '[1,1,1,1]' | sim | jq -c .idle)"
same "and for data on their way" '{"backward":[3.5,0],"comm":[0.5,0],"drain":[0,2.5],"fill":[0,1.5],"forward":[0,0]}' \
	"$(chunks 1f1b 1 '[1,1]' ',"comm_time":0.5' | sim | jq -c .idle)"
same "forwards that come late" "[0,0,16,15]" "$(chunks 1f1b 8 '[1,2,1,1]' | sim | jq -c .idle.forward)"
{ chunks 1f1b 8 '[1,2,1,1]'; chunks 1f1b 8 '[1,1,1,1]' | sed 's/"c"/"d"/'; } >"$tmp/ranked"
same "several are ranked, relative to the first" "d 0.6226 c 1.0000" \
	"$(sapp-sim -H "$tmp/ranked" | sed -n '/  ranking  /,$p' | awk '$1 + 0 { print $2, $4 }' | xargs)"
same "working and waiting make the step" "[true,true,true,true]" "$(chunks 1f1b 8 '[1,2,1,1]' ',"comm_time":0.5' | sim |
	jq -c '. as $s | [8 * 3, 8 * 6, 8 * 3, 8 * 3] | [range(4) as $i | . [$i] +
	([$s.idle[][$i]] | add) - $s.step_time | fabs < 1e-9]')"
same "tokens per device" "100" "$(chunks 1f1b 4 '[1,1,1,1]' | sim -tokens 2100 -devices 4000 |
	jq '.tokens_per_second_per_device')"

# Manual orders.
order='F0 F1 B0 B1\nF0 B0 F1 B1'
same "custom: 1f1b by hand" 9 "$(chunks custom 2 '[1,1]' ",\"order\":\"$order\"" | sim | jq .step_time)"
printf '0F0,0F1,0I0,0I1,0W0,0W1\n1F0,1I0,1F1,1I1,1W0,1W1\n' >"$tmp/order.csv"
same "-order: a file of PyTorch" 8 "$(chunks 1f1b 2 '[1,1]' | sim -order "$tmp/order.csv" | jq .step_time)"
chunks custom 2 '[1,1]' ',"order":"F0 B0 F1 B1\nF0 F1 B1 B0"' >"$tmp/dead"
{ chunks 1f1b 2 '[1,1]'; cat "$tmp/dead"; } >"$tmp/both"
fails "an order that cannot run is told with its circle" 3 \
	"both:2: 'c' can never run: B0 on stage 0 waits for B0 on stage 1, which comes after F1 on stage 1, F1 on \
stage 1 waits for F1 on stage 0, which comes after B0 on stage 0" \
	sapp-sim "$tmp/both"
same "the other record is simulated all the same" "chunks sim chunks" "$(jq -r .kind "$tmp/out" | xargs)"
sapp-sim -H "$tmp/both" >"$tmp/out" 2>/dev/null
same "also in a report" 1 "$(grep -c 'step time' "$tmp/out")"

# Bad input.
chunks custom 2 '[1,1]' >"$tmp/bad"; fails "custom without an order" 1 "a custom schedule needs an order" sapp-sim \
	"$tmp/bad"
chunks 1f1b 2 '[1,1]' ',"order":"F0"' >"$tmp/bad"
fails "an order for 1f1b" 1 "chunks: order: only with the schedule custom, not '1f1b'" sapp-sim "$tmp/bad"
chunks custom 2 '[1,1]' ',"order":"F0 B0\nF0 B0"' >"$tmp/bad"
fails "half an order" 1 "order: line 1: no forward of micro-batch 1" sapp-sim "$tmp/bad"
chunks dualpipe 6 '[1,1,1,1]' >"$tmp/bad"; fails "dualpipe, too few" 1 "at least twice as many" sapp-sim "$tmp/bad"
chunks zbv 6 '[1,1,1,1]' >"$tmp/bad"; fails "zbv, one chunk" 1 "two chunks per stage" sapp-sim "$tmp/bad"
chunks vpp 8 '[[1,1],[1,1]]' ',"group":1' >"$tmp/bad"
fails "a group too small" 1 "a group must have" sapp-sim "$tmp/bad"
chunks zb-h1 8 '[1,1]' ',"weight":3' >"$tmp/bad"
fails "W longer than backward" 1 "weight: more than backward on stage 0 '3'" sapp-sim "$tmp/bad"
chunks zb-h1 8 '[1,1]' ',"activation":1,"weight_activation":2' >"$tmp/bad"
fails "more kept than there is" 1 "weight_activation: more than activation" sapp-sim "$tmp/bad"
chunks dualpipe 8 '[1,1]' ',"overlap":1.5' >"$tmp/bad"
fails "together longer than apart" 1 "chunks: overlap: above 1 '" sapp-sim "$tmp/bad"
chunks 1f1b 8 '[1,1,1,1]' ',"comm_time":[1,2]' >"$tmp/bad"
fails "delays for other stages" 1 "comm_time: 2 numbers for the boundaries of 4 stages" sapp-sim "$tmp/bad"
chunks 1f1b 8 '[1,1,1,1]' >"$tmp/good"
fails "-comm for other stages" 1 "2 numbers for the boundaries of 4 stages" sapp-sim -comm 1,2 "$tmp/good"
chunks 1f1b 4 '[1e200,1e200]' >"$tmp/bad"; fails "times beyond everything" 1 "forward: out of range" sapp-sim "$tmp/bad"
chunks 1f1b 4 '[1,1]' ',"activation":1e200' >"$tmp/bad"
fails "memory beyond everything" 1 "activation: out of range" sapp-sim "$tmp/bad"
chunks 1f1b 4 '[1,1]' ',"seq_split":2000000000' >"$tmp/bad"; fails "too many splits" 1 "operations" sapp-sim "$tmp/bad"
fails "an order that is not there" 1 "none.csv" sapp-sim -order "$tmp/none.csv" "$tmp/good"

# Sequence splits of a plan: memory as described in sapp(7).
cat >"$tmp/seq" <<END
{"kind":"model","name":"m","seq_length":8192,"hidden_size":4096,"num_heads":32,"vocab_size":32000,"batch_size":1,\
"model_parallel":4}
{"kind":"layer","name":"HEAD","type":"HEAD","nb_layer":1,"time":2,"memory_parameter":500}
{"kind":"layer","name":"BODY","type":"BODY","nb_layer":4,"time":10,"memory_parameter":200,"memory_activation":100}
{"kind":"layer","name":"TAIL","type":"TAIL","nb_layer":1,"time":4,"memory_parameter":700}
{"kind":"pipeline","stages":2,"micro_batches":4,"interleave":1,"schedule":"1f1b","memory_limit":5000,"seq_split":2}
{"kind":"plan","name":"p","origin":"manual","schedule":"1f1b","interleave":1,"counts":{"BODY":{"none":[[2,2]]}},\
"offset":[[0,0]],"recompute":[[0,0]],"select_recompute":[[0,0]],"select_comm_recompute":[[0,0]]}
END
# kv 16 MB: activation (100 - 32)/2 + 32 = 66, parameter 264, head 500 - (32 + 64)/2 = 452, tail 700 - 250 = 450.
same "memory of a sequence pipeline" "[1376,1242]" "$(sim "$tmp/seq" | jq -c .peak_memory)"
same "its step" "$(chunks 1f1b 4 '[22,24]' ',"seq_split":2' | sim | jq .step_time)" "$(sim "$tmp/seq" | jq .step_time)"
sed 's/"memory_activation":100/&,"memory_transient":8/' "$tmp/seq" >"$tmp/body"
same "what body layers take while they run is divided, and nothing of the loss" "[1380,1246]" \
	"$(sim "$tmp/body" | jq -c .peak_memory)"
sed 's/"none":/"full":/; s/"memory_activation":100/"memory_activation":100,"memory_recompute":5/' "$tmp/seq" >"$tmp/bad"
fails "whole recomputation with splits" 1 "which sequence splits do not allow" sapp-sim "$tmp/bad"
sed 's/"hidden_size":4096,//' "$tmp/seq" >"$tmp/bad"
fails "splits of an unknown model" 1 "hidden_size" sapp-sim "$tmp/bad"
sed 's/"seq_length":8192/"seq_length":4096/' "$tmp/seq" >"$tmp/short"
run 0 sapp-sim "$tmp/short"
check "short parts are worth a warning" grep -q '2048 tokens each' "$tmp/err"
done_testing
