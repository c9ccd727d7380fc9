#!/bin/sh
# Timelines of real runs, if available: known sums, and refusals.
. "$(dirname "$0")/../lib.sh"
data=${SHARED_DATA:-$top/../shared/data}/timelines

if [ ! -d "$data" ]; then
	skip "no real timelines in $data"
	done_testing
	exit
fi

# sums FILE PHASE NAME TOTAL...: compare microseconds in which kernels ran, over the whole file.
sums() {
	file=$1 phase=$2; shift 2
	while [ $# -gt 0 ]; do
		run 0 sapp-trace -steps all -body "$1" "$data/$file" || { not_ok "$file $1"; shift 2; continue; }
		near "$file $phase $1" "$2" \
			"$(jq --arg p "$phase" 'select(.phase == $p) | .busy * 1000' "$tmp/out")" 0.006
		shift 2
	done
}
events() { jq --arg p "$1" 'select(.phase == $p) | .events' "$tmp/out"; }

sums msprof_0_2_2.json forward conv1-Conv2d 270.02 conv2-Conv2d 87.96 conv3-Conv2d 37.60 conv4-Conv2d 57.81 \
	conv5-Conv2d 67.69 fc3-Dense 553.61
sums msprof_0_2_2.json backward conv1-Conv2d 540.81 conv2-Conv2d 115.39 conv3-Conv2d 165.30 conv5-Conv2d 484.02 \
	fc3-Dense 315.50
sums timeline_display_1.json forward 1-DenseLayer 22429.73 2-DenseLayer 6166.47 3-DenseLayer 2471.48 \
	4-DenseLayer 1393.42 5-DenseLayer 696.39
same 'kernels of one layer, forward' 99 "$(events forward)"
sums timeline_display_1.json backward 1-DenseLayer 28036.11 2-DenseLayer 8335.70 3-DenseLayer 3696.83 \
	4-DenseLayer 1912.79 5-DenseLayer 890.58
same 'kernels of one layer, backward' 98 "$(events backward)"
check 'the older name of that format' sapp-trace -body Conv2d "$data/ascend_timeline_display_1.json"
run 0 sapp-trace -body 1-DenseLayer "$data/timeline_display_1.json"
same 'steady steps' 12 "$(jq 'select(.phase == "forward") | .steps' "$tmp/out")"
run 0 sapp-trace -body DenseLayer "$data/timeline_display_1.json"
check 'layers that differ are called out' grep -q 'layers of DenseLayer differ' "$tmp/err"

fails 'torch_npu without module scopes' 1 "no module scopes: looked for a process 'Scope Layer'" \
	sapp-trace "$data/trace_view_torch_npu.json"
check 'what is in it' grep -q "'Ascend Hardware'.*'aten::empty'" "$tmp/err"
fails 'a timeline of names alone' 1 'no module scopes' sapp-trace "$data/trace_view_tiny.json"
fails 'Kineto, gzip, without module scopes' 1 "of the processes 'python3.10', called" \
	sapp-trace "$data/kineto_benchmark.json.gz"
fails 'layers of another name' 1 "; layers found: " sapp-trace "$data/msprof_0_2_2.json"
check 'which are' grep -q "'fc3-Dense'" "$tmp/err"

done_testing
