# Settings that a job does not set: assumptions, and the effect of other values. Sourced by sapp-search.
# shellcheck shell=bash

# A line for each assumed setting: its words, option of the space, other value, words for this value, requirements. And
# the given settings with their source.
assumed=() settings_given=() overlap_now=''
setting_assumed() { local IFS=$'\t'; assumed+=("$*"); }	# WORDS OPTION VALUE WORDS NEEDS

# If the job or the current run sets a setting, add it to settings_given. Otherwise return false.
setting_given() {	# KEY VALUE-OF-TODAY
	if [ -n "${limit[$1]-}" ]; then
		settings_given+=("$1 ${limit[$1]} (job)")
	elif [ -n "$2" ]; then
		settings_given+=("$1 $2 (${3##*/})")
	else
		return 1
	fi
}
# Collect the settings that neither the job nor the training file sets.
settings_assume() {	# TARGET FILE EXPERTS OF-TODAY...
	local target=$1 file=$2 experts=$3 now=("${@:4}") arguments='' fixed=''
	# These frameworks have the arguments of Megatron-LM for all of these settings.
	case $target in megatron | primus | flagscale) arguments=1 ;; esac
	# Measured times are valid only for the number format of the measured run.
	if [ ${#measured[@]} -gt 0 ] || [ -n "${set[runs]-}${set[coefficients]-}${set[profile]-}" ]; then
		fixed=1
		[ "${limit[compute]-${now[4]:-bf16}}" = "${now[4]:-bf16}" ] || die 1 \
			"$job: compute: not the type of the measured run, ${now[4]:-bf16} '${limit[compute]}'"
	fi
	overlap_now=${now[1]-}
	if [ "$experts" -gt 0 ]; then
		setting_given dispatcher "${now[0]-}" "$file" || [ -z "$arguments" ] ||
			setting_assumed 'all-to-all dispatch' -dispatcher flex flex 'needs DeepEP'
		setting_given ep_overlap "${now[1]-}" "$file" || [ -z "$arguments" ] ||
			setting_assumed 'no overlap of all-to-alls' -ep-overlap yes overlap 'no full recompute'
		[ -n "${limit[etp]-}" ] || setting_assumed 'whole experts (etp 1)' -etp 1,tp 'etp = tp' ''
		[ -n "${set[imbalance]-}" ] ||
			setting_assumed 'equally busy experts' -imbalance 1.2 'imbalance 1.2' ''
	fi
	setting_given graph "${now[2]-}" "$file" || [ -z "$arguments" ] ||
		setting_assumed 'no CUDA graphs' -graph full 'graphs of whole steps' 'static shapes'
	setting_given modules "${now[3]-}" "$file" || true
	setting_given compute "${now[4]-}" "$file" || [ -z "$arguments" ] || [ -n "$fixed" ] ||
		! grep -q '"dtype":"fp8"' "$work/whole.jsonl" ||
		setting_assumed '16-bit products' -compute fp8 fp8 'needs a check of the loss'
	setting_given optimizer "${now[5]-}" "$file" || [ -z "$arguments" ] ||
		grep -q '"precision":' "$work/whole.jsonl" ||
		setting_assumed 'Adam of 32 bits' -optimizer adam16 'moments of 16 bits' 'needs a check of the loss'
	setting_given optimizer_host "${now[6]-}" "$file" || [ -z "$arguments" ] ||
		! grep -q '"host_link":' "$work/whole.jsonl" ||
		setting_assumed 'optimizer on the device' -optimizer-host 0.5,1 'half or all of it on the host' \
			'needs memory there'
	[ -n "${limit[cp_kind]-}" ] || [ "${limit[cp]-}" = 1 ] ||
		setting_assumed 'ring attention' -cp-kind ring,ulysses 'also ulysses' ''
	if holds m m="$margin"; then
		setting_assumed "$(calc '100 * m' m="$margin" | sed 's/\.0*$//') % of memory kept free" margin 0 \
			'none free' 'tight'
	elif [ -z "${set[margin]-}" ]; then
		setting_assumed 'no memory kept free (margin 0, as the limit is given)' margin "$(margin_wanted)" \
			"margin $(margin_wanted)" 'room for the error of such peaks'
	fi
}
# Print the best estimate of the space with one option changed, or the reason why none exists.
best_with() {	# OPTION VALUE
	local options=("${space[@]}") n other=() network=$work/network.jsonl
	for ((n = 0; n < ${#options[@]}; n++)); do
		if [ "${options[n]}" = "$1" ]; then n=$((n + 1)); else other+=("${options[n]}"); fi
	done
	case $1 in
	margin)
		network=$work/with.jsonl
		margined "$2" >"$network" ;;
	-?*) other+=("$@") ;;
	esac
	sapp-est -space "${estimating[@]}" "${other[@]}" -k 1 "$network" "$work/current.jsonl" 2>"$work/with.log"
	case $? in
	0) ;;
	3) echo '{"why":"no configuration fits with even layers"}' ;;
	*) sed -n '$s/^sapp-est: //p' "$work/with.log" | jq -R '{ why: . }' ;;
	esac
}
# Write assumed.txt: each assumption with the effect of the alternative by the same estimates, shortest step first; one
# line for alternatives with little effect; then the given settings.
assumptions_write() {
	local line fields given='' sequence=''
	case ${set[seq_length]-}$training:$model in
	:*.json) sequence=1 ;;
	esac
	[ ${#settings_given[@]} -eq 0 ] || given="given: $(printf '%s, ' "${settings_given[@]}" | sed 's/, $//')"
	{
		echo '{"assumed":null}'
		best_with '' ''
		for line in "${assumed[@]}"; do
			# With a tab as separator, read would join empty fields.
			IFS=$'\037' read -r -a fields <<<"${line//$'\t'/$'\037'}"
			printf '{"assumed":"%s","name":"%s","needs":"%s"}\n' "${fields[0]}" "${fields[3]}" \
				"${fields[4]-}"
			best_with "${fields[1]}" "${fields[2]}"
		done
	} | jq -L "$lib" 'include "search"; ($whole[] | select($sequence != "" and .kind == "network").seq_length |
		"assumed: sequences of \(commas) tokens, the maximum of the model; set seq_length for others"),
		assumption_lines($given)' -r -n --arg given "$given" --arg sequence "$sequence" \
		--slurpfile whole "$work/whole.jsonl" |
		into "$work/assumed.txt" || exit 1
	rm -f -- "$work"/with.{log,jsonl}
}
