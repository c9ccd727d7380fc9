#!/usr/bin/perl
# mutants.pl [-n NUMBER] [-seed N] [-j JOBS]: small mistakes in the library and the planner, and whether tests see them.
# Each is one operator, number or condition changed in a copy of the sources, built and run against the unit tests and
# the quick tests of the tools that stand on the file. The same seed makes the same mistakes.
# Printed: those that survive, with what was changed, and the part that was killed.
use strict;
use warnings;
use File::Temp qw(tempdir);
use File::Basename;
use IO::Handle;
use POSIX qw(:sys_wait_h);

my ($number, $seed, $jobs) = (200, 1, 2);
while (@ARGV) {
	my $option = shift @ARGV;
	if ($option eq '-n') { $number = shift @ARGV }
	elsif ($option eq '-seed') { $seed = shift @ARGV }
	elsif ($option eq '-j') { $jobs = shift @ARGV }
	else { die "usage: mutants.pl [-n NUMBER] [-seed N] [-j JOBS]\n" }
}
my $top = dirname($0) . '/..';
chomp($top = `cd "$top" && pwd`);
# As long as the tests may take with a mistake, s: beyond, it is seen.
my $patience = 400;

# What each line of code offers: [what, by what].
my @changes = (
	[qr/ < /, ' <= '], [qr/ <= /, ' < '], [qr/ > /, ' >= '], [qr/ >= /, ' > '], [qr/ == /, ' != '],
	[qr/ != /, ' == '],
	[qr/ \+ /, ' - '], [qr/ - /, ' + '],
		[qr{ \* (?=[a-z(0-9])}, ' / '], [qr{ / }, ' * '], [qr/ && /, ' || '], [qr/ \|\| /, ' && '],
	[qr/\bfmin\(/, 'fmax('], [qr/\bfmax\(/, 'fmin('], [qr/ \+= /, ' -= '], [qr/ -= /, ' += '],
	[qr/\b1\b(?!e)/, '2'], [qr/\b0\b(?=[;,)])/, '1'], [qr/\breturn true;/, 'return false;'],
		[qr/\breturn false;/, 'return true;'],
	[qr/\bif \(!/, 'if ('], [qr/\+\+(?=[;)])/, '--'],
);

# Only code: no preprocessor, no tables of text, no messages, no declarations' numbers.
sub places {
	my ($file) = @_;
	my (@found, $comment, $body);
	open my $f, '<', "$top/$file" or die "$file: $!\n";
	while (my $line = <$f>) {
		$body = 1 if $line =~ /^\{/;
		$body = 0 if $line =~ /^\}/;
		$comment = 1 if $line =~ m{/\*} && $line !~ m{\*/};
		if ($body && !$comment && $line !~ m{^\s*(?:/?\*|#)} &&
			$line !~ /place_die|place_warn|place_say|errx?\(|warnx?\(|assert/ && $line !~ /"/) {
			my $code = $line =~ s{/\*.*}{}r;
			for my $c (0 .. $#changes) {
				while ($code =~ /$changes[$c][0]/g) { push @found, [$file, $., $-[0], $+[0], $c] }
			}
		}
		$comment = 0 if $line =~ m{\*/};
	}
	return @found;
}

my @files = split /\n/, `cd "$top" &&
	find tools/lib tools/sapp-lp -name '*.c' ! -name main.c ! -path '*/external/*' | LC_ALL=C sort`;
my @places = map { places($_) } @files;
srand $seed;
for my $i (reverse 1 .. $#places) { my $k = int rand($i + 1); @places[$i, $k] = @places[$k, $i] }
splice @places, $number if @places > $number;

# Tests: all units, and quick ones of the tools.
my @tests = grep { -e "$top/$_" } qw(tests/sapp-layers/run.t
	tests/sapp-sim/golden.t tests/sapp-sim/run.t tests/sapp-sim/schedules.t
	tests/sapp-memsplit/golden.t tests/sapp-memsplit/bad.t
	tests/sapp-lp/golden.t tests/sapp-lp/options.t tests/sapp-lp/schedules.t tests/sapp-lp/infeasible.t
	tests/sapp-yaml/print.t tests/sapp-yaml/edit.t);

my $scratch = tempdir(CLEANUP => 1);
$| = 1;
my ($count, $parent) = ({ killed => 0, survived => 0, 'built not' => 0 }, $$);
# Ended early, it says how far it came.
$SIG{INT} = $SIG{TERM} = sub { summary() if $$ == $parent; exit 1 };
sub summary {
	my $all = $count->{killed} + $count->{survived};
	printf "%d mistakes, seed %d: %d killed, %d survived: %.1f %%; %d more did not compile\n", $all, $seed,
	$count->{killed},
		$count->{survived}, $all ? 100 * $count->{killed} / $all : 0, $count->{'built not'};
}
sub quietly { my ($dir, $seconds, $command) = @_;
	return system("cd '$dir' && timeout -k 5 $seconds sh -c '$command' >'$dir/log' 2>&1"); }
for my $job (0 .. $jobs - 1) {
	my $dir = "$scratch/job$job";
	mkdir $dir or die;
	system("cd '$top' && cp -r Makefile tools tests examples share scripts man README.md '$dir'") == 0
		or die "cannot copy\n";
	# Not as fast, but made faster.
	quietly($dir, 900, 'make -s -j2 all unit-tests OPTIMIZE= CFLAGS=-O1') == 0
		or die "does not build: see $dir/log\n" . `tail -5 '$dir/log'`;
}

my @readers;
for my $job (0 .. $jobs - 1) {
	pipe my $from, my $to or die;
	my $child = fork() // die;
	if ($child) { close $to; push @readers, $from; next }
	close $from;
	my $dir = "$scratch/job$job";
	for (my $i = $job; $i < @places; $i += $jobs) {
		my ($file, $line, $start, $end, $change) = @{ $places[$i] };
		open my $f, '<', "$dir/$file" or die;
		my @text = <$f>;
		close $f;
		my @changed = @text;
		substr($changed[$line - 1], $start, $end - $start) = $changes[$change][1];
		write_lines("$dir/$file", @changed);
		my $fate = 'survived';
		if (quietly($dir, 300, 'make -s all unit-tests OPTIMIZE= CFLAGS=-O1') != 0) {
			$fate = 'built not';
		} elsif (quietly($dir, $patience,
			'BUILD=$PWD/build PATH=$PWD/build/bin:$PWD/scripts:$PATH LC_ALL=C; export BUILD PATH LC_ALL; '
			. 'for t in build/tests/*; do case $t in *.so | *.d) continue ;; esac; '
			. 'timeout 200 $t >out.tap 2>&1 && ! grep -q "^not ok" out.tap || exit 1; done')
			!= 0 || quietly($dir, $patience,
				'BUILD=$PWD/build PATH=$PWD/build/bin:$PWD/scripts:$PATH LC_ALL=C prove -Q '
				. "@tests") != 0) {
			$fate = 'killed';
		}
		(my $before = $text[$line - 1]) =~ s/^\s+|\s+$//g;
		(my $after = $changed[$line - 1]) =~ s/^\s+|\s+$//g;
		print $to join("\t", $fate, "$file:$line", $before, $after), "\n";
		$to->flush;
		write_lines("$dir/$file", @text);
	}
	POSIX::_exit(0);
}
sub write_lines { my ($path, @lines) = @_; open my $f, '>', $path or die; print $f @lines; close $f }

for my $from (@readers) {
	while (<$from>) {
		chomp;
		my ($fate, $where, $before, $after) = split /\t/;
		$count->{$fate}++;
		print "$where: $before\n    became $after\n" if $fate eq 'survived';
	}
}
summary();
