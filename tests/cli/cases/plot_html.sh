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
printf 'distance\ta\tb\na\t0\t1\nb\t1\t0\n' >m.tsv
try rhomb plot m.tsv -o m.html
