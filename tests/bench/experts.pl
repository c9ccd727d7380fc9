#!/usr/bin/perl
# The constants of clusters that tell experts apart (tests/data/search/clusters.jsonl), fitted anew to published steps
# with the settings that ran: to all of them, and with each network left out, whose errors are then those of steps
# that nothing was fitted to. Starts and bounds are the shipped fit's; starts were set when all of the steps were
# known, so that what is left out is somewhat better than of a network that nobody had seen. So is the links'
# bandwidth.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use search;
use JSON::PP;

my $json = JSON::PP->new->canonical;
my $data = "$FindBin::Bin/../data/search";
my %settings = map { $_->{id} => $_ } records("$data/settings.jsonl");
my %shipped = map { $_->{name} => $_ } grep { $_->{name} =~ /-moe$/ } records("$data/clusters.jsonl");

# Name, start, bounds, where it stands; and the clusters whose it is: all, those behind H100, or those of one family.
my $later = qr/^g?b[23]00/;
my @constants = (
	['matmul', 0.8, 0.55, 0.9, $later, qw(efficiency matmul)],
	['attention', 0.6, 0.3, 0.95, $later, qw(efficiency attention)],
	['network', 0.55, 0.3, 0.9, $later, qw(efficiency network)],
	['overlap.dp', 0.4, 0.05, 0.95, $later, qw(overlap dp)],
	['grouped', 0.7, 0.4, 1, qr//, qw(efficiency grouped)],
	['permute', 8, 3, 16, qr//, qw(efficiency permute)],
	['fused', 0.6, 0.3, 1, qr//, qw(efficiency fused)],
	['quantize', 0.6, 0.3, 3, qr//, qw(efficiency quantize)],
	['alltoall near', 0.5, 0.2, 1, qr//, qw(dispatch alltoall 0)],
	['alltoall far', 0.65, 0.2, 1, qr//, qw(dispatch alltoall 1)],
	['flex near', 0.8, 0.2, 1, qr//, qw(dispatch flex 0)],
	['flex far', 0.7, 0.2, 1, qr//, qw(dispatch flex 1)],
	['overlap.ep', 0.7, 0.2, 0.97, qr//, qw(overlap ep)],
	['launch H100', 450, 80, 2500, qr/^h/, 'launch'],
	['launch B', 500, 80, 2500, qr/^b/, 'launch'],
	['launch GB', 500, 80, 2500, qr/^g/, 'launch'],
	['sync', 200, 0, 2000, qr//, qw(host sync)],
	['router', 0.3, 0.1, 2, qr//, qw(host router)],
	['expert', 0.12, 0, 0.3, qr//, qw(host expert)],
);
my ($robust, $pull) = (0.08, 0.1);

# Constants are fitted on a line without ends.
sub line { my ($c, $x) = @_; my $share = ($x - $c->[2]) / ($c->[3] - $c->[2]); return log($share / (1 - $share)) }
sub value { my ($c, $z) = @_; return $c->[2] + ($c->[3] - $c->[2]) / (1 + exp -$z) }

sub cluster_of {
	my ($name) = @_;
	$name = lc $name;
	$name =~ s/-8\.0$/-fp8-moe/ or $name =~ s/-16\.\d$/-bf16-moe/ or return undef;
	return $name;
}

my @rows;
for my $row (grep { $_->{source} eq 'bridge' } records("$data/published.jsonl.gz")) {
	my ($experts, $cluster) = (exists $settings{$row->{id}}, cluster_of($row->{cluster}));
	my $s = $settings{$row->{id}} // {};
	next unless $cluster && $shipped{$cluster};
	my %c = (%{$row->{candidate}}, %{$s->{candidate} // {}}, kind => 'candidate');
	my $batch = delete $c{gb};
	$c{micro_batches} = int($batch / $c{dp} / $c{mbs});
	push @rows, { network => { %{$row->{network}}, %{$s->{network} // {}} }, cluster => $cluster, candidate => \%c,
		measured => $row->{step_time}, experts => $experts, weight => $experts ? 1 : 1.5 };
}

# Logarithms of estimated over measured, with the constants at Z.
sub residuals {
	my ($rows, $z) = @_;
	my %now;
	for my $name (map { $_->{cluster} } @$rows) {
		next if $now{$name};
		my $c = $now{$name} = $json->decode($json->encode($shipped{$name}));
		for my $k (0 .. $#constants) {
			my (undef, undef, undef, undef, $of, @path) = @{$constants[$k]};
			next unless $name =~ $of;
			my $at = \$c;
			$at = /^\d$/ ? \$$at->[$_] : \$$at->{$_} for @path;
			$$at = value($constants[$k], $z->[$k]);
		}
	}
	my ($out) = run_tool([map { ($_->{network}, $now{$_->{cluster}}, $_->{candidate}) } @$rows], 'sapp-est');
	my @step = map { $_->{step_time} } grep { $_->{kind} eq 'estimate' } @$out;
	return map { log($step[$_] / $rows->[$_]{measured}) } 0 .. $#$rows;
}

sub cost {
	my ($rows, $r, $z, $start) = @_;
	my $cost = 0;
	$cost += $rows->[$_]{weight} * 2 * $robust ** 2 * (sqrt(1 + ($r->[$_] / $robust) ** 2) - 1) for 0 .. $#$rows;
	$cost += ($pull * ($z->[$_] - $start->[$_])) ** 2 for 0 .. $#$z;
	return $cost;
}

# A X = B, by elimination.
sub solve {
	my ($a, $b) = @_;
	my $n = @$b;
	for my $i (0 .. $n - 1) {
		for my $j ($i + 1 .. $n - 1) {
			my $f = $a->[$j][$i] / $a->[$i][$i];
			$a->[$j][$_] -= $f * $a->[$i][$_] for $i .. $n - 1;
			$b->[$j] -= $f * $b->[$i];
		}
	}
	my @x;
	for my $i (reverse 0 .. $n - 1) {
		my $rest = $b->[$i];
		$rest -= $a->[$i][$_] * $x[$_] for $i + 1 .. $n - 1;
		$x[$i] = $rest / $a->[$i][$i];
	}
	return @x;
}

# Levenberg and Marquardt, with weights that make large residuals count less.
sub fit {
	my ($rows) = @_;
	my @start = map { line($_, $_->[1]) } @constants;
	my @z = @start;
	my @r = residuals($rows, \@z);
	my ($cost, $damp) = (cost($rows, \@r, \@z, \@start), 1e-3);
	for my $turn (1 .. 12) {
		my @slope;
		for my $k (0 .. $#z) {
			my @moved = @z;
			$moved[$k] += 0.01;
			my @there = residuals($rows, \@moved);
			$slope[$k] = [map { ($there[$_] - $r[$_]) / 0.01 } 0 .. $#r];
		}
		my @weight = map { $rows->[$_]{weight} / sqrt(1 + ($r[$_] / $robust) ** 2) } 0 .. $#r;
		my (@a, @b);
		for my $i (0 .. $#z) {
			$b[$i] = -$pull ** 2 * ($z[$i] - $start[$i]);
			$b[$i] -= $weight[$_] * $slope[$i][$_] * $r[$_] for 0 .. $#r;
			for my $j (0 .. $#z) {
				$a[$i][$j] = $i == $j ? $pull ** 2 : 0;
				$a[$i][$j] += $weight[$_] * $slope[$i][$_] * $slope[$j][$_] for 0 .. $#r;
			}
		}
		my $before = $cost;
		for (1 .. 8) {
			my $damped = $json->decode($json->encode(\@a));
			$damped->[$_][$_] *= 1 + $damp for 0 .. $#z;
			my @step = solve($damped, [@b]);
			my @next = map { $z[$_] + $step[$_] } 0 .. $#z;
			my @there = residuals($rows, \@next);
			my $then = cost($rows, \@there, \@next, \@start);
			if ($then < $cost) {
				@z = @next;
				@r = @there;
				$cost = $then;
				$damp /= 5;
				last;
			}
			$damp *= 5;
		}
		last if $before - $cost < 1e-4 * $before;
	}
	return @z;
}

my $file = shift;
my $out;
open $out, '>', $file or die "$file: $!" if defined $file;
sub line_of {
	my ($what, @r) = @_;
	my @abs = map { abs } @r;
	printf "%-22s %4d %8.3f %8.3f %8.3f %+8.3f\n", $what, scalar @r, median(0.5, @abs), median(0.9, @abs),
		median(1, @abs), median(0.5, @r);
	print $out $json->encode({ bench => 'experts', what => $what, rows => 0 + @r, median => 0 + median(0.5, @abs),
		p90 => 0 + median(0.9, @abs) }), "\n" if $out;
}

printf "%-22s %4s %8s %8s %8s %8s\n", 'error of steps', 'rows', 'median', '90 %', 'worst', 'bias';
my @moe = grep { $_->{experts} } @rows;
my @z = fit(\@rows);
line_of('fitted to all', residuals(\@moe, \@z));
my %networks = map { $_->{network}{name} => 1 } @moe;
my (@apart, @left);
for my $name (sort keys %networks) {
	my @own = grep { $_->{network}{name} eq $name } @moe;
	my @without = fit([grep { $_->{network}{name} ne $name } @rows]);
	my @r = residuals(\@own, \@without);
	line_of("without $name", @r);
	push @left, @r;
}
line_of('each left out', @left);
printf "%-16s %9s %9s\n", 'constant', 'shipped', 'fitted';
for my $k (0 .. $#constants) {
	my (undef, undef, undef, undef, $of, @path) = @{$constants[$k]};
	my ($name) = sort grep { /$of/ && /fp8/ } keys %shipped;
	my $at = $shipped{$name};
	$at = /^\d$/ ? $at->[$_] : $at->{$_} for @path;
	printf "%-16s %9.4g %9.4g\n", $constants[$k][0], $at, value($constants[$k], $z[$k]);
}
