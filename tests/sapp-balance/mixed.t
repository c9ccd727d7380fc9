#!/bin/sh
# sapp-balance: results of different questions do not mix, with concurrent runs, odd file dates, or links.
. "$(dirname "$0")/../lib.sh"

layers() {	# TIME
	echo '{"kind":"layer","name":"BODY","type":"BODY","nb_layer":6,"time":'"$1"',"memory_parameter":10,'\
'"memory_activation":1}'
}
layers 1 >"$tmp/one.jsonl"
layers 2 >"$tmp/two.jsonl"
balance() {	# LAYERS DIR OPTION...
	file=$1 dir=$2; shift 2
	sapp-balance --layers "$file" -s 2 -mb 8 -mem 1000 -t 5 -naive 0 -o "$dir" "$@" >"$tmp/report" 2>"$tmp/err"
}
steps() { jq -r 'select(.kind == "sim").step_time' "$1/sim.jsonl"; }

# Two runs at the same time: the first holds its directory while a named pipe keeps it from reading its layers.
mkfifo "$tmp/slow"
balance "$tmp/slow" "$tmp/both" & pid=$!
exec 3>"$tmp/slow"	# it reads now
fails 'a second run in a directory' 1 'another sapp-balance is running in it' \
	sapp-balance --layers "$tmp/two.jsonl" -s 2 -mb 8 -mem 2000 -t 1 -o "$tmp/both"
layers 1 >&3
exec 3>&-
check 'the first goes on' wait "$pid"
same 'and its report is of its question' \
	'Asked: sapp-lp -s 2 -mb 8 -mem 1000 -t 5' "$(tail -n 1 "$tmp/both/report.txt")"
same 'its plan, too' 1000 "$(jq 'select(.kind == "pipeline").memory_limit' "$tmp/both/plan.jsonl")"

# Other content with an older date; the same content with a newer date; results from the future.
cp "$tmp/one.jsonl" "$tmp/asked.jsonl"
check 'a question' balance "$tmp/asked.jsonl" "$tmp/dates"
near 'is answered' 81 "$(steps "$tmp/dates")" 1e-6
cp "$tmp/two.jsonl" "$tmp/asked.jsonl"
touch -d '2001-01-01' "$tmp/asked.jsonl"
check 'another content, dated before' balance "$tmp/asked.jsonl" "$tmp/dates"
near 'is answered anew' 162 "$(steps "$tmp/dates")" 1e-6
cp "$tmp/dates/report.txt" "$tmp/before"
touch "$tmp/asked.jsonl"
check 'the same content, dated now' balance "$tmp/asked.jsonl" "$tmp/dates"
same 'is not done again' 5 "$(grep -c ': as before$' "$tmp/err")$(grep '\.\.\.' "$tmp/err")"
check 'and its report stays' cmp "$tmp/before" "$tmp/report"
cp "$tmp/one.jsonl" "$tmp/asked.jsonl"
find "$tmp/dates" -type f -exec touch -d '2099-01-01' {} +
check 'results from the future' balance "$tmp/asked.jsonl" "$tmp/dates"
near 'do not stay' 81 "$(steps "$tmp/dates")" 1e-6
# A file in a directory of measurements is replaced by a file with the same date.
{ sed '/^profiling_config/,/tail_layers/d' "$top/examples/llama-175b/init.yaml"
	echo 'time_config: {head: 30, body: 180, tail: 90}'; } >"$tmp/init.yaml"
mkdir "$tmp/logs"
logs() {
	sapp-balance --init "$tmp/init.yaml" -mb 16 -mem 70000 -t 1 -naive 0 -o "$tmp/logs/output" "$tmp/logs" \
		>"$tmp/report" 2>"$tmp/err"
}
cp -p "$top/examples/llama-175b/peaks.txt" "$tmp/logs/peaks.log"
check 'a directory of logs' logs
check 'again' logs
check 'results inside it are no logs' grep -q 'memory of layers: as before' "$tmp/err"
sed 's/: \([0-9]*\)\([0-9]\)M/: \14M/' "$top/examples/llama-175b/peaks.txt" >"$tmp/logs/peaks.log"
touch -r "$top/examples/llama-175b/peaks.txt" "$tmp/logs/peaks.log"
check 'a log of it that changed' logs
check 'is read again' grep -q 'memory of layers \.\.\.' "$tmp/err"

# A run without an answer removes the report of the previous question.
check 'a question with an answer' balance "$tmp/one.jsonl" "$tmp/none"
fails 'one without' 3 ': no answer; partial results are in' sapp-balance --layers "$tmp/one.jsonl" -s 2 -mb 8 -mem \
	10 -t 5 -naive 0 \
	-o "$tmp/none"
check 'has no report' test ! -e "$tmp/none/report.txt"

# Links are not followed: their targets stay unchanged.
check 'a run' balance "$tmp/one.jsonl" "$tmp/links"
echo precious >"$tmp/precious"
for f in result.svg result_compare.svg result.html report.txt pictures.txt sim.jsonl plan.jsonl layers.jsonl \
	.plan.jsonl.made .report.txt.made; do
	ln -sf ../precious "$tmp/links/$f"
done
check 'links in the place of results' balance "$tmp/two.jsonl" "$tmp/links"
same 'are replaced' 'precious 0' "$(cat "$tmp/precious") $(find "$tmp/links" -type l | wc -l)"
rm -f "$tmp/links/.lock" && ln -s ../precious "$tmp/links/.lock"
fails 'one in the place of the lock' 1 'a symbolic link' sapp-balance --layers "$tmp/one.jsonl" -o "$tmp/links"
same 'is not followed' precious "$(cat "$tmp/precious")"
same 'nothing half made stays' '' "$(find "$tmp" -name '*.new' -o -name '.set.*' -o -name '.making.*')"
done_testing
