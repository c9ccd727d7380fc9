#!/bin/sh
# Only configurations of a table: tables of Taylor's nd_path, and tables of sapp.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
example=$top/examples/ratios
sapp-model "$example/train.yaml" 2>err | jq -c 'select(.kind == "network")' >net
of() { sapp-enum -n 1024 -gb 1024 -rules mindformers "$@" net 2>err | jq -r 'select(.kind == "candidate") |
	[.dp, .tp, .cp, .pp, .ep, .vp, .mbs] | join(" ")' >out; }
sapp-est -cluster atlas-900-a3 -peaks "$example/dryruns" -nd nd.csv net >err
of -only nd.csv -vp 1 -mbs 1
same 'every row of a table of dryruns, and nothing else' "$(sed 1d nd.csv | cut -d, -f1-4 | sort)" \
	"$(cut -d' ' -f1,2,4,5 out | tr ' ' , | sort)"
of -only nd.csv -tp 4
same 'options go on limiting' 0 "$(wc -l <out)"
check 'rows that are left out are named' grep -q \
	'nd.csv:2: warning: dp 4, tp 8, pp 32, ep 8: not a configuration of 1024 devices' err
of -only nd.csv -pp 16 -ep 64
same 'what has no column has all its values' '1 2 4' "$(cut -d' ' -f7 out | sort -u | xargs | cut -d' ' -f1-3)"
printf '\357\273\277 test , op/fsdp,pp,tp,dp,ep,vp,mbs,x\r\na,16,8,8,16,64,1,2,"[[7, 8], [8, 8]]"\r\n\r\n' >ranking.csv
of -only ranking.csv
same 'columns in any order, and lists in quotes' '16 8 1 8 64 1 2' "$(cat out)"
printf 'dp,tp,pp,cp\n4,8,16,2\n4,8,16,1\n' >cp.csv
of -only cp.csv -ep 8 -vp 1 -mbs 1
same 'sequences over devices where a column says so' '4 8 2 16 8 1 1' "$(cat out)"
check 'which others do not' grep -q 'cp.csv:3: warning: dp 4, tp 8, pp 16, ep 1: not a configuration' err
bad() { name=$1 message=$2; printf "$3" >bad.csv; fails "$name" 1 "$message" sapp-enum -n 8 -gb 8 -only bad.csv net; }
bad 'no columns of degrees' 'bad.csv:1: -only: a table of configurations needs columns dp, tp and pp' 'a,b\n1,2\n'
bad 'a column twice' "bad.csv:1: -only: two columns for the same degree 'fsdp'" 'dp,tp,pp,op,fsdp\n1,1,8,1,1\n'
bad 'no number' "bad.csv:2: -only: pp: not a degree '8x'" 'dp,tp,pp\n1,1,8x\n'
bad 'a degree of 0' "bad.csv:2: -only: tp: not a degree '0'" 'dp,tp,pp\n1,0,8\n'
bad 'a row that ends early' 'bad.csv:2: -only: dp, tp or pp is missing' 'dp,tp,pp\n1,1\n'
bad 'no row' '-only: no configuration in it' 'dp,tp,pp\n'
fails 'no file' 1 'nowhere' sapp-enum -n 8 -gb 8 -only nowhere net

cat >job.yaml <<END
model: $example/train.yaml
devices: 1024
cluster: atlas-900-a3
global_batch: 1024
target: mindformers
candidates: nd.csv
limits: {vp: 1, mbs: 1}
END
check 'a job names its candidates' run 0 sapp-search -n -o search job.yaml
same 'and no other is looked at' "$(sed 1d nd.csv | wc -l)" \
	"$(jq -s 'map(select(.kind == "estimate")) | length' search/work/estimates.jsonl)"
done_testing
