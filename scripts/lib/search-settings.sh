# Settings of training for plans: written, read back and simulated. Sourced by sapp-search.
# shellcheck shell=bash

# Print the records from which the settings of configurations are written: candidate, estimate, question and plan.
plan_records() {	# NAME...
	candidates_of "$@" | questions |
		jq -L "$lib" 'include "search";
			with_plans($ranked[0]; $estimates[0])' -nc --slurpfile estimates "$work/planned.json" \
			--slurpfile ranked "$work/ranked.json"
}

# Set "base" to the file to edit: a YAML of MindFormers, or a script. It is empty if the job has none, or if it cannot
# be edited; WORK/unedited then has the reason. Set "suffix" to the end of the names of settings.
base='' suffix=''
settings_begin() {
	local script=${training:-$model}
	base=''
	case ${set[target]}:$training in
	mindformers:?*) base=$training ;;
	megatron:* | mindspeed:*)
		[ -e "$work/unedited" ] || ! grep -qE -e '--(num-layers|pipeline-model-parallel-size)' -- "$script" ||
			base=$script ;;
	esac
	case ${set[target]}:$base in
	mindformers:* | primus:* | flagscale:*) suffix=_pretrain.yaml ;;
	megatron:?* | mindspeed:?*) suffix=_pretrain.sh ;;
	*) suffix=_pretrain.args ;;
	esac
}
# Print a MindFormers YAML with the keys that editing needs, for a job without a training YAML.
settings_skeleton() {
	printf '%s\n' "# $1: put these keys into the YAML of the training" 'parallel_config:' '  pipeline_stage: 1' \
		'  micro_batch_num: 1' 'recompute_config:' \
		'  recompute: False' 'parallel:' '  parallel_mode: 1' 'runner_config:' '  batch_size: 1' \
		'model:' '  model_config:' "    num_layers: $layers" '    offset: 0'
}
# Print the heading of a file of arguments, for a job without a script.
settings_heading() { printf '# %s: add these arguments to the command that starts training, in place of its own\n' \
	"$1"; }
# Write the settings of a plan into FILE, which is a copy of the job's file, or a skeleton.
settings_write() {	# NAME RECORDS FILE
	local format=()
	[ "${set[target]}" != mindspeed ] || format=(-f mindspeed)
	case ${set[target]}:$base in
	mindformers:) settings_skeleton "$1" >"$3" ;;
	*:?*) show "$base" >"$3" ;;
	*) settings_heading "$1" >"$3" && sapp-yaml -f "${set[target]}" -plan "$1" "$2" >>"$3"; return ;;
	esac && sapp-yaml -w "$3" "${format[@]}" -plan "$1" "$2"
}
# Print the reason in WORK/settings.log why settings were not written.
settings_why() { sed -nE '$s/^sapp-yaml: ([^ ]*:([0-9]+: )?)?//p' "$work/settings.log"; }
# Return whether the script cannot be edited for any plan; settings are then arguments.
settings_unedited() {	# NAME RECORDS FILE
	case ${set[target]}:$base in megatron:?* | mindspeed:?*) ;; *) return 1 ;; esac
	sed -nE '$s/^sapp-yaml: [^ ]*:([0-9]+): /line \1: /p; $s/^sapp-yaml: [^ ]*: //p' "$work/settings.log" \
		>"$work/unedited"
	settings_begin
	! settings_write "$1" "$2" "$3" 2>"$work/settings.log" || return 0
	rm -f -- "$work/unedited"
	settings_begin
	return 1
}
# Write the records of each configuration, without its plan and after the records common to all, to FILE.1 and on.
records_part() {	# FILE
	awk -v file="$1" '/^{"kind":"candidate"/ { part = file "." ++n; printf "%s", head >part }
		!n { head = head $0 "\n" }
		n && !/^{"kind":"plan"/ { print >part }' "$1"
}
# Print the sim record in FILE. Return false if FILE has none.
sim_line() {	# FILE
	local line lines
	mapfile -t lines <"$1"
	for line in "${lines[@]}"; do
		[[ $line != '{"kind":"sim"'* ]] || { printf '%s\n' "$line"; return 0; }
	done
	return 1
}
# Print each configuration whose settings do not give the step of its plan, with the reason.
settings_problems() {	# NAME...
	local name n=0 records=$work/round/records file files=() why
	plan_records "$@" >"$records" && records_part "$records" || exit 1
	: >"$work/round/sim"
	for name; do
		n=$((n + 1)) why=''
		while file=$work/round/$name$suffix
			! settings_write "$name" "$records" "$file" 2>"$work/settings.log"; do
			why=$(settings_why)
			why=${why:-its settings cannot be written}
			settings_unedited "$name" "$records" "$file" || break
			why=''
		done
		if [ -z "$why" ] && ! { sapp-yaml -r "$file" -layers "$layers" -name "$name" "$records.$n" |
			sapp-sim >"$work/round/one" && sim_line "$work/round/one" >>"$work/round/sim"
			} 2>"$work/settings.log"; then
			why="its settings cannot be read back: $(head -n 1 "$work/settings.log")"
		fi
		[ -z "$why" ] || jq -nc --arg name "$name" --arg why "$why" '{ name: $name, why: $why }'
		files+=("$file")
	done
	jq -c -n '(reduce (inputs | select(.kind == "plan")) as $p ({}; .[$p.name] = $p.step_time)) as $plan |
		$sims[] | select((.step_time / $plan[.name] - 1 | fabs) > 1e-9) | { name,
			why: "with its settings a step takes \(.step_time) ms, not \($plan[.name]) ms" }' \
		--slurpfile sims "$work/round/sim" "$records"
	for ((; n > 0; n--)); do files+=("$records.$n"); done
	rm -f -- "$records" "${files[@]}"
}
# Write the settings of the winners, and remove older settings.
settings_put() {
	local - name file files=() old=() log line
	local said='^sapp-yaml: [^ ]*:([0-9]+: )?(it .*the plan is for.*|warning: max_device_memory.*)'
	set +f
	for file in "$out"/*_pretrain.*; do [ ! -f "$file" ] || [ -L "$file" ] || old+=("$file"); done
	set -f
	[ ${#old[@]} -eq 0 ] || rm -f -- "${old[@]}"
	for name in "${winners[@]}"; do
		file=$name$suffix
		settings_write "$name" "$out/plans.jsonl" "$work/round/$file" 2>"$work/settings.log" ||
			die 1 "$name: $(tail -n 1 "$work/settings.log")"
		files+=("$work/round/$file")
		# Pass on messages about the number of nodes, and about a memory limit below the plan's.
		mapfile -t log <"$work/settings.log"
		for line in "${log[@]}"; do
			[[ ! $line =~ $said ]] ||
				printf '%s\n' "$me: $file: ${BASH_REMATCH[2]}" >&2
		done
	done
	# Settings have the access rights of the file that they are made from.
	[ -z "$base" ] || chmod --reference="$base" -- "${files[@]}" && chmod u+w -- "${files[@]}" || exit 1
	mv -f -t "$out" -- "${files[@]}" || exit 1
	[ ! -s "$work/unedited" ] ||
		say "${training:-$model} is not edited, $(cat "$work/unedited"): settings are arguments"
	rm -f -- "$work/settings.log"
}
