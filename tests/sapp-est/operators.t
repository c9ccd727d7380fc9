#!/bin/sh
# Estimates from operators of one device: layers and steps of 8 B200, compared with another program with the same table.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
llama='{"kind":"network","name":"Llama3-70B-12L","layers":12,"hidden_size":8192,"num_heads":64,"kv_heads":8,'\
'"head_dim":128,"ffn_size":28672,"vocab_size":128256,"seq_length":4096,'\
'"precision":{"weight":2,"gradient":4,"optimizer":12}}'
long=$(printf '%s' "$llama" | sed 's/"seq_length":4096/"seq_length":32768/')
deepseek='{"kind":"network","name":"DeepSeek-V2-4L","layers":4,"hidden_size":5120,"num_heads":128,"ffn_size":12288,'\
'"vocab_size":102400,"seq_length":4096,"experts":160,"experts_per_token":6,"expert_ffn_size":1536,'\
'"shared_ffn_size":3072,"dense_layers":1,"q_lora_rank":1536,"kv_lora_rank":512,"qk_head_dim":128,'\
'"rope_head_dim":64,"v_head_dim":128,"precision":{"weight":2,"gradient":4,"optimizer":12}}'
c() { echo "{\"kind\":\"candidate\",\"zero\":1,\"vp\":1,\"mbs\":1,\"recompute\":\"none\",$1}"; }
{
	echo "$llama"
	c '"dp":4,"tp":1,"pp":2,"micro_batches":8,"sp":false,"schedule":"1f1b"'
	c '"dp":1,"tp":8,"pp":1,"micro_batches":8,"sp":true,"schedule":"none"'
	echo "$long"
	c '"dp":1,"tp":1,"cp":8,"pp":1,"micro_batches":4,"sp":false,"schedule":"none","cp_kind":"ulysses"'
	echo "$deepseek"
	c '"dp":4,"tp":1,"pp":2,"ep":4,"micro_batches":8,"sp":false,"schedule":"1f1b","dispatcher":"alltoall"'
} >rows

# near NAME TOLERANCE WANT GOT: compare with a relative tolerance.
close() {
	if awk -v a="$3" -v b="$4" -v t="$2" 'BEGIN { exit !(b != "" && a / b < 1 + t && b / a < 1 + t) }'; then
		ok "$1"
	else
		not_ok "$1"; echo "expected $3, got $4" | diag
	fi
}

sapp-est -cluster b200 rows >out 2>err
same 'tables of an installed device are used without a word' '' "$(cat err)"
jq -r 'select(.kind == "estimate") | [.step_time, .source.shares.measured, .low, .high] | @tsv' out >steps
sapp-est -cluster b200 -layers rows 2>>err | jq -r 'select(.kind == "layer" and .type == "BODY") |
	[.name, .time, .backward_time] | @tsv' >layers
i=0
for want in 'two stages:1535.07:7.50638:15.4554:dense0' 'eight-fold tp:530.739:1.92193:3.0779:dense0' \
	'context by heads:1712.82:9.56487:20.5728:dense0' 'experts:480.888:6.33605:12.3892:moe1'; do
	IFS=: read -r name step forward backward layer <<-EOF
	$want
	EOF
	i=$((i + 1))
	close "$name: the step" 0.002 "$step" "$(sed -n "${i}p" steps | cut -f 1)"
	found=$(awk -v want="$forward" -v name="$layer" '$1 == name && $2 / want < 1.001 && $2 / want > 0.999' layers |
		head -1)
	close "$name: a layer forward" 0.001 "$forward" "$(echo "$found" | cut -f 2)"
	close "$name: a layer backward" 0.001 "$backward" "$(echo "$found" | cut -f 3)"
done
# Allocated MB of each stage, computed by the other program and measured on 8 B200.
jq -r 'select(.kind == "estimate") | .memory[]' out >memory
for want in '68167 68149' '64415 64479' '28971 28965' '107010 107017' '32199 32343' '45696 45776'; do
	i=$((i + 1))
	close "$want MB: memory as computed" 0.001 "${want% *}" "$(sed -n "$((i - 4))p" memory)"
	close "$want MB: memory as measured" 0.006 "${want#* }" "$(sed -n "$((i - 4))p" memory)"
done
check 'a device must have 1.08 times as much' jq -es 'map(select(.kind == "estimate")) | all(.memory as $m |
	[.memory_high, $m] | transpose | all(.[0] / .[1] > 1.0799 and .[0] / .[1] < 1.0801))' out
sapp-est -cluster b200 -layers rows | jq -c 'select(.kind == "model").stage_const_mem' >held
check 'a plan leaves this room of a full device' jq -es --slurpfile c "$top/share/clusters/b200.json" \
	'($c[0].memory_limit * 0.08 / 1.08) as $room | all(. > $room + 64 and . < $room + 5000)' held
# Memory with a reserve follows the formulas of papers.

jq -c '.reserve = 3000' "$top/share/clusters/h100.json" >reserve.json
sed 2q rows | sapp-est -cluster ./reserve.json | jq 'select(.kind == "estimate")' >reserved
same 'a reserve stands beside what is computed' '3000 null' \
	"$(jq -rs '.[0] | "\(.memory_parts.reserve) \(.memory_high)"' reserved)"
check 'most of a step is measured' awk '$2 < 0.75 { exit 1 }' steps
check 'what was measured on 8 B200 is inside' awk 'BEGIN { split("1476.8 556.7 1768.1 492.6", m) }
	m[NR] < $3 || m[NR] > $4 { exit 1 }' steps

# Missing operators.
sapp-est -cluster b200 -operators rows >asked 2>err
check 'nothing is asked where all is measured' test ! -s asked
check 'and that is said' tells 'all operators of the candidates are measured'
sed 4,99d rows | sed 3d >dense; sed 1,5d rows >experts
sapp-est -cluster h100 -operators -until 0 dense >asked
check 'at most 40 questions of a dense network' test "$(wc -l <asked)" -le 40
check 'each is a question that can be answered' jq -es 'all(.kind == "operator" and (has("time") | not) and .share > 0
	and .candidates == 1)' asked
check 'the one that tells most comes first' jq -es 'map(.worth) | . == (sort | reverse)' asked
sapp-est -cluster h100 -operators -until 0 experts >asked
check 'at most 80 of latent attention with experts' test "$(wc -l <asked)" -le 80
sapp-est -cluster h100 -operators -until 10 experts >fewer
check 'fewer where more may stay open' test "$(wc -l <fewer)" -lt "$(wc -l <asked)"
sed 's/"seq_length":4096/"seq_length":4096,"window":512,"window_share":0.5/' dense >windows
sapp-est -cluster h100 -operators windows >out 2>err
check 'layers that no list has are named' tells \
	'12 layers cannot be measured by operators: no list of operators has windows of attention'
# With the answers to all questions no operator is missing.
jq -c 'del(.share, .candidates, .worth) + if .op == "bytes" then { time: (.bytes / 2e9) }
	elif .op == "attention" then { time: (.batch * .seq * .seq * .heads * (.qk_dim + .v_dim) / 1e11) }
	else { time: (2 * (.groups // 1) * .m * .n * .k / 5e11) } end' asked >answers
sapp-est -cluster h100 -measured answers -operators -until 0 experts >left 2>err
check 'answers to all questions leave none' test ! -s left
sapp-est -cluster h100 -measured answers experts 2>err | jq -c 'select(.kind == "estimate").source.shares' >shares
check 'and operators are measured' jq -e '.measured > 0.5' shares
sapp-est -cluster a100-80gb -measured answers experts 2>err >out
check 'a table of another device is borrowed' tells "measured on 'h100', not on the cluster's 'a100-80gb'"
check 'which widens the interval' jq -es 'map(select(.kind == "estimate"))[0].error > 0.366' out

# The lists are for 16-bit formats.
sed 2q rows >mixed; sed -n 2p rows | sed 's/}$/,"compute":"fp8"}/' >>mixed; sed -n 2p rows >>mixed
sapp-est -cluster b200 mixed 2>err | jq -c 'select(.kind == "estimate") | [.step_time, .source.shares != null]' >out
check 'a table is left out for products of 8 bits' tells 'not used for candidates that compute in fp8'
check 'and used again after them' jq -es '.[0] == .[2] and .[0][1] and (.[1][1] | not)' out

# Bad input.
bad() {
	printf '%s\n' "$3" >bad
	fails "$1" 1 "bad:1: operator: $2" sapp-est -cluster h100 -measured bad dense
}
bad 'a size below 1' m '{"kind":"operator","op":"matmul","m":0,"n":1,"k":1,"layout":"TN","dtype":"bf16","time":1}'
bad 'no time' time '{"kind":"operator","op":"matmul","m":1,"n":1,"k":1,"layout":"TN","dtype":"bf16","time":0}'
bad 'a gradient without a type' "missing member 'out'" \
	'{"kind":"operator","op":"matmul","m":1,"n":1,"k":1,"layout":"NT","dtype":"bf16","time":1}'
bad 'a member of another operator' 'groups: not a member of op' \
	'{"kind":"operator","op":"matmul","m":1,"n":1,"k":1,"layout":"TN","groups":2,"dtype":"bf16","time":1}'
bad 'no such layout' layout '{"kind":"operator","op":"matmul","m":1,"n":1,"k":1,"layout":"TT","dtype":"bf16","time":1}'
bad 'another unit' 'time: faster than the device' \
	'{"kind":"operator","op":"matmul","m":8192,"n":8192,"k":8192,"layout":"TN","dtype":"bf16","time":0.05}'
echo '{"kind":"operator","op":"matmul","m":8192,"n":8192,"k":8192,"layout":"TN","dtype":"bf16","time":2}' >one
sapp-est -cluster h100 -measured one dense >out 2>err
check 'layouts that are missing are named' tells '0 products of layout NN'
fails 'questions and a space' 2 '-operators: not with -space' sapp-est -operators -space -n 8 -gb 8
done_testing
