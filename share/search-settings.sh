# Settings of training from the plans of sapp-search, which sources this: written, read back and simulated.
# shellcheck shell=bash disable=SC2154,SC2016 # its variables; programs of jq

# What is said of a configuration to those who write its settings: candidate, estimate, question and plan.
plan_records() {	# NAME...
	local name
	for name in "$@"; do candidate_of "$name"; done | estimate -layers |
		query with_plans -nc --slurpfile estimates "$out/planned.json" --slurpfile ranked "$out/ranked.json"
}

# The file that settings are made from: a YAML of MindFormers, or a script; none where the job has none.
settings_base() {
	case ${set[target]}:$training:$model in
	mindformers:?*:*) printf '%s' "$training" ;;
	megatron:*.sh:*) printf '%s' "$training" ;;
	megatron:*:*.sh) printf '%s' "$model" ;;
	esac
}
settings_file() {	# NAME
	case ${set[target]}:$(settings_base) in
	mindformers:*) printf '%s_pretrain.yaml' "$1" ;;
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
# The value of KEY in BLOCK of a YAML, or a line with it where there is none; an anchor before it stays.
yaml_set() {	# FILE BLOCK KEY VALUE
	awk -v block="$2" -v key="$3" -v value="$4" '
		index($0, block ":") == 1 { inside = 1; print; next }
		inside && /^[^ #]/ {
			if (!done)
				print "  " key ": " value
			inside = 0
			done = 1
		}
		inside && !done && $0 ~ "^ +" key ":" {
			match($0, "^ +" key ": *(&[A-Za-z_0-9]+ +)?")
			head = substr($0, 1, RLENGTH)
			rest = substr($0, RLENGTH + 1)
			sub(/^[^ #]*/, value, rest)
			$0 = head rest
			done = 1
		}
		{ print }
		END { if (inside && !done) print "  " key ": " value }' "$1" | into "$1"
}
# The degrees of a configuration in a MindFormers YAML.
settings_degrees() {	# FILE NAME
	local dp tp pp cp ep mbs micro kind
	read -r dp tp pp cp ep mbs micro kind < <(jq -r --arg name "$2" \
		'.[$name] | [.dp, .tp, .pp, .cp // 1, .ep, .mbs, .micro_batches, .cp_kind // "ring"] |
			map(tostring) | join(" ")' \
		"$out/planned.json")
	yaml_set "$1" parallel_config data_parallel "$dp"
	yaml_set "$1" parallel_config model_parallel "$tp"
	yaml_set "$1" parallel_config pipeline_stage "$pp"
	if [ "$cp" != 1 ] || grep -q context_parallel "$1"; then
		yaml_set "$1" parallel_config context_parallel "$cp"; fi
	if [ "$kind" = ulysses ]; then
		yaml_set "$1" parallel_config context_parallel_algo ulysses_cp; fi
	if [ "$ep" != 1 ] || grep -q expert_parallel "$1"; then yaml_set "$1" parallel_config expert_parallel "$ep"; fi
	yaml_set "$1" parallel_config micro_batch_num "$micro"
	yaml_set "$1" runner_config batch_size "$mbs"
}
settings_write() {	# NAME RECORDS FILE
	local base
	base=$(settings_base)
	case ${set[target]}:$base in
	mindformers:*)
		if [ -n "$base" ]; then cp -- "$base" "$3" && chmod u+w -- "$3"; else settings_skeleton >"$3"; fi &&
			settings_degrees "$3" "$1" && sapp-yaml -w "$3" -plan "$1" "$2" ;;
	*:?*) cp -- "$base" "$3" && chmod u+w -- "$3" && sapp-yaml -w "$3" -plan "$1" "$2" ;;
	*)
		query 'map(select(.kind == "estimate"))[0] | megatron_arguments($gb)' -r -s \
			--arg gb "${set[global_batch]}" "$2" >"$3" &&
			sapp-yaml -f megatron -plan "$1" "$2" >"$3.new" &&
			sed -e '/^--pipeline-model-parallel-size/d' -e 's/ \\$//' "$3.new" >>"$3" &&
			rm -f -- "$3.new" ;;
	esac
}
# The step that these settings make, as a record of sapp-sim.
settings_simulate() {	# NAME RECORDS FILE
	jq -c 'select(.kind != "plan")' "$2" >"$2.asked" &&
		sapp-yaml -r "$3" -layers "$layers" -name "$1" "$2.asked" | sapp-sim |
			jq -c 'select(.kind == "sim")' | grep .
}
# Why the settings of a configuration do not make the step of its plan; nothing where they do.
settings_problem() {	# NAME
	local records=$out/round/records file
	file=$out/round/$(settings_file "$1")
	plan_records "$1" >"$records" || exit 1
	if ! settings_write "$1" "$records" "$file" 2>"$out/settings.log"; then
		sed -nE '1s/^sapp-yaml: ([^ ]*:[0-9]+: )?//p' "$out/settings.log" | grep . ||
			echo 'its settings cannot be written'
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
			die 1 "$name: $(head -n 1 "$out/settings.log")"
		mv -f -- "$out/round/$file" "$out/$file" || exit 1
	done < <(winners)
	rm -f -- "$out/settings.log" "$records"
}
