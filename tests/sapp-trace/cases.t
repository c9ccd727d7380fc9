#!/bin/sh
# Small profiles, logs and settings that were once read wrongly, if available: case, command, result and correct result.
. "$(dirname "$0")/../lib.sh"
data=${SHARED_DATA:-$top/../shared}/golden/cases/profiles

if [ ! -d "$data" ]; then
	skip "no cases in $data"
	done_testing
	exit
fi
cd "$data" || exit
rounded='def r($d): . * pow(10; $d) | round / pow(10; $d)'

# case NUMBER COMMAND RIGHT [FILTER]: print a table line with the filtered records, or with the output on standard
# error.
case_of() {
	sh -c "$2" </dev/null >"$tmp/out" 2>"$tmp/err"
	if [ $# -gt 3 ]; then value=$(jq -cs "$rounded; $4" "$tmp/out"); else value=$(xargs -d '\n' <"$tmp/err"); fi
	case $# in
	4) same "case $1" "$3" "$value" ;;
	*) check "case $1" tells "$3" ;;
	esac
	echo "# $1 | $2 | $value | $3"
}
layers='map(select(.kind == "layer") | [.nb_layer, ((.busy_time // .time) | r(4)), (.backward_time | r(4))])'
# All body layers: their number, and the mean of their kernels' time; timing records have the sum.
mean() { echo 'map(select(.kind == "timing" and (.name | startswith("layer")))) | [([.[] |
	select(.phase == "forward").instances] | add), ([.[] | select(.phase == "forward").busy] | add / '"$1"' | r(4)),
	([.[] | select(.phase == "backward").busy] | add / '"$1"' | r(4))]'; }
estimates='map(select(.kind == "fit"))[0].estimates | map(select(.computed | not) | [.name, (.value | r(-1))])'

case_of 01 'sapp-trace -c 01-init.yaml 01-hybrid/*_ascend_pt' '[16,0.82,1.665]' "$(mean '(16 * 2)')"
case_of 03 'sapp-trace -c 03-init.yaml 03-dense-first/*_ascend_pt' \
	'[[1,0.0205,0.04],[3,0.745,1.536],[13,1.24,2.433],[1,0.351,0.6515]]' "$layers"
case_of '03, all' 'sapp-trace -c 03-init.yaml 03-dense-first/*_ascend_pt' '[16,1.1472,2.2572]' "$(mean '(16 * 4)')"
case_of '03, stage 0' 'sapp-trace -mb 4 03-dense-first/stage0_ascend_pt' '[8,1.0544,2.0894]' "$(mean '(8 * 4)')"
case_of 04 'sapp-memsplit 04-init.yaml 04-torchtitan-colour.log' \
	'[["parameter",1000],["none",200],["head",1510],["tail",800]]' "$estimates"
case_of 07 'sapp-yaml -r 07-primus-one.yaml' '{"full":[[4]],"none":[[28]]}' \
	'map(select(.kind == "plan"))[0].counts.BODY'
case_of 09 'sapp-memsplit 09-see-memory.log 09-see-memory.log' \
	'[["parameter",2800],["none",200],["head",900],["tail",800]]' "$estimates"
case_of 11 'sapp-trace -mb 1 11-five-to-one.json' '[[1,0.02,0.04],[12,0.7033,1.43],[1,0.35,0.65]]' "$layers"
case_of 14 'sapp-yaml -w 14-primus-fsdp2.yaml -n 14-plan.jsonl' \
	'use_torch_fsdp2: Megatron-LM rejects it with --pipeline-model-parallel-size'
done_testing
