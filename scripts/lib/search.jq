# Functions of sapp-search on records: open questions, the ranking, tables, the page.

# Map names to estimates. An estimate below its own bound is a fault.
def estimates_by_name:
	map(select(.kind == "estimate") | if .lower_bound > .step_time * (1 + 1e-9) then
		"fault in this program: \(.name): the bound \(.lower_bound) is above the step \(.step_time)\n" |
		halt_error(1) else { key: .name, value: . } end) | from_entries;

# Map names of configurations to proved lower bounds of their plans; 1e300 if no plan fits.
def bounds:
	reduce (.[] | select(.kind == "plan")) as $p ({};
		.[$p.name] = ([.[$p.name] // 0,
			if $p.status == "infeasible" then (if ($p.excess_at_least // 0) > 0 then 1e300 else 0 end)
			else $p.lower_bound end] | max));

# From answers (plans), take the best plan of each configuration with its best proved bound, shortest first.
# Configurations whose settings cannot be written are excluded.
def ranked($refused):
	bounds as $bound | ($refused | map({ key: .name, value: true }) | from_entries) as $no |
	map(select(.kind == "plan" and .status != "infeasible" and ($no[.name] | not))) |
	group_by(.name) | map(min_by(.step_time) | .lower_bound = ([$bound[.name], .step_time] | min) |
		.gap = .step_time / .lower_bound - 1 | if .gap <= 1e-9 then .status = "optimal" else . end) |
	sort_by(.step_time);

# Group ranked plans whose steps differ by at most a fraction NEAR into rows. A row has the simplest plan, and the names
# of the others in "alike". $of: estimates by name.
def simplicity: [.cp // 1, .tp, .pp, .vp // 1, .mbs];
def rows($of; $near):
	reduce .[] as $p ([]; if length > 0 and $p.step_time <= .[-1][0].step_time * (1 + $near) then .[-1] += [$p]
		else . + [[$p]] end) |
	map(sort_by($of[.name] | simplicity) | .[0] + { alike: map(.name)[1:] });
# The degrees of a configuration. A run with some degrees says little about other degrees. $of: estimates by name.
def family: [.dp, .tp, .cp // 1, .pp, .ep // 1];
# Order rows: first the shortest row of each set of degrees, marked "first"; then the others.
def unlike_first($of):
	reduce .[] as $r ({ seen: {}, first: [], rest: [] }; ($of[$r.name] | family | tojson) as $f |
		if .seen[$f] then .rest += [$r] else .seen[$f] = true | .first += [$r + { first: true }] end) |
	.first + .rest;
# Take unplanned pairs: the first of each set of degrees without a plan, at most N; if none, ROWS pairs of any degrees.
def to_fill($of; $n; $rows):
	([$of[] | family | tojson] | unique) as $has |
	map(select($of[.[1].name] | not)) as $left |
	($left | reduce .[] as $p ({ seen: {}, all: [] }; ($p[1] | family | tojson) as $f |
		if .seen[$f] or ($f | IN($has[])) then . else .seen[$f] = true | .all += [$p] end) |
		.all[:$n]) as $new |
	(if $new != [] then $new else $left[:([$rows, 0] | max)] end)[][0];
# Describe how similar configurations differ: "2 alike with cp 2, 4 and mbs 2, 4".
def alike_words($of):
	($of[.name]) as $e | [.alike[] | $of[.]] as $all |
	if $all == [] then "" else "\($all | length) alike with " +
		([("dp", "cp", "tp", "pp", "ep", "vp", "mbs") as $k | [$all[] | .[$k] // 1] | unique |
		select(. != [$e[$k] // 1]) |
		"\($k) \(map(tostring) | join(", "))"] | join("; ")) end;

# Pair each candidate with the estimate after it; the candidate gets the name of the estimate.
def pairs:
	foreach .[] as $r (null;
		if $r.kind == "candidate" then [$r] elif $r.kind == "estimate" then . + [$r] else . end;
		if $r.kind == "estimate" then [.[0] + { name: $r.name }, $r] else empty end);

# Select the pairs that may have a plan shorter than the cutoff, according to the answers, except the first row and its
# similar configurations. Pairs with fewest attempts come first; among these, the least bounds and the least estimates
# alternate.
def still_open($answers; $refused; $rows; $cutoff):
	([$refused[].name, ($rows[0] // {} | .name, .alike[]?)] | map(select(.) | { key: ., value: true }) |
		from_entries) as $closed |
	($answers | bounds) as $bound |
	(reduce ($answers[] | select(.kind == "plan").name) as $n ({}; .[$n] += 1)) as $tries |
	[.[] | select(($closed[.[1].name] | not) and ($bound[.[1].name] // 0) < $cutoff)] |
	to_entries | map(.bound = .key) | sort_by(.value[1].step_time) | to_entries |
	sort_by([$tries[.value.value[1].name] // 0, ([2 * .key + 1, 2 * .value.bound] | min)]) | .[].value.value;

# A grid of numbers as in Taylor's files; empty for null.
def grid: if . == null then "" else tojson end;
def csv_field: if type == "string" and test("[,\"]") then "\"" + gsub("\""; "\"\"") + "\"" else tostring end;
def csv_row: map(csv_field) | join(",");

# Number of layers of each piece of a plan.
def piece_layers:
	[.counts[][]] | if length == 0 then null
		else reduce .[1:][] as $g (.[0]; [., $g] | transpose | map(transpose | map(add))) end;

def degrees: [.dp, .tp, .pp, .ep, .vp // 1, .shard];

# Print all rows as CSV, shortest first. $estimates: estimates of the configurations by name.
def ranking_csv($estimates; $layers):
	["test", "layers", "micro", "dp", "tp", "pp", "ep", "vp", "op/fsdp", "cp", "mbs", "cost", "lower_bound", "gap",
		"status", "x", "ra"],
	(.[] | $estimates[.name] as $e |
		[.name, $layers, $e.micro_batches] + ($e | degrees) +
		[$e.cp // 1, $e.mbs, .step_time, .lower_bound, .gap // 0, .status] +
		[piece_layers, .recompute | grid]) |
	csv_row;

# The columns of Taylor's result files. The unit of time in Taylor's planner is the forward of a layer of the last kind.
def result_columns:
	["test", "layers", "micro", "dp", "tp", "pp", "ep", "vp", "op/fsdp", "dense:moe", "反向:正向",
		"重计算增加比率", "mtp+head", "moe时长", "low_mem", "目标值", "cost", "x", "offset", "ra",
		"内存信息", "内存上限(GB)", "求解器", "GAP", "solution_status", "model_status",
		"求解耗时/s", "dryrun_check"];
def result_row($layers; $checked):
	(map(select(.kind == "layer" and .type == "BODY"))) as $bodies |
	(map(select(.kind == "layer" and .type == "TAIL"))[0]) as $tail |
	($bodies[0]) as $first | ($bodies[-1]) as $last |
	(map(select(.kind == "estimate"))[0]) as $e | (map(select(.kind == "pipeline"))[0]) as $q |
	(map(select(.kind == "plan"))[0]) as $p |
	[$p.name, $layers, $e.micro_batches] + ($e | degrees) +
	[$first.time / $last.time, $last.backward_time / $last.time,
		(($last.recompute_time // $last.backward_time) - $last.backward_time) / $last.time,
		($tail.time + $tail.backward_time) / $last.time, $last.time, "False", $p.step_time / $last.time,
		$p.step_time, ($p | piece_layers | grid), ($p.offset | grid), ($p.recompute | grid),
		"\($last.memory_parameter)/\($last.memory_activation)/\($last.memory_recompute // "")",
		([$q.memory_limit] | flatten | max) / 1024, "sapp-lp", $p.gap // 0, $p.status, $p.status, "",
		$checked[$p.name] // ""];

# Divide the records of plans.jsonl into a list for each configuration.
def configurations:
	reduce .[] as $r ([]; if $r.kind == "candidate" then . + [[$r]]
		elif length > 0 then .[-1] += [$r] else . end);

# Insert the estimate after each candidate, and the plan after each question, of the candidates and questions in inputs.
def with_plans($ranked; $estimates):
	($ranked | map({ key: .name, value: . }) | from_entries) as $plan |
	foreach inputs as $r (null; if $r.kind == "model" then $r.name else . end;
		. as $name | $r,
		if $r.kind == "candidate" then $estimates[$r.name]
		elif $r.kind == "pipeline" then $plan[$name] | del(.alike)
		else empty end);

# The question of a configuration, with a limit for each stage.
def limited($name; $limits):
	configurations[] | select(.[0].name == $name)[] |
	select(.kind == "model" or .kind == "layer" or .kind == "pipeline") |
	if .kind == "pipeline" then .memory_limit = $limits else . end;
# Name and number of stages of a configuration.
def asked: "\(.[0].name) \(map(select(.kind == "pipeline"))[0].stages)";

# Wrap lines at 100 columns; continuation lines are indented.
def wrapped: . as $line | (.[:101] | rindex(" ")) as $at | if length <= 100 or ($at // 0) < 4 then . else
	$line[:$at], ("    " + $line[$at + 1:] | wrapped) end;
# Format numbers for people.
def commas: round | tostring | [while(length > 0; .[:-3])] | map(.[-3:]) | reverse | join(",");
def fixed($n): (. < 0) as $minus | fabs * pow(10; $n) | round | tostring |
	if $n > 0 then "0" * ([$n + 1 - length, 0] | max) + . | .[:-$n] + "." + .[-$n:] else . end |
	if $minus then "-" + . else . end;
def seconds: . / 1000 | fixed(if . >= 1000 then 0 elif . >= 100 then 1 elif . >= 10 then 2 else 3 end);
def percent: . * 100 | fixed(1) + " %";
# Format degrees: "TP2 PP8 VP4 EP16". Degrees of 1 are omitted, except tp and pp.
def degree_words:
	[["DP", .dp], ["TP", .tp], ["CP", .cp // 1], ["PP", .pp], ["VP", .vp // 1], ["EP", .ep // 1]] |
	map(select(.[1] > 1 or (.[0] | IN("TP", "PP"))) | "\(.[0])\(.[1])") | join(" ");
# Describe the recomputation of a plan: layers of each kind out of all layers.
def recomputed:
	[.counts[] | to_entries[] | { key, n: ([.value[][]] | add) }] | group_by(.key) |
	map({ key: .[0].key, n: (map(.n) | add) }) | (map(.n) | add) as $all |
	map(select(.key != "none" and .n > 0) | if .n == $all then .key else "\(.key) \(.n)/\($all)" end) |
	if . == [] then "none" else join(" + ") end;
# The interval that contains nine of ten steps, as factors of the estimated step.
def within: .step_time as $s | [.low, .high] | map(. / $s);

# Map the name of each plan to its largest simulated peak.
def peaks: map({ key: .name, value: ([.peak_memory] | flatten | max) }) | from_entries;
# Format the rows of NAMES as a table with a header. $free: share of the limit below which the free memory is "tight".
def ranking_lines($names; $of; $any; $peak; $limit; $free):
	(map({ key: .name, value: . }) | from_entries) as $row | ([$names[] | $row[.]] | sort_by(.step_time)) as $rows |
	($any != {}) as $other | ($rows | any(($of[.name].cp // 1) > 1)) as $cp |
	($rows | any(($of[.name].ep // 1) > 1)) as $ep |
	(["#", "dp", "tp", (if $cp then "cp" else empty end), "pp", (if $ep then "ep" else empty end), "vp", "mbs",
		"recompute", "step s", "9 of 10 within", "at least", (if $other then "any framework" else empty end),
		"MFU", "memory MB", "free", "status"] | @tsv),
	($rows | to_entries[] | .key as $n | .value as $p | $of[$p.name] as $e | ($e | within) as $w |
		($e.step_time / $p.step_time) as $faster | $peak[$p.name] as $most |
		[$n + 1, $e.dp, $e.tp, (if $cp then $e.cp // 1 else empty end), $e.pp,
			(if $ep then $e.ep // 1 else empty end), $e.vp // 1, $e.mbs, ($p | recomputed),
			($p.step_time | seconds),
			"\($p.step_time * $w[0] | seconds) .. \($p.step_time * $w[1] | seconds)",
			($p.lower_bound | seconds),
			(if $other then ($any[$p.name] | if . then
				"\(.step_time | seconds) (\(.step_time / $p.step_time - 1 | percent))"
				else "" end) else empty end),
			($e.mfu * $faster | percent), ($most // 0 | commas),
			(if $limit and $most then 1 - $most / $limit | percent else "" end),
			$p.status + if $limit and $most and 1 - $most / $limit < $free - 1e-6 then ", tight"
				else "" end] | @tsv),
	($rows | to_entries[] | "\(.key + 1)\t\(.value.name)\t\(.value | alike_words($of))" | "@" + .);

# Compare the current run with the winner's step. If it has other devices, device seconds are also compared.
def today_line($step; $devices):
	(.dp * .tp * .pp * (.cp // 1)) as $own |
	"today \(.name)\(if $own == $devices then "" else " on \($own) devices" end): \(.step_time | seconds) s " +
	"(estimated\(if .measured then ", \(.measured | seconds) s measured" else "" end)" +
	"\(if .fits then "" else "; does not fit" end)); the winner takes \($step / .step_time | percent) of it" +
	if $own == $devices then "" else
		" on \($devices), \($step * $devices / (.step_time * $own) | percent) of its device seconds" end;

# Describe open pairs, whose steps are all at least ALL: the lower bound of each, lowest first, and its planned or
# estimated step.
def open_lines($answers; $all; $more):
	($answers | bounds) as $bound |
	($answers | ranked([]) | map({ key: .name, value: .step_time }) | from_entries) as $plan |
	map(.[1] | { name, least: ([.lower_bound, $bound[.name] // 0, $all] | max), step: ($plan[.name] // .step_time),
		by: (if $plan[.name] then "planned" else "estimated" end) }) | sort_by(.least) |
	(.[:5][] | "open: \(.name), \(.by) at \(.step | seconds) s, not below \(.least | seconds) s"),
	(if length > 5 then "open: \(length - 5) more, not below \(.[5].least | seconds) s" else empty end),
	(if length > 0 then "open: \($more)" else empty end);

# Names of rows whose simulated peak exceeds LIMIT.
def robust_needs($rows; $sims; $limit):
	($sims | peaks) as $peak |
	[$rows[] | select(($peak[.name] // 0) > $limit).name];
# The questions of these rows with less memory, from the records of plans.jsonl.
def robust_smaller($less; $names):
	configurations[] | select(.[0].name | IN($names[]))[] |
	select(.kind | IN("model", "layer", "kind", "pipeline")) |
	if .kind == "pipeline" then .memory_limit |= ([.] | flatten | map(. * (1 - $less))) else . end;

# Determine the degrees that win under each assumption, from estimates in inputs after a cluster record for each: first
# as given, then one per line of WORDS. A planned row has its planned step, scaled as its estimate changes. Another
# configuration has its estimate, scaled by the median gain of plans over estimates, but at least the winner's step.
# $memory: steps of the rows that were planned with less memory.
def robust($rows; $of; $words; $memory):
	($rows | map({ key: .name, value: .step_time }) | from_entries) as $plan | $rows[0] as $winner |
	($of[$winner.name] | family) as $own |
	($rows | map(.step_time / $of[.name].step_time) | sort | .[(length / 2 | floor)]) as $gain |
	(reduce inputs as $r ({ n: -1 }; if $r.kind == "cluster" then .n += 1
		elif $r.kind == "estimate" then
			.["\(.n)"][$r.name] = ($r | { step_time, fits, f: family, d: degree_words })
		else . end)) as $all |
	def best($values): ($values | map(select(.f == $own) | .step) | min) as $w | ($values | min_by(.step)) as $b |
		if $b == null or $b.f == $own or ($w and $b.step >= $w * 0.9995) then null
		else { degrees: $b.d, by: (if $w then $w / $b.step - 1 else null end) } end;
	[($words | split("\n") | to_entries[] | (.key + 1 | tostring) as $n | { words: .value } + { wins: best([
		$all[$n] // {} | to_entries[] | .key as $name | .value as $v | $all["0"][$name] as $asked |
		select($asked and ($plan[$name] or $v.fits)) | { f: $v.f, d: $v.d, step: (
			($plan[$name] // ([$asked.step_time * $gain, $winner.step_time] | max)) *
			$v.step_time / $asked.step_time) }]) }),
	{ words: "2 % less memory", wins: best([$rows[] | . as $r | (if $memory | has($r.name) then $memory[$r.name]
		else $r.step_time end) as $step | select($step) | $of[$r.name] |
		{ f: family, d: degree_words, step: $step }]) }] |
	{ of: length, won: (map(select(.wins == null)) | length), others: (map(select(.wins)) |
		group_by(.wins.degrees) |
		map({ degrees: .[0].wins.degrees, by: (map(.wins.by) | max), when: map(.words) }) |
		sort_by(-(.when | length))) };
# Format the result: "winner in 7 of 9; with slower links DP4 TP8 PP8 wins by 2 %".
def robust_line:
	"\(if 2 * .won > .of then "" else "not " end)robust: winner in \(.won) of \(.of) questions" +
	if .others == [] then "" else "; with " + (.others[0] |
		"\(.when[0])\(if (.when | length) > 1 then " and \((.when | length) - 1) more" else "" end) " +
		"\(.degrees) wins\(if .by then " by \(.by | percent)" else ", as the winner does not fit" end)") end;

# Describe assumptions, from inputs: for each its words, then the best estimate with the alternative. The first estimate
# is without alternatives.
def assumption_lines($given):
	[foreach inputs as $r ([]; if $r | has("assumed") then [$r]
		elif $r.kind == "estimate" then . + [$r] elif $r.why then .[0].why = $r.why else . end; .)] |
	(reduce .[] as $a ({}; .[$a[0].assumed // ""] = $a) | [.[]]) as $all |
	($all | map(select(.[0].assumed == null))[0][1].step_time) as $best |
	[$all[] | select(.[0].assumed) | .[0] + (.[1] // {} | {
		change: (if .step_time and $best then .step_time / $best - 1 else null end),
		to: (if .step_time then degree_words else null end) })] | sort_by(.change) |
	(map(select(.change != null and (.change | fabs) < 0.005) | .assumed)) as $small |
	(.[] | select(.change != null and (.change | fabs) >= 0.005) |
		"assumed: \(.assumed); with \(.name): \(.to), \(.change | fabs * 100 | fixed(0)) % " +
		"\(if .change < 0 then "shorter" else "longer" end)\(if .needs == "" then "" else " (\(.needs))" end)"),
	(if $small == [] then empty else "assumed: \($small | join(", ")); alternatives: within 0.5 %" |
		wrapped end),
	(map(select(.change == null)) | group_by(.why)[] |
		"assumed: \(map(.assumed) | join(", ")); not compared: " +
			(.[0].why // "no estimate of the assumed setting")),
	(if $given == "" then empty else $given | wrapped end);
# Describe the sources of the winner's step. $names: names of the cluster and of measured files.
def rests_line($names):
	.source as $s | if $s.shares then "of the winner's step " + ([("measured", "fitted", "computed") as $k |
		"\($s.shares[$k] // 0 | percent) is \($k)"] | join(", "))
	else "rests on: times of layers \($s.layers), memory \($s.memory), figures of \($names)" +
		({ borrowed: ", borrowed from another device", fitted: "", default: "" }[$s.efficiency] // "") +
		if $s.layers == "computed" and $s.memory == "computed" then "; nothing is measured"
		else "" end end;
# Name the rows to run, to rank them by measurement: rows that may be shorter than the winner according to the
# intervals.
def next_line($names; $of; $short):
	(map({ key: .name, value: . }) | from_entries) as $row | ([$names[] | $row[.]] | sort_by(.step_time)) as $rows |
	($rows[0] | . as $p | $of[.name] | within[1] * $p.step_time) as $high |
	[$rows | to_entries[] | select(.value.step_time <= $high) | .key + 1] |
	"next: run \(if length == 1 then "the winner" else "\(map(tostring) | join(", ")), in this order" end), " +
	"a few steps" + if length == 1 then "" else " each: their steps are within the winner's interval" end +
	if $short then "" else "; no short run would decide more" end;
# The conclusion, at most twelve lines. $winner: its row; $e: its estimate.
def conclusion($winner; $e; $sure; $robust; $peak; $limit; $free; $names; $today; $next; $assumed):
	($e | within) as $w | ($e.step_time / $winner.step_time) as $faster |
	[("winner: \($e | degree_words), \($e.mbs) sequence\(if $e.mbs > 1 then "s" else "" end) per micro-batch, " +
		"recompute \($winner | recomputed): a step in \($winner.step_time | seconds) s"),
	"    9 of 10 such steps are within \($winner.step_time * $w[0] | seconds) .. \($winner.step_time * $w[1] |
		seconds) s; \($e.tokens_per_second * $faster | commas) tokens/s per device, " +
		"MFU \($e.mfu * $faster | percent)",
	$sure[], ($robust | robust_line),
	(if $limit and $peak then "memory: \($peak | commas) of \($limit | commas) MB on the worst stage, \(1 - $peak /
		$limit | percent) free" + (if 1 - $peak / $limit < $free - 1e-6 then
		": tight, as computed peaks are up to 9 % off; margin: 0.08 in the job leaves room" else "" end)
		else empty end),
	($e | rests_line($names)), $today[], $next | wrapped] as $lines |
	[$assumed[] | select(startswith("assumed") and contains("with"))] as $some |
	([12 - ($lines | length), 0] | max) as $room |
	$lines[:-1][], $some[:$room][], $lines[-1];

# Describe the shares of operators' time by source, and the short run that decides most.
def coverage_line:
	"of its operators' time " + ([("measured", "fitted", "computed") as $s |
		"\(.time[$s] // 0 | percent) is \($s)"] | join(", "));
def run_line:
	(.tells[-1] | capture("best, (?<before>[0-9.]+) are undecided, (?<after>[0-9.]+) after")? // null) as $t |
	"or first a short run: \(.name), \(.layers) layers of each kind, on \(.devices) devices, " +
	"\(.cost | commas) device seconds" +
	(if $t and ($t.after | tonumber) > 0.9 * ($t.before | tonumber) then ", though no short run decides much"
		else "" end) +
	": \(.tells | join("; "))" | wrapped;

# Give the reasons against other degrees: single lines for the nearest ones, one line per reason for the rest.
def pairs_of: group_by(.tp) | map("tp \(.[0].tp) x pp \(map(.pp | tostring) | join(", "))") | join("; ");
def why_lines($step):
	(map(select(.step)) | sort_by(.step)) as $near |
	($near[:8][] | "tp \(.tp) x pp \(.pp): \(.step | seconds) s, \(.step / $step - 1 | percent) longer, " +
		"\(if .by == "plan" then "planned" else "estimated" end) at \(.name), not below \(.least | seconds) s"),
	(if $near[8:] == [] then empty else "longer than these: \($near[8:] | pairs_of)" end),
	(map(select(.by == "memory")) | if . == [] then empty else min_by(.over) as $m |
		"too much memory: \(pairs_of); the nearest is \($m.name), which needs " +
		"\($m.over | commas) MB more on \($m.stage)" end),
	(map(select(.by == "rule")) | group_by(.rule)[] | "rule \(.[0].rule): \(pairs_of) (\(.[0].why))");

# The lines of the conclusion, unwrapped.
def conclusion_lines: gsub("\n    (?<word>[^9])"; " \(.word)") | gsub("\n    "; "\n") / "\n";
# A number for each stage is a list, also for one stage.
def stages: [.] | flatten;
# All data that the page draws.
def page($verdict; $planned; $estimates; $baseline; $why; $any; $sims; $limit; $assumed; $robust; $free; $todo):
	.[0] as $winner | (map({ key: .name, value: .step_time }) | from_entries) as $step |
	{ verdict: $verdict, free: $free, todo: ($todo | sort_by($step[.name])), assumed: $assumed, robust: $robust,
		winner: $winner.name, step: $winner.step_time,
		baseline: $baseline, plans: .[:200],
		estimates: ([.[:200][].name | $planned[.]] + ($estimates | map(select(.kind == "estimate"))) |
			unique_by(.name) | sort_by(.step_time) | map(.memory |= stages)),
		why: [$why | why_lines($winner.step_time)], any: $any, sims: ($sims | map(.peak_memory |= stages)),
		limit: $limit };

# The model record of measurements: they are for a device's share of a layer, and for a micro-batch.
def measured_model: { kind: "model", name: "measured", model_parallel: .tp, batch_size: .mbs };

# Replace figures of the cluster by those of the job. If the first link spanned a node, it still spans a node.
def cluster_with($memory; $has):
	.devices_per_node as $node |
	# Figures of another device count as borrowed.
	(if $has.peak or $has.memory_bandwidth then .confidence = "borrowed" |
		if .kernels then .kernels |= map(.confidence = "borrowed") else . end else . end) |
	. + ($has | { devices_per_node, reserve, peak, memory_bandwidth, host_link } |
		with_entries(select(.value))) |
	if .links[0].span == $node then .links[0].span = .devices_per_node else . end |
	if $has.intra_bandwidth then .links[0].bandwidth = $has.intra_bandwidth else . end |
	if $has.inter_bandwidth then .links[-1].bandwidth = $has.inter_bandwidth else . end |
	if $memory then .memory_limit = $memory else . end;

# Keep a share of a cluster's limit free; other records stay.
def margined($share): if .kind == "cluster" and .memory_limit then .memory_limit *= 1 - $share else . end;

# Add to the network the bytes per parameter of the training file, and, if $packed is not null, the mean length of
# PACKED documents over tokens.
def network_with($packed; $ran): . as $n |
	if $packed and ($packed | max) > .seq_length then "" | halt_error(1) else . end |
	(.precision // {}) + ($ran // {}) | if . == {} then $n else . as $p | $n + { precision: $p } end |
	if $packed then .document = ($packed | (map(. * .) | add) / add) else . end;

# Change figures of the cluster by one standard deviation in each direction, as in tools/lib/estimate/interval.c. Each
# line has words and the record.
def clusters_off($network): . as $c |
	[["links", 0.625, if .links then [["links"]] else [] end],
	["attention", 0.072, [["efficiency", "attention"]]],
	["memory traffic", 0.27, [["memory_bandwidth"]]],
	["all-to-all", 0.278, if .dispatch and ($network.experts // 0) > 0 then [["dispatch"]] else [] end],
	["host", 0.16, [["launch"]]]][] | . as [$words, $deviation, $paths] | select($paths != []) |
	(1, -1) as $way | ($way * $deviation | exp) as $by |
	def off($path): if getpath($path) == null then .
		elif $path == ["links"] then .links |= map(.bandwidth *= $by)
		elif $path == ["launch"] then .launch /= $by
		elif $path == ["dispatch"] then .dispatch |= map_values(map([. * $by, 1] | min))
		elif $path[0] == "efficiency" then setpath($path; [getpath($path) * $by, 1] | min)
		else setpath($path; getpath($path) * $by) end;
	# Also change the figures for other number formats.
	"\(if $way > 0 then "faster" else "slower" end) \($words)\t\($c | off($paths[0]) |
		if .kernels then .kernels |= map(off($paths[0])) else . end | tojson)";
