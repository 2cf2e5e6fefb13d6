# SPDX-License-Identifier: MIT
# needs: device
# needs: /dev/full
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

# A file that does not get its whole text does not get its name either.
sed 's/7\t8\t255\tNM:i:2/7\t8\t255/' wrong.paf >right.paf
limited() {
    (ulimit -f 1 && "$@")
}
try limited rhomb report -o out.json right.paf t.fa q.fa
ls
