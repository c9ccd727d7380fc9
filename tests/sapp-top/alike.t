#!/usr/bin/perl
# Estimates that agree share a row, shown by the simplest one with the names of the others; compared with a grouping
# made here.
use strict;
use warnings;
use FindBin;
use List::Util qw(max min);
use Test::More;
require "$FindBin::Bin/../search.pm";
search->import;

my %cluster = clusters();
my $h100 = $cluster{h100};
my %net = (kind => 'network', name => 'llama', layers => 32, hidden_size => 4096, num_heads => 32, kv_heads => 8,
	ffn_size => 14336, vocab_size => 128256, seq_length => 8192);
my @space = split ' ', '-n 64 -gb 512 -shard all -vp 1-' . ($ENV{LONG} ? 4 : 2);
# Without costs of context parallelism, cp times k with mbs times k has the same estimate.
my @in = (\%net, without_ring($h100));
my ($candidates) = run_lines(\@in, 'sapp-enum', @space);
my ($all) = run_lines($candidates, 'sapp-est');
# The times of an estimate have names of the members that are compared.
my @fit = map { +{ (split /"times"/)[0] =~ /"(name|step_time|lower_bound|[ctpv]p|mbs)":"?([^",]+)/g } }
	grep { /"kind":"estimate".*"fits":true/ } @$all;
cmp_ok(scalar @fit, '>', 2048, 'more than are kept at once');

sub agree { my ($x, $y, $f) = @_; return abs($x - $y) <= $f * min($x, $y) }
# Rows: starting from the best, each estimate joins the first row whose best it agrees with, or begins a row.
sub rows {
	my ($k, $fraction) = @_;
	my @rows;
	my @sorted = map { $fit[$_] } sort { $fit[$a]{step_time} <=> $fit[$b]{step_time} || $a <=> $b } 0 .. $#fit;
	for my $e (@sorted) {
		my ($row) = grep { agree($_->[0]{step_time}, $e->{step_time}, $fraction)
			&& agree($_->[0]{lower_bound}, $e->{lower_bound}, $fraction) } $fraction > 0 ? @rows : ();
		if ($row) { push @$row, $e } elsif (@rows < $k) { push @rows, [$e] }
	}
	return join "\n", map {
		my ($first, @others) = sort { my $d = 0; $d ||= $a->{$_} <=> $b->{$_} for qw(cp tp pp vp mbs); $d } @$_;
		join ' ', $first->{name}, sort map { $_->{name} } @others } @rows;
}
sub told { return join "\n", map { join ' ', $_->{name}, sort map { $_->{name} } @{$_->{alike} // []} }
	grep { $_->{kind} eq 'estimate' } @_ }
for ([7, 0.0005], [5, 0.02], $ENV{LONG} ? ([1, 0.0005], [40, 0.0005], [20, 0]) : ()) {
	my ($k, $fraction) = @$_;
	my @options = ('-k', $k, $fraction == 0.0005 ? () : ('-alike', 100 * $fraction));
	my ($top) = run_tool($all, 'sapp-top', @options);
	is(told(@$top), rows($k, $fraction), "$k rows of what agrees to $fraction");
	my ($space) = run_tool(\@in, 'sapp-est', '-space', @space, @options);
	is(told(@$space), told(@$top), 'in one process the same');
}
my ($top) = run_tool($all, 'sapp-top', '-k', 3);
my ($best) = grep { $_->{kind} eq 'estimate' } @$top;
is($best->{cp}, 1, 'whole sequences are simpler');
cmp_ok(scalar @{$best->{alike}}, '>=', 3, 'than several others');
my ($again) = run_tool($top, 'sapp-top', '-k', 3);
is_deeply($again, $top, 'what is read again says the same');
my ($later) = run_tool([reverse grep { $_->{kind} eq 'estimate' } @$top], 'sapp-top', '-k', 1, '-alike', 100);
my ($one) = grep { $_->{kind} eq 'estimate' } @$later;
is(scalar @{$one->{alike}}, 2 + map({ @{$_->{alike} // []} } grep { $_->{kind} eq 'estimate' } @$top),
	'and rows that are joined keep what they said');

my ($report) = run_report($all, 'sapp-top', '-H', '-k', 1);
my @cp = map { $_->{cp} } @{$best->{alike}};
my $words = min(@cp) == max(@cp) ? $cp[0] : min(@cp) . ' to ' . max(@cp);
like($report, qr/, and @{[scalar @cp]} alike with cp $words$/m, 'the report says how many, and where they differ');
my ($bound) = run_tool($all, 'sapp-top', '-k', 20, '-by', 'lower_bound');
ok(!grep({ $_->{alike} } @$bound), 'by bound every one is a row: a proof looks at all');
my ($costs) = run_tool([\%net, $h100], 'sapp-est', '-space', @space, '-k', 5);
ok(!grep({ my $e = $_; grep { $_->{cp} != $e->{cp} } @{$e->{alike} // []} } @$costs),
	'where cp costs something none differ in it');
my (undef, $status, $said) = run_tool($all, 'sapp-top', '-alike', 'much');
is($status, 2, 'a number');

sub run_report {
	my ($input, @command) = @_;
	my ($name) = map { "$ENV{BUILD}/$_" } "alike.$$";
	open my $f, '>', $name or die;
	print $f @$input;
	close $f;
	my $text = `@command $name`;
	unlink $name;
	return $text;
}
done_testing;
