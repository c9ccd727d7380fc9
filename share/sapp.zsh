#compdef sapp sapp-args sapp-balance sapp-check sapp-dryrun sapp-enum sapp-est sapp-fit sapp-guide sapp-ir sapp-layers sapp-lp sapp-memsplit sapp-model sapp-plot sapp-search sapp-shrink sapp-sim sapp-sweep sapp-top sapp-trace sapp-yaml
# zsh completion for the tools of sapp: options and their descriptions come from the tool's -h.
_sapp() {
	local -a options values
	local line
	if [[ $service = sapp ]]; then
		if (( CURRENT == 2 )) || [[ $words[2] = help ]]; then
			compadd -- help $(sapp | sed -n 's/^  \([a-z]*\)  .*/\1/p')
			return
		fi
		service=sapp-$words[2]
		words=($service ${words[3,-1]})
		(( CURRENT-- ))
	fi
	case $words[CURRENT-1] in
	-S) values=(${=$(sapp-lp -S '?' /dev/null 2>&1 | sed -n 's/.*known: //p')}) ;;
	-target) values=(${=$(sapp-lp -target '?' /dev/null 2>&1 | sed -n 's/.*known: //p')}) ;;
	-cluster) values=(${=$(sapp-est -cluster '?' /dev/null 2>&1 | sed -n 's/.*known: //p')}) ;;
	-k) [[ $service = sapp-guide ]] && values=(full select comm both none) ;;
	-transfers) values=(hidden blocking batched overlap streams-1 streams-2 streams-4 one-by-one) ;;
	-lm) values=(0 1 both) ;;
	-naive) values=(0 1) ;;
	esac
	if (( $#values )); then
		compset -P '*,'
		compadd -- $values
		return
	fi
	if [[ $PREFIX = -* ]]; then
		$words[1] -h 2>/dev/null | sed -n 's/^  \(-[A-Za-z-]*\)\( [^ ]*\)*  *\([^ ].*\)/\1:\3/p' |
			while IFS= read -r line; do options+=($line); done
		_describe option options
		return
	fi
	_files
}
_sapp "$@"
