#!/usr/bin/perl
# Every setting of a candidate that a target can express is written, whatever the file contained before, and read back:
# the estimate of the settings read back is the candidate's, to the byte. Settings that a target cannot express are
# refused. CANDIDATES: number of random candidates for each of TARGETS; each is written into every file.
use strict;
use warnings;
use File::Glob qw(:bsd_glob);
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;
use lib "$FindBin::Bin/..";
use plans qw(random);

my $tmp = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical;
my $drawn = $ENV{CANDIDATES} || 1;
my ($no, $yes) = (JSON::PP::false, JSON::PP::true);

sub slurp { open my $f, '<:raw', $_[0] or die "$_[0]: $!"; local $/; <$f> }
sub spew { open my $f, '>:raw', $_[0] or die; print $f $_[1]; close $f }
sub pick { $_[random(scalar @_)] }

# ---- Files: by target a name, layers, whether there are experts, and the text --------------------------------------

my $sizes = '--num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 ' .
	'--max-position-embeddings 1024 --swiglu';
my $moe = "$sizes --num-experts 8 --moe-router-topk 2 --moe-ffn-hidden-size 1024";
my $start = 'torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py';
my %scripts = (
	'one command' => [24, 0, "$start $sizes --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 " .
	    "--micro-batch-size 1 --global-batch-size 8\n"],
	'one command with every setting' => [24, 1, "$start $moe --tensor-model-parallel-size 2 \\\n" .
	    "\t--pipeline-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 8 --sequence-parallel \\\n" .
	    "\t--use-distributed-optimizer --num-distributed-optimizer-instances 2 --context-parallel-size 2 \\\n" .
	    "\t--moe-permute-fusion --fp8-format e4m3 --fp8-dot-product-attention\n"],
	'arrays' => [24, 1, "GPUS_PER_NODE=8\nNNODES=4\n" .
	    "DISTRIBUTED=(--nproc_per_node \$GPUS_PER_NODE --nnodes \$NNODES)\n" .
	    "MODEL=(\n\t$moe\n)\nTP=4\nPARALLEL=(\n\t--tensor-model-parallel-size \$TP # each node\n" .
	    "\t--pipeline-model-parallel-size 1\n\t--sequence-parallel\n\t--expert-model-parallel-size 4\n" .
	    "\t--moe-token-dispatcher-type alltoall\n)\nBATCH=(--micro-batch-size 1 --global-batch-size 64)\n" .
	    "torchrun \${DISTRIBUTED[@]} pretrain_gpt.py \${MODEL[@]} \${PARALLEL[@]} \${BATCH[@]}\n"],
	'strings' => [24, 0, "TP=2\nPP=4\nMBS=1\nGPT_ARGS=\"\n    --tensor-model-parallel-size \${TP} \\\n" .
	    "    --pipeline-model-parallel-size \${PP} \\\n    $sizes \\\n    --micro-batch-size \${MBS} \\\n" .
	    "    --global-batch-size 64 \\\n    --use-distributed-optimizer \\\n    --cp-comm-type a2a\n\"\n" .
	    "torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py \\\n    \$GPT_ARGS\n"],
	'variables with defaults' => [24, 1, "TP_SIZE=\${TP_SIZE:-2}\nPP_SIZE=\${PP_SIZE:-2}\n" .
	    "OPTIONS=\"$moe --micro-batch-size 1 --global-batch-size 32 --expert-tensor-parallel-size 1\"\n" .
	    "torchrun --nproc-per-node=8 --nnodes=2 pretrain_gpt.py \$OPTIONS " .
	    "--tensor-model-parallel-size=\${TP_SIZE} \\\n" .
	    "\t--pipeline-model-parallel-size=\${PP_SIZE} --sequence-parallel\n"],
);
my $network = join '', map { "    $_\n" } 'num_layers: 24', 'hidden_size: 1024', 'num_heads: 16',
	'vocab_size: 32000', 'seq_length: 1024';
my $experts = "moe_config:\n  expert_num: 8\n  num_experts_chosen: 2\n  moe_intermediate_size: 1024\n";
my $model = "model:\n  model_config:\n$network    offset: 0\n";
my %yamls = (
	'without keys' => [24, 0, "parallel_config:\n  pipeline_stage: 1\n$model"],
	'with the opposite' => [24, 1, "parallel:\n  enable_parallel_optimizer: False\n  parallel_optimizer_config:\n" .
	    "    gradient_accumulation_shard: False\nrunner_config:\n  batch_size: 1  # sequences\n" .
	    "  gradient_accumulation_steps: 4\nparallel_config:\n  data_parallel: 8\n  model_parallel: 2\n" .
	    "  pipeline_stage: 1\n  use_seq_parallel: False\n  micro_batch_num: 1\n  expert_parallel: 2\n" .
	    "${experts}  use_fused_ops_permute: True\nrecompute_config:\n  recompute: False\n$model"],
	'with everything on' => [24, 0, "parallel: {enable_parallel_optimizer: True, parallel_optimizer_config: " .
	    "{optimizer_weight_shard_size: 2}}\nrunner_config: {batch_size: 4}\nparallel_config: {data_parallel: 2, " .
	    "model_parallel: 4, context_parallel: 2, context_parallel_algo: ulysses_cp, pipeline_stage: 4, " .
	    "micro_batch_num: 8, use_seq_parallel: True}\n$model"],
	'with copies' => [24, 1, "micro_batch_interleave_num: 2\nrunner_config:\n  batch_size: 2\nparallel:\n" .
	    "  enable_parallel_optimizer: True\nparallel_config:\n  data_parallel: 2\n  model_parallel: 4\n" .
	    "  pipeline_stage: 2\n  micro_batch_num: 8\n$experts$model"],
);
my %primus = map { ($_->[0] => [24, $_->[1], "modules:\n  pre_trainer:\n    framework: megatron\n    overrides:\n" .
	"      num_layers: 24\n" . join('', map { "      $_\n" } @$_[2 .. $#$_])]) } (
	['without keys', 0],
	['with the opposite', 0, 'sequence_parallel: false', 'use_distributed_optimizer: false', 'fp8: e4m3'],
	['with everything on', 1, 'num_experts: 8', 'sequence_parallel: true', 'use_distributed_optimizer: true',
	    'num_distributed_optimizer_instances: 2', 'moe_permute_fusion: true', 'tensor_model_parallel_size: 4'],
	['of the environment', 0, 'tensor_model_parallel_size: ${PRIMUS_TP:2}', 'micro_batch_size: 2  # each',
	    'global_batch_size: 64'],
	['with experts', 1, 'num_experts: 8', 'expert_model_parallel_size: 8', 'moe_token_dispatcher_type: flex',
	    'moe_enable_deepep: true', 'context_parallel_size: 2', 'cp_comm_type: a2a']);
my %flagscale = map { ($_->[0] => [24, $_->[1], "system:\n" . join('', map { "  $_\n" } @{$_->[2]}) .
	"model:\n  num_layers: 24\n" . join('', map { "  $_\n" } @{$_->[3]})]) } (
	['without keys', 0, ['pipeline_model_parallel_size: 1'], []],
	['with the opposite', 0, ['sequence_parallel: false', 'use_distributed_optimizer: false', 'fp8_format: hybrid'],
	    ['micro_batch_size: 1', 'global_batch_size: 64']],
	['with everything on', 1, ['sequence_parallel: true', 'use_distributed_optimizer: true',
	    'moe_permute_fusion: true', 'tensor_model_parallel_size: 4', 'expert_model_parallel_size: 2'],
	    ['num_experts: 8']],
	['in maps', 0, ['precision:', '  bf16: true', 'sequence_parallel: true'], ['global_batch_size: 8']],
	['with experts', 1, ['moe_token_dispatcher_type: alltoall', 'context_parallel_size: 2', 'cp_comm_type: a2a'],
	    ['num_experts: 8', 'moe_grouped_gemm: true']]);
# YAMLs that were trained with, and a user's file if it exists next to the sources.
my $real = '../shared/data/yaml';
for my $path (-d $real ? sort(bsd_glob("$real/*.yaml")) : ()) {
	last if keys %yamls >= 4 + ($ENV{CANDIDATES} ? 5 : 1);
	my $text = slurp($path);
	next if `sapp-yaml -r '$path' 2>&1 >/dev/null; echo \$?` !~ /^0$/m;
	next if $text !~ /^ +num_layers: (\d+)/m || $text =~ /mtp_depth|num_nextn|swap: *True/;
	$yamls{$path =~ s|.*/||r} = [$1,
	    $text =~ /^moe_config:\s*\n(?: .*\n)*? +expert_num: *(?:[2-9]|\d\d)/m ? 1 : 0, $text];
}
note('files of runs beside the sources are not there: skipped') unless -d $real;

my %targets = (
	mindformers => [\%yamls, 'yaml', ''], megatron => [\%scripts, 'sh', '-f megatron'],
	mindspeed => [\%scripts, 'sh', '-f mindspeed'], primus => [\%primus, 'yaml', ''],
	flagscale => [\%flagscale, 'yaml', '']);
my @targets = split ' ', $ENV{TARGETS} || join ' ', sort keys %targets;

# ---- Candidates, and plans of them ----------------------------------------------------------------------------------

# Random settings must fit the file: experts, copies of a micro-batch, and settings of the target.
sub candidate {
	my ($target, $file) = @_;
	my $experts = $file->[1];
	my ($tp, $cp, $dp) = (1 << random(3), 1 << random(2), 2 << random(3));
	my ($pp, $vp) = @{pick([1, 1], [2, 1], [2, 2], [4, 1], [8, 1])};
	($pp, $vp) = (1, 1) if $file->[0] % ($pp * $vp) != 0;
	my $gemm = $target eq 'mindformers' || $target eq 'mindspeed';
	my %c = (dp => $dp, tp => $tp, cp => $cp, pp => $pp, vp => $vp, mbs => 2 << random(2),
		micro_batches => $pp * (1 + random(4)), zero => random(2), sp => $tp > 1 && random(2) ? $yes : $no,
		recompute => 'none', ep => $experts ? 1 << random(2) : 1, etp => 1, fused => [], store => 2,
		attention8 => $no, graph => 'none', ep_overlap => $no);
	$c{cp_kind} = pick('ring', 'ulysses') if $cp > 1;
	$c{shard} = $c{zero} ? pick(grep { $dp * $cp % $_ == 0 } 1, 2, 4, $dp * $cp) : 1;
	$c{fused} = pick([], ['permute']) if $experts;
	$c{fused} = pick([], ['mc2']) if $tp > 1 && $c{sp} && !$experts && $target =~ /^(megatron|mindspeed)$/;
	if ($target eq 'mindformers') {
		$c{zero} = random(4);
		$c{micro_batches} *= 2 if $c{zero} == 1;
		$c{shard} = $c{zero} ? $dp * $cp : 1;
		$c{ep} = 1 if $dp * $tp % $c{ep};
	} else {
		$c{dispatcher} = $target eq 'mindspeed' ? 'alltoall' : pick('alltoall', 'flex') if $experts;
		$c{dispatcher} = 'alltoall' if $experts && $c{ep} == 1;
		$c{fused} = [] if $experts && $c{dispatcher} eq 'flex';
		$c{store} = pick(2, 1.03125, 0.5625);
		$c{attention8} = $yes if $c{store} != 2 && random(2);
		$c{graph} = pick('none', 'full') if !$gemm;
		if (!$gemm && $experts && random(3) == 0) {
			$c{graph} = 'part';
			$c{graph_scope} = pick(['attn'], ['attn', 'moe_router'], [qw(attn moe_router moe_preprocess)]);
		}
	}
	return \%c;
}

sub plan_of {
	my ($c, $layers) = @_;
	my ($p, $v) = @$c{qw(pp vp)};
	my $grid = sub { my $x = shift; [map { [($x) x $p] } 1 .. $v] };
	return ({ kind => 'pipeline', stages => $p, micro_batches => $c->{micro_batches}, interleave => $v,
		schedule => $v > 1 ? 'vpp' : '1f1b', memory_limit => 1e6 },
		{ kind => 'plan', name => 'x', origin => 'planner', schedule => $v > 1 ? 'vpp' : '1f1b',
		interleave => $v, micro_batches => $c->{micro_batches}, offset => $grid->(0),
		counts => { L => { none => $grid->($layers / $p / $v) } },
		map { $_ => $grid->(0) } qw(recompute select_recompute select_comm_recompute) });
}

# ---- Writing, reading back, and the estimates of both
# -----------------------------------------------------------------

# The effect of fused operators is known only from runs, so they are compared separately.
sub plain {
	my ($c, $name) = @_;
	my %plain = (kind => 'candidate', %$c, name => $name);
	delete @plain{qw(fused origin stage_layers)};
	return \%plain;
}
# Estimates of all at once, by name; each is [whether there are experts, candidate].
sub estimates {
	my %of;
	for my $experts (0, 1) {
		my %moe = $experts ? (experts => 8, experts_per_token => 2, expert_ffn_size => 1024) : ();
		my $network = { kind => 'network', name => 'n', layers => 48, hidden_size => 1024, num_heads => 16,
			ffn_size => 4096, vocab_size => 32000, seq_length => 1024, %moe };
		spew("$tmp/all", join '', map { $json->encode($_) . "\n" } $network,
			map { $_->[0] == $experts ? $_->[1] : () } @_);
		for (`sapp-est -cluster h100 '$tmp/all' 2>'$tmp/err'`) {
			my $e = /"kind": ?"estimate"/ ? $json->decode($_) : next;
			$of{$e->{name}} = $e;
		}
		diag slurp("$tmp/err") if $? && $? >> 8 != 3;
	}
	return \%of;
}

# Write the record with the candidate into the file at PATH; return the candidate that is read back, or nothing.
sub write_and_read {
	my ($what, $options, $path, $layers, $c, @records) = @_;
	spew("$tmp/stream", join '', map { $json->encode($_) . "\n" } @records, plan_of($c, $layers));
	if (system("sapp-yaml -w '$path' $options -plan x '$tmp/stream' 2>'$tmp/err'") != 0) {
		fail($what);
		diag(slurp("$tmp/err"), $json->encode($c));
		return;
	}
	my ($back) = map { $json->decode($_) } grep { /"kind": ?"candidate"/ && /"name": ?"current"/ }
		`sapp-yaml -r '$path' -layers $layers '$tmp/stream' 2>'$tmp/err'`;
	return $back if $back;
	fail("$what: read back");
	diag(slurp("$tmp/err"), slurp($path));
	return;
}

# Return [what, options, path, file, text or nothing, candidate] for each candidate, from candidate records, estimate
# records, or both.
sub compare {
	my @asked = @_;
	my (@back, $n);
	my $planned = estimates(map { [$_->[3][1], plain($_->[5], 'p' . $n++)] } @asked);
	for my $i (0 .. $#asked) {
		my ($what, $options, $path, $file, $text, $c) = @{$asked[$i]};
		my $candidate = { kind => 'candidate', name => 'x', %$c };
		my $estimate = { %{$planned->{"p$i"} || {}}, name => 'x', fused => $c->{fused} };
		spew($path, $text) if defined $text;
		my $back = write_and_read($what, $options, $path, $file->[0], $c, $i % 3 == 0 ? $candidate : (),
			$i % 3 ? $estimate : (), $i % 3 == 2 ? $candidate : ());
		push @back, [$file->[1], plain($back, "b$i"), $i, join ' ', @{$back->{fused} || []}] if $back;
	}
	$_->[1]{recompute} = 'none' for @back;
	my $read = estimates(@back);
	for (@back) {
		my $i = $_->[2];
		my ($want, $got) = map { $_ ? $json->encode([@$_{qw(step_time lower_bound memory)}]) : 'no estimate' }
			$planned->{"p$i"}, $read->{"b$i"};
		is("$got @$_[3]", "$want @{$asked[$i][5]{fused}}", $asked[$i][0]) or
			diag($json->encode($asked[$i][5]), "\n", $json->encode($_->[1]));
	}
}

# Random: write each candidate into every file. With several candidates, every other file has the settings of the last.
for my $target (@targets) {
	my ($files, $suffix, $options) = @{$targets{$target}};
	compare(map {
		my ($name, $file) = ($_, $files->{$_});
		map { ["$target, $name, $_", $options, "$tmp/train.$suffix", $file, $_ % 2 ? $file->[2] : undef,
			candidate($target, $file)] } 1 .. $drawn
	} sort keys %$files);
}

# Singly: write each value over the other, and back. The settings that the last one leaves are those of the first value,
# so make check does not write them again.
my %values = (zero => [0, 1], sp => [$no, $yes], shard => [2, 8], mbs => [2, 4], micro_batches => [4, 8],
	cp_kind => ['ring', 'ulysses'], fused => [[], ['permute']], dispatcher => ['alltoall', 'flex'],
	graph => ['none', 'full'], store => [2, 1.03125], attention8 => [$no, $yes], ep_overlap => [$no, $yes],
	ep => [2, 4], etp => [1, 2], cp => [2, 1], tp => [2, 4], dp => [4, 2], pp => [1, 2]);
my %cannot = (mindformers => [qw(dispatcher graph store attention8 ep_overlap etp)],
	mindspeed => [qw(dispatcher graph ep_overlap)]);
for my $target (@targets) {
	my ($files, $suffix, $options) = @{$targets{$target}};
	my ($file) = map { $files->{$_}[1] ? $files->{$_} : () } sort keys %$files;
	my ($path, @asked) = "$tmp/train.$suffix";
	my %base = (dp => 4, tp => 2, cp => 2, pp => 1, vp => 1, mbs => 2, micro_batches => 4, zero => 1, sp => $yes,
		recompute => 'none', ep => 2, etp => 1, fused => [], store => 2, attention8 => $no, graph => 'none',
		ep_overlap => $no, cp_kind => 'ring', dispatcher => 'alltoall');
	$values{zero} = $target eq 'mindformers' ? [1, 2, 3, 0] : [0, 1];
	for my $setting (sort keys %values) {
		my $refused = grep { $_ eq $setting } @{$cannot{$target} || []};
		my @values = (@{$values{$setting}}, $values{$setting}[0]);
		shift @values if @asked && !$refused && !$ENV{LONG};
		for my $value (@values) {
			my %c = (%base, $setting => $value);
			delete $c{cp_kind} if $c{cp} == 1;
			# MindFormers has one way, and no word for it.
			delete $c{dispatcher} if $target eq 'mindformers' && $c{dispatcher} eq 'alltoall';
			my $what = "$target, $setting " . $json->allow_nonref->encode($value);
			if (!$refused || $value eq $values{$setting}[0]) {
				push @asked, [$what, $options, $path, $file, @asked ? undef : $file->[2], \%c];
				next;
			}
			spew("$path.no", $file->[2]);
			spew("$tmp/stream", join '', map { $json->encode($_) . "\n" }
				{ kind => 'candidate', name => 'x', %c }, plan_of(\%c, $file->[0]));
			my $err = `sapp-yaml -w '$path.no' $options '$tmp/stream' 2>&1`;
			ok($? >> 8 == 1 && $err =~ /candidate: $setting: .*has no (key|argument)/,
				"$what is refused") or
				diag($err);
			is(slurp("$path.no"), $file->[2], "$what: the file is as it was");
		}
	}
	compare(@asked);
}

# Settings of torchtitan are only printed; it divides by FSDP.
my %c = (kind => 'candidate', name => 'x', dp => 8, tp => 2, cp => 2, pp => 4, mbs => 2, micro_batches => 8,
	zero => 2, shard => 8, sp => $yes);
for ([{}, 'data_parallel_replicate_degree = 2\ndata_parallel_shard_degree = 4\n' .
	'fsdp_reshard_after_forward = "never"\ntensor_parallel_degree = 2\ncontext_parallel_degree = 2\n'],
	[{ zero => 3 }, 'fsdp_reshard_after_forward = "always"'],
	[{ zero => 0, shard => 1 }, 'zero: it also divides over cp: torchtitan has no key'],
	[{ zero => 0, shard => 1, cp => 1 },
	    'data_parallel_replicate_degree = 8\ndata_parallel_shard_degree = 1\ntensor'],
	[{ zero => 1, shard => 1, cp => 1 },		# which divides nothing
	    'data_parallel_replicate_degree = 8\ndata_parallel_shard_degree = 1\ntensor'],
	[{ zero => 1, shard => 1 }, 'zero: it also divides gradients'],		# over cp
	[{}, 'local_batch_size = 16\n'], [{ zero => 1 }, 'zero: it also divides gradients: torchtitan has no key'],
	[{ sp => $no }, 'sp: torchtitan has no key'], [{ graph => 'full' }, 'graph: torchtitan has no key'],
	[{ cp_kind => 'ulysses' }, 'cp_kind: torchtitan has no key']) {
	my ($more, $want) = @$_;
	spew("$tmp/stream", join '', map { $json->encode($_) . "\n" } { %c, %$more }, plan_of({ %c, vp => 1 }, 24));
	like(`sapp-yaml -f torchtitan '$tmp/stream' 2>&1`, qr/$want/, "torchtitan: $want");
}
# MindFormers' micro-batches: steps of gradient accumulation without a pipeline, never both; each with several copies.
my $yaml = sub {
	my ($stages, $steps, $copies) = @_;
	return "micro_batch_interleave_num: $copies\nrunner_config:\n  batch_size: 2\n" .
		"  gradient_accumulation_steps: $steps\n" .
		"parallel_config: {data_parallel: 4, model_parallel: 2, pipeline_stage: $stages, " .
		"micro_batch_num: 8}\n$model";
};
for ([1, 6, 1, 6, 2], [1, 6, 2, 6, 4], [2, 1, 3, 8, 6], [1, 1, 1, 1, 2]) {
	my ($stages, $steps, $copies, $micro, $mbs) = @$_;
	spew("$tmp/steps.yaml", $yaml->($stages, $steps, $copies));
	my ($said) = map { $json->decode($_) } grep { /"kind": ?"candidate"/ }
		`sapp-model '$tmp/steps.yaml' 2>'$tmp/err'`;
	is(slurp("$tmp/err") =~ /micro-batches are divided into (\d+) copies.*not estimated/ ? $1 : 1, $copies,
		"$copies are told of");
	my ($job) = map { $json->decode($_) } grep { /"kind": ?"job"/ } `sapp-yaml -init '$tmp/steps.yaml' -j`;
	is_deeply([@$said{qw(micro_batches mbs)}, @$job{qw(micro_batches batch_size)}], [$micro, $mbs, $micro, $mbs],
		"$stages stages, $steps steps, $copies copies");
}
spew("$tmp/steps.yaml", $yaml->(2, 4, 1));
for ("sapp-model '$tmp/steps.yaml'", "sapp-yaml -r '$tmp/steps.yaml' </dev/null", "sapp-yaml -init '$tmp/steps.yaml'") {
	like(`$_ 2>&1`, qr/gradient_accumulation_steps: not allowed with pipeline_stage 2.*'4'/,
		"@{[/^(\S+)/]}: not both");
	is($? >> 8, 1, 'which is an error');
}
# A message reports state that is not divided.
for ([64, ''], [4096, 'parallel_optimizer_threshold: the optimizer does not divide parameters below 4096 KB']) {
	spew("$tmp/threshold.yaml", "parallel: {enable_parallel_optimizer: True, parallel_optimizer_config: " .
		"{parallel_optimizer_threshold: $_->[0]}}\n" .
		"parallel_config: {data_parallel: 4, model_parallel: 2}\n$model");
	my $err = `sapp-model '$tmp/threshold.yaml' 2>&1 >/dev/null`;
	is($err =~ /(parallel_optimizer_threshold: the optimizer does not divide parameters below \d+ KB)/ ? $1 :
		'', $_->[1],
		"a threshold of $_->[0] KB");
}
done_testing;
