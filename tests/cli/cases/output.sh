# SPDX-License-Identifier: MIT
# needs: device
# Output is complete or not there, and a place that cannot be written is an error.
printf '>t\nACGTACGT\n' >t.fa
printf '>q\nACGTACG\n' >q.fa
printf '>bad\nAC!T\n' >bad.fa
try rhomb distance -o out.tsv t.fa q.fa
mask_output <out.tsv
try rhomb distance --no-header -o - t.fa q.fa
try ls

# Neither a failure nor a link loses what was there.
try rhomb distance -o out.tsv t.fa bad.fa
ln -s out.tsv link.tsv
try rhomb distance --no-header -o link.tsv t.fa t.fa
mask_output <out.tsv
try ls
# Nor is a link lost that leads to nothing yet.
mkdir folder
ln -s folder/later.tsv later.tsv
try rhomb distance --no-header -o later.tsv t.fa t.fa
readlink later.tsv
mask_output <folder/later.tsv
ln -s round.tsv about.tsv
ln -s about.tsv round.tsv
try rhomb distance -o round.tsv t.fa q.fa

try rhomb distance -o missing/out.tsv t.fa q.fa
try rhomb distance -o . t.fa q.fa
# A cache that cannot be written costs time only.
try rhomb distance --no-header --cache-dir /dev/null/cache t.fa q.fa
try rhomb distance --no-header --cache-dir off t.fa q.fa
