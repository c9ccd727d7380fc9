#!/bin/sh
# What the README promises: its picture is what the plans beside it give, its four lines are their figures, and its
# commands run, from files as a user of each framework has them.
. "$(dirname "$0")/lib.sh"

example=$top/examples/llama-175b
cd "$tmp" || exit 1
# block NAME: what stands between its markers
block() { sed -n "/^<!-- $1 -->\$/,/^<!-- end -->\$/{/^<!--/d;p}" "$top/README.md"; }
same 'a hundred lines and some' yes "$([ "$(wc -l <"$top/README.md")" -le 130 ] && echo yes)"
same 'the four lines are those of the plans, else: make readme' "$(block demo)" "$("$top/share/readme" demo)"
same 'there are four' 4 "$(block demo | wc -l)"
"$top/share/readme" truth >truth
if [ -s truth ]; then
	same 'figures of real runs are what the bench prints, else: make readme' "$(block truth)" "$(cat truth)"
else
	skip 'no files of real runs to compare with'
fi
same 'the table of real runs' 6 "$(block truth | grep -c '^|')"
same 'how long things take' 3 "$(block times | grep -cE '^\| .* \| (below 1|[0-9]+) s \|$')"
# Blocks are replaced where they stand, and nothing else is.
mkdir -p copy/share copy/examples
cp "$top/share/readme" copy/share
cp -r "$example" copy/examples
printf 'before\n<!-- demo -->\nold\n<!-- end -->\nbehind\n' >copy/README.md
fails 'a page without a place for a block' 1 "no place for 'nothing'" copy/share/readme fill demo nothing
same 'a block in its place' "$(echo before; echo '<!-- demo -->'; block demo; echo '<!-- end -->'; echo behind)" \
	"$(cat copy/README.md)"
if command -v gnuplot >/dev/null; then
	sapp-sim -e "$example/plans.jsonl" >steps.jsonl
	sapp-plot -compare -o now.svg -title "$(sed -n 's/^PICTURE_TITLE *= *//p' "$top/Makefile")" steps.jsonl
	# Its versions differ in their comments.
	for f in now.svg "$example/steps.svg"; do sed '/^<desc>/d' "$f" >"$(basename "$f").plain"; done
	check 'the picture is current, else: make picture' cmp -s now.svg.plain steps.svg.plain
else
	skip 'no gnuplot to draw the picture with'
fi

# commands SECTION: the indented lines behind its heading, without comments
commands() { sed -n "/^## $1\$/,/^## [^#]/s/^    //p" "$top/README.md" | sed 's/  *#.*//'; }
# begin SECTION FILE...: a directory with copies of them
begin() {
	mkdir "$tmp/$1" && cd "$tmp/$1" || exit 1
	shift
	cp "$@" .
}
walk() {	# SECTION
	commands "$1" >"$tmp/commands"
	same "$1: three lines" 3 "$(wc -l <"$tmp/commands")"
	while read -r line; do
		if bash -o pipefail -c "$line" >"$tmp/said" 2>&1 </dev/null; then ok "$line"; else not_ok "$line"
		sed 's/^/# /' "$tmp/said"; fi
	done <"$tmp/commands"
}
begin mindformers "$example"/init.yaml "$example"/peaks.txt "$example"/train.yaml
"$example/make-timeline" timeline >/dev/null
walk 'From a profile to settings'
differs=$(cmp -s train.yaml "$example/train.yaml" && echo no)
same 'the training YAML is another' '' "$differs"

begin job "$top"/examples/moe-64/config.json
commands 'Which degrees at all?' >job.yaml
same 'a job of five lines' 5 "$(wc -l <job.yaml)"
check 'is searched' sh -c 'sapp-search -t 5 -k 1 job.yaml >said 2>&1'
same 'which finds settings' 1 "$(find search -name '*_pretrain.yaml' | wc -l)"

done_testing
