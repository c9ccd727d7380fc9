# The first lines of sapp-balance's report: which plan, its proof, its memory, what runs today, what was assumed.
# In: sim, plan and pipeline records of all strategies. $measured: ms of a step as it was measured, or null; $by: where.
# $job: candidate of what runs, or null. $assumed: lines. $transfers: lines of sapp-sim. $next: what to do now, lines.

def digits($n): (. * pow(10; $n) | round) as $all | ($all | tostring) as $t |
	if $n == 0 then $t else ("0" * ([$n + 1 - ($t | length), 0] | max) + $t) | .[:-$n] + "." + .[-$n:] end;
def ms: digits(if . >= 1000 then 1 else 3 end) + " ms";
def fine_percent: 100 * . | digits(if . < 1 then 2 else 1 end) + " %";
def off: if . < 0 then "\(-. | fine_percent) shorter" else "\(. | fine_percent) longer" end;
def waiting: 100 * (.bubble.real - (.bubble.recompute // 0)) / (1 + .bubble.real) | digits(1) + " %";
def chunks: "\(.) chunk" + (if . == 1 then "" else "s" end) + " a stage";
def limit_of($s; $k): ([$s.memory_limit // empty] | flatten) as $l | if $l == [] then null else $l[$k] // $l[0] end;

# Is interleaving worth it: BEST beside the best of PLANNED with one chunk, or with several where BEST has one.
def beside($best; $planned; $plan):
	def each: .step_time / .micro_batches;
	[$planned[] | select((.interleave > 1) != ($best.interleave > 1))] as $others |
	if $others == [] then empty else
	($others | map(select(.over == null or .over == [])) | min_by(each)) as $o |
	([$others[] | .micro_batches as $n | ($plan[.name].lower_bound // 0) / $n] |
		min * $best.micro_batches) as $bound |
	(if $best.interleave > 1 then 1 | chunks else "several chunks a stage" end) as $with |
	if $o == null then "With \($with) no plan fits." else
	"With \($with) the best is \($o.name), \(($o | each) / ($best | each) - 1 | off)" +
		(if $bound > $best.step_time then ", and none of them takes less than \($bound | ms)" else "" end) +
		". It waits for \($o | waiting) of its step, \($best.name) for \($best | waiting)."
	end end;

def balance_conclusion($measured; $by; $job; $assumed; $transfers; $target; $next):
	(map(select(.kind == "sim"))) as $sims |
	(map(select(.kind == "plan") | { key: .name, value: . }) | from_entries) as $plan |
	def each: .step_time / .micro_batches;
	[$sims[] | select($plan[.name].origin == "planner")] as $planned |
	([$planned[] | select(.over == null or .over == [])] | min_by(each)) as $best |
	if $best == null then "No plan fits." else
	$plan[$best.name] as $p |
	# What none of all that was asked is shorter than.
	([$planned[] | .micro_batches as $n | ($plan[.name].lower_bound // 0) / $n] |
		min * $best.micro_batches) as $bound |
	(if $bound > 0 then $best.step_time / $bound - 1 else null end) as $gap |
	("no plan" + (if $target == "any" then "" else " for \($target)" end) +
		(if ($planned | length) > 1 then " of the \($planned | length) schedules asked"
		else " of \($best.schedule) with \($best.interleave | chunks)" end)) as $none |
	"\($best.name): \($best.step_time | ms) a step; " +
		(if $gap == null then "no bound is proved."
		elif $gap < 1e-6 then "proved: \($none) is shorter."
		else "proved: \($none) is more than \($gap | fine_percent) shorter (bound \($bound | ms))." end),
	([range($best.peak_memory | length) | { k: ., mb: $best.peak_memory[.], limit: limit_of($best; .) }] |
		max_by(.mb)) as $top |
	"It fits: at most \($top.mb | round) MB" + (if $top.limit then " of \($top.limit | round)" else "" end) +
		", on stage \($top.k).",
	beside($best; $planned; $plan),
	# The records of a log replay it.
	(($sims | map(select(.name == "today"))[0] // map(select($plan[.name] == null))[0]) as $now |
		if $now == null then
			(if $measured then "What runs today took \($measured | ms) a step (\($by))." else empty end)
		else
			"What runs today: \($now.step_time | ms) simulated" +
			(if $measured then ", \($measured | ms) measured (\($by)): the simulation is " +
				"\($now.step_time / $measured - 1 | off)." else "; no measured step is known." end),
			(if $now.micro_batches == $best.micro_batches and $now.stages == $best.stages then
				"The plan is \($best.step_time / $now.step_time - 1 | off) than today, both simulated."
				else empty end),
			(if $measured and ($now.step_time / $measured - 1 | fabs) > 0.1 then
				"warning: simulated and measured differ by more than 10 %. Look at: " +
				([(if $now.comm_time == null then "transfers, which are taken as 0 ms" else empty end),
				(if $now.pipeline_time == null then "the optimizer and the exchange of gradients, " +
					"which the profile may not have" else empty end),
				"stages that were not profiled", "steps of the log that are not those of the profile"] |
					join("; ")) + "." else empty end)
		end),
	(if $best.tokens_per_second_per_device and $job then
		($job.dp * $job.tp * ($job.cp // 1) * $best.stages) as $devices |
		"Tokens a second: \($best.tokens_per_second_per_device * $devices | round) on \($devices) devices, " +
		"\($best.tokens_per_second_per_device | digits(1)) on each." else empty end),
	($transfers[] | (.[:1] | ascii_upcase) + .[1:] + "."),
	($assumed[] | "Assumed: \(.)."),
	($next[] | "Next: \(.)"),
	(if [$planned[].interleave] | max == 1 and $best.schedule == "1f1b" and $best.stages > 1 then
		"Next: the same command with -i 1-3 says whether several chunks a stage are worth it." else empty end)
	end;
