# What sapp-balance, which sources this, asks where nobody said it: shapes, transfers, the memory limit.
# shellcheck shell=bash

# The network's shapes, by which memory that was not measured and transfers are computed. A log has them itself.
shapes=''
shapes_read() {
	local file=$out/network.jsonl said
	if [ -z "$vocab" ] && grep -q '^{"kind":"network"' "$timing"; then
		grep -E '^{"kind":"(network|candidate)"' "$timing" | into "$file" || return
	elif ! sapp-model ${vocab:+-vocab "$vocab"} "$train" 2>"$out/.network.log" | into "$file"; then
		said=$(tail -n 1 "$out/.network.log")
		[ -z "$vocab$cluster" ] || die 1 "${said#sapp-model: }"
		said=${said#sapp-model: }
		case $said in *'no vocab_size'*) said='the vocabulary is missing (-vocab N)' ;; esac
		assumed+=("no recomputation but what was measured: $said")
		say "assumed: ${assumed[-1]}"
		rm -f -- "$file"
	fi
	[ ! -s "$file" ] || shapes=$file
}
# Transfers by the shapes and the cluster's links, and the memory of its devices, where nobody said them.
cluster_use() {
	local said stages=$stages time='' device=''
	[ -n "$cluster" ] || return 0
	said=$({ grep -m 1 '^{"kind":"network"' "$shapes"; sapp-est -cluster "$cluster" /dev/null
		grep -m 1 '^{"kind":"candidate"' "$shapes"; } | sapp-est -layers - | jq -r -s '
		(map(select(.kind == "pipeline"))[0]) as $q | (map(select(.kind == "cluster"))[0]) as $c |
		"\($q.comm_time // 0) \($c.memory_limit - ($c.reserve // 0))"') ||
		die 1 "-cluster: no transfer by '$cluster'"
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
# Without a limit the highest peak of the run: a plan that needs no more fits there.
peak_use() {
	local most
	[ -z "$mem" ] || return 0
	most=$(jq -r -n '[inputs | select(.kind == "fit").residuals[].measured] | max // empty | ceil' \
		"$out/layers.jsonl") || return
	if [ -n "$most" ]; then
		mem=$most
		assumed+=("a limit of $mem MB, the highest peak that was measured (-mem)")
	else
		mem=56000
		assumed+=("a limit of $mem MB (-mem)")
	fi
	say "assumed: ${assumed[-1]}"
	lp+=(-mem "$mem")
}
