#!/usr/bin/perl
# The costs of context parallelism: its terms are computed independently from networks and clusters; every degree costs
# time; and the exchange of ulysses is compared with the ring.
use strict;
use warnings;
use FindBin;
use List::Util qw(max min);
use Test::More;
require "$FindBin::Bin/../search.pm";
search->import;

my $data = "$FindBin::Bin/../data/search";
my %cluster = clusters();

# ms that the ring adds to a layer, forward and backward, if its exchange alone takes SENT ms in one direction.
sub ring {
	my ($n, $l, $c, $sent) = @_;
	my ($cp, $t, $s) = ($c->{cp}, $c->{tp}, $n->{seq_length});
	my $d = $n->{head_dim} // $n->{hidden_size} / $n->{num_heads};
	my $heads = $n->{num_heads} / $t;
	my $tokens = $c->{mbs} * $s / $cp;
	my ($q, $o, $kv) = ($heads * $d, $heads * $d, 2 * $d * max(int(($n->{kv_heads} // $n->{num_heads}) / $t), 1));
	if ($n->{kv_lora_rank}) {
		$q = $heads * ($n->{qk_head_dim} + $n->{rope_head_dim});
		$o = $heads * $n->{v_head_dim};
		$kv = $q + $o;
	}
	my $causal = $n->{causal} // 1;
	my $again = $n->{flash} // 1 ? 2.5 : 2;
	my $attention = 1e3 * 2 * $tokens * $s * ($q + $o) / ($causal ? 2 : 1)
		/ ($l->{peak} * 1e12 * $l->{efficiency}{attention});
	my $keys = $causal ? $s / $cp / 2 : $s / $cp;
	my $slower = (1 + 96 / $keys) / (1 + 96 / $s) - 1;
	my $sum = ($cp - 1) * 1e3 * 7 * $tokens / ($l->{memory_bandwidth} * 1e9 * $l->{efficiency}{memory});
	my $host = ($cp - 1) * 18e-3;
	my $hides = $attention * ($cp - 1) / $cp;
	return ($sent - min(0.8 * $sent, $hides) + $slower * $attention + $o * $sum + $host,
		2 * $sent - min(1.6 * $sent, $again * $hides) + $slower * $again * $attention + ($q + $kv) * $sum
		+ 2 * $host, max(0, $sent - $hides), max(0, 2 * $sent - $again * $hides));
}

my @rows = grep { $_->{candidate}{cp} > 1 } records("$data/est.jsonl.gz");
my @wrong;
for my $row (@rows) {
	my ($n, $l, $c) = ($row->{network}, $cluster{$row->{cluster}}, { %{$row->{candidate}}, kind => 'candidate' });
	# Keep the kind of recomputation of the earlier estimate.
	$c->{recompute} = $row->{expect}{recompute};
	my ($out) = run_tool([$n, $l, $c], 'sapp-est', '-parts', '-imbalance', $row->{imbalance});
	my ($got) = grep { $_->{kind} eq 'estimate' } @$out;
	my ($all, $again) = (0, 0);
	for my $k (0 .. $#{$row->{expect}{layers}}) {
		my ($was, $is) = ($row->{expect}{layers}[$k], $got->{layers}[$k]);
		my ($f, $b, $oldf, $oldb) = ring($n, $l, $c, $was->{cp_ms});
		$all += $was->{count} * ($f + $b);
		$again += $was->{count} * ($f - $oldf) if $c->{recompute} eq 'full';
		my %want = (forward => $was->{forward} + $f - $oldf, backward => $was->{backward} + $b - $oldb,
			recompute => $was->{recompute} + $f - $oldf, map { $_ => $was->{$_} } qw(cp_ms cp_bytes tp_ms
			forward_compute backward_compute memory_activation select_rec));
		push @wrong, map { "$row->{network}{name} cp $c->{cp} $_" } differences('', \%want, $is, 1e-9, {});
	}
	my $each = $c->{micro_batches} / $c->{pp};
	push @wrong, map { "$row->{network}{name} cp $c->{cp} $_" } differences('',
		{ cp => $each * $all, backward => $row->{expect}{times}{backward} + $each * $again }, $got->{times},
		1e-9, {});
	my $sum = 0;
	$sum += $_ for values %{$got->{times}};
	push @wrong, "$row->{network}{name}: parts are not the step" if abs($sum / $got->{step_time} - 1) > 1e-9;
	push @wrong, "$row->{network}{name}: no longer than before"
		if $got->{step_time} <= $row->{expect}{step_time} || $got->{lower_bound} <= $row->{expect}{lower_bound};
	push @wrong, "$row->{network}{name}: below its bound" if $got->{lower_bound} > $got->{step_time} * (1 + 1e-9)
		&& ($c->{vp} == 1 || $c->{micro_batches} >= $c->{pp});
}
is(join("\n", @wrong), '', scalar(@rows) . ' configurations: terms of the ring as they are computed here');

my %llama = (kind => 'network', name => 'llama', layers => 32, hidden_size => 4096, num_heads => 32, kv_heads => 8,
	ffn_size => 14336, vocab_size => 128256, seq_length => 8192);
my $sequences = 512;
sub of_degree {
	my ($cp, %more) = @_;
	my $mbs = $more{mbs} // $cp;
	my $dp = 16 / $cp;
	return { kind => 'candidate', dp => $dp, tp => 1, pp => 4, cp => $cp, mbs => $mbs,
		micro_batches => $sequences / $dp / $mbs, recompute => 'full', %more };
}
sub steps {
	my ($net, @c) = @_;
	my ($out, $status, $said) = run_tool([$net, $cluster{h100}, @c], 'sapp-est');
	is($status, 0, 'estimates') or diag $said;
	return grep { $_->{kind} eq 'estimate' } @$out;
}
my @same = steps(\%llama, map { of_degree($_) } 1, 2, 4, 8, 16);
my @time = map { $_->{step_time} } @same;
is(join(' ', sort { $a <=> $b } @time), "@time", 'as many tokens a device: more cp takes longer');
cmp_ok($time[3], '>', 1.01 * $time[0], 'cp 8 and cp 1 do not tie');
is($same[0]{times}{cp}, 0, 'whole sequences cost nothing');
my ($long, $short) = map { my ($e) = steps({ %llama, seq_length => $_ }, of_degree(8)); $e->{times}{cp} /
	$e->{step_time} } 131072, 8192;
cmp_ok($long, '<', $short, 'and less of a step where sequences are long');

# The exchange: queries, keys and values to 4 devices of a node and the output back, 10 us each.
my $h = $cluster{h100};
my ($u, $r) = steps(\%llama, of_degree(4, cp_kind => 'ulysses'), of_degree(4));
my $tokens = 8192;
my $exchange = 1e3 * (2 * 10e-6 + 2 * $tokens * (2 * 4096 + 2 * 1024) * 3 / 4 / (450e9 * $h->{efficiency}{network}));
ok(abs($u->{times}{cp} / ($u->{micro_batches} / 4 * 32 * 2 * $exchange) - 1) < 1e-9, 'two exchanges, both ways');
my ($all, $ring) = steps(\%llama, of_degree(4, cp_kind => 'ulysses', recompute => 'none'),
	of_degree(4, recompute => 'none'));
ok(abs($all->{memory}[0] - $ring->{memory}[0] - 4 * 8 * 2 * $tokens * 4096 / 2**20) < 1e-6,
	'memory: the output twice, of the layers and micro-batches in flight');
($all, $ring) = steps(\%llama, of_degree(16, cp_kind => 'ulysses', recompute => 'none', mbs => 1),
	of_degree(16, recompute => 'none', mbs => 1));
ok(abs($all->{memory}[0] - $ring->{memory}[0] - 4 * 8 * 2 * 512 * (4096 + 2 * 1024) / 2**20) < 1e-6,
	'and a head of keys and values for each device at least');
is($u->{cp_kind}, 'ulysses', 'an estimate says so');
is($r->{cp_kind}, undef, 'and nothing of the usual way');
like($u->{name}, qr/_CP4_.*ULYSSES$/, 'as its name does');

# Legal combinations.
for ([megatron => 4, 'kept'], [megatron => 16, 'cp-heads'], [megatron => 64, 'cp-heads'], [mindformers => 16, 'kept'],
	[mindformers => 64, 'cp-heads']) {
	my ($rules, $cp, $want) = @$_;
	my ($out) = run_tool([\%llama], 'sapp-enum', '-n', 64, '-gb', 64, '-tp', 1, '-pp', 1, '-cp', $cp, '-mbs', 1,
		'-rules', $rules, '-cp-kind', 'ulysses', '-rejected');
	my ($c) = grep { $_->{kind} eq 'candidate' } @$out;
	is($c->{reject} // 'kept', $want, "$rules: ulysses over $cp");
	is($c->{cp_kind}, 'ulysses', 'and a candidate says so');
}
my ($both) = run_tool([\%llama], 'sapp-enum', split ' ',
	'-n 8 -gb 64 -tp 1 -pp 1 -cp 1,2 -mbs 1 -cp-kind ring,ulysses');
is(join(' ', map { ($_->{cp_kind} // 'ring') . $_->{cp} } grep { $_->{kind} eq 'candidate' } @$both),
	'ring1 ring2 ulysses2', 'both kinds, but one where a device has all of a sequence');
my ($none, $status, $said) = run_tool([\%llama], qw(sapp-enum -n 8 -gb 64 -cp-kind tree));
is($status, 2, 'no other kinds');
like($said, qr/-cp-kind.*known: ring ulysses/, 'and which there are');
(undef, $status, $said) = run_tool([\%llama, $h, of_degree(4, cp_kind => 'tree')], 'sapp-est');
is($status, 1, 'nor in records');
like($said, qr/cp_kind.*tree/, 'and what was there');
(undef, $status, $said) = run_tool([\%llama, { %$h, ring => { hidden => 1.5 } }, of_degree(4)], 'sapp-est');
like($said, qr/ring: hidden: a fraction above 1 '1.5'/, 'no more than all is hidden');

# The cluster record sets the costs.
my ($free) = map { $_->{times}{cp} } grep { $_->{kind} eq 'estimate' }
	@{(run_tool([\%llama, without_ring($h), of_degree(8)], 'sapp-est'))[0]};
is($free, 0, 'nothing, where it is said to');
done_testing;
