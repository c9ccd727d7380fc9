# Random plans for tests of settings; the same plans on every machine.
package plans;
use strict;
use warnings;
use Exporter qw(import);
our @EXPORT_OK = qw(random random_plan);

my $seed = $ENV{SEED} || 1;

sub random { $seed = ($seed * 1103515245 + 12345) % 2147483648; int($seed / 65536) % $_[0] }

# Make a plan for P stages, V chunks and L layers, with every kind of recomputation.
sub random_plan {
	my ($p, $v, $l) = @_;
	my $even = int($l / ($p * $v));
	my @off = map { [(0) x $p] } 1 .. $v;
	$off[random($v)][random($p)]++ for 1 .. $l - $even * $p * $v;
	for (1 .. $p) {
		my ($a, $b, $c, $d) = (random($v), random($p), random($v), random($p));
		next if $even + $off[$a][$b] < 2;
		$off[$a][$b]--;
		$off[$c][$d]++;
	}
	my %n = map { $_ => [map { [(0) x $p] } 1 .. $v] } qw(none select comm both full);
	for my $c (0 .. $v - 1) {
		for my $s (0 .. $p - 1) {
			my @kinds = ('none', 'both', 'full', random(2) ? 'select' : 'comm');
			$n{$kinds[random(4)]}[$c][$s]++ for 1 .. $even + $off[$c][$s];
		}
	}
	my $sum = sub { my @k = @_; [map { my $c = $_; [map { my $s = $_; my $x = 0; $x += $n{$_}[$c][$s] for @k; $x }
	    0 .. $p - 1] } 0 .. $v - 1] };
	return {
		kind => 'plan', name => 'random', origin => 'planner', schedule => $v > 1 ? 'vpp'
		: '1f1b', interleave => $v,
		counts => { Layer => \%n }, offset => \@off, recompute => $sum->('full'),
		select_recompute => $sum->(qw(select both full)), select_comm_recompute => $sum->(qw(comm both full)),
	};
}

1;
