#!/bin/sh
# Invalid networks, clusters and candidates; and networks that fit on no cluster.
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
bad 'layers without end' 'network: layers: above 100000' "$(echo "$net" | jq -c '.layers = 2000000000')" "$can"
bad 'experts without a size' "missing member 'expert_ffn_size'" \
	"$(echo "$net" | jq -c '.experts = 8 | .experts_per_token = 2')" "$can"
bad 'more experts a token than experts' 'experts_per_token: above the 8 experts' \
	"$(echo "$net" | jq -c '.experts = 8 | .experts_per_token = 9 | .expert_ffn_size = 4096')" "$can"
bad 'heads of keys that divide nothing' 'kv_heads: does not divide' "$(echo "$net" | jq -c '.kv_heads = 3')" "$can"
classes() { echo "$net" | jq -c ".layers = 1 | .pattern = [\"a\"] | .classes = [{ name: \"a\" } + { $1 }]"; }
bad 'more heads of a class than it is wide' 'hidden_size: 1024 is not a multiple of num_heads' \
	"$(classes 'num_heads: 2000')" "$can"
bad 'windows of more than all of a class' "window_share: above 1, all layers '5'" \
	"$(classes 'window: 8, window_share: 5')" "$can"
bad 'products that are none' "up: expected COLUMNS,DEPTH '1,2,3'" "$(echo "$net" | jq -c '.up = [[1, 2, 3]]')" "$can"
bad 'half a latent attention' "missing member 'v_head_dim'" \
	"$(echo "$net" | jq -c '.kv_lora_rank = 64 | .qk_head_dim = 32 | .rope_head_dim = 16')" "$can"
bad 'no truth' 'network: gated: neither true nor false' "$(echo "$net" | jq -c '.gated = 1')" "$can"
bad 'an unknown member' "network: heads: unknown member" "$(echo "$net" | jq -c '.heads = 1')" "$can"
bad 'no network' 'no network record' "$can"
bad 'stages that are none' 'candidate: pp: not positive' "$net" "$(echo "$can" | jq -c '.pp = 0')"
bad 'a billion devices' 'more than' "$net" "$(echo "$can" | jq -c '.dp = 1000000000')"
bad 'zero 4' 'candidate: zero: above 3' "$net" "$(echo "$can" | jq -c '.zero = 4')"
bad 'shards of what is not there' 'candidate: shard: does not divide' "$net" "$(echo "$can" | jq -c '.shard = 3')"
bad 'a schedule without its chunks' \
	"candidate: schedule 'interleaved' needs more than one chunk a stage, not 1" \
	"$net" "$(echo "$can" | jq -c '.schedule = "interleaved"')"
bad 'a schedule that is none' 'candidate: schedule: not one of' "$net" "$(echo "$can" | jq -c '.schedule = "zigzag"')"
bad 'experts on more devices than there are' 'candidate: ep:' "$net" "$(echo "$can" | jq -c '.ep = 64')"

# Invalid settings of a candidate.
with() { echo "$can" | jq -c "$1"; }
moe() { echo "$net" | jq -c ".experts = 8 | .experts_per_token = 2 | .expert_ffn_size = 512 | $1"; }
while IFS='|' read -r member value; do
	check "$member $value" sh -c 'printf "%s\n" "$1" "$2" | sapp-est -cluster h100-2026 |
		jq -e "select(.kind == \"estimate\").$3 == $4"' sh "$(moe .)" \
		"$(with ".graph = \"part\" | .$member = $value")" "$member" "$value"
done <<'EOF'
recompute|["layernorm","moe_act"]
recompute|[]
recompute|"select"
dispatcher|"flex"
ep_overlap|true
graph|"part"
graph_scope|["attn","moe_preprocess"]
stage_layers|[5,3]
attention8|true
store|1.03125
EOF
bad 'a module that is none' "candidate: recompute: not one of core_attn" "$net" "$(with '.recompute = ["attn"]')"
bad 'a module twice' "candidate: recompute: twice '\"mlp\"'" "$net" "$(with '.recompute = ["mlp", "mlp"]')"
bad 'a module that is no name' 'candidate: recompute: not a string' "$net" "$(with '.recompute = [1]')"
bad 'modules by number' 'candidate: recompute: not a string' "$net" "$(with '.recompute = 3')"
bad 'a dispatcher that is none' 'candidate: dispatcher: not one of alltoall flex' "$net" "$(with '.dispatcher = "x"')"
bad 'overlap that is none' 'candidate: ep_overlap: neither' "$net" "$(with '.ep_overlap = "yes"')"
bad 'a graph that is none' 'candidate: graph: not one of' "$net" "$(with '.graph = "local"')"
bad 'a scope that is no list' 'candidate: graph_scope: not a list' "$net" \
	"$(with '.graph = "part" | .graph_scope = "attn"')"
bad 'a scope of no graph' "candidate: graph_scope: only with graph part, not 'none'" "$net" \
	"$(with '.graph_scope = ["attn"]')"
bad 'stages too few' 'candidate: stage_layers: expected one number for each of 2 stages' "$net" \
	"$(with '.stage_layers = [8]')"
bad 'stages of chunks' 'candidate: stage_layers' "$net" "$(with '.stage_layers = [[2, 2], [2, 2]]')"
bad 'layers too few' "candidate: stage_layers: the sum is not the network's 8 layers '7'" "$net" \
	"$(with '.stage_layers = [4, 3]')"
bad 'layers too many' "candidate: stage_layers: the sum is not the network's 8 layers" "$net" \
	"$(with '.stage_layers = [2147483647, 2147483647]')"
bad 'layers below nothing' 'candidate: stage_layers: negative' "$net" "$(with '.stage_layers = [9, -1]')"
bad 'numbers of no bytes' 'candidate: store: not positive' "$net" "$(with '.store = 0')"
bad 'numbers of many bytes' 'candidate: store: above 4' "$net" "$(with '.store = 8')"
bad 'a window in more than all layers' 'network: window_share: above 1' "$(moe '.window_share = 2')" "$can"
bad 'a window below nothing' 'network: window: negative' "$(moe '.window = -1')" "$can"
bad 'no whole nodes' 'network: node_limit: not a whole number' "$(moe '.node_limit = 1.5')" "$can"
while IFS='|' read -r change message; do
	jq -c "$change" "$top/share/clusters/h100.json" >"$tmp/c.json"
	fails "$change" 1 "$message" sapp-est -cluster "$tmp/c.json" /dev/null
done <<'EOF'
.dispatch.flex = [0.5]|cluster: dispatch: flex: expected two fractions
.dispatch.alltoall = [0.5, 0.5, 0.5]|cluster: dispatch: alltoall: expected two fractions
.dispatch.flex = [0.5, 1.5]|cluster: dispatch: flex: a fraction above 1 '1.5'
.dispatch.flex = [0, 1]|cluster: dispatch: flex: not positive
.dispatch.ring = [1, 1]|cluster: dispatch: ring: unknown member
.host.sync = -1|cluster: host: sync: negative
.host = 3|cluster: host: not an object
.exp_width = "wide"|cluster: exp_width: not a number
.efficiency.grouped = 1.1|efficiency: grouped: a fraction above 1
.efficiency.fused = 2|efficiency: fused: a fraction above 1
.efficiency.permute = -4|efficiency: permute: negative
EOF
fails 'no cluster' 1 'no cluster record' sh -c 'printf "%s\n" "$1" "$2" | sapp-est' sh "$net" "$can"
fails 'another device' 1 "not a file or a listed cluster 'h20'; listed:" sapp-est -cluster h20 /dev/null
fails 'a cluster that is not known' 1 "not a file or a listed cluster 'x'; listed: a100-40gb" sapp-est -cluster \
	x /dev/null
jq -c '.links = []' "$top/share/clusters/h100.json" >"$tmp/c.json"
fails 'nothing at all' 1 'no records: a network' sapp-est /dev/null
fails 'a cluster without links' 1 'cluster: links: empty list' sapp-est -cluster "$tmp/c.json" /dev/null
jq -c '.links |= reverse' "$top/share/clusters/h100.json" >"$tmp/c.json"
fails 'links that do not widen' 1 'cluster: links: span:' sapp-est -cluster "$tmp/c.json" /dev/null
jq -c '.efficiency.matmul = 1.5' "$top/share/clusters/h100.json" >"$tmp/c.json"
fails 'more than all' 1 'efficiency: matmul: a fraction above 1' sapp-est -cluster "$tmp/c.json" /dev/null
echo "$net" >"$tmp/net"
fails 'imbalance below 1' 2 '-imbalance: not between' sapp-est -imbalance 0.5 "$tmp/net"
fails 'a space without devices' 2 '-n is missing: the number of devices' sapp-est -space -gb 8 "$tmp/net"
fails 'options of no space' 2 'options of a space, such as -n and -dp, need -space' sapp-est -n 8 "$tmp/net"
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
jq -nc '{ kind: "candidate", dp: 1, tp: 1, pp: 2, vp: 52, micro_batches: 4 }' | cat "$tmp/large" - >"$tmp/empty"
fails 'pieces without layers, which no plan has' 1 \
	"empty:2: candidate: pp 2 times vp 52 exceed the network's layers, embedding and loss, 102 '104'" \
	sapp-est -cluster a100-40gb "$tmp/empty"
jq -nc '{ kind: "candidate", dp: 1, tp: 1, pp: 2, vp: 50, micro_batches: 4 }' | cat "$tmp/large" - >"$tmp/full"
check 'one layer in each is enough' run 0 sapp-est -cluster a100-40gb "$tmp/full"
# Invalid questions about a space.
check 'a mixture of experts' sh -c 'sapp-model "$0" >"$1" 2>"$2"' "$top/examples/moe-64/config.json" "$tmp/moe" \
	"$tmp/err"
enum() { sapp-enum -n 16 -gb 8 -tp 2 -pp 1 -ep 2 -mbs 1 -zero 1 "$@" "$tmp/moe" 2>"$tmp/err"; }
degrees() { member=$1; shift; enum "$@" | jq -r "select(.kind == \"candidate\").$member" | sort -n | xargs; }
same 'etp as tp, and numbers' '1 2' "$(degrees etp -etp tp,1 -cp 1)"
same 'etp as tp alone' 2 "$(degrees etp -etp tp -cp 1)"
same 'numbers alone' 1 "$(degrees etp -etp 1 -cp 1)"
same 'no more of cp than' '1 2' "$(degrees cp -etp 1 -cp 1-2)"
same 'no more of tp than a node has' '1 2 4 8' "$(sapp-enum -n 16 -gb 16 -pp 1 -mbs 1 -ep 1 -cp 1 -cluster a100-80gb \
	"$tmp/moe" 2>"$tmp/err" | jq 'select(.kind == "candidate").tp' | sort -nu | xargs)"
same 'but where it is asked for' 16 "$(sapp-enum -n 16 -gb 16 -tp 16 -pp 1 -mbs 1 -ep 1 -cp 1 -cluster a100-80gb \
	"$tmp/moe" 2>"$tmp/err" | jq 'select(.kind == "candidate").tp' | sort -nu | xargs)"
fails 'etp that is neither' 2 '-etp: ' sapp-enum -n 16 -gb 8 -etp tp,x "$tmp/moe"
for zero in 4 one 1.5; do
	fails "zero $zero" 2 '-zero: not 0 to 3' sapp-enum -n 16 -gb 8 -zero "$zero" "$tmp/moe"
done
fails 'cp 0' 2 '-cp: ' sapp-enum -n 16 -gb 8 -cp 0 "$tmp/moe"
done_testing
