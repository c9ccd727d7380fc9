#!/usr/bin/perl
# Published steps: for each tp and micro-batch size the run with the fewest stages determines estimates of all other
# configurations of the network on the same number of devices. Measured by vTrain, on one node and on several.
use strict;
use warnings;
use FindBin;
use JSON::PP;
use Test::More;

my $json = JSON::PP->new->canonical;
my $top = "$FindBin::Bin/../..";
my $dir = `mktemp -d`;
chomp $dir;
END { system 'rm', '-rf', $dir if defined $dir }
open my $in, '<', "$top/tests/data/search/rank.jsonl" or die;
my @questions = grep { $_->{source} =~ /^vtrain/ } map { $json->decode($_) } <$in>;
# Two larger networks; half of their configurations are published steps.
my @columns = qw(dp tp pp mbs gb);
my %known = map { $_->{network}{name} => 1 } @questions;
my %larger;
for my $r (map { $json->decode($_) } `gzip -dc $top/tests/data/search/published.jsonl.gz`) {
	my $name = $r->{network}{name};
	next if $r->{source} ne 'vtrain' || $known{$name};
	$larger{$name} //= { %{$questions[0]}, network => $r->{network}, devices => $r->{devices}, rows => [] };
	push @{$larger{$name}{rows}}, [@{$r->{candidate}}{@columns}, $r->{step_time}];
}
is(join(' ', map { scalar @{$larger{$_}{rows}} } sort keys %larger), '15 23', 'two larger networks');
push @questions, @larger{sort keys %larger};
my %cluster;
my (@one, @several, $inside, $all);
for my $q (@questions) {
	my $file = "$top/share/clusters/$q->{cluster}.json";
	open my $c, '<', $file or die "$file: $!";
	my $cluster = $json->decode(join '', <$c>);
	$cluster->{links}[-1]{bandwidth} = $q->{inter_gbs};
	my @rows = map { my %r; @r{@{$q->{columns}}} = @$_; \%r } @{$q->{rows}};
	my %run;
	for my $r (sort { $a->{pp} <=> $b->{pp} || $a->{dp} <=> $b->{dp} || $a->{gb} <=> $b->{gb} } @rows) {
		$run{"$r->{tp} $r->{mbs}"} //= $r;
	}
	my $record = sub {
		my ($kind, $r, %more) = @_;
		return $json->encode({ kind => $kind,
			name => "dp$r->{dp}-tp$r->{tp}-pp$r->{pp}-mbs$r->{mbs}-gb$r->{gb}",
			(map { $_ => $r->{$_} } qw(dp tp pp mbs)), micro_batches => $r->{gb} / $r->{dp} / $r->{mbs},
			zero => $q->{zero}, sp => $q->{sp} ? JSON::PP::true : JSON::PP::false,
			recompute => $q->{recompute}, %more }) . "\n";
	};
	my %used = map { $_ => 1 } values %run;
	my @others = grep { !$used{$_} } @rows;
	next if !@others;
	open my $to, '>', "$dir/in" or die;
	print $to $json->encode($q->{network}), "\n", $json->encode($cluster), "\n";
	print $to $record->('run', $_, step_time => $_->{step_ms}) for map { $run{$_} } sort keys %run;
	print $to $record->('candidate', $_) for @others;
	close $to;
	my @said = grep { $_->{kind} eq 'estimate' } map { $json->decode($_) } `sapp-est $dir/in`;
	is(scalar @said, scalar @others, "$q->{network}{name}, $q->{devices} devices: an estimate each") or next;
	my @errors;
	for my $i (0 .. $#others) {
		my $step = $others[$i]{step_ms};
		push @errors, abs($said[$i]{step_time} / $step - 1);
		$inside++ if $said[$i]{low} <= $step && $step <= $said[$i]{high};
		$all++;
	}
	@errors = sort { $a <=> $b } @errors;
	my $median = $errors[$#errors / 2];
	push @{$q->{devices} > 8 ? \@several : \@one}, @errors;
	note(sprintf '%-10s %3d layers %5d wide %4d devices: %3d runs, %3d others, median %4.1f %%, ' .
	    'nine of ten %4.1f %%', $q->{network}{name}, @{$q->{network}}{qw(layers hidden_size)}, $q->{devices},
	    scalar keys %run, scalar @others, 100 * $median, 100 * $errors[0.9 * @errors]);
	my $most = $q->{devices} > 8 ? 0.045 : 0.021;
	cmp_ok($median, '<=', $most, sprintf 'half of them are within %.1f %%', 100 * $most);
}
sub middle { my @s = sort { $a <=> $b } @_; return $s[$#s / 2] }
cmp_ok(middle(@one), '<=', 0.021, 'on one node half are within 2.1 %');
cmp_ok(middle(@several), '<=', 0.045, 'on several within 4.5 %');
cmp_ok($inside / $all, '>=', 0.85, sprintf 'of %d steps at least 85 %% are within their interval', $all);
cmp_ok($inside / $all, '<=', 0.97, 'and at most 97 %');
done_testing();
