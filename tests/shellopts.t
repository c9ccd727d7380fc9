#!/bin/sh
# Exported options of the caller's shell do not affect the scripts.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/layers.jsonl" <<'END'
{"kind":"layer","name":"Head","type":"HEAD","nb_layer":1,"time":1,"memory_parameter":100}
{"kind":"layer","name":"Body","type":"BODY","nb_layer":8,"time":2,"memory_parameter":200,"memory_activation":100}
{"kind":"layer","name":"Tail","type":"TAIL","nb_layer":1,"time":2,"memory_parameter":100}
END
cp "$top"/examples/moe-64/*.json "$top"/examples/moe-64/*.yaml "$tmp"
cd "$tmp" || exit 1
# outcome NAME VARIABLE=VALUE: what each script prints, with and without the variable.
outcome() {
	dir=$1; shift
	mkdir "$dir"
	env "$@" sapp-balance --layers layers.jsonl -s 2 -mb 4 -mem 2500 -t 100 -naive 0 -o "$dir/balance" \
		2>"$dir/err.1" &&
	env "$@" sapp-balance --layers layers.jsonl -s 2 -mb 4 -mem 2500 -t 100 -naive 0 -o "$dir/balance" \
		2>"$dir/err.2" &&
	env "$@" sapp-sweep -s 2 -mb 4 -mem 2000,2500 -t 100 -o "$dir/sweep" layers.jsonl 2>"$dir/err.3" &&
	env "$@" sapp-search -n -o "$dir/search" job.yaml 2>"$dir/err.4" &&
	env "$@" sapp-dryrun 'echo "Actual peak memory usage (without fragments): 10M"; : >"$HOME/1"; : >"$HOME/1"' \
		8 2 "$dir/runs" -j 1 2>"$dir/err.5" | sed 's/.*: *//'
}
HOME=$tmp
export HOME
outcome plain A=1 >plain.out
check 'scripts print something' test "$(wc -l <plain.out)" -gt 30
# Names of directories have five letters: reports fold long lines. Options that do not hide each other are tested
# together; options of set have no effect with POSIXLY_CORRECT.
others() {	# DIR VARIABLE=VALUE...
	outcome "$@" | sed "s,$1/,plain/,g" >"$1.out"
	same "$* changes nothing of it" '' "$(diff plain.out "$1.out")"
}
others shell SHELLOPTS=noclobber:errexit:noglob
others bashs BASHOPTS=failglob POSIXLY_CORRECT=1
if long; then
	for v in SHELLOPTS=noclobber SHELLOPTS=errexit SHELLOPTS=noglob POSIXLY_CORRECT=1 BASHOPTS=failglob; do
		set -- "$@" "$v"
		others "only$#" "$v"
	done
fi
done_testing
