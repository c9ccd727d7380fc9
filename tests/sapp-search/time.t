#!/bin/sh
# Planning ends after -t: rounds share the time, a round without enough time makes the next one smaller, and unplanned
# configurations are reported as open. A stand-in planner records its questions, so nothing depends on real time.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
cat >net.json <<'END'
{"model_type":"llama","num_hidden_layers":126,"hidden_size":16384,"num_attention_heads":128,"num_key_value_heads":8,
"intermediate_size":53248,"vocab_size":128256,"max_position_embeddings":8192,"tie_word_embeddings":false}
END
printf '%s\n' 'model: net.json' 'devices: 1024' 'cluster: h100' 'global_batch: 1024' >job.yaml
real=$(command -v sapp-lp)
mkdir bin
# The time of each call, which the call takes, and its number of questions; there is time for one or two.
cat >bin/sapp-lp <<END
#!/bin/bash
for ((i = 1; i < \$#; i++)); do
	[ "\${!i}" != -t ] || { i=\$((i + 1)); seconds=\${!i} at=\$i; }
done
echo "\$seconds \$(grep -c '"kind":"pipeline"' "\${!#}")" >>"$tmp/asked"
sleep "\$seconds"
exec "$real" "\${@:1:at - 1}" 0.01 "\${@:at + 1}"
END
chmod +x bin/sapp-lp
check 'little time' run 0 env PATH="$tmp/bin:$PATH" sapp-search -j 1 -t 12 -k 2 -o s job.yaml
same 'the rounds together have no more than that' 1 "$(awk '{ t += $1 } END { print t <= 12 }' asked)"
same 'first few are asked' 4 "$(head -n 1 asked | cut -d' ' -f2)"
# A round that planned one or two of four questions assumes that the next question needs at least half its time.
same 'then no more than there is time for, by the rounds before' 1 \
	"$(awk 'NR == 1 { each = $1 / 3 } NR > 1 && $2 > $1 / each + 1 { bad = 1 } END { print !bad }' asked)"
check 'it is not proved' grep -q '^best found of ' out
check 'what could beat the winner is named' grep -qE \
	'^open: DP[0-9A-Z_]*, (planned|estimated) at [0-9.]+ s, not below [0-9.]+ s' out
same 'each with a bound below the winner' '' "$(jq -r '.[0].step_time / 1000' s/work/ranked.json | awk '
	NR == FNR { step = $1; next }
	/^open: DP/ && $(NF - 1) > step + 0.005' - out)"
check 'the command that goes on has the options' grep -qE \
	'^open: sapp-search -j 1 -k 2 -o s -t [0-9]+ job.yaml continues' out
same 'and a time that is enough' 1 "$(sed -n \
	's/^open: .* -t \([0-9]*\) .* continues from here, with [0-9]* s for each$/\1/p' out |
	awk '$1 > 9' | wc -l)"
check 'when planning ended is said' grep -qE 'planning took [0-9.]+ s, everything [0-9.]+ s' err
same 'rows are planned, never estimated' true "$(jq -s --slurpfile r s/work/ranked.json \
	'(map(.name) | unique) as $p | $r[0] | all(.name as $n | $p | index($n))' s/work/answers.jsonl)"
done_testing
