#!/bin/sh
# The chosen runs for candidates, and for published tables.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
tables=$top/share/runs
dense='"kind":"network","name":"n","layers":8,"hidden_size":2048,"num_heads":16,"kv_heads":8,"head_dim":128,'\
'"ffn_size":6144,"vocab_size":32000,"seq_length":4096,"gated":true,"tied":false'
echo "{$dense}" >net
echo "{$dense,\"experts\":32,\"experts_per_token\":4,\"expert_ffn_size\":1408}" >moe
# c DP TP CP PP EP MBS MORE: a candidate.
c() {
	printf '{"kind":"candidate","dp":%s,"tp":%s,"cp":%s,"pp":%s,"ep":%s,"mbs":%s,"micro_batches":8%s}\n' \
		"$1" "$2" "$3" "$4" "$5" "$6" "${7-}"
}
shrink() { sapp-shrink -j -cluster atlas-800t-a2 "$@" 2>err; }
# degrees FILE: print the degrees of its runs, sorted.
degrees() { jq -r '[.purpose, .dp, .tp, .cp // 1, .pp, .ep // 1, .mbs, .recompute] | join(" ")' "$1" | sort; }

{ cat net; c 4 4 1 4 1 2 ',"recompute":"none"'; } >one
shrink one >out
same 'its shapes on a node' 'anchor 2 4 1 1 1 2 none' "$(degrees out)"
same 'two layers' '[2,4096,8,4]' "$(jq -c '[.layers, .seq_length, .devices, .micro_batches]' out)"
same 'what it is for' '["times TP4_MBS2_SEQ4096","memory TP4_MBS2_SEQ4096","ring of 4"]' \
	"$(jq -c .tells out)"
check 'what it cannot say is told' grep -q 'rings of 4 between\|no run measures' err
{ cat net; c 4 4 1 4 1 2; } | shrink >out
same 'twice where it may recompute' 2 "$(wc -l <out)"
same 'once of each' 'full none' "$(jq -r .recompute out | sort | xargs)"

# Other candidates of its regime: the minimum number of runs that distinguish their factors.
{ cat net; c 2 4 1 2 1 2 ',"recompute":"none"'; } >stages
shrink -nodes 2 stages >out
same 'messages between nodes, and its ring' 'anchor 2 4 1 1 1 2 none
traffic 4 2 1 2 1 2 none' "$(degrees out)"
{ cat net; for tp in 2 4 8; do for mbs in 1 2 4; do c 4 $tp 1 1 1 $mbs ',"recompute":"none"'; done; done; } >many
shrink -k 1 -v many >out
same 'two runs for tp and micro-batch' 2 "$(wc -l <out)"
same 'which say so' '["mbs","tp"]' "$(jq -sc 'map(.tells[] | select(. == "mbs" or . == "tp")) | unique' out)"
check 'and their margin' grep -q 'tp above 1, cp 1, ep 1: margin of the design 0.[2-9]' err
shrink -k 9 many >out
same 'nine that are all to be met need none besides' 9 "$(wc -l <out)"
shrink -k 1 many >all
jq -c 'select(.tells | index("tp"))' all >made
jq -c '{kind: "kernel", run: .name, stage: 0, part: "body", phase: "forward", order: 0, type: "MatMul", calls: 1,
	time: 1}' made >kernels
cat kernels >>made
shrink -k 1 -known made many >out
same 'what was made is not made again' 0 "$(jq -s --slurpfile m made 'map(.name) - (map(.name) - ($m | map(.name))) |
	length' out)"
check 'others still are' test -s out
echo '{"kind":"coverage","name":"DP4_TP2_PP1_EP1_MBS1","operators":{"measured":1},"time":{"measured":0.9}}' >covered
shrink -k 1 -known covered many >out
same 'nor what a knowledge base has' 0 "$(jq -s 'map(.tells[] | select(test("times"))) | length' out)"

# Larger than a node: every shape on a device is unchanged.
{ cat moe; c 32 2 1 1 32 1 ',"recompute":"none"'; } | shrink >out
same 'experts halved with ep' '[8,8,2,4]' "$(jq -c '[.experts, .ep, .tp, .dp]' out | head -1)"
{ cat net; c 1 2 16 1 1 1 ',"recompute":"none"'; } | shrink >out
same 'the sequence with cp' '[4,1024]' "$(jq -c '[.cp, .seq_length]' out | head -1)"
{ cat net; c 1 8 1 1 1 1 ',"recompute":"none","sp":false'; } | shrink -n 4 >out
same 'heads with tp, where norms do not go by it' '[4,8,4,3072,16000]' \
	"$(jq -c '[.tp, .num_heads, .kv_heads, .ffn_size, .vocab_size]' out | head -1)"
{ cat net; c 1 8 1 1 1 1; } >wide
fails 'with sequence parallel they do' 3 'tp 8, cp 1, ep 1 on 4 devices: at least 8 are needed:' \
	sapp-shrink -j -cluster atlas-800t-a2 -n 4 wide
check 'why' grep -q 'with sequence parallelism tp divides the rows of norms' "$tmp/err"
{ cat net; c 2 2 2 1 1 1; } >two
fails 'no degree becomes 1' 3 'tp 2, cp 2, ep 1 on 2 devices: at least 4' \
	sapp-shrink -j -cluster atlas-800t-a2 -n 2 two
{ cat net; c 16 4 1 1 1 1; } >far
shrink -nodes 2 far >out
same 'between nodes a run on two' 16 "$(jq 'select(.tells | index("ring between nodes")) | .devices' out)"
shrink far >out
check 'which one node has not' grep -q 'no run measures rings between nodes: a run on two nodes would (-nodes 2)' err

echo '{"kind":"row","name":"base","purpose":"lever","base":true}' >base
shrink -k 1 -table base many >out
check 'of a table that has too few, what stays untold' grep -q \
	'cp 1, ep 1: no run determines how sizes depend on mbs' err

# Published tables: MindSpeed Auto Tuning on 16 devices, and Taylor on 64 of 1024.
echo "{$dense}" | sed 's/4096/8192/' >long
c 1 8 1 2 1 1 >any
cat long any | shrink -n 16 -table "$tables/mindspeed-1.jsonl" >out
same 'of its first version' 'anchor 2 8 1 1 1 1 full
anchor 4 4 1 1 1 1 full
anchor 4 4 1 1 1 1 full
lever 1 4 4 1 1 1 full
lever 2 4 1 2 1 1 full
lever 2 4 2 1 1 1 full
lever 2 8 1 1 1 1 full
static 16 1 1 1 1 1 none
static 2 2 1 4 1 1 none
static 4 1 1 4 1 1 none
traffic 1 8 2 1 1 1 full' "$(degrees out)"
same 'one layer a stage' '[1]' "$(jq -sc 'map(.layers / .pp) | unique' out)"
same 'as many micro-batches as stages' true "$(jq -s 'all(.[]; .micro_batches == .pp)' out)"
sed 's/4096,"gated/8192,"gated/' moe | cat - any | shrink -n 16 -table "$tables/mindspeed-1.jsonl" >out
same 'with experts' 'anchor 2 8 1 1 1 1 full
anchor 4 4 1 1 1 1 full
anchor 4 4 1 1 4 1 full
lever 1 4 4 1 4 1 full
lever 2 4 1 2 1 1 full
lever 2 4 1 2 2 1 full
lever 2 4 2 1 2 1 full
lever 2 8 1 1 2 1 full
lever 4 4 1 1 1 1 full
static 16 1 1 1 1 1 none
static 2 2 1 4 1 1 none
static 4 1 1 4 1 1 none
static 4 1 1 4 1 1 none
traffic 1 8 2 1 2 1 full' "$(degrees out)"
cat long any | shrink -n 16 -table "$tables/mindspeed-2.jsonl" >out
same 'the second needs more than 2048 tokens a device' 0 "$(jq 'select(.cp == 4)' out | wc -l)"
same 'and dumps two models' 'static 1 4 1 4 1 1 none static 2 8 1 1 1 1 none' \
	"$(degrees out | grep static | xargs)"
same 'of a short sequence no less than 8192' '[8192,4096]' \
	"$(cat net any | shrink -n 16 -table "$tables/mindspeed-2.jsonl" |
	jq -sc 'map(.seq_length) | unique | reverse')"

{ sed 's/"layers":8/"layers":61,"mtp_layers":1/; s/"num_heads":16,"kv_heads":8/"num_heads":128,"kv_heads":128/
	s/}$/,"experts":256,"experts_per_token":8,"expert_ffn_size":512,"dense_layers":3}/' net
for x in '16 8 1 8 32' '64 4 1 4 64' '32 8 1 4 32' '8 8 1 16 16' '4 8 1 32 8' '4 8 1 32 32'; do
	# shellcheck disable=SC2086 # several words
	c $x 1
done; } >published
shrink -n 64 -memory 900GB -table "$tables/taylor.jsonl" published >out
same 'Taylor: two stages, then replicas, the same once; what its devices have no room for is left out' \
	'anchor 4 8 1 2 16 1 none
anchor 4 8 1 2 32 1 none
anchor 4 8 1 2 8 1 none' "$(degrees out | grep anchor)"
same 'layers besides one that predicts' '[10]' "$(jq -sc 'map(select(.purpose == "anchor").layers) | unique' out)"
same 'memory: ep 8 and 16 of all degrees, on all devices' '[10,[8,16],[1024]]' \
	"$(jq -sc 'map(select(.purpose == "static")) | [length, (map(.ep) | unique), (map(.devices) | unique)]' out)"

sapp-est -cluster atlas-800t-a2 published | jq -c 'if .kind == "estimate" then .fits = true else . end' >estimated
shrink -n 64 -memory 900GB -table "$tables/taylor.jsonl" estimated >again
same 'estimates ask for runs of the same degrees as their candidates' "$(degrees out | cut -d' ' -f1-6)" \
	"$(degrees again | cut -d' ' -f1-6)"

# Messages.
fails 'no candidate' 1 'no candidate that fits' sapp-shrink -j -cluster h100 net
fails 'no network' 1 'no network record' sapp-shrink -j -cluster h100 any
fails 'no cluster' 1 'no cluster record' sapp-shrink -j one
fails 'one device' 2 '-n: not between 2 and' sapp-shrink -n 1 one
fails 'no table' 1 'nowhere' sapp-shrink -j -cluster h100 -table nowhere one
echo '{"kind":"row","name":"odd","purpose":"lever","always":true,"tp":"3"}' >table
fails 'degrees that do not divide' 1 "table:1: row 'odd': tp 3, cp 1 and pp 1 do not divide 8 devices" \
	sapp-shrink -j -cluster atlas-800t-a2 -table table one
echo '{"kind":"row","name":"odd","purpose":"lever","always":true,"ep":"16"}' >table
{ cat moe any; } >experts
fails 'ep does not' 1 "row 'odd': ep 16 does not divide" sapp-shrink -j -cluster atlas-800t-a2 -table table experts
for word in many x0 x y2 2.5 -1 ''; do
	echo "{\"kind\":\"row\",\"name\":\"odd\",\"purpose\":\"lever\",\"always\":true,\"tp\":\"$word\"}" >table
	fails "a number '$word'" 1 "row 'odd': tp: not a number, base, x2, /2 or n/2 '$word'" \
		sapp-shrink -j -cluster atlas-800t-a2 -table table one
done
echo '{"kind":"row","name":"odd","purpose":"lever","always":true,"mbs":"/2"}' >table
fails 'half of 1' 1 "row 'odd': mbs: '/2' of 1 is not a whole number of at least 1" \
	sapp-shrink -j -cluster atlas-800t-a2 -table table one
echo '{"kind":"row","name":"odd","purpose":"lever","tq":"2"}' >table
fails 'an unknown member' 1 "table:1: row: tq: unknown member" sapp-shrink -j -cluster h100 -table table one
echo '{"kind":"row","name":"odd","purpose":"fun"}' >table
fails 'an unknown purpose' 1 "purpose" sapp-shrink -j -cluster h100 -table table one
: >table
fails 'an empty table' 1 'no row of runs in it' sapp-shrink -j -cluster h100 -table table one
fails 'no memory' 3 'MB more on stage 0' sapp-shrink -j -cluster atlas-800t-a2 -memory 1000 one
fails 'k 0' 2 '-k' sapp-shrink -k 0 one
fails 'a share above 1' 2 '-least' sapp-shrink -least 2 one
check 'a table for people' run 0 sapp-shrink -H -cluster atlas-800t-a2 one
check 'with what all cost' grep -q '^1 runs, 0.[0-9]* device hours' "$tmp/out"

# Missing runs.
shrink -k 9 many >runs
mkdir small
same 'all of them' 9 "$(sapp-shrink -missing small runs | wc -l)"
first=$(head -1 runs | jq -r .dir)
mkdir -p "small/$first/rank_0"
printf 'a,b\n1,2' >"small/$first/rank_0/kernel_details.csv"
same 'a table that was cut is none' 9 "$(sapp-shrink -missing small runs | wc -l)"
printf '\n' >>"small/$first/rank_0/kernel_details.csv"
same 'a whole one is' 8 "$(sapp-shrink -missing small runs | wc -l)"
head -1 runs | sed 's/"pp":1/"pp":2/' >stages
same 'one rank of two stages is not' 1 "$(sapp-shrink -missing small stages | wc -l)"
mkdir "small/$first/rank_4"
echo '[{"ph":"X"}]' >"small/$first/rank_4/trace_view.json"
same 'a timeline of the other completes it' 0 "$(sapp-shrink -missing small stages | wc -l)"
echo '[{"ph":"X"},' >"small/$first/rank_4/trace_view.json"
same 'not one that was cut' 1 "$(sapp-shrink -missing small stages | wc -l)"
head -1 runs | sed 's/"anchor"/"static"/' >static
same 'a static run needs a log' 1 "$(sapp-shrink -missing small static | wc -l)"
echo x >"small/$first/run.log"
same 'and no more' 0 "$(sapp-shrink -missing small static | wc -l)"
jq -c '.dir = "a/../../b"' runs | head -1 >up
fails 'another directory' 1 "run: dir: not below the directory of the runs 'a/../../b'" sapp-shrink -missing small up
fails 'no run' 1 'no run record' sapp-shrink -missing small net
done_testing
