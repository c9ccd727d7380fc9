# A copy of the sources into which mistakes are inserted, and on which tests run.
package copy;
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use POSIX qw(:sys_wait_h);
use Time::HiRes qw(time);

# Less optimization than for installed tools, since building is faster.
my $make = 'make -s -f tests/mutants/shared.mk OPTIMIZE= CFLAGS="-O1 -fPIC"';
# Memory limit of a test, kB: a mistake may allocate without limit. Sanitizers reserve more than exists.
my $memory = 8_000_000;
my %sanitized = (ASAN_OPTIONS => 'detect_leaks=1:hard_rss_limit_mb=8000', UBSAN_OPTIONS => 'halt_on_error=1',
	LSAN_OPTIONS => 'suppressions=' . dirname(abs_path(__FILE__)) . '/../lsan.supp:print_suppressions=0');

sub slurp { open my $f, '<', $_[0] or return ''; local $/; return <$f> // '' }
sub spew { open my $f, '>', $_[0] or die "$_[0]: $!\n"; print $f $_[1]; close $f or die "$_[0]: $!\n" }

# Run a command in the copy, with output to its log; return true if it succeeds within SECONDS.
sub quietly {
	my ($self, $seconds, $command) = @_;
	return system("cd '$self->{dir}' && timeout -k 5 $seconds $command >log 2>&1 </dev/null") == 0;
}

# Copy the sources of SOURCE to DIR, and build all tools and unit tests; SAN: with these sanitizers.
sub build {
	my ($class, $source, $dir, $san) = @_;
	my $self = bless { dir => $dir, make => $make . ($san ? " SAN=$san" : ''), san => $san }, $class;
	make_path($dir);
	system("cd '$source' && cp -rpu Makefile tools tests examples share scripts man README.md '$dir'") == 0
		or die "cannot copy\n";
	# Remove the files of an earlier run that was killed.
	system("cd '$source' && find tools -name '*.c' -exec cmp -s {} '$dir/{}' ';' -o -name '*.c' " .
		"-exec cp {} '$dir/{}' ';'");
	$self->quietly(3600, "$self->{make} -j2 all unit-tests") or die "does not build: see $dir/log\n";
	return $self;
}

# Make a copy of this copy.
sub twin {
	my ($self, $dir) = @_;
	remove_tree($dir);
	system('cp', '-rp', $self->{dir}, $dir) == 0 or die "cannot copy\n";
	return bless { %$self, dir => $dir }, ref $self;
}

# Give FILE the contents TEXT until back(), and rebuild; return false if it does not compile. For a file of a tool only
# this tool is rebuilt, and the tests that are linked with its files.
sub change {
	my ($self, $file, $text) = @_;
	(my $object = $file) =~ s{^tools/(.*)\.c$}{build/$1.o};
	my ($tool) = $file =~ m{^tools/([^/]+)/};
	my $library = { lib => 'build/libsapp.a', 'sapp-lp' => 'build/libplanner.so' }->{$tool} // "build/bin/$tool";
	my ($noun) = $tool =~ /^sapp-(.*)/;
	my $units = "$self->{dir}/build/tests";
	my @over = map { "build/tests/$_" } grep { !/\./ && -e "$units/$_" } map { basename($_) }
		$noun ? glob "$units/{fuzz-$noun,fuzz-${noun}_*" . ($noun ne 'lp' && ",${noun}_*") . '}' : ();
	$self->{changed} = [$file, $object, $library, @over];
	$self->quietly(60, "cp -p $_ $_.sound") or die "cannot copy $_\n" for @{ $self->{changed} };
	spew("$self->{dir}/$file", $text);
	return $self->quietly(100, "$self->{make} $library @over");
}

sub back {
	my ($self) = @_;
	for (@{ delete $self->{changed} }) {
		rename "$self->{dir}/$_.sound", "$self->{dir}/$_" or die "$_: $!\n";
	}
}

# Return whether a test, by its name in coverage, fails or takes longer than SECONDS, and its duration; the test is
# ended at its first failing line.
sub fails {
	my ($self, $test, $seconds) = @_;
	(my $path = $test =~ /\.t$/ ? "tests/$test" : "build/tests/$test") =~ tr{,}{/};
	my $start = time;
	remove_tree("$self->{dir}/tmp");
	make_path("$self->{dir}/tmp");
	my $child = $self->{child} = open my $out, '-|';
	die "fork: $!\n" unless defined $child;
	if (!$child) {
		setpgrp;
		chdir $self->{dir} or POSIX::_exit(127);
		@ENV{qw(QUICK QUESTIONS LC_ALL BUILD TMPDIR LD_LIBRARY_PATH)} =
			(1, 150, 'C', "$self->{dir}/build", "$self->{dir}/tmp", "$self->{dir}/build");
		$ENV{PATH} = "$self->{dir}/build/bin:$self->{dir}/scripts:$ENV{PATH}";
		open STDIN, '<', '/dev/null';
		open STDERR, '>', 'log';
		@ENV{ keys %sanitized } = values %sanitized if $self->{san};
		my $limit = $self->{san} ? '' : "ulimit -v $memory;";
		exec 'sh', '-c', "$limit exec $path" or POSIX::_exit(127);
	}
	my ($failed, $good, $plan) = (0, 0, -1);
	eval {
		local $SIG{ALRM} = sub { die "late\n" };
		alarm POSIX::ceil($seconds);
		while (<$out>) {
			$failed = 1, last if /^not ok/;
			$good++ if /^ok/;
			$plan = $1 if /^1\.\.(\d+)/;
		}
		alarm 0;
		1;
	} or $failed = 1;
	alarm 0;
	kill 'KILL', -$child if $failed;
	close $out;	# waits for it
	$failed = 1 if $? || $plan != $good;
	$self->stop;
	return ($failed, time - $start);
}

# End the running test, and all processes that it started.
sub stop {
	my ($self) = @_;
	kill 'KILL', -$self->{child} if $self->{child};
	$self->{child} = 0;
}

1;
