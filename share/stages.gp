# Draw bars of time and memory, one pair for each stage.
# sapp-plot defines $time $memory and the positions of the panels in pixels.
x(p) = p / W
y(p) = 1 - p / H
set multiplot

set tmargin at screen y(TOP); set bmargin at screen y(BOTTOM)
set border lc rgb "#777777"
set tics nomirror out scale 0.5 textcolor rgb "#222222"
unset key; set key noautotitle
set style fill solid 1 noborder
set yrange [STAGES - 0.5:-0.5]
set ytics 0, STAGE_STEP

set lmargin at screen x(TIME_LEFT); set rmargin at screen x(TIME_RIGHT)
set xrange [0:TIME_MOST]
set xtics 0, TIME_STEP format "%.10g"
set label 1 "stage" at screen x(1.2 * FONT), screen y((TOP + BOTTOM) / 2) rotate by 90 center
set label 2 "time in a step, ms" at screen x((TIME_LEFT + TIME_RIGHT) / 2), screen y(BOTTOM + 3 * FONT) center
plot $time using 1:3:1:2:($3-0.4):($3+0.4):4 with boxxyerror fc rgb variable
unset label 1

set lmargin at screen x(MEMORY_LEFT); set rmargin at screen x(MEMORY_RIGHT)
set xrange [0:MEMORY_MOST]
set xtics 0, MEMORY_STEP format "%.10g"
set ytics 0, STAGE_STEP format ""
set label 2 "memory at the peak, MB" at screen x((MEMORY_LEFT + MEMORY_RIGHT) / 2), screen y(BOTTOM + 3 * FONT) center
plot $memory using 1:3:1:2:($3-0.4):($3+0.4):4 with boxxyerror fc rgb variable

load SHARE."/page.gp"
unset multiplot
