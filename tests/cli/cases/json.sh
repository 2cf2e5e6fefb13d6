# SPDX-License-Identifier: MIT
# needs: device
# The full report: valid JSON with these members. Values that belong to the machine are masked.
mask() {
    sed -E \
        -e '/"(device|plan|work|seconds)":/,/}/s/("[a-z_]+":).*[^{,](,?)$/\1 .../' \
        -e 's/("(start|cpu_seconds|peak_rss_bytes)":).*/\1 .../'
}
printf '>t\nACGTACGTACGTacgtNNR\n' >t.fa
printf '>q "quoted"\nACGTACGTACGTACGTACG\n' >'q "x".fa'
rhomb distance --json --quiet t.fa 'q "x".fa' >report.json
echo "=> $?"
as_json report.json
mask <report.json

rhomb distance --json --quiet --max-distance 1 t.fa 'q "x".fa' >limit.json
as_json limit.json
sed -n '/"result"/,/}/p' limit.json

# A name that is no UTF-8 becomes valid text.
printf '>caf\351\nACGT\n' >latin1.fa
rhomb distance --json --quiet -o latin1.json latin1.fa latin1.fa
as_json latin1.json
grep '"name":.*caf' latin1.json
