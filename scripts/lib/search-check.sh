# Compare dryruns of the winners with the limit. Sourced by sapp-search.
# shellcheck shell=bash

# Print the peaks in the logs named on stdin: stage or -, rank or -, and MB.
log_peaks() {
	local file stage rank peak
	while IFS= read -r file; do
		[[ $file =~ .*stage_?([0-9]+) ]] && stage=${BASH_REMATCH[1]} || stage=-
		[[ $file =~ .*rank_([0-9]+) ]] && rank=${BASH_REMATCH[1]} || rank=-
		peak=$(grep -a 'peak memory usage' "$file" | sed -nE 's/.*(Actual|Used) .*: *([0-9]+)M.*/\1 \2/p' |
			sort -s -k1,1 | head -n 1)
		[ -z "$peak" ] || printf '%s %s %s\n' "$stage" "$rank" "${peak#* }"
	done
}
# Print the total excess over the limit, the limits reduced by it, and a description.
excess() {	# STAGES LIMIT LIMITS-BEFORE
	awk -v pp="$1" -v limit="$2" -v before="$3" -v n="${set[devices]}" '
		{
			s = $1 != "-" ? $1 : $2 != "-" ? int($2 * pp / n) : -1
			if (s < 0 || s >= pp)
				exit bad = 2
			if ($3 > peak[s])
				peak[s] = $3
		}
		END {
			if (bad)
				exit bad
			k = split(before, b, ",")
			for (s = 0; s < pp; s++) {
				over = peak[s] > limit ? peak[s] - limit : 0
				all += over
				limits = limits (s ? "," : "") (k ? b[s + 1] : limit) - over
				said = said (over ? sprintf(" stage %d by %d", s, over) : "")
			}
			printf "%d\t%s\t%s\n", all, limits, said
		}'
}
# Print the paths on stdin whose names agree with NAME. A name with MBS but without VP has one chunk.
logs_of() {	# NAME
	local path key said want
	while IFS= read -r path; do
		[[ $path =~ .*(DP[0-9]+_TP[0-9]+_PP[0-9]+_EP[0-9]+(_[A-Z]+[0-9]*)*) ]] || continue
		said=_${BASH_REMATCH[1]}_
		[[ $said != *_MBS* || $said == *_VP* ]] || said+=VP1_
		for key in CP ETP ZERO VP MBS; do
			[[ _$1_ =~ _${key}([0-9]+)_ ]] && want=${BASH_REMATCH[1]} || want=1
			[[ ! $said =~ _${key}([0-9]+)_ ]] || [ "${BASH_REMATCH[1]}" = "$want" ] || continue 2
		done
		printf '%s\n' "$path"
	done
}
# If a stage exceeds its limit, subtract the excess from its limit, and plan again.
check_winner() {	# NAME STAGES LIMIT
	local name=$1 rounds=0 limits='' over said logs degrees
	degrees=$(grep -o '^DP[0-9]*_TP[0-9]*_PP[0-9]*_EP[0-9]*' <<<"$name")
	logs=$(find "$check" -type f -path "*${degrees}[_/.]*" -name '*.log' | sort | logs_of "$name")
	[ -n "$logs" ] || { say "$name: no logs of this configuration below $check"; return 0; }
	while IFS=$'\t' read -r said _ over; do [ "$said" != "$name" ] || limits=$over rounds=$((rounds + 1)); done \
		< <(cat "$work/checked" 2>/dev/null)
	IFS=$'\t' read -r over limits said < <(log_peaks <<<"$logs" | excess "$2" "$3" "$limits")
	[ -n "$over" ] || { say "$name: no stage or rank in the paths of the logs"; return 1; }
	[ "$over" != 0 ] || { say "$name: no stage is above $3 MB"; return 0; }
	[ "$rounds" -lt 5 ] || { say "$name: still above the limit after five rounds:$said"; return 1; }
	printf '%s\t%s\t%s\n' "$name" $((rounds + 1)) "$limits" >>"$work/checked"
	say "$name: round $((rounds + 1)): above the limit:$said MB; planning again with limits of $limits MB"
	jq -L "$lib" 'include "search";
		limited($name; $limits)' -c -s --arg name "$name" --argjson limits "[$limits]" "$out/plans.jsonl" |
		sapp-lp -j -t "$seconds" >"$work/again.new" 2>"$work/again.log"
	case $? in
	0) say "$name: $(jq -r 'select(.kind == "plan") | "step \(.step_time) ms"' "$work/again.new")"
		mv -f -- "$work/again.new" "$out/${name}_checked.jsonl" ;;
	3) say "$name: no plan fits into these limits" ;;
	*) say "$(tail -n 1 "$work/again.log")"; return 1 ;;
	esac
	rm -f -- "$work"/again.{new,log}
}
check_winners() {
	local name pp status=0
	[ -s "$out/plans.jsonl" ] || die 1 "$out/plans.jsonl: no winners yet; run without -check first"
	[ -d "$check" ] || die 1 "$check: not a directory of logs"
	while read -r name pp; do
		check_winner "$name" "$pp" "$memory_limit" || status=1
	done < <(jq -L "$lib" 'include "search"; configurations[] | asked' -r -s "$out/plans.jsonl")
	exit $status
}
