# Write a small job to job.yaml, for which some configurations must be planned. For tests of sapp-search.
# shellcheck shell=sh
small_job() {
	cat >net.json <<-END
	{"model_type":"llama","num_hidden_layers":10,"hidden_size":4096,"num_attention_heads":32,
	"num_key_value_heads":8,"intermediate_size":14336,"vocab_size":32000,"max_position_embeddings":4096,
	"tie_word_embeddings":false}
	END
	cat >job.yaml <<-END
	model: net.json
	devices: 8
	cluster: a100-40gb
	global_batch: 16
	limits:
	  pp: 2-4
	  vp: 1-2
	  mbs: 1,2
	  cp: 1
	END
}
# Print the name and the step of the winner.
first_of() { jq -r 'select(.kind == "plan") | "\(.name) \(.step_time * 1000 | round)"' "$1/plans.jsonl" | head -n 1; }
# estimate OPTION...: run sapp-search -n with gojq as its jq: it starts jq ten times. A search that plans needs jq
# itself: it looks for members of records in the order in which they were written.
estimate() {
	[ -e "$tmp/gojq/jq" ] || { mkdir "$tmp/gojq" && ln -s "$(command -v gojq)" "$tmp/gojq/jq"; }
	PATH=$tmp/gojq:$PATH sapp-search -n "$@"
}
