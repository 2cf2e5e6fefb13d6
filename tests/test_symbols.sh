#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_symbols.sh STATIC [SHARED]: what the libraries export and import. Users see rhomb_ names
# only, nothing of the library collides with a program's own names, and what the header promises
# holds: no printing, no ending of the process, no signal handlers, no global state.
set -eu -o pipefail

static=$1 shared=${2-}
failed=0

# expect_none TEXT: standard input is a list of offenders.
expect_none()
{
    local names
    names=$(sort -u)
    [ -n "$names" ] || return 0
    printf 'test_symbols: %s:\n%s\n' "$1" "$names" >&2
    failed=1
}

defined=$(nm -g --defined-only "$static" | awk 'NF == 3 { print $3 }')
imported=$(nm -u "$static" | awk 'NF == 2 { print $2 }')
objects=$(objdump -t "$static")

grep -qx rhomb_distance <<<"$defined" || expect_none 'missing' <<<rhomb_distance
expect_none 'global names of the static library without the prefix' < <(
    grep -v '^rhomb_' <<<"$defined")

ends='_?exit|_Exit|quick_exit|atexit|abort|signal|sigaction'
# fprintf needs one of the two streams to print; without them it writes to memory.
prints='stdout|stderr|v?printf|puts|putchar|perror|__v?printf_chk'
expect_none 'imported, though a library must not end the process or print' < <(
    grep -xE "($ends|$prints)(@.*)?" <<<"$imported")

# Objects in sections that can be written once the program has been loaded.
expect_none 'global state' < <(awk -F'\t' '{
    n = split($1, field, " ")
    if (field[n - 1] ~ /O/ && field[n] ~ /^\.t?(bss|data)/ && field[n] !~ /^\.data\.rel\.ro/)
        print $2
}' <<<"$objects")

if [ -n "$shared" ]; then
    exported=$(nm -D --defined-only "$shared" | awk '{ print $NF }')
    grep -qx rhomb_distance <<<"$exported" || expect_none 'not exported' <<<rhomb_distance
    expect_none 'public functions that test_any_call.c lacks' < <(
        grep -vxFf <(grep -oE 'rhomb_[a-z0-9_]+' "$(dirname "$0")/test_any_call.c") <<<"$exported")
    expect_none 'exported by the shared library without being public' < <(
        grep -vE '^rhomb_[^_]' <<<"$exported")
fi

exit $failed
