#!/usr/bin/perl
# Spaces counted by rule and listed, compared with another program; every rejection is checked with separate figures.
use strict;
use warnings;
use FindBin;
use Test::More;
require "$FindBin::Bin/../search.pm";
search->import;

# The rules, written independently: true if a candidate obeys the rule.
sub multiple { my ($x, $of) = @_; return $of > 0 && $x % $of == 0 }
my %kept = (
	'tp-max' => sub { my ($n, $q, $c) = @_; $c->{tp} <= $q->{tp_max} },
	'tp-heads' => sub { my ($n, $q, $c) = @_; multiple($n->{num_heads}, $c->{tp}) },
	'tp-kv' => sub { my ($n, $q, $c) = @_; my $g = $n->{kv_heads} // $n->{num_heads};
		multiple($g, $c->{tp}) || ($q->{rules} eq 'megatron' && multiple($c->{tp}, $g)) },
	'cp-seq' => sub { my ($n, $q, $c) = @_; multiple($n->{seq_length}, 2 * $c->{cp}) },
	'ep-experts' => sub { my ($n, $q, $c) = @_; multiple($n->{experts}, $c->{ep}) },
	'batch' => sub { my ($n, $q, $c) = @_; multiple($q->{gb}, $c->{dp} * $c->{mbs}) },
	'pp-layers' => sub { my ($n, $q, $c) = @_; $c->{pp} * $c->{vp} <= $n->{layers} },
	'pp-batch' => sub { my ($n, $q, $c) = @_; int($q->{gb} / $c->{dp} / $c->{mbs}) >= $c->{pp} },
	'vp-batch' => sub { my ($n, $q, $c) = @_; multiple(int($q->{gb} / $c->{dp} / $c->{mbs}), $c->{pp}) },
	'even' => sub { my ($n, $q, $c) = @_; multiple($n->{layers}, $c->{pp} * $c->{vp}) },
	'shard-dp' => sub { my ($n, $q, $c) = @_; multiple($c->{dp}, $c->{shard}) },
	'shard-ep' => sub { my ($n, $q, $c) = @_;
		return multiple($c->{dp} * $c->{cp} * $c->{tp} / $c->{ep}, $c->{dp} * $c->{cp} / $c->{shard})
			if $q->{rules} eq 'megatron';
		my $copies = int($c->{dp} * $c->{tp} / $c->{ep});
		return multiple($c->{shard}, $copies > 1 ? $copies : 1) },
);

sub check_rejections {
	my ($n, $q, @rejected) = @_;
	my @wrong;
	for my $c (@rejected) {
		my $rule = $kept{$c->{reject}};
		push @wrong, "$c->{reject}: no such rule" and next unless $rule;
		push @wrong, "$c->{reject} is kept: $c->{why}" if $rule->($n, $q, $c);
		my @figures = $c->{why} =~ /(\d+)/g;
		push @wrong, "$c->{reject} without figures: $c->{why}" unless @figures >= 2;
	}
	return @wrong;
}

for my $row (records("$FindBin::Bin/../data/search/enum.jsonl.gz")) {
	my %q = %{$row->{question}};
	my @options = ('-n', delete $q{N}, '-gb', delete $q{gb}, '-rules', delete $q{rules});
	push @options, '-even' if delete $q{even};
	push @options, '-cluster', node(delete $q{tp_max}) if $q{tp_max};
	push @options, '-shard', $q{shard} and delete $q{shard} if defined $q{shard} && $q{shard} eq 'all';
	push @options, map { ("-" . s/_/-/r, ref $q{$_} ? join(',', @{$q{$_}}) : $q{$_}) } sort keys %q;
	my $name = "$row->{network}{name}: @options";
	my (undef, undef, $tally) =
		run_tool([$row->{network}], 'sh', '-c', 'sapp-enum "$@" >/dev/null', 'sh', @options);
	my %said = $tally =~ /([a-z]+-?[a-z]*) (\d+)/g;
	delete $said{legal};
	is($tally =~ /: (\d+) configurations, (\d+) legal/ && "$1 $2", "$row->{space} $row->{legal}", $name);
	is_deeply(\%said, $row->{rejected}, "$name: by rule");
	next if $row->{space} > 3000;
	my ($out) = run_tool([$row->{network}], 'sapp-enum', '-rejected', @options);
	my @candidates = grep { $_->{kind} eq 'candidate' } @$out;
	my @legal = grep { !defined $_->{reject} } @candidates;
	my @rejected = grep { defined $_->{reject} } @candidates;
	my %count;
	$count{$_->{reject}}++ for @rejected;
	is_deeply([scalar @candidates, scalar @legal, \%count], [$row->{space}, $row->{legal}, $row->{rejected}],
		"$name: written");
	my @wrong = check_rejections($row->{network}, $row->{question}, @rejected);
	is(join("\n", @wrong[0 .. ($#wrong > 4 ? 4 : $#wrong)]), '', "$name: reasons are true");
	next unless $row->{candidates};
	is_deeply([map { my $c = $_; [map { $c->{$_} } @{$row->{columns}}] } @legal], $row->{candidates},
		"$name: the list");
	my ($quiet) = run_tool([$row->{network}], 'sapp-enum', @options);
	is_deeply([grep { $_->{kind} eq 'candidate' } @$quiet], \@legal, "$name: only what is legal");
}
done_testing;
