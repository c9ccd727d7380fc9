#!/usr/bin/perl
# Find text in SVG files that overlaps other text, or is cut by the edge of the picture, and print it.
use strict;
use warnings;

for my $file (@ARGV) {
	open my $f, '<', $file or die "$file: $!";
	my $svg = do { local $/; <$f> };
	my ($width, $height) = $svg =~ /viewBox="0 0 ([\d.]+) ([\d.]+)"/ or die "$file: no viewBox";
	my @box;
	my $turned = qr{translate\(([-\d.]+),([-\d.]+)\)(?: rotate\(([-\d.]+)\))?};
	my $font = qr{font-family="[^"]*" font-size="([\d.]+)"\s+text-anchor="(\w+)"};
	while ($svg =~ m{<g transform="$turned" stroke="none" fill="[^"]*" $font>\s*<text>(.*?)</text>}gs) {
		my ($x, $y, $angle, $size, $anchor, $text) = ($1, $2, $3 || 0, $4, $5, $6);
		$text =~ s/<[^>]*>//g;
		$text =~ s/&[^;]*;/x/g;
		next unless $text =~ /\S/;
		utf8::decode($text);
		# Half of an average sans-serif letter's height is above its middle.
		my $w = 0.53 * $size * length $text;
		my $from = $anchor eq 'start' ? 0 : $anchor eq 'end' ? -$w : -$w / 2;
		my @b = $angle ? ($x - $size, $y - $w / 2, $x, $y + $w / 2)
			: ($x + $from, $y - 0.7 * $size, $x + $from + $w, $y + 0.05 * $size);
		print "$file: cut: '$text'\n" if $b[0] < -1 || $b[1] < -1 || $b[2] > $width + 1 || $b[3] > $height + 1;
		for my $o (@box) {
			print "$file: '$text' over '$o->[4]'\n"
			    if $b[0] < $o->[2] && $o->[0] < $b[2] && $b[1] < $o->[3] && $o->[1] < $b[3];
		}
		push @box, [@b, $text];
	}
	print "$file: no text found\n" unless @box > 5;
}
