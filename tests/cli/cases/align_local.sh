# SPDX-License-Identifier: MIT
# needs: device
# rhomb align --mode local: one record of the parts in every format, the same row as of a batch, and
# what does not go with it.
target=TTGACCTAGCATTACGGATCCATTGACACGTTAGCCATAGGACTTACGGTTAACC
query=GGGGACGGATCCTTGACACGTTAGCAATAGGACGGGG
printf '>t\n%s\n' $target >t.fa
printf '>q\n%s\n' $query >q.fa
printf '>r\n%s\n' "$(echo $query | rev | tr ACGT TGCA)" >r.fa
printf '>e\n' >e.fa
printf '>%s\tq\n<%s\tt\n' $query $target >pair.seq
local='--quiet --mode local --score match:2,4,4,2'
try rhomb batch $local --cigar pair.seq
try rhomb align $local --cs t.fa q.fa -o local.paf
cat local.paf
try rhomb verify local.paf t.fa q.fa
try rhomb align $local --strand - t.fa r.fa
rhomb align $local --format sam t.fa q.fa | sed '/^@PG/d'
for format in chain maf tsv; do try rhomb align $local --format $format t.fa q.fa; done
try rhomb align $local -r t:11-40 -q q:5-20 t.fa q.fa
rhomb align $local --json t.fa q.fa >local.json
as_json local.json
sed -n '/"local":/,/query_end/p' local.json
# In small blocks.
for tune in local=1:1:3 local=2:3:2; do
    rhomb align $local --cs --tune $tune t.fa q.fa | cmp - local.paf
done
# Nothing has a score.
try rhomb align $local t.fa e.fa
rhomb align $local --format json t.fa e.fa | grep '"operations".*null'
# What is refused.
try rhomb align --mode extend --score asm5 t.fa q.fa
try rhomb align $local --tune local=2:0:65 t.fa q.fa
