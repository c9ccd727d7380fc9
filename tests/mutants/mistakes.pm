# Small mistakes for a source: one operator, number or condition is changed.
package mistakes;
use strict;
use warnings;
use Digest::MD5 qw(md5_hex);
use Exporter 'import';
our @EXPORT = qw(places drawn lines_of with_mistake);

# Possible changes of a line of code: [text, replacement].
my @changes = (
	[qr/ < /, ' <= '], [qr/ <= /, ' < '], [qr/ > /, ' >= '], [qr/ >= /, ' > '], [qr/ == /, ' != '],
	[qr/ != /, ' == '], [qr/ \+ /, ' - '], [qr/ - /, ' + '], [qr{ \* (?=[a-z(0-9])}, ' / '], [qr{ / }, ' * '],
	[qr/ && /, ' || '], [qr/ \|\| /, ' && '], [qr/\bfmin\(/, 'fmax('], [qr/\bfmax\(/, 'fmin('], [qr/ \+= /, ' -= '],
	[qr/ -= /, ' += '], [qr/\b1\b(?!e)/, '2'], [qr/\b0\b(?=[;,)])/, '1'], [qr/\breturn true;/, 'return false;'],
	[qr/\breturn false;/, 'return true;'], [qr/\bif \(!/, 'if ('], [qr/\+\+(?=[;)])/, '--'],
);

# List the places of a file, each { file, line, start, end, change, text }. Only code: no preprocessor lines, tables of
# texts, messages, or numbers in declarations.
sub places {
	my ($file) = @_;
	my (@found, $comment, $body);
	open my $f, '<', $file or die "$file: $!\n";
	while (my $line = <$f>) {
		$body = 1 if $line =~ /^\{/;
		$body = 0 if $line =~ /^\}/;
		$comment = 1 if $line =~ m{/\*} && $line !~ m{\*/};
		if ($body && !$comment && $line !~ m{^\s*(?:/?\*|#)} &&
			$line !~ /place_die|place_warn|place_say|errx?\(|warnx?\(|assert/ && $line !~ /"/) {
			my $code = $line =~ s{/\*.*}{}r;
			for my $c (0 .. $#changes) {
				while ($code =~ /$changes[$c][0]/g) {
					push @found, { file => $file, line => $., start => $-[0], end => $+[0],
						change => $c, text => $line };
				}
			}
		}
		$comment = 0 if $line =~ m{\*/};
	}
	return @found;
}

# Draw NUMBER of the places with SEED: those whose mistakes have the least hashes. So a change of one file does not
# change the draws in other files.
sub drawn {
	my ($number, $seed, @places) = @_;
	my (%seen, %hash);
	for my $place (@places) {
		my $key = (lines_of($place))[2];
		$hash{$place} = md5_hex(join "\t", $seed, $key, $seen{$key}++);
	}
	@places = sort { $hash{$a} cmp $hash{$b} } @places;
	splice @places, $number if @places > $number;
	return @places;
}

sub changed_line {
	my ($place) = @_;
	my $changed = $place->{text};
	substr($changed, $place->{start}, $place->{end} - $place->{start}) = $changes[ $place->{change} ][1];
	return $changed;
}

# The line of a place without and with its mistake, and the key of the mistake.
sub lines_of {
	my ($place) = @_;
	my ($before, $after) = ($place->{text}, changed_line($place));
	s/^\s+|\s+$//g, tr/\t/ / for ($before, $after);
	return ($before, $after, "$place->{file}:$before => $after");
}

# The text of a file with the mistake.
sub with_mistake {
	my ($place, $text) = @_;
	my @lines = split /^/, $text;
	$lines[$place->{line} - 1] = changed_line($place);
	return join '', @lines;
}

1;
