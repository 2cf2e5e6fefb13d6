#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The test of an installed program, of every package: it finds a device, and a distance and an
# alignment that everyone can check by hand.
set -eu -o pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR="$work"
cd "$work"
printf '>target\nACGTACGTTT\n' >target.fa
printf '>query\nACGAACGTT\n' >query.fa
rhomb devices
rhomb distance target.fa query.fa | cut -f 5 | grep -x 2
rhomb align target.fa query.fa -o out.paf
rhomb verify --whole out.paf target.fa query.fa
