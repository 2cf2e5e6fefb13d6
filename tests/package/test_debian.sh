#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_debian.sh BUILD SOURCE: builds the Debian packages, asks lintian, installs them and uses them:
# the test that comes with them, and a program that is linked with the library. They are installed
# over a copy-on-write view of the system, which is left as it is; in a container of CI, where there
# is no right to have such a view, for real. Skipped (77) where a tool, what the packages are built
# with, or that right is missing.
set -eu -o pipefail

source=$2

skip()
{
    echo "$*"
    exit 77
}

fail()
{
    echo "test_debian: $*" >&2
    exit 1
}

# Inside the view, as root there: installs, uses and removes the packages.
if [ "${1-}" = inside ]; then
    cd "$3"
    export DEBIAN_FRONTEND=noninteractive HOME=$3
    dpkg --install rhomb_*.deb librhomb0.3_*.deb librhomb-dev_*.deb >log 2>&1 || fail "$(cat log)"
    "$source/src/package/one_pair.sh" || fail 'the installed program does not work'
    # shellcheck disable=SC2046 # words
    cc -std=c11 "$source/tests/example.c" $(pkg-config --cflags --libs rhomb) -o example
    [[ $(readelf -d example) = *librhomb.so.0.3* ]] || fail 'librhomb.so.0.3 was not linked'
    printf '>a\nACGT\n' >a.fa && printf '>b\nAGT\n' >b.fa
    [ "$(./example a.fa b.fa 2>/dev/null)" = $'a\tb\t1' ] || fail 'the linked program does not work'
    dpkg --purge rhomb librhomb0.3 librhomb-dev >log 2>&1 || fail "$(cat log)"
    ! ls /usr/bin/rhomb /usr/lib/*/librhomb* /usr/share/doc/rhomb 2>/dev/null || fail 'files stay'
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for tool in dpkg-buildpackage dh lintian unshare; do
    command -v $tool >/dev/null || skip "no $tool here"
done
dpkg-checkbuilddeps "$source/src/package/debian/control" 2>"$work/log" || skip "$(cat "$work/log")"
git -c safe.directory="*" -C "$source" rev-parse >/dev/null 2>&1 || skip 'the sources are not in git'

# Without what debuggers read, which nobody does here, it takes less.
DEB_BUILD_OPTIONS='noautodbgsym nocheck' DEB_CFLAGS_APPEND=-g0 \
    "$source/src/package/debian/build.sh" "$work"
lintian --allow-root --fail-on error,warning "$work"/*.changes || fail 'lintian complains'

# An overlay over each folder that the packages write to.
view='set -e; mount -t tmpfs tmpfs "$1"
for folder in /usr /var /etc; do
    mkdir -p "$1$folder/upper" "$1$folder/work"
    mount -t overlay overlay -o "lowerdir=$folder,upperdir=$1$folder/upper,workdir=$1$folder/work" $folder
done'
mkdir "$work/view"
inside=(bash "$0" inside "$source" "$work")
if unshare --mount bash -c "$view" view "$work/view" 2>/dev/null; then
    unshare --mount bash -c "$view; exec \"\${@:2}\"" view "$work/view" "${inside[@]}"
elif [ "${CI-}" = true ] && [ "$(id -u)" = 0 ]; then
    "${inside[@]}"
else
    skip 'no overlays here; built, not installed'
fi
