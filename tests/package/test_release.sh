#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_release.sh BUILD SOURCE: what has to agree before a tag is set: the version in every file that
# has one, and the files that a project has to have.
set -eu -o pipefail

cd "$2"
failed=0

# expect FILE TEXT: a line that must be in the file.
expect()
{
    grep -qE -- "$2" "$1" && return
    echo "test_release: $1 lacks '$2'" >&2
    failed=1
}

version=$(sed -n 's/^project(rhomb VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
IFS=. read -r major minor patch <<<"$version"
dotted=${version//./\\.}
expect include/rhomb/rhomb.h "^#define RHOMB_VERSION +\"$dotted\"$"
expect include/rhomb/rhomb.h "^#define RHOMB_VERSION_MAJOR $major$"
expect include/rhomb/rhomb.h "^#define RHOMB_VERSION_MINOR $minor$"
expect include/rhomb/rhomb.h "^#define RHOMB_VERSION_PATCH $patch$"
expect CITATION.cff "^version: $dotted$"
expect CHANGELOG.md "^## \[$dotted\]"
expect src/package/conda/meta.yaml "set version = \"$dotted\""
head -n 1 src/package/debian/changelog | grep -qF "rhomb ($version) " || {
    echo 'test_release: src/package/debian/changelog begins with another version' >&2
    failed=1
}
for file in LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff \
    .github/ISSUE_TEMPLATE/bug.yml; do
    [ -s "$file" ] || {
        echo "test_release: no $file" >&2
        failed=1
    }
done
exit $failed
