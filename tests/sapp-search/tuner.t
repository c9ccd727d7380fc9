#!/bin/sh
# Search files of HyperParallel's sapp_nd and dense_tuner as jobs: network, devices and space; refused values.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
cat >nd.yaml <<'E'
model:
  name: mixture
  n_layers: 8
  dim: 2048
  inter_dim: 8192
  n_heads: 16
  n_kv_heads: 8
  vocab_size: 32000
  seq_len: 2048
  local_batch_size: 1
  compute_dtype: bfloat16
  moe_enabled: true
  num_experts: 8
  num_experts_per_tok: 2
  num_shared_experts: 1
  moe_inter_dim: 1024
cluster:
  num_nodes: 2
  cards_per_node: 4
  device_memory_gb: 64.0
  device_type: A2
  inter_node_bandwidth_gbps: 100.0
parallelism:
  dp: [1, 2]
  fsdp: [1, 2]
  tp: [1, 2]
  pp: auto
  cp: 1
  ep: [1, 2, 4]
  etp: 0
  micro_batch_num: [4, 8]
constraint:
  global_batch_size: 32
  memory_limit_gb: 48.5
recompute: full
pp_config:
  pp_interleave_num: 1
  pipeline_schedule: 1f1b
E
cat >dense.yaml <<'E'
hardware: {num_devices: 8, device_type: A3, memory_per_device_mb: 60000, intra_node_bandwidth_gb: 150,
           inter_node_bandwidth_gb: 20, devices_per_node: 4, tflops_per_device: 300}
model: {model_name: llama, hidden_size: 2048, num_layers: 12, num_heads: 16, num_kv_heads: 0, intermediate_size: 0,
        vocab_size: 32000, seq_length: 2048, precision_bytes: 2}
search_space:
  tp_range: [1, 2]
  pp_range: [2, 4]
  micro_batch_num_range: [8]
  enable_cp: false
constraints: {memory_limit_mb: 0, global_batch_size: 32, min_dp_degree: 2, max_step_time_ms: 0}
sort_by: step_time
E
network() { sapp-model "$1" 2>err | jq -c "$2"; }
same 'sapp_nd: the network' '["mixture",8,2048,16,8,8192,32000,2048,8,2,1024,1024]' "$(network nd.yaml '[.name, .layers,
	.hidden_size, .num_heads, .kv_heads, .ffn_size, .vocab_size, .seq_length, .experts, .experts_per_token,
	.expert_ffn_size, .shared_ffn_size]')"
check 'without a word' test ! -s err
sed 's/moe_enabled: true/moe_enabled: false/' nd.yaml >plain.yaml
same 'sapp_nd: experts that are not enabled' null "$(network plain.yaml .experts)"
sed 's/  n_layers:/  num_hidden_layers:/; s/  dim:/  hidden_size:/; s/  inter_dim/  intermediate_size/
	s/  n_heads/  num_attention_heads/; s/  n_kv_heads/  num_key_value_heads/
	s/  seq_len/  max_position_embeddings/; s/moe_inter_dim/moe_intermediate_size/' nd.yaml >names.yaml
same 'sapp_nd: its other names' "$(sapp-model nd.yaml)" "$(sapp-model names.yaml)"
same 'dense_tuner: the network, tied as it is there' '["llama",12,16,8192,true]' "$(network dense.yaml \
	'[.name, .layers, .kv_heads // .num_heads, .ffn_size, .tied]')"
sed '4s/precision/tie_word_embeddings: false, precision/' dense.yaml >loose.yaml
same 'dense_tuner: not tied' null "$(network loose.yaml .tied)"

job() { sapp-model -job "$1" 2>err | jq -c "$2"; }
same 'sapp_nd: devices, batch and memory' '[8,"atlas-900-a2",32,49664,"mindformers","nd.yaml"]' "$(job nd.yaml \
	'[.devices, .cluster, .global_batch, .memory, .target, .model]')"
same 'sapp_nd: the space' '{"cp":"1","dp":"1,2,4","ep":"1,2,4","mb":"4,8","tp":"1,2","vp":"1"}' \
	"$(job nd.yaml '.limits' | jq -c .)"
same 'sapp_nd: links in Gbit/s, nothing kept free below a limit' '[4,0,12.5]' \
	"$(job nd.yaml '.hardware | [.devices_per_node, .reserve, .inter_bandwidth]' | jq -c 'map(. * 10 / 10)')"
check 'sapp_nd: what is not kept is named' grep -q 'nd.yaml:35: warning: recompute: ignored' err
check 'and what is kept otherwise' grep -q 'nd.yaml:25: warning: fsdp: its devices are counted as data parallel' err
same 'and nothing else' 2 "$(wc -l <err)"
sed 's/^pp_config:/&\n  micro_batch_num: 1/' nd.yaml >again.yaml
same 'sapp_nd: what is searched wins over what is set' '"4,8"' "$(job again.yaml .limits.mb)"
sed '/micro_batch_num/d' nd.yaml >size.yaml
same 'sapp_nd: sequences of a micro-batch where their number is open' '"1"' "$(job size.yaml .limits.mbs)"
same 'dense_tuner: devices, batch and memory' '[8,"atlas-900-a3",32,60000]' "$(job dense.yaml \
	'[.devices, .cluster, .global_batch, .memory]')"
same 'dense_tuner: the space' '{"cp":"1","dp":"2-8","mb":"8","pp":"2,4","tp":"1,2"}' \
	"$(job dense.yaml .limits | jq -c .)"
same 'dense_tuner: its hardware' '[4,300,150,20]' "$(job dense.yaml '.hardware | [.devices_per_node, .peak,
	.intra_bandwidth, .inter_bandwidth] | map(. * 10 / 10)')"
sapp-model -job dense.yaml >dense.json 2>/dev/null
same 'what is printed is a job, too' "$(jq -c . dense.json)" "$(sapp-model -job dense.json | jq -c .)"
sed 's/dp_range.*//; s/enable_cp: false/enable_pp: false\n  enable_cp: true\n  dp_range: [1, 4, 8]/' \
	dense.yaml >off.yaml
same 'dense_tuner: no stages, and replicas enough' '{"dp":"4,8","mb":"8","pp":"1","tp":"1,2","vp":"1"}' \
	"$(job off.yaml .limits | jq -c .)"

# From the file to ranked configurations.
for kind in nd dense; do
	check "$kind: searched" run 0 sapp-search -t 4 -k 2 -o "s-$kind" "$kind.yaml"
	check "$kind: ranked" test "$(wc -l <"s-$kind/ranking.csv")" -gt 1
	check "$kind: its settings" sh -c 'ls "$1"/*_pretrain.yaml >"$2"' sh "s-$kind" list
done
same 'in the space of the file' '[[1,2],[1],[4,8]]' "$(jq -c -s 'map(select(.kind == "estimate")) |
	[([.[].tp] | unique), ([.[].vp // 1] | unique), ([.[].micro_batches] | unique)]' s-nd/work/estimates.jsonl)"
same 'on its devices' '[49664,0,4,12.5]' "$(jq -c 'select(.kind == "cluster") |
	[.memory_limit, .reserve, .devices_per_node, .links[-1].bandwidth]' s-nd/work/network.jsonl)"
same 'a node is as large as it says' '[4,4,150,300]' "$(jq -c 'select(.kind == "cluster") | [.devices_per_node,
	(if .links[0].span > 16 then 4 else .links[0].span end), .links[0].bandwidth,
		.peak]' s-dense/work/network.jsonl)"

# bad FILE NAME MESSAGE EDIT
bad() { sed "$4" "$1.yaml" >bad.yaml; fails "$1: $2" 1 "$3" sapp-search -n -o b bad.yaml; }
bad nd 'a key that is none' "bad.yaml:24: parallelism: unknown key 'dpp' (known: dp" 's/^  dp: /  dpp: /'
bad nd 'a section that is none' "unknown key 'konstraint'" 's/^recompute.*/konstraint: 3/'
bad nd 'a section of the other' "unknown key 'hardware'" 's/^recompute.*/hardware: {num_devices: 8}/'
bad nd 'a training file' "train_yaml: not read: write the network under 'model'" 's/^recompute.*/train_yaml: t.yaml/'
bad nd 'no nodes' 'bad.yaml: no cluster: num_nodes' '/num_nodes/d'
bad nd 'no batch' 'bad.yaml: no constraint: global_batch_size' 's/global_batch_size: 32/global_batch_size: 0/'
bad nd 'no type' "bad.yaml: missing key 'cluster: device_type'" '/device_type/d'
bad nd 'a device that is none' "-cluster: not a file or a listed cluster 'A9'; listed:" 's/A2/A9/'
bad nd 'a degree that is none' "bad.yaml:26: tp: expected a whole number 'x'" 's/tp: \[1, 2\]/tp: [1, x]/'
bad nd 'a degree of 0' "tp: not between 1 and 16777216 '0'" 's/tp: \[1, 2\]/tp: [0]/'
bad nd 'a map of degrees' 'tp: neither a number, a list nor auto' 's/tp: \[1, 2\]/tp: {a: 1}/'
bad nd 'a section that is no map' 'cluster: not a map' 's/^cluster:/cluster: 3/; /^  num_nodes/,/^  inter_node/d'
bad nd 'a network without width' 'no hidden_size: its usual place is hidden_size | n_embed | dim' '/  dim:/d'
bad nd 'latents without heads' 'no qk_head_dim: its usual place is qk_nope_head_dim' \
	's/^  dim.*/&\n  kv_lora_rank: 512\n  qk_rope_head_dim: 64\n  v_head_dim: 128/'
bad nd 'no network' "bad.yaml: missing key 'model'" '/^model/,/^  moe_inter/d'
bad nd 'too many devices' "too many devices '40000000'" 's/num_nodes: 2/num_nodes: 10000000/'
bad dense 'a key that is none' "search_space: unknown key 'tp_rang'" 's/tp_range/tp_rang/'
bad dense 'no batch' 'no constraints: global_batch_size' 's/global_batch_size: 32/global_batch_size: 0/'
bad dense 'measured layers' 'profiling_json_path: not read' 's/^sort_by.*/profiling_json_path: a.json/'
bad dense 'more replicas than devices' "min_dp_degree: above the number of devices 8 '9'" \
	's/min_dp_degree: 2/min_dp_degree: 9/'
bad dense 'replicas out of range' "dp_range: all values are below min_dp_degree '2'" \
	's/^  enable_cp.*/  dp_range: [1]/'
bad dense 'neither true nor false' 'enable_cp: ' 's/enable_cp: false/enable_cp: 3/'
bad dense 'no layers' 'no layers: its usual place is num_layers | num_hidden_layers' 's/num_layers: 12, //'
sed 's/^sort_by.*/sort_by: memory\ntop_k: 3/; s/max_step_time_ms: 0/max_step_time_ms: 9/' dense.yaml >said.yaml
sapp-model -job said.yaml >/dev/null 2>err
same 'dense_tuner: what is not kept is named' 'max_step_time_ms sort_by top_k' \
	"$(sed -n 's/.*warning: \([a-z_]*\): ignored.*/\1/p' err | sort | xargs)"
sed 's/^  dim.*/&\n  capacity_factor: 1.5/' nd.yaml >more.yaml
sapp-model more.yaml >/dev/null 2>err
check 'sapp_nd: a key of the network that is not known is named' grep -q \
	"more.yaml:5: warning: a key of model: not known, ignored 'capacity_factor'" err
done_testing
