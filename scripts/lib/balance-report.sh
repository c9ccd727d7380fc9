# The report of sapp-balance, which sources this.
# shellcheck shell=bash

# What a step of the run took, ms and where that is from, by its profile or logs; nothing if nothing says.
measured_step() {
	local file line records
	# Iterations of a log are many, and run without the profiler.
	for file in "${operands[@]}" "$timing"; do
		records=$file
		[ -f "$file" ] || continue
		if [ "$file" != "$timing" ]; then
			grep -qaE 'elapsed time per iteration|per_step_time' "$file" || continue
			records=$set/step.jsonl
			sapp-trace "$file" >"$records" 2>/dev/null || continue
		fi
		line=$(grep '^{"kind":"step"' "$records" | tail -n 1)
		[[ $line =~ \"time\":([0-9.e+]+) ]] || continue
		line=${BASH_REMATCH[1]}
		[ "$file" != "$timing" ] || file=${timelines[0]}
		printf '%s\t%s\n' "$line" "${file##*/}"
		break
	done
	[ ! -e "$set/step.jsonl" ] || rm -f -- "$set/step.jsonl"
}

# The arguments of a log's list that the plan does without: those for recomputation and pieces that SETTINGS lack.
taken_away() {	# SETTINGS
	local line key value such='recompute|^checkpoint_(activations|num_layers)|activations_checkpoint'
	such+='|virtual_pipeline|virtual_stages|^pipeline_model_parallel_layout|^decoder_(first|last)_pipeline'
	such+='|^account_for_.*_in_pipeline'
	while read -r line; do
		[[ $line =~ (^|[ :])([a-z_]+)' '\.+' '(.*) ]] || continue
		key=${BASH_REMATCH[2]} value=${BASH_REMATCH[3]%%[[:space:]]*}
		[[ $key =~ $such ]] || continue
		case $value in None | False | 0 | '') continue ;; esac
		[[ $1 == *"--${key//_/-}"* ]] || printf '%s %s\n' "--${key//_/-}" "$value"
	done < <(grep -aE '^.{0,40}(recompute|checkpoint|pipeline|virtual)[a-z_]* \.\.' "$train") | sort -u
}

# No line above 100 columns: what is longer goes on below, but for arguments, whose words belong together.
narrow() {
	awk '{
		match($0, /^ */)
		further = substr($0, 1, RLENGTH) "  "
		while (length($0) > 100 && !/^ *--/) {
			for (at = 101; at > length(further) && substr($0, at, 1) != " "; at--)
				;
			if (at <= length(further))
				break
			print substr($0, 1, at - 1)
			$0 = further substr($0, at + 1)
		}
		print
	}'
}

# What to do with the plan.
next_steps() {
	local plan
	printf -v plan '%q' "$out/plan.jsonl"
	if [ "$target" = pytorch ]; then
		printf 'put the settings below into the configuration.\n'
	elif [ -n "$is_log" ]; then
		printf 'sapp-yaml -w SCRIPT %s writes the arguments below into the script.\n' "$plan"
	elif [ -n "$train" ]; then
		printf 'sapp-yaml -w %q %s writes what is below into it.\n' "$train" "$plan"
	else
		printf 'sapp-yaml -w TRAIN.yaml %s writes the settings below.\n' "$plan"
	fi
	printf '%s shows the steps, and tries other times and limits.\n' "$out/result.html"
}

balance_report() {
	local simulated texts away measured='' by='' job='' line records found=() strategies=() transfers=()
	mapfile -t records < <(grep -v '^{"kind":"block"' "$out/sim.jsonl")
	for line in "${records[@]}"; do
		case $line in
		'{"kind":"sim"'*) found+=("$line") ;;
		'{"kind":"plan"'*) found+=("$line") strategies+=("$line") ;;
		*) strategies+=("$line") ;;
		esac
	done
	simulated=$(printf '%s\n' "${strategies[@]}" | sapp-sim -H "${sim[@]}" 2>/dev/null) || return
	while IFS= read -r line; do
		case $line in 'transfers: '*) transfers+=("$line") ;; esac
	done <<<"$simulated"
	IFS=$'\t' read -r measured by < <(measured_step)
	[ -z "$shapes" ] || job=$(grep -m 1 '^{"kind":"candidate"' "$shapes")
	printf '%s\n' "${found[@]}" | jq -r -s -L "$lib" --argjson measured "${measured:-null}" \
		--arg by "$by" --argjson job "${job:-null}" \
		--arg target "$target" --arg assumed "$(printf '%s\n' "${assumed[@]}")" \
		--arg next "$(next_steps)" --arg transfers "$(printf '%s\n' "${transfers[@]}")" 'include "balance";
		def lines: split("\n") | map(select(. != ""));
		balance_conclusion($measured; $by; $job; $assumed | lines; $transfers | lines; $target;
			$next | lines)' |
		narrow || return
	printf '\n== To put into the training settings ==\n\n'
	# What a framework cannot run is said there instead.
	texts=$(sapp-yaml "${as[@]}" "$out/plan.jsonl" 2>&1)
	narrow <<<"$texts"
	if [ -n "$is_log" ]; then
		away=$(taken_away "$texts")
		[ -z "$away" ] || printf '\nTake away from the arguments of %s:\n%s\n' "${train##*/}" "$away"
	elif [ -n "$train" ]; then
		printf '\n== As changes of %s ==\n\n' "${train##*/}"
		sapp-yaml -w "$train" -n "$out/plan.jsonl" 2>&1 | grep -vxF -- "$texts"
	fi
	printf '\n== The strategies ==\n\n%s\n' "$simulated" | narrow
	if [ -n "$init" ]; then
		printf '\n== The memory of layers ==\n\n'
		memsplit -H ${model:+-m "$model"} 2>/dev/null | narrow || return
	fi
	printf '\nAsked: sapp-lp %s\n' "${lp[*]}" | narrow
}
