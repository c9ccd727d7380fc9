#!/bin/sh
# Memory from the network's shapes if peaks are missing: kinds of recomputation that were not measured, ends without a
# peak, and the state of layers from the memory between steps.
. "$(dirname "$0")/../lib.sh"

# A log of 4 stages and 16 layers with h 1024, 16 heads, sequences of s 1024, vocabulary 32768, without tensor
# parallelism, and with full recomputation. A layer has 12 h^2 + 13 h parameters, the embedding (32768 + 1024) h, the
# end 32768 h + 2 h, 16 bytes each. A layer keeps its input, 2 s h bytes = 2 MB. A stage needs 500 MB more, and the last
# stage logits.
layer=$((12 * 1024 * 1024 + 13 * 1024)) head=$((33792 * 1024)) tail=$((32770 * 1024)) logits=192
arguments() {
	for a in 'global_batch_size 8' 'hidden_size 1024' 'max_position_embeddings 1024' 'micro_batch_size 1' \
		'num_attention_heads 16' 'num_layers 16' 'pipeline_model_parallel_size 4' 'seq_length 1024' \
		'padded_vocab_size 32768' 'tensor_model_parallel_size 1' 'world_size 4' "$@"
	do echo "  ${a% *} ............ ${a#* }"; done
}
# ranks MB-OF-A-LAYER STAGE...: print the memory of these stages.
ranks() {
	kept=$1; shift
	for s in "$@"; do
		jq -n -r --argjson s "$s" --argjson kept "$kept" --argjson layer $layer --argjson head $head \
			--argjson tail $tail --argjson logits $logits '
			(16 * (4 * $layer + (if $s == 0 then $head else 0 end) +
			(if $s == 3 then $tail else 0 end)) / 1048576) as $state |
			($state + 500 + (4 - $s) * 4 * $kept + (if $s == 3 then $logits else 0 end)) as $peak |
			"[Rank \($s)] (after 2 iterations) memory (MB) | allocated: \($state) | max allocated: " +
			"\($peak) | reserved: 1.0 | max reserved: 1"'
	done
}
full='recompute_granularity full'
method='recompute_method uniform'
split() { sapp-memsplit -peak used "$@" </dev/null 2>"$tmp/err"; }
memory() { get layer "$1 // 0 | . * 1000 | round / 1000" | xargs; }

{ arguments "$full" "$method"; ranks 2 0 1 2 3; } >"$tmp/full.log"
split "$tmp/full.log" "$tmp/full.log" >"$tmp/out"
same "the state of layers by itself" "528 192.203 704.031" "$(memory .memory_parameter <"$tmp/out")"
same "so what else a stage has is told" 500 "$(get model '.stage_const_mem | round' <"$tmp/out")"
# Korthikanti et al. 2022: s h (34 + 5 a s / h) bytes.
same "what keeping everything takes, by shapes" "0 114 0" "$(memory .memory_activation <"$tmp/out")"
same "computed, with an error" 'none 114 11.4' "$(get fit '.estimates[] | select(.computed) | .name, '\
'(.value, .error | . * 1e6 | round / 1e6)' <"$tmp/out" | tr -d '"' | xargs)"
check "which is said" grep -q 'none is computed from the network.s shapes as 114.0 MB, error up to 11.4' \
	"$tmp/err"
split -H "$tmp/full.log" "$tmp/full.log" >"$tmp/table"
check "in the table, too" grep -q '^none  *114.000  computed from the network' "$tmp/table"
check "and that a state was measured" grep -q '^parameter  *192.203  measured directly' "$tmp/table"
jq -c 'if .kind == "layer" then .time = 1 else . end' "$tmp/out" |
	sapp-lp -mem 2400 -t 2 -target megatron >"$tmp/plan" 2>/dev/null
same "a plan keeps more where it fits" true \
	"$(get plan '([.counts[].none // [] | flatten[]] | add) > 0' <"$tmp/plan")"

# The measured kind keeps 10 % more than its shape gives, so this is the possible error of computed kinds.
{ arguments "$full" "$method"; ranks 2.4 0 1 2 3; } >"$tmp/more.log"
same "what is measured corrects it, and its error" "114.4 22.88" "$(split "$tmp/more.log" "$tmp/more.log" |
	get fit '.estimates[] | select(.name == "none") | (.value, .error) | . * 1e6 | round / 1e6' | xargs)"
{ arguments; ranks 114 0 1 2 3; } >"$tmp/none.log"
same "and the other way" "0 2 0" "$(split "$tmp/none.log" "$tmp/none.log" | memory .memory_recompute)"

# One middle stage: its shapes give the activations of a layer, so the rest is the constant.
{ arguments "$full" "$method"; ranks 2 0 1 3; } >"$tmp/middle.log"
split "$tmp/middle.log" "$tmp/middle.log" >"$tmp/out"
same "a single middle stage" "500 2 528" "$(jq -s -r 'map(select(.kind == "model"))[0].stage_const_mem,
	map(select(.type == "BODY"))[0].memory_recompute, map(select(.type == "HEAD"))[0].memory_parameter | round' \
	"$tmp/out" | xargs)"

# Ends without a peak.
{ arguments "$full" "$method"; ranks 2 1 2 3; } >"$tmp/first.log"
same "a first stage without a peak" "528 192 704" "$(split "$tmp/first.log" "$tmp/first.log" |
	get layer '.memory_parameter | floor' | xargs)"
check "is said, with an error" grep -q 'no peak of stage 0: its head is computed as 528 MB .* error up to 26 MB' \
	"$tmp/err"
{ arguments "$full" "$method"; ranks 2 0 1 2; } >"$tmp/last.log"
same "a last one" "528 192 704" "$(split "$tmp/last.log" "$tmp/last.log" |
	get layer '.memory_parameter | floor' | xargs)"
check "with its logits" grep -q "no peak of stage 3: its tail is computed as 704 MB from the network's parameters and" \
	"$tmp/err"
sed 's/allocated: [0-9.]* | max/allocated: 1 | max/' "$tmp/last.log" >"$tmp/stateless.log"
split "$tmp/stateless.log" "$tmp/stateless.log" >"$tmp/out"
same "without a state, too" "0 1 2" "$(get peak .stage <"$tmp/out" | xargs)"

# States that do not agree with the parameters are ignored.
sed 's/^\(\[Rank 1\].*| allocated: \)[0-9.]*/\1900/' "$tmp/full.log" >"$tmp/odd.log"
split "$tmp/odd.log" "$tmp/odd.log" >"$tmp/out"
check "states that do not agree are not taken" grep -q 'too uneven to be the state of layers: ignored' "$tmp/err"
same "parameters are solved for" true "$(get fit '[.estimates[].name] | index("parameter") != null' <"$tmp/out")"
# Without the network no memory is computed.
sed '/hidden_size/d' "$tmp/full.log" >"$tmp/shapeless.log"
split "$tmp/shapeless.log" "$tmp/shapeless.log" >"$tmp/out"
check "kinds that no plan will have are said" grep -q 'no layer was measured without recomputation' "$tmp/err"
same "as there is no memory of them" "0 0 0" "$(memory .memory_activation <"$tmp/out")"
sed '/hidden_size/d' "$tmp/none.log" >"$tmp/kept.log"
split "$tmp/kept.log" "$tmp/kept.log" >/dev/null
check "and recomputation that was never measured" grep -q 'no layer was measured with recomputation' "$tmp/err"
sapp-model "$tmp/full.log" >"$tmp/network"
same "network and candidate of a stream" "0 114 0" "$(sapp-memsplit -peak used "$tmp/shapeless.log" \
	"$tmp/shapeless.log" <"$tmp/network" 2>/dev/null | memory .memory_activation)"

# Each measurement is left out in turn: by hand, the prediction of the split of the others.
arguments "$full" "$method" | sed '/num_layers/s/16/48/; s/parallel_size \(.*\) 4$/parallel_size \1 12/
	s/world_size \(.*\) 4/world_size \1 12/' >"$tmp/twelve.log"
for s in 0 1 2 3 4 5 6 7 8 9 10 11; do
	echo "[Rank $s] (after 2 iterations) memory (MB) | max allocated: $((4000 + (12 - s) * 8 + s * s % 7 * 3 +
		(s == 0) * 500 + (s == 11) * 600)) | max reserved: 1"
done >"$tmp/peaks"
cat "$tmp/peaks" >>"$tmp/twelve.log"
want=$(split "$tmp/twelve.log" "$tmp/twelve.log" | get fit '.residuals[5].left_out | . * 1000 | round')
grep -v 'Rank 5' "$tmp/twelve.log" >"$tmp/eleven.log"
split "$tmp/eleven.log" "$tmp/eleven.log" >"$tmp/out"
same "left out, a stage is what the others say" "$want" "$(jq -s 'map(select(.type == "BODY"))[0] as $l |
	map(select(.kind == "model"))[0] as $m | 4 * $l.memory_parameter + 7 * 4 * $l.memory_recompute +
	($m.stage_const_mem // 0) | . * 1000 | round' "$tmp/out")"
same "the ends say it alone" "[false,true,false]" "$(split "$tmp/twelve.log" "$tmp/twelve.log" |
	get fit '.residuals | [.[0, 1, 11] | has("left_out")]')"
check "the error to expect is in the table" sh -c "sapp-memsplit -peak used -H '$tmp/twelve.log' '$tmp/twelve.log' \
	</dev/null 2>/dev/null | grep -q 'Each of 10 measurements is predicted from the others within [0-9.]* %'"
printf 'pipeline_config: {pipeline_num: 4, num_layer: 32, offset: [0, 0, 0, 0]}\n' >"$tmp/bare.yaml"
for s in 0 1 2; do echo "stage_$s/x.log:1:Actual peak memory usage: 5$((9 - s))M"; done >"$tmp/bare.log"
sapp-memsplit "$tmp/bare.yaml" <"$tmp/bare.log" >/dev/null 2>"$tmp/err"
check "what is undetermined may come from shapes, which take a vocabulary" tells \
	'records of sapp-model on standard input'

# A script also has the network; the vocabulary comes from a log, or from an option.
cat >"$tmp/train.sh" <<'END'
torchrun --nproc_per_node 4 pretrain_gpt.py --num-layers 16 --hidden-size 1024 --num-attention-heads 16 --seq-length \
	1024 \
	--max-position-embeddings 1024 --micro-batch-size 1 --global-batch-size 8 --pipeline-model-parallel-size 4
END
ranks 114 0 1 2 3 >"$tmp/quiet.log"
{ ranks 114 0 1 2 3; echo ' > padded vocab (size: 32760) with 8 dummy tokens (new size: 32768)'; } >"$tmp/said.log"
split "$tmp/train.sh" "$tmp/quiet.log" >/dev/null
check 'a script whose vocabulary is unknown: how to give it' tells 'measure a run that has, or give the size of the '\
'vocabulary: -vocab WORDS'
split "$tmp/train.sh" "$tmp/said.log" >"$tmp/out"
sapp-model -vocab 32760 "$tmp/train.sh" 2>"$tmp/null" | sapp-memsplit -peak used "$tmp/train.sh" "$tmp/quiet.log" \
	2>"$tmp/null" >"$tmp/want"
same 'a log has the vocabulary of a script' "$(get layer .memory_recompute <"$tmp/want")" \
	"$(get layer .memory_recompute <"$tmp/out")"
check 'by which what was not measured is computed' test \
	"$(get fit '[.estimates[] | select(.computed).name] | index("full")' \
	<"$tmp/out")" -ge 0
same 'as an option has' "$(cat "$tmp/out")" "$(split -vocab 32760 "$tmp/train.sh" "$tmp/quiet.log" |
	sed 's/quiet.log/said.log/g')"
done_testing
