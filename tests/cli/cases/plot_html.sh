# SPDX-License-Identifier: MIT
# needs: plot
# needs: command chromium
# Plots as HTML, in a browser: its script runs, knows the sequences, and zooms.
path=$(awk 'BEGIN { for (i = 0; i < 100; i++) printf "99=1X" }')
for i in 1 2; do
    printf 'q<%d>\t10000\t0\t10000\t+\tt&"</script>%d\t10000\t0\t10000\t0\t0\t255\tcg:Z:%s\n' $i $i "$path"
done >out.paf
awk -F '\t' -v OFS='\t' 'NR == 1 { $1 = "q"; $6 = "t:1" } { print }' out.paf >plain.paf
try rhomb plot out.paf --title 'A <title>' -o odd.html
try rhomb plot plain.paf -o plain.html
try rhomb plot --format html -o - plain.paf | grep -c -E 'https?://[^w]'
# browse FILE[#HASH]: what the page looks like once its script has run, and errors of that.
browse()
{
    echo "- $1"
    HOME=$PWD timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --user-data-dir="$PWD/browser" --enable-logging=stderr --dump-dom "file://$PWD/$1" \
        >dom 2>messages
    grep -o -E 'data-rhomb="[^"]*"|data-range="[^"]*"|<title>.*</title>|<h1>.*</h1>' dom
    grep -o 'viewBox="[^"]*"' dom | awk -F '[" ]' '{ print "width", $4 < 900 ? "zoomed" : $4 }'
    sed -n '/id="pairs"/,/table>/p' dom | grep -c '<td class="n">'
    grep -o 'CONSOLE.*Error.*' messages
}
browse plain.html
browse 'plain.html#t:1:1,001-2000'
browse 'plain.html#nothing:1-2'
browse 'plain.html#%'
browse odd.html
browse 'odd.html#t&%22%3C/script%3E2:5001-6000'
# Paths that are rearranged: a range of the target is shown where its path is. Texts keep their size,
# and positions are in view.
awk 'BEGIN { for (i = 0; i < 2; i++)
    printf "q\t100000\t%d\t%d\t%s\tt\t100000\t%d\t%d\t0\t0\t255\tcg:Z:50000=\n",
        50000 - 50000 * i, 100000 - 50000 * i, i == 0 ? "+" : "-", 50000 * i, 50000 + 50000 * i }' >moved.paf
try rhomb plot moved.paf -o moved.html
# shows POSITION: whether this position of the only query is in view
shows()
{
    sed -n 's/.*data-queries="\([0-9]*\)-\([0-9]*\)".*/\1 \2/p' dom |
        awk -v at="$1" '{ print (at > $1 && at < $2 ? "shows " : "does not show ") at }'
    grep -c 'font-size="14"' dom
    grep -o '>2[01],[05]00</text>' dom
}
browse moved.html
shows 71000
browse 'moved.html#t:20001-22000'
shows 71000
browse 'moved.html#t:80001-82000'
shows 19000
printf 'distance\ta\tb\na\t0\t1\nb\t1\t0\n' >m.tsv
try rhomb plot m.tsv -o m.html
# The tables of a report are no wider than the window.
printf '>t\nACGTACGTACGGATTACAGG\n' >t.fa
printf '>q\nACGTTCGTACATTACAGGG\n' >q.fa
printf 'q\t19\t0\t19\t+\tt\t20\t0\t20\t17\t21\t60\ttp:A:P\tcg:Z:4=1X5=2D7=1I1=\n' >report.paf
try rhomb report -o report.html report.paf t.fa q.fa
echo '<script>document.title = document.documentElement.scrollWidth > innerWidth ? "too wide" : "fits"</script>' \
    >>report.html
for width in 700 1000 1300; do
    HOME=$PWD timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --user-data-dir="$PWD/browser" --window-size=$width,900 --dump-dom "file://$PWD/report.html" 2>/dev/null |
        grep -o "<title>.*</title>"
done
