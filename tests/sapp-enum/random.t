#!/usr/bin/perl
# Random questions; their spaces are listed independently: loops and rules are written again from the frameworks' rules.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use search;
use Test::More;

srand($ENV{SEED} // 3);
sub one_of { return $_[int rand @_] }
sub multiple { my ($x, $of) = @_; return $x % $of == 0 }
sub divisors { my ($n) = @_; return grep { multiple($n, $_) } 1 .. $n }

sub network {
	my $heads = one_of(8, 12, 16, 28);
	my %n = (kind => 'network', name => 'n', layers => 2 + int rand 12, hidden_size => 128 * one_of(8, 9, 14),
		num_heads => $heads, head_dim => 128, kv_heads => $heads / one_of(1, 2, 4),
		ffn_size => 64 * one_of(5, 24, 32),
		vocab_size => 32000, seq_length => 512 * one_of(1, 3, 8),
		tied => one_of(JSON::PP::true, JSON::PP::false),
		causal => one_of(JSON::PP::true, JSON::PP::false));
	%n = (%n, experts => one_of(6, 8, 16), experts_per_token => 2, expert_ffn_size => 64 * one_of(3, 8),
		shared_ffn_size => one_of(0, 96, 512), dense_layers => int rand 3) if rand > 0.4;
	%n = (%n, kv_lora_rank => 64, qk_head_dim => 64, rope_head_dim => 32, v_head_dim => 64),
		delete @n{qw(kv_heads head_dim)} if rand > 0.7;
	return \%n;
}

# The first rule that a configuration breaks, in their order; '' if none.
sub broken {
	my ($n, $q, $c) = @_;
	my ($t, $p, $x, $d, $e, $v, $s) = @$c{qw(tp pp cp dp ep vp shard)};
	my $megatron = $q->{rules} eq 'megatron';
	my ($latent, $experts) = (defined $n->{kv_lora_rank}, $n->{experts} // 0);
	my $g = $n->{kv_heads} // $n->{num_heads};
	my $m = int($q->{gb} / ($d * $c->{mbs}));
	my $copies = $d * $x * $t / ($e * $c->{etp});
	return 'tp-max' if $q->{node} && !$q->{tp} && $t > $q->{node};
	return 'tp-heads' unless multiple($n->{num_heads}, $t);
	return 'tp-kv' unless $latent || multiple($g, $t) || ($megatron && multiple($t, $g));
	return 'tp-hidden' unless $megatron || multiple($n->{hidden_size}, $t);
	return 'tp-ffn' if (!$experts || ($n->{dense_layers} // 0) > 0) && !multiple($n->{ffn_size}, $t);
	return 'tp-ffn' if $experts && !multiple($n->{shared_ffn_size} // 0, $t);
	return 'etp-ffn' if $experts && !multiple($n->{expert_ffn_size}, $c->{etp});
	return 'cp-seq' if $x > 1 && !multiple($n->{seq_length}, $n->{causal} ? 2 * $x : $x);
	return 'sp-seq' if $t > 1 && !multiple($n->{seq_length}, $x * $t);
	return 'ep-experts' if $experts && !multiple($experts, $e);
	return 'batch' unless multiple($q->{gb}, $d * $c->{mbs});
	# Embedding and loss may have their own pieces, but not if there is only one piece.
	return 'pp-layers' if $p * $v > $n->{layers} + ($megatron ? 2 : 0);
	return 'pp-batch' if ($megatron ? $v > 1 : $p > 1) && $m < $p;
	return 'vp-batch' if $megatron && $v > 1 && !multiple($m, $p);
	return 'even' if $q->{even} && !multiple($n->{layers}, $p * $v);
	return 'shard-dp' if !$megatron && $c->{zero} >= 1 && !multiple($d, $s);
	return 'shard-ep' if $megatron && $c->{zero} >= 1 && $experts && !multiple($copies, $d * $x / $s);
	my $least = int($d * $t / ($e * $c->{etp}));
	return 'shard-ep' if !$megatron && $c->{zero} >= 1 && $e > 1 && !multiple($s, $least > 1 ? $least : 1);
	return 'zero-fsdp' if $megatron && $c->{zero} >= 2 && ($p > 1 || $e > 1 || $n->{tied});
	return '';
}

sub space {
	my ($n, $q) = @_;
	my ($devices, $megatron, @all) = ($q->{n}, $q->{rules} eq 'megatron');
	my $among = sub { my ($key, $x) = @_; return !$q->{$key} || grep { $_ == $x } @{$q->{$key}} };
	for my $t (grep { $among->('tp', $_) } divisors($devices)) {
	for my $x (grep { $among->('cp', $_) } divisors($devices / $t)) {
	for my $p (grep { $among->('pp', $_) } divisors($devices / $t / $x)) {
		my $d = $devices / $t / $x / $p;
		my %etp = map { ($_ => 1) } 1, $n->{experts} && $q->{etp} ? $t : ();
		for my $etp (sort { $a <=> $b } keys %etp) {
		for my $e (!$n->{experts} ? 1 :
			grep { $among->('ep', $_) } divisors($d * ($megatron ? $x : 1) * $t / $etp)) {
		for my $zero (@{$q->{zero} // [1]}) {
			my @shard = $zero == 0 ? 1 : $q->{shard} ? divisors($d * $x) : $megatron ? $d * $x : $d;
			for my $s (@shard) {
			my $chunks = int($n->{layers} / $p);
			for my $v (1 .. ($p == 1 || $chunks < 1 ? 1 : $chunks)) {
			for my $b (@{$q->{mbs} // [1, 2, 4, 8, 16]}) {
				# With one micro-batch MindFormers does not accumulate gradients.
				my $level = !$megatron && !$q->{zero} && $q->{gb} < 2 * $d * $b ? 2 : $zero;
				my %c = (tp => $t, cp => $x, pp => $p, dp => $d, etp => $etp, ep => $e, zero => $level,
					shard => $s, vp => $v, mbs => $b);
				push @all, join ' ', (map { "$_$c{$_}" } sort keys %c), broken($n, $q, \%c);
			} } }
		} } }
	} } }
	return @all;
}

my @members = sort qw(tp cp pp dp etp ep zero shard vp mbs);
for my $k (1 .. ($ENV{LONG} ? 40 : 6)) {
	my $n = network();
	my %q = (n => one_of(4, 6, 8, 12, 16, 24), gb => one_of(8, 12, 32, 48),
		rules => one_of(qw(megatron mindformers)),
		rand > 0.5 ? (mbs => one_of([1], [1, 2], [2, 3])) : (),
		rand > 0.7 ? (zero => one_of([0, 1], [1, 2, 3])) : (),
		rand > 0.7 ? (shard => 'all') : (), rand > 0.7 ? (etp => '1,tp') : (),
		rand > 0.8 ? (even => 1) : (), rand > 0.8 ? (tp => [1, 2, 4]) : (),
		rand > 0.8 ? (pp => [1, 2, 3]) : (), rand > 0.7 ? (cp => [1, 2]) : (),
		rand > 0.7 ? (ep => [1, 2]) : (), rand > 0.5 ? (node => one_of(2, 4)) : ());
	my @options = map { $_ eq 'node' ? ('-cluster', node($q{node})) :
		("-$_", $_ eq 'even' ? () : ref $q{$_} ? join(',', @{$q{$_}}) : $q{$_}) } sort keys %q;
	my ($out, undef, $said) = run_tool([$n], 'sapp-enum', '-rejected', @options);
	my @got = map { my $c = $_; join ' ', (map { $_ . ($c->{$_} // 1) } @members), $c->{reject} // '' }
		grep { $_->{kind} eq 'candidate' } @$out;
	my @want = space($n, \%q);
	is scalar @got, scalar @want, "$k: @options" or diag $said;
	my ($wrong) = grep { $got[$_] ne $want[$_] } 0 .. ($#got < $#want ? $#got : $#want);
	is defined $wrong ? $got[$wrong] : '', defined $wrong ? $want[$wrong] : '', 'each in its place, with its rule'
		or diag JSON::PP->new->canonical->encode($n);
	my @bare = grep { defined $_->{reject} && ($_->{why} // '') !~ /\d.*\d/ } @$out;
	is scalar @bare, 0, 'every reason has figures';
}
done_testing;
