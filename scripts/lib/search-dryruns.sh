# Dryruns of candidates, if the job has the command for them, read as peaks. Sourced by sapp-search.
# shellcheck shell=bash

dryruns_make() {
	local dir=$out/dryruns
	[ -n "${set[dryruns]-}" ] || return 0
	[ -z "${set[peaks]-}" ] || die 1 "$job: dryruns: not with peaks"
	case ${set[target]}:$training in
	mindformers:*.yaml | mindformers:*.yml) ;;
	*) die 1 "$job: dryruns: needs target: mindformers and a training YAML" ;;
	esac
	mkdir -p -- "$dir/settings" || exit 1
	# Make dryruns of the candidates with the lowest bounds, whether they fit or not: the dryruns decide this.
	survey -by lower_bound -below 1e15 -alike 0 -k 100000 2>"$dir/space.log" | grep '^{"kind":"candidate"' |
		cat "$work/network.jsonl" - |
		sapp-shrink -n "${set[devices]}" -rules mindformers -k 100000 -memory 900000GB \
			-table "$share/runs/taylor.jsonl" -f mindformers -training "$training" -o "$dir/settings" \
			2>"$dir/shrink.log" | grep '"purpose":"static"' | into "$dir/runs.jsonl" || exit 1
	[ -s "$dir/runs.jsonl" ] || die 1 "$job: dryruns: no dryrun can be made: $(tail -n 1 "$dir/shrink.log")"
	say "$(wc -l <"$dir/runs.jsonl") configurations are compiled; a rerun continues with the missing ones"
	sapp-dryrun -runs "$dir/runs.jsonl" -dry ${given_jobs:+-j "$jobs"} "${set[dryruns]}" "$dir/logs" >/dev/null || {
		grep -rqa 'peak memory usage' -- "$dir/logs" || die 1 "$job: dryruns: no log of a dryrun has a peak"
		say 'some dryruns failed: the memory of their configurations is computed'
	}
	set[peaks]=$dir/logs
	estimating+=(-peaks "$dir/logs")
}
