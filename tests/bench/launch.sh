#!/bin/sh
# Launch scripts in LAUNCHES, a folder of public repositories: how many scripts sapp-args reads as bash does, and how
# many sapp-model and sapp-yaml -r understand. Prints the scripts that are not right, then shares by repository.
: "${LAUNCHES:?a folder with launch scripts}"
export LAUNCHES
find "$LAUNCHES" -type f \( -name '*.sh' -o -name '*.slurm' \) -print0 |
	xargs -0 grep -lZE 'torchrun|torch\.distributed|megatron sft|deepspeed|msrun|pretrain_|train.*\.py|swift' |
	xargs -0 -n "${EACH:-40}" -P "$(nproc)" perl "$(dirname "$0")/launch.pl" |
	awk -F '\t' '
	$3 ~ /silence|^refused$|more|judged|unclear|wrong/ { printf "%s: %s: %s: %s\n", $4, $1, $3, $5 }
	{ of = $1 " " $2; number[of, $3]++; class[$3]; where[of] }
	$3 !~ /^(starts nothing|not judged|does not train)$/ { all[of]++ }
	END {
		for (of in where)
			for (c in class)
				if ((n = number[of, c]) > 0)
					printf "%-30s %-36s %5d %5.1f %%\n", of, c, n, all[of] ? 100 * n / all[of] : \
						0 | "sort"
	}'
