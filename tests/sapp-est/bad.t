#!/bin/sh
# What no network, cluster or candidate is; and what fits nowhere.
. "$(dirname "$0")/../lib.sh"
net='{"kind":"network","name":"n","layers":8,"hidden_size":1024,"num_heads":16,"ffn_size":4096,"vocab_size":32000,'\
'"seq_length":2048}'
can='{"kind":"candidate","dp":2,"tp":2,"pp":2,"micro_batches":8}'
est() { printf '%s\n' "$@" | sapp-est -cluster h100; }
bad() { name=$1 message=$2; shift 2; fails "$name" 1 "$message" est "$@"; }

check 'a candidate has an estimate' \
	sh -c 'printf "%s\n" "$1" "$2" | sapp-est -cluster h100 | grep -q "\"kind\":\"estimate\""' sh "$net" "$can"
for member in layers hidden_size num_heads ffn_size vocab_size seq_length; do
	bad "$member 0" "network: $member: not positive '0'" "$(echo "$net" | jq -c ".$member = 0")" "$can"
	bad "$member below 0" "network: $member: not positive" "$(echo "$net" | jq -c ".$member = -8")" "$can"
	bad "$member with a fraction" "network: $member: not a whole number '8.5'" \
		"$(echo "$net" | jq -c ".$member = 8.5")" "$can"
	bad "$member absurd" "network: $member: " "$(echo "$net" | jq -c ".$member = 999999999999")" "$can"
	bad "no $member" "network: missing member '$member'" "$(echo "$net" | jq -c "del(.$member)")" "$can"
done
bad 'layers without end' 'network: layers: more than 100000' "$(echo "$net" | jq -c '.layers = 2000000000')" "$can"
bad 'experts without a size' "missing member 'expert_ffn_size'" \
	"$(echo "$net" | jq -c '.experts = 8 | .experts_per_token = 2')" "$can"
bad 'more experts a token than experts' 'experts_per_token: more than the 8 experts' \
	"$(echo "$net" | jq -c '.experts = 8 | .experts_per_token = 9 | .expert_ffn_size = 4096')" "$can"
bad 'heads of keys that divide nothing' 'kv_heads: does not divide' "$(echo "$net" | jq -c '.kv_heads = 3')" "$can"
bad 'half a latent attention' "missing member 'v_head_dim'" \
	"$(echo "$net" | jq -c '.kv_lora_rank = 64 | .qk_head_dim = 32 | .rope_head_dim = 16')" "$can"
bad 'no truth' 'network: gated: neither true nor false' "$(echo "$net" | jq -c '.gated = 1')" "$can"
bad 'an unknown member' "network: heads: unknown member" "$(echo "$net" | jq -c '.heads = 1')" "$can"
bad 'no network' 'no network record' "$can"
bad 'stages that are none' 'candidate: pp: not positive' "$net" "$(echo "$can" | jq -c '.pp = 0')"
bad 'a billion devices' 'more than' "$net" "$(echo "$can" | jq -c '.dp = 1000000000')"
bad 'zero 4' 'candidate: zero: more than 3' "$net" "$(echo "$can" | jq -c '.zero = 4')"
bad 'shards of what is not there' 'candidate: shard: does not divide' "$net" "$(echo "$can" | jq -c '.shard = 3')"
bad 'a schedule without its chunks' 'candidate: schedule: goes not with' "$net" \
	"$(echo "$can" | jq -c '.schedule = "interleaved"')"
bad 'a schedule that is none' 'candidate: schedule: not one of' "$net" "$(echo "$can" | jq -c '.schedule = "zigzag"')"
bad 'experts on more devices than there are' 'candidate: ep:' "$net" "$(echo "$can" | jq -c '.ep = 64')"
fails 'no cluster' 1 'no cluster record' sh -c 'printf "%s\n" "$1" "$2" | sapp-est' sh "$net" "$can"
fails 'a cluster that is not known' 1 "neither a file nor known 'x'" sapp-est -cluster x /dev/null
jq -c '.links = []' "$top/share/clusters/h100.json" >"$tmp/c.json"
fails 'a cluster without links' 1 'cluster: links: empty' sapp-est -cluster "$tmp/c.json" /dev/null
jq -c '.links |= reverse' "$top/share/clusters/h100.json" >"$tmp/c.json"
fails 'links that do not widen' 1 'cluster: links: span:' sapp-est -cluster "$tmp/c.json" /dev/null
jq -c '.efficiency.matmul = 1.5' "$top/share/clusters/h100.json" >"$tmp/c.json"
fails 'more than all' 1 'efficiency: matmul: more than all' sapp-est -cluster "$tmp/c.json" /dev/null
echo "$net" >"$tmp/net"
fails 'imbalance below 1' 2 '-imbalance: not between' sapp-est -imbalance 0.5 "$tmp/net"
fails 'a space without devices' 2 '-n: the number of devices is missing' sapp-est -space -gb 8 "$tmp/net"
fails 'options of no space' 2 'options of a space go with -space' sapp-est -n 8 "$tmp/net"
fails 'devices 0' 2 '-n: not between' sapp-enum -n 0 -gb 8 "$tmp/net"
fails 'devices -8' 2 '-n: not between' sapp-enum -n -8 -gb 8 "$tmp/net"
fails 'half a device' 2 '-n: not a whole number' sapp-enum -n 8.5 -gb 8 "$tmp/net"
fails 'no batch' 2 '-gb' sapp-enum -n 8 "$tmp/net"
fails 'a range backwards' 2 'range runs backwards' sapp-enum -n 8 -gb 8 -pp 4-2 "$tmp/net"
fails 'a space that the rules leave nothing of' 3 '0 legal' sapp-enum -n 3 -gb 8 -tp 3 "$tmp/net"
echo "$net" | jq -c '.layers = 100 | .hidden_size = 16384 | .num_heads = 128 | .ffn_size = 65536' >"$tmp/large"
fails 'what fits nowhere says what is lacking' 3 'the nearest, ' sapp-est -space -n 4 -gb 8 -cluster a100-40gb \
	"$tmp/large"
check 'and where, and what would help' grep -qE 'needs [0-9,]+ MB more on stage [0-9]+: ' "$tmp/err"
jq -nc '{ kind: "candidate", dp: 1, tp: 1, pp: 2, vp: 51, micro_batches: 4 }' | cat "$tmp/large" - >"$tmp/empty"
fails 'pieces without layers, which no plan has' 1 \
	"empty:2: pp 2 times vp 51 are more pieces than the network has layers: 100 '102'" \
	sapp-est -cluster a100-40gb "$tmp/empty"
jq -nc '{ kind: "candidate", dp: 1, tp: 1, pp: 2, vp: 50, micro_batches: 4 }' | cat "$tmp/large" - >"$tmp/full"
check 'one layer in each is enough' run 0 sapp-est -cluster a100-40gb "$tmp/full"
# What a space is asked for.
check 'a mixture of experts' sh -c 'sapp-model "$0" >"$1" 2>"$2"' "$top/examples/moe-64/config.json" "$tmp/moe" \
	"$tmp/err"
enum() { sapp-enum -n 16 -gb 8 -tp 2 -pp 1 -ep 2 -mbs 1 -zero 1 "$@" "$tmp/moe" 2>"$tmp/err"; }
degrees() { member=$1; shift; enum "$@" | jq -r "select(.kind == \"candidate\").$member" | sort -n | xargs; }
same 'etp as tp, and numbers' '1 2' "$(degrees etp -etp tp,1 -cp 1)"
same 'etp as tp alone' 2 "$(degrees etp -etp tp -cp 1)"
same 'numbers alone' 1 "$(degrees etp -etp 1 -cp 1)"
same 'no more of cp than' '1 2' "$(degrees cp -etp 1 -cp-max 2)"
fails 'etp that is neither' 2 '-etp: ' sapp-enum -n 16 -gb 8 -etp tp,x "$tmp/moe"
for zero in 4 one 1.5; do
	fails "zero $zero" 2 '-zero: not 0 to 3' sapp-enum -n 16 -gb 8 -zero "$zero" "$tmp/moe"
done
fails 'cp-max 0' 2 '-cp-max: not between' sapp-enum -n 16 -gb 8 -cp-max 0 "$tmp/moe"
done_testing
