#!/bin/sh
# A schedule needs only two rows: in the table of schedules, and in the table of sapp-check. With the first row a copy
# of zero-bubble-v under another name is simulated and planned like the original; with both rows it is also proved.
. "$(dirname "$0")/lib.sh"

# Only the descriptions of schedules, frameworks and files name a schedule. Custom does not count: its order is given.
names=$(sed -n 's/^\tROW(\(SCHEDULE_[A-Z0-9_]*\),.*/\1/p' "$top/tools/lib/schedule/schedule.h" |
	grep -v _CUSTOM | paste -sd '|')
cd "$top/tools" || exit 1
same "no other file names a schedule" "" "$(grep -rnE --include='*.[ch]' "\\b($names)\\b" . |
	grep -vE '^\./(lib/(schedule|target|setup)|sapp-yaml)/|^\./lib/record/configuration\.c:')"

[ -n "$LONG" ] || { skip "a schedule is added: make check-long builds it"; done_testing; exit; }
mkdir "$tmp/tree"
cp -r "$top/Makefile" "$top/tools" "$top/share" "$tmp/tree"
cd "$tmp/tree" || exit 1
sed -i 's/^\tROW(SCHEDULE_ZERO_BUBBLE_V, .*/&\n\tROW(SCHEDULE_ADDED, "added", scheme_zero_bubble_v) \\/' \
	tools/lib/schedule/schedule.h
build() { make -s CFLAGS=-O1 OPTIMIZE= build/bin/sapp-lp build/bin/sapp-check build/bin/sapp-sim; }
check "a tree with a schedule more is built" build
PATH=$tmp/tree/build/bin:$PATH
printf '{"kind":"layer","name":"%s","type":"BODY","time":%d,"nb_layer":%d,"memory_parameter":10,
"memory_activation":%d,"memory_recompute":2}\n' a 10 6 7 b 14 3 9 | paste -d '' - - >"$tmp/layers"
# plan SCHEDULE FILE
plan() {
	run 0 sapp-lp -s 3 -mb 8 -mem 300 -i 2 -S "$1" -gap 0 -t 100 -proof "$2.proof" "$tmp/layers" &&
		cp "$tmp/out" "$2"
}
# told FILE: print the numbers of the plan and of its simulation.
told() {
	get plan '[.offset, .recompute, .step_time, .lower_bound, .status]' <"$1"
	sapp-sim -j "$1" | get sim '[.step_time, .peak_memory, .bubble]'
}
check "it is planned" plan added "$tmp/added"
check "the original, too" plan zero-bubble-v "$tmp/original"
same "both have the same plan, bound and simulation" "$(told "$tmp/original")" "$(told "$tmp/added")"
fails "without a row in the checker its proof is refused" 1 "no proof exists for the schedule 'added'" \
	sapp-check "$tmp/added.proof" "$tmp/added"
sed -i 's/{ "zero-bubble-v", ORDER_ANY, 2 }/&, { "added", ORDER_ANY, 2 }/' tools/sapp-check/order.c
check "the checker has its row" build
sapp-check "$tmp/original.proof" "$tmp/original" | sed s/zero-bubble-v/added/g >"$tmp/want"
sapp-check "$tmp/added.proof" "$tmp/added" >"$tmp/got"
check "a bound of zero-bubble-v is proved" grep -q 'proved' "$tmp/want"
same "and that of its copy, as far" "$(cat "$tmp/want")" "$(cat "$tmp/got")"
done_testing
