# SPDX-License-Identifier: MIT
# needs: device
# Measured rates: printed, stored, found again by a plan for its estimates, and given by hand, for
# its choices as well. Figures are masked.
mask() {
    sed -E -e "s|$PWD|PWD|" -e '1,/^rates of/{/^rates of/!d}' -e 's/device [0-9]+/device N/' \
        -e 's/[0-9][0-9.e+-]*( [kMGT])? ?(cells|bases|us|ns|ms|s)\b/# \2/g' \
        -e 's/# [num]s\b/# TIME/g; s/# s\b/# TIME/g' \
        -e '/--tune/s/=[0-9]+/=#/g' -e 's|/[0-9a-f]{32}$|/NAME|'
}
export RHOMB_CACHE_DIR=$PWD/cache
printf '>t\nACGTACGT\n' >t.fa
printf '>q\nACGTACG\n' >q.fa
rhomb distance --dry-run --quiet t.fa q.fa | sed -n -E 's/^(estimates|choices) from +the tuning table: .*/\1 by the table/p'
rhomb devices --calibrate >text.txt
echo "=> $?"
mask <text.txt
rhomb distance --dry-run --quiet t.fa q.fa | grep -E '^(estimates|choices) from '
rhomb distance --dry-run --quiet t.fa q.fa --json | grep '"rates_source"'
rhomb distance -v t.fa q.fa 2>&1 | sed -n -E 's/^(rhomb: rates: .* for choices from the tuning table): .*/\1/p'
tune=$(sed -n 's/^ *--tune //p' text.txt)
rhomb distance --dry-run --quiet --tune "$tune" t.fa q.fa | grep -E '^(estimates|choices) from '
rhomb distance --dry-run --quiet --tune sweep-cells=1T t.fa q.fa 2>&1 | tail -n 2
rhomb distance --dry-run --quiet --tune sweep-cells=20G,letters=1M t.fa q.fa | grep -E '^(estimates|choices) from '
try rhomb distance --quiet --tune wavefront-cells=7 t.fa q.fa

rhomb devices --calibrate --cache-dir off -d 0 --json >list.json
echo "=> $?"
as_json list.json
sed -n '/"rates"/,/}/p' list.json | sed -E 's/:.[0-9][0-9.e+-]*/: #/'
try rhomb devices --calibrate -d 'no such device' | sed -n -e '/no such device/p' -e '$p'
