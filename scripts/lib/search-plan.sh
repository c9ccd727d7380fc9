# Planning in rounds, until no configuration can be shorter than the best plan. Sourced by sapp-search.
# shellcheck shell=bash

begun=$EPOCHREALTIME
# Convert seconds to microseconds.
micros() {	# SECONDS
	local fraction=000000
	[[ $1 != *.* ]] || fraction=${1#*.}000000
	echo $((10#${1%%.*} * 1000000 + 10#${fraction:0:6}))
}
seconds_of() { printf '%d.%06d' $(($1 / 1000000)) $(($1 % 1000000)); }	# MICROSECONDS
elapsed() { seconds_of $((${EPOCHREALTIME/./} - ${begun/./})); }
# Print the microseconds left for planning; 0 if none.
time_left() {
	local us=$(($(micros "$seconds") - ${EPOCHREALTIME/./} + ${begun/./}))
	echo $((us > 0 ? us : 0))
}
# Estimate candidates. Candidates have the current run's fused operators even without a run that shows their effect; the
# survey has already printed this warning.
estimate() {
	if [ -z "$fused" ]; then
		sapp-est "$@" "${estimating[@]}" "$work/network.jsonl" -
	else
		sapp-est "$@" "${estimating[@]}" -current "$work/current.jsonl" "$work/network.jsonl" - \
			2> >(grep -v 'steps are estimated without$' >&2)
	fi
}
# Print the planner's questions for candidates on stdin, without the kinds of recomputation that the job excludes.
# Megatron-LM cannot overlap all-to-alls of layers that are recomputed as a whole.
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
# Print the space of the job, with further options. Settings that do not vary are those of the current run.
survey() { survey_of "$work/network.jsonl" "$@" | sed '/"origin":"current"/d'; }
# Print the space for the network and cluster in FILE, after the configuration of the current run.
survey_of() {	# FILE OPTION...
	local network=$1
	shift
	sapp-est -space "${estimating[@]}" "${space[@]}" "$@" "$network" "$work/current.jsonl"
}
# Print the first record of each name on stdin; with NAMES, only of these, in their order.
first_of_name() {	# NAME...
	awk 'BEGIN { for (i = 1; i < ARGC; i++) want[i] = ARGV[i]; n = ARGC - 1; ARGC = 1 }
		!match($0, /"name":"[^"]*"/) { next }
		{ name = substr($0, RSTART + 8, RLENGTH - 9) }
		name in of { next }
		{ of[name] = $0; if (n == 0) print }
		END { for (i = 1; i <= n; i++) if (want[i] in of) print of[want[i]] }' "$@"
}
candidates_of() { first_of_name "$@" <"$work/candidates.jsonl"; }	# NAME...

# Write the best estimates to estimates.jsonl, and set "legal" to the number of configurations that the rules allow.
estimates_write() {
	local status
	# If nothing fits with the margin, use the whole limit; such plans are tight.
	if [ -z "${set[margin]-}" ] && holds m m="$margin" && ! survey -k 1 >"$work/margin.log" 2>&1 &&
		! grep -q ', 0 legal' "$work/margin.log"; then
		margin_keep 0
		say 'no configuration fits with even layers and the margin: the whole memory limit is used'
	fi
	rm -f -- "$work/margin.log"
	survey -k 200 2> >(tee "$work/space.log" | grep -v 'a second$' >&2) >"$work/estimates.jsonl"
	status=$?
	wait $!
	# If nothing fits with even layers, other layouts may fit; if none can, sapp-est has already said so.
	if [ $status -eq 3 ]; then
		survey -by lower_bound -below 1e15 -k 200 2>"$work/below.log" >"$work/estimates.jsonl" || exit
		[ -z "$dry" ] || exit 3
	elif [ $status -ne 0 ]; then
		exit 1
	fi
	legal=$(sed -n 's/.* configurations, \([0-9]*\) legal.*/\1/p' "$work/space.log" | tail -n 1)
}

# Write the rows of the ranking to ranked.json: the shortest plan of each configuration whose settings can express the
# plan, with the best proved bound; similar configurations share a row. Set row_names to the names of rows, first the
# best of each set of degrees, UNLIKE in number. Write estimates by name to planned.json. Set "planned" to the number of
# configurations with answers, "unfit" to the number of those without a plan, and "winner_degrees" to tp and pp.
estimated=0 ranked='' rows=0 unlike=0 best='' winner='' row_names=() near='' planned=0 unfit=0 winner_degrees=''
ranked_write() {
	local known lines
	[ -z "$ranked" ] || return 0
	mapfile -t known <"$work/candidates.jsonl"
	if [ ${#known[@]} != "$estimated" ]; then
		first_of_name <"$work/candidates.jsonl" | estimate |
			jq -c -s -L "$lib" 'include "search"; estimates_by_name' | into "$work/planned.json" || exit 1
		estimated=${#known[@]}
	elif [ "$estimated" = 0 ]; then
		echo '{}' >"$work/planned.json"
	fi
	[ -n "$near" ] || near=$(calc 'g / 2 < 5e-4 ? g / 2 : 5e-4' g="$gap")
	jq -L "$lib" 'include "search";
		(map(select(.kind == "plan").name) | unique) as $planned |
		"\($planned | length) \($planned - (ranked([]) | map(.name)) | length)",
		(ranked($refused) | rows($of[0]; $near) | tojson, (.[0].step_time // "" | tostring),
		(if length > 0 then $of[0][.[0].name] | "\(.tp) \(.pp)" else "" end),
		(unlike_first($of[0]) | (map(select(.first)) | length), .[].name))' -r -s \
		--slurpfile refused "$work/refused.jsonl" --slurpfile of "$work/planned.json" --argjson near "$near" \
		"$work/answers.jsonl" >"$work/round/rows" || exit 1
	mapfile -t lines <"$work/round/rows"
	printf '%s\n' "${lines[1]}" >"$work/round/rows"
	mv -fT -- "$work/round/rows" "$work/ranked.json" || exit 1
	read -r planned unfit <<<"${lines[0]}"
	best=${lines[2]} winner_degrees=${lines[3]} unlike=${lines[4]} row_names=("${lines[@]:5}")
	rows=${#row_names[@]} winner=${row_names[0]-}
	ranked=1
}
# Make sure that the settings of the first N rows give the steps of their plans; remove other rows. Afterwards rows,
# best and winner are set; best is empty without a row.
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

# Print the open pairs in FILE as candidates: all, or the first LIMIT if LIMIT is not 0.
open_only() {	# FILE CUTOFF LIMIT
	jq -L "$lib" 'include "search"; [pairs] | [still_open($answers; $refused; $rows[0]; $cutoff)] |
		if $limit > 0 then .[:$limit] else . end | .[][0]' -c -s \
		--slurpfile answers "$work/answers.jsonl" --slurpfile refused "$work/refused.jsonl" \
		--slurpfile rows "$work/ranked.json" --argjson cutoff "$2" --argjson limit "$3" "$1"
}

# Set "each" to the minimum time of a question (s), from the last round: more if the round had no time for some
# questions.
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

# Distribute candidates on stdin (a regular file) among planners, and keep their answers. Do not run this in a pipe: a
# signal would end the planners.
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
	# The cutoff is raised slightly, since bounds are rounded down.
	printf '%s\n' "-target ${set[target]} -t $1 -cutoff $(calc 'c * 1.0000001' c="$2") -gap $gap -k 1" \
		>"$work/round/options"
	jobs_run round_answer round_missing || return 1
	planned_until=$(elapsed)
	each_now "$1" ${#candidates[@]}
	[ "$parts" = 0 ] || awk '/^{"kind":"pipeline"/ { question = $0 }
		/^{"kind":"plan"/ { print question; print }' "${outs[@]}" >>"$work/answers.jsonl"
	ranked=''
	rows_settle 1
}

# Print the cutoff: if no configuration can have a step below it, the best plan is proved the best.
cutoff_now() { calc 'b / (1 + g)' b="${best:-1e15}" g="$gap"; }
# Write all configurations with bounds below the cutoff to reachable.jsonl.
reachable_write() {	# CUTOFF
	survey -by lower_bound -below "$1" -k 100000 2>"$work/below.log" >"$work/reachable.jsonl"
	[ $? -le 3 ] || exit 1
}

# Plan the best estimates first, for a plan to beat; then all configurations that could be shorter, in rounds of half
# the remaining time.
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
		# Keep some time for plans of other degrees.
		round=$(($(time_left) - $(micros "$seconds") / 8))
		((round <= 2000000)) || round=$((round / 2))
		((round > 200000)) || break
		# Take only as many questions as have enough time each.
		head -n $(((round / $(micros "$each") + 1) * ${#slots[@]})) "$work/open.jsonl" >"$work/open.new"
		round_seconds=$(seconds_of "$round")
		plan_round "$round_seconds" "$cutoff" <"$work/open.new" || exit 1
	done
}

# With time left, plan the best estimates of other sets of degrees, until N sets have plans; then other estimates.
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

# Print the number of open configurations that can be below a time.
open_below() {	# MS
	estimate -below "$1" <"$work/open.jsonl" |
		jq -L "$lib" 'include "search"; [pairs] | [still_open($answers; $refused; $rows[0]; $ms)] | length' -s \
			--slurpfile answers "$work/answers.jsonl" --slurpfile refused "$work/refused.jsonl" \
			--slurpfile rows "$work/ranked.json" --argjson ms "$1"
}
# Print the minimum step of the open configurations, to a thousandth of the winner's step.
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
