#!/bin/sh
# Launch scripts in LAUNCHES, a folder of public repositories: how many scripts sapp-args reads as bash does, and how
# many sapp-model and sapp-yaml -r understand. Prints the scripts that are not right, then shares by repository. A
# refusal with what to do counts only if that was done here, and worked. Then come the arguments of the scripts that are
# read, by their class in share/arguments.
: "${LAUNCHES:?a folder with launch scripts}"
export LAUNCHES
find "$LAUNCHES" -type f \( -name '*.sh' -o -name '*.slurm' \) -print0 |
	xargs -0 grep -lZE 'torchrun|torch\.distributed|megatron sft|deepspeed|msrun|pretrain_|train.*\.py|swift' |
	xargs -0 -n "${EACH:-40}" -P "$(nproc)" perl "$(dirname "$0")/launch.pl" |
	awk -F '\t' '
	# Print the number N of class C, and its share of those that COUNT.
	function put(of, c, n, count) {
		printf "%-30s %-36s %5d %5.1f %%\n", of, c, n, count ? 100 * n / count : 0 | "sort"
	}
	$1 != "arguments" && $3 ~ /silence|^refused$|not read|more|judged|unclear|wrong/ {
		printf "%s: %s: %s: %s\n", $4, $1, $3, $5
	}
	{
		n = $1 == "arguments" ? $5 : 1
		of = $1 " " $2
		all = $1 " in all"
		number[of, $3] += n; number[all, $3] += n
		class[$3]; where[of]; where[all]
	}
	$3 !~ /^(starts nothing|not judged|does not train)$/ { counted[of] += n; counted[all] += n }
	END {
		for (of in where)
			for (c in class)
				if ((of, c) in number)
					put(of, c, number[of, c], counted[of])
		all = "meaning in all"
		for (c in class)
			if (c ~ /^right|with what to|fault of the script/)
				good += number[all, c]
		put(all, "= right, or what to set or do", good, counted[all])
	}'
