# SPDX-License-Identifier: MIT
# needs: plot
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
