# Steps of pipelines by the rules of sapp(7), Transfers, written independently: equations between times are evaluated
# until no time changes. Reads chunks records, each followed by the block records of its run without delays, from which
# the orders are taken. Prints "NAME STEP" for the mode in the argument.
use strict;
use warnings;
use JSON::PP;
use List::Util qw(max);

my $way = shift;
my (%blocks, @names, %of);
while (<>) {
	my $r = decode_json($_);
	if ($r->{kind} eq 'chunks') { push @names, $r->{name}; $of{$r->{name}} = $r }
	push @{$blocks{$r->{plan}}}, $r if $r->{kind} eq 'block';
}
print "$_ ", step($of{$_}, $blocks{$_}), "\n" for @names;

# The value at a position: a list of boundaries, or one number for all.
sub edge {
	my ($v, $from, $to, $stages) = @_;
	return $v // 0 unless ref $v;
	return $v->[0] if @$v == 1;
	return $v->[abs($from - $to) > 1 ? $stages - 1 : $from < $to ? $from : $to] // 0;
}

sub step {
	my ($c, $blocks) = @_;
	my @forward = @{$c->{forward}};
	my ($p, $v) = (scalar @{$forward[0]}, scalar @forward);
	my $h = $c->{post_time} // 0;
	my (@order, %op, @message, @steps, %queue);

	for my $b (sort { $a->{start} <=> $b->{start} } @$blocks) {
		my $o = { stage => $b->{stage}, chunk => $b->{chunk}, micro => $b->{micro}, f => $b->{phase} eq 'F',
			w => $b->{phase} eq 'W', time => $b->{end} - $b->{start} };
		push @{$order[$b->{stage}]}, $o;
		$op{join ' ', $o->{f} ? 'F' : 'B', @$o{qw(chunk stage micro)}} = $o unless $o->{w};
	}
	# The stage and chunk of the N-th piece of the model.
	my $v_shaped = $c->{schedule} eq 'zero-bubble-v';
	my $at = sub {
		my ($n) = @_;
		my $k = int $n / $p;
		return $k, $v_shaped && $k % 2 ? $p - 1 - $n % $p : $n % $p;
	};
	for my $m (0 .. $c->{micro_batches} - 1) {
		my $last = $p * $v - 1;
		my @path = ((map { "F @{[$at->($_)]} $m" } 0 .. $last),
			map { "B @{[$at->($_)]} $m" } reverse 0 .. $last);
		for my $i (1 .. $#path) {
			my ($x, $y) = @op{@path[$i - 1, $i]};
			if ($x->{stage} == $y->{stage}) { $y->{after} = $x; next }
			my $f = $x->{f};
			push @message, { from => $x->{stage}, to => $y->{stage}, f => $f, made => $x, used => $y,
				over => 0, c => edge($c->{comm_time}, $x->{stage}, $y->{stage}, $p),
				d => edge($c->{$f ? 'send_delay_forward' : 'send_delay_backward'}, $x->{stage},
					$y->{stage}, $p) };
			$x->{out} = $y->{got} = $message[-1];
		}
	}
	# The actions of a stage: operations, posted messages (as one exchange or alone), and messages that it waits
	# for.
	if ($way =~ /^streams-(\d)/) {
		my ($n, @next) = ($1, (0) x $p);
		my %made;
		my $sort = sub {
			my ($s, $send, $f) = @_;
			return "$s " . ($n == 1 ? '' : $n == 2 ? $send : "$send $f");
		};
		while (grep { $next[$_] < @{$order[$_]} } 0 .. $p - 1) {
			for my $s (0 .. $p - 1) {
				my $o = $order[$s][$next[$s]] or next;
				next if ($o->{got} && !$made{$o->{got}{made}}) || ($o->{after} && !$made{$o->{after}});
				$next[$s]++;
				$made{$o} = 1;
				push @{$steps[$s]}, [op => $o];
				my $m = $o->{out} or next;
				for ([$s, 1], [$m->{to}, 0]) {	# sender and receiver
					push @{$steps[$_->[0]]}, [post => $m];
					my $queue = $sort->(@$_, $m->{f});
					$m->{before}[$_->[1]] = $queue{$queue};
					$queue{$queue} = $m;
				}
			}
		}
	}
	for my $s (0 .. $p - 1) {
		last if $way =~ /^streams/;
		my @ops = @{$order[$s]};
		my $before;
		for my $i (0 .. @ops) {
			my ($x, $y) = ($i > 0 ? $ops[$i - 1] : undef, $ops[$i]);
			my ($out, $got) = ($x && $x->{out}, $y && $y->{got});
			if ($way eq 'overlap') {
				push @{$steps[$s]}, [post => $out] if $out;
				# The receives posted after an operation, or at the beginning: for the next operation of
				# its kind.
				for my $f (1, 0) {
					my ($k) = grep { !$ops[$_]{w} && $ops[$_]{f} == $f } $i .. $#ops;
					next unless defined $k && $ops[$k]{got};
					my ($l) = grep { !$ops[$_]{w} && $ops[$_]{f} == $f } reverse 0 .. $k - 1;
					my $when = defined $l ? $l + 1 : $k > 0 ? $k - 1 : 0;
					push @{$steps[$s]}, [post => $ops[$k]{got}] if $when == $i;
				}
				push @{$steps[$s]}, [wait => $out] if $out && $out->{f};
				push @{$steps[$s]}, [wait => $before] if $out && !$out->{f} && $before;
				$before = $out if $out && !$out->{f};
			} elsif ($way eq 'one-by-one') {
				my @both = grep { $_ } $out, $got;
				@both = reverse @both if $x && $y && !$x->{f} && $y->{f};
				push @{$steps[$s]}, [post => $_], [wait => $_] for @both;
			} elsif ($way eq 'batched') {	# one chunk
				if ($out && $got && $got->{from} == $out->{to}) {
					push @{$steps[$s]}, [exchange => $out, $got];
				} else {
					push @{$steps[$s]}, [exchange => $_] for grep { $_ } $out, $got;
				}
			}
			push @{$steps[$s]}, [op => $y] if $y;
		}
	}
	# A path has each message once, and every round includes one more; so more rounds mean a cycle.
	for (0 .. @message + 1) {
		my ($same, $end) = (1, 0);
		for my $s (0 .. $p - 1) {
			my $t = 0;
			for (@{$steps[$s]}) {
				my ($what, @of) = @$_;
				if ($what eq 'op') {
					my $o = $of[0];
					$t = max($t, $o->{got} ? $o->{got}{over} : 0) + $o->{time};
					$end = max($end, $t);
				} elsif ($what eq 'wait') {
					$t = max($t, $of[0]{over});
				} elsif ($what eq 'post') {
					$t += $h;
					$of[0]{$of[0]{from} == $s ? 'sent' : 'received'} = $t;
				} else {
					my $k = $t + $h * @of;
					$k += $_->{d} for grep { $_->{from} == $s } @of;
					$_->{$_->{from} == $s ? 'sent' : 'received'} = $k for @of;
					$t = max($k, map { $_->{over} } @of);
				}
			}
		}
		for my $m (@message) {
			my ($receiver, $sender) = map { $_ ? $_->{over} : 0 } @{$m->{before}}[0, 1];
			my $sent = max($m->{sent}, $sender) + ($way eq 'batched' ? 0 : $m->{d});
			my $over = max($sent, $m->{received}, $receiver) + $m->{c};
			$same &&= $over == $m->{over};
			$m->{over} = $over;
		}
		return $end if $same;
	}
	return 'stuck';
}
