#!/bin/sh
# Small runs: in sequence, continued after an interruption, logs, a run that does not start.
. "$(dirname "$0")/../lib.sh"
mkdir "$tmp/w" && cd "$tmp/w" || exit 1
for name in a b c; do
	printf '{"kind":"run","name":"%s","dir":"%s","dp":4,"tp":2,"pp":1,"micro_batches":4,"devices":8,%s}\n' \
		$name "in/$name" \
		"\"purpose\":\"anchor\",\"command\":\"--name '$name'\\n\\t--more\""
done >runs.jsonl
cat >train <<'END'
echo "$SAPP_RUN $RANK_SIZE $SAPP_RUN_PURPOSE" >>started
printf '%s' "$SAPP_RUN_SETTINGS" >>settings
echo "this is $SAPP_RUN"
[ ! -e absent ] || [ "$SAPP_RUN" != b ] || exit 3
mkdir "$SAPP_RUN_DIR/rank_0"
[ ! -e broken ] || [ "$SAPP_RUN" != b ] || exit 4
[ ! -e slow ] || sleep 600
[ -e silent ] || echo whole >"$SAPP_RUN_DIR/rank_0/kernel_details.csv"
END
dry() { sapp-dryrun -runs runs.jsonl 'sh ./train' out "$@"; }
check 'three runs' run 0 dry
same 'one after the other, with their devices' 'a 8 anchor b 8 anchor c 8 anchor' "$(xargs <started)"
same 'and their settings, to the byte' "--name 'a'
	--more--name 'b'
	--more--name 'c'
	--more" "$(cat settings)"
same 'a log each' 'this is b' "$(cat out/in/b/run.log)"
same 'progress' 1 "$(grep -c 'run c: complete, 3 of 3' "$tmp/err")"
rm started
check 'again' run 0 dry
check 'nothing is made twice' test ! -e started
check 'which is said' grep -q 'all runs are complete' "$tmp/err"
rm -r out/in/b
check 'one that is gone' run 0 dry
same 'that alone is made' 'b 8 anchor' "$(cat started)"

rm -rf out started; touch broken
fails 'one that fails' 1 'run b: failed, 2 of 3; the end of out/in/b/run.part:' dry
check 'with the end of its log' grep -q 'this is b' "$tmp/err"
check 'the others are made' grep -q 'run c: complete, 3 of 3' "$tmp/err"
check 'what to do' grep -q '1 of 3 runs failed; the same command repeats them' "$tmp/err"
rm broken started out/in/b/rank_0 -r
check 'mended' run 0 dry
same 'only that one' 'b 8 anchor' "$(cat started)"
rm -rf out started; touch absent
fails 'one that does not start' 1 'the command did not start; 1 of 3 runs were not made' dry
same 'ends all' 'a 8 anchor b 8 anchor' "$(xargs <started)"
rm -rf absent out started
fails 'no such command' 1 'the command did not start; 2 of 3' sapp-dryrun -runs runs.jsonl ./nothing out
rm -rf out; touch silent
fails 'no profile' 1 'run a: no complete profile, 1 of 3' dry
rm -rf silent out started; touch slow
sapp-dryrun -runs runs.jsonl 'sh ./train' out 2>err &
pid=$!
soon 'it runs' test -s started
kill "$pid"
wait "$pid"
same 'a signal ends it' 143 $?
check 'and says so' grep -q 'stopped; the same command continues from here' err
rm -rf slow out

jq -c '.purpose = "static" | .pp = 8' runs.jsonl >static.jsonl
fails 'a run for its log alone, which fails' 1 'failed, 1 of 3' \
	sapp-dryrun -runs static.jsonl 'echo half; mkdir $SAPP_RUN_DIR/x; exit 1' out
check 'is made again' run 0 sapp-dryrun -runs static.jsonl 'echo whole' out
same 'to its end' 'whole' "$(cat out/in/a/run.log)"
rm -rf out

fails 'no file' 1 'nowhere' sapp-dryrun -runs nowhere true out
echo '{"kind":"none"}' >none
fails 'no run' 1 'no run record' sapp-dryrun -runs none true out
fails 'standard input' 1 'cannot be standard input, as it is read twice' sapp-dryrun -runs - true out
fails 'a file is missing' 2 '-runs: a file is missing' sapp-dryrun -runs
fails 'operands' 2 '2 operands are expected, not 4' sapp-dryrun -runs runs.jsonl true 8 2 out
fails 'rounds' 2 '-round does not go with -runs' sapp-dryrun -runs runs.jsonl -round 1 true out
fails 'all again' 2 '-f does not go with -runs' sapp-dryrun -f -runs runs.jsonl true out
fails 'an empty command' 2 'COMMAND is empty' sapp-dryrun -runs runs.jsonl '' out
jq -c '.dir = "../up"' runs.jsonl >up.jsonl
fails 'another directory' 1 "not below the directory of the runs '../up'" sapp-dryrun -runs up.jsonl true out
check 'is not made' test ! -e up
done_testing
