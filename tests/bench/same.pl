#!/usr/bin/perl
# The same bytes on a loaded machine: of QUESTIONS (60) random questions, those that sapp-lp ends within 3 s of -t 30
# are repeated while two processes keep the machine busy; and every third with a gap of 0 and counted time (-set look).
# Prints how many gave the same bytes, and which did not; status 1 if any did not. SEED: seed of the questions.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;
use Time::HiRes qw(time);

my ($to, $n) = (shift // '/dev/null', $ENV{QUESTIONS} // 60);
my $tmp = tempdir(CLEANUP => 1);
my @schedules = (qw(1f1b gpipe zb-h1 dualpipe), map { "$_ -i 2" } qw(vpp vpp-less zb-vpp zbv v-half vpp-overlap));
srand($ENV{SEED} // 1);
sub slurp { open my $f, '<', $_[0] or die "$_[0]: $!\n"; local $/; scalar <$f> }

sub layers {
	my ($p) = @_;
	my @all = ({ type => 'HEAD', nb_layer => 1 }, (map { { type => 'BODY', nb_layer => $p * 2 + int rand 3 * $p } }
		0 .. rand 2), { type => 'TAIL', nb_layer => 1 });

	for my $i (0 .. $#all) {
		my ($l, $held) = ($all[$i], 100 + int rand 400);
		%$l = (%$l, kind => 'layer', name => "l$i", time => (1 + int rand 4000) / 100,
			memory_parameter => 200 + int rand 1500);
		%$l = (%$l, memory_activation => $held, memory_select_rec => $held * .7, memory_recompute => $held * .1)
			if $l->{type} eq 'BODY';
	}
	return join '', map { encode_json($_) . "\n" } @all;
}

sub answer {
	my ($i, $options) = @_;
	my $begun = time;

	system "sapp-lp -j -seed 3 -t 30 $options $tmp/$i >$tmp/out 2>$tmp/err";
	return (time - $begun, $? >> 8, slurp("$tmp/out") . slurp("$tmp/err"));
}

my @asked;
for my $i (1 .. $n) {
	my $p = 2 * (1 + int rand 4);
	open my $f, '>', "$tmp/$i" or die;
	print $f layers($p);
	close $f;
	my $options = sprintf '-s %d -mb %d -S %s -mem %d', $p, 2 * $p * (1 + int rand 2), $schedules[$i % @schedules],
		8000 + rand 16000;
	my ($gap, $counted) = ((0.001, 0.01, 0.02)[rand 3], "$options -gap 0 -t 1 -set look=1e-4");
	for (["ended", "$options -gap $gap"], $i % 3 ? () : ["counted", $counted]) {
		my ($how, $asked) = @$_;
		my ($took, $status, $said) = answer($i, $asked);
		push @asked, [$i, $how, $asked, $took, $said] if $took < 3 || $how eq 'counted';
	}
}
my @busy = map { my $pid = fork // die; if (!$pid) { 1 while 1 } $pid } 1, 2;
my (%same, %of, %cut, $slower, $differ);
open my $rows, '>', $to or die "$to: $!\n";
for (@asked) {
	my ($i, $how, $options, $took, $said) = @$_;
	my ($loaded, undef, $again) = answer($i, $options);
	my $alike = $said eq $again;

	$of{$how}++;
	$same{$how} += $alike;
	$cut{$how} += $said =~ /"status":"feasible"/;
	$slower += $loaded / $took;
	$differ ||= !$alike;
	printf "question %d differs, %.2f s, then %.2f: %s\n", $i, $took, $loaded, $options unless $alike;
	print $rows encode_json({ question => $i, how => $how, options => $options, seconds => $took, loaded => $loaded,
		same => $alike ? JSON::PP::true : JSON::PP::false }), "\n";
}
kill 9, @busy;
printf "%s: %d of %d the same bytes, of which %d not proved optimal\n", $_, $same{$_}, $of{$_}, $cut{$_}
	for sort keys %of;
printf "of %d questions; %.1f times as slow beside two others\n", $n, $slower / (@asked || 1);
exit(@asked && !$differ ? 0 : 1);
