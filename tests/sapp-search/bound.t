#!/usr/bin/perl
# Random small spaces with all configurations planned: the filter by a time must not drop a configuration with a
# shorter plan, and no plan may be below the bound of its estimate.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use search;
use Test::More;

my $questions = $ENV{SPACES} // ($ENV{LONG} ? 14 : 2);
srand($ENV{SEED} // 14);
my ($plans, $reached, $tight, $empty, $shut) = (0, 0, 0, 0, 0);

sub one_of { return $_[int rand @_] }

sub network {
	my $experts = one_of(0, 8, 8);
	my $layers = one_of(4, 5, 6, 7, 8, 9);
	return { kind => 'network', name => 'n', layers => $layers, hidden_size => 1024 * one_of(2, 4),
		num_heads => 16, kv_heads => 8, ffn_size => 8192, vocab_size => 32000 * one_of(1, 4),
		seq_length => 4096, $experts ? (experts => $experts, experts_per_token => 2, expert_ffn_size => 4096,
		dense_layers => int rand 4, moe_every => one_of(1, 1, 1, 2)) : () };
}

# With this little memory some configurations fit only with recomputation.
sub cluster {
	return { kind => "cluster", name => "c", devices_per_node => 8, memory_limit => 8000 + int rand 30000,
		reserve => 1000, peak => 300, memory_bandwidth => 2000,
		links => [{ span => 8, bandwidth => 200, latency => 5 },
			{ span => 1000, bandwidth => 20, latency => 20 }],
		efficiency => { matmul => 0.7, size => 100, attention => 0.4, memory => 0.7, network => 0.7 },
		launch => one_of(0, 500), overlap => { dp => 0.5, tp => 0.3, ep => 0.1, pp => one_of(0, 0.5, 1) } };
}

# Configurations of a space that may have a step below a time, or of the rest of a space.
sub below {
	my ($input, $options, $below, $c) = @_;
	my ($got) = run_tool($input, 'sapp-est', '-space', @$options, '-by', 'lower_bound', '-k', 1000, '-below',
		sprintf('%.17g', $below), $c ? map { ("-$_", $c->{$_}) } qw(dp tp cp pp ep vp mbs) : ());
	return join ' ', sort map { $_->{name} } grep { $_->{kind} eq 'estimate' } @$got;
}
# The same filter on a stream of candidates from sapp-enum, with all their settings.
sub passed {
	my ($candidates, $below) = @_;
	my ($got, $status, $said) = run_tool($candidates, 'sapp-est', '-below', sprintf('%.17g', $below));
	is $status, 0, 'all candidates of a stream are answered' or diag $said;
	return join ' ', sort map { $_->{name} } grep { $_->{kind} eq 'estimate' } @$got;
}

for my $n (1 .. $questions) {
	my $input = [network(), cluster()];
	# Every second space has more pieces than layers.
	my @options = ('-n', one_of(4, 8), '-gb', one_of(8, 16, 24), '-mbs', '1,2', '-cp', 1, $n % 2 ?
		('-pp', one_of(2, '2-4', '2-8'), '-vp', '1-4', '-rules', one_of('megatron', 'mindformers')) :
		('-pp', '2-8', '-vp', '1-5', '-rules', 'megatron', '-empty'));
	my ($estimates) = run_tool($input, 'sapp-est', '-space', @options, '-by', 'lower_bound', '-k', 1000);
	my %of = map { ($_->{name} => $_) } grep { $_->{kind} eq 'estimate' } @$estimates;
	my @asked = grep { $_->{kind} ne 'estimate' } @$estimates;
	my ($questions) = run_tool(\@asked, 'sapp-est', '-layers');
	my @found;
	# In Megatron-LM embedding and loss may have their own pieces, even if each piece could have a layer.
	for my $target ($n % 2 ? 'any' : ('any', 'megatron')) {
		my ($answers, $status) = run_tool($questions, 'sapp-lp', '-j', '-gap', 0, '-set', 'wall=0',
			'-target', $target, '-t', 0.05 * keys %of);
		ok $status == 0 || $status == 3, "space $n of " . keys(%of) . " configurations is planned for $target";
		push @found, grep { $_->{kind} eq 'plan' && $_->{status} ne 'infeasible' } @$answers;
	}
	# For a few times a stream of all candidates must be filtered like the space.
	my ($candidates) = run_tool($input, 'sapp-enum', @options);
	my @steps = map { $_->{step_time} } @found;
	for my $time (map { 0.97 * median($_, @steps) } @found ? (0.1, 0.3, 0.5, 0.7, 0.9) : ()) {
		is passed($candidates, $time), below($input, \@options, $time),
			"space $n below $time, as a stream, too";
	}
	for my $p (@found) {
		my $e = $of{$p->{name}};
		$plans++;
		cmp_ok $p->{step_time}, '>=', $e->{lower_bound} * (1 - 1e-9), "$p->{name} is not below its bound"
			if $p->{step_time} < $e->{lower_bound} * (1 - 1e-9);
		my $there = sub {
			my $names = below($input, \@options, $p->{step_time} * $_[0], $e);
			return grep { $_ eq $p->{name} } split ' ', $names;
		};
		$reached++ if $there->(1 + 1e-9);
		diag "$p->{name} has a plan of $p->{step_time} ms: ", explain $input unless $reached == $plans;
		# The bound is useful: it excludes a step shorter by a fifth for most configurations.
		my $far = !$there->(0.9);
		$tight++ if $far;
		if ($e->{pp} * ($e->{vp} // 1) > $input->[0]{layers}) {
			$empty++;
			$shut++ if $far;
		}
		last if $reached != $plans;
	}
	is $reached, $plans, "no plan of space $n is out of reach";
	last if $reached != $plans;
}
cmp_ok $plans, '>', 20 * $questions / 2, "of $plans plans none is out of reach, of a tenth less $tight are";
cmp_ok $tight, '>', $plans / 2, 'as most must be';
cmp_ok $empty, '>', 0, "of $empty with pieces without layers";
cmp_ok $shut, '>', $empty / 3, "$shut are, too";
done_testing;
