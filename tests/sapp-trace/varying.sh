#!/bin/sh
# varying.sh STEPS SIGMA SEED: print a timeline of operations of 1f1b, 4 stages and 8 micro-batches, with random lengths
# of sequences: each micro-batch takes exp(SIGMA z) times a mean forward, z normal, and its backward likewise.
awk -v K="$1" -v sigma="$2" -v seed="$3" 'function unit() { return (seed = seed * 16807 % 2147483647) / 2147483647 }
BEGIN {
	for (k = 0; k < K; k++) {
		f = ""
		for (m = 0; m < 8; m++)
			f = f (m ? "," : "") exp(sigma * sqrt(-2 * log(unit())) * cos(6.283185307 * unit()))
		printf "{\"kind\":\"chunks\",\"name\":\"%d\",\"schedule\":\"1f1b\",\"micro_batches\":8,", k
		printf "\"forward\":[10,10,10,12],\"forward_factor\":[%s],\"backward_factor\":[%s]}\n", f, f
	}
}' | sapp-sim -e | jq -c 'select(.kind == "block")' | jq -cs '
	map({name: (if .phase == "F" then "forward-compute" else "backward-compute" end), ph: "X", pid: 0, tid: .stage,
		ts: (1e7 * (.plan | tonumber) + 1000 * .start), dur: (1000 * (.end - .start)),
		args: {step: (.plan | tonumber), model_chunk: 0, mb_id: .micro}}) +
	[range(4) as $s | {name: "thread_name", ph: "M", pid: 0, tid: $s,
		args: {name: "PP rank \($s), TP rank 0, compute"}}]'
