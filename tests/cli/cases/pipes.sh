# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# needs: /dev/full
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

apart
# Who reads messages or data is gone: nothing temporary stays behind.
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGa\n' >q.fa
# unread COMMAND...: both go to a pipe without a reader.
unread() {
    local end
    echo "\$ $*"
    end=$(without_reader redirected "$@")
    echo "$end"
    ls
}
redirected() {
    "$@" 2>&1
}
unread rhomb align -v -o out.paf t.fa q.fa
unread rhomb align -v -o out.vcf.gz t.fa q.fa
unread rhomb align --quiet --report report.json t.fa q.fa
unread rhomb batch -v -o out.tsv t.fa q.fa

apart
# A full disk is noticed, on standard output as well, where it shows only at the end.
printf '>t\nACGTACGT\n' >t.fa
printf '>q\nACGTACG\n' >q.fa
full() {
    echo "\$ $* >/dev/full"
    "$@" 2>&1 >/dev/full | mask_messages
    echo "=> ${PIPESTATUS[0]}"
}
full rhomb distance t.fa q.fa
full rhomb distance --json t.fa q.fa
full rhomb devices
full rhomb help
full rhomb --version
try rhomb distance -o /dev/full t.fa q.fa
printf 'q\t7\t0\t7\t+\tt\t8\t0\t8\t7\t8\t255\tNM:i:2\tcg:Z:7=1D\n' >wrong.paf
full rhomb verify --all wrong.paf t.fa q.fa

apart
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
