#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_install.sh BUILD SOURCE: installs into a folder of its own and uses the library from there as
# a stranger would: the header alone as C11 and C++, example.c by pkg-config (shared and static) and
# by find_package. Runs what it built; without a device that part is left out.
set -eu -o pipefail

build=$1 source=$2
. "$(dirname "$0")/script.sh"
prefix=$work/prefix
cc=${CC:-cc}
strict=(-std=c11 -pedantic -Wall -Wextra -Wstrict-prototypes -Wundef -Werror)

# run_example PROGRAM: two distances that everyone can check by hand.
run_example()
{
    local rc=0 line
    line=$("$1" "$work/target.fa" "$work/query.fa" 2>"$work/stderr") || rc=$?
    if [ $rc = 4 ]; then
        echo "no device: $(basename "$1") was built, but not run"
        return
    fi
    [ $rc = 0 ] || fail "$1: exit code $rc: $(cat "$work/stderr")"
    [ "$line" = $'target\tquery\t2' ] || fail "$1 says '$line' instead of a distance of 2"
    rc=0
    "$1" "$work/target.fa" "$work/none.fa" >/dev/null 2>"$work/stderr" || rc=$?
    [ $rc = 3 ] || fail "$1: exit code $rc instead of 3 for a file that is not there"
    grep -q none.fa "$work/stderr" || fail "$1: the message does not name the file"
}

# run_align PROGRAM: eight matches, a mismatch, and a base of a gap, by hand.
run_align()
{
    local rc=0 line
    line=$("$1" ACGTACGTTT ACGAACGTT match:2,4,4,2,24,1 2>"$work/stderr") || rc=$?
    [ $rc != 4 ] || return 0
    [ $rc = 0 ] || fail "$1: exit code $rc: $(cat "$work/stderr")"
    [ "$line" = $'score 6\tpenalty 13\t3=1X3=1D2=' ] || fail "$1 says '$line'"
    rc=0
    "$1" A C no:1 >/dev/null 2>"$work/stderr" || rc=$?
    [ $rc = 2 ] || fail "$1: exit code $rc instead of 2 for a scoring that there is not"
}

needs_librhomb_so()
{
    [[ $(readelf -d "$1") = *NEEDED*librhomb* ]]
}

printf '>target\nACGTACGTTT\n' >"$work/target.fa"
printf '>query\nACGAACGTT\n' >"$work/query.fa"

cmake --install "$build" --prefix "$prefix" >"$work/install.log"
pc=$(find "$prefix" -name rhomb.pc)
[ -n "$pc" ] || fail 'rhomb.pc is not installed'
# Found in the new place only when its paths do not name the prefix of the configuration.
mv "$prefix" "$work/moved"
prefix=$work/moved
libdir=$(dirname "$(dirname "${pc/#"$work/prefix"/"$prefix"}")")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
version=$("$prefix/bin/rhomb" --version)
case $version in *"$(pkg-config --modversion rhomb)"*) ;; *) fail "version: $version" ;; esac
for file in bash-completion/completions/rhomb zsh/site-functions/_rhomb fish/vendor_completions.d/rhomb.fish; do
    [ -f "$prefix/share/$file" ] || fail "the completion $file is not installed"
done
for page in man1/rhomb.1 man7/rhomb-cookbook.7; do
    [ -f "$prefix/share/man/$page" ] || fail "the manual page $page is not installed"
done

# The headers, which must need nothing but themselves.
for header in rhomb align batch cigar comparison identity matrix pairs paf scoring tuning verify; do
    printf '#include <rhomb/%s.h>\nint main(void) { return 0; }\n' $header >"$work/header.c"
    cp "$work/header.c" "$work/header.cpp"
    "$cc" "${strict[@]}" -fsyntax-only -I"$prefix/include" "$work/header.c"
    for cxx in g++ clang++; do
        command -v $cxx >/dev/null || continue
        $cxx -fsyntax-only -Wall -Wextra -pedantic -Werror -I"$prefix/include" "$work/header.cpp"
    done
done

read -ra cflags < <(pkg-config --cflags rhomb)
if [ -e "$libdir/librhomb.so" ]; then
    read -ra libs < <(pkg-config --libs rhomb)
    "$cc" "${strict[@]}" "${cflags[@]}" "$source/tests/example.c" "${libs[@]}" -o "$work/shared"
    needs_librhomb_so "$work/shared" || fail 'the shared library was not linked'
    run_example "$work/shared"
    "$cc" "${strict[@]}" "${cflags[@]}" "$source/tests/example_align.c" "${libs[@]}" -o "$work/align"
    run_align "$work/align"
fi

# The linker takes a shared library where there is one: -l: names the archive instead.
read -ra libs < <(pkg-config --static --libs rhomb | sed 's/-lrhomb\b/-l:librhomb.a/')
"$cc" "${strict[@]}" "${cflags[@]}" "$source/tests/example.c" "${libs[@]}" -o "$work/static"
if needs_librhomb_so "$work/static"; then fail 'the static library was not linked'; fi
run_example "$work/static"

mkdir "$work/consumer"
cat >"$work/consumer/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES C)
find_package(rhomb $(pkg-config --modversion rhomb) REQUIRED)
add_executable(by_default $source/tests/example.c)
target_link_libraries(by_default PRIVATE rhomb::rhomb)
find_package(rhomb REQUIRED COMPONENTS static)
add_executable(static $source/tests/example.c)
target_link_libraries(static PRIVATE rhomb::rhomb_static)
END
cmake -S "$work/consumer" -B "$work/consumer/build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" >"$work/cmake.log" || fail "$(cat "$work/cmake.log")"
cmake --build "$work/consumer/build" >"$work/cmake.log" || fail "$(cat "$work/cmake.log")"
if needs_librhomb_so "$work/consumer/build/static"; then
    fail 'rhomb::rhomb_static is not static'
fi
run_example "$work/consumer/build/by_default"
run_example "$work/consumer/build/static"
