# Test whether sapp-search's winner also wins if parts of the estimate are wrong. Sourced by sapp-search.
# shellcheck shell=bash

# Estimate all planned configurations, and the best of the whole space under each assumption: first for the given
# cluster, then with each part changed. Write DIR/estimates, with a cluster record before each set, and the words of the
# parts to DIR/words.
robust_ask() {	# DIR
	local dir=$1 n=0 words record records=()
	grep '"kind":"network"' "$work/network.jsonl" >"$dir/network"
	: >"$dir/words"
	while IFS=$'\t' read -r words record; do
		n=$((n + 1)) records+=("$record")
		printf '%s\n' "$words" >>"$dir/words"
		{ show "$dir/network"; printf '%s\n' "$record"; } >"$dir/$n.net"
		survey_of "$dir/$n.net" -k 5 2>/dev/null >"$dir/$n.best"
	done < <(jq -r -L "$lib" --slurpfile n "$dir/network" 'include "search";
		select(.kind == "cluster") | clusters_off($n[0])' "$work/network.jsonl")
	jq -L "$lib" 'include "search";
		[pairs] | unique_by(.[1].name)[] | .[0]' -c -s "$dir"/*.best "$work/estimates.jsonl" |
		cat "$work/candidates.jsonl" - | first_of_name >"$dir/candidates"
	{
		show "$work/network.jsonl"
		show "$dir/candidates"
		for record in "${records[@]}"; do
			printf '%s\n' "$record"
			show "$dir/candidates"
		done
	} | sapp-est "${estimating[@]}" 2>/dev/null >"$dir/estimates"
}
# Plan again with less memory, if a plan does not fit into it: print step times by name.
robust_memory() {	# PART SECONDS
	local needs
	needs=$(jq -L "$lib" 'include "search";
		(map(select(.kind == "cluster").memory_limit)[0] // 1e300) as $limit |
		robust_needs($ranked[0]; $sims; $limit * (1 - $less))' -c -s --argjson less "$1" \
		--slurpfile ranked "$work/ranked.json" --slurpfile sims "$work/sims.jsonl" "$work/network.jsonl")
	[ "$needs" != '[]' ] || { echo '{}'; return; }
	jq -L "$lib" 'include "search";
		robust_smaller($less; $needs)' -c -s --argjson less "$1" --argjson needs "$needs" "$out/plans.jsonl" |
		{ if read -r line; then { printf '%s\n' "$line"; cat; } | sapp-lp -j -t "$2" -gap "$gap" \
			-target "${set[target]}" 2>/dev/null; fi; } |
		jq -c -s --argjson needs "$needs" '[.[] | select(.kind == "plan") | { key: .name,
			value: (if .status == "infeasible" then null else .step_time end) }] | from_entries |
			($needs | map({ key: ., value: null }) | from_entries) + .'
}
# Write robust.json: the number of questions in which the winner's degrees win, and the winners of the others.
robust_write() {	# SECONDS
	local dir=$work/round/robust - memory
	set +f
	rm -rf -- "$dir"
	mkdir -p -- "$dir" || exit 1
	robust_ask "$dir"
	memory=$(robust_memory 0.02 "$1")
	jq -L "$lib" 'include "search";
		robust($ranked[0]; $of[0]; $words; $memory)' -n -c --arg words "$(<"$dir/words")" \
		--slurpfile ranked "$work/ranked.json" --slurpfile of "$work/planned.json" --argjson memory "$memory" \
		"$dir/estimates" | into "$work/robust.json" || exit 1
	rm -rf -- "$dir"
}
