# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# Input without an end is judged at its first byte that is not whitespace, in little memory.
printf '>t\nACGT\n' >t.fa
printf 'q\t4\t0\t4\t+\tt\t4\t0\t4\t4\t4\t60\tcg:Z:4=\n' >good.paf
# A GPU's driver takes far more addresses than that.
rhomb devices | grep -q -w GPU && limit=unlimited || limit=1500000
limited() {
    (ulimit -v $limit && exec "$@")
}
nonsense() {
    yes nonsense 2>/dev/null | tr -d '\n'
}
try limited rhomb batch --quiet /dev/zero
try limited rhomb batch --quiet - </dev/zero
try limited rhomb batch --quiet /dev/zero t.fa
try limited rhomb batch --quiet - < <(nonsense)
try limited rhomb batch --quiet - t.fa < <(nonsense)
try limited rhomb batch --quiet - < <(printf '>A\n' && cat /dev/zero)
try limited rhomb batch --keep-going --quiet --no-header - < <(printf '>AC\n<AG\n>A' && cat /dev/zero)
# Blanks are not kept.
try limited rhomb batch --quiet - < <(head -c 600M /dev/zero | tr '\0' ' ' && echo nonsense)
try limited rhomb distance --quiet t.fa - </dev/zero
try limited rhomb distance --quiet t.fa - < <(nonsense)
try limited rhomb align --quiet /dev/zero t.fa
try limited rhomb verify - t.fa t.fa </dev/zero
try limited rhomb verify good.paf t.fa - </dev/zero
try limited rhomb plot - -o out.svg </dev/zero
ls out.* 2>/dev/null
