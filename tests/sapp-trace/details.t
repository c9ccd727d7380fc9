#!/bin/sh
# Synthetic tables of kernels with known times: layers, ends of the model and kernels outside are distinguished by
# repetition, in every form of the table and every order of a pipeline. A kernel takes 100 us, and 25 us pass before the
# next one.
. "$(dirname "$0")/../lib.sh"

csv=$tmp/kernel_details.csv
# table NAME=VALUE...: see details.awk.
table() {
	vars=
	for v in "$@"; do vars="$vars -v $v"; done
	# shellcheck disable=SC2086 # several words
	awk $vars -f "$top/tests/sapp-trace/details.awk" >"$csv"
}
# of NAME PHASE MEMBER: print a member of a timing record; layer NAME MEMBER: of a layer record.
of() { jq -r --arg n "$1" --arg p "$2" --arg m "$3" \
	'select(.kind == "timing" and .name == $n and .phase == $p) | .[$m]' "$tmp/out"; }
layer() { jq -r --arg n "$1" --arg m "$2" 'select(.kind == "layer" and .name == $n) | .[$m] // empty' "$tmp/out"; }
# layers TITLE LAYERS MICRO: check the properties of every case: 11 kernels forward, 12 backward.
layers() {
	run 0 sapp-trace -body L -head H -tail T $options "$csv" || { not_ok "$1: read"; return; }
	same "$1: layers" "$2" "$(layer L nb_layer)"
	near "$1: forward" 1.375 "$(layer L time)" 1e-6
	near "$1: backward" 1.5 "$(layer L backward_time)" 1e-6
	near "$1: forward, busy" "$(awk -v n="$2" -v m="$3" 'BEGIN { print n * m * 1.1 }')" "$(of L forward busy)" 1e-6
	check "$1: what was found" grep -q "$2 layers x $3 micro-batches" "$tmp/err"
}
options=
table form=full order=FBFB layers=6 tail=1 transfers=1
layers 'the last stage' 6 2
near 'output and loss forward' 1.625 "$(layer T time)" 1e-6
near 'output and loss forward, busy' 2.8 "$(of T forward busy)" 1e-6
near 'output and loss backward' 2.825 "$(layer T backward_time)" 1e-6
same 'no head there' '' "$(of H forward total)"
waits='(16.5 ms per step, of which kernels run 13.2 ms)'
check 'a device that waits a fifth of the time' grep -q \
	"L: the device waits for the host during 20 % of the forward $waits" "$tmp/err"
near 'a transfer' 0.6 "$(jq 'select(.kind == "step") | .transfer' "$tmp/out")" 1e-6
same 'the job says how, too' '0.6 "batched"' \
	"$(jq -c 'select(.kind == "job") | .comm_time, .transfers' "$tmp/out" | xargs -d'\n')"
near 'gradients' 3 "$(jq 'select(.kind == "step") | .parts.gradient_reduce' "$tmp/out")" 1e-6
near 'optimizer' 1.16 "$(jq 'select(.kind == "step") | .parts.optimizer' "$tmp/out")" 1e-6
table form=full order=FFFBFBFBBB layers=5 head=1 transfers=1
layers 'the first stage, 1F1B' 5 5
near 'embedding forward' 0.25 "$(layer H time)" 1e-6
near 'embedding backward, without the optimizer behind the last' 0.225 "$(layer H backward_time)" 1e-6
table form=full order=FFFFBBBB layers=4 transfers=1
layers 'a middle stage, all forwards first' 4 4
options='-mb 2'
layers 'two chunks of it' 8 2
options=
table form=level0 order=FFBFBB layers=4 transfers=1
layers 'level 0, without shapes and steps' 4 3
table form=level0 order=FFBFBB layers=4 head=1 transfers=1 steps=3
run 0 sapp-trace -body L -head H "$csv"
check 'steps that end with the optimizer' grep -q '4 layers x 3 micro-batches x 3 steps' "$tmp/err"
near 'a layer of them' 1.375 "$(layer L time)" 1e-6
table form=older order=FBFBFB layers=3 head=1 tail=1
layers 'an older form, one device' 3 3
near 'embedding forward, one device' 0.25 "$(layer H time)" 1e-6
near 'output and loss backward, one device' 2.825 "$(layer T backward_time)" 1e-6
mkdir "$tmp/both"
cp "$csv" "$tmp/both"
echo '[]' >"$tmp/both/trace_view.json"
run 0 sapp-trace -body L "$tmp/both"
same 'a table beside a timeline without names is read' 3 "$(layer L nb_layer)"
gzip -c "$csv" >"$csv.gz"
check 'compressed' sapp-trace "$csv.gz"
sed 's/$/\r/' "$csv" >"$tmp/crlf.csv"
check 'lines that end as on other systems' sapp-trace "$tmp/crlf.csv"
{ printf '\357\273\277'; cat "$csv"; } >"$tmp/mark.csv"
check 'a byte order mark' sapp-trace "$tmp/mark.csv"
table form=level0 order=FFBFBB layers=4 transfers=1
awk -F, '{ for (i = NF; i > 0; i--) printf "%s%s", $i, (i > 1 ? "," : "\n") }' "$csv" >"$tmp/back.csv"
run 0 sapp-trace -body L "$tmp/back.csv"
near 'columns in another order' 1.375 "$(layer L time)" 1e-6
awk '{ gsub(/[^,]+/, "\"&\""); print }' "$csv" >"$tmp/quoted.csv"
run 0 sapp-trace -body L "$tmp/quoted.csv"
near 'all in quotes' 1.375 "$(layer L time)" 1e-6
awk -F, -v OFS=, 'NR == 1 { gsub("us", "ns") } NR > 1 { sub(/\.250\t/, "250", $5); $6 = $6 "000" } 1' "$csv" \
	>"$tmp/ns.csv"
run 0 sapp-trace -body L "$tmp/ns.csv"
near 'nanoseconds' 1.375 "$(layer L time)" 1e-6
awk -F, -v OFS=, '{ print } NR > 1 && NR % 5 == 0 { $3 = "EVENT_WAIT"; $4 = "N/A"; $6 = 0; print }' "$csv" \
	>"$tmp/event.csv"
run 0 sapp-trace -body L "$tmp/event.csv"
near 'tasks that wait are no kernels' 1.375 "$(layer L time)" 1e-6
table form=full order=FBFB layers=6 tail=1 transfers=1 aside=1
layers 'another stream beside the layers' 6 2
near 'output and loss beside another stream' 1.625 "$(layer T time)" 1e-6
table form=full order=FBFB layers=6 tail=1 transfers=1 device=3
{ cat "$csv"; sed -n '2,$s/^\([^,]*\),3,/\1,4,/p' "$csv"; } >"$tmp/two.csv"
run 0 sapp-trace -body L "$tmp/two.csv"
near 'a table of two devices: the first' 1.375 "$(layer L time)" 1e-6
check 'which is said' grep -q 'kernels of several devices: only those of 3 are read, not those of 4' "$tmp/err"
table form=full order=FFBFBB layers=4 transfers=1 ring=1
layers 'sequences divided over devices, attention in parts' 4 3
near 'what goes round within layers is no transfer' 0.6 "$(jq 'select(.kind == "step") | .transfer' "$tmp/out")" 1e-6
table form=full order=FB layers=7 head=1 tail=1 steps=5
run 0 sapp-trace -body L "$csv"
near 'steady steps' 1.375 "$(layer L time)" 1e-6
same 'steps that are counted' 3 "$(of L forward steps)"
table form=full order=F layers=6 head=1 tail=1
run 0 sapp-trace -body L "$csv"
near 'inference' 8.25 "$(of L forward total)" 1e-6
same 'has no backward' '' "$(of L backward total)"
table form=full order=FFBFBFBB layers=4 transfers=1 recompute=full
layers 'recomputed as a whole' 4 4
near 'which is a forward more' 2.875 "$(layer L recompute_time)" 1e-6
same 'as many kernels' 176 "$(of L recompute events)"
table form=full order=FBFB layers=4 tail=1 transfers=1 recompute=full
layers 'recomputed on the last stage' 4 2
table form=full order=FBFB layers=4 tail=1 transfers=1 recompute=attention
layers 'attention recomputed' 4 2
near 'takes what it takes' 1 "$(of L recompute total)" 1e-6
table form=full order=FFBFBB layers=4 head=1 transfers=1 recompute=half
layers 'half of the layers recomputed' 4 3
near 'which they take' 8.25 "$(of L recompute total)" 1e-6
table form=full order=FFBFBB layers=8 transfers=1 moe=1
run 0 sapp-trace -body L "$csv"
near 'experts: every kernel of every layer' "$(grep -c 'GroupedMatmul' "$csv" | awk '{ print (24 * 11 + $1) / 8 }')" \
	"$(of L forward total)" 1e-6
check 'experts: layers that differ' grep -q 'layers of L differ' "$tmp/err"
table form=full order=FBFB layers=6 tail=1 transfers=1
for anchor in FlashAttentionScore SwiGlu RotaryPositionEmbedding; do
	options="-anchor $anchor"
	layers "anchor $anchor" 6 2
done
options=
# Unknown names: kernels called K1, K2, ..., with the types of matrix products and others.
sed 's/FlashAttentionScore/Fused/g; s/SwiGlu/Gate/g; s/Grad/G/g' "$csv" >"$tmp/odd.csv"
run 0 sapp-trace -body L "$tmp/odd.csv"
same 'names that say nothing: layers' '6 6' "$(of L forward instances) $(of L backward instances)"
near 'names that say nothing: forward' 16.5 "$(of L forward total)" 0.3

# Other files in the directory.
d=$tmp/x_rank_3_ascend_pt/ASCEND_PROFILER_OUTPUT
mkdir -p "$d"
cp "$csv" "$d"
cat >"$d/../profiler_metadata.json" <<J
{"distributed_args": {"pipeline_model_parallel_size": 2, "world_size": 4, "rank": 3}, "parallel_group_info": {
"g1": {"group_name": "dp", "group_rank": 1, "global_ranks": [2, 3]}, "g2": {"group_name": "pp", "group_rank": 1, \
"global_ranks": [1, 3]}}}
J
printf 'Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n0,1,'\
'30000.5,20000,0,20000,9999.5,60000,0\n' >"$d/step_trace_time.csv"
cat >"$d/communication.json" <<J
{"step1": {"p2p": {"hcom_batchSendRecv__128_1_1@77": {"Communication Time Info": {"Elapse Time(ms)": 0.6, "Transit \
Time(ms)": 0.25, "Wait Time(ms)": 0.3}},
"Total Op Info": {"Communication Time Info": {"Elapse Time(ms)": 0.6}}}, "collective": {}}}
J
run 0 sapp-trace -v "$tmp/x_rank_3_ascend_pt"
same 'stage and rank' '[1,3]' "$(jq -c 'select(.kind == "step") | [.stage, .rank]' "$tmp/out")"
near 'the measured step' 60 "$(jq 'select(.kind == "step") | .time' "$tmp/out")" 1e-9
near 'a transfer while it is under way' 0.25 "$(jq 'select(.kind == "step") | .transfer' "$tmp/out")" 1e-9
check 'says which stage' grep -q 'stage 1 of 2: .*6 layers x 2 micro-batches' "$tmp/err"
echo '{"step1": {"p2p": {"a": {}}}}' >"$d/communication.json"
fails 'communication.json without times' 1 "no 'Communication Time Info' of 'a'" sapp-trace "$tmp/x_rank_3_ascend_pt"
echo '[1' >"$d/communication.json"
fails 'communication.json that is cut' 1 'communication.json:' sapp-trace "$tmp/x_rank_3_ascend_pt"
rm "$d/communication.json"
printf 'Step,Computing\n1,2\n' >"$d/step_trace_time.csv"
fails 'step_trace_time.csv without columns' 1 \
	"step_trace_time.csv:1: no column 'Communication(Not Overlapped)'" sapp-trace "$tmp/x_rank_3_ascend_pt"
rm "$d/step_trace_time.csv"
echo '{' >"$d/../profiler_metadata.json"
fails 'metadata that is cut' 1 'profiler_metadata.json:' sapp-trace "$tmp/x_rank_3_ascend_pt"

# Stages of a job, each in its own directory. stage N OF NAME=VALUE...; stages TITLE LAYERS MICRO [DIR]: check all
# stages together.
stage() {
	d=$tmp/job/rank_${1}_ascend_pt/ASCEND_PROFILER_OUTPUT
	mkdir -p "$d"
	printf '{"distributed_args": {"pipeline_model_parallel_size": %d, "world_size": %d, "rank": %d}}' \
		"$2" "$2" "$1" >"$d/../profiler_metadata.json"
	shift 2
	table form=full transfers=1 "$@" && mv "$csv" "$d"
}
stages() {
	run 0 sapp-trace -body L -head H -tail T "${4:-$tmp/job}" || { not_ok "$1: read"; return; }
	same "$1: layers" "$2" "$(layer L nb_layer)"
	same "$1: micro-batches" "$3" "$(jq 'select(.kind == "job") | .micro_batches' "$tmp/out")"
	near "$1: forward" 1.375 "$(layer L time)" 1e-6
	near "$1: backward" 1.5 "$(layer L backward_time)" 1e-6
}
ends() {
	near "$1: embedding forward" 0.25 "$(layer H time)" 1e-6
	near "$1: embedding backward" 0.225 "$(layer H backward_time)" 1e-6
	near "$1: output and loss forward" 1.625 "$(layer T time)" 1e-6
	near "$1: output and loss backward" 2.825 "$(layer T backward_time)" 1e-6
}
for layers in 1 3; do
	many="with $layers layers"
	rm -rf "$tmp/job"
	stage 0 3 order=FFFBFBBB layers=$layers head=1
	stage 1 3 order=FFBFBFBB layers=$layers
	stage 2 3 order=FBFBFBFB layers=$layers tail=1
	stages "three stages $many" $((3 * layers)) 4
	ends "three stages $many"
	stages "a middle stage $many" $layers 4 "$tmp/job/rank_1_ascend_pt"
	rm -rf "$tmp/job"
	stage 0 2 order=FFffFbFbfBfBbbBB layers=$layers head=1
	stage 1 2 order=ffFBFBfbfbFBFBbb layers=$layers tail=1
	stages "two chunks $many" $((4 * layers)) 4
	ends "two chunks $many"
	rm -rf "$tmp/job"
	stage 1 3 order=ffffffbfbfbfbfbfbfbbbbbb layers=$layers
	stages "two chunks of a middle stage $many, by its warm-up" $((2 * layers)) 6
	rm -rf "$tmp/job"
	stage 0 2 order=FFFBBB layers=$layers head=1
	stage 1 2 order=FFFBBB layers=$layers tail=1
	stages "all forwards first $many" $((2 * layers)) 3
	ends "all forwards first $many"
done
rm -rf "$tmp/job"
stage 0 2 order=FFBFBB layers=1 head=1 recompute=full
stage 1 2 order=FBFBFB layers=1 tail=1 recompute=full
stages 'one layer a stage, recomputed' 2 3
ends 'one layer a stage, recomputed'
near 'one layer a stage: which is a forward more' 2.875 "$(layer L recompute_time)" 1e-6
run 1 sapp-trace "$tmp/job/rank_0_ascend_pt"
check 'the first stage alone does not show where a layer begins' grep \
	-q "with one layer per row it is unknown where it begins, \
as no transfer separates it from the model's embedding: 6 kernels, 1.275 ms, before FlashAttentionScore of \
forward 1; also give the profile of another stage" "$tmp/err"
rm "$tmp"/job/*/profiler_metadata.json
stages 'one layer a stage, of which nothing says which stage it is' 2 3
ends 'one layer a stage, of which nothing says which stage it is'
stage 1 3 order=FFBFBFBB layers=1 moe=1
run 0 sapp-trace -body L "$tmp/job/rank_1_ascend_pt"
near 'one layer of experts: every kernel' \
	"$(grep -c GroupedMatmul "$d/kernel_details.csv" | awk '{ print (44 + $1) / 8 }')" "$(of L forward total)" 1e-6
rm -rf "$tmp/job"
stage 1 3 order=fffffbfbfbfbfbfbfbfbbbbb layers=2
run 0 sapp-trace -body L "$tmp/job"
check 'an order of no schedule: what is assumed' grep \
	-q 'if each row of layers is a micro-batch: with several chunks per stage give -mb' "$tmp/err"

# Refusals.
table form=full order=FFBFBB layers=1 transfers=1 tail=1
fails 'stages of one layer' 1 "no transfer separates it from the model's output and loss: 10 kernels, 2.525 \
ms, behind FlashAttentionScore of forward 1" sapp-trace "$csv"
table form=full order=FBF layers=4 transfers=1 tail=1
fails 'a backward too few' 1 \
	'forward: 8 kernels FlashAttentionScore, 8 layers in rows of 4 4; backward: 4 kernels' sapp-trace "$csv"
table form=full order=FBFB layers=6 tail=1 transfers=1
fails 'micro-batches that do not divide' 1 \
	'which the micro-batches of -mb do not divide evenly' sapp-trace -mb 5 "$csv"
fails 'no such anchor' 1 "-anchor: no kernel has this name 'Nothing'" sapp-trace -anchor Nothing "$csv"
fails 'an anchor without a name' 2 '-anchor: the name of a kernel' sapp-trace -anchor '' "$csv"
bad() { printf "$3" >"$csv"; fails "$1" 1 "$2" sapp-trace "$csv"; }
bad 'an empty table' 'kernel_details.csv:1: empty, not a table' ''
bad 'another table' "kernel_details.csv:1: no column 'Name' or 'Type'" 'a,b\n1,2\n'
bad 'a table without times' "kernel_details.csv:1: no column 'Start Time(us)'" 'Name,Duration(us)\nx,1\n'
bad 'a table without durations' "no column 'Duration(us)'" 'Name,Start Time(us)\nx,1\n'
bad 'a short row' 'kernel_details.csv:3: fewer fields' 'Name,Start Time(us),Duration(us)\nx,1,1\nx,1\n'
bad 'a word for a time' "kernel_details.csv:2: Start Time(us): not a time 'soon'" \
	'Name,Start Time(us),Duration(us)\nx,soon,1\n'
bad 'a negative duration' "Duration(us): not a time '-1'" 'Name,Start Time(us),Duration(us)\nx,1,-1\n'
bad 'a step that is no number' "Step Id: not a whole number 'one'" \
	'Step Id,Name,Start Time(us),Duration(us)\none,x,1,1\n'
bad 'a quote without end' 'a quote is not closed' 'Name,Start Time(us),Duration(us)\n"x,1,1\n'
bad 'a NUL byte' 'a NUL byte' 'Name,Start Time(us),Duration(us)\nx\000,1,1\n'
bad 'no kernels' 'no kernels' 'Name,Start Time(us),Duration(us)\n'
bad 'rows without times' 'no kernels' 'Name,Start Time(us),Duration(us)\nx,N/A,N/A\n'

# Collectives of tensor parallelism after every kernel: with one rank, their time may be waiting.
table form=older order=FBFBFB layers=3 head=1 tail=1
collectives() {	# US
	awk -F, -v OFS=, -v d="$1" 'NR > 1 { $8 = sprintf("%.1f", $8 + n++ * d) } { print } NR > 1 {
		$8 = sprintf("%.1f", $8 + $9); $9 = d; $5 = "hcom_allReduce__5_" n "_1"; $6 = "hcom_allReduce_"
		$7 = "COMMUNICATION"; $13 = "N/A"; print }' "$csv"
}
collectives 500 >"$tmp/some.csv"
run 0 sapp-trace "$tmp/some.csv" || not_ok 'collectives within layers'
other='([0-9.]* ms per step, of which other kernels run 9.9 ms)'
check 'most of a layer are collectives: that is said' grep -q \
	"layer: 80 % of the forward are collectives, which may wait .* $other" \
	"$tmp/err"
same 'layers that nobody names are called by what they are' 'embedding layer loss' \
	"$(jq -r 'select(.kind == "layer").name' "$tmp/out" | xargs)"
collectives 4000 >"$tmp/waits.csv"
fails 'nearly all of it is refused' 1 "96 % of the layers' time are collectives" sapp-trace "$tmp/waits.csv"
check 'but for what kernels work' sapp-trace -busy "$tmp/waits.csv"
collectives 50 >"$tmp/few.csv"
run 0 sapp-trace "$tmp/few.csv"
same 'a few are nothing to say' 0 "$(grep -c 'are collectives' "$tmp/err")"
# Collectives of 50 us after every kernel; those of the embedding take 20 ms, since another rank is late. The work is
# known from other collectives with the same bytes, or from the profiler's transit time.
late() {	# all, first or none of the embedding
	awk -F, -v OFS=, -v all="$1" 'NR > 1 { $8 = sprintf("%.1f", $8 + sum) } { print } NR > 1 {
		n++; d = 50
		if ($6 ~ /^Gather|^Embedding/ && $6 !~ /Grad/ && (all == "all" || (all == "first" && !seen++)))
			d = 20000
		sum += d; $8 = sprintf("%.1f", $8 + $9); $9 = d; $5 = "hcom_allReduce__5_" n "_1"
		$6 = "hcom_allReduce_"; $7 = "COMMUNICATION"; $13 = "N/A"; print }' "$csv"
}
said() {	# bytes or transit of each, beside late()'s table
	awk -F, -v what="$1" 'NR > 1 && $5 ~ /^hcom/ {
		printf "%s\"%s@9\": {\"Communication Time Info\": {\"Elapse Time(ms)\": '\
'%g, \"Transit Time(ms)\": %g}, \"Communication Bandwidth Info\": {\"SDMA\": {\"Transit Size(MB)\": %g}}}",
		n++ ? ",\n" : "{\"step1\": {\"p2p\": {}, \"collective\": {", $5, $9 / 1000,
		what == "transit" ? 0.05 : 0, what == "bytes" ? 2 : 0 } END { print "}}}" }' \
		"$tmp/late/kernel_details.csv" >"$tmp/late/communication.json"
}
mkdir -p "$tmp/late"
table form=older order=FBFBFB layers=3 head=1 tail=1
kernels=$(awk -F, 'NR > 1 && $6 ~ /^Gather|^Embedding/ && $6 !~ /Grad/' "$csv" | wc -l)
same 'an embedding of each micro-batch' 3 "$kernels"
late all >"$tmp/late/kernel_details.csv"
run 0 sapp-trace "$tmp/late"
check 'nothing is known of collectives: a warning' grep -q 'embedding: 99 % of the forward are collectives' "$tmp/err"
for what in bytes transit; do
	said $what
	run 0 sapp-trace "$tmp/late" || not_ok "waiting by $what"
	near "waiting by $what is left out" 0.31 "$(layer embedding time)" 0.05
	near "waiting by $what: how long" 59.85 "$(of embedding forward wait)" 0.01
	check "waiting by $what is said" grep -q 'embedding: 98 % of the forward are waiting for other ranks' "$tmp/err"
	same "waiting by $what: layers do not" null "$(of layer forward wait)"
done
rm "$tmp/late/communication.json"
late first >"$tmp/late/kernel_details.csv"
run 0 sapp-trace "$tmp/late"
near 'by the same collective of other micro-batches' 0.31 "$(layer embedding time)" 0.05
late all >"$tmp/late/kernel_details.csv"
mkdir -p "$tmp/none/x" "$tmp/none/y"
cp "$tmp/late/kernel_details.csv" "$tmp/none/x"
late none >"$tmp/none/y/kernel_details.csv"
run 0 sapp-trace "$tmp/none/x" "$tmp/none/y"
near 'by the other rank, which came last' 0.31 "$(layer embedding time)" 0.05
# Both ranks; each collective waits for one of them: together they give the time that the slower rank needs.
both() {	# RANK KERNEL-US COLLECTIVE-US
	d=$tmp/tp/x_rank_$1_ascend_pt
	mkdir -p "$d/ASCEND_PROFILER_OUTPUT"
	cat >"$d/profiler_metadata.json" <<J
{"distributed_args": {"tensor_model_parallel_size": 2, "pipeline_model_parallel_size": 1, "world_size": 2, "rank": $1},
"parallel_group_info": {"g": {"group_name": "tp", "group_rank": $1, "global_ranks": [0, 1]}}}
J
	awk -F, -v OFS=, -v k="$2" -v c="$3" 'NR > 1 { $8 = sprintf("%.1f", 1000000 + n++ * (k + c + 10)); $9 = k }
		{ print } NR > 1 { $8 = sprintf("%.1f", $8 + k); $9 = c; $5 = "hcom_allReduce__5_" n "_1"
		$6 = "hcom_allReduce_"; $7 = "COMMUNICATION"; $13 = "N/A"; print }' "$csv" \
		>"$d/ASCEND_PROFILER_OUTPUT/kernel_details.csv"
}
both 0 100 4000
both 1 4050 50
fails 'the rank that waits, alone' 1 "97 % of the layers' time are collectives" sapp-trace \
	"$tmp/tp/x_rank_0_ascend_pt"
run 0 sapp-trace "$tmp/tp"
near 'both: a layer takes what the slower works, within 2 %' "$(awk 'BEGIN { print 11 * 4.11 }')" \
	"$(layer layer time)" 0.9
near 'both: as does busy_time' "$(awk 'BEGIN { print 11 * 4.05 }')" "$(layer layer busy_time)" 1e-6
near 'both: and what kernels ran' "$(awk 'BEGIN { print 11 * 4.05 * 3 * 3 }')" "$(of layer forward busy)" 1e-6
check 'both: one is slower' grep -q 'layer: the forward takes [0-9.]* ms per step without waiting, and [0-9.]* ms on' \
	"$tmp/err"
same 'nothing is said of waiting' 0 "$(grep -c 'are collectives' "$tmp/err")"
table form=older order=FBFB layers=4
for rows in '2,30' '25,53' '100,128'; do
	sed -n "1p;${rows}p" "$csv" >"$tmp/few.csv"
	sapp-trace "$tmp/few.csv" >/dev/null 2>"$tmp/err"
	check "a sample of 29 kernels, $rows: that is said" grep -q 'profile a whole step\|part of a step' \
		"$tmp/err"
done
# A sample of a step without its backwards is not a profile of a step.
table form=older order=FFFBBB layers=4
awk -F, 'NR == 1 || $6 !~ /Grad/ && !done { print } $6 ~ /Grad/ { done = 1 }' "$csv" >"$tmp/sample.csv"
run 0 sapp-trace "$tmp/sample.csv"
check 'forwards alone are a sample' grep -q 'no layer runs backward in it' "$tmp/err"
run 0 sapp-trace "$csv"
same 'and all of it is not' 0 "$(grep -c 'no layer runs backward' "$tmp/err")"
done_testing
