/*
 * The simulator of the page: the order in which each stage runs, under other times. An operation begins when the one
 * before it on its stage has ended and its data have come: the longest path, sapp(7). Transfers are hidden, no
 * operations run together; replay_of() looks whether that is what was simulated.
 */

/* Of each micro-batch the pieces in the order in which its forwards go through them, "stage,chunk"; alike are one. */
function replay_paths(rows) {
	const of = new Map(), same = new Map();
	rows.flat().filter(b => b.what == "forward").sort((a, b) => a.start - b.start).forEach(b => {
		of.set(b.micro, (of.has(b.micro) ? of.get(b.micro) + " " : "") + b.stage + "," + b.chunk);
	});
	of.forEach((text, micro) => {
		if (!same.has(text))
			same.set(text, text.split(" "));
		of.set(micro, same.get(text));
	});
	return { of, count: same.size };
}

/* ms from one stage to another: of all transfers, or of each boundary, that of the last stage and the first behind. */
function replay_delay(comm, stages, from, to) {
	if (from == to || comm.length == 0)
		return 0;
	return comm.length == 1 ? comm[0] : comm[Math.abs(from - to) > 1 ? stages - 1 : Math.min(from, to)] || 0;
}

/* Fill in start and end of the operations { stage, chunk, micro, what, time } of each stage. The step, ms; NaN: they
   wait for one another. */
function replay(rows, comm, path_of) {
	const done = new Map(), waiting = new Map(), place = new Map();
	const at = rows.map(() => 0), free = rows.map(() => 0), go = rows.map((r, s) => s);
	const where = micro => {
		const path = path_of(micro);
		if (!place.has(path))
			place.set(path, new Map(path.map((p, k) => [p, k])));
		return [path, place.get(path)];
	};
	let step = 0, ran = 0;
	while (go.length > 0) {
		const s = go.pop();
		for (; at[s] < rows[s].length; at[s]++) {
			const op = rows[s][at[s]], [path, index] = where(op.micro), k = index.get(s + "," + op.chunk);
			const need = op.what == "forward" ? (k > 0 ? ["forward", k - 1] : null)
				: op.what == "weight" ? ["backward", k]
				: k + 1 < path.length ? ["backward", k + 1] : ["forward", k];
			let start = free[s];
			if (need) {
				const key = `${need[0]} ${need[1]} ${op.micro}`;
				if (!done.has(key)) {
					waiting.set(key, s);
					break;
				}
				start = Math.max(start, done.get(key) +
					replay_delay(comm, rows.length, +path[need[1]].split(",")[0], s));
			}
			op.start = start;
			op.end = free[s] = start + op.time;
			step = Math.max(step, op.end);
			ran++;
			const own = `${op.what} ${k} ${op.micro}`;
			done.set(own, op.end);
			/* One other stage at most: the next piece's. */
			if (waiting.has(own)) {
				go.push(waiting.get(own));
				waiting.delete(own);
			}
		}
	}
	return ran == rows.reduce((n, r) => n + r.length, 0) ? step : NaN;
}

/* Forwards that a stage runs before forwards and backwards alternate, by the rule of a schedule; undefined: no rule. */
const REPLAY_WARM = {
	"gpipe": () => Infinity,
	"1f1b": (stages, chunks, s) => stages - 1 - s,
	"vpp": (stages, chunks, s) => (chunks - 1) * stages + 2 * (stages - 1 - s),
	"vpp-less": (stages, chunks, s) => (chunks - 1) * stages + stages - 1 - s,
};

/* The order of a stage by the rule, [what, chunk, micro]: micro-batches go through the chunks in groups of as many as
   stages. Null: there is no rule, or not for so many. */
function replay_order(schedule, stages, chunks, micros, s) {
	const rule = REPLAY_WARM[schedule], group = schedule == "gpipe" ? micros : stages, total = micros * chunks;
	if (!rule || chunks > 1 && micros % group != 0)
		return null;
	const turn = (n, backward) => {
		const size = chunks > 1 ? group : 1, chunk = Math.floor(n % (size * chunks) / size);
		return [backward ? "backward" : "forward", backward ? chunks - 1 - chunk : chunk,
			Math.floor(n / (size * chunks)) * size + n % size];
	};
	const order = [], warm = Math.min(total, rule(stages, chunks, s));
	for (let n = 0; n < warm; n++)
		order.push(turn(n, false));
	for (let n = 0; n < total; n++) {
		if (warm + n < total)
			order.push(turn(warm + n, false));
		order.push(turn(n, true));
	}
	return order;
}

/* What is needed to simulate a strategy again; null where its times are not those of this simulator. */
function replay_of(run) {
	const rows = run.rows.map((row, s) => row.map((b, i) => {
		const before = i > 0 ? row[i - 1].memory : run.fixed[s];
		return { ...b, time: b.end - b.start, adds: b.memory - before, holds: b.peak - before };
	}));
	const paths = replay_paths(rows), path_of = micro => paths.of.get(micro);
	const copy = rows.map(row => row.map(b => ({ ...b }))), step = replay(copy, run.comm, path_of);
	const near = (a, b) => Math.abs(a - b) <= 1e-9 * run.step;
	if (!near(step, run.step) || copy.some((row, s) => row.some((b, i) => !near(b.start, rows[s][i].start))))
		return null;
	/* Other numbers of micro-batches, where the order is one of a rule and operations take the same for all. */
	const follows = paths.count == 1 && rows.every((row, s) => {
		const order = replay_order(run.schedule, run.stages, run.chunks, run.micros, s);
		return order && order.length == row.length && order.every(([what, chunk, micro], i) =>
			row[i].what == what && row[i].chunk == chunk && row[i].micro == micro);
	}) && rows.every(row => {
		const of = new Map(row.map(b => [b.what + b.chunk, b]));
		return row.every(b => near(b.time, of.get(b.what + b.chunk).time));
	});
	return { run, rows, path_of, follows };
}

/* The strategy with forwards, backwards, transfers and limits times factors, each transfer longer by so many ms, and
   another number of micro-batches. Null: that order cannot run. */
function replay_change(was, change) {
	const run = was.run, comm = (run.comm.length ? run.comm : [0]).map(c => c * change.comm + change.transfer);
	let path_of = was.path_of, rows = was.rows;
	if (change.micros != run.micros) {
		rows = rows.map((row, s) => {
			const of = new Map(row.map(b => [b.what + b.chunk, b]));
			return replay_order(run.schedule, run.stages, run.chunks, change.micros, s)
				.map(([what, chunk, micro]) => ({ ...of.get(what + chunk), micro }));
		});
		path_of = () => was.path_of(0);
	}
	rows = rows.map(row => row.map(b => {
		const factor = b.what == "forward" ? change.forward : change.backward;
		return { ...b, time: b.time * factor, recompute: b.recompute * factor };
	}));
	const step = replay(rows, comm, path_of);
	if (isNaN(step))
		return null;
	const limit = run.limit.map(x => x * change.limit), peak = rows.map((row, s) => {
		let memory = run.fixed[s], peak = memory;
		for (const b of row) {
			b.peak = memory + b.holds;
			b.memory = memory += b.adds;
			peak = Math.max(peak, b.memory, b.peak);
		}
		/* What the pipeline does not hold but at another moment stays. */
		return change.micros == run.micros ? Math.max(peak, run.peak[s]) : peak;
	});
	const over = limit.length > 0 && peak.some((p, s) => p > (limit.length > 1 ? limit[s] : limit[0]) * (1 + 1e-9));
	return { ...run, rows, step, peak, limit, comm, over, micros: change.micros,
		chains: undefined, critical: undefined };
}
