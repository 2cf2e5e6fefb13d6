#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_layering.sh SOURCE: the rules that keep the rooms apart, and those of the house that a search
# can check. A folder is a room. Includes give paths from the top, and point from a room to itself or
# to one above it in the list below; no module, a header with its source, is in a circle. Only
# host/device/opencl.h knows OpenCL's header, and kernels know no vendor.
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

# includes FOLDER: prints "file:included name" for the C files in a folder and below, system headers in
# angle brackets.
includes()
{
    find "$1" -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' \) \
        -exec grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]+["<][^">]+[">]' {} + |
        sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]+/:/; s/"//g'
}

# The house, from the ground up.
rooms='
src/base
src/scoring
src/io
src/checkpoint
src/paths
src/formats
src/strips
src/planner
src/batch
host/device
host/checkpoint
host/upload
host/engines
host/engines/wavefront
host/engines/affine
host/engines/bitparallel
host/splits
host/divide
host/local
host/batch
host/matrix
host/api
host/cli/base
host/cli/ranks
host/cli/command
host/cli/sketch
host/cli/many
host/cli/pair
host/cli/writers
host/cli/plot
host/cli/report
host/cli/align
host/cli/batch
host/cli/matrix
host/cli/devices
host/cli/verify
host/cli/compare
host/cli
'

expect_none 'includes point from a room to one above it in the list' < <(
    { includes src && includes host; } | awk -F : -v rooms="$rooms" '
        BEGIN { count = split(rooms, list, "\n"); for (i = 1; i <= count; i++) order[list[i]] = i }
        function room(name) { sub("/[^/]*$", "", name); return name }
        {
            from = room($1); name = $2; to = room(name)
            if (!(from in order)) { print $1 ": its folder is no room of the list"; next }
            if (name ~ /^</ || name ~ /^rhomb\//) next
            if (name ~ /^cl\/(abi\.h|params\.def)$/ && $1 !~ /^host\/cli/) next
            if (!(to in order) || order[to] > order[from]) print $1 ": " name
        }')

# A source that has no header of its name belongs to the header that declares what it defines, and
# counts by itself: nobody includes it.
expect_none 'no modules include each other in a circle' < <(
    { includes src && includes host; } | sed -nE 's/\.[ch]:(.*)\.h$/ \1/p' |
        awk '$2 ~ /^(src|host)\// && $1 != $2' | tsort 2>&1 >/dev/null | grep -v 'contains a loop')

# So no room's functions are behind another room's header, and calls go one way as includes do.
expect_none 'a header declares what its own room defines' < <(
    find src host -type f -name '*.[ch]' -exec awk '
        FNR == 1 { room = FILENAME; sub("/[^/]*$", "", room) }
        /^[a-z].*[ *]rhomb__[a-z0-9_]+\(/ && !/^(static|typedef|extern)/ && match($0, /rhomb__[a-z0-9_]+\(/) {
            print FILENAME ~ /h$/ ? "declares" : "defines", substr($0, RSTART, RLENGTH - 1), room
        }' {} + | sort -u |
        awk '$1 == "declares" { room[$2] = $3 } $1 == "defines" { defined[$2] = $3 }
             END { for (f in defined) if (f in room && room[f] != defined[f]) print f ": " room[f] ", " defined[f] }')

# The program goes through the public headers alone, like any other user of the library, but for the
# file that a run goes on with.
expect_none 'host/cli includes its own headers, rhomb/*.h, those of checkpoints and system headers only' < <(
    includes host/cli | while IFS=: read -r file name; do
        case $name in
        rhomb/*.h | host/cli/* | src/checkpoint/save[dr].h) ;;
        '<htslib/hts_log.h>') ;; # the log level is the process's, so it is the program's
        '<htslib/bgzf.h>') [ "$file" = host/cli/base/sink.c ] || echo "$file: $name" ;;
        '<mmpriv.h>') [ "$file" = host/cli/sketch/minimizers.c ] || echo "$file: $name" ;;
        '<htslib/'*) [[ $file == host/cli/writers/@(bam_file|file_index).c ]] || echo "$file: $name" ;;
        '<cairo'*) [[ $file == host/cli/plot/* ]] || echo "$file: $name" ;;
        '<mpi.h>') [ "$file" = host/cli/ranks/ranks_mpi.c ] || echo "$file: $name" ;;
        '<CL/'*) echo "$file: $name" ;;
        '<'*) ;;
        *) echo "$file: $name" ;;
        esac
    done)

expect_none 'only src/base and src/io include htslib, and the program for its output' < <(
    { includes src && includes host; } | grep -F ':<htslib/' |
        grep -vE '^(src/(base|io)|host/cli)/')

expect_none 'only host/device/opencl.h includes the header of OpenCL' < <(
    { includes include/rhomb && includes src && includes host; } | grep -F ':<CL/' |
        grep -vxF 'host/device/opencl.h:<CL/cl.h>')

expect_none 'kernels include .clh files and abi.h only' < <(
    includes cl | grep -E '\.(cl|clh):' | grep -vE ':(abi\.h|[a-z_]+/[a-z0-9_]+\.clh)$')

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
