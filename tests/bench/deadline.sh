#!/bin/bash
# Does -t hold? Large questions with little time, and the wall time by which each exceeds it; then the same questions
# with TERM after a second, and the time until they end. Prints a table and the worst of both; "deadline.sh FILE" also
# writes it to FILE as JSON lines. Wall times on a busy machine are not reliable; the table also has the processor time
# of all threads after the deadline. QUESTIONS: only questions whose names match this pattern.
out=${1:-/dev/null}
: >"$out"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# layers KINDS EACH: KINDS different kinds of layers with EACH layers, between a head and a tail.
layers() {
	jq -nc --argjson kinds "$1" --argjson each "$2" '
		{ kind: "layer", name: "HEAD", type: "HEAD", nb_layer: 1, time: 30.3, memory_parameter: 4000 },
		(range($kinds) | (. * 37 % 101 / 101) as $x |
			{ kind: "layer", name: "B\(.)", type: "BODY", nb_layer: $each, time: (180.7 - 90 * $x),
			memory_parameter: (1500.3 - 700 * $x), memory_activation: (800.1 - 300 * $x),
			memory_select_rec: (600.7 - 250 * $x), memory_select_comm: (420.9 - 200 * $x),
			memory_both_comm_select: (310.1 - 100 * $x), memory_recompute: (32.3 - 10 * $x) }),
		{ kind: "layer", name: "TAIL", type: "TAIL", nb_layer: 1, time: 90.9, memory_parameter: 2000 }'
}
# timed SECONDS SIGNAL COMMAND...: run COMMAND, and send SIGNAL after SECONDS unless it is 0. Print the wall time (s),
# the processor time after SECONDS (s), and the exit status.
# processor time after those seconds, the exit status.
timed() {
	perl -MTime::HiRes=time,sleep -e '
		my ($seconds, $signal, @command) = @ARGV;
		my $begun = time;
		my $pid = fork // die;
		if (!$pid) { exec @command or exit 127 }
		sleep $seconds;
		my $used = 0;	# so far
		if (open my $f, "<", "/proc/$pid/stat") {
			my @field = split " ", (split /\) /, <$f>)[1];
			$used = ($field[11] + $field[12]) / 100 if $field[0] ne "Z";
		}
		my $gone = $used == 0;
		kill $signal, $pid if $signal && !$gone;
		waitpid $pid, 0;
		my $status = $? >> 8;
		my $took = time - $begun;
		my (undef, undef, $user, $system) = times;
		printf "%.3f %.2f %d\n", $took, $gone ? 0 : $user + $system - $used, $status;
	' "$@"
}
# ask NAME HOW SECONDS OPTION...: print a row; time above SECONDS is the overrun.
ask() {
	local name=$1 how=$2 allowed=$3 signal=0 limit=$3 took late status
	shift 3
	[ "$how" = -t ] || { signal=$how; limit=1000; }
	# shellcheck disable=SC2016 # that shell expands them
	read -r took late status < <(timed "$allowed" "$signal" \
		sh -c 'exec sapp-lp "$@" >"$0.plan" 2>"$0.err"' "$tmp/x" -j -gap 0 -t "$limit" "$@" "$tmp/layers")
	if [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then
		cat "$tmp/x.err" >&2
		exit 1
	fi
	jq -nc --arg name "$name" --arg how "$how" --argjson allowed "$allowed" --argjson took "$took" \
		--argjson late "$late" --argjson status "$status" '{ bench: "deadline", name: $name, how: $how,
		allowed: $allowed, took: $took, overrun: ([$took - $allowed, 0] | max), late_cpu: $late,
		status: $status }' | tee -a "$tmp/rows" |
		jq -r '[.name, .how, .allowed, .took, .overrun, .late_cpu, .status] | @tsv' |
		awk -F '\t' '{ printf "%-36s %-4s %8.2f %8.2f %8.2f %8.2f %6s\n", $1, $2, $3, $4, $5, $6, $7 }'
}

printf '%-36s %-4s %8s %8s %8s %8s %6s\n' question how allowed took overrun late,cpu status
while read -r name kinds each seconds options; do
	[[ $name =~ ${QUESTIONS-} ]] || continue
	layers "$kinds" "$each" >"$tmp/layers"
	# shellcheck disable=SC2086 # words are options
	ask "$name" -t "$seconds" $options
	# shellcheck disable=SC2086 # several words
	ask "$name" TERM 1 $options
done <<'END'
one-kind-1000-stages 1 2000 1 -s 1000 -mb 1000 -mem 60000
one-kind-1000-stages-longer 1 2000 5 -s 1000 -mb 1000 -mem 60000
one-kind-1000-stages-nothing-fits 1 2000 1 -s 1000 -mb 1000 -mem 100
450-kinds 450 1 1 -s 8 -mb 32 -mem 150000
450-kinds-two-chunks 450 1 1 -s 8 -i 2 -mb 32 -mem 150000
40-kinds-of-50 40 50 1 -s 64 -mb 128 -mem 400000
20-kinds-of-20-four-chunks 20 20 1 -s 64 -i 4 -mb 128 -mem 60000
450-kinds-nothing-fits 450 1 1 -s 8 -mb 32 -mem 1
450-kinds-two-chunks-nothing-fits 450 1 1 -s 8 -i 2 -mb 32 -mem 1
450-kinds-limits-of-stages 450 1 1 -s 4 -i 2 -mb 16 -mem 250000,210000,230000,190000
40-kinds-tight 40 10 1 -s 16 -i 2 -mb 64 -mem 52000
3-kinds-of-300 3 300 1 -s 16 -i 3 -mb 64 -mem 120000
3-kinds-of-300-all-mixes 3 300 1 -s 16 -i 3 -mb 64 -mem 120000 -mixes all
64-stages-of-4-chunks 1 256 1 -s 64 -i 4 -mb 256 -mem 30000
64-stages-of-4-chunks-longer 1 256 5 -s 64 -i 4 -mb 256 -mem 30000
64-stages-of-4-chunks-tight 1 256 1 -s 64 -i 4 -mb 256 -mem 14000
10000-layers 1 10000 1 -s 64 -mb 256 -mem 900000
10000-layers-two-chunks 2 5000 1 -s 64 -i 2 -mb 256 -mem 900000
v-shape 3 64 1 -s 64 -mb 256 -mem 60000 -S zbv
dualpipe 3 64 1 -s 64 -mb 256 -mem 60000 -S dualpipe
several-schedules 3 64 2 -s 32 -mb 128 -mem 60000 -i 1,2 -S 1f1b,vpp,zb-h1,vpp-less
free-order 1 128 1 -s 32 -mb 128 -mem 60000 -S free
free-order-two-chunks 1 256 1 -s 32 -i 2 -mb 128 -mem 60000 -S free
uniform-512-stages 1 1024 1 -s 512 -mb 1024 -mem 40000 -target megatron
uniform-four-chunks 3 128 1 -s 64 -i 4 -mb 256 -mem 40000 -target megatron
uniform-450-kinds 450 1 1 -s 8 -mb 32 -mem 150000 -mixes uniform
END
cat "$tmp/rows" >>"$out"
jq -rs 'group_by(.how)[] | max_by(.overrun) as $worst | max_by(.late_cpu) as $late |
	"\(.[0].how): \(length) questions, worst overrun \($worst.overrun * 1000 | round / 1000) s (\($worst.name)), " +
	"most work after it \($late.late_cpu) s of processor time (\($late.name)); over by more than 0.2 s and 5 %: " +
	"\(map(select(.overrun > ([0.2, 0.05 * .allowed] | max))) | length), of which with so much work: " +
	"\(map(select(([.overrun, .late_cpu] | min) > ([0.2, 0.05 * .allowed] | max))) | length)"' "$tmp/rows"
