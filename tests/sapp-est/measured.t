#!/bin/sh
# Measured figures override computed ones, with a message: dryruns, profiles, steps.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
sapp-model "$top/examples/moe-64/config.json" >net

# Peaks of two values of ep, MB, and the configurations that fit into 55 and 58 GB: figures of Taylor's own test.
while IFS=:/ read -r degrees four eight; do
	IFS=, read -r dp tp pp <<EOF
$degrees
EOF
	for ep in 4 8; do
		dir=logs/dryrun_DP${dp}_TP${tp}_PP${pp}_EP${ep}_pretrain
		mkdir -p "$dir"
		[ $ep = 4 ] && peak=$four || peak=$eight
		printf 'text before\nUsed peak memory usage (without fragments): %sM\ntext behind\n' \
			"$peak" >"$dir/dryrun_new.log"
	done
done <<'EOF'
32,2,16:175938/142786
128,2,4:309904/188944
16,2,32:153480/136456
16,8,8:162358/96950
64,8,2:1635569/825586
64,2,8:221281/155874
8,4,32:98967/81943
64,4,4:283005/162045
64,1,16:274811/241679
32,8,4:270048/148595
256,2,2:1656206/847944
8,8,16:101784/68632
4,8,32:71710/54686
128,1,8:299846/234458
256,1,4:363705/242746
32,4,8:181999/116591
16,4,16:126502/93350
128,4,2:1642448/832465
32,1,32:262506/245502
512,1,2:1687161/927251
EOF
for gb in 55 58; do
	jq -c ".memory_limit = $((gb * 1024))" "$top/share/clusters/atlas-900-a3.json" >"c$gb.json"
	check "$gb GB" run 0 sapp-est -cluster "c$gb.json" -peaks logs -nd "nd$gb.csv" net
done
same 'ten fit into 55 GB' '16,8,8,32,47894
16,8,8,64,39718
32,8,4,64,42323.625
4,8,32,16,46174
4,8,32,32,41918
4,8,32,8,54686
64,4,4,64,56205
8,8,16,16,52056
8,8,16,32,43768
8,8,16,64,39624' "$(tail -n +2 nd55.csv | sort)"
same 'and twelve into 58' '32,4,8,64,59359
32,8,4,32,57505.25' "$(sort nd55.csv nd58.csv | uniq -u)"
same 'columns' 'dp,tp,pp,ep,evaluate_mem' "$(head -1 nd55.csv)"

can() { printf '{"kind":"candidate","dp":%s,"tp":%s,"pp":%s,"ep":%s,"micro_batches":32}\n' "$@"; }
est() { sapp-est "$@" | jq -c 'select(.kind == "estimate")'; }
{ cat net; can 4 8 32 4; can 4 8 32 16; can 2 8 2 4; } >in
est -cluster c55.json -peaks logs in >out
same 'peaks take the place of computed memory' '71710 46174' "$(jq '.memory | max | round' out | head -2 | xargs)"
same 'and say what they are' 'measured fitted computed' "$(jq -r .source.memory out | xargs)"
same 'and whether it fits' 'false true' "$(jq .fits out | head -2 | xargs)"
same 'times stay' "$(est -cluster c55.json in | jq .times.forward | head -1)" "$(jq .times.forward out | head -1)"
# The planner gets the same difference on every stage; a measured peak needs no margin.
const() { sapp-est -cluster c55.json -layers "$@" | jq 'select(.kind == "model").stage_const_mem' | head -1; }
{ cat net; can 4 8 32 4 | sed 's/}/,"recompute":"full"}/'; } >full
near 'questions have it, too' "$(est -cluster c55.json full | jq '.memory | max' |
	awk -v c="$(const full)" '{ printf "%.4f", c + 71710 - $1 - 55 * 1024 * 0.08 / 1.08 }')" \
	"$(const -peaks logs full)" 0.01
{ cat net c55.json; } >with
# Two of three and more values of ep: 20000 MB on every device, and 40000 MB of experts divided by ep.
for ep in 2 4; do
	mkdir -p grey/DP16_TP1_PP1_EP$ep
	echo "Used peak memory usage (without fragments): $((20000 + 40000 / ep))M" >grey/DP16_TP1_PP1_EP$ep/x.log
done
{ cat net; for ep in 1 2 4 8 16; do can 16 1 1 $ep; done; } >five
same 'peaks of two ep say those of five' '[60000,"fitted"] [40000,"measured"] [30000,"measured"] [25000,"fitted"] '\
'[22500,"fitted"]' "$(est -cluster c55.json -peaks grey five | jq -c '[.memory[0], .source.memory]' | xargs -d '\n')"
check 'the cluster may be in the stream' run 0 sapp-est -peaks logs -nd nds.csv with
check 'with the same table' cmp nd55.csv nds.csv
fails 'but must be somewhere' 1 'no cluster record before this' sapp-est -peaks logs -nd nds.csv net
fails 'logs of no configuration' 1 'no log with a peak and a path that names a configuration' \
	sapp-est -cluster c55.json -peaks "$top/examples/llama-175b" in
fails 'no logs' 1 'nowhere' sapp-est -cluster c55.json -peaks nowhere in
mkdir -p bad/DP1_TP1_PP1_EP1 && echo 'Used peak memory usage (without fragments): manyM' >bad/DP1_TP1_PP1_EP1/x.log
fails 'a peak that is none' 1 'a peak that is not a number of MB' sapp-est -cluster c55.json -peaks bad in
fails 'a table of nothing' 2 '-nd: needs -peaks' sapp-est -nd x.csv net

for last in moe_fw moe_bw; do
	printf 'dp,tp,pp,ep,dmratio,bfratio,re_grow_ration,hratio,%s\n4,8,32,4,0.3,2.0,1.0,1.5,12.4\n' \
		"$last" >profile.csv
	est -cluster c55.json -profile profile.csv -parts in >out
	same "a profile's times, $last" '12.4 24.8 12.4' \
		"$(jq -r '.layers[] | select(.type == "moe") | "\(.forward) \(.backward) \(.recompute)"' out | head -1)"
	near "its head and loss, $last" 18.6 "$(jq '.tail.forward + .tail.backward' out | head -1)" 1e-9
	same "which are measured, others are not, $last" 'measured computed computed' \
		"$(jq -r .source.layers out | xargs)"
	near "parts still add up, $last" "$(jq .step_time out | head -1)" "$(jq '[.times[]] | add' out | head -1)" 1e-6
done
table() { printf '%s\n' "$@" >profile.csv; }
table 'dp,tp,pp,dmratio,bfratio,re_grow_ration,hratio'
fails 'a column too few' 1 'a column is missing' sapp-est -cluster c55.json -profile profile.csv in
table 'dp,tp,pp,dmratio,bfratio,re_grow_ration,hratio,moe_fw' '1,1,1,0.3,2,1,1.5'
fails 'a cell too few' 1 'profile.csv:2: 7 cells' sapp-est -cluster c55.json -profile profile.csv in
table 'dp,tp,pp,dmratio,bfratio,re_grow_ration,hratio,moe_fw' '1,1,1,0.3,2,1,1.5,fast'
fails 'no number' 1 "profile.csv:2: not a number 'fast'" sapp-est -cluster c55.json -profile profile.csv in
table 'dp,tp,pp,dmratio,bfratio,re_grow_ration,hratio,moe_fw' '0,1,1,0.3,2,1,1.5,3'
fails 'no degree' 1 "not a degree '0'" sapp-est -cluster c55.json -profile profile.csv in

# Layer records before the candidates.
{ cat net; echo '{"kind":"model","name":"m","model_parallel":2,"batch_size":1}'
	echo '{"kind":"layer","name":"decoder","type":"BODY","nb_layer":32,"time":5,"backward_time":11,'\
'"memory_activation":100,"memory_recompute":10,"recompute_time":17}'
	can 8 2 4 8; can 8 4 2 8; } >in
est -cluster c55.json -parts in >out
same "measured layers win" '5 11 6 104857600' \
	"$(jq -r '.layers[0] | "\(.forward) \(.backward) \(.recompute) \(.memory_activation)"' out | head -1)"
same 'and are told from those that follow from them' 'measured fitted' "$(jq -r .source.layers out | xargs)"
near 'which are as far from what is computed' 1 "$(jq -s --slurpfile c "$(est -cluster c55.json -parts <<EOF >computed
$(cat net; can 8 2 4 8; can 8 4 2 8)
EOF
echo computed)" \
	'(.[1].layers[0].forward / $c[1].layers[0].forward) / (.[0].layers[0].forward / $c[0].layers[0].forward)' \
	out)" 1e-9
near 'times still add up' "$(jq .step_time out | head -1)" "$(jq '[.times[]] | add' out | head -1)" 1e-6
same 'questions behind a candidate are not measured' "$(est -cluster c55.json in)" \
	"$(sapp-est -cluster c55.json -layers in | est -cluster c55.json)"

same 'questions of measured layers are planned' 'DP8_TP2_PP4_EP8_MBS1 DP8_TP4_PP2_EP8_MBS1' \
	"$(sapp-est -cluster c55.json -layers in | sapp-lp -j -t 1 2>"$tmp/err" |
	jq -r 'select(.kind == "plan").name' | xargs)"
same 'with their times' 5 "$(sapp-est -cluster c55.json -layers in |
	jq 'select(.type == "BODY" and .model_name == "DP8_TP2_PP4_EP8_MBS1").time')"

# Records count at every place in the stream, or are refused.
body='{"kind":"layer","name":"decoder","type":"BODY","nb_layer":32,"time":5,"backward_time":11}'
time='{"kind":"timing","name":"DecoderLayer","events":1,"steps":4,"instances":8,"phase":"forward","total":640}'
peak='{"kind":"peak","stage":0,"memory":50000,"which":"actual"}'
cluster=$(cat c55.json)
placed() { printf '%s\n' "$@" | sapp-est -parts 2>err | jq -c 'select(.kind == "estimate").layers[0].forward'; }
one=$(can 8 2 4 8) network=$(cat net)
same 'between network and cluster' 5 "$(placed "$network" "$body" "$cluster" "$one")"
same 'behind the cluster' 5 "$(placed "$network" "$cluster" "$body" "$one")"
same 'behind the cluster and before the network' 5 "$(placed "$cluster" "$network" "$body" "$one")"
refused() {
	name=$1 message=$2
	shift 2
	printf '%s\n' "$@" >in
	fails "$name" 1 "$message" sapp-est in
}
refused 'before the network' "in:1: layer: measured layers must come after the network's record" "$body" "$network" \
	"$cluster" "$one"
late='measured records must come before the first candidate'
refused 'layers behind a candidate' "in:4: layer: $late" "$network" "$cluster" "$one" "$body" "$one"
refused 'at the end' "in:5: layer: $late" "$network" "$cluster" "$one" "$one" "$body"
refused 'times behind a candidate' "in:4: timing: $late" "$network" "$cluster" "$one" "$time"
refused 'peaks behind a candidate' "in:4: peak: $late" "$network" "$cluster" "$one" "$peak"
refused 'layers of another question' "in:4: layer: $late" "$network" "$cluster" "$one" \
	"$(echo "$body" | jq -c '.model_name = "DP1"')"
placed "$network" "$cluster" "$body" "$one" "$network" "$one" >out
same 'of the network before the next one' '5 computed' "$(head -1 out) $(printf '%s\n' "$network" "$cluster" "$body" \
	"$one" "$network" "$one" | sapp-est | jq -r 'select(.kind == "estimate").source.layers' | tail -1)"
placed "$network" "$cluster" "$peak" "$one" >out
check 'peaks of nobody knows what are named' grep -q 'peak: ignored, as there is no candidate' err
printf '%s\n' "$network" "$body" "$cluster" >in
same 'of a space, too' 5 "$(sapp-est -space -n 64 -gb 64 -tp 2 -pp 4 -ep 8 -mbs 1 -vp 1 -parts -k 1 in 2>err |
	sapp-est -parts | jq 'select(.kind == "estimate").layers[0].forward')"

# Several records of one kind are averaged, weighted by their layers, separately for each member, in any order.
more='{"kind":"layer","name":"decoder_last","type":"BODY","nb_layer":8,"time":9,"memory_activation":300}'
{ cat net; echo "$body"; echo "$more"; can 8 2 4 8; } >in
same 'the mean of several' '5.8 11 314572800' "$(est -cluster c55.json -parts in |
	jq -r '.layers[0] | "\(.forward * 1e6 | round / 1e6) \(.backward) \(.memory_activation)"')"
{ cat net; echo "$more"; echo "$body"; can 8 2 4 8; } >in
same 'in any order' '5.8 11 314572800' "$(est -cluster c55.json -parts in |
	jq -r '.layers[0] | "\(.forward * 1e6 | round / 1e6) \(.backward) \(.memory_activation)"')"

# Coefficients replace times.
layer='"kind":"layer","name":"decoder","type":"BODY","nb_layer":32,"time":5'
{ cat net; echo "{$layer,\"backward_coef\":0.1,\"recompute_coef\":0.6}"; can 8 2 4 8; } >in
same 'coefficients over twice the forward' '5 11 5' "$(est -cluster c55.json -parts in |
	jq -r '.layers[0] | "\(.forward) \(.backward) \(.recompute)"')"

# Timing and peak records, as a profile of the current run and its dryruns have them.
timing='"kind":"timing","name":"MixtralDecoderLayer","events":1,"steps":4,"instances":8'
{ cat net; echo '{"kind":"job","micro_batches":4}'
	echo "{$timing,\"phase\":\"forward\",\"total\":640}"; echo "{$timing,\"phase\":\"backward\",\"total\":1408}"
	echo '{"kind":"timing","name":"Embedding","phase":"forward","total":9,"events":1,"steps":4,"instances":1}'
	echo '{"kind":"peak","stage":0,"memory":50000,"which":"actual","source":"x/DP4_TP8_PP32_EP4_a/rank_0.log"}'
	echo '{"kind":"peak","stage":1,"memory":49000,"which":"actual"}'
	echo '{"kind":"peak","stage":2,"memory":50001,"which":"actual"}'
	can 4 8 32 4; can 8 2 4 8 | sed 's/}/,"origin":"current"}/'; can 8 4 2 8; } >in
est -cluster h100 -parts in >out 2>err
same 'timings are times of layers' '5 11' "$(jq -r '.layers[0] | "\(.forward) \(.backward)"' out | sort -u)"
same 'peaks are those of the degrees in their path, or of what runs today' '50000 50001' \
	"$(jq '.memory | max' out | head -2 | xargs)"
same 'all of which is said' 'measured measured measured measured computed measured' \
	"$(jq -r '.source | "\(.memory) \(.layers)"' out | xargs)"
check 'other timings are named' grep -q "unknown which layer of the network 'Embedding' is" err
grep -v '"job"' in | grep -v current >unknown
fails 'of how many micro-batches is not known' 1 'needs micro_batches in a job record' sapp-est -cluster h100 unknown
{ cat net; echo "{$timing,\"phase\":\"forward\",\"total\":-1}"; } >below
fails 'a time below nothing' 1 'below:2: ' sapp-est -cluster h100 below

# Steps on a cluster with known figures; other figures are fitted to them.
known_cluster() { jq -c "select(.name == \"$1\") | del(.reserve)" "$top/tests/data/search/clusters.jsonl"; }
known_cluster h100 >plain.json
known_cluster h100-bf16-moe >detailed.json
{ cat net; for d in '64 1 1 8' '32 2 1 8' '16 2 2 8' '8 4 2 8' '8 2 4 8' '32 1 2 8' '16 4 1 8' '4 8 2 8'; do
	# shellcheck disable=SC2086 # degrees are words
	can $d
done; } >runs
jq -c '.efficiency.matmul = 0.6 | .efficiency.network = 0.5 | .name = "mine" | .memory_limit = 1000000' \
	plain.json >mine.json
{ cat net; sapp-est -cluster mine.json runs | jq -c 'select(.kind == "estimate") |
	{ kind: "run", dp, tp, pp, ep, micro_batches, recompute, step_time }'; } >measured
check 'calibrated' run 0 sapp-est -cluster ./plain.json -calibrate measured
cp out fitted.json; cp err said
same 'errors before and after' true "$(awk '/^median/ { print ($2 > 0.05 && $3 < 0.025 ? "true" : $0) }' said)"
near 'products get slower' 0.6 "$(jq .efficiency.matmul fitted.json)" 0.06
check 'which are the figures that the runs determine' grep -qE '^efficiency.matmul +0.723 +0.5' said
check 'others are named' grep -q '^not determined by these runs, unchanged: efficiency.attention' said
same 'and stay to the digit' "$(jq -c '[.efficiency | .attention, .memory, .network, .size], .overlap.dp' \
	plain.json)" "$(jq -c '[.efficiency | .attention, .memory, .network, .size], .overlap.dp' \
	fitted.json)"
same 'an error with each run left out' '8 true' "$(awk '/%/ && NF == 5 { n++; e = $5 + 0; if (e * e > 36) bad = 1 }
	END { print n, bad ? "false" : "true" }' said)"
sed '4s/"step_time":[0-9.]*/"step_time":100/' measured >impossible
check 'one impossible time of many' run 0 sapp-est -cluster ./plain.json -calibrate impossible
same 'is named' '3 100.0' "$(awk '/outlier, ignored in the fit/ { print $1, $2 }' err)"
near 'and changes nothing' "$(jq .efficiency.matmul fitted.json)" "$(jq .efficiency.matmul out)" 0.005
sed -n '1p; 4p' impossible >alone
check 'one impossible time alone' run 0 sapp-est -cluster ./plain.json -calibrate alone
same 'leaves all figures' "$(jq -c .efficiency plain.json)" "$(jq -c .efficiency out)"
for factor in 0.6 1.6; do
	jq -c "if .kind == \"run\" then .step_time *= $factor else . end" measured | sed -n '1,2p' >alone
	sapp-est -cluster ./plain.json -calibrate alone 2>/dev/null >out
	same "one run, $factor times as long, moves one figure within bounds" true "$(jq --slurpfile was \
		plain.json '($was[0].efficiency) as $w | .efficiency | [keys[] as $k |
		select(.[$k] != $w[$k]) | $k] as $moved | ($moved | length) <= 1 and .matmul > 0.56 and
		.matmul < 0.85' out)"
done
{ cat net; can 8 1 1 8; can 4 2 1 4; can 2 4 1 2; can 4 1 2 4; } | sapp-est -cluster mine.json |
	jq -c 'if .kind == "network" then . elif .kind == "estimate" then
	{ kind: "run", dp, tp, pp, ep, micro_batches, recompute, step_time } else empty end' >node
check 'runs on one node' run 0 sapp-est -cluster ./plain.json -calibrate node
same 'say nothing of the links between nodes' "$(jq -c '[.efficiency.network, .overlap.dp, .overlap.pp]' \
	plain.json)" "$(jq -c '[.efficiency.network, .overlap.dp, .overlap.pp]' out)"
# Layers with experts: the dispatch between nodes, and the host's time for each expert of a device.
steps_of() {	# JQ FILE: runs of candidates of FILE on a cluster that differs by JQ
	jq -c "$1 | .memory_limit = 10000000 | .name = \"mine\"" detailed.json >moe.json
	grep '"network"' "$2"
	sapp-est -cluster moe.json "$2" | jq -c 'select(.kind == "estimate") |
		{ kind: "run", dp, tp, pp, ep, micro_batches, recompute, step_time }'
}
{ cat net; for d in '64 1 1 8' '32 1 2 8' '64 1 1 64' '64 1 1 32' '32 1 2 32' '32 2 1 32' '16 1 4 16' '32 2 2 32' \
	'64 1 2 64' '128 1 1 64' '64 2 1 64' '32 1 4 32'; do
	# shellcheck disable=SC2086 # degrees are words
	can $d
done; } >sent
steps_of '.dispatch.alltoall = [0.45, 0.5]' sent >slow
check 'slower between nodes' run 0 sapp-est -cluster ./detailed.json -calibrate slow
near 'tokens get as much less of the link' 0.5 "$(jq '.dispatch.alltoall[1]' out)" 0.05
same 'and no more of a node' 0.45 "$(jq '.dispatch.alltoall[0]' out)"
same 'which explains the steps' true "$(awk '/^90 %/ { print ($3 > 0.06 && $4 < 0.02 ? "true" : $0) }' err)"
{ sed 's/"seq_length":[0-9]*/"seq_length":64/' net; for d in '8 1 1 1' '8 1 1 8' '64 1 1 1' '64 1 1 2' '64 1 1 4' \
	'64 1 1 8' '64 1 1 16' '64 1 1 64' '32 1 2 1' '32 1 2 32' '16 1 2 1' '16 1 2 16'; do
	# shellcheck disable=SC2086 # degrees are words
	can $d
done; } >short
steps_of '.host.expert = 0.33' short >hosts
check 'a slower host' run 0 sapp-est -cluster ./detailed.json -calibrate hosts
check 'it is the experts that take longer' grep -qE '^host.expert +0.166 +0.2' err
same 'dispatch stays' '[0.45,0.694]' "$(jq -c .dispatch.alltoall out)"
same 'which explains these steps' true "$(awk '/^90 %/ { print ($3 > 0.05 && $4 < 0.02 ? "true" : $0) }' err)"
sapp-est -cluster ./detailed.json -calibrate measured 2>/dev/null >out
same 'figures that are not fitted stay with the cluster' "$(jq -c '[.host, .dispatch, .efficiency.grouped]' \
	detailed.json)" "$(jq -c '[.host, .dispatch, .efficiency.grouped]' out)"
check 'the cluster says on what' grep -q '"fitted":"8 runs, starting from h100' fitted.json
# Runs with equal errors: one factor for all speeds, without limit; a fraction does not exceed 1.
jq -c 'if .kind == "run" then .step_time *= 1.5 else . end' measured >agreed
check 'runs half as long again' run 0 sapp-est -cluster ./plain.json -calibrate agreed
same 'leave little of it' true "$(awk '/^median/ { print ($2 > 0.35 && $3 < 0.05 ? "true" : $0) }' err)"
check 'by one factor' grep -qE '^common factor +1 +0\.[56]' err
jq -c 'if .kind == "run" then .step_time *= 0.3 else . end' measured >faster
check 'faster than the device' run 0 sapp-est -cluster ./plain.json -calibrate faster
check 'a limit is named' grep -qE '^efficiency.matmul +0.723 +1 at its limit' err
# Every setting of a candidate; products of another number format have other figures.
layers=$(jq .layers net)
{ cat net; jq -nc --argjson n "$layers" '{ kind: "run", dp: 64, tp: 1, pp: 1, ep: 8, micro_batches: 8 } |
	. * { compute: "fp8", recompute: ["moe_act"], dispatcher: "flex", ep_overlap: true, graph: "part",
	graph_scope: ["attn"], attention8: true, store: 1.03125, step_time: 900 },
	. * { compute: "fp8", dp: 32, pp: 2, schedule: "1f1b", dispatcher: "alltoall", stage_layers: [1, $n - 1],
	step_time: 800 }'
} >moe-runs
check 'runs with all settings' run 0 sapp-est -cluster h100 -calibrate moe-runs
same 'are of the figures of 8 bits' 1978 "$(jq .peak_linear out)"
sed '3s/fp8/bf16/' moe-runs >mixed
fails 'of several types' 1 \
	"mixed:3: run: compute: not the type of the runs before it; calibrate each type separately 'bf16'" \
	sapp-est -cluster h100 -calibrate mixed
# With a table of operators only gap and sustain change, and only a little.
{ grep network runs; sapp-est -cluster b200 runs | jq -c 'select(.kind == "estimate") | .step_time *= 1.04 |
	{ kind: "run", dp, tp, pp, ep, micro_batches, recompute, step_time }'; } >tabled
check 'runs with a table' run 0 sapp-est -cluster b200 -calibrate tabled
same 'give its own figures' 'gap sustain' "$(jq -r .of out | paste -sd ' ' -)"
same 'which leave less of the errors' true "$(awk '/^median/ { print ($2 > 0.035 && $3 < 0.02 ? "true" : $0) }' err)"
cp out figures
steps() { sapp-est -cluster b200 "$@" runs | jq 'select(.kind == "estimate").step_time'; }
same 'and are taken by -measured' true "$({ steps; steps -measured figures; } | jq -s '.[length / 2] / .[0] > 1.02')"
fails 'no runs' 1 'no run record in it' sapp-est -cluster ./plain.json -calibrate net
grep run measured >orphans
fails 'runs of no network' 1 'run: no network record before it' sapp-est -cluster ./plain.json -calibrate orphans
sed 's/"step_time":[0-9.]*/"step_time":0/' measured >zero
fails 'a step of no time' 1 'run: step_time: not positive' sapp-est -cluster ./plain.json -calibrate zero
fails 'of no cluster' 2 '-calibrate: needs -cluster' sapp-est -calibrate measured
# The layers of a record are found by its name, or by their number.
cat >both <<'EOF'
{"kind":"network","name":"both","layers":8,"hidden_size":1024,"num_heads":8,"ffn_size":4096,"vocab_size":32000,
EOF
printf %s "$(cat both)" >both
cat >>both <<'EOF'
"seq_length":2048,"experts":8,"experts_per_token":2,"expert_ffn_size":1024,"dense_layers":3}
EOF
layer() { printf '{"kind":"layer","name":"%s","type":"%s","nb_layer":%d,"time":%s,"backward_time":%s}\n' "$@"; }
cell() { printf '{"kind":"candidate","dp":2,"tp":1,"pp":2,"ep":2,"micro_batches":4}\n'; }
named() { { cat both; layer "$@"; cell; } | sapp-est -cluster c55.json -parts 2>err |
	jq -c 'select(.kind == "estimate") | [.layers[] | select(.forward == 7 and .backward == 15).type]'; }
same 'by the word moe' '["moe"]' "$(named MoEDecoder BODY 1 7 15)"
same 'by the word expert' '["moe"]' "$(named ExpertLayer BODY 4 7 15)"
same 'by the word dense' '["dense"]' "$(named DenseLayer BODY 5 7 15)"
same 'by their number, dense' '["dense"]' "$(named Decoder BODY 3 7 15)"
same 'by their number, mixtures' '["moe"]' "$(named Decoder BODY 5 7 15)"
{ cat both; layer Decoder BODY 4 7 15; cell; } >in
which='one of the 3 dense layers or of the 5 mixtures of experts'
fails 'by nothing' 1 "in:2: layer: neither its name nor nb_layer 4 shows whether it is $which 'Decoder'" \
	sapp-est -cluster c55.json in
{ cat both; layer Embedding HEAD 1 2 3; layer Output TAIL 1 4 9; cell; } >in
est -cluster c55.json -parts in >out
same 'head and tail, too' '2 3 4 9' \
	"$(jq -r '"\(.head.forward) \(.head.backward) \(.tail.forward) \(.tail.backward)"' out)"
# Measurements with another tp are scaled; with the same tp they are not, with or without sequence parallelism.
for sp in true false; do
	{ cat net; echo '{"kind":"model","name":"m","model_parallel":2,"batch_size":1}'
		echo '{"kind":"layer","name":"decoder","type":"BODY","nb_layer":32,"time":5,"backward_time":11,'\
'"memory_activation":100,"memory_recompute":10,"recompute_time":17}'
		can 8 2 4 8 | jq -c ".sp = $sp"; } >in
	same "as measured, sp $sp" '5 11 104857600' "$(est -cluster c55.json -parts in |
		jq -r '.layers[0] | "\(.forward) \(.backward) \(.memory_activation)"')"
done
done_testing
