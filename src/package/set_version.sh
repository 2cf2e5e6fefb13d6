#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# set_version.sh MAJOR.MINOR.PATCH [YYYY-MM-DD]: writes the version into every file that has one, and
# what the golden tests expect; with the day of the release, or that there is none yet, into the
# changelogs. Then look at the difference, run tests/package/test_release.sh, commit and tag.
set -eu -o pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
new=$1 day=${2-}
old=$(sed -n 's/^project(rhomb VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
dotted=${old//./\\.}
IFS=. read -r major minor patch <<<"$new"

sed -i "s/^project(rhomb VERSION $dotted/project(rhomb VERSION $new/" CMakeLists.txt
sed -i -e "s/\(VERSION_MAJOR\) .*/\1 $major/" -e "s/\(VERSION_MINOR\) .*/\1 $minor/" \
    -e "s/\(VERSION_PATCH\) .*/\1 $patch/" -e "s/\"$dotted\"/\"$new\"/" include/rhomb/rhomb.h
sed -i "s/^version: $dotted$/version: $new/" CITATION.cff
sed -i "s/set version = \"$dotted\"/set version = \"$new\"/" src/package/conda/meta.yaml
sed -i "1s/($dotted) [A-Za-z]*;/($new) $([ -n "$day" ] && echo unstable || echo UNRELEASED);/" \
    src/package/debian/changelog
library=librhomb${old%.*} renamed=librhomb$major.$minor # as its SONAME
if [ "$library" != "$renamed" ]; then
    mv "src/package/debian/$library.install" "src/package/debian/$renamed.install"
    sed -i -e "s/${library//./\\.}/$renamed/g" -e "s/librhomb\.so\.${old%.*}\b/librhomb.so.$major.$minor/g" \
        src/package/debian/control tests/package/test_debian.sh
fi
sed -i -E "1,/^## /s/^## \[?(Unreleased|$dotted)\]?.*/## [$new] - ${day:-unreleased}/" CHANGELOG.md
made_by="(rhomb |VN:|\"rhomb\":	\")"
grep -rlE "$made_by$dotted" tests/cli/cases | xargs -r sed -i -E "s/$made_by$dotted/\1$new/"
sed -i '/^date-released: /d' CITATION.cff
if [ -n "$day" ]; then
    sed -i "/^version: /a date-released: $day" CITATION.cff
    sed -i "0,/^ -- /s/\(^ -- .*>  \).*/\1$(LC_ALL=C date --utc --date "$day 12:00" -R)/" \
        src/package/debian/changelog
fi
