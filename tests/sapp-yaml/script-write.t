#!/usr/bin/perl
# sapp-yaml -w for typical scripts that run Megatron-LM: the settings read back are the plan and its candidate, bash
# passes the corresponding arguments, and nothing else has changed; or the file is unchanged.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Glob qw(:bsd_glob);
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;
use lib "$FindBin::Bin/..";
use plans qw(random);

my $tmp = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical;

sub slurp { open my $f, '<:raw', $_[0] or die "$_[0]: $!"; local $/; <$f> }
sub spew { open my $f, '>:raw', $_[0] or die; print $f $_[1]; close $f }

# Stubs for launchers record their arguments.
mkdir "$tmp/bin" or die;
for my $program (qw(torchrun python python3 srun)) {
	spew("$tmp/bin/$program", "#!/bin/sh\nprintf '%s\\n' \"\$@\" >>'$tmp/passed'\n");
	chmod 0755, "$tmp/bin/$program";
}
sub passed {
	my ($script) = @_;
	unlink "$tmp/passed";
	if (slurp($script) =~ /^--/) {	# arguments alone
		spew("$tmp/list.sh", 'torchrun ' . slurp($script));
		$script = "$tmp/list.sh";
	}
	local %ENV = (PATH => "$tmp/bin:$ENV{PATH}", HOME => $tmp);
	system("cd '$tmp' && bash '$script' >bash.out 2>bash.err </dev/null");
	return -e "$tmp/passed" ? split /\n/, slurp("$tmp/passed") : ();
}

# Arguments that the plan and the candidate determine, and the number of words of each.
my %ours = map { $_ => 1 } qw(--pipeline-model-parallel-size --num-layers-per-virtual-pipeline-stage
	--num-virtual-stages-per-pipeline-rank --decoder-first-pipeline-num-layers --decoder-last-pipeline-num-layers
	--pipeline-model-parallel-layout --microbatch-group-size-per-virtual-pipeline-stage --recompute-granularity
	--recompute-method --recompute-num-layers --tensor-model-parallel-size --context-parallel-size
	--micro-batch-size --global-batch-size --expert-model-parallel-size --expert-tensor-parallel-size
	--moe-token-dispatcher-type --cuda-graph-impl --nnodes --nproc_per_node --nproc-per-node
	--checkpoint-num-layers);
@ours{qw(--sequence-parallel --use-distributed-optimizer --recompute-activations --checkpoint-activations
	--moe-enable-deepep --overlap-moe-expert-parallel-comm)} = (0) x 6;
@ours{qw(--cuda-graph-scope --recompute-modules)} = (-1) x 2;
sub arguments {
	my (%of, @rest);
	while (@_) {
		my $word = shift;
		my $joined = $word =~ s/^(--[^=]*)=(.*)/$1/s ? $2 : undef;
		unless (exists $ours{$word}) {
			push @rest, defined $joined ? "$word=$joined" : $word;
			next;
		}
		$of{$word} = 'yes';
		$of{$word} = defined $joined ? $joined : shift if $ours{$word} == 1;
		next unless $ours{$word} < 0;
		my @words;
		push @words, shift while @_ && $_[0] !~ /^-/;
		$of{$word} = "@words";
	}
	return (\%of, \@rest);
}

# Layers of every piece according to the arguments, in the order of the data.
sub pieces {
	my ($of, $l) = @_;
	my $p = $of->{'--pipeline-model-parallel-size'};
	if (my $layout = $of->{'--pipeline-model-parallel-layout'}) {
		$layout =~ s/,//g;
		1 while $layout =~ s/\(([^()]*)\)\*(\d+)/$1 x $2/e || $layout =~ s/t\*(\d+)/'t' x $1/e;
		return map { tr/t// } split /\|/, $layout, -1;
	}
	my $v = $of->{'--num-virtual-stages-per-pipeline-rank'} ||
		$l / $p / ($of->{'--num-layers-per-virtual-pipeline-stage'} || $l / $p);
	my ($first, $last) = @$of{qw(--decoder-first-pipeline-num-layers --decoder-last-pipeline-num-layers)};
	return map { $l / $p / $v } 1 .. $p * $v unless defined $first;
	return ($first, map({ ($l - $first - $last) / ($p - 2) } 3 .. $p), $last);
}

# A stream with a plan for P stages, V chunks and L layers, and its candidate.
sub stream {
	my ($p, $v, $l, $given, %more) = @_;
	my $even = int($l / ($p * $v));
	my @off = map { [(0) x $p] } 1 .. $v;
	$off[random($v)][random($p)]++ for 1 .. $l - $even * $p * $v;
	for (1 .. random(3)) {
		my ($from, $to) = ($off[random($v)], $off[random($v)]);
		$from->[random($p)]--;
		$to->[random($p)]++;
	}
	my $kind = (qw(none select full full))[random(4)];
	my $all = 1 + random($even + 1);
	my %n = map { $_ => [map { [(0) x $p] } 1 .. $v] } qw(none select full);
	for my $c (0 .. $v - 1) {
		for my $s (0 .. $p - 1) {
			my $here = $even + $off[$c][$s];
			my $of = $kind eq 'full' && $all < $here ? $all : $kind eq 'none' ? 0 : $here;
			$n{$kind}[$c][$s] = $of if $kind ne 'none';
			$n{none}[$c][$s] = $here - $of;
		}
	}
	my $micro = $p * (1 + random(4));
	my $plan = { kind => 'plan', name => 'x', origin => 'planner', schedule => $v > 1 ? 'vpp' : '1f1b',
		interleave => $v, micro_batches => $micro, counts => { Layer => \%n }, offset => \@off,
		recompute => $n{full}, select_recompute => [map { my $c = $_; [map { $n{select}[$c][$_] +
		$n{full}[$c][$_] } 0 .. $p - 1] } 0 .. $v - 1],
		select_comm_recompute => $n{full}, kind_used => $kind, all => $all };
	my $tp = 1 << random(3);
	my $c = { kind => 'candidate', name => 'x', dp => 1 << random(3), tp => $tp, cp => 1 << random(2), pp => $p,
		vp => $v, mbs => 1 + random(2), micro_batches => $micro,
		sp => $tp > 1 && random(2) ? JSON::PP::true : JSON::PP::false, zero => random(2), %more };
	$c->{ep} = 1 unless $c->{ep} && $c->{dp} * $c->{cp} * $c->{tp} % $c->{ep} == 0;
	my $question = { kind => 'pipeline', stages => $p, micro_batches => $micro, interleave => $v,
		schedule => $plan->{schedule}, memory_limit => 50000 };
	my %record = %$plan;
	delete @record{qw(kind_used all)};
	spew("$tmp/plan", join '', map { $json->encode($_) . "\n" } $given ? $c : (), $question, \%record);
	return ($plan, $c);
}

sub comments { $_[0] =~ /(?:^|(?<=\s))(#[^\n]*)/g }

sub written {
	my ($name, $text, $p, $v, $l, %more) = @_;
	my $script = "$tmp/train.sh";
	my $moe = $text =~ /--num-experts/;
	my ($plan, $c) = stream($p, $v, $l, 1, $moe ? (%more, ep => 2, etp => 1) : ());
	spew($script, $text);
	chmod 0750, $script;
	my ($before, $rest_before) = arguments(passed($script));
	my $what = "$name: $p x $v";
	my $err = `sapp-yaml -w '$script' -plan x '$tmp/plan' 2>&1 >/dev/null`;
	if ($? != 0) {
		diag($err);
		fail($what);
		return;
	}
	my @wrong;
	push @wrong, 'mode' unless ((stat $script)[2] & 07777) == 0750;
	push @wrong, 'syntax' if system("bash -n '$script' 2>/dev/null") != 0;
	my ($of, $rest) = arguments(passed($script));
	push @wrong, 'others' unless "@$rest" eq "@$rest_before";
	my $devices = $c->{dp} * $c->{tp} * $c->{cp} * $p;
	my %want = ('--pipeline-model-parallel-size' => $p, '--tensor-model-parallel-size' => $c->{tp},
		'--context-parallel-size' => $c->{cp}, '--micro-batch-size' => $c->{mbs},
		'--global-batch-size' => $c->{mbs} * $c->{dp} * $c->{micro_batches});
	@want{qw(--expert-model-parallel-size --expert-tensor-parallel-size)} = ($c->{ep}, 1) if $moe;
	my %usual = map { ("--$_-parallel-size" => 1) } qw(context tensor-model expert-model);
	for my $flag (sort keys %want) {
		my $is = defined $of->{$flag} ? $of->{$flag} : $usual{$flag} ? 1 :
			$flag eq '--expert-tensor-parallel-size' ? $c->{tp} : 'none';
		push @wrong, "$flag $is, not $want{$flag}" unless $is eq $want{$flag};
	}
	push @wrong, 'sequence' if !!($of->{'--sequence-parallel'} && $c->{tp} > 1) != !!$c->{sp};
	push @wrong, 'optimizer' if !!$of->{'--use-distributed-optimizer'} != !!$c->{zero};
	my $nproc = $of->{'--nproc_per_node'} || $of->{'--nproc-per-node'};
	push @wrong, 'devices' if $nproc && ($of->{'--nnodes'} || 1) =~ /^\d+$/ &&
		$nproc * ($of->{'--nnodes'} || 1) != $devices;
	# Pieces alternate over the stages.
	my @kinds = values %{$plan->{counts}{Layer}};
	my @layers = map { my $k = $_; map { my $s = $_; my $n = 0; $n += $_->[$k][$s] for @kinds; $n } 0 .. $p - 1 }
		0 .. $v - 1;
	my @pieces = pieces($of, $l);
	push @wrong, "pieces @pieces, not @layers" unless "@pieces" eq "@layers";
	my $recompute = join ' ', map { defined $of->{"--recompute-$_"} ? $of->{"--recompute-$_"} : () }
		qw(granularity method num-layers activations);
	my $most = (sort { $b <=> $a } @layers)[0];
	my %as = (none => '', select => '(selective|yes)',
		full => $plan->{all} >= $most ? "full (block [0-9]+|uniform 1)" : "full block $plan->{all}");
	push @wrong, "recomputation $recompute" unless $recompute =~ /^$as{$plan->{kind_used}}$/;
	push @wrong, 'earlier names' if $of->{'--checkpoint-activations'} || $of->{'--checkpoint-num-layers'};
	push @wrong, 'comments' unless join("\n", comments($text)) eq join("\n", comments(slurp($script)));
	my $back = `sapp-yaml -r '$script' -name back '$tmp/plan' 2>/dev/null`;
	my %back = map { my $r = $json->decode($_); (($r->{name} // '') eq 'back' ? ($r->{kind} => $r) : ()) }
		split /\n/, $back;
	push @wrong, 'not read back' unless $back{plan} && ($back{candidate} || !$nproc);
	for my $key ($nproc ? qw(dp tp cp pp ep mbs vp micro_batches) : ()) {
		push @wrong, "read back: $key" unless ($back{candidate}{$key} // 0) == ($c->{$key} // 1);
	}
	my $again = slurp($script);
	push @wrong, 'again' if system("sapp-yaml -w '$script' -plan x '$tmp/plan' 2>/dev/null") != 0 ||
		slurp($script) ne $again;
	is("@wrong", '', $what) or diag("$text\n--- becomes\n$again");
}

my (%style, @styles, $at);
my $turn = 0;	# of the shapes, of which make check takes one for each script
while (<DATA>) {
	if (/^=== (.*)/) { push @styles, $at = $1; next }
	$style{$at} .= $_;
}
my $sizes = '--num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 ' .
	'--max-position-embeddings 1024';
# What is longer than a line here, or the same in many.
for (values %style) {
	s/ ~\n/ /g;
	s/NETWORK/$sizes/g;
}
for my $name (grep { !/^refused/ } @styles) {
	my ($l) = $style{$name} =~ /num-layers[ =]"?(\d+)/;
	($l) = $style{$name} =~ /NUM_LAYERS=(\d+)/ unless $l;
	my @shapes = ([2, 1], [4, 2], [4, 1], [2, 2], [8, 1], [2, 3]);
	written($name, $style{$name}, @$_, $l) for $name =~ /^once/ ? [4, 1] : $ENV{LONG} ? @shapes :
		$shapes[$turn++ % 2];
}
for my $name (grep { /^refused/ } @styles) {
	my ($message, $text) = $style{$name} =~ /^#! ([^\n]*)\n(.*)/s or die;
	my $script = "$tmp/train.sh";
	spew($script, $text);
	stream(4, 1, 24, 1, tp => 4, dp => 2, cp => 1);
	my $err = `sapp-yaml -w '$script' -plan x '$tmp/plan' 2>&1 >/dev/null`;
	my $status = $? >> 8;
	is(slurp($script), $text, "$name: the file is as it was");
	ok($status == 1 && index($err, $message) >= 0, "$name: said") or diag("status $status: $err");
}

# Fused operators as flags: added, kept among existing words, removed, and refused.
for (
	['one command', ['mc2'], '', 'sp', '--use-ascend-mc2'],
	['one command', ['mc2'], '--use-ascend-mc2', 'sp', '--use-ascend-mc2'],
	['one command', [], '--use-ascend-mc2', 'sp', ''],
	['one command', undef, '--use-ascend-mc2', 'sp', '--use-ascend-mc2'],
	['mixtral', ['permute'], '', '', '--moe-permute-fusion'],
	['mixtral', ['permute'], '--use-fused-moe-token-permute-and-unpermute', '',
	    '--use-fused-moe-token-permute-and-unpermute'],
	['mixtral', [], '--use-fused-moe-token-permute-and-unpermute --moe-permute-fusion', '', ''],
	['one command', ['mc2'], '', '', 'mc2 needs tp and sp, and layers without experts: tp 2'],
	['mixtral', ['mc2'], '', 'sp', 'mc2 needs tp and sp, and layers without experts: tp 2, sp, experts'],
	['one command', ['permute'], '', 'sp',
		'permute needs experts that tokens reach by an all-to-all: no experts']) {
	my ($of, $fused, $there, $sp, $want) = @$_;
	my $text = $style{$of} =~ s/(--micro-batch-size 1)/$1 $there/r;
	my $what = "$of, fused " . ($fused ? "[@$fused]" : 'unsaid') . " '$there' $sp";
	spew("$tmp/train.sh", $text);
	my ($plan, $c) = stream(2, 1, 24, 1, tp => 2, dp => 4, cp => 1, ep => 1, etp => $of eq 'mixtral' ? 1 : 2,
		$fused ? (fused => $fused) : (), sp => $sp ? JSON::PP::true : JSON::PP::false);
	my $err = `sapp-yaml -w '$tmp/train.sh' -plan x '$tmp/plan' 2>&1 >/dev/null`;
	if ($want =~ /needs/) {
		ok($? >> 8 == 1 && index($err, "candidate: fused: $want") >= 0, "$what: refused") or diag($err);
		is(slurp("$tmp/train.sh"), $text, "$what: the file is as it was");
		next;
	}
	is($?, 0, $what) or diag($err);
	is(join(' ', grep { /mc2|permute/ } passed("$tmp/train.sh")), $want, "$what: $want");
}

# One word after "=" becomes several words, which "=" cannot have, and one again; also added to options with "=".
for (['--cuda-graph-impl=local --cuda-graph-scope=full_iteration', 'part', '--cuda-graph-scope attn moe_router'],
	['--cuda-graph-impl=local --cuda-graph-scope="full_iteration"', 'part', '--cuda-graph-scope attn moe_router'],
	['--cuda-graph-impl=transformer_engine --cuda-graph-scope attn', 'full', '--cuda-graph-scope full_iteration'],
	['', 'part', '--cuda-graph-scope attn moe_router']) {
	my ($there, $graph, $want) = @$_;
	my $text = $style{mixtral} =~ s/(--\S+) (\w+)(?= *\\?\n)/$1=$2/gr =~ s/(--micro-batch-size=1)/$1 $there/r;
	like($text, qr/size=1 \Q$there\E/, 'it is there');
	spew("$tmp/train.sh", $text);
	stream(2, 1, 24, 1, tp => 2, dp => 4, cp => 1, ep => 1, etp => 1, sp => JSON::PP::true, graph => $graph,
		$graph eq 'part' ? (graph_scope => ['attn', 'moe_router']) : ());
	my $err = `sapp-yaml -w '$tmp/train.sh' -plan x '$tmp/plan' 2>&1 >/dev/null`;
	is($?, 0, "'$there' becomes '$want'") or diag($err);
	like(join(' ', map { s/^(--cuda-graph-scope)=/$1 /r } passed("$tmp/train.sh")), qr/\Q$want\E(?: --|$)/,
		'bash passes it');
}

# Through a link, only printed, without a candidate, and for MindSpeed-LLM.
my $script = "$tmp/train.sh";
my $text = $style{'one command'};
spew($script, $text);
stream(4, 2, 24, 1);
symlink 'train.sh', "$tmp/link.sh" or die;
system("cd '$tmp' && sapp-yaml -w train.sh -n plan >change 2>/dev/null");
is(slurp($script), $text, 'what is only shown is not written');
system("cd '$tmp' && sapp-yaml -w link.sh plan 2>/dev/null && patch -s -R -o before.sh train.sh change");
ok(-l "$tmp/link.sh" && slurp($script) ne $text, 'a link stays one');
is(slurp("$tmp/before.sh"), $text, 'and is changed as shown');
my %shown;
push @{$shown{substr $_, 0, 1}}, substr $_, 1 for grep { /^[+-][^+-]/ } split /\n/, slurp("$tmp/change");
is_deeply([grep { my $line = $_; grep { $_ eq $line } @{$shown{'+'}} } @{$shown{'-'}}], [],
	'no line is shown as changed that stays as it is');
for my $micro ('', '-mb') {
	spew($script, $text);
	my ($plan) = stream(4, 1, 24, 0);
	my $err = `sapp-yaml -w '$script' $micro '$tmp/plan' 2>&1`;
	my ($of) = arguments(passed($script));
	is($of->{'--nnodes'}, 4, "as many nodes as the stages take $micro");
	is($of->{'--global-batch-size'}, $micro ? $plan->{micro_batches} : 16, "the batch $micro");
	ok($micro || $plan->{micro_batches} == 16 || $err =~ /does not give the plan's \d+ micro-batches/,
		"is told $micro");
}
spew($script, $text);
stream(4, 2, 24, 1);
ok(system("sapp-yaml -w '$script' -f mindspeed '$tmp/plan' 2>/dev/null") == 0, 'arguments of MindSpeed-LLM');
my ($of) = arguments(passed($script));
is($of->{'--pipeline-model-parallel-layout'}, undef, 'have no layout');
ok(system("sapp-yaml -w '$script' -f nemo '$tmp/plan' 2>/dev/null") >> 8 == 2, 'those of NeMo are not edited');
ok(system("sapp-yaml -w '$script' -f mindformers '$tmp/plan' 2>/dev/null") >> 8 == 1, 'nor is a script a YAML');
is(join(' ', bsd_glob("$tmp/*.sh.*"), bsd_glob("$tmp/.*train*")), '', 'nothing is left over');
done_testing;
__DATA__
=== arrays
#!/bin/bash
# Runs the "175B" parameter model

export CUDA_DEVICE_MAX_CONNECTIONS=1

GPUS_PER_NODE=8
# Change for multinode config
MASTER_ADDR=localhost
MASTER_PORT=6000
NUM_NODES=1
NODE_RANK=0
WORLD_SIZE=$(($GPUS_PER_NODE*$NUM_NODES))

CHECKPOINT_PATH=$1 #<Specify path>
DATA_PATH=$2 #<Specify path and file prefix>_text_document

DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE 
    --nnodes $NUM_NODES 
    --master_addr $MASTER_ADDR 
    --master_port $MASTER_PORT
)

GPT_MODEL_ARGS=(
    --num-layers 24 
    --hidden-size 12288 
    --num-attention-heads 96 
    --seq-length 2048 
    --max-position-embeddings 2048 
    --attention-backend auto # Can use (flash/fused/unfused/local)
)

TRAINING_ARGS=(
    --micro-batch-size 1 
    --global-batch-size 1536 
    --rampup-batch-size 16 16 5859375 
    --weight-decay 0.1 
    --adam-beta1 0.9 
    --bf16
    --lr-decay-style cosine 
)

MODEL_PARALLEL_ARGS=(
	--tensor-model-parallel-size 8 
	--pipeline-model-parallel-size 16 
	--sequence-parallel  # with tensor parallelism
)

DATA_ARGS=(
    --data-path $DATA_PATH 
    --split 949,50,1
)

torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \
    ${GPT_MODEL_ARGS[@]} \
    ${TRAINING_ARGS[@]} \
    ${MODEL_PARALLEL_ARGS[@]} \
    ${DATA_ARGS[@]}
=== strings
#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NNODES=2            # nodes
NODE_RANK=0
WORLD_SIZE=$(($GPUS_PER_NODE*$NNODES))
TP=2
PP=4   # stages
MBS=1
GBS=$((WORLD_SIZE / (TP * PP) * MBS * 16))

DISTRIBUTED_ARGS="
    --nproc_per_node $GPUS_PER_NODE \
    --nnodes $NNODES \
    --node_rank $NODE_RANK
"

GPT_ARGS="
    --tensor-model-parallel-size ${TP} \
    --pipeline-model-parallel-size ${PP} \
    --num-layers 24 \
    --hidden-size 4096 \
    --num-attention-heads 32 \
    --seq-length 2048 \
    --max-position-embeddings 2048 \
    --micro-batch-size ${MBS} \
    --global-batch-size ${GBS} \
    --recompute-granularity full \
    --recompute-method block \
    --recompute-num-layers 1 \
    --bf16
"

torchrun $DISTRIBUTED_ARGS pretrain_gpt.py \
    $GPT_ARGS \
    --distributed-backend nccl
=== variables with defaults
#!/bin/bash
TP_SIZE=${TP_SIZE:-2}
PP_SIZE=${PP_SIZE:-2}
CP_SIZE=${3:-1}
MICRO_BATCH_SIZE=${MICRO_BATCH_SIZE:-2}
GLOBAL_BATCH_SIZE="${GLOBAL_BATCH_SIZE:-128}"
NUM_LAYERS=24
NODES=${NNODES:-1}
DTYPE=bf16
OPTIONS="--num-layers ${NUM_LAYERS} --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 \
 --max-position-embeddings 1024"
PARALLEL="--tensor-model-parallel-size ${TP_SIZE} --pipeline-model-parallel-size ${PP_SIZE} ~
--context-parallel-size $CP_SIZE --use-distributed-optimizer"
if [ "$DTYPE" = bf16 ]; then
	OPTIONS="$OPTIONS --bf16"
fi
echo "tp $TP_SIZE"
CMD="torchrun --nproc-per-node 8 --nnodes $NODES pretrain_gpt.py $OPTIONS $PARALLEL \
	--micro-batch-size $MICRO_BATCH_SIZE --global-batch-size $GLOBAL_BATCH_SIZE"
echo $CMD
eval $CMD
=== one command
#!/bin/bash
# Pretraining as it was profiled.
torchrun --nproc_per_node 8 --nnodes 8 pretrain_gpt.py \
	--tensor-model-parallel-size 8 \
	--pipeline-model-parallel-size 8 \
	--num-layers 24 \
	--hidden-size 8192 \
	--num-attention-heads 64 \
	--seq-length 4096 \
	--max-position-embeddings 4096 \
	--micro-batch-size 1 \
	--global-batch-size 16 \
	--log-memory-to-tensorboard \
	--recompute-granularity full --recompute-method uniform \
	--recompute-num-layers 1
=== inline with equal signs
torchrun --nproc-per-node=8 --nnodes=1 pretrain_gpt.py --num-layers=24 --hidden-size=1024 ~
--num-attention-heads=16 --seq-length=1024 --max-position-embeddings=1024 ~
--tensor-model-parallel-size=2 --pipeline-model-parallel-size=2 --micro-batch-size="1" ~
--global-batch-size=8 --sequence-parallel 2>&1 | tee train.log
=== llama, one group for each matter
#!/bin/bash

# Environment variables for performance tuning
export CUDA_DEVICE_MAX_CONNECTIONS=${CUDA_DEVICE_MAX_CONNECTIONS:-1}
#export LOG_LEVEL=${LOG_LEVEL:-INFO}

CHECKPOINT_PATH=${1:-"checkpoints/llama3_8b_fp8"}
TOKENIZER_ARG=${2:-"MOCK"} # Path to tokenizer model, or "MOCK"
mkdir -p "$(dirname "$CHECKPOINT_PATH")"

# Distributed training setup
GPUS_PER_NODE=8
NUM_NODES=1
MASTER_ADDR=${MASTER_ADDR:-localhost}
WORLD_SIZE=$(($GPUS_PER_NODE*$NUM_NODES))
PRETRAIN_SCRIPT_PATH="pretrain_gpt.py"

# Fixed model and training parameters
TP_SIZE=1     
CP_SIZE=1     
PP_SIZE=1     
MICRO_BATCH_SIZE=1
GLOBAL_BATCH_SIZE=128
NUM_LAYERS=24  
DTYPE="fp8"
SEQ_LENGTH=8192

DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE
    --nnodes $NUM_NODES
    --master_addr $MASTER_ADDR
)

MODEL_ARGS=(
    --use-mcore-models
    --num-layers $NUM_LAYERS
    --hidden-size 4096
    --num-attention-heads 32
    --group-query-attention
    --num-query-groups 8
    --seq-length $SEQ_LENGTH
    --max-position-embeddings $SEQ_LENGTH
    --swiglu
)

TRAINING_ARGS=(
    --micro-batch-size $MICRO_BATCH_SIZE
    --global-batch-size $GLOBAL_BATCH_SIZE
    --manual-gc 
    --empty-unused-memory-level 1 
)

# Conditional arguments based on DTYPE (FP8)
DTYPE_ARGS=()
if [[ "$DTYPE" == "fp8" ]]; then
    DTYPE_ARGS+=(
        "--fp8-format hybrid"
        "--fp8-amax-history-len 1024"
    )
fi

# Model parallelism arguments
MODEL_PARALLEL_ARGS=(
    --tensor-model-parallel-size $TP_SIZE
    --context-parallel-size $CP_SIZE
    # --pipeline-model-parallel-size $PP_SIZE # Not explicitly set
    --sequence-parallel  # Always enable sequence parallelism with TP_SIZE=2
)

DDP_ARGS=(
    --use-distributed-optimizer
    --overlap-grad-reduce
)
TRAINING_ARGS+=("${DDP_ARGS[@]}")

DATA_ARGS_LIST=()
if [[ "$TOKENIZER_ARG" == "MOCK" ]]; then
    DATA_ARGS_LIST+=(
        "--mock-data"
        "--tokenizer-type NullTokenizer"
    )
else
    DATA_ARGS_LIST+=("--tokenizer-model $TOKENIZER_ARG")
fi

if [ ! -d "$(dirname "$PRETRAIN_SCRIPT_PATH")" ]; then
    echo "Error: pretrain_gpt.py not found"
    exit 1
fi

# Run the training command
torchrun ${DISTRIBUTED_ARGS[@]} \
    "$PRETRAIN_SCRIPT_PATH" \
    ${MODEL_ARGS[@]} \
    ${TRAINING_ARGS[@]} \
    ${DTYPE_ARGS[@]} \
    ${MODEL_PARALLEL_ARGS[@]} \
    ${DATA_ARGS_LIST[@]}

set +x
=== mixtral
#!/bin/bash

# Runs Mixtral 8x7B model

export CUDA_DEVICE_MAX_CONNECTIONS=1

GPUS_PER_NODE=8
# Change for multinode config
MASTER_ADDR=${MASTER_ADDR:-"localhost"}
MASTER_PORT=${MASTER_PORT:-"6000"}
NNODES=${SLURM_NNODES:-"1"}
NODE_RANK=${RANK:-"0"}
WORLD_SIZE=$(($GPUS_PER_NODE*$NNODES))

DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE
    --nnodes $NNODES
    --node_rank $NODE_RANK
)

MODEL_ARGS=(
    --use-mcore-models
    --disable-bias-linear
    --seq-length 4096
    --max-position-embeddings 32768
    --num-layers 24
    --hidden-size 4096
    --ffn-hidden-size 14336
    --num-attention-heads 32
    --swiglu
)

MOE_ARGS=(
    --num-experts 8
    --moe-router-topk 2
    --moe-router-load-balancing-type aux_loss
    --moe-aux-loss-coeff 1e-2
    --moe-grouped-gemm
    --moe-token-dispatcher-type alltoall
    --overlap-param-gather
    --overlap-grad-reduce
)

TRAINING_ARGS=(
    --micro-batch-size 1
    --global-batch-size 256
    --lr 1e-4
)

MODEL_PARALLEL_ARGS=(
    --tensor-model-parallel-size 1
    --pipeline-model-parallel-size 4
    --expert-model-parallel-size 8
    --use-distributed-optimizer
    --sequence-parallel
)

LOGGING_ARGS=(
    --log-interval 1 \
    --no-load-optim
)

if [ -n "${WANDB_API_KEY}" ]; then
    LOGGING_ARGS+=(
        --wandb-project ${WANDB_PROJECT:-"Mixtral"}
    )
fi

torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \
    ${MODEL_ARGS[@]} \
    ${MOE_ARGS[@]} \
    ${TRAINING_ARGS[@]} \
    ${MODEL_PARALLEL_ARGS[@]} \
    ${LOGGING_ARGS[@]}
=== single quotes and groups within groups
LAUNCHER='python -m torch.distributed.launch --nproc_per_node 4 --nnodes 2'
SIZES='--num-layers 24 --hidden-size 2048 --num-attention-heads 16
  --seq-length 2048 --max-position-embeddings 2048'
PARALLEL='--tensor-model-parallel-size 2
  --pipeline-model-parallel-size 4
  --num-layers-per-virtual-pipeline-stage 3
  --checkpoint-activations
  --checkpoint-num-layers 1'
ALL="$SIZES $PARALLEL --micro-batch-size 2 --global-batch-size 32"
$LAUNCHER pretrain_gpt.py $ALL
=== a function, a number of virtual stages, a layout
#!/usr/bin/env bash
set -euo pipefail
train() {
	local -a args=(
		--num-layers 24 --hidden-size 2048 --num-attention-heads 16
		--seq-length 2048 --max-position-embeddings 2048
		--tensor-model-parallel-size "2" --pipeline-model-parallel-size "4"
		--pipeline-model-parallel-layout "Ettt|ttt|ttt|ttt|ttt|ttt|ttt|tttL"
		--micro-batch-size "1" --global-batch-size "64")
	torchrun --nproc_per_node=8 --nnodes="${NNODES:-1}" pretrain_gpt.py "${args[@]}" "$@"
}
train --save x
=== the last line, several on a line
cd . && torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 24 --hidden-size 1024 ~
--num-attention-heads 16 \
    --seq-length 1024 --max-position-embeddings 1024 --bf16 \
    --micro-batch-size 1 --global-batch-size 64 --recompute-activations \
    --tensor-model-parallel-size 2 \
    --pipeline-model-parallel-size 2 \
    --num-virtual-stages-per-pipeline-rank 2 \
    --sequence-parallel
echo done
=== a shell within a shell, defaults of defaults
DIST="--nproc_per_node=$((4 * 2)) --nnodes=${NNODES:-${SLURM_NNODES:-1}}"
ARGS=(
	# it is this shell's own
	NETWORK
	--tensor-model-parallel-size ${TP:=2}
	--pipeline-model-parallel-size=2  --micro-batch-size=1
	--global-batch-size=16)
bash -c "cd . && torchrun $DIST pretrain_gpt.py ${ARGS[*]}"
=== a name with the stages, another number of tokens
PP=2; TP=2 GBS=$((16 * PP)); SEQ=1024
NAME="gpt_pp${PP}"
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py --num-layers 24 --hidden-size 1024 ~
--num-attention-heads 16 --seq-length $SEQ --max-position-embeddings $SEQ ~
--pipeline-model-parallel-size $PP --tensor-model-parallel-size $TP \
  --micro-batch-size 1 --global-batch-size $GBS --save /x/$NAME &
wait
=== a list of arguments
--num-layers 24 \
--tensor-model-parallel-size 2 \
--pipeline-model-parallel-size 2 \
--hidden-size 1024 \
--num-attention-heads 16 \
--seq-length 1024 \
--max-position-embeddings 1024 \
--micro-batch-size 1 \
--global-batch-size 8 \
--sequence-parallel
=== once: stages in an if
ARGS="NETWORK"
if [ -n "$DEEP" ]; then
	ARGS="$ARGS --pipeline-model-parallel-size 8"
fi
torchrun --nproc_per_node 8 pretrain_gpt.py $ARGS --tensor-model-parallel-size 2
=== refused: a loop over stages
#! choose one with -launch NUMBER (1: line 2, pretrain_gpt.py
for PP in 2 4; do
	torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size $PP
done
=== once: a variable that an if sets
PP=2
if [ -n "$DEEP" ]; then
	PP=4
fi
torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size $PP
=== once: a variable behind &&
PP=2
[ -n "$DEEP" ] && PP=4
torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size $PP
=== refused: stages of the environment
#! train.sh:1: --pipeline-model-parallel-size has no value: PP is not set; give it: sapp-args -set PP=VALUE
torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size $PP
=== refused: what a command prints
#! train.sh:2: --tensor-model-parallel-size has no value
TP=$(cat tp)
torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size 2 ~
--tensor-model-parallel-size $TP
=== once: arguments of a function
run() {
	torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size $1
}
run 4
=== refused: two commands
#! choose one with -launch NUMBER
torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size 2
torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size 4 --bf16
=== once: two values
ARGS="NETWORK --pipeline-model-parallel-size 2"
torchrun --nproc_per_node 8 pretrain_gpt.py $ARGS --pipeline-model-parallel-size 4
=== refused: another network
#! train.sh:2: --num-layers makes 12 layers and 0 for multi-token prediction, but the plan has 24 and 0
torchrun --nproc_per_node 8 pretrain_gpt.py --hidden-size 1024 \
	--num-layers 12 --pipeline-model-parallel-size 2
=== refused: nodes of three devices
#! train.sh:1: --nproc_per_node: the plan's 32 devices do not fill whole nodes of '3'
torchrun --nproc_per_node 3 pretrain_gpt.py NETWORK --pipeline-model-parallel-size 2
=== refused: another file is written
#! train.sh: the script starts no known launcher
cat >run.sh <<'END'
torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size 2
END
bash run.sh
=== refused: settings of NeMo
#! not written: no edit of one place
python train.py model.num_layers=24 model.pipeline_model_parallel_size=2
=== refused: no value
#! train.sh:1: --pipeline-model-parallel-size: no value
torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size --bf16
=== refused: a value that stands elsewhere
#! train.sh:4: not written: no edit of one place changes only --tensor-model-parallel-size
A="NETWORK --pipeline-model-parallel-size 2"
C="2 --bf16"
B="--tensor-model-parallel-size"
torchrun --nproc_per_node 8 pretrain_gpt.py $A $B $C
=== refused: options that the script reads
#! --pipeline-model-parallel-size has no value: argument 2 is not set
while [ $# -gt 0 ]; do
	case $1 in
	--stages) PP=$2; shift 2 ;;
	esac
done; torchrun --nproc_per_node 8 pretrain_gpt.py NETWORK --pipeline-model-parallel-size $PP
