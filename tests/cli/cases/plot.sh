# SPDX-License-Identifier: MIT
# needs: plot
# Plots of paths, and of matrices: what is written where, its name in either case, and plots that cannot
# be. How they look is tests/test_plot.sh's business.
row() { printf 'q\t%d\t0\t%d\t+\tt\t%d\t0\t%d\t0\t0\t255%s\n' "$1" "$1" "$2" "$2" "$3"; }
row 100 90 $'\tcg:Z:40=5X10I45=' >out.paf
kind() { head -c 4 "$1" | tr -cd '[:alnum:]<%?'; }

for format in svg PNG Pdf; do
    try rhomb plot out.paf -o out.$format
    kind out.$format
    echo
done
try rhomb plot --format pdf -o picture out.paf
kind picture
echo
rhomb plot --format svg -o - - <out.paf >piped.svg
cmp out.svg piped.svg
try rhomb plot --title 'A title' --panels offset,path --size 300x300 --window 7 -v out.paf -o out.png
try rhomb plot -r t:11-50 -v out.paf -o out.png
try rhomb plot -r '{t}:1,1-' -v out.paf -o out.png
try rhomb plot --query-range q:11-50 -v out.paf -o out.png
try rhomb plot --query-range 61- -r 51-60 -v out.paf -o out.png

# Short rows are left out.
{ row 100 90 $'\tcg:Z:90=10I'; row 99 99 $'\tcg:Z:99=' | sed 's/\tt\t/\tu\t/; s/^q/r/'; } >short.paf
try rhomb plot --min-length 100 -v short.paf -o short.svg
try rhomb plot --min-length 99 -v short.paf -o short.svg
try rhomb plot --min-length 101 short.paf -o none.svg

# Rows without paths, with M, names that are no text.
row 100 90 '' >none.paf
try rhomb plot none.paf -o none.svg
row 100 90 $'\tcg:Z:40M10I50M' >m.paf
try rhomb plot m.paf -o m.svg
row 0 0 $'\tcg:Z:' >empty.paf
row 5 0 $'\tcg:Z:5I' >>empty.paf
sed 's/^q/other/' empty.paf | tail -n 1 >insertion.paf
try rhomb plot insertion.paf -o insertion.svg
printf '\xff\xc3\xa4' >letters.paf
row 100 90 $'\tcg:Z:90=10I' >>letters.paf
rhomb plot --title $'\xff' letters.paf -o letters.svg
ls

apart
# Plots that cannot be: nothing is written then, and what was there stays.
row() { printf '%s\t100\t0\t100\t+\tt\t90\t0\t90\t0\t0\t255%s\n' "$1" "$2"; }
row q $'\tcg:Z:40=5X10I45=' >out.paf
echo before >old.png

printf '>t\nACGT\n' >t.fa
try rhomb plot t.fa -o out.svg
try rhomb plot out.paf -o out.svg --size 200x200
for range in '' 5 0-5 5-4 t:5-4 t:x- t:5 t:,, t:1-2,, t:1,-2 99999999999999999999-5; do
    try rhomb plot out.paf -o out.svg -r "$range"
done
try rhomb plot out.paf -o out.svg -r 50-91
for range in 0-5 50-101 none:1-2; do
    try rhomb plot out.paf -o out.svg --query-range "$range"
done
{ cat out.paf; row r $'\tcg:Z:40=5X10I45='; } >queries.paf
try rhomb plot queries.paf -o out.svg --query-range 1-50
try rhomb plot queries.paf -o out.svg --query-range r:1-10 -r t:80-90
try rhomb plot out.paf -o old.png -r u
for k in 1 2 3 4 5 6 7 8 9; do row q$k '' | sed "s/\tt\t/\tt$k\t/"; done >nine.paf
try rhomb plot nine.paf -o old.png -r u
try rhomb plot nine.paf -o old.png -r u:1-5 --min-length 1000
try rhomb plot nine.paf -o old.png -r t1 --query-range r
try rhomb plot nine.paf -o old.png -r t1 --query-range q2
try rhomb plot out.paf -o folder/out.svg
try rhomb plot missing.paf -o old.png
try rhomb plot out.paf --format svg -o ./out.paf
try rhomb plot --format svg -o out.paf - <out.paf
try rhomb plot -v missing.paf -o old.png

: >nothing.paf
try rhomb plot nothing.paf -o old.png
row q '' >none.paf
try rhomb plot none.paf -o old.png --panels path,sizes
row q $'\tcg:Z:40=5X11I45=' >long.paf
try rhomb plot long.paf -o old.png
row q $'\tcg:Z:40=5X9I45=' >short.paf
try rhomb plot short.paf -o old.png
{ row q $'\tcg:Z:90=10I'; row q $'\tcg:Z:90=10I' | sed 's/100/101/'; } >lengths.paf
try rhomb plot lengths.paf -o old.png
{ row q ''; row q '' | sed 's/\tt\t/\tu\t/'; } >targets.paf
try rhomb plot targets.paf -o old.png -r 1-50
sed 's/\t255/\t255\tcg:Z:10Q/' none.paf >letter.paf
try rhomb plot letter.paf -o old.png
printf '%s' "$(cat out.paf)" >cut.paf
try rhomb plot cut.paf -o old.png
try rhomb plot out.paf --format png -o /dev/full
cat old.png
ls

apart
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
