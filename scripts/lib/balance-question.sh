# Values of the question that were not given: shapes, transfers, the memory limit. Sourced by sapp-balance.
# shellcheck shell=bash

model_read() {	# OPTION...
	if [[ ${script[*]} == *-set* ]]; then
		sapp-args "${script[@]}" "$train" 2>/dev/null | sapp-model ${vocab:+-vocab "$vocab"} "$@" -
	else
		sapp-model ${vocab:+-vocab "$vocab"} "$@" "$train"
	fi 2>"$out/.network.log"
}
# Read the model with the vocabulary size in the logs: Megatron-LM has it from the tokenizer.
vocab_in_logs() {
	local said
	grep -q vocab_size "$out/.network.log" && [ ${#operands[@]} -gt 0 ] &&
		said=$(grep -rahoEm 1 'padded vocab \(size: [0-9]+' -- "${operands[@]}" | head -n 1) &&
		[ -n "$said" ] &&
		model_read -vocab "${said##* }"
}
# Keep the devices of the current run for another number of stages, or set NEEDS to the devices that the plan needs.
replicas='' shared='' needs=''
devices_keep() {
	local degrees dp=1
	degrees=$(grep -m 1 '^{"kind":"candidate"' "${shapes:-/dev/null}") ||
		degrees=$(vocab='' model_read -vocab 1024 | grep -m 1 '^{"kind":"candidate"') || degrees=''
	[[ ! $degrees =~ \"dp\":([0-9]+),\"tp\":([0-9]+),\"cp\":([0-9]+) ]] ||
		dp=${BASH_REMATCH[1]} shared=$((BASH_REMATCH[2] * BASH_REMATCH[3]))
	replicas=$dp
	[ "$stages" != "$now_stages" ] || return 0
	if [ -n "$shared" ] && [ -n "$now_micro" ] && [ -z "$asked_micro" ] &&
		((dp * now_stages % stages == 0 && now_micro * stages % now_stages == 0)); then
		micro=$((now_micro * stages / now_stages)) replicas=$((dp * now_stages / stages))
		assumed+=("as many devices and sequences per step as today: $replicas replicas of $micro micro-batches")
	elif [ -n "$shared" ]; then
		needs="$((stages * dp * shared)) devices; $((now_stages * dp * shared)) run today"
	else
		needs="$stages / $now_stages of the devices that run today"
	fi
	[ -z "$needs" ] || say "the plan needs $needs"
}

# Read the network's shapes, from which transfers and unmeasured memory are computed. A log already has them.
shapes=''
shapes_read() {
	local file=$out/network.jsonl said
	if [ -z "$vocab" ] && grep -q '^{"kind":"network"' "$timing"; then
		grep -E '^{"kind":"(network|candidate)"' "$timing" | into "$file" || return
	elif ! model_read | into "$file" && ! vocab_in_logs | into "$file"; then
		said=$(tail -n 1 "$out/.network.log")
		[ -z "$vocab$cluster" ] || die 1 "${said#sapp-model: }"
		said=${said#sapp-model: }
		case $said in
		*'no vocab_size'*) said='the vocabulary is missing (-vocab N)' ;;
		*': its '*) said=${said%%: its *}; said="${said##*: } in ${said%: *}" ;;
		esac
		assumed+=("only the measured kinds of recomputation: $said")
		say "assumed: ${assumed[-1]}"
		rm -f -- "$file"
	fi
	[ ! -s "$file" ] || shapes=$file
}
# If not given, compute transfers from the shapes and the cluster's links, and take the memory of its devices.
cluster_use() {
	local said stages=$stages time='' device=''
	[ -n "$cluster" ] || return 0
	said=$({ grep -m 1 '^{"kind":"network"' "$shapes"; sapp-est -cluster "$cluster" /dev/null
		grep -m 1 '^{"kind":"candidate"' "$shapes"; } | sapp-est -layers - | jq -r -s '
		(map(select(.kind == "pipeline"))[0]) as $q | (map(select(.kind == "cluster"))[0]) as $c |
		"\($q.comm_time // 0) \($c.memory_limit - ($c.reserve // 0))"') ||
		die 1 "-cluster: no transfer time from '$cluster'"
	read -r time device <<<"$said"
	if [ -z "$comm" ] && ! grep -q '"comm_time"' "$timing" && [ "$time" != 0 ]; then
		comm=$time
		lp+=(-comm "$time") sim+=(-comm "$time")
		assumed+=("$(printf '%.4g ms for a transfer, computed from the message and the links of %s' \
			"$time" "$cluster")")
	fi
	[ -n "$mem" ] || { mem=$device; assumed+=("a limit of $mem MB, the memory of a device of $cluster (-mem)")
		lp+=(-mem "$mem"); }
}
# Without a given limit, use the highest peak of the run.
peak_use() {
	local most=''
	[ -z "$mem" ] || return 0
	[ -n "$layers" ] || most=$(jq -r -n '[inputs | select(.kind == "fit").residuals[].measured] |
		max // empty | ceil' "$out/layers.jsonl") || return
	if [ -n "$most" ]; then
		mem=$most
		assumed+=("a limit of $mem MB, the highest measured peak (-mem)")
	else
		mem=56000
		assumed+=("a limit of $mem MB (-mem)")
	fi
	say "assumed: ${assumed[-1]}"
	lp+=(-mem "$mem")
}
