#!/bin/sh
# examples/cpu-run: its recorded profile is read and gives a plan; if PyTorch is available, it trains.
. "$(dirname "$0")/lib.sh"
data=$top/tests/data/cpu-run
example=$top/examples/cpu-run
names='-head embedding -body layers. -tail loss'

# A run with 6 and 6 layers in 8 micro-batches, with profiles; peaks of another run with 9 and 3 layers.
# spans END: print ms of all layers' spans that end with END, in the last step, computed from the file alone.
spans() {
	gzip -dc "$data"/round_0/profile/*.gz | jq -n --arg which "$1" '[inputs.traceEvents |
		map(select(.name == "ProfilerStep#4"))[0].ts as $from | .[] | select(.ts >= $from and
		.cat == "gpu_user_annotation" and (.name | startswith("layers.") and endswith($which))).dur] |
		add / 1000'
}
# shellcheck disable=SC2086 # words
check 'the profile is read' run 0 sapp-trace $names -steps 4-4 "$data/round_0/profile"
for phase in 'forward (F)' 'backward (B)'; do
	near "${phase% *}: the sum of all layers is that of the file" "$(spans "${phase#* }")" "$(get timing \
		"select(.name == \"layers.\" and .phase == \"${phase% *}\").busy" <"$tmp/out")" 0.001
done
same 'stages and micro-batches are told' '2 8' "$(get job '"\(.stages) \(.micro_batches)"' <"$tmp/out" | tr -d \")"
same 'so are 12 layers and both ends' '"HEAD" 1 "BODY" 12 "TAIL" 1' \
	"$(get layer '.type, .nb_layer' <"$tmp/out" | xargs -d '\n')"
near 'waiting for what a rank sent is no transfer' 0 "$(get job .comm_time <"$tmp/out")" 0.1
same 'time outside the pipeline' 'communication optimizer' \
	"$(get step '.parts | keys[]' <"$tmp/out" | sort -u | xargs)"

cat >"$tmp/init.yaml" <<END
pipeline_config: {pipeline_num: 2, num_layer: 12, offset: [[0, 0], [3, -3]]}
recompute_config: {recompute: [false, false], select_recompute: [false, false], select_comm_recompute: [false, false]}
END
# shellcheck disable=SC2086 # words
sapp-trace $names "$data/round_0/profile" 2>"$tmp/err" |
	sapp-memsplit "$tmp/init.yaml" "$data" 2>>"$tmp/err" >"$tmp/layers"
near 'two divisions tell what a layer takes' 13.6 "$(get layer 'select(.type == "BODY").memory_parameter' \
	<"$tmp/layers")" 3
sapp-lp -transfers hidden -mem 1000 -gap 0 -t 100 "$tmp/layers" >"$tmp/plan" 2>>"$tmp/err"
same 'the plan is the division whose longer stage is shortest' '[7,5] "optimal"' \
	"$(get plan '.counts["layers."].none[0], .status' <"$tmp/plan" | xargs -d '\n')"
jq -c '(select(.kind == "plan") | .counts) = { "layers.": { none: [[6, 6]] } } |
	(select(.kind == "plan") | .offset) = [[0, 0]]' "$tmp/plan" >"$tmp/even"
near 'the step of what ran is predicted' "$(sed -n 's/^median \(.*\) ms/\1/p' "$data/round_0/train.log")" \
	"$(sapp-sim -j -transfers hidden "$tmp/even" | get sim .step_time)" 26
same 'with no more than so much memory, another fits' '[6,6]' \
	"$(sapp-lp -transfers hidden -mem 195 -gap 0 -t 100 "$tmp/layers" 2>"$tmp/err" |
	get plan '.counts["layers."].none[0]')"

# Train here, if possible.
long || { skip 'make check-long trains'; done_testing; exit; }
for python in python3 /usr/bin/python3; do
	"$python" -c 'import torch.distributed' 2>"$tmp/err" && break
	python=
done
if [ -z "$python" ]; then
	skip 'no PyTorch: nothing is trained'
	check 'the example says so' sh -c 'PATH=$1; "$2"; [ $? -eq 77 ]' sh "$tmp:$PATH" "$example/run"
	done_testing
	exit
fi
train() {
	timeout 120 "$python" "$example/train" --hidden 16 --heads 2 --vocabulary 50 --sequence 8 --steps 2 "$@" \
		>"$tmp/log" 2>"$tmp/err" || { tail -n 5 "$tmp/err" >&2; return 1; }
	sed -n 's/^\(step . loss .*\) time.*/\1/p' "$tmp/log"
}
alone=$(train --layers 4 --micro-batches 3)
same 'two steps' 2 "$(echo "$alone" | grep -c loss)"
same 'two processes learn the same' "$alone" "$(train --layers 3,1 --micro-batches 3 --profile "$tmp/profile")"
same 'each says its peak' 2 "$(grep -c '^\[rank[01]\] max memory reserved = [0-9.]* MB' "$tmp/log")"
printf '0F0,0F1,2F0,2B0,0F2,0B0,2F1,2B1,0B1,2F2,2B2,0B2\n1F0,1F1,3F0,3B0,1B0,3F1,3B1,1B1,1F2,3F2,3B2,1B2\n' \
	>"$tmp/order.csv"
same 'and so do four pieces in an order of their own' "$alone" "$(train --layers 1,1,1,1 --order "$tmp/order.csv")"
same 'and two that divide each layer' "$alone" "$(train --layers 4 --tp 2 --micro-batches 3)"
replicas=$(train --layers 4 --dp 2 --micro-batches 3 --profile "$tmp/replicas")
same 'two replicas begin as one does' "$(echo "$alone" | head -n 1)" "$(echo "$replicas" | head -n 1)"
check 'and go on by the mean of their gradients' test "$alone" != "$replicas"
same 'on four processes, too' "$replicas" "$(train --layers 2,2 --dp 2 --micro-batches 3)"
echo '{"kind":"run","name":"r","dir":"'"$tmp"'/replicas","dp":2,"tp":1,"pp":1,"micro_batches":3}' >"$tmp/run"
# shellcheck disable=SC2086 # words
check 'the profile of replicas is read' run 0 sapp-trace $names -kernels -nodes 1 -runs "$tmp/run" "$tmp/replicas"
same 'with the sum of their gradients' '"dp" "all_reduce" 2' \
	"$(get communication 'select(.op == "all_reduce") | .group, .op, .members' <"$tmp/out" | head -n 3 |
	xargs -d '\n')"
# shellcheck disable=SC2086 # words
check 'the profile of just now is read' run 0 sapp-trace $names "$tmp/profile"
same 'its layers, stages and micro-batches' '1 4 1 2 3' "$(jq -s -r '[.[] | select(.kind == "layer").nb_layer] +
	[.[] | select(.kind == "job") | .stages, .micro_batches] | join(" ")' "$tmp/out")"
for bad in '--layers 0,2' '--steps 0' '--tp 3' '--dp 0' '--layers 1,1,1 --order '"$tmp/order.csv"; do
	# shellcheck disable=SC2086 # words
	check "refused: ${bad%"$tmp"*}" sh -c 'python=$1 train=$2; shift 2; ! "$python" "$train" "$@"' sh "$python" \
		"$example/train" $bad
done
done_testing
