#!/bin/sh
# Another solver as a child process: several rounds, its names, and removal of process and files however sapp-lp ends.
. "$(dirname "$0")/../lib.sh"
sapp-layers "$top/examples/llama-70b/layers.json" >"$tmp/layers" || exit 1
mkdir "$tmp/bin" "$tmp/t"
TMPDIR=$tmp/t
export TMPDIR

# Several rounds, each of which writes the model: lp_solve once used memory that was freed with the last file.
question="-s 4 -mb 8 -mem 60000 -i 2 -gap 0 -t 3 -solver cbc"
for _ in 1 2; do
	# shellcheck disable=SC2086 # words
	check "several rounds" run 0 env MALLOC_PERTURB_=165 timeout -s KILL 600 sapp-lp -j $question "$tmp/layers"
done
check "a plan" jq -e "select(.kind == \"plan\").step_time > 0" "$tmp/out"

# A solver that runs for long, and leaves a file.
printf '#!/bin/sh\necho $$ >"%s"\ntouch core\nexec sleep 600\n' "$tmp/pid" >"$tmp/bin/cbc"
chmod +x "$tmp/bin/cbc"
ended() { [ -z "$(ps -o stat= -p "$(cat "$tmp/pid")" | grep -v Z)" ]; }
begun() { [ -s "$tmp/pid" ]; }
# ended_by SIGNAL STATUS
ended_by() {
	rm -f "$tmp/pid"
	# nohup ignores SIGHUP.
	env --default-signal=HUP sapp-lp -s 4 -mb 8 -mem 60000 -gap 0 -t 500 -solver "$tmp/bin/cbc" \
		"$tmp/layers" >"$tmp/out" 2>"$tmp/err" &
	tool=$!
	soon "SIG$1: the solver runs" begun
	kill "-$1" $tool
	wait $tool 2>"$tmp/ended"
	same "SIG$1: status" "$2" "$?"
	soon "SIG$1: the solver is ended" ended
}
for signal in HUP:0 TERM:0 PIPE:141 USR1:138; do
	ended_by ${signal%:*} ${signal#*:}
	same "SIG${signal%:*}: nothing is left behind" "" "$(ls -A "$tmp/t")"
done
ended_by KILL 137
rm -rf "$tmp"/t/*

# Names of the solver.
cp "$tmp/bin/cbc" "$tmp/bin/cbc-evil"
ln -s "$(command -v cbc)" "$tmp/bin/cbc-2.10"
ln -s "$(command -v cbc)" "$tmp/bin/cbc_v2"
for name in cbc-evil cbcx ./cbc-2.10-evil cbc-; do
	fails "not $name" 2 "-solver: not cbc, glpsol, highs or scip '$name'" sapp-lp -s 4 -solver "$name" \
		"$tmp/layers"
done
for name in cbc-2.10 cbc_v2; do
	check "but $name" run 0 sapp-lp -s 4 -mb 8 -mem 60000 -gap 0.01 -t 10 -solver "$tmp/bin/$name" "$tmp/layers"
done
done_testing
