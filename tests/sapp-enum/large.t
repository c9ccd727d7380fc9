#!/usr/bin/perl
# A space of a thousand million configurations: sapp-enum reports progress, its memory does not grow, and limits
# reduce the space.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use search;
use List::Util qw(sum);
use Test::More;
use File::Temp qw(tempfile);

my $far = $ENV{SPACE_FAR} // ($ENV{LONG} ? 1e8 : 5e6);	# the whole of it takes half a minute
my ($in, $name) = tempfile(UNLINK => 1);
print $in '{"kind":"network","name":"n","layers":200,"hidden_size":7168,"num_heads":128,"ffn_size":18432,',
	'"vocab_size":129280,"seq_length":4096,"experts":256,"experts_per_token":8,"expert_ffn_size":2048}', "\n";
close $in;
my @space = ('-n', 720720, '-gb', 1048576, '-shard', 'all', '-zero', '0-3', '-cluster', 'h100');

# The peak memory of a process, KB.
sub peak {
	my ($pid) = @_;
	open my $f, '<', "/proc/$pid/status" or return;
	local $/;
	return <$f> =~ /^VmHWM:\s*(\d+)/m ? $1 : undef;
}

for my $tool (['sapp-enum'], ['sapp-enum', '-rejected'], ['sapp-est', '-space']) {
	my $pid = open my $said, '-|';
	if ($pid == 0) {
		open STDERR, '>&', \*STDOUT or die;
		open STDOUT, '>', '/dev/null' or die;
		exec @$tool, '-v', @space, $name or die;
	}
	my ($first, $last, $count, $before, $rising) = (undef, undef, 0, 0, 1);
	while (my $line = <$said>) {
		next unless $line =~ /: (\d+) configurations so far/;
		($before, $count) = ($count, $1);
		$rising &&= $count > $before;
		$last = peak($pid);
		$first //= $last;
		last if $count >= ($tool->[-1] eq '-rejected' ? $far / 50 : $far);
	}
	kill 'TERM', $pid;
	close $said;
	ok $first && $rising, "@$tool says how far it is: $count configurations";
	cmp_ok $last - $first, '<=', 1024, "with $last KB at the most, as with $first at first";
}
# A space searched completely.
my (undef, undef, $end) = run_tool([records($name)], 'sapp-enum', '-v', qw(-n 5040 -gb 65536 -shard all -zero 0),
	@space[-2, -1]);
my ($whole, $legal, $rejected) = $end =~ /(\d+) configurations, (\d+) legal; (.*)$/;
my @so_far = $end =~ /(\d+) configurations so far/g;
is $whole, sum($legal, $rejected =~ /[a-z] (\d+)/g), 'all configurations are legal or rejected by one rule';
ok !(grep { $_ > $whole } @so_far), 'and no more are there on the way';

my ($all) = run_tool([records($name)], 'sapp-enum', @space,
	qw(-gb 720720 -tp 8 -pp 2 -cp 1 -ep 8 -zero 1 -shard 45045 -vp 1-2 -mbs), '2,4');
is join(' ', map { "$_->{vp}/$_->{mbs}" } grep { $_->{kind} eq 'candidate' } @$all), '1/2 1/4 2/2 2/4',
	'what limits leave of it';
my (undef, $status, $why) = run_tool([records($name)], 'sapp-est', '-space', @space, qw(-tp 7 -pp 7 -cp 1));
is $status, 3, 'where rules allow nothing';
like $why, qr/0 legal/, 'that is said';
done_testing;
