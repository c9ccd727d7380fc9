#!/bin/sh
# 120 pipelines: step time, bubble and peaks must equal those of another simulator.
. "$(dirname "$0")/../lib.sh"
data=$top/tests/data/simulate.jsonl

jq -c .in "$data" | sapp-sim | jq -c 'select(.kind == "sim")' >"$tmp/sim" || exit 1
jq -c .out "$data" | paste "$tmp/sim" - | jq -r --slurp '
	def near($a; $b): (($a // 0) - ($b // 0) | fabs) <= 1e-6 * (1 + ($b // 0 | fabs));
	. as $all | range(0; length / 2) | (. * 2) as $i | $all[$i] as $got | $all[$i + 1] as $want |
	(near($got.step_time; $want.step_time)
	and ($got.bubble | has("recompute")) == ($want.bubble | has("recompute"))
	and ([$want.bubble | keys[] | near($got.bubble[.]; $want.bubble[.])] | all)
	and ($got.peak_memory | length) == ($want.peak_memory | length)
	and ([range(0; $want.peak_memory | length) | near($got.peak_memory[.]; $want.peak_memory[.])] | all)) as $good |
	(if $good then "ok " else "not ok " end) + "\(($i / 2 + 1)) - \($got.name) \($got.schedule)"'
n=$(wc -l <"$data")
done_testing
