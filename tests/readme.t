#!/bin/sh
# The README: its picture and its four lines show the figures of the plans, and its commands run from files like a
# user's files for each framework.
. "$(dirname "$0")/lib.sh"

example=$top/examples/llama-175b
cd "$tmp" || exit 1
# block NAME: print the text between the markers of a block
block() { sed -n "/^<!-- $1 -->\$/,/^<!-- end -->\$/{/^<!--/d;p}" "$top/README.md"; }
same 'two screens' yes "$([ "$(wc -l <"$top/README.md")" -le 120 ] && echo yes)"
same 'the four lines are those of the plans, else: make readme' "$(block demo)" "$("$top/share/readme" demo)"
same 'there are four' 4 "$(block demo | wc -l)"
# The bench starts jq a hundred times; in make check it starts gojq, as tests do.
mkdir fast
long || ln -s "$(command -v gojq)" fast/jq
PATH="$PWD/fast:$PATH" "$top/share/readme" truth >truth 2>missing
same 'no figure of real runs is missing' '' "$(cat missing)"
if [ -s truth ]; then
	same 'figures of real runs are what the bench prints, else: make readme' "$(block truth)" "$(cat truth)"
else
	skip 'no files of real runs to compare with'
fi
same 'the table of real runs' 6 "$(block truth | grep -c '^|')"
same 'the table of a run here' 6 "$(block trained | grep -c '^|')"
same 'how long things take' 3 "$(block times | grep -oE ': (below 1|[0-9]+) s' | wc -l)"
# The bench of the run in examples/cpu-run.
mkdir build
for d in '6,6 1f1b false 1000 0' '7,5 1f1b true 900.04 -0.09996' '3,4,4,1 vpp true 850 -0.15'; do
	echo "$d" | awk '{ printf "{\"layers\":\"%s\",\"schedule\":\"%s\",\"planned\":%s,\"measured\":%s,"\
		"\"predicted\":909,\"error\":0.01,\"over_even\":%s,\"predicted_over_even\":-0.0007}\n", \
		$1, $2, $3, $4, $5
		for (i = 0; i < 2; i++)
			printf "{\"layers\":\"%s\",\"error\":%s}\n", $1, $3 == "true" ? -0.02 - i / 100 : 0 }'
done >build/bench-run.jsonl
same 'a division a row, the longest step first' '| 6,6 | 1000.0 ms | 909.0 ms | +1.0 % | +0.0 % | -0.1 % | measured |
| 7,5, planned | 900.0 ms | 909.0 ms | +1.0 % | -10.0 % | -0.1 % | 3.0 % |
| 3,4,4,1, planned in two chunks a stage | 850.0 ms | 909.0 ms | +1.0 % | -15.0 % | -0.1 % | 3.0 % |' \
	"$(BUILD=build "$top/share/readme" trained | sed 1,2d)"
# Blocks are replaced in place, and all other text stays.
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
	# Pictures of different gnuplot versions differ in their comments.
	for f in now.svg "$example/steps.svg"; do sed '/^<desc>/d' "$f" >"$(basename "$f").plain"; done
	check 'the picture is current, else: make picture' cmp -s now.svg.plain steps.svg.plain
else
	skip 'no gnuplot to draw the picture with'
fi

# commands SECTION: print the indented lines after its heading, without comments
commands() { sed -n "/^## $1\$/,/^## [^#]/s/^    //p" "$top/README.md" | sed 's/  *#.*//'; }
# begin SECTION FILE...: enter a directory with copies of these files
begin() {
	mkdir "$tmp/$1" && cd "$tmp/$1" || exit 1
	shift
	cp "$@" .
}
walk() {	# SECTION LINES
	commands "$1" >"$tmp/commands"
	same "$1: its lines" "$2" "$(wc -l <"$tmp/commands")"
	while read -r line; do
		if bash -o pipefail -c "$line" >"$tmp/said" 2>&1 </dev/null; then ok "$line"; else not_ok "$line"
		sed 's/^/# /' "$tmp/said"; fi
	done <"$tmp/commands"
}
begin mindformers "$example"/init.yaml "$example"/peaks.txt "$example"/train.yaml
"$example/make-timeline" timeline >/dev/null
walk 'MindFormers: from a profile to settings' 3
differs=$(cmp -s train.yaml "$example/train.yaml" && echo no)
same 'the training YAML is another' '' "$differs"

begin megatron "$top"/examples/megatron/train.sh "$top"/examples/megatron/train.log
"$top/examples/megatron/make-profile" profile >/dev/null
walk 'Megatron-LM: from a run to its next settings' 2
check 'the script is another, and bash takes it' sh -c '! cmp -s train.sh "$1" && bash -n train.sh' sh \
	"$top/examples/megatron/train.sh"

begin job "$top"/examples/moe-64/config.json
commands 'Which degrees at all?' >job.yaml
same 'a job of five lines' 5 "$(wc -l <job.yaml)"
check 'is searched' sh -c 'sapp-search -t 5 -k 1 job.yaml >said 2>&1'
same 'which finds settings' 1 "$(find search -name '*_pretrain.yaml' | wc -l)"

done_testing
