#!/bin/sh
# Plans of hybrids as Megatron-LM takes them: pieces in the pattern of blocks, read back and simulated.
. "$(dirname "$0")/../lib.sh"
sapp-model -seq 8192 "$top/examples/hybrid/config.json" | cat - "$top/examples/hybrid/degrees.jsonl" |
	sapp-est -cluster h100 -layers | sapp-lp -target megatron -t 2 >"$tmp/plan" 2>"$tmp/err"
sapp-yaml -f megatron "$tmp/plan" >"$tmp/arguments" 2>"$tmp/said"
pattern=$(sed -n 's/^--hybrid-layer-pattern "\(.*\)" .*/\1/p' "$tmp/arguments")
same 'all blocks are in the pattern, in order' "$(jq -r .hybrid_override_pattern "$top/examples/hybrid/config.json")" \
	"$(echo "$pattern" | tr -d '|')"
same 'in a piece for each stage' 4 "$(echo "$pattern" | tr '|' '\n' | wc -l)"
same 'a layout, which Megatron-LM refuses beside it, is not there' 0 "$(grep -c layout "$tmp/arguments")"
check 'read back they take as long as planned' \
	grep -q 'a step takes \([0-9.]*\) ms with these arguments, \1 as planned' "$tmp/said"
sed 's/mlp\([0-9]\)/mamba2+mlp\1/g' "$tmp/plan" >"$tmp/two"
fails 'a layer of two blocks has no symbol' 1 "has no symbol for layer 'mamba2+mlp" sapp-yaml -f megatron "$tmp/two"
done_testing
