#!/bin/bash
# The first steps of a new user, in a Debian 12 with only git and make: a clone, make demo in at most two minutes, the
# README's other commands one by one, make check, the tutorial. "bare.sh DIR" keeps the bare system in DIR for the next
# time. TESTS: tests of make check, all by default. If no bare system can be made, a clone with this system's programs
# in PATH and no other environment runs up to make check, and a message says so.
set -u
n=0
ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); echo "not ok $n - $1"; bad=1; }
keep=${1:?usage: bare.sh DIR} bad=0
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$keep" || exit 1
keep=$(cd "$keep" && pwd)

# bare: make a new system in $keep/root, or print the reason why it cannot be made.
bare() {
	[ "$(id -u)" = 0 ] || { echo 'only root can make one'; return 1; }
	for tool in debootstrap unshare chroot; do
		command -v "$tool" >/dev/null || { echo "$tool is not installed"; return 1; }
	done
	unshare --mount --pid --fork true 2>/dev/null || { echo 'no namespaces here'; return 1; }
	if [ ! -e "$keep/base/.complete" ]; then
		rm -rf "$keep/base"
		debootstrap --variant=minbase --include=git,make,ca-certificates bookworm "$keep/base" \
			>"$keep/debootstrap.log" 2>&1 || { tail -n 1 "$keep/debootstrap.log"; return 1; }
		: >"$keep/base/.complete"
	fi
	# Use a fresh copy each time; packages are fetched as on this machine.
	cp -a "$keep/base" "$keep/root" || return 1
	apt-config dump Acquire >"$keep/root/etc/apt/apt.conf.d/80machine"
	cp /etc/resolv.conf /etc/hosts "$keep/root/etc/" 2>/dev/null
	return 0
}
rm -rf "$keep/root"
root=$keep/root home=/root source=/srv/sapp.git install='make install' found=/usr/local
trap 'rm -rf "$root"' EXIT
why=$(bare) || {
	echo "# no bare Debian 12 ($why): a clone in this system, with none of its environment"
	rm -rf "$root"
	home=$root/home source=$root/srv/sapp.git
	# shellcheck disable=SC2016 # for the inner shell
	install='make install PREFIX=$HOME/.local' found='$HOME/.local'
	mkdir -p "$home"
}
git clone -q --bare "$top" "$root/srv/sapp.git" || exit 1
git -C "$root/srv/sapp.git" branch -f newcomer "$(git -C "$top" rev-parse HEAD)" || exit 1

# inside NAME COMMAND: run COMMAND with bash in the bare system, in the clone if it exists.
inside() {
	path=$home/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
	set -- "$1" "cd ~/sapp 2>/dev/null || cd; $2" "$path"
	if if [ -n "$why" ]; then
		env -i HOME="$home" TESTS="${TESTS-}" PATH="$3" bash -o pipefail -c "$2"
	else
		# shellcheck disable=SC2016 # for the inner shell
		unshare --mount --pid --fork bash -c 'mount --bind /dev "$0/dev" && mount -t proc proc "$0/proc" &&
			mount -t tmpfs tmpfs "$0/tmp" && exec chroot "$0" /usr/bin/env -i HOME=/root TESTS="$2" \
			PATH="$3" bash -o pipefail -c "$1"' "$root" "$2" "${TESTS-}" "$3"
	fi >"$keep/log" 2>&1 </dev/null; then
		ok "$1"
	else
		not_ok "$1"
		tail -n 30 "$keep/log" | sed 's/^/# /'
	fi
}
start=$(date +%s)
inside 'git clone' "git clone -q -b newcomer '$source' sapp"
demo=$(sed -n '/^    make demo/s/^ *\(make demo\).*/\1/p' "$top/README.md")
inside "README: $demo" "$demo | tail -n 1 | grep '^saved .* % of every step\$'"
took=$(($(date +%s) - start))
if [ "$took" -le 120 ]; then
	ok "from the clone to the end of the demo in $took s"
else
	not_ok "from the clone to the end of the demo in $took s, not 120"
fi
inside 'its pictures are there' 'test -s build/demo/compare.svg && test -s build/demo/steps.html'
inside "$install" "$install"
inside 'installed tools are found, and their pages' "sapp-lp -V && test -s $found/share/man/man1/sapp-lp.1"

# Make the files of a user; then run each line of the README's section in this directory.
walk() {	# SECTION PREPARATION
	inside "$1: files" "mkdir -p ~/'$1' && cd ~/'$1' && $2"
	while IFS= read -r command; do
		inside "$1: $command" "cd ~/'$1' && $command"
	done < <(sed -n "/^## $1\$/,/^## [^#]/s/^    //p" "$top/README.md" | sed 's/  *#.*//')
}
walk 'MindFormers: from a profile to settings' "cp ~/sapp/examples/llama-175b/{init.yaml,peaks.txt,train.yaml} . &&
	PATH=\$PATH:~/sapp/build/bin ~/sapp/examples/llama-175b/make-timeline timeline"
walk 'Megatron-LM: from a run to its next settings' "cp ~/sapp/examples/megatron/train.{sh,log} . &&
	PATH=\$PATH:~/sapp/build/bin ~/sapp/examples/megatron/make-profile profile"
if [ -n "$why" ]; then
	echo "1..$n"
	exit "$bad"
fi
# shellcheck disable=SC2016 # for the inner shell
inside 'make check' 'make check ${TESTS:+TESTS="$TESTS"}'
# shellcheck disable=SC2016 # for the inner shell
inside 'the commands of the tutorial and the questions' \
	'PATH=$PWD/build/bin:$PWD/scripts:$PATH prove tests/examples.t :: sapp-tutorial.7 sapp-faq.7'
inside 'make html' 'make html && test -s build/html/index.html'
inside 'make uninstall' 'make uninstall && ! command -v sapp-lp'
echo "1..$n"
exit "$bad"
