#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_kernels_amd.sh SOURCE GPU: compiles each kernel family for one of AMD's GPUs, by the newest
# clang that has a libclc beside it, with the options of kernel_shapes.txt. What compiles may take no
# memory besides registers (scratch), but for what that file says. Skipped (77) without them.
set -u -o pipefail

source=$1 gpu=$2
shapes=$source/tests/kernel_shapes.txt
failed=0 compiled=0 kernels=0
declare -A covered=()

# Sets clang and library: the newest pair of the same version, as dpkg knows them.
find_compiler()
{
    local number
    for number in $(seq 30 -1 15); do
        command -v "clang-$number" >/dev/null || continue
        for library in $(dpkg-query -L "libclc-$number" "libclc-$number-dev" 2>/dev/null |
            grep -E '/amdgcn-(amd|)-amdhsa(/libclc)?\.bc$'); do
            clang=clang-$number
            return 0
        done
    done
    return 1
}
find_compiler || { echo 'test_kernels_amd: no clang with its libclc here' && exit 77; }

# complain WHAT: says it, with the line of kernel_shapes.txt and how to repeat it.
complain()
{
    printf 'test_kernels_amd: %s %s: %s\n  %s\n%s\n' "$gpu" "$1" "$line" "${command[*]}" \
        "$(head -20 <<<"$log")" >&2
    failed=1
}

while IFS= read -r line; do
    read -ra words <<<"${line%%#*}"
    [ ${#words[@]} -gt 0 ] || continue
    allowed=0
    if [ "${words[0]}" = scratch ]; then
        allowed=${words[1]}
        words=("${words[@]:2}")
    fi
    covered[${words[0]}]=yes
    command=("$clang" -x cl -cl-std=CL1.2 -target amdgcn-amd-amdhsa "-mcpu=$gpu" -nogpulib
        -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang "$library" -O3
        -Rpass-analysis=kernel-resource-usage -I "$source/cl" "${words[@]:1}"
        -S -o /dev/null "$source/cl"/*/"${words[0]}.cl")
    if ! log=$("${command[@]}" 2>&1); then
        complain 'does not compile'
        continue
    fi
    compiled=$((compiled + 1))
    sizes=$(sed -n 's/.*ScratchSize \[bytes\/lane\]: \([0-9]*\).*/\1/p' <<<"$log")
    kernels=$((kernels + $(wc -w <<<"$sizes")))
    most=$(sort -n <<<"$sizes" | tail -1)
    [ -n "$most" ] || complain 'says nothing of its kernels'
    [ "${most:-0}" -le "$allowed" ] || complain "takes $most bytes of scratch"
done <"$shapes"

for file in "$source"/cl/*/*.cl; do
    line=$(basename "$file" .cl) log='' command=()
    [[ $line = *_lanes ]] || [ -n "${covered[$line]-}" ] || complain 'has no line in kernel_shapes.txt for'
done
echo "test_kernels_amd: $gpu by $clang: $compiled sets of options, $kernels kernels"
[ $compiled -gt 0 ] || failed=1
exit $failed
