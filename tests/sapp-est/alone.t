#!/usr/bin/perl
# More pieces than layers: embedding and loss have their own pieces if the framework allows it. Rules, memory as in the
# simulator, bounds below all plans, and settings.
use strict;
use warnings;
use FindBin;
use Test::More;
require "$FindBin::Bin/../search.pm";
search->import;

my %cluster = clusters();
my $h100 = $cluster{h100};
my %llama = (kind => 'network', name => 'llama', layers => 126, hidden_size => 16384, num_heads => 128, kv_heads => 8,
	ffn_size => 53248, vocab_size => 128256, seq_length => 8192);
sub candidates { return grep { $_->{kind} eq 'candidate' } @_ }
sub enumerate {
	my ($net, @options) = @_;
	my ($out, $status, $said) = run_tool([$net], 'sapp-enum', @options);
	return candidates(@$out);
}

# Rules.
my @large = (split ' ', '-n 1024 -gb 256 -tp 8 -cp 1 -mbs 1 -pp 16 -vp 8');
is(scalar enumerate(\%llama, @large), 1, '126 layers, 16 stages, 8 chunks: embedding and loss count as layers');
is(scalar enumerate({ %llama, layers => 125 }, @large), 0, 'but no third piece is without');
is(scalar enumerate(\%llama, @large, '-rules', 'mindformers'), 0, 'nor any for MindFormers');
my ($why) = enumerate({ %llama, layers => 13 }, qw(-n 16 -gb 32 -tp 1 -cp 1 -mbs 1 -pp 16 -rejected));
like($why->{why}, qr/^13 layers, embedding and loss over pp 16 times 1 chunks/, 'with figures');
is(scalar enumerate({ %llama, layers => 14 }, qw(-n 16 -gb 32 -tp 1 -cp 1 -mbs 1 -pp 16)), 1, 'no chunks, either');
for my $layers (14, 15, 16) {
	my $net = { %llama, layers => $layers };
	my @space = split ' ', '-n 64 -gb 64 -mbs 1,2';
	my %before = map { (join(' ', @$_{qw(dp tp cp pp vp mbs)}), 1) } enumerate($net, @space);
	my @more = grep { !$before{join ' ', @$_{qw(dp tp cp pp vp mbs)}} } enumerate($net, @space, '-empty');
	is_deeply([grep { my $p = $_->{pp} * $_->{vp}; $p != $layers + 1 && $p != $layers + 2 } @more], [],
		"$layers layers: -empty adds what has one or two more pieces");
	my $wanted = 0;
	for my $pp (2, 4, 8, 16, 32, 64) {
		for my $vp (2 .. 9) {
			$wanted += 1 if $pp * $vp == $layers + 1 || $pp * $vp == $layers + 2;
		}
	}
	my %kinds = map { ("$_->{pp} $_->{vp}", 1) } @more;
	is(scalar keys %kinds, $wanted, 'and all of these');
}

# Memory of the even layout as in the simulator, without recomputation.
for ([6, 2, 4, 4], [7, 2, 4, 4], [7, 4, 2, 8], [6, 4, 2, 4], [14, 4, 4, 12], [6, 8, 1, 5], [7, 8, 1, 16]) {
	my ($layers, $pp, $vp, $m) = @$_;
	my $c = { kind => 'candidate', dp => 1, tp => 1, pp => $pp, vp => $vp, micro_batches => $m,
		recompute => 'none' };
	my $net = { %llama, layers => $layers, hidden_size => 1024, num_heads => 8, ffn_size => 4096,
		vocab_size => 1024, seq_length => 4096 };
	my ($out) = run_tool([$net, $h100, $c], 'sapp-est');
	my ($estimate) = grep { $_->{kind} eq 'estimate' } @$out;
	my ($question) = run_tool([$net, $h100, $c], 'sapp-est', '-layers');
	my ($pieces, $first) = ($pp * $vp, $pp * $vp == $layers + 2 ? 1 : 0);
	my @grid = map { my $k = $_; [map { my $i = $k * $pp + $_; $i >= $first && $i < $pieces - 1 ? 1 : 0 }
		0 .. $pp - 1] } 0 .. $vp - 1;
	my @none = map { [(0) x $pp] } 1 .. $vp;
	my ($head, $tail) = map { [map { [@$_] } @none] } 1, 2;
	$head->[0][0] = 1;
	$tail->[-1][-1] = 1;
	my ($model) = grep { $_->{kind} eq 'model' } @$question;
	my $plan = { kind => 'plan', name => $model->{name}, origin => 'manual',
		schedule => $vp > 1 ? 'vpp' : '1f1b', interleave => $vp, offset => \@grid, recompute => \@none,
		select_recompute => \@none, select_comm_recompute => \@none,
		counts => { dense0 => { none => \@grid } },
		ends => { head => { none => $head }, tail => { none => $tail } } };
	my ($sim, $status, $said) = run_tool([@$question, $plan], 'sapp-sim');
	my ($run) = grep { $_->{kind} eq 'sim' } @$sim;
	my @peak = @{$run->{peak_memory} // []};
	# The last stage has the most memory if it has no loss.
	my ($tail_record) = grep { ($_->{type} // '') eq 'TAIL' } @$question;
	my @wrong = grep { my $more = $estimate->{memory}[$_] - $peak[$_];
		$more < -1e-6 || $more > 1e-6 + ($_ == $pp - 1 && $vp > 1 ? $tail_record->{memory_transient} : 0) }
		0 .. $pp - 1;
	is("@wrong", '', "$layers layers, $pp stages, $vp chunks: memory as simulated") or diag $said,
		"@peak\n@{$estimate->{memory}}";
}

# Bounds are below the shortest of all plans, with ends of any length.
my ($tight, @above) = (0);
srand 7;
for my $case (1 .. 24) {
	my ($pp, $vp, $layers) = @{([2, 2, 2], [2, 2, 3], [4, 1, 2], [4, 1, 3], [2, 3, 4], [2, 3, 5])[$case % 6]};
	my $m = 2 * (1 + int rand 4);
	my $net = { %llama, layers => $layers, hidden_size => 2048, num_heads => 16, ffn_size => 8192,
		vocab_size => 1000 * (1 + int rand 500), seq_length => 2048 };
	my $c = { kind => 'candidate', dp => 1, tp => 1, pp => $pp, vp => $vp, micro_batches => $m, zero => 0 };
	my ($out) = run_tool([$net, $h100, $c], 'sapp-est');
	my ($estimate) = grep { $_->{kind} eq 'estimate' } @$out;
	my ($question) = run_tool([$net, $h100, $c], 'sapp-est', '-layers');
	my ($planned) = run_tool($question, qw(sapp-lp -t 100 -gap 0));
	my ($plan) = grep { $_->{kind} eq 'plan' } @$planned;
	push @above, "$case: $plan->{step_time} $estimate->{lower_bound}"
		if $plan->{step_time} < $estimate->{lower_bound} * (1 - 1e-9) || $plan->{status} ne 'optimal';
	push @above, "$case: estimate below its bound"
		if $estimate->{step_time} < $estimate->{lower_bound} * (1 - 1e-9);
	my $share = $estimate->{lower_bound} / $plan->{step_time};
	$tight = $share if $share > $tight;
}
is(join("\n", @above), '', 'bounds are below the shortest plans');
cmp_ok($tight, '>', 0.97, 'the best of them by less than 3 %');

# As one question: planned, written, read back, and refused for other targets.
my $c = { kind => 'candidate', name => 'published', dp => 8, tp => 8, pp => 16, vp => 8, micro_batches => 32 };
my ($question) = run_tool([\%llama, $h100, $c], 'sapp-est', '-layers');
my ($planned) = run_tool($question, qw(sapp-lp -t 3 -target megatron));
my ($plan) = grep { $_->{kind} eq 'plan' } @$planned;
is(scalar(grep { $_ == 0 } map { @$_ } @{$plan->{offset}}), 2, 'a plan where two pieces have no layer');
open my $f, '>', my $file = "$ENV{BUILD}/alone.$$" or die;
print $f JSON::PP->new->encode($_), "\n" for @$planned;
close $f;
my $args = `sapp-yaml -f megatron $file 2>/dev/null`;
like($args, qr/--pipeline-model-parallel-layout "E\|.*\|L"/, 'which Megatron-LM is told');
my (undef, $status, $said) = run_tool($question, qw(sapp-lp -t 3 -target mindformers));
is($status, 1, 'and MindFormers is not');
like($said, qr/MindFormers does not run pieces without layers/, 'as it says');
unlink $file;
(undef, $status, $said) = run_tool([{ %llama, layers => 125 }, $h100, $c], 'sapp-est');
is($status, 1, 'one more is none');
like($said, qr/exceed the network's layers, embedding and loss, 127 '128'/, 'and says so');

# One layer a piece and hidden transfers: the embedding is in one of the chunks, and its whole time is in the bound.
my @each = split ' ', '-n 8 -gb 16 -tp 1,2 -cp 1 -mbs 1,2 -pp 2 -vp 2 -rules mindformers';
my $narrow = { %llama, layers => 4, hidden_size => 2048, num_heads => 16, ffn_size => 8192 };
my ($space) = run_tool([$narrow, { %$h100, overlap => { %{ $h100->{overlap} }, pp => 1 } }], 'sapp-enum', @each);
my ($estimates, $answered, $errors) = run_tool($space, 'sapp-est');
my @steps = grep { $_->{kind} eq 'estimate' } @$estimates;
is("$answered $errors", '0 ', 'one layer a piece: estimates are not below their bounds');
is(scalar(grep { abs($_->{step_time} / $_->{lower_bound} - 1) < 1e-9 } @steps), scalar @steps, 'but at them');
cmp_ok(scalar @steps, '>', 2, 'for some configurations');
done_testing;
