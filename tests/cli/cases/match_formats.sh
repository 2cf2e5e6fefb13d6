# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# needs: command samtools
# needs: command bcftools
# Formats with many targets: contigs of all, paths of those that have a partner, on its strand.
make_sequences 'BEGIN {
    for (k = 1; k <= 3; k++) {
        text = bases(2000)
        changed = substr(text, 10 * k, 500) "GG" substr(text, 505 + 10 * k)
        print ">chr" k "\n" text >"target.fa"
        print ">chr" k "\n" changed >"query.fa"
        print ">q" k "\n" (k == 2 ? reversed(changed) : changed) >"turned.fa"
    }
    print ">more\n" bases(300) >"turned.fa"
    print ">late\n" substr(text, 1201) "\n>early\n" substr(text, 1, 1200) >"contigs.fa"
}'
samtools faidx target.fa
matched() {
    rhomb align --quiet --match "$@" || echo "=> $?"
}
matched names -o out.vcf.gz target.fa query.fa
gzip -dc out.vcf.gz | grep -v '^##[FfIs]'
bcftools consensus -f target.fa out.vcf.gz 2>/dev/null | awk '/^>/ { print (n++ ? "\n" : "") $0; next } { printf "%s", $0 } END { print "" }' |
    cmp - query.fa && echo same
bcftools index -n out.vcf.gz
matched best --format vcf --callable callable.bed target.fa turned.fa | grep '^##rhomb\|^[^#]'
cat callable.bed
matched best --format chain --chain-direction query-to-target target.fa turned.fa
matched best --format maf target.fa turned.fa | cut -c 1-40
for name in out.bam out.cram; do
    matched best -o $name target.fa turned.fa
    samtools view -T target.fa $name | cut -f 1-6
    samtools view -T target.fa $name chr2 | cut -f 1
done
matched names --format vcf -K 5 target.fa query.fa | grep '^##rhomb'
# Several queries for a target.
printf 'chr1 q1\nchr1 q3\n' >list
rhomb align --quiet --match list --format vcf target.fa turned.fa >several.vcf
grep rhomb_lossless several.vcf
grep -v "^#" several.vcf | cut -f 1,2 | sort -c -k 1,1 -k 2,2n && grep -o "QNAME=q[0-9]" several.vcf | sort -u
try rhomb align --match list -o several.vcf target.fa turned.fa
try rhomb align --match best -o left.vcf target.fa turned.fa
try rhomb align --match names -o whole.vcf target.fa query.fa
rm left.vcf whole.vcf
try rhomb align --match list -o several.bam target.fa turned.fa
ls several.*
samtools view several.bam | cut -f 1-4
for format in SAM Bam CRAM; do
    rhomb align --quiet --match list --format $format target.fa turned.fa >any_case
    samtools view -h -T target.fa any_case | grep -v '^@[SP]' | cut -f 1-4
done
# Contigs that come in another order than they lie.
for name in out.sam out.bam out.cram; do
    try rhomb align --match best --blocks -o $name target.fa contigs.fa
    samtools view -h -T target.fa $name | grep -v '^@[SP]' | cut -f 1-4
    [ $name = out.sam ] || samtools view -T target.fa $name chr3:1500-1600 | cut -f 1
done
rhomb align --quiet --match best --blocks --resume kept -o later.bam target.fa contigs.fa
samtools view later.bam | cut -f 1-4
rm later.*
try rhomb align --match LIST target.fa turned.fa
try rhomb distance --engine Wavefront --no-header --match list target.fa turned.fa
# Of several targets: the records of each are in order, and written before those of the next.
printf 'chr1 q1\nchr1 q3\nchr2 q2 -\nchr3 q3\nchr3 q1\n' >list
for option in --quiet --blocks; do
    rhomb align --quiet $option --match list --format vcf target.fa turned.fa | grep -v '^#' >several
    cut -f 1 several | uniq | head -n 4
    sort -s -c -k 1,1 -k 2,2n several && echo 'in order'
    for name in several.bam several.cram; do
        rhomb align --quiet $option --match list -o $name target.fa turned.fa
        samtools view -h -T target.fa $name | grep -v '^@[SP]' | cut -f 1-4
        samtools idxstats $name
    done
done
# A query without an alignment comes after all others, also that of the first target.
{ echo '>chr1' && sed -n '/^>more/{n;p}' turned.fa && sed 1,2d query.fa; } >lost.fa
for options in --blocks '-K 600'; do
    for name in lost.sam lost.bam lost.cram; do
        # shellcheck disable=SC2086 # options
        matched names $options -o $name target.fa lost.fa
        samtools view -h -T target.fa $name | grep -v '^@[PS]' | cut -f 1-4
        [ $name = lost.sam ] || samtools idxstats $name
    done
done
# What goes on later.
for format in vcf.gz chain; do
    matched names --resume kept -o later.$format target.fa query.fa
    matched names -o now.$format target.fa query.fa
    cmp <(gzip -dcf later.$format) <(gzip -dcf now.$format)
done
ls later.*
