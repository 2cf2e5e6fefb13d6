#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# releases.sh BUILD FOLDER NAME...: runs driver_set.sh on releases of OpenCL implementations that this
# system does not have, each in a root of its own under FOLDER (some 1 to 2 GB, kept for the next run):
#
#   pocl5 pocl6 pocl7      Debian's and Ubuntu's PoCL: of Ubuntu 24.04, Debian 13 and Debian sid
#   pocl4                  PoCL 4.0, which no release has, built from the sources of POCL_GIT
#                          (https://github.com/pocl/pocl) in Ubuntu 24.04, in a quarter of an hour
#   rusticl25 rusticl26    Mesa's, on llvmpipe: of Debian 13 and sid
#   ocloc                  Intel's compiler for GPUs, of sid, by test_kernels_gpu.sh
#
# BUILD is a build of the tests on a system that is not newer than these, such as Debian 12. Needs
# root, debootstrap, and the mirrors of Debian and Ubuntu.
set -eu -o pipefail

source=$(realpath "$(dirname "$0")/..")
build=$(realpath "$1") folder=$(realpath -m "$2")
shift 2
export DEBIAN_FRONTEND=noninteractive
mkdir -p "$folder"

# enter ROOT COMMAND...: runs it there, with the sources and the build where they are here.
enter()
{
    # shellcheck disable=SC2016 # the inner shell's variables
    unshare --mount bash -ec 'root=$1 && shift
        for place in /dev /proc /sys "$1" "$2"; do
            mkdir -p "$root$place"
            mount --rbind "$place" "$root$place"
        done
        shift 2
        exec chroot "$root" env -i HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            DEBIAN_FRONTEND=noninteractive LD_LIBRARY_PATH=/rhomb-libraries "$@"' - "$folder/$1" \
        "$source" "$build" "${@:2}"
}

# root_of SUITE NAME PACKAGE...: a root NAME with these packages.
root_of()
{
    local suite=$1 name=$2 key=$folder/trixie/usr/share/keyrings/ubuntu-archive-keyring.gpg
    local options=() mirror=(http://deb.debian.org/debian)
    shift 2
    if [ "$suite" = noble ]; then
        # Debian's key vouches for Ubuntu's.
        root_of trixie trixie ubuntu-keyring
        options=("--components=main,universe" "--keyring=$key")
        mirror=(http://archive.ubuntu.com/ubuntu gutsy)
    fi
    if [ ! -e "$folder/$name/rhomb-libraries" ]; then
        rm -rf "${folder:?}/$name"
        debootstrap --variant=minbase ${options[@]+"${options[@]}"} "$suite" "$folder/$name" "${mirror[@]}" \
            >"$folder/$name.log"
        mkdir "$folder/$name/rhomb-libraries"
    fi
    enter "$name" apt-get install --yes --no-install-recommends "$@" >"$folder/$name.log"
}

# Copies what the programs link and the root NAME does not have, then what these link, until it has all.
copy_libraries()
{
    local programs=("$build/host/cli/rhomb" "$build"/tests/{test_batch,test_batch_modes,test_distance,test_align})
    local lacking library
    while lacking=$(enter "$1" ldd "${programs[@]}" | awk '/=> not found/ { print $1 }' | sort -u)
    [ -n "$lacking" ]; do
        for library in $lacking; do
            cp "$(ldd "${programs[@]}" | awk -v name="$library" '$1 == name && !found++ { print $3 }')" \
                "$folder/$1/rhomb-libraries/"
        done
    done
}

# judge ROOT DRIVER: the differential set, with that driver of those in the root.
judge()
{
    copy_libraries "$1"
    enter "$1" env POCL_CACHE_DIR=/tmp RUSTICL_ENABLE=llvmpipe "OCL_ICD_VENDORS=/etc/OpenCL/vendors/$2.icd" \
        bash "$source/tests/driver_set.sh" "$build"
}

# With assertions, as distributions build it: they see what it does wrong with several queues.
build_pocl4()
{
    root_of noble pocl4 g++ git patch file make ninja-build cmake pkgconf python3-minimal libhwloc-dev \
        ocl-icd-opencl-dev ocl-icd-libopencl1 llvm-16-dev clang-16 libclang-16-dev libclang-cpp16-dev \
        zlib1g-dev libxml2-dev
    [ ! -e "$folder/pocl4/etc/OpenCL/vendors/pocl.icd" ] || return 0
    rm -rf "$folder/pocl4/pocl" "$folder/pocl4/tmp/pocl.git"
    git clone --quiet --bare --depth 1 --branch v4.0 "${POCL_GIT:-https://github.com/pocl/pocl}" \
        "$folder/pocl4/tmp/pocl.git"
    mkdir "$folder/pocl4/pocl"
    git -C "$folder/pocl4/tmp/pocl.git" archive v4.0 ':!examples' ':!tests' | tar -x -C "$folder/pocl4/pocl"
    enter pocl4 cmake -S /pocl -B /pocl/build -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O2 \
        -DCMAKE_CXX_FLAGS=-O2 -DCMAKE_INSTALL_PREFIX=/usr -DWITH_LLVM_CONFIG=/usr/bin/llvm-config-16 \
        -DENABLE_EXAMPLES=OFF -DENABLE_TESTS=OFF -DENABLE_POCLCC=OFF -DENABLE_SPIRV=OFF \
        -DENABLE_ICD=ON -DKERNELLIB_HOST_CPU_VARIANTS=native
    enter pocl4 ninja -C /pocl/build install
}

# run NAME: makes its root, and judges it.
run()
{
    case $1 in
    pocl4)
        build_pocl4
        judge pocl4 pocl
        ;;
    pocl5)
        root_of noble noble ocl-icd-libopencl1 pocl-opencl-icd
        judge noble pocl
        ;;
    pocl6)
        root_of trixie trixie ocl-icd-libopencl1 pocl-opencl-icd
        judge trixie pocl
        ;;
    pocl7)
        root_of sid sid ocl-icd-libopencl1 pocl-opencl-icd
        judge sid pocl
        ;;
    rusticl25)
        root_of trixie trixie ocl-icd-libopencl1 mesa-opencl-icd
        judge trixie rusticl
        ;;
    rusticl26)
        root_of sid sid ocl-icd-libopencl1 mesa-opencl-icd
        judge sid rusticl
        ;;
    ocloc)
        root_of sid sid intel-ocloc libigc2 libigdfcl2
        for gpu in dg2 mtl pvc; do
            enter sid bash "$source/tests/test_kernels_gpu.sh" "$source" "$gpu"
        done
        ;;
    *) echo "releases.sh: no release is called $1" >&2 && return 2 ;;
    esac
}

for name in "$@"; do
    echo "== $name"
    run "$name"
done
