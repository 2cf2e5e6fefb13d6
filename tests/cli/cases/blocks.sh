# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# Rearranged genomes: blocks in every format, and what is in none of them.
make_sequences 'BEGIN {
    a = bases(2000); b = bases(1500); c = bases(1800); d = bases(1200); e = bases(900)
    write("target", a b c d e)
    write("query", substr(a, 1, 999) "TT" substr(a, 1002) reversed(b) d bases(300) substr(c, 1, 900) "N" substr(c, 902))
    write("same", a b c d e)
    write("other", bases(4000))
    write("short", substr(a, 1, 300))
    print ">empty" >"empty.fa"
    print ">runs\n" a "NNNNNNNNNNNNNNNNNNNNNNNN" tolower(reversed(b)) c >"runs.fa"
}'
try rhomb align -o all.paf target.fa query.fa
try rhomb align --blocks -o blocks.paf --unaligned rest.bed target.fa query.fa
cat blocks.paf rest.bed
try rhomb verify blocks.paf target.fa query.fa
try rhomb align --quiet --blocks --format tsv target.fa query.fa
try rhomb align --quiet --blocks --score wfa --chunk 500 --cs -o blocks.paf.gz target.fa query.fa
try rhomb verify blocks.paf.gz target.fa query.fa
rhomb align --quiet --blocks --format sam target.fa query.fa | cut -c 1-80
rhomb align --quiet --blocks -o blocks.json target.fa query.fa && as_json blocks.json
sed -n '/"alignments"/,$p' blocks.json | sed 's/"operations".*/.../; /^\[/d'
rhomb align --quiet --blocks -r target:1001-7400 -q query:501-5000 target.fa query.fa >part.paf
cut -f 1-11 part.paf
try rhomb verify part.paf target.fa query.fa
try rhomb align --blocks target.fa same.fa
try rhomb align --blocks -K 0 -o limited.paf target.fa query.fa
cut -f 1-11 limited.paf
try rhomb align --blocks target.fa runs.fa
# A bad letter of a block: the bases from which it is counted, and the file.
sed 's/^[ACGT]/J/' query.fa | try rhomb align --blocks target.fa -
sed 's/^\([ACGT]*\)N/\1J/' query.fa >letter.fa
try rhomb align --blocks target.fa -q query:11-6800 letter.fa
# Nothing in common, or nothing at all.
try rhomb align --blocks target.fa other.fa
try rhomb align --blocks target.fa short.fa
try rhomb align --quiet --blocks --format sam --unaligned rest.bed target.fa short.fa
cat rest.bed
try rhomb align --quiet --blocks target.fa empty.fa
try rhomb align --quiet --blocks empty.fa target.fa
# The plan: which blocks there are; the figures are the device's.
for query in query.fa other.fa; do
    try rhomb align --blocks --dry-run target.fa $query | grep -v '^# kernels' | cut -f 1-10,12 |
        sed 's/: about .*, at worst .*/: TIME/; s/: device memory .*/: MEMORY/'
done
try rhomb align --blocks --unaligned query.fa target.fa query.fa
ls
