# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# needs: command samtools
# needs: command bgzip
# needs: command bcftools
# Other programs take the files: samtools the SAM, bgzip what is compressed, a parser the PAF.
awk 'BEGIN {
    srand(1)
    for (i = 0; i < 3000; i++) {
        letter = substr("ACGT", 1 + int(4 * rand()), 1)
        target = target letter
        change = rand()
        if (change < 0.05)
            query = query tolower(substr("ACGT", 1 + int(4 * rand()), 1))
        else if (change < 0.08)
            query = query letter "ACCA"
        else if (change > 0.11)
            query = query letter
    }
    print ">t\n" target >"t.fa"
    print ">q\n" query >"q.fa"
}'
rhomb align --quiet t.fa q.fa -o out.sam || echo "=> $?"
rhomb align --quiet t.fa q.fa -o out.sam.gz || echo "=> $?"
rhomb align --quiet t.fa q.fa -o out.paf.gz --cs --chunk 100 --split-at 3 || echo "=> $?"
rhomb align --quiet t.fa q.fa -o whole.paf || echo "=> $?"
rhomb align --quiet -r t:501-2000 -q q:401-2,100 t.fa q.fa -o part.sam || echo "=> $?"
# From SAM to BAM and back nothing changes but the bases' case, and NM is what samtools counts.
for file in out.sam out.sam.gz part.sam; do
    samtools quickcheck $file || echo "$file: quickcheck"
    samtools view --no-PG -b $file | samtools view - | tr a-z A-Z |
        cmp - <(gzip -dcf $file | grep -v '^@' | tr a-z A-Z)
    samtools calmd $file t.fa 2>&1 >/dev/null | grep -i 'different NM'
done
# MD is what samtools makes it, and M the same path.
for cigar in M =X; do
    rhomb align --quiet t.fa q.fa -o md.sam --md --cigar $cigar --score wfa || echo "=> $?"
    samtools calmd md.sam t.fa 2>/dev/null | grep -v '^@' | tr '\t' '\n' | grep '^MD' |
        cmp - <(grep -o 'MD:Z:[^	]*' md.sam)
done
rhomb align --quiet t.fa q.fa --cigar M --score wfa -o m.paf || echo "=> $?"
grep -c 'cg:Z:[0-9MDI]*$' m.paf
rhomb verify --quiet --score wfa m.paf t.fa q.fa || echo "=> $?"
samtools faidx t.fa
samtools dict t.fa | grep -o 'M5:[0-9a-f]*' | cmp - <(grep -o 'M5:[0-9a-f]*' out.sam)
bgzip -t out.paf.gz && bgzip -t out.sam.gz

# As paftools.js does, which is not in Debian's minimap2, and needs k8, which Debian has not at all:
# columns, ranges and tags of each row agree with its cg.
parse() {
    awk -F '\t' '{
        if (NF < 12 || $5 != "+" || $12 != 255 || $3 > $4 || $4 > $2 || $8 > $9 || $9 > $7)
            print "bad columns: " $0
        cigar = type = ""
        for (i = 13; i <= NF; i++) {
            if ($i ~ /^cg:Z:/) cigar = substr($i, 6)
            if ($i ~ /^tp:A:/) type = substr($i, 6)
            if ($i ~ /^NM:i:/) edits = substr($i, 6)
        }
        # It skips rows of another type, and those without one.
        if (type != "P" && type != "I") print "bad type: " $0
        target = query = same = columns = 0
        while (match(cigar, /^[0-9]+[=XID]/)) {
            run = substr(cigar, 1, RLENGTH - 1) + 0
            op = substr(cigar, RLENGTH, 1)
            cigar = substr(cigar, RLENGTH + 1)
            columns += run
            target += op != "I" ? run : 0
            query += op != "D" ? run : 0
            same += op == "=" ? run : 0
        }
        if (cigar != "" || target != $9 - $8 || query != $4 - $3 || same != $10 || columns != $11 ||
            edits != columns - same)
            print "bad path: " $0
    } END { print (NR > 1 ? "rows" : "row") " read" }'
}
parse <whole.paf
gzip -dc out.paf.gz | parse

apart
# BAM and CRAM: the record of SAM, with an index beside; what they cannot hold; complete or not there.
printf '>t\nACGTCATGCTTGACCTGATTTTTTTTNNacgrACGA\n' >t.fa
printf '>q one\nGTACGTCTTGCTTGACTGATTTTNNACGTACGACC\n' >q.fa
printf '>e\n' >e.fa
try rhomb align --quiet -o out.cram t.fa q.fa
samtools faidx t.fa
for name in out.sam out.bam out.cram; do
    rhomb align --quiet --md -o $name t.fa q.fa || echo "=> $?"
    samtools quickcheck $name || echo "$name: quickcheck"
    samtools view -T t.fa $name
done
ls
rhomb align --quiet --format bam t.fa q.fa | samtools view --no-PG -h - | grep -v '^@PG'
rhomb align --quiet --cigar M -r t:5-20 -q q:6-20 -o part.bam t.fa q.fa
samtools view part.bam
for name in out.bam part.bam out.cram; do
    samtools view -T t.fa $name t:10-11 | cut -f 1-4
done
# A reader finds the target itself.
(cd / && REF_PATH=/ samtools view "$OLDPWD/out.cram" | cut -f 10)
try rhomb align --quiet -o none.bam --max-distance 1 t.fa q.fa
samtools view -c none.bam

try rhomb align --quiet -o out2.bam e.fa q.fa
mkdir folder.bam.bai
try rhomb align --quiet -o folder.bam t.fa q.fa
if [ -w /dev/full ]; then
    ln -s /dev/full full.bam
    ln -s /dev/full full.cram
    try rhomb align --quiet -o full.bam t.fa q.fa
    try rhomb align --quiet -o full.cram t.fa q.fa
    rm full.bam full.cram
fi
without_reader rhomb align --quiet --format bam t.fa q.fa
without_reader rhomb align --quiet --format cram t.fa q.fa
ls *full* *folder* out2* 2>/dev/null
# U is T, but for --alphabet bytes, and written as T where a format has no U.
printf '>t\nACGUACGUUUGACCUG\n' >ut.fa
printf '>d\nACGTACGTTTGACCTG\n' >dna.fa
printf '>q\nACGTACGuUUGCCCG\n' >uq.fa
samtools faidx ut.fa
try rhomb distance ut.fa dna.fa
try rhomb distance --quiet --alphabet bytes ut.fa dna.fa
for name in u.sam u.bam u.cram; do
    try rhomb align --md -o $name ut.fa uq.fa
    samtools view -T ut.fa $name
done
rhomb align --quiet --format vcf ut.fa uq.fa | bcftools view --no-version -H
for options in '--format paf --cs' '--format maf' '--format tsv' '--format sam --alphabet bytes'; do
    # shellcheck disable=SC2086 # options
    rhomb align --quiet $options ut.fa uq.fa | grep -v '^[#@]'
done
# As minimap2 writes it.
printf 'q\t15\t0\t15\t+\tt\t16\t0\t16\t14\t16\t60\tNM:i:2\tcs:Z::11*ac:2-t:1\n' >u.paf
try rhomb verify u.paf ut.fa uq.fa
try rhomb verify --alphabet bytes u.paf ut.fa uq.fa

apart
# Formats with several paths, on both strands: an inversion by --blocks, and a query that is turned.
make_sequences 'BEGIN {
    a = bases(900); b = bases(700); c = bases(800)
    changed = substr(b, 1, 299) "GG" substr(b, 303, 200) "TTTTT" substr(b, 503)
    write("target", a b c)
    write("query", a reversed(changed) substr(c, 1, 400) "N" substr(c, 402))
    write("turned", reversed(a changed c))
}'
samtools faidx target.fa
blocks() {
    rhomb align --quiet --blocks "$@" target.fa query.fa || echo "=> $?"
}
blocks --format vcf --callable intervals.bed | grep -v '^##[^r]'
cat intervals.bed
blocks --format chain
blocks --format chain --chain-direction query-to-target
blocks --format maf | cut -c 1-60
for name in out.bam out.cram; do
    blocks --md -o $name
    samtools view -T target.fa $name target:1000-1100 | cut -f 1-6
done
blocks -o out.vcf.gz
ls
try rhomb align --quiet --blocks --format vcf --max-allele 1 -o max.vcf target.fa query.fa
grep '^##rhomb_loss' max.vcf

# Of a turned query the records are of its other strand.
turned() {
    rhomb align --quiet --strand auto "$@" target.fa turned.fa || echo "=> $?"
}
turned --format vcf | grep -v '^##[^r]'
turned --format chain
turned --format chain --chain-direction query-to-target
turned --format maf | cut -c 1-60
turned --format bam | samtools view - | cut -f 1-6

apart
# The header of VCF says how queries were turned and rotated; bcftools makes them so.
make_sequences 'BEGIN {
    a = bases(3000)
    write("circle", a)
    write("turned", reversed(substr(a, 1001) substr(a, 1, 499) substr(a, 502, 499)))
    write("same", substr(a, 1, 1499) substr(a, 1503))
}'
frame() {
    echo "\$ $*"
    rhomb align --quiet -o out.vcf.gz "$@" && bcftools view -h out.vcf.gz | grep '^##rhomb'
}
frame --strand auto --rotate auto circle.fa turned.fa
samtools faidx circle.fa
bcftools consensus -f circle.fa out.vcf.gz 2>/dev/null | grep -v '>' | tr -d '\n' >made
samtools faidx -i turned.fa turned | grep -v '>' | tr -d '\n' >forward
{ tail -c +2001 forward && head -c 2000 forward; } | cmp - made && echo same
frame --strand auto --rotate auto circle.fa same.fa
frame --strand - circle.fa turned.fa
frame --match order --strand - --rotate 7 circle.fa turned.fa
frame --match best --rotate auto circle.fa turned.fa
