#!/usr/bin/perl
# Judge sapp-args by bash itself, with started.pl: the launches must be those that sapp-args prints, but for arguments
# that it lists as unknown. Then judge what sapp-model and sapp-yaml -r read in the launch, with meaning.pl. Prints a
# line for each script: judge, repository, class, script, reason, separated by tabs (launch.sh sums them up).
use strict;
use warnings;
use FindBin;
use JSON::PP;

require "$FindBin::Bin/started.pl";
require "$FindBin::Bin/meaning.pl";

my $debug = $ENV{JUDGE_DEBUG};
my $root = $ENV{LAUNCHES} // '';
my @scripts = @ARGV;
my $tmp = started_by_bash(@scripts);

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

# Compare what bash starts with what sapp-args prints; ERR: its messages. Return class and reason.
sub judge_launches
{
	my ($want, $got, $err) = @_;
	my @want = @$want;
	my @got = @$got;
	my ($first) = $err =~ /^(.*)$/m;
	my $unknown = 0;

	return ('starts nothing', $first) if !@want && !@got;
	return ($err =~ /-set|-past-exit|write its value|ARGUMENT/ ? 'refused with what to set' : 'refused', $first)
		if !@got;
	return ('not judged', 'bash starts nothing: ' . ($got[0]{launcher}[0] // '') . " $got[0]{program}") if !@want;
	return ('wrong in silence', 'launches are missing: ' . @got . ' of ' . @want) if @got < @want;
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
		print STDERR "want @w\ngot  @words\n" if $debug;
		return ('wrong in silence', "line $g->{line}: @bad") if @bad || ("@w" ne "@words" && !@other && !@bad);
	}
	return ('more launches', @got . ' and not ' . @want) if @got > @want;
	return ($unknown ? 'right, arguments unknown' : 'right', '');
}

my $wrong = 0;
for my $i (0 .. $#scripts) {
	my @want = launches("$tmp/notes/" . ($i + 1));
	my ($repository) = $scripts[$i] =~ m{^\Q$root\E/*([^/]+)/};
	my ($out, $err, $status) = output_of("$tmp/err", 'sapp-args', $scripts[$i]);
	my @got = map { JSON::PP->new->decode($_) } split /\n/, $out;	# in bytes, as the words
	my ($class, $why) = judge_launches(\@want, \@got, $err);
	my ($meaning, $reason) = judge_meaning($tmp, $scripts[$i], \@want, $out, $err);

	$wrong |= $class eq 'wrong in silence' || $meaning eq 'wrong';
	print join("\t", 'launch', $repository // '-', $class, $scripts[$i], $why // ''), "\n";
	my %n = $meaning =~ /^right|to set|fault/ ? arguments_by_class(@want) : ();

	print join("\t", 'arguments', $repository // '-', $_, $scripts[$i], $n{$_}), "\n" for sort keys %n;
	print join("\t", 'meaning', $repository // '-', $meaning, $scripts[$i], $reason // ''), "\n";
}
exit $wrong;
