#!/bin/sh
# Profiles and logs with faults, and layers of several kinds: figures read, and messages.
. "$(dirname "$0")/../lib.sh"

# of FILTER: print a value of the layer records in $tmp/out, rounded.
of() { jq -cs "[.[] | select(.kind == \"layer\")] | $1" "$tmp/out"; }
bodies='map(select(.type == "BODY") | [.nb_layer, (.time * 1e4 | round / 1e4), (.backward_time * 1e4 | round / 1e4)])'

# A step of six layers with two alternating attentions, on one device, with known times of kernels.
awk 'function kernel(name, us) { printf "%d,%d,7,%s\n", now * 1000, us * 1000, name; now += us }
	function many(list, n, i, k, x) { n = split(list, k, " ")
		for (i = 1; i <= n; i++) { split(k[i], x, ":"); kernel(x[1], x[2]) } }
	BEGIN { print "Start (ns),Duration (ns),Strm,Name"
	for (m = 0; m < 2; m++) {
		kernel("indexSelect", 20)
		for (l = 0; l < 6; l++) many("ln_fwd:10 gemm_qkv:150 " (l % 2 ? "flash_fwd_full:100" : \
			"flash_fwd_local:50") " gemm_o:60 ln_fwd:10 gemm_up:200 swiglu:15 gemm_down:200")
		many("gemm_vocab:300 cross_entropy_fwd:50 cross_entropy_bwd:50 gemm_vocab:600")
		for (l = 5; l >= 0; l--) many("gemm_down:400 swiglu_bwd:30 gemm_up:400 ln_bwd:20 gemm_o:120 " \
			(l % 2 ? "flash_bwd_full:240" : "flash_bwd_local:120") " gemm_qkv:300 ln_bwd:20")
		kernel("embedding_backward", 40)
	}
	kernel("multi_tensor_adam", 300) }' >"$tmp/nsys.csv"
run 0 sapp-trace -mb 2 "$tmp/nsys.csv" || not_ok 'a table of nsys stats'
same 'attentions that alternate: all layers, in a table of nsys stats' '[[6,0.72,1.47]]' "$(of "$bodies")"
same 'the ends of the model' '[[0.02,0.04],[0.35,0.65]]' \
	"$(of 'map(select(.type != "BODY") | [.time, .backward_time])')"
cat >"$tmp/init.yaml" <<Y
pipeline_config:
  pipeline_num: 2
  num_layer: 24
  offset: [0, 0]
recompute_config:
  recompute: [0, 0]
profiling_config:
  micro_batch_num: 2
Y
fails 'another number of layers than -c says names both' 1 "6 layers found by repetition around flash_fwd_local, \
flash_fwd_full, but the stage has 12 by $tmp/init.yaml" sapp-trace -c "$tmp/init.yaml" "$tmp/nsys.csv"
sed 's/24/12/' "$tmp/init.yaml" >"$tmp/six.yaml"
echo 'torchrun --nproc_per_node 2 pretrain_gpt.py --num-layers 24 --pipeline-model-parallel-size 2 \
	--micro-batch-size 1 --global-batch-size 2' >"$tmp/train.sh"
fails 'so does a launch script' 1 "but the stage has 12 by $tmp/train.sh" sapp-trace -c "$tmp/train.sh" "$tmp/nsys.csv"
sed 's/-layers 24/-layers 12/' "$tmp/train.sh" >"$tmp/six.sh"
run 0 sapp-trace -c "$tmp/six.sh" "$tmp/nsys.csv" || not_ok 'a launch script'
same 'a launch script has as many, and says the micro-batches' '[[6,0.72,1.47]]' "$(of "$bodies")"
fails 'one of two anchors: the other layers are missed' 1 \
	'forward: 6 kernels flash_fwd_full, 6 layers in rows of 3 3; backward: 12' \
	sapp-trace -anchor flash_fwd_full -c "$tmp/six.yaml" "$tmp/nsys.csv"
run 0 sapp-trace -v -mb 2 -anchor flash_fwd_full,flash_fwd_local "$tmp/nsys.csv" || not_ok 'two anchors'
same 'both anchors tell all layers' '[[6,0.72,1.47]]' "$(of "$bodies")"
check 'the parts add up to it' grep -q \
	'step: 28.7 ms = layers 26.28 + embedding and loss 2.12 + transfers 0 +'\
' collectives 0 + outside the pipeline 0.3 + idle 0 + in no record 0' "$tmp/err"
# Layers that cannot be distinguished from the loss.
awk -F, -v OFS=, 'NR > 1 { $1 += late } { print }
	/cross_entropy_fwd/ { print $1 + $2, 4000000, 7, "gap"; late += 4000000 }' "$tmp/nsys.csv" >"$tmp/gap.csv"
sapp-trace -mb 2 "$tmp/gap.csv" >"$tmp/out" 2>"$tmp/err"
same 'what is between forward and backward is the tail' 4.35 "$(of 'map(select(.type == "TAIL"))[0].time')"
# A faulty clock: every fifth kernel has ten times its duration.
awk -F, -v OFS=, 'NR > 1 && NR % 5 == 0 { $2 *= 10 } 1' "$tmp/nsys.csv" >"$tmp/long.csv"
run 0 sapp-trace -mb 2 "$tmp/long.csv" || not_ok 'kernels that run past the next'
same 'kernels end where the next on their stream begins' '[[6,0.72,1.47]]' "$(of "$bodies")"
check 'and are counted' grep -q 'warning: [0-9]* kernels run past the start of the next kernel on their stream' \
	"$tmp/err"

# The same step as a timeline: only kernels, with a quote in a name, as B and E events, and truncated.
awk -F, 'NR == 1 { print "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":0},\"traceEvents\":[" } NR > 1 {
	printf "%s{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%.3f,'\
'\"dur\":%.3f,\"args\":{\"stream\":7,\"device\":0}}", n++ ? ",\n" : "", $4, 1000 + $1 / 1000, $2 / 1000 }
	END { print "\n]}" }' \
	"$tmp/nsys.csv" >"$tmp/kernels.json"
run 0 sapp-trace -mb 2 "$tmp/kernels.json" || not_ok 'kernels alone'
same 'kernels without their launches' '[[6,0.72,1.47]]' "$(of "$bodies")"
# modules N: add spans of N modules of PyTorch.
modules() { sed "2s/.*/{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"nn.Module: GptDecoderLayer_$(($1 - 1))\",\
\"pid\":1,\"tid\":1,\"ts\":1000,\"dur\":1},\n&/" "$tmp/kernels.json" >"$tmp/modules.json"; }
modules 6
run 0 sapp-trace -mb 2 "$tmp/modules.json" || not_ok 'modules'
same 'as many layers as modules' '[[6,0.72,1.47]]' "$(of "$bodies")"
modules 12
fails 'modules that are more than the layers found' 1 'but the stage has 12 by GptDecoderLayer' \
	sapp-trace -mb 2 "$tmp/modules.json"
sed '$d' "$tmp/kernels.json" |
	sed '2s/.*/{"ph":"X","cat":"cpu_op","name":"a "b" c","pid":1,"tid":1,"ts":1,"dur":1},\n&/' >"$tmp/quote.json"
echo ']}' >>"$tmp/quote.json"
run 0 sapp-trace -mb 2 "$tmp/quote.json" || not_ok 'a quote in a name'
same 'a quote in a name costs that event' '[[6,0.72,1.47]]' "$(of "$bodies")"
check 'which is said' grep -q '1 event cannot be read and is ignored, the first: byte' "$tmp/err"
jq -c '.traceEvents |= map(del(.dur) + { ph: "B" }, { ph: "E", pid, tid, ts: (.ts + .dur) })' "$tmp/kernels.json" \
	>"$tmp/pairs.json"
run 0 sapp-trace -mb 2 "$tmp/pairs.json" || not_ok 'B and E'
same 'a beginning and an end are an event' '[[6,0.72,1.47]]' "$(of "$bodies")"
gzip -c "$tmp/kernels.json" | head -c 600 >"$tmp/cut.json.gz"
sapp-trace "$tmp/cut.json.gz" >"$tmp/out" 2>"$tmp/err"
check 'a compressed file that is cut says so' grep -q 'as the compressed file is cut' "$tmp/err"
# Two steps without numbers.
awk -F, -v OFS=, 'NR == FNR { print; end = $1 + $2; next } FNR > 1 { $1 += end; print }' \
	"$tmp/nsys.csv" "$tmp/nsys.csv" >"$tmp/steps.csv"
run 0 sapp-trace -mb 2 "$tmp/steps.csv" || not_ok 'two steps'
same 'a step that nothing numbers ends with its optimizer' '[[6,0.72,1.47]]' "$(of "$bodies")"

# Files that are no profiles.
for f in x.nsys-rep:'Nsight Systems' msprof_0.db:'database of msprof' y_kernel_trace.csv:'table of rocprofv3'; do
	mkdir -p "$tmp/dir" && rm -f "$tmp/dir"/* && : >"$tmp/dir/${f%%:*}"
	fails "${f%%:*} is named" 1 "${f#*:}" sapp-trace "$tmp/dir/${f%%:*}"
done
mkdir -p "$tmp/other" && : >"$tmp/other/x.nsys-rep"
fails 'so is what a directory has' 1 'not read: this is a report of Nsight Systems' sapp-trace "$tmp/other"
mkdir -p "$tmp/both"
sed 's/flash_[a-z_]*/copy/; s/gemm_[a-z]*/copy/; s/swiglu[a-z_]*/copy/; s/ln_[a-z]*/copy/' "$tmp/kernels.json" \
	>"$tmp/both/a.pt.trace.json"
cp "$tmp/both/a.pt.trace.json" "$tmp/both/b.pt.trace.json"
fails 'files of a directory without layers: one message' 1 'no layer in 2 of 2 timelines' sapp-trace "$tmp/both"
same 'and no other' 1 "$(grep -c . "$tmp/err")"

# Logs.
for line in '[1] x' '[01/02 10:00] x' '["x"]' '[[32mx' '[ 3] x' '[%0] x'; do
	printf '%s\n iteration 1/ 2 | consumed samples: 1 | elapsed time per iteration (ms): 100.0 |\n' "$line" \
		>"$tmp/log"
	sapp-trace "$tmp/log" 2>"$tmp/err" | jq -r .time
done >"$tmp/times"
same 'a log may begin with any bracket' '100 100 100 100 100 100' "$(xargs <"$tmp/times")"
printf '[Rank 0] (after 1 iterations) memory (MB) | allocated: 3 | max allocated: 7 | reserved: 8 | max reserved: 8\n' \
	>"$tmp/memory.log"
fails 'nothing but memory of ranks' 1 'only memory of 1 ranks' sapp-trace "$tmp/memory.log"
# A receive of rank 1 begins 9 ms before its data are computed.
e() { echo "rank:$1:$2(stage_id=$1,batch_id=0,mg_state=steady,duration=$3,timestamp=$4)"; }
{ e 0 forward_step 10 1000; e 0 send_forward 1 1010
	e 0 recv_backward 1 1041; e 0 backward_step 20 1042; } >"$tmp/0.log"
{ e 1 recv_forward 10 1001; e 1 forward_step 10 1011
	e 1 backward_step 20 1021; e 1 send_backward 1 1041; } >"$tmp/1.log"
run 0 sapp-trace "$tmp/0.log" "$tmp/1.log" || not_ok 'ranks that print their operations'
check 'receives that wait for their data' grep -q \
	'69 % of the time of transfers is before their data were computed' "$tmp/err"
done_testing
