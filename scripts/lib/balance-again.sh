# sapp-balance --again: does a restart with another plan pay off? Sourced by sapp-balance.
# shellcheck shell=bash

# Print LAYERS with the times in NOW. Times that NOW lacks are scaled like the forward.
renew() {	# NOW LAYERS
	jq -c --slurpfile now "$1" '
		["time", "forward_time", "busy_time", "backward_time", "weight_time", "select_rec_time",
			"select_comm_time", "both_comm_select_time", "recompute_time"] as $times |
		def forward: .forward_time // .time;
		if .kind != "layer" then . else
			.name as $name | ($now | map(select(.kind == "layer" and .name == $name)) | last) as $new |
			if ($new | forward) == null or (forward // 0) == 0 then . else
				(($new | forward) / forward) as $ratio |
				with_entries(if .key as $k | $times | index($k) then .value *= $ratio else . end) |
				if .kinds then .kinds |= map_values(if .backward_time
					then .backward_time *= $ratio else . end) else . end |
				. + ($new | with_entries(select(.key as $k | $times | index($k))))
			end
		end' "$2"
}

# Print planned and current times of each layer. Print nothing if NOW has none of these layers.
drift() {	# PLANNED-WITH NOW
	jq -rn --slurpfile old "$1" --slurpfile new "$2" '
		def of($all; $name): $all | map(select(.kind == "layer" and .name == $name)) | last;
		def back: .backward_time // .recompute_time;
		def row($name; $what; $a; $b): if $a == null or $b == null or $a <= 0 then empty else
			[$name, $what, $a, $b, 100 * ($b / $a - 1)] end;
		$old[] | select(.kind == "layer") | .name as $n | of($new; $n) as $now | select($now != null) |
		row($n; "forward"; .forward_time // .time; $now.forward_time // $now.time),
		row($n; "backward"; back; $now | back) | @tsv' |
		awk -F '\t' '{ printf "%-20s %-9s %10.3f %10.3f %+7.1f %%\n", $1, $2, $3, $4, $5 }'
}

step_of() { jq -r --arg name "$2" 'select(.kind == "sim" and .name == $name).step_time' "$1"; }

# Plan again, and tell whether a restart with the new plan pays off.
replan() {
	local now=$out/again.jsonl table as_is best name
	table=$(drift "$out/layers.jsonl" "$now")
	printf 'Newest: %s\n' "$newest"
	[ -n "$table" ] || die 1 "--again: $newest: none of the planned layers in it"
	printf '\n== Times of layers in ms: as planned, now ==\n\n%s\n\n' "$table"
	renew "$now" "$out/layers.jsonl" | into "$out/again_layers.jsonl" || return
	sapp-yaml -r "$train" -name now "$out/again_layers.jsonl" | into "$out/again_now.jsonl" || return
	sapp-sim -j "${sim[@]}" "$out/again_now.jsonl" | into "$out/again_now_sim.jsonl" || return
	sapp-lp -j "${lp[@]}" "$out/again_layers.jsonl" | into "$out/again_plan.jsonl" || return
	sapp-sim -j "${sim[@]}" "$out/again_plan.jsonl" | into "$out/again_sim.jsonl" || return
	as_is=$(step_of "$out/again_now_sim.jsonl" now)
	name=$(jq -rn 'first(inputs | select(.kind == "plan").name)' "$out/again_plan.jsonl")
	best=$(step_of "$out/again_sim.jsonl" "$name")
	jq -rn --argjson now "$as_is" --argjson best "$best" --argjson restart "$restart" --arg left "$left" '
		def f: . * 100 | round / 100;
		($now - $best) as $saved |
		"With these times the step takes \($now | f) ms as it runs, and \($best | f) ms " +
		"with the best plan: \($saved | f) ms less (\(100 * $saved / $now | f) %).",
		if $saved <= 0 then "Another plan does not pay off."
		else (1000 * $restart / $saved | ceil) as $steps |
			"A restart of \($restart) s pays off after \($steps) steps" +
			if $left == "" then "." else ($left | tonumber) as $n |
				(($n * $saved / 1000 - $restart) | f) as $gain | if $gain > 0
				then ": with \($n) steps left it saves \($gain) s."
				else ": with \($n) steps left it does not pay off." end
			end
		end' || return
	printf '\n== To put into the training settings ==\n\n'
	sapp-yaml "${as[@]}" "$out/again_plan.jsonl" 2>&1 || true
}
