#!/usr/bin/perl
# sapp-ir -kinds: the memory and the time of recomputing operations, from the shapes of a dumped graph, as kinds of
# layers that are planned.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

my $tmp = tempdir(CLEANUP => 1);
sub spew { open my $f, '>', $_[0] or die; print $f $_[1]; close $f }
sub tensor { my ($type, @dims) = @_; return "<Tensor[$type], (" . join(', ', @dims) . ')>' }

# Print the graph of LAYERS layers of a Llama of 13 billion parameters, for MICRO micro-batches: sequences of S, hidden
# size H, F columns of the feed-forward, A heads. RESHAPE: reshapes after products. FULL: full recomputation, with
# copies for the backward.
my ($S, $H, $F, $A) = (4096, 5120, 13824, 40);
sub graph {
	my (%o) = (layers => 3, micro => 2, reshape => 1, full => 0, @_);
	my ($n, $text, $copy, $micro) = (0, "subgraph \@construct(%para1_x) {\n", 0, 0);
	my $node = sub {
		my ($op, $in, $ins, $out, $name, $scope) = @_;
		my $i = $n++;
		$text .= sprintf("  %%%d(CNode_%d) = PrimFunc_%s(%s) {instance name: %s} primitive_attrs: {} " .
		    "cnode_attrs: {%s} cnode_primal_attrs: {micro: I64(%d)}\n      : (%s) -> (%s)\n" .
		    "      # Fullname with scope: (%s/%s-op%d)\n", $i, 500 + $i, $op,
		    join(', ', map { /^\d/ ? "%$_" : $_ } @$in), $name,
		    $copy ? 'duplicated: Bool(1)' : 'x: Bool(0)', $micro, join(', ', @$ins), $out, $scope, $op, $i);
		return $i;
	};
	my ($h, $f, $rms) = (tensor('Float16', 1, $S, $H), tensor('Float16', 1, $S, $F), tensor('Float32', 1, $S, 1));
	my $max = tensor('Float32', 1, $A, $S, 8);
	my %weight = (H => tensor('Float16', $H, $H), F => tensor('Float16', $H, $F), D => tensor('Float16', $F, $H));
	my $root = 'Default/network-MFPipelineWithLossScaleCell/layers-CellList';
	# The forward of a layer, and the inputs of its backward.
	my $forward = sub {
		my ($l, $x, $w) = @_;
		my $at = "$root/$l-LLamaDecodeLayer";
		my ($att, $ffn) = ("$at/attention-LLamaAttention", "$at/feed_forward-LLamaFeedForward");
		my $norm = sub {
			my ($of, $where) = @_;
			my $t = $node->('RmsNorm', [$of, '%para9_gamma'], [$h, "<Ref[Tensor[Float16]], ($H)>"],
				"<Tuple[Tensor[Float16],Tensor[Float32]], TupleShape((1, $S, $H), (1, $S, 1))>", 'norm',
				"$at/$where-LlamaRMSNorm");
			return map { $node->('TupleGetItem', [$t, "I64($_)"], [], $_ ? $rms : $h, 'getitem',
				$at) } 0, 1;
		};
		my $product = sub {
			my ($of, $in, $size, $out, $where) = @_;
			$w = $node->('Cast', ["%para2_w", 'I64(42)'], ["<Ref[Tensor[Float32]], ($H, $F)>"],
				$weight{$size}, 'cast', $where);
			return $node->('MatMul', [$of, $w], [$in, $weight{$size}], $out, 'matmul', $where);
		};
		my $view = sub {
			my ($of, $what, $where) = @_;
			return $of unless $o{reshape};
			return $node->('Reshape', [$of], [$what], $what, 'reshape', $where);
		};
		my ($an, $ar) = $norm->($x, 'attention_norm');
		my @qkv = map { $view->($product->($an, $h, 'H', $h, "$att/$_-Linear"), $h, "$att/$_-Linear")
			} qw(wq wk wv);
		my $fa = $node->('FlashAttentionScore', [@qkv], [$h, $h],
			'<Tuple[Tensor[Float32]*3], TupleShape()>', 'flash_attention',
			"$att/flash_attention-FlashAttention");
		my @fa = map { $node->('TupleGetItem', [$fa, "I64($_)"], [], $_ < 2 ? $max : $h, 'getitem', $att)
			} 0 .. 2;
		my $wo = $product->($fa[2], $h, 'H', $h, "$att/wo-Linear");
		my $sum = $node->('Add', [$x, $wo], [$h, $h], $h, 'add', $at);
		my ($fn, $fr) = $norm->($sum, 'ffn_norm');
		my $w1 = $view->($product->($fn, $h, 'F', $f, "$ffn/w1-Linear"), $f, "$ffn/w1-Linear");
		my $silu = $node->('SiLU', [$w1], [$f], $f, 'silu', "$ffn/w1-Linear/activation-SiLU");
		my $w3 = $product->($fn, $h, 'F', $f, "$ffn/w3-Linear");
		my $mul = $node->('Mul', [$silu, $w3], [$f, $f], $f, 'mul', $ffn);
		my $flat = $view->($mul, $f, "$ffn/w2-Linear");
		my $w2 = $product->($flat, $f, 'D', $h, "$ffn/w2-Linear");
		return ($node->('Add', [$sum, $w2], [$h, $h], $h, 'add', $at),
			[$x, $an, $ar, @qkv, @fa, $sum, $fn, $fr, $w1, $silu, $w3, $flat]);
	};
	for (; $micro < $o{micro}; $micro++) {
		my ($x, @needs) = $node->('Gather', ['%para1_x'], [], $h, 'gather', 'Default/network-N/tok-Embedding');
		my @input;
		for my $l (0 .. $o{layers} - 1) {
			push @input, $x;
			($x, $needs[$l]) = $forward->($l, $x);
		}
		for my $l (reverse 0 .. $o{layers} - 1) {
			$copy = 1;
			(undef, $needs[$l]) = $forward->($l, $input[$l]) if $o{full};
			$copy = 0;
			$node->('SomeGrad', [$_], [$h], $h, 'grad', "Gradients/$root/$l-LLamaDecodeLayer/Grad_Some")
				for @{$needs[$l]};
		}
	}
	return "$text}\n";
}
my $mb = 1048576;
# Manually: inputs of norms, queries, keys, values, outputs of attention and norms, rows of the norms, maxima and sums
# of the scores, w1, w3, their product and the value between.
my $none = ($S * 2 * (8 * $H + 4 * $F) + 2 * 4 * $S + 2 * $A * $S * 8 * 4) / $mb;
my $full = $S * 2 * $H / $mb;
my $column = $S * 2 * $F / $mb;

my $layers = qq({"kind":"layer","name":"E","type":"HEAD","nb_layer":1,"time":2,"memory_parameter":1000}
{"kind":"layer","name":"L","type":"BODY","nb_layer":40,"time":100,"backward_time":200,"memory_parameter":600,%s}
{"kind":"layer","name":"T","type":"TAIL","nb_layer":1,"time":4,"memory_parameter":1000}
);
sub kinds {
	my ($graph, $memory, @options) = @_;
	spew("$tmp/graph.ir", $graph) if $graph ne '';
	spew("$tmp/in", sprintf $layers, $memory);
	my $out = qx(sapp-ir @options $tmp/graph.ir <$tmp/in 2>$tmp/err);
	my $status = $? >> 8;
	my @records = map { decode_json($_) } split /\n/, $out;
	my ($body) = grep { ($_->{type} // '') eq 'BODY' } @records;
	my %patterns = map { $_->{name} => $_->{select_recompute} } grep { $_->{kind} eq 'kind' } @records;
	return ($status, $body, \%patterns, do { open my $e, '<', "$tmp/err"; local $/; <$e> }, $out);
}
sub about { my ($got, $want, $name) = @_; ok(abs($got - $want) < 1e-3 * $want, $name) or diag("$got, not $want") }
my $measured = '"memory_recompute":45.0';

my ($status, $body, $patterns, $said, $out) = kinds(graph(), $measured, '-kinds 7');
is($status, 0, 'a graph and layers that were recomputed as a whole');
about($body->{memory_activation}, 45 + $none - $full, 'what keeping everything takes');
like($said, qr/memory without recomputation is computed from the graph: [0-9.]+ MB, error up to/,
	'is said to be computed');
my @by = sort { $b->{activation} <=> $a->{activation} } map { { %{$body->{kinds}{$_}}, name => $_ } }
	keys %{$body->{kinds}};
ok(@by >= 3 && @by <= 7, scalar(@by) . ' kinds');
my ($two) = grep { join(' ', sort @{$patterns->{$_->{name}}}) eq
	'attention_norm\\.norm feed_forward\\.mul feed_forward\\.w1\\.activation\\.silu ' .
	'feed_forward\\.w2\\.reshape ffn_norm\\.norm' } @by;
ok($two, 'one is that of norms and activation, with what stands behind its product');
my $norms = 2 * ($S * 2 * $H + 4 * $S) / $mb;
about($two->{activation}, $body->{memory_activation} - 2 * $column - $norms, 'which saves what these make');
# Bytes that each operation moves, divided by the bytes of the whole layer, whose products count 200 operations per
# byte.
my $product = sub { my ($in, $out) = @_; 2 * $S * $in * $out / 200 };
my $all = 4 * $product->($H, $H) + 3 * $product->($H, $F) + 2 * $S * $S * $H / 200
	+ $S * 2 * (2 * 3 * $H + 2 * $F + 3 * $F) + 2 * 2 * $H * ($S + 1);
about($two->{backward_time} - 200, 100 * ($S * 2 * (2 * $F + 3 * $F) + 2 * 2 * $H * ($S + 1)) / $all,
	'and takes what it moves');
my @names = map { $_->{name} } @by;
ok((!grep { my $i = $_; my %more = map { $_ => 1 } @{$patterns->{$names[$i]}};
	grep { !$more{$_} } @{$patterns->{$names[$i - 1]}} } 1 .. $#names), 'each has all patterns of the one before');
ok((!grep { $by[$_]{backward_time} <= $by[$_ - 1]{backward_time} } 1 .. $#by), 'and takes longer');
like($said, qr/is computed from the graph: it saves .* a run in which some layers use it/, 'all is said');

my ($s2, $copies) = kinds(graph(full => 1), $measured, '-kinds 7');
is($s2, 0, 'the graph of a run with full recomputation');
about($copies->{memory_activation}, $body->{memory_activation}, 'says the same of memory');
about($copies->{kinds}{$two->{name}}{activation}, $two->{activation}, 'and of the kinds');
about($copies->{kinds}{$two->{name}}{backward_time}, $two->{backward_time}, 'and of times');
my ($s3, $plain, $of) = kinds(graph(reshape => 0, layers => 2, micro => 1), '"memory_activation":800', '-kinds 1');
is(join(' ', $s3, map { @$_ } values %$of) =~ /reshape/, '', 'nothing stands between products: no patterns of it');
is($plain->{memory_activation}, 800, 'what was measured stays');

# Patterns given by options.
my @p = ("-kinds 3", "-p 'feed_forward\\.mul'");
(my $s4, my $alone, $of, $said) = kinds(graph(), $measured, @p);
is($s4 . keys %{$alone->{kinds} // {}}, '00', 'a pattern without what stands behind it');
like($said, qr/'feed_forward\\.mul' saves nothing in this graph/, 'saves nothing, which is said');
($s4, $alone, $of) = kinds('', $measured, @p, "-p 'feed_forward\\.w2\\.reshape'",
	"-p 'feed_forward\\.w1\\.activation'");
is_deeply([ map { join ' ', @$_ } sort { @$a <=> @$b } values %$of ], [ 'feed_forward\\.w1\\.activation',
	'feed_forward\\.w1\\.activation feed_forward\\.mul feed_forward\\.w2\\.reshape' ],
	'as they were given, with it');
spew("$tmp/train.yaml", "recompute_config:\n  select_recompute: {'.*\\.norm': [1, 1]}\n");
($s4, $alone, $of) = kinds('', $measured, '-kinds 2', "-c $tmp/train.yaml");
about($body->{memory_activation} - (values %{$alone->{kinds}})[0]{activation}, $norms,
	'both norms by one pattern of a training YAML');

# Measured kinds get their measured time; fitted figures give the computed ones.
my $fit = '{"kind":"fit","unknowns":1,"rank":1,"condition":1,"estimates":[],"residuals":[]}';
spew("$tmp/in", "$fit\n" . '{"kind":"kind","name":"k","select_recompute":["feed_forward\\\\.mul",' .
	'"feed_forward\\\\.w1\\\\.activation"]}' . "\n" .
	sprintf $layers, '"memory_activation":800,"kinds":{"k":{"activation":500,"backward_coef":0.3}}');
my ($timed) = grep { ($_->{type} // '') eq 'BODY' } map { decode_json($_) }
	split /\n/, qx(sapp-ir -kinds 3 $tmp/graph.ir <$tmp/in 2>$tmp/err);
is($timed->{kinds}{k}{activation}, 500, 'a kind that was measured');
about($timed->{kinds}{k}{backward_time}, 200 + 100 * $S * 2 * $F * 2 / $all, 'gets its time');
spew("$tmp/in", "$fit\n" . sprintf $layers, $measured);
($fit) = map { decode_json($_) } grep { /"fit"/ } split /\n/, qx(sapp-ir -kinds 2 $tmp/graph.ir <$tmp/in 2>$tmp/err);
is(scalar(grep { $_->{computed} && $_->{error} > 0 } @{$fit->{estimates}}), 3,
	'the fit has them as computed, with errors');

# Kernels of a profile give the times of operations of their type and size.
my $kernel = '{"kind":"kernel","run":"r","stage":0,"part":"body","phase":"forward","order":%d,"type":"%s",' .
	'"output":[[%s]],"calls":40,"time":%g}' . "\n";
spew("$tmp/in", sprintf($kernel, 0, 'MulV2', "$S,1,$F", 2) . sprintf($kernel, 1, 'SiLU', "1,$S,$F", 1.5)
	. sprintf($kernel, 2, 'MatMulV3', "$S,$F", 20) . sprintf($kernel, 3, 'Add', '7,7', 50)
	. sprintf $layers, $measured);
my @timed = map { decode_json($_) } split /\n/,
	qx(sapp-ir -kinds 1 -p 'feed_forward\\.mul' -p 'feed_forward\\.w2\\.reshape' $tmp/graph.ir <$tmp/in 2>$tmp/err);
my ($by_kernel) = map { (values %{$_->{kinds}})[0] } grep { ($_->{type} // '') eq 'BODY' } @timed;
about($by_kernel->{backward_time}, 202, 'what the kernel of an operation took');
is(scalar(grep { $_->{kind} eq 'kernel' } @timed), 4, 'kernels pass through');
# 2 + 1.5 and two products of 20 of 100 ms.
like(do { open my $e, '<', "$tmp/err"; local $/; <$e> }, qr/times of kernels are known for 4[34] % of a forward/,
	'how much is known so is said');

# The same number of kernels of other sizes, and results passed from one to the next, as operations: n and 4 n.
{
	my %took;
	for my $n (1, 4) {
		open my $g, '>', "$tmp/large.ir";
		print $g graph(layers => 1, micro => 1) =~ s/\}\n\z//r;
		# A chain of passing operations, each of which the backward needs; and products.
		my $line = sub {
			my ($i, $op, $in, $type, $scope) = @_;
			return "  %$i(x) = PrimFunc_$op(%$in) {instance name: x}\n      : ($type) -> ($type)\n" .
				"      # Fullname with scope: ($scope/0-LLamaDecodeLayer/$op-op1)\n";
		};
		print $g map { my $type = tensor('Float16', $_);
			$line->(100000 + $_, 'Depend', $_ > 1 ? 99999 + $_ : 5, $type, 'Default/x') .
			$line->(200000 + $_, 'Some', 100000 + $_, $type, 'Gradients/x') .
			$line->(300000 + $_, 'Mul', 5, $type, 'Default/x') } 1 .. 4000 * $n;
		print $g "}\n";
		close $g;
		spew("$tmp/in", join('', map { sprintf $kernel, $_, 'MulV2', $_ + 10000, 1 } 1 .. 4000 * $n)
			. sprintf $layers, $measured);
		my $best = 1e9;
		for (1 .. 3) {
			my @before = times;
			system("sapp-ir -kinds 1 -p 'feed_forward\\.mul' -p 'feed_forward\\.w2\\.reshape' " .
				"$tmp/large.ir <$tmp/in >/dev/null 2>$tmp/err");
			my @after = times;
			$best = $after[2] - $before[2] if $after[2] - $before[2] < $best;
		}
		$took{$n} = $best;
	}
	cmp_ok($took{4}, '<', 8 * $took{1} + 0.1, 
		sprintf('time grows with the input: %.2f and %.2f s for four times as much', $took{1}, $took{4}));
}

# Two stages of 20 layers, as in a guide that tuned them manually: 57.2 GB, 128 micro-batches. Planned, written, read
# back.
($status, $body, $patterns, $said, $out) = kinds('', $measured, '-kinds 4');
spew("$tmp/layers", $out);
system("sapp-lp -s 2 -mb 128 -mem 40GB -gap 0.002 -t 20 $tmp/layers >$tmp/plan 2>$tmp/err");
my ($plan) = map { decode_json($_) } grep { /"kind":"plan"/ } do { open my $f, '<', "$tmp/plan"; <$f> };
my $counts = $plan->{counts}{L};
my @kept = map { my $s = $_; my $n = 0; $n += $counts->{none}[0][$s]; $n } 0, 1;
cmp_ok($kept[0], '<', $kept[1], "the first stage recomputes more: $kept[0] and $kept[1] layers keep everything");
ok((grep { $_ ne 'none' && $_ ne 'full' } keys %$counts), 'by kinds that nobody measured');
my $lines = qx(sapp-yaml -f mindformers $tmp/plan 2>$tmp/err);
like($lines, qr/select_recompute: \{.*'feed_forward\\.mul': \[\[?\d+, \d+\]/, 'written as lists by operator');
spew("$tmp/train.yaml", "parallel_config:\n  pipeline_stage: 2\n  micro_batch_num: 128\nmodel:\n  model_config:\n" .
	"    num_layers: 40\n    offset: 0\nrecompute_config:\n  recompute: True\n  select_recompute: False\n");
is(system("sapp-yaml -w $tmp/train.yaml $tmp/plan 2>$tmp/err") >> 8, 0, 'into a training YAML');
my ($read) = map { decode_json($_) } grep { /"kind":"plan"/ }
	split /\n/, qx(grep '"kind":"kind"' $tmp/plan | sapp-yaml -r $tmp/train.yaml 2>$tmp/err);
my %there = map { $_ => $counts->{$_}[0] } grep { $counts->{$_}[0][0] + $counts->{$_}[0][1] > 0 } keys %$counts;
is_deeply({ map { $_ => $read->{counts}{BODY}{$_}[0] } keys %{$read->{counts}{BODY}} }, \%there, 'which says the same');
my %sim = map { $_->{name} => $_->{step_time} } map { decode_json($_) } grep { /"kind":"sim"/ }
	split /\n/, qx(sapp-sim -j -naive 1 $tmp/plan 2>$tmp/err);
my $gain = 100 * ($sim{naive_all_recomp} / $sim{$plan->{name}} - 1);
cmp_ok($gain, '>', 15, sprintf('%.1f %% more tokens than with full recomputation', $gain));

# Refused input.
my $forward = join '', grep { 1 } graph(layers => 1, micro => 1);
$forward =~ s/Gradients\///g;
for ([ 'no backward', $forward, $measured, qr/no backward in the graph uses results of layers/ ],
	[ 'no layers', "  %0(a) = Mul(%5)\n      # Scope: (Default/x/Mul-op1)\n}\n", $measured,
		qr/no operation of a layer in the graph/ ],
	[ 'layers without memory', graph(layers => 1, micro => 1), '"memory_transient":1',
		qr/'L' has neither memory_activation nor memory_recompute/ ]) {
	my ($name, $graph, $memory, $message) = @$_;
	my ($refused, undef, undef, $why) = kinds($graph, $memory, '-kinds 2');
	is($refused, 1, "refused: $name");
	like($why, $message, 'says why');
}
for ([ '', 1, qr/no layer record of type BODY/ ],
	[ '{"kind":"layer","name":"L","type":"BODY","nb_layer":4,"memory_recompute":4}' . "\n", 1,
		qr/'L' has no time/ ],
	[ join('', map { qq({"kind":"layer","name":"$_","type":"BODY","nb_layer":4,"time":1}\n) } 'A', 'B'), 1,
		qr/layer: 'B' in addition to 'A'/ ]) {
	spew("$tmp/in", $_->[0]);
	is(system("sapp-ir -kinds 2 $tmp/graph.ir <$tmp/in >/dev/null 2>$tmp/err") >> 8, $_->[1],
		'refused: other layers');
	like(do { open my $e, '<', "$tmp/err"; local $/; <$e> }, $_->[2], 'says why');
}
is(system("sapp-ir -kinds 2 </dev/null 2>/dev/null") >> 8, 2, 'no graph beside the layers');
is(system("sapp-ir -kinds 8 $tmp/graph.ir </dev/null 2>/dev/null") >> 8, 2, 'more kinds than there may be');
done_testing;
