#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The demo: installs what is missing, builds Rhomb in build/, makes a related pair of
# chromosome-like sequences in datasets/demo/, computes their edit distance, aligns them, verifies the
# alignment and draws it, on a GPU if there is one and on the CPU through PoCL otherwise. Safe
# to run again; prints each command, to be repeated by hand.
set -eu -o pipefail

# Of the pair that make_pair writes by default, as edlib computes it.
expected=16831

cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/packages.sh

# show COMMAND...: prints a command as it could be typed, on stderr, then runs it.
show()
{
    printf '\n$ %s\n' "$*" >&2
    "$@"
}

rhomb_packages_ensure build
# PoCL finds no device where it cannot write its cache, as with a home folder that is read-only.
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$PWD/build/pocl-cache}
mkdir -p build datasets/demo "$POCL_CACHE_DIR"

if command -v ninja >/dev/null; then
    export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
fi
show cmake -S . -B build -DRHOMB_TESTS=OFF -DRHOMB_BENCH=OFF
show cmake --build build --parallel "$(nproc)" --target all make_pair

target=datasets/demo/target.fa query=datasets/demo/query.fa
show build/datasets/make_pair $target $query
grep '>' $target $query

show build/host/cli/rhomb devices
show build/host/cli/rhomb distance $target $query | tee datasets/demo/distance.tsv

distance=$(grep -v '^#' datasets/demo/distance.tsv | cut -f 5)
if [ "$distance" != $expected ]; then
    echo "demo: the distance should be $expected; please report this" >&2
    exit 1
fi

paf=datasets/demo/alignment.paf.gz picture=datasets/demo/alignment.png
show build/host/cli/rhomb align $target $query -o $paf
show build/host/cli/rhomb verify --whole $paf $target $query
show build/host/cli/rhomb plot $paf -o $picture --panels path,offset,identity --size 800x720

edits=$(gzip -dc $paf | grep -o 'NM:i:[0-9]*')
if [ "$edits" != NM:i:$expected ]; then
    echo "demo: the alignment should have $expected edits; please report this" >&2
    exit 1
fi
printf '\nThe distance is right: edlib finds %s as well. The alignment has it, too: %s\nMore: %s\n' \
    $expected $picture 'build/host/cli/rhomb --help, README.md'
