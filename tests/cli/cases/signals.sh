# SPDX-License-Identifier: MIT
# needs: device
# SIGINT and SIGTERM while the device works: status 130 and 143, one line, no output left behind; with
# --resume a file, from which the same command goes on, and no other. The pair is unrelated, so that the
# engine changes on the way (a sketch would know it before), which -v tells; what is left then takes tenths
# of a second, on the fastest GPU as well.
rhomb devices | grep -q -E '^[* ] *[0-9]+ +gpu ' && bytes=700000 || bytes=200000
for role in target query; do
    {
        echo ">$role"
        head -c $bytes /dev/urandom | od -An -v -tx1 | tr -d ' ' | tr 0-9a-f ACGTACGTACGTACGT
    } >$role.fa
done
mkfifo log
stop_working INT rhomb distance --no-sketch -v -o out.tsv target.fa query.fa
stop_working TERM rhomb align --no-sketch -v -o out.paf.gz --report out.json target.fa query.fa
ls
# once COMMAND...: like try, without what differs.
once() {
    try "$@" | sed -E -e 's/[0-9.]+ % of the distance after [0-9]+ s/SO FAR/' \
        -e 's/[0-9]+ bases, MD5 [0-9a-f]{32}/ITS BASES/g'
}
distance='rhomb distance --no-sketch --no-header --resume kept'
ln -s store kept # which stays a link
# shellcheck disable=SC2086 # options
{
    # timeout(1) sends it twice.
    stop_working TERM,TERM $distance -v target.fa query.fa
    ls
    tail -n +2 query.fa | rev >other
    { echo '>query' && cat other; } >other.fa
    once $distance target.fa other.fa
    once $distance --max-distance 300K target.fa query.fa
    once $distance --engine bitparallel target.fa query.fa
    once rhomb align --no-sketch --resume kept target.fa query.fa
    head -c 500 kept >damaged
    once rhomb distance --no-sketch --resume=damaged target.fa query.fa
    echo 'what is this' >damaged
    once rhomb distance --no-sketch --resume=damaged target.fa query.fa
    # Also where there is nothing to do: what is there is not a checkpoint, and stays.
    once rhomb distance --no-sketch --resume=damaged target.fa target.fa
    once rhomb align --no-sketch --resume=damaged target.fa target.fa
    cat damaged
    rhomb distance --no-sketch --no-header --quiet target.fa query.fa | cut -f 1-7 >expected
    $distance --json target.fa query.fa -o out.json 2>err
    echo "=> $?"
    mask_messages <err | sed -E 's/[0-9.]+ % of the distance after [0-9]+ s/SO FAR/'
    tr -d '\n\t' <out.json | grep -o '"resumed":true' || echo 'not resumed'
    tr -d '\n\t' <out.json | grep -o "\"distance\":$(cut -f 5 expected)," >/dev/null && echo same
    ls
}
# An alignment.
stop_working TERM,TERM rhomb align --no-sketch -v --resume kept -o out.paf target.fa query.fa
ls kept out.paf
rhomb align --no-sketch --quiet --resume kept -o out.paf target.fa query.fa
grep -q "NM:i:$(cut -f 5 expected)[^0-9]" out.paf && echo 'an alignment of that distance'
ls store
rm kept
rm log
# As version 0.2 has it; and what cannot be.
once rhomb distance --no-sketch --no-header --checkpoint none/such --checkpoint-every 5 target.fa query.fa
once rhomb distance --no-sketch --no-header target.fa query.fa --resume -o none/such
try rhomb distance target.fa query.fa --resume
try rhomb distance --resume=target.fa target.fa query.fa
