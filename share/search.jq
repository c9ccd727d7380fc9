# What sapp-search makes of records: questions that are open, the ranking, tables, the page.

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

# Rows of the first K as columns: a head, then one for each.
def ranking_lines($k; $of; $any; $sims; $limit):
	($sims | map({ key: .name, value: . }) | from_entries) as $sim | ($any != {}) as $free |
	(.[:$k] | any($of[.name].cp // 1 > 1)) as $cp | (.[:$k] | any($of[.name].ep // 1 > 1)) as $ep |
	(["#", "dp", "tp", (if $cp then "cp" else empty end), "pp", (if $ep then "ep" else empty end), "vp", "mbs",
		"recompute", "step s", "9 of 10 within", "at least", (if $free then "any framework" else empty end),
		"tokens/s", "MFU", "memory MB", "free", "status", "name"] | @tsv),
	(.[:$k] | to_entries[] | .key as $n | .value as $p | $of[$p.name] as $e | ($e | within) as $w |
		($e.step_time / $p.step_time) as $faster | ([$sim[$p.name].peak_memory] | flatten | max) as $peak |
		[$n + 1, $e.dp, $e.tp, (if $cp then $e.cp // 1 else empty end), $e.pp,
			(if $ep then $e.ep // 1 else empty end), $e.vp // 1, $e.mbs, ($p | recomputed),
			($p.step_time | seconds),
			"\($p.step_time * $w[0] | seconds) .. \($p.step_time * $w[1] | seconds)",
			($p.lower_bound | seconds),
			(if $free then ($any[$p.name] | if . then
				"\(.step_time | seconds) (\(.step_time / $p.step_time - 1 | percent))"
				else "" end) else empty end),
			($e.tokens_per_second * $faster | commas), ($e.mfu * $faster | percent), ($peak | commas),
			(if $limit then 1 - $peak / $limit | percent else "" end),
			([$p.status, ($p | alike_words($of))] | map(select(. != "")) | join(", ")),
			$p.name] | @tsv);

# What runs today beside the winner's step. On other devices the time of all of them is compared, too.
def today_line($step; $devices):
	(.dp * .tp * .pp * (.cp // 1)) as $own |
	"today \(.name)\(if $own == $devices then "" else " on \($own) devices" end): \(.step_time | seconds) s " +
	"(estimated\(if .fits then "" else "; does not fit" end)); the winner takes \($step / .step_time | percent) of it" +
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
	(if length > 0 then "open: -t \($more)" else empty end);

# What to run, for a ranking that is measured.
def next_line($k; $of):
	($of[.[0].name].source.shares) as $shares |
	(.[0] | . as $p | $of[.name] | within[1] * $p.step_time) as $high |
	[.[:$k] | to_entries[] | select(.value.step_time * ($of[.value.name] | within[0]) <= $high) | .key + 1] |
	(if length == 1 then "the winner" else "\(map(tostring) | join(", ")), in this order" end) as $which |
	(if $shares then "of the winner's step " + ([("measured", "fitted", "computed") as $s |
		"\($shares[$s] // 0 | percent) is \($s)"] | join(", ")) else "nothing here is measured" end) +
	": run \($which), a few steps each; what overlaps the winner's interval may be " +
	"shorter than it";

# Operators of a configuration, by time, and the short run that tells most.
def coverage_line:
	"of its operators' time " + ([("measured", "fitted", "computed") as $s |
		"\(.time[$s] // 0 | percent) is \($s)"] | join(", "));
def run_line:
	"run next: \(.name), \(.layers) layers of each kind, on \(.devices) devices, " +
	"\(.cost | commas) device seconds: \(.tells | join("; "))";

# Why not other degrees: those that come nearest one by one, the rest by what is in their way.
def pairs_of: group_by(.tp) | map("tp \(.[0].tp) x pp \(map(.pp | tostring) | join(", "))") | join("; ");
def why_lines($step):
	(map(select(.step)) | sort_by(.step)) as $near |
	($near[:8][] | "why not tp \(.tp) x pp \(.pp): \(.step | seconds) s, \(.step / $step - 1 | percent) longer, " +
		"\(if .by == "plan" then "planned" else "estimated" end) at \(.name), not below \(.least | seconds) s"),
	(if $near[8:] == [] then empty else "why not, longer than these: \($near[8:] | pairs_of)" end),
	(map(select(.by == "memory")) | if . == [] then empty else min_by(.over) as $m |
		"why not, too much memory: \(pairs_of); the nearest is \($m.name), which needs " +
		"\($m.over | commas) MB more on \($m.stage)" end),
	(map(select(.by == "rule")) | group_by(.rule)[] | "why not, \(.[0].rule): \(pairs_of) (\(.[0].why))");

# Everything that the page draws.
def page($verdict; $planned; $estimates; $baseline; $why; $any; $sims; $limit):
	.[0] as $winner |
	{ verdict: $verdict, winner: $winner.name, step: $winner.step_time, baseline: $baseline, plans: .[:200],
		estimates: ([.[:200][].name | $planned[.]] + ($estimates | map(select(.kind == "estimate"))) |
			unique_by(.name)),
		why: [$why | why_lines($winner.step_time)], any: $any, sims: $sims, limit: $limit };
