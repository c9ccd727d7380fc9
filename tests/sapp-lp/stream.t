#!/bin/sh
# The stream through sapp-lp: records passed on, refused records, and interrupted runs.
. "$(dirname "$0")/../lib.sh"
. "$top/tests/sapp-lp/instance.sh"

M='{"kind":"model","name":"m"}'
B='{"kind":"layer","name":"B","type":"BODY","nb_layer":8,"time":1,"memory_parameter":1,"memory_activation":1}'
H='{"kind":"layer","name":"H","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":1}'

# Records passed on.
printf '%s\n' '{"kind":"note","x":[1,   2.50],"é":"\u00e9"}' "$M" '{ "kind" : "timing","whatever":true}' "$H" '' "$B" \
	'{"kind":"plan","old":1}' >"$tmp/in"
printf '{"kind":"no newline"}' >>"$tmp/in"
sapp-lp "$tmp/in" >"$tmp/out" 2>"$tmp/err"
grep . "$tmp/in" >"$tmp/want"
check "every record passes, to the byte and in order" sh -c "head -n 7 '$tmp/out' | cmp - '$tmp/want'"
same "then the question and the plan" "pipeline plan" "$(tail -n +8 "$tmp/out" | jq -r .kind | xargs)"
printf '%s\n' "$B" >"$tmp/body"
same "several files, - is stdin" "H B pipeline plan" \
	"$(printf '%s\n' "$H" | sapp-lp - "$tmp/body" 2>"$tmp/err" |
	jq -r 'if .kind == "layer" then .name else .kind end' | xargs)"
same "cut in the middle and resumed" "$(sapp-lp "$tmp/in" 2>"$tmp/err" | tail -n 2)" \
	"$(jq -c . "$tmp/in" | sapp-lp 2>"$tmp/err" | tail -n 2)"
same "planned again: the old plan stays" 2 \
	"$(sapp-lp "$tmp/out" 2>"$tmp/err" | jq -c 'select(.kind == "plan" and .origin == "planner")' | wc -l)"

# refused NAME MESSAGE LINE...: sapp-lp must write only the message.
refused() {
	name=$1 message=$2; shift 2
	[ $# -eq 0 ] || printf '%s\n' "$@" >"$tmp/in"
	fails "$name" 1 "sapp-lp: $message" sh -c "sapp-lp <'$tmp/in'"
	[ ! -s "$tmp/out" ] || not_ok "$name: no output"
}
with() { printf '%s\n' "$B" | sed "s/$1/$2/"; }
: >"$tmp/in"
refused "nothing" "<stdin>: no layer record of type BODY"
refused "blank lines" "<stdin>: no layer record of type BODY" '' ''
refused "no BODY" "<stdin>: no layer record of type BODY" "$M" "$H"
refused "text" "<stdin>:2: not a JSON object" "$B" 'not JSON'
refused "half an object" "<stdin>:2: not a JSON object" "$M" '{"kind":"layer","name":'
refused "a list" "<stdin>:1: not a record: no string member 'kind'" '[1]'
refused "no kind" "<stdin>:1: not a record: no string member 'kind'" '{"name":"m"}'
refused "a kind that is no string" "<stdin>:1: not a record: no string member 'kind'" '{"kind":1}'
refused "two objects on a line" "<stdin>:1: not a JSON object" "$M $B"
refused "a member twice" "<stdin>:1: not a JSON object: duplicate" "$(with '"nb_layer":8' '"nb_layer":8,"nb_layer":9')"
refused "an unknown member" "<stdin>:2: layer: nb_layers: unknown member" "$M" "$(with nb_layer nb_layers)"
refused "an unknown member of the model" "<stdin>:1: model: nme: unknown member" '{"kind":"model","nme":"m"}'
refused "no name" "<stdin>:1: layer: missing member 'name'" "$(with '"name":"B",' '')"
refused "no type" "<stdin>:1: layer: missing member 'type'" "$(with '"type":"BODY",' '')"
refused "an unknown type" "<stdin>:1: layer: type: not one of HEAD BODY TAIL" "$(with BODY body)"
refused "no number of layers" "<stdin>:1: layer: missing member 'nb_layer'" "$(with '"nb_layer":8,' '')"
refused "no time" "<stdin>:1: layer: 'B' has no time" "$(with '"time":1,' '')"
refused "no time of an end" \
	"<stdin>:1: layer: 'T' has no time: pipe the layer records of sapp-trace into sapp-memsplit, \
or write a time_config; the profile must include the first and the last stage" \
	'{"kind":"layer","name":"T","type":"TAIL","nb_layer":1,"memory_parameter":1}'
printf '%s\n' "$B" >"$tmp/in"
same "forward_time alone is as good as time" "$(sapp-lp "$tmp/in" 2>"$tmp/err" | sed 1d)" \
	"$(with '"time"' '"forward_time"' | sapp-lp 2>"$tmp/err" | sed 1d)"
same "its backward is twice it, where none is given" \
	"$(with '"time":1' '"time":3,"backward_time":6' | sapp-lp 2>"$tmp/err" | sed 1d)" \
	"$(with '"time":1' '"forward_time":3' | sapp-lp 2>"$tmp/err" | sed 1d)"
refused "no forward_time either" "<stdin>:1: layer: 'B' has no time" "$(with '"time":1' '"backward_time":2')"
refused "time as text" "<stdin>:1: layer: time: not a number" "$(with '"time":1' '"time":"1"')"
refused "negative time" "<stdin>:1: layer: time: negative '-1'" "$(with '"time":1' '"time":-1')"
refused "a number beyond all" "<stdin>:1: not a JSON object: real number overflow" "$(with '"time":1' '"time":1e999')"
refused "negative memory" "<stdin>:1: layer: memory_activation: negative '-1'" "$(with activation\":1 activation\":-1)"
refused "half a layer" "<stdin>:1: layer: nb_layer: not a whole number '8.5'" "$(with :8 :8.5)"
refused "no layers" "<stdin>:1: layer: nb_layer: not positive '0'" "$(with :8 :0)"
refused "too many" "<stdin>:1: layer: nb_layer: above 100000 '2000000000'" "$(with :8 :2000000000)"
refused "a layer twice" "<stdin>:2: layer: two BODY layers have the same name 'B'" "$B" "$B"
refused "two models" "<stdin>:2: model: a second model 'n' after 'm'; choose one with -m" "$M" \
	'{"kind":"model","name":"n"}' "$B"
refused "bytes that are no UTF-8" "<stdin>:1: not a JSON object" "$(printf '{"kind":"layer","name":"\377"}')"
printf '{"kind":"x\000"}\n' >"$tmp/in"
refused "a NUL" "<stdin>:1: not a JSON object"
awk 'BEGIN { printf "{\"kind\":\"x\",\"a\":"; for (i = 0; i < 100000; i++) printf "["; print "" }' >"$tmp/in"
refused "brackets without end" "<stdin>:1: not a JSON object"
head -c 3000000 /dev/zero >"$tmp/in"
refused "a line of NULs" "<stdin>:1: not a JSON object"
fails "no such file" 1 "nowhere: cannot be read: No such file" sapp-lp "$tmp/nowhere"
fails "a directory" 1 "cannot be read: Is a directory" sapp-lp "$tmp"
printf '%s\n' "$B" >"$tmp/in"
printf 'x\n' >"$tmp/bad"
fails "the second file" 1 "$tmp/bad:1: not a JSON object" sapp-lp "$tmp/in" "$tmp/bad"

# Options.
wrong() { name=$1 message=$2; shift 2; fails "$name" 2 "sapp-lp: $message" sapp-lp "$@" "$tmp/in"; }
wrong "an unknown option" "unrecognized option '-x'" -x
wrong "no stages" "-s: not between 1 and" -s 0
wrong "half a stage" "-s: not a whole number '1.5'" -s 1.5
fails "too many layers" 1 "10001 layers are too many to plan: at most 10000" \
	sh -c 'sed "s/\"nb_layer\":[0-9]*/\"nb_layer\":10001/" "$1/in" | sapp-lp -s 4' sh "$tmp"
wrong "too few layers" "8 layers are too few for 9 stages of 1 chunks" -s 9
wrong "too few for chunks" "8 layers are too few for 4 stages of 3 chunks" -i 3
wrong "no micro-batches" "-mb: not between 1 and" -mb 0
wrong "too many operations" "1f1b with 1000 stages of 1 chunks: more than" -s 1000 -mb 1000000
wrong "no limit" "-mem: not a number ''" -mem ''
wrong "no memory" "-mem: not between 1 and" -mem 0
wrong "limits of other stages" "-mem: 3 limits for 4 stages" -mem 1,2,3
wrong "a limit that is no number" "-mem: not a number '1,x,3,4'" -mem 1,x,3,4
wrong "a unit that is none" \
	"-mem: not a number or list of numbers (of MB, MiB, GB or GiB) '40G'" -mem 40G
wrong "too many gigabytes" "-mem: not between 1 and 1e+09 '1e9GB'" -mem 1e9GB
same "a limit with a unit" "$(sapp-lp -s 4 -mb 4 -mem 2048 "$tmp/in")" "$(sapp-lp -s 4 -mb 4 -mem 2GB "$tmp/in")"
wrong "nan" "-mem: not a number 'nan'" -mem nan
wrong "chunks backwards" "-i: range runs backwards '3-1'" -i 3-1
wrong "chunks that are no number" "-i: not a whole number '1,x'" -i 1,x
wrong "too many chunks" "-i: not between 1 and 100 '101'" -i 101
wrong "-lm that is neither" "-lm: unknown '2'; known: 0 1 both" -lm 2
wrong "an unknown schedule" "-S: unknown '2f2b'; known: gpipe 1f1b vpp vpp-less" -S 1f1b,2f2b
wrong "1f1b with chunks" "1f1b with 4 stages of 2 chunks: this schedule has one chunk per stage" -S 1f1b -i 2
wrong "negative communication" "-comm: not between 0 and 1e+09 '-1'" -comm -1
wrong "no time" "-t: not between" -t 0
wrong "a time that is no number" "-t: not a number '1m'" -t 1m
wrong "a negative gap" "-gap: not between 0 and 10 '-1'" -gap -1
wrong "no plans" "-k: not between 1 and" -k 0
wrong "mixes of another kind" "-mixes: unknown 'some'; known: all yaml" -mixes some
wrong "a negative seed" "-seed: not between 0 and" -seed -1
check "-h" run 0 sapp-lp -h
check "-h: usage on stdout" grep -q '^usage: sapp-lp ' "$tmp/out"
check "-V" sh -c 'sapp-lp -V | grep -q "^sapp-lp [0-9]"'

# Output goes to standard output, or is an error.
fails "a full disk" 1 "cannot write to standard output" sh -c "sapp-lp '$tmp/in' >/dev/full"
(sapp-lp -s 4 -mb 4 -mem 56000 "$tmp/in"; echo $? >"$tmp/rc") 2>"$tmp/err" | true
same "a reader that left: no noise" "" "$(cat "$tmp/err")"

# Interrupted, sapp-lp answers with the best plan so far; before planning it just ends.
# Two signals at once, as timeout and batch systems send them.
line=$(sed -n 8p "$top/tests/data/plans.jsonl")
printf '%s\n' "$line" | jq -c '.records[]' >"$tmp/large"
interrupt() {
	signal=$1; shift
	sapp-lp -v -s 16 -mb 32 -gap 0 -t 3000 "$@" "$tmp/large" >"$tmp/out" 2>"$tmp/err" &
	# In its own shell: this is part of a check, and not counted.
	(soon "it searches" grep -q ' best .* bound ' "$tmp/err") >"$tmp/begun"
	kill -s $signal $! $!
	wait $!
}
for signal in INT TERM; do
	check "SIG$signal: answered" interrupt $signal -i 2 -mem 54000
	instance=$line
	holds "SIG$signal: every layer placed" "$PLACED"
	holds "SIG$signal: within memory" "$FITS"
	holds "SIG$signal: with its bound and gap" "$BOUNDED and \$plan.gap > 0 and \$plan.status == \"feasible\""
	same "SIG$signal: soon" true "$(of '.solve_seconds < 2900')"
done
check "several questions" interrupt INT -i 2,3 -mem 58000
same "are all answered at once" "2 true" \
	"$(jq -s -r 'map(select(.kind == "plan")) | "\(length) \(map(.solve_seconds) | add < 2900)"' "$tmp/out")"
check "by timeout" run 0 timeout --preserve-status 3 sapp-lp -s 16 -mb 32 -i 2 -mem 54000 -gap 0 -t 300 "$tmp/large"
run 130 sh -c 'sleep 2 | timeout --preserve-status -s INT 0.3 sapp-lp'
same "SIGINT before the input has ended" "130 0" "$got $(wc -c <"$tmp/out")"
# With any time limit the plan is no longer than even layers with the least fitting recomputation, 139,167 ms.
cat >"$tmp/even" <<END
{"kind":"model","name":"even","stage_const_mem":3432}
{"kind":"layer","name":"head","type":"HEAD","nb_layer":1,"time":0.2,"memory_parameter":2254.5,"backward_time":0.23}
{"kind":"layer","name":"dense","type":"BODY","nb_layer":80,"time":8.33,"memory_parameter":1836,\
"memory_activation":536.5,"backward_time":16.77,"memory_select_rec":360.5,"select_rec_time":16.97,\
"memory_recompute":32,"recompute_time":25.1}
{"kind":"layer","name":"tail","type":"TAIL","nb_layer":1,"time":8.14,"memory_parameter":2254.5,\
"memory_transient":1892,"backward_time":14.55}
{"kind":"pipeline","stages":4,"micro_batches":256,"interleave":10,"schedule":"vpp","memory_limit":81920}
END
check "little time" run 0 sapp-lp -j -target megatron -t 0.02 "$tmp/even"
same "is enough for even layers" true "$(jq 'select(.kind == "plan").step_time < 139200' "$tmp/out")"
# With one chunk also, without recomputation, which fits here.
jq -c 'if .kind == "pipeline" then .interleave = 1 | .schedule = "1f1b" | .micro_batches = 32
	elif .kind == "layer" then .memory_parameter /= 4 else . end' "$tmp/even" >"$tmp/one"
least=$(sapp-lp -j -target megatron -t 10 "$tmp/one" 2>"$tmp/err" | jq 'select(.kind == "plan").step_time')
check "little time for one chunk" run 0 sapp-lp -j -target megatron -t 0.02 "$tmp/one"
same "recomputes nothing where all fits" "[\"none\"]" \
	"$(jq -c 'select(.kind == "plan").counts.dense | keys' "$tmp/out")"
near "and is as long as with more" "$least" "$(jq 'select(.kind == "plan").step_time' "$tmp/out")" \
	"$(echo "$least" | awk '{ print $1 * 0.002 }')"
done_testing
