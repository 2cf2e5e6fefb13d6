# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# needs: command bcftools
# needs: command samtools
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
