# Functions for Perl tests: records of the project's data, tools run on text, comparison of figures.
package search;
use strict;
use warnings;
use JSON::PP;
use File::Temp qw(tempdir);
use Exporter 'import';
our @EXPORT = qw(records clusters node run_lines run_tool differences without_ring median);

my $json = JSON::PP->new->canonical;
# Create the directory before a test seeds its draws: names drawn afterwards could belong to a killed run.
my $dir = tempdir(CLEANUP => 1);

# Read the lines of a file of records, compressed or not.
sub records {
	my ($path) = @_;
	open my $f, '-|', $path =~ /\.gz$/ ? ('gzip', '-dc', $path) : ('cat', $path) or die "$path: $!";
	my @all = map { $json->decode($_) } <$f>;
	close $f or die "$path cannot be read";
	return @all;
}

# Read the records of clusters by name, with the reserve of each device; memory then follows the formulas of papers.
sub clusters {
	return map { $_->{name} => $_ } records("$FindBin::Bin/../data/search/clusters.jsonl");
}

# Write a cluster whose nodes have this number of devices.
sub node {
	my ($devices) = @_;
	my $name = "$dir/node-$devices";
	open my $f, '>', $name or die "$name: $!";
	print $f $json->encode({ %{{ clusters() }->{"a100-80gb"}}, devices_per_node => $devices }), "\n";
	close $f or die "$name: $!";
	return $name;
}

# Run a tool on records, each a hash or a line of JSON: return the lines it prints, its exit status and its messages.
# Large streams pass from tool to tool as lines: to decode and encode them takes longer than the tools.
sub run_lines {
	my ($input, @command) = @_;
	my ($name, $said) = ("$dir/in", "$dir/said");
	open my $in, '>', $name or die "$name: $!";
	print $in ref $_ ? $json->encode($_) . "\n" : $_ for @$input;
	close $in or die "$name: $!";
	my $pid = open my $out, '-|';
	die "fork: $!" unless defined $pid;
	if ($pid == 0) {
		open STDIN, '<', $name or die;
		open STDERR, '>', $said or die;
		exec @command or die "$command[0]: $!";
	}
	my @all = <$out>;
	close $out;
	my $status = $? >> 8;
	open my $f, '<', $said or die;
	local $/;
	return (\@all, $status, scalar <$f>);
}

# Run a tool on records: return its records, its exit status and its messages.
sub run_tool {
	my ($lines, $status, $said) = run_lines(@_);
	return ([map { $json->decode($_) } @$lines], $status, $said);
}

# Compare figures: return members that differ by more than a fraction, or by more than SLACK->{member}.
sub differences {
	my ($path, $want, $got, $fraction, $slack) = @_;
	if (ref $want eq 'HASH') {
		return "$path is missing" unless ref $got eq 'HASH';
		return map { differences("$path.$_", $want->{$_}, $got->{$_}, $fraction, $slack) } sort keys %$want;
	}
	if (ref $want eq 'ARRAY') {
		return "$path has another length" unless ref $got eq 'ARRAY' && @$got == @$want;
		return map { differences("$path", $want->[$_], $got->[$_], $fraction, $slack) } 0 .. $#$want;
	}
	return "$path is missing" unless defined $got;
	if ($want =~ /^-?[0-9.]+(e[-+]?\d+)?$/i && !JSON::PP::is_bool($want)) {
		my ($member) = $path =~ /\.(\w+)$/;
		my $room = $fraction * abs $want;
		$room = $slack->{$member} if defined $member && defined $slack->{$member} && $slack->{$member} > $room;
		return abs($want - $got) <= $room + 1e-300 ? () : "$path: $got, not $want";
	}
	return "$want" eq "$got" ? () : "$path: $got, not $want";
}

# A cluster on which context parallelism costs only the exposed time of its exchange, as for figures older than the
# other costs; context.t tests those costs.
sub without_ring {
	return { %{$_[0]}, ring => { block => 0, step => 0, hidden => 1, sums => 0 } };
}

sub median {
	my ($share, @all) = @_;
	@all = sort { $a <=> $b } @all;
	return $all[int($share * $#all + 0.5)];
}

1;
