#!/bin/sh
# The report begins with the advice, its certainty and its assumptions; the rest follows, or is in a file.
. "$(dirname "$0")/../lib.sh"
unset -f jq
. "$(dirname "$0")/job.sh"
cd "$tmp" || exit 1
small_job
check 'a job' run 0 sapp-search -t 10 -j 1 -k 4 -o s job.yaml
sed '/^$/,$d' out >conclusion
sed '1,/^$/d; /^$/,$d' out >table
same 'the conclusion comes first' 'winner' "$(sed -n '1s/:.*//p' conclusion)"
same 'in twelve lines at most, of 100 columns' true "$(awk 'length > 100 { wide = 1 } END {
	print (NR >= 7 && NR <= 12 && !wide ? "true" : "false") }' conclusion)"
for part in 'winner: DP[0-9]* TP[0-9]* PP[0-9]*.*: a step in [0-9.]* s$' '    9 of 10 such steps are within' \
	'best of \|best found of ' '\(not \)*robust: winner in [0-9]* of [0-9]* questions' \
	'memory: [0-9,]* of 40,960 MB on the worst stage, [0-9.]* % free' 'rests on: times of layers computed' \
	'next: run '; do
	check "there is: $part" grep -q "^$part" conclusion
done
same 'the table has 100 columns at most' true "$(awk 'length > 100 { wide = 1 } END { print wide ? "false" : "true" }' \
	table)"
same 'its rows are the best of each set of degrees first' \
	"$(jq -r --slurpfile of s/work/planned.json -L "$top/scripts/lib" 'include "search";
	unlike_first($of[0])[:4][].name' s/work/ranked.json)" "$(jq -r 'select(.kind == "plan").name' s/plans.jsonl)"
same 'the shortest first' true "$(sed '1d; /_pretrain/d' table | awk '$8 + 0 > 0 { print $8 }' | jq -s '. == sort')"
same 'each has a file of settings' "$(cd s && ls -- *_pretrain.args)" \
	"$(sed -n 's/^[0-9]  \(.*_pretrain.args\).*/\1/p' table | sort)"
check 'none is tight where the margin is kept' sh -c '! grep -q tight table'
same 'reasons against others are in a file, a line each' 0 \
	"$(grep -cvE '^(tp [0-9]+ x pp|longer than|too much|rule )' s/why.txt)"
same 'and not in the report' 0 "$(grep -c '^tp [0-9]' out)"
same 'the folder has what is for the reader; the rest is in work' 'next.jsonl plans.jsonl ranking.csv report.txt '\
'search.html test_result why.txt work' "$(cd s && printf '%s\n' * | sed '/_pretrain/d; s/_[0-9]*[.]csv$//' | xargs)"
check 'the last line says what is what' grep -qF 'why.txt, reasons against other degrees; ' err
same 'arguments have a heading' "# $(jq -r 'select(.kind == "plan").name' s/plans.jsonl | head -n \
	1): add these arguments "\
'to the command that starts training, in place of its own' "$(head -n 1 "s/$(sed -n 's/^1  \(DP[^;]*\).*/\1/p' table)")"
same 'one line says what to run next' 1 "$(grep -c '^next: ' out)"
same 'and the last one a short run, where one tells more' "$(jq -r '"or first a short run: \(.name)"' s/next.jsonl)" \
	"$(grep -o '^or first a short run: [^,]*' out)"
sed -n 's/.*id="data">\(.*\)<\/script>.*/\1/p' s/search.html >page.json
same 'the page has the peaks of every plan, planned rows and those beyond them' \
	"$(jq -c '[.[] | .name] | sort' s/work/ranked.json)" "$(jq -c '[.sims[].name] | sort' page.json)"
same 'and the files to run, with their settings, in the order of the table' \
	"$(sed -n 's/^[0-9]  \([^;]*_pretrain.args\).*/\1/p' table)" "$(jq -r '.todo[].file' page.json | sed 's,.*/,,')"
same 'whose text is that of the files' "$(cat "s/$(sed -n 's/^1  \(DP[^;]*\).*/\1/p' table)")" \
	"$(jq -r '.todo[0].text' page.json)"
same 'and the shortest estimates first' true "$(jq '[.estimates[].step_time] | . == sort' page.json)"
same 'which are those of these plans' "$(sapp-sim s/plans.jsonl |
	jq -c 'select(.kind == "sim") | [.name, .peak_memory]' | sort)" \
	"$(jq -c --slurpfile p s/plans.jsonl '([$p[] | select(.kind == "plan").name]) as $n | .sims[] |
	select(.name | IN($n[])) | [.name, .peak_memory]' page.json | sort)"
check 'a job with a limit that is one' sh -c 'sed "s/^limits/memory: 40960\n&/" job.yaml >limit.yaml'
check 'is searched' run 0 sapp-search -t 10 -j 1 -k 4 -o l limit.yaml
same 'what leaves less than computed peaks may be off is tight' \
	"$(sed -n 's/^[0-9].* \([0-9.]*\) %  [a-z]*\(, tight\)*$/\1 \2/p' out |
		awk '{ print $1 < 8 ? ", tight" : "" }')" \
	"$(sed -n 's/^[0-9].* \([0-9.]*\) %  [a-z]*\(, tight\)*$/\2/p' out)"
check 'and says what that is' sh -c '! grep -q ", tight" out || grep -qx "tight: less than 8 % free, the error of such \
peaks; margin: 0.08 in the job keeps it free" out'
check 'that no memory is kept free is an assumption' grep -q 'no memory kept free (margin 0, as the limit is given)' \
	l/work/assumed.txt
check 'not where a part is' sh -c '! grep -q "no memory kept free" s/work/assumed.txt'
mkdir bin
printf '%s\n' '#!/bin/sh' 'case " $* " in *" -graph full "*) echo "sapp-est: net: no figure" >&2; exit 1 ;; esac' \
	"exec $(command -v sapp-est) \"\$@\"" >bin/sapp-est
chmod +x bin/sapp-est
check 'where an alternative has no estimate' run 0 env PATH="$tmp/bin:$PATH" sapp-search -n -o n job.yaml
check 'the reason is said' grep -qx 'assumed: no CUDA graphs; not compared: net: no figure' out

# An estimate whose bound is above its step is a fault that stops the program.
printf '%s\n' '#!/bin/sh' "$(command -v sapp-est) \"\$@\" | case \" \$* \" in" '*" -space "*) cat ;;' \
	"*) sed 's/\"lower_bound\":/&9/' ;;" 'esac' >bin/sapp-est
fails 'a bound above the estimate' 1 'fault in this program: DP' \
	env PATH="$tmp/bin:$PATH" sapp-search -t 5 -j 1 -o n job.yaml

# By hand: two plans of 100 and 102 ms, and an unplanned configuration with an estimate of 104 ms; plans have the steps
# of their estimates. The second wins with slower links, 110 to 120; the third with less memory traffic, 104 * 99 / 104
# to 110; with less memory the first does not fit.
cat >estimates <<'END'
{"kind":"cluster","name":"as asked"}
{"kind":"estimate","name":"a","dp":2,"tp":2,"pp":2,"fits":true,"step_time":100}
{"kind":"estimate","name":"b","dp":4,"tp":1,"pp":2,"fits":true,"step_time":102}
{"kind":"estimate","name":"c","dp":1,"tp":4,"pp":2,"fits":true,"step_time":104}
{"kind":"cluster","name":"slower"}
{"kind":"estimate","name":"a","dp":2,"tp":2,"pp":2,"fits":true,"step_time":120}
{"kind":"estimate","name":"b","dp":4,"tp":1,"pp":2,"fits":true,"step_time":110}
{"kind":"estimate","name":"c","dp":1,"tp":4,"pp":2,"fits":true,"step_time":130}
{"kind":"cluster","name":"faster"}
{"kind":"estimate","name":"a","dp":2,"tp":2,"pp":2,"fits":true,"step_time":110}
{"kind":"estimate","name":"b","dp":4,"tp":1,"pp":2,"fits":true,"step_time":110}
{"kind":"estimate","name":"c","dp":1,"tp":4,"pp":2,"fits":true,"step_time":99}
{"kind":"cluster","name":"the same"}
{"kind":"estimate","name":"a","dp":2,"tp":2,"pp":2,"fits":true,"step_time":90}
{"kind":"estimate","name":"b","dp":4,"tp":1,"pp":2,"fits":true,"step_time":95}
{"kind":"estimate","name":"c","dp":1,"tp":4,"pp":2,"fits":true,"step_time":95}
END
same 'others win under other figures' '{"of":4,"won":1,"others":["DP4 TP1 PP2 91 links, 2 % less memory",'\
'"TP4 PP2 111 traffic"]}' "$(jq -n -c -L "$top/scripts/lib" 'include "search";
	{ a: { dp: 2, tp: 2, pp: 2, step_time: 100 }, b: { dp: 4, tp: 1, pp: 2, step_time: 102 } } as $of |
	robust([{ name: "a", step_time: 100 }, { name: "b", step_time: 102 }]; $of; "links\ntraffic\nnone";
		{ a: null }) | .others |= (map("\(.degrees) \(.by * 1000 | round) \(.when | join(", "))") | sort)' \
	estimates)"
done_testing
