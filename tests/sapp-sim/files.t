#!/usr/bin/perl
# -chrome: the trace obeys the format, and agrees with the block records.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

my $tmp = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->allow_nonref;
my @input = (
	'{"kind":"chunks","name":"in \"quotes\", and a comma","schedule":"vpp","micro_batches":8,' .
	'"forward":[[1,2,1.5,1],[2,1,1,1.25]],"activation":[[10,20,30,40],[5,6,7,8]],"parameter":100,"comm_time":0.25}',
	'{"kind":"chunks","name":"zb","schedule":"zb-h1","micro_batches":6,"forward":[1,1,1],"activation":4}',
	'{"kind":"chunks","name":"dual","schedule":"dualpipe","micro_batches":8,"forward":[1,2,2,1],' .
	'"overlap":0.75,"activation":4}',
);

sub near { abs($_[0] - $_[1]) <= 1e-6 * (1 + abs $_[1]) }

open my $in, '>', "$tmp/in" or die;
print $in "$_\n" for @input;
close $in;
my @records = map { $json->decode($_) } `sapp-sim -e -chrome $tmp/trace.json $tmp/in`;
is($?, 0, 'a file beside the records');
my @blocks = grep { $_->{kind} eq 'block' } @records;
my @sims = grep { $_->{kind} eq 'sim' } @records;

open my $f, '<', "$tmp/trace.json" or die;
my $trace = $json->decode(join '', <$f>);
close $f;
my @events = @{ $trace->{traceEvents} };
is($trace->{displayTimeUnit}, 'ms', 'times are shown in ms');

# Required members of each phase of event.
my %needs = (X => [qw(name cat pid tid ts dur)], M => [qw(name pid args)], C => [qw(name pid ts args)],
	s => [qw(name cat pid tid ts id)], f => [qw(name cat pid tid ts id bp)]);
my @lacking = grep { my $e = $_; !$needs{$e->{ph}} || grep { !defined $e->{$_} } @{ $needs{$e->{ph}} } } @events;
is(@lacking, 0, 'every event has what its phase needs') or diag $json->encode($lacking[0]);
my @numbers = grep { my $e = $_;
	grep { defined $e->{$_} && $e->{$_} !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ } qw(pid tid ts dur id) } @events;
is(@numbers, 0, 'numbers are numbers');

my %name = map { $_->{pid} => $_->{args}{name} } grep { $_->{ph} eq 'M' && $_->{name} eq 'process_name' } @events;
is_deeply([map { $name{$_} } sort keys %name], [map { $_->{name} } @sims], 'a process for each plan, by its name');
my @threads = grep { $_->{ph} eq 'M' && $_->{name} eq 'thread_name' } @events;
is(@threads, 4 + 3 + 4, 'a thread for each stage');

my @slices = grep { $_->{ph} eq 'X' } @events;
is(@slices, @blocks, 'a slice for each block');
my $wrong = grep {
	my ($e, $b) = ($slices[$_], $blocks[$_]);
	$name{$e->{pid}} ne $b->{plan} || $e->{tid} != $b->{stage} || !near($e->{ts}, 1000 * $b->{start}) ||
	!near($e->{ts} + $e->{dur}, 1000 * $b->{end}) || $e->{args}{chunk} != $b->{chunk} ||
		$e->{args}{micro} != $b->{micro} ||
	$e->{name} !~ /^\Q$b->{phase}\E/
} 0 .. $#slices;
is($wrong, 0, 'with its times, in microseconds');

# Slices of one thread do not overlap, except operations that run together.
my (%last, $overlap);
for my $e (@slices) {
	my $thread = "$e->{pid} $e->{tid}";
	my $p = $last{$thread};
	$overlap++ if $p && $e->{ts} < $p->{ts} + $p->{dur} - 1e-6 &&
		!($name{$e->{pid}} eq 'dual' && near($e->{ts}, $p->{ts}));
	$last{$thread} = $e;
}
is($overlap // 0, 0, 'slices of a stage follow one another');

# Arrows: from within a slice to the start of a slice on another stage that begins later.
my %from = map { $_->{id} => $_ } grep { $_->{ph} eq 's' } @events;
my %to = map { $_->{id} => $_ } grep { $_->{ph} eq 'f' } @events;
is_deeply([sort keys %from], [sort keys %to], 'every arrow has two ends');
my %starts = map { ("$_->{pid} $_->{tid} " . sprintf('%.6f', $_->{ts}) => 1) } @slices;
my ($loose, $backward) = (0, 0);
for my $id (keys %from) {
	my ($s, $t) = ($from{$id}, $to{$id});
	my @in = grep { $_->{pid} == $s->{pid} && $_->{tid} == $s->{tid} && $_->{ts} <= $s->{ts} &&
		$s->{ts} < $_->{ts} + $_->{dur} } @slices;
	$loose++ unless @in && $starts{"$t->{pid} $t->{tid} " . sprintf('%.6f', $t->{ts})};
	$backward++ if $t->{ts} < $s->{ts} || $t->{tid} == $s->{tid};
}
is($loose, 0, 'arrows begin within a slice and end where one begins');
is($backward, 0, 'and go to another stage, forward in time');
# Every operation has an arrow, except on the first piece, and if its data stay on the stage.
is(scalar(grep { $name{$_->{pid}} eq 'zb' } values %from), 2 * 2 * 6, 'an arrow for each transfer');

my %peak;
for my $e (grep { $_->{ph} eq 'C' } @events) {
	my ($stage) = $e->{name} =~ /stage (\d+)/;
	my $at = \$peak{$name{$e->{pid}}}[$stage];
	$$at = $e->{args}{MB} if !defined $$at || $e->{args}{MB} > $$at;
}
is_deeply(\%peak, { map { $_->{name} => ref $_->{peak_memory} ? $_->{peak_memory} : [$_->{peak_memory}] } @sims },
	'the counters peak where the sim records say');

# Files are complete or missing.
mkdir "$tmp/none" or die;
rmdir "$tmp/none";
isnt(system("sapp-sim -chrome $tmp/none/x.json $tmp/in >$tmp/out 2>$tmp/err"), 0, 'a directory that is not there');
is(-s "$tmp/out", 0, 'and nothing is written');
isnt(system("sapp-sim -chrome /dev/full $tmp/in >$tmp/out 2>$tmp/err"), 0, 'a full disk');
done_testing;
