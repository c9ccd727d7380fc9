#!/bin/sh
# Sizes of the network and of a micro-batch are copied from YAMLs into the model record, for sequence splits.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
example=$top/examples/llama-175b
sizes='{"batch_size":2,"hidden_size":12288,"model_parallel":16,"seq_length":8192,"vocab_size":160000}'
model() { jq -c 'select(.kind == "model") | { seq_length, hidden_size, vocab_size, batch_size, model_parallel }' "$@"; }
sed '/^profiling_config:/,/^$/d' "$example/init.yaml" >init.yaml
printf 'time_config: {head: 30, body: 180, tail: 90}\n' >>init.yaml
sapp-memsplit init.yaml 2>err >none
wanted='seq_length, hidden_size, vocab_size, batch_size and model_parallel'
fails 'layers without sizes cannot be split' 1 \
	"sequence splits need a model record with $wanted, such as model_config of an init YAML" \
	sapp-lp -s 16 -mb 16 -mem 56000 -seq 2 -t 1 none
cp init.yaml sized.yaml
echo "model_config: $sizes" >>sized.yaml
check 'an init YAML may have them' run 0 sapp-memsplit sized.yaml
same 'they are in the model record' "$sizes" "$(model out)"
cp out layers
sapp-lp -s 16 -mb 16 -mem 56000 -seq 2 -t 1 layers 2>err >plan
same 'and parts of sequences are planned' true "$(jq -s 'any(.kind == "plan" and .step_time > 0)' plan)"

sed 's/^ *hidden_size: .*/&\n    seq_length: 8192\n    vocab_size: 160000/
	s/^parallel_config:/runner_config:\n  batch_size: 2\n&/' \
	"$example/train.yaml" >train.yaml
check 'the init YAML of a training YAML has them' sh -c 'sapp-yaml -init train.yaml >made.yaml &&
	grep -A 6 "^model_config:" made.yaml'
sed '/^profiling_config:/,$d' made.yaml >again.yaml
sed -n '/^memory_usage:/,$p' init.yaml >>again.yaml
sapp-memsplit -force again.yaml >out 2>err
same 'and hands them on, whatever the peaks' "$sizes" "$(model out)"
sapp-memsplit -force train.yaml "$example/peaks.txt" >out 2>err
same 'so does the training YAML itself' "$sizes" "$(model out)"
{ printf '{"kind":"network","name":"n","layers":96,"hidden_size":12288,"num_heads":96,"ffn_size":49152,'
	printf '"vocab_size":160000,"seq_length":8192}\n'
	printf '{"kind":"candidate","origin":"current","dp":1,"tp":16,"pp":16,"mbs":2,"micro_batches":16}\n'
} >network
sapp-memsplit init.yaml <network >out 2>err
same 'and a network with what runs of it' "$sizes" "$(model out)"
echo 'model_config: {hidden: 8}' >>init.yaml
fails 'an unknown size' 1 "init.yaml:" sapp-memsplit init.yaml
check 'sapp-balance splits by them' run 0 sapp-balance --init sized.yaml -mem 56000 -seq 2 -t 1 -naive 0 -o balanced
done_testing
