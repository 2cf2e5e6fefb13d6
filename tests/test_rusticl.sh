#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_rusticl.sh RHOMB RUSTICL_CRASH: whether the smallest kernels still crash rusticl, and whether
# small pairs give there what they do on PoCL, the other platform (other_driver.sh), in forms that would
# crash it as well. Exits with 77 on a release that never crashed.
set -eu -o pipefail

rhomb=$1 crash=$2
. "$(dirname "${BASH_SOURCE[0]}")/made_pairs.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export MESA_SHADER_CACHE_DIR=$work # without a cache it compiles kernels for each launch

"$crash"

# same OPTIONS COMMAND...: what it prints with these options on rusticl and without on PoCL, but for the
# columns of engine, device and time.
same()
{
    local options=$1
    shift
    "$rhomb" "$@" --quiet --device PoCL >expected
    # shellcheck disable=SC2086 # several options
    "$rhomb" "$@" --quiet --device rusticl $options >found
    cmp <(columns expected) <(columns found)
    [ -s expected ]
    echo "the same: $* $options"
}

# The columns that do not depend on the device.
columns()
{
    awk -F '\t' -v OFS='\t' '$7 ~ /^(wavefront|bitparallel)$/ { $7 = $8 = $9 = "" } !/^#/' "$1"
}

pair s 500 0.1 10 0.5
same '--engine wavefront --tune group=8,items=2,scores=3' distance s.t.fa s.q.fa
# What this comes to on 26 is the second of those kernels.
release=$("$rhomb" devices --json --device rusticl | sed -n 's/^[[:space:]]*"driver":[^0-9]*\([0-9]*\).*/\1/p' | head -1)
[ "$release" = 26 ] ||
    same '--engine wavefront --tune group=8,items=8,scores=8' distance --score affine:4,6,2 s.t.fa s.q.fa
same '--tune group=8' batch --cigar s.seq
