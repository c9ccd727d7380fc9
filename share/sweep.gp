# Draw step time against memory limit. sapp-plot defines $plans $bounds and the position of the panel in pixels.
x(p) = p / W
y(p) = 1 - p / H
set multiplot

set lmargin at screen x(LEFT); set rmargin at screen x(RIGHT)
set tmargin at screen y(TOP); set bmargin at screen y(BOTTOM)
set border lc rgb "#777777"
set tics nomirror out scale 0.5 textcolor rgb "#222222"
set grid lt 1 lc rgb "#e4e4e4"
unset key; set key noautotitle
set xrange [FROM:TO]; set yrange [LOW:HIGH]
set xtics STEP format "%.10g"
set ytics format "%.10g"
set label 1 WHAT at screen x(1.2 * FONT), screen y((TOP + BOTTOM) / 2) rotate by 90 center
set label 2 "memory limit, MB" at screen x((LEFT + RIGHT) / 2), screen y(BOTTOM + 3 * FONT) center
lines = "$plans using 1:2:3 with lines lw 1.5 lc rgb variable, $plans using 1:2:4:3 with points pt variable ps 0.9 lc rgb variable"
bounds = "$bounds using 1:2:3 with lines lw 1 dt 2 lc rgb variable"
eval "plot ".lines.(BOUNDS ? ", ".bounds : "")

load SHARE."/page.gp"
unset multiplot
