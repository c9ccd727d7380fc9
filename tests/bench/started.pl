# Run each SCRIPT with real bash, in a copy of the file system that cannot be written, without a network, with stubs for
# torchrun, python and similar programs that record their arguments. Needs unshare of util-linux and the right to mount.
use strict;
use warnings;
use File::Temp 'tempdir';

my @launchers = qw(torchrun deepspeed accelerate msrun megatron swift python python3 python3.10 flagscale primus-cli
	colossalai llamafactory-cli ft_launcher);
my @nested = qw(srun mpirun mpiexec nsys ncu nohup numactl stdbuf taskset nice sudo unbuffer setsid uv);
my @quiet = qw(mkdir rm cp mv ln touch chmod chown pip pip3 wget curl git conda module sleep apt apt-get make tar unzip
	pkill killall kill ulimit);
my @real = qw(bash sh env dirname basename seq cat expr tr cut head tail wc sort uniq sed awk grep nproc readlink
	realpath date hostname id whoami uname bc find timeout tee test true false printf echo pwd ls paste rev xargs
	mawk gawk egrep fgrep stat sleep comm diff printenv);
my $stub = <<'STUB';
#!/bin/bash
{ printf '%s\0' "$#" "${0##*/}" "$@"; } >>"$JUDGE_NOTES"
STUB
my $wrap = <<'WRAP';
#!/bin/bash
name=${0##*/}
for ((i = 1; i <= $#; i++)); do
	word=${!i}
	case ${word##*/} in
	torchrun | deepspeed | accelerate | msrun | megatron | swift | python* | bash | sh | env | timeout | numactl | \
		nohup | nsys | mpirun)
		[[ ${word##*/} != bash || ${word} != */* ]] || word=bash
		exec "$word" "${@:i+1}" ;;
	*.sh) exec bash "${@:i}" ;;
	*.py) [[ $name == nsys || $name == ncu ]] || { exec "${@:i}"; } ;;
	esac
done
[[ ${!#} != *' '* ]] || exec bash -c "${!#}"
WRAP
my $ray = <<'RAY';
#!/bin/bash
while (($# > 0)) && [[ $1 != -- ]]; do shift; done
shift
(($# == 0)) || exec "$@"
RAY

my $all = <<'ALL';
mount --bind "$1" "$1" && mount -o remount,ro,bind / || exit 9
mount --bind "$1/notes" "$1/notes" || exit 9
mount --bind "$1/bin" "$1/bin" && mount -o remount,ro,bind "$1/bin" || exit 9
n=0
while IFS= read -r -d '' script; do
	n=$((n + 1))
	head -1 "$script" | grep -q '^#!.*[/ ]sh *$' && how=(bash --posix) || how=(bash)
	mapfile -t slurm <"$1/slurm.$n"
	run=(setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs env -i HOME="$HOME" USER=user \
		LANG=C.UTF-8 PATH="$1/bin" JUDGE_NOTES="$1/notes/$n" "${slurm[@]}" timeout -k 1 10 "${how[@]}")
	"${run[@]}" "$script" </dev/null >/dev/null 2>&1
	# Files that it reads are missing here, so set -e is ignored.
	[[ -s $1/notes/$n ]] ||
		"${run[@]}" -c 'set() { :; }; . "$0"' "$script" </dev/null >/dev/null 2>&1
done <"$1/list"
exit 0
ALL


sub put
{
	my ($path, $text) = @_;

	open my $f, '>', $path or die "$path: $!\n";
	print $f $text;
	close $f;
	chmod 0755, $path;
}
sub slurp { my ($path) = @_; local $/; open my $f, '<', $path or return ''; my $t = <$f>; return $t // ''; }

# The variables of a job of Slurm, by the lines at the head of a script.
sub slurm
{
	my ($head) = slurp($_[0]) =~ /\A((?:#.*\n|\s*\n)*)/;
	my %of = (NNODES => '--nodes|-N', NTASKS_PER_NODE => '--ntasks-per-node', NTASKS => '--ntasks|-n',
		GPUS_ON_NODE => '--gpus-per-node|--gres=gpu(?::[a-z]\w*)?');
	my %n;

	for my $name (keys %of) {
		$n{$name} = $1 while $head =~ /^#SBATCH\s+(?:$of{$name})[=:\s]*(\d+)\s*(?:#.*)?$/mg;
	}
	$n{NTASKS} //= $n{NNODES} * $n{NTASKS_PER_NODE} if $n{NNODES} && $n{NTASKS_PER_NODE};
	$n{NTASKS_PER_NODE} //= int($n{NTASKS} / $n{NNODES}) if $n{NNODES} && $n{NTASKS};
	$n{JOB_NUM_NODES} = $n{NNODES} if $n{NNODES};
	$n{NPROCS} = $n{NTASKS} if $n{NTASKS};
	return join '', map { "SLURM_$_=$n{$_}\n" } sort keys %n;
}

# Run SCRIPTS, all in one name space. Return the folder with notes/N of the N-th, which is removed at the end.
sub started_by_bash
{
	my $tmp = tempdir(CLEANUP => 1);

	mkdir "$tmp/$_" for qw(bin notes);
	chmod 0777, "$tmp/notes";
	chmod 0755, $tmp;
	put("$tmp/bin/$_", $stub) for @launchers;
	put("$tmp/bin/$_", $wrap) for @nested;
	put("$tmp/bin/$_", "#!/bin/sh\n") for @quiet;
	put("$tmp/bin/ray", $ray);
	for my $name (@real) {
		my ($path) = grep { -x } map { "$_/$name" } qw(/usr/bin /bin);
		symlink $path, "$tmp/bin/$name" if defined $path && !-e "$tmp/bin/$name";
	}
	put("$tmp/slurm." . ($_ + 1), slurm($_[$_])) for 0 .. $#_;
	put("$tmp/list", join '', map { "$_\0" } @_);
	put("$tmp/all", $all);
	system('unshare', '-m', '-n', '-p', '--fork', 'bash', "$tmp/all", $tmp) == 0 or
		die "no name space of its own here\n";
	return $tmp;
}

# The lists of words of NOTES.
sub launches
{
	my @w = split /\0/, slurp($_[0]), -1;
	my @all;

	while (@w > 1) {
		my $n = shift @w;
		push @all, [splice @w, 0, $n + 1];
	}
	return grep { @$_ > 2 && !(($_->[0] =~ /^python/) && $_->[1] =~ /^(-c|-V|--version|-)$/) &&
		!($_->[1] eq '-m' && $_->[2] =~ /^(pip|venv|json.tool|site|build)$/) } @all;
}

1;
