#!/bin/sh
# sapp-coming-from(7): every option, file, column and word of four manuals is in it, and every option of sapp in it
# exists.
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
page=man/sapp-coming-from.7
has() {	# TOOL WORD...: the section of this tool has these words
	tool=$1
	shift
	awk -v tool="$tool" '/^\.Sh/ { here = index($0, tool) } here && !/^\.Sh/' "$page" >"$tmp/section"
	missing=
	for word; do
		grep -qE -- "(^|[^A-Za-z0-9_-])$word([^A-Za-z0-9_]|\$)" "$tmp/section" || missing="$missing $word"
	done
	same "$tool: nothing is missing" '' "$missing"
}
has RUN_PIPELINE_BALANCE.PY -init --init -guide --guide -m --model_name -s --stage -mb --micro_batch -i \
	--interleave_degree -mem --max_memory -lm --less_memory -seq -t --time_limit -o --output_folder -O \
	--optimization_level -naive --simulate_naive -manual --manual_config -lf --layer_folder -dump --dump_layer -mf \
	--memory_folder -cm --compute_memory -exec --exec pipeline_config pipeline_num num_layer offset time_config \
	head_time body_time tail_time profiling_config micro_batch_num folder_path head_layers body_layers tail_layers \
	recompute_config recompute select_recompute select_comm_recompute memory_usage head_memory tail_memory \
	body_memories stage_id memories interleave_num show file_name layers_description pre_defined_layer \
	auto_partition_layer stage_const_mem mem_par mem_act mem_rec mem_head mem_tail mem_const dryrun.sh \
	output_dryrun MS_SIMULATION_LEVEL MS_KERNEL_LAUNCH_SKIP MS_MEMORY_STATISTIC real ideal imba result.svg \
	result_naive_no_recomp.svg result_naive_all_recomp.svg pipeline_interleave pp_interleave_num
has PARALLEL_TOOL.PY --yaml_path --shell_path --toml_path --mindformers_dir --mindspeed_path --torchtitan_path \
	--dryrun_data_dir --profile_data_dir --nnodes --npus_per_node --parallel_num --dryrun_lim --rank_num \
	--solver_name --register_path --dataset --small_dataset --dataset_dir --max_expert_parallel --output_path \
	--env_json --gbs --select_recompute --alg_phase --parser_result --dryrun --check --strategy --config \
	nd_candidate_config.csv evaluate_mem peakMem dryrun_yaml profile_yaml profile_shell \
	DPx_TPx_PPx_EPx_pretrain.yaml max_device_memory FSDP mtp_depth first_k_dense_replace expert_num VPP GBS \
	MBS MAX_DEVICE_MEMORY PROFILE_ARGS MEM_ARGS
has PIPELINE_TOOL.PY --files_dir --yaml_path --shell_path --nd_path --profile_data_dir --parser_result --solver_name \
	--gbs --env_json --register_path --parallel_num --dryrun --check --output_path ENABLE_LESS_MEM_VPP low_mem \
	dmratio bfratio re_grow_ration hratio moe_fw moe_bw test_result_TIME.csv cost profile_parser_result.csv \
	FlashAttentionScore operator_memory.csv GAP dryrun_check
has PIPELINE_PARALLEL.PY -llm -yaml -shell -mindformers -mindspeed -solver -solver_name -layer_ratio -b_ratio \
	-head_loss -ra_ratio -t -dryrun -check -is_write -fit -extract -solution -env -register -dryrun_lim \
	memory_info act_mem re_comp_mem select_mem layer_mem static_mem lm_head_mem ra rs NUM_LAYERS_LIST \
	double_check mps pp_simulator block_time
has --AUTO-TUNING --auto-tuning --auto-tuning-work-dir --auto-tuning-ranks --auto-tuning-log-level --nnodes \
	--nproc-per-node --node-rank --master-addr --master-port OOTB_OPTIMIZER_MODIFIED_ARGV_PATH \
	OOTB_OPTIMIZER_PARSE_ARGS OOTB_OPTIMIZER_PARSE_MODEL OOTB_OPTIMIZER_PROFILING threshold 'ring attention' \
	ZeRO ZeRO1 MC2 Megatron-SP VPP CP EP MicroBatchSize swap-attention 'knowledge base'
has MINDFORMERS profile profile_start_step profile_stop_step init_start_profile profile_communication profile_memory \
	'MindStudio Insight' ascend_timeline_display_0.json kernel_details.csv save_graphs save_graphs_path duplicated \
	SiLU-Mul Cast dry_run.sh max_device_memory data_parallel model_parallel pipeline_stage expert_parallel \
	context_parallel micro_batch_num use_seq_parallel enable_parallel_optimizer 'gradient accumulation' \
	gradient_accumulation_steps micro_batch_interleave_num fine_grain_interleave multi-copy tokens/s/p

# The tools, options and keys of jobs in a row exist. A row: its title, its words to type, its text.
awk '/^\.It/ { row = substr($0, 5); rows++; typed = 0; next } /^\.(Sh|El|Bl)/ { row = ""; next }
	row == "" { next }
	/^\.Ql sapp-/ { sub(/^\.Ql /, ""); sub(/ [.,;:]$/, ""); print "tool\t" row "\t" $0; next }
	{ print "text\t" row "\t" $0 }' "$page" >"$tmp/rows"
wrong=
grep '^tool' "$tmp/rows" | cut -f 3 | sort -u >"$tmp/typed"
while read -r tool rest; do
	[ -e "$tmp/$tool" ] || "$tool" -h >"$tmp/$tool" 2>/dev/null || wrong="$wrong $tool"
	for word in $rest; do
		case $word in
		-?*) grep -qE -- "(^|[^A-Za-z-])-?${word%[.,;:]}([^A-Za-z-]|\$)" "$tmp/$tool" ||
			wrong="$wrong $tool:$word" ;;
		esac
	done
done <"$tmp/typed"
same 'every option of ours is one' '' "$wrong"
same 'there are some' true "$([ "$(wc -l <"$tmp/typed")" -gt 80 ] && echo true)"
printf 'model: m\nnone: 1\n' >"$tmp/job.yaml"
sapp-model -job "$tmp/job.yaml" 2>&1 | sed 's/.*known: \(.*\)/ \1 /' >"$tmp/keys"
grep '^text' "$tmp/rows" | grep -oE '[a-z_]+: (of|in) the job' | cut -d : -f 1 | sort -u >"$tmp/asked"
same 'every key of a job is one' '' "$(while read -r key; do grep -q " $key " "$tmp/keys" || echo "$key"
	done <"$tmp/asked")"
same 'a dozen of them' true "$([ "$(wc -l <"$tmp/asked")" -ge 10 ] && echo true)"
same 'every row says what one types, or why there is nothing' '' "$(awk -F '\t' '
	$1 == "tool" { typed[$2] = 1 } { text[$2] = text[$2] " " $3; order[$2] = NR }
	END { for (row in text) if (!typed[row] && split(text[row], words, " ") < 2) print row }' "$tmp/rows")"
same 'no less rows than the manuals have' true "$([ "$(grep -c '^\.It' "$page")" -ge 94 ] && echo true)"
for name in run_pipeline_balance.py parallel_tool.py pipeline_tool.py pipeline_parallel.py --auto-tuning MindFormers; do
	check "man -k finds $name" grep -q -- "^\.Nd .*$name" "$page"
done
for name in SAPP Taylor MindSpeed MindFormers 'sapp-coming-from(7)'; do
	check "the README names $name" grep -qF "$name" README.md
done
done_testing
