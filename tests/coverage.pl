#!/usr/bin/perl
# coverage.pl BUILD: what gcov counted of lines and branches, by directory, and every file with fewer than 88 % of its
# lines.
use strict;
use warnings;
use JSON::PP;

my $build = shift or die "usage: coverage.pl BUILD\n";
my (%lines, %branches);	# of a file, by line: the most often any object ran it; each branch likewise
for my $data (split /\n/, `find '$build' -name '*.gcda' ! -path '*/tests/*'`) {
	open my $gcov, '-|', 'gcov', '-b', '-c', '--json-format', '--stdout', $data or die "gcov: $!\n";
	while (my $text = <$gcov>) {
		my $report = eval { decode_json($text) } or next;
		for my $file (@{ $report->{files} }) {
			my $name = $file->{file};
			next unless $name =~ m{^tools/.*\.c$};
			for my $line (@{ $file->{lines} }) {
				my $n = $line->{line_number};
				$lines{$name}{$n} = ($lines{$name}{$n} // 0) + $line->{count};
				my $k = 0;
				for my $branch (@{ $line->{branches} }) {
					my $key = "$n." . $k++;
					$branches{$name}{$key} = ($branches{$name}{$key} // 0) + $branch->{count};
				}
			}
		}
	}
	close $gcov;
}
die "no counts under $build\n" unless %lines;

# Sources with functions that no program ran at all.
for my $source (split /\n/, `grep -lr '^{' tools --include='*.c'`) { $lines{$source} //= { 1 => 0 } }

sub part { my ($counts) = @_; my @all = values %$counts; return (scalar(grep { $_ > 0 } @all), scalar @all) }
sub percent { my ($hit, $all) = @_; return $all ? 100 * $hit / $all : 100 }
my (%of, @low);
for my $file (sort keys %lines) {
	my @l = part($lines{$file});
	my @b = part($branches{$file} // {});
	(my $directory = $file) =~ s{/[^/]*$}{};
	for my $key ($directory, 'all') {
		$of{$key}[$_] += (@l, @b)[$_] for 0 .. 3;
	}
	push @low, sprintf("  %-44s %5.1f %% of %d lines", $file, percent(@l), $l[1]) if percent(@l) < 88;
}
printf "%-36s %8s %9s\n", '', 'lines', 'branches';
for my $directory (sort { ($a eq 'all') <=> ($b eq 'all') || $a cmp $b } keys %of) {
	printf "%-36s %6.1f %% %7.1f %%\n", $directory, percent(@{ $of{$directory} }[0, 1]),
		percent(@{ $of{$directory} }[2, 3]);
}
print "below 88 % of lines:\n", map { "$_\n" } @low if @low;
