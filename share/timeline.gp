# Blocks of every stage over time, above the memory of every stage.
# sapp-plot defines $block $number $memory $peak $limit and the places of the panels in pixels.
x(p) = p / W
y(p) = 1 - p / H
set multiplot

set lmargin at screen x(LEFT); set rmargin at screen x(RIGHT)
set xrange [0:SPAN]
set border lc rgb "#777777"
set tics nomirror out scale 0.5 textcolor rgb "#222222"
unset key
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

unset object 1
set tmargin at screen y(MEMORY_TOP); set bmargin at screen y(MEMORY_BOTTOM)
set yrange [MEMORY_LOW:MEMORY_HIGH]
set ytics autofreq format "%.0f"
set grid ytics lt 1 lc rgb "#e4e4e4"
set label 1 "memory, MB" at screen x(1.2 * FONT), screen y((MEMORY_TOP + MEMORY_BOTTOM) / 2) rotate by 90 center
set label 2 "time, ms" at screen x((LEFT + RIGHT) / 2), screen y(MEMORY_BOTTOM + 3 * FONT) center
eval "set xtics ".TICS
if (|$limit| > 0) {
	plot $memory using 1:2:3 with lines lw 1 lc rgb variable, \
	     $limit using 1:2:($3-$1):(0):4 with vectors nohead lw 1.5 dt 2 lc rgb variable, \
	     $peak using 1:2:3 with points pt 7 ps 0.4 lc rgb variable
} else {
	plot $memory using 1:2:3 with lines lw 1 lc rgb variable, \
	     $peak using 1:2:3 with points pt 7 ps 0.4 lc rgb variable
}

load SHARE."/page.gp"
unset multiplot
