#!/usr/bin/perl
# Judge sapp-args by bash itself: each SCRIPT runs in a copy of the file system that cannot be written, without a
# network, with stubs for torchrun, python and their kin that write down their arguments. The launches must be those
# that sapp-args prints, but for arguments that it lists as unknown. Prints a line for each script that is not right
# (-v: for each), and the shares. Needs unshare of util-linux with the right to mount.
use strict;
use warnings;
use File::Temp 'tempdir';
use JSON::PP;

my @launchers = qw(torchrun deepspeed accelerate msrun megatron swift python python3 python3.10 flagscale primus-cli
	colossalai llamafactory-cli);
my @nested = qw(srun mpirun mpiexec nsys ncu nohup numactl stdbuf taskset nice sudo unbuffer setsid);
my @quiet = qw(mkdir rm cp mv ln touch chmod chown pip pip3 wget curl git conda module sleep apt apt-get make tar unzip
	pkill killall kill ulimit);
my @real = qw(bash sh env dirname basename seq cat expr tr cut head tail wc sort uniq sed awk grep nproc readlink
	realpath date hostname id whoami uname bc find timeout tee test true false printf echo pwd ls paste rev xargs
	mawk gawk egrep fgrep stat sleep comm diff printenv);
my $debug = $ENV{JUDGE_DEBUG};
my $verbose = @ARGV && $ARGV[0] eq '-v' ? shift @ARGV : '';
my @scripts = @ARGV;
my $tmp = tempdir(CLEANUP => 1);
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

sub put
{
	my ($path, $text) = @_;

	open my $f, '>', $path or die "$path: $!\n";
	print $f $text;
	close $f;
	chmod 0755, $path;
}
mkdir "$tmp/bin";
mkdir "$tmp/notes";
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
# All scripts in one name space, so that it is made once.
put("$tmp/list", join '', map { "$_\0" } @scripts);
put("$tmp/all", <<'ALL');
mount --bind "$1" "$1" && mount -o remount,ro,bind / || exit 9
mount --bind "$1/notes" "$1/notes" || exit 9
mount --bind "$1/bin" "$1/bin" && mount -o remount,ro,bind "$1/bin" || exit 9
n=0
while IFS= read -r -d '' script; do
	n=$((n + 1))
	head -1 "$script" | grep -q '^#!.*[/ ]sh *$' && how=(bash --posix) || how=(bash)
	run=(setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs env -i HOME="$HOME" USER=user \
		LANG=C.UTF-8 PATH="$1/bin" JUDGE_NOTES="$1/notes/$n" timeout -k 1 10 "${how[@]}")
	"${run[@]}" "$script" </dev/null >/dev/null 2>&1
	# Files that it reads are missing here: without set -e.
	[[ -s $1/notes/$n ]] ||
		"${run[@]}" -c 'set() { :; }; . "$0"' "$script" </dev/null >/dev/null 2>&1
done <"$1/list"
exit 0
ALL
system('unshare', '-m', '-n', '-p', '--fork', 'bash', "$tmp/all", $tmp) == 0 or die "no name space of its own here\n";

sub slurp { my ($path) = @_; local $/; open my $f, '<', $path or return ''; my $t = <$f>; return $t // ''; }

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

# Times of the day in names differ.
sub undated { return map { my $w = $_; $w =~ s/\d[\d.:_T-]{5,}\d|\d{6,}/N/g; $w } @_; }

# Options with their values, by position: [[name, values...]...].
sub options
{
	my @all = (['']);

	for my $w (@_) {
		if ($w =~ /^--?[A-Za-z]/) {
			my ($name, $value) = split /=/, $w, 2;
			push @all, [$name, defined $value ? $value : ()];
		} else {
			push @{$all[-1]}, $w;
		}
	}
	return @all;
}

# Names of options that differ.
sub different
{
	my ($want, $got) = @_;
	my (%a, %b, %names);

	push @{$a{$_->[0]}}, join "\1", @$_ for options(@$want);
	push @{$b{$_->[0]}}, join "\1", @$_ for options(@$got);
	for my $k (keys %a, keys %b) {
		$names{$k} = 1 if join("\2", @{$a{$k} // []}) ne join("\2", @{$b{$k} // []});
	}
	my @names = sort keys %names;
	return @names;
}

sub words
{
	my ($g) = @_;

	return (@{$g->{launcher}}, $g->{program} ne '' ? $g->{program} : (), @{$g->{arguments}});
}

my %count;
for my $i (0 .. $#scripts) {
	my @want = launches("$tmp/notes/" . ($i + 1));
	my $pid = open(my $out, '-|') // die;
	if ($pid == 0) { open STDERR, '>', "$tmp/err"; exec 'sapp-args', $scripts[$i]; }
	my @got = map { decode_json($_) } <$out>;
	close $out;
	my ($class, $why) = ('right', '');
	my $err = slurp("$tmp/err");

	if (!@want && !@got) {
		$class = 'starts nothing';
		($why) = $err =~ /^(.*)$/m;
	} elsif (!@got) {
		$class = $err =~ /-set|-past-exit|write its value|ARGUMENT/ ? 'refused with what to set' : 'refused';
		($why) = $err =~ /^(.*)$/m;
	} elsif (!@want) {
		$class = 'not judged';
		$why = 'bash starts nothing: ' . ($got[0]{launcher}[0] // '') . " $got[0]{program}";
	} else {
		my $unknown = 0;

		($class, $why) = ('wrong in silence', 'launches are missing: ' . @got . ' of ' . @want) if @got < @want;
		for my $k (0 .. $#want) {
			# Jobs in the background start in any order: the launch that differs least.
			my ($g) = map { $_->[1] } sort { $a->[0] <=> $b->[0] } map { [scalar(different($want[$k],
				[words($_)])), $_] } @got;

			my @words = words($g);
			my @w = undated(@{$want[$k]});

			# What stands before the launcher that is judged: srun, env.
			shift @words while @words && $words[0] !~ m{(^|/)\Q$w[0]\E$};
			$words[0] = $w[0] if @words;
			@words = undated(@words);
			my %known = map { my $n = $_->{argument}; $n =~ s/=.*//; $n => 1 } @{$g->{unknown} // []};
			my @bad = grep { !$known{$_} && $_ ne '' } different(\@w, \@words);
			my @other = grep { $known{$_} } different(\@w, \@words);

			$unknown += @{$g->{unknown} // []};
			print "want @w\ngot  @words\n" if $debug;
			if (@bad || ("@w" ne "@words" && !@other && !@bad)) {
				($class, $why) = ('wrong in silence', "line $g->{line}: @bad");
				last;
			}
		}
		$class = 'right, arguments unknown' if $class eq 'right' && $unknown;
		($class, $why) = ('more launches', @got . ' and not ' . @want) if $class =~ /^right/ && @got > @want;
	}
	$count{$class}++;
	printf "%s: %s: %s\n", $scripts[$i], $class, $why // '' if $verbose || $class !~ /^right|nothing|with what/;
}
my $all = @scripts - ($count{'starts nothing'} // 0) - ($count{'not judged'} // 0);
printf "%-26s %5d %5.1f %%\n", $_, $count{$_}, $all ? 100 * $count{$_} / $all : 0
	for sort { $count{$b} <=> $count{$a} } keys %count;
exit($count{'wrong in silence'} ? 1 : 0);
