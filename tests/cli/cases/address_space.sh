# SPDX-License-Identifier: MIT
# needs: device
# needs: /etc/OpenCL/vendors/pocl.icd
# A limit on the address space, which a CPU's driver shares: a result or exit status 5, no abort.
export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
cores=$(getconf _NPROCESSORS_ONLN)
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGA\n' >q.fa
(echo '>big' && head -c 100M /dev/zero | tr '\0' A) >big.fa
(echo ">other" && echo C && tail -n +2 big.fa) >other.fa
# under MIB COMMAND...: besides what threads of many cores take.
under() {
    (ulimit -v $((1024 * ($1 + 16 * (cores - 2)))) && exec timeout -k 5 60 "${@:2}")
}
try under 300 rhomb devices 2>&1 | sed -E 's/[0-9]+ MiB/N MiB/g'
try under 300 rhomb distance t.fa q.fa 2>&1 | sed -E 's/[0-9]+ MiB/N MiB/g'
# Kernels are built again each time.
for mib in 390 500 700 900; do
    mkdir pocl
    POCL_CACHE_DIR=$PWD/pocl RHOMB_CACHE_DIR=off under $mib rhomb align --quiet t.fa q.fa >out 2>err
    status=$?
    case $status in
    0 | 5) ;;
    *) echo "$mib MiB: $status" && cat err ;;
    esac
    rm -r pocl
done
for mib in 1000 1200 1300 1500; do
    mkdir pocl
    POCL_CACHE_DIR=$PWD/pocl RHOMB_CACHE_DIR=off \
        under $mib rhomb distance --engine bitparallel -K 10 -v big.fa other.fa >out 2>err
    status=$?
    case $status in
    0 | 5) ;;
    *) echo "$mib MiB: $status" && cat err ;;
    esac
    rm -r pocl
done
