#!/bin/bash
# The way of who comes new, in a Debian 12 that has nothing but git and make: a clone, the README's set-up, build and
# installation, make demo, make check, the README's commands one by one, those of the tutorial. "bare.sh DIR" keeps the
# bare system in DIR for the next time; TESTS are those of make check, all if not given.
set -u
n=0
ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); echo "not ok $n - $1"; bad=1; }
skip() { echo "1..0 # SKIP $1"; exit 0; }
keep=${1:?usage: bare.sh DIR} bad=0
top=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" = 0 ] || skip 'only root can make a bare system'
for tool in debootstrap unshare chroot; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
unshare --mount --pid --fork true 2>/dev/null || skip 'no namespaces here'

mkdir -p "$keep" || exit 1
keep=$(cd "$keep" && pwd)
if [ ! -e "$keep/base/.complete" ]; then
	rm -rf "$keep/base"
	debootstrap --variant=minbase --include=git,make,ca-certificates bookworm "$keep/base" \
		>"$keep/debootstrap.log" 2>&1 ||
		skip "no Debian 12 can be had: $(tail -n 1 "$keep/debootstrap.log")"
	: >"$keep/base/.complete"
fi
# A fresh one each time; how packages are fetched is as on this machine.
rm -rf "$keep/root"
cp -a "$keep/base" "$keep/root" || exit 1
root=$keep/root
trap 'rm -rf "$root"' EXIT
apt-config dump Acquire >"$root/etc/apt/apt.conf.d/80machine"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null
git clone -q --bare "$top" "$root/srv/sapp.git" || exit 1
git -C "$root/srv/sapp.git" branch -f newcomer "$(git -C "$top" rev-parse HEAD)" || exit 1

# inside NAME COMMAND: by bash in the bare system, in the clone once it is there.
inside() {
	# shellcheck disable=SC2016 # for the inner shell
	if unshare --mount --pid --fork bash -c 'mount --bind /dev "$0/dev" && mount -t proc proc "$0/proc" &&
		mount -t tmpfs tmpfs "$0/tmp" && exec chroot "$0" /usr/bin/env -i HOME=/root TESTS="$2" \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		bash -o pipefail -c "cd ~/sapp 2>/dev/null || cd; $1"' "$root" "$2" "${TESTS-}" \
		>"$keep/log" 2>&1 </dev/null
	then
		ok "$1"
	else
		not_ok "$1"
		tail -n 30 "$keep/log" | sed 's/^/# /'
	fi
}
inside 'git clone' 'git clone -q -b newcomer /srv/sapp.git sapp'
# The commands of Install, but the tests, which come behind the others; comments behind them go.
while read -r command; do
	inside "README: $command" "$command"
done < <(sed -n '/^## Install$/,/^## /s/^    //p' "$top/README.md" | sed 's/ *#.*//' | grep -v '^make check')
inside 'the demo ends with what is saved' 'make demo | tail -n 1 | grep "^saved .* % of every step$"'
inside 'its pictures are there' 'test -s build/demo/compare.svg && test -s build/demo/steps.html'
inside 'installed tools are found, and their pages' 'sapp-lp -V && test -s /usr/local/share/man/man1/sapp-lp.1'

# The files that a user of each framework has; then each line of the README's section in the same place.
walk() {	# SECTION PREPARATION
	inside "$1: files" "mkdir -p ~/'$1' && cd ~/'$1' && $2"
	while IFS= read -r command; do
		inside "$1: $command" "cd ~/'$1' && $command"
	done < <(sed -n "/^### $1\$/,/^##/s/^    //p" "$top/README.md")
}
walk MindFormers "cp ~/sapp/examples/llama-175b/{init.yaml,peaks.txt,train.yaml} . &&
	PATH=\$PATH:~/sapp/build/bin ~/sapp/examples/llama-175b/make-timeline timeline"
walk Megatron-LM "cp ~/sapp/examples/megatron/train.{sh,log} . &&
	PATH=\$PATH:~/sapp/build/bin ~/sapp/examples/megatron/make-profile profile"
walk PyTorch "cp ~/sapp/examples/torchtitan/init.yaml . &&
	PATH=\$PATH:~/sapp/build/bin ~/sapp/examples/megatron/make-profile profile"
# shellcheck disable=SC2016
inside 'pipes: files' 'mkdir -p ~/pipes && cd ~/pipes && cp ~/sapp/examples/llama-175b/init.yaml . &&
	PATH=$PATH:~/sapp/build/bin ~/sapp/examples/llama-175b/make-timeline timeline &&
	while IFS=: read -r path rest; do mkdir -p logs/${path%/*}; echo "${rest#*:}" >>logs/$path; done \
	<~/sapp/examples/llama-175b/peaks.txt'
while IFS= read -r command; do
	inside "README: $command" "cd ~/pipes && $command"
done < <(sed -n '/^    sapp-trace timeline\/ |/s/^    //p; /^## The tools$/,/^## /s/^    //p' "$top/README.md" |
	sed 's/  *#.*//')
# shellcheck disable=SC2016 # for the inner shell
inside 'make check' 'make check ${TESTS:+TESTS="$TESTS"}'
# shellcheck disable=SC2016
inside 'the commands of the tutorial and the questions' \
	'PATH=$PWD/build/bin:$PWD/scripts:$PATH prove tests/examples.t :: sapp-tutorial.7 sapp-faq.7'
inside 'make html' 'make html && test -s build/html/index.html'
inside 'make uninstall' 'make uninstall && ! command -v sapp-lp'
echo "1..$n"
exit "$bad"
