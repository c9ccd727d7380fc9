#!/bin/sh
# -h of every tool: its forms, an example, a line an option, the page of the manual; of a wrong use the reason comes
# first.
. "$(dirname "$0")/lib.sh"
for tool in "$BUILD"/bin/sapp-*; do
	called=$(basename "$tool")
	"$called" -h >"$tmp/help"
	check "$called: forms" grep -q "^usage: $called" "$tmp/help"
	check "$called: an example that names it" grep -q "^example: .*$called" "$tmp/help"
	check "$called: the page" grep -qx "More: man $called" "$tmp/help"
	# Every option of the forms has a line, and the forms show every option that has a line.
	sed -n '/^usage:/,/^example:/p' "$tmp/help" | grep -v '^example' |
		grep -oE '(^|[][ |(])--?[A-Za-z]+(-[a-z]+)*' |
		grep -oE -- '-[A-Za-z]+(-[a-z]+)*' | grep -vxE -- '-h?V?v?j?H?|-[ehjHvV]+' | sort -u >"$tmp/forms"
	sed -n 's/^  \(-[A-Za-z-]*\).*/\1/p' "$tmp/help" | grep -vxE -- '-[hVvjHe]' | sort -u >"$tmp/lines"
	same "$called: a line for every option" "$(cat "$tmp/forms")" "$(cat "$tmp/lines")"
	same "$called: every line says something" '' "$(grep -E '^  -[A-Za-z-]+ *$' "$tmp/help")"
	same "$called: no line is longer than a terminal" '' \
		"$(grep -v '^usage\|^      \|^example' "$tmp/help" | awk 'length > 100')"
	pages="$top/man/$called.1"
	[ "$called" != sapp-est ] || pages="$pages $top/man/sapp-enum.1"	# whose options of a space it has
	same "$called: the manual has every option" '' "$(sed 's/^-//' "$tmp/lines" | while read -r option; do
		# shellcheck disable=SC2086 # one or two pages
		grep -qE -- "(Fl|\\|) $option( |\$)" $pages || echo "$option"; done)"
	"$called" -nonsense >"$tmp/out" 2>"$tmp/err" </dev/null
	same "$called: a wrong option is status 2" 2 $?
	check "$called: the reason first" sh -c 'head -n 1 "$1" | grep -q "nonsense"' sh "$tmp/err"
	check "$called: and where help is" grep -q "^$called -h: " "$tmp/err"
done
fails 'an option misspelt: the nearest' 2 'the nearest option is -manual' sapp-sim -manal x
fails 'one of several letters' 2 'the nearest option is -speed' sapp-sim --sped
fails 'a long name of another tool: the option that is about it' 2 'the nearest option is -s' sapp-lp --stages 8
fails 'with its value' 2 'the nearest option is -mem' sapp-lp --memory=8
fails 'one that several are about' 2 "options about 'lists': -S -set -target" sapp-lp --lists
fails 'no word of it' 2 "unrecognized option '--qqqq'" sapp-lp --qqqq 8
same 'no guess then' '' "$(grep -E 'nearest|about' "$tmp/err")"
fails 'an argument that is missing' 2 "option '-mem' requires an argument" sapp-lp -mem
same 'no guess then, either' '' "$(grep -E 'nearest|about' "$tmp/err")"
fails 'a schedule misspelt' 2 "-S: unknown 'zb-1h'; known: gpipe 1f1b" sapp-lp -S zb-1h
check 'and the nearest' grep -q "; the nearest is 'zb-h1'" "$tmp/err"
fails 'a framework misspelt' 2 "; the nearest is 'megatron'" sapp-lp -target megatron-lm
fails 'a kind of recomputation misspelt' 2 "; the nearest is 'select'" sapp-guide -s 4 -n 8 -k selct
fails 'a cluster misspelt' 1 "; the nearest is 'a100-80gb'" sapp-est -cluster a100_80gb
fails 'a member of a record misspelt' 1 "<stdin>:1: job: stage: unknown member '4'; the nearest is 'stages'" \
	sh -c "echo '{\"kind\":\"job\",\"stage\":4}' | sapp-lp"
ways='hidden blocking batched overlap streams-1 streams-2 streams-4 one-by-one'
fails 'a word of a record misspelt' 1 "not one of $ways: '\"batchd\"'; the nearest is 'batched'" \
	sh -c "echo '{\"kind\":\"job\",\"transfers\":\"batchd\"}' | sapp-lp"
printf 'pipeline_config:\n  pipeline_nun: 4\n' >"$tmp/init.yaml"
fails 'a key of an init YAML misspelt' 1 "; the nearest is 'pipeline_num'" sapp-memsplit "$tmp/init.yaml"
fails 'a plan misspelt' 1 \
	"-plan: no plan has the name 'planed-1f1b'; there are: by_hand planned-1f1b planned-vpp-i3; the nearest" \
	sapp-yaml -plan planed-1f1b "$top/examples/llama-175b/plans.jsonl"
for script in sapp-balance sapp-sweep sapp-dryrun; do
	"$script" -h >"$tmp/help"
	check "$script: forms" grep -q "^usage: $script" "$tmp/help"
	check "$script: an example that names it" grep -q "^example: $script " "$tmp/help"
	check "$script: the page" grep -qx "More: man $script" "$tmp/help"
	sed -n 's/^  \(--*[A-Za-z][a-z]*\) .*/\1/p' "$tmp/help" | sort -u >"$tmp/lines"
	sed -n '/^while /,/^done/p' "$(command -v "$script")" | grep -oE '(^|[( |	])-[A-Za-z]+' |
		grep -oE -- '-[A-Za-z]+' | sort -u >"$tmp/taken"
	same "$script: every line is of an option that is taken" '' \
		"$(sed 's/^--/-/' "$tmp/lines" | sort -u | comm -23 - "$tmp/taken" | xargs)"
done
for script in sapp-balance sapp-sweep sapp-search sapp-dryrun; do
	"$script" -nonsense >"$tmp/out" 2>"$tmp/err" </dev/null
	same "$script: a wrong option is status 2" 2 $?
	check "$script: the reason first" sh -c 'head -n 1 "$1" | grep -q "nonsense"' sh "$tmp/err"
done
if command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	# script types a line and one end of input; the commands must not wait for more.
	for waits in "sapp-lp -s 1" sapp-trace sapp-layers sapp-ir sapp-sim; do
		echo | timeout 600 script -qec "$waits" /dev/null >"$tmp/out" 2>&1
		ended=$?
		check "$waits: says what it waits for" grep -q 'waiting for .* from the terminal' "$tmp/out"
		check "$waits: ends with the input" [ $ended -ne 124 ]
	done
else
	skip 'no terminal can be had here'
fi
done_testing
