#!/bin/sh
# Settings of runs for frameworks: arguments, and a YAML edited in place.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
{
	sed 's/"layers":16/"layers":8/' "$top/examples/small-runs/network.jsonl"
	echo '{"kind":"candidate","dp":4,"tp":4,"pp":1,"mbs":2,"micro_batches":8}'
} >net
cat >train.yaml <<'END'
# our training
seed: 0
profile: False	# switched on by hand
runner_config:
  epochs: 1   # one is enough
  batch_size: 1 # sequences
parallel_config:
  data_parallel: &dp 8
  model_parallel: 2
  pipeline_stage: 4    # of eight
  micro_batch_num: 16
  copies: *dp
recompute_config:
  recompute: [2, 2,
              1, 0]
model:
  model_config:
    num_layers: 8
    # uneven
    offset:
      - 1
      - 0
train_dataset:
  data_loader:
    dataset_dir: "/data/all"
END
shrink() { sapp-shrink -j -cluster atlas-800t-a2 "$@" 2>err; }
check 'YAMLs' run 0 sapp-shrink -j -cluster atlas-800t-a2 -f mindformers -training train.yaml -o small \
	-set train_dataset.data_loader.dataset_dir=/data/few -set context.save_graphs=2 net
cp out runs
same 'one for each run' \
	'DP2_TP4_PP1_EP1_MBS2_FULL_pretrain.yaml DP2_TP4_PP1_EP1_MBS2_pretrain.yaml' "$(cd small && echo *)"
same 'which the record names' '--config small/DP2_TP4_PP1_EP1_MBS2_pretrain.yaml' \
	"$(jq -r 'select(.recompute == "none") | .command' runs)"
cat >want <<'END'
# our training
seed: 0
profile: True	# switched on by hand
runner_config:
  epochs: 1   # one is enough
  batch_size: 2 # sequences
parallel_config:
  data_parallel: &dp 2
  model_parallel: 4
  pipeline_stage: 1    # of eight
  micro_batch_num: 4
  copies: *dp
  use_seq_parallel: True
recompute_config:
  recompute: False
model:
  model_config:
    num_layers: 2
    # uneven
    offset: 0
    pp_interleave_num: 1
train_dataset:
  data_loader:
    dataset_dir: /data/few
profile_start_step: 4
profile_stop_step: 6
profile_level: 1
init_start_profile: True
profile_communication: True
profile_memory: True
op_time: True
profile_output: small/DP2_TP4_PP1_EP1_MBS2
profile_rank_ids: [0]
context:
  save_graphs: 2
END
same 'edited where it stands, comments and anchors kept' "$(cat want)" "$(cat small/DP2_TP4_PP1_EP1_MBS2_pretrain.yaml)"
same 'recomputed in the other' '  recompute: True' "$(grep 'recompute:' small/*_FULL_pretrain.yaml)"
check 'the original stays' grep -q 'dataset_dir: "/data/all"' train.yaml
check 'again, over what is there' shrink -f mindformers -training train.yaml -o small net

sed 's/: &dp 8/: \&dp/; s/model_parallel: 2/model_parallel: !!int 2/; /copies/d; s/$/\r/' train.yaml >other.yaml
check 'an anchor alone, a tag, line ends' shrink -f mindformers -training other.yaml -o ended net
same 'are kept' '  data_parallel: &dp 2  model_parallel: !!int 4 every line' \
	"$(tr -d '\r' <ended/DP2_TP4_PP1_EP1_MBS2_pretrain.yaml | grep 'data_parallel\|model_parallel' | tr -d '\n') $(
	awk '!/\r$/ { n++ } END { if (!n) print "every line" }' ended/DP2_TP4_PP1_EP1_MBS2_pretrain.yaml)"

shrink -f megatron net >runs
same 'arguments of Megatron-LM' '--tensor-model-parallel-size 4 --pipeline-model-parallel-size 1'\
' --context-parallel-size 1 --micro-batch-size 2 --global-batch-size 16 --num-layers 2 --seq-length 4096'\
' --train-iters 7 --profile-step-start 4 --profile-step-end 6 --sequence-parallel --use-distributed-optimizer'\
' --profile --profile-ranks 0 --use-pytorch-profiler' "$(jq -r 'select(.recompute == "none") | .command' runs)"
check 'recomputed' grep -q 'recompute-granularity full --recompute-method uniform --recompute-num-layers 1' runs
{ sed 's/"mbs":2/"mbs":2,"fused":["mc2"]/' net; } >fused
shrink -f mindspeed -o small fused >runs
same 'what is fused' 2 "$(grep -c -- '--use-ascend-mc2 ' runs)"
fails 'which a YAML has no word for' 1 "-f mindformers: a training YAML cannot set mc2, which 'DP2_TP4_PP1_EP1_MBS2" \
	sapp-shrink -j -cluster atlas-800t-a2 -f mindformers -training train.yaml -o small fused
sed 's/"layers"/"experts":8,"experts_per_token":2,"expert_ffn_size":1408,"layers"/
	s/"mbs":2/"mbs":2,"ep":2,"fused":["permute"]/' net >routed
shrink -f megatron routed >runs
same 'tokens that are permuted' 2 "$(grep -c -- '--moe-permute-fusion ' runs)"
check 'in a YAML' shrink -f mindformers -training train.yaml -o routed.d routed
same 'as MindFormers has it' '  use_fused_ops_permute: True' "$(grep -h permute routed.d/*_PERMUTE_pretrain.yaml)"
shrink -f mindspeed -o small -set data-path=/data/few -set mock-data= net >runs
check 'of MindSpeed, with those that are set' grep -q -- \
	'--profile-level level1 .*--profile-save-path small/DP2_TP4_PP1_EP1_MBS2[^"]* '\
'--data-path /data/few --mock-data"' runs

bad() {
	fails "$1" "$2" "$3" sapp-shrink -j -cluster atlas-800t-a2 -f mindformers -training "$4" -o small \
		${5:+-set "$5"} net
}
fails 'no YAML' 2 '-f mindformers: needs -training' sapp-shrink -f mindformers -o small net
fails 'no directory' 2 '-f mindformers: needs -training' sapp-shrink -f mindformers -training train.yaml net
fails 'a script' 2 '-training: only with -f mindformers' sapp-shrink -f megatron -training train.sh net
fails 'without a format' 2 '-training, -o and -set need -f' sapp-shrink -set a=b net
fails 'an unknown format' 2 "-f: unknown 'nemo'" sapp-shrink -f nemo net
bad 'no value' 2 "-set: expected KEY=VALUE 'a'" train.yaml a
bad 'no key' 2 "-set: expected KEY=VALUE '=a'" train.yaml =a
bad 'no such file' 1 'nowhere' nowhere
bad 'a value that is none' 1 'seed:2: not YAML' train.yaml 'seed=[1'
bad 'a key below a number' 1 "train.yaml:2: 'seed': expected a map with seed.more in it" train.yaml seed.more=1
echo '[1, 2]' >list.yaml
bad 'no map' 1 'list.yaml' list.yaml
echo '{seed: 0}' >flow.yaml
rm -rf small
sapp-shrink -cluster atlas-800t-a2 -f mindformers -training flow.yaml -o small -set seed=1 net >/dev/null 2>&1
check 'one line' sh -c 'grep -q "^{seed: 1, parallel_config: {data_parallel" small/*_pretrain.yaml'
done_testing
