#!/usr/bin/perl
# Exact parameter counts, estimates, their parts and the planner's questions, compared with another program.
use strict;
use warnings;
use FindBin;
use Test::More;
require "$FindBin::Bin/../search.pm";
search->import;

my $data = "$FindBin::Bin/../data/search";
for my $row (records("$data/network.jsonl")) {
	my @devices = @{$row->{device}};
	my ($out) = run_tool([$row->{network}, map { { kind => 'candidate', dp => 64, pp => 2, micro_batches => 1,
		tp => $_->{tp}, ep => $_->{ep}, etp => $_->{etp} } } @devices], 'sapp-est', '-parameters');
	my ($whole, @each) = grep { $_->{kind} eq 'count' } @$out;
	my @wrong;
	$whole->{mla_layer} = $whole->{attention};
	for my $member (grep { defined $row->{expect}{$_} } keys %{$row->{expect}}) {
		push @wrong, "$member $whole->{$member}" if ($whole->{$member} // -1) != $row->{expect}{$member};
	}
	for my $i (0 .. $#devices) {
		my ($want, $got) = ($devices[$i], $each[$i]);
		my %is = (%$got, moe_layer_routed_part => $got->{moe_routed},
			moe_layer_dense_part => $got->{moe_layer} - $got->{moe_routed},
			total_4_layers => 4 * $got->{moe_layer});
		# Norms are counted separately, as in arXiv 2502.07846.
		my $norms = 2 * $row->{network}{hidden_size};
		my $latent = ($row->{network}{q_lora_rank} // 0) + ($row->{network}{kv_lora_rank} // 0);
		$is{norms_4_layers} = 4 * ($norms + $latent);
		$is{mla_without_norms_4_layers} = 4 * ($got->{attention} - $latent);
		$is{moe_4_layers} = 4 * ($got->{moe_layer} - $got->{attention} - $norms);
		push @wrong, map { "tp $want->{tp} ep $want->{ep}: $_ $is{$_}" }
			grep { !/^(tp|ep|etp)$/ && ($is{$_} // -1) != $want->{$_} } keys %$want;
	}
	is("@wrong", '', "parameters of $row->{network}{name}");
}

my %cluster = clusters();
my @rows = map { records("$data/$_.jsonl.gz") } qw(est est-moe);
my %by;
push @{$by{$_->{imbalance}}}, $_ for @rows;
for my $imbalance (sort keys %by) {
	my @in = map { ($_->{network}, $_->{candidate}{cp} > 1 ? without_ring($cluster{$_->{cluster}}) :
		$cluster{$_->{cluster}}, { %{$_->{candidate}}, kind => 'candidate' }) } @{$by{$imbalance}};
	my ($parts) = run_tool(\@in, 'sapp-est', '-parts', '-imbalance', $imbalance);
	my ($asked) = run_tool(\@in, 'sapp-est', '-layers', '-imbalance', $imbalance);
	my @estimates = grep { $_->{kind} eq 'estimate' } @$parts;
	my @questions;
	for my $r (@$asked) {
		push @questions, [] if $r->{kind} eq 'model';
		push @{$questions[-1]}, $r if $r->{kind} =~ /^(model|layer|pipeline)$/;
	}
	for my $row (@{$by{$imbalance}}) {
		my ($want, $got, $question) = ($row->{expect}, shift @estimates, shift @questions);
		my ($most) = sort { $b <=> $a } @{$want->{memory}};
		my $planner = delete $want->{planner};
		my @wrong = differences('', $want, $got, 1e-9,
			{ bubble => 1e-9 * $want->{step_time}, over => 1e-9 * $most });
		push @wrong, differences('planner', $planner, $question, 1e-9, {});
		is("@wrong", '', "$got->{name} of $row->{network}{name} on $row->{cluster}");
	}
}
done_testing;
