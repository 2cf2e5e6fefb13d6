# SPDX-License-Identifier: MIT
# needs: plot
# Plots: what is written where. How they look is tests/test_plot.sh's business.
row() { printf 'q\t%d\t0\t%d\t+\tt\t%d\t0\t%d\t0\t0\t255%s\n' "$1" "$1" "$2" "$2" "$3"; }
row 100 90 $'\tcg:Z:40=5X10I45=' >out.paf
kind() { head -c 4 "$1" | tr -cd '[:alnum:]<%?'; }

for format in svg png pdf; do
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
