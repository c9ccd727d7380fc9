#!/bin/sh
# Profiles and peaks are for one micro-batch size; for other sizes they are scaled by the ratio of computed figures.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
example=$top/examples/ratios
sapp-model "$example/train.yaml" 2>err >net
can() {
	printf '{"kind":"candidate","dp":16,"tp":8,"pp":8,"ep":64,"mbs":%s,"micro_batches":%s,"recompute":"full"}\n' \
		"$1" $((64 / $1))
}
four() { can 1; can 2; can 4; can 8; }
est() { sapp-est -cluster atlas-900-a3 -parts "$@" - 2>err | get estimate 'select(.origin != "current")'; }
alone=$(jq -c 'select(.kind == "network")' net)
{ echo "$alone"; four; } | est >computed
{ echo "$alone"; four; } | est -peaks "$example/dryruns" -profile "$example/profile.csv" >out
check 'a size that nothing names is assumed to be 1, and said so' tells 'profile, peaks: unknown micro-batch size, 1'

# 11.9 ms for the forward of a mixture with one sequence, and the peak of a dryrun, times the ratio of computed figures.
same 'the tutorial measures one sequence a micro-batch' '26530 measured 39718' \
	"$(jq -r '"\(.step_time | round) \(.source.layers) \(.memory | max | round)"' out | head -n 1)"
same 'larger micro-batches scale its times and its memory by what is computed' 'true true' "$(jq -s -c '
	.[:4] as $c | .[4:] |
	def near($a; $b): (($a - $b) | fabs) < 1e-9 * ($b | fabs);
	[to_entries[] | . as $e | $c[.key] as $k | near(.value.layers[1].forward; 11.9 * $k.layers[1].forward /
		$c[0].layers[1].forward) and near(.value.tail.forward + .value.tail.backward; 4.2 * 11.9 *
		($k.tail.forward + $k.tail.backward) / ($c[0].tail.forward + $c[0].tail.backward))],
	[to_entries[] | . as $e | near(.value.memory | max; 39718 * ($c[.key].memory | max) / ($c[0].memory | max))] |
	all' computed out | xargs)"
same 'so that none is four times as fast as another' true \
	"$(jq -s 'map(.step_time) | max < 1.6 * min' out)"
same 'and says that it is fitted' 'fitted fitted fitted' "$(tail -n 3 out | jq -r .source.layers | xargs)"
same 'no part of a step is negative' true "$(jq -s 'all(.[].times[]; . >= 0)' out)"

{ echo "$alone"; can 1; } | est -profile "$example/profile.csv" >out
same 'one sequence a micro-batch needs no warning' '' "$(cat err)"
sed 's/batch_size: 1/batch_size: 2/' "$example/train.yaml" >two.yaml
sapp-model two.yaml 2>err >two
{ cat two; four; } | est -peaks "$example/dryruns" -profile "$example/profile.csv" >out
same 'the training file says of which size they are' 'fitted 11.9 measured 39718 fitted fitted' \
	"$(jq -r -s '"\(.[0].source.layers) \(.[1].layers[1].forward * 1e6 | round / 1e6)" +
	" \(.[1].source.layers) \(.[1].memory | max | round) \(.[2].source.layers) \(.[3].source.layers)"' out)"
same 'in silence' '' "$(cat err)"
{ echo "$alone"; echo '{"kind":"model","name":"m","batch_size":2}'; four; } |
	est -peaks "$example/dryruns" -profile "$example/profile.csv" >again
check 'so does a model record' cmp out again

awk -F, 'NR == 1 { print $0 ",mbs"; next } $4 == 64 && $1 == 16 { print $0 ",1"; $NF = 40; print $0 ",4" }' OFS=, \
	"$example/profile.csv" >sizes.csv
{ cat net; four; } | est -profile sizes.csv >out
same 'a column says of which size a row is' '11.9 40 measured fitted measured' "$(jq -r -s \
	'"\(.[0].layers[1].forward) \(.[2].layers[1].forward) " +
	(.[:3] | map(.source.layers) | join(" "))' out)"
mkdir -p logs
for ep in 4 8; do
	for size in 1:1 2:4; do
		echo "Used peak memory usage (without fragments): $((${size#*:} * (10000 + 40000 / ep)))M" \
			>"logs/DP16_TP8_PP8_EP${ep}_MBS${size%:*}.log"
	done
done
{ cat net; can 1; can 2; can 2 | sed 's/"mbs"/"vp":2,&/'; } | est -peaks logs >out
same 'paths of logs say of which size a peak is' '10625 42500' "$(head -n 2 out | jq '.memory | max | round' | xargs)"
same 'and of which chunks' 'fitted true' "$(tail -n 1 out | jq -r '"\(.source.memory) \(.memory | max > 42500)"')"
sapp-est -cluster atlas-900-a3 -peaks logs -nd nd.csv -nd-ep 1 net >out
same 'tables of candidates tell sizes apart' 'dp,tp,pp,ep,evaluate_mem,cp,vp,mbs
16,8,8,1,50000,1,1,1' "$(cat nd.csv)"

# A measured layer that is faster than its computed communication.
sed 's/11.9$/0.05/' "$example/profile.csv" >fast.csv
{ cat net; four; } | est -profile fast.csv >out
same 'communication takes no longer than the layer that has it' true "$(jq -s 'all(.[].times[]; . >= 0) and
	all(.[].layers[]; .forward_compute >= 0 and .backward_compute >= 0)' out)"

cat >job.yaml <<END
model: $example/train.yaml
devices: 1024
cluster: atlas-900-a3
memory: 56320
global_batch: 1024
target: mindformers
peaks: $example/dryruns
profile: $example/profile.csv
limits: {tp: 8, cp: 1, pp: 8, ep: 64, vp: 1, mbs: [1, 2, 4, 8]}
END
check 'a search ranks all sizes' run 0 sapp-search -n -o search job.yaml
same 'by the size of its training file' 'DP16_TP8_PP8_EP64_MBS1 DP16_TP8_PP8_EP64_MBS2' \
	"$(jq -r 'select(.kind == "estimate").name' search/work/estimates.jsonl | head -n 2 | xargs)"
done_testing
