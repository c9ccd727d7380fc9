#!/bin/sh
# Fused operators get their gain from runs; without such runs no gain is estimated.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
make=$top/examples/make-runs
echo '{"kind":"network","name":"n","layers":8,"hidden_size":2048,"num_heads":16,"kv_heads":8,"head_dim":128,'\
'"ffn_size":6144,"vocab_size":32000,"seq_length":4096,"gated":true,"tied":false}' >net
jq -c '. + { experts: 8, experts_per_token: 2, expert_ffn_size: 2048 }' net >moe
can='{"kind":"candidate","dp":4,"tp":2,"pp":1,"mbs":1,"micro_batches":8,"recompute":"none"}'
with() { echo "$can" | jq -c "$1"; }
run() { with ".kind = \"run\" | .name = \"r\" | .micro_batches = 4 | .layers = 2 | $1"; }
est() { printf '%s\n' "$@" | cat "${net:-net}" - | sapp-est -cluster atlas-800t-a2 2>err; }
bad() { fails "$1" 1 "$2" sh -c 'printf "%s\n" "$2" "$3" | cat "$1" - | sapp-est -cluster atlas-800t-a2' sh \
	"$3" "$4" "$5"; }
step() { jq 'select(.kind == "estimate").step_time'; }
mc2=$(with '.fused = ["mc2"]')

bad 'no run at all' \
	"no run shows what mc2 saves; a run of this configuration with 2 layers of 4096 tokens would 'DP4_TP2_PP1_EP1" \
	net "$mc2" ''
bad 'a run without' 'no run shows what mc2 saves; a run of this configuration with' net "$(run '.step_time = 100')" \
	"$mc2"
bad 'a run of another program' 'no run shows what mc2 saves; a run of this configuration with' net \
	"$(run '.step_time = 100 | .fused = ["mc2"] | .cp = 2 | .dp = 2')" "$mc2"
bad 'without tp' 'mc2 needs tp and sp, and layers without experts: tp 1' net "$(with '.tp = 1 | .fused = ["mc2"]')" ''
bad 'without sp' 'mc2 needs tp and sp, and layers without experts: tp 2' net \
	"$(with '.sp = false | .fused = ["mc2"]')" ''
bad 'with experts' 'mc2 needs tp and sp, and layers without experts: tp 2, sp, experts' moe "$mc2" ''
bad 'tokens without experts' 'permute needs experts that tokens reach by an all-to-all: no experts' net \
	"$(with '.fused = ["permute"]')" ''
bad 'tokens of the dispatcher flex' 'permute needs experts that tokens reach by an all-to-all: dispatcher flex' moe \
	"$(with '.fused = ["permute"] | .ep = 4 | .dispatcher = "flex"')" ''
bad 'what is no fusion' 'candidate: fused: ' net "$(with '.fused = ["mc3"]')" ''
bad 'no list' 'candidate: fused: ' net "$(with '.fused = true')" ''

apart=$(run '.step_time = 120'); fused=$(run '.step_time = 100 | .name = "f" | .fused = ["mc2"]')
est "$apart" "$fused" "$can" "$mc2" >out
check 'each by its own runs' jq -es 'map(select(.kind == "estimate").step_time) | .[0] / .[1] | . > 1.1 and . < 1.3' out
same 'and it says so' '[null,"measured"] [["mc2"],"measured"]' \
	"$(jq -c 'select(.kind == "estimate") | [.fused, .source.layers]' out | xargs -0 | tr '\n' ' ' | sed 's/ *$//')"
same 'a run that has it tells nothing of one that has not' "$(est "$apart" "$can" | step)" \
	"$(jq 'select(.kind == "estimate").step_time' out | head -1)"
# A candidate without "fused" has no fused operators. If all runs have some, one warning says so, unless "fused" is
# empty or a run has none.
missed='no fused, but the runs of such layers have mc2: these runs are ignored'
est "$fused" "$can" "$can" >out
same 'unsaid beside runs that have it' '["computed","computed"] 1' "$(jq -sc 'map(select(.kind == "estimate") |
	.source.layers)' out) $(grep -c "$missed" err)"
est "$fused" "$(with '.fused = []')" "$(with '.tp = 1')" "$(with '.sp = false')" >out
same 'not where none is said, nor where none can be' '' "$(cat err)"
est "$apart" "$fused" "$can" >out
same 'nor where a run has none' '' "$(cat err)"
{ cat net; echo "$fused"; } | sapp-est -space -n 8 -gb 64 -tp 2 -pp 1 -cluster atlas-800t-a2 2>err >out
same 'of a space, too' 1 "$(grep -c "$missed" err)"
{ cat net; echo "$fused"; } | sapp-est -space -n 8 -gb 64 -tp 2 -pp 1 -fused none -cluster atlas-800t-a2 2>err >out
same 'which may say so' 0 "$(grep -c "$missed" err)"
net=moe
est "$(run '.step_time = 90 | .ep = 4 | .fused = ["permute"]')" "$(with '.fused = ["permute"] | .ep = 4')" >out
same 'tokens that are permuted' '["permute"] measured' "$(jq -r 'select(.kind == "estimate") |
	"\(.fused | tojson) \(.source.layers)"' out)"
net=net

# Fused operators of the current run do not make a candidate an error; candidates that cannot have them do without.
today() { with '.name = "t" | .origin = "current" | .fused = ["mc2"] | .zero = 0'; }
apart=$(est "$can" | step)
est "$(today)" "$mc2" >out
same 'what today has, too, is estimated as if none had it' "$apart" "$(step <out | tail -1)"
check 'which is said' grep -q 'no run shows what mc2 saves: steps are estimated without' err
same 'once' 1 "$(grep -c 'no run shows' err)"
net=moe
bad 'but nothing else' 'no run shows what permute saves; a run of this configuration with' \
	moe "$(today | jq -c '.fused = ["permute"] |
	.origin = "other"')" ''
net=net
today | cat net - >running
kept() { sapp-enum -n 8 -gb 64 -pp 1 -cp 1 -mbs 1 "$@" running 2>err | jq -sc 'map(select(.kind == "candidate" and
	.origin != "current") | [.tp, .fused]) | unique'; }
same 'a space keeps it where it can be' '[[1,null],[2,["mc2"]]]' "$(kept -tp 1,2)"
same 'and asks where it is asked' '[[2,[]],[2,["mc2"]]]' "$(kept -tp 2 -fused none,mc2)"
check 'and is estimated' run 0 sapp-est -space -n 8 -gb 64 -pp 1 -cluster atlas-800t-a2 running

list() { sapp-enum -n 8 -gb 64 -pp 1 -cp 1 -mbs 1 "$@" 2>err | jq -sc 'map(select(.kind == "candidate") |
	[.tp, .fused]) | unique'; }
same 'both ways' '[[1,null],[2,null],[2,["mc2"]]]' "$(list -tp 1,2 -fused none,mc2 net)"
check 'with the rule' grep -q 'fused 1' err
same 'only where tokens are permuted' '[]' "$(list -tp 1 -fused permute net)"
fails 'a name that is none' 2 mc3 sapp-enum -n 8 -gb 64 -fused mc3 net
fails 'a space without a run' 1 'no run shows what mc2 saves; a run of this configuration with' \
	sapp-est -space -n 8 -gb 64 -tp 2 -pp 1 -fused mc2 -cluster atlas-800t-a2 net

# In a profile the kernels show fused operators, whatever their caller.
mkdir runs
run '.name = "two"' >list
"$make" net list runs >made
sed 's/"recompute"/"fused":["mc2"],"recompute"/' made >said
fails 'a run that was to have it' 1 "run: fused: 'two' has no kernel of mc2" sapp-trace -kernels -runs said runs/two
same 'nothing is said of others' null "$(sapp-trace -kernels -runs made runs/two 2>/dev/null |
	jq -c 'select(.kind == "run").fused')"
sed 's/MatMulV2/AllGatherMatmul/g; s/MatMulV3/AllGatherMatmul/g; s/MatMul,/AllGatherMatmul,/g' \
	runs/two/rank_0/kernel_details.csv >csv
cp csv runs/two/rank_0/kernel_details.csv
sapp-trace -kernels -runs made runs/two 2>err >measured
same 'products with collectives in them' '["mc2"]' "$(jq -c 'select(.kind == "run").fused' measured)"
sapp-fit -j measured >fit 2>err
{ cat net fit; echo "$mc2"; } | sapp-est -cluster atlas-800t-a2 2>err >out
same 'and the estimate is by them' measured "$(jq -r 'select(.kind == "estimate").source.layers' out)"
done_testing
