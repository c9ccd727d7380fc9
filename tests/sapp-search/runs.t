#!/bin/sh
# A search from short runs: their profiles in a job, the report on them, and the proposed next run.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
export LC_ALL=C
cat >config.json <<'END'
{"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":1024,"num_hidden_layers":8,
"num_attention_heads":8,"num_key_value_heads":8,"intermediate_size":2816,"vocab_size":32000,
"max_position_embeddings":2048,"tie_word_embeddings":false}
END
sapp-model config.json | grep '"network"' >net
cat >list <<'END'
{"kind":"run","name":"one","dp":8,"tp":1,"pp":1,"mbs":1,"micro_batches":4,"layers":2,"recompute":"none"}
{"kind":"run","name":"two","dp":4,"tp":2,"pp":1,"mbs":1,"micro_batches":4,"layers":2,"recompute":"none"}
END
mkdir small
check 'runs are made' sh -c "'$top/examples/make-runs' net list small >made"
jq -c 'del(.dir) + { dir: .name }' made >small/runs.jsonl
job() { printf '%s\n' 'model: config.json' 'devices: 8' 'cluster: atlas-800t-a2' 'global_batch: 32' \
	'limits: {tp: [1, 2, 4], pp: [1, 2], vp: 1, mbs: [1, 2], cp: 1, zero: 1}' "$@" >job.yaml; }
search() { rm -rf search; sapp-search -t 2 -k 3 -j 1 job.yaml >said 2>err; }

job 'runs: small'
check 'a search' search
same 'rests on them' '["one","two"]' "$(jq -sc 'map(select(.kind == "run").name) | unique' search/measured.jsonl)"
best() { jq -c 'select(.kind == "estimate") | .source.shares' search/plans.jsonl | head -1; }
check 'of the winner most is measured, or follows from what is' jq -en "$(best) | .measured + .fitted > 0.8"
same 'which the report says' 1 "$(grep -c "^of the winner's step [0-9.]* % is measured, [0-9.]* % is fitted" said)"
same 'and of its operators' 1 "$(grep -c "^of its operators' time [0-9.]* % is measured" said)"
check 'the page, too' grep -q '"shares":{"measured":' search/search.html
grep -A 1 '^or first a short run' said >short
check 'the last lines say which run is next' test -s short
same 'with its record' "$(jq -r .name search/next.jsonl)" \
	"$(head -1 short | sed 's/or first a short run: \([^,]*\),.*/\1/')"
check 'and what it would settle' sh -c \
	'tail -3 said | tr -s "\n " " " |
		grep -q "of [0-9]* configurations after the best, [0-9.]* are undecided, [0-9.]* after this run *$"'
sapp-fit -j search/work/kernels.jsonl 2>/dev/null | jq -c 'select(.kind == "run" or .kind == "coefficient")' >fit.jsonl
same 'coefficients are as good' "$(best)" "$(job 'coefficients: fit.jsonl'; search; best)"

# Operators of one device.
job 'operators: table.jsonl'
sed -i 's/atlas-800t-a2/b200/' job.yaml
cp "$top/share/operators/b200.jsonl" table.jsonl
check 'with operators of one device' search
check 'the winner rests on them' jq -en "$(best) | .measured + .fitted > 0.8"

: >ops.jsonl
job 'runs: small' 'known: ops.jsonl'
check 'with what is known' search
same 'which stays as it is' 0 "$(wc -c <ops.jsonl)"
bad() {
	name=$1 message=$2
	shift 2
	job "$@"
	fails "$name" 1 "$message" sapp-search -t 1 -o bad job.yaml
}
bad 'no such directory' "runs: not a directory './nowhere'" 'runs: nowhere'
mkdir empty
bad 'nothing in it' "runs: no profiles in directories below './empty'" 'runs: empty'
bad 'no coefficients' "coefficients: no file of coefficients './net'" 'coefficients: net'
bad 'no operators' "operators: no file of operators './net'" 'operators: net'
bad 'what is known of nothing' 'known: needs runs' 'known: ops.jsonl'
mkdir -p broken/one && echo text >broken/one/x.json
bad 'no profile' "runs: no layers in './broken/one'" 'runs: broken'
done_testing
