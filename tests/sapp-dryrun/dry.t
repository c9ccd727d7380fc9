#!/bin/sh
# Static runs, made as dryruns: in parallel, continued after an interruption, and read as peaks.
. "$(dirname "$0")/../lib.sh"
mkdir "$tmp/w" && cd "$tmp/w" || exit 1
example=$top/examples/ratios
sapp-model "$example/train.yaml" 2>err | jq -c 'select(.kind == "network")' >net
sapp-est -space -n 1024 -gb 1024 -rules mindformers -cluster atlas-900-a3 -tp 2,4,8 -pp 2,4,8 -k 60 net \
	>best.jsonl 2>err
sapp-shrink -n 1024 -memory 900GB -table "$top/share/runs/taylor.jsonl" -f mindformers -training "$example/train.yaml" \
	-o settings best.jsonl >runs.jsonl 2>err
runs=$(jq -s 'map(select(.purpose == "static")) | length' runs.jsonl)
check 'there are some, and others' test "$runs" -ge 4 -a "$(wc -l <runs.jsonl)" -gt "$runs"
# Each device has 20000 MB, and 40000 MB of experts divided by ep; the second stage has the highest peak.
cat >train <<'END'
set -- $SAPP_RUN_SETTINGS
[ -r "$2" ] || exit 9
ep=$(sed -n 's/^ *expert_parallel: *\([0-9]*\).*/\1/p' "$2")
echo "$SAPP_RUN $RANK_SIZE $RANK_ID $STAGE_ID $MS_SIMULATION_LEVEL $MS_KERNEL_LAUNCH_SKIP $MS_MEMORY_STATISTIC" \
	>>started
mkdir at_once.$$
# Each dryrun waits until two run at the same time.
tries=0
until [ -e together ] || [ $tries -gt 500 ]; do
	[ "$(ls -d at_once.* | wc -l)" -lt 2 ] || touch together
	tries=$((tries + 1))
	sleep 0.01
done
[ ! -e broken ] || [ "$RANK_ID" = 0 ] || exit 3
rmdir at_once.$$
echo "Used peak memory usage (without fragments): $((20000 + 40000 / ep - (STAGE_ID == 1 ? 0 : 500)))M"
END
dry() { sapp-dryrun -runs runs.jsonl -dry "$@" 'sh ./train' logs; }
check 'dryruns of the runs for memory' run 0 dry -j 4
check 'others are left out' tells 'runs are not for memory: ignored'
same 'the first, the second and the last stage of each' \
	"$(jq -r 'select(.purpose == "static") | .name as $n | .pp as $p | [0, 1, $p - 1] | unique[] |
		"\($n) 1024 \(. * 1024 / $p) \(.) 1 all 1"' runs.jsonl | sort)" "$(sort started)"
check 'several at once' test -e together
same 'the peaks come out' "$(wc -l <started)" "$(grep -c 'Used peak' "$tmp/out")"
rm started
check 'again' run 0 dry
check 'nothing is made twice' test ! -e started
check 'all of it with -f' run 0 dry -f -j 8
same 'and alike' "$(jq -s 'map(select(.purpose == "static") | [.pp, 3] | min) | add' runs.jsonl)" "$(wc -l <started)"
sapp-est -cluster atlas-900-a3 -peaks logs -nd nd.csv net >out
same 'they are peaks of configurations, which give those of every ep' "$(jq -r 'select(.purpose == "static") |
	"\(.dp),\(.tp),\(.pp),32,21250"' runs.jsonl | sort -u)" "$(grep ',32,' nd.csv | cut -d, -f1-5 | sort)"

rm -rf logs; touch broken
fails 'one that fails' 1 'stage 1: exit status 3; the end of logs/' dry
check 'says how many' grep -q 'dryruns failed; the same command repeats them' "$tmp/err"
fails 'no runs for memory' 1 'no run with the purpose static' sh -c \
	'grep -v static runs.jsonl >others.jsonl; sapp-dryrun -runs others.jsonl -dry true logs'
fails 'without runs' 2 '-dry goes with -runs' sapp-dryrun -dry true 8 2 logs
fails 'no file' 1 'nowhere: cannot be read' sapp-dryrun -runs nowhere -dry true logs
done_testing
