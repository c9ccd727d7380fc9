#!/bin/sh
# What the README promises: its picture is what the plans beside it give, its four lines are their figures, and its
# commands run, from files as a user of each framework has them.
. "$(dirname "$0")/lib.sh"

example=$top/examples/llama-175b
cd "$tmp" || exit 1
sapp-sim -e "$example/plans.jsonl" >steps.jsonl
same 'the four lines' "$(sed -n '/^    by hand /,/^    saved /s/^    //p' "$top/README.md")" \
	"$("$example/in-short" "$example/plans.jsonl" steps.jsonl planned-vpp-i3)"
if command -v gnuplot >/dev/null; then
	sapp-plot -compare -o now.svg -title "$(sed -n 's/^PICTURE_TITLE *= *//p' "$top/Makefile")" steps.jsonl
	# Its versions differ in their comments.
	for f in now.svg "$example/steps.svg"; do sed '/^<desc>/d' "$f" >"$(basename "$f").plain"; done
	check 'the picture is current, else: make picture' cmp -s now.svg.plain steps.svg.plain
else
	skip 'no gnuplot to draw the picture with'
fi

# commands SECTION: the indented lines behind its heading
commands() { sed -n "/^### $1\$/,/^##/s/^    //p" "$top/README.md"; }
# begin SECTION FILE...: a directory with copies of them
begin() {
	mkdir "$tmp/$1" && cd "$tmp/$1" || exit 1
	shift
	cp "$@" .
}
walk() {	# SECTION
	commands "$1" >"$tmp/commands"
	same "$1: five lines" 5 "$(wc -l <"$tmp/commands")"
	while read -r line; do
		if bash -o pipefail -c "$line" >"$tmp/said" 2>&1 </dev/null; then ok "$line"; else not_ok "$line"
		sed 's/^/# /' "$tmp/said"; fi
	done <"$tmp/commands"
}
begin MindFormers "$example"/init.yaml "$example"/peaks.txt "$example"/train.yaml
"$example/make-timeline" timeline >/dev/null
walk MindFormers
differs=$(cmp -s train.yaml "$example/train.yaml" && echo no)
same 'the training YAML is another' '' "$differs"
begin Megatron-LM "$top"/examples/megatron/train.sh "$top"/examples/megatron/train.log
"$top/examples/megatron/make-profile" profile >/dev/null
walk Megatron-LM
check 'arguments of uneven stages' grep -q 'pipeline-model-parallel-layout' train.sh
same 'a step that is as much shorter as the README says' '4470 6183' \
	"$(for script in train.sh "$top/examples/megatron/train.sh"; do
		jq -c 'select(.kind != "plan")' plan.jsonl | sapp-yaml -r "$script" 2>/dev/null | sapp-sim -j |
			jq 'select(.kind == "sim").step_time'
	done | xargs)"
begin PyTorch "$top"/examples/torchtitan/init.yaml
"$top/examples/megatron/make-profile" profile >/dev/null
walk PyTorch
check 'a schedule' grep -q 'pipeline_parallel_schedule = "ZBVZeroBubble"' pipeline.toml
check 'a page' grep -q zbv plans.html

begin job "$top"/examples/moe-64/config.json
commands 'Which degrees at all?' >job.yaml
same 'a job of five lines' 5 "$(wc -l <job.yaml)"
check 'is searched' sh -c 'sapp-search -t 5 -k 1 job.yaml >said 2>&1'
same 'which finds settings' 1 "$(find search -name '*_pretrain.yaml' | wc -l)"

# The pipe on top, and those under The tools, from one place; the planner thinks for seconds, not minutes.
begin pipes "$example"/init.yaml
"$example/make-timeline" timeline >/dev/null
while IFS=: read -r path rest; do
	mkdir -p "logs/${path%/*}"
	echo "${rest#*:}" >>"logs/$path"
done <"$example/peaks.txt"
mkdir "$tmp/hasty"
printf '#!/bin/sh\nexec "%s/bin/sapp-lp" "$@" -t 3\n' "$BUILD" >"$tmp/hasty/sapp-lp"
chmod +x "$tmp/hasty/sapp-lp"
PATH=$tmp/hasty:$PATH
{
	sed -n '/^    sapp-trace timeline\/ |/s/^    //p' "$top/README.md"
	sed -n '/^## The tools$/,/^## /s/^    //p' "$top/README.md"
} >"$tmp/commands"
same 'pipes of the README' 6 "$(wc -l <"$tmp/commands")"
while read -r line; do
	if bash -o pipefail -c "$line" >"$tmp/said" 2>&1 </dev/null; then ok "$line"; else not_ok "$line"
	sed 's/^/# /' "$tmp/said"; fi
done <"$tmp/commands"
check 'the picture of three plans' test -s plans.svg
done_testing
