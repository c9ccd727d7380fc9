# Planning instances of tests/data, one JSON object a line: source it after lib.sh.
# shellcheck shell=sh

# ask INSTANCE OPTION...: plan an instance; the stream is then in $tmp/out, messages in $tmp/err, the status in $status.
ask() {
	instance=$1; shift
	# shellcheck disable=SC2046 # one word an option
	printf '%s\n' "$instance" | jq -c '.records[]' | sapp-lp $(printf '%s\n' "$instance" | jq -r '.question |
		"-s \(.stages) -mb \(.micro_batches) -i \(.interleave) -S \(.schedule) -mem \([.memory_limit] | '\
'flatten | join(","))"') \
		"$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}
# of MEMBERS: print members of the plan in $tmp/out, as one JSON text.
of() { jq -c "select(.kind == \"plan\") | $1" "$tmp/out"; }
# holds NAME PROGRAM [NAME PROGRAM ...]: each program is true for the plan ($plan), its instance ($want) and sapp-sim's
# record of it ($sim), which are read once for all programs.
holds() {
	programs=. word_is=name
	for word; do
		[ $word_is = name ] || programs="$programs, (try ($word) catch false)"
		[ $word_is = name ] && word_is=program || word_is=name
	done
	sapp-sim "$tmp/out" 2>"$tmp/err" | jq -s --argjson want "$instance" '
		(map(select(.kind == "plan"))[0]) as $plan | (map(select(.kind == "sim"))[0]) as $sim |
		$plan != null and $sim != null | '"$programs" >"$tmp/holds"
	exec 3<"$tmp/holds"
	read -r there <&3 || there=false
	for word; do
		[ $word_is = name ] && holding=$word word_is=program && continue
		word_is=name
		read -r said <&3 || said=false
		if [ "$there $said" = "true true" ]; then
			ok "$holding"
		else
			not_ok "$holding"
			{ cat "$tmp/err" "$tmp/holds"; of '[.step_time, .lower_bound, .gap, .status]'; } | diag
		fi
	done
	exec 3<&-
}
# lists_say NAME: the lists, as a manual strategy, give the same step with the same peaks.
lists_say() {
	of '{lists: {offset, recompute, select_recompute, select_comm_recompute, interleave_num: .interleave}}' \
		>"$tmp/lists.yaml"
	same "$1" 1 "$(sapp-sim -manual "$tmp/lists.yaml" "$tmp/out" | jq -c 'select(.kind == "sim") |
		[(.step_time * 1e6 | round), (.peak_memory | map(. * 1e3 | round))]' | sort -u | wc -l)"
}
# Check the properties of every plan, for any question.
PLACED='($want.records | map(select(.type == "BODY")) |
	all(.nb_layer == ($plan.counts[.name] | map(flatten | add) | add)))'
FITS='([$sim.peak_memory, (if $want.question.memory_limit | type == "array" then $want.question.memory_limit
	else $sim.peak_memory | map($want.question.memory_limit) end)] | transpose | all(.[0] <= .[1] + 1e-6))'
SIMULATED='($sim.step_time - $plan.step_time | fabs) <= 1e-9 * $plan.step_time'
BOUNDED='$plan.lower_bound <= $plan.step_time and ($plan.gap - ($plan.step_time / $plan.lower_bound - 1) | fabs) < 1e-9'
