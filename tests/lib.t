#!/bin/sh
# lib.sh: a failing jq program makes the test fail, whatever becomes of its output.
. "$(dirname "$0")/lib.sh"
# nested LINE...: print the results of a test with these lines.
nested() {
	{ printf '. "%s"\n' "$top/tests/lib.sh"; printf '%s\n' "$@" done_testing; } >"$tmp/nested.t"
	sh "$tmp/nested.t" 2>"$tmp/said" | paste -s -d,
}
missing='not ok 2 - every program of jq ran,1..2'
same 'programs that run are no check of their own' 'ok 1 - one,1..1' "$(nested 'same one 1 "$(echo 1 | jq .)"')"
same 'one that does not compile fails, though nothing is nothing' "ok 1 - one,$missing" \
	"$(nested 'same one "" "$(echo {} | jq "select(" 2>"$tmp/null")"')"
check 'and is named' grep -q '^# status 3: jq select($' "$tmp/said"
same 'so does one that ends in an error' "ok 1 - one,$missing" "$(nested 'same one "" "$(echo {} | jq error)"')"
same 'an option that is none' "ok 1 - one,$missing" "$(nested 'same one "" "$(echo {} | jq --none . 2>"$tmp/null")"')"
same 'and one in the middle of a pipe' "ok 1 - one,$missing" \
	"$(nested 'same one 0 "$(echo "{}" | jq ".[0]" 2>"$tmp/null" | wc -l)"')"
same 'not one whose -e says no' 'ok 1 - one,1..1' "$(nested 'check one sh -c true; echo false | jq -e . >"$tmp/null"')"
same 'nor command jq' 'ok 1 - one,1..1' "$(nested 'same one "" "$(echo {} | command jq error 2>"$tmp/null")"')"
same 'draws are few, or many' '5 7' "$(unset LONG; draws 5 7) $(LONG=1; draws 5 7)"
done_testing
