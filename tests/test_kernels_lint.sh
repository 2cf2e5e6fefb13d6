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

# complain WHAT: says it, with the family, its options, and what clang had to say.
complain()
{
    printf 'test_kernels_lint: %s: %s %s\n%s\n' "$1" "$family" "${options[*]}" "${log-}" >&2
    failed=1
}

# try WANTED: whether the family takes the options, or refuses them by #error, or lacks one and does not compile.
try()
{
    read -ra options <<<"${options[*]}" # without those that are missing
    if log=$("${clang[@]}" "${options[@]/#/-DRHOMB_}" "$source/cl"/*/"$family.cl" 2>&1); then
        accepted=$((accepted + 1))
        [ "$1" = takes ] || complain 'should be refused'
    else
        refused=$((refused + 1))
        [ "$1" != takes ] || complain 'does not compile'
        # An illegal set has to say what is wrong with it.
        [ "$1" != refuses ] || grep -q "# *error" <<<"$log" || complain 'no #error'
    fi
}

# The first set of each family, and that without each of its options.
begin()
{
    for family in "${families[@]}"; do
        covered[$family]=yes
        options=("${first[@]}")
        try takes
        for missing in "${first[@]}"; do
            options=("${first[@]/#$missing/}")
            [[ $missing != *=* || " $zero " = *" ${missing%=*} "* ]] || try lacks
        done
    done
}

# change WORD: the first set with the options of a word.
change()
{
    local option
    options=("${first[@]}")
    for option in ${1//,/ }; do
        options=("${options[@]/#${option%%=*}=*/}" "$option")
    done
}

wanted=''
while IFS= read -r line; do
    read -ra words <<<"${line%%#*}"
    [ ${#words[@]} -gt 0 ] || continue
    if [ "${words[0]}" = family ]; then
        read -ra families <<<"${line%%:*}"
        families=("${families[@]:1}")
        read -ra first <<<"${line#*:}"
        zero=$(printf '%s\n' "${first[@]}" | sed -n 's/=.*?$//p')
        first=("${first[@]%\?}")
        begin
        continue
    fi
    [[ $line = ' '* ]] || wanted=${words[0]} words=("${words[@]:1}")
    for word in "${words[@]}"; do
        change "$word"
        for family in "${families[@]}"; do
            try "$wanted"
        done
    done
done <"$corners"

for file in "$source"/cl/*/*.cl; do
    [ -e "$file" ] || continue
    family=$(basename "$file" .cl) options=() log=''
    [ -n "${covered[$family]-}" ] || complain 'no line in kernel_corners.txt for'
done
echo "test_kernels_lint: $accepted sets of options accepted, $refused refused"
[ $((accepted + refused)) -gt 0 ] || failed=1
exit $failed
