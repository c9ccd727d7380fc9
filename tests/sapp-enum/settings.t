#!/bin/sh
# Settings other than degrees are varied, estimated, planned and written.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
echo '{"kind":"network","name":"n","layers":16,"hidden_size":4096,"num_heads":32,"ffn_size":14336,"vocab_size":32000,'\
'"seq_length":4096,"experts":64,"experts_per_token":4,"expert_ffn_size":2048,"dense_layers":2}' >net
of() { sapp-enum -n 8 -gb 64 -tp 1 -cp 1 -mbs 1 "$@" 2>err | jq -c 'select(.kind == "candidate")' >out; }

of -pp 1 -ep 4 net
same 'nothing is said of what is not asked for, but how tokens reach experts' '"alltoall" null' \
	"$(jq -r '"\(.dispatcher | tojson) \(.graph // .recompute // .ep_overlap)"' out)"
of -pp 1 -ep 4 -dispatcher alltoall,flex -ep-overlap no,yes -graph none,part,full -modules none,moe_act+layernorm net
same 'all combinations' 24 "$(sort -u out | wc -l)"
same 'each as a record has it' '["layernorm","moe_act"] true part ["attn","moe_router","moe_preprocess"]' "$(jq -rc \
	'select(.dispatcher == "flex" and .ep_overlap and .recompute and .graph == "part") |
	"\(.recompute) \(.ep_overlap) \(.graph) \(.graph_scope)"' out)"
# Experts divided over two devices each: ep times etp is at most the number of devices of a stage.
check 'experts over several devices each' sh -c 'sapp-enum -n 64 -gb 256 -pp 2 -tp 2,4 -etp 2 -mbs 1 -cp 1 \
	-rules mindformers net 2>err | sapp-est -cluster h100 -j >out'
same 'are on as many as there are' '[2,4,8,16]' \
	"$(jq -sc 'map(select(.kind == "candidate" and .ep > 1).ep) | unique' out)"
of -pp 2 -vp 1,2 -ep 1,4 -dispatcher flex,alltoall -ep-overlap yes,no net
same 'overlap required by experts and chunks' '[[4,2]]' \
	"$(jq -sc 'map(select(.ep_overlap) | [.ep, .vp]) | unique' out)"
same 'the dispatcher flex with experts on several devices' '[4]' \
	"$(jq -sc 'map(select(.dispatcher == "flex") | .ep) | unique' out)"
check 'which rules say' grep -q 'ep-overlap 6, flex-ep 2' err
of -pp 1 -ep 4 -ep-overlap no,yes -modules moe,moe_act net
same 'nor with all of the experts recomputed' '[["moe",false],["moe_act",false],["moe_act",true]]' \
	"$(jq -sc 'map([.recompute[0], .ep_overlap]) | unique' out)"
{ cat net; echo '{"kind":"candidate","origin":"current","dp":8,"tp":1,"pp":1,"micro_batches":8,"dispatcher":"flex",'\
'"recompute":["moe_act"],"store":1.03125,"stage_layers":[16]}'; } >today
of -pp 1,2 -ep 4 today
same 'all run as the file that runs today' '[["flex",["moe_act"],1.03125,null]]' \
	"$(jq -sc '.[1:] | map([.dispatcher, .recompute, .store, .stage_layers]) | unique' out)"
of -pp 1 -ep 4 -dispatcher alltoall -modules none today
same 'but for what is asked for' '[["alltoall",null,1.03125]]' \
	"$(jq -sc '.[1:] | map([.dispatcher, .recompute, .store]) | unique' out)"
same 'in one process, too' 'flex moe_act' "$(sapp-est -space -n 8 -gb 64 -k 1 -cluster h100 today 2>/dev/null |
	jq -r 'select(.kind == "estimate") | "\(.dispatcher) \(.recompute[0])"')"
same 'the best is the least copied, overlapped and launched' 'flex true full' \
	"$(sapp-est -space -n 8 -gb 64 -k 1 -cluster h100 -ep 8 -dispatcher alltoall,flex -ep-overlap no,yes \
	-graph none,part,full net 2>/dev/null |
	jq -r 'select(.kind == "estimate") | "\(.dispatcher) \(.ep_overlap) \(.graph)"')"
same 'names differ' 24 "$(sapp-est -space -n 8 -gb 64 -k 100 -cluster h100 -tp 1 -cp 1 -mbs 1 -pp 1 -ep 8 \
	-alike 0 -dispatcher alltoall,flex -ep-overlap no,yes -graph none,part,full -modules none,moe_act net \
	2>/dev/null |
	jq -r 'select(.kind == "estimate").name' | sort -u | wc -l)"

{ cat net; echo '{"kind":"candidate","dp":8,"tp":1,"pp":1,"micro_batches":8}'; } >said
assumed() { sapp-est -cluster "$1" said | jq -r 'select(.kind == "estimate") |
	"\(.dispatcher) \(.ep_overlap) \(.graph)"'; }
same 'what is assumed is written where it matters' 'alltoall false none' "$(assumed h100)"
same 'and only there' 'null null null' "$(assumed a100-80gb)"

# Layers that predict further tokens count as layers of the last stage, as in the layouts that DeepSeek-V3 ran with.
echo '{"kind":"network","name":"v3","layers":61,"hidden_size":7168,"num_heads":128,"ffn_size":18432,'\
'"vocab_size":129280,"seq_length":4096,"vocab_multiple":128,"experts":256,"experts_per_token":8,'\
'"expert_ffn_size":2048,"shared_ffn_size":2048,"dense_layers":3,"q_lora_rank":1536,"kv_lora_rank":512,'\
'"qk_head_dim":128,"rope_head_dim":64,"v_head_dim":128,"mtp_layers":1}' >v3
sapp-enum -n 256 -gb 2048 -tp 1 -cp 1 -pp 2,4,8,16 -ep 16 -vp 1 -mbs 1 -dispatcher flex v3 2>err >asked
jq -c 'select(.name == "gb300-fp8-moe")' "$top/tests/data/search/clusters.jsonl" >narrow
sapp-est -parts -cluster ./narrow asked >out
same 'layers of the stages' '[32,29] [16,16,16,13] [8,8,8,8,8,8,8,5] [4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,1]' \
	"$(jq -c 'select(.kind == "estimate").split' out | xargs)"
same 'are even where they do not' '[31,30] [15,16,15,15]' "$(sed 's/"tail_even":true,//; s/,"tail_even":true//' asked |
	sapp-est -parts -cluster ./narrow | jq -c 'select(.kind == "estimate").split' | head -2 | xargs)"
same 'stages without layers' '61 true' "$(jq -c 'if .kind == "network" then .layers = 4
	else select(.pp == 2) end' asked |
	sapp-est -parts -cluster ./narrow 2>/dev/null | jq -sr 'map(select(.kind == "estimate").split)[0] |
	"\(57 + add) \(min >= 0)"')"

for bad in '-dispatcher deepep' '-ep-overlap true' '-graph local' '-modules moe_act+all' '-modules moe_act,' \
	'-dispatcher flex -rules mindformers' '-graph full -rules mindformers'; do
	# shellcheck disable=SC2086 # options are words
	fails "$bad" 2 "${bad%% *}" sapp-enum -n 8 -gb 64 $bad net
done

# Recomputation of modules is a kind, which is planned and written.
echo '{"kind":"candidate","dp":16,"tp":1,"pp":4,"ep":8,"micro_batches":16,"vp":2,'\
'"recompute":["moe_act","layernorm"]}' >can
sapp-est -layers -cluster h100 net can | jq -c 'if .kind == "pipeline" then .memory_limit = 28000
	elif .type == "BODY" then del(.memory_select_rec, .select_rec_time) else . end' >asked
same 'a kind by its modules' '{"kind":"kind","name":"layernorm+moe_act","recompute_modules":["layernorm","moe_act"]}' \
	"$(grep '"kind":"kind"' asked)"
same 'that keeps less' true "$(jq -s 'map(select(.type == "BODY")) | length == 2 and
	all(.kinds["layernorm+moe_act"].activation < .memory_activation and
	.kinds["layernorm+moe_act"].backward_time > .backward_time)' asked)"
check 'planned' run 0 sapp-lp -t 5 -target megatron -j asked
same 'with it' true "$(jq 'select(.kind == "plan").counts.moe2 | has("layernorm+moe_act")' out)"
cp out planned
check 'written' run 0 sapp-yaml -f megatron planned
check 'in its words' grep -q -e '--recompute-modules layernorm moe_act' out
sed 's/"pp":4/"pp":2/' can >others
sapp-est -layers -cluster h100 net can others >asked
check 'two questions have it each' run 0 sapp-lp -t 2 -target megatron -j asked
cp out planned
check 'and the stream is read as one' run 0 sapp-yaml -f megatron -plan "$(jq -r \
	'select(.kind == "plan").name' planned | head -1)" planned
done_testing
