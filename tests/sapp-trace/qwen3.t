#!/bin/sh
# A real pipeline run, profiled on a rank of each of its two stages, if available: times of its kernels computed
# manually, ms of one layer and micro-batch.
. "$(dirname "$0")/../lib.sh"
run=${SHARED_DATA:-$top/../shared/data}/qwen3-0.6b-pp2

if [ ! -d "$run" ]; then
	skip "no real pipeline run in $run"
	done_testing
	exit
fi

# wall NAME PHASE: print the wall time of one instance and micro-batch; busy NAME PHASE: the busy time.
wall() { jq --arg n "$1" --arg p "$2" 'select(.name == $n and .phase == $p) | .total / .instances / 2' "$tmp/out"; }
busy() { jq --arg n "$1" --arg p "$2" 'select(.name == $n and .phase == $p) | .busy / .instances / 2' "$tmp/out"; }
# within NAME WANT GOT: 2 percent.
within() { near "$1" "$2" "$3" "$(awk -v x="$2" 'BEGIN { print x / 50 }')"; }
of_step() { jq -s --argjson k "$1" "[.[] | select(.kind == \"step\")][\$k] | $2" "$tmp/out"; }

run 0 sapp-trace -v -body Layer -head Embedding -tail Head "$run/rank_0_ascend_pt"
check 'stage 0: what was found' grep \
	-q 'stage 0 of 2: .*14 layers x 2 micro-batches x 1 steps; around .*FlashAttentionScore.*, 31 kernels '\
'per forward, 36 per backward' "$tmp/err"
same 'stage 0: layers' 14 "$(jq 'select(.kind == "layer" and .type == "BODY") | .nb_layer' "$tmp/out")"
within 'stage 0: forward, wall' 5.221 "$(wall Layer forward)"
within 'stage 0: forward, busy' 2.087 "$(busy Layer forward)"
within 'stage 0: backward, wall' 5.783 "$(wall Layer backward)"
within 'stage 0: backward, busy' 4.895 "$(busy Layer backward)"
within 'embedding forward, wall' 1.09 "$(wall Embedding forward)"
within 'embedding forward, busy' 0.095 "$(busy Embedding forward)"
within 'embedding backward, wall' 5.21 "$(wall Embedding backward)"
within 'embedding backward, busy' 5.13 "$(busy Embedding backward)"
check 'a device that waits is worth a warning' grep -q \
	'Layer: the device waits for the host during 60 % of the forward' \
	"$tmp/err"
same 'no tail on the first stage' '' "$(wall Head forward)"

run 0 sapp-trace -body Layer -head Embedding -tail Head "$run/rank_2_ascend_pt"
within 'stage 1: forward, wall' 4.933 "$(wall Layer forward)"
within 'stage 1: forward, busy' 2.089 "$(busy Layer forward)"
within 'stage 1: backward, wall' 4.940 "$(wall Layer backward)"
within 'stage 1: backward, busy' 4.927 "$(busy Layer backward)"
within 'output and loss forward, wall' 51.4 "$(wall Head forward)"
within 'output and loss forward, busy' 44.16 "$(busy Head forward)"
within 'output and loss backward, wall' 45.2 "$(wall Head backward)"
within 'output and loss backward, busy' 45.23 "$(busy Head backward)"
same 'no head on the last stage' '' "$(wall Embedding forward)"

run 0 sapp-trace "$run"
same 'both stages: layers' 28 "$(jq 'select(.kind == "layer" and .type == "BODY") | .nb_layer' "$tmp/out")"
near 'the step' 810.0 "$(of_step 0 .time)" 0.1
near 'of which the pipeline' 639.8 "$(of_step 0 .pipeline)" 0.1
near 'reduce-scatter of gradients' 46.5 "$(of_step 0 .parts.gradient_reduce)" 0.9
near 'all-reduce of the tied embedding' 34.6 "$(of_step 0 .parts.embedding_reduce)" 0.1
near 'which the last stage only waits longer in' 34.6 "$(of_step 1 .parts.embedding_reduce)" 0.1
near 'all-gather of parameters' 20.9 "$(of_step 0 .parts.parameter_gather)" 0.3
near 'optimizer' 23.4 "$(of_step 0 .parts.optimizer)" 0.1
near 'a transfer without waiting' 0.62 "$(of_step 0 .transfer)" 0.19
same 'who saw it' '[0,0,1,2]' "$(jq -sc '[.[] | select(.kind == "step") | .stage, .rank]' "$tmp/out")"
run 0 sapp-trace -busy "$run/rank_0_ascend_pt"
within 'layer records of a faster host' 2.087 "$(jq 'select(.kind == "layer" and .type == "BODY") | .time' "$tmp/out")"
run 0 sapp-trace -anchor SwiGlu -body Layer "$run/rank_0_ascend_pt"
within 'another anchor' 5.221 "$(wall Layer forward)"
fails 'no such anchor' 1 "-anchor: no kernel has this name 'FlashAttentoin'" sapp-trace -anchor FlashAttentoin \
	"$run/rank_0_ascend_pt"

done_testing
