#!/usr/bin/perl
# Exact parameters of published models from their config.json; a message names parts that a network record cannot
# express. And synthetic models of the same families, with independent sums.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use search;
use Test::More;
use File::Temp qw(tempdir);

my $dir = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical->utf8;

# Print the network's total, and the messages of sapp-model about the file.
sub total_of {
	my ($config) = @_;
	open my $f, '>', "$dir/config.json" or die;
	print $f $json->encode($config);
	close $f;
	my ($net, $status, $said) = run_tool([], 'sapp-model', "$dir/config.json");
	my ($count) = run_tool([grep { $_->{kind} eq 'network' } @$net], 'sapp-est', '-parameters');
	return ((grep { $_->{kind} eq 'count' } @$count)[0]{total}, $said);
}

sub llama {
	my ($type, $h, $layers, $heads, $kv, $f, $v, %more) = @_;
	return { model_type => $type, hidden_size => $h, num_hidden_layers => $layers, num_attention_heads => $heads,
		num_key_value_heads => $kv, intermediate_size => $f, vocab_size => $v, max_position_embeddings => 8192,
		tie_word_embeddings => JSON::PP::false, %more };
}
my %tied = (tie_word_embeddings => JSON::PP::true);
my %latent = (kv_lora_rank => 512, qk_nope_head_dim => 128, qk_rope_head_dim => 64, v_head_dim => 128,
	n_shared_experts => 2, num_experts_per_tok => 6, first_k_dense_replace => 1, moe_layer_freq => 1);
my %glm = (multi_query_group_num => 2, kv_channels => 128, ffn_hidden_size => 13696,
	add_qkv_bias => JSON::PP::true, add_bias_linear => JSON::PP::false, seq_length => 8192,
	multi_query_attention => JSON::PP::true,
	hidden_size => 4096, num_attention_heads => 32, model_type => 'chatglm',
	tie_word_embeddings => JSON::PP::false);
for (
	[7615616512, llama('qwen2', 3584, 28, 28, 4, 18944, 152064)],
	[494032768, llama('qwen2', 896, 24, 14, 2, 4864, 151936, %tied)],
	[8190735360, llama('qwen3', 4096, 36, 32, 8, 12288, 151936, head_dim => 128)],
	[235093634560, llama('qwen3_moe', 4096, 94, 64, 4, 12288, 151936, head_dim => 128, num_experts => 128,
		moe_intermediate_size => 1536, num_experts_per_tok => 8, mlp_only_layers => [],
		decoder_sparse_step => 1)],
	[7241732096, llama('mistral', 4096, 32, 32, 8, 14336, 32000)],
	[140630071296, llama('mixtral', 6144, 56, 48, 8, 16384, 32768, num_local_experts => 8,
		num_experts_per_tok => 2)],
	[15706484224, llama('deepseek_v2', 2048, 27, 16, 16, 10944, 102400, %latent, q_lora_rank => undef,
		n_routed_experts => 64, moe_intermediate_size => 1408)],
	[235741434880, llama('deepseek_v2', 5120, 60, 128, 128, 12288, 102400, %latent, q_lora_rank => 1536,
		n_routed_experts => 160, moe_intermediate_size => 1536)],
	[2506172416, llama('gemma', 2048, 18, 8, 1, 16384, 256000, %tied, head_dim => 256)],
	[8537680896, llama('gemma', 3072, 28, 16, 16, 24576, 256000, %tied, head_dim => 256)],
	[3821079552, llama('phi3', 3072, 32, 32, 32, 8192, 32064)],
	[405853388800, llama('llama', 16384, 126, 128, 8, 53248, 128256)],
	[1557611200, { model_type => 'gpt2', n_embd => 1600, n_layer => 48, n_head => 25, vocab_size => 50257,
		n_positions => 1024 }],
	[6243584000, { %glm, num_layers => 28, padded_vocab_size => 65024 }],
	[9399951360, { %glm, num_layers => 40, padded_vocab_size => 151552 }],
	[14315784192, llama('qwen2_moe', 2048, 24, 16, 16, 5632, 151936, moe_intermediate_size => 1408,
		shared_expert_intermediate_size => 5632, num_experts => 60, num_experts_per_tok => 4,
		decoder_sparse_step => 1)],
	# K-EXAONE, Hy3, MiMo-V2-Flash
	[236571156352, llama('exaone_moe', 6144, 48, 64, 8, 18432, 153600, head_dim => 128, num_experts => 128,
		num_experts_per_tok => 8, num_shared_experts => 1, moe_intermediate_size => 2048,
		first_k_dense_replace => 1, sliding_window => 128, sliding_window_pattern => 'LLLG')],
	[295033543488, llama('hy_v3', 4096, 80, 64, 8, 13312, 120832, num_experts => 192, num_experts_per_tok => 8,
		num_shared_experts => 1, moe_intermediate_size => 1536)],
	[308778780864, llama('mimo_v2_flash', 4096, 48, 64, 4, 16384, 152576, head_dim => 192, v_head_dim => 128,
		n_routed_experts => 256, num_experts_per_tok => 8, moe_intermediate_size => 2048,
		sliding_window => 128, swa_num_key_value_heads => 8, moe_layer_freq => [0, (1) x 47],
		hybrid_layer_pattern => [map { $_ && ($_ + 1) % 6 ? 1 : 0 } 0 .. 47])],
	[6921720704, { model_type => 'falcon', hidden_size => 4544, num_hidden_layers => 32, num_attention_heads => 71,
		multi_query => JSON::PP::true, vocab_size => 65024, parallel_attn => JSON::PP::true,
		bias => JSON::PP::false, max_position_embeddings => 2048 }],
) {
	my ($want, $config) = @$_;
	my ($got, $said) = total_of($config);
	is $got, $want, "$config->{model_type} of $want parameters";
	unlike $said, qr/not counted|not known/, 'nothing of it is left out';
}

# The omitted parameters are some of ten thousand, and are reported.
for (
	[2779683840, 51200, 'bias of the head', llama('phi', 2560, 32, 32, undef, 10240, 51200)],
	[41873153344, 32064, 'bias of the head', llama('phimoe', 4096, 32, 32, 8, 6400, 32064, num_local_experts => 16,
		num_experts_per_tok => 2, attention_bias => JSON::PP::true, lm_head_bias => JSON::PP::true)],
) {
	my ($published, $left_out, $why, $config) = @$_;
	my ($got, $said) = total_of($config);
	is $got, $published - $left_out, "$config->{model_type}: all but what is told";
	like $said, qr/warning: $config->{model_type}: .*$why/, 'which it is';
}

# Kimi K3, from the sums of its published matrices, with experts as 16-bit numbers: a norm and a product are reported.
my %k3 = (llama('kimi_linear', 7168, 93, 96, 96, 33792, 163840, %latent, q_lora_rank => 1536, n_shared_experts => undef,
	num_shared_experts => 2, num_experts_per_tok => undef, num_experts_per_token => 16, num_experts => 896,
	moe_intermediate_size => 3072, routed_expert_hidden_size => 3584, latent_moe_use_norm => JSON::PP::true,
	mla_use_output_gate => JSON::PP::true, attn_res_block_size => 12, linear_attn_config => { num_heads => 96,
	head_dim => 128, short_conv_kernel_size => 4, use_full_rank_gate => JSON::PP::true,
	kda_layers => [grep { $_ % 4 } 1 .. 91] })->%*);
my ($k3, $k3_said) = total_of({ model_type => 'kimi_k3', text_config => \%k3, vision_config => { patch_size => 14,
	vt_hidden_size => 1024, vt_intermediate_size => 4096, vt_num_attention_heads => 12, vt_num_hidden_layers => 27,
	qkv_hidden_size => 1536, merge_kernel_size => [2, 2], init_pos_emb_height => 64, init_pos_emb_width => 64 } });
is $k3, 2779931837184 - 2 * 7168, 'kimi_k3: all but what is told';
like $k3_said, qr/warning: kimi_k3: norm and product of the last residual are not counted/, 'which it is';
is((total_of(\%k3))[0], 2779484478208 - 2 * 7168, 'its language model alone');

# Step-3.5-Flash: the layers with experts are given as a string.
my $step = 2 * 128896 * 4096 + 4096 + 3 * 3 * 4096 * 11264 + 42 * (289 * 3 * 4096 * 1280 + 288 * 4096 + 288);
$step += 2 * 4096 + 2 * 128 + 4096 * ($_ % 4 ? 96 * 257 + 16 * 128 : 64 * 257 + 16 * 128) for 0 .. 44;
my ($got, $said) = total_of(llama('step3p5', 4096, 45, 64, undef, 11264, 128896, num_attention_groups => 8,
	head_dim => 128, moe_num_experts => 288, moe_top_k => 8, moe_intermediate_size => 1280,
	share_expert_dim => 1280, use_moe_router_bias => JSON::PP::true,
	use_head_wise_attn_gate => JSON::PP::true, sliding_window => 512,
	moe_layers_enum => join(',', 3 .. 44), num_nextn_predict_layers => 3, attention_other_setting =>
	{ num_attention_heads => 96, num_attention_groups => 8 },
	layer_types => [map { $_ % 4 ? 'sliding_attention' : 'full_attention' } 0 .. 47]));
is $got, $step, 'step3p5: all but what is told';
like $said, qr/step3p5: layers that predict further tokens are not counted/, 'which it is';

# Windows in all layers, in some, and in none.
for (
	['mistral', { sliding_window => 4096 }, '4096 1'], ['mistral', { sliding_window => undef }, '- -'],
	['qwen3', { use_sliding_window => JSON::PP::false, sliding_window => 4096, max_window_layers => 2 }, '- -'],
	['qwen3', { use_sliding_window => JSON::PP::true, sliding_window => 4096, max_window_layers => 2 }, 2],
	['exaone4', { sliding_window => 4096, sliding_window_pattern => 'LLLG' }, 3],
	['exaone4', { sliding_window => 4096, sliding_window_pattern => 2 }, 2],
	['cohere2', { sliding_window => 4096 }, 3], ['olmo3', { sliding_window => 4096 }, 3],
	['gemma3_text', { sliding_window => 512, _sliding_window_pattern => 2 }, 2],
) {
	my ($type, $more, $want) = @$_;
	my $c = llama($type, 512, 4, 8, 8, 1024, 1000, %$more);
	open my $f, '>', "$dir/config.json" or die;
	print $f $json->encode($c);
	close $f;
	my ($net) = run_tool([], 'sapp-model', "$dir/config.json");
	my $n = $net->[0];
	is $n->{pattern} ? scalar grep({ /^sliding/ } @{$n->{pattern}})
		: join(' ', map { $_ // '-' } @$n{qw(window window_share)}), $want,
		"$type: " . join ' ', map { "$_ " . ($more->{$_} // 'null') } sort keys %$more;
}

# A language model after a tower has the family that the file names.
sub fails_as {
	my ($title, $said, %config) = @_;
	open my $f, '>', "$dir/config.json" or die;
	print $f $json->encode(\%config);
	close $f;
	my ($net, $status, $why) = run_tool([], 'sapp-model', '-seq', 128, "$dir/config.json");
	is $status, 1, $title;
	like $why, qr/^sapp-model: \Q$dir\E\/config.json:1: .*$said/, 'as it is told';
}
fails_as 'no family of the language model', 'no model_type: that of a language model is usually in text_config',
	model_type => 'llava', text_config => { vocab_size => 1000 }, vision_config => {};
fails_as 'one that is not known', "not in the section families of the tables 'newest'", model_type => 'qwen3_vl',
	text_config => { model_type => 'newest', vocab_size => 1000 };
fails_as 'a tower that is not known', 'the kind of layer 0 is unknown', model_type => 'llava',
	text_config => { model_type => 'llama', vocab_size => 1000 },
	vision_config => { model_type => 'eva', num_hidden_layers => 3, hidden_size => 64, patch_size => 8 };
fails_as 'a family that is not known', "model_type: not a known family.* 'newest'", model_type => 'newest',
	text_config => { model_type => 'newest_text' };

fails_as 'a family that no formula has', "model_type: 'deepseek_v4' is not read: its attention over compressed keys",
	llama('deepseek_v4', 512, 4, 8, 8, 1024, 1000)->%*;

# A network that also speaks: only the part that listens, sees and writes counts.
my ($thinker) = grep { $_->{model_type} eq 'qwen3_omni_moe_thinker' }
	records("$FindBin::Bin/../data/models/shapes.jsonl");
$thinker->{config}{text_config}{max_position_embeddings} = 4096;
($got, $said) = total_of({ model_type => 'qwen3_omni_moe', talker_config => {}, code2wav_config => {},
	thinker_config => { $thinker->{config}->%*, model_type => $thinker->{model_type} } });
is $got, $thinker->{parameters_computed}, 'qwen3_omni_moe: all but what is told';
like $said, qr/warning: qwen3_omni_moe: talker and code2wav, which speak, are not counted/, 'which it is';

# If tie_word_embeddings has different values in the outer and in the text configuration, the release of transformers
# determines which value applies.
for (['4.57.1', 3, ''], ['5.2.0', 2, ''], [undef, 3, 'tie_word_embeddings: .*transformers_version']) {
	my ($version, $embeddings, $why) = @$_;
	my ($all, $told) = total_of({ model_type => 'qwen2_vl', %tied, defined $version ? (transformers_version =>
		$version) : (), text_config => llama('qwen2_vl_text', 512, 2, 8, 8, 1024, 1000) });
	my ($one) = total_of(llama('qwen2', 512, 2, 8, 8, 1024, 1000, %tied));
	is $all, $one + ($embeddings - 2) * 1000 * 512, 'ties of ' . ($version // 'no release');
	like $told, qr/^(sapp-model: .*$why.*\n)?\z/, 'told where it is not known';
	is $told ne '', $why ne '', 'and there alone';
}

# Sums of every matrix and vector, written independently from the families' code.
sub one_of { return $_[int rand @_] }
sub sum_of {
	my ($c) = @_;
	my ($h, $a) = @$c{qw(hidden_size num_attention_heads)};
	my $d = $c->{head_dim} // ($c->{model_type} eq 'gemma' ? 256 : $h / $a);
	my ($q, $k) = ($a * $d, $c->{num_key_value_heads} * $d);
	my $all = $c->{vocab_size} * $h * ($c->{tie_word_embeddings} ? 1 : 2) + $h;
	for my $l (0 .. $c->{num_hidden_layers} - 1) {
		my $experts = $c->{num_experts} // $c->{num_local_experts} // $c->{n_routed_experts} // 0;
		my $plain = $l < ($c->{first_k_dense_replace} // 0) || ($l + 1) % ($c->{decoder_sparse_step} // 1) != 0;
		my $size = $c->{moe_intermediate_size} // $c->{intermediate_size};
		$all += 2 * $h;
		if (defined $c->{kv_lora_rank}) {
			my ($n, $r, $v) = @$c{qw(qk_nope_head_dim qk_rope_head_dim v_head_dim)};
			my ($x, $y) = ($c->{q_lora_rank}, $c->{kv_lora_rank});
			$all += $x ? $h * $x + $x + $x * $a * ($n + $r) : $h * $a * ($n + $r);
			$all += $h * ($y + $r) + $y + $y * $a * ($n + $v) + $a * $v * $h;
		} else {
			$all += $h * $q + 2 * $h * $k + $q * $h;
			$all += $q + 2 * $k if $c->{model_type} =~ /^qwen2/ || $c->{attention_bias};
			$all += 2 * $d if $c->{model_type} =~ /^qwen3/;
		}
		if ($experts && !$plain) {
			$all += $experts * 3 * $h * $size + $h * $experts;
			$all += 3 * $h * $size * $c->{n_shared_experts} if $c->{n_shared_experts};
			$all += $experts if $c->{model_type} =~ /^(deepseek_v3|glm4_moe)$/;
		} else {
			$all += 3 * $h * $c->{intermediate_size};
		}
	}
	return $all;
}
srand($ENV{SEED} // 7);
for my $n (1 .. ($ENV{LONG} ? 40 : 8)) {
	my $type = one_of(qw(llama mistral qwen2 qwen3 gemma phi3 mixtral qwen3_moe deepseek_v2 deepseek_v3 glm4_moe));
	my $heads = one_of(8, 12, 24);
	my $c = llama($type, 128 * $heads, 1 + int rand 12, $heads, $heads / one_of(1, 2, 4), 256 * (1 + int rand 40),
		1000 * (1 + int rand 200), one_of({}, { head_dim => 64 })->%*, one_of({}, \%tied)->%*);
	my %experts = (num_experts_per_tok => 2, moe_intermediate_size => 128 * (1 + int rand 9));
	$c = { %$c, num_local_experts => one_of(4, 8), num_experts_per_tok => 2 } if $type eq 'mixtral';
	$c = { %$c, %experts, num_experts => one_of(8, 60), decoder_sparse_step => one_of(1, 2) }
		if $type eq 'qwen3_moe';
	$c = { %$c, %experts, n_routed_experts => one_of(16, 64), n_shared_experts => one_of(1, 2),
		first_k_dense_replace => int rand 3 } if $type =~ /deepseek|glm4/;
	$c = { %$c, kv_lora_rank => 96, qk_nope_head_dim => 64, qk_rope_head_dim => 32, v_head_dim => one_of(64, 48),
		q_lora_rank => one_of(undef, 160) } if $type =~ /deepseek/;
	$c->{attention_bias} = JSON::PP::true if $type eq 'glm4_moe';
	my ($got) = total_of($c);
	is $got, sum_of($c), "$n: $type" or diag $json->encode($c);
}
done_testing;
