#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# build.sh OUTPUT: builds the Debian packages into the folder OUTPUT. The tools want this folder as
# `debian` at the top of the sources: it is copied there, in a copy of what git has.
set -eu -o pipefail

output=$(realpath -m "$1")
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$output" "$work/rhomb"
(cd "$source" && git -c safe.directory="*" ls-files -z --cached --others --exclude-standard |
    tar --create --null --files-from - --ignore-failed-read --warning=no-failed-read) |
    tar --extract --directory "$work/rhomb"
cp -r "$source/src/package/debian" "$work/rhomb/debian"
rm "$work/rhomb/debian/build.sh"
cd "$work/rhomb"
dpkg-buildpackage --build=binary --no-sign >"$work/log" 2>&1 || { tail -n 50 "$work/log" >&2 && exit 1; }
cp "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$output"
