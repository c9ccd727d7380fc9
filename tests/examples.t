#!/usr/bin/perl
# Every example runs: the examples of examples/, and every command in an EXAMPLES section or in a section "FROM A ..."
# of a page, from a directory with examples/. Lines after a command of a display are expected output. A comment "not
# run: why" in a page excludes the next display; a comment "long: why" leaves it to make check-long. Arguments are
# names of pages to test.
# Planners get a fifth of a second each, unless the page shows output of their command, or of a later one that reads
# their file. A file that a page makes by the same command from the same files as an earlier page is made once. make
# check-long gives planners the time of the page, and makes each file again.
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use File::Glob qw(:bsd_glob);
use File::Temp qw(tempdir);
use Test::More;

my $top = abs_path($0) =~ s{/tests/[^/]*$}{}r;
my $start = getcwd();
my $output = tempdir(CLEANUP => 1) . '/output';

# Print the commands of a page in order: from .Dl, and from displays, where "|" or "\" continues a line.
sub commands {
	my ($page) = @_;
	my (@commands, $section, $display, $spared, $open, $here);	# of [command, line of output...]

	open my $f, '<', $page or die "$page: $!";
	while (my $line = <$f>) {
		chomp $line;
		$section = $1 if $line =~ /^\.Sh (.*)/;
		next unless ($section // '') =~ /^(EXAMPLES|FROM A )/;
		$spared = 1 if $line =~ /^\.\\" not run: \S/ || !$ENV{LONG} && $line =~ /^\.\\" long: \S/;
		if ($line =~ /^\.Bd -literal/) {
			$display = 1;
			undef $open;
		} elsif ($line =~ /^\.Ed/) {
			$display = $spared = 0;
		} elsif ($line =~ /^\.Dl \$ (.*)/) {
			push @commands, [$1] unless $spared;
			$spared = 0;
		} elsif ($display && !$spared && $line =~ /^\$ (.*)/) {
			push @commands, [$1];
			$open = $1;
			($here) = $line =~ /<<.?([A-Z]+)/;
		} elsif ($display && !$spared && defined $open && $open =~ /(\||\\e)$/) {
			$commands[-1][0] .= "\n$line";
			$open = $line;
		} elsif (defined $here) {
			$commands[-1][0] .= "\n$line";
			undef $here if $line eq $here;
		} elsif ($display && !$spared && defined $open) {
			push @{$commands[-1]}, $line;
		}
	}
	for my $command (@commands) {
		s/\\\(dq/"/g, s/\\e/\\/g, s/\\&//g, s/\\-/-/g for @$command;
	}
	# NEEDED: the files that commands with shown output read. What writes no file counts before any of these.
	my ($shown, %needed);
	for my $command ($ENV{LONG} ? () : reverse @commands) {
		my ($file) = $command->[0] =~ />(\w[\w.]*)$/;
		if (@$command > 1 || (defined $file ? $needed{$file} : $shown)) {
			$shown = 1;
			$needed{$_} = 1 for $command->[0] =~ /[\w.]+/g;
		} else {
			$command->[0] =~ s/(sapp[- ](?:lp|sweep|balance)\b[^|]* -t )[0-9]+/${1}0.2/;
		}
	}
	return @commands;
}

sub runs {
	my ($name, $expected, @command) = @_;
	local $ENV{STEPS} = 2;	# of examples/cpu-run, which trains
	open my $saved, '>&', \*STDOUT or die;
	open my $errors, '>&', \*STDERR or die;
	open STDOUT, '>', $output or die;
	open STDERR, '>&', \*STDOUT or die;
	my $status = system { $command[0] } @command;
	open STDOUT, '>&', $saved or die;
	open STDERR, '>&', $errors or die;
	open my $f, '<', $output or die;
	my @said = <$f>;
	chomp @said;
	if ($status >> 8 == 77) {	# a requirement is missing
	SKIP: { skip $said[-1], 1 }
		return;
	}
	unless (ok($status == 0, $name)) {
		diag "status ", $status >> 8, "\n", join "\n", @said > 10 ? @said[-10 .. -1] : @said;
	}
	for my $line (@$expected) {
		ok((grep { $_ eq $line } @said) > 0, "it prints $line")
			or diag join "\n", @said > 10 ? @said[-10 .. -1] : @said;
	}
}

# The file or directory that a command makes, and all that determines it: the command, and what determines the files in
# this directory that it names. %from: of the files here.
my %from;
sub made {
	my ($line) = @_;
	return unless $line =~ /(?:>|make-(?:timeline|profile) )(\w[\w.]*)$/ && $line !~ /2>&1|>>|<</;
	my ($file, @named) = ($1, sort grep { $line =~ /(?<![\w.])\Q$_\E(?![\w.])/ } keys %from);
	return ($file, join "\n", $line, map { "$_ is $from{$_}" } @named);
}
my %kept;	# copies by what determines them
my $kept = tempdir(CLEANUP => 1);

for my $page (@ARGV ? map { "$top/man/$_" } @ARGV : glob("$top/man/*.[157]")) {
	my $directory = tempdir(CLEANUP => 1);
	my @commands = commands($page) or next;
	%from = ();
	(my $name = $page) =~ s{.*/}{};
	symlink "$top/examples", "$directory/examples" or die;
	chdir $directory or die;
	for my $command (@commands) {
		my ($line, @lines) = @$command;
		my ($file, $by) = made($line);
		if (defined $file && !@lines && $kept{$by} && !$ENV{LONG}) {
			is(system('cp', '-r', $kept{$by}, $file), 0, "$name: $line, as before");
			$from{$file} = $by;
			next;
		}
		runs("$name: " . ($line =~ s/\n\s*/ /gr), \@lines, 'bash', '-o', 'pipefail', '-c', $line);
		# Other commands may change files: then nothing is known about those that they name.
		delete $from{$_} for grep { $line =~ /\Q$_\E/ && $line =~ /-[wo] / } keys %from;
		next unless defined $file;
		$from{$file} = $by;
		my $copy = "$kept/" . keys %kept;
		$kept{$by} = $copy if !$kept{$by} && system('cp', '-r', $file, $copy) == 0;
	}
	chdir $start;
}
# A demo plans for its whole time, and cpu-run trains; so both run only in make check-long, like scripts whose commands
# the tutorial shows. tests/install.t runs one of these.
for my $example (@ARGV ? () : (glob("$top/examples/*/run"), $ENV{LONG} ? glob("$top/examples/*/demo") : ())) {
	next if $example =~ /cpu-run|megatron|ratios|torchtitan/ && !$ENV{LONG};
	my $directory = tempdir(CLEANUP => 1);
	(my $name = $example) =~ s{^\Q$top/}{};
	chdir $directory or die;
	runs($name, [], $example, $example =~ /demo$/ ? "$directory/out" : ());
	chdir $start;
}
done_testing;
