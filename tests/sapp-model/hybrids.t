#!/usr/bin/perl
# Published networks with many kinds of layers: exact totals of parameters, and of a layer of each class.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use search;
use Test::More;
use File::Temp qw(tempdir);

my $dir = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical->utf8;
my %count;	# by the network's name

sub count_of {
	my ($config, @options) = @_;
	open my $f, '>', "$dir/config.json" or die;
	print $f $json->encode($config);
	close $f;
	my ($net, $status, $said) = run_tool([], 'sapp-model', '-seq', 4096, @options, "$dir/config.json");
	my ($count) = run_tool([grep { $_->{kind} eq 'network' } @$net], 'sapp-est', '-parameters');
	return ((grep { $_->{kind} eq 'count' } @$count)[0], $said);
}

# "counted" tells whether layers of multi-token prediction, with their copies of both ends, are included.
# Rows of shapes.jsonl are small networks with the shapes that the classes of transformers create
# (src/transformers/models, release 5.x of August 2026); "told" is what the record cannot express.
my $exact = 0;
for my $row (map { records("$FindBin::Bin/../data/models/$_.jsonl") } qw(models families shapes)) {
	my $counted = $row->{counted} // {};
	my ($got, $said) = count_of({ %{$row->{config}}, model_type => $row->{model_type} });
	my $all = $got->{total};
	$all += $got->{mtp} if $counted->{mtp_layers};
	$all += 2 * $got->{embedding} if $counted->{mtp_copies_embedding_and_head};
	is $all, $row->{parameters_computed}, "$row->{name}: parameters by the formulas";
	my $told = $row->{told};
	like $said, defined $told ? qr/^.*\Q$told\E.*\n\z/ : qr/^\z/, 'no key is left out';
	$exact++ if defined $row->{parameters} && $all == $row->{parameters};
	$count{$row->{name}} = $got;
}
# Three totals differ: Moonlight and Kimi-VL, whose files have 1728 numbers of rotary tables, and Kimi-K2, whose file
# has scales of 8 bits; two have no published exact total.
is $exact, 33 + 53, 'as published';

my %nemotron = (model_type => 'nemotron_h', num_attention_heads => 32, num_key_value_heads => 8, head_dim => 128,
	mamba_head_dim => 64, n_groups => 8, ssm_state_size => 128, conv_kernel => 4, vocab_size => 131072,
	tie_word_embeddings => JSON::PP::false);
my %zamba = (model_type => 'zamba2', hidden_size => 3584, num_hidden_layers => 81, num_attention_heads => 32,
	intermediate_size => 14336, mamba_expand => 2, n_mamba_heads => 112, mamba_headdim => 64, mamba_ngroups => 2,
	mamba_d_state => 64, mamba_d_conv => 4, num_mem_blocks => 2, adapter_rank => 128, vocab_size => 32000,
	hybrid_layer_ids => [6, 11, 17, 23, 29, 35, 41, 47, 53, 59, 65, 71, 77]);
my %falcon = (model_type => 'falcon_h1', hidden_size => 3072, num_hidden_layers => 44, num_attention_heads => 12,
	num_key_value_heads => 2, head_dim => 128, intermediate_size => 12288, mamba_n_heads => 24, mamba_d_head => 128,
	mamba_d_ssm => 3072, mamba_n_groups => 1, mamba_d_state => 256, mamba_d_conv => 4,
	mamba_rms_norm => JSON::PP::true, vocab_size => 130049, tie_word_embeddings => JSON::PP::false);
my ($zamba) = count_of(\%zamba);
is $zamba->{total}, 7356749648, 'blocks that layers share are counted once each';
my ($adapted) = count_of({ %zamba, hidden_size => 2048, num_hidden_layers => 38, intermediate_size => 8192,
	n_mamba_heads => 64, mamba_ngroups => 1, mamba_d_state => 128, num_mem_blocks => 1,
	hybrid_layer_ids => [5, 11, 17, 23, 29, 35], use_shared_attention_adapter => JSON::PP::true });
is $adapted->{total}, 1215064704, 'adapters of shared attention are of each use (Zamba2-1.2B)';
my %of = ('Nemotron-H-8B' => (count_of({ %nemotron, hidden_size => 4096, intermediate_size => 21504,
		mamba_num_heads => 128,
		hybrid_override_pattern => join('*-', map { 'M-' x $_ . 'M' } 3, 4, 4, 4) . '*-' . 'M-' x 5 }))[0],
	'Zamba2-7B' => $zamba, 'Falcon-H1-7B' => (count_of(\%falcon))[0]);
my ($qwen) = grep { $_->{name} =~ /Coder-Next/ } records("$FindBin::Bin/../data/models/models.jsonl");
($of{'Qwen3-Next-80B'}) = count_of({ %{$qwen->{config}}, model_type => 'qwen3_next', num_nextn_predict_layers => 1 });

# Names of classes here: names of their parts; "dense" and "moe" if there are no others, "mtp" for layers of prediction.
my %name = ('M Mamba2' => 'mamba2', '- MLP' => 'mlp', '* attention' => 'attention', 'E MoE' => 'moe',
	'E latent MoE' => 'latent_moe', 'gated delta net + MoE' => 'delta+moe',
	'gated full attention + MoE' => 'gated_attention+moe', 'MLA + dense MLP' => 'dense', 'MLA + MoE' => 'moe',
	'sliding / full (same parameters)' => 'sliding+',
	'Mamba1 + MLP' => 'mamba1+mlp', 'Mamba1 + MoE' => 'mamba1+moe',
	'attention + MLP' => 'attention+mlp', 'attention beside Mamba2, then MLP' => 'dense',
	'lightning + MoE' => 'lightning+moe', 'full attention + MoE' => 'attention+moe',
	'attention + MoE (rope 36, no rope 12)' => 'attention+moe', 'attention + MoE' => 'attention+moe',
	'attention + dense MLP' => 'attention+mlp', 'merger' => 'qwen2_5_vl_merger',
	'patch embedding' => 'qwen2_5_vl_embedding', 'text layer' => 'attention+mlp', 'Mamba2' => 'mamba2',
	'Mamba2 + MoE' => 'mamba2+moe', 'Mamba2 + MLP' => 'mamba2+mlp');
my %network = ('Nemotron-3-Super-120B' => 'Nemotron-3-Super-120B-A12B (with MTP)',
	'Nemotron-3-Nano-30B' => 'Nemotron-3-Nano-30B-A3B', 'DeepSeek-V3' => 'DeepSeek-V3 (61 layers, no MTP)',
	'Gemma-2-9B' => 'gemma-2-9b', 'Gemma-3-27B' => 'gemma-3-27b-it',
	'MiniMax-M1' => 'MiniMax-M1-80k (same shape as MiniMax-Text-01)',
	'Llama-4-Scout' => 'Llama-4-Scout-17B-16E', 'Llama-4-Maverick' => 'Llama-4-Maverick-17B-128E',
	'Llama-4 vision' => 'Llama-4-Scout-17B-16E', 'Qwen2.5-VL vision' => 'Qwen2.5-VL-7B-Instruct',
	'Qwen2.5-VL-7B' => 'Qwen2.5-VL-7B-Instruct', 'Gemma-3 vision (SigLIP)' => 'gemma-3-27b-it');
for my $row (records("$FindBin::Bin/../data/models/classes.jsonl")) {
	my $c = $of{$row->{model}} // $count{$network{$row->{model}} // $row->{model}};
	my %class = map { $_->{name} => $_ } @{$c->{classes} // []};
	my $name = $name{$row->{class}} // '';
	my ($layers, $each) = ($row->{layers}, $row->{parameters_per_layer});
	my $title = "$row->{model}: $row->{class}";
	if ($row->{class} =~ /^MTP/) {
		is $c->{mtp}, $each, $title;
	} elsif ($row->{class} eq 'indexer, extra on every layer') {
		my ($without, $with) = map { $count{$_}{dense_layer} } 'DeepSeek-V3 (61 layers, no MTP)',
			'DeepSeek-V3.2 (61 layers + MTP, sparse indexer)';
		is $with - $without, $each, $title;
	} elsif ($row->{class} =~ /^shared block/) {
		is "@{[map { $_->{shared} // () } values %class]}", "$each $each", $title;
	} elsif ($row->{class} =~ /^per use/) {
		my @uses = grep { defined $_->{shared} } values %class;
		is $uses[0]{layers} + $uses[1]{layers}, $layers, "$title: layers";
		is $uses[0]{parameters} - $class{mamba2}{parameters}, $each, $title;
	} elsif ($row->{class} eq 'Mamba2' && $row->{model} eq 'Zamba2-7B') {
		is $class{mamba2}{parameters}, $each, $title;
		is $class{mamba2}{layers}, $layers - 13, "$title: layers without a shared block";
	} elsif ($name =~ /^(dense|moe)$/ && !$class{$name}) {
		is $c->{"${name}_layer"}, $each, $title;
	} else {
		my @alike = $row->{class} eq 'vision block' ? grep { /vision$|window$/ } sort keys %class
			: $name eq 'sliding+' ? grep { /^(sliding|attention)/ } sort keys %class
			: $row->{model} =~ /Llama/ && $name =~ /(\+mlp|\+moe)$/ ? grep { /\Q$1\E$/ } sort keys %class
			: $name;
		my $n = 0;
		$n += $class{$_}{layers} for @alike;
		is $n, $layers, "$title: layers";
		is $class{$_}{parameters}, $each, "$title: $_" for @alike;
	}
}
done_testing;
