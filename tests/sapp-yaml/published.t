#!/usr/bin/perl
# Published training YAMLs: -w changes only the necessary lines, checked by another YAML parser and by diff.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Copy;
use File::Glob qw(:bsd_glob);
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;
use FindBin;
use YAML::PP;
use lib "$FindBin::Bin/..";
use plans qw(random_plan);

my $top = abs_path($0) =~ s{/tests/[^/]*/[^/]*$}{}r;
my $data = $ENV{SHARED_DATA} || "$top/../shared/data";
my @files = glob "$data/yaml/*.yaml";
plan skip_all => "no published YAMLs in $data/yaml" unless @files;
my $tmp = tempdir(CLEANUP => 1);

sub parse { YAML::PP->new(boolean => 'perl', cyclic_refs => 'fatal')->load_file($_[0]) }
sub slurp { open my $f, '<', $_[0] or die "$_[0]: $!"; local $/; <$f> }
sub spew { open my $f, '>', $_[0] or die; print $f $_[1]; close $f }
# The number of layers that a value of a recomputation list means, chunk by chunk, for layers [chunk][stage].
sub meaning {
	my ($value, $layers) = @_;
	my ($v, $p) = (scalar @$layers, scalar @{$layers->[0]});
	return [map { [(0) x $p] } 1 .. $v] unless ref $value || $value;
	return $layers unless ref $value;
	die 'shape' if @$value != (ref $value->[0] ? $v : $p);
	return $value if ref $value->[0];
	return [$value] if $v == 1;
	my @dealt = map { [(0) x $p] } 1 .. $v;
	for my $s (0 .. $p - 1) {
		my $left = $value->[$s];
		for (my $c = 0, my $turns = 0; $left > 0 && $turns < 1000; $c = ($c + 1) % $v, $turns++) {
			next if $dealt[$c][$s] >= $layers->[$c][$s];
			$dealt[$c][$s]++;
			$left--;
		}
	}
	return \@dealt;
}

# The patterns of a map, or of a list of patterns.
sub patterns {
	my ($value) = @_;
	return sort keys %$value if ref $value eq 'HASH';
	return ref $value eq 'ARRAY' ? sort grep { !ref && /[a-z]/ } @$value : ();
}

my %lists = (recompute => 1, select_recompute => 1, select_comm_recompute => 1);
my ($written, $refused, $right, $turn) = (0, 0, 0, 0);
# Assertions that failed so far.
sub failed { scalar grep { !$_ } Test::More->builder->summary }
for my $file (@files) {
	(my $name = $file) =~ s/.*\///;
	my $before = failed();
	my $old = parse($file);
	my $stages = $old->{parallel_config}{pipeline_stage} or next;
	my $model = $old->{model}{model_config};
	my $layers = $model->{num_layers} || $model->{num_hidden_layers} || 64;
	my $chunks = $model->{pp_interleave_num} || 1;

	my @wrong = grep { my $x = $old->{recompute_config}{$_}; ref $x eq 'ARRAY' && !ref $x->[0] &&
		$x->[0] =~ /^\d+$/ &&
	    @$x != $stages } sort { length $a <=> length $b } keys %lists;
	if (@wrong) {
		copy($file, "$tmp/$name");
		spew("$tmp/plan", encode_json(random_plan($stages, 1, $layers)));
		my $said = qx(sapp-yaml -w '$tmp/$name' '$tmp/plan' 2>&1);
		is($? >> 8, 1, "$name: refused");
		like($said, qr/\Q$name\E:\d+: \Q$wrong[0]\E: \d+ entries, but pipeline_stage is $stages/,
			"$name: says why");
		is(slurp("$tmp/$name"), slurp($file), "$name: and left alone");
		$refused++;
		next;
	}

	# One chunk, two, and as many as the file has; in make check one of the first two, in turn.
	my %chunks = map { $_ => 1 } $ENV{LONG} ? (1, 2) : 1 + $turn++ % 2, $chunks;
	for my $v (grep { $stages * $_ <= $layers } sort keys %chunks) {
		my $plan = random_plan($stages, $v, $layers);
		copy($file, "$tmp/$name");
		spew("$tmp/plan", encode_json($plan));
		my $diff = qx(sapp-yaml -w '$tmp/$name' -n '$tmp/plan' 2>/dev/null);
		is(slurp("$tmp/$name"), slurp($file), "$name, $v chunks: -n writes nothing");
		is(system("sapp-yaml -w '$tmp/$name' '$tmp/plan' 2>'$tmp/err'"), 0, "$name, $v chunks: written")
		    or diag slurp("$tmp/err");

		# The values.
		my $new = parse("$tmp/$name");
		my $even = int($layers / ($stages * $v));
		my $pieces = [map { [map { $even + $_ } @$_] } @{$plan->{offset}}];
		my $offset = $new->{model}{model_config}{offset};
		$offset = [map { [(0) x $stages] } 1 .. $v] unless $offset;
		is_deeply($v == 1 && !ref $offset->[0] ? [$offset] : $offset, $plan->{offset},
			"$name, $v chunks: offset");
		for my $key (sort keys %lists) {
			my $value = $new->{recompute_config}{$key};
			for my $each (ref $value eq 'HASH' ? values %$value : $value) {
				is_deeply(meaning($each, $pieces), $plan->{$key}, "$name, $v chunks: $key");
			}
			is_deeply([patterns($value)], [patterns($old->{recompute_config}{$key})],
			    "$name, $v chunks: $key keeps its patterns");
		}
		is($new->{model}{model_config}{pp_interleave_num} || 1, $v, "$name, $v chunks: pp_interleave_num");
		my $scheduler = $new->{parallel}{pipeline_config}{pipeline_scheduler} || '1f1b';
		my $parts = $new->{parallel_config}{seq_split_num} || 1;
		ok($scheduler eq '1f1b' ||
			($scheduler =~ /^seq/ && $parts == 1), "$name, $v chunks: pipeline_scheduler");
		is($new->{parallel}{pipeline_config}{pipeline_interleave} ? 1 : 0, $v > 1 ? 1 : 0,
		    "$name, $v chunks: pipeline_interleave");

		# All other lines are unchanged.
		my $before = parse($file);
		for ($before, $new) {
			delete @{$_->{model}{model_config}}{qw(offset pp_interleave_num)};
			delete @{$_->{recompute_config}}{keys %lists};
			delete @{$_->{parallel}{pipeline_config}}{qw(pipeline_interleave pipeline_scheduler)}
				if $_->{parallel}{pipeline_config};
			delete $_->{parallel}{pipeline_config} unless %{$_->{parallel}{pipeline_config} || {}};
		}
		is_deeply($new, $before, "$name, $v chunks: no other value");
		my $ours = qr/offset:|recompute:|interleave|pipeline_scheduler:|pipeline_config:|^[<>]\s*'|^> +\}$/;
		my @stray = grep { /^[<>]/ && !/$ours/ } qx(diff '$file' '$tmp/$name');
		is("@stray", '', "$name, $v chunks: no other line");
		spew("$tmp/diff", $diff);
		copy($file, "$tmp/patched");
		system("patch -s '$tmp/patched' '$tmp/diff'");
		is(slurp("$tmp/patched"), slurp("$tmp/$name"), "$name, $v chunks: -n shows what -w does");

		# The file is read back.
		my @back = map { decode_json($_) } grep {
			/"kind":"plan"/ } qx(sapp-yaml -r '$tmp/$name' -layers $layers </dev/null);
		for my $key (qw(offset), sort keys %lists) {
			is_deeply($back[0]{$key}, $plan->{$key}, "$name, $v chunks: -r reads $key back");
		}
		system("cp '$tmp/$name' '$tmp/again' && sapp-yaml -w '$tmp/again' '$tmp/plan' 2>/dev/null");
		is(slurp("$tmp/again"), slurp("$tmp/$name"), "$name, $v chunks: a second time changes nothing");
		$written++;
	}
	$right++ if failed() == $before;
}
cmp_ok($written, '>=', $ENV{LONG} ? 40 : 35, "$written edits tried");
is($refused, 2, 'two files with lists of the wrong length') unless $ENV{SHARED_DATA};
is($right, @files - $refused, @files . " files: $right edited and read back as they must, $refused refused rightly, "
	. (@files - $right - $refused) . ' wrong');
done_testing;
