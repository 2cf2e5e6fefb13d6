#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_reproducible.sh BUILD SOURCE: two builds of the wheel, the tarball and the Debian packages, from
# two copies of the sources, in other folders, at other times, with another umask and locale, are the
# same, byte for byte. Skipped (77) without PyPI or Debian's tools.
set -eu -o pipefail

build=$1 RHOMB_SOURCE=$2
. "$RHOMB_SOURCE/tests/package/python_tools.sh"
. "$(dirname "$0")/../script.sh"

# compare FOLDER FOLDER PATTERN: that files of that name are equal.
compare()
{
    local file count=0
    for file in "$1"/$3; do
        cmp "$file" "$2/$(basename "$file")" || fail "two builds of $(basename "$file") differ"
        count=$((count + 1))
    done
    [ $count -gt 0 ] && [ -e "$file" ] || fail "there is no $3"
}

python_tools "$build/package/tools"
export SOURCE_DATE_EPOCH=1764000000 PYTHON=$build/package/tools/bin/python
export PATH=$build/package/tools/bin:$PATH CCACHE_DISABLE=1
cd "$RHOMB_SOURCE"
for copy in first the-second; do
    mkdir -p "$work/$copy/rhomb"
    git -c safe.directory='*' ls-files -z --cached --others --exclude-standard |
        tar --create --null --files-from - --ignore-failed-read --warning=no-failed-read |
        tar --extract --touch --directory "$work/$copy/rhomb"
    git -C "$work/$copy/rhomb" init --quiet && git -C "$work/$copy/rhomb" add .
done
"$work/first/rhomb/src/package/python/wheel.sh" "$work/first/out"
(umask 077 && LC_ALL=C.UTF-8 TZ=Asia/Tokyo \
    "$work/the-second/rhomb/src/package/python/wheel.sh" "$work/the-second/out")
compare "$work/first/out" "$work/the-second/out" '*.whl'

tarball()
{
    (cd "$1/rhomb" && cmake --preset release && cmake --build build && cd build &&
        cpack -B "$1/cpack") >"$1/log" 2>&1 || fail "$(cat "$1/log")"
    cp "$1"/cpack/*.tar.gz "$1/out"
}
tarball "$work/first"
(umask 022 && LC_ALL=C.UTF-8 TZ=Asia/Tokyo && tarball "$work/the-second")
compare "$work/first/out" "$work/the-second/out" '*.tar.gz'

for tool in dpkg-buildpackage dh; do
    command -v $tool >/dev/null || { echo "no $tool here" && exit 77; }
done
"$work/first/rhomb/src/package/debian/build.sh" "$work/first/out"
(umask 022 && LC_ALL=C.UTF-8 TZ=Asia/Tokyo \
    "$work/the-second/rhomb/src/package/debian/build.sh" "$work/the-second/out")
compare "$work/first/out" "$work/the-second/out" '*.deb'
