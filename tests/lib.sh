# TAP for shell tests: source this file, call the checks, and end with done_testing.
# shellcheck shell=sh
# BUILD is the build directory; its bin/ is first in PATH. QUICK is set if programs are slow, as with sanitizers. LONG
# is set by make check-long.
n=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
: "${BUILD:?run through make check, or set BUILD to the build directory}"
top=$(cd "$(dirname "$0")" && while [ ! -e tests/lib.sh ] && [ "$PWD" != / ]; do cd ..; done && pwd)

ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); echo "not ok $n - $1"; }
skip() { n=$((n + 1)); echo "ok $n # SKIP $1"; }
diag() { sed 's/^/# /' >&2; }
done_testing() {
	[ ! -s "$tmp/jq.failed" ] || { not_ok 'every program of jq ran'; diag <"$tmp/jq.failed"; }
	echo "1..$n"
}

# check NAME COMMAND...: pass if the command succeeds.
check() {
	name=$1; shift
	if "$@" >"$tmp/check.out" 2>&1; then ok "$name"; else not_ok "$name"; diag <"$tmp/check.out"; fi
}
# run STATUS COMMAND...: run with stdout and stderr in $tmp/out and $tmp/err; true if the exit status is STATUS.
run() {
	want=$1; shift
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ "$got" -eq "$want" ] || { echo "status $got, not $want: $*" >&2; cat "$tmp/err" >&2; return 1; }
}
# fails NAME STATUS MESSAGE COMMAND...: check the exit status, and that a line of stderr contains MESSAGE.
fails() {
	name=$1 want=$2 message=$3; shift 3
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	if [ "$got" -eq "$want" ] && tells "$message"; then
		ok "$name"
	else
		not_ok "$name"
		{ echo "status $got (expected $want), looking for: $message"; head -5 "$tmp/err"; } | diag
	fi
}
# tells TEXT: return whether a line of $tmp/err contains TEXT. Starting grep takes longer than reading some lines.
tells() {
	while IFS= read -r err_line || [ -n "$err_line" ]; do
		case $err_line in *"$1"*) return 0 ;; esac
	done <"$tmp/err"
	return 1
}
# same NAME WANT GOT: compare two strings.
same() {
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; printf 'expected %s\ngot      %s\n' "$2" "$3" | diag; fi
}
# soon NAME COMMAND...: pass as soon as the command succeeds, and fail after ten minutes.
soon() {
	name=$1; shift
	tries=0
	until "$@" >"$tmp/check.out" 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 6000 ] || { not_ok "$name"; diag <"$tmp/check.out"; return; }
		sleep 0.1
	done
	ok "$name"
}
# processor_time: print the processor time (s) of a tool with -v, from its last line in $tmp/err. It does not depend on
# other load.
processor_time() { sed -n 's/^sapp-[a-z]*: \([0-9.]*\) s of processor time, .*/\1/p' "$tmp/err"; }
# long: true in make check-long. draws FEW MANY: print MANY in make check-long, else FEW.
long() { [ -n "${LONG-}" ]; }
draws() { if long; then echo "$2"; else echo "$1"; fi; }
# below NAME NUMBER LIMIT
below() {
	check "$1" awk -v a="$2" -v b="$3" 'BEGIN { if (a !~ /^[0-9.]+$/ || a + 0 >= b + 0) { print a; exit 1 } }'
}
# near NAME WANT GOT TOLERANCE: compare two numbers.
near() {
	if awk -v a="$2" -v b="$3" -v t="$4" \
		'BEGIN { d = a - b; if (d < 0) d = -d; exit !(b ~ /^[-+0-9.]/ && d <= t) }'; then
		ok "$1"
	else
		not_ok "$1"; printf 'expected %s +- %s\ngot      %s\n' "$2" "$4" "$3" | diag
	fi
}
# gojq starts in a tenth of the time of jq. It always sorts the members of objects, and has no -S.
jq() {
	case $1 in
	-S) shift ;;
	-cS | -Sc) shift; set -- -c "$@" ;;
	esac
	gojq "$@" || jq_failed $? "$@"
}
# A failed program prints nothing, and a comparison of two empty texts passes; so done_testing reports failures of jq.
# jq fails with status 2 (unknown option), 3 (does not compile) or 5 (error at run time); -e uses 1 and 4. A test that
# expects such an error writes `command jq`.
jq_failed() {
	jq_status=$1; shift
	case $jq_status in 2 | 3 | 5) printf 'status %s: jq %s\n' "$jq_status" "$*" >>"$tmp/jq.failed" ;; esac
	return "$jq_status"
}
# get KIND PROGRAM: run PROGRAM on the records of this kind on standard input. sim FILE...: print sapp-sim's results for
# each plan.
get() { jq -c "select(.kind == \"$1\") | $2"; }
sim() { sapp-sim -j "$@" | get sim .; }
# chunks SCHEDULE MICRO-BATCHES FORWARD MEMBERS: print a chunks record with the schedule as name.
chunks() { printf '{"kind":"chunks","name":"c","schedule":"%s","micro_batches":%s,"forward":%s%s}\n' "$@"; }
