# Settings of training from the plans of sapp-search, which sources this.
# shellcheck shell=bash disable=SC2154,SC2016 # its variables; programs of jq

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
# The training YAML with the degrees and the layers of a plan.
settings_mindformers() {	# NAME
	local file=$out/$1_pretrain.yaml dp tp pp cp ep mbs micro kind
	read -r dp tp pp cp ep mbs micro kind < <(jq -r --arg name "$1" \
		'.[$name] | [.dp, .tp, .pp, .cp // 1, .ep, .mbs, .micro_batches, .cp_kind // "ring"] |
		map(tostring) | join(" ")' \
		"$out/planned.json")
	cp -- "$training" "$file" || return
	yaml_set "$file" parallel_config data_parallel "$dp"
	yaml_set "$file" parallel_config model_parallel "$tp"
	yaml_set "$file" parallel_config pipeline_stage "$pp"
	if [ "$cp" != 1 ] || grep -q context_parallel "$file"; then
		yaml_set "$file" parallel_config context_parallel "$cp"; fi
	if [ "$kind" = ulysses ]; then
		yaml_set "$file" parallel_config context_parallel_algo ulysses_cp; fi
	if [ "$ep" != 1 ] || grep -q expert_parallel "$file"; then
		yaml_set "$file" parallel_config expert_parallel "$ep"; fi
	yaml_set "$file" parallel_config micro_batch_num "$micro"
	yaml_set "$file" runner_config batch_size "$mbs"
	sapp-yaml -w "$file" -plan "$1" "$out/plans.jsonl" 2>"$out/settings.log" ||
		say "$file: $(head -n 1 "$out/settings.log")"
}
# Arguments of Megatron-LM. Where it cannot run the plan, those of the best that it can.
settings_megatron() {	# NAME
	local name=$1 file=$out/$1_pretrain.args
	{
		query '.[$name] | megatron_arguments($gb)' -r --arg name "$name" --arg gb "${set[global_batch]}" \
			"$out/planned.json"
		[ "$(jq -r --arg name "$name" '.[$name].pp' "$out/planned.json")" = 1 ] || layout_megatron "$name"
	} | into "$file"
}
layout_megatron() {	# NAME
	if ! sapp-yaml -f megatron -plan "$1" "$out/plans.jsonl" >"$out/layout.new" 2>"$out/settings.log"; then
		candidate_of "$1" | estimate -layers | sapp-lp -j -target megatron -t 10 >"$out/uniform.new" 2>/dev/null
		if sapp-yaml -f megatron "$out/uniform.new" >"$out/layout.new" 2>/dev/null; then
			say "$1: $(head -n 1 "$out/settings.log"); arguments are those of the best that it can run," \
				"$(jq 'select(.kind == "plan").step_time' "$out/uniform.new") ms"
		else
			say "$1: $(head -n 1 "$out/settings.log")"
			: >"$out/layout.new"
		fi
	fi
	sed -e '/^--pipeline-model-parallel-size/d' -e 's/ \\$//' "$out/layout.new"
	rm -f -- "$out"/{layout,uniform}.new
}
settings_write() {
	winners | while read -r name; do
		if [ "${set[target]}" = mindformers ] && [ -n "$training" ]; then
			settings_mindformers "$name"
		else
			settings_megatron "$name"
		fi
	done
	rm -f -- "$out/settings.log"
}
