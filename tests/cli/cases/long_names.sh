# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# Names of 64 KiB are whole in all that is written and read again; longer ones are errors.
name=$(head -c 65536 /dev/zero | tr '\0' N)
printf '>%s description\nACGT\n' "$name" >t.fa
printf '@%s\nAGGT\n+\nIIII\n' "$name" >q.fq
printf '>x%s\nACGT\n' "$name" >long.fa
printf '@x%s\nACGT\n+\nIIII\n' "$name" >long.fq
for command in 'distance --json' align 'align --cs' 'align --format json' 'batch --cigar' 'batch --format json'; do
    rhomb $command --quiet t.fa q.fq | tr -c N '\n' | awk -v size=65536 'length == size' | wc -l
done
rhomb align --quiet t.fa q.fq >names.paf
rhomb verify names.paf t.fa q.fq
rhomb plot --quiet names.paf -o names.svg
try rhomb align --quiet --format sam t.fa q.fq
try rhomb distance --quiet long.fa q.fq
try rhomb align --quiet t.fa long.fq
try rhomb batch --quiet t.fa long.fq
try rhomb verify names.paf long.fa q.fq
sed 's/^/x/' names.paf >long.paf
try rhomb verify long.paf t.fa q.fq
try rhomb plot long.paf -o names.png
# Nor is a name without an end kept.
endless() {
    printf '%s' "$1" && yes N 2>/dev/null | head -c 100M | tr -d '\n'
}
rhomb distance --quiet t.fa - < <(endless '>') 2>&1 | cut -c 1-200
rhomb verify names.paf t.fa - < <(endless '@') 2>&1 | cut -c 1-200
ls
