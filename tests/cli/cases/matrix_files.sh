# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# Files as entries of a matrix: the sum over best partners, of both strands, and of records without one
# all their bases.
make_sequences 'BEGIN {
    one = bases(9000); two = bases(6000); three = bases(800)
    print ">one\n" one "\n>two\n" two "\n>three\n" three >"a.fa"
    print ">2\n" reversed(substr(two, 1, 3000) "ACGT" substr(two, 3001)) "\n>1\n" substr(one, 21) >"b.fna"
    print ">chr\n" substr(one, 1, 4000) substr(one, 4011) >"c.fasta"
    print ">other\n" bases(500) >"d.fa"
    print ">another\n" bases(520) >"e.fa"
}'
gzip -n b.fna
files='a.fa b.fna.gz c.fasta d.fa e.fa'
try rhomb matrix --by-file $files
# As those of pairs: a and b, with what has no partner.
rhomb distance --match best --quiet --no-header a.fa b.fna.gz |
    awk '{ print $1, $3, $5; sum += $5 == "*" ? $2 + $4 : $5 } END { print sum }' FS='\t'
try rhomb matrix --by-file --similarity --lower $files
try rhomb matrix --by-file -K 900 --limit-as NA a.fa b.fna.gz c.fasta
try rhomb matrix --by-file --score affine:2,3,1 -o m.phy a.fa b.fna.gz
cat m.phy
mkdir x && cp a.fa x/a.fa
try rhomb matrix --by-file a.fa x/a.fa
try rhomb matrix --by-file a.fa a.fa
cat a.fa | try rhomb matrix --by-file - b.fna.gz
try rhomb matrix --by-file a.fa

# It goes on, in parts as well, and not with what is of other files, records or options.
rhomb matrix --by-file --quiet $files >whole.tsv
for k in 1 2 3; do
    rhomb matrix --by-file --quiet --part $k/3 --resume part.$k $files
done
cat part.1 part.2 part.3 >kept
rhomb matrix --by-file --quiet --resume kept --device none $files | cmp - whole.tsv && echo 'as a whole'
head -c -9 kept >cut
rhomb matrix --by-file --quiet --resume cut -o again.tsv $files
cmp again.tsv whole.tsv
try rhomb matrix --resume kept $files
try rhomb matrix --by-file --score wfa --resume kept $files
mv d.fa e.fa x && cp x/d.fa e.fa && cp x/e.fa d.fa
try rhomb matrix --by-file --resume kept $files

# What it would take: each pair of records, and of sequences those that are long.
rhomb matrix --by-file --dry-run --quiet a.fa b.fna.gz d.fa | grep -v '^# kernels' |
    cut -f 1-10 | sed 's/[:,].*//'
rhomb matrix --dry-run --quiet a.fa b.fna.gz | grep -v '^# kernels'
rhomb matrix --by-file --dry-run --quiet --part 2/2 --resume none a.fa b.fna.gz d.fa | grep -v '^# kernels' | grep -c '^# '
[ ! -e none ] || echo 'a plan has written'

printf '>x\nACGTXX\n' >x.fa
try rhomb matrix --by-file a.fa x.fa
: >empty.fa
try rhomb matrix --by-file a.fa empty.fa
# A record that a file has twice is the partner of one that is the same.
make_sequences 'BEGIN {
    a = bases(3000); b = bases(900)
    print ">a\n" a "\n>b\n" b "\n>c\n" b >"twice.fa"
    print ">A\n" substr(a, 2) "\n>B\n" b "\n>C\n" b >"again.fa"
}'
rhomb matrix --by-file --quiet twice.fa again.fa
rhomb distance --match best --quiet twice.fa again.fa | cut -f 1-5
