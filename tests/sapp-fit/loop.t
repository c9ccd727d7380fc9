#!/bin/sh
# The closed loop: synthetic profiles from known formulas, and predictions from them for other runs.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
make=$top/examples/make-runs
echo '{"kind":"network","name":"n","layers":8,"hidden_size":2048,"num_heads":16,"kv_heads":8,"head_dim":128,'\
'"ffn_size":6144,"vocab_size":32000,"seq_length":4096,"gated":true,"tied":false}' >net
cat >list <<'EOT'
{"kind":"run","name":"one","dp":2,"tp":2,"pp":2,"mbs":2,"micro_batches":4,"recompute":"none"}
{"kind":"run","name":"two","dp":4,"tp":2,"pp":1,"mbs":1,"micro_batches":4,"layers":2,"recompute":"none"}
EOT
mkdir runs
check 'runs are made' sh -c "'$make' net list runs >made"
same 'a rank of each stage' 'runs/one/rank_0 runs/one/rank_4 runs/two/rank_0' "$(echo runs/*/*)"
sed 's/"run"/"candidate"/' list >candidates
"$make" -steps net candidates . | jq .step_time >truth
for r in one two; do
	sapp-trace -kernels -nodes 1 -runs made runs/$r 2>>err
done >measured
sapp-fit -j measured >fit 2>>err
est() { { cat net "$1"; sed 's/"layers":2,//' candidates; } | sapp-est -cluster atlas-800t-a2 2>/dev/null |
	jq -c 'select(.kind == "estimate")'; }
# within 3 %.
within() { near "$1" "$2" "$3" "$(jq -n "$2 * 0.03")"; }
est fit >estimates
within 'a run itself, of two stages' "$(head -1 truth)" "$(head -1 estimates | jq .step_time)"
same 'by what was measured' '[true,"measured","measured"]' \
	"$(head -1 estimates | jq -c '[.source.shares.measured > 0.98, .source.layers, .source.communication]')"
check 'and inside' test "$(jq -n "$(head -1 truth) as \$t | $(head -1 estimates | jq -c '[.low, .high]') |
	.[0] < \$t and \$t < .[1]")" = true
jq -c 'select(.run == "two" or .name == "two" or .knots)' fit >second
near 'eight layers by a run of two of them' "$({ jq -c 'select(.name == "two") | del(.layers)' candidates |
	"$make" -steps net /dev/stdin . | jq .step_time; })" "$(est second | tail -1 | jq .step_time)" 9
same 'the same again' "$(cksum <fit)" "$(sapp-fit -j measured 2>/dev/null | cksum)"
csv=runs/two/rank_0/kernel_details.csv
cp "$csv" whole
head -c -70 whole >"$csv"
fails 'a table that was cut' 0 "the table ends within a row" sapp-trace -kernels -runs made runs/two
sed '1s/Duration(us)/Other/' whole >"$csv"
fails 'a column that is missing' 1 "kernel_details.csv" sapp-trace -kernels -runs made runs/two
cp whole "$csv"
mkdir -p half/one && cp -r runs/one/rank_0 half/one
fails 'a rank is missing' 0 'stage 1 of 2: no profile' sapp-trace -kernels -runs made half/one

NETWORKS=2 "$top/tests/bench/small.sh" bench >/dev/null 2>&1
of() { jq "select(.way == \"$1\") | .$2" bench; }
same '100 steps of runs that nobody made' 100 "$(of 'sapp-fit and sapp-est' steps)"
check 'half of them within 2 %' jq -es 'map(select(.way == "sapp-fit and sapp-est"))[0].median < 0.02' bench
check 'nine of ten within 5 %' jq -es 'map(select(.way == "sapp-fit and sapp-est"))[0].nine_of_ten < 0.05' bench
check 'all within 12 %' jq -es 'map(select(.way == "sapp-fit and sapp-est"))[0].worst < 0.12' bench
check '85 to 100 of them inside' jq -es 'map(select(.way == "sapp-fit and sapp-est"))[0].inside >= 0.85' bench
check 'nearer than lines through layers' jq -es '(.[0].nine_of_ten < .[1].nine_of_ten) and
	(.[0].nine_of_ten < .[2].nine_of_ten)' bench
for kind in cp ep; do
	check "$kind: 50 steps, half of them within 2 %, all within 10 %, nine of ten inside" jq -es "map(select(
		.way == \"ours, $kind\"))[0] | .steps == 50 and .median < 0.02 and .worst < 0.1 and
		.inside >= 0.9" bench
done
check 'what a layer keeps is within 0.01 %' jq -es 'map(select(.memory)) | length == 3 and all(.memory < 1e-4)' bench
check 'of one node alone half are within 3 %, nine of ten within 8 %, nine of ten inside' jq -es 'map(select(.way ==
	"one node only"))[0] | .steps == 100 and .median < 0.03 and .nine_of_ten < 0.08 and .inside >= 0.9' bench
done_testing
