#!/bin/sh
# examples/one-device measures the operators that estimates need; then estimates need no other operators.
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1
long || { skip 'make check-long measures operators'; done_testing; exit; }
measure=$top/examples/one-device/measure
if ! /usr/bin/python3 -c "import torch" 2>/dev/null; then
	skip 'no PyTorch here: operators are not measured'
	done_testing
	exit 0
fi
echo '{"kind":"cluster","name":"cpu","peak":0.2,"memory_bandwidth":10,"links":[{"span":8,"bandwidth":1,"latency":50}],'\
'"devices_per_node":8,"memory_limit":8000,"launch":0,"overlap":{},'\
'"efficiency":{"matmul":0.5,"size":1,"attention":0.3,"memory":0.5,"network":0.5}}' >cpu.json
echo '{"kind":"network","name":"small","layers":2,"hidden_size":128,"num_heads":4,"kv_heads":2,"ffn_size":256,'\
'"vocab_size":512,"seq_length":64,"experts":4,"experts_per_token":2,"expert_ffn_size":128,"dense_layers":1}' >rows
echo '{"kind":"candidate","dp":1,"tp":1,"pp":2,"micro_batches":4,"mbs":1}' >>rows
check 'operators are asked for' run 0 sapp-est -cluster ./cpu.json -operators -until 0 rows
cp out ask
echo '{"kind":"other","text":"a line that is no question"}' >>ask
echo '{"kind":"operator","op":"matmul","m":64,"n":64,"k":64,"layout":"TN","dtype":"fp8"}' >>ask
check 'operators are measured' run 0 "$measure" -device cpu -repeat 5 -budget 0.05 ask
cp out table
same 'a line for each' "$(wc -l <ask)" "$(wc -l <table)"
check 'each with a time, or the reason why not' \
	jq -es 'all(select(.kind == "operator") | (.time > 0) != has("why"))' table
same 'other lines pass' '{"kind":"other","text":"a line that is no question"}' "$(grep '"other"' table)"
same 'a type that PyTorch does not have' 1 "$(grep -c '"why": "PyTorch alone has no products of fp8"' table)"
grep -v '"why"' table >answers
check 'the answers are read' run 0 sapp-est -cluster ./cpu.json -measured answers -operators -until 0 rows
check 'nothing more is asked' test ! -s out
sapp-est -cluster ./cpu.json -measured answers rows 2>err >out
check 'estimates rest on what was measured' jq -es 'map(select(.kind == "estimate"))[0].source.shares |
	.measured + .fitted > 0.9' out
# All operators of a survey, in sizes for a CPU.
check 'a survey' run 0 "$top/examples/one-device/survey" -device cpu -small -seconds 1 -repeat 3 -budget 0.02
cp out survey
same 'has layers, dense and with experts, with their operators' '[true,true]' "$(jq -sc 'map(select(.layer) |
	.operators > 0 and .unanswered == 0)' survey)"
same 'and a long load' true "$(jq -s 'map(select(.sustain)) | length == 1 and .[0].sustain > 0' survey)"
same 'products of every layout' '["NN","NT","TN"]' "$(jq -sc 'map(.layout // empty) | unique' survey)"
same 'and in 8 bits where the device has them' '["NN","NT","TN"]' "$(jq -sc 'map(select(.dtype == "fp8").layout) |
	unique' survey)"
same 'latent attention' '[24,16]' "$(jq -c 'select(.qk_dim > .v_dim) | [.qk_dim, .v_dim]' survey | sed q)"
check 'and a profile' grep -q '"aten::mm"' profile.json
grep '"operator"' survey | grep -v '"why"' >table
check 'its operators are read' run 0 sapp-est -cluster ./cpu.json -measured table rows
fails 'a line that is not JSON' 1 'measure: bad:1: not JSON' sh -c 'echo x >bad; "$1" -device cpu bad' sh "$measure"
echo '{"kind":"operator","op":"matmul","m":1,"n":1,"k":1,"layout":"TN","dtype":"fp4"}' >none
check 'status 1 if nothing could be measured' run 1 "$measure" -device cpu none
done_testing
