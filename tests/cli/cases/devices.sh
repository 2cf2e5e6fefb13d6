# SPDX-License-Identifier: MIT
# needs: device
# The list, the self-test, and the same as JSON.
rhomb devices >list.txt
echo "=> $?"
sed -E -n '1s/ +/ /gp' list.txt
grep -c '^\* *[0-9]' list.txt
grep -c "^\* 'auto' opens device [0-9]*, .*: ." list.txt

rhomb devices --self-test >tested.txt
echo "=> $?"
grep '^self-test of device' tested.txt | grep -v -e ': passed in ' -e ': not run, '
grep -q ': passed in ' tested.txt && echo "some passed"

rhomb devices --self-test --json >list.json
echo "=> $?"
as_json list.json
grep -o '"[a-z_0-9]*":' list.json | sort -u | paste -s -d ' ' | fold -s -w 98
grep -c '"chosen":.*true' list.json

apart
# Devices that are not there, and no silent use of a CPU. The list of what is there is cut off.
cut_list() {
    sed -E 's/^(rhomb: error: no usable OpenCL device): .*/\1: .../;/^rhomb: error/!d' messages
}
printf '>t\nACGT\n' >t.fa
for selector in 'no such device' 4711 'pocl#99' ffff:ff:1f.7; do
    echo "$selector"
    rhomb distance -d "$selector" t.fa t.fa 2>messages
    echo "=> $?"
    cut_list
done

rhomb devices --json | tr -d '\t' | grep -E '^"(kind|chosen)":' | grep -B 1 'chosen":true' >chosen
rhomb distance -d auto t.fa t.fa >/dev/null 2>messages
rhomb distance -v -d cpu t.fa t.fa >/dev/null 2>details
rhomb distance --require-gpu t.fa t.fa >/dev/null 2>gpu_messages
status=$?
if grep -q '"cpu"' chosen; then
    grep -q '^rhomb: no GPU found: running on the CPU ' messages || echo "no note about the CPU"
    grep -q '^rhomb: running on the CPU ' details || echo "no note with -v"
    for kind in cpu CPU cpu#0; do
        rhomb distance -d $kind --no-header t.fa t.fa 2>/dev/null | cut -f 1-5
    done
    rhomb distance -d gpu t.fa t.fa 2>messages
    echo "=> $?"
    cut_list
    [ $status -eq 4 ] || echo "--require-gpu used a CPU"
    rhomb distance --quiet t.fa t.fa 2>&1 >/dev/null
else
    [ ! -s messages ] || cat messages
    [ $status -eq 0 ] || cat gpu_messages
fi
rhomb distance -d 0 t.fa t.fa >/dev/null 2>&1
echo "=> $?"

apart
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

apart
# Without any OpenCL platform: status 4 and hints. A missing input is still told first.
mkdir no_vendors
export OCL_ICD_VENDORS=$PWD/no_vendors
printf '>t\nACGT\n' >t.fa
try rhomb devices
rhomb devices --json 2>/dev/null >list.json
echo "=> $?"
as_json list.json
try rhomb distance t.fa t.fa
try rhomb distance t.fa missing.fa
