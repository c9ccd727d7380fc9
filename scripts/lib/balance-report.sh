# The report of sapp-balance. Sourced by sapp-balance.
# shellcheck shell=bash

# Print the measured step (ms) of the run and the file that has it; print nothing if no profile or log has a step.
measured_step() {
	local file line records
	# A log is preferred: it has many iterations, without the profiler.
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

# Print the arguments in the log to remove: arguments for recomputation and pieces that SETTINGS lack.
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

# Wrap lines at 100 columns, except arguments, whose words belong together.
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

# Read the messages of sapp-yaml about a plan from FILE into NOTES, without messages that the report already has.
notes_read() {	# FILE
	local line
	notes=()
	while IFS= read -r line; do
		line=${line#sapp-yaml: }
		case $line in
		*' is not counted: '* | *' a step takes '*' with these arguments, '*) ;;
		*) notes+=("$line") ;;
		esac
	done <"$1"
}

# Read the settings of the plan: changes of the current settings if possible, else all settings. Set REFUSED to the
# reason if they cannot be written.
settings_read() {
	local options=("${as[@]}") file='' file_words
	title='== To put into the training settings ==' refused='' next=() todo=()
	if [ -n "$train" ] && [ -z "$is_log" ]; then
		file=$train
		[ "$target" != mindformers ] || [ "$micro" = "$now_micro" ] || script+=(-mb)
		title="== Changes of ${train##*/} =="
		options=(-w "$train" "${script[@]}" -n)
	fi
	text=$(sapp-yaml "${options[@]}" "$out/plan.jsonl" 2>"$set/notes") || refused=yes
	notes_read "$set/notes"
	rm -f -- "$set/notes"
	[ -z "$refused" ] || { refused=${notes[-1]}; unset 'notes[-1]'; }
	# The current settings already express the plan.
	[ -n "$text$refused" ] || text="${train##*/} has them already."
	if [ -n "$refused" ]; then
		refused=${refused#"$out/plan.jsonl:"}
		next+=("the plan cannot be written${file:+ into $file}: ${refused#*: }")
		todo+=("${next[0]}")
	elif [ "$target" = pytorch ]; then
		next+=('write the settings below into the configuration.')
		todo+=("${next[0]}")
	elif [ -n "$file" ]; then
		printf -v file '%q ' sapp-yaml -w "$train" "${script[@]}" "$out/plan.jsonl"
		next+=("${file}writes the changes below.")
		todo+=("$ $file" "writes these settings into $train; with -n it only shows the changes.")
	else
		file=TRAIN.yaml file_words='training YAML'
		case $target in megatron | mindspeed) file=SCRIPT file_words='launch script' ;; esac
		printf -v file 'sapp-yaml -w %s %q' "$file" "$out/plan.jsonl"
		next+=("$file writes the settings below.")
		todo+=("$ $file" "writes these settings into your ${file_words}.")
	fi
	next+=("open $out/result.html to see the steps and try other times and limits.")
}
# Print what sapp-lp skipped, and the smallest limits that work.
left_out() {
	local line
	[ ! -f "$out/.plan.log" ] || while IFS= read -r line; do
		line=${line#sapp-lp: }
		case $line in
		'left out: '*) printf '%s\n' "${line#left out: }" ;;
		'no plan of '*': the smallest limit that works is '*)
			[[ ! $line =~ ^'no plan of '(.*)' fits into '.*': '(.*' is ')([0-9]+)[0-9.]*(.*)$ ]] ||
				printf '%s: %s%s%s\n' "${BASH_REMATCH[@]:1:4}" ;;
		esac
	done <"$out/.plan.log"
}

# Write the page of all strategies; it begins with the conclusion and the next step.
page_put() {	# CONCLUSION
	sapp-plot -o "$set/result.html" -note <(page_note "$1") "$out/sim.jsonl" "$out/settings.jsonl"
}
page_note() {	# CONCLUSION
	local line others=''
	printf '%s\n\n' "${1%%$'\n\n'*}"
	printf '%s\n' "${todo[@]}"
	while IFS= read -r line; do
		case $line in
		'Next: use the same command'*) printf '%s\n' "$line" ;;
		'Next: '*) ;;
		*) others+=$line$'\n' ;;
		esac
	done <<<"${1#*$'\n\n'}"
	printf '\n%s' "$others"
}

report_and_page() {
	local simulated text refused next=() todo=() notes=() title measured='' by='' line records found=() \
		strategies=() transfers=()
	mapfile -t records < <(grep -v '^{"kind":"block"' "$out/sim.jsonl")
	for line in "${records[@]}"; do
		case $line in
		'{"kind":"sim"'*) found+=("$line") ;;
		'{"kind":"plan"'*) found+=("$line") strategies+=("$line") ;;
		*) strategies+=("$line") ;;
		esac
	done
	while IFS= read -r line; do
		case $line in 'transfers: '*) transfers+=("${line#transfers: }") ;; esac
	done < <(printf '%s\n' "${strategies[@]}" | sapp-sim -H "${sim[@]}" 2>/dev/null)
	IFS=$'\t' read -r measured by < <(measured_step)
	settings_read
	simulated=$(printf '%s\n' "${found[@]}" | jq -r -s -L "$lib" --arg measured "$measured" --arg by "$by" \
		--arg replicas "$replicas" --arg shared "$shared" --arg needs "$needs" --arg target "$target" \
		--arg transfers "$(printf '%s\n' "${transfers[@]}")" --arg assumed "$(printf '%s\n' "${assumed[@]}")" \
		--arg left "$(left_out)" --arg peak "$peak" --arg next "$(printf '%s\n' "${next[@]}")" \
		--slurpfile measures <(grep -E '^\{"kind":"(fit|peak|layer)"' "$out/layers.jsonl") \
		'include "balance"; balance_conclusion($ARGS.named |
		(.measured, .replicas, .shared) |= (if . == "" then null else tonumber end) |
		(.transfers, .assumed, .left, .next) |= (split("\n") | map(select(. != ""))))') || return
	page_put "${simulated%%$'\f'*}" || return
	narrow <<<"${simulated%%$'\f'*}"
	if [ -n "$text" ]; then
		printf '%s\n\n' "$title"
		if [[ $title == *Changes* ]]; then printf '%s\n' "$text"; else narrow <<<"$text"; fi
		[ ${#notes[@]} -eq 0 ] || printf '\n%s\n' "${notes[@]}" | narrow
		[ -z "$is_log" ] || {
			line=$(taken_away "$text")
			[ -z "$line" ] || printf '\nRemove from the arguments of %s:\n%s\n' "${train##*/}" "$line"
		}
		printf '\n'
	fi
	simulated=${simulated#*$'\f'$'\n'}
	printf '== The strategies ==\n\n%s\n' "${simulated%$'\f'*}"
	simulated=${simulated##*$'\f'}
	[ -z "$simulated" ] || printf '== The memory of layers ==\n%s\n' "$simulated"
	printf '\nAsked: sapp-lp %s\n' "${lp[*]}" | narrow
}
