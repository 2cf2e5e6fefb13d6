# SPDX-License-Identifier: MIT
# needs: device
# SIGINT and SIGTERM while the device works: status 130 and 143, one line, no output left behind.
# The pair is unrelated and long enough for some seconds on the fastest device.
for role in target query; do
    {
        echo ">$role"
        head -c 3000000 /dev/urandom | od -An -v -tx1 | tr -d ' ' | tr 0-9a-f ACGTACGTACGTACGT
    } >$role.fa
done
try timeout --preserve-status -k 20 -s INT 2 rhomb distance -o out.tsv --quiet target.fa query.fa
try timeout --preserve-status -k 20 -s TERM 2 \
    rhomb align -o out.paf.gz --report out.json --quiet target.fa query.fa
try ls
