#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# portable.sh PREFIX VERSION PROGRAM [ARCHIVE...]: puts the libraries that PROGRAM needs into
# PREFIX/lib/rhomb, where the installed program looks first, with their licences and a bill of
# materials. Left to the system: the C library, and OpenCL's loader, which knows the drivers.
set -eu -o pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$1 version=$2
shift 2
documents=$prefix/share/doc/rhomb
mkdir -p "$prefix/lib/rhomb"
"$here/linked.sh" "$@" | while IFS=$'\t' read -r name path _; do
    case $name in
    libOpenCL.so*) ;;
    *.so*) install -m 644 "$path" "$prefix/lib/rhomb/$name" ;;
    esac
done
"$here/licences.sh" "$documents/licences" "$@"
"$here/sbom.sh" "$version" "$@" >"$documents/sbom.spdx.json"
