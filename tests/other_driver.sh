#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# other_driver.sh DRIVER,... COMMAND ARGUMENT...: runs a command that sees the devices of these
# implementations of OpenCL and no others:
#
#   pocl      the one that OCL_ICD_VENDORS names, or the system's
#   intel     Intel's runtime for CPUs, where rhomb_drivers_install() of packages.sh put it
#   rusticl   Mesa's on the CPU (llvmpipe), of Debian's mesa-opencl-icd
#   oclgrind  Debian's simulator of a GPU, which looks at every access of a kernel
#
# Exits with 77 where one is not installed.
set -eu

drivers=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# missing WHAT: there is no such driver here.
missing()
{
    echo "skipped: $1 is not installed"
    exit 77
}

# first FILE...: the first that exists.
first()
{
    local file
    for file in "$@"; do
        [ ! -f "$file" ] || { echo "$file" && return; }
    done
}

for driver in ${drivers//,/ }; do
    case $driver in
    pocl)
        pocl=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors/pocl.icd}
        [ ! -d "$pocl" ] || pocl=$(first "$pocl"/pocl*.icd "$pocl"/*.icd)
        [ -f "$pocl" ] || missing PoCL
        cp "$pocl" "$folder/pocl.icd"
        continue
        ;;
    intel)
        library=$(first "${RHOMB_TEST_DRIVERS:-/nowhere}"/lib/libintelocl.so)
        [ -n "$library" ] || missing "Intel's runtime for CPUs (see RHOMB_TEST_DRIVERS in tests/README.md)"
        ;;
    rusticl)
        library=$(first /usr/lib/*/libRusticlOpenCL.so.1)
        [ -n "$library" ] || missing rusticl
        export RUSTICL_ENABLE=llvmpipe
        ;;
    oclgrind)
        library=$(first /usr/lib/oclgrind/liboclgrind-rt-icd.so \
            /usr/lib/*/oclgrind/liboclgrind-rt-icd.so /usr/lib/*/liboclgrind-rt-icd.so)
        [ -n "$library" ] || missing Oclgrind
        ;;
    *)
        echo "other_driver.sh: no driver is called $driver" >&2
        exit 2
        ;;
    esac
    echo "$library" >"$folder/$driver.icd"
done
status=0
OCL_ICD_VENDORS=$folder RHOMB_CACHE_DIR=off "$@" || status=$?
exit $status
