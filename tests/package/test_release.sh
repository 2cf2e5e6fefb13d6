#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_release.sh BUILD SOURCE: what has to agree before a tag is set: the version in every file that
# has one, the day of the release where there is one, and the files that a project has to have.
set -eu -o pipefail

cd "$2"
failed=0

complain()
{
    echo "test_release: $*" >&2
    failed=1
}

# expect FILE TEXT: a line that must be in the file.
expect()
{
    grep -qE -- "$2" "$1" || complain "$1 lacks '$2'"
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
expect src/package/debian/control "^Package: librhomb$major\.$minor$"
# The first version of the changelog is the project's; released on a day, which all three files have,
# or in none of them (src/package/set_version.sh).
day=$(sed -n "s/^## \[$dotted\] - //p;/^## /q" CHANGELOG.md)
debian=$(sed -n '1s/^rhomb (\([^)]*\)) \([A-Za-z]*\);.*/\1 \2/p' src/package/debian/changelog)
if [ "$day" = unreleased ]; then
    [ "$debian" = "$version UNRELEASED" ] || complain "debian/changelog begins with '$debian'"
    ! grep '^date-released' CITATION.cff || complain 'CITATION.cff has a day, CHANGELOG.md none'
else
    [[ $day =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] || complain "CHANGELOG.md has '$day' for a day"
    expect CITATION.cff "^date-released: $day$"
    [ "$debian" = "$version unstable" ] || complain "debian/changelog begins with '$debian'"
    signed=$(sed -n 's/^ -- .*>  //p;/^ -- /q' src/package/debian/changelog)
    [ "$(date --utc --date "$signed" +%F)" = "$day" ] ||
        complain "debian/changelog is of $signed, and CHANGELOG.md of $day"
fi
for file in LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff \
    .github/ISSUE_TEMPLATE/bug.yml; do
    [ -s "$file" ] || complain "no $file"
done
exit $failed
