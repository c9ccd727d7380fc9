#!/bin/sh
# Installed cluster records are listed; each can be the basis of a user's own record.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
check 'clusters are listed' run 0 sapp-est -clusters
same 'all of them' "$(cd "$top/share/clusters" && ls -- *.json | sed 's/.json$//')" "$(sed 1d out | cut -d' ' -f1)"
same 'with what they are for, and how far to trust them' 'a100-40gb 8 40960 16 borrowed as a100-80gb' \
	"$(sed -n '/^a100-40gb/s/  */ /gp' out)"
check 'one to edit' run 0 sapp-est -cluster-template h100
cp out mine.json
same 'is the record, under another name' "$(jq -cS 'del(.fitted, .name, .source) | .confidence = "borrowed"' \
	"$top/share/clusters/h100.json")" "$(jq -cS 'del(.name)' mine.json)"
check 'and a cluster' run 0 sapp-est -cluster mine.json /dev/null
mv out mine.jsonl
check 'on a line of its own elsewhere' run 0 sapp-est -cluster mine.jsonl /dev/null
same 'which is the same record' "$(cat mine.jsonl)" "$(cat out)"
head -n 5 mine.json >bad.json
fails 'cut' 1 'bad.json:1: not a JSON object' sapp-est -cluster bad.json /dev/null
fails 'one that is none' 1 "-cluster: not a file or a listed cluster 'h1000'" sapp-est -cluster-template h1000
echo '{"kind":"cluster","name":"x","links":[]}' >bad.json
fails 'all members that are missing are named at once' 1 \
	"cluster: missing member 'devices_per_node', also 'peak', also 'memory_bandwidth', also 'efficiency'" \
	sapp-est -cluster bad.json /dev/null

# A refused candidate does not end a stream.
echo '{"kind":"network","name":"n","layers":8,"hidden_size":1024,"num_heads":16,"ffn_size":4096,"vocab_size":32000,'\
'"seq_length":2048}' >in
for pp in 2 16 4; do
	echo '{"kind":"candidate","dp":4,"tp":1,"pp":'$pp',"micro_batches":16}'
done >>in
echo '{"kind":"candidate","dp":4,"tp":1,"pp":2,"ep":64,"micro_batches":16}' >>in
echo '{"kind":"candidate","dp":8,"tp":1,"pp":1,"micro_batches":8}' >>in
fails 'two refused candidates are named' 1 '2 candidates were refused; the others are answered' \
	sapp-est -cluster h100 in
check 'the first' tells 'in:3: candidate: pp 16 times vp 1 exceed'
check 'and the second' tells "in:5: candidate: ep: 64 times etp 1 is more than the devices of a stage, dp 4 times cp 1"
same 'the others are estimated' '[2,4,1]' "$(jq -sc 'map(select(.kind == "estimate").pp)' out)"
echo '{"kind":"candidate","dp":4' >>in
fails 'but what is no record ends it' 1 'in:7: not a JSON object' sapp-est -cluster h100 in
# The number format of a candidate selects the figures of the device.
net='{"kind":"network","name":"n","layers":8,"hidden_size":4096,"num_heads":32,"ffn_size":14336,"vocab_size":32000,'\
'"seq_length":4096}'
c() { echo "{\"kind\":\"candidate\",\"dp\":8,\"tp\":1,\"pp\":1,\"micro_batches\":4$1}"; }
{ echo "$net"; c; c ',"compute":"bf16"'; c ',"compute":"mxfp8"'; c ',"store":1.03125'; c; } >each
sapp-est -cluster h100 each >out 2>err
same 'without a word' '' "$(cat err)"
check 'of 16 and of 8 bits' jq -es 'map(select(.kind == "estimate").step_time) | .[0] == .[1] and .[0] == .[4] and
	.[2] == .[3] and .[2] < 0.95 * .[0]' out
check 'and it stands in the estimate' jq -es 'map(select(.kind == "estimate").compute) == [null, "bf16", "mxfp8", null,
	null]' out
{ echo "$net"; c ',"compute":"fp8"'; } >eight
sapp-est -cluster a100-80gb eight >out 2>err
check 'a device without such figures is named' tells "a100-80gb: no figures for fp8: the cluster's own are used"
check 'and the interval is wide' jq -es 'map(select(.kind == "estimate"))[0] | .high / .low > 3' out
sapp-est -cluster h100 eight 2>err | jq -c 'select(.kind == "estimate").step_time' >want
for word in h100-fp8 h100-fp8-moe; do
	sapp-est -cluster $word eight 2>err >out
	same "$word is a word for both" "$(cat want)" "$(jq 'select(.kind == "estimate").step_time' out)"
	check "$word is said to be" tells "$word: the device h100, with given figures of fp8"
done
jq -c 'select(.kind == "cluster")' out | sapp-est - eight | jq 'select(.kind == "estimate").step_time' >again
same 'and its record is the same cluster' "$(cat want)" "$(cat again)"
{ echo "$net"; c ',"compute":"bf16"'; } >sixteen
fails 'a candidate of wider numbers' 1 \
	"sixteen:2: candidate: compute: 'bf16', but the peak of the cluster 'h100-fp8' is for narrower" \
	sapp-est -cluster h100-fp8 sixteen
fails 'a word that is none' 1 "-cluster: not a file or a listed cluster 'h100-fp9'" sapp-est -cluster h100-fp9 sixteen
c ',"compute":"int3"' >none
fails 'a type that is none' 1 'candidate: compute: ' sapp-est -cluster h100 none
# Steps that were not part of a fit: Llama 3.1 405B with NeMo in 2025, 128 GB200 and 512 H100, in 16 and in 8 bits.
net='{"kind":"network","name":"l","layers":126,"hidden_size":16384,"num_heads":128,"kv_heads":8,"ffn_size":53248,'\
'"vocab_size":128256,"seq_length":8192}'
of() {
	printf "%s\n" "$net" "{\"kind\":\"candidate\",\"dp\":$2,\"tp\":$3,\"cp\":2,\"pp\":8,\"vp\":8,\"mbs\":1,\
\"sp\":true,\"micro_batches\":$4,\"schedule\":\"interleaved\",\"recompute\":\"none\",\"compute\":\"$5\"}" |
		sapp-est -cluster "$1" |
		jq -es "map(select(.kind == \"estimate\"))[0] | (.step_time / $6 - 1 | fabs) < $7 and
			.low < $6 and $6 < .high and .high / .low < 2.4"
}
check '16 bits of gb200' of gb200 2 4 32 bf16 9347 0.06
check '8 bits of gb200' of gb200 2 4 32 fp8 6131 0.12
check '16 bits of h100' of h100 4 8 64 bf16 19810 0.06
check '8 bits of h100' of h100 4 8 64 fp8 13020 0.12
done_testing
