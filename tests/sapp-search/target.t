#!/bin/bash
# Small spaces, dense and with experts, with every configuration planned for a target: the winner must be the best of
# all, no plan may be below a bound, and every row must have the step of its settings.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1

cat >dense.json <<'END'
{"model_type":"llama","num_hidden_layers":10,"hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,
"intermediate_size":14336,"vocab_size":64000,"max_position_embeddings":8192,"tie_word_embeddings":false}
END
cat >moe.json <<'END'
{"model_type":"qwen3_moe","hidden_size":2048,"num_hidden_layers":9,"num_attention_heads":16,"num_key_value_heads":4,
"head_dim":128,"intermediate_size":6144,"moe_intermediate_size":2048,"num_experts":16,"num_experts_per_tok":2,
"mlp_only_layers":[0,1],"vocab_size":32000,"max_position_embeddings":4096,"tie_word_embeddings":false}
END

# space NAME TARGET CLUSTER MEMORY LIMIT...: with 8 devices and 16 sequences a step.
space() {
	job=$1 target=$2 cluster=$3 memory=$4 options=''
	shift 4
	{
		printf '%s\n' "model: ${job%-*}.json" 'devices: 8' "cluster: $cluster" 'global_batch: 16' \
			"memory: $memory" "target: $target" 'limits:'
		for limit; do
			printf '  %s: %s\n' "${limit%=*}" "${limit#*=}"
			options="$options -$(echo "${limit%=*}" | tr _ -) ${limit#*=}"
		done
	} >"$job.yaml"
	[ "$target" != megatron ] || options="$options -empty"
	check "$job: a job" run 0 sapp-search -t 600 -k 4 -o "$job" "$job.yaml"
	check "$job: is proved" grep -q '^best of ' out
	# shellcheck disable=SC2086 # options are words
	{
		sapp-model "${job%-*}.json" | head -n 1
		jq -c 'select(.kind == "cluster")' "$job/work/network.jsonl"
	} | sapp-enum -n 8 -gb 16 -rules "$target" $options 2>/dev/null |
		sapp-est | grep -v '"kind":"estimate"' >"$job.all"
	all=$(grep -c '"kind":"candidate"' "$job.all")
	check "$job: has configurations" test "$all" -gt 10
	sapp-est "$job.all" | jq -c 'select(.kind == "estimate") | [.name, .lower_bound]' >bounds
	sapp-est -layers "$job.all" | sapp-lp -j -t "$all" -gap 0.0002 -target "$target" 2>/dev/null |
		jq -c 'select(.kind == "plan")' >"$job.plans"
	same "$job: every one is planned" "$all" "$(jq -r .name "$job.plans" | sort -u | wc -l)"
	least=$(jq -s '[.[] | select(.status != "infeasible").step_time] | min' "$job.plans")
	near "$job: the winner is the best that runs" "$least" \
		"$(jq -r 'select(.kind == "plan").step_time' "$job/plans.jsonl" | head -n 1)" \
		"$(echo "$least" | awk '{ print $1 * 0.0015 }')"
	same "$job: nothing is below the bound of its estimate" '' \
		"$(jq -rs --slurpfile b bounds '($b | map({ key: .[0], value: .[1] }) | from_entries) as $b | .[] |
		select(.status != "infeasible" and .step_time < $b[.name] * (1 - 1e-9)).name' "$job.plans")"
	same "$job: nor a better plan below the bound of a row" '' \
		"$(jq -rs --slurpfile r "$job/work/ranked.json" '(map({ key: .name, value: . }) | from_entries) as $p |
		$r[0][] | select($p[.name].step_time < .lower_bound * (1 - 1e-9)).name' "$job.plans")"
	jq -r 'select(.kind == "plan") | "\(.name) \(.step_time * 1e6 | round)"' "$job/plans.jsonl" >rows
	while read -r row _; do
		jq -c 'select(.kind != "plan")' "$job/plans.jsonl" |
			awk -v row="\"name\":\"$row\"" 'index($0, "\"kind\":\"candidate\"") { mine = index($0, row) }
				mine' >asked
		sapp-yaml -r "$job/$row"_pretrain.* -layers "$(jq .num_hidden_layers "${job%-*}.json")" asked \
			2>/dev/null |
			sapp-sim | jq -r --arg row "$row" \
			'select(.kind == "sim") | "\($row) \(.step_time * 1e6 | round)"'
	done <rows >read-back
	same "$job: each row is the step of its settings" "$(cat rows)" "$(cat read-back)"
}

# As in run.t, with pieces without layers.
[ -z "${LONG-}" ] || space dense-a megatron a100-40gb 40960 cp=1,2 mbs=1,2 vp=1-2
[ -z "${LONG-}" ] || space dense-b mindformers atlas-900-a2 30000 cp=1 mbs=1,2 vp=1-2
# Twelve pieces of ten layers, embedding and loss; both kinds of attention.
space dense-c megatron a100-40gb 30000 cp=1,2 cp_kind=ring,ulysses mbs=1,2,4 vp=3 pp=4
same 'some have pieces without layers' true "$(jq -s 'any(.[]; .kind == "candidate" and .pp * .vp == 12)' dense-c.all)"
same 'or exchange heads' true "$(jq -s 'any(.[]; .kind == "candidate" and .cp_kind == "ulysses")' dense-c.all)"
space moe-a megatron h100 24000 cp=1,2 "mbs=$(draws 1 1,2)" vp=1 pp=2-4
[ -z "${LONG-}" ] || space moe-b mindformers atlas-900-a2 24000 cp=1 mbs=1 vp=1-2 pp=2-4
# Settings of experts and graphs, in addition to degrees: arguments of Megatron-LM that are read back as equal.
size='--num-layers 8 --hidden-size 1024 --num-attention-heads 16 --ffn-hidden-size 4096 --seq-length 4096 --swiglu'
size="$size --vocab-size 32000 --max-position-embeddings 4096 --num-experts 8 --moe-router-topk 2"
size="$size --moe-ffn-hidden-size 1024"
start='torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py'
says() {	# NAME HOW: of how.sh
	same "$1" "$(echo "$2" | jq -cS .)" "$(sapp-model -n 16 how.sh 2>/dev/null |
		jq -cS 'select(.kind == "candidate") | { dispatcher, ep_overlap, graph, graph_scope } |
		with_entries(select(.value != null))')"
}
while read -r how; do
	echo "$how" | jq -c '(if .ep_overlap then 2 else 1 end) as $v | ([range($v) | [range(2) | 4 / $v]]) as $even |
		([range($v) | [0, 0]]) as $no | (if $v > 1 then "vpp-overlap" else "1f1b" end) as $schedule |
		{ kind: "candidate", name: "x", dp: 4, tp: 2, pp: 2, ep: 4, etp: 1, vp: $v, mbs: 1,
			micro_batches: 16 } + .,
		{ kind: "pipeline", stages: 2, micro_batches: 16, interleave: $v, schedule: $schedule,
			memory_limit: 1 },
		{ kind: "plan", name: "x", origin: "planner", schedule: $schedule, interleave: $v, micro_batches: 16,
			counts: { moe: { none: $even } }, offset: $no, recompute: $no, select_recompute: $no,
			select_comm_recompute: $no }' >how.jsonl
	{ printf '%s \\\n' "$start $size"; sapp-yaml -f megatron how.jsonl | sed '/^--num-layers/d'; } >how.sh
	says "arguments of $how" "$how"
	echo "$start $size" --pipeline-model-parallel-size 1 --micro-batch-size 2 --global-batch-size 8 >how.sh
	check "a script of $how" sapp-yaml -w how.sh how.jsonl
	says "which says it" "$how"
	cp how.sh before.sh
	check "and again" sapp-yaml -w how.sh how.jsonl
	same "with nothing to do" "$(cat before.sh)" "$(cat how.sh)"
done <<'END'
{"dispatcher":"flex","ep_overlap":true,"graph":"part","graph_scope":["attn","moe_router"]}
{"dispatcher":"alltoall","graph":"full"}
{"dispatcher":"alltoall","ep_overlap":true}
{}
END
done_testing
