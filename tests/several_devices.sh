#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# several_devices.sh RHOMB PROGRAM ARGUMENT...: runs a test with all devices of the best kind open:
# two of PoCL, unless POCL_DEVICES says otherwise. Exits with 77 where there is only one.
set -eu

export POCL_DEVICES=${POCL_DEVICES:-basic pthread} RHOMB_TEST_DEVICE=all
rhomb=$1
shift
count=$("$rhomb" devices 2>/dev/null | grep -cE '^[* ] *[0-9]+ +(gpu|cpu|accelerator) ' || true)
[ "$count" -ge 2 ] || { echo 'skipped: there are not two devices' && exit 77; }
exec "$@"
