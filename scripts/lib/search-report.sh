# The output of sapp-search: the ranking, reasons against other degrees, tables, the page. Sourced by sapp-search.
# shellcheck shell=bash

# Write plans.jsonl: candidate, estimate, question and plan of the best configurations.
plans_write() {
	winners=("${row_names[@]:0:$keep}")
	plan_records "${winners[@]}" | into "$out/plans.jsonl" || exit 1
}
# Write sims.jsonl: the simulated peaks of all rows that are shown, each with its own plan.
sims_write() {
	plan_records "${row_names[@]:0:200}" | sapp-sim | grep '^{"kind":"sim"' | into "$work/sims.jsonl" || exit 1
}
# Write any.json: plans of the winners without the restrictions of the target, by name.
any_write() {
	[ -n "$any" ] || { echo '{}' >"$work/any.json"; return; }
	jq -c 'select(.kind != "plan")' "$out/plans.jsonl" |
		sapp-lp -j -t "$any_seconds" -gap "$gap" 2>"$work/any.log" |
		jq -c -s 'map(select(.kind == "plan" and .step_time) | { key: .name, value: . }) | from_entries' |
		into "$work/any.json" || exit 1
	rm -f -- "$work/any.log"
}

tables_write() {
	local - file text old=()
	text=$(jq -L "$lib" 'include "search";
		($ranked[0] | ranking_csv($estimates[0]; $layers)), "\u001e",
		(result_columns | csv_row), (configurations[] | result_row($layers; {}) | csv_row)' -r -s \
		--slurpfile estimates "$work/planned.json" --slurpfile ranked "$work/ranked.json" \
		--argjson layers "$layers" "$out/plans.jsonl") || exit 1
	printf '%s' "${text%$'\x1e\n'*}" | into "$out/ranking.csv" || exit 1
	set +f
	for file in "$out"/test_result_*.csv; do [ ! -e "$file" ] || old+=("$file"); done
	set -f
	[ ${#old[@]} -eq 0 ] || rm -f -- "${old[@]}"
	printf -v file '%(%Y%m%d%H%M%S)T' -1
	printf '\xef\xbb\xbf%s\n' "${text#*$'\x1e\n'}" | into "$out/test_result_$file.csv" || exit 1
}

# Print each pair of TP and PP with the source of its figures and one record, the first of: its plan, its estimate, that
# a configuration is legal, or the rule that its first configuration breaks.
pairs_found() {
	{
		jq -c --slurpfile of "$work/planned.json" '.[] | $of[0][.name] as $e | { tp: $e.tp, pp: $e.pp,
			by: "plan", step: .step_time, least: .lower_bound, name }' "$work/ranked.json"
		survey -alike 0 -k 1000000 2>/dev/null | grep '"kind":"estimate"'
		sapp-enum "${space[@]}" -rejected "$work/network.jsonl" 2>/dev/null | awk '
			!/"kind":"candidate"/ || !match($0, /"tp":[0-9]+/) { next }
			{ pair = substr($0, RSTART, RLENGTH) }
			match($0, /"pp":[0-9]+/) { pair = pair "," substr($0, RSTART, RLENGTH) }
			!(pair in line) { order[++n] = pair }
			!/"reject":/ { line[pair] = "{" pair ",\"by\":\"memory\"}" }
			!(pair in line) { line[pair] = $0 }
			END { for (i = 1; i <= n; i++) print line[order[i]] }'
	} | awk 'match($0, /"tp":[0-9]+/) { tp = substr($0, RSTART, RLENGTH); match($0, /"pp":[0-9]+/)
			if (!seen[tp, substr($0, RSTART, RLENGTH)]++) print }' |
		jq -r -s 'map({ tp, pp } + if .kind == "estimate" then
			{ by: "estimate", step: .step_time, least: .lower_bound, name }
			elif .reject then { by: "rule", rule: .reject, why }
			else . end) | sort_by(.tp, .pp)[] | "\(.tp)\t\(.pp)\t\(.by)\t\(tojson)"'
}
# Print the missing memory of a pair that no rule excludes.
short_of() {	# TP PP
	local name over stage
	while IFS=$'\t' read -r name over stage; do
		printf '{"tp":%d,"pp":%d,"by":"memory","name":"%s","over":%s,"stage":"%s"}\n' "$1" "$2" \
			"$name" "${over//,/}" "$stage"
	done < <(survey -tp "$1" -pp "$2" -k 1 2>&1 >/dev/null |
		sed -nE 's/.*the nearest, ([^,]*), needs ([0-9,]*) MB more on (stage [0-9]*).*/\1\t\2\t\3/p')
}
why_write() {
	local tp pp by line
	while IFS=$'\t' read -r tp pp by line; do
		if [ "$tp $pp" = "$winner_degrees" ]; then continue; fi
		if [ "$by" = memory ]; then short_of "$tp" "$pp"; else printf '%s\n' "$line"; fi
	done < <(pairs_found) | into "$work/why.jsonl"
}

commas() {
	local n=$1 text=''
	while ((${#n} > 3)); do text=,${n: -3}$text n=${n:0:${#n} - 3}; done
	printf '%s' "$n$text"
}
# Print one line, or two lines if configurations are open.
verdict() {
	local cutoff all
	cutoff=$(printf '%.3f s' "$(calc 's / (1 + g) / 1000' s="$winner_step" g="$gap")")
	all="$(commas "$legal") configurations: $(commas "$planned") planned"
	if [ -n "$proved" ]; then
		echo "best of $all, the other $(commas $((legal - planned))) cannot take less than $cutoff"
		return
	fi
	least=$(least_open)
	echo "$least" >"$work/least.new"
	echo "best found of $all, $(commas $((legal - left))) cannot take less than $cutoff"
	printf '%s are not decided: none can take less than %.3f s, so the winner is at most %.1f %% longer %s\n' \
		"$(commas "$left")" "$(calc 'l / 1000' l="$least")" \
		"$(calc '100 * (s / l - 1)' s="$winner_step" l="$least")" "than the best"
}
# Print the configurations that could still beat the winner, and the time to plan all of them.
open_lines() {
	local apiece seconds
	[ -z "$proved" ] || return 0
	apiece=$(calc 'e > 2.5 ? int(4 * e) : 10' e="$each")
	seconds=$(calc 'int(a * n / p + 1)' a="$apiece" n="$left" p="${#slots[@]}" | cut -d. -f1)
	estimate <"$work/open.jsonl" | jq -L "$lib" 'include "search";
		[pairs] | open_lines($answers; $least; $more + $for_each)' -r -s \
		--argjson least "$(<"$work/least.new")" \
		--slurpfile answers "$work/answers.jsonl" \
		--arg for_each "continues from here, with ${apiece%.*} s for each" \
		--arg more "$me $(printf '%q ' "${again[@]}" -t "$seconds" "$job")"
}
# Print the share of the limit that a plan must keep free; other plans are tight.
margin_wanted() {
	if [ -n "${set[margin]-}" ]; then
		echo "${set[margin]}"
	elif [ ${#measured[@]} -gt 0 ] || [ -n "${set[peaks]-}" ]; then
		echo 0.02
	else
		echo 0.08
	fi
}
# Print the table on stdin with at most 100 columns, if necessary without less important columns; then names of rows.
ranking_table() {
	awk -F '\t' -v suffix="$suffix" '
		/^@/ { names = names sprintf("%s  %s%s%s\n", substr($1, 2), $2, suffix, $3 == "" ? "" : "; " $3); next }
		{
			for (i = 1; i <= NF; i++) {
				cell[NR, i] = $i
				if (length($i) > width[i])
					width[i] = length($i)
			}
			rows = NR
			if (NF > most) most = NF
		} END {
			n = split("at least,MFU,9 of 10 within,recompute", less, ",")
			for (k = 0; k <= n; k++) {
				for (i = 1; i <= most; i++)
					if (k > 0 && cell[1, i] == less[k]) gone[i] = 1
				all = -2
				for (i = 1; i <= most; i++)
					if (!gone[i]) all += width[i] + 2
				if (all <= 100) break
			}
			for (r = 1; r <= rows; r++) {
				line = ""
				for (i = 1; i <= most; i++)
					if (!gone[i])
						line = line sprintf(i == most ? "%s%s" : "%s%" width[i] "s", \
							i > 1 ? "  " : "", cell[r, i])
				sub(/ +$/, "", line)
				print line
			}
			printf "%s", names
		}'
}
# Print the parts of the report, each after a line with a record separator: reasons against other degrees, the
# conclusion in twelve lines, rows of the table, notes, the run to make next. One program prints all of them: starting
# jq and loading its functions takes longer than any of them.
report_parts() {	# FREE
	local rests="${set[cluster]}" names
	[ "$hardware" = '{}' ] || rests+=" with its own $(jq -r 'keys | join(", ")' <<<"$hardware")"
	[ ${#measured[@]} -eq 0 ] || rests+=", measured: $(printf '%s, ' "${measured[@]##*/}" | sed 's/, $//')"
	names=$(printf '"%s",' "${winners[@]}")
	jq -L "$lib" 'include "search"; def lines: . / "\n" | map(select(. != ""));
		"\u001e", ($why | why_lines($step)),
		"\u001e", (.[0] as $winner | conclusion($winner; $of[0][$winner.name]; $sure | lines; $robust[0];
			($sims | peaks)[$winner.name]; $limit; $free; $rests;
			[$baseline[] | today_line($winner.step_time; $devices)]; next_line($names; $of[0]; $short[0]);
			$assumed | lines)),
		"\u001e", ranking_lines($names; $of[0]; $any[0]; $sims | peaks; $limit; $free),
		"\u001e", ($open | select(. != "")),
		(if $unfit > 0 then "for \($unfit) of the planned configurations no plan was found that fits"
			else empty end),
		($refused[] | "\(.name) is not ranked: \(.why)"),
		($robust[0].others[] | "with \(.when | join(", ")): \(.degrees)" +
			if .by then ", \(.by | percent) shorter" else ", as the winner does not fit" end |
			wrapped),
		"\u001e", ($short[] | run_line)' -r \
		--argjson step "$winner_step" --slurpfile why "$work/why.jsonl" \
		--arg sure "$(<"$work/verdict.txt")" --arg assumed "$(<"$work/assumed.txt")" --arg rests "$rests" \
		--slurpfile of "$work/planned.json" --slurpfile robust "$work/robust.json" \
		--slurpfile sims "$work/sims.jsonl" --slurpfile short "$out/next.jsonl" \
		--argjson limit "$memory_limit" --argjson free "$1" \
		--argjson devices "${set[devices]}" --slurpfile baseline "$work/baseline.jsonl" \
		--argjson names "[${names%,}]" --slurpfile any "$work/any.json" \
		--arg open "$(open_lines)" --argjson unfit "$unfit" --slurpfile refused "$work/refused.jsonl" \
		"$work/ranked.json"
}
# Print the report: the conclusion, the table, notes, and the run to make next. Write reasons against other degrees to
# why.txt.
search_report() {
	local free text table section=()
	free=$(margin_wanted)
	next_write
	text=$(report_parts "$free") || exit 1
	while [[ $text == *$'\x1e'* ]]; do	# the last part first
		section=("${text##*$'\x1e\n'}" "${section[@]}")
		text=${text%$'\x1e'*}
		[ ${#section[@]} -gt 1 ] || [ -z "${section[0]}" ] || section[0]+=$'\n'
	done
	printf '%s' "${section[0]}" | into "$out/why.txt" || exit 1
	table=$(printf '%s' "${section[2]}" | ranking_table)
	printf '%s\n' "${section[1]}" "$table"
	[[ $table != *', tight'* ]] ||
		printf 'tight: less than %s %% free, the error of such peaks; margin: %s in the job keeps it free\n' \
			"$(calc '100 * m' m="$free" | sed 's/\.0*$//')" "$free"
	printf '\n%s' "${section[3]}"
	show "$work/assumed.txt"
	echo "why not other degrees: $out/why.txt, $(wc -l <"$out/why.txt") lines"
	coverage_line
	printf '%s' "${section[4]}"
}

# Print the shares of the winner's operators that were measured, fitted and computed.
coverage_line() {
	local known=()
	if [ -e "$work/kernels.jsonl" ]; then
		[ -z "${set[known]-}" ] || known=(-db "$work/known.jsonl")
		candidates_of "$winner" | cat "$work/kernels.jsonl" - | sapp-fit -j -coverage "${known[@]}" \
			2>/dev/null |
			jq -L "$lib" 'include "search"; select(.kind == "coverage") | coverage_line' -r
	fi
}
# Write next.jsonl: the short run that best determines the best configuration, if any.
next_write() {
	# The winner first, then the best estimates, planned or not.
	jq -L "$lib" 'include "search"; (first($candidates[] | select(.name == $winner))),
		([pairs][] | select(.[1].name != $winner) | .[0])' -c -s --arg winner "$winner" \
		--slurpfile candidates "$work/candidates.jsonl" "$work/estimates.jsonl" | estimate -next 2>/dev/null |
		jq -c --slurpfile c <(cat "$out/measured.jsonl" 2>/dev/null) '($c | map(.name)) as $made |
			select(.kind == "run" and .purpose and (.name | IN($made[]) | not))' | tail -n 1 |
		into "$out/next.jsonl" || exit 1
}

# Print the settings of each winner: its name, file, text, and the way to use it.
settings_shown() {
	local name text how='start training with the file'
	case $suffix in
	*.args) how='add the arguments to the command that starts training' ;;
	*.sh) how='start training with the script' ;;
	esac
	for name in "${winners[@]}"; do
		slurp text "$out/$name$suffix"
		printf '%s\0%s\0' "$name" "$text"
	done | jq -R -s -c --arg out "$out" --arg suffix "$suffix" --arg how "$how" '
		rtrimstr("\u0000") / "\u0000" | while(. != []; .[2:]) |
		{ name: .[0], file: "\($out)/\(.[0])\($suffix)", how: $how, text: .[1] }'
}
# Write the page: a template whose script draws the records.
page_write() {
	jq -L "$lib" 'include "search";
		page($verdict; $planned[0]; $estimates; $baseline[0]; $why; $any[0]; $sims; $limit;
		($assumed / "\n") | map(select(. != "")); $robust[0]; $free; $todo) +
		{ conclusion: $conclusion | conclusion_lines }' -c \
		--arg assumed "$(<"$work/assumed.txt")" --slurpfile robust "$work/robust.json" \
		--arg conclusion "$(sed '/^$/,$d' "$out/report.txt")" \
		--arg verdict "$(<"$work/verdict.txt")" --slurpfile planned "$work/planned.json" \
		--slurpfile estimates "$work/estimates.jsonl" \
		--slurpfile baseline "$work/baseline.jsonl" --slurpfile why "$work/why.jsonl" \
		--slurpfile any "$work/any.json" --slurpfile sims "$work/sims.jsonl" \
		--argjson free "$(margin_wanted)" --slurpfile todo <(settings_shown) \
		--argjson limit "$memory_limit" "$work/ranked.json" >"$work/page.new" || exit 1
	awk -v data="$work/page.new" '
		i = index($0, "@DATA@") {
			getline json <data
			gsub(/</, "\\u003c", json)
			print substr($0, 1, i - 1) json substr($0, i + 6)
			next
		}
		{ print }' "$share/search.html" | into "$out/search.html" || exit 1
}
