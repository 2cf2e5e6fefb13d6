# SPDX-License-Identifier: MIT
# needs: device
# needs: command samtools
# needs: command bgzip
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
