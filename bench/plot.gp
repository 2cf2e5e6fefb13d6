# SPDX-License-Identifier: MIT
#
# The plots of plot.sh, which sets kind, data, out, device and what. `ladder` reads lines of number,
# label, GCUPS (0: stopped) and class; `time` reads blocks of distance and seconds: real pairs,
# generated pairs, real pairs on PoCL, pairs by the bit-parallel engine.

set terminal pngcairo size 1200,700 font "DejaVu Sans,13" background rgb "white"
set output out
set border 3 lc rgb "#444444"
set tics nomirror out
set grid y lc rgb "#dddddd" lt 1

if (kind eq 'ladder') {
    set title "What each step brings: ".what."\n".device font ",15" noenhanced
    set ylabel "GCUPS (target length × query length / solve time / 10^9)"
    set xtics rotate by -50 font ",11" noenhanced
    set xrange [0.3:*]
    set yrange [0:*]
    set offsets 0, 0.7, 0, 0
    set style fill solid 0.9 noborder
    set boxwidth 0.75
    set key top left reverse Left samplen 1
    set bmargin 9
    class(n) = column(4) == n ? column(3) : 1/0
    done(i) = column(i) > 0 ? column(i) : 1/0
    plot data using 1:(class(0)):xtic(2) with boxes lc rgb "#999999" \
             title "diamond, all diagonals", \
         data using 1:(class(1)) with boxes lc rgb "#3b75af" title "diamond, pruned", \
         data using 1:(class(2)) with boxes lc rgb "#ef8636" title "trapezoid, pruned", \
         data using 1:(done(3)):(sprintf("%.0f", column(3))) with labels offset 0,0.6 font ",9" \
             notitle, \
         data using 1:(column(3) > 0 ? 1/0 : 0):("not run to the end") with labels rotate left \
             font ",10" offset 0,0.4 notitle
} else {
    set title "Solve time against distance\n".device font ",15" noenhanced
    set xlabel "edit distance"
    set ylabel "solve time (s)"
    set logscale xy
    set grid x y lc rgb "#dddddd" lt 1
    set format x "10^{%T}"
    set format y "10^{%T}"
    set key bottom right reverse Left
    set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05
    plot data index 0 using 1:2 with points pt 7 ps 1.6 lc rgb "#ef8636" \
             title "real pairs, wavefront", \
         data index 1 using 1:2 with points pt 5 ps 1.4 lc rgb "#3b75af" \
             title "generated pairs, wavefront", \
         data index 2 using 1:2 with points pt 9 ps 1.7 lc rgb "#777777" title what, \
         data index 3 using 1:2 with points pt 13 ps 2 lc rgb "#3a9a5b" \
             title "both kinds, bit-parallel"
}
