# SPDX-License-Identifier: MIT
# needs: device
# The plan: its lines and members; the figures are the device's.
printf '>t\nACGTACGT\n' >t.fa
printf '>q\nACGTACG\n' >q.fa
rhomb distance --dry-run --quiet t.fa q.fa >plan.txt
echo "=> $?"
cut -c 1-15 plan.txt | sed 's/ *$//'
grep -E '^(target|query|distance) ' plan.txt
rhomb distance --dry-run --json --quiet t.fa q.fa >plan.json
echo "=> $?"
as_json plan.json
grep -o '"[a-z_0-9]*":' plan.json
