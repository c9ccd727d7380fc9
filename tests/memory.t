#!/bin/bash
# Bounds on memory for large input. Sanitizers need additional memory.
. "$(dirname "$0")/lib.sh"

[ -z "${QUICK-}" ] || { skip "address space of sanitizers"; done_testing; exit; }
# within KB COMMAND...: run with this limit of address space.
within() { (ulimit -v "$1" && shift && run 0 "$@"); }

# peak NAME MB COMMAND...: check and print the peak memory of the command, at most MB.
peak() {
	name=$1 most=$2
	shift 2
	check "$name" sh -c 'out=$1; shift; exec "$@" >"$out"' sh "$tmp/out" \
		perl -MPOSIX -e 'my ($file, $usage) = (shift, "\0" x 144);
		my $status = system @ARGV;	# getrusage() of ended children; the fifth number is KB
		my $call = { x86_64 => 98, aarch64 => 165 }->{ (POSIX::uname())[4] };
		open my $f, ">", $file or die;
		print $f syscall($call, -1, $usage) == 0 ? (unpack "q18", $usage)[4] : -1 if defined $call;
		exit($status >> 8 || $status & 127)' "$tmp/kb" "$@"
	if [ ! -s "$tmp/kb" ]; then
		skip "no memory is measured on this processor"
	else
		awk -v kb="$(cat "$tmp/kb")" -v n="$name" 'BEGIN { printf "# %s: at most %.1f MB\n", n, kb / 1024 }'
		check "$name: within $most MB" awk -v kb="$(cat "$tmp/kb")" -v m="$most" \
			'BEGIN { exit !(kb > 0 && kb <= 1024 * m) }'
	fi
}

# Timelines are read as a stream: a timeline of 120 MB in a quarter of its size.
make-timeline -stages 0 -size 120 -o "$tmp/timeline" >/dev/null
check "sapp-trace: a timeline of 120 MB" within 30000 sapp-trace -mb 16 "$tmp/timeline"
same "is read to its end" '"BODY" 180' \
	"$(jq -r 'select(.kind == "layer" and .type == "BODY") | "\"\(.type)\" \(.time)"' "$tmp/out")"
! long || peak "sapp-trace: 120 MB" 16 sapp-trace -mb 16 "$tmp/timeline"
rm -rf "$tmp/timeline"

# A profile of PyTorch is partly kept in memory: half of a profile of 57 MB, in addition to the program itself.
awk -v names=module -v link=sequence -v steps=6000 -f "$top/tests/sapp-trace/kineto.awk" >"$tmp/p.pt.trace.json"
check "sapp-trace: a profile of 57 MB" within 36000 sapp-trace -body TransformerBlock "$tmp/p.pt.trace.json"
same "is read to its end" 5998 "$(jq 'select(.kind == "timing" and .phase == "forward") | .steps' "$tmp/out")"
rm "$tmp/p.pt.trace.json"

# Records of other tools pass through unchanged: a million records, in little more than their text.
yes '{"kind":"step","n":1}' | head -n 1000000 >"$tmp/steps"
sapp-layers "$top/examples/llama-70b/layers.json" >"$tmp/layers"
sapp-lp -j -s 4 -mb 8 -mem 60000 -gap 0 "$tmp/layers" >"$tmp/plan"
through() {	# NAME KB COMMAND...
	name=$1; shift
	check "$name: a million foreign records" within "$@" "$tmp/steps"
	same "$name: all go on" 1000000 "$(grep -c '^{"kind":"step","n":1}$' "$tmp/out")"
}
if long; then
	through sapp-sim 150000 sapp-sim -j "$tmp/plan"
	through sapp-lp 300000 sapp-lp -j -s 4 -mb 8 -mem 60000 -gap 0 "$tmp/layers"
fi
through sapp-layers 150000 sapp-layers -o "$tmp/x.json" "$tmp/layers"
for tool in 'sapp-sim -j' sapp-yaml; do
	# shellcheck disable=SC2086 # options
	peak "${tool%% *}: 22 MB of foreign records" 40 $tool "$tmp/plan" "$tmp/steps"
done
peak "sapp-lp: 22 MB of foreign records" 40 sapp-lp -j -s 4 -mb 8 -mem 60000 -gap 0 "$tmp/layers" "$tmp/steps"
! long || peak "sapp-layers: 22 MB of foreign records" 40 sapp-layers -o "$tmp/x.json" "$tmp/layers" "$tmp/steps"
jq -nc 'range(250001) | { kind: "layer", name: "b", type: "BODY", nb_layer: 1, time: 1 }' >"$tmp/steps"
fails "more records than can be" 1 "steps:250001: more than 250000 records" sapp-layers -o "$tmp/x.json" "$tmp/steps"

# An operation takes less than 64 bytes, including memory curve and critical path; less than 208 if orders are made and
# compared.
while read -r schedule stages chunks micro operations bytes; do
	jq -cn --arg k "$schedule" "{kind: \"chunks\", name: \"c\", schedule: \$k, micro_batches: $micro, activation: 1,
		forward: [range($chunks) | [range($stages) | 1]]}" >"$tmp/in"
	check "sapp-sim: $operations operations of $schedule" within $((operations / 1024 * bytes)) sapp-sim "$tmp/in"
	same "are simulated" 1 "$(grep -c '"sim"' "$tmp/out")"
done <<'END'
1f1b 64 1 8192 1048576 64
vpp 64 4 2048 1048576 64
vpp-less 64 4 2048 1048576 64
zb-h2 64 1 5462 1048704 208
v-half 64 2 2731 1048704 208
dualpipe 64 1 8192 1048576 64
END
done_testing
