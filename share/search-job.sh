# The job of sapp-search, which sources this: what its file says, and what is known before anything is planned.
# shellcheck shell=bash disable=SC2034,SC2154,SC2016 # its variables; programs of jq

# The job: keys with values, and limits one level below; every one is known or an error with its line.
declare -A set=() limit=()
key_read() {	# LINE KEY VALUE
	local at=$job:$1 key=$2 value=$3
	[ -z "${set[$key]-}" ] || die 1 "$at: twice '$key'"
	case $key in
	limits) [ -z "$value" ] || die 1 "$at: limits: not a map '$value'"; return ;;
	model | cluster | target | training | peaks | profile | imbalance)
		[ -n "$value" ] || die 1 "$at: $key: nothing is said" ;;
	devices | global_batch | seq_length | memory)
		[[ $value =~ ^[1-9][0-9]{0,8}$ ]] || die 1 "$at: $key: not a positive whole number '$value'" ;;
	*) die 1 "$at: unknown key '$key'" ;;
	esac
	set[$key]=$value
}
limit_read() {	# LINE KEY VALUE
	local at=$job:$1 key=$2 value=$3
	[ -z "${limit[$key]+there}" ] || die 1 "$at: limits: twice '$key'"
	case $key:$value in
	even:true) ;;
	even:false) return ;;
	even:*) die 1 "$at: limits: even: neither true nor false '$value'" ;;
	dp:?* | tp:?* | cp:?* | cp_kind:?* | pp:?* | ep:?* | etp:?* | zero:?* | shard:?* | vp:?* | mbs:?*) ;;
	tp_max:?* | pp_max:?* | cp_max:?* | ep_max:?*) ;;
	*:) die 1 "$at: limits: $key: nothing is said" ;;
	*) die 1 "$at: limits: unknown key '$key'" ;;
	esac
	limit[$key]=${value//[\[\] ]/}
}
job_read() {
	local line key n=0 inside=
	while IFS= read -r line || [ -n "$line" ]; do
		n=$((n + 1))
		line=${line%%[[:space:]]#*}
		line=${line%"${line##*[![:space:]]}"}
		[[ -n $line && $line != \#* ]] || continue
		[[ $line =~ ^([[:space:]]*)([a-z_]+):[[:space:]]*(.*)$ ]] || die 1 "$job:$n: not 'key: value' '$line'"
		key=${BASH_REMATCH[2]} line=${BASH_REMATCH[3]}
		line=${line#[\"\']} line=${line%[\"\']}
		if [ -z "${BASH_REMATCH[1]}" ]; then
			inside=$key
			key_read $n "$key" "$line"
		elif [ "$inside" = limits ]; then
			limit_read $n "$key" "$line"
		else
			die 1 "$job:$n: a key below none '$key'"
		fi
	done <"$job"
	for key in model devices cluster global_batch; do
		[ -n "${set[$key]-}" ] || die 1 "$job: missing key '$key'"
	done
	case ${set[target]:=megatron} in
	megatron | mindformers) ;;
	*) die 1 "$job: target: neither megatron nor mindformers '${set[target]}'" ;;
	esac
}
# A path of the job, which is relative to it.
path() { case $1 in /*) printf '%s' "$1" ;; *) printf '%s/%s' "$(dirname -- "$job")" "$1" ;; esac; }

# What the tools are asked: options of the space, and of estimates.
space=() estimating=()
questions_set() {
	local key
	model=$(path "${set[model]}")
	training=${set[training]-}
	[ -z "$training" ] || training=$(path "$training")
	case ${set[target]}:$training:$model in mindformers::*.yaml | mindformers::*.yml) training=$model ;; esac
	cluster=${set[cluster]}
	[ ! -e "$(path "$cluster")" ] || cluster=$(path "$cluster")
	space=(-n "${set[devices]}" -gb "${set[global_batch]}" -rules "${set[target]}")
	# Embedding and loss may be pieces of their own.
	[ "${set[target]}" != megatron ] || space+=(-empty)
	while read -r key; do
		[ -n "$key" ] || continue
		space+=("-${key//_/-}")
		[ "$key" = even ] || space+=("${limit[$key]}")
	done < <(printf '%s\n' "${!limit[@]}" | sort)
	estimating=(-imbalance "${set[imbalance]:-1}")
	[ -z "${set[peaks]-}" ] || estimating+=(-peaks "$(path "${set[peaks]}")")
	[ -z "${set[profile]-}" ] || estimating+=(-profile "$(path "${set[profile]}")")
}

# Network and cluster, and what the model's file runs today.
inputs_write() {
	local more=() files=("$model") question micro
	[ -z "${set[seq_length]-}" ] || more=(-seq "${set[seq_length]}")
	[ -z "$training" ] || [ "$training" = "$model" ] || files+=("$training")
	sapp-model "${more[@]}" "${files[@]}" >"$out/model.new" || die 1 "$model: no network in it"
	sapp-est -cluster "$cluster" /dev/null >"$out/cluster.new" || exit 1
	jq -c --argjson memory "${set[memory]:-null}" \
		'if $memory then .memory_limit = $memory else . end' "$out/cluster.new" >"$out/limited.new" || exit 1
	{
		jq -c 'select(.kind == "network")' "$out/model.new" | head -n 1
		cat "$out/limited.new"
	} | into "$out/network.jsonl" || exit 1
	jq -c 'select(.kind == "candidate")' "$out/model.new" >"$out/current.jsonl" || exit 1
	rm -f -- "$out"/{model,cluster,limited}.new
	if [ ! -s "$out/current.jsonl" ]; then
		micro=$((set[global_batch] / set[devices]))
		jq -nc --argjson dp "${set[devices]}" --argjson m $((micro > 0 ? micro : 1)) '{ kind: "candidate",
			name: "data-parallel", dp: $dp, tp: 1, pp: 1, mbs: 1, micro_batches: $m }' >"$out/current.jsonl"
	fi
	# Answers to other questions are of no use.
	question=$({ cat "$out/network.jsonl"; printf '%s\n' "${space[@]}" "${estimating[@]}"; } |
		cksum | cut -d' ' -f1)
	if [ "$(cat "$out/question" 2>/dev/null)" != "$question" ]; then
		rm -f -- "$out"/{answers,candidates}.jsonl
		echo "$question" >"$out/question"
	fi
	touch "$out/answers.jsonl" "$out/candidates.jsonl"
}

baseline_write() {
	estimate <"$out/current.jsonl" 2>/dev/null | jq -c 'select(.kind == "estimate")' >"$out/baseline.jsonl"
	[ -z "${set[peaks]-}" ] ||
		sapp-est "${estimating[@]}" -nd "$out/nd_candidate_config.csv" "$out/network.jsonl" >/dev/null || exit 1
}
