#!/bin/sh
# Environment, logs, failures, and continuing after an interruption.
. "$(dirname "$0")/../lib.sh"
mkdir "$tmp/w" && cd "$tmp/w" || exit 1
cat >train <<'END'
echo "$RANK_ID $STAGE_ID $RANK_SIZE $MS_SIMULATION_LEVEL $MS_KERNEL_LAUNCH_SKIP \
$MS_MEMORY_STATISTIC ${RANK_TABLE_FILE-none}"
echo "$STAGE_ID" >>started
[ ! -e broken ] || [ "$STAGE_ID" != 2 ] || { echo "no such operator"; exit 3; }
[ ! -e silent ] || [ "$STAGE_ID" != 1 ] || exit 0
[ ! -e killed ] || [ "$STAGE_ID" = 3 ] || kill -s KILL $$
[ ! -e slow ] || { ps -o pgid= -p $$ >>groups; sleep 600; }
echo "Actual peak memory usage (with fragments): $((1000 * (STAGE_ID + 1)))M"
[ ! -e used ] || echo "Used peak memory usage (without fragments): $((900 * (STAGE_ID + 1)))M"
END
dry() { RANK_TABLE_FILE=x sapp-dryrun 'sh ./train' 4096 4 out "$@"; }

check "four stages" run 0 dry
same "peaks in order" "out/stage_0_rank_0/mindformer.log:2:Actual peak memory usage (with fragments): 1000M
out/stage_1_rank_1024/mindformer.log:2:Actual peak memory usage (with fragments): 2000M
out/stage_2_rank_2048/mindformer.log:2:Actual peak memory usage (with fragments): 3000M
out/stage_3_rank_3072/mindformer.log:2:Actual peak memory usage (with fragments): 4000M" "$(cat "$tmp/out")"
same "progress" 1 "$(grep -c '4 of 4$' "$tmp/err")"
same "the environment" "3072 3 4096 1 all 1 none" "$(head -1 out/stage_3_rank_3072/mindformer.log)"
same "each once" "0 1 2 3" "$(sort started | tr '\n' ' ' | sed 's/ $//')"
rm -f started
check "again" run 0 dry
check "nothing is run twice" test ! -e started
same "and the peaks are printed" 4 "$(grep -c Actual "$tmp/out")"
check "-f runs all" run 0 dry -f
same "all four" 4 "$(wc -l <started | tr -d ' ')"
rm -f started
check "another command runs all" run 0 sapp-dryrun 'sh ./train ' 4096 4 out
same "all four of them" 4 "$(wc -l <started | tr -d ' ')"
check "-round has its own directory" run 0 dry -round 1 -j 1
check "round_1" test -s out/round_1/stage_3_rank_3072/mindformer.log

rm -rf out started; touch broken
fails "a stage that fails" 1 "stage 2: exit status 3; the end of out/stage_2_rank_2048/mindformer.log:" dry
check "the end of its log" grep -q 'no such operator' "$tmp/err"
check "what to do" grep -q '1 of 4 stages failed; the same command repeats them' "$tmp/err"
same "the others' peaks" 3 "$(grep -c Actual "$tmp/out")"
rm -f broken started
check "mended" run 0 dry
same "only that one is run" 2 "$(cat started)"
rm -rf out; touch silent
fails "a stage without a peak" 1 "stage 1: no peak memory in its log" dry
rm -f silent

# Kill the process as the system does when memory runs out.
rm -rf out started; touch killed
fails "stages that are killed" 1 "stage 0: exit status 137; the end of out/stage_0_rank_0/mindformer.log:" dry
same "all of them" 3 "$(grep -c 'exit status 137' "$tmp/err")"
same "the one that is not" "out/stage_3_rank_3072/mindformer.log" "$(cut -d: -f1 "$tmp/out")"
check "what to do then" grep -q '3 of 4 stages failed; the same command repeats them' "$tmp/err"
same "nothing else is said" 0 "$(grep -cv '^sapp-dryrun: \|^    ' "$tmp/err")"
touch used
check "one at a time, too, with the peak that sapp-memsplit takes" \
	sh -c '! sapp-dryrun "sh ./train" 4096 4 out -j 1 -f 2>err && grep -q "stage 3: 4000M, 4 of 4" err'
rm -f killed used

rm -rf out started; touch slow
sapp-dryrun 'sh ./train' 4096 4 out >/dev/null 2>stop.err &
pid=$!
soon "a stage runs" test -s groups
kill -TERM $pid
wait $pid
same "a signal ends it" 143 $?
# Only processes of the process groups that it started count.
ended() { [ -z "$(ps -eo pgid=,stat= | awk 'NR == FNR { group[$1]; next } $1 in group && $2 !~ /^Z/' groups -)" ]; }
soon "with what it started" ended
rm -f slow

printf 'echo "rank $RANK_ID"\necho "No module named x"\nexit 1\n' >alike
fails "the same failure twice ends all" 1 "all fail alike: 6 of 8 stages were not started" \
	sapp-dryrun -j 1 'sh ./alike' 4096 8 alike_out
same "and is printed once" 1 "$(grep -c 'No module named x' "$tmp/err")"
fails "a command that is not there" 1 "the command cannot be run: 6 of 8 stages were not started" \
	sapp-dryrun './none' 64 8 out-none -j 2
same "is not tried for every stage" 2 "$(find out-none -name mindformer.log | wc -l)"
fails "three operands" 2 "4 operands are expected, not 3" sapp-dryrun x 4 4
fails "a rank size that stages do not divide" 1 "RANK_SIZE 10 cannot be divided by 4 stages" sapp-dryrun x 10 4 out2
fails "no number" 2 "STAGES: not a whole number of at least 2 'four'" sapp-dryrun x 16 four out2
fails "no jobs" 2 "-j: not a whole number of at least 1 '0'" sapp-dryrun x 16 4 out2 -j 0
fails "an unknown option" 2 "unknown option '-x'" sapp-dryrun -x
fails "an option without its number" 2 "-j: a number is missing" sapp-dryrun x 16 4 out2 -j
fails "an empty command" 2 "COMMAND is empty" sapp-dryrun '' 16 4 out2
fails "a directory that cannot be made" 1 "" sapp-dryrun x 16 4 /dev/null/out
check "-h" run 0 sapp-dryrun -h
check "-V" run 0 sapp-dryrun -V
same "which is it" sapp-dryrun "$(cut -d' ' -f1 "$tmp/out")"
fails "its version on a full disk" 1 "" sh -c 'sapp-dryrun -V >/dev/full'
done_testing
