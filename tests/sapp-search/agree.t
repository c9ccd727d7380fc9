#!/bin/bash
# Bounds and memory of configurations and plans, for nine jobs with published models: no bound exceeds its estimate, and
# the memory of a plan is that of the simulator.
. "$(dirname "$0")/../lib.sh"
unset -f jq
cd "$tmp" || exit 1
# shellcheck source=tests/bench/recipes.sh
. "$top/tests/bench/recipes.sh"
while read -r model devices cluster target batch _; do
	{ sapp-model "$model.json"; sapp-est -cluster "$cluster" /dev/null; } >"$model.jsonl" 2>err
	count=$(draws 20 200)
	same "$model on $devices: no bound is above its estimate" "0 of $count" \
		"$(bounds_above "$devices" "$batch" "$cluster" "$model.jsonl" "$count")"
	long || continue
	printf '%s\n' "model: $model.json" "devices: $devices" "cluster: $cluster" "global_batch: $batch" \
		"target: $target" >job.yaml
	check "$model on $devices: a search" run 0 sapp-search -t 8 -k 5 -o s job.yaml
	same 'each row has the memory of its plan simulated' "$(sapp-sim s/plans.jsonl | jq -r 'select(.kind == "sim") |
		[.peak_memory] | flatten | max | round' | sort)" \
		"$(sed -nE 's/^[0-9]+ .* ([0-9,]+) +[0-9.]+ %  [a-z].*/\1/p' out | tr -d , | sort)"
done < <(recipe_jobs | if long; then cat; else grep -v ' 1024 h100\|kimi'; fi)
done_testing
