#!/bin/sh
# The simulation of a page, share/replay.js, compared with sapp-sim: the 120 golden pipelines, or every third, and
# orders that split the backward, unchanged and with other times, transfers and numbers of micro-batches.
. "$(dirname "$0")/../lib.sh"
command -v node >/dev/null || { skip 'Node.js is not installed'; done_testing; exit; }

# Questions: the change of a pipeline, and the same question changed by hand.
{ jq -c .in "$top/tests/data/simulate.jsonl" | awk -v every="$(draws 3 1)" 'NR % every == 0'
	jq -nc '("zb-h1", "zbv", "v-half", "dualpipev") as $s | (if $s == "zb-h1" then 1 else 2 end) as $v |
		{ kind: "chunks", name: $s, schedule: $s, micro_batches: 12, activation: 100, parameter: 1000,
		forward: [range($v) as $c | [range(4) | 10 + . + $c]],
		backward: [range($v) as $c | [range(4) | 21 - . + $c]] }'
	jq -nc '{ kind: "chunks", name: "batched", schedule: "1f1b", micro_batches: 12, activation: 100,
		parameter: 1000, forward: [[10, 10, 10]], backward: [[20, 20, 20]], comm_time: [3, 4],
		transfers: "batched" }'
	jq -nc '{ kind: "chunks", name: "links", schedule: "vpp", micro_batches: 8, activation: 100, parameter: 1000,
		forward: [[10, 11, 12, 13], [9, 8, 7, 6]], backward_ratio: 2, comm_time: [3, 40, 2, 5] }'
} | command jq -c '.name = "\(input_line_number)"' >"$tmp/in"
sapp-sim -e "$tmp/in" >"$tmp/steps" || exit 1
# With other times: forwards times 1.3, backwards times 0.8, and 7 ms more for each transfer.
table='def table(f): if type == "array" then map(map(f)) else f end;'
jq -c "$table"' . as $c | ((.backward // (.forward | table(. * $c.backward_ratio))) | table(. * .8)) as $back |
	(.recompute // null) as $again | del(.backward_ratio) | .forward |= table(1.3 * .) | .backward = $back |
	(if $again then .recompute = ($again | table(. * .8)) else . end) |
	.comm_time = ((if (.comm_time | type) == "array" then .comm_time elif .comm_time then [.comm_time]
		else [0] end) | map(. + 7) | if length == 1 then .[0] else . end)' "$tmp/in" |
	sapp-sim >"$tmp/changed" || exit 1
# With three times the micro-batches.
jq -c '.micro_batches *= 3' "$tmp/in" | sapp-sim >"$tmp/more" || exit 1
sapp-plot -o "$tmp/page.html" "$tmp/steps"
perl -0777 -ne 'print $1 if /const DATA = (\{.*?\n?\});\n/s' "$tmp/page.html" >"$tmp/data.json"
cat >"$tmp/run.js" <<'JS'
"use strict";
const fs = require("fs"), vm = require("vm"), [, , script, data, changed, more] = process.argv;
vm.runInThisContext(fs.readFileSync(script, "utf8"));
const DATA = JSON.parse(fs.readFileSync(data, "utf8"));
const sims = file => fs.readFileSync(file, "utf8").split("\n").filter(l => l.includes('"kind":"sim"'))
	.map(l => JSON.parse(l));
const as_changed = sims(changed), as_more = sims(more), count = { taken: 0, not: {}, changed: 0, more: 0, follows: {} };
const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b) + 1e-9, wrong = [];
DATA.runs.forEach((run, i) => {
	run.rows = Array.from({ length: run.stages }, () => []);
	for (let b = 0; b < run.bars.length; b += 9) {
		const [stage, chunk, micro, phase, start, end, memory, peak, recompute] = run.bars.slice(b, b + 9);
		run.rows[stage].push({ stage, chunk, micro, phase, what: DATA.phases[phase].name.split(" ")[0],
			start, end, memory, peak, recompute });
	}
	const was = replay_of(run);
	const as_it_is = { forward: 1, backward: 1, comm: 1, transfer: 0, limit: 1, micros: run.micros };
	if (!was) {
		count.not[run.schedule] = (count.not[run.schedule] || 0) + 1;
		return;
	}
	count.taken++;
	const same = replay_change(was, as_it_is);
	const other = replay_change(was, { ...as_it_is, forward: 1.3, backward: .8, transfer: 7 });
	if (!near(same.step, run.step) || same.peak.some((p, s) => !(Math.abs(p - run.peak[s]) <= 1e-6 * p)))
		wrong.push(`${run.name} ${run.schedule} as it is: ${same.step} ${run.step}`);
	/* Orders that are made for the times are others there: not shorter than the one that is kept. */
	if (/^(zbv|v-|zb-)/.test(run.schedule) ? other.step < as_changed[i].step * (1 - 1e-9) :
	    !near(other.step, as_changed[i].step))
		wrong.push(`${run.name} ${run.schedule} changed: ${other.step} ${as_changed[i].step}`);
	else
		count.changed++;
	if (!was.follows)
		return;
	count.follows[run.schedule] = (count.follows[run.schedule] || 0) + 1;
	const longer = replay_change(was, { ...as_it_is, micros: 3 * run.micros });
	if (!near(longer.step, as_more[i].step_time) ||
	    longer.peak.some((p, s) => !(Math.abs(p - as_more[i].peak_memory[s]) <= 1e-6 * p)))
		wrong.push(`${run.name} ${run.schedule} ${3 * run.micros} micro-batches: ` +
			`${longer.step} ${as_more[i].step_time}`);
	else
		count.more++;
});
console.log(JSON.stringify({ wrong, ...count }));
JS
sed -i 's/as_changed\[i\]\.step\b/as_changed[i].step_time/g' "$tmp/run.js"
node "$tmp/run.js" "$top/share/replay.js" "$tmp/data.json" "$tmp/changed" "$tmp/more" >"$tmp/said" || exit 1
same 'as sapp-sim, to 1e-9, wherever it is offered' '[]' "$(jq -c .wrong "$tmp/said")"
same 'which is wherever stages do no more than wait for data and one another' \
	"$(draws 44 124) {\"1f1b\":1,\"dualpipev\":1}" \
	"$(jq -r '"\(.taken) \(.not | tojson)"' "$tmp/said")"
same 'under other times' "$(draws 44 124)" "$(jq .changed "$tmp/said")"
same 'and for other numbers of micro-batches, by the rule' \
	"$(draws '39 {"1f1b":17,"vpp":10,"vpp-less":12}' '117 {"1f1b":45,"vpp":35,"vpp-less":37}')" \
	"$(jq -r '"\(.more) \(.follows | tojson)"' "$tmp/said")"
done_testing
