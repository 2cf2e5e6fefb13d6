# SPDX-License-Identifier: MIT
# needs: device
# SIGINT and SIGTERM while the device works: status 130 and 143, one line, no output left behind.
# The pair is unrelated, so that the engine changes on the way (a sketch would know it before), which -v
# tells; what is left then takes tenths of a second on the fastest device.
for role in target query; do
    {
        echo ">$role"
        head -c 700000 /dev/urandom | od -An -v -tx1 | tr -d ' ' | tr 0-9a-f ACGTACGTACGTACGT
    } >$role.fa
done
mkfifo log
stop_working INT rhomb distance --no-sketch -v -o out.tsv target.fa query.fa
stop_working TERM rhomb align --no-sketch -v -o out.paf.gz --report out.json target.fa query.fa
rm log
try ls
