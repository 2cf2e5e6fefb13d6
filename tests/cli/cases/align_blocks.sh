# SPDX-License-Identifier: MIT
# needs: device
# Chains and MAF: which bases are beside each other, in blocks.
printf '>t\nACGTCATGCTTGACCTGATTTTTTTTNNacgrACGA\n' >t.fa
printf '>q one\nGTACGTCTTGCTTGACTGATTTTNNACGTACGACC\n' >q.fa
printf '>e\n' >e.fa
try rhomb align --quiet --format chain t.fa q.fa
try rhomb align --quiet --format chain --chain-direction query-to-target t.fa q.fa
try rhomb align --quiet --format chain --chunk 10 -r t:3-30 -q q:5-30 t.fa q.fa
try rhomb align --quiet --format chain t.fa e.fa
try rhomb align --quiet --format chain --max-distance 1 t.fa q.fa
try rhomb align --quiet --format maf t.fa q.fa
try rhomb align --quiet --format maf --score wfa --split-at 4 t.fa q.fa
try rhomb align --quiet --format maf --chunk 10 -r t:3-30 -q q:5-30 t.fa q.fa
try rhomb align --quiet --format maf e.fa q.fa
try rhomb align --quiet --format maf --max-distance 1 t.fa q.fa

for name in over.chain over.chain.gz out.maf out.maf.gz; do
    rhomb align --quiet -o $name t.fa q.fa || echo "=> $?"
    printf '%-14s %s\n' $name "$(gzip -dcf $name | head -n 1)"
done
ls
if [ -w /dev/full ]; then
    ln -s /dev/full full.chain
    ln -s /dev/full full.maf.gz
    try rhomb align --quiet -o full.chain t.fa q.fa
    try rhomb align --quiet -o full.maf.gz t.fa q.fa
fi
without_reader rhomb align --quiet --format maf t.fa q.fa
