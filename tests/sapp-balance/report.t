#!/bin/sh
# sapp-balance: the report begins with the answer, its proof, the current run next to its measurement, and assumptions.
. "$(dirname "$0")/../lib.sh"

example=$top/examples/megatron
make-timeline -P 8 -L 48 -mb 16 -steps 4 -head 5 -body 12 -tail 25 -o "$tmp/profile" >"$tmp/null"
cp "$example/train.sh" "$tmp/train.sh"
balance() {	# NAME OPTION...
	name=$1; shift
	sapp-balance --train "$tmp/train.sh" -t 5 -naive 0 -o "$tmp/$name" "$@" "$tmp/profile" \
		>"$tmp/printed" 2>"$tmp/err"
	status=$?
	# Sentences that continue on the next line.
	sed -z 's/\n  \([^ ]\)/ \1/g' "$tmp/printed" >"$tmp/report"
	return $status
}
{ grep -v ' iteration ' "$example/train.log"
	for i in 1 2 3; do echo " iteration $i/ 10 | elapsed time per iteration (ms): 6300.0 |"; done
} >"$tmp/train.log"
check 'a script, its profile and its log' balance all -i 1-3 "$tmp/train.log"
has() { check "$1" grep -qxE -- "$2" "$tmp/report"; }
has 'the first line names the plan, and what it saves' \
	'planned-vpp-i3: [0-9.]+ ms per step, [12][0-9]\.[0-9] % shorter than today, both simulated\.'
same 'with its step' "$(jq -r 'select(.kind == "plan") | "\(.name): \(.step_time).0 ms"' "$tmp/all/plan.jsonl" |
	head -n 1)" "$(sed -n '1s/ per step.*//p' "$tmp/report")"
same 'the second has its proof' 'Proved: no plan for megatron of the 3 schedules is shorter.' \
	"$(sed -n 2p "$tmp/report")"
same 'no line but of arguments is wider than a page' '' "$(awk 'length > 100 && !/^[+-]?\t?--/' "$tmp/printed")"
has 'the stages, what they recompute and need' 'stage +layers \(of each chunk\) +recomputed +peak MB +limit'
has 'of each' '0(-[0-9])? +[0-9]+ \([0-9+]+\) +[a-z0-9 ]+ +[0-9]+ +56813'
same 'all layers are there' 48 "$(awk '/^stage/ { on = 1; next } on && !NF { exit }
	on { n = split($1, k, "-"); sum += $2 * (n > 1 ? k[2] - k[1] + 1 : 1) } END { print sum }' "$tmp/report")"
same 'the highest peak, too' "$(jq -s 'map(select(.kind == "sim"))[0].peak_memory | max | round' \
	"$tmp/all/sim.jsonl")" \
	"$(sed -n '/^stage/,/^$/p' "$tmp/report" | awk \
		'NR > 1 && NF > 3 && $(NF - 1) > most { most = $(NF - 1) } END { print most }')"
has 'whether several chunks are worth it, in one line' \
	'With 1 chunk per stage: [0-9.]+ % longer, (proved|of which [0-9.]+ % are proved), [0-9]+ MB (less|more) '\
'\(planned-1f1b\)\.'
has 'what to do now' "Next: sapp-yaml -w $tmp/train.sh $tmp/all/plan.jsonl writes the changes below\."
same 'no other chunks are proposed' '' "$(grep 'Next: use the same command' "$tmp/report")"
has 'the limit is the highest peak that was measured' \
	'Assumed: a limit of 56813 MB, the highest measured peak \(-mem\)\.'
check 'which is said before it plans' grep -qx \
	'sapp-balance: assumed: a limit of 56813 MB, the highest measured peak (-mem)' "$tmp/err"
has 'measured beside simulated' \
	'Today: 6183\.0 ms simulated, 6300\.0 ms measured \(train\.log\): the simulation '\
'is 1\.9 % shorter\.'
same 'what runs today is among the strategies' 6183 "$(jq 'select(.kind == "sim" and .name == "today").step_time' \
	"$tmp/all/sim.jsonl")"
has 'transfers that were not measured are said to be 0' 'Transfers: 0 ms assumed; each ms of them makes the step of '\
'planned-vpp-i3 [0-9]+\.[0-9] ms longer; at [0-9.]+ ms and above planned-[a-z0-9-]+ is shorter than planned-vpp-i3\.'
has 'a vocabulary that is missing' \
	'Assumed: only the measured kinds of recomputation: the vocabulary is missing \(-vocab N\)\.'
check 'changes of the script' grep -q '^+	--pipeline-model-parallel-layout "E' "$tmp/report"

# With the vocabulary, shapes give the savings of recomputation; with a cluster, they give the time of a transfer.
check 'a vocabulary and a cluster' balance shapes -vocab 50000 -cluster h100 "$tmp/train.log"
has 'transfers by the links' 'Assumed: 0\.1[0-9]+ ms for a transfer, computed from the message and the links of h100\.'
same 'with which is planned' true "$(jq 'select(.kind == "pipeline").comm_time | . > 0.1 and . < 0.3' \
	"$tmp/shapes/plan.jsonl")"
same 'and what runs today is simulated' true \
	"$(jq -s 'map(select(.kind == "sim") | [.comm_time] | flatten[0]) | unique | length == 1 and
	.[0] > 0.1' "$tmp/shapes/sim.jsonl")"
has 'the memory of a device is the limit' "Assumed: a limit of $(jq '.memory_limit - (.reserve // 0)' \
	"$top/share/clusters/h100.json") MB, the memory of a device of h100 \\(-mem\\)\\."
same 'recomputation can be planned' true "$(jq 'select(.kind == "layer" and .type == "BODY") | .memory_recompute > 0' \
	"$tmp/shapes/layers.jsonl")"
has 'tokens a second are those of all devices' 'Tokens per second: [0-9]+ on 64 devices, [0-9.]+ per device\.'
same 'as many as on each of them' 64 \
	"$(sed -n 's/^Tokens per second: \([0-9]*\) on 64 devices, \([0-9.]*\) per device.*/\1 \2/p' \
	"$tmp/report" | awk '{ printf "%.0f", $1 / $2 }')"

has 'a proof of one chunk a stage is of no more' \
	'Proved: no plan for megatron of 1f1b with 1 chunk per stage is shorter\.'
has 'and how to ask for more' \
	'Next: use the same command with -i 1-3 to see whether several chunks per stage are faster\.'
check 'on its page, too' grep -q 'use the same command with -i 1-3' "$tmp/shapes/result.html"

# On a terminal sapp-balance prints only the answer; the file has the rest.
if script -qec true /dev/null </dev/null >"$tmp/null" 2>&1; then
	check 'a terminal' script -qec "sapp-balance --train '$tmp/train.sh' -t 5 -naive 0 -vocab 50000 -cluster h100 \
		-o '$tmp/shapes' '$tmp/profile' '$tmp/train.log'" "$tmp/typed"
	check 'has the settings' grep -q -- '--pipeline-model-parallel-layout' "$tmp/typed"
	same 'and not all strategies' '0 1' "$(grep -c '== The strategies' "$tmp/typed") $(grep -c \
		'== The strategies' "$tmp/shapes/report.txt")"
else
	skip 'no terminal can be had here'
fi

check 'a pipeline of one stage' sapp-balance --layers "$top/examples/llama-70b/layers.json" -s 1 -mb 8 -mem 900000 \
	-t 5 \
	-naive 0 -o "$tmp/one"
check 'has a table, too' grep -qx '0 * 80 * none * [0-9]* * 900000' "$tmp/one/report.txt"

# A log that disagrees with the plan.
sed 's/6300.0/9000.0/' "$tmp/train.log" >"$tmp/slow.log"
check 'a log of slower steps' balance slow -mem 70000 "$tmp/slow.log"
has 'is warned of, with what to look at' \
	'warning: the error is above 10 %\. Check: transfers, '\
'whose time is set to 0 ms; .*'
has 'and said beside the gain, which is smaller' 'planned-1f1b: .* than today, both simulated; '\
'the simulation is off by more, 31\.3 %\.'
same 'a limit that is given is not assumed' '' "$(grep 'Assumed: a limit' "$tmp/report")"
fails 'shapes of what has its own' 2 '-cluster, -vocab, -set and a number in --layers: need --train' sapp-balance \
	--layers \
	"$tmp/all/layers.jsonl" -vocab 100
fails 'a vocabulary of no number' 2 "-vocab: not a number of words 'x'" sapp-balance --train "$tmp/train.sh" -vocab x
fails 'an unknown cluster' 1 "-cluster: not a file or " sapp-balance --train "$tmp/train.sh" -vocab 50000 \
	-cluster none -o "$tmp/none" "$tmp/profile" "$tmp/train.log"
done_testing
