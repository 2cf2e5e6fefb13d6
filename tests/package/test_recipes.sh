#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_recipes.sh BUILD SOURCE [build]: the recipes for conda and Docker, without either: whether the
# first can be read and says what it must, and the second installs exactly what the program needs. With
# `build` (slow) their build steps run, each into a folder, and what they installed is tried.
set -eu -o pipefail

build=$1 RHOMB_SOURCE=$2 step=${3-}
. "$RHOMB_SOURCE/tests/package/python_tools.sh"
. "$(dirname "$0")/../script.sh"
package=$RHOMB_SOURCE/src/package
dockerfile=$package/docker/Dockerfile

# The words after `apt-get install` in the Nth RUN.
installed()
{
    sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$dockerfile" | sed -n 's/^RUN.*--no-install-recommends//p' |
        sed -n "$1p" | sed 's/&&.*//' | tr -s ' ' '\n' | sed '/^$/d' | sort
}

check_docker()
{
    local needed listed file
    . "$RHOMB_SOURCE/tests/packages.sh"
    diff <(printf '%s\n' "${rhomb_packages_build[@]}" | grep -v pocl | sort) <(installed 1) ||
        fail 'the Dockerfile builds with other packages than tests/packages.sh has'
    grep -qx 'libnvidia-opencl.so.1' "$package/docker/nvidia.icd" || fail 'nvidia.icd'
    for file in $(sed -n 's/^COPY \([^- ][^ ]*\) .*/\1/p' "$dockerfile"); do
        [ -e "$RHOMB_SOURCE/$file" ] || fail "the Dockerfile copies $file, which is not there"
    done
    listed=$(installed 2)
    grep -qx pocl-opencl-icd <<<"$listed" || fail 'the image has no PoCL'
    # Names differ in other distributions.
    if ! grep -qs 'VERSION_ID="12"' /etc/os-release; then return; fi
    needed=$(readelf -d "$build/host/cli/rhomb" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort)
    needed=$("$package/linked.sh" "$build/host/cli/rhomb" | grep -wF "$needed" | cut -f 3 | sort -u)
    diff <(echo "$needed") <(grep -vE '^(pocl|fonts)-' <<<"$listed") ||
        fail 'the image has other libraries than the program needs'
}

check_conda()
{
    python_tools "$build/package/tools" jinja2 pyyaml
    "$build/package/tools/bin/python" - "$package/conda/meta.yaml" "$("$build/host/cli/rhomb" --version)" <<'END'
import sys, jinja2, yaml
path, version = sys.argv[1:]
names = {"compiler": lambda what: "compiler-" + what, "stdlib": lambda what: "stdlib-" + what,
         "pin_subpackage": lambda name, max_pin: f"{name} {max_pin}"}
recipe = yaml.safe_load(jinja2.Template(open(path).read(), undefined=jinja2.StrictUndefined).render(**names))
assert recipe["package"]["version"] == version.split()[1], recipe["package"]
needs = recipe["requirements"]
assert {"compiler-c", "stdlib-c"} <= set(needs["build"]), needs
assert {"ocl-icd", "opencl-headers", "htslib"} <= set(needs["host"]), needs
assert {"ocl-icd", "pocl"} <= set(needs["run"]), needs
assert "rhomb devices" in recipe["test"]["commands"], recipe["test"]
assert recipe["build"]["run_exports"] == ["rhomb x.x"], recipe["build"]
assert recipe["about"]["license"] == "MIT" and recipe["about"]["license_file"] == "LICENSE"
END
}

# try_program FOLDER: the program installed there.
try_program()
{
    local rc=0
    PATH=$1/bin:$PATH "$package/one_pair.sh" >"$work/log" 2>&1 || rc=$?
    [ $rc = 0 ] || [ $rc = 4 ] || fail "what is in $1: $(cat "$work/log")"
    [ $rc = 0 ] || echo 'no device: installed, but not tried'
}

build_both()
{
    local commands
    cp -r "$RHOMB_SOURCE"/{CMakeLists.txt,CMakePresets.json,LICENSE,README.md,CHANGELOG.md} "$work"
    cp -r "$RHOMB_SOURCE"/{cl,datasets,host,include,src} "$work"
    cd "$work"
    PREFIX=$work/conda CPU_COUNT=$(nproc) bash src/package/conda/build.sh >log 2>&1 || fail "$(cat log)"
    try_program "$work/conda"
    [ -f conda/include/rhomb/rhomb.h ] && [ -e conda/lib/librhomb.so ] || fail 'conda: no library'
    commands=$(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$dockerfile" | sed -n 's/^RUN \(cmake.*\)/\1/p')
    bash -c "${commands//\/image/$work/image}" >log 2>&1 || fail "$(cat log)"
    try_program "$work/image/usr"
}

if [ "$step" = build ]; then
    build_both
else
    check_docker
    check_conda
fi
