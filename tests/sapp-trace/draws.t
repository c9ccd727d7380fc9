#!/bin/sh
# Profiles of random models with known times: hybrids of several attentions, alternating attentions, dense layers and
# experts, in one to four chunks per stage, with and without names. The number of layers is right and times are within 1
# %, or the profile is refused with the reason. DRAWS models, starting with SEED.
. "$(dirname "$0")/../lib.sh"

first=${SEED:-1} draws=${DRAWS:-40}
# In the last but one, layers of another kind are on both sides of a transfer; the last has a single layer, whose ends
# are unknown.
for seed in $(seq "$first" $((first + draws - 1))) 1268 5136; do
	make-timeline -draw "$seed" -o "$tmp/d" >"$tmp/truth" || { not_ok "draw $seed is written"; break; }
	micro=$(sed 's/.*"micro":\([0-9]*\).*/\1/' "$tmp/truth") names=
	case $(cat "$tmp/truth") in *'"named":true'*) names='-body layers.' ;; esac
	# shellcheck disable=SC2086 # several words
	sapp-trace -mb "$micro" $names "$tmp/d"/* >"$tmp/out" 2>"$tmp/err"
	status=$?
	cat "$tmp/truth" "$tmp/out"
	echo "{\"kind\":\"end\",\"status\":$status,\"reason\":$(grep -c 'sapp-trace: .*\(name\|give\)' "$tmp/err")}"
	rm -rf "$tmp/d"
done >"$tmp/all"

# judge: print a line for each draw: right, refused or wrong, and a description.
judge() {
	jq -rn 'def near($a; $b): (($a // 0) - $b | fabs) <= 0.01 * $b + 0.002;
	def mean(f): (map(.nb_layer * f) | add // 0) / ([map(.nb_layer) | add // 0, 1] | max);
	def pair($x; $t): near($x.time; $t[0]) and near($x.backward_time; $t[1]);
	def right($t; $l): ($l | map(select(.type == "BODY"))) as $b |
		($b | map(.nb_layer) | add) == $t.layers and
		near($b | mean(.time); $t.body[0]) and near($b | mean(.backward_time); $t.body[1]) and
		($t.named or (pair(($l | map(select(.type == "HEAD")))[0]; $t.head) and
			pair(($l | map(select(.type == "TAIL")))[0]; $t.tail)));
	foreach inputs as $x ({}; if $x.kind == "truth" then { t: $x, l: [] }
		elif $x.kind == "layer" then .l += [$x]
		elif $x.kind == "end" then .said = if $x.status == 1 and $x.reason > 0 then "refused"
			elif $x.status == 0 and right(.t; .l) then "right" else "wrong" end
		else . end; select(.said) | "\(.said) \(.t.seed): \(.t.pattern), \(.t.form), \(.t.stages) stages, " +
			"\(.t.chunks) chunks of \(.t.each) layers, \(.t.micro) micro-batches")' "$tmp/all"
}
judge >"$tmp/judged"
echo "# $(cut -d ' ' -f 1 "$tmp/judged" | sort | uniq -c | xargs)"
same 'every draw is judged' "$((draws + 2))" "$(wc -l <"$tmp/judged")"
same 'no profile is read wrongly in silence' '' "$(grep '^wrong' "$tmp/judged")"
check 'nine of ten are read' awk '/^right/ { n++ } END { exit !(n >= 0.9 * NR) }' "$tmp/judged"
done_testing
