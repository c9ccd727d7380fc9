#!/bin/sh
# Transient memory, needed only while a layer runs: simulated, planned, proved and split in hand-computed cases.
. "$(dirname "$0")/../lib.sh"

# layers NAME...: BODY layers of a kind "name layers activation transient", HEAD and TAIL "name transient".
layers() {
	for layer; do
		echo "$layer" | command jq -Rc 'split(" ") | if .[0] == "HEAD" or .[0] == "TAIL"
			then {kind:"layer",name:.[0],type:.[0],nb_layer:1,time:0,memory_parameter:5,
				memory_transient:(.[1] | tonumber)}
			else {kind:"layer",name:.[0],type:"BODY",nb_layer:(.[1] | tonumber),time:1,
				memory_activation:(.[2] | tonumber),memory_transient:(.[3] | tonumber)} end'
	done
}
peaks() { sapp-sim "$@" | jq -c 'select(.kind == "sim").peak_memory'; }
plan() { sapp-lp -gap 0 -t 30 "$@" 2>"$tmp/err" | tee "$tmp/plan" |
	jq -c 'select(.kind == "plan") | [.step_time, .status, [.counts[].none | add]]' | tr -d '"'; }

# Pipelines of chunks. At the last stage of 1f1b one micro-batch is alive, at the first one as many as stages.
chunks() { echo '{"kind":"chunks","name":"c","schedule":"'"$1"'","micro_batches":4,"forward":'"$2"',"activation":'"$3"',
	"transient":'"$4"'}' | tr -d '\n'; }
same '1f1b: of each stage' '[25,17]' "$(chunks 1f1b '[[1,1]]' '[[10,10]]' '[[5,7]]' | peaks)"
same 'none' '[20,10]' "$(chunks 1f1b '[[1,1]]' '[[10,10]]' '[[0,0]]' | peaks)"
# With two chunks the first stage holds five micro-batches. The loss is in the second chunk of the second stage, which
# then holds three, including its own. The first chunk of this stage runs with at most four.
same 'vpp: in the chunk that it belongs to' '[50,37]' \
	"$(chunks vpp '[[1,1],[1,1]]' '[[10,10],[10,10]]' '[[0,0],[0,7]]' | peaks)"
same 'the head' '[57,30]' "$(chunks vpp '[[1,1],[1,1]]' '[[10,10],[10,10]]' '[[7,0],[0,0]]' | peaks)"
# Two operations that run together need both transients: twice 2 MB besides four micro-batches.
same 'two that run together' '[44,20]' "$(chunks vpp-overlap '[[1,1]]' '[[10,10]]' '[[2,0]]' | peaks)"
# Blocks report the memory while they run: the memory before, plus the transient, or a forward's activations.
chunks 1f1b '[[1,1]]' '[[10,10]]' '[[5,7]]' | sapp-sim -e >"$tmp/blocks"
same 'blocks of the first stage' '[15,10] [25,20] [25,10] [25,20] [25,10] [25,20] [25,10] [15,0]' \
	"$(jq -c 'select(.kind == "block" and .stage == 0) | [.peak, .memory]' "$tmp/blocks" | xargs)"
same 'none where nothing is' 0 "$(chunks 1f1b '[[1,1]]' '[[10,10]]' '[[0,0]]' | sapp-sim -e | grep -c '"peak":')"
sapp-plot -html -o "$tmp/page.html" "$tmp/blocks" >"$tmp/null"
perl -0777 -ne 'print $1 if /const DATA = (\{.*?\n?\});\n/s' "$tmp/page.html" >"$tmp/data.json"
same 'and the picture' '15 25 25 25 25 25 25 15' "$(jq -r '.runs[0].bars as $b | range(0; 72; 9) | $b[. + 7]' \
	"$tmp/data.json" | xargs)"
fails 'a negative one' 1 'transient' sh -c 'echo "$1" | sapp-sim' sh "$(chunks 1f1b '[[1,1]]' '[[10,10]]' '[[5,-7]]')"
fails 'of other pieces' 1 'transient: 1 x 3 numbers, but forward has 1 x 2' sh -c 'echo "$1" | sapp-sim' sh \
	"$(chunks 1f1b '[[1,1]]' '[[10,10]]' '[[5,7,1]]')"

# Plans: the largest of the layers of a piece, including head and tail.
layers 'HEAD 4' 'A 4 10 6' 'TAIL 70' >"$tmp/ends"
plan -s 2 -mb 4 -mem 1000 "$tmp/ends" >"$tmp/null"
same 'head and tail' '[51,95]' "$(peaks "$tmp/plan")"
same 'just enough' '[30,optimal,[[2,2]]]' "$(plan -s 2 -mb 4 -mem 51,95 "$tmp/ends")"
fails 'a little less for the last one' 3 'stage 1 needs the most)' sapp-lp -s 2 -mb 4 -mem 51,94.9 -t 5 "$tmp/ends"
same 'moves a layer' '[36,optimal,[[3,1]]]' "$(plan -s 2 -mb 4 -mem 500,94.9 "$tmp/ends")"
same 'two layers of the tail: the larger one, not their sum' '[51,95]' "$(sed 's/"TAIL","type":"TAIL","nb_layer":1/'\
'"TAIL","type":"TAIL","nb_layer":2/; s/"memory_parameter":5,"memory_transient":70/"memory_parameter":2.5,'\
'"memory_transient":70/' "$tmp/ends" | plan -s 2 -mb 4 -mem 51,95 >"$tmp/null"; peaks "$tmp/plan")"
# Interleaved, the loss does not run at the peak of the last stage: 30 MB with 10 MB per live piece, 37 MB with the
# loss.
layers 'A 8 5 0' 'TAIL 7' | sed 's/"memory_parameter":5/"memory_parameter":0/' >"$tmp/loss"
same 'interleaved' '[54,optimal,[[2,2,2,2]]]' "$(plan -s 2 -mb 4 -i 2 -mem 50,37 "$tmp/loss")"
same 'just as the simulator has it' '[50,37]' "$(peaks "$tmp/plan")"
# Layers with a large transient are placed where they fit: 2 stages, 3 + 3 layers.
layers 'A 3 1 0' 'B 3 1 50' >"$tmp/two"
same 'of body layers' '[45,optimal,[[3,0],[0,3]]]' "$(plan -s 2 -mb 4 -mem 10,60 "$tmp/two")"
same 'the first stage has none of it' '[0,3]' "$(jq -c 'select(.kind == "plan").counts.B.none[0]' "$tmp/plan")"
for schedule in 1f1b gpipe zb-h1; do
	plan -s 2 -mb 4 -mem 30,70 -S $schedule "$tmp/two" >"$tmp/null"
	same "$schedule: no peak above its limit" true "$(peaks "$tmp/plan" | jq '.[0] <= 30 and .[1] <= 70')"
done
# Models for other solvers include the transient of each kind that a piece has.
layers 'A 3 4 0' 'B 3 2 30' 'TAIL 10' >"$tmp/three"
for limits in 60,60,60 24,60,60 20,42,46; do
	best=$(plan -s 3 -mb 3 -mem $limits "$tmp/three" | tr -d '[' | cut -d, -f1)
	check "the model with $limits" run 0 sapp-lp -s 3 -mb 3 -mem $limits -t 20 -gap 0 -mps "$tmp/mps" "$tmp/three"
	near "its optimum" "$best" "$(cbc "$tmp/mps" -sec 60 -solve | sed -n 's/^Objective value: *//p')" 1e-5
done

# Split: transient memory in layer records does not count as parameters.
cat >"$tmp/init.yaml" <<'END'
pipeline_config: {pipeline_num: 4, num_layer: 8, offset: [[0, 0, 0, 0], [1, 0, 0, -1]]}
recompute_config: {recompute: [[0, 0, 0, 0], [0, 0, 0, 0]]}
time_config: {head: 1, body: 2, tail: 1}
memory_usage:
  head_memory: [203, 273]
  body_memories: {stage_id: [[1, 2], [1, 2]], memories: [[100, 80], [100, 80]]}
  tail_memory: [167, 137]
END
layers 'A 8 0 0' 'TAIL 77' |
	sed 's/"memory_parameter":5,//; s/,"memory_activation":0,"memory_transient":0//' >"$tmp/known"
sapp-memsplit "$tmp/init.yaml" <"$tmp/known" >"$tmp/with" 2>"$tmp/err"
grep -v TAIL "$tmp/known" | sapp-memsplit "$tmp/init.yaml" >"$tmp/without" 2>"$tmp/err"
parameter() { jq 'select(.kind == "layer" and .type == "TAIL").memory_parameter' "$1"; }
near 'memsplit takes it off the tail' 77 "$(awk -v a="$(parameter "$tmp/without")" -v b="$(parameter "$tmp/with")" \
	'BEGIN { print a - b }')" 1e-6
same 'and passes it on' 77 "$(jq 'select(.type == "TAIL").memory_transient' "$tmp/with")"
done_testing
