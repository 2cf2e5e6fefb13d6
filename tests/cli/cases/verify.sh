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
