#!/bin/sh
# Documents to records and back.
. "$(dirname "$0")/../lib.sh"
cat >"$tmp/doc.json" <<END
{
    "name": "llama70b",
    "pre_defined_layer": {"LlamaEmbedding": 0, "LlamaRMSNorm": -1},
    "auto_partition_layer": {"LLamaDecodeLayer": 80},
    "stage_const_mem": -12.5,
    "layers_description": [
        {"name": "LlamaEmbedding", "type": "HEAD", "model_name": "llama70b", "nb_layer": 1, "time": 4.5808, \
"memory_parameter": 1245.8},
        {"name": "LLamaDecodeLayer", "type": "BODY", "model_name": "llama70b", "nb_layer": 80, "time": 1.31479,
         "memory_activation": 440.34, "memory_parameter": 1947.3, "memory_recompute": 16.24, "backward_coef": 0.0},
        {"name": "LlamaRMSNorm", "type": "TAIL", "model_name": "llama70b", "nb_layer": 1, "time": 0.74015, \
"memory_parameter": 3127.6}
    ]
}
END
check "a document" run 0 sapp-layers "$tmp/doc.json"
cp "$tmp/out" "$tmp/records.jsonl"
same "no warning about it" "" "$(cat "$tmp/err")"
same "one model and three layers" "model layer layer layer" "$(jq -r .kind "$tmp/out" | tr '\n' ' ' | sed 's/ $//')"
same "the constant" -12.5 "$(jq 'select(.kind == "model").stage_const_mem' "$tmp/out")"
same "the body" '[80,1.31479,440.34,1947.3,16.24,0]' "$(jq -c 'select(.type == "BODY") |
	[.nb_layer, .time, .memory_activation, .memory_parameter, .memory_recompute, .backward_coef]' "$tmp/out")"
same "from stdin" "$(cat "$tmp/records.jsonl")" "$(sapp-layers <"$tmp/doc.json")"
check "and back" run 0 sapp-layers -o "$tmp/again.json" "$tmp/records.jsonl"
same "the stream passes through" "$(cat "$tmp/records.jsonl")" "$(cat "$tmp/out")"
same "the same document" "$(jq -c . "$tmp/doc.json")" "$(jq -c . "$tmp/again.json")"
same "in a pipe" "$(jq -c . "$tmp/doc.json")" "$({ echo '{"kind":"other","x":1}'; cat "$tmp/records.jsonl"; } |
	sapp-layers -o "$tmp/pipe.json" >/dev/null; jq -c . "$tmp/pipe.json")"
same "-m renames" '"m" "m"' "$(sapp-layers -m m "$tmp/doc.json" | jq '.name, .model_name' | grep '"m"' | sort |
	head -2 | tr '\n' ' ' | sed 's/ $//')"
sed 's/"LLamaDecodeLayer": 80/"LLamaDecodeLayer": 96/' "$tmp/doc.json" >"$tmp/96.json"
check "numbers that disagree" run 0 sapp-layers "$tmp/96.json"
check "are a warning" grep \
	-q "warning: auto_partition_layer: 'LLamaDecodeLayer' is 96, but its nb_layer is 80: 80 is used" "$tmp/err"
same "nb_layer counts" 80 "$(jq 'select(.type == "BODY").nb_layer' "$tmp/out")"
# The models of the planning instances: to a document and back.
i=0
while read -r line; do
	printf '%s\n' "$line" | jq -c '.records[]' >"$tmp/instance.jsonl"
	sapp-layers -o "$tmp/instance.json" "$tmp/instance.jsonl" >/dev/null
	same "planning instance $i" "$(jq -c . "$tmp/instance.jsonl")" "$(sapp-layers "$tmp/instance.json" | jq -c .)"
	i=$((i + 1))
done <"$top/tests/data/plans.jsonl"

# bad NAME MESSAGE SED: the document with one thing changed.
bad() { sed "$3" "$tmp/doc.json" >"$tmp/bad.json"; fails "$1" 1 "$2" sapp-layers "$tmp/bad.json"; }
bad "an unknown member" "layers_description[1]: layer: tim: unknown member" 's/"time": 1.31/"tim": 1.31/'
bad "a missing member" "layers_description[0]: layer: " 's/"LlamaEmbedding", "type": "HEAD"/"LlamaEmbedding"/'
bad "a wrong type" "layers_description[1]: layer: nb_layer" 's/"nb_layer": 80/"nb_layer": "80"/'
bad "a negative memory" "layers_description[2]: layer: memory_parameter" 's/3127.6/-3127.6/'
bad "a type nobody knows" "layers_description[1]: layer: type" 's/"BODY"/"TORSO"/'
bad "no layers" "missing member 'layers_description'" 's/"layers_description"/"layers"/'
bad "a member nobody knows at the top" "model: nam: unknown member" 's/"stage_const_mem": -12.5/"nam": 1/'
bad "not JSON" "bad.json:12: not a JSON document" '$d'
bad "a key twice" "not a JSON document" 's/"stage_const_mem": -12.5/"name": "x"/'
bad "a huge time" "bad.json:8: not a JSON document: real number overflow" 's/"time": 1.31479/"time": 1e400/'
bad "a huge number of layers" "bad.json:8: not a JSON document: too big integer" \
	's/"nb_layer": 80/"nb_layer": 99999999999999999999/'
printf '{"name": "x\000", "layers_description": []}' >"$tmp/bad.json"
fails "a NUL" 1 "bad.json:1: not a JSON document: control character" sapp-layers "$tmp/bad.json"
printf '{"name": "\377\376", "layers_description": []}' >"$tmp/bad.json"
fails "not UTF-8" 1 "bad.json:1: not a JSON document: unable to decode byte 0xff" sapp-layers "$tmp/bad.json"
{ printf '{"name": '; head -c 1000000 /dev/zero | tr '\0' '['; } >"$tmp/bad.json"
fails "a million brackets" 1 "bad.json:1: not a JSON document: maximum parsing depth" sapp-layers "$tmp/bad.json"
bad "layers that are no list" "layers_description: expected a list" \
	's/\[$/{/; s/^    \]/    }/; s/^        {"name": "LlamaE/        "a": {"name": "LlamaE/; s/^        {"name": '\
'"LLama/        "b": {"name": "LLama/; s/^        {"name": "LlamaR/        "c": {"name": "LlamaR/'
fails "a record" 1 "not a JSON document" sapp-layers "$tmp/records.jsonl"
head -1 "$tmp/records.jsonl" >"$tmp/one.jsonl"
fails "one record" 1 ": this is a record, which the other tools read without conversion" sapp-layers "$tmp/one.jsonl"
fails "nothing" 1 "not a JSON document" sapp-layers /dev/null
{ printf '\357\273\277'; cat "$tmp/doc.json"; } >"$tmp/marked.json"
same "a byte order mark" "$(sapp-layers "$tmp/doc.json")" "$(sapp-layers "$tmp/marked.json")"
fails "-o of nothing, by its name" 1 "sapp-layers: /dev/null: no layer record" sapp-layers -o "$tmp/x.json" /dev/null
fails "no such file" 1 "cannot be opened" sapp-layers "$tmp/nowhere.json"
fails "two documents" 2 "more than one document" sapp-layers "$tmp/doc.json" "$tmp/doc.json"
fails "-o without a layer" 1 "no layer record in the input" sapp-layers -o "$tmp/x.json" "$tmp/one.jsonl"
check "and no file" test ! -e "$tmp/x.json"
fails "-o with two models" 1 "a second model 'b' after 'llama70b'" \
	sh -c "{ cat '$tmp/records.jsonl'; echo '{\"kind\":\"model\",\"name\":\"b\"}'; } | sapp-layers -o '$tmp/x.json'"
fails "a full disk" 1 "cannot write to standard output" sh -c "sapp-layers '$tmp/doc.json' >/dev/full"
fails "a full disk, document" 1 "cannot be written" sapp-layers -o /dev/full "$tmp/records.jsonl"

# Layers from ratios of a network.
shape() { jq -nc --argjson n "$1" '{ kind: "network", name: "net", layers: 8, hidden_size: 64, num_heads: 4,
	ffn_size: 256, vocab_size: 1000, seq_length: 128 } + $n'; }
moe='{"experts":4,"experts_per_token":2,"expert_ffn_size":64,"dense_layers":3}'
by_ratios() { sapp-layers "$@" | jq -c 'select(.kind == "layer") | [.name, .type, .nb_layer, .time, .backward_time,
	.select_rec_time, .recompute_time] | map(if type == "number" then . * 1e9 | round / 1e9 else . end)'; }
shape "$moe" >"$tmp/moe"
same "ratios" '["head","HEAD",1,0,null,null,null]
["dense0","BODY",3,0.4,0.72,null,1.12]
["moe3","BODY",5,1,1.8,null,2.8]
["tail","TAIL",1,1.5,2.7,null,null]' "$(by_ratios -ratios dense=0.4,backward=1.8,head=4.2,recompute=1 "$tmp/moe")"
same "what is usual" '["head","HEAD",1,0,null,null,null]
["dense0","BODY",3,0.33,0.66,null,0.99]
["moe3","BODY",5,1,2,null,3]
["tail","TAIL",1,0.5,1,null,null]' "$(by_ratios -ratios recompute=1 "$tmp/moe")"
same "ms, and selective recomputation" '["moe3","BODY",5,10,20,23,25]' \
	"$(by_ratios -ratios forward=10,select=0.3,recompute=0.5 "$tmp/moe" | grep moe3)"
same "dense layers alone take what a layer takes" '["dense0","BODY",8,1,2,null,3]' \
	"$(shape '{}' | by_ratios -ratios head=1 | grep BODY)"
same "mixtures between" '[["dense0",1],["moe1",1],["dense2",1],["moe3",1]]' \
	"$(shape '{"layers":4,"experts":4,"experts_per_token":2,"expert_ffn_size":64,"dense_layers":1,'\
'"moe_every":2}' | by_ratios -ratios head=1 |
	jq -sc 'map(select(.[1] == "BODY") | [.[0], .[2]])')"
same "behind what was read" 'network peak model' "$({ cat "$tmp/moe"
	echo '{"kind":"peak","stage":0,"memory":5,"which":"used"}'; } | sapp-layers -ratios head=1 | jq -r .kind |
	head -3 | xargs)"
same "a name" x "$(sapp-layers -ratios head=1 -m x "$tmp/moe" | jq -r 'select(.kind == "model").name')"
check "planned" sh -c 'sapp-layers -ratios head=1 "$1" |
	jq -c "if .kind == \"layer\" then .memory_parameter = 1 else . end" |
	sapp-lp -s 4 -mem 100 -t 5 | grep "\"plan\""' sh "$tmp/moe"
fails "a ratio that is none" 2 "-ratios: unknown 'tail'; known: dense backward head recompute select forward" \
	sapp-layers -ratios tail=1 "$tmp/moe"
fails "no number" 2 "-ratios: expected NAME=NUMBER 'dense'" sapp-layers -ratios dense "$tmp/moe"
fails "nothing" 2 "-ratios: expected NAME=NUMBER ''" sapp-layers -ratios '' "$tmp/moe"
fails "twice" 2 "-ratios: duplicate name 'head'" sapp-layers -ratios head=1,head=1 "$tmp/moe"
fails "negative" 2 "-ratios: " sapp-layers -ratios head=-1 "$tmp/moe"
fails "no backward" 2 "-ratios: " sapp-layers -ratios backward=0 "$tmp/moe"
fails "text" 2 "-ratios: " sapp-layers -ratios forward=fast "$tmp/moe"
fails "no network" 1 "no network record in the input; sapp-model writes it" sapp-layers -ratios head=1 /dev/null
fails "two networks" 1 "network: a second network 'net' after 'net'" sapp-layers -ratios head=1 "$tmp/moe" "$tmp/moe"
fails "layers already" 1 "layer: the input already has layers" sh -c \
	'sapp-layers -ratios head=1 "$1" | grep -v "\"model\"" | sapp-layers -ratios head=1' sh "$tmp/moe"
fails "both ways" 2 "-o and -ratios exclude each other" sapp-layers -o "$tmp/x.json" -ratios head=1 "$tmp/moe"
done_testing
