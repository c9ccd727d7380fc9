#!/usr/bin/perl
# -mixes uniform: never longer than the best plan of an exhaustive search over numbers of layers and recomputed layers.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(sum max min);
use Test::More;

my $tmp = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical;
my $seed = 7;
sub random { $seed = ($seed * 1103515245 + 12345) % 2147483648; int($seed / 65536) % $_[0] }
sub spew { open my $f, '>', $_[0] or die; print $f $_[1]; close $f }

# All ways to write L as P numbers of at least 1.
sub parts { my ($l, $p) = @_; return [$l] if $p == 1;
	map { my $n = $_; map { [$n, @$_] } parts($l - $n, $p - 1) } 1 .. $l - $p + 1 }

my ($asked, %gap, %cases, %used) = (0);
for my $case (1 .. ($ENV{LONG} ? 12 : 4)) {
	my ($p, $v, $m) = (2 + random(2), 1 + ($case % 3 == 0), 4 + 2 * random(2));
	$m = $p * 2 if $v > 1;
	my $pieces = $p * $v;
	my $layers = $pieces + 2 + random($v > 1 ? 2 : 4);
	my $memory = 60 + random(120);
	my @layer = ({ kind => 'layer', name => 'H', type => 'HEAD', nb_layer => 1, time => 1 + random(3),
		memory_parameter => 10 },
		{ kind => 'layer', name => 'B', type => 'BODY', nb_layer => $layers, time => 2 + random(4),
			memory_parameter => 5,
			memory_activation => 8 + random(5), memory_recompute => 1 + random(2),
			recompute_coef => (2 + random(4)) / 10,
			random(2) ? (memory_select_rec => 5 + random(3)) : () },
		{ kind => 'layer', name => 'T', type => 'TAIL', nb_layer => 1, time => 2 + random(4),
			memory_parameter => 10 });
	# Kinds that stand for modules, one of which offloads: in all layers.
	my @words;
	if ($case % 4 > 1) {
		$layer[1]{kinds} = { act => { activation => 4 + random(3), backward_coef => random(3) / 10 },
			out => { activation => 1 + random(3), offload => 2 + random(12) } };
		@words = ({ kind => 'kind', name => 'act', recompute_modules => [qw(mlp layernorm)] },
			{ kind => 'kind', name => 'out', offload_modules => [qw(expert_fc1 core_attn)] });
	}
	# A layer that predicts a further token, after the others: it is never recomputed as a whole by itself.
	my $mtp = $case % 4 == 1 ? 1 : 0;
	splice @layer, 2, 0, { %{ $layer[1] }, name => $case % 8 == 1 ? 'mtp0' : 'nextn', nb_layer => 1, time => 3 }
		if $mtp;
	my $schedule = $v > 1 ? 'vpp' : '1f1b';
	my $records = join '', map { $json->encode($_) . "\n" } @words, @layer;

	# Simulate all plans of the rule at once.
	my @plans;
	for my $all (parts($layers + $mtp, $pieces)) {
		my $part = [@$all];
		$part->[-1] -= $mtp;
		my @kinds = map { my $n = $_; [ 'full', [map { min($n, $_) } @$part] ] } 0 .. max(@$part);
		push @kinds, [ 'select', $part ] if $layer[1]{memory_select_rec};
		push @kinds, [ 'act', $part ], [ 'out', $part ] if @words;
		for (@kinds) {
			my ($kind, $with) = @$_;
			my $grid = sub { my @x = @_; [map { [@x[$_ * $p .. $_ * $p + $p - 1]] } 0 .. $v - 1] };
			my @full = $kind eq 'full' ? @$with : (0) x $pieces;
			my $even = int(($layers + $mtp) / $pieces);
			my @one = ((0) x ($pieces - 1), 1);
			my @select = $kind eq 'select' ? @$all : @full;
			push @plans, { kind => 'plan', name => 'p' . @plans, origin => 'manual', schedule => $schedule,
				interleave => $v + 0,
				counts => { ($mtp ? ($layer[2]{name} => {
					($kind eq 'full' ? 'none' : $kind) => $grid->(@one) }) : ()),
					B => { none => $grid->(map { $part->[$_] - $with->[$_] } 0 .. $pieces - 1),
					$kind => $grid->(@$with) } },
				offset => $grid->(map { $_ - $even } @$all), recompute => $grid->(@full),
				select_recompute => $grid->(@select), select_comm_recompute => $grid->(@full) };
		}
	}
	spew("$tmp/all", $records
		. $json->encode({ kind => 'pipeline', stages => $p, micro_batches => $m, interleave => $v,
		schedule => $schedule, memory_limit => $memory, (@words ? (offload => 3) : ()) }) . "\n" . join '',
			map { $json->encode($_) . "\n" } @plans);
	my $best = min(map { $_->{step_time} } grep { !@{ $_->{over} } } map { $json->decode($_) } grep {
		/"kind":"sim"/ } qx(sapp-sim -j $tmp/all));
	spew("$tmp/layers", $records);
	my $question = "-s $p -mb $m -i $v -S $schedule -mem $memory -target megatron" . (@words ? ' -offload 3' : '');
	my $status = system("sapp-lp -j $question -gap 0 -t 4 $tmp/layers 2>$tmp/err >$tmp/plan") >> 8;
	my @out = qx(cat $tmp/plan);
	my ($plan) = map { $json->decode($_) } grep { /"kind":"plan"/ } @out;
	my $name = "case $case, $p x $v stages, $layers layers" . ($mtp ? " and $layer[2]{name}" : '') . ", $memory MB";
	if (!defined $best) {
		is($plan->{status}, 'infeasible', "$name: none fits, by hand either");
		next;
	}
	$asked++;
	cmp_ok($plan->{step_time}, '<=', $best * (1 + 1e-9), "$name: no longer than by hand");
	cmp_ok($plan->{step_time}, '>=', $best * (1 - 1e-9), "$name: and of the same rule");
	cmp_ok($plan->{lower_bound}, '<=', $best * (1 + 1e-9), "$name: no plan of the rule is below the bound");
	$gap{$v} += $plan->{gap};
	$used{$_}++ for grep { sum(map { @$_ } @{ $plan->{counts}{B}{$_} }) > 0 } keys %{ $plan->{counts}{B} };
	$cases{$v}++;
	my $said = qx(sapp-yaml -f megatron $tmp/plan 2>&1 >$tmp/args);
	is($?, 0, "$name: as arguments") or diag $said;
	like($said, qr/^sapp-yaml: '[^']*': a step takes ([0-9.]+) ms with these arguments, \1 as planned$/,
	    "$name: whose step is the plan's");
	my ($back) = map { $json->decode($_) } grep {
		/"kind":"plan"/ } qx(sapp-yaml -r $tmp/args -name back $tmp/plan 2>$tmp/err | tail -n 1);
	is_deeply([map { $_->{step_time} } map { $json->decode($_) } grep { /"name":"back"/ && /"kind":"sim"/ }
	    qx(sapp-yaml -r $tmp/args -name back $tmp/plan 2>$tmp/err | sapp-sim -j)], [$plan->{step_time}],
	    "$name: read back and simulated");
}
cmp_ok($asked, '>=', $ENV{LONG} ? 6 : 1, "$asked cases with an answer");

ok(!$ENV{LONG} || ($used{act} && $used{out}), 'kinds by the names of modules are among the best')
	or diag join ' ', %used;
cmp_ok($gap{2} / $cases{2}, '<=', 0.05, 'bounds of several chunks say something') or diag $gap{2} / $cases{2};

# The work of the stages bounds plans of several chunks for any order of layers.
# It ends at this gap; a busy machine also has time for it.
for ([2, 400, 0.001], [3, 400, 0.001], [2, 200, 0.045], [3, 260, 0.055]) {
	my ($v, $mb, $most) = @$_;
	spew("$tmp/layers", join '',
		map { $json->encode({ kind => 'layer', type => 'BODY', time => 1, memory_activation => 10,
		memory_select_rec => 6, memory_recompute => 1, %$_ }) . "\n" } { name => 'A', nb_layer => 24 },
			{ name => 'mtp', nb_layer => 1 });
	my $options = "-s 4 -mb 8 -mem $mb -target megatron -i $v -gap $most -t 400";
	my ($plan) = map { $json->decode($_) } grep { /"plan"/ } qx(sapp-lp $options $tmp/layers 2>$tmp/err);
	cmp_ok($plan->{gap} // 1, '<=', $most, "$v chunks, $mb MB: the gap is small");
}

# Layers that predict further tokens do not count among recomputed layers: the last stage has 95 MB of its own.
spew("$tmp/layers", join '',
	map { $json->encode({ kind => 'layer', nb_layer => 1, time => 4, memory_parameter => 5, %$_ }) . "\n" }
	{ name => 'B', type => 'BODY', nb_layer => 4, memory_activation => 8, memory_recompute => 1 },
	{ name => 'mtp', type => 'BODY', memory_activation => 80, memory_recompute => 1 },
	{ name => 'T', type => 'TAIL', memory_parameter => 10 });
my ($least) = map { $json->decode($_) } grep { /"plan"/ }
	qx(sapp-lp -j -s 2 -mb 4 -mem 60 -mixes uniform -t 20 $tmp/layers 2>$tmp/err);
is_deeply([@$least{qw(status binding_stage excess)}], ['infeasible', 1, 35], 'no limit below what they keep');

# Larger models: the arguments must give the step of the plan, within memory.
my $data = abs_path($0) =~ s{/sapp-lp/[^/]*$}{/data/plans.jsonl}r;
open my $in, '<', $data or die "$data: $!";
my $large = 0;
while (my $line = <$in>) {
	my $want = $json->decode($line);
	my $q = $want->{question};
	next if !$ENV{LONG} || $q->{schedule} !~ /^(1f1b|vpp)$/;
	spew("$tmp/layers", join '', map { $json->encode($_) . "\n" } @{ $want->{records} });
	my $limit = ref $q->{memory_limit} ? join ',', @{ $q->{memory_limit} } : $q->{memory_limit};
	system("sapp-lp -j -s $q->{stages} -mb $q->{micro_batches} -i $q->{interleave} -S $q->{schedule} -mem $limit " .
	    "-target megatron -t 1 $tmp/layers >$tmp/plan 2>$tmp/err");
	my ($plan) = map { $json->decode($_) } grep { /"kind":"plan"/ } do { open my $p, '<', "$tmp/plan"; <$p> };
	if ($plan->{status} eq 'infeasible') {
		is($? >> 8, 3, "$want->{name}: none fits");
		next;
	}
	$large++;
	my $said = qx(sapp-yaml -f megatron $tmp/plan 2>&1 >$tmp/args);
	is($?, 0, "$want->{name}: as arguments") or diag $said;
	my ($sim) = map { $json->decode($_) } grep { /"name":"back"/ && /"kind":"sim"/ }
	    qx(sapp-yaml -r $tmp/args -name back $tmp/plan 2>$tmp/err | sapp-sim -j);
	cmp_ok(abs($sim->{step_time} - $plan->{step_time}), '<=', 1e-9 * $plan->{step_time},
		"$want->{name}: the plan's step");
	is_deeply($sim->{over}, [], "$want->{name}: within memory");
	cmp_ok($plan->{lower_bound}, '<=', $plan->{step_time}, "$want->{name}: and not below its bound");
}
cmp_ok($large, '>=', $ENV{LONG} ? 4 : 0, "$large large models");

# A published example of MindSpeed Auto Tuning: 32 layers, each of which keeps 500 MB or takes 10 ms more; the number of
# recomputed layers on a stage with one chunk or four.
for ([1, 32, 1, 40000, 0], [1, 32, 1, 10000, 12], [4, 16, 1, 20000, 0], [4, 16, 1, 8000, 4], [4, 16, 4, 30000, 0],
	[4, 16, 4, 8000, 4]) {
	my ($p, $m, $v, $memory, $want) = @$_;
	spew("$tmp/layers", $json->encode({ kind => 'layer', name => 'B', type => 'BODY', nb_layer => 32,
		time => 10, memory_activation => 500, memory_recompute => 1e-6, backward_time => 20,
		recompute_time => 30 }) . "\n");
	my $question = "-s $p -mb $m -i $v -mem $memory.01";
	my ($plan) = map { $json->decode($_) } grep { /"plan"/ }
		qx(sapp-lp -j -mixes uniform -t 20 $question $tmp/layers 2>$tmp/err);
	my $full = $plan->{recompute};
	is_deeply([map { my $s = $_; sum(map { $_->[$s] } @$full) } 0 .. $p - 1], [($want) x $p],
		"published: $p stages of $v chunks, $memory MB");
}

# Plans that a target cannot run or express are excluded.
spew("$tmp/layers", '{"kind":"layer","name":"B","type":"BODY","nb_layer":8,"time":1,"memory_activation":1,' .
    qq("memory_select_comm":0.5}\n));
sub refused {
	my ($options, $message, $name) = @_;
	my $said = qx(sapp-lp $options $tmp/layers 2>&1 >$tmp/out);
	is($? >> 8, 2, "$name: refused");
	like($said, qr/\Q$message\E/, "$name: says why");
}
refused('-target megatron -S zbv', q(Megatron-LM has no schedule 'zbv'), 'a V for Megatron-LM');
refused('-target mindformers -S zb-h1', q(MindFormers has no schedule 'zb-h1'), 'zero bubbles for MindFormers');
refused('-target mindspeed -i 2 -mb 6', 'multiple of the 4 stages', 'micro-batches left over');
refused("-s 4 -mb 8 -mem 500 -target $_ -S free", '-S free: ', "a free order for $_")
	for qw(mindformers megatron mindspeed pytorch);
refused('-s 4 -mb 8 -mem 500 -target pytorch -S 1f1b,free', 'the only kind supported by torchtitan',
	'a free order beside another');
refused('-target megatron -S vpp-overlap -s 4 -mb 8 -mem 500',
	'Megatron-LM runs vpp-overlap only with several chunks per stage', 'overlap without chunks');
refused('-target megatron -mixes yaml', 'Megatron-LM only runs uniform mixes', 'lists for Megatron-LM');
refused('-target mindformers -mixes all', 'only runs mixes that lists can express', 'any mixes for MindFormers');
refused('-target nix', q(-target: unknown 'nix'; known: any mindformers megatron mindspeed pytorch), 'no such target');
spew("$tmp/even", '{"kind":"layer","name":"B","type":"BODY","nb_layer":16,"time":1,"memory_activation":1,' .
    qq("memory_parameter":1,"memory_recompute":0.1}\n) .
    qq({"kind":"layer","name":"T","type":"TAIL","nb_layer":1,"time":5}\n));
my ($dual) = map { $json->decode($_) } grep { /"plan"/ }
    qx(sapp-lp -s 4 -mem 56000 -target mindspeed -S dualpipev -mb 8 -t 2 $tmp/even 2>$tmp/said | tee $tmp/dual);
is_deeply($dual->{counts}{B}{none}, [[2, 2, 2, 2], [2, 2, 2, 2]],
	'dualpipev for MindSpeed-LLM: the same number of layers in every piece');
is(system("sapp-yaml -f mindspeed $tmp/dual >$tmp/args 2>&1"), 0, 'which it can run');
refused('-s 3 -mem 56000 -target mindspeed -S dualpipev -mb 8', '8 layers are not divisible by 6 pieces',
	'uneven pieces for it');
my ($none) = map { $json->decode($_) } grep { /"plan"/ }
    qx(sapp-lp -target pytorch -mb 8 -t 2 $tmp/layers 2>$tmp/said);
is_deeply([keys %{ $none->{counts}{B} }], ['none'], 'communication is not repeated for a target that cannot');

# With more recomputed layers a step may get shorter again, and need more memory again: for two layers a and b of one
# stage, recomputing only the first takes 4 x 5 ms more than 4 x (10 + 20 + 10 + 20), and both 4 x 10 less.
sub two {
	my ($full, @memory) = @_;
	spew("$tmp/two", join '', map {
		my $recomputed = $_ eq 'a' ? 25 : $full;
		my ($kept, $least) = splice @memory, 0, 2;
		qq({"kind":"layer","name":"$_","type":"BODY","nb_layer":1,"time":10,"backward_time":20,) .
		    qq("recompute_time":$recomputed,"memory_parameter":1,"memory_activation":$kept,) .
		    qq("memory_recompute":$least}\n)
	} qw(a b));
}
sub first {
	my ($plan) = map { $json->decode($_) }
	    grep { /"plan"/ } qx(sapp-lp -s 1 -mb 4 -t 5 -gap 0 -mixes uniform -mem $_[0] $tmp/two 2>$tmp/said);
	return [@{$plan}{qw(status step_time)}, $plan->{lower_bound} <= $plan->{step_time}];
}
two(10, 30, 5, 30, 5);
is_deeply(first(500), ['optimal', 220, !!1], 'both recomputed are shorter than the first alone');
two(22, 30, 5, 30, 5);
is_deeply(first(500), ['optimal', 240, !!1], 'neither is shorter than the first alone, and than both');
two(22, 30, 5, 5, 30);
is_deeply(first(20), ['optimal', 260, !!1], 'the first alone fits');
is(system("sapp-lp -s 1 -mb 4 -t 5 -mixes uniform -mem 11 $tmp/two >$tmp/out 2>$tmp/said"), 3 << 8, 'but not in less');
like(scalar qx(cat $tmp/said), qr/the smallest limit that works is 12 MB/, 'which is said');
done_testing;
