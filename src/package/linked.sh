#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# linked.sh BINARY [ARCHIVE...]: what a program or library is linked with, and what that is linked
# with, but for the C library: a line for each, of the name by which it is loaded (of an archive, its
# file name), its path, and the Debian package and version that it comes from, "-" where dpkg does not
# know. Tabs between.
set -eu -o pipefail

system='^(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv))\.so'

# describe NAME PATH
describe()
{
    local path package='' version=-
    path=$(realpath -e "$2")
    # Debian's merged /usr: dpkg may know the file by the other name.
    for path in "$path" "${path#/usr}"; do
        [ -n "$package" ] || package=$(dpkg-query --search "$path" 2>/dev/null | sed -n '1s/:.*//p' || true)
    done
    [ -z "$package" ] || version=$(dpkg-query --show --showformat='${Version}\n' "$package" | head -n 1)
    printf '%s\t%s\t%s\t%s\n' "$1" "$(realpath -e "$2")" "${package:--}" "$version"
}

loaded=$(ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $1 "\t" $3 }')
! grep -q 'not found' < <(ldd "$1") || { echo "linked.sh: $1 lacks a library" >&2 && exit 1; }
shift
while IFS=$'\t' read -r name path; do
    [[ $name =~ $system ]] || describe "$name" "$path"
done < <(sort <<<"$loaded")
for archive in "$@"; do
    describe "$(basename "$archive")" "$archive"
done
