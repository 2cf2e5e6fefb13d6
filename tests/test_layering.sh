#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_layering.sh SOURCE: the rules that keep the folders apart, and those of the house that a
# search can check. Dependencies go one way: host/cli -> include; host -> src, cl/abi.h;
# src -> cl/abi.h. Only host/cl_error.h knows OpenCL's header, and kernels know no vendor.
set -eu -o pipefail

cd "$1"
failed=0

# expect_none RULE: standard input names the offenders.
expect_none()
{
    local found
    found=$(cat)
    [ -n "$found" ] || return 0
    printf 'test_layering: %s:\n%s\n' "$1" "$found" >&2
    failed=1
}

# includes FOLDER DEPTH: prints "file:included name" for the C files of a folder, system headers in
# angle brackets.
includes()
{
    find "$1" -maxdepth "$2" -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' \) \
        -exec grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]+["<][^">]+[">]' {} + |
        sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]+/:/; s/"//g'
}

# The program goes through the public header alone, like any other user of the library.
expect_none 'host/cli includes its own headers, rhomb/rhomb.h and system headers only' < <(
    includes host/cli 1 | while IFS=: read -r file name; do
        case $name in
        rhomb/*.h | '<rhomb/rhomb.h>') ;;
        '<htslib/hts_log.h>') ;; # the log level is the process's, so it is the program's
        '<htslib/bgzf.h>') [ "$file" = host/cli/sink.c ] || echo "$file: $name" ;; # compression
        '<CL/'* | '<htslib/'*) echo "$file: $name" ;;
        '<'*) ;;
        *) [ -f "host/cli/$name" ] && [ "${name##*/}" = "$name" ] || echo "$file: $name" ;;
        esac
    done)

expect_none 'src includes src, include and cl/abi.h only, and no OpenCL' < <(
    includes src 1 | while IFS=: read -r file name; do
        case $name in
        rhomb/*.h | ../cl/abi.h | cl/abi.h) ;;
        '<CL/'* | '<rhomb'*) echo "$file: $name" ;;
        '<'*) ;;
        *) [ -f "src/${name#src/}" ] && [ "${name#src/}" = "${name##*/}" ] ||
            echo "$file: $name" ;;
        esac
    done)

expect_none 'host includes neither host/cli nor htslib' < <(
    includes host 1 | grep -E ':(.*cli/|<htslib/)')

expect_none 'only host/cl_error.h includes the header of OpenCL' < <(
    for folder in include/rhomb src host host/cli; do includes "$folder" 1; done |
        grep -F ':<CL/' | grep -vxF 'host/cl_error.h:<CL/cl.h>')

expect_none 'kernels include .clh files and abi.h only' < <(
    includes cl 1 | grep -E '\.(cl|clh):' | grep -vE ':(abi\.h|[a-z0-9_]+\.clh)$')

# Comments may say on what something was measured; code may not ask for it.
vendors='nvidia|cl_nv|amd|intel|apple|qualcomm|qcom|adreno|mali|pocl|cuda|rocm|mesa'
expect_none 'kernels name no vendor and print nothing' < <(
    find cl -type f \( -name '*.cl' -o -name '*.clh' -o -name '*.h' \) | while read -r file; do
        "${CC:-cc}" -fpreprocessed -dD -E -P -x c "$file" 2>/dev/null |
            grep -iE "(^|[^a-z])($vendors|printf)([^a-z]|\$)" | sed "s|^|$file: |"
    done)

# sources NAME_PATTERN...: our files with one of the names. tests/embed is input for a test.
sources()
{
    local names=(-name "$1")
    shift
    for name in "$@"; do names+=(-o -name "$name"); done
    find include src cl host tests datasets bench -path tests/embed -prune -o \
        -type f \( "${names[@]}" \) -print
}

expect_none 'every file says under which licence it is' < <(
    sources '*.[ch]' '*.cl' '*.clh' '*.def' '*.sh' '*.cmake' CMakeLists.txt | while read -r file; do
        head -n 2 "$file" | grep -q 'SPDX-License-Identifier: MIT' || echo "$file"
    done)

expect_none 'no file has more than 600 lines' < <(
    sources '*.[ch]' '*.cl' '*.clh' | xargs wc -l | awk '$1 > 600 && $2 != "total"')

expect_none 'file names are unique' < <(
    sources '*.[ch]' '*.cl' '*.clh' | sed 's|.*/||' | sort | uniq -d)

exit $failed
