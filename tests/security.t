#!/bin/bash
# Attacks and faults through names, files, signals and full disks: no code runs, output stays intact, no files are left
# behind.
. "$(dirname "$0")/lib.sh"
set +e
mkdir "$tmp/sweeps" "$tmp/bin" "$tmp/t"
cd "$tmp/sweeps" || exit 1
export TMPDIR=$tmp/t
cat >"$tmp/layers.jsonl" <<END
{"kind":"model","name":"m"}
{"kind":"layer","name":"Head","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":100}
{"kind":"layer","name":"Body","type":"BODY","nb_layer":16,"time":2,"memory_parameter":200,"memory_activation":100,\
"memory_recompute":10}
{"kind":"layer","name":"Tail","type":"TAIL","nb_layer":1,"time":2,"memory_parameter":100}
END
layers=$tmp/layers.jsonl
question=(-s 4 -mb 8 -mem 2500 -t 1)
sapp-lp -j "${question[@]}" -gap 0 "$layers" >"$tmp/plan" && sapp-sim -j -e "$tmp/plan" >"$tmp/sim" || exit 1
# No command in a name ran, on this machine or another.
unharmed() { same "$1: runs nothing" '' "$(find "$tmp" -name '*PWNED*' ! -path "*touch*" 2>/dev/null)"; }
waiting() { soon "$1" "${@:2}"; }
gone() { ! pgrep -f "$1" >"$tmp/null" 2>&1; }

# --- sapp-sweep: no name is parsed by a shell
cat >"$tmp/bin/sbatch" <<'END'
#!/bin/bash
for a; do case $a in --array=*) array=${a#--array=} ;; --chdir=*) cd "${a#--chdir=}" || exit 1 ;; esac; done
while [[ $1 == -* ]]; do shift; done
for n in ${array//,/ }; do SLURM_ARRAY_TASK_ID=$n "$@" || exit 1; done
END
cat >"$tmp/bin/ssh" <<'END'
#!/bin/sh
shift
exec sh -c "$*"
END
chmod +x "$tmp/bin"/*
echo there >"$tmp/hosts"
n_odd=0
for odd in "o';touch PWNED;'" '{}' '{#}' "\$(touch PWNED)" "\`touch PWNED\`" '-n' '%j' 'a;touch PWNED' $'line\nbreak' \
	"q\"touch" '*'; do
	n_odd=$((n_odd + 1))
	case $((n_odd % 3)) in
	0) how=() ;;
	1) how=(-slurm '') ;;
	2) how=(-hosts "$tmp/hosts") ;;
	esac
	check "sapp-sweep ${how[*]} -o $(printf %q "$odd")" env PATH="$tmp/bin:$PATH" sapp-sweep "${question[@]}" \
		"${how[@]}" -o "$odd" "$layers"
	check "writes there" test -s "./$odd/ranking.txt"
	unharmed "$(printf %q "$odd")"
	rm -rf -- "./$odd"
done
mkdir "$tmp/sweeps/it's {} here; touch PWNED"
check "sapp-sweep in a directory with an apostrophe" sh -c 'cd "$0" && sapp-sweep -s 4 -mb 8 -mem 2500 -t 1 "$1"' \
	"$tmp/sweeps/it's {} here; touch PWNED" "$layers"
unharmed "the directory"
mkdir -p "$tmp/it's {}; touch PWNED/scripts"
cp -r "$top/scripts/sapp-sweep" "$top/scripts/lib" "$tmp/it's {}; touch PWNED/scripts/"
cp -r "$top/share" "$tmp/it's {}; touch PWNED/"
check "sapp-sweep from such a path" "$tmp/it's {}; touch PWNED/scripts/sapp-sweep" "${question[@]}" -o sweep1 "$layers"
check "sapp-sweep from such a path, on Slurm" env PATH="$tmp/bin:$PATH" "$tmp/it's {}; touch PWNED/scripts/sapp-sweep" \
	"${question[@]}" -slurm '' -o sweep2 "$layers"
check "sapp-sweep from such a path, on hosts" env PATH="$tmp/bin:$PATH" "$tmp/it's {}; touch PWNED/scripts/sapp-sweep" \
	"${question[@]}" -hosts "$tmp/hosts" -o sweep3 "$layers"
unharmed "its path"
for name in $'x\t-solver touch' $'x\n-lp' ; do
	cp "$layers" "$tmp/$name"
	fails "layers called $(printf %q "$name")" 1 'control characters in its path' sapp-sweep \
		"${question[@]}" -o sweep4 "$tmp/$name"
done
fails "-S of a pattern" 2 "-S: not a schedule '*'" sapp-sweep "${question[@]}" -S '*' -o sweep4 "$layers"
fails "-S of an option" 2 "-S: not a schedule '-solver'" sapp-sweep "${question[@]}" -S -solver -o sweep4 "$layers"
same "-lp is no pattern of file names" '*' "$(sapp-sweep -n "${question[@]}" -lp '*' "$layers" 2>"$tmp/null" |
	awk '{ print $NF }')"
touch pattern1 pattern2
fails "nor when it runs" 1 'pattern*' sapp-sweep "${question[@]}" -lp 'pattern*' -o sweep4 "$layers"
cp "$layers" ./-x.jsonl
check "layers that look like an option" sapp-sweep "${question[@]}" -o sweep5 -- -x.jsonl
check "CDPATH" env CDPATH=/tmp:/ sapp-sweep "${question[@]}" -o sweep6 "$layers"
mkdir sweep7
touch "sweep7/$(sapp-sweep "${question[@]}" -o sweep6 "$layers" >"$tmp/null" 2>&1
	sed 's/\t.*//' sweep6/questions).host.12345.new"
check "what a killed one left" sapp-sweep "${question[@]}" -o sweep7 "$layers"
same "is removed" '' "$(find sweep7 -name '*.new')"
# --- sapp-search: no name is parsed by a shell
jq -nc '{ model_type: "llama", num_hidden_layers: 4, hidden_size: 1024, num_attention_heads: 8, intermediate_size: 4096,
	vocab_size: 32000, max_position_embeddings: 1024 }' >'net $(touch PWNED).json'
printf 'model: "net $(touch PWNED).json"\ndevices: 4\ncluster: h100\nglobal_batch: 8\nlimits:\n%s' \
	'  {vp: 1, mbs: 1, cp: 1, tp: 1}' | sed 's/  {/  /; s/}$//; s/, /\n  /g' >'-job;touch PWNED;.yaml'
n_odd=0
# Here, on Slurm and on hosts; with other names in make check-long.
for odd in "o';touch PWNED;'" '-n' "\$(touch PWNED)" '{#}' '*' 'a b'; do
	n_odd=$((n_odd + 1))
	[ $n_odd -le 3 ] || long || continue
	case $((n_odd % 3)) in
	0) how=() ;;
	1) how=(-slurm '') ;;
	2) how=(-hosts "$tmp/hosts") ;;
	esac
	check "sapp-search ${how[*]} -o $(printf %q "$odd")" env PATH="$tmp/bin:$PATH" sapp-search -k 1 -t 2 \
		"${how[@]}" -o "$odd" -- '-job;touch PWNED;.yaml'
	check "writes there" test -s "./$odd/report.txt"
	unharmed "sapp-search in $(printf %q "$odd")"
	rm -rf -- "./$odd"
done
rm -f -- 'net $(touch PWNED).json' '-job;touch PWNED;.yaml'
fails "sapp-search -o of two lines" 2 '-o: control characters in the name' sapp-search -o $'a\nb' "$layers"
(
	exec 9>sweep7/.lock
	flock 9
	fails "two at once in a directory" 1 'another sapp-sweep is running in it' sapp-sweep \
		"${question[@]}" -o sweep7 \
		"$layers"
) | sed "s/ok [0-9]*/ok $((n + 1))/"
n=$((n + 1))

# --- interrupted runs: no process continues, and partial results do not count
cat >"$tmp/bin/sapp-lp" <<END
#!/bin/sh
# A planner that, if interrupted, prints its results so far, like sapp-lp. The real sapp-lp gives the questions.
case " \$* " in *' -n '*) exec "$BUILD/bin/sapp-lp" "\$@" ;; esac
trap 'cat "$tmp/plan"; exit 0' TERM INT HUP
echo \$\$ >>"$tmp/pids"
i=0
while [ \$i -lt 6000 ]; do sleep 0.1; i=\$((i + 1)); done
END
chmod +x "$tmp/bin/sapp-lp"
begun() { [ -s "$tmp/pids" ]; }
none_left() { for p in $(cat "$tmp/pids"); do ! kill -0 "$p" 2>/dev/null || return 1; done; }
for signal in TERM HUP PIPE INT; do
	rm -f "$tmp/pids"
	# Started from perl, so that INT is not ignored, as in background jobs of a shell, nor HUP, as under nohup.
	PATH=$tmp/bin:$PATH perl -e '$SIG{$_} = "DEFAULT" for qw(HUP INT PIPE); exec @ARGV' sapp-sweep \
		"${question[@]}" -j 2 -mem 2400,2500 -o "early-$signal" "$layers" >"$tmp/out" 2>"$tmp/err" &
	script=$!
	waiting "SIG$signal: sapp-sweep runs" begun
	kill "-$signal" $script
	wait $script
	status=$?
	same "SIG$signal: sapp-sweep's status" $((128 + $(kill -l $signal))) $status
	waiting "SIG$signal: its planners are gone" none_left
	same "SIG$signal: no answer, nothing half made" '' \
		"$(find "early-$signal" -name '*s4-mb8*.jsonl' -o -name '*.new')"
done
sapp-layers -o "$tmp/layers.json" "$layers" >"$tmp/null"
for signal in INT TERM HUP; do
	rm -f "$tmp/pids"
	PATH=$tmp/bin:$PATH perl -e '$SIG{$_} = "DEFAULT" for qw(HUP INT PIPE); exec @ARGV' sapp-balance --layers \
		"$tmp/layers.json" -mem 2500 -o balance >"$tmp/out" 2>"$tmp/err" &
	script=$!
	waiting "SIG$signal: sapp-balance plans" begun
	kill "-$signal" $script
	wait $script
	status=$?
	same "SIG$signal: sapp-balance's status" $((128 + $(kill -l $signal))) $status
	waiting "SIG$signal: its planner is gone" none_left
	same "SIG$signal: no plan, no report" '' "$(find balance -name 'plan*' -o -name 'report*' -o -name '*.new')"
done
check "the next one plans" run 0 sapp-balance --layers "$tmp/layers.json" -mem 2500 -t 1 -o balance
check "and says so" grep -q 'the plan \.\.\.' "$tmp/err"
cat >"$tmp/bin/sbatch" <<END
#!/bin/sh
echo \$\$ >>"$tmp/pids"
exec sleep 600
END
cat >"$tmp/bin/scancel" <<END
#!/bin/sh
echo "\$@" >"$tmp/cancelled"
END
chmod +x "$tmp/bin/scancel"
rm -f "$tmp/pids"
PATH=$tmp/bin:$PATH perl -e '$SIG{$_} = "DEFAULT" for qw(HUP INT PIPE); exec @ARGV' sapp-sweep \
	"${question[@]}" -slurm '' -o array "$layers" >"$tmp/out" 2>"$tmp/err" &
script=$!
waiting "an array job waits" begun
kill -INT $script
wait $script
check "interrupted, it is cancelled" grep -q -- '^--name=sapp-sweep-array-.* --user=' "$tmp/cancelled"
check "which is said" grep -q 'the array job sapp-sweep-array-.* is cancelled' "$tmp/err"
rm -f "$tmp"/bin/*

# --- sapp-balance
export PATH=$tmp/bin:$PATH
strategies=('say "hi"' 'back\slash' "it's" '$(touch PWNED)' -plan '*')
for name in "${strategies[@]}"; do
	printf '%s: {offset: [1, 0, 0, -1], recompute: [5, 4, 4, 3]}\n' "$(jq -nc --arg n "$name" '$n')"
done >"$tmp/manual.yaml"
check "strategies of all names" sapp-balance --layers \
	"$tmp/layers.json" -mem 25000 -t 1 -naive 0 -manual "$tmp/manual.yaml" -o balance2
for name in "${strategies[@]}"; do
	check "$name is in the comparison" grep -qF -- \
		"$(printf '%s:' "$name" | tr '"' "'")" balance2/result_compare.svg
done
unharmed "names of strategies"
echo precious >victim.svg
printf '../victim.svg\n../../result.svg\nresult_old.svg\n/etc/result.svg\n' >balance2/pictures.txt
touch balance2/result_old.svg
rm balance2/sim.jsonl
check "a list of pictures with other files in it" sapp-balance --layers "$tmp/layers.json" -mem 25000 -t 1 -o balance2
check "which stay" test -s victim.svg
check "those that are pictures do not" test ! -e balance2/result_old.svg
mkdir balance3
ln -s ../victim.svg balance3/layers.jsonl.new
ln -s ../victim.svg balance3/layers.jsonl
check "a link where a step writes" sapp-balance --layers "$tmp/layers.json" -mem 25000 -t 1 -o balance3
same "leads nowhere" precious "$(cat victim.svg)"
check "directories and names with quotes" sapp-balance --layers "$tmp/layers.json" -mem 25000 -t 1 -o "o';touch PWNED;'"
unharmed "they"
printf '#!/bin/sh\nkill -SEGV $$\n' >"$tmp/bin/sapp-lp"
chmod +x "$tmp/bin/sapp-lp"
fails "a tool that crashes is an error like any other" 1 'the plan: failed with status 139, signal SEGV' \
	sapp-balance --layers "$tmp/layers.json" -mem 25000 -o balance4
rm "$tmp/bin/sapp-lp"
sed 's/folder_path: .*/folder_path: "-V"/' "$top/examples/llama-175b/init.yaml" >"$tmp/init.yaml"
fails "timelines in a directory called -V" 1 "-V" sapp-balance --init "$tmp/init.yaml" -mem 60000 -o balance5
for script in sapp-balance sapp-sweep sapp-dryrun; do
	same "$script -V says its own name" "$script" "$($script -V | cut -d' ' -f1)"
	for option in -h -V; do
		fails "$script $option on a full disk" 1 'No space left' sh -c "$script $option >/dev/full"
	done
done
fails "a report on a full disk" 1 \
	'No space left' sh -c 'sapp-balance --layers "$0" -mem 25000 -t 1 -o balance3 >/dev/full' "$tmp/layers.json"
fails "a ranking on a full disk" 1 \
	'No space left' sh -c 'sapp-sweep -s 4 -mb 8 -mem 2500 -t 1 -o sweep6 "$0" >/dev/full' "$layers"
fails "questions on a full disk" 1 'No space left' sh -c 'sapp-sweep -n -s 4 "$0" >/dev/full' "$layers"

# --- sapp-dryrun
printf '#!/bin/bash\n%s\n' \
	'printf "\e]0;owned\a \xc2\x9b31m \xe2\x80\xae evil\n"; echo "Actual peak memory usage (with fragments): '\
'$((100 * (RANK_ID + 1)))M"; exit ${FAIL:-0}' >"$tmp/train"
chmod +x "$tmp/train"
check "operands that look like options" sapp-dryrun -- "$tmp/train" 4 2 -n
check "are a directory" test -d ./-n/stage_0_rank_0
check "and again, finished before" sapp-dryrun -- "$tmp/train" 4 2 -n
fails "a dryrun that fails" 1 'stage 0: exit status 3' env FAIL=3 sapp-dryrun "$tmp/train" 4 2 dry
same "whose log the terminal does not obey" '    ?]0;owned? ?31m ? evil' "$(grep -a -m 1 owned "$tmp/err")"
printf '#!/bin/bash\ntrap "" TERM HUP INT\necho $$ >>"%s"\nwhile :; do sleep 0.2; done\n' "$tmp/pids" >"$tmp/deaf"
chmod +x "$tmp/deaf"
for signal in TERM QUIT; do
	rm -f "$tmp/pids"
	perl -e '$SIG{QUIT} = $SIG{INT} = "DEFAULT"; exec @ARGV' sapp-dryrun \
		-f "$tmp/deaf" 4 2 deaf >"$tmp/out" 2>"$tmp/err" &
	script=$!
	waiting "SIG$signal: a stage that does not listen" begun
	kill "-$signal" $script
	wait $script
	status=$?
	same "SIG$signal: sapp-dryrun's status" $((128 + $(kill -l $signal))) $status
	waiting "SIG$signal: is ended all the same" none_left
done

# --- names and values in records
refused() {	# NAME JSON-STRING
	fails "a name with $1" 1 'control characters' sh -c 'sed "s/\"m\"/$0/" "$1" | sapp-lp -s 4' "$2" "$layers"
	check "which the message does not have" \
		sh -c '! grep -qP "[\x00-\x09\x0b-\x1f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]" "$0"' "$tmp/err"
}
refused "an escape" '"a\\u001b[31m"'
refused "a C1 control" '"a\\u009b31m"'
refused "a mark that turns the direction" '"a\\u202egpj"'
refused "another" '"a\\u2066b"'
refused "a line separator" '"a\\u2028b"'
fails "a name that no reader takes is not written" 1 'name: control characters' sapp-layers -m $'a\nb' \
	"$tmp/layers.json"
jq -nc '{kind: "model", name: "m"},
	(range(1001) | {kind: "layer", name: "b\(.)", type: "BODY", nb_layer: 1, time: 1})' >many.jsonl
fails "nor more layers than a document may have" 1 'more than 1000 layers' sapp-layers -o x.json many.jsonl
check "so nothing is written" test ! -e x.json
odd=$(printf 'time\377line')
"$top/examples/llama-175b/make-timeline" "$odd" >"$tmp/null" 2>&1
fails "a directory whose name is not UTF-8" 1 "not UTF-8 'time?line" sapp-trace -mb 16 "$odd"
jq -c 'if .kind == "sim" then .name = "]]><script>&\"" elif .plan then .plan = "]]><script>&\"" else . end' \
	"$tmp/sim" >"$tmp/xml"
sapp-plot -o xml.svg "$tmp/xml"
check "a name is text in SVG" \
	sh -c '! grep -qF "]]>" xml.svg && ! grep -q "<script" xml.svg && grep -q "&lt;script" xml.svg'
sapp-plot -o page.html "$tmp/xml"
check "and in a page" sh -c '! grep -q "]]><script>" page.html'
mkdir $'share\ndir'
cp -r "$top"/share/* $'share\ndir'
fails "SAPP_SHARE with a new line" 1 'control characters in the path' env SAPP_SHARE=$'share\ndir' \
	sapp-plot -o share.svg "$tmp/sim"
mkdir "sh'are"
cp -r "$top"/share/* "sh'are"
check "SAPP_SHARE with an apostrophe" env SAPP_SHARE="sh'are" sapp-plot -o share.svg "$tmp/sim"
check "GNUTERM" env GNUTERM="dumb; system 'touch PWNED'" sapp-plot -o term.svg "$tmp/sim"
check "does not change the picture" cmp share.svg term.svg
unharmed "gnuplot"
fails "-solver by the beginning of a name" 2 "not cbc, glpsol" sapp-lp -s 4 -solver ./cbc-evil "$layers"

# --- files that are replaced
(ulimit -f 8; trap '' XFSZ; sapp-sim -chrome large.json "$tmp/plan" >"$tmp/null" 2>"$tmp/err"; echo $? >"$tmp/status")
same "a file that may not grow is an error" "1 large" \
	"$(cat "$tmp/status") $(grep -o 'File too large' "$tmp/err" | cut -d' ' -f3)"
(ulimit -f 8; sapp-sim -chrome large.json "$tmp/plan" >"$tmp/null" 2>"$tmp/err"; echo $? >"$tmp/status")
same "not a signal" 1 "$(cat "$tmp/status")"
same "and leaves nothing" '' "$(find . -name 'large.json*')"
example=$top/examples/llama-175b
sapp-memsplit "$example/init.yaml" "$example/peaks.txt" 2>"$tmp/null" >"$tmp/null"
jq -nc '{kind: "pipeline", stages: 4, micro_batches: 8, interleave: 1, schedule: "1f1b", memory_limit: 2500}' \
	>"$tmp/null"
printf 'parallel_config:\n  pipeline_stage: 4\n  micro_batch_num: 8\nmodel:\n  model_config:\n    num_layers: '\
'16\n    offset: 0\n' >train.yaml
chmod 640 train.yaml
if [ "$(id -u)" -eq 0 ]; then
	chown 12:34 train.yaml
	check "sapp-yaml -w" sapp-yaml -w train.yaml "$tmp/plan"
	same "keeps owner, group and permissions" '12:34 640' "$(stat -c '%u:%g %a' train.yaml)"
	chown 0:0 train.yaml
else
	skip 'only root can give a file away'
	skip 'as above'
fi
check "it was edited" grep -q 'offset: \[' train.yaml
sed -i 's/offset: .*/offset: 0/' train.yaml
ln train.yaml twin.yaml
fails "a file with another name" 1 'it has 2 hard links' sapp-yaml -w train.yaml "$tmp/plan"
check "is as it was" grep -q 'offset: 0' twin.yaml
rm twin.yaml
chmod 444 train.yaml
fails "a file that is read-only" 1 'it is read-only' sapp-yaml -w train.yaml "$tmp/plan"
check "is as it was" grep -q 'offset: 0' train.yaml
chmod 644 train.yaml
mkdir deep
ln -s deep/not-there.json dangling.json
check "-o on a link to what is not there" sh -c 'sapp-layers -o dangling.json "$0" >"$1"' "$layers" "$tmp/null"
check "makes it there" test -L dangling.json -a -s deep/not-there.json
ln -s loop loop
fails "a link to itself" 1 'cannot be written' sapp-layers -o loop "$layers"
if command -v strace >"$tmp/null" && strace -o "$tmp/null" true 2>"$tmp/null"; then
	strace -o "$tmp/calls" -e trace=fsync,rename,renameat,renameat2 sapp-yaml -w train.yaml \
		"$tmp/plan" >"$tmp/null" 2>&1
	same "what replaces is on the disk before" 'fsync rename' \
		"$(sed -n 's/^\(fsync\|rename\)[a-z2]*(.*/\1/p' "$tmp/calls" | xargs)"
else
	skip 'strace cannot trace here'
fi
done_testing
