#!/usr/bin/perl
# Random questions with all features of certificates: sapp-check must prove the bound of sapp-lp, and no higher bound.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;

my $tmp = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical;
my ($seed, $questions, $n) = (defined $ENV{SEED} ? $ENV{SEED} : 1, $ENV{QUESTIONS} || ($ENV{LONG} ? 60 : 15), 0);
my %seen = (all => 0, part => 0, none => 0, chunks => 0, weak => 0);
srand $seed;

sub ok {
	my ($good, $name, $why) = @_;

	$n++;
	print $good ? '' : 'not ', "ok $n - $name\n";
	print STDERR "# $why\n" if !$good && $why;
}
sub pick { $_[rand @_] }
sub number { my ($low, $high) = @_; 0 + sprintf pick('%.0f', '%.1f', '%.3f'), $low + rand($high - $low) }

# Layers of one or two names, with kinds of recomputation; bound or unbound ends.
sub layers {
	my @all = ({ kind => 'model', name => 'm', stage_const_mem => number(0, 20) });
	my $bodies = 1 + int rand 2;

	if (rand() < .3) {
		$all[0]{overhead} = number(0, 50);
		$all[0]{overhead_early} = $all[0]{overhead} / 2 if rand() < .5;
	}
	for my $end (qw(HEAD TAIL)) {
		next if rand() < .3;
		push @all, { kind => 'layer', name => $end, type => $end, time => number(1, 20), nb_layer => 1,
			memory_parameter => number(0, 30) };
		$all[-1]{bound} = JSON::PP::false if rand() < .3;
		$all[-1]{memory_activation} = 3 if exists $all[-1]{bound};
		$all[-1]{memory_transient} = number(0, 10) if rand() < .3;
	}
	for my $b (1 .. $bodies) {
		my $full = number(1, 10);
		my $body = { kind => 'layer', name => "b$b", type => 'BODY', time => number(5, 20),
			nb_layer => 3 + int(rand 8), memory_parameter => number(5, 20),
			memory_activation => number(15, 40), memory_recompute => $full };

		$body->{memory_select_rec} = $full + number(1, 9) if rand() < .5;
		$body->{memory_select_comm} = $full + number(1, 9) if rand() < .5;
		$body->{memory_both_comm_select} = $full + number(0, 3) if rand() < .3;
		$body->{backward_time} = number(10, 30) if rand() < .3;
		$body->{busy_time} = $body->{time} / 2 if rand() < .2;
		$body->{recompute_coef} = number(.1, 1) if rand() < .3;
		$body->{memory_transient} = number(0, 10) if rand() < .2;
		if (rand() < .3) {
			$body->{kinds} = { mine => { activation => $full + 2, backward_coef => .2 } };
			$body->{kinds}{mine}{offload} = number(1, 20) if rand() < .5;
		}
		push @all, $body;
	}
	push @all, { kind => 'kind', name => 'mine', pick('select_recompute', 'op_swap') => [pick('a', 'b')] }
		if rand() < .7;
	return @all;
}

sub options {
	my ($stages, $chunks) = @_;
	my $weak = 0;
	my @o = ('-s', $stages, '-mb', 1 + int rand 9, '-i', $chunks,
		'-S', $chunks > 1 ? pick(qw(gpipe vpp vpp-less)) : pick(qw(1f1b 1f1b gpipe vpp vpp-less)),
		'-mem', join ',', map { number(150, 500) } 1 .. (rand() < .5 ? 1 : $stages));

	push @o, '-group', $stages + int rand 3 if $chunks > 1 && rand() < .3;
	# For these questions the bound for every order, or for all plans, is proved.
	if (rand() < .15) {
		$o[7] = $chunks == 2 ? pick(qw(zbv v-half vpp-overlap)) : 'zb-h1' if $chunks < 3;
		push @o, pick('-transfers batched', '-mixes uniform');
		$weak = 1;
	}
	# The bound is proved as if links took no time, and transfers kept no stage busy.
	if (!$weak && rand() < .25) {
		push @o, '-offload', number(.5, 6) if rand() < .6;
		push @o, pick('-transfers batched', '-transfers blocking') if rand() < .6;
		$weak = 1;
	}
	push @o, '-mixes', 'all' if rand() < .3 && !grep { $_ eq '-mixes uniform' } @o;
	push @o, '-empty' if rand() < .3;
	push @o, '-comm', number(0, 5) if rand() < .3;
	push @o, '-speed', join ',', map { number(.5, 2) || 1 } 1 .. $stages if rand() < .3;
	return ($weak, @o);
}

# check CERTIFICATE: return the status, the proved bound, and the output.
sub check {
	my $said = `sapp-check $_[0] $tmp/out 2>&1`;
	my $status = $? >> 8;

	return ($status, $said =~ /proved: no plan of this question takes less than (\S+) ms/ ? $1 : undef, $said);
}

for my $i (1 .. $questions) {
	my $stages = 1 + int rand 4;
	my $chunks = $stages < 4 ? pick(1, 2, 2, 3) : 1;
	my ($weak, @options) = options($stages, $chunks);
	open my $in, '>', "$tmp/in" or die;
	print $in $json->encode($_), "\n" for layers();
	close $in;
	my $status = system("sapp-lp -t 60 -gap 0 @options -proof $tmp/proof $tmp/in >$tmp/out 2>$tmp/err") >> 8;
	my ($plan) = grep { $_->{kind} eq 'plan' } map { $json->decode($_) } do { open my $f, '<', "$tmp/out"; <$f> };
	my $name = "question $i of seed $seed";

	if (!$plan) {
		$seen{none}++;
		ok(1, "$name has no answer: $status");
		next;
	}
	my ($got, $proved, $said) = check("$tmp/proof");
	if ($plan->{status} eq 'infeasible') {
		# Layers of several chunks may fit out of the model's order.
		my $none = $got == 0 && $said =~ /: proved: no plan of this question fits/;
		$seen{$weak ? 'weak' : 'part'}++ if !$none;
		ok($none || (($weak || $chunks > 1) && $got == 3 && $said =~ /: not proved: that no plan/),
			"$name: that none fits is proved", "$said @options");
		next;
	}
	$seen{$weak ? 'weak' : $got == 0 ? 'all' : 'part'}++;
	$seen{chunks}++ if !$weak && $got == 0 && $chunks > 1;
	my $whole = $got == 0 && ($proved // 0) >= $plan->{lower_bound} * (1 - 1e-7);
	ok($whole || ($got == 3 && $said =~ /unproved part/), "$name: checked", "$said @options");
	ok(!defined $proved || $proved <= $plan->{step_time}, "$name: not above the plan", "$said @options");
	# A certificate that claims a higher bound.
	open my $f, '<', "$tmp/proof" or die;
	my @lines = <$f>;
	my $claim = $json->decode($lines[0]);
	$claim->{bound} *= 1 + pick(1e-6, 1e-4, .02);
	$lines[0] = $json->encode($claim) . "\n";
	open my $o, '>', "$tmp/more" or die;
	print $o @lines;
	close $o;
	($got, $proved, $said) = check("$tmp/more");
	ok(!defined $proved || $proved <= $plan->{step_time}, "$name: nor by one that claims more", "$said @options");
}
ok($seen{weak} > $questions / 20, "$seen{weak} by what every order has");
ok($seen{chunks} > $questions / 8, "$seen{chunks} of several chunks whole");
# Among a few random questions a single one is a large part.
ok($seen{part} <= 1 + .05 * $seen{all} && $seen{all} > $questions / 4,
	"$seen{all} whole, $seen{part} in part, $seen{none} without an answer");
print "1..$n\n";
