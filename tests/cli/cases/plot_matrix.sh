# SPDX-License-Identifier: MIT
# needs: plot
# Heat maps of matrices, and files that are none.
kind() { head -c 4 "$1" | tr -cd '[:alnum:]<%?'; }
printf 'distance\ta\tb\na\t0\t>9\nb\t>9\t0\n' >m.tsv
for format in svg png pdf; do
    try rhomb plot m.tsv -o m.$format
    kind m.$format
    echo
done
try rhomb plot --matrix --format svg -o piped.svg - <m.tsv
cmp m.svg piped.svg
printf 'similarity\tx\nx\t1.000000\n' >one.tsv
try rhomb plot one.tsv -o one.svg
sed 's/>9/NA/' m.tsv >na.tsv
try rhomb plot na.tsv -o na.svg
cmp m.svg na.svg
sed 's/$/\r/' m.tsv >crlf.tsv
try rhomb plot crlf.tsv -o crlf.svg
cmp m.svg crlf.svg

# A query may have such a name.
printf 'distance\t9\t0\t9\t+\tt\t9\t0\t9\t9\t9\t60\tcg:Z:9=\n' >out.paf
try rhomb plot out.paf -o out.svg

try rhomb plot --panels path m.tsv -o x.svg
try rhomb plot --window 5 m.tsv -o x.svg
try rhomb plot -r t m.tsv -o x.svg
try rhomb plot --matrix out.paf -o x.svg
broken() { printf "$1" >broken.tsv; try rhomb plot --matrix broken.tsv -o x.svg; }
broken ''
broken 'distance\n'
broken 'distance\ta\tb\na\t0\t1\n'
broken 'distance\ta\tb\na\t0\t1\nb\t1\t0'
broken 'distance\ta\tb\na\t0\t1\nx\t1\t0\n'
broken 'distance\ta\tb\na\t0\t1\nb\t1\t0\nc\n'
broken 'distance\ta\tb\na\t0\tx\nb\t1\t0\n'
broken 'distance\ta\tb\na\t0\t1\t2\nb\t1\t0\n'
broken 'distance\ta\tb\tc\na\t0\t1\nb\t1\t0\t0\nc\n'
printf ' 2 \r\na          0 1\nb          1 0\n' >m.phy
try rhomb plot m.phy -o x.svg
try rhomb plot --matrix --format svg -o x.svg - <m.phy
try rhomb plot --matrix missing.tsv -o x.svg
ls x.svg 2>/dev/null || echo 'no picture'
