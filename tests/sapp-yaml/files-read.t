#!/usr/bin/perl
# Files of Primus, FlagScale, HyperParallel and sapp_ppb, read independently here: the layers of each piece in model
# order, and their recomputation, agree with the plan; or the plan is refused.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(sum);
use Test::More;
use plans qw(random);

my $dir = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical;

# Return a list or number of a setting, wherever it is in the file.
sub setting { my ($text, $name) = @_; $text =~ /^\s+\Q$name\E: (.*)$/m ? $1 : undef }

# "Et|(t*2|)*2,t*3|tL": layers between bars.
sub layout {
	my ($text) = @_;
	1 while $text =~ s/\(([^()]*)\)\*(\d+)/$1 x $2/e;
	1 while $text =~ s/t\*(\d+)/'t' x $1/e;
	$text =~ tr/,"//d;
	$text =~ s/^E//, $text =~ s/L$//;
	return map { length } split /\|/, $text, -1;
}

# Layers by Megatron-LM's settings: a layout, the first and the last stage, or equal stages.
sub pieces_of_megatron {
	my ($text) = @_;
	my ($layers, $p) = map { setting($text, $_) } qw(num_layers pipeline_model_parallel_size);
	my $layout = setting($text, 'pipeline_model_parallel_layout');
	return layout($layout) if defined $layout;
	my ($first, $last) = map { setting($text, "decoder_${_}_pipeline_num_layers") } qw(first last);
	my ($left, $others) = ($layers - ($first // 0) - ($last // 0), $p - defined($first) - defined($last));
	my $virtual = $p * (setting($text, 'num_virtual_stages_per_pipeline_rank') // 1);
	return ($layers / $virtual) x $virtual if $virtual > $p;
	return ((defined $first ? $first : ()), ($left / $others) x $others, (defined $last ? $last : ()));
}

my %read = (
	primus => sub {
		my ($text) = @_;
		my ($at, %again) = 0;
		my $ids = setting($text, 'recompute_layer_ids');
		$again{$_} = 1 for defined $ids ? @{$json->decode($ids)} : ();
		die 'recompute_method' if defined $ids && setting($text, 'recompute_method') ne 'null';
		return map { my $n = $_; $at += $n; [$n, scalar grep { $again{$_} } $at - $n .. $at - 1] }
			pieces_of_megatron($text);
	},
	flagscale => sub {
		my ($text, $micro) = @_;
		my $lists = setting($text, 'recompute_num_layers_per_stage_micro_batch');
		my @again;
		for (defined $lists ? @{$json->decode($lists)} : ()) {
			my ($stages, $batches, $layers, @more) = @$_;
			die 'micro-batches' if @more || $batches != $micro;
			push @again, ($layers > 0 ? $layers : 0) x $stages;
		}
		my @pieces = pieces_of_megatron($text);
		die 'lists' if @again && @again != @pieces;
		return map { [$pieces[$_], $again[$_] // 0] } 0 .. $#pieces;
	},
	hyperparallel => sub {
		my ($text) = @_;
		my $split = $json->decode(setting($text, 'pp_layer_split'));
		my $full = setting($text, 'activation_checkpoint') eq 'full';
		my $again = $full ? $json->decode(setting($text, 'num_layers')) : [];
		die 'pp' if @$split != setting($text, 'pp') * setting($text, 'pp_vpp');
		return map { [$split->[$_], $again->[$_] // 0] } 0 .. $#$split;
	},
	'sapp-ppb' => sub {
		my ($text, undef, $layers) = @_;
		my ($offset, $again) = map { $json->decode(setting($text, $_)) } qw(offset recompute);
		die 'interleave_num' if setting($text, 'interleave_num') != @$offset;
		my $each = int($layers / (@$offset * @{$offset->[0]}));
		return map { my $c = $_; map { [$each + $offset->[$c][$_], $again->[$c][$_]] } 0 .. $#{$offset->[0]} }
			0 .. $#$offset;
	},
);

# A plan of N layers by chunk and stage; FULL layers are recomputed as a whole and SELECT layers in part.
sub plan_of {
	my ($micro, $n, $full, $select) = @_;
	my ($v, $p) = (scalar @$n, scalar @{$n->[0]});
	my $each = int(sum(map { @$_ } @$n) / ($p * $v));
	my $by = sub { my ($of) = @_; [map { my $c = $_; [map { $of->($c, $_) } 0 .. $p - 1] } 0 .. $v - 1] };
	my %counts = (none => $by->(sub { $n->[$_[0]][$_[1]] - $full->[$_[0]][$_[1]] - $select->[$_[0]][$_[1]] }),
		full => $full);
	$counts{select} = $select if sum(map { @$_ } @$select) > 0;
	return { kind => 'plan', name => 'p', origin => 'manual', schedule => $v > 1 ? 'vpp' : '1f1b', interleave => $v,
		micro_batches => $micro, counts => { A => \%counts }, recompute => $full,
		offset => $by->(sub { $n->[$_[0]][$_[1]] - $each }), select_comm_recompute => $full,
		select_recompute => $by->(sub { $full->[$_[0]][$_[1]] + $select->[$_[0]][$_[1]] }) };
}

for my $target (sort keys %read) {
	my ($written, $refused, $wrong) = (0, 0, '');
	for my $case (1 .. 40) {
		my ($p, $v, $micro) = (2 + random(3), 1 + random(2), 8 + 4 * random(2));
		my $even = random(3) == 0 ? 1 + random(3) : 0;
		my @n = map { [map { $even || 1 + random(4) } 1 .. $p] } 1 .. $v;
		# Most formats cannot express a kind in addition to fully recomputed layers.
		my ($most, $odd) = (random(4), random(8) == 0);
		my @full = map { [map { my $k = random($most + 1); $k > $_ ? $_ : $k } @$_] } @n;
		my @select = map { my $c = $_; [map { $odd && $n[$c][$_] > $full[$c][$_] ? 1 : 0 } 0 .. $p - 1] }
			0 .. $v - 1;
		open my $out, '>', "$dir/plan" or die;
		print $out $json->encode(plan_of($micro, \@n, \@full, \@select)), "\n";
		close $out or die;
		my $text = `sapp-yaml -f $target $dir/plan 2>$dir/said`;
		if ($? != 0) {
			$refused++;
			$wrong ||= "refused with text: $text" if $? >> 8 != 1 || $text ne '';
			next;
		}
		$written++;
		my $read = eval { $json->encode([$read{$target}->($text, $micro, sum(map { @$_ } @n))]) } // $@;
		my $meant = $json->encode([map { my $c = $_; map { [$n[$c][$_], $full[$c][$_]] } 0 .. $p - 1 }
			0 .. $v - 1]);
		$wrong ||= "$text# meant $meant\n# read $read"
			if $read ne $meant || (sum(map { @$_ } @select) > 0 && $target ne 'sapp-ppb');
	}
	is($wrong, '', "$target: what is written is the plan");
	cmp_ok($written, '>=', 10, "$target: $written plans are written");
	cmp_ok($refused, '>=', $target eq 'sapp-ppb' ? 0 : 1, "$target: $refused are refused");
}
done_testing;
