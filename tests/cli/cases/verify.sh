# SPDX-License-Identifier: MIT
# Paths in every notation, other programs' ways to count, standard input, compressed files.
printf '>t one\nACGTACGTAC\n>u\nNNACGTRY\n' >t.fa
printf '>q\nACGTTCGAC\n>r\nrygtacgnn\n' >q.fa
# row QUERY LENGTH STRAND TARGET LENGTH MATCHES BLOCK TAG...: a row of whole sequences.
row() {
    printf '%s\t%s\t0\t%s\t%s\t%s\t%s\t0\t%s\t%s\t%s\t255' "$1" "$2" "$2" "$3" "$4" "$5" "$5" "$6" "$7"
    shift 7
    printf '\t%s' "$@"
    printf '\n'
}
row q 9 + t 10 8 10 NM:i:2 AS:i:-2 de:f:0.2000 cg:Z:4=1X2=1D2= >out.paf
row q 9 + t 10 8 10 cs:Z::4*at:2-t:2 NM:i:2 >>out.paf
row r 9 - u 8 7 10 cg:Z:2=1D3=2I2= >>out.paf
try rhomb verify out.paf t.fa q.fa
try rhomb verify --all out.paf t.fa q.fa
try rhomb verify --quiet out.paf t.fa q.fa
gzip -n <out.paf >out.paf.gz
try rhomb verify out.paf.gz t.fa q.fa
bgzip <q.fa >q.fa.gz
try rhomb verify - t.fa q.fa.gz <out.paf
try rhomb verify out.paf - q.fa <t.fa

# minimap2 with IUPAC codes, wfmash, edlib's CIGAR; a read without any alignment.
row r 9 - u 8 3 6 NM:i:7 nn:i:4 de:f:0.6667 cg:Z:2M1D3M2I2M >others.paf
row q 9 + t 10 6 10 gi:f:0.666667 bi:f:0.545455 cg:Z:4=1X1I1X2D2= >>others.paf
row q 9 + t 10 8 10 NM:i:2 cg:Z:7M1D2M >>others.paf
printf 'q\t9\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\trl:i:0\n' >>others.paf
try rhomb verify others.paf t.fa q.fa
: >empty.paf
try rhomb verify empty.paf t.fa q.fa
try rhomb verify --quiet empty.paf t.fa q.fa

# One file that is both; bytes instead of DNA; regions for names.
row t 10 + t 10 10 10 cg:Z:10= >self.paf
try rhomb verify self.paf t.fa t.fa
printf '>t\nACgt*\n' >bytes.fa
row t 5 + t 5 5 5 cg:Z:5= >bytes.paf
try rhomb verify --alphabet bytes bytes.paf bytes.fa bytes.fa
row t:5-10 6 + t:1-6 6 6 6 cg:Z:6= >regions.paf
try rhomb verify regions.paf t.fa t.fa

apart
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

apart
# AS of a record against its path: by --score, by the record's own tag, by neither.
printf '>t\nACGTACGTACGTACGT\n' >t.fa
printf '>q\nACGAACACGTTTTACGT\n' >q.fa
# 4,6,2: a mismatch, 2 bases deleted, 3 inserted; 4 + 10 + 12.
row='q\t17\t0\t17\t+\tt\t16\t0\t16\t13\t19\t255\tNM:i:6'
path='cg:Z:3=1X2=2D4=3I4=\n'
printf "$row\tAS:i:-26\t$path" >bare.paf
printf "$row\tAS:i:-26\tsc:Z:affine:4,6,2\t$path" >named.paf
printf "$row\tAS:i:-28\tsc:Z:affine:4,6,2\t$path" >wrong.paf
printf "$row\tAS:i:-26\tsc:Z:affine:4,6\t$path" >broken.paf
printf "$row\tAS:i:4\t$path" >scored.paf
try rhomb verify bare.paf t.fa q.fa
try rhomb verify --score wfa bare.paf t.fa q.fa
try rhomb verify --score edit bare.paf t.fa q.fa
try rhomb verify named.paf t.fa q.fa
try rhomb verify wrong.paf t.fa q.fa
try rhomb verify --all wrong.paf t.fa q.fa
try rhomb verify --score affine:4,7,2 wrong.paf t.fa q.fa
try rhomb verify broken.paf t.fa q.fa
try rhomb verify --score wfa broken.paf t.fa q.fa
try rhomb verify --score match:2,4,4,2,24,1 scored.paf t.fa q.fa
try rhomb verify --score map-ont scored.paf t.fa q.fa
