#!/bin/sh
# The steps of Taylor's manual, first with single tools, then with sapp-search: find the candidates that fit, from peaks
# of dryruns; rank them by a profile; plan the pipeline from ratios of times and from peaks; write the plan into the
# lists of a training YAML. The figures are from Taylor's own tests.
. "$(dirname "$0")/../lib.sh"
example=$top/examples/ratios
cd "$tmp" || exit 1

# Find the degrees that fit: dryruns with two values of ep give the peaks of every other ep. Here are four of Taylor's
# twenty sets of degrees; tests/sapp-est/measured.t has all.
sapp-model "$example/train.yaml" 2>err | jq -c 'select(.kind == "network")' >net
jq -c '.memory_limit = 55 * 1024' "$top/share/clusters/atlas-900-a3.json" >cluster.json
check 'peaks of dryruns' run 0 sapp-est -cluster cluster.json -peaks "$example/dryruns" -nd nd.csv net
same 'what fits into 55 GB' 'dp,tp,pp,ep,evaluate_mem
4,8,32,8,54686
4,8,32,16,46174
4,8,32,32,41918
8,8,16,16,52056
8,8,16,32,43768
8,8,16,64,39624
16,8,8,32,47894
16,8,8,64,39718
32,8,4,64,42323.625' "$(cat nd.csv)"

# Rank the candidates by a profile of a few layers of each.
sapp-enum -n 1024 -gb 1024 -rules mindformers -tp 8 -cp 1 -pp 8,16 -ep 32,64 -vp 1 -mbs 1 net 2>err >candidates
sapp-est -cluster cluster.json -peaks "$example/dryruns" -profile "$example/profile.csv" candidates >estimates
sapp-top -csv estimates >ranking.csv
same 'the columns' 'test,micro,dp,tp,pp,ep,vp,op/fsdp' "$(head -n 1 ranking.csv | cut -d, -f1-8)"
same 'by cost' 'DP16_TP8_PP8_EP64_MBS1 DP16_TP8_PP8_EP32_MBS1 DP8_TP8_PP16_EP64_MBS1 DP8_TP8_PP16_EP32_MBS1' \
	"$(tail -n +2 ranking.csv | cut -d, -f1 | xargs)"
same 'memory of the dryruns' '39718 47894 39624 43768' "$(tail -n +2 ranking.csv | cut -d, -f16 | xargs)"
same 'times of the profile' '4.522 11.9 49.98' "$(
	sapp-est -cluster cluster.json -profile "$example/profile.csv" -parts candidates |
	jq -r 'select(.kind == "estimate" and .pp == 8 and .ep == 64) |
	[.layers[0].forward, .layers[1].forward, .tail.forward + .tail.backward] |
	map(. * 1e6 | round / 1e6) | join(" ")')"
check 'each planned' sh -c 'sapp-est -cluster cluster.json -peaks "$1"/dryruns -profile "$1"/profile.csv -layers \
	candidates | sapp-lp -set wall=0 -t 80 -target mindformers >plans' sh "$example"
same 'as its estimate bounds it' true "$(jq -s '[.[] | select(.kind == "plan")] | length == 4 and
	all(.[]; .status == "optimal" or .gap < 0.02)' plans)"

# Plan the pipeline by ratios. measured P OPTIONS...: write the logs of three dryruns on P stages, and their settings.
# OPTIONS give the memory of layers and stages. From dryrun to dryrun one dense layer moves from stage 0 to stage 1.
measured() {
	stages=$1
	shift
	rm -rf logs
	awk "$@" -v P="$stages" 'BEGIN {
		for (r = 0; r < 3; r++) {
			base = int(62 / P)
			left = 62 - base * P
			for (s = 0; s < P; s++) n[s] = base + (s > 0 && s <= left)
			n[1] += n[0] - (3 - r)
			n[0] = 3 - r
			before = 0
			for (s = 0; s < P; s++) {
				again = (s + r) % 3 < n[s] ? (s + r) % 3 : n[s]
				peak = s == 0 ? c0 : s == P - 1 ? c2 : c1
				for (k = 0; k < n[s]; k++) {
					dense = before + k < 3
					peak += dense ? l1 : l2
					peak += (P - s) * (k < again ? (dense ? r1 : r2) : dense ? a1 : a2)
				}
				before += n[s]
				print r, s, peak
				offsets[r] = offsets[r] (s ? ", " : "") n[s] - base
				recompute[r] = recompute[r] (s ? ", " : "") again
			}
		}
		printf "pipeline_config:\n  pipeline_num: %d\n  num_layer: [3, 59]\n", P >"init.yaml"
		printf "  offset: [[%s], [%s], [%s]]\n", offsets[0], offsets[1], offsets[2] >"init.yaml"
		printf "recompute_config:\n  recompute: [[%s], [%s], [%s]]\n", recompute[0], recompute[1],
			recompute[2] >"init.yaml"
		print "  select_recompute: 0\n  select_comm_recompute: 0" >"init.yaml"
	}' | while read -r round stage peak; do
		mkdir -p "logs/round_$round/stage_$stage"
		echo "Actual peak memory usage (with fragments): ${peak}M" >"logs/round_$round/stage_$stage/dryrun.log"
	done
}
# by_ratios TITLE RATIOS STAGES MICRO-BATCHES LIMIT STEP OPTIONS...
by_ratios() {
	title=$1 ratios=$2 s=$3 mb=$4 limit=$5 step=$6
	shift 6
	sapp-layers -ratios "$ratios" net | sapp-memsplit -j init.yaml logs 2>err >layers.jsonl
	sapp-lp -s "$s" -mb "$mb" -mem "$limit" -t 60 -gap 0 "$@" layers.jsonl 2>err >plan.jsonl
	near "$title" "$step" "$(jq 'select(.kind == "plan").step_time' plan.jsonl)" 1e-4
	same "$title: none is shorter" '"optimal"' "$(jq 'select(.kind == "plan").status' plan.jsonl)"
}
# The ratio of the head is 1.5 forwards times 1 + backward, as in Taylor's program.
measured 16 -v a1=479 -v a2=765 -v r1=30 -v r2=30 -v l1=866 -v l2=10691 -v c0=3383 -v c1=2382 -v c2=8675
by_ratios '16 stages' dense=0.397,backward=1.839,head=4.2585,recompute=1 16 64 55296 1132.6622 -target mindformers

# Write the lists that MindFormers trains with.
cp "$example/train.yaml" train.yaml
check 'written' run 0 sapp-yaml -w train.yaml plan.jsonl
same 'as many layers, each stage at least one' '62 true' "$(sed -n 's/^ *offset: //p' train.yaml |
	jq -r '"\(map(. + 3) | add) \(all(.[]; . >= -2))"')"
near 'which is the plan' 1132.6622 \
	"$(sapp-yaml -r train.yaml layers.jsonl | sapp-sim | jq 'select(.kind == "sim").step_time')" 1e-4
same 'the example measured the same' "$(sapp-layers -ratios dense=0.397,backward=1.839,head=4.2585,recompute=1 net |
	sapp-memsplit -j "$example/init.yaml" "$example/peaks.txt" 2>err | jq -c 'select(.kind == "layer") |
	[.name, (.memory_parameter // 0 | round), (.memory_activation // 0 | round)]')" \
	"$(jq -c 'select(.kind == "layer") | [.name, (.memory_parameter // 0 | round),
	(.memory_activation // 0 | round)]' layers.jsonl)"

# Plan with numbers of layers for each kind that the lists of one YAML cannot express (-mixes all).
measured 6 -v a1=494 -v a2=673 -v r1=46 -v r2=158 -v l1=1010 -v l2=2644 -v c0=4243 -v c1=2279 -v c2=8468
by_ratios '6 stages' dense=0.71,backward=1.627,head=3.922111,recompute=0.246 6 120 57344 3603.3977 -mixes all
if [ -n "${LONG-}" ]; then
	measured 16 -v a1=614 -v a2=738 -v r1=78 -v r2=190 -v l1=130 -v l2=7230 -v c0=5789 -v c1=3210 -v c2=7939
	by_ratios '960 micro-batches' dense=0.71,backward=1.627,head=3.922111,recompute=0.246 16 960 57344 10943.9107 \
		-mixes all
else
	skip '960 micro-batches: make check-long'
fi

# Plan small pipelines, which another program has solved. A row begins with the numbers of dense and of MoE layers.
while read -r dense mixtures stages chunks mb schedule limit step; do
	jq -c ".layers = $((dense + mixtures)) | .dense_layers = $dense" net |
		sapp-layers -ratios dense=0.3,backward=2,head=4.5,recompute=1 | jq -c 'if .type == "BODY" then
		(.name | startswith("dense")) as $d | .memory_activation = 80 |
		.memory_recompute = (if $d then 4 else 5 end) | .memory_parameter = (if $d then 350 else 340 end)
		else . end' >small.jsonl
	near "$dense + $mixtures layers on $stages x $chunks: $mb" "$step" \
		"$(sapp-lp -s "$stages" -i "$chunks" -mb "$mb" -S "$schedule" -mem "$limit" -gap 0 -t 30 small.jsonl \
		2>err | jq 'select(.kind == "plan" and .status == "optimal").step_time')" 1e-9
done <<'END'
1 7 2 1 4 1f1b 3000 66.9
3 13 4 1 8 1f1b 3000,3600,3600,3000 137
3 13 4 1 32 1f1b 3000,3600,3600,3000 463.4
1 11 2 2 4 vpp-less 3000 94.2
0 16 4 1 8 1f1b 3000,3600,3600,3000 153
3 13 4 1 8 1f1b 2000,1900,1900,1800 148.6
1 11 2 2 4 vpp 3000 92.8
END

# Make the table of candidates, the ranking and the settings of the plans with one command.
cat >job.yaml <<END
model: $example/train.yaml
devices: 1024
cluster: atlas-900-a3
memory: 56320
global_batch: 1024
target: mindformers
peaks: $example/dryruns
profile: $example/profile.csv
limits:
  tp: 8
  cp: 1
  pp: 16
  ep: 32,64
  vp: 1
  mbs: 1
END
check 'sapp-search' run 0 sapp-search -t 30 -k 2 -o search job.yaml
same 'what fits' "$(cat nd.csv)" "$(cat search/nd_candidate_config.csv)"
same 'the ranking' 'DP8_TP8_PP16_EP64_MBS1 DP8_TP8_PP16_EP32_MBS1' \
	"$(jq -r 'select(.kind == "plan").name' search/plans.jsonl | xargs)"
check 'settings of each' test -s search/DP8_TP8_PP16_EP64_MBS1_pretrain.yaml -a \
	-s search/DP8_TP8_PP16_EP32_MBS1_pretrain.yaml
same 'in the columns of its result files' 'test,layers,micro,dp,tp,pp,ep,vp' \
	"$(head -n 1 search/test_result_*.csv | sed 's/^\xEF\xBB\xBF//' | cut -d, -f1-8)"
done_testing
