#!/bin/sh
# The whole pipe on the 175B example, with intermediate files, and with peaks from logs.
. "$(dirname "$0")/lib.sh"
example=$top/examples/llama-175b

check "timelines are made" "$example/make-timeline" "$tmp/timeline"
sed "s|folder_path: timeline|folder_path: $tmp/timeline|" "$example/init.yaml" >"$tmp/init.yaml"

# The pipe of sapp(7) in one command.
(cd "$tmp" && sapp-trace -c init.yaml timeline/ 2>/dev/null | sapp-memsplit init.yaml 2>/dev/null |
	sapp-lp -s 16 -mb 16 -mem 56000 -gap 0 | sapp-sim) >"$tmp/whole"
same "a plan and its simulated step" "plan sim" \
	"$(jq -r 'select(.kind == "plan" or .kind == "sim").kind' "$tmp/whole" | xargs)"
same "the plan is optimal" optimal "$(jq -r 'select(.kind == "plan").status' "$tmp/whole")"
same "the simulator says the same" true "$(jq -s '(map(select(.kind == "plan"))[0].step_time -
	map(select(.kind == "sim"))[0].step_time) | fabs < 1e-6' "$tmp/whole")"
same "every peak is within the limit" true "$(jq 'select(.kind == "sim").peak_memory | max <= 56000' "$tmp/whole")"
same "layer times are those the timelines were made of" "30 180 88 2" \
	"$(jq -r 'select(.kind == "layer").time | . * 1000 | round / 1000' "$tmp/whole" | xargs)"

# Every intermediate result can be stored with jq, and passed to the next tool.
sapp-trace -c "$tmp/init.yaml" "$tmp/timeline" 2>/dev/null | jq -c . >"$tmp/times"
sapp-memsplit "$tmp/init.yaml" <"$tmp/times" 2>/dev/null | jq -c . >"$tmp/layers"
jq -c . "$tmp/layers" | sapp-lp -s 16 -mb 16 -mem 56000 -gap 0 >"$tmp/plan"
jq -c . "$tmp/plan" | sapp-sim >"$tmp/cut"
same "cut and resumed: the same steps" "$(jq -c 'select(.kind == "sim")' "$tmp/whole")" \
	"$(jq -c 'select(.kind == "sim")' "$tmp/cut")"

# Peaks as lines of grep instead of peaks in the YAML.
mkdir "$tmp/out"
while IFS=: read -r file line text; do
	mkdir -p "$tmp/out/$(dirname "$file")"
	{ echo "step 1, loss 11.2"; echo "Used peak memory usage (without fragments): 1M"; echo "$text"
	} >"$tmp/out/$file"
done <"$example/peaks.txt"
sed '/^memory_usage:/,$d' "$tmp/init.yaml" >"$tmp/bare.yaml"
(cd "$tmp/out" && { cat "$tmp/times"; grep -rn 'Actual peak' . | sort -t_ -k2,2n; } | sapp-memsplit ../bare.yaml) \
	>"$tmp/grepped" 2>/dev/null
same "grepped peaks give the same layers" "$(jq -c 'select(.kind == "layer")' "$tmp/layers")" \
	"$(jq -c 'select(.kind == "layer")' "$tmp/grepped")"
same "grepped lines alone give the same memory" \
	"$(jq -c 'select(.kind == "layer") | .memory_parameter' "$tmp/layers" | xargs)" \
	"$(cd "$tmp/out" && grep -rn 'Actual peak' . | sort -t_ -k2,2n | sapp-memsplit ../bare.yaml 2>/dev/null |
		jq -c 'select(.kind == "layer") | .memory_parameter' | xargs)"

# Unknown records pass through in order; a full disk, and a reader that ends early.
{ echo '{"kind":"note","text":"mine"}'; cat "$tmp/times"; } | sapp-memsplit "$tmp/init.yaml" 2>/dev/null |
	sapp-lp -s 16 -mb 16 -mem 56000 | sapp-sim >"$tmp/noted"
same "an unknown kind comes out first, as it went in" '{"kind":"note","text":"mine"}' "$(head -n 1 "$tmp/noted")"
if [ -w /dev/full ]; then
	full() { "$@" >/dev/full 2>"$tmp/err"; }
	for tool in "sapp-trace -c $tmp/init.yaml $tmp/timeline" "sapp-memsplit $tmp/init.yaml $example/peaks.txt" \
		"sapp-lp -s 16 -mb 16 $tmp/layers" "sapp-sim $tmp/plan" "sapp-yaml $tmp/plan" "sapp-guide -s 4 -n 16"
		do
		# shellcheck disable=SC2086 # words of a command
		full $tool </dev/null
		same "${tool%% *}: a full disk" "1 1" "$? $(grep -c 'cannot write' "$tmp/err")"
	done
else
	skip "no /dev/full"
fi
sapp-sim -e "$tmp/plan" 2>"$tmp/err" | head -n 1 >/dev/null
same "a reader that goes away: no noise" "" "$(cat "$tmp/err")"
done_testing
