# Settings of training from the plans of sapp-search, which sources this: written, read back and simulated.
# shellcheck shell=bash disable=SC2154,SC2016 # its variables; programs of jq

# What is said of a configuration to those who write its settings: candidate, estimate, question and plan.
plan_records() {	# NAME...
	local name
	for name in "$@"; do candidate_of "$name"; done | estimate -layers |
		query with_plans -nc --slurpfile estimates "$out/planned.json" --slurpfile ranked "$out/ranked.json"
}

# The file that settings are made from: a YAML of MindFormers, or a script; none where the job has none, or one that
# cannot be edited: OUT/unedited says why.
settings_base() {
	local script=${training:-$model}
	case ${set[target]}:$training in
	mindformers:?*) printf '%s' "$training" ;;
	megatron:*)
		[ -e "$out/unedited" ] || ! grep -qE -e '--(num-layers|pipeline-model-parallel-size)' -- "$script" ||
			printf '%s' "$script" ;;
	esac
}
settings_file() {	# NAME
	case ${set[target]}:$(settings_base) in
	mindformers:* | primus:* | flagscale:*) printf '%s_pretrain.yaml' "$1" ;;
	megatron:?*) printf '%s_pretrain.sh' "$1" ;;
	*) printf '%s_pretrain.args' "$1" ;;
	esac
}
# What a MindFormers YAML must have to be edited, where the job has none.
settings_skeleton() {
	printf '%s\n' 'parallel_config:' '  pipeline_stage: 1' '  micro_batch_num: 1' 'recompute_config:' \
		'  recompute: False' 'parallel:' '  parallel_mode: 1' 'runner_config:' '  batch_size: 1' \
		'model:' '  model_config:' "    num_layers: $layers" '    offset: 0'
}
settings_write() {	# NAME RECORDS FILE
	local base
	base=$(settings_base)
	case ${set[target]}:$base in
	mindformers:*)
		if [ -n "$base" ]; then cp -- "$base" "$3" && chmod u+w -- "$3"; else settings_skeleton >"$3"; fi &&
			sapp-yaml -w "$3" -plan "$1" "$2" ;;
	*:?*) cp -- "$base" "$3" && chmod u+w -- "$3" && sapp-yaml -w "$3" -plan "$1" "$2" ;;
	*) sapp-yaml -f "${set[target]}" -plan "$1" "$2" >"$3" ;;
	esac
}
# Why settings were not written, in OUT/settings.log.
settings_why() { sed -nE '$s/^sapp-yaml: ([^ ]*:([0-9]+: )?)?//p' "$out/settings.log"; }
# Is it for the script, which cannot be edited whatever the plan? Others are given as arguments then.
settings_unedited() {	# NAME RECORDS FILE
	[ "${set[target]}" = megatron ] && [ -n "$(settings_base)" ] || return 1
	sed -nE '$s/^sapp-yaml: [^ ]*:([0-9]+): /line \1: /p; $s/^sapp-yaml: [^ ]*: //p' "$out/settings.log" \
		>"$out/unedited"
	! settings_write "$1" "$2" "$3" 2>"$out/settings.log" || return 0
	rm -f -- "$out/unedited"
	return 1
}
# The step that these settings make, as a record of sapp-sim.
settings_simulate() {	# NAME RECORDS FILE
	jq -c 'select(.kind != "plan")' "$2" >"$2.asked" &&
		sapp-yaml -r "$3" -layers "$layers" -name "$1" "$2.asked" | sapp-sim |
			jq -c 'select(.kind == "sim")' | grep .
}
# Why the settings of a configuration do not make the step of its plan; nothing where they do.
settings_problem() {	# NAME
	local records=$out/round/records file why
	file=$out/round/$(settings_file "$1")
	plan_records "$1" >"$records" || exit 1
	if ! settings_write "$1" "$records" "$file" 2>"$out/settings.log"; then
		why=$(settings_why)
		if settings_unedited "$1" "$records" "$file"; then
			settings_problem "$1"
		else
			printf '%s\n' "${why:-its settings cannot be written}"
		fi
	elif ! settings_simulate "$1" "$records" "$file" >"$out/round/sim" 2>"$out/settings.log"; then
		echo "its settings cannot be read back: $(head -n 1 "$out/settings.log")"
	else
		jq -r -s 'map(select(.kind == "plan"))[0].step_time as $plan |
			map(select(.kind == "sim"))[0].step_time | if (. / $plan - 1 | fabs) > 1e-9 then
				"its settings make a step of \(.) ms, not of \($plan)" else empty end' \
			"$records" "$out/round/sim"
		cat "$out/round/sim" >>"$out/round/sims"
	fi
	rm -f -- "$records" "$records.asked" "$file"
}
# Those of the winners, and no older ones.
settings_put() {
	local name records=$out/round/records file
	find "$out" -maxdepth 1 -name '*_pretrain.*' -type f -delete
	while read -r name; do
		file=$(settings_file "$name")
		plan_records "$name" >"$records" || exit 1
		settings_write "$name" "$records" "$out/round/$file" 2>"$out/settings.log" ||
			die 1 "$name: $(tail -n 1 "$out/settings.log")"
		mv -f -- "$out/round/$file" "$out/$file" || exit 1
		# How many nodes a script starts.
		sed -nE "s/^sapp-yaml: [^ ]*:([0-9]+: )?(it .*the plan is for)/$me: $file: \2/p" "$out/settings.log" >&2
	done < <(winners)
	[ ! -s "$out/unedited" ] ||
		say "${training:-$model} is not edited, $(cat "$out/unedited"): settings are arguments"
	rm -f -- "$out/settings.log" "$records"
}
