#!/usr/bin/perl
# Change each number of a certificate, up and down: sapp-check must report an error or prove a true bound.
use strict;
use warnings;
use File::Temp qw(tempdir);

my $tmp = tempdir(CLEANUP => 1);
my $n = 0;

sub ok { my ($good, $name) = @_; $n++; print $good ? '' : 'not ', "ok $n - $name\n" }

sub write_file { my ($name, $text) = @_; open my $f, '>', "$tmp/$name" or die; print $f $text; close $f }
sub read_file { my ($name) = @_; open my $f, '<', "$tmp/$name" or die; local $/; return scalar <$f> }

# The result for a certificate: refused, or the proved bound and whether it is the answer's bound.
sub check {
	write_file('changed', $_[0]);
	my $child = open(my $f, '-|') // die;
	if (!$child) {
		open STDERR, '>&', \*STDOUT;
		exec 'sapp-check', "$tmp/changed", "$tmp/answer" or die;
	}
	my $said = do { local $/; <$f> } // '';
	close $f;
	my $status = $? >> 8;
	my $proved = $said =~ /proved: no plan of this question takes less than (\S+) ms/ ? $1 : 0;

	return ('refused', 0) if $status == 1 && $said =~ /^sapp-check: \S+:\d+: \S/ && !$proved;
	return ($said =~ /unproved/ ? 'less' : 'bad', $proved) if $status == 3;
	return ($status == 0 && $proved > 0 ? 'still' : 'bad', $proved);
}

# changes NAME, MANY, OPTIONS, LAYERS: change each number of the certificate; at least MANY changes must be refused.
# Certificates with many numbers get one change per number, with LONG three. The planner's bound is the optimum, except
# for rounding.
sub changes {
	my ($name, $many, $options, $layers) = @_;
	my %seen = map { $_ => 0 } qw(refused less still);
	my $way = 0;

	write_file('layers', $layers =~ s/,\n/,/gr);
	system("sapp-lp $options -gap 0 -t 100 -proof $tmp/proof $tmp/layers >$tmp/answer") == 0 or die;
	my ($step) = read_file('answer') =~ /"step_time":([0-9.e+]+)/;
	my $whole = read_file('proof');
	my ($verdict, $proved) = check($whole);
	ok($verdict eq 'still' && $proved >= $step * (1 - 1e-7), "$name: as it is: $proved of $step ms");
	my ($bad, $above, @weaker) = (0, 0);
	while ($whole =~ /(?<=[\[,:])(-?\d+(?:\.\d+)?)(?=[],}])/g) {
		my ($at, $length, $number) = ($-[1], length $1, $1);

		my @ways = ($number + 1, $number > 0 ? $number - 1 : $number + 7, $number * 2 + 3);
		@ways = $ways[$way++ % 3] if !$ENV{LONG} && length($whole) > 2000;
		for my $to (@ways) {
			my $text = $whole;

			substr($text, $at, $length) = $to;
			($verdict, $proved) = check($text);
			$bad++ if $verdict eq 'bad';
			$above++ if $proved > $step;
			push @weaker, $proved if $verdict eq 'less';
			$seen{$verdict}++;
		}
	}
	ok($bad == 0, "$name: every change: refused, less, or still proved");
	ok($above == 0, 'none proves what is false');
	$many /= 3 if !$ENV{LONG} && length($whole) > 2000;
	ok($seen{refused} > $many, "$seen{refused} refused");
	ok($seen{less} > $many / 4, "$seen{less} prove less");
	ok(scalar(grep { $_ < $step * .999 } @weaker) > 0, 'some by much');
	ok($seen{still} > 0, "$seen{still} still prove it, which is as true as before");

	# Garbled at many places: neither a crash, nor a proof of a false bound.
	my $crash = 0;
	my $places = $ENV{LONG} ? 200 : 40;
	for my $i (1 .. $places) {
		my $text = $whole;
		my $at = int(length($text) * ($i - .5) / $places);

		substr($text, $at, 1 + $i % 7) = ('', '"', ']', '9', '-', "\n", '{}')[$i % 7];
		($verdict, $proved) = check($text);
		$crash++ if $verdict eq 'bad' || $proved > $step;
	}
	ok($crash == 0, 'garbled: an error, or no more than is true');
	return $whole;
}

changes('three stages', 20, '-s 3 -mb 6 -mem 270', <<'END');
{"kind":"layer","name":"HEAD","type":"HEAD","time":3,"nb_layer":1,"memory_parameter":20}
{"kind":"layer","name":"BODY","type":"BODY","time":10,"nb_layer":14,"memory_parameter":10,"memory_activation":20,
"memory_recompute":5}
{"kind":"layer","name":"TAIL","type":"TAIL","time":8,"nb_layer":1,"memory_parameter":20}
END
# Prices of two bodies; divisions by borders, layers and backwards.
my $all = changes('two chunks', 20, '-s 2 -mb 4 -i 2 -S vpp -mem 220,200', <<'END');
{"kind":"layer","name":"BODY","type":"BODY","time":10,"nb_layer":5,"memory_parameter":10,"memory_activation":20,
"memory_recompute":5}
{"kind":"layer","name":"MORE","type":"BODY","time":13,"nb_layer":4,"memory_parameter":9,"memory_activation":22,
"memory_recompute":4,"memory_select_rec":11}
{"kind":"layer","name":"TAIL","type":"TAIL","time":8,"nb_layer":1,"memory_parameter":20}
END
my $loads = changes('any order', 8, '-s 3 -mb 8 -S zb-h2 -mem 9999', <<'END');
{"kind":"layer","name":"HEAD","type":"HEAD","time":3,"nb_layer":1,"memory_parameter":20}
{"kind":"layer","name":"BODY","type":"BODY","time":10,"nb_layer":9,"memory_parameter":10,"memory_activation":20}
{"kind":"layer","name":"TAIL","type":"TAIL","time":8,"nb_layer":1,"memory_parameter":20}
END
ok(scalar($loads =~ /"load"/), 'it has loads');
ok(scalar($all =~ /"$_"/), "the one before has $_") for qw(prices border layers backward);
print "1..$n\n";
