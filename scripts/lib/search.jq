# What sapp-search makes of records: questions that are open, the ranking, tables, the page.

# Estimates by name, none of which is below its bound.
def estimates_by_name:
	map(select(.kind == "estimate") | if .lower_bound > .step_time * (1 + 1e-9) then
		"fault in the estimates: \(.name): the bound \(.lower_bound) is above the step \(.step_time)\n" |
		halt_error(1) else { key: .name, value: . } end) | from_entries;

# What no plan of a configuration can be shorter than, by name; 1e300 where it is proved that none fits.
def bounds:
	reduce (.[] | select(.kind == "plan")) as $p ({};
		.[$p.name] = ([.[$p.name] // 0,
			if $p.status == "infeasible" then (if ($p.excess_at_least // 0) > 0 then 1e300 else 0 end)
			else $p.lower_bound end] | max));

# Of answers, which are plans: for every configuration its best plan with the best bound proved, the shortest first; but
# for those whose settings cannot be written.
def ranked($refused):
	bounds as $bound | ($refused | map({ key: .name, value: true }) | from_entries) as $no |
	map(select(.kind == "plan" and .status != "infeasible" and ($no[.name] | not))) |
	group_by(.name) | map(min_by(.step_time) | .lower_bound = ([$bound[.name], .step_time] | min) |
		.gap = .step_time / .lower_bound - 1 | if .gap <= 1e-9 then .status = "optimal" else . end) |
	sort_by(.step_time);

# Plans ranked whose steps are no further apart than a part NEAR: one row, under the name of the simplest, with those
# alike. $of: estimates by name.
def simplicity: [.cp // 1, .tp, .pp, .vp // 1, .mbs];
def rows($of; $near):
	reduce .[] as $p ([]; if length > 0 and $p.step_time <= .[-1][0].step_time * (1 + $near) then .[-1] += [$p]
		else . + [[$p]] end) |
	map(sort_by($of[.name] | simplicity) | .[0] + { alike: map(.name)[1:] });
# What a run of one configuration cannot tell of another: the degrees. $of: estimates by name.
def family: [.dp, .tp, .cp // 1, .pp, .ep // 1];
# Rows, first the shortest of each set of degrees, which has FIRST; then the others.
def unlike_first($of):
	reduce .[] as $r ({ seen: {}, first: [], rest: [] }; ($of[$r.name] | family | tojson) as $f |
		if .seen[$f] then .rest += [$r] else .seen[$f] = true | .first += [$r + { first: true }] end) |
	.first + .rest;
# Pairs that were not planned: the first of each set of degrees that none has yet, up to N, or else up to ROWS of any.
def to_fill($of; $n; $rows):
	([$of[] | family | tojson] | unique) as $has |
	map(select($of[.[1].name] | not)) as $left |
	($left | reduce .[] as $p ({ seen: {}, all: [] }; ($p[1] | family | tojson) as $f |
		if .seen[$f] or ($f | IN($has[])) then . else .seen[$f] = true | .all += [$p] end) |
		.all[:$n]) as $new |
	(if $new != [] then $new else $left[:([$rows, 0] | max)] end)[][0];
# In what those alike differ: "2 alike with cp 2, 4 and mbs 2, 4".
def alike_words($of):
	($of[.name]) as $e | [.alike[] | $of[.]] as $all |
	if $all == [] then "" else "\($all | length) alike with " +
		([("dp", "cp", "tp", "pp", "ep", "vp", "mbs") as $k | [$all[] | .[$k] // 1] | unique |
		select(. != [$e[$k] // 1]) |
		"\($k) \(map(tostring) | join(", "))"] | join("; ")) end;

# Candidates, each with its estimate behind it, as pairs; the candidate has the name, too.
def pairs:
	foreach .[] as $r (null;
		if $r.kind == "candidate" then [$r] elif $r.kind == "estimate" then . + [$r] else . end;
		if $r.kind == "estimate" then [.[0] + { name: $r.name }, $r] else empty end);

# Of pairs those that may have a shorter plan than the cutoff, by answers so far: not the leader of the rows, nor what
# is like it. Those tried least come first, and of these in turn that with the least bound and that with the least
# estimate.
def still_open($answers; $refused; $rows; $cutoff):
	([$refused[].name, ($rows[0] // {} | .name, .alike[]?)] | map(select(.) | { key: ., value: true }) |
		from_entries) as $closed |
	($answers | bounds) as $bound |
	(reduce ($answers[] | select(.kind == "plan").name) as $n ({}; .[$n] += 1)) as $tries |
	[.[] | select(($closed[.[1].name] | not) and ($bound[.[1].name] // 0) < $cutoff)] |
	to_entries | map(.bound = .key) | sort_by(.value[1].step_time) | to_entries |
	sort_by([$tries[.value.value[1].name] // 0, ([2 * .key + 1, 2 * .value.bound] | min)]) | .[].value.value;

# Numbers of a grid as Taylor's files have them; nothing where there is none.
def grid: if . == null then "" else tojson end;
def csv_field: if type == "string" and test("[,\"]") then "\"" + gsub("\""; "\"\"") + "\"" else tostring end;
def csv_row: map(csv_field) | join(",");

# Layers of a plan's pieces.
def piece_layers:
	[.counts[][]] | if length == 0 then null
		else reduce .[1:][] as $g (.[0]; [., $g] | transpose | map(transpose | map(add))) end;

def degrees: [.dp, .tp, .pp, .ep, .vp // 1, .shard];

# Every row, the shortest first. $estimates: of the configurations by name.
def ranking_csv($estimates; $layers):
	["test", "layers", "micro", "dp", "tp", "pp", "ep", "vp", "op/fsdp", "cp", "mbs", "cost", "lower_bound", "gap",
		"status", "x", "ra"],
	(.[] | $estimates[.name] as $e |
		[.name, $layers, $e.micro_batches] + ($e | degrees) +
		[$e.cp // 1, $e.mbs, .step_time, .lower_bound, .gap // 0, .status] +
		[piece_layers, .recompute | grid]) |
	csv_row;

# The columns of Taylor's result files. Its planner counts in forwards of a layer of the last kind.
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

# Records of plans.jsonl, a list for each configuration.
def configurations:
	reduce .[] as $r ([]; if $r.kind == "candidate" then . + [[$r]]
		elif length > 0 then .[-1] += [$r] else . end);

# Candidates with their questions, in inputs: the estimate behind the candidate, the plan behind the question.
def with_plans:
	($ranked[0] | map({ key: .name, value: . }) | from_entries) as $plan |
	foreach inputs as $r (null; if $r.kind == "model" then $r.name else . end;
		. as $name | $r,
		if $r.kind == "candidate" then $estimates[0][$r.name]
		elif $r.kind == "pipeline" then $plan[$name] | del(.alike)
		else empty end);

# The question of a configuration, with limits for each stage.
def limited($name; $limits):
	configurations[] | select(.[0].name == $name)[] |
	select(.kind == "model" or .kind == "layer" or .kind == "pipeline") |
	if .kind == "pipeline" then .memory_limit = $limits else . end;
# Of one: its name and stages.
def asked: "\(.[0].name) \(map(select(.kind == "pipeline"))[0].stages)";

# Lines of at most 100 columns; what goes on is indented.
def wrapped: . as $line | (.[:101] | rindex(" ")) as $at | if length <= 100 or ($at // 0) < 4 then . else
	$line[:$at], ("    " + $line[$at + 1:] | wrapped) end;
# Numbers for people.
def commas: round | tostring | [while(length > 0; .[:-3])] | map(.[-3:]) | reverse | join(",");
def fixed($n): (. < 0) as $minus | fabs * pow(10; $n) | round | tostring |
	if $n > 0 then "0" * ([$n + 1 - length, 0] | max) + . | .[:-$n] + "." + .[-$n:] else . end |
	if $minus then "-" + . else . end;
def seconds: . / 1000 | fixed(if . >= 1000 then 0 elif . >= 100 then 1 elif . >= 10 then 2 else 3 end);
def percent: . * 100 | fixed(1) + " %";
# "TP2 PP8 VP4 EP16", of a candidate or an estimate; what is 1 is left out, but tp and pp.
def degree_words:
	[["DP", .dp], ["TP", .tp], ["CP", .cp // 1], ["PP", .pp], ["VP", .vp // 1], ["EP", .ep // 1]] |
	map(select(.[1] > 1 or (.[0] | IN("TP", "PP"))) | "\(.[0])\(.[1])") | join(" ");
# What a plan recomputes: layers of each kind, of all.
def recomputed:
	[.counts[] | to_entries[] | { key, n: ([.value[][]] | add) }] | group_by(.key) |
	map({ key: .[0].key, n: (map(.n) | add) }) | (map(.n) | add) as $all |
	map(select(.key != "none" and .n > 0) | if .n == $all then .key else "\(.key) \(.n)/\($all)" end) |
	if . == [] then "none" else join(" + ") end;
# What nine of ten steps that are so estimated are within, as parts of it.
def within: .step_time as $s | [.low, .high] | map(. / $s);

# The largest simulated peak of each plan, by name.
def peaks: map({ key: .name, value: ([.peak_memory] | flatten | max) }) | from_entries;
# Rows of NAMES as columns: a head, then one for each. $free: the part of the limit that a plan keeps, if it is not
# tight.
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

# What runs today beside the winner's step. On other devices the time of all of them is compared, too.
def today_line($step; $devices):
	(.dp * .tp * .pp * (.cp // 1)) as $own |
	"today \(.name)\(if $own == $devices then "" else " on \($own) devices" end): \(.step_time | seconds) s " +
	"(estimated\(if .measured then ", \(.measured | seconds) s measured" else "" end)" +
	"\(if .fits then "" else "; does not fit" end)); the winner takes \($step / .step_time | percent) of it" +
	if $own == $devices then "" else
		" on \($devices), \($step * $devices / (.step_time * $own) | percent) of its device seconds" end;

# Pairs that are open, none of which can take less than ALL: how short each may be, the shortest first, and what it is
# planned or estimated to take.
def open_lines($answers; $all; $more):
	($answers | bounds) as $bound |
	($answers | ranked([]) | map({ key: .name, value: .step_time }) | from_entries) as $plan |
	map(.[1] | { name, least: ([.lower_bound, $bound[.name] // 0, $all] | max), step: ($plan[.name] // .step_time),
		by: (if $plan[.name] then "planned" else "estimated" end) }) | sort_by(.least) |
	(.[:5][] | "open: \(.name), \(.by) at \(.step | seconds) s, not below \(.least | seconds) s"),
	(if length > 5 then "open: \(length - 5) more, not below \(.[5].least | seconds) s" else empty end),
	(if length > 0 then "open: \($more)" else empty end);

# Names of rows that need more than LIMIT, by their simulated peaks.
def robust_needs($rows; $sims; $limit):
	($sims | peaks) as $peak |
	[$rows[] | select(($peak[.name] // 0) > $limit).name];
# Their questions with so much less memory, of records of plans.jsonl.
def robust_smaller($less; $names):
	configurations[] | select(.[0].name | IN($names[]))[] |
	select(.kind | IN("model", "layer", "kind", "pipeline")) |
	if .kind == "pipeline" then .memory_limit |= ([.] | flatten | map(. * (1 - $less))) else . end;

# Whose degrees win, of estimates as inputs behind the cluster of each question: as asked, then those of WORDS, a line
# each.
# A planned row takes its planned step times what its estimate changes by; another configuration its estimate times what
# plans gain over estimates, but it cannot win as asked. $memory: steps of the rows that are planned with less memory.
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
# In words: "winner in 7 of 9; with slower links DP4 TP8 PP8 wins by 2 %".
def robust_line:
	"\(if 2 * .won > .of then "" else "not " end)robust: winner in \(.won) of \(.of) questions" +
	if .others == [] then "" else "; with " + (.others[0] |
		"\(.when[0])\(if (.when | length) > 1 then " and \((.when | length) - 1) more" else "" end) " +
		"\(.degrees) wins\(if .by then " by \(.by | percent)" else ", for the winner does not fit" end)") end;

# What is assumed, of inputs: for each its words, then the best estimate with what the alternative is; the first is as
# assumed.
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
	(if $small == [] then empty else "assumed: \($small | join(", ")); others change less than 0.5 %" |
		wrapped end),
	(map(select(.change == null)) | group_by(.why)[] |
		"assumed: \(map(.assumed) | join(", ")); not compared: " +
			(.[0].why // "no estimate of what is assumed")),
	(if $given == "" then empty else $given | wrapped end);
# What the winner's step rests on. $names: of the cluster, and of what was measured.
def rests_line($names):
	.source as $s | if $s.shares then "of the winner's step " + ([("measured", "fitted", "computed") as $k |
		"\($s.shares[$k] // 0 | percent) is \($k)"] | join(", "))
	else "rests on: times of layers \($s.layers), memory \($s.memory), figures of \($names)" +
		({ borrowed: ", borrowed from another device", fitted: "", default: "" }[$s.efficiency] // "") +
		if $s.layers == "computed" and $s.memory == "computed" then "; nothing here is measured"
		else "" end end;
# Which rows to run, for a ranking that is measured: those that may be shorter than the winner by their intervals.
def next_line($names; $of; $short):
	(map({ key: .name, value: . }) | from_entries) as $row | ([$names[] | $row[.]] | sort_by(.step_time)) as $rows |
	($rows[0] | . as $p | $of[.name] | within[1] * $p.step_time) as $high |
	[$rows | to_entries[] | select(.value.step_time <= $high) | .key + 1] |
	"next: run \(if length == 1 then "the winner" else "\(map(tostring) | join(", ")), in this order" end), " +
	"a few steps" + if length == 1 then "" else " each: the winner's interval has their steps" end +
	if $short then "" else "; no short run tells more" end;
# The conclusion, twelve lines at most. $winner: its row, $e: its estimate.
def conclusion($winner; $e; $sure; $robust; $peak; $limit; $free; $names; $today; $next; $assumed):
	($e | within) as $w | ($e.step_time / $winner.step_time) as $faster |
	[("winner: \($e | degree_words), \($e.mbs) sequence\(if $e.mbs > 1 then "s" else "" end) a micro-batch, " +
		"recompute \($winner | recomputed): a step in \($winner.step_time | seconds) s"),
	"    9 of 10 such steps are within \($winner.step_time * $w[0] | seconds) .. \($winner.step_time * $w[1] |
		seconds) s; \($e.tokens_per_second * $faster | commas) tokens/s a device, " +
		"MFU \($e.mfu * $faster | percent)",
	$sure[], ($robust | robust_line),
	(if $limit and $peak then "memory: \($peak | commas) of \($limit | commas) MB on the worst stage, \(1 - $peak /
		$limit | percent) free" + (if 1 - $peak / $limit < $free - 1e-6 then
		": tight, for computed peaks are up to 9 % off; with margin: 0.08 plans have room" else "" end)
		else empty end),
	($e | rests_line($names)), $today[], $next | wrapped] as $lines |
	[$assumed[] | select(startswith("assumed") and contains("with"))] as $some |
	([12 - ($lines | length), 0] | max) as $room |
	$lines[:-1][], $some[:$room][], $lines[-1];

# Operators of a configuration, by time, and the short run that tells most.
def coverage_line:
	"of its operators' time " + ([("measured", "fitted", "computed") as $s |
		"\(.time[$s] // 0 | percent) is \($s)"] | join(", "));
def run_line:
	(.tells[-1] | capture("best (?<before>[0-9.]+) undecided, (?<after>[0-9.]+) then")? // null) as $t |
	"or first a short run: \(.name), \(.layers) layers of each kind, on \(.devices) devices, " +
	"\(.cost | commas) device seconds" +
	(if $t and ($t.after | tonumber) > 0.9 * ($t.before | tonumber) then ", though no short run settles much"
		else "" end) +
	": \(.tells | join("; "))" | wrapped;

# Why not other degrees: those that come nearest one by one, the rest by what is in their way.
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

# The conclusion's lines, those that were wrapped whole again.
def conclusion_lines: gsub("\n    (?<word>[^9])"; " \(.word)") | gsub("\n    "; "\n") / "\n";
# A number of each stage is a list also for one stage.
def stages: [.] | flatten;
# Everything that the page draws.
def page($verdict; $planned; $estimates; $baseline; $why; $any; $sims; $limit; $assumed; $robust; $free; $todo):
	.[0] as $winner | (map({ key: .name, value: .step_time }) | from_entries) as $step |
	{ verdict: $verdict, free: $free, todo: ($todo | sort_by($step[.name])), assumed: $assumed, robust: $robust,
		winner: $winner.name, step: $winner.step_time,
		baseline: $baseline, plans: .[:200],
		estimates: ([.[:200][].name | $planned[.]] + ($estimates | map(select(.kind == "estimate"))) |
			unique_by(.name) | sort_by(.step_time) | map(.memory |= stages)),
		why: [$why | why_lines($winner.step_time)], any: $any, sims: ($sims | map(.peak_memory |= stages)),
		limit: $limit };

# What was measured is of a device's share, and of a micro-batch.
def measured_model: { kind: "model", name: "measured", model_parallel: .tp, batch_size: .mbs };

# The cluster's record with what the job says otherwise; a first link that spans a node goes on spanning it.
def cluster_with($memory; $has):
	.devices_per_node as $node |
	# Figures of another device are as sure as borrowed ones.
	(if $has.peak or $has.memory_bandwidth then .confidence = "borrowed" |
		if .kernels then .kernels |= map(.confidence = "borrowed") else . end else . end) |
	. + ($has | { devices_per_node, reserve, peak, memory_bandwidth, host_link } |
		with_entries(select(.value))) |
	if .links[0].span == $node then .links[0].span = .devices_per_node else . end |
	if $has.intra_bandwidth then .links[0].bandwidth = $has.intra_bandwidth else . end |
	if $has.inter_bandwidth then .links[-1].bandwidth = $has.inter_bandwidth else . end |
	if $memory then .memory_limit = $memory else . end;

# The network with the bytes of each parameter that the training file says, and with the mean length that a token
# attends within, of documents of the lengths PACKED, if not null.
def network_with($packed; $ran): . as $n |
	if $packed and ($packed | max) > .seq_length then "" | halt_error(1) else . end |
	(.precision // {}) + ($ran // {}) | if . == {} then $n else . as $p | $n + { precision: $p } end |
	if $packed then .document = ($packed | (map(. * .) | add) / add) else . end;

# Clusters whose figures are off by one standard deviation each way, as tools/lib/estimate/interval.c has them; a line
# for each: words, and the record.
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
	# Products of other types have figures of their own.
	"\(if $way > 0 then "faster" else "slower" end) \($words)\t\($c | off($paths[0]) |
		if .kernels then .kernels |= map(off($paths[0])) else . end | tojson)";
