# SPDX-License-Identifier: MIT
# Records that are wrong: exit 6 and the first error; files that cannot be read to their end: exit 3.
printf '>t one\nACGTACGTAC\n>u\nACGT\n' >t.fa
printf '>q\nACGTTCGAC\n' >q.fa
printf 'q\t9\t0\t9\t+\tt\t10\t0\t10\t8\t10\t255\tNM:i:2\tde:f:0.2000\tcg:Z:4=1X2=1D2=\n' >right.paf
try rhomb verify right.paf t.fa q.fa
# wrong EXPRESSION: the row as sed changes it.
wrong() {
    sed "$1" right.paf >wrong.paf
    try rhomb verify wrong.paf t.fa q.fa
}
wrong 's/4=1X/5=/'                    # a mismatch
wrong 's/4=1X/3=2X/'                  # a match
wrong 's/1D/1I/'                      # I for D
wrong 's/2=$/1=/'                     # too short
wrong 's/2=$/3=/'                     # too long
wrong 's/\t0\t10\t8/\t0\t9\t8/'       # another end
wrong 's/\t0\t9\t+/\t1\t9\t+/'        # another beginning
wrong 's/\t8\t10\t255/\t7\t10\t255/'  # matches
wrong 's/\t8\t10\t255/\t8\t11\t255/'  # block length
wrong 's/NM:i:2/NM:i:3/'              # edits
wrong 's/0.2000/0.2001/'              # divergence
wrong 's/\tt\t10/\tt\t11/'            # length
wrong 's/\tcg.*//'                    # no path
wrong 's/\t+\t/\t-\t/'                # strand
cat right.paf wrong.paf right.paf >several.paf
try rhomb verify several.paf t.fa q.fa
try rhomb verify --all several.paf t.fa q.fa
try rhomb verify --all --quiet several.paf t.fa q.fa
# Bases of cs, alone and beside cg, on both strands; cg and cs that are two paths.
cs=':4*at:2-t:2'
wrong "s/cg.*/cs:Z:${cs/at/ac}/"
wrong "s/\$/\tcs:Z:${cs/at/gt}/"
wrong "s/\$/\tcs:Z:${cs/-t/-a}/"
wrong "s/cg/cs:Z:$cs\tcg/; s/2=\$/1=/"
sed "s/cg.*/cs:Z:=ACGT*at=CG-t=AG/" right.paf >wrong.paf
try rhomb verify --all wrong.paf t.fa q.fa
printf '>r\nGTCGAACGT\n' >r.fa
reverse="s/^q/r/; s/\t+\t/\t-\t/; s/cg.*/cs:Z:"
sed "$reverse$cs/" right.paf >reverse.paf
try rhomb verify reverse.paf t.fa r.fa
sed "$reverse${cs/at/aa}/" right.paf >reverse.paf
try rhomb verify reverse.paf t.fa r.fa
printf '>g\nACCG\n>h\nACG\n' >gap.fa
printf 'h\t3\t0\t3\t+\tg\t4\t0\t4\t3\t4\t255\tcg:Z:1=1D2=\tcs:Z::2-c:1\n' >paths.paf
try rhomb verify paths.paf gap.fa gap.fa
sed 's/\t+\t/\t*\t/' right.paf >strand.paf
try rhomb verify strand.paf t.fa q.fa
# One base of a sequence.
sed 's/CGAC/CGAA/' q.fa >other.fa
try rhomb verify right.paf t.fa other.fa

# What is no PAF, or ends too early.
bad() {
    printf "$1" >bad.paf
    try rhomb verify bad.paf t.fa q.fa
}
bad 'q\t9\t0\t9\n'
bad 'q\t9\t0\t9\t+\tt\t10\t0\t-1\t8\t10\t255\n'
bad 'q\t9\t0\t9\t+\tt\t10\t0\t10\t8\t10\t255\tcg:Z:4=1X2=1D2S\n'
bad '>q\nACGT\n'
bad 'q\t9\t0\t9\t+\tz\t10\t0\t10\t8\t10\t255\tcg:Z:4=1X2=1D2=\n'
for bytes in 1 2 4 12 40; do
    head -c -$bytes right.paf >cut.paf
    try rhomb verify cut.paf t.fa q.fa
done
gzip -n <right.paf | head -c 60 >cut.paf.gz
try rhomb verify cut.paf.gz t.fa q.fa
try rhomb verify right.paf q.fa t.fa
try rhomb verify missing t.fa q.fa
try rhomb verify right.paf missing q.fa
printf 'q\t9\t0\t9\t-\tt\t10\t0\t10\t8\t10\t255\tcg:Z:4=1X2=1D2=\n' >reverse.paf
try rhomb verify --alphabet bytes reverse.paf t.fa q.fa
