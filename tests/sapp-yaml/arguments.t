#!/bin/sh
# Reading scripts and arguments: sums, variables and quotes of a shell; unknown or impossible values are refused.
. "$(dirname "$0")/../lib.sh"
base='--pipeline-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 8'
read_it() { sapp-yaml -j -r "$tmp/run.sh" </dev/null >"$tmp/out" 2>"$tmp/err"; }
counts() { jq -c 'select(.kind == "plan").counts[] | .none // .full' "$tmp/out"; }

# Numbers of layers given by a sum, or by a variable: 8.
while IFS='|' read -r before layers; do
	printf '%s\npython train.py --num-layers %s %s\n' "$before" "$layers" "$base" >"$tmp/run.sh"
	read_it
	same "$before $layers" '[[4,4]]' "$(counts)"
done <<'EOF'
N=8|$N
N=8|${N}
N="8"|"$N"
|$((2 * 4))
A=2; B=6|$((A + B))
A=2|$(($A * 5 - 2))
|$(( (1 + 1) * 4 ))
|$((17 / 2))
|$((17 % 9))
|$((10 - 1 - 1))
|${N:-8}
N=8|${N:-4}
export N=8|$N
EOF
# Values that are known only after running the script, and values that are not numbers.
while IFS='|' read -r layers message; do
	printf 'python train.py --num-layers %s %s\n' "$layers" "$base" >"$tmp/run.sh"
	fails "layers $layers" 1 "$message" sapp-yaml -r "$tmp/run.sh" </dev/null
done <<'EOF'
$N|--num-layers
$((N + 1))|--num-layers
$((8 / 0))|division by 0
$((8 % 0))|division by 0
$((9223372036854775807 * 2))|--num-layers
$((9223372036854775807 + 1))|--num-layers
$((8|unexpected EOF
$(cat layers)|--num-layers
eight|--num-layers: not a whole number
0|--num-layers: not a whole number
EOF
printf 'python train.py %s --num-layers --swiglu\n' "$base" >"$tmp/run.sh"
fails 'no value' 1 '--num-layers: no value' sapp-yaml -r "$tmp/run.sh" </dev/null
printf 'python train.py %s --num-layers 9 --num-layers 8\n' "$base" >"$tmp/run.sh"
read_it
same 'of two values the last, as argparse does' '[[4,4]]' "$(counts)"
{ i=0; while [ $i -lt 1001 ]; do echo "V$i=$i"; i=$((i + 1)); done
	echo "python train.py --num-layers \$V8 $base"; } >"$tmp/run.sh"
check 'many variables' run 0 sapp-yaml -r "$tmp/run.sh"

# Arguments that contradict each other.
while IFS='!' read -r arguments message; do
	printf 'python train.py --num-layers 8 %s %s\n' "$base" "$arguments" >"$tmp/run.sh"
	fails "$arguments" 1 "$message" sapp-yaml -r "$tmp/run.sh" </dev/null
done <<'EOF'
--decoder-first-pipeline-num-layers 9!layers of the other 1 stages
--decoder-first-pipeline-num-layers 3 --decoder-last-pipeline-num-layers 3!2 layers of the other 0 stages
--decoder-first-pipeline-num-layers 3 --num-virtual-stages-per-pipeline-rank 2!3 layers of stage 0 cannot be divided
--num-layers-per-virtual-pipeline-stage 3!8 layers on 2 stages cannot be divided into chunks of 3
--pipeline-model-parallel-layout Et*3!layout
--pipeline-model-parallel-layout Et*3|t*4L!layout
--num-layer-list 4,x!not a list of whole numbers
--num-layer-list 4,3!num-layer-list
--noop-layers 1,,2!not a list of whole numbers
EOF
printf 'python train.py --num-layers 8 %s --recompute-granularity full --recompute-method uniform %s\n' "$base" \
	'--recompute-num-layers 2' >"$tmp/run.sh"
read_it
check 'uniform recomputation by twos is said to keep less' grep -q 'uniform recomputation of 2 layers' "$tmp/err"
done_testing
