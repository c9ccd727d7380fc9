# The job of sapp-search: its settings, and the inputs before planning. Sourced by sapp-search.
# shellcheck shell=bash

# Read the job as sapp-model checks it: keys with values, and the keys of limits.
declare -A set=() limit=()
measured=() packed=null
job_read() {
	local said to key value
	said=$(exec -a "$me" sapp-model -job "$job") || exit 1
	while IFS=$'\t' read -r to key value; do
		case $to in
		set) set[$key]=$value ;;
		limit) limit[$key]=$value ;;
		measured) measured+=("$(path "$value")") ;;
		hardware) hardware=$value ;;
		packed) packed=$value ;;
		esac
	done < <(jq -r '
		(to_entries[] | select(.value | type | IN("string", "number")) | "set\t\(.key)\t\(.value)"),
		(.limits // {} | to_entries[] | "limit\t\(.key)\t\(.value)"),
		(.measured // [] | .[] | "measured\t-\t\(.)"),
		"hardware\t-\t\(.hardware // {} | tojson)", "packed\t-\t\(.packed | tojson)"' <<<"$said")
	: "${set[target]:=megatron}"
	# These settings may be at the top of a job or in its limits.
	for key in dispatcher ep_overlap graph modules compute optimizer optimizer_host recompute schedule; do
		[ -n "${set[$key]-}" ] || continue
		[ -z "${limit[$key]-}" ] || die 1 "$job: $key: also in limits"
		limit[$key]=${set[$key]}
	done
}
# Print a path of the job, which is relative to the job's directory.
path() {
	local directory=.
	case $1 in
	/*) printf '%s' "$1" ;;
	*)
		[[ $job != */* ]] || directory=${job%"${job##*/}"}
		[[ $directory == / ]] || directory=${directory%/}
		printf '%s/%s' "$directory" "$1" ;;
	esac
}

# Set the options of the space, and of estimates.
space=() estimating=()
questions_set() {
	local key rules
	model=$(path "${set[model]}")
	training=${set[training]-}
	[ -z "$training" ] || training=$(path "$training")
	# Only a file with degrees is a training file; a search file of HyperParallel is not.
	case ${set[target]}:$training:$model in
	mindformers::*.yaml | mindformers::*.yml) ! grep -q '^"\?parallel_config' -- "$model" || training=$model ;;
	esac
	cluster=${set[cluster]}
	[ ! -e "$(path "$cluster")" ] || cluster=$(path "$cluster")
	# Frameworks with arguments of Megatron-LM have the rules of Megatron-LM.
	case ${set[target]} in mindformers) rules=mindformers ;; *) rules=megatron ;; esac
	space=(-n "${set[devices]}" -gb "${set[global_batch]}" -rules "$rules")
	# Embedding and loss may have their own pieces.
	case ${set[target]} in megatron | flagscale) space+=(-empty) ;; esac
	case ${limit[schedule]-} in
	1f1b) [ -n "${limit[vp]-}" ] || space+=(-vp 1) ;;
	interleaved) [ -n "${limit[vp]-}" ] || space+=(-vp 2-65536) ;;
	esac
	while read -r key; do
		case $key in '' | recompute | schedule) continue ;; esac
		space+=("-${key//_/-}")
		[ "${limit[$key]}" = true ] || space+=("${limit[$key]}")
	done < <(printf '%s\n' "${!limit[@]}" | sort)
	[ -z "${set[candidates]-}" ] || space+=(-only "$(path "${set[candidates]}")")
	estimating=(-imbalance "${set[imbalance]:-1}")
	[ -z "${set[peaks]-}" ] || estimating+=(-peaks "$(path "${set[peaks]}")")
	[ -z "${set[profile]-}" ] || estimating+=(-profile "$(path "${set[profile]}")")
}

# Read the network of the model's file, with additions of the job, and the current run.
network_read() {
	local more=() vocab tokens differ
	[ -z "${set[lora]-}" ] || more+=(-lora "$([ -e "$(path "${set[lora]}")" ] && path "${set[lora]}" ||
		printf %s "${set[lora]}")")
	[ -z "${set[lora_modules]-}" ] || more+=(-modules "${set[lora_modules]}")
	[ -z "${set[freeze]-}" ] || more+=(-freeze "${set[freeze]}")
	[ -z "${set[seq_length]-}" ] || more+=(-seq "${set[seq_length]}")
	[ -z "${set[vocab]-}" ] || more+=(-vocab "${set[vocab]}")
	sapp-model "${more[@]}" "$model" >"$work/model.new" || die 1 "$model: no network in it"
	[ -n "$training${set[vocab]-}" ] || return 0
	vocab=$(jq -r 'select(.kind == "network").vocab_size' "$work/model.new" | head -n 1)
	[ "${set[vocab]:-$vocab}" = "$vocab" ] || die 1 "$job: vocab: not the $vocab of $model '${set[vocab]}'"
	# The current run is in the training file; scripts leave the vocabulary to a tokenizer.
	tokens=$([ -z "$training" ] || sapp-model -vocab "$vocab" "$training" 2>"$work/model.log" |
		jq -r 'select(.kind == "network").seq_length' | head -n 1)
	if [ -n "$tokens" ]; then
		[ "${set[seq_length]:-$tokens}" = "$tokens" ] ||
			die 1 "$job: seq_length: not the $tokens of $training '${set[seq_length]}'"
		more+=(-seq "$tokens")
	fi
	if [ -n "$training" ] && [ "$training" != "$model" ]; then
		sapp-model "${more[@]}" -vocab "$vocab" "$model" "$training" >"$work/model.new" ||
			die 1 "$training: no configuration in it"
		differ=$(jq -rs 'map(select(.kind == "network")) | .[0] as $of | .[1] // $of | to_entries[] |
			select(.key | IN("layers", "hidden_size", "num_heads", "ffn_size")) |
			select(.value != ($of[.key] // .value)) |
				"\(.key) is \(.value), not \($of[.key])"' "$work/model.new")
		[ -z "$differ" ] || die 1 "$training: not the network of $model: ${differ//$'\n'/, }"
	fi
}

# Return whether a file or directory has peaks of memory, or timelines or timers.
has_peaks() {
	grep -rqE 'Actual peak memory usage|Used peak memory usage|memory \(MB\)|max allocated' -- "$1"
}
has_times() {
	! has_peaks "$1" || grep -rqE 'forward-compute|"traceEvents"|"ph":' -- "$1" ||
		find "$1" \( -name '*.json*' -o -name '*.gz' -o -name '*.csv' \) -print -quit | grep -q .
}
# Write times and memory of layers, from profiles and logs of the run that the training file describes.
measured_write() {
	local base=${training:-$model} path logs=() profiles=()
	for path in "${measured[@]}"; do
		[ -r "$path" ] || die 1 "$job: measured: cannot be read '$path'"
		# Results of sapp-fit are from other runs.
		if [ -f "$path" ] && grep -q '"kind":"coefficient"' "$path"; then
			jq -c 'select(.kind == "run" or .kind == "coefficient")' "$path"
			continue
		fi
		if has_peaks "$path"; then logs+=("$path"); fi
		if has_times "$path"; then profiles+=("$path"); fi
	done
	[ $((${#logs[@]} + ${#profiles[@]})) -gt 0 ] || return 0
	[ -s "$work/current.jsonl" ] || die 1 "$job: measured: $base lacks the degrees of the measured run"
	sapp-yaml -init "$base" >"$work/init.yaml" || die 1 "$base: it lacks the settings of the measured run"
	: >"$work/times.new"
	[ ${#profiles[@]} = 0 ] || sapp-trace -c "$work/init.yaml" "${profiles[@]}" >"$work/times.new" ||
		die 1 "$job: measured: no times of layers in it"
	# Write the measured step of the run, if the run has the batch size of the job.
	jq -s --slurpfile ran "$work/ran.new" --slurpfile now "$work/current.jsonl" '
		[.[] | select(.kind == "step").time] | sort | if length == 0 or
		$ran[0].micro_batches != $now[0].micro_batches then empty else .[length / 2 | floor] end' \
		"$work/times.new" >"$work/step.txt"
	if [ ${#logs[@]} = 0 ]; then
		jq -c 'select(.kind == "job" or .kind == "timing" and (.name | test("layer|block|expert"; "i")))' \
			"$work/times.new" | jq -c -s 'sort_by(.kind != "job")[]'
		jq -c -L "$lib" 'include "search"; measured_model' "$work/current.jsonl"
		return
	fi
	jq -c 'select(.kind == "network")' "$work/network.jsonl" | cat - "$work/ran.new" "$work/times.new" |
		sapp-memsplit "$work/init.yaml" "${logs[@]}" >"$work/measured.new" ||
		die 1 "$job: measured: no memory of layers in it"
	jq -c -L "$lib" 'include "search"; measured_model' "$work/current.jsonl"
	jq -c 'select(.kind == "layer")' "$work/measured.new"
}
# Print kernels, collectives and layers of the run with profiles in DIR.
run_records() {	# DIR OPTION...
	local dir=$1 nodes
	shift
	sapp-trace -kernels "$@" "$dir" >"$work/run.new" || die 1 "$job: runs: no layers in '$dir'"
	# With several nodes, separate links between nodes from links within nodes.
	nodes=$(jq -s --slurpfile c "$work/network.jsonl" '
		($c[] | select(.kind == "cluster").devices_per_node) as $each |
		map(select(.kind == "run"))[0] | .dp * .tp * .pp * (.cp // 1) / $each | ceil' "$work/run.new")
	[ "${nodes:-1}" -le 1 ] || sapp-trace -kernels -nodes "$nodes" "$@" "$dir" >"$work/run.new" 2>"$work/run.log" ||
		die 1 "$job: runs: $(tail -n 1 "$work/run.log")"
	cat "$work/run.new"
	rm -f -- "$work"/run.{new,log}
}
# Print the results of sapp-fit for short runs, each in its own directory, and given earlier results.
runs_write() {
	local dir file options=() found=()
	if [ -n "${set[coefficients]-}" ]; then
		file=$(path "${set[coefficients]}")
		if [ ! -f "$file" ] || ! grep -q '"kind":"coefficient"' -- "$file"; then
			die 1 "$job: coefficients: no file of coefficients '$file'"
		fi
		jq -c 'select(.kind | IN("run", "coefficient", "usage"))' "$file"
	fi
	if [ -n "${set[operators]-}" ]; then
		file=$(path "${set[operators]}")
		if [ ! -f "$file" ] || ! grep -q '"kind":"operator"' -- "$file"; then
			die 1 "$job: operators: no file of operators '$file'"
		fi
		jq -c 'select(.kind | IN("operator", "coefficient"))' "$file"
	fi
	rm -f -- "$work"/kernels.jsonl
	[ -n "${set[runs]-}" ] || return 0
	dir=$(path "${set[runs]}")
	[ -d "$dir" ] || die 1 "$job: runs: not a directory '$dir'"
	mapfile -t found < <(find "$dir" -mindepth 2 -type f -printf '%P\n' | cut -d/ -f1 | sort -u)
	[ ${#found[@]} -gt 0 ] || die 1 "$job: runs: no profiles in directories below '$dir'"
	[ ! -e "$dir/runs.jsonl" ] || options=(-runs "$dir/runs.jsonl")
	for file in "${found[@]}"; do
		run_records "$dir/$file" "${options[@]}"
	done >"$work/kernels.jsonl" || exit 1
	# Work on a copy of the known kernels: otherwise every search would add these runs again.
	options=()
	if [ -n "${set[known]-}" ]; then
		file=$(path "${set[known]}")
		cp -- "$file" "$work/known.jsonl" && chmod u+w -- "$work/known.jsonl" || exit 1
		options=(-db "$work/known.jsonl")
	fi
	sapp-fit -j "${options[@]}" "$work/kernels.jsonl" >"$work/fit.new" || die 1 "$job: runs: nothing can be fitted"
	jq -c 'select(.kind | IN("run", "coefficient", "usage"))' "$work/fit.new"
	rm -f -- "$work/fit.new"
}
# Print the share of the limit to keep free. Computed peaks are estimates with errors from -8 to 9 %. A limit in the job
# or the training file is kept exactly.
margin_default() {
	if [ -n "${set[memory]-}$training_limit" ]; then
		echo 0
	elif [ ${#measured[@]} -gt 0 ] || [ -n "${set[peaks]-}${set[dryruns]-}" ]; then
		echo 0.02
	else
		echo 0.08
	fi
}
# Print whole.jsonl with this share of the limit kept free.
margined() {	# PART
	if [ "$1" = 0 ]; then
		show "$work/whole.jsonl"
	else
		jq -c -L "$lib" --argjson m "$1" 'include "search"; margined($m)' "$work/whole.jsonl"
	fi
}
# Write network.jsonl: whole.jsonl with this share of the limit kept free.
margin_keep() {	# PART
	margin=$1
	margined "$1" | into "$work/network.jsonl" || exit 1
}

# Report limits of the job that override a rule.
limits_say() {
	local node most
	[ -n "${limit[tp]-}" ] || return 0
	node=$(jq 'select(.kind == "cluster") | .devices_per_node // 0' "$work/whole.jsonl")
	most=$(grep -oE '[0-9]+' <<<"${limit[tp]}" | sort -n | tail -n 1)
	[ "${most:-0}" -le "$node" ] ||
		settings_given+=("tp ${limit[tp]} (job), in place of the rule tp-max, at most $node")
}

# Read the device limit of the training file. Report a different limit of the job or the cluster.
training_limit=''
limit_of_training() {
	local mine what=cluster
	case $training in *.yaml | *.yml) ;; *) return 0 ;; esac
	training_limit=$(sapp-yaml -init "$training" -j 2>/dev/null |
		jq -r 'select(.kind == "job").memory_limit // empty | if type == "array" then .[0] else . end')
	[ -n "$training_limit" ] || return 0
	mine=${set[memory]:-$(jq .memory_limit "$work/cluster.new")}
	[ -z "${set[memory]-}" ] || what=job
	! holds 'm != l' m="$mine" l="$training_limit" ||
		say "$training: max_device_memory is $training_limit MB, but the memory of the $what is $mine MB: $(
			[ $what = job ] && printf 'the latter is used' || printf 'the former is used')"
}

# Write whole.jsonl, the network and the cluster with the figures of the job, and network.jsonl with the margin. Set
# what the shell needs of them and of the current run. "today" has the settings of the current run that a job may also
# set, or nothing without a current run. One program does all of this, since starting jq takes longer.
today=()
whole_write() {
	local lines n
	lines=$(grep '^{"kind":"network"' "$work/model.new" | jq -r -s -L "$lib" --argjson packed "$packed" \
		--argjson memory "${set[memory]:-${training_limit:-null}}" --argjson has "$hardware" \
		--argjson margin "$margin" --slurpfile cluster "$work/cluster.new" \
		--slurpfile now "$work/current.jsonl" 'include "search"; . as $all |
		[$all[1:][] | select(.precision)] as $ran |
		[($all[0] | network_with($packed; $ran[0].precision)), ($cluster[] | cluster_with($memory; $has))] |
		map(select(.kind == "network"))[0] as $n | map(select(.kind == "cluster"))[0] as $c |
		length, (.[] | tojson), (.[] | margined($margin) | tojson), $n.layers, $n.experts // 0,
		($c.memory_limit | tojson), ($now[0].micro_batches | tojson),
		($now[0].fused // [] | join("+")), ($now[] | (.dispatcher // ""), (.ep_overlap // "" | tostring),
		(.graph // ""), (if .recompute | type == "array" then .recompute | join("+") else "" end),
		(.compute // ""), (.optimizer // ""), (.optimizer_host // "" | tostring)), "."') ||
		die 1 "$job: packed: a document is longer than a sequence"
	mapfile -t lines <<<"$lines"
	n=${lines[0]}
	printf '%s\n' "${lines[@]:1:n}" | into "$work/whole.jsonl" || exit 1
	printf '%s\n' "${lines[@]:1 + n:n}" | into "$work/network.jsonl" || exit 1
	lines=("${lines[@]:1 + 2 * n}")
	layers=${lines[0]} experts=${lines[1]} memory_limit=${lines[2]} current_micro=${lines[3]} fused=${lines[4]}
	today=("${lines[@]:5:${#lines[@]} - 6}")	# the last line is a dot
}

# Write network and cluster, the current run of the model's file, and the measurements.
inputs_write() {
	local question before=''
	network_read
	grep '^{"kind":"candidate"' "$work/model.new" | tail -n 1 >"$work/ran.new"
	{
		[ ! -s "$work/ran.new" ] || jq -c --argjson gb "${set[global_batch]}" '
			.micro_batches = ([$gb / (.dp * (.mbs // 1)) | floor, 1] | max)' "$work/ran.new"
	} | into "$work/current.jsonl" || exit 1
	sapp-est -cluster "$cluster" /dev/null >"$work/cluster.new" || exit 1
	limit_of_training
	margin=${set[margin]:-$(margin_default)}
	whole_write
	limits_say
	settings_assume "${set[target]}" "${training:-$model}" "$experts" "${today[@]}"
	[ -z "${set[known]-}" ] || [ -n "${set[runs]-}" ] || die 1 "$job: known: needs runs"
	dryruns_make
	if [ ${#measured[@]} -gt 0 ] ||
		[ -n "${set[runs]-}${set[coefficients]-}${set[operators]-}${set[peaks]-}${set[profile]-}" ]; then
		{
			# Peaks and profiles without a micro-batch size have the micro-batch size of the training file.
			if [ ${#measured[@]} -gt 0 ]; then
				measured_write
			else
				jq -c -L "$lib" 'include "search"; measured_model' "$work/current.jsonl"
			fi
			runs_write
		} | into "$out/measured.jsonl" || exit 1
		estimating+=(-measured "$out/measured.jsonl")
	elif [ -e "$out/measured.jsonl" ]; then
		rm -f -- "$out/measured.jsonl"
	fi
	[ ${#measured[@]} -gt 0 ] || rm -f -- "$work/step.txt"
	rm -f -- "$work"/{model,ran,cluster,measured,times}.new "$work/model.log"
	# Discard answers to other questions.
	read -r question _ < <({ show "$work/network.jsonl"; show "$work/current.jsonl"
		[ ! -e "$out/measured.jsonl" ] || show "$out/measured.jsonl"
		[ -z "${set[peaks]-}" ] || find "$(path "${set[peaks]}")" -type f -printf '%p %s %T@\n' | sort
		printf '%s\n' "${space[@]}" "${estimating[@]}"; } | cksum)
	slurp before "$work/question"
	if [ "$before" != "$question"$'\n' ]; then
		rm -f -- "$work"/{answers,candidates}.jsonl
		echo "$question" >"$work/question"
	fi
	: >>"$work/answers.jsonl"
	: >>"$work/candidates.jsonl"
}

# Print the step (ms) of the current run's own lists, stages and schedule with the job's batch; print nothing without a
# current run.
today_step() {
	local base=${training:-$model} line
	[[ $base != *.json ]] || return 0
	while IFS= read -r line; do
		[[ $line =~ ^'{"kind":"sim"'.*'"step_time":'([0-9.eE+-]+) ]] || continue
		echo "${BASH_REMATCH[1]}"
		return
	done < <(estimate -layers <"$work/current.jsonl" | sapp-yaml -r "$base" -layers "$layers" |
		jq -c --argjson micro "$current_micro" \
			'if .kind == "plan" then .micro_batches = $micro else . end' | sapp-sim)
}
baseline_write() {
	local step took=''
	step=$(today_step 2>/dev/null)
	[ ! -s "$work/step.txt" ] || took=$(<"$work/step.txt")
	: >"$work/baseline.jsonl"
	[ ! -s "$work/current.jsonl" ] || estimate <"$work/current.jsonl" 2>/dev/null |
		jq -c --argjson step "${step:-null}" --argjson took "${took:-null}" '
		select(.kind == "estimate") | (if $took then .measured = $took else . end) |
		if $step then .times.bubble += $step - .step_time |
			.tokens_per_second *= .step_time / $step | .mfu *= .step_time / $step | .step_time = $step
		else . end' >"$work/baseline.jsonl"
	[ -z "${set[peaks]-}" ] ||
		sapp-est "${estimating[@]}" -nd "$out/nd_candidate_config.csv" "$work/network.jsonl" >/dev/null ||
			exit 1
}
