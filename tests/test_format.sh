#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_format.sh SOURCE: clang-format agrees with every C and OpenCL C file. Its versions differ in
# what they make of the same rules, so that only version 14 is asked; skipped (77) without it.
# tests/embed is left out: the input of a test, awkward on purpose.
set -eu -o pipefail

cd "$1"
for program in clang-format-14 clang-format ''; do
    case $("$program" --version 2>/dev/null) in *' version 14.'*) break ;; esac
done
if [ -z "$program" ]; then
    echo 'test_format: no clang-format 14 here'
    exit 77
fi
find include src cl host tests datasets bench -path tests/embed -prune -o -type f \
    \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' \) -print0 |
    xargs -0 "$program" --style=file --dry-run -Werror
