# bash completion for the tools of sapp: options come from the tool's usage, and some values from the tool.
_sapp_options() {
	# Print the options, one per line; for scripts and the synopsis, all words that look like options.
	"$1" -h 2>/dev/null | sed -n -e 's/^  \(-[A-Za-z][A-Za-z-]*\).*/\1/p' -e '/^usage:/,/^[^ u]/p' |
		grep -oE -- '(^|[][ |(])--?[A-Za-z]+(-[a-z]+)*' | grep -oE -- '--?[A-Za-z]+(-[a-z]+)*' |
		awk '/^-[hVvjHe]+$/ { for (i = 2; i <= length($0); i++) print "-" substr($0, i, 1); next }
		{ print }' | sort -u
}

# Print names of plans or simulations in the files given so far.
_sapp_names() {
	local word
	for word in "${COMP_WORDS[@]:1}"; do
		[ -f "$word" ] && sed -n 's/^{"kind":"\(plan\|sim\|chunks\)","name":"\([^"]*\)".*/\2/p' "$word"
	done 2>/dev/null | sort -u
}

_sapp() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} tool=$1 words=
	COMPREPLY=()
	case ${tool##*/}:$prev in
	*:-S) words=$(sapp-lp -S '?' /dev/null 2>&1 | sed -n 's/.*known: //p') ;;
	*:-plan) words=$(_sapp_names) ;;
	sapp-shrink:-f) words='megatron mindspeed mindformers' ;;
	*:-rules) words='megatron mindformers' ;;
	*:-cluster) words=$(sapp-est -cluster '?' /dev/null 2>&1 | sed -n 's/.*known: //p') ;;
	sapp-est:-by | sapp-top:-by) words='step_time lower_bound' ;;
	sapp-est:-flops) words='causal noncausal' ;;
	sapp-yaml:-f) words='mindformers megatron nemo mindspeed torchtitan primus flagscale
		hyperparallel sapp-ppb' ;;
	*:-peak) words='actual used' ;;
	sapp-guide:-k) words='full select comm both none' ;;
	*:-lm) words='0 1 both' ;;
	*:-transfers) words='hidden blocking batched overlap streams-1 streams-2 streams-4 one-by-one' ;;
	*:-mixes) words='yaml all uniform' ;;
	*:-target) words='any mindformers megatron mindspeed pytorch primus flagscale hyperparallel' ;;
	*:-solver) words='cbc glpsol highs scip' ;;
	*:-naive) words='0 1' ;;
	*)
		case $cur in
		-*) words=$(_sapp_options "$tool") ;;
		*) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
		esac ;;
	esac
	# In a list with commas, complete the last value, and keep the others.
	local before=
	case $cur in
	*,*) before=${cur%,*},; cur=${cur##*,} ;;
	esac
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "$cur")
}
# sapp TOOL ...: complete the words of the tool after its short name.
_sapp_command() {
	local cur=${COMP_WORDS[COMP_CWORD]}
	if [ "$COMP_CWORD" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "help $(sapp | sed -n 's/^  \([a-z]*\)  .*/\1/p')" -- "$cur")
	elif [ "${COMP_WORDS[1]}" = help ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(sapp | sed -n 's/^  \([a-z]*\)  .*/\1/p')" -- "$cur")
	else
		_sapp "sapp-${COMP_WORDS[1]}"
	fi
}
complete -o filenames -F _sapp_command sapp
complete -o filenames -F _sapp sapp-args sapp-model sapp-enum sapp-est sapp-top sapp-trace sapp-layers sapp-guide \
	sapp-memsplit sapp-lp sapp-fit sapp-shrink sapp-check sapp-sim sapp-plot sapp-yaml sapp-ir \
	sapp-dryrun sapp-balance sapp-sweep sapp-search
