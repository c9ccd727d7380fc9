#!/bin/sh
# Manually changed certificates and answers with known results: limits at a plan's peak and just below it, slightly
# longer steps, empty pieces, records in another order, branchings with an empty half.
# shellcheck disable=SC2016,SC2154 # jq's and awk's variables; variables of what is sourced
. "$(dirname "$0")/../lib.sh"

# for_edited FILTER...: write the answer, with each record changed by jq's filter, to $tmp/edited, and the certificate
# for this question to $tmp/again.
for_edited() {
	jq -c "$@" "$tmp/answer" >"$tmp/edited"
	digest=$(sapp-check "$tmp/proof" "$tmp/edited" 2>&1 | sed -n \
		"s/.*the records have the question '\([^']*\)'.*/\1/p")
	sed "1s/\"question\":\"[^\"]*\"/\"question\":\"$digest\"/" "$tmp/proof" >"$tmp/again"
	[ -n "$digest" ] || cp "$tmp/proof" "$tmp/again"
}
# not_refused NAME: sapp-check accepts the certificate, whatever bound it proves.
not_refused() {
	sapp-check "$tmp/again" "$tmp/edited" >"$tmp/out" 2>"$tmp/err"
	case $? in 0 | 3) ok "$1" ;; *) not_ok "$1"; diag <"$tmp/err" ;; esac
}
# no_more TIMES NAME: if the claim is the step times TIMES, at most the step is proved.
no_more() {
	step=$(jq 'select(.kind == "plan").step_time' "$tmp/answer")
	jq -c --argjson claim "$1" --argjson step "$step" 'if .kind == "proof" then .bound = $claim * $step
		else . end' "$tmp/again" >"$tmp/more"
	sapp-check "$tmp/more" "$tmp/edited" 2>"$tmp/err" |
		sed -n 's/.*proved: no plan of this question takes less than \(.*\) ms/\1/p' >"$tmp/said"
	check "$2: no more than $step is proved: $(cat "$tmp/said")" awk -v step="$step" \
		'{ said = $1 } END { exit !(said != "" && said <= step * (1 + 1e-12)) }' "$tmp/said"
}
refused() { fails "$1" 1 "$2" sapp-check "$tmp/again" "$tmp/edited"; }
answered() {
	sapp-lp -t 60 "$@" -proof "$tmp/proof" "$tmp/layers" >"$tmp/answer" 2>"$tmp/err"
	same "$*: answered" "0 " "$? $(cat "$tmp/err")"
}
# short MOST NAME: the certificate has at most MOST bounds.
short() {
	bounds=$(sapp-check -v "$tmp/proof" "$tmp/answer" 2>"$tmp/err" | sed -n 's/ bounds, .*//p')
	check "$2: ${bounds:-no} bounds, at most $1" test "${bounds:-999}" -le "$1"
}

# The memory of each stage is its limit: a lower limit is infeasible, and with this limit at most the plan's step is
# proved.
sed 'N;/,\n/{s/\n//;b};P;D' >"$tmp/all" <<'END'
{"kind":"model","name":"m","overhead":[30],"overhead_early":[10],"stage_const_mem":3}
{"kind":"layer","name":"h","type":"HEAD","time":3,"nb_layer":2,"memory_parameter":5,"memory_transient":2}
{"kind":"layer","name":"a","type":"BODY","time":10,"nb_layer":5,"memory_parameter":10,"memory_activation":20,
"memory_select_rec":12,"memory_select_comm":11,"memory_recompute":5}
{"kind":"layer","name":"b","type":"BODY","time":14,"nb_layer":6,"memory_parameter":12,"memory_activation":25,
"memory_recompute":6,"memory_transient":31,"kinds":{"mine":{"activation":9,"backward_coef":0.2}}}
{"kind":"layer","name":"loss","type":"TAIL","time":8,"nb_layer":1,"memory_transient":19,"memory_parameter":6}
{"kind":"kind","name":"mine","select_recompute":["mine"]}
END
cp "$tmp/all" "$tmp/layers"
while read -r most options; do
	# shellcheck disable=SC2086 # words
	answered $options
	short "$most" "$options"
	peaks=$(sapp-sim -j "$tmp/answer" | jq -c 'select(.kind == "sim").peak_memory')
	limit='if .kind == "pipeline" then .memory_limit = $peaks else . end'
	for_edited --argjson peaks "$peaks" "$limit"
	not_refused "$options: limits of what it takes, $peaks"
	for more in 1.000001 1.02 3; do
		no_more "$more" "$options"
	done
	stages=$(printf '%s\n' "$peaks" | jq length) s=0
	while [ $s -lt "$stages" ]; do
		for_edited --argjson peaks "$peaks" --argjson s $s "(\$peaks | .[\$s] -= 5e-8) as \$peaks | $limit"
		not_refused "$options: 0.05 bytes less on stage $s"
		for_edited --argjson peaks "$peaks" --argjson s $s "(\$peaks | .[\$s] -= 3e-7) as \$peaks | $limit"
		refused "$options: less on stage $s" "stage $s exceeds its limit"
		s=$((s + 1))
	done
	for by in 1.000000004 0.999999996; do
		for_edited --argjson by $by 'if .kind == "plan" then .step_time *= $by else . end'
		refused "$options: $by of the step" 'its step takes'
	done
	for_edited 'if .kind == "plan" then .step_time *= 1.0000000004 else . end'
	not_refused "$options: a step that is as long but for rounding"
done <<'END'
4 -s 3 -mb 6 -mem 260 -comm 2,3
4 -s 3 -mb 4 -S gpipe -mem 330 -comm 2
20 -s 2 -mb 8 -S vpp -i 2 -group 3 -mem 430 -comm 2 -gap 0.03
25 -s 3 -mb 9 -S vpp-less -i 2 -group 4 -mem 300 -gap 0.03 -speed 1,1.2,0.9
14 -s 2 -mb 3 -S gpipe -i 2 -mem 380 -gap 0.03 -mixes all
END

# With one more branching before all others, the same bounds prove the same in each half. If slightly more than the
# optimum is claimed, one half contains the optimum.
while read -r bound most options; do
	# shellcheck disable=SC2086 # words
	answered -gap 0 $options
	short "$most" "$options"
	stages=$(jq 'select(.kind == "pipeline").stages' "$tmp/answer")
	chunks=$(jq 'select(.kind == "pipeline").interleave' "$tmp/answer")
	step=$(jq 'select(.kind == "plan").step_time' "$tmp/answer")
	check "$options: the bound is $bound of the step" jq -e --argjson b "$bound" \
		'select(.kind == "plan") | .lower_bound >= $b * .step_time' "$tmp/answer"
	jq -n -c --argjson stages "$stages" --argjson chunks "$chunks" 'range($stages) as $s | range($chunks) as $v |
		({layers: (2, 3)}, {backward: (40, 84)}, {border: (0, 1)}, if $chunks == 1 then {first: 4} else empty
		end) + {kind: "branch", node: 1, stage: $s, chunk: $v}' >"$tmp/divisions"
	lost=0 false=0 n_of=0
	while read -r division; do
		n_of=$((n_of + 1))
		jq -c -s --argjson d "$division" '(map(select(.kind == "path" or .kind == "load")),
			[$d], (map(select(.node)) | map(.node += 1), .), [.[-1]]) | .[]' "$tmp/proof" >"$tmp/rest"
		head -n 1 "$tmp/proof" | cat - "$tmp/rest" >"$tmp/divided"
		sapp-check "$tmp/divided" "$tmp/answer" >"$tmp/said" 2>&1 ||
			{ lost=$((lost + 1)); echo "$division" | diag; }
		head -n 1 "$tmp/proof" | jq -c --argjson b "$step" '.bound = $b * 1.000001' | cat - "$tmp/rest" \
			>"$tmp/divided"
		sapp-check "$tmp/divided" "$tmp/answer" >"$tmp/said" 2>"$tmp/err"
		awk -v step="$step" '/proved: no plan/ { above = $(NF - 1) > step * (1 + 1e-12) } END { exit above }' \
			"$tmp/said" || { false=$((false + 1)); echo "$division" | diag; }
	done <"$tmp/divisions"
	same "$options: $n_of divisions of which none loses what is proved" 0 $lost
	same "$options: or proves more" 0 $false
done <<'END'
0.9999 2 -s 3 -mb 12 -mem 330
0.9999 45 -s 3 -mb 5 -S vpp -i 2 -mem 330 -comm 1
END

# Many branches.
answered -gap 0 -s 2 -mb 5 -S vpp -i 3 -mem 430 -comm 1
short 60 "three chunks"
check "which prove it" sapp-check "$tmp/proof" "$tmp/answer"

# A half without a layout is closed at once, and the proof continues with the other half.
jq -c 'if .node then .node += 1 else . end' "$tmp/proof" |
	sed '2s/^/{"kind":"branch","node":1,"stage":1,"layers":99}\n/' >"$tmp/again"
check "a half without a layout" sapp-check "$tmp/again" "$tmp/answer"

# The chunks of the only stage have all layers, so no content has more of one body than exist, and fewer of another.
cat >"$tmp/layers" <<END
{"kind":"layer","name":"a","type":"BODY","time":10,"nb_layer":3,"memory_parameter":1,"memory_activation":2}
{"kind":"layer","name":"b","type":"BODY","time":14,"nb_layer":3,"memory_parameter":1,"memory_activation":2}
END
answered -s 1 -mb 3 -S vpp -i 2 -mem 200 -gap 0
check "all layers of each body" sapp-check "$tmp/proof" "$tmp/answer"

# For two chunks, recomputations that are not faster than another are excluded, but no others.
cat >"$tmp/layers" <<END
{"kind":"layer","name":"a","type":"BODY","time":13,"nb_layer":4,"memory_parameter":5,"memory_activation":13,\
"memory_select_rec":10,"memory_recompute":2}
{"kind":"layer","name":"b","type":"BODY","time":10,"nb_layer":4,"memory_parameter":5,"memory_activation":20,\
"memory_select_rec":9,"memory_recompute":8}
END
answered -s 2 -mb 4 -S vpp -i 2 -mixes all -mem 101 -gap 0
for_edited .
no_more 1.000001 "two chunks"

# In V-shaped orders data return to the first stage; waits for links are longer than sapp-check knows.
sed 's/"memory_activation":20/&,"kinds":{"mine":{"activation":2,"backward_coef":0,"offload":18}}/' "$tmp/layers" \
	>"$tmp/swap"
answered -s 2 -mb 4 -S zbv -i 2 -mem 400
for_edited .
not_refused "pieces that come back"
echo '{"kind":"kind","name":"mine","op_swap":["mine"]}' | cat "$tmp/swap" - >"$tmp/layers"
answered -s 2 -mb 6 -mem 90 -offload 0.2
for_edited .
not_refused "a link that is waited for"

# A fast stage holds more layers than any other stage could.
echo '{"kind":"layer","name":"a","nb_layer":10,"time":10,"type":"BODY","memory_parameter":10}' >"$tmp/layers"
for speed in 1,4,1 4,1,1 1,1,4; do
	answered -s 3 -mb 6 -mem 900 -gap 0 -speed $speed
	for_edited .
	no_more 1.0001 "one is fast"
	no_more 1.4 "one is fast"
done

# Records in another order have the same meaning; a mix of kinds that lists cannot express is always refused.
layers='"type":"BODY","time":10,"nb_layer":4,"memory_parameter":1'
cat >"$tmp/layers" <<END
{"kind":"kind","name":"mine","select_recompute":["mine"]}
{"kind":"layer","name":"B",$layers,"memory_activation":20,"memory_select_rec":9,"memory_recompute":8,\
"kinds":{"mine":{"activation":9,"backward_coef":0.01}}}
END
answered -s 2 -mb 4 -gap 0 -mem 42
check "a kind of its own is planned with" jq -e 'select(.kind == "plan") | .counts.B.mine[0] | add > 0' "$tmp/answer"
for order in '.' '[.[-2:], .[:-2]] | add' '[.[1:2], .[-2:], .[:1]] | add' '[.[-2:], .[1:2], .[:1]] | add'; do
	for_edited -s "$order | .[]"
	check "in the order $order" sapp-check "$tmp/again" "$tmp/edited"
	jq -c 'if .kind == "plan" then .counts.B |= (map_values([[0, 2]]) | .none = [[0, 0]] | .full = [[0, 0]] |
		.select = [[1, 0]] | .mine = [[1, 2]]) else . end' "$tmp/edited" >"$tmp/mixed"
	fails "a mix that is none, $order" 1 'its lists do not give the recomputation of piece 0' sapp-check \
		"$tmp/again" "$tmp/mixed"
done

# Pieces may be empty only if allowed, and pieces of an end never.
cat >"$tmp/layers" <<END
{"kind":"layer","name":"B",$layers}
END
answered -s 2 -mb 4 -gap 0 -mem 9
for_edited 'if .kind == "plan" then .counts.B.none = [[4, 0]] else . end'
refused "all on one stage" 'piece 1 is empty'
for_edited 'if .kind == "plan" then .counts.B.none = [[4, 0]] | .step_time = 480
	elif .kind == "pipeline" then .empty = true else . end'
not_refused "which may be empty"
echo '{"kind":"layer","name":"loss","type":"TAIL","time":10,"nb_layer":1}' >>"$tmp/layers"
answered -s 2 -mb 4 -gap 0 -mem 9 -empty
for_edited 'if .kind == "plan" then .counts.B.none = [[4, 0]] else . end'
refused "but for that of an end" 'piece 1 is empty'

# Overlapping operations take as long as operations in sequence if the question has this.
answered -s 2 -mb 4 -S vpp-overlap -i 2 -overlap 1 -mem 9
answered -s 2 -mb 4 -gap 0 -mem 9

# Questions that certificates do not cover, invalid ones, and similar valid ones.
reach() { for_edited "if .kind == \"$1\" then $2 else . end"; refused "$2" "$3"; }
none='this question cannot be certified: '
for_edited 'if .kind == "pipeline" or .kind == "plan" then .schedule = "dualpipe" else . end'
refused "a schedule that proofs do not know" "no proof exists for the schedule 'dualpipe'"
reach pipeline '.overlap = 0.9' "${none}an overlapped forward and backward take less than their sum"
reach pipeline '.seq_split = 2' "${none}sequences are split"
reach pipeline '.micro_factor = [1, 1, 1, 2]' "${none}micro-batches take different times"
reach pipeline '.memory_limit = [9, 9, 9]' 'memory_limit'
reach pipeline '.speed = [1, 1, 1]' 'speed'
reach pipeline '.interleave = 2' 'chunk'
reach pipeline '.micro_batches = 10000000' "${none}more than 10000000 operations"
reach pipeline '.schedule = "gpipe"' 'its schedule is not that of the question'
reach plan '.micro_batches = 5' 'its micro-batches are not those of the question'
reach layer 'del(.time)' 'time'
for_edited 'if .kind == "layer" then ({kind: "model", name: "x"}, {kind: "model", name: "y"}), . else . end'
refused "two models" 'several models'
for_edited 'if .kind == "layer" then .model_name = .name else . end'
refused "layers of two models" 'several models'
for_edited 'if .kind == "pipeline" then .overlap = 1 | .seq_split = 1 | .memory_limit = [9, 9] | .speed = [1, 1]
	elif .kind == "layer" then .model_name = "x" else . end'
not_refused "which is as if none of these were there"
# A claim below the time outside the pipeline, in little memory; and stage numbers beyond the last stage.
for_edited 'if .kind == "model" then .overhead = 50 else . end'
jq -c 'if .kind == "proof" then .bound = 1 else . end' "$tmp/again" >"$tmp/more"
check "a claim below the overhead takes no memory" sh -c '
	[ -n "${QUICK:-}" ] || ulimit -v 1000000; sapp-check "$1" "$2" >"$3"
	[ $? -ne 1 ] && grep "no plan of this question takes less than 1 ms" "$3"' sh \
	"$tmp/more" "$tmp/edited" "$tmp/out"
for_edited 'if .kind == "pipeline" then .stages = 2147483647 else . end'
refused "stages beyond all" "pipeline: stages: above 10000 '2147483647'"
done_testing
