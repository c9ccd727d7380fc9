#!/bin/bash
# Searches compared with published recipes: nine jobs, each searched for SECONDS_RECIPE (8) seconds. JOBS: only some
# jobs, by name.
out=$1
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
limit=${SECONDS_RECIPE:-8}
# shellcheck source=tests/bench/recipes.sh
. "$here/recipes.sh"

while read -r model devices cluster target batch recipe; do
	name=$model-$devices
	[[ " ${JOBS:-$name} " == *" $name "* ]] || continue
	printf '%s\n' "model: $model.json" "devices: $devices" "cluster: $cluster" "global_batch: $batch" \
		"target: $target" >job.yaml
	begun=$EPOCHREALTIME
	sapp-search -t "$limit" -k 5 -o "$name" job.yaml >report 2>log
	status=$?
	echo "== $name on $cluster, status $status"
	sed '/^$/,$d' report
	grep '^assumed' report | sort -u
	if [ "$recipe" != - ] && [ $status -eq 0 ]; then
		jq -nc --argjson r "$recipe" --argjson gb "$batch" '{ kind: "candidate", dispatcher: "alltoall" } + $r |
			.micro_batches = $gb / .dp / (.mbs // 1)' |
			sapp-est "$name/work/whole.jsonl" - | jq -c 'select(.kind == "estimate")' >recipe.json
		read -r dispatcher overlap < <(jq -r '"\(.dispatcher // "alltoall") \(
			if .ep_overlap then "yes" else "no" end)"' <<<"$recipe")
		sapp-est -space -n "$devices" -gb "$batch" -empty -dispatcher "$dispatcher" \
			-ep-overlap "$overlap" -k 1 "$name/work/network.jsonl" 2>>log |
			jq -c 'select(.kind == "estimate")' >there.json
	else
		echo null | tee recipe.json >there.json
	fi
	bad=$(bounds_above "$devices" "$batch" "$cluster" "$name/work/network.jsonl" 200)
	unlike=$(comm -3 <(sapp-sim "$name/plans.jsonl" | jq -r 'select(.kind == "sim") |
		[.peak_memory] | flatten | max | round' | sort) \
		<(sed -nE 's/^[0-9]+ .* ([0-9,]+) +[0-9.]+ %  [a-z].*/\1/p' report | tr -d , | sort) | wc -l)
	jq -nc --arg name "$name" --argjson status $status --arg bad "$bad" --argjson unlike "$unlike" \
		--argjson seconds "$(awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" \
		--slurpfile ranked <(cat "$name/work/ranked.json" 2>/dev/null || echo '[]') \
		--slurpfile of <(cat "$name/work/planned.json" 2>/dev/null || echo '{}') \
		--slurpfile robust <(cat "$name/work/robust.json" 2>/dev/null || echo null) --slurpfile recipe \
			recipe.json \
		--slurpfile there there.json '
		{ bench: "search-recipe", name: $name, status: $status, seconds: $seconds, winner: $ranked[0][0].name,
		step_time: $ranked[0][0].step_time, estimate: $of[0][$ranked[0][0].name].step_time,
		recipe: $recipe[0].name, recipe_step: $recipe[0].step_time, recipe_fits: $recipe[0].fits,
		there: $there[0].name, there_step: $there[0].step_time,
		won: $robust[0].won, of: $robust[0].of, bounds_above: $bad,
		memory_unlike: $unlike }' | tee -a "$out" |
		jq -r '"\(.seconds | . * 10 | round / 10) s; winner \(.winner), " +
			"\(.estimate // 0 | round) ms estimated, " +
			"\(.step_time // 0 | round) planned; " +
			"recipe \(if .recipe then "\(.recipe), \(.recipe_step | round) ms" +
			"\(if .recipe_fits then "" else ", does not fit" end), best with its settings \(.there), " +
			"\(.there_step // 0 | round) ms" else "not known" end); " +
			"bounds above estimates: \(.bounds_above); rows whose memory is not that of sapp-sim: " +
			"\(.memory_unlike)"'
done < <(recipe_jobs)
