#!/usr/bin/perl
# sapp-yaml -w for other numbers of stages, chunks and micro-batches, and other degrees: the settings read back are the
# plan, and nothing else has changed; or the file is unchanged. Published YAMLs, and different forms of values.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Copy;
use File::Glob qw(:bsd_glob);
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Storable qw(dclone);
use Test::More;
use YAML::PP;
use lib "$FindBin::Bin/..";
use plans qw(random random_plan);

my $top = abs_path($0) =~ s{/tests/[^/]*/[^/]*$}{}r;
my $data = $ENV{SHARED_DATA} || "$top/../shared/data";
my $tmp = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical;

sub slurp { open my $f, '<:raw', $_[0] or die "$_[0]: $!"; local $/; <$f> }
sub spew { open my $f, '>:raw', $_[0] or die; print $f $_[1]; close $f }
# The other parser rejects byte order marks, and is slow: each text is parsed once.
my %parsed;
sub parse {
	my $text = slurp($_[0]) =~ s/^\xef\xbb\xbf//r;

	$parsed{$text} //= YAML::PP->new(boolean => 'perl', cyclic_refs => 'fatal')->load_string($text);
	return dclone($parsed{$text});
}

# A stream with a plan for P stages, V chunks and L layers; if GIVEN, also with its candidate.
sub stream {
	my ($p, $v, $l, $given, %more) = @_;
	my $plan = { %{random_plan($p, $v, $l)}, micro_batches => $p * (1 + random(4)) };
	my $tp = 1 << random(4);
	my $c = { kind => 'candidate', name => 'random', dp => 4 << random(2), tp => $tp, cp => 1 << random(2),
		pp => $p, ep => 1 << random(3), vp => $v, mbs => 1 + random(2), micro_batches => $plan->{micro_batches},
		sp => $tp > 1 && random(2) ? JSON::PP::true : JSON::PP::false,
		zero => random(2), %more };
	my $question = { kind => 'pipeline', stages => $p, micro_batches => $plan->{micro_batches}, interleave => $v,
		schedule => $plan->{schedule}, memory_limit => 50000 };
	spew("$tmp/plan", join '', map { $json->encode($_) . "\n" } $given ? $c : (), $question, $plan);
	return ($plan, $given ? $c : undef);
}

# Layers of every piece by recomputation, without names; kinds without layers are omitted.
sub counts {
	my %sum;
	for my $body (values %{$_[0]{counts}}) {
		for my $kind (keys %$body) {
			next unless grep { $_ } map { @$_ } @{$body->{$kind}};
			$sum{$kind} = $body->{$kind};
		}
	}
	return \%sum;
}

# Remove the written values, to compare the rest.
my %ours = (parallel_config => [qw(pipeline_stage data_parallel model_parallel context_parallel expert_parallel
	micro_batch_num use_seq_parallel context_parallel_algo)], runner_config => [qw(batch_size
	gradient_accumulation_steps)],
	moe_config => ['use_fused_ops_permute'],
	recompute_config => [qw(recompute select_recompute select_comm_recompute parallel_optimizer_comm_recompute)],
	swap_config => [qw(swap)]);
sub rest {
	my ($root, $given) = @_;
	for my $map (keys %ours) {
		delete @{$root->{$map}}{@{$ours{$map}}} if $root->{$map};
		delete $root->{$map} unless %{$root->{$map} || {}};
	}
	delete $_->{micro_batch_num} for grep { ref eq "HASH" } @{$root->{callbacks} || []};	# aliases, too
	delete @{$root->{model}{model_config}}{qw(offset pp_interleave_num)};
	my $parallel = $root->{parallel} or return $root;
	delete @{$parallel->{pipeline_config}}{qw(pipeline_interleave pipeline_scheduler)}
		if $parallel->{pipeline_config};
	delete $parallel->{pipeline_config} unless %{$parallel->{pipeline_config} || {}};
	delete $parallel->{enable_parallel_optimizer};
	delete @{$parallel->{parallel_optimizer_config}}{qw(optimizer_weight_shard_size gradient_accumulation_shard)}
		if ref $parallel->{parallel_optimizer_config};
	delete $parallel->{dataset_strategy};		# by an alias of data_parallel
	delete $root->{parallel} unless %$parallel;
	delete $root->{context}{max_device_memory} if $root->{context};	# where the plan needs more
	return $root;
}

# Write the stream's plan into FILE and read it back; return true if all is as expected.
sub written {
	my ($name, $file, $plan, $c, $layers) = @_;
	my $failed = grep { !$_ } Test::More->builder->summary;
	my $before = parse($file);
	is(system("sapp-yaml -w '$file' '$tmp/plan' 2>'$tmp/err'"), 0, "$name: written") or do {
		diag slurp("$tmp/err");
		return 0;
	};
	my @back = map { $json->decode($_) } grep { /^\{/ }
		qx(sapp-yaml -r '$file' -layers $layers '$tmp/plan' 2>'$tmp/err');
	is($?, 0, "$name: read back") or diag slurp("$tmp/err");
	my ($got) = grep { $_->{kind} eq 'plan' && $_->{name} eq 'current' } @back;
	my ($said) = grep { $_->{kind} eq 'candidate' && $_->{name} eq 'current' } @back;
	is_deeply(counts($got), counts($plan), "$name: layers of every piece by recomputation");
	is($got->{$_}, $plan->{$_}, "$name: $_") for qw(micro_batches interleave schedule);
	if ($c) {
		my %want = %$c;
		$want{zero} = 2 if $want{zero} == 1 && $want{micro_batches} == 1;	# nothing is accumulated
		delete @want{qw(kind name)};
		is($said->{$_}, $want{$_}, "$name: $_") for sort keys %want;
	}
	is_deeply(rest(parse($file)), rest($before), "$name: no other value");
	is($before->{parallel_config}{pipeline_stage}, undef, 'the comparison takes out what is ours');
	my $once = slurp($file);
	is(system("sapp-yaml -w '$file' '$tmp/plan' 2>'$tmp/err'"), 0, "$name: written again");
	is(slurp($file), $once, "$name: a second time changes nothing");
	return $failed == grep { !$_ } Test::More->builder->summary;
}

# Three shapes that differ from the file.
sub others {
	my ($stages, $chunks, $layers) = @_;
	my @all = grep { $_->[0] * $_->[1] <= $layers && $_->[0] != $stages && $_->[1] != $chunks }
		[2, 1], [3, 2], [4, 3], [4, 1], [8, 2], [5, 2], [6, 1], [2, 2], [1, 1];
	my $most = $ENV{LONG} ? 3 : 1;
	return @all > $most ? @all[0 .. $most - 1] : @all;
}

my @files = glob "$data/yaml/*.yaml";
SKIP: {
	skip "no published YAMLs in $data/yaml", 1 unless @files;
	my ($right, $tried) = (0, 0);
	for my $file (@files) {
		(my $name = $file) =~ s/.*\///;
		my $old = parse($file);
		my $model = $old->{model}{model_config};
		my $layers = $model->{num_layers} || $model->{num_hidden_layers} || 64;
		my $whole = 1;
		my @now = ($old->{parallel_config}{pipeline_stage}, $model->{pp_interleave_num} || 1);
		for my $shape (others(@now, $layers)) {
			for my $given ($tried % 4 == 3 ? (1, 0) : 1) {
				my ($plan, $c) = stream(@$shape, $layers, $given);
				copy($file, "$tmp/$name");
				$whole &= written("$name, @$shape" . ($given ? '' : ', no candidate'), "$tmp/$name",
					$plan, $c, $layers);
				$tried++;
			}
		}
		$right += $whole;
	}
	is($right, @files, "$tried rewritings of " . @files . " published files, $right files right in all of theirs");
}

# Different forms of values, with 16 layers on 4 stages.
my %forms = (
	'block' => <<'EOF',
# top
runner_config:
  batch_size: 1
parallel_config:
  data_parallel: 2   # replicas
  # of each
  model_parallel: 4
  pipeline_stage: 4
  micro_batch_num: 8
micro_batch_interleave_num: 1
model:
  model_config:
    num_layers: 16
    offset: [1, 0, 0, -1]
recompute_config:
  recompute:
    - 1
    # the second
    - 2
    - 0
    - 0
  select_recompute: True
EOF
	'flow maps' => <<'EOF',
runner_config: {batch_size: 1}
parallel_config: {data_parallel: 2, model_parallel: 4, pipeline_stage: 4, micro_batch_num: 8}   # all
model: {model_config: {num_layers: 16, offset: [[1, 0, 0, 0], [0, 0, 0, -1]], pp_interleave_num: 2}}
parallel: {parallel_mode: 1, pipeline_config: {pipeline_interleave: true, pipeline_scheduler: 1f1b}}
recompute_config: {recompute: [[1, 1, 1, 1], [0, 0, 0, 0]], select_recompute: false}
EOF
	'anchors' => <<'EOF',
parallel_config:
  data_parallel: &dp 2
  model_parallel: &mp 4
  pipeline_stage: &stages 4
  micro_batch_num: &micro 8
parallel:
  dataset_strategy: [[*dp, 1], [*dp, 1]]
shared: &list [1, 1, 1, 1]
model:
  model_config:
    num_layers: &layers 16
    offset: &offset 0
recompute_config:
  recompute: *list
  select_recompute: &sel [4, 4, 4, 4]
  select_comm_recompute: [4, 3, 2, 1]
EOF
	'patterns' => <<'EOF',
parallel_config:
  data_parallel: 2
  model_parallel: 4
  pipeline_stage: 4
  micro_batch_num: 8
model:
  model_config:
    num_layers: 16
    offset: 0
recompute_config:
  recompute: False
  select_recompute:
    'feed_forward\.mul': [4, 4, 4, 4]
    'feed_forward\.silu': [4, 4, 4, 4]
  select_comm_recompute: ['.*\.norm',
    '.*\.reshape']
EOF
	'patterns by chunk' => <<'EOF',
parallel_config:
  data_parallel: 2
  model_parallel: 4
  pipeline_stage: 4
  micro_batch_num: 8
model:
  model_config:
    num_layers: 16
    pp_interleave_num: 2
    offset: [[0, 0, 0, 0],
      [0, 0, 0, 0]]
parallel:
  pipeline_config:
    pipeline_interleave: True
recompute_config:
  recompute: [[true, false], [1, 1]]
  select_recompute: {'a\.b': [[1, 1, 1, 1], [0, 0, 0, 0]], "c": True, d: [true, 1, 0, false]}
  select_comm_recompute:
  - 'x\.y'
  - z
EOF
	'other lengths' => <<'EOF',
parallel_config:
  data_parallel: 2
  model_parallel: 4
  pipeline_stage: 4
model:
  model_config:
    num_layers: 16
    offset: [1, 0, 0, 0, 0, 0, 0, 0, 0, -1]
recompute_config:
  recompute: [10, 8, 6, 4, 2, 0, 0, 0, 0, 0]
  select_recompute: [[1], [2, 3], [4, 5, 6]]
  select_comm_recompute: []
EOF
	'parts of sequences' => <<'EOF',
parallel_config:
  data_parallel: 2
  model_parallel: 4
  pipeline_stage: 4
  context_parallel: 2
  context_parallel_algo: ulysses_cp
  seq_split_num: 4
  micro_batch_num: 8
  use_seq_parallel: True
parallel:
  enable_parallel_optimizer: True
  parallel_optimizer_config:
    optimizer_weight_shard_size: 3
  pipeline_config:
    pipeline_interleave: True
    pipeline_scheduler: seqpipe
model:
  model_config:
    num_layers: 16
    offset: 0
recompute_config:
  recompute: True
EOF
	'merges' => <<'EOF',
base: &base {data_parallel: 2, model_parallel: 4, micro_batch_num: 8}
parallel_config:
  <<: *base
  pipeline_stage: 4
  expert_parallel: 2
model:
  model_config: {num_layers: 16, offset: 0}
recompute_config:
EOF
	'nothing but what must be' => <<'EOF',
parallel_config: {pipeline_stage: 4}
model: {model_config: {num_layers: 16}}
EOF
	'offloading' => <<'EOF',
parallel_config:
  pipeline_stage: 4
model:
  model_config:
    num_layers: 16
    offset: 0
swap_config:
  swap: True
  layer_swap:
    - backward_prefetch: 1
      layers: [0, 1, 2]
recompute_config:
  recompute: [0, 3, 4]
EOF
);
for my $name (keys %forms) {
	my $text = $forms{$name};
	$forms{"$name, CRLF"} = $text =~ s/\n/\r\n/gr;
	chomp($forms{"$name, no end of line, BOM"} = "\x{ef}\x{bb}\x{bf}$text");
}
my $turn = 0;	# in make check each shape is written with or without a candidate, in turn
for my $name (sort keys %forms) {
	for my $shape ($ENV{LONG} ? ([2, 1], [3, 2], $name =~ /,/ ? () : ([8, 2], [4, 3], [5, 1], [1, 1])) :
	    $name =~ /,/ ? [3, 2] : ([2, 1], [4, 3], [1, 1])) {
		for my $given ($ENV{LONG} ? (1, 0) : $turn++ % 2) {
			my @zero = $name =~ /nothing|offloading|merges|block|anchors|patterns/ ? (zero => 0) : ();
			my ($plan, $c) = stream(@$shape, 16, $given, @zero);
			spew("$tmp/t.yaml", $forms{$name});
			written("$name, @$shape" . ($given ? '' : ', no candidate'), "$tmp/t.yaml", $plan, $c, 16);
			next unless $name =~ /CRLF/;
			my $text = slurp("$tmp/t.yaml");
			is($text =~ s/\r\n//gr =~ tr/\n//, 0, "$name: ends of lines");
		}
	}
}

# Fused operators: permute has a key, mc2 has none in a YAML.
for (['', ['permute'], 'True'], ['True', ['permute'], 'True'], ['True', [], 'False'], ['', [], undef],
    ['True', undef, 'True']) {
	my ($there, $fused, $want) = @$_;
	my $text = $forms{'merges'} . "moe_config:\n  expert_num: 8\n  num_experts_chosen: 2\n" .
		($there ? "  use_fused_ops_permute: $there   # as measured\n" : '');
	my ($plan, $c) = stream(2, 1, 16, 1, zero => 0, ep => 2, $fused ? (fused => $fused) : ());
	spew("$tmp/t.yaml", $text);
	delete $c->{fused};
	written("fused '$there' becomes " . ($want // 'nothing'), "$tmp/t.yaml", $plan, $c, 16);
	my ($is) = slurp("$tmp/t.yaml") =~ /use_fused_ops_permute: (\w+)/;
	is($is, $want, 'it says ' . ($want // 'nothing'));
}
{
	my ($plan, $c) = stream(2, 1, 16, 1, zero => 0, fused => ['mc2'], tp => 2, sp => JSON::PP::true);
	spew("$tmp/t.yaml", $forms{'merges'});
	my $err = `sapp-yaml -w '$tmp/t.yaml' '$tmp/plan' 2>&1 >/dev/null`;
	ok($? >> 8 == 1 && $err =~ /has no key for 'mc2'/, 'products with collectives are refused') or diag($err);
	is(slurp("$tmp/t.yaml"), $forms{'merges'}, 'the file is as it was');
}

# Comments within a replaced value are removed, others stay.
sub comments {
	my ($name, $before, $want, $plan) = @_;
	spew("$tmp/plan", $plan . "\n");
	spew("$tmp/t.yaml", $before);
	system("sapp-yaml -w '$tmp/t.yaml' '$tmp/plan' 2>'$tmp/err'");
	is(slurp("$tmp/t.yaml"), $want, $name);
}
my $flat = $json->encode({ kind => 'plan', name => 'p', origin => 'planner', schedule => '1f1b', interleave => 1,
	micro_batches => 6, counts => { L => { none => [[3, 5]] } }, offset => [[-1, 1]], recompute => [[0, 0]],
	select_recompute => [[0, 0]], select_comm_recompute => [[0, 0]] });
comments('comments of values', <<'EOF', <<'EOF', $flat);
parallel_config: # degrees
  # how many stages
  pipeline_stage: 4   # four of them
  micro_batch_num: 6  # six
  other: '# none'   # kept
model:
  model_config:
    num_layers: 8 # as published
    offset:   # behind the key
      # before the first
      - 1   # one
      # between

      - 0
      - 0
      - -1  # last
    # behind the list
    text: "a # b"
recompute_config: {recompute: [1, 1,  # ones
    # in brackets
    1, 1], select_recompute: False} # and the rest
EOF
parallel_config: # degrees
  # how many stages
  pipeline_stage: 2   # four of them
  micro_batch_num: 6  # six
  other: '# none'   # kept
model:
  model_config:
    num_layers: 8 # as published
    offset: [-1, 1]  # last
    # behind the list
    text: "a # b"
recompute_config: {recompute: [0, 0], select_recompute: False} # and the rest
EOF
comments('a number sign that is none', <<'EOF', <<'EOF', $flat);
parallel_config: {pipeline_stage: 4, name: 'a # b', tag: x#y, micro_batch_num: 6} # c
model: {model_config: {num_layers: 8, offset: [-1, 0, 0, 1]}}
EOF
parallel_config: {pipeline_stage: 2, name: 'a # b', tag: x#y, micro_batch_num: 6} # c
model: {model_config: {num_layers: 8, offset: [-1, 1]}}
EOF

# Refused, without changes.
my $good = <<'EOF';
runner_config: {batch_size: 1}
parallel_config: {data_parallel: 2, model_parallel: 4, pipeline_stage: 4, micro_batch_num: 8}
micro_batch_interleave_num: 1
parallel: {parallel_mode: 1}
model: {model_config: {num_layers: 16, offset: 0}}
recompute_config: {recompute: False}
EOF
sub refused {
	my ($name, $message, $change, %more) = @_;
	my $text = $good;
	stream(2, 2, 16, 1, zero => 0, cp => 1, mbs => 1, %more);
	{ local $_ = $text; $change->(); $text = $_; }
	spew("$tmp/t.yaml", $text);
	isnt(system("sapp-yaml -w '$tmp/t.yaml' '$tmp/plan' 2>'$tmp/err'"), 0, "$name: refused");
	like(slurp("$tmp/err"), qr/\Q$message\E/, "$name: why");
	is(slurp("$tmp/t.yaml"), $text, "$name: left alone");
	is_deeply([bsd_glob("$tmp/t.yaml?*")], [], "$name: nothing beside it");
}
refused('other stages than the candidate', 'its candidate has 4 and', sub { }, pp => 4);
refused('other micro-batches than the candidate', 'its candidate has 2 and 77', sub { }, micro_batches => 77);
refused('tensor parallel experts', 'etp: experts divided: a training YAML of MindFormers', sub { }, etp => 2);
refused('other layers', 'num_layers is 17', sub { s/num_layers: 16/num_layers: 17/ });
refused('micro-batches in turns', "micro-batches of 1 sequences cannot be divided by '2'",
	sub { s/interleave_num: 1/interleave_num: 2/ });
refused('twice the same degree', "a duplicate key: remove one of the two", sub { s/data_par/data_parallel: 1,
	data_par/ },
	dp => 16);
refused('twice the same list', "a duplicate key: remove one of the two",
	sub { s/recompute: False/recompute: [1, 0, 0, 0], recompute: [2, 0, 0, 0]/ });
refused('no pipeline', 'no parallel_config: pipeline_stage', sub { s/pipeline_stage: 4, // });
refused('no stage number', "pipeline_stage: expected", sub { s/pipeline_stage: 4/pipeline_stage: [4]/ });
refused('no model', "missing key 'model: model_config'", sub { s/^model:.*\n//m });
refused('not YAML', 'not YAML', sub { s/}}$/}/m });
refused('two documents', 'a second document', sub { $_ .= "---\na: 1\n" });
refused('an alias for a map that has to change', "'parallel_config' is an alias",
	sub { s/^parallel_config: (.*)/x: &x {pipeline_stage: 4}\nparallel_config: *x/m }, dp => 16);
refused('an unknown tag', 'tags are not supported', sub { s/data_parallel: 2/data_parallel: !x 2/ });
refused('text in another code', 'UTF-16', sub { $_ = "\xff\xfe" . join '', map { "$_\0" } split //, $_ });
done_testing;
