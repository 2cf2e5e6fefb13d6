#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# licences.sh FOLDER BINARY [ARCHIVE...]: copies the licences of what linked.sh finds into FOLDER, a
# file for each Debian package. Elsewhere dpkg knows none, and there are none.
set -eu -o pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
shift
mkdir -p "$folder"
"$here/linked.sh" "$@" | cut -f 3 | sort -u | while read -r package; do
    licence=/usr/share/doc/$package/copyright
    [ ! -f "$licence" ] || install -m 644 "$licence" "$folder/$package"
done
