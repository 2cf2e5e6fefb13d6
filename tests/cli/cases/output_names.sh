# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# What an output's name ends in means the same in either case, and is true or refused.
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGA\n' >q.fa
for name in out.SAM OUT.Tsv.GZ out.PAF.gz out.paf.bgz out.json.BgZ; do
    rhomb align --quiet -o $name t.fa q.fa || echo "=> $?"
    printf '%-12s %s\n' $name "$(gzip -dcf <$name | head -n 1 | cut -c 1-20)"
    gzip -t <$name 2>/dev/null && echo compressed
done
try rhomb align -o out.BAM t.fa q.fa
rhomb plot out.PAF.gz -o out.PNG && head -c 4 out.PNG | cut -c 2-
rhomb plot out.PAF.gz -o out.Svg && grep -c '<svg' out.Svg
try ls
