#!/bin/sh
# sapp-plot: every file type, the content of pictures, that text neither overlaps nor is cut, refused input.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)

# pipeline NAME STAGES CHUNKS MICRO SCHEDULE [LIMIT]: simulated blocks of an uneven pipeline
pipeline() {
	jq -nc --arg name "$1" --argjson p "$2" --argjson v "$3" --argjson m "$4" --arg s "$5" \
		'{kind: "chunks", name: $name,
		schedule: $s, micro_batches: $m,
		forward: [range($v) as $c | [range($p) as $i | 100 + ($i * 7 + $c * 3) % 11 * 5]],
		recompute: [range($v) as $c | [range($p) as $i | 20 * ($i % 3)]],
		activation: [range($v) as $c | [range($p) as $i | 900 / $v + $i]],
		parameter: [range($p) as $i | 9000 + 137 * $i]}' |
		sapp-sim -e -j ${6:+-mem "$6"}
}
# texts FILE: print the texts of an SVG, one per line
texts() { sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' "$1" | sed 's/<[^>]*>//g; s/&#160;/ /g'; }
says() {
	if texts "$2" | grep -qF -- "$3"; then ok "$1"; else not_ok "$1"; { echo "nowhere: $3"; texts "$2"; } | diag; fi
}
# legible NAME FILE...
legible() {
	name=$1; shift
	perl "$here/overlap.pl" "$@" >"$tmp/overlap"
	if [ -s "$tmp/overlap" ]; then not_ok "$name"; head -5 "$tmp/overlap" | diag; else ok "$name"; fi
}

pipeline small 4 1 8 1f1b 12000 >"$tmp/small"
pipeline deep 16 3 32 vpp-less 30000 >"$tmp/deep"
pipeline wide 64 1 64 1f1b 80000 >"$tmp/wide"
pipeline long 8 2 700 vpp 20000 >"$tmp/long"
pipeline gpipe 6 1 3000 gpipe >"$tmp/gpipe"
pipeline one 1 1 1 1f1b >"$tmp/one"

check 'SVG' sapp-plot -o "$tmp/small.svg" "$tmp/small"
check 'it is SVG' grep -q '<svg' "$tmp/small.svg"
check 'PNG' sapp-plot -o "$tmp/small.png" "$tmp/small"
same 'it is PNG of the usual size' '89504e470d0a1a0a 1080 720' "$(od -An -tx1 -N8 "$tmp/small.png" | tr -d ' ') \
$(od -An -tu1 -j16 -N8 "$tmp/small.png" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')"
check 'PDF' sapp-plot -o "$tmp/small.pdf" "$tmp/small"
same 'it is PDF' '%PDF' "$(head -c 4 "$tmp/small.pdf")"
sapp-plot -size 1600x500 -o "$tmp/size.png" "$tmp/small"
same 'another size' '1600 500' "$(od -An -tu1 -j16 -N8 "$tmp/size.png" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')"
check 'standard input' sh -c 'sapp-plot -o "$1/in.svg" <"$1/small" && cmp "$1/in.svg" "$1/small.svg"' sh "$tmp"

# One rectangle per block, in the colour of its phase, and one in the legend.
same 'forward blocks' 33 "$(sed -n '/gnuplot_plot_1/,/<\/g>$/p' "$tmp/small.svg" | grep -c 'rgb.*0, 114, 178')"
same 'backward blocks' 33 "$(sed -n '/gnuplot_plot_1/,/<\/g>$/p' "$tmp/small.svg" | grep -c 'rgb.*230, 159,   0')"
# A wide and a narrow kind of block: numbers on all of them or on none.
for backward in 1 40; do
	echo '{"kind":"chunks","name":"c","schedule":"1f1b","micro_batches":12,"forward":[1,1],"backward":[B,B]}' |
		sed "s/B/$backward/g" |
		sapp-sim -e | sapp-plot -o "$tmp/numbers.$backward.svg"
done
same 'numbers on all blocks' 4 "$(texts "$tmp/numbers.1.svg" | grep -cx 11)"
same 'or on none, where some are too narrow' 0 "$(texts "$tmp/numbers.40.svg" | grep -cx 11)"
says 'the title says how large, in which order' "$tmp/small.svg" '4 stages × 1 chunk × 8 micro-batches, 1f1b'
same 'micro-batch numbers' 16 "$(texts "$tmp/small.svg" | grep -cx 7 | awk '{ print 2 * $1 }')"
step=$(jq -r 'select(.kind=="sim").step_time' "$tmp/small")
says 'the step time' "$tmp/small.svg" "step time $step ms"
says 'the bubble' "$tmp/small.svg" \
	"$(jq -r 'select(.kind=="sim").bubble.real' "$tmp/small" | awk '{ printf "bubble %.4f", $1 }')"
says 'the limit' "$tmp/small.svg" 'limit 12000'
for s in 0 1 2 3; do
	says "peak of stage $s" "$tmp/small.svg" \
		"$(jq -r --argjson s $s 'select(.kind=="sim").peak_memory[$s]' "$tmp/small" |
		awk '{ printf "%.0f", $1 }')"
done
says 'the name' "$tmp/small.svg" small
sapp-plot -title 'a <title> & "more" _x^2' -o "$tmp/title.svg" "$tmp/small"
says 'a title, to the letter' "$tmp/title.svg" 'a &lt;title> &amp; '\''more'\'' _x^2'

for f in deep wide long gpipe one; do check "$f" sapp-plot -o "$tmp/$f.svg" "$tmp/$f"; done
says 'chunks in the legend' "$tmp/deep.svg" 'forward, chunk 0 … 2'
says 'folding is said' "$tmp/long.svg" 'steady part folded'
says 'thinning is said' "$tmp/gpipe.svg" 'blocks narrower than a pixel'
check 'a long pipeline makes a short file' test "$(wc -c <"$tmp/gpipe.svg")" -lt 2000000
legible 'no text overlaps' "$tmp"/*.svg
pipeline weights 4 2 8 zbv 14000 >"$tmp/weights"
pipeline mirrored 8 1 20 dualpipe >"$tmp/mirrored"
long='a title that is much longer than any page is wide, and goes on, and on, until it cannot go on'
for size in 400x400 $(draws '' '640x480 800x1200') 2400x1350; do
	for f in small deep wide long weights; do
		sapp-plot -size $size -title "$long, $long" -o "$tmp/$f.$size.svg" "$tmp/$f"
		sapp-plot -size $size -stages -o "$tmp/$f-stages.$size.svg" "$tmp/$f"
	done
	cat "$tmp/small" "$tmp/deep" "$tmp/weights" |
		sapp-plot -size $size -compare -title "$long, $long" -o "$tmp/compare.$size.svg"
	legible "no text overlaps at $size" "$tmp"/*.$size.svg
done

says 'a title too long is cut' "$tmp/small.400x400.svg" '…'
says 'a narrow comparison keeps what matters' "$tmp/compare.400x400.svg" 'DOES NOT FIT'
says 'a narrow legend is brief' "$tmp/compare.400x400.svg" 'W'

# Blocks that run together are not counted twice: idle time is that of the simulator.
sapp-plot -stages -o "$tmp/mirrored.svg" "$tmp/mirrored"
same 'idle time of every stage' "$(jq -r \
	'select(.kind == "sim") | .step_time as $t | .idle | [.fill, .forward, .backward, .comm, .drain] | transpose[] |
	add / $t * 1000 | round / 10' "$tmp/mirrored" | xargs printf '%.1f %%\n')" \
	"$(texts "$tmp/mirrored.svg" | grep ' %$')"
same 'recomputation in proportion' 'recompute' "$(texts "$tmp/mirrored.svg" | grep '^recompute')"

# The curves have the memory of the blocks: MB ms under each curve, from the data for gnuplot.
mkdir "$tmp/read"
printf '#!/bin/sh\ncat >"%s/program"\necho "<svg/>"\n' "$tmp" >"$tmp/read/gnuplot"
chmod +x "$tmp/read/gnuplot"
jq -nc '{kind: "chunks", name: "waits", schedule: "1f1b", micro_batches: 3, forward: [1, 1, 9000], activation: 500,
	parameter: 100}' |
	sapp-sim -e >"$tmp/waits"
for f in small waits weights mirrored; do
	PATH="$tmp/read:$PATH" sapp-plot -o "$tmp/area.svg" "$tmp/$f"
	jq -rs '(map(select(.kind == "sim"))[0].step_time) as $step | map(select(.kind == "block")) |
		group_by(.stage)[] | sort_by(.start, .end) |
		. as $b | [range(length) |
		$b[.].memory * ((if . + 1 < ($b | length) then $b[. + 1].end else $step end) - $b[.].end)] |
		add + $b[0].end * $b[-1].memory' "$tmp/$f" >"$tmp/want"
	sed -n '/^\$memory/,/^EOD/p' "$tmp/program" | awk '/^[0-9]/ { if (n++) area += y * ($1 - x); x = $1; y = $2 }
		/^$/ { printf "%.9g\n", area; n = area = 0 }' >"$tmp/got"
	check "$f: memory under the curves" sh -c 'test "$(wc -l <"$1/want")" -gt 1 && paste "$1/want" "$1/got" |
		awk "{ d = \$2 / \$1 - 1; if (d * d > 1e-4) { print; bad = 1 } } END { exit bad }"' sh "$tmp"
done

# Transient memory is also in the areas, the shades and the rows of characters.
for stages in 3 64; do
	jq -nc --argjson n $stages '{kind: "chunks", name: "spikes", schedule: "1f1b", micro_batches: 4,
		forward: [range($n) | 100], activation: 10, parameter: 100, transient: 500}' |
		sapp-sim -e >"$tmp/spikes.$stages"
	PATH="$tmp/read:$PATH" sapp-plot -o "$tmp/area.svg" "$tmp/spikes.$stages"
	cp "$tmp/program" "$tmp/program.$stages"
done
same 'the most that is drawn is the peak' \
	"$(jq 'select(.kind == "sim").peak_memory[]' "$tmp/spikes.3" | xargs)" \
	"$(sed -n '/^\$memory/,/^EOD/p' "$tmp/program.3" |
	awk '/^[0-9]/ && $2 > m { m = $2 } /^EOD/ { print m; m = 0 }' | xargs)"
same 'operations with spikes are dark in shades' 64 "$(sed -n '/^\$shade/,/^EOD/p' "$tmp/program.64" |
	awk '/^[0-9]/ && $5 < 4210752 { dark[$3] = 1 } END { for (s in dark) n++; print n + 0 }')"
same 'and in letters' 9 "$(COLUMNS=80 LINES=50 sapp-plot -term "$tmp/spikes.3" |
	sed -n 's/^  2 \([0-9]*\) .* MB$/\1/p' |
	grep -o . | sort -n | tail -n 1)"

# Several.
cat "$tmp/small" "$tmp/deep" "$tmp/long" "$tmp/wide" >"$tmp/all"
sapp-plot -compare -o "$tmp/compare.svg" "$tmp/all" 2>"$tmp/err"
legible 'no text overlaps in a comparison' "$tmp/compare.svg"
same 'no warnings' '' "$(cat "$tmp/err")"
more=$(jq -rs 'map(select(.kind=="sim"))|(.[1].step_time/.[0].step_time-1)*100' "$tmp/all" |
	awk '{ printf "+%.2f %%", $1 }')
says 'a comparison says by how much' "$tmp/compare.svg" "$more"
says 'and who does not fit' "$tmp/compare.svg" 'DOES NOT FIT'
sapp-plot -compare -plan deep -plan small -o "$tmp/compare2.svg" "$tmp/all"
check 'chosen and ordered by name' \
	sh -c 'sed -n "s/.*<text>\(.*\)<\/text>.*/\1/p" "$1" | grep -n "deep:\|small:" | head -1 | grep -q deep' sh \
	"$tmp/compare2.svg"
sapp-plot -o "$tmp/each.svg" "$tmp/all"
check 'one file each without -compare' test -s "$tmp/each.svg" -a -s "$tmp/each_deep.svg" -a -s "$tmp/each_long.svg"
cmp -s "$tmp/each_deep.svg" "$tmp/deep.svg" && ok 'the same as alone' || not_ok 'the same as alone'
jq -c 'if .kind=="sim" then .memory_limit=[12000,11000,10000,9000] else . end' "$tmp/small" |
	sapp-plot -o "$tmp/limits.svg"
says 'a limit for each stage' "$tmp/limits.svg" 'limits 9000 … 12000'

cat "$tmp/small" "$tmp/small" "$tmp/small" | sapp-plot -o "$tmp/joined.svg"
check 'joined files with the same names' test -s "$tmp/joined.svg" -a -s "$tmp/joined_small.svg" \
	-a -s "$tmp/joined_small_2.svg"

long=$(printf '%0300d' 7)
for name in a/b a-b a-b_2 "$long" "${long}8"; do
	jq -c --arg name "$name" 'if .name == "small" then .name = $name else . end |
		if .plan == "small" then .plan = $name else . end' "$tmp/small"
done | cat "$tmp/small" - | sapp-plot -o "$tmp/named.svg"
same 'as many files as plans, whatever these are called' 6 "$(find "$tmp" -name 'named*.svg' -size +1k | wc -l)"

# Schedules that split backwards, and run blocks at the same time.
for s in zb-h1 dualpipe; do
	jq -nc --arg s $s '{kind: "chunks", name: $s, schedule: $s, micro_batches: 12, forward: [range(6) | 100]}' |
		sapp-sim -e
done >"$tmp/split"
sapp-plot -o "$tmp/split.svg" "$tmp/split"
says 'three colours' "$tmp/split.svg" 'weight gradient'
cat "$tmp/small" "$tmp/split" | sapp-plot -compare -o "$tmp/mixed.svg"
says 'a legend for all that are compared' "$tmp/mixed.svg" 'weight gradient'
same 'blocks at the same time take half a row' 'high low' \
	"$(sed -n '/gnuplot_plot_1/,/<\/g>$/p' "$tmp/split_dualpipe.svg" |
	sed -n "s/.*points = '[0-9.]*,\([0-9.]*\) [0-9.]*,[0-9.]* [0-9.]*,\([0-9.]*\) .*/\1 \2/p" |
	awk '{ h = $1 - $2; if (h > 18) print (h > 35) ? "high" : "low" }' | sort -u | xargs)"

# Bars.
for f in small deep wide one; do sapp-plot -stages -o "$tmp/$f.stages.svg" "$tmp/$f"; done
legible 'no text overlaps in bars' "$tmp"/*.stages.svg
says 'recomputation apart, where the stream has it' "$tmp/small.stages.svg" recompute
says 'over the limit' "$tmp/small.stages.svg" 'over the limit'
idle=$(jq -rs '(map(select(.kind=="sim"))[0].step_time) as $t |
	(map(select(.kind=="block" and .stage==0) | .end-.start) | add) / $t |
	100 * (1 - .)' "$tmp/small")
says 'idle time' "$tmp/small.stages.svg" "$(printf '%.1f %%' "$idle")"
grep -v '"kind":"chunks"' "$tmp/small" | sapp-plot -stages -o "$tmp/less.svg"
says 'or that it is not apart' "$tmp/less.svg" 'backward includes recomputation'

# Measurements of a real run, on the bars.
sapp-sim -e -mem 12000 "$tmp/small" | jq -c 'select(.kind == "chunks")' >"$tmp/guess"
for s in 0 1 2 3; do echo "{\"kind\":\"peak\",\"stage\":$s,\"memory\":9000,\"which\":\"used\"}"; done >"$tmp/ran"
sapp-sim -e -compare "$tmp/ran" "$tmp/guess" >"$tmp/compared"
sapp-plot -stages -o "$tmp/compared.svg" "$tmp/compared"
says 'diamonds for what was measured' "$tmp/compared.svg" 'diamonds: measured'
PATH="$tmp/read:$PATH" sapp-plot -stages -o "$tmp/area.svg" "$tmp/compared"
same 'one a stage' 4 "$(sed -n '/^\$page_point/,/^EOD/p' "$tmp/program" | grep -c '^[0-9]')"
legible 'no text overlaps beside a real run' "$tmp/compared.svg"
echo '{"kind":"comparison","name":"other","figures":[],"cause":"none"}' | cat "$tmp/compared" - >"$tmp/bad"
fails 'a real run of nothing that was simulated' 1 "comparison: no sim record before this one has the name 'other'" \
	sapp-plot -stages -o "$tmp/x.svg" "$tmp/bad"

# A sweep.
for v in 1 2 3; do
	for mem in 50000 55000 60000; do
		jq -nc --argjson v $v --argjson mem $mem \
			'{kind:"pipeline",stages:2,micro_batches:8,interleave:$v,schedule:(if $v>1 then "vpp"
			else "1f1b" end),memory_limit:$mem},
			{kind:"plan",name:"x",origin:"planner",schedule:(if $v>1 then "vpp"
			else "1f1b" end),interleave:$v,counts:{},offset:[range($v)|[0,0]],
			recompute:[range($v)|[0,0]],select_recompute:[range($v)|[0,0]],'\
'select_comm_recompute:[range($v)|[0,0]],
			step_time:(9e9/$mem/$v),lower_bound:(8e9/$mem/$v),status:(if $v==3 and $mem==50000
			then "infeasible" else "feasible" end)}'
	done
done >"$tmp/sweep"
sapp-plot -sweep -o "$tmp/sweep.svg" "$tmp/sweep"
legible 'no text overlaps in a sweep' "$tmp/sweep.svg"
for name in 1f1b 'vpp, 2 chunks' 'vpp, 3 chunks' 'no plan fits for 1 question'; do
	says "a sweep says $name" "$tmp/sweep.svg" "$name"; done
fails 'a sweep without plans' 1 'no plan record in the input' sapp-plot -sweep -o "$tmp/x.svg" "$tmp/small"
grep '"kind":"plan"' "$tmp/sweep" >"$tmp/plans"
fails 'plans without questions' 1 'plan: no pipeline record before it' sapp-plot -sweep -o "$tmp/x.svg" "$tmp/plans"
fails 'two pictures at once' 2 '-compare, -stages and -sweep exclude each other' sapp-plot -sweep -stages -o \
	"$tmp/x.svg" \
	"$tmp/sweep"
fails 'a sweep to the terminal' 2 '-sweep: needs -o, and not with -plan' sapp-plot -sweep -term -o "$tmp/x.svg" \
	"$tmp/sweep"

# In the terminal.
COLUMNS=56 sapp-plot -term "$tmp/small" >"$tmp/term"
same 'a line of blocks for each stage' '  0 F' "$(grep -m 1 '^  0 ' "$tmp/term" | cut -c1-5)"
same 'as wide as asked for' 44 "$(grep -m 1 '^  0 ' "$tmp/term" | wc -L)"
for f in small deep weights mirrored; do
	same "$f: not wider than a terminal" '' "$(COLUMNS=80 sapp-plot -term "$tmp/$f" | grep -E '.{81}')"
	same "$f: nor than a narrow one" '' "$(COLUMNS=50 sapp-plot -term "$tmp/$f" | grep -E '.{51}')"
done
check 'on one line where it fits' sh -c 'COLUMNS=140 sapp-plot -term "$1" | head -n 1 | grep -q bubble' sh "$tmp/small"
same 'a line of memory for each stage' 4 "$(grep -c 'MB' "$tmp/term" | awk '{ print $1 - 1 }')"
check 'what is over the limit is marked' grep -q '^  0 .*!.* 12600 MB !$' "$tmp/term"
check 'no colours in a file' sh -c '! grep -q "$(printf "\\033")" "$1"' sh "$tmp/term"
fails 'a full disk in text' 1 'cannot write to standard output' sh -c 'sapp-plot -term "$1" >/dev/full' sh "$tmp/small"

# Sixteen stages in 24 rows, with the memory over time below if there is room.
pipeline sixteen 16 1 16 1f1b 14000 >"$tmp/sixteen"
same 'sixteen stages and a prompt on a terminal' 'true' "$(COLUMNS=80 sapp-plot -term "$tmp/sixteen" | wc -l |
	awk '{ print $1 < 24 ? "true" : $1 }')"
same 'each with its peak and how much of the limit that is' 16 \
	"$(COLUMNS=80 sapp-plot -term "$tmp/sixteen" | grep -cE '^ *[0-9]+ [FB.]+ [0-9]+ MB [0-9]+ %( !)?$')"
same 'in 50 rows with memory over time on lines of its own' 16 \
	"$(COLUMNS=80 LINES=50 sapp-plot -term "$tmp/sixteen" | grep -cE '^ *[0-9]+ .* MB( !)?$')"
if command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	LC_ALL=C.UTF-8 script -qec "stty cols 80 rows 24; sapp-plot -term '$tmp/sixteen'" /dev/null </dev/null |
		tr -d '\r' >"$tmp/coloured"
	check 'in colours' grep -q "$(printf '\033')\[48;5;" "$tmp/coloured"
	same 'and letters, which a copy keeps' "$(COLUMNS=80 sapp-plot -term "$tmp/sixteen" | grep '^ *[0-9]* [FB.]')" \
		"$(sed "s/$(printf '\033')\[[0-9;]*m//g" "$tmp/coloured" | grep '^ *[0-9]* [FB.]')"
else
	skip 'no terminal can be had here'
fi

# The title is also the title of the file; tooltips of browsers do not show the name of gnuplot.
says 'the title of the SVG' "$tmp/small.svg" "$(sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' "$tmp/small.svg" | grep .)"
same 'and of a comparison, what all have in common' '4 strategies' \
	"$(sed -n 's/.*<title>\([^,]*\).*<\/title>.*/\1/p' "$tmp/compare.svg")"
sapp-layers "$top/examples/llama-70b/layers.json" | sapp-lp -s 8 -mb 8 -mem 60000 -t 1 -m llama-70b 2>"$tmp/err" |
	sapp-sim -e >"$tmp/named"
sapp-plot -o "$tmp/named.svg" "$tmp/named"
says 'the model is in the title' "$tmp/named.svg" \
	"$(jq -r 'select(.kind == "model").name' "$tmp/named") · planned-1f1b: 8"
says 'the bubble in both readings' "$tmp/small.svg" "of useful work = "
says 'which says the share of the step' "$tmp/small.svg" \
	"$(jq -r 'select(.kind == "sim") | .bubble | 100 * (.real - (.recompute // 0)) / (1 + .real)' "$tmp/small" |
	xargs printf '%.1f %% of the step idle')"

# Memory: one row per stage from zero, in colours that no phase has; shades if rows are low.
says 'memory by what it is' "$tmp/small.svg" 'activations, rows of '
says 'rows too low for areas have shades' "$tmp/wide.svg" '0 … '
for f in small wide mirrored; do
	PATH="$tmp/read:$PATH" sapp-plot -o "$tmp/area.svg" "$tmp/$f"
	rows=$(grep -c '^\$memory[0-9]' "$tmp/program") shaded=$(sed -n 's/^SHADED = //p' "$tmp/program")
	stages=$(jq 'select(.kind == "sim") | .peak_memory | length' "$tmp/$f")
	[ "$shaded" = 0 ] || rows=$stages
	same "$f: as many rows of memory as stages, or shades" "$stages" "$rows"
done
same 'colours of memory are no colours of blocks' '' "$(grep -oE 'COLOUR_(PARAMETER|ACTIVATION) = 0x[0-9a-f]+' \
	"$top/tools/sapp-plot/colour.h" | sed 's/.*0x//' | while read -r rgb; do
		grep -l "0x$rgb" "$top/tools/sapp-plot/colour.c"; done)"
# The end of the first strategy is a line behind the blocks, so that it does not cross their numbers.
same 'the end of the first one is drawn behind' back "$(sed -n 's/.*set arrow 3 .* nohead \([a-z]*\) .*/\1/p' \
	"$top/share/compare.gp")"

# A page of a sweep, with estimates.
page_data() { perl -0777 -ne 'print $1 if /const DATA = (\{.*?\});\nconst COLOURS/s' "$1"; }
sapp-plot -sweep -o "$tmp/sweep.html" "$tmp/sweep"
page_data "$tmp/sweep.html" >"$tmp/data"
same 'a row of the page for each plan' 9 "$(jq '.tables[0].rows | length' "$tmp/data")"
same 'a line for each schedule' '1f1b / vpp, 2 chunks / vpp, 3 chunks' \
	"$(jq -r '[.charts[0].lines[].name] | join(" / ")' "$tmp/data")"
same 'what does not fit has no step time, and no point' '1 8' \
	"$(jq -r '[([.tables[0].rows[] | select(.[7] == null)] | length),
	([.charts[0].lines[].points[]] | length)] | join(" ")' \
	"$tmp/data")"
same 'steps, bounds and gaps are those of the plans' true "$(jq -s '.[0] as $d |
	[.[1:][] | select(.kind == "plan" and .status != "infeasible") | .step_time] as $t |
	([$d.tables[0].rows[][7] | select(.)] | sort) as $seen |
	[range($t | length) | ($t | sort)[.] / $seen[.] - 1 | fabs] | max < 1e-8' \
	"$tmp/data" "$tmp/sweep")"
sapp-model "$top/examples/moe-64/config.json" 2>"$tmp/err" | sapp-enum -n 64 -gb 512 -cluster h100 2>"$tmp/err" |
	sapp-est -cluster h100 2>"$tmp/err" | sapp-top -k 10 -j >"$tmp/estimates"
sapp-plot -sweep -html "$tmp/estimates" >"$tmp/estimates.html"
page_data "$tmp/estimates.html" >"$tmp/data"
same 'a row for each configuration' "$(grep -c '"kind":"estimate"' "$tmp/estimates")" \
	"$(jq '.tables[] | select(.title | startswith("Config")).rows | length' "$tmp/data")"
same 'with its estimate' "$(jq -r 'select(.kind == "estimate") | .name' "$tmp/estimates" | sort | xargs)" \
	"$(jq -r '.tables[0].rows[][0]' "$tmp/data" | sort | xargs)"
fails 'a page of nothing' 1 'neither plan nor estimate records in the input' sapp-plot -sweep -html "$tmp/small"

# Refused.
fails 'no -o' 2 '-o is missing' sapp-plot "$tmp/small"
fails 'an unknown extension' 2 "does not end in .svg, .png, .pdf or .html 'x.gif'" sapp-plot -o x.gif "$tmp/small"
fails 'a size that is none' 2 "-size: not WIDTHxHEIGHT '100'" sapp-plot -size 100 -o x.svg "$tmp/small"
fails 'a size that no page has' 2 "-size: not WIDTHxHEIGHT '99999999999999999999x500'" sapp-plot \
	-size 99999999999999999999x500 -o x.svg "$tmp/small"
fails 'half a size' 2 "-size: not a whole number ''" sapp-plot -size 500x -o x.svg "$tmp/small"
fails 'a size that is too small' 2 '-size: not between 400' sapp-plot -size 10x10 -o x.svg "$tmp/small"
fails 'empty input' 1 'no sim record in the input' sapp-plot -o "$tmp/x.svg" /dev/null
fails 'not JSON' 1 '<stdin>:1: not a JSON object' sh -c 'echo "{" | sapp-plot -o x.svg'
grep '"kind":"sim"' "$tmp/small" >"$tmp/bare"
fails 'no blocks' 1 "no block records of 'small' to draw; run sapp-sim with -e" sapp-plot -o "$tmp/x.svg" "$tmp/bare"
grep '"kind":"block"' "$tmp/small" >"$tmp/blocks"
fails 'blocks without a simulation' 1 \
	"blocks:1: block: no sim record before this one has the name 'small'" sapp-plot -o "$tmp/x.svg" "$tmp/blocks"
sed 's/"stage":3/"stage":4/' "$tmp/small" >"$tmp/bad"
fails 'a stage that is not there' 1 \
	"block: stage: the simulation 'small' has only 4 stages '4'" sapp-plot -o "$tmp/x.svg" "$tmp/bad"
sed 's/"micro":7/"micro":2147483647/' "$tmp/small" >"$tmp/bad"
fails 'a micro-batch beyond all bounds' 1 'micro below ' sapp-plot -o "$tmp/x.svg" "$tmp/bad"
sed 's/"chunk":0/"chunk":1/' "$tmp/small" >"$tmp/bad"
fails 'a chunk that the simulation does not have' 1 "chunks per stage '" sapp-plot -o "$tmp/x.svg" "$tmp/bad"
echo '{"kind":"chunks","name":"idle","schedule":"1f1b","micro_batches":2,"forward":[0,0]}' | sapp-sim -e >"$tmp/bad"
fails 'a step that takes no time' 1 "bad:2: 'idle' takes no time" sapp-plot -compare -o "$tmp/x.svg" "$tmp/bad"
echo '{"kind":"chunks","name":"mirrored","schedule":"dualpipe","micro_batches":8,"forward":[1,2,2,1]}' |
	sapp-sim -e >"$tmp/mirrored"
echo '{"kind":"chunks","name":"weightless","schedule":"1f1b","micro_batches":2,"forward":[1,1]}' |
	sapp-sim -e >"$tmp/weightless"
for what in -stages -compare ''; do
	# shellcheck disable=SC2086 # several words
	run 0 sapp-plot $what -o "$tmp/x.svg" "$tmp/weightless"
	same "no memory at all: no warning ${what:-of the timeline}" '' "$(cat "$tmp/err")"
done
check 'the second chunk of a schedule that mirrors the first' sapp-plot -o "$tmp/x.svg" "$tmp/mirrored"
fails 'nothing simulated, by its name' 1 'sapp-plot: /dev/null: no sim record' sapp-plot -o "$tmp/x.svg" /dev/null
fails 'nothing planned, by its name' 1 'sapp-plot: /dev/null: no plan record' sapp-plot -sweep -o "$tmp/x.svg" /dev/null
fails 'no such plan' 1 "-plan: no simulation has the name 'x'; there are: small" sapp-plot -plan x -o "$tmp/x.svg" \
	"$tmp/small"
for i in 1 2 3 4 5 6 7 8 9; do sed "s/\"small\"/\"s$i\"/g" "$tmp/small"; done >"$tmp/nine"
fails 'too many to compare' 1 '9 strategies do not fit on a page; choose up to 8' sapp-plot -compare -o "$tmp/x.svg" \
	"$tmp/nine"
fails 'no directory' 1 'cannot be written' sapp-plot -o "$tmp/none/x.svg" "$tmp/small"
fails 'no drawing programs' 1 'the drawing program is missing; set SAPP_SHARE' env SAPP_SHARE="$tmp" sapp-plot -o \
	"$tmp/x.svg" \
	"$tmp/small"
mkdir "$tmp/empty"; tool=$(command -v sapp-plot)
fails 'no gnuplot' 1 'gnuplot is not installed' env PATH="$tmp/empty" "$tool" -o "$tmp/x.svg" "$tmp/small"
mkdir "$tmp/broken"; cp "$top"/share/*.gp "$tmp/broken"; echo 'plot nonsense with nothing' >"$tmp/broken/timeline.gp"
echo before >"$tmp/kept.svg"
mkdir "$tmp/slow" "$tmp/whole"
printf '#!/bin/sh\necho "<svg>"\n: >"%s/started"\nexec sleep 600 <&- >&- 2>&-\n' "$tmp" >"$tmp/slow/gnuplot"
chmod +x "$tmp/slow/gnuplot"
for signal in INT TERM HUP; do
	rm -f "$tmp/started"
	echo before >"$tmp/whole/x.svg"
	# A shell without job control starts it with SIGINT ignored, nohup with SIGHUP: env does not.
	env --default-signal=INT,HUP PATH="$tmp/slow:$PATH" sapp-plot -o "$tmp/whole/x.svg" "$tmp/small" &
	soon "SIG$signal while it is drawn" test -e "$tmp/started"
	kill -s $signal $!
	wait $! 2>"$tmp/null"
	same "SIG$signal: the old file, and nothing else" 'x.svg before' "$(ls "$tmp/whole") $(cat "$tmp/whole/x.svg")"
done
fails 'gnuplot that fails' 1 'gnuplot failed on' env SAPP_SHARE="$tmp/broken" sapp-plot -o "$tmp/kept.svg" "$tmp/small"
same 'and the picture of before kept' before "$(cat "$tmp/kept.svg")"
same 'and nothing beside it' 1 "$(find "$tmp" -name 'kept*' | wc -l)"
ln -s /dev/full "$tmp/full.svg"
fails 'a full disk' 1 'cannot be written' sapp-plot -o "$tmp/full.svg" "$tmp/small"
cp -r "$top/share" "$tmp/sh are's"
check 'a share directory of any name' env SAPP_SHARE="$tmp/sh are's" sapp-plot -o "$tmp/x.svg" "$tmp/small"
done_testing
