#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_kernels_gpu.sh SOURCE GPU [first]: compiles each kernel family for a GPU that need not be here,
# with the options of kernel_shapes.txt ("first": the first line of each family): one of AMD's (gfx...)
# by the newest clang that has a libclc beside it, one of Intel's (dg2, mtl, pvc) by ocloc, as of 2026.
# What compiles may take no memory besides registers, on AMD's but for what that file says. Skipped
# (77) without the compiler.
# shellcheck disable=SC2317 # functions of either maker are called by its name
set -u -o pipefail

source=$1 gpu=$2 lines=${3-all}
shapes=$source/tests/kernel_shapes.txt
failed=0 compiled=0 kernels=0
declare -A covered=()
. "$(dirname "$0")/script.sh"

# Sets clang and library: the newest pair of the same version, as dpkg knows them.
find_clang()
{
    local number
    for number in $(seq 30 -1 15); do
        command -v "clang-$number" >/dev/null || continue
        for library in $(dpkg-query -L "libclc-$number" "libclc-$number-dev" 2>/dev/null |
            grep -E '/amdgcn-(amd|)-amdhsa(/libclc)?\.bc$'); do
            compiler=clang-$number
            return 0
        done
    done
    return 1
}

# The command for a family and its options.
amd_command()
{
    command=("$compiler" -x cl -cl-std=CL1.2 -target amdgcn-amd-amdhsa "-mcpu=$gpu" -nogpulib
        -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang "$library" -O3
        -Rpass-analysis=kernel-resource-usage -I "$source/cl" "${@:2}"
        -S -o /dev/null "$source/cl"/*/"$1.cl")
}

# From what the compiler says: bytes for each work-item, a line for each kernel.
amd_sizes()
{
    sed -n 's/.*ScratchSize \[bytes\/lane\]: \([0-9]*\).*/\1/p' <<<"$log"
}

# With the options that the host wishes for, see host/device/program.c.
intel_command()
{
    local registers=-cl-intel-256-GRF-per-thread wish='' wide=''
    [ "$gpu" != pvc ] || wide=$registers
    case "$1 ${*:2}" in
    wavefront\ *ITEM_DIAGONALS=[48]* | split_wide\ *ITEM_DIAGONALS=[48]* | \
        affine_wavefront\ *ITEM_DIAGONALS=8* | bitsliced\ *OPEN_2=[1-9]* | batch_sliced\ * | \
        batch_local\ *PIECES=2* | batch_extend\ * | long_local\ *PIECES=2*)
        wish=$registers
        [ -z "$wide" ] || wish+=' -D__kernel=__attribute__((intel_reqd_sub_group_size(16)))__kernel'
        ;;
    wavefront\ * | split_wide\ * | affine_wavefront\ * | bitsliced\ * | batch_local\ * | long_local\ *)
        wish=$wide
        ;;
    esac
    command=(ocloc compile -q -file "$(echo "$source/cl"/*/"$1.cl")" -device "$gpu"
        -options "-cl-std=CL1.2 -I $source/cl ${*:2} $wish" -output_no_suffix -output "$work/binary")
}

# From the text in the binary: bytes that an item spills, and those of arrays by index. The compiler
# says them of a thread, which has `simd_size` items.
intel_sizes()
{
    LC_ALL=C grep -haoE \
        '^(kernels_misc_info:|  - name: .*|      (spill_size|private_size|simd_size): +[0-9]+)' \
        "$work/binary.bin" | awk '
        function done() {
            if (name != "" && name !~ /Intel_Symbol_Table/) print int((bytes + items - 1) / items)
        }
        /^kernels_misc_info/ { exit }
        $2 == "name:" { done(); name = $3; bytes = 0; next }
        $1 == "simd_size:" { items = $2; next }
        { bytes += $2 }
        END { done() }'
}

case $gpu in
gfx*)
    maker=amd
    find_clang || { echo 'test_kernels_gpu: no clang with its libclc here' && exit 77; }
    ;;
*)
    maker=intel compiler=ocloc
    version=$(dpkg-query -W -f='${Version}' intel-ocloc 2>/dev/null)
    [ "${version%%.*}" -ge 26 ] 2>/dev/null || { echo 'test_kernels_gpu: no ocloc of 2026 here' && exit 77; }
    ;;
esac

# complain WHAT: says it, with the line of kernel_shapes.txt and how to repeat it.
complain()
{
    printf 'test_kernels_gpu: %s %s: %s\n  %s\n%s\n' "$gpu" "$1" "$line" "${command[*]}" \
        "$(head -20 <<<"$log")" >&2
    failed=1
}

while IFS= read -r line; do
    read -ra words <<<"${line%%#*}"
    [ ${#words[@]} -gt 0 ] || continue
    allowed=0
    if [ "${words[0]}" = scratch ]; then
        [ $maker != amd ] || allowed=${words[1]}
        words=("${words[@]:2}")
    fi
    [ "$lines" = all ] || [ -z "${covered[${words[0]}]-}" ] || continue
    covered[${words[0]}]=yes
    rm -f "$work"/binary*
    ${maker}_command "${words[@]}"
    if ! log=$("${command[@]}" 2>&1 </dev/null); then
        complain 'does not compile'
        continue
    fi
    compiled=$((compiled + 1))
    sizes=$(${maker}_sizes)
    kernels=$((kernels + $(wc -w <<<"$sizes")))
    most=$(sort -n <<<"$sizes" | tail -1)
    [ -n "$most" ] || complain 'says nothing of its kernels'
    [ "${most:-0}" -le "$allowed" ] || complain "takes $most bytes besides registers"
done <"$shapes"

for file in "$source"/cl/*/*.cl; do
    line=$(basename "$file" .cl) log='' command=()
    [[ $line = *_lanes ]] || [ -n "${covered[$line]-}" ] || complain 'has no line in kernel_shapes.txt for'
done
echo "test_kernels_gpu: $gpu by $compiler: $compiled sets of options, $kernels kernels"
[ $compiled -gt 0 ] || failed=1
exit $failed
