# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What scripts of tests source: $work, a folder that goes with them; fail WHAT... says it and ends the test.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail()
{
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}
