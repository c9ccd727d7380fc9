#!/bin/bash
# Completion in bash: options of every tool, values that are known.
. "$(dirname "$0")/../lib.sh"
. "$top/share/sapp.bash"

# completes WORD...: print the completions of the last word
completes() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_sapp "$1" "${@: -1}" "${@: -2:1}"
	printf '%s\n' "${COMPREPLY[*]}"
}
for tool in "$BUILD"/bin/sapp-* "$top"/scripts/sapp-*; do
	name=$(basename "$tool")
	check "$name is completed" \
		sh -c 'bash -c ". \"\$1/share/sapp.bash\"; complete -p" bash "$2" | grep -qw -- "$1"' sh "$name" "$top"
done
same 'options of sapp-plot' '-size -stages -sweep' "$(completes sapp-plot -s)"
same 'options of a script' '--init' "$(completes sapp-balance --i)"
same 'letters that stand together' '-V' "$(completes sapp-lp -V)"
same 'schedules' 'vpp vpp-less vpp-overlap' "$(completes sapp-lp -S vpp)"
same 'formats' megatron "$(completes sapp-yaml -f me)"
cd "$tmp" || exit 1
echo '{"kind":"plan","name":"vpp-i2","origin":"planner"}' >plan.jsonl
same 'files' plan.jsonl "$(completes sapp-sim pl)"
same 'values behind a comma' 'select,comm' "$(completes sapp-guide -k select,c)"
same 'schedules behind a comma' 'gpipe,dualpipe gpipe,dualpipev' "$(completes sapp-lp -S gpipe,du)"
same 'names of plans' vpp-i2 "$(completes sapp-yaml plan.jsonl -plan v)"
done_testing
