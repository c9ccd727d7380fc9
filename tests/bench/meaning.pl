# Compare what sapp-model and sapp-yaml -r read in a launch with an independent reading of its arguments, in which the
# last occurrence counts, as in argparse. A refusal must name the settings that it needs, which are then tried, or what
# to do instead, which is then done.
use strict;
use warnings;
use JSON::PP;

# Names of an argument, separated by '|'.
my %names = (layers => 'num-layers|encoder-num-layers', hidden_size => 'hidden-size',
	num_heads => 'num-attention-heads',
	ffn_size => 'ffn-hidden-size', seq_length => 'seq-length|encoder-seq-length|max-length',
	decoder_seq => 'decoder-seq-length', mbs => 'micro-batch-size', batch => 'global-batch-size',
	tp => 'tensor-model-parallel-size', pp => 'pipeline-model-parallel-size', cp => 'context-parallel-size',
	ep => 'expert-model-parallel-size', etp => 'expert-tensor-parallel-size', experts => 'num-experts',
	vp => 'num-virtual-stages-per-pipeline-rank', per_chunk => 'num-layers-per-virtual-pipeline-stage',
	vocab_size => 'padded-vocab-size|vocab-size', noop => 'noop-layers', full => 'recompute-granularity',
	method => 'recompute-method', some => 'recompute-num-layers',
	all => 'checkpoint-activations|activations-checkpoint-method',
	layout => 'pipeline-model-parallel-layout', expert_ffn_size => 'moe-ffn-hidden-size',
	experts_per_token => 'moe-router-topk', kv_heads => 'num-query-groups', grouped => 'group-query-attention',
	schedule => 'schedules-method', nodes => 'nnodes|num-nodes|actor-num-nodes', head_dim => 'kv-channels',
	each => 'nproc-per-node|num-gpus|actor-num-gpus-per-node', zero => 'use-distributed-optimizer',
	hybrid => 'hybrid-layer-pattern|hybrid-override-pattern', mtp => 'mtp-num-layers',
	swap => 'swap-attention');
my %figure;
for my $f (keys %names) {
	$figure{$_} = $f for split /\|/, $names{$f};
}

# A model for scripts that only name a model, and layers of an encoder and a decoder.
my $config = '{"model_type":"qwen3_moe","num_hidden_layers":48,"hidden_size":2048,"intermediate_size":6144,' .
	'"num_attention_heads":32,"num_key_value_heads":4,"head_dim":128,"vocab_size":151936,"num_experts":128,' .
	'"max_position_embeddings":4096,"num_experts_per_tok":8,"moe_intermediate_size":768}';

my @layers = ('{"kind":"model","name":"m"}', map { '{"kind":"layer","name":"' . $_->[0] . '","type":"' . $_->[1] .
	'","nb_layer":' . $_->[2] . ',"time":10,"memory_activation":9}' } (['head', 'HEAD', 1], ['encoder', 'BODY', 6],
	['decoder', 'BODY', 6], ['tail', 'TAIL', 1]));

# Return the figures among the words of a launch.
sub figures
{
	my %x;

	for my $i (0 .. $#_) {
		next unless $_[$i] =~ /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s;
		my ($name, $value) = ($1, $2);
		$name =~ tr/_/-/;
		next unless defined $figure{$name};
		$value = $_[$i + 1] if !defined $value && $i < $#_ && $_[$i + 1] !~ /^--?[A-Za-z]/;
		$x{$figure{$name}} = $value // 1;
	}
	return %x;
}

sub whole { return defined $_[0] && $_[0] =~ /^\s*[0-9]+\s*$/; }

# Return the differences between the records RECORDS of TOOL and the words. CONFIG: the network is from a config.json.
sub unlike
{
	my ($words, $records, $config) = @_;
	my %x = figures(@$words);
	my %kind = map { $_->{kind} => $_ } @$records;
	my ($net, $c, $plan) = @kind{qw(network candidate plan)};
	my @bad;
	my $compare = sub { push @bad, "$_[0] $_[1], not $_[2]" if whole($_[1]) && $_[1] != ($_[2] // -1); };
	my $empty = defined $x{noop} && $x{noop} ne '1' ? scalar(() = $x{noop} =~ /\d+/g) : 0;
	my $pp = whole($x{pp}) ? $x{pp} : 1;
	my $layers = whole($x{layers}) && !defined $x{hybrid} ? $x{layers} - $empty : undef;
	my $chunks = $pp == 1 ? 1 : defined $x{schedule} ? 2 : whole($x{vp}) ? $x{vp} : whole($x{per_chunk}) &&
		whole($x{layers}) ? $x{layers} / $pp / $x{per_chunk} : defined $x{layout} ? undef : 1;
	my %default = (tp => 1, pp => 1, cp => 1, ep => 1, mbs => 1);

	if ($net && whole($x{hidden_size}) && !$config) {
		$compare->('layers', $layers, $net->{layers});
		$compare->($_, $x{$_}, $net->{$_}) for qw(hidden_size num_heads ffn_size vocab_size head_dim);
		$compare->('experts', $x{experts}, $net->{experts} // 0);
		$compare->('kv_heads', $x{kv_heads}, $net->{kv_heads} // $net->{num_heads}) if $x{grouped};
		$compare->($_, $x{$_}, $net->{$_}) for ($x{experts} ? qw(expert_ffn_size experts_per_token) : ());
	}
	$compare->('seq_length', $x{decoder_seq} // $x{seq_length}, $net->{seq_length}) if $net && !$config;
	if ($c) {
		$compare->($_, $x{$_} // $default{$_}, $c->{$_} // 1) for sort keys %default;
		$compare->('etp', $x{etp}, $c->{etp} // 1);
		$compare->('vp', $chunks, $c->{vp} // 1);
		$compare->('devices', $x{nodes} * $x{each}, $c->{dp} * ($c->{tp} // 1) * ($c->{cp} // 1) * $c->{pp})
			if whole($x{nodes}) && whole($x{each});
		$compare->('batch', $x{batch}, $c->{dp} * ($c->{mbs} // 1) * $c->{micro_batches});
		push @bad, 'optimizer not divided' if $x{zero} && $x{zero} eq '1' && !$c->{zero};
	}
	if ($plan) {
		my ($count, $recomputed, $swapped) = (0, 0, 0);

		for my $body (values %{$plan->{counts}}) {
			for my $kind (keys %$body) {
				for (map { @$_ } @{$body->{$kind}}) {
					$count += $_;
					$recomputed += $_ if $kind eq 'full';
					$swapped += $_ if $kind =~ /^swap/;
				}
			}
		}
		$compare->('stages', $pp, scalar @{$plan->{offset}[0]});
		$compare->('chunks', $chunks, $plan->{interleave});
		$compare->('layers of the plan', $layers, $count) unless $x{mtp};
		my $block = ($x{method} // 'uniform') eq 'block';
		my $full = $x{swap} || (($x{full} // '') ne 'full' && !$x{all}) ? 0 : $block ? undef : $layers;
		$compare->('layers recomputed', $full, $recomputed) unless $x{mtp};
		$compare->('layers offloaded', $x{swap} ? $block ? undef : $layers : 0, $swapped) unless $x{mtp};
	}
	return @bad;
}

# Return whether a refusal of contradictory degrees is right.
sub contradicts
{
	my ($words, $message) = @_;
	my %x = figures(@$words);
	my %n = map { $_ => whole($x{$_}) ? $x{$_} : 1 } qw(tp pp cp ep mbs nodes each);
	my $world = $n{nodes} * $n{each};
	my $each = $n{tp} * $n{pp} * $n{cp};

	return $x{layers} % $n{pp} != 0 || (whole($x{vp}) && $x{layers} % ($n{pp} * $x{vp}) != 0) ||
		(whole($x{per_chunk}) && $x{layers} % ($n{pp} * $x{per_chunk}) != 0)
		if $message =~ /cannot be divided evenly/ && whole($x{layers});
	return $world % $each != 0 if $message =~ /devices(?: are|:) (?:not a|no) multiple/;
	return $world % $each == 0 && $x{batch} % ($world / $each * $n{mbs}) != 0
		if $message =~ /sequences (?:of a|per) step|batch-size: not a multiple/;
	return $n{ep} * (whole($x{etp}) ? $x{etp} : $n{tp}) > $world / $n{pp} if $message =~ /: ep: /;
	# A value that Python rejects, too.
	return index("@$words", $1) >= 0 && $1 !~ /^[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?$/
		if $message =~ /: not a (?:whole )?number '(.+)'/;
	return 0;
}

# Return the words with the keys of the YAML among them, which SCRIPT finds above it.
sub with_file
{
	my ($script, $words) = @_;
	my ($file) = grep { /\.ya?ml$/ } @$words;

	return $words unless defined $file;
	my $above = $script;
	$above =~ s{/[^/]*$}{} until $above eq '' || -e "$above/$file";
	return [(map { /^\s*(\w+): *['"]?([^'"#\s]+)/ ? ("--$1", $2 =~ s/^\$\{\w+:(.*)\}$/$1/r) : () } split /\n/,
		slurp("$above/$file")), @$words];
}

# Return the file in the repository of SCRIPT whose path ends with as much of PATH as possible, or ''.
sub in_repository
{
	my ($script, $path) = @_;
	my ($top) = $script =~ m{^(\Q$ENV{LAUNCHES}\E/*[^/]+)/} or return '';

	$path =~ s{^/*[^/]*/}{} until -f "$top/$path" || $path !~ m{/};
	return -f "$top/$path" ? "$top/$path" : '';
}

# Run a command. Return its output, its messages and its status.
sub output_of
{
	my ($file, @command) = @_;
	my $pid = open(my $from, '-|') // die;

	if ($pid == 0) {
		open STDERR, '>', $file;
		open STDIN, '<', '/dev/null';
		exec @command or exit 127;
	}
	my $out = join '', <$from>;
	close $from;
	return ($out, slurp($file), $?);
}

# Return a value for the variable NAME of a script that is compatible with others.
sub value_for
{
	my ($name) = @_;
	my @values = ([qr/SCRIPT/, 'train.py'], [qr/LAYER/, 32], [qr/HIDDEN|DIM/, 4096],
		[qr/GROUP|KV/, 8], [qr/HEAD/, 32], [qr/INTER|FFN|FFW/, 11008],
		[qr/SEQ|LEN|POS/, 4096], [qr/VOCAB/, 64000], [qr/GLOBAL|GBS/, 512], [qr/NODES|GPUS|WORLD|NUM/, 8]);

	for (@values) {
		return $_->[1] if uc $name =~ $_->[0];
	}
	return 1;
}

# Run TOOL with the settings that its messages request. Return records, the last message, and these settings.
sub run_with
{
	my ($tmp, $script, $tool, $records, $message) = @_;
	my (@set, @with, %tried);
	my (@front, @arguments) = ();
	my $read = "$tmp/launch";

	for (1 .. 40) {
		if ($records ne '') {
			put("$tmp/launch", $records);
			my @command = $tool eq 'model' ? ('sapp-model', @with, @front, $read) :
				('sapp-yaml', '-r', $read, @with);
			my ($out, $err, $status) = output_of("$tmp/err", @command);
			return ([map { decode_json($_) } split /\n/, $out], '', %tried) if $status == 0;
			$message = $err;
		}
		my ($last) = reverse grep { !/: warning: / && /\S/ } split /\n/, $message;
		$last //= 'no message';
		my $before = keys %tried;
		my $again = 0;
		if ($last =~ /-set (?!NAME)(\w+)=VALUE/ || $last =~ /\((\w+(?:, \w+)*)\) with -set NAME=VALUE/) {
			for my $name (split /, /, $1) {
				push @set, '-set', "$name=" . value_for($name) unless $tried{$name}++;
			}
			$again = 1;
		} elsif ($last =~ /ARGUMENT/ && !$tried{ARGUMENT}++) {
			@arguments = ('1') x 30;
			$again = 1;
		} elsif ($last =~ /: (\d+) layers, but the network before it has/ && !$tried{'its layers'}++) {
			my $layers = $1;
			put("$tmp/config.json", $config =~ s/48/$layers/r);
		} elsif ($last =~ /config\.json before (?:it|this file)|-layers/ && !$tried{config}++) {
			put("$tmp/config.json", $config);
			@front = ("$tmp/config.json");
			push @with, '-layers', "$tmp/config.json" if $tool eq 'yaml';
		} elsif ($last =~ /-vocab says/ && !$tried{vocab}++) {
			push @with, '-vocab', '64000';
		} elsif ($last =~ /-seq says/ && !$tried{seq}++) {
			push @with, '-seq', '4096';
		} elsif ($last =~ /: give that file(?:, after[^']*)? '(.*)'/ && in_repository($script, $1) ne '' &&
			!$tried{'its file'}++) {
			$read = in_repository($script, $1);
		} elsif ($last =~ /choose some with -modules/ && !$tried{modules}++) {
			push @with, '-modules', 'mlp';
		} elsif ($last =~ /-launch NUMBER.*\(1: / && !$tried{launch}++) {
			push @set, '-launch', '1';
			$again = 1;
		}
		if ($last =~ /-past-exit/ && keys %tried == $before && !$tried{exit}++) {
			push @set, '-past-exit';
			$again = 1;
		}
		return ([], $last, %tried) if keys %tried == $before;
		my $status = 0;
		($records, $message, $status) = output_of("$tmp/err", 'sapp-args', @set, $script, @arguments) if $again;
	}
	return ([], 'no end of what it asks for', %tried);
}

my $is_program = qr/\.py$|^(?:pt|sft|rlhf|train\w*)$/;

# Return whether a launch trains, by its program and arguments.
sub trains
{
	my $all = join ' ', @{$_[0]};
	my ($program) = grep { !/^-/ && $_ =~ $is_program } @{$_[0]}, '';

	return 0 if ($program // '') =~ /generat|eval|infer|conver|export|preprocess|serve|merge|download|check/ ||
		($program // '') =~ /hf2|2hf|auto_config|estimate|tools\//;
	return $all =~ /--(train-iters|train-samples|(global|micro)-batch-size|per_device_train_batch_size)\b/ ||
		($program // '') =~ /train|finetune|sft|rlhf|^pt$|dpo|grpo|ppo/;
}

# Do what a refusal says to do instead of reading the script. Return whether that works.
sub followed
{
	my ($tmp, $message) = @_;
	my @command;

	if ($message =~ /give (?:.*, or )?sapp-model the network's config\.json/) {
		put("$tmp/config.json", $config);
		@command = ('sapp-model', "$tmp/config.json");
	} elsif ($message =~ /give sapp-lp layer records, with a BODY record for each/) {
		put("$tmp/layers.jsonl", join "\n", @layers, '');
		@command = ('sapp-lp', '-s', '2', '-mb', '4', '-mem', '1000', '-t', '1', "$tmp/layers.jsonl");
	} else {
		return 0;
	}
	my ($out, $err, $status) = output_of("$tmp/err", @command);
	return $status == 0 && $out =~ /"kind":"(?:network|plan)"/;
}

my $asks = join '|', '-set ', '-past-exit', 'write (?:its value|that output)', 'ARGUMENT', '-launch NUMBER',
	'-(?:vocab|seq) says', 'before (?:it|this file)';
my $names_it = join '|', 'not read:', 'not counted', 'not planned', 'not trained', 'does not train', 'not supported',
	'takes its settings from a file', 'encoder and decoder', '--tuner_type: ', 'not known here',
	'no layer has a product', 'no kind record', 'not describe', 'not a (?:whole )?number';

# Return whether the framework also does not know an argument that sapp does not know.
sub slip
{
	my ($script, $message) = @_;
	my ($name) = $message =~ /: (--[\w-]+): unknown/ or return 0;
	my ($repository) = $script =~ m{^(\Q$ENV{LAUNCHES}\E/*[^/]+)/} or return 0;
	my $pattern = $name =~ s/[-_]/[-_]/gr;

	$pattern =~ s/^(\[-_\]){2}//;
	return system('grep', '-rqE', '--include=*.py', '--', "\\b$pattern\\b", $repository) != 0;
}

# Return class and reason. WANT: the launches of bash; RECORDS, MESSAGE: from sapp-args.
sub judge_meaning
{
	my ($tmp, $script, $want, $records, $message) = @_;
	my @want = map { with_file($script, $_) } grep { trains($_) } @$want;
	my ($worst, $why) = ('right', '');
	my %rank = ('right' => 0, 'right with what it asks for' => 1, 'refused with what to set' => 2,
		'refused with what to do' => 3, 'refused, a fault of the script' => 4, 'refused, not read' => 5,
		'unclear' => 6, 'wrong' => 7);

	return ('does not train', '') if @$want && !@want;
	return ('starts nothing', '') if !@$want && $records eq '' && $message !~ /$asks/;
	for my $tool (qw(model yaml)) {
		my ($got, $last, %given) = run_with($tmp, $script, $tool, $records, $message);
		my @like = %given ? map { with_file $script, [@{$_->{launcher}}, $_->{program}, @{$_->{arguments}}] }
			map { decode_json($_) } split /\n/, slurp("$tmp/launch") : @want;
		my @bad = map { [unlike($_, $got, $given{config})] } @like;
		my ($class, $reason) = (%given ? 'right with what it asks for' : 'right', join ' ', sort keys %given);

		return ('does not train', '') if @like && !grep { trains($_) } @like;
		return ('starts nothing', '') if !@$want && $last =~ /starts no (?:program|known launcher)/;
		if ($last ne '') {
			$class = followed($tmp, $last) ? 'refused with what to do' :
				slip($script, $last) || (grep { contradicts($_, $last) } @like) ?
				'refused, a fault of the script' : $last =~ /$names_it/ ? 'refused, not read' :
				$last =~ /$asks/ ? 'refused with what to set' : 'unclear';
			$reason = $last;
		} elsif (@like && !grep { !@$_ } @bad) {
			($class, $reason) = ('wrong', join '; ', @{$bad[0]});
		}
		$reason = "sapp-$tool: $reason" if $reason ne '' && $last eq '';
		($worst, $why) = ($class, $reason) if $rank{$class} > $rank{$worst};
	}
	return ($worst, $why);
}

# Names in share/arguments by class, those of values as NAME=VALUE.
my (%class_of, @begins);
{
	my $class = '';
	for (split /\n/, slurp("$FindBin::Bin/../../share/arguments")) {
		next if /^#/;
		$class = $1 if s/^\[(.*)\]$//;
		for my $name (split) {
			push @begins, [$1, $class] if $name =~ /^(.*)\*$/;
			$class_of{$name} = $class;
		}
	}
}

# Return the number of arguments of launches that train, by class: read, no effect, not counted, unknown.
sub arguments_by_class
{
	my %n;

	for my $words (grep { trains($_) } @_) {
		my @w = @$words;
		shift @w while @w && $w[0] !~ $is_program;
		for my $i (0 .. $#w) {
			next unless $w[$i] =~ /^--([A-Za-z][\w.-]*)(?:=(.*))?$/s;
			my ($name, $value) = ($1, $2 // $w[$i + 1] // '');
			$name =~ tr/_/-/;
			my ($begin) = grep { index($name, $_->[0]) == 0 } @begins;
			my $class = $class_of{"$name=$value"} // $class_of{$name} // ($begin ? $begin->[1] : 'unknown');
			$n{$class =~ /^(?:read|no effect|unknown)$/ ? $class : 'not counted'}++;
		}
	}
	return %n;
}

1;
