#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_kernels_lint.sh SOURCE: compiles every kernel family, as OpenCL C 1.2 and without a device,
# for each set of options in kernel_corners.txt, warnings as errors. Skipped (77) without clang.
set -u -o pipefail

source=$1
corners=$source/tests/kernel_corners.txt
clang=(clang -x cl -cl-std=CL1.2 -target spir64 -Xclang -finclude-default-header -fsyntax-only
    -Wall -Wextra -Wno-unused-parameter -Werror -I "$source/cl")
failed=0 accepted=0 refused=0
declare -A covered=()

if ! command -v clang >/dev/null; then
    echo 'test_kernels_lint: no clang here'
    exit 77
fi

# complain WHAT: says it, with the line of kernel_corners.txt and what clang had to say.
complain()
{
    printf 'test_kernels_lint: %s: %s\n%s\n' "$1" "$line" "${log-}" >&2
    failed=1
}

while IFS= read -r line; do
    read -ra words <<<"${line%%#*}"
    [ ${#words[@]} -gt 0 ] || continue
    wanted=accepted
    if [ "${words[0]}" = '!' ]; then
        wanted=refused
        words=("${words[@]:1}")
    fi
    covered[${words[0]}]=yes
    if log=$("${clang[@]}" "${words[@]:1}" "$source/cl"/*/"${words[0]}.cl" 2>&1); then
        accepted=$((accepted + 1))
        [ $wanted = accepted ] || complain 'should be refused'
    else
        refused=$((refused + 1))
        # Only an #error is a refusal: an illegal set has to say what is wrong with it.
        [ $wanted = refused ] || complain 'does not compile'
        [ $wanted = accepted ] || grep -q "# *error" <<<"$log" || complain 'no #error'
    fi
done <"$corners"

for file in "$source"/cl/*/*.cl; do
    [ -e "$file" ] || continue
    line=$(basename "$file" .cl) log=''
    [ -n "${covered[$line]-}" ] || complain 'no line in kernel_corners.txt for'
done
echo "test_kernels_lint: $accepted sets of options accepted, $refused refused"
[ $((accepted + refused)) -gt 0 ] || failed=1
exit $failed
