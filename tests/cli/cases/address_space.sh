# SPDX-License-Identifier: MIT
# needs: device
# needs: /etc/OpenCL/vendors/pocl.icd
# A limit on the address space, which a CPU's driver shares: what it leaves room for runs, and all
# else ends with exit status 5, whether kernels are built or come from a cache.
export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
export POCL_CACHE_DIR=$PWD/pocl
# What drivers are left, see host/device/space.h.
drivers=$((896 + 16 * $(getconf _NPROCESSORS_ONLN)))
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGA\n' >q.fa
(echo '>big' && head -c 20M /dev/zero | tr '\0' A) >big.fa
(echo ">other" && echo C && tail -n +2 big.fa) >other.fa
(echo '>mid' && head -c 12M /dev/zero | tr '\0' A) >mid.fa
(echo ">mid2" && echo C && tail -n +2 mid.fa) >mid2.fa
(echo '>long' && head -c 60M /dev/zero | tr '\0' A) >long.fa
(echo ">long2" && echo C && tail -n +2 long.fa) >long2.fa
bases=$(head -c 150 /dev/zero | tr '\0' A)
yes ">$bases"$'\n'"<C$bases" | head -n 300000 >many.seq
# under MIB COMMAND...: with so many beyond those.
under() {
    (ulimit -v $((1024 * (drivers + $1))) && exec "${@:2}")
}
# at MIB COMMAND...: with empty caches, when kernels are stored, and with full ones; all must print the same.
at() {
    local cache
    echo "\$ under $*"
    rm -rf pocl cache
    mkdir pocl
    for cache in cold noted warm; do
        under "$1" env RHOMB_CACHE_DIR="$PWD/cache" "${@:2}" >out 2>err
        echo "=> $?" >>err
        mask_output <out >$cache.out
        sed -E '/running on the CPU /d; s/need [0-9]+$/need N/; s/[0-9]+ (MiB|cores|bytes)/N \1/g; s/: [^:]* has N bytes/: DEVICE has N bytes/' \
            err >$cache.err
    done
    for cache in cold noted; do
        cmp $cache.out warm.out
        diff $cache.err warm.err
    done
    cat warm.out
    sed '/^=>/!s/^/! /' warm.err
}
at -100 rhomb devices
for mib in -600 -1 1024; do
    at $mib rhomb distance --quiet t.fa q.fa
    at $mib rhomb align --quiet t.fa q.fa
    at $mib rhomb batch --quiet t.fa q.fa
done
# Of the three, this one takes the most while it builds.
at 1 rhomb batch --quiet t.fa q.fa
at 10 rhomb distance --quiet --engine bitparallel -K 10 big.fa other.fa
at 10 rhomb align --quiet --engine wavefront big.fa other.fa
at 10 rhomb batch --quiet mid.fa mid2.fa
# Text that is read beside a driver's compiler must leave it what it needs: long records, short
# pairs that could all be read ahead, and a long pair, for which more kernels are built.
at 10 rhomb batch --quiet long.fa long2.fa
at 10 rhomb batch --quiet -o many.tsv many.seq
tail -n +2 many.tsv | cut -f 2,4- | uniq -c | sed 's/^ *//'
at 60 rhomb batch --quiet -K 10 big.fa other.fa
at 1024 rhomb distance --quiet --engine bitparallel -K 10 big.fa other.fa
# Where that ends is for the device to say.
at 60 rhomb distance --quiet --engine bitparallel -K 10 big.fa other.fa >between
case $(tail -n 1 between) in
'=> 0' | '=> 5') ;;
*) cat between ;;
esac
grep -E 'differ|EOF|^[<>]' between
