# Draw the blocks of every stage over time, and below them the memory of every stage.
# sapp-plot defines $block $number, $memory0 ... or $shade, $stage $limit, and the positions of the panels in pixels.
x(p) = p / W
y(p) = 1 - p / H
set multiplot

set lmargin at screen x(LEFT); set rmargin at screen x(RIGHT)
set xrange [0:SPAN]
set border lc rgb "#777777"
set tics nomirror out scale 0.5 textcolor rgb "#222222"
unset key; set key noautotitle
set style fill solid 1 noborder

set tmargin at screen y(BLOCKS_TOP); set bmargin at screen y(BLOCKS_BOTTOM)
set yrange [STAGES - 0.5:-0.5]
set ytics 0, STAGE_STEP
set label 1 "stage" at screen x(1.2 * FONT), screen y((BLOCKS_TOP + BLOCKS_BOTTOM) / 2) rotate by 90 center
eval "set xtics ".MARKS
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fc rgb IDLE fs solid 1 noborder
if (FOLD) {
	set object 2 rectangle from first FOLD_FROM, graph 0 to first FOLD_TO, graph 1 front fc rgb "white" fs solid 1 noborder
	set arrow 1 from first FOLD_FROM, graph 0 to first FOLD_FROM, graph 1 nohead front dt 3 lc rgb "#777777"
	set arrow 2 from first FOLD_TO, graph 0 to first FOLD_TO, graph 1 nohead front dt 3 lc rgb "#777777"
}
if (|$number| > 0) {
	plot $block using 1:3:1:2:3:4:5 with boxxyerror fc rgb variable, \
	     $number using 1:2:4:3 with labels center noenhanced font sprintf(",%g", NUMBER_FONT * SCALE) tc rgb variable
} else {
	plot $block using 1:3:1:2:3:4:5 with boxxyerror fc rgb variable
}

# Each stage has a row; nine tenths of it show the memory from zero.
unset object 1
set tmargin at screen y(MEMORY_TOP); set bmargin at screen y(MEMORY_BOTTOM)
set ytics 0, MEMORY_STAGE_STEP
set label 1 MEMORY_LABEL at screen x(1.2 * FONT), screen y((MEMORY_TOP + MEMORY_BOTTOM) / 2) rotate by 90 center
set label 2 TIME at screen x((LEFT + RIGHT) / 2), screen y(MEMORY_BOTTOM + 3 * FONT) center
eval "set xtics ".TICS
base(s) = s + 0.45
at(s, mb) = base(s) - 0.9 * (mb > 0 ? mb : 0) / MEMORY_HIGH
least(a, b) = a < b ? a : b
most(a, b) = a > b ? a : b
if (SHADED) {
	plot $shade using 1:3:1:2:3:4:5 with boxxyerror fc rgb variable
} else {
	areas = ""; over = ""
	do for [s = 0:STAGES - 1] {
		limit = real(word($stage[s + 1], 3))
		areas = areas.sprintf("$memory%d using 1:(at(%d, least($2, %.9g))) with filledcurves y=%g fc rgb ACTIVATION, ", s, s, limit, base(s))
		if (int(word($stage[s + 1], 4))) {
			over = over.sprintf(", $memory%d using 1:(at(%d, most($2, %.9g))) with filledcurves y=%.9g fc rgb OVER", s, s, limit, at(s, limit))
		}
	}
	limits = |$limit| > 0 ? ", $limit using 1:(at($4, $2)):3:(0) with vectors nohead lw 0.6 dt 2 lc rgb LIMIT" : ""
	eval "plot ".areas."$stage using (0):1:(0):(SPAN):(at($1, least($2, $3))):(base($1)) with boxxyerror fc rgb PARAMETER".over.limits
}

load SHARE."/page.gp"
unset multiplot
