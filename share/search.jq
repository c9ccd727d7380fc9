# What sapp-search makes of records: questions that are open, the ranking, tables, the page.

# Of answers, which are plans: for every configuration its best plan, the shortest first.
def ranked:
	map(select(.kind == "plan" and .status != "infeasible")) |
	group_by(.name) | map(min_by(.step_time)) | sort_by(.step_time);

# What no plan of a configuration can be shorter than, by name; 1e300 where it is proved that none fits.
def bounds:
	reduce (.[] | select(.kind == "plan")) as $p ({};
		.[$p.name] = ([.[$p.name] // 0,
			if $p.status == "infeasible" then (if ($p.excess_at_least // 0) > 0 then 1e300 else 0 end)
			else $p.lower_bound end] | max));

# Candidates, each with its estimate behind it, as pairs; the candidate has the name, too.
def pairs:
	foreach .[] as $r (null;
		if $r.kind == "candidate" then [$r] elif $r.kind == "estimate" then . + [$r] else . end;
		if $r.kind == "estimate" then [.[0] + { name: $r.name }, $r] else empty end);

# Of pairs those that may have a shorter plan than the cutoff, by answers so far; the ones tried least come first.
def still_open($answers; $cutoff):
	($answers | ranked[0].name) as $leader | ($answers | bounds) as $bound |
	(reduce ($answers[] | select(.kind == "plan").name) as $n ({}; .[$n] += 1)) as $tries |
	[.[] | select(.[1].name != $leader and ($bound[.[1].name] // 0) < $cutoff)] |
	to_entries | sort_by([$tries[.value[1].name] // 0, .key]) | .[].value;

# Numbers of a grid as Taylor's files have them; nothing where there is none.
def grid: if . == null then "" else tojson end;
def csv_field: if type == "string" and test("[,\"]") then "\"" + gsub("\""; "\"\"") + "\"" else tostring end;
def csv_row: map(csv_field) | join(",");

# Layers of a plan's pieces.
def piece_layers:
	[.counts[][]] | if length == 0 then null
		else reduce .[1:][] as $g (.[0]; [., $g] | transpose | map(transpose | map(add))) end;

def degrees: [.dp, .tp, .pp, .ep, .vp // 1, .shard];

# Every plan, the shortest first. $estimates: of the configurations by name.
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
		($last.recompute_time - $last.backward_time) / $last.time,
		($tail.time + $tail.backward_time) / $last.time, $last.time, "False", $p.step_time / $last.time,
		$p.step_time, ($p | piece_layers | grid), ($p.offset | grid), ($p.recompute | grid),
		"\($last.memory_parameter)/\($last.memory_activation)/\($last.memory_recompute)",
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
		elif $r.kind == "pipeline" then $plan[$name]
		else empty end);

# The question of a configuration, with limits for each stage.
def limited($name; $limits):
	configurations[] | select(.[0].name == $name)[] |
	select(.kind == "model" or .kind == "layer" or .kind == "pipeline") |
	if .kind == "pipeline" then .memory_limit = $limits else . end;
# Of one: its name, stages and limit.
def asked:
	map(select(.kind == "pipeline"))[0] as $q | "\(.[0].name) \($q.stages) \([$q.memory_limit] | flatten | max)";

# Of an estimate: how Megatron-LM is told its degrees.
def megatron_arguments($batch):
	"--tensor-model-parallel-size \(.tp)",
	"--pipeline-model-parallel-size \(.pp)",
	"--context-parallel-size \(.cp // 1)",
	(if .cp_kind == "ulysses" then "--cp-comm-type a2a" else empty end),
	(if .ep > 1 then
		"--expert-model-parallel-size \(.ep)",
		"--expert-tensor-parallel-size \(.etp // 1)"
	else empty end),
	"--micro-batch-size \(.mbs)",
	"--global-batch-size \($batch)",
	(if .tp > 1 then "--sequence-parallel" else empty end),
	"--use-distributed-optimizer";

# Everything that the page draws.
def page($verdict; $estimates; $baseline; $why):
	.[0] as $winner |
	{ verdict: $verdict, winner: $winner.name, step: $winner.step_time, baseline: $baseline, plans: .[:200],
		estimates: $estimates, why: $why };
