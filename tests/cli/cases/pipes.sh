# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# A pipe, which need not have a path, and what standard output leads to: neither is replaced.
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGA\n' >q.fa
printf '>bad\nAC!T\n' >bad.fa
for command in 'align' 'align --chunk 5' 'batch --cigar --format paf'; do
    rhomb $command --quiet -o whole.paf t.fa q.fa
    rhomb $command --quiet -o /dev/stdout t.fa q.fa | cmp - whole.paf
    rhomb $command --quiet -o >(cat >piped.paf) t.fa q.fa || echo "=> $?"
    wait $!
    cmp piped.paf whole.paf
    { echo before && rhomb $command --quiet -o /dev/stdout t.fa q.fa && echo behind; } >between.paf
    { echo before && cat whole.paf && echo behind; } | cmp - between.paf
done
rhomb distance --quiet --no-header -o /dev/stdout t.fa q.fa | mask_output
rhomb plot whole.paf --format svg -o whole.svg
rhomb plot whole.paf --format svg -o /dev/stdout | cmp - whole.svg
rhomb align -o /dev/stdout --report - t.fa q.fa 2>&1 | cat
try rhomb align -o /dev/stdout t.fa bad.fa
try ls
