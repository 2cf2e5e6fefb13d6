# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Sourced by tests that build wheels. python_tools FOLDER [PACKAGE...]: a virtual environment in
# FOLDER with what wheel.sh needs, and those packages of PyPI. It stays for the next run. Skips the
# test (77) without python3-venv or a network.

python_tools()
{
    local folder=$1
    shift
    python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || {
        echo 'no Python 3.9 with venv here' && exit 77
    }
    [ -x "$folder/bin/pip" ] || python3 -m venv "$folder" 2>/dev/null || {
        rm -rf "$folder" && echo 'python3 -m venv does not work here' && exit 77
    }
    "$folder/bin/pip" install --quiet --disable-pip-version-check --retries 1 "$@" \
        -r "$RHOMB_SOURCE/src/package/python/requirements.txt" || {
        echo 'PyPI cannot be reached' && exit 77
    }
}
