#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_presets.sh BUILD SOURCE: each preset of CMakePresets.json configures, and those for users build
# what users need: the README's lines build neither tests nor benchmarks.
set -eu -o pipefail

source=$2
. "$(dirname "$0")/../script.sh"
unset CC CMAKE_GENERATOR

command -v ninja >/dev/null || { echo 'no ninja here' && exit 77; }
cd "$source"
presets=$(cmake --list-presets | sed -n 's/^ *"\([a-z]*\)".*/\1/p')
for preset in release library dev; do
    grep -qx $preset <<<"$presets" || fail "there is no preset $preset"
done
for preset in $presets; do
    [ "$preset" != sanitize ] || command -v clang >/dev/null || continue
    cmake --preset "$preset" -B "$work/$preset" >"$work/log" 2>&1 || fail "$preset: $(cat "$work/log")"
done
for preset in release library dev; do # what building it would make
    ninja -C "$work/$preset" -t commands | grep -oE -- '-o [^ ]+' >"$work/$preset.txt"
done
cd "$work"
! grep -E '^-o (tests|bench|datasets)/' release.txt library.txt || fail 'users need none of these'
grep -qx -- '-o host/cli/rhomb' release.txt || fail 'release does not build the program'
! grep 'host/cli/' library.txt || fail 'library builds the program'
grep -q -- '-o tests/' dev.txt || fail 'dev builds no tests'
grep -q '^cmake --preset release$' "$source/README.md" || fail "README.md does not say 'cmake --preset release'"
