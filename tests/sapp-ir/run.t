#!/usr/bin/perl
# sapp-ir on graphs in the form of MindSpore: marked and recomputed operations, only marked ones, operations between;
# large
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $tmp = tempdir(CLEANUP => 1);
sub spew { open my $f, '>', $_[0] or die; print $f $_[1]; close $f }

# Return a graph with the feed-forward part of each layer: SiLU, Reshape, Mul, Reshape, MatMul. In the first COPIES
# layers, the backward recomputes the marked operations.
sub graph {
	my ($layers, $copies, $reshape, $old) = @_;
	my ($n, $text) = (0, "#IR entry      : \@construct\nsubgraph \@construct(%para1_x) {\n");
	my $node = sub {
		my ($op, $inputs, $instance, $marked, $copy, $scope) = @_;
		my $i = $n++;
		my $primitive = 'output_names: [output], input_names: [x]'
			. ($marked && !$old ? ', recompute: Bool(1)' : '');
		my $attrs = 'recompute_sub_graph: U64(64), recompute_id: I64(65)'
			. ($marked && $old ? ', recompute: Bool(1)' : '') .
		    ($copy ? ', duplicated: Bool(1), need_cse_after_recompute: Bool(1)' : '');
		$text .= sprintf("  %%%d(CNode_%d) = %s%s(%s) {instance name: %s} primitive_attrs: {%s} " .
		    "cnode_attrs: {%s} cnode_primal_attrs: {micro: I64(0)}\n" .
		    "      : (<Tensor[Float16], (1, 4096, 4096)>) -> (<Tensor[Float32], (1, 4096, 4096)>)\n" .
		    "      # Fullname with scope: (%s)\n", $i, 100 + $i, $old ? ''
		    : 'PrimFunc_', $op, join(', ', map { "%$_" } @$inputs), $instance, $primitive, $attrs, $scope);
		return $i;
	};
	my $scope = sub {
		"$_[0]network-MFPipelineWithLossScaleCell/layers-CellList/$_[1]-LLamaDecodeLayer/" .
		    "feed_forward-LLamaFeedForward/$_[2]"
	};
	my $x = $node->('Cast', [], 'cast', 0, 0, 'Default/Cast-op0');
	for my $l (0 .. $layers - 1) {
		my $silu = $node->('SiLU', [$x], 'silu', 1, 0,
			$scope->('Default/', $l, "w1-Linear/activation-SiLU/SiLU-op$l"));
		my $r = $node->('Reshape', [$silu], 'reshape', $reshape, 0,
			$scope->('Default/', $l, "w1-Linear/Reshape-op$l"));
		my $mul = $node->('Mul', [$r, $x], 'mul', 1, 0, $scope->('Default/', $l, "Mul-op$l"));
		$r = $node->('Reshape', [$mul], 'reshape', $reshape, 0,
			$scope->('Default/', $l, "w2-Linear/Reshape-op$l"));
		$x = $node->('MatMul', [$r], 'matmul', 0, 0, $scope->('Default/', $l, "w2-Linear/MatMul-op$l"));
	}
	for my $l (reverse 0 .. $layers - 1) {
		next unless $l < $copies;
		my $silu = $node->('SiLU', [1], 'silu', 1, 1,
			$scope->('recompute_Default/', $l, "w1-Linear/activation-SiLU/SiLU-op7$l"));
		my $r = $reshape ? $node->('Reshape', [$silu], 'reshape', 1, 1,
			$scope->('recompute_Default/', $l, "w1-Linear/Reshape-op7$l")) : $silu;
		my $mul = $node->('Mul', [$r], 'mul', 1, 1, $scope->('recompute_Default/', $l, "Mul-op7$l"));
		$node->('Reshape', [$mul], 'reshape', 1, 1,
			$scope->('recompute_Default/', $l, "w2-Linear/Reshape-op7$l")) if $reshape;
	}
	return "$text}\n";
}
sub ir {
	my ($file, @patterns) = @_;
	my $out = join '', map { "-p '$_' " } @patterns;
	$out = qx(sapp-ir $out $file 2>&1);
	return ($? >> 8, $out);
}
my @two = ('feed_forward\\.mul', 'feed_forward\\.w1\\.activation');

for my $old (0, 1) {
	my $form = $old ? 'older form' : 'newer form';
	spew("$tmp/marked.ir", graph(4, 0, 0, $old));
	my ($status, $out) = ir("$tmp/marked.ir", @two);
	is($status, 3, "$form, marked only: not in effect");
	like($out, qr/^feed_forward\\.mul: not in effect: 4 marked, 0 recomputed$/m, "$form: numbers of a pattern");
	like($out, qr/^  feed_forward\.w1\.activation\.silu +SiLU +4 +0  not in 0-3$/m,
		"$form: by operation and layer");
	like($out, qr/^\ {4}Reshape\ follows\ it\ before\ feed_forward\.mul\ and\ is\ not\ recomputed:
	    \ add\ 'feed_forward\\.w1\\.reshape'$/mx,
	    "$form: what stands between two that are marked");
	like($out, qr/add 'feed_forward\\.w2\\.reshape'$/m, "$form: what stands behind the last");
	spew("$tmp/both.ir", graph(4, 4, 1, $old));
	($status, $out) = ir("$tmp/both.ir", @two, 'feed_forward\\.w[12]\\.reshape');
	is($status, 0, "$form, computed again: in effect");
	like($out, qr/^feed_forward\\.w\[12\]\\.reshape: in effect: 8 marked, 8 recomputed$/m,
		"$form: a pattern of two");
	unlike($out, qr/follows/, "$form: nothing stands between");
	spew("$tmp/some.ir", graph(4, 2, 1, $old));
	($status, $out) = ir("$tmp/some.ir");
	is($status, 3, "$form: some layers");
	like($out, qr/^  feed_forward\.mul +Mul +4 +2  layers 0-1; not in 2-3$/m, "$form: which ones");
}
my ($status, $out) = ir("$tmp/both.ir", 'attention\\.norm');
is($status, 3, 'a pattern that means nothing');
like($out, qr/^attention\\.norm: matches no operation that is marked: 0 marked, 0 recomputed$/m, 'is told');
($status, $out) = ir("$tmp/both.ir $tmp/both.ir", 'feed_forward\\.mul');
like($out, qr/8 marked, 8 recomputed/, 'several files');
spew("$tmp/train.yaml", "recompute_config:\n  recompute: False\n" .
    "  select_recompute: {'feed_forward\\.mul': [1, 1], 'feed_forward\\.w1\\.activation': [1, 1]}\n");
($status, $out) = ir("-c $tmp/train.yaml $tmp/both.ir");
is(scalar(() = $out =~ /: in effect: /g), 2, 'the patterns of a training YAML');
($status, $out) = ir("$tmp/both.ir", '.*' . '\\..*' x 5);
is($status, 3, 'a pattern of more names than there are means nothing');
spew("$tmp/list.yaml", "recompute_config:\n  select_recompute: ['feed_forward\\.mul', 12, [1, 2]]\n");
($status, $out) = ir("-c $tmp/list.yaml $tmp/both.ir");
like($out, qr/^feed_forward\\.mul: in effect/m, 'patterns of a list, its numbers left out');
for ([ 'recompute_config: True', 'no map' ], [ 'recompute: x', 'no recompute_config' ],
	[ "recompute_config:\n  select_recompute: [4, 8]", 'only numbers' ],
	[ "recompute_config:\n  recompute: [4]", 'no select_recompute' ]) {
	spew("$tmp/none.yaml", "$_->[0]\n");
	($status, $out) = ir("-c $tmp/none.yaml $tmp/both.ir");
	is($status, 1, "a training YAML without patterns: $_->[1]");
	like($out, qr/none\.yaml: recompute_config: select_recompute has no patterns/, 'is told');
}
unlink "$tmp/none.yaml";

# Nodes in forms that a dump may have: no parenthesis behind the scope's name, no number of the layer, no operation, a
# number before what it takes, more inputs than are looked at, the largest number; a name of 5,000 letters.
my $marked = 'cnode_attrs: {recompute: Bool(1)}';
spew("$tmp/forms.ir", "  %0(a) = Mul(%5, %x, %1) $marked\n      # Scope: no parenthesis\n"
	. "  %1(b)\n  %2(c) = Reshape(%0)\n      # Scope: (Default/7Block/8-Layer/norm/Reshape-op1)\n"
	. "  %3(d) = Mul(" . join(', ', ('%2') x 80) . ") $marked\n      # Scope: (Default/8-Layer/12/Mul-op1)\n"
	. "  %9000(e) = Mul(%3) $marked\n      # Fullname with scope: (Default/8-Layer/norm/Mul-op2)\n"
	. "  %9001(f) = Add(%9000)\n  %16777216(g) = Mul(%3) $marked\n"
	. "  %4(h) = " . ('Op' x 2500) . "() $marked\n"
	. "      # Scope: (Default/9-Layer/" . ('x' x 5000) . "/Op-op1)\n}\n");
($status, $out) = ir("$tmp/forms.ir");
is($status, 3, 'nodes in other forms');
like($out, qr/^  mul +Mul +1 +0  not in none$/m, 'no scope: of no layer');
like($out, qr/^  12\.mul +Mul +1 +0  not in 8$/m, 'the first number of a scope is the layer');
like($out, qr/^  norm\.mul +Mul +1 +0  not in 8$/m, 'a number of many thousands');
like($out, qr/^  x{4000,4096}\S* /m, 'a long name is cut');
like($out, qr/Reshape follows it before 12\.mul/, 'what stands between them is told once');
like($out, qr/^not all in effect: 4 marked, 0 recomputed$/m, 'as many as are there');

# A name longer than the buffer: up to each of the last parts that fit, then a far longer name.
for my $parts (1, 2046, 2047, 2048, 2049, 5000) {
	spew("$tmp/parts.ir", "  %0(a) = Mul(%5) $marked\n      # Scope: (Default/3-Layer/" . ('x/' x $parts)
		. ('y' x 6000) . "/Mul-op1)\n}\n");
	($status, $out) = ir("$tmp/parts.ir");
	is($status, 3, "a scope of $parts parts and one of 6000 letters");
	ok($out =~ /^  x\.[xy.]{4000,4094} +Mul +1 +0  not in 3$/m, 'its name is cut');
}

# More names than the first table holds; the same name at several places.
spew("$tmp/many.ir", join('', map { "  %$_(a) = Mul() $marked\n      # Scope: (Default/" . ($_ % 3) . '-Layer/n' .
	int($_ / 3) . "/Mul-op1)\n" } 0 .. 2999) . "}\n");
($status, $out) = ir("$tmp/many.ir");
is(scalar(() = $out =~ /^  n\d+\.mul +Mul +3 +0  not in 0-2$/mg), 1000, 'a thousand names in three layers');

# Invalid graphs and patterns.
for ([ 'hello', "-p x", qr/sapp-ir: .*bad.ir: not a dumped graph/, 1 ], [ '', '', qr/not a dumped graph/, 1 ],
    [ ' %1(a) = Mul(%0)', "-p 'a\\.'", qr/-p: not a pattern of names divided by '\\.': no name after the last dot/,
    1 ], [ ' %1(a) = Mul(%0)', "-p '('", qr/-p: not a pattern/, 1 ], [ ' %1(a) = Mul(%0)', '-x', qr/usage:/, 2 ],
    [ ' %1(a) = Mul(%0)', "-c $tmp/none.yaml", qr/none.yaml/, 1 ]) {
	my ($text, $options, $message, $want) = @$_;
	spew("$tmp/bad.ir", "$text\n");
	($status, $out) = ir("$options $tmp/bad.ir");
	is($status, $want, "refused: $options '$text'");
	like($out, $message, 'says why');
}
($status, $out) = ir("$tmp/missing.ir");
is($status, 1, 'no such file');
($status, $out) = ir($tmp);
is($status, 1, 'a directory');
like($out, qr/sapp-ir: \Q$tmp\E: cannot be (?:read|opened)/, 'is told');

# A cut-off file, long lines, large numbers.
spew("$tmp/cut.ir", substr(graph(3, 3, 1, 0), 0, 3000));
isnt((ir("$tmp/cut.ir"))[0], 139, 'a file that is cut off');
spew("$tmp/long.ir", "  %1(a) = PrimFunc_Mul(%0, " . 'Tensor(value=[' . '1,' x 1500000
	. "])) {instance name: mul}\n  %99999999999999999999(b) = Mul(%1) cnode_attrs: {recompute: Bool(1)}\n"
	. "  %3(c) = Mul(%1) cnode_attrs: {recompute: Bool(1)}\n");
is((ir("$tmp/long.ir"))[0], 3, 'a line of 3 MB, a number of 20 digits');

# Memory: 200 MB take less than 64 MB, and so does a GB with LONG.
my $big = graph(1500, 1500, 1, 0);
my $times = $ENV{QUICK} ? 2 : int(($ENV{LONG} ? 1e9 : 2e8) / length($big)) + 1;
open my $f, '|-', "sapp-ir -v >$tmp/out 2>$tmp/err" or die;
print $f $big for 1 .. $times;
close $f;
my ($mb) = do { open my $e, '<', "$tmp/err"; local $/; <$e> =~ /([0-9.]+) MB/ };
cmp_ok($mb, '<', $ENV{QUICK} ? 1000 : 64, sprintf('%d MB in %s MB of memory', $times * length($big) / 1e6, $mb));
my $nodes = 1500 * $times;
like(do { open my $o, '<', "$tmp/out"; local $/; <$o> }, qr/^  feed_forward\.mul +Mul +$nodes +$nodes/m,
	'and every node of it is counted');
# A copy without its original, as documentation shows it: it carries the original's mark. A Cast is an ordinary
# operation.
my $cast = "  %1834(CNode_108839) = PrimFunc_Cast(%1833, I64(43)) {instance name: cast} primitive_attrs: " .
    "{output_names: [output], input_names: [x, dst_type], recompute: Bool(1)} cnode_attrs: {recompute_sub_graph: " .
    "U64(64), recompute_id: I64(65), duplicated: Bool(1), need_cse_after_recompute: Bool(1)}\n" .
    "      # Fullname with scope: (Default/network-A/9-LLamaDecodeLayer/attention_norm-LlamaRMSNorm/Cast-op9)\n";
spew("$tmp/cast.ir", $cast);
my ($cast_status, $cast_out) = ir("$tmp/cast.ir", 'attention_norm\\.cast');
is($cast_status, 0, 'a copy alone is in effect');
like($cast_out, qr/^attention_norm\\.cast: in effect: 1 marked, 1 recomputed$/m, 'and counts');
$cast =~ s/, recompute: Bool\(1\)//;
spew("$tmp/unmarked.ir", $cast);
($cast_status, $cast_out) = ir("$tmp/unmarked.ir", 'attention_norm\\.cast');
is($cast_status, 3, 'one that carries no mark is nobody\'s');

done_testing;
