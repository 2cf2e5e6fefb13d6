# SPDX-License-Identifier: MIT
#
# The plots of plot.sh, which sets kind, data, out, device and what. `ladder` reads lines of number,
# label, GCUPS (0: stopped) and class; `time` reads blocks of distance and seconds: real pairs,
# generated pairs, real pairs on PoCL, pairs by the bit-parallel engine; `divergence` a block for
# each length and one of crossings, and `batch` one for each share of errors, as plot.sh says;
# `whole_genome` reads lines of number, label, seconds, and 1 where a program was stopped.

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
}
if (kind eq 'whole_genome') {
    set terminal pngcairo size 1200,460 font "DejaVu Sans,13" background rgb "white"
    set output out
    set title "Whole commands on two haplotypes, ".what."\n".device font ",15" noenhanced
    set xlabel "seconds of wall time"
    unset grid
    set grid x lc rgb "#dddddd" lt 1
    set style fill solid 0.9 noborder
    set yrange [*:*] reverse
    set xrange [0:*]
    set offsets 0, 30, 0.6, 0.6
    set lmargin 32
    set ytics font ",12" noenhanced
    colour(stopped) = stopped > 0 ? 0x999999 : 0x3b75af
    plot data using (column(3) / 2):1:(column(3) / 2):(0.36):(colour(column(4))):ytic(2) \
             with boxxyerrorbars lc rgb variable notitle, \
         data using 3:1:(sprintf(column(4) > 0 ? " stopped after %.0f s" : " %.0f s", column(3))) \
             with labels left notitle
}
if (kind eq 'divergence') {
    set terminal pngcairo size 1300,860 font "DejaVu Sans,13" background rgb "white"
    set output out
    set title "The two engines, and what auto makes of them\n".device font ",15" noenhanced
    set xlabel "edit distance / longer length"
    set ylabel "time of packing and solving"
    set logscale xy
    set xtics ("0.01 %%" 0.01, "0.1 %%" 0.1, "1 %%" 1, "10 %%" 10, "50 %%" 50)
    set ytics ("1 ms" 1e-3, "10 ms" 1e-2, "0.1 s" 0.1, "1 s" 1, "10 s" 10, "100 s" 100, \
               "1000 s" 1e3)
    set grid x y lc rgb "#e4e4e4" lt 1
    stats data using 2 nooutput
    lengths = STATS_blocks - 1
    set xrange [0.007:110]
    set key top left reverse Left samplen 3 spacing 1.25 box lc rgb "#cccccc" opaque width 1
    colours = "#f0a030 #e4604e #c03a86 #8a35a8 #4f46b8 #1d2f6f"
    colour(i) = word(colours, (i - 1) % words(colours) + 1)
    is(n, kind) = column(6) == kind ? column(n) : 1/0
    end(i) = column(0) == last_of(i) ? column(5) : 1/0
    array rows[lengths]
    do for [i=1:lengths] {
        stats data index i - 1 using 2 nooutput
        rows[i] = STATS_records
    }
    last_of(i) = rows[i] - 1
    plot for [i=1:lengths] data index i-1 using 2:3 with lines dt (14,7) lw 2.2 \
             lc rgb colour(i) notitle, \
         for [i=1:lengths] data index i-1 using 2:4 with lines dt (2,5) lw 2.6 \
             lc rgb colour(i) notitle, \
         for [i=1:lengths] data index i-1 using 2:5 with points pt 7 ps 2.1 lc rgb "white" \
             notitle, \
         for [i=1:lengths] data index i-1 using 2:(is(5, 1)) with points pt 7 ps 1.5 \
             lc rgb colour(i) notitle, \
         for [i=1:lengths] data index i-1 using 2:(is(5, 0)) with points pt 13 ps 2.1 \
             lc rgb colour(i) notitle, \
         for [i=1:lengths] data index i-1 using 2:(end(i)):1 with labels left offset 1.4,0 \
             tc rgb colour(i) font ",13" notitle, \
         data index lengths using 1:2 with points pt 6 ps 3.4 lw 1.6 lc rgb "#222222" notitle, \
         NaN with lines dt (14,7) lw 2.2 lc rgb "#555555" title "wavefront alone", \
         NaN with lines dt (2,5) lw 2.6 lc rgb "#555555" title "bit-parallel alone", \
         NaN with points pt 7 ps 1.5 lc rgb "#555555" title "auto, ended as wavefront", \
         NaN with points pt 13 ps 2.1 lc rgb "#555555" title "auto, ended as bit-parallel", \
         NaN with points pt 6 ps 3.4 lw 1.6 lc rgb "#222222" title "where the engines cross"
}
if (kind eq 'batch') {
    set terminal pngcairo size 1300,860 font "DejaVu Sans,13" background rgb "white"
    set output out
    set title "Many short pairs, distance and CIGAR\n".device font ",15" noenhanced
    set xlabel "length (bp)"
    set ylabel "pairs a second"
    set logscale xy
    set format y "10^{%T}"
    set xtics (100, 150, 250, 500, "1,000" 1000, "2,000" 2000, "5,000" 5000)
    set grid x y lc rgb "#e4e4e4" lt 1
    stats data using 2 nooutput
    shares = STATS_blocks
    set xrange [90:7000]
    set key bottom left reverse Left samplen 3 spacing 1.25 box lc rgb "#cccccc" opaque width 1
    colours = "#f0a030 #e4604e #c03a86 #8a35a8 #4f46b8 #1d2f6f"
    colour(i) = word(colours, (i - 1) % words(colours) + 1)
    array rows[shares]
    do for [i=1:shares] {
        stats data index i - 1 using 2 nooutput
        rows[i] = STATS_records
    }
    end(i) = column(0) == rows[i] - 1 ? column(3) : 1/0
    plot for [i=1:shares] data index i-1 using 2:5 with lines dt (14,7) lw 2.2 \
             lc rgb colour(i) notitle, \
         for [i=1:shares] data index i-1 using 2:4 with lines dt (2,5) lw 2.6 \
             lc rgb colour(i) notitle, \
         for [i=1:shares] data index i-1 using 2:3 with linespoints pt 7 ps 1.5 lw 2.2 \
             lc rgb colour(i) notitle, \
         for [i=1:shares] data index i-1 using 2:(end(i)):(sprintf("%g %%", column(1))) \
             with labels left offset 1.4,0 tc rgb colour(i) font ",13" notitle, \
         NaN with linespoints pt 7 ps 1.5 lw 2.2 lc rgb "#555555" title "Rhomb", \
         NaN with lines dt (14,7) lw 2.2 lc rgb "#555555" title "WFA2-lib, ".what, \
         NaN with lines dt (2,5) lw 2.6 lc rgb "#555555" title "edlib, ".what
}
if (kind eq 'time') {
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
