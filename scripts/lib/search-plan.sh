# Planning of sapp-search, which sources this: rounds of questions until none can be shorter than the best.
# shellcheck shell=bash

begun=$EPOCHREALTIME
# Microseconds of a number of seconds.
micros() {	# SECONDS
	local fraction=000000
	[[ $1 != *.* ]] || fraction=${1#*.}000000
	echo $((10#${1%%.*} * 1000000 + 10#${fraction:0:6}))
}
seconds_of() { printf '%d.%06d' $(($1 / 1000000)) $(($1 % 1000000)); }	# MICROSECONDS
elapsed() { seconds_of $((${EPOCHREALTIME/./} - ${begun/./})); }
# Microseconds that are left for planning, 0 if none are.
time_left() {
	local us=$(($(micros "$seconds") - ${EPOCHREALTIME/./} + ${begun/./}))
	echo $((us > 0 ? us : 0))
}
# What runs today has fused without a run that shows its worth, candidates have: said once, by the survey.
estimate() {
	if [ -z "$fused" ]; then
		sapp-est "$@" "${estimating[@]}" "$work/network.jsonl" -
	else
		sapp-est "$@" "${estimating[@]}" -current "$work/current.jsonl" "$work/network.jsonl" - \
			2> >(grep -v 'steps are estimated without$' >&2)
	fi
}
# Questions for the planner, of candidates on stdin; without the kinds of recomputation that the job leaves out.
# Megatron-LM overlaps no all-to-alls of layers that are recomputed as a whole.
questions() {
	if [[ -z ${limit[recompute]-} && ${limit[ep_overlap]-} != *yes* && -z $overlap_now ]]; then
		estimate -layers
		return
	fi
	estimate -layers | jq -c -n --arg may ",${limit[recompute]-none,select,full}," '
		foreach inputs as $r ({}; if $r.kind == "candidate" then $r else . end; . as $c | $r |
		if .kind != "layer" then . else
			(if $may | contains(",select,") then . else del(.memory_select_rec, .select_rec_time) end) |
			(if ($may | contains(",full,")) and ($c.ep_overlap | not) then .
				else del(.memory_recompute, .recompute_time) end) end)'
}
# The space, as it is asked for with further options; what is not varied is as what runs today has it.
survey() { survey_of "$work/network.jsonl" "$@" | sed '/"origin":"current"/d'; }
# The same on another cluster, behind the configuration that runs today.
survey_of() {	# FILE OPTION...
	local network=$1
	shift
	sapp-est -space "${estimating[@]}" "${space[@]}" "$@" "$network" "$work/current.jsonl"
}
candidates_of() {	# NAME...
	jq -c -n 'reduce inputs as $c ({}; .[$c.name] //= $c) | .[$ARGS.positional[]] // empty' \
		"$work/candidates.jsonl" --args "$@"
}

# The best estimates, in estimates.jsonl; how many configurations the rules allow, in legal.
estimates_write() {
	local status
	# Where nothing fits beside the margin, what fits without it is tight.
	if [ -z "${set[margin]-}" ] && holds m m="$margin" && ! survey -k 1 >"$work/margin.log" 2>&1 &&
		! grep -q ', 0 legal' "$work/margin.log"; then
		margin_keep 0
		say 'nothing fits with even layers and free memory: the whole limit is used'
	fi
	rm -f -- "$work/margin.log"
	survey -k 200 2> >(tee "$work/space.log" | grep -v 'a second$' >&2) >"$work/estimates.jsonl"
	status=$?
	wait $!
	# Where nothing fits with even layers, plans with other ones may; where none can, that was said.
	if [ $status -eq 3 ]; then
		survey -by lower_bound -below 1e15 -k 200 2>"$work/below.log" >"$work/estimates.jsonl" || exit
		[ -z "$dry" ] || exit 3
	elif [ $status -ne 0 ]; then
		exit 1
	fi
	legal=$(sed -n 's/.* configurations, \([0-9]*\) legal.*/\1/p' "$work/space.log" | tail -n 1)
}

# Of all that was planned the rows of the ranking, in ranked.json: the shortest plan of every configuration whose
# settings can say it, and the best bound proved; with those alike. Names of rows in row_names: first the best of each
# set of degrees, UNLIKE many. The estimates by name, in planned.json.
estimated=0 ranked='' rows=0 unlike=0 best='' winner='' row_names=() near=''
ranked_write() {
	local known lines
	[ -z "$ranked" ] || return 0
	mapfile -t known <"$work/candidates.jsonl"
	if [ ${#known[@]} != "$estimated" ]; then
		jq -c -s 'unique_by(.name)[]' "$work/candidates.jsonl" | estimate |
			jq -c -s -L "$lib" 'include "search"; estimates_by_name' | into "$work/planned.json" || exit 1
		estimated=${#known[@]}
	elif [ "$estimated" = 0 ]; then
		echo '{}' >"$work/planned.json"
	fi
	[ -n "$near" ] || near=$(calc 'g / 2 < 5e-4 ? g / 2 : 5e-4' g="$gap")
	jq -L "$lib" 'include "search";
		ranked($refused) | rows($of[0]; $near) | tojson, (.[0].step_time // "" | tostring),
		(unlike_first($of[0]) | (map(select(.first)) | length), .[].name)' -r -s \
		--slurpfile refused "$work/refused.jsonl" --slurpfile of "$work/planned.json" --argjson near "$near" \
		"$work/answers.jsonl" >"$work/round/rows" || exit 1
	mapfile -t lines <"$work/round/rows"
	printf '%s\n' "${lines[0]}" >"$work/round/rows"
	mv -fT -- "$work/round/rows" "$work/ranked.json" || exit 1
	best=${lines[1]} unlike=${lines[2]} row_names=("${lines[@]:3}")
	rows=${#row_names[@]} winner=${row_names[0]-}
	ranked=1
}
# The first N rows have settings that make their steps; what has none is no row. Known then: how many rows there are,
# the best step so far and whose it is; nothing where there is none.
declare -A sound=()
rows_settle() {	# N
	local name names
	while ranked_write; do
		names=()
		for name in "${row_names[@]:0:$1}"; do [ -n "${sound[$name]-}" ] || names+=("$name"); done
		[ ${#names[@]} -gt 0 ] || return 0
		settings_problems "${names[@]}" >"$work/round/refused" || exit 1
		for name in "${names[@]}"; do sound[$name]=1; done
		[ -s "$work/round/refused" ] || return 0
		show "$work/round/refused" >>"$work/refused.jsonl"
		ranked=''
	done
}

# The pairs in FILE that are open, as candidates; the first of them if LIMIT is not 0.
open_only() {	# FILE CUTOFF LIMIT
	jq -L "$lib" 'include "search"; [pairs] | [still_open($answers; $refused; $rows[0]; $cutoff)] |
		if $limit > 0 then .[:$limit] else . end | .[][0]' -c -s \
		--slurpfile answers "$work/answers.jsonl" --slurpfile refused "$work/refused.jsonl" \
		--slurpfile rows "$work/ranked.json" --argjson cutoff "$2" --argjson limit "$3" "$1"
}

# Seconds that a question takes at least, by the round that was: longer where its time was not enough for all of it.
each=0.1 planned_until=0
each_now() {	# SECONDS ASKED
	local part line log late=0
	for ((part = 1; part <= parts; part++)); do
		mapfile -t log <"$work/round/$part.log"
		for line in "${log[@]}"; do
			[[ ! $line =~ .*': no time for '([0-9]+)' of them' ]] || late=$((late + BASH_REMATCH[1]))
		done
	done
	[ "$late" = 0 ] || each=$(calc 's * p / d' s="$1" p="$parts" d=$(($2 - late)))
}

# Candidates on stdin, a regular file, are dealt to the planners; their answers are kept. Not in a pipe: what it begins,
# a signal ends.
plan_round() {	# SECONDS CUTOFF
	local - slot part i candidates outs=() old=()
	set +f
	for i in "$work"/round/*; do [ ! -f "$i" ] || old+=("$i"); done
	[ ${#old[@]} -eq 0 ] || rm -f -- "${old[@]}"
	set -f
	jobs_slots
	slot=${#slots[@]}
	[ -z "$use_slurm" ] || slot=${given_jobs:+$jobs}
	slot=${slot:-16}
	mapfile -t candidates
	parts=$((${#candidates[@]} < slot ? ${#candidates[@]} : slot))
	for ((part = 1; part <= parts; part++)); do
		for ((i = part - 1; i < ${#candidates[@]}; i += parts)); do
			printf '%s\n' "${candidates[i]}"
		done >"$work/round/$part.c"
		questions <"$work/round/$part.c" >"$work/round/$part.in" || return 1
		show "$work/round/$part.c" >>"$work/candidates.jsonl"
		outs+=("$work/round/$part.out")
	done
	# A little beyond the cutoff, for what rounding takes off a bound.
	printf '%s\n' "-target ${set[target]} -t $1 -cutoff $(calc 'c * 1.0000001' c="$2") -gap $gap -k 1" \
		>"$work/round/options"
	jobs_run round_answer round_missing || return 1
	planned_until=$(elapsed)
	each_now "$1" ${#candidates[@]}
	[ "$parts" = 0 ] || jq -L "$lib" 'include "search";
		foreach inputs as $r (null; if $r.kind == "pipeline" then $r else . end;
		if $r.kind == "plan" then ., $r else empty end)' -nc "${outs[@]}" >>"$work/answers.jsonl"
	ranked=''
	rows_settle 1
}

# The cutoff: what nothing may be shorter than, for the best so far to be the best of all.
cutoff_now() { calc 'b / (1 + g)' b="${best:-1e15}" g="$gap"; }
# Into reachable.jsonl all that have bounds below the cutoff, which falls.
reachable_write() {	# CUTOFF
	survey -by lower_bound -below "$1" -k 100000 2>"$work/below.log" >"$work/reachable.jsonl"
	[ $? -le 3 ] || exit 1
}

# First the best estimates, for a plan to beat; then all that could be shorter, in rounds of half the time that is left.
proved='' left=0
search() {
	local cutoff before='' round round_seconds
	: >"$work/refused.jsonl"
	rm -f -- "$work/unedited"
	settings_begin
	jobs_slots
	rows_settle 1
	if [ -z "$best" ]; then
		open_only "$work/estimates.jsonl" 1e300 $((4 * jobs)) >"$work/open.jsonl" || exit 1
		plan_round "$(calc 't / 16' t="$seconds")" 1e17 <"$work/open.jsonl" || exit 1
	fi
	while :; do
		cutoff=$(cutoff_now)
		[ "$cutoff" = "$before" ] || reachable_write "$cutoff"
		before=$cutoff
		open_only "$work/reachable.jsonl" "$cutoff" 0 >"$work/open.jsonl" || exit 1
		left=$(wc -l <"$work/open.jsonl")
		say "$(printf '%.1f s: best %s, %d of %d configurations could be shorter' "$(elapsed)" \
			"$([ -z "$best" ] && echo 'none yet' || printf '%.1f ms' "$best")" "$left" "$legal")"
		[ "$left" -gt 0 ] || { proved=1; break; }
		# A little is left for plans of other degrees.
		round=$(($(time_left) - $(micros "$seconds") / 8))
		((round <= 2000000)) || round=$((round / 2))
		((round > 200000)) || break
		# So few that each has some time.
		head -n $(((round / $(micros "$each") + 1) * ${#slots[@]})) "$work/open.jsonl" >"$work/open.new"
		round_seconds=$(seconds_of "$round")
		plan_round "$round_seconds" "$cutoff" <"$work/open.new" || exit 1
	done
}

# With time left, as many sets of degrees as are written out: the best estimates of others that were not planned, too;
# then of any.
rows_fill() {	# N
	local round
	while rows_settle "$1"; [ "$unlike" -lt "$1" ]; do
		jq -L "$lib" 'include "search";
			[pairs] | to_fill($of[0]; $n; $rows)' -c -s --slurpfile of "$work/planned.json" \
			--argjson n $(($1 - unlike)) --argjson rows $(($1 - rows)) "$work/estimates.jsonl" \
			>"$work/open.new"
		round=$(time_left)
		if [ ! -s "$work/open.new" ] || ((round <= 200000)); then break; fi
		plan_round "$(seconds_of $((round / 8)))" 1e17 <"$work/open.new" || exit 1
	done
}

# How many of those that are open can be below a time.
open_below() {	# MS
	estimate -below "$1" <"$work/open.jsonl" |
		jq -L "$lib" 'include "search"; [pairs] | [still_open($answers; $refused; $rows[0]; $ms)] | length' -s \
			--slurpfile answers "$work/answers.jsonl" --slurpfile refused "$work/refused.jsonl" \
			--slurpfile rows "$work/ranked.json" --argjson ms "$1"
}
# The least that any of them can take, in steps of a thousandth of the winner's.
least_open() {
	local low=0 high=1000 half
	while ((low + 1 < high)); do
		half=$(((low + high) / 2))
		if [ "$(open_below "$(calc 's * h / 1000' s="$winner_step" h=$half)")" -gt 0 ]; then
			high=$half
		else
			low=$half
		fi
	done
	calc 's * l / 1000' s="$winner_step" l=$low
}
