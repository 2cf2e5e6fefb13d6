#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_tarball.sh BUILD SOURCE: the tarball of `cpack`. The program in it needs nothing of the system
# but the C library and a loader of OpenCL: it runs in a folder that has just these as its root, where
# the right to enter such a one (chroot) exists. Outside, it compares two sequences and draws them,
# where there is a device. Its bill of materials names what the program is linked with.
set -eu -o pipefail

build=$1 source=$2
. "$(dirname "$0")/../script.sh"

command -v dpkg-query >/dev/null || { echo 'no dpkg here' && exit 77; }
cd "$work"
cpack --config "$build/CPackConfig.cmake" -B "$work/cpack" >log || fail "$(cat log)"
tar xzf "$work"/cpack/rhomb-*.tar.gz
folder=$(echo rhomb-*)
program=$work/$folder/bin/rhomb

# What is loaded from outside of the folder.
loaded=$(ldd "$program" | awk '$2 == "=>" { print $1, $3 } $1 ~ /ld-linux/ { print $1, $1 }')
others=$(grep -vF " $work/$folder/" <<<"$loaded" |
    grep -vE '^(lib(c|m|dl|rt|pthread|resolv|OpenCL)\.so|/.*ld-linux)' || true)
[ -z "$others" ] || fail "the program needs $others of the system"

bill=$folder/share/doc/rhomb/sbom.spdx.json
for name in libhts.so.3 libz.so.1 libOpenCL.so.1 libcjson.so.1; do
    grep -q "\"name\": \"$name\"" "$bill" || fail "the bill of materials lacks $name"
done
for name in $(cd "$folder/lib/rhomb" && ls); do
    digest=$(sha256sum <"$folder/lib/rhomb/$name" | cut -d ' ' -f 1)
    grep -A 2 "\"name\": \"$name\"" "$bill" | grep -q "$digest" || fail "the bill has another $name"
done
if command -v python3 >/dev/null; then python3 -m json.tool "$bill" >/dev/null; fi
licences=$(ls "$folder/share/doc/rhomb/licences")
for package in $(grep -o 'pkg:deb/[^@]*' "$bill" | sed 's|.*/||'); do
    grep -qxF "${package//%2B/+}" <<<"$licences" || fail "no licence of $package"
done

printf '>target\nACGTACGTTT\n' >target.fa
printf '>query\nACGAACGTT\n' >query.fa

# A root with nothing else. The loader of programs asks /proc where a program is.
mkdir -p bare/proc
cp -r "$folder" target.fa query.fa bare
awk '{ print $2 }' <<<"$loaded" | grep -vF "$work/" | while read -r file; do
    mkdir -p "bare$(dirname "$file")" && cp "$file" "bare$file"
done
in_bare_root()
{
    unshare --mount bash -c 'mount -t proc proc bare/proc && exec chroot bare "$@"' bare \
        "/$folder/bin/rhomb" "$@"
}
if { unshare --mount bash -c 'mount -t proc proc bare/proc && chroot bare /none' || true; } 2>&1 |
    grep -q /none; then
    in_bare_root --version >version || fail 'the program does not start in a bare root'
    grep -q '^rhomb ' version || fail "--version says $(cat version)"
    rc=0
    in_bare_root distance target.fa query.fa 2>message || rc=$?
    [ $rc = 4 ] || fail "$rc instead of 4, no device: $(cat message)"
else
    echo 'no bare root without the right to chroot'
fi

"$program" devices >/dev/null 2>&1 || { echo 'no device: nothing was compared' && exit 0; }
PATH=$work/$folder/bin:$PATH "$source/src/package/one_pair.sh" >log 2>&1 || fail "$(cat log)"
"$program" align target.fa query.fa -o out.paf 2>/dev/null
"$program" plot out.paf -o out.svg 2>log || grep -q "without 'rhomb plot'" log || fail "$(cat log)"
