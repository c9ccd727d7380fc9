#!/bin/sh
# The closed loop: the chosen runs, a minimum number, determine all exponents exactly, as a further run shows.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
make=$top/examples/make-runs
cp "$top/examples/small-runs/network.jsonl" net
for tp in 2 4 8; do
	for mbs in 1 2 4; do
		printf '{"kind":"candidate","dp":8,"tp":%s,"pp":1,"mbs":%s,"micro_batches":4,"recompute":"none"}\n' \
			$tp $mbs
	done
done >candidates
cat net candidates | sapp-shrink -j -k 1 -cluster atlas-800t-a2 2>/dev/null >runs
same 'two runs for nine configurations' 2 "$(wc -l <runs)"
echo '{"kind":"run","name":"other","dp":1,"tp":8,"pp":1,"mbs":4,"micro_batches":4,"layers":2,"seq_length":4096}' >other
mkdir small large
"$make" -noise 0 net runs small >made
"$make" -noise 0 net other large >unseen
read_all() { for d in "$1"/*; do sapp-trace -kernels -nodes 1 -runs "$2" "$d" 2>/dev/null; done; }
read_all small made | sapp-fit -j >fit 2>/dev/null
read_all large unseen | jq -c 'select(.kind == "kernel" and .part != "outside")' >kernels
one() { printf '{"kind":"candidate","dp":1,"tp":%s,"pp":%s,"mbs":%s,"micro_batches":%s,"layers":2,'\
'"recompute":"none"}\n' "$@"; }
for tp in 2 4 8; do for mbs in 1 2 4; do one $tp 1 $mbs 4; done; done >asked
"$make" -noise 0 -steps net asked . >kept
# A block has up to a page of 512 bytes more than its tensor; for eleven tensors, in proportion to the largest run, with
# mbs 3 and tp 4.
same 'what a layer keeps is so to the byte, but for pages' '[true]' "$(jq -nc --slurpfile c fit --slurpfile k kept '
	[$c[] | select(.of == "memory_activation")] as $c |
	[$k[] | {tp, mbs, seq: 4096} as $x | (($c | length) == 1 and (([$c[0].terms[] | .value * ([.exponents |
		to_entries[] | pow($x[.key]; .value)] | reduce .[] as $f (1; . * $f))] |
		add * 1048576) - .kept) as $more |
		$more >= 0 and $more <= 11 * 512 * ([1, 4 / 3 * .mbs / .tp] | max))] | unique')"
{ one 4 4 1 8; one 4 4 1 1; } | sed 's/"layers":2,//' >peaks
near 'and so is a peak: three micro-batches more on the first of four stages, MB' \
	"$(jq -s --slurpfile n net \
	'map(select(.tp == 4 and .mbs == 1))[0].kept / 1048576 * 3 * $n[0].layers / 4' kept)" \
	"$(cat net fit peaks | sapp-est -cluster atlas-800t-a2 2>/dev/null | jq -s 'map(select(.kind == "estimate")) |
	.[0].memory[0] - .[1].memory[0]')" 0.1
same 'nothing is in doubt but what has one value' 0 "$(jq -s 'map(select(.kind == "doubt" and .count)) | length' fit)"
# beside FIT KERNELS TP CP EP MBS SEQ EXPERTS: print the number of sizes of the kernels of this run, and of sizes that
# the coefficients lack, or give wrongly.
beside() {
	jq -nc --slurpfile c "$1" --slurpfile k "$2" --argjson tp "$3" --argjson cp "$4" --argjson ep "$5" \
		--argjson mbs "$6" --argjson seq "$7" --argjson experts "$8" '
	[$c[] | select(.of == "dimension")] as $c |
	{$tp, $mbs, $cp, $ep, $seq, $experts} as $x |
	[$k[] as $k | ("input", "output") as $t | ($k[$t] // []) | to_entries[] | .key as $i | .value |
		to_entries[] | .key as $axis | .value as $size | {type: $k.type, size: $size, told:
		([$c[] | select(.part == $k.part and
		.phase == $k.phase and .order == $k.order and .type == $k.type and .tensor == $t and .index == $i and
		.axis == $axis) | .terms | map(.value * ([.exponents | to_entries[] |
		pow($x[.key]; .value)] | reduce .[] as $f (1; . * $f))) | add][0])}] |
	{all: length, wrong: map(select(.told != .size))}'
}
beside fit kernels 8 1 1 4 4096 1 >beside
check 'there are many sizes' test "$(jq .all beside)" -gt 40
same 'and each is as it was told' '[]' "$(jq -c .wrong beside)"

# Grouped keys and values with context parallelism, and latent attention with experts: with the runs chosen for their
# configurations, and with four runs of all factors, each checked by a further run.
jq -c '.num_heads = 32 | .hidden_size = 4096 | .name = "gqa"' net >gqa
jq -c '.name = "mla" | .num_heads = 128 | .kv_heads = 128 | .q_lora_rank = 1536 | .kv_lora_rank = 512 |
	.qk_head_dim = 128 | .rope_head_dim = 64 | .v_head_dim = 128 | .experts = 32 | .experts_per_token = 4 |
	.expert_ffn_size = 1408' net >mla
for cp in 2 4; do
	for tp in 2 4; do
		printf '{"kind":"candidate","dp":%s,"tp":%s,"cp":%s,"pp":1,"mbs":%s,"micro_batches":4,'\
'"recompute":"none","cp_kind":"ulysses"}\n' $((64 / tp / cp)) $tp $cp 1 $((64 / tp / cp)) $tp $cp 2 >>gqa.asked
		printf '{"kind":"candidate","dp":%s,"tp":%s,"ep":%s,"pp":1,"mbs":%s,"micro_batches":4,'\
'"recompute":"none"}\n' $((64 / tp)) $tp $cp 1 $((64 / tp)) $tp $cp 2 >>mla.asked
	done
done
row() { printf '{"kind":"row","name":"%s","purpose":"lever","always":true,"pp":"1"%s}\n' "$@"; }
{ row base ',"tp":"2","cp":"2"'; row tp ',"tp":"4","cp":"2","mbs":"x3"'
	row cp ',"tp":"2","cp":"4","seq":"x3"'; } >gqa.table
sed 's/}$/,"ep":"2"}/' gqa.table >mla.table
row ep ',"tp":"2","cp":"2","ep":"4","experts":"x3"' >>mla.table
# fitted NET RUNS: fit the runs.
fitted() {
	mkdir "$2.d"
	"$make" -noise 0 "$1" "$2" "$2.d" >"$2.made"
	read_all "$2.d" "$2.made" | sapp-fit -j >"$2.fit" 2>"$2.err"
}
# shown NET RUNS TP CP EP MBS SEQ EXPERTS: print the number of wrong sizes of a further run, by type.
shown() {
	net=$1 runs=$2
	shift 2
	printf '{"kind":"run","name":"other","dp":%s,"tp":%s,"cp":%s,"ep":%s,"pp":1,"mbs":%s,"micro_batches":4,'\
'"layers":2,"seq_length":%s,"experts":%s}\n' "$3" "$@" | sed 's/,"experts":1}/}/' >"$runs.other"
	mkdir "$runs.o"
	"$make" -noise 0 "$net" "$runs.other" "$runs.o" >"$runs.unseen"
	read_all "$runs.o" "$runs.unseen" | jq -c 'select(.kind == "kernel" and .part != "outside")' >"$runs.kernels"
	beside "$runs.fit" "$runs.kernels" "$@" >"$runs.beside"
	jq -c '[.all > 60, (.wrong | group_by(.type) | map([.[0].type, length]))]' "$runs.beside"
}
# keeps NET RUNS TP CP EP MBS SEQ EXPERTS: print the memory that a layer keeps per micro-batch according to the runs,
# divided by its real memory.
keeps() {
	net=$1 runs=$2
	shift 2
	sed 's/"run"/"candidate"/' "$runs.other" >"$runs.point"
	"$make" -noise 0 -steps "$net" "$runs.point" . >"$runs.kept"
	jq -n --slurpfile c "$runs.fit" --slurpfile k "$runs.kept" --argjson tp "$1" --argjson cp "$2" \
		--argjson ep "$3" --argjson mbs "$4" --argjson seq "$5" --argjson experts "$6" '
		{$tp, $cp, $ep, $mbs, $seq, $experts} as $x | [$c[] | select(.of == "memory_activation") | .terms[] |
		.value * ([.exponents | to_entries[] | pow($x[.key]; .value)] | reduce .[] as $f (1; . * $f))] |
		add * 1048576 / $k[0].kept'
}
for which in gqa mla; do
	cat $which $which.asked | sapp-shrink -j -k 1 -cluster atlas-800t-a2 2>/dev/null >$which.chosen
	fitted $which $which.chosen
	cat $which $which.asked | sapp-shrink -j -k 1 -cluster atlas-800t-a2 -table $which.table 2>/dev/null >$which.all
	fitted $which $which.all
done
for runs in chosen all; do
	experts=32
	[ $runs = chosen ] || experts=64
	same "heads that share keys: of $(wc -l <gqa.$runs) runs that are $runs every size is told" '[true,[]]' \
		"$(shown gqa gqa.$runs 4 4 1 2 4096 1)"
	near 'and what is kept' 1 "$(keeps gqa gqa.$runs 4 4 1 2 4096 1)" 1e-4
	same 'with nothing in doubt' 0 "$(jq 'select(.kind == "doubt" and .count)' gqa.$runs.fit | wc -l)"
	cp=1
	[ $runs = chosen ] || cp=4
	same "a latent: of $(wc -l <mla.$runs) all but keys of heads beside what they share, 24576/tp + 576" \
		'[true,[["KvRmsNormRopeCache",1],["RotaryPositionEmbeddingGrad",1]]]' \
		"$(shown mla mla.$runs 4 $cp 4 2 4096 $experts)"
	near 'and what is kept' 1 "$(keeps mla mla.$runs 4 $cp 4 2 4096 $experts)" 1e-4
	same 'which a third tp would tell' '[[["tp","mbs"],8]]' "$(jq -sc 'map(select(.kind == "doubt" and .count) |
		[.factors - ["ep"], .run.tp]) | unique' mla.$runs.fit)"
	jq -c 'select(.kind == "doubt" and .count).run | .kind = "run" | .name = "third"' mla.$runs.fit |
		head -1 >mla.$runs.third
	cat mla.$runs mla.$runs.third >mla.$runs.more
	fitted mla mla.$runs.more
	same 'and does' '[true,[]]' "$(shown mla mla.$runs.more 4 $cp 4 2 4096 $experts)"
	same 'with nothing in doubt then' 0 "$(jq 'select(.kind == "doubt" and .count)' mla.$runs.more.fit | wc -l)"
done
done_testing
