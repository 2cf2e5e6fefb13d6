# SPDX-License-Identifier: MIT
# needs: device
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
