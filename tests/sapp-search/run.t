#!/bin/sh
# A job from its file to the winner: proved, ranked, written, resumed; compared with planning every configuration.
. "$(dirname "$0")/../lib.sh"
unset -f jq
cd "$tmp" || exit 1
cat >net.json <<EOF
{"model_type":"llama","num_hidden_layers":10,"hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,\
"intermediate_size":14336,"vocab_size":32000,"max_position_embeddings":4096,"tie_word_embeddings":false}
EOF
cat >job.yaml <<'EOF'
# a small space
model: net.json
devices: 8
cluster: a100-40gb
global_batch: 16
limits:
  vp: 1-2
  mbs: 1,2
  cp: 1
EOF
check 'a job' run 0 sapp-search -t 60 -k 3 -o s job.yaml
cp out report
check 'is proved' grep \
	-qE '^best of [0-9]+ configurations: [0-9]+ planned, the other [0-9]+ cannot take less than [0-9.]+ s,?$' report
winner=$(jq -r 'select(.kind == "plan").name' s/plans.jsonl | head -1)
step=$(jq -r 'select(.kind == "plan").step_time' s/plans.jsonl | head -1)

# Every configuration is planned without a cutoff.
sapp-model net.json >net.jsonl
sapp-enum -n 8 -gb 16 -cluster a100-40gb -vp 1-2 -mbs 1,2 -cp 1 net.jsonl 2>/dev/null | sapp-est |
	grep -v '"kind":"estimate"' >candidates
legal=$(grep -c '"kind":"candidate"' candidates)
sapp-est -layers candidates | sapp-lp -j -t "$legal" -gap 0.0005 2>/dev/null >every
least=$(jq -s '[.[] | select(.kind == "plan" and .status != "infeasible").step_time] | min' every)
same 'as many configurations as there are' "$legal" "$(sed -n 's/^best of \([0-9]*\) conf.*/\1/p' report)"
near 'the proof does not drop the best' "$least" "$step" "$(echo "$least" | awk '{ print $1 * 0.0025 }')"
sapp-est candidates | jq -c 'select(.kind == "estimate") | [.name, .lower_bound]' >bounds
same 'no plan is below the bound of its estimate' '' \
	"$(jq -rs --slurpfile b bounds '($b | map({ key: .[0], value: .[1] }) | from_entries) as $b |
	.[] | select(.kind == "plan" and .status != "infeasible" and .step_time < $b[.name] * (1 - 1e-9)) | .name' \
	every)"
cut=$(echo "$least" | awk '{ print $1 * 1.05 }')
sapp-est -space -n 8 -gb 16 -vp 1-2 -mbs 1,2 -cp 1 -cluster a100-40gb -by lower_bound -below "$cut" \
	-k 10000 net.jsonl 2>/dev/null |
	jq -r 'select(.kind == "estimate").name' | sort >kept
same 'nothing that has a plan below a time is dropped as being above' '' "$(jq -r --argjson c "$cut" \
	'select(.kind == "plan" and .status != "infeasible" and .step_time < $c).name' every |
	sort | comm -23 - kept)"

same 'where nothing runs today, nothing stands beside it' 0 "$(grep -c '^today' report)"
check 'reasons for all others, the nearest first' grep -qE \
	'^tp [0-9]+ x pp [0-9]+: [0-9.]+ s, [0-9.]+ % longer, (planned|estimated) at ' s/why.txt
same 'of all pairs of tp and stages but that of the winner' "$(for tp in 1 2 4 8; do for pp in 1 2 4 8; do
	[ $((tp * pp)) -gt 8 ] || echo "$tp $pp"; done; done | wc -l)" "$(($(jq -s length s/work/why.jsonl) + 1))"
same 'rules and memory in them have figures' '' \
	"$(grep -vE ': [0-9.]+ s, |longer than these|[0-9]' s/why.txt)"
# The settings of every ranked row are read back and simulated.
while read -r name; do
	jq -c --arg name "$name" 'select(.kind != "plan")' s/plans.jsonl |
		awk -v name="\"name\":\"$name\"" 'index($0, "\"kind\":\"candidate\"") { mine = index($0, name) } mine' |
		sapp-yaml -r "s/${name}_pretrain.args" -layers 10 - 2>/dev/null | sapp-sim |
		jq -r --arg name "$name" 'select(.kind == "sim") | "\($name) \(.step_time * 1e6 | round)"'
done <<-END >read-back
$(jq -r 'select(.kind == "plan").name' s/plans.jsonl)
END
same 'each row is the step of its settings read back' \
	"$(jq -r 'select(.kind == "plan") | "\(.name) \(.step_time * 1e6 | round)"' s/plans.jsonl)" "$(cat read-back)"
same 'plans are of the target' '["megatron"]' \
	"$(jq -c 'select(.kind == "plan").target' s/work/answers.jsonl | jq -sc unique)"
same 'the ranking is by step' true "$(tail -n +2 s/ranking.csv | cut -d, -f12 | jq -s '. == sort')"
same 'its columns' 'test,layers,micro,dp,tp,pp,ep,vp,op/fsdp' "$(head -1 s/ranking.csv | cut -d, -f1-9)"
same 'the winner is its first' "$winner" "$(sed -n 2p s/ranking.csv | cut -d, -f1)"
check 'settings' grep -q -- '--tensor-model-parallel-size' "s/${winner}_pretrain.args"
same 'a simulator takes the plans' "$winner" "$(sapp-sim s/plans.jsonl | jq -r 'select(.kind == "sim").name' | head -1)"
check 'a page' grep -q '"winner":"'"$winner"'"' s/search.html
sed -n 's/.*id="data">\(.*\)<\/script>.*/\1/p' s/search.html >page.json
same 'with data that can be read' "$winner" "$(jq -r .winner page.json)"
cksum <s/work/answers.jsonl >before
check 'again' run 0 sapp-search -t 60 -k 3 -o s job.yaml
same 'plans nothing that it knows' "$(cat before)" "$(cksum <s/work/answers.jsonl)"
same 'and says the same' "$(grep '^best of' report)" "$(grep '^best of' out)"
same 'all columns of a result file' '28 28' \
	"$(awk -F, '{ gsub(/"[^"]*"/, "x"); print NF }' s/test_result_*.csv | sort -u | xargs | sed 's/^28$/28 28/')"
same 'whose layers are all of them' '10 10 10' "$(tail -n +2 s/test_result_*.csv |
	sed 's/^[^[]*\(\[\[.*\)/\1/; s/\]\].*/]]/' | jq '[.[][]] | add' | xargs)"

# The table omits settings that do not give the step of the plan, or cannot be read back: here with a simulator and a
# reader that each fail for one plan.
second=$(sed -n 3p s/ranking.csv | cut -d, -f1)
mkdir bin
cat >bin/sapp-sim <<EOF
#!/bin/sh
"$(command -v sapp-sim)" "\$@" | sed 's/\("kind":"sim","name":"$winner".*"step_time":\)/\11/'
EOF
cat >bin/sapp-yaml <<EOF
#!/bin/sh
case "\$*" in *-r*"$second"*) echo 'sapp-yaml: not today' >&2; exit 1 ;; esac
exec "$(command -v sapp-yaml)" "\$@"
EOF
chmod +x bin/*
cp -r s refused
check 'settings that are something else' run 0 env PATH="$PWD/bin:$PATH" sapp-search -t 60 -k 1 -o refused job.yaml
check 'are not ranked' grep -q "^$winner is not ranked: with its settings a step takes 1$step ms, not $step ms\$" out
check 'nor those that cannot be read' \
	grep -q "^$second is not ranked: its settings cannot be read back: .*not today" out
same 'the next one wins' 0 "$(sed 1d refused/ranking.csv | grep -cE "^($winner|$second),")"

# The planner fails at the winner's question: its other answers are kept.
cat >bin/sapp-lp <<EOF
#!/bin/sh
for in; do :; done
awk '/"kind":"model"/ { failing = index(\$0, "\"name\":\"$winner\"") }
	!failing || !/"kind":"pipeline"/' "\$in" >"\$in.others"
cmp -s "\$in" "\$in.others" && exec "$(command -v sapp-lp)" "\$@"
if grep -q '"kind":"pipeline"' "\$in.others"; then
	cp "\$in.others" "\$in"
	"$(command -v sapp-lp)" "\$@" || exit
fi
echo '{"kind":"passed"}'
echo 'sapp-lp: $winner: fault in the planner: a bound' >&2
echo 'sapp-lp: 1 of 8 questions failed; the others are answered' >&2
exit 1
EOF
rm bin/sapp-sim bin/sapp-yaml
chmod +x bin/sapp-lp
check 'a planner that fails at one question' run 0 env PATH="$PWD/bin:$PATH" sapp-search -t 4 -k 1 -o failed job.yaml
check 'is said to' grep -q "$winner: fault in the planner: a bound" err
same 'and others win' 0 "$(sed 1d failed/ranking.csv | grep -c "^$winner,")"
check 'which are not proved to be best' grep -q 'could be shorter' err

# Dryruns of the winner: 500 MB too much on its first stage, then no more.
degrees=$(printf '%s' "$winner" | sed 's/^\(DP[0-9]*_TP[0-9]*_PP[0-9]*_EP[0-9]*\).*/\1/')
for stage in 0 1 2 3 4 5 6 7; do
	mkdir -p "logs/${degrees}_x/stage_${stage}_rank_0"
	echo "Actual peak memory usage (with fragments): $([ $stage = 0 ] && echo 41460 || echo 30000)M" \
		>"logs/${degrees}_x/stage_${stage}_rank_0/x.log"
done
stages=$(printf '%s' "$winner" | sed 's/.*_PP\([0-9]*\)_.*/\1/')
for stage in 0 1 2 3 4 5 6 7; do [ $stage -lt "$stages" ] || rm -r "logs/${degrees}_x/stage_${stage}_rank_0"; done
# Logs with the same degrees, but another micro-batch size and other chunks.
for other in MBS9 VP9_MBS1; do
	mkdir -p "logs/${degrees}_$other/stage_0_rank_0"
	echo 'Actual peak memory usage (with fragments): 90000M' >"logs/${degrees}_$other/stage_0_rank_0/x.log"
done
check 'dryruns' run 0 sapp-search -check logs -t 4 -o s job.yaml
check 'what exceeds the limit is taken off it' grep \
	-q "$winner: round 1: above the limit: stage 0 by 500 MB; planning again with limits of 40460" err
check 'winners without dryruns are named' sh -c 'test "$(grep -c plan s/plans.jsonl)" = 1 || grep -q "no logs of" err'
echo 'Actual peak memory usage (with fragments): 30000M' >"logs/${degrees}_x/stage_0_rank_0/x.log"
check 'dryruns of the new plan' run 0 sapp-search -check logs -t 4 -o s job.yaml
check 'are within it' grep -q "$winner: no stage is above 40960 MB" err
echo 'Actual peak memory usage (with fragments): 50000M' >"logs/${degrees}_x/stage_0_rank_0/x.log"
for round in 2 3 4 5; do sapp-search -check logs -t 2 -o s job.yaml >/dev/null 2>&1; done
fails 'not more than five rounds' 1 'still above the limit after five rounds' sapp-search -check logs -t 2 -o s job.yaml
fails 'logs of nothing' 1 'not a directory of logs' sapp-search -check nowhere -o s job.yaml
check 'another question begins anew' run 0 \
	sh -c 'sed "s/global_batch: 16/global_batch: 8/" job.yaml >other.yaml && sapp-search -n -o s other.yaml && '\
'test ! -s s/work/answers.jsonl'
check 'only estimates' grep -q 'estimates without measurements' out

# MindFormers: the YAML is edited.
cp "$top/examples/moe-64/train.yaml" train.yaml
cat >yaml.yaml <<'EOF'
model: train.yaml
devices: 16
cluster: atlas-900-a2
global_batch: 32
target: mindformers
limits:
  vp: 1
  cp: 1
  mbs: 2
  pp: 2-4
EOF
check 'a training YAML' run 0 sapp-search -t 6 -k 1 -o y yaml.yaml
chosen=$(jq -r 'select(.kind == "plan").name' y/plans.jsonl)
same 'says the degrees of the winner' "$chosen" "$(sapp-model "y/${chosen}_pretrain.yaml" 2>/dev/null |
	jq -r 'select(.kind == "candidate") | "DP\(.dp)_TP\(.tp)_PP\(.pp)_EP\(.ep)_MBS\(.mbs)"')"
check 'and keeps its comments' grep -q '# one expert a device' "y/${chosen}_pretrain.yaml"
same 'its layers are the plan' "$(jq -c 'select(.kind == "plan") | [.offset, .recompute]' y/plans.jsonl)" \
	"$(sapp-yaml -r "y/${chosen}_pretrain.yaml" /dev/null |
	jq -c 'select(.kind == "plan") | [.offset, .recompute]')"

# The current run determines settings that are not varied: answers for another file are not kept.
check 'answers are there' test -s y/work/answers.jsonl
sed -i 's/use_seq_parallel: True/use_seq_parallel: False/' train.yaml
check 'a training YAML that has changed' run 0 sapp-search -n -o y yaml.yaml
check 'begins anew' test ! -s y/work/answers.jsonl

# Targets with arguments of Megatron-LM in files of other formats.
for target in primus $(draws '' flagscale); do
	{ echo "target: $target"; sed 's/vp: 1-2/vp: 1/; s/mbs: 1,2/mbs: 2/' job.yaml; echo '  pp: 2-4'
	} >"$target.yaml"
	check "$target: a search" run 0 sapp-search -t 6 -k 1 -o "$target" "$target.yaml"
	check "$target: its settings" grep -q 'pipeline_model_parallel_size: [24]' "$target"/*_pretrain.yaml
	same "$target: plans are its own" "[\"$target\"]" \
		"$(jq -c 'select(.kind == "plan").target' "$target/work/answers.jsonl" | jq -sc unique)"
done

# bad NAME LINE MESSAGE: the job with this line in place of the line with the same key.
bad() {
	{ grep -v "^${2%%:*}:" job.yaml; printf '%s\n' "$2"; } >bad.yaml
	fails "$1" 1 "$3" sapp-search -o b bad.yaml
}
bad 'a key that is none' 'gpus: 8' "bad.yaml:10: unknown key 'gpus'; known: model"
bad 'a key misspelt' 'memroy: 8GB' "unknown key 'memroy'; the nearest is 'memory'; known: model"
bad 'a key without a value' 'cluster:' 'cluster: empty'
bad 'devices 0' 'devices: 0' "devices: not a positive whole number '0'"
bad 'half a device' 'devices: 7.5' "devices: not a positive whole number '7.5'"
bad 'no devices' 'devices: many' "devices: not a positive whole number 'many'"
bad 'a target that is none' 'target: jax' "not one of megatron|mindformers|mindspeed|primus|flagscale 'jax'"
bad 'a cluster that is none' 'cluster: z900' "not a file or a listed cluster 'z900'"
bad 'a model that is not there' 'model: nowhere.json' 'nowhere.json'
printf '%s\n' 'devices: 8' | cat job.yaml - >bad.yaml
fails 'a key twice' 1 "bad.yaml:10: duplicate key, first on line 3 'devices'" sapp-search -o b bad.yaml
printf '%s\n' '  even: maybe' | cat job.yaml - >bad.yaml
fails 'neither true nor false' 1 "even: not true or false 'maybe'" sapp-search -o b bad.yaml
printf '%s\n' '  vp: 2' | cat job.yaml - >bad.yaml
fails 'a limit twice' 1 "duplicate key, first on line 7 'vp'" sapp-search -o b bad.yaml
printf '%s\n' '  tpp: 2' | cat job.yaml - >bad.yaml
fails 'a limit that is none' 1 "limits: unknown key 'tpp'" sapp-search -o b bad.yaml
printf '%s\n' '  tp: x' | cat job.yaml - >bad.yaml
fails 'a limit that is no list' 1 "limits: tp: not a number" sapp-search -o b bad.yaml
sed '/devices/d' job.yaml >bad.yaml
fails 'no devices at all' 1 "missing key 'devices'" sapp-search -o b bad.yaml

sed 's/"num_hidden_layers":10/"num_hidden_layers":90/' net.json >net90.json
sed 's/net.json/net90.json/; s/devices: 8/devices: 2/' job.yaml >bad.yaml
fails 'a model that fits nowhere' 3 'MB more on stage' sapp-search -o b bad.yaml
# Four dense layers and four mixtures: even layers do not fit, others do.
cat >half.json <<'EOF'
{"model_type":"qwen3_moe","hidden_size":2048,"num_hidden_layers":8,"num_attention_heads":16,"num_key_value_heads":4,
"head_dim":128,"intermediate_size":4096,"moe_intermediate_size":2048,"num_experts":16,"num_experts_per_tok":2,
"mlp_only_layers":[0,1,2,3],"vocab_size":32000,"max_position_embeddings":4096,"tie_word_embeddings":false}
EOF
for memory in 17000 4000; do
	printf '%s\n' 'model: half.json' 'devices: 2' 'cluster: a100-80gb' 'global_batch: 8' "memory: $memory" \
		'limits:' '  pp: 2' '  mbs: 1' '  vp: 1' >half$memory.yaml
done
check 'what fits with other than even layers' run 0 sapp-search -t 20 -o half half17000.yaml
check 'is told' grep -q 'needs 836 MB more on stage 1' err
check 'where no estimate fits, no alternative is called as long' sh -c '! grep -q "alternatives: within" "$1" &&
	grep -q "not compared: no configuration fits with even layers" "$1"' sh half/work/assumed.txt
same 'and planned' 'DP1_TP1_PP2_EP1_MBS1' "$(jq -r 'select(.kind == "plan").name' half/plans.jsonl)"
fails 'what fits with none' 3 'needs 13,836 MB more on stage 1' sapp-search -t 20 -o half half4000.yaml
fails 'no job' 2 'missing operand: a job' sapp-search
fails 'two' 2 'more than one job' sapp-search job.yaml job.yaml
fails 'an option that is none' 2 "unknown option" sapp-search -fast job.yaml
done_testing
