#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_plot.sh PROGRAM PLOT_LABELS FOLDER [--update]: what is drawn of fixed PAF files and
# matrices, which PLOT_LABELS lists: texts, lines, areas and images, with where they are and in which colour.
# FOLDER/labels.txt has a checksum of each list. --update makes it again: look at the plots, and at what
# PLOT_LABELS says, before you commit it. Then what pictures as a whole have to be.
set -eu -o pipefail

rhomb=$1 labels=$(realpath "$2") folder=$3 update=${4-}
. "$(dirname "$0")/script.sh"

# A path of 60,000 operations and 25 million bases, with indels of up to a million.
make_long()
{
    awk 'function number(n) { seed = (seed * 16807) % 2147483647; return seed % n }
    BEGIN {
        seed = 1
        for (i = 0; i < 30000; i++) {
            run = 1 + number(1600); path = path run "="; t += run; q += run
            kind = number(4); size = kind < 2 ? 1 : 1 + number(40)
            if (i % 7500 == 5000) { kind = 2 + (i > 15000); size = 1000000 - 20 * i }
            if (kind < 2) { path = path size "X"; t += size; q += size }
            if (kind == 2) { path = path size "I"; q += size }
            if (kind == 3) { path = path size "D"; t += size }
        }
        printf "q\t%d\t0\t%d\t+\tt\t%d\t0\t%d\t%d\t%d\t255\tcg:Z:%s\n", q, q, t, t, t, t, path
    }'
}

# drawn OPTION...: a checksum of what is drawn.
drawn()
{
    echo "$(cd "$work" && "$labels" plot --quiet "$@" -o labels.png | cksum) plot $*"
}

cp "$folder"/*.paf "$work"
make_long >"$work/long.paf"
# Windows of each colour, one after the other, on both strands; a gap; and what is not similar.
awk 'BEGIN {
    split("9999 9950 9700 9200 8500 7000 5000", identity, " ")
    for (i = 1; i <= 7; i++) {
        path = ""
        for (j = 0; j < 100; j++) {
            x = (10000 - identity[i]) / 100
            path = path (100 - int(x)) "=" (int(x) > 0 ? int(x) "X" : "")
        }
        printf "q%d\t20000\t0\t20000\t%s\tt\t90000\t%d\t%d\t0\t0\t255\tcg:Z:%s10000I\n", i,
            i % 2 == 0 ? "-" : "+", (i - 1) * 10000, i * 10000, path
    }
}' >"$work/several_known.paf"

# Heat maps: of shapes, some beyond a limit, whole and of the lower triangle; of an image, with more
# sequences than pixels.
{
    printf 'distance\ta\tb\tc\tlonger\n'
    printf 'a\t0\t1\t10\t>12\nb\t1\t0\t7\t4\nc\t10\t7\t0\t>12\nlonger\t>12\t4\t>12\t0\n'
} >"$work/few.tsv"
awk -F '\t' -v OFS='\t' 'NR > 1 { NF = NR - 1 } { print }' "$work/few.tsv" >"$work/lower.tsv"
awk 'BEGIN {
    OFS = "\t"; count = 1300; line = "similarity"
    for (i = 0; i < count; i++) line = line OFS "s" i
    print line
    for (i = 0; i < count; i++) {
        line = "s" i
        for (j = 0; j < i; j++)
            line = line OFS (int(i / 200) == int(j / 200) ? 0.98 : 0.9 + (i + j) / 40000)
        print line
    }
}' >"$work/many.tsv"

# Titles, ticks and units, from 1 kb to 250 Mb, of parts, of several sequences, and in little room.
row()
{
    printf 'q\t%d\t0\t%d\t+\tt\t%d\t0\t%d\t0\t0\t255\tcg:Z:%s\n' "$1" "$1" "$2" "$2" "$3"
}
row 1000 1000 500=1X499= >"$work/small.paf"
row 248000000 250000000 125000000=2000000D1X122999999= >"$work/large.paf"
row 80 180 40M100D40M >"$work/unknown.paf"
awk 'BEGIN { for (i = 0; i < 100; i++) path = path "54=30X8I8D"
    printf "q\t9200\t0\t9200\t+\tt\t9200\t0\t9200\t0\t0\t255\tcg:Z:%s\n", path }' >"$work/random.paf"
row 1990627 2000000 1000000=9373D990627= >"$work/pair.paf"
# Names that are turned, in the order of the file; and more than there are lines for.
for count in 16 200; do
    awk -v count=$count 'BEGIN {
        for (i = 1; i <= count; i++) {
            bases = 1000 + (i * 7919) % 997 * (i % 5 == 0 ? 20 : 1)
            printf "q%03d\t%d\t0\t%d\t+\ttarget%03d\t%d\t0\t%d\t0\t0\t255\tcg:Z:%d=\n", count - i,
                bases, bases, i, bases, bases, bases
        }
    }' >"$work/many_$count.paf"
done
sed 's/^q\([0-9]*\)/scaffold_\1_of_strain_B/; s/\ttarget\([0-9]*\)/\tchromosome_\1_of_strain_A/' \
    "$work/many_16.paf" | head -n 4 >"$work/long_names.paf"
{
    for options in single.paf several.paf long.paf '-r 9,000,001-9,500,000 --window 2K long.paf' \
        '--panels path --colour strand several_known.paf' '--panels sizes,identity several.paf' \
        '--min-identity 60 --panels path,identity several_known.paf' many.tsv; do
        # shellcheck disable=SC2086 # options
        drawn --no-text --size 450x600 $options
    done
    drawn small.paf
    drawn large.paf
    drawn -r 124,000,001-128,000,000 large.paf
    drawn -r 124,000,001-124,003,000 --panels path large.paf
    drawn -r 100-199 --window 5 small.paf
    drawn --query-range 124,000,001-128,000,000 --panels path,identity large.paf
    drawn several.paf
    drawn --size 300x300 --title 'A title' --panels path,identity large.paf
    drawn --panels identity --window 10 unknown.paf
    drawn --panels path pair.paf
    drawn --size 400x600 small.paf
    drawn --size 400x600 large.paf
    drawn --size 300x600 large.paf
    drawn --size 300x200 --panels path --title 'Two haplotypes of chromosome 1, by rhomb' large.paf
    drawn --size 200x200 --panels path --title 'Two haplotypes of chromosome 1, by rhomb' large.paf
    drawn --no-text large.paf
    drawn many_16.paf
    drawn --panels path,sizes --size 600x600 many_200.paf
    drawn --panels path long_names.paf
    drawn --panels path --size 400x400 long_names.paf
    drawn --size 400x300 many_16.paf
    drawn --panels path several_known.paf
    drawn --panels path --colour strand several_known.paf
    drawn --panels identity random.paf
    drawn few.tsv
    drawn --title 'A title' --size 200x200 few.tsv
} >"$work/labels.txt"
[ -z "$update" ] || cp "$work/labels.txt" "$folder/labels.txt"
diff -u "$folder/labels.txt" "$work/labels.txt" || fail 'something else is drawn'

# As minimap2 -c --cs has it: of a cg with M the matches come from cs, in either form.
for form in short long; do
    awk -F '\t' -v OFS='\t' -v form=$form '{
        path = substr($13, 6)
        while (match(path, /^[0-9]+[=XID]/)) {
            run = substr(path, 1, RLENGTH - 1) + 0
            op = substr(path, RLENGTH, 1)
            path = substr(path, RLENGTH + 1)
            if (op ~ /[=X]/)
                pairs += run
            else {
                cg = cg (pairs > 0 ? pairs "M" : "") run op
                pairs = 0
            }
            letters = sprintf("%" run "s", "")
            gsub(/ /, op == "X" ? "*ac" : "a", letters)
            if (op == "=")
                letters = form == "short" ? ":" run : "=" toupper(letters)
            cs = cs (op == "I" ? "+" : op == "D" ? "-" : "") letters
        }
        $13 = "cg:Z:" cg (pairs > 0 ? pairs "M" : "") OFS "cs:Z:" cs
        print
    }' "$folder/single.paf" >"$work/cs_$form.paf"
    "$rhomb" plot --size 450x600 "$work/cs_$form.paf" -o "$work/cs_$form.svg" 2>"$work/messages"
    "$rhomb" plot --size 450x600 "$folder/single.paf" -o "$work/known.svg"
    cmp "$work/cs_$form.svg" "$work/known.svg" || fail "$form cs does not tell what matches"
    [ ! -s "$work/messages" ] || fail "$(cat "$work/messages")"
done

# A matrix's lower triangle is drawn as all of it, and one from a pipe.
"$rhomb" plot --quiet "$work/few.tsv" -o "$work/whole.png"
"$rhomb" plot --quiet "$work/lower.tsv" -o "$work/lower.png"
"$rhomb" plot --quiet --matrix --format png -o - - <"$work/few.tsv" >"$work/piped.png"
cmp "$work/whole.png" "$work/lower.png" || fail 'a lower triangle looks different'
cmp "$work/whole.png" "$work/piped.png" || fail 'a matrix from a pipe looks different'

# Rows all over a picture, of one pixel and of some, are a crowd: small, and what is seen is there.
# In the order of a generator without equal numbers no row goes on with the one before.
scattered()
{
    awk -v count="$1" -v letters="$2" 'function number() { seed = (seed * 16807) % 2147483647
                                                           return seed }
    BEGIN {
        seed = 1
        for (i = 0; i < count; i++)
            printf "q\t100000000\t%d\t%d\t%s\tt\t100000000\t%d\t%d\t0\t0\t255\tcg:Z:%d=\n",
                   q = number() % (1e8 - letters), q + letters, number() % 4 == 0 ? "-" : "+",
                   t = number() % (1e8 - letters), t + letters, letters
    }'
}
for letters in 2000 1500000; do
    scattered 100000 "$letters" >"$work/crowd.paf"
    "$rhomb" plot --quiet --no-text "$work/crowd.paf" -o "$work/crowd.svg"
    size=$(wc -c <"$work/crowd.svg")
    [ "$size" -lt 1200000 ] || fail "100,000 rows of $letters letters: $size bytes"
done
# Pieces of a few lines, in any order, look as the lines do.
lines()
{
    awk -v pieces="$1" 'BEGIN {
        for (i = 0; i < pieces; i++) {
            piece = 60000000 / pieces
            for (line = 0; line < 3; line++) {
                at = (i * 7919) % pieces * piece
                q = line * 20000000 + at; end = q + piece
                if (line == 1) { q = 1e8 - end; end = q + piece }
                printf "q\t100000000\t%d\t%d\t%s\tt\t100000000\t%d\t%d\t0\t0\t255\tcg:Z:%d=\n",
                       q, end, line == 1 ? "-" : "+", at, at + piece, piece
            }
        }
    }'
}
# listed PIECES: what is drawn of them.
listed()
{
    lines "$1" >"$work/lines.paf"
    (cd "$work" && "$labels" plot --no-text --quiet --panels path lines.paf -o labels.svg) >"$work/$1.list"
}
# apart LIST OTHER: how many pixels of either one's paths, which are the widest lines, have none of the other's beside
# them.
apart()
{
    awk 'FNR == 1 { list++ }
    /^line 1[.]80/ {
        for (i = 7; i < NF; i += 3) {
            steps = $i == 0 ? 0 : int(sqrt(($(i + 1) - x) ^ 2 + ($(i + 2) - y) ^ 2) / 5) + 1
            for (k = 0; k <= steps; k++) {
                part = steps > 0 ? k / steps : 1
                on[list, int((x + part * ($(i + 1) - x)) / 10), int((y + part * ($(i + 2) - y)) / 10)]
            }
            x = $(i + 1); y = $(i + 2)
        }
    }
    END {
        for (pixel in on) {
            split(pixel, at, SUBSEP)
            for (i = found = 0; i < 9; i++)
                found += (3 - at[1], at[2] + i % 3 - 1, at[3] + int(i / 3) - 1) in on
            missing += !found
        }
        print (length(on) > 2000 ? missing + 0 : "nothing")
    }' "$@"
}
listed 1
for pieces in 1500 8000; do
    listed $pieces
    [ "$(apart "$work/1.list" "$work/$pieces.list")" = 0 ] || fail "$pieces pieces look different"
done
# The image of a crowd lies where its lines are, which is a little more than the frame.
placed=$(sed -nE 's/^within .*: 0 ([0-9]+) ([0-9]+) .*/\1 \2/p; s/^image .* at ([0-9]+ [0-9]+), scaled by 0[.]500 0[.]500/\1/p' \
    "$work/8000.list")
[ "$(echo "$placed" | uniq | wc -l)" = 1 ] || fail "the image of a crowd is elsewhere: $placed"
[ "$(echo "$placed" | wc -l)" = 2 ] || fail 'there is no image of a crowd'
# A line that is missing is seen.
sed 's/ 0 780 2300 1 5580 7100//' "$work/1.list" >"$work/fewer.list"
[ "$(apart "$work/1.list" "$work/fewer.list")" -gt 100 ] || fail 'a line is not missed'

# The same bytes from a pipe, from a compressed file, and to standard output.
"$rhomb" plot --no-text --size 450x600 "$work/long.paf" -o "$work/long.png"
gzip -c "$work/long.paf" >"$work/long.paf.gz"
"$rhomb" plot --no-text --size 450x600 "$work/long.paf.gz" -o "$work/gz.png"
"$rhomb" plot --no-text --size 450x600 - -o - --format png <"$work/long.paf" >"$work/pipe.png"
cmp "$work/long.png" "$work/gz.png"
cmp "$work/long.png" "$work/pipe.png"

# The other formats are whole, and small however long the path is.
for format in svg pdf; do
    "$rhomb" plot --no-text "$work/long.paf" -o "$work/long.$format"
    "$rhomb" plot --no-text "$work/long.paf" -o "$work/again.$format"
    cmp "$work/long.$format" "$work/again.$format"
    size=$(wc -c <"$work/long.$format")
    [ "$size" -lt 100000 ] || fail "$format: $size bytes"
done
grep -q '</svg>' "$work/long.svg" || fail 'the SVG file has no end'
! grep -q '<text' "$work/long.svg" || fail 'there is text in spite of --no-text'
# Text of SVG is text, with names as they are, and no outlines of glyphs.
sed 's/ctg2/a<b\&"c"/' "$folder/several.paf" >"$work/names.paf"
"$rhomb" plot --quiet "$work/names.paf" -o "$work/names.svg"
grep -q '<text [^>]*>a&lt;b&amp;&quot;c&quot;</text>' "$work/names.svg" || fail 'SVG has no text'
! grep -q glyph "$work/names.svg" || fail 'SVG has outlines of glyphs'
segments=$(grep -o '[LC] ' "$work/long.svg" | wc -l)
[ "$segments" -lt 6000 ] || fail "$segments segments"
[ "$(head -c 5 "$work/long.pdf")" = %PDF- ] || fail 'this is no PDF file'
tail -c 6 "$work/long.pdf" | grep -q '%%EOF' || fail 'the PDF file has no end'
