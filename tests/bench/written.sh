#!/bin/bash
# Plans written into the training files of LAUNCHES, a checkout such as Primus; FORMAT: of sapp-yaml -f. For each YAML
# that -r reads, plans of its layers with one and two chunks a stage, some recomputation and other degrees are written
# with -w into a copy and read back. Prints what is wrong, the number of refusals by message, and the counts.
top=${LAUNCHES:?a folder with training files}
format=${FORMAT:-primus}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT && mkdir "$tmp/tree" "$tmp/plans"
(cd "$top" && find . -name '*.y*ml' -print0 | tar -c --null -T -) | tar -x -C "$tmp/tree" || exit 1
cd "$tmp/tree" || exit 1

# The plan of LAYERS on STAGES with CHUNKS, in a limit between the memory with all and with no layers recomputed.
plan_of() { # LAYERS STAGES CHUNKS
	plan=$tmp/plans/$1-$2-$3
	[[ -e $plan ]] || { jq -nc --argjson l "$1" '{ kind: "layer", nb_layer: 1, memory_parameter: 500 } + (
		{ name: "embedding", type: "HEAD", time: 1 }, { name: "head", type: "TAIL", time: 6 },
		{ name: "L", type: "BODY", nb_layer: $l, time: 10, memory_parameter: 400, memory_activation: 200,
			memory_recompute: 20 })' | sapp-lp -target "$format" -s "$2" -i "$3" -mb $((4 * $2)) -t 2 \
			-mem $((1500 + 520 * $1 / $2 + $1 * 100)) 2>"$plan.err" | jq -c --argjson p "$2" '., (select(
			.kind == "plan") | { kind: "candidate", name, dp: 2, tp: 2, pp: $p, ep: 1, mbs: 1,
			micro_batches: (4 * $p) })' >"$plan"; }
	[[ -s $plan ]]
}
# Print stages, chunks, layers and recomputation of the last plan.
settings() {
	jq -sc '[.[] | select(.kind == "plan")] | last | [.schedule, .interleave, .offset, (.counts | map_values(
		with_entries(select(.value | flatten | add > 0))) | [.[]])]' "$1"
}
reason() { # the first error, without what differs between files
	grep -v warning: "$tmp/err" | tail -1 | sed -E 's,: [^ ]*\.ya?ml:([0-9]+:)?,: FILE:,; s,[0-9]+,N,g'
}
row() { printf '%s\t%s\t%s\n' "$1" "$2" "$file${chunks:+, chunks: $chunks}"; }
grep -lrE --include='*.y*ml' '^(modules|train|system|experiment):' . | sort | while read -r file; do
	chunks=
	sapp-yaml -r "$file" /dev/null >"$tmp/now" 2>"$tmp/err" || { row 'not read' "$(reason)"; continue; }
	read -r layers stages < <(jq -r 'select(.kind == "plan") | "\([.counts[][] | flatten | add] | add) \(
		.offset[0] | length)"' "$tmp/now")
	((stages > 1)) || stages=2
	for chunks in 1 2; do
		((layers >= stages * chunks)) || continue
		plan_of "$layers" "$stages" "$chunks" || continue
		cp "$file" "$file.now.yaml"
		if ! sapp-yaml -w "$file.now.yaml" "$plan" 2>"$tmp/err"; then
			row refused "$(reason)"
		elif ! sapp-yaml -r "$file.now.yaml" "$plan" >"$tmp/back" 2>"$tmp/err"; then
			row wrong "$(reason)"
		elif [[ $(settings "$tmp/back") != "$(settings "$plan")" ]]; then
			row wrong "$(settings "$tmp/back")"
		elif degrees=$(sapp-model -vocab 9216 -n $((4 * stages)) "$file.now.yaml" 2>"$tmp/err" |
			jq -c 'select(.kind == "candidate") | [.dp, .tp, .pp, .micro_batches]') && [[ -n $degrees &&
			$degrees != "[2,2,$stages,$((4 * stages))]" ]]; then
			row wrong "$degrees"
		else
			row "written, degrees ${degrees:+read}${degrees:-not read}" ''
		fi
	done
done >"$tmp/all"
grep '^wrong' "$tmp/all"
cut -f 1,2 "$tmp/all" | grep -v ^written | sort | uniq -c | sort -rn
cut -f 1 "$tmp/all" | sort | uniq -c
