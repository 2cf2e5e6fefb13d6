# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# Closed descriptors: no file that is opened gets the number, and the messages, of one of them.
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGa\n' >q.fa
rhomb align --quiet -o whole.paf t.fa q.fa
(rhomb distance --no-header -v -o out.tsv t.fa q.fa 2>&-)
echo "=> $?"
mask_output <out.tsv
(rhomb align -v -o out.paf t.fa q.fa <&- >&- 2>&-)
echo "=> $?"
cmp out.paf whole.paf
# What has to be read or written is an error.
try rhomb distance --quiet t.fa - <&-
try rhomb batch --quiet - <&-
try rhomb verify - t.fa q.fa <&-
try rhomb plot - -o out.svg <&-
closed() {
    echo "\$ $* >&-"
    "$@" 2>&1 >&- | mask_messages
    echo "=> ${PIPESTATUS[0]}"
}
closed rhomb distance --quiet t.fa q.fa
closed rhomb align --quiet t.fa q.fa
ln -s /proc/self/fd/1 stdout
closed rhomb align --quiet -o stdout t.fa q.fa
closed rhomb batch --quiet t.fa q.fa
closed rhomb verify whole.paf t.fa q.fa
closed rhomb plot --format svg -o - whole.paf
closed rhomb help
closed rhomb align --quiet -o out.paf t.fa q.fa
try ls
readlink stdout
