# Draw the blocks of several strategies on one time axis, with the peaks of their stages.
# sapp-plot defines $block1 $number1 $peak1 $limit1 ... and the positions of the panels in pixels.
x(p) = p / W
y(p) = 1 - p / H
set multiplot

set border lc rgb "#777777"
set tics nomirror out scale 0.5 textcolor rgb "#222222"
unset key; set key noautotitle
set style fill solid 1 noborder

do for [i=1:N] {
	set tmargin at screen y(BLOCKS_TOP[i]); set bmargin at screen y(BLOCKS_BOTTOM[i])
	set yrange [STAGES[i] - 0.5:-0.5]

	set lmargin at screen x(LEFT); set rmargin at screen x(RIGHT)
	set xrange [0:SPAN]
	set ytics 0, STAGE_STEP[i] format "%g"
	eval "set xtics ".(i < N ? MARKS : TICS)
	set label 1 "stage" at screen x(1.2 * FONT), screen y((BLOCKS_TOP[i] + BLOCKS_BOTTOM[i]) / 2) rotate by 90 center
	if (i == N) {
		set label 2 TIME at screen x((LEFT + RIGHT) / 2), screen y(BLOCKS_BOTTOM[i] + 3 * FONT) center
	}
	set object 1 rectangle from graph 0, graph 0 to first END[i], graph 1 behind fc rgb IDLE fs solid 1 noborder
	# The line is behind the blocks, so that it does not cross their numbers, and in front above and below them.
	# them.
	set arrow 3 from first END[1], graph 0 to first END[1], graph 1 nohead back dt 2 lw 1.5 lc rgb "black"
	if (FOLD) {
		set object 2 rectangle from first FOLD_FROM, graph 0 to first FOLD_TO, graph 1 front fc rgb "white" fs solid 1 noborder
		set arrow 1 from first FOLD_FROM, graph 0 to first FOLD_FROM, graph 1 nohead front dt 3 lc rgb "#777777"
		set arrow 2 from first FOLD_TO, graph 0 to first FOLD_TO, graph 1 nohead front dt 3 lc rgb "#777777"
	}
	eval sprintf("plot $block%d using 1:3:1:2:3:4:5 with boxxyerror fc rgb variable", i).\
	    (value(sprintf("NUMBERS%d", i)) ? sprintf(", $number%d using 1:2:4:3 with labels center noenhanced font ',%g' tc rgb variable", i, LETTER[i] * SCALE) : "")
	unset object
	unset arrow
	unset label

	set lmargin at screen x(BARS_LEFT); set rmargin at screen x(BARS_RIGHT)
	set xrange [0:MEMORY_HIGH]
	unset xtics
	if (i == N) { set xtics MEMORY_STEP format "%.0f" }
	set ytics 0, STAGE_STEP[i] format ""
	set grid xtics lt 1 lc rgb "#e4e4e4"
	eval sprintf("plot $peak%d using 1:3:1:2:($3-0.4):($3+0.4):4 with boxxyerror fc rgb variable", i).\
	    (value(sprintf("LIMITS%d", i)) ? sprintf(", $limit%d using 1:2:(0):4:3 with vectors nohead dt 2 lw 1.5 lc rgb variable", i) : "")
	unset grid
}

load SHARE."/page.gp"
unset multiplot
