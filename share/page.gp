# Draw text and boxes at positions in pixels from the top left corner of the page.
reset
set encoding utf8
set datafile separator "\t"
set datafile commentschars ''
set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0
set xrange [0:W]; set yrange [H:0]
unset border; unset tics; unset key; set key noautotitle
set style fill solid 1 noborder
if (|$page_box| > 0) plot $page_box using 1:2:1:3:2:4:5 with boxxyerror fc rgb variable
if (|$page_line| > 0) plot $page_line using 1:2:3:(0):4 with vectors nohead lw 1.5 dt 2 lc rgb variable
if (|$page_point| > 0) plot $page_point using 1:2:3:4 with points pt variable ps 0.9 lc rgb variable
if (|$page_title| > 0) plot $page_title using 1:2:4:3 with labels left noenhanced font sprintf(",%g", 1.25 * FONT * SCALE) tc rgb variable
if (|$page_left| > 0) plot $page_left using 1:2:4:3 with labels left noenhanced tc rgb variable
if (|$page_right| > 0) plot $page_right using 1:2:4:3 with labels right noenhanced tc rgb variable
if (|$page_centre| > 0) plot $page_centre using 1:2:4:3 with labels center noenhanced tc rgb variable
