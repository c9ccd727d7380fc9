#!/bin/sh
# Sources of peaks and times: the YAML, grepped lines, logs, records.
. "$(dirname "$0")/../lib.sh"
ex=$top/examples/llama-175b
body() { jq -c 'select(.type == "BODY") | [.memory_parameter, .memory_activation] | map(. * 1000 | round / 1000)' \
	"$@"; }
want='[2217.488,1002.893]'
sed '/^memory_usage/,$d' "$ex/init.yaml" >"$tmp/nomem.yaml"

sapp-memsplit "$ex/init.yaml" </dev/null >"$tmp/yaml.jsonl" 2>"$tmp/err"
same "from memory_usage, stdin empty" "$want" "$(body "$tmp/yaml.jsonl")"
check "the odd measurement is named on stderr" grep -q 'stage 11 of round 0 is an outlier' "$tmp/err"
sapp-memsplit "$tmp/nomem.yaml" <"$ex/peaks.txt" >"$tmp/grep.jsonl" 2>/dev/null
same "from grepped lines" "$(jq -c 'select(.kind != "peak")' "$tmp/yaml.jsonl")" \
	"$(jq -c 'select(.kind != "peak")' "$tmp/grep.jsonl")"
same "which become peak records" \
	'16 {"kind":"peak","stage":0,"memory":96643,"which":"actual","round":0,'\
'"source":"stage_0_rank_0/mindformer.log"}' \
	"$(grep -c '"peak"' "$tmp/grep.jsonl") $(grep -m1 '"peak"' "$tmp/grep.jsonl")"
same "and are read again" "$want" "$(sapp-memsplit "$tmp/nomem.yaml" <"$tmp/grep.jsonl" 2>/dev/null | body)"
same "once" 1 "$(sapp-memsplit "$tmp/nomem.yaml" <"$tmp/grep.jsonl" 2>/dev/null | grep -c '"fit"')"
same "in any order" "$want" "$(sort -r "$ex/peaks.txt" | sapp-memsplit "$tmp/nomem.yaml" 2>/dev/null | body)"

# The logs themselves, as written by a dryrun.
mkdir "$tmp/out"
while IFS=: read -r path _ text; do
	mkdir -p "$tmp/out/${path%/*}"
	{
		echo "2025-01-01 00:00:00 some other line"
		echo "Actual peak memory usage (with fragments): 11M"
		printf 'Device HBM memory size: 62432M\nUsed peak memory usage (without fragments): 7M\n%s\n' "$text"
		printf 'not UTF-8: \377\376 and a NUL: \000\n'
	} >"$tmp/out/$path"
done <"$ex/peaks.txt"
same "from the logs of a directory, last block" "$want" \
	"$(sapp-memsplit "$tmp/nomem.yaml" "$tmp/out" </dev/null 2>/dev/null | body)"
same "from named logs" "$want" \
	"$(sapp-memsplit "$tmp/nomem.yaml" "$tmp"/out/*/mindformer.log </dev/null 2>/dev/null | body)"
same "through grep -rn and sort" "$want" \
	"$(cd "$tmp" && grep -rna 'Actual peak' out | sort -t_ -k2,2n | sapp-memsplit nomem.yaml 2>/dev/null | body)"
same "through grep -r without numbers" "$want" \
	"$(cd "$tmp" && grep -ra 'Actual peak' out | sapp-memsplit nomem.yaml 2>/dev/null | body)"
same "a saved list as operand" "$want" \
	"$(sapp-memsplit "$tmp/nomem.yaml" "$ex/peaks.txt" </dev/null 2>/dev/null | body)"
sed 's/Actual peak memory usage (with fragments)/Used peak memory usage (without fragments)/' \
	"$ex/peaks.txt" >"$tmp/used.txt"
same "used where there is no actual" "$want" "$(sapp-memsplit "$tmp/nomem.yaml" <"$tmp/used.txt" 2>/dev/null | body)"
{ cat "$tmp/used.txt"; sed 's/: [0-9]*M/: 5M/' "$ex/peaks.txt"; } >"$tmp/two.txt"
same "used where it is asked for" "$want" \
	"$(sapp-memsplit -peak used "$tmp/nomem.yaml" <"$tmp/two.txt" 2>/dev/null | body)"
sed 's/stage_[0-9]*_//' "$ex/peaks.txt" >"$tmp/rank.txt"
same "stages from ranks" "$want" "$(sapp-memsplit "$tmp/nomem.yaml" <"$tmp/rank.txt" 2>/dev/null | body)"
same "stages from ranks and their number" "$want" \
	"$(sapp-memsplit -ranks 16384 "$tmp/nomem.yaml" <"$tmp/rank.txt" 2>/dev/null | body)"
sed -n 's/^stage_\([0-9]*\)_rank_\([0-9]*\).*: \([0-9]*\)M/[Rank \2] (after 2 iterations) memory (MB) | allocated: '\
'1.5 | max allocated: 2.0 | reserved: 3.0 | max reserved: \3.0/p' \
	"$ex/peaks.txt" | paste -d '\0' - - | sed 's/^/0: /' >"$tmp/megatron.log"
same "Megatron, two records glued" "$want" \
	"$(sapp-memsplit "$tmp/nomem.yaml" "$tmp/megatron.log" </dev/null 2>/dev/null | body)"
sed 's/: \([0-9]*\)M/:\1M/' "$ex/peaks.txt" | sed '1s/96643/11111/' >"$tmp/wins.txt"
same "a peak on stdin wins over the YAML's" 11111 \
	"$(sapp-memsplit -force "$ex/init.yaml" <"$tmp/wins.txt" 2>/dev/null |
	jq 'select(.kind == "fit").residuals[0].measured')"
sapp-memsplit -H "$ex/init.yaml" </dev/null >"$tmp/report" 2>&1
check "the report marks stage 11" grep -q '^ *11 .* 28484.00 .*outlier' "$tmp/report"
same "-robust agrees about it" 11 \
	"$(sapp-memsplit -robust "$ex/init.yaml" </dev/null 2>/dev/null | jq 'select(.kind == "fit").outliers[].stage')"

# Two rounds in separate directories.
jq -r 'select(.case == "pp4-two-rounds").init_yaml' "$top/tests/data/memsplit.jsonl" |
	sed '/^memory_usage/d' >"$tmp/rounds.yaml"
i=0
for m in 66502 52536 35595 25599 - 45439 35700 -; do
	[ $m = - ] ||
		echo "out/round_$((i / 4))/stage_$((i % 4))_rank_$((i % 4 * 8))/mindformer.log:9:Actual peak memory \
usage: ${m}M"
	i=$((i + 1))
done >"$tmp/rounds.txt"
same "two rounds, told by their directories" "[400.608,743.459]" \
	"$(sapp-memsplit "$tmp/rounds.yaml" <"$tmp/rounds.txt" | body)"

# Times, names and other records.
cat >"$tmp/in.jsonl" <<'END'
{"kind":"note","text":"kept"}
{"kind":"timing","name":"LLamaDecodeLayer","phase":"forward","total":288.0,"instances":6,"events":96,"steps":3}
{"kind":"timing","name":"LlamaEmbedding","phase":"forward","total":1.44,"instances":1,"events":48,"steps":3}
{"kind":"timing","name":"LLamaDecodeLayer","phase":"backward","total":500,"instances":6,"events":96,"steps":3}
END
sapp-memsplit -m llama "$ex/init.yaml" <"$tmp/in.jsonl" >"$tmp/out.jsonl" 2>/dev/null
same "times from timing records" \
	'["LlamaEmbedding",0.03] ["LLamaDecodeLayer",1] ["lm_head-Linear",null] ["LlamaRMSNorm",null]' \
	"$(jq -c 'select(.kind == "layer") | [.name, .time]' "$tmp/out.jsonl" | tr '\n' ' ' | sed 's/ $//')"
same "records pass through in order" "$(cat "$tmp/in.jsonl")" "$(head -4 "$tmp/out.jsonl")"
same "the model's name" '"llama"' "$(jq 'select(.kind == "layer").model_name' "$tmp/out.jsonl" | sort -u)"
cat >"$tmp/layers.jsonl" <<'END'
{"kind":"model","name":"trace","seq_length":4096}
{"kind":"layer","name":"Embedding","type":"HEAD","nb_layer":1,"time":30}
{"kind":"layer","name":"Decoder","type":"BODY","nb_layer":6,"time":180,"backward_time":371.5}
{"kind":"layer","name":"Linear","type":"TAIL","nb_layer":1,"time":80}
{"kind":"layer","name":"Norm","type":"TAIL","nb_layer":1,"time":10}
END
sapp-memsplit "$ex/init.yaml" <"$tmp/layers.jsonl" >"$tmp/out.jsonl" 2>/dev/null
same "times from layer records" '["Embedding",30,1,3408] ["Decoder",180,96,2217] ["Linear",80,1,4679] ["Norm",10,1,0]' \
	"$(jq -c 'select(.kind == "layer") | [.name, .time, .nb_layer, (.memory_parameter | round)]' \
	"$tmp/out.jsonl" | tr '\n' ' ' | sed 's/ $//')"
same "their other members stay" '[371.5,4096]' \
	"$(jq -sc '[(.[] | select(.type == "BODY").backward_time), (.[] | select(.kind == "model").seq_length)]' \
	"$tmp/out.jsonl")"
sed 's/^profiling_config.*/time_config: {head: 30, body: 180, tail: 90}/; /^  micro_batch_num/,/^  tail_layers/d' \
	"$ex/init.yaml" >"$tmp/time.yaml"
same "times from time_config" '30 180 90' \
	"$(sapp-memsplit -o "$tmp/doc.json" "$tmp/time.yaml" </dev/null 2>/dev/null |
	jq 'select(.kind == "layer").time' | tr '\n' ' ' | sed 's/ $//')"
same "-o: the document" 'model 96 [2217.488,1002.893]' \
	"$(jq -r .name "$tmp/doc.json") $(jq -r .auto_partition_layer.BODY "$tmp/doc.json") $(jq \
	'.layers_description[]' "$tmp/doc.json" | body)"
if script -qec true /dev/null >/dev/null 2>&1; then
	check "stdin a terminal: the YAML alone" script -qec "sapp-memsplit -j '$ex/init.yaml'" /dev/null
else
	skip "no script(1) to make a terminal"
fi
done_testing
