# SPDX-License-Identifier: MIT
# needs: device
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
