#!/bin/sh
# Profiles, logs of dryruns and layer records: accepted forms, and refused ones.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
net='{"kind":"network","name":"n","layers":8,"hidden_size":1024,"num_heads":16,"ffn_size":4096,"vocab_size":32000,'\
'"seq_length":2048}'
mixed=$(echo "$net" | jq -c '.experts = 8 | .experts_per_token = 2 | .expert_ffn_size = 2048 | .dense_layers = 2')
can='{"kind":"candidate","dp":2,"tp":2,"pp":2,"micro_batches":8}'
echo "$net" >net
printf '%s\n' "$net" "$can" >in

# --- profiles
head=dp,tp,pp,dmratio,bfratio,re_grow_ration,hratio,moe_fw
row=2,2,2,0.5,2,0.2,0.5,4
profile() { printf "$1" >p.csv; }
bad_profile() { name=$1 message=$2; profile "$3"; fails "$name" 1 "$message" sapp-est -cluster h100 -profile p.csv in; }
taken() { sapp-est -cluster h100 -profile p.csv in | jq -c 'select(.kind == "estimate").times'; }
profile "$head\n$row\n"
want=$(taken)
profile '\357\273\277 dp,\ttp , pp,dmratio,bfratio,re_grow_ration,hratio,moe_fw\r\n\n \t'\
'\r\n2 , 2,\t2,0.5,2,0.2,0.5,4\r\n'
same 'blanks, returns, empty lines and a byte order mark mean nothing' "$want" "$(taken)"
profile "moe_bw,hratio,re_grow_ration,bfratio,dmratio,pp,tp,dp\n4,0.5,0.2,2,0.5,2,2,2\n"
same 'columns in another order, one by its other name' "$want" "$(taken)"
profile "$head,ep,cp,fsdp\n$row,1,1,2\n"
same 'degrees that the rest need not have' "$want" "$(taken)"
bad_profile 'a column nobody knows' "p.csv:1: not a column of a profile, or a duplicate column 'x'" "$head,x\n"
bad_profile 'a column twice' "not a column of a profile, or a duplicate column 'dp'" "$head,dp\n"
bad_profile 'a column under both names' "not a column of a profile, or a duplicate column 'fsdp'" "$head,op,fsdp\n"
for column in dp moe_fw bfratio; do
	bad_profile "no column $column" 'p.csv:1: a column is missing' \
		"$(echo "$head" | sed "s/$column,//; s/,$column\$//")\n"
done
bad_profile 'a cell less' "p.csv:2: 7 cells, but the first line has '8'" "$head\n2,2,2,0.5,2,0.2,0.5\n"
bad_profile 'a cell more' "p.csv:3: more cells than the first line has '9'" "$head\n$row\n$row,9\n"
for cell in x '' 4x nan inf -1; do
	bad_profile "a time of '$cell'" "p.csv:2: not a number '$cell'" "$head\n2,2,2,0.5,2,0.2,0.5,$cell\n"
done
bad_profile 'half a degree' "not a degree '2.5'" "$head\n2.5,2,2,0.5,2,0.2,0.5,4\n"
bad_profile 'no degree' "not a degree '0'" "$head\n2,0,2,0.5,2,0.2,0.5,4\n"
bad_profile 'a degree beyond all' "not a degree '20000000'" "$head\n2,2,20000000,0.5,2,0.2,0.5,4\n"
bad_profile 'a forward without time' "a layer without time '0'" "$head\n2,2,2,0.5,2,0.2,0.5,0\n"
bad_profile 'a backward without time' 'a layer without time' "$head\n2,2,2,0.5,0,0.2,0.5,4\n"
bad_profile 'only columns' 'no configuration in it' "$head\n"
bad_profile 'nothing' 'no configuration in it' ''

# --- logs of dryruns: the last peak of a file, the largest of a configuration
logs() { mkdir -p "logs/$1"; printf "$2" >"logs/$1/rank_0.log"; }
peaks() { sapp-est -cluster h100 -peaks logs -nd nd.csv net >out && cat nd.csv; }
bad_log() { name=$1 message=$2; rm -rf logs; logs DP2_TP2_PP2 "$3"; fails "$name" 1 "$message" peaks; }
key='Used peak memory usage (without fragments): '
rm -rf logs
logs DP2_TP2_PP2_a "${key}100M\n${key}200M\n"
logs DP2_TP2_PP2_b "${key}150M\n"
logs DP4_TP2_PP1 "${key}80M\n"
logs DP8_TP1_PP1 "no peak\n"
logs elsewhere "${key}1M\n"
logs DP1_TP1_PP8 "${key}900000M\n"
same 'the last of a log, the largest of a configuration, those that fit' 'dp,tp,pp,evaluate_mem
2,2,2,200
4,2,1,80' "$(peaks)"
rm -rf logs
logs DP2_TP2_PP2 "Actual peak memory usage (with fragments): 300M\n${key}200M\n"
same 'a peak with fragments wins over one without' 'dp,tp,pp,evaluate_mem
2,2,2,300' "$(peaks)"
bad_log 'a peak that is no number' "a peak that is not a number of MB ' none" "${key}none\n"
bad_log 'a peak in GB' "a peak that is not a number of MB ' 3G" "${key}3G\n"
bad_log 'a peak of nothing' "a peak that is not a number of MB ' 0M" "${key}0M\n"
bad_log 'logs without a peak' 'no log with a peak and a path that names a configuration' 'text\n'
fails 'no such directory' 1 'nowhere: cannot be read' sapp-est -cluster h100 -peaks nowhere net
if [ "$(id -u)" = 0 ]; then
	skip 'root may read everything'
else
	chmod 0 logs/DP2_TP2_PP2/rank_0.log
	fails 'a log that may not be read' 1 'rank_0.log: cannot be read' peaks
fi

# --- layer records: the kind of a layer, and its time and memory
body() { printf '{"kind":"layer","name":"%s","type":"BODY","nb_layer":%s%s}\n' "$@"; }
est() { { echo "$mixed"; body "$@"; echo "$can"; } | sapp-est -cluster h100; }
forward() { est "$@" | jq -c 'select(.kind == "estimate").times.forward'; }
for name in 'Moe 1' 'Expert 1' 'a 6'; do
	# shellcheck disable=SC2086 # two words
	same "a mixture by name or number: $name" "$(forward MoeLayer 6 ',"forward_time":50')" \
		"$(forward $name ',"forward_time":50')"
done
for name in 'Dense 1' 'a 2'; do
	# shellcheck disable=SC2086 # several words
	same "dense by name or number: $name" "$(forward DenseLayer 2 ',"forward_time":50')" \
		"$(forward $name ',"forward_time":50')"
done
check 'which are two kinds' test "$(forward Moe 6 ',"forward_time":50')" != "$(forward Dense 2 ',"forward_time":50')"
fails 'a layer that may be either' 1 \
	"layer: neither its name nor nb_layer 3 shows whether it is one of the 2 dense layers \
or of the 6 mixtures of experts 'Layer'" est Layer 3 ',"forward_time":50'
same 'time is the forward where there is no other' "$(forward Moe 6 ',"forward_time":50')" \
	"$(forward Moe 6 ',"time":50')"
backward() { est "$@" | jq -c 'select(.kind == "estimate").times.backward'; }
same 'a backward by the coefficient of none' "$(backward Moe 6 ',"forward_time":50,"backward_time":110')" \
	"$(backward Moe 6 ',"forward_time":50,"backward_coef":0.1')"

# --- the planner's question: additional parts of the last stage
# 18 bytes per parameter: output and norm; a layer that predicts further tokens, with its projection of 2 h h and three
# norms; with several stages also a copy of the embedding.
tail_memory() {
	{ echo "$net" | jq -c ".mtp_layers = $1"
		echo '{"kind":"candidate","dp":1,"tp":1,"pp":'"$2"',"micro_batches":8}'; } |
		sapp-est -cluster h100 -layers | jq 'select(.type == "TAIL").memory_parameter * 1048576 / 18'
}
output=$((32000 * 1024 + 1024))
further=$((4 * 1024 * 1024 + 3 * 1024 * 4096 + 2 * 1024 + 2 * 1024 * 1024 + 3 * 1024))
same 'the tail without further tokens' "$output" "$(tail_memory 0 2)"
same 'with a layer that predicts them' $((output + further)) "$(tail_memory 1 1)"
same 'with two, on a stage of its own' $((output + 2 * further + 32000 * 1024)) "$(tail_memory 2 2)"

# --- a published example of static memory, MB, with 5000 MB more: 2 bytes per weight, 4 per gradient, 12 per optimizer
# state, divided by zero 1; every device has the norms
net='{"kind":"network","name":"llama2-7b","layers":32,"hidden_size":4096,"num_heads":32,"ffn_size":11008,'\
'"vocab_size":32000,"seq_length":8192,"gated":true,"tied":false}'
while read -r tp pp dp zero want; do
	same "llama2-7b, tp $tp, pp $pp, dp $dp, zero $zero" "$want" "$({ echo "$net"; printf '{"kind":"candidate",'\
'"dp":%s,"tp":%s,"pp":%s,"zero":%s,"micro_batches":8}\n' "$dp" "$tp" "$pp" "$zero"; } |
		sapp-est -cluster atlas-800t-a2 -parts | jq -r 'select(.kind == "estimate") |
		.static[] / 1048576 + 5000' | xargs printf ' %.2f' | cut -c2-)"
done <<'END'
8 1 2 1 14642.05
8 1 2 0 19463.07
1 8 2 1 15764.38 14264.38 14264.38 14264.38 14264.38 14264.38 14264.38 15764.42
4 4 1 0 12511.62 11949.12 11949.12 12511.70
END
done_testing
