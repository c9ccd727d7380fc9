# The report of sapp-balance: the plan with its proof, its stages, the current run, the assumptions; all strategies.
# Input: sim, plan and pipeline records of all strategies. $ask is an object with measured (step in ms or null), by (its
# file), replicas and shared (numbers of replicas, and of devices that share a layer, or null), needs (devices that a
# plan needs if they differ), target, the lines transfers, assumed, left and next, measures (records of fit, peaks and
# layers) and peak (which peak).

def digits($n): (. * pow(10; $n) | round) as $all | ($all | fabs | tostring) as $t |
	(if $all < 0 then "-" else "" end) +
	if $n == 0 then $t else ("0" * ([$n + 1 - ($t | length), 0] | max) + $t) | .[:-$n] + "." + .[-$n:] end;
def ms: "\(digits(1)) ms";
def fine_percent: 100 * . | digits(if fabs < 1 then 2 else 1 end) + " %";
def off: if . < 0 then "\(-. | fine_percent) shorter" else "\(. | fine_percent) longer" end;
def chunks: "\(.) chunk" + (if . == 1 then "" else "s" end) + " per stage";
def limit_of($s; $k): ([$s.memory_limit // empty] | flatten) as $l | if $l == [] then null else $l[$k] // $l[0] end;
# Format rows as a table: the first column is aligned left, the others right.
def table: (transpose | map(map(length) | max)) as $width | .[] | [range(length) as $c |
	(" " * ($width[$c] - (.[$c] | length)) // "") as $space |
	if $c == 0 then .[$c] + $space else $space + .[$c] end] | join("  ") | sub(" +$"; "");
# Device time per micro-batch, to compare steps with equal work.
def each: .step_time / .micro_batches;
def cost: each * .stages;
def fits: .over == null or .over == [];
# A record with one stage has a number instead of a list.
def peak: . as $s | [.peak_memory] | flatten | [to_entries[] | { k: .key, mb: .value, limit: limit_of($s; .key) }];
def highest: peak | max_by(.mb);

# Format the stages of plan $p, simulated as ., as rows; neighbours that are equal share a row.
def stage_rows($p):
	def at($k): map([.] | flatten[$k]);
	peak as $peak | .interleave as $chunks | [range($peak | length) as $k | {
		k: $k,
		layers: ([$p.counts[] | [.[]] | map(at($k)) | transpose | map(add)] | transpose | map(add) |
			"\(add)" + (if $chunks > 1 then " (\(map(tostring) | join("+")))" else "" end)),
		again: ([$p.counts[] | to_entries[] | select(.key != "none") | { key, n: (.value | at($k) | add) } |
			select(.n > 0)] | group_by(.key) | map("\(map(.n) | add) \(.[0].key)") | join(", ") |
			if . == "" then "none" else . end) } + $peak[$k]] |
	reduce .[] as $s ([]; if . != [] and (.[-1] | [.layers, .again, .limit]) == ($s | [.layers, .again, .limit])
		then .[-1] |= (.to = $s.k | .mb = ([.mb, $s.mb] | max)) else . + [$s | .to = .k] end) |
	[["stage", "layers" + (if $chunks > 1 then " (of each chunk)" else "" end), "recomputed", "peak MB", "limit"]] +
		map([(if .k == .to then "\(.k)" else "\(.k)-\(.to)" end), .layers, .again, (.mb | digits(0)),
			(.limit | if . then digits(0) else "none" end)]) | table;

# Compare interleaving with one chunk: BEST with the best plan of PLANNED with one chunk, or with several if BEST has
# one.
def beside($best; $planned; $plan):
	[$planned[] | select((.interleave > 1) != ($best.interleave > 1))] as $others |
	($others | map(select(fits)) | min_by(each)) as $o |
	([$others[] | select($plan[.name].status != "infeasible") | .micro_batches as $n |
		($plan[.name].lower_bound // 0) / $n] | min // 0 | . * $best.micro_batches) as $bound |
	(if $best.interleave > 1 then 1 | chunks else "several chunks per stage" end) as $with |
	if $others == [] then empty elif $o == null then "With \($with): no plan fits." else
		(($o | highest.mb) - ($best | highest.mb)) as $more |
		"With \($with): \(($o | each) / ($best | each) - 1 | off)" +
		(if $bound <= $best.step_time then ""
			elif $bound > 0.9995 * ($o | each) * $best.micro_batches then ", proved"
			else ", of which \($bound / $best.step_time - 1 | fine_percent) are proved" end) +
		", \($more | fabs | digits(0)) MB \(if $more > 0 then "more" else "less" end) (\($o.name))."
	end;

def strategies:
	(map(select(fits)) | sort_by(cost)) + (map(select(fits | not)) | sort_by(cost)) | (.[0] | cost) as $least |
	[["strategy", "step ms", "to best", "bubble %", "=  ideal", "+  imba", "+  recompute", "+  comm", "peak MB",
		"above limit"]] +
	map(.bubble as $b | [.name, (.step_time | digits(1)), "\(cost / $least * 100 - 100 |
		if . >= 0 then "+" else "" end +
		digits(1)) %"] + ([$b.real, $b.ideal, $b.imba, $b.recompute, $b.comm] |
			map(if . then 100 * . | digits(1) else "-" end)) + [highest.mb | digits(0)] +
		[if fits then "" else [peak[] | select(.limit and .mb > .limit)] | max_by(.mb - .limit) |
			"\(.mb - .limit | digits(0)), stage \(.k)" end]) |
		(if all(.[1:][]; .[-1] == "") then map(.[:-1]) else . end) |
		table;

# Format the memory of layers that was split from peaks; . has the records of the fit and the peaks. $peak: "used" or
# other.
def memory($peak):
	(map(select(.kind == "fit")) | last) as $fit | if $fit == null then empty else
	([["unknown", "MB", "+-", ""]] + [$fit.estimates[] | [.name, (.value | digits(0)),
		(if .error and (.computed | not) then .error | digits(0) else "-" end),
		(if .computed then "  computed from the network's shapes" +
			(if .error then ", error up to \(.error | digits(0))" else "" end) else "" end)]] | table),
	($fit.residuals | max_by(.measured - .predicted | fabs) | "\($fit.residuals | length) peaks; " +
		(.measured - .predicted | if fabs < 0.5 then "the split reproduces each of them."
			else "the split reproduces them within \(fabs | digits(0)) MB" end) +
		(if .measured - .predicted | fabs < 0.5 then "" else " (stage \(.stage))." end)),
	(if $peak != "used" then empty else [.[] | select(.kind == "peak")] | group_by([.round, .stage]) |
		map((map(select(.which == "actual").memory) | max) as $most |
			(map(select(.which == "used").memory) | max) as $used |
			if $most and $used then $most - $used else empty end) | max // empty |
		"The peaks are memory in use; devices held up to \(digits(0)) MB more: leave room for it." end)
	end;
def doubtful: map(select(.kind == "fit")) | last // {} | .outliers // [] | .[] |
	"the peak of stage \(.stage), \(.measured | digits(0)) MB, but " +
	"\(.left_out // .predicted | digits(0)) MB by the others: measure it again, or use -robust";

# Assumed recomputation.
def unasked_recomputation: [.[] | select(.kind == "layer" and .type == "BODY" and .memory_activation == null) |
	select(any(keys[]; test("^memory_(sel|rec|both)"))).name] | if . == [] then empty else
	"every \(unique | join(", ")) is recomputed, as no layer was measured without recomputation" end;

def balance_conclusion($ask):
	map(select(.kind == "sim")) as $sims |
	(map(select(.kind == "plan") | { key: .name, value: . }) | from_entries) as $plan |
	[$sims[] | select($plan[.name].origin == "planner")] as $planned |
	([$planned[] | select(fits)] | min_by(each)) as $best |
	if $best == null then "No plan fits." else
	$plan[$best.name] as $p |
	# The records replay a log.
	($sims | map(select(.name == "today"))[0] // map(select($plan[.name] == null))[0]) as $now |
	(if $now then ($best | cost) / ($now | cost) - 1 else null end) as $gain |
	(if $now and $ask.measured then $now.step_time / $ask.measured - 1 else null end) as $apart |
	# Name the requested schedules that are not shorter; schedules that cannot fit are omitted.
	([$planned[] | select($plan[.name].status != "infeasible") | .micro_batches as $n |
		($plan[.name].lower_bound // 0) / $n] | min * $best.micro_batches) as $bound |
	(if $bound > 0 then $best.step_time / $bound - 1 else null end) as $gap |
	("no plan" + (if $ask.target == "any" then "" else " for \($ask.target)" end) +
		(if ($planned | length) > 1 then " of the \($planned | length) schedules"
		else " of \($best.schedule) with \($best.interleave | chunks)" end)) as $none |
	(if $ask.needs != "" then "The plan needs \($ask.needs)." else empty end),
	"\($best.name): \($best.step_time | ms) per step" +
		(if $gain == null then "" else ", \($gain | off) than today, both simulated" +
			(if $apart and ($apart | fabs) > ($gain | fabs) then
				"; the simulation is off by more, \($apart | fabs | fine_percent)"
				else "" end) end) + ".",
	(if $gap == null then "No bound is proved."
		elif $gap < 1e-6 then "Proved: \($none) is shorter."
		else "Proved: \($none) is more than \($gap | fine_percent) shorter (bound \($bound | ms))." end),
	"", ($best | stage_rows($p)), "",
	beside($best; $planned; $plan),
	(if $now then
		"Today: \($now.step_time | ms) simulated" +
		(if $apart then ", \($ask.measured | ms) measured (\($ask.by)): the simulation is \($apart | off)."
			else "; no measured step is known." end) +
		($now | highest | if .limit and .mb > .limit then
			" It does not fit: \(.mb | digits(0)) MB of \(.limit | digits(0)) on stage \(.k)." else "" end)
	elif $ask.measured then "Today: \($ask.measured | ms) per step (\($ask.by))." else empty end),
	(if $apart and ($apart | fabs) > 0.1 then
		"warning: the error is above 10 %. Check: " +
		([(if $now.comm_time == null then "transfers, whose time is set to 0 ms" else empty end),
		(if $now.pipeline_time == null then "the optimizer and the exchange of gradients, " +
			"which may be missing in the profile" else empty end),
		"stages that were not profiled", "whether the log and the profile have the same steps"] |
			join("; ")) + "." else empty end),
	(if $best.tokens_per_second_per_device == null then empty
	elif $ask.shared then ($ask.replicas * $ask.shared * $best.stages) as $devices |
		"Tokens per second: \($best.tokens_per_second_per_device * $devices | round) on \($devices) devices, " +
		"\($best.tokens_per_second_per_device | digits(1)) per device."
	else "Tokens per second and device: \($best.tokens_per_second_per_device | digits(1))." end),
	(if $ask.transfers == [] then empty else "Transfers: \($ask.transfers | join("; "))." end),
	(($ask.assumed[], ($ask.measures | unasked_recomputation)) | "Assumed: \(.)."),
	($ask.measures | doubtful | "Doubtful: \(.)."),
	($ask.left[] | "Not planned: \(.)."),
	($ask.next[] | "Next: \(.)"),
	(if [$planned[].interleave] | max == 1 and $best.schedule == "1f1b" and $best.stages > 1 then
		"Next: use the same command with -i 1-3 to see whether several chunks per stage are faster."
	else empty end)
	end,
	"\f", ($sims | strategies), "\f", ($ask.measures | memory($ask.peak));
