#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_examples.sh SOURCE_DIR: the C examples of README and of the headers' first comments compile as
# they are. One of README has only what itself and those before it include; one of a header that
# header, <inttypes.h> and <stdio.h>. What an example takes as given, its sequences for one, is below.
set -u -o pipefail
cd "$1" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0 failed=0

# given NAME: what an example takes as given.
given()
{
    echo 'static const char *target, *query; static int64_t n, m; static rhomb_context *ctx;'
    case $1 in
    batch) echo 'static rhomb_pair *pairs; static size_t count; static rhomb_batch *batch;
static size_t read_more(rhomb_pair **more) { return *more == NULL; }' ;;
    comparison) echo 'static rhomb_sequence_set *targets, *queries; static rhomb_paf *paf;
static void show(const rhomb_comparison_report *r) { (void)r; }' ;;
    matrix) echo 'enum { N = 4 }; static rhomb_status status; static double matrix[N * N];
static const rhomb_matrix_sequence sequences[N];' ;;
    paf) echo 'static void use(const void *r, const void *o, size_t c) { (void)r; (void)o; (void)c; }' ;;
    pairs) echo 'static rhomb_pairs *pairs; static void use(const void *p, size_t c) { (void)p; (void)c; }' ;;
    README2) echo 'static rhomb_status status;' ;;
    esac
}

# compile NAME INCLUDES: the example on standard input; functions stand before the rest.
compile()
{
    local file=$work/$1.c
    cat >"$work/text"
    {
        printf '%s\n' "$2"
        given "$1"
        sed -n '/^static .*(/,/^}/p' "$work/text"
        echo 'void example(void); void example(void) {'
        sed -e '/^static .*(/,/^}/d' -e '/^#include/d' "$work/text"
        echo '}'
    } >"$file"
    count=$((count + 1))
    "${CC:-cc}" -std=c11 -Iinclude -Wall -Wextra -Werror -Wno-unused -Wno-unused-parameter -fsyntax-only "$file" || failed=1
}

includes=
for block in 1 2; do
    awk -v wanted=$block '/^```c$/ { at++; next } /^```$/ { inside = 0 } { if (at == wanted && !done) print }
        /^```$/ && at == wanted { done = 1 }' README.md | sed '/^```/,$d' >"$work/block"
    includes="$includes"$'\n'"$(grep '^#include' "$work/block")"
    compile "README$block" "$includes" <"$work/block"
done
[ "$(grep -c '^```c$' README.md)" -eq 2 ] || { echo "README has other examples" && failed=1; }

for header in include/rhomb/*.h; do
    name=$(basename "$header" .h)
    awk 'NR > 1 && /\*\/$/ { exit } /^ \*( |$)/ { code = /^ \*     / || (code && /^ \*$/) }
        code { print substr($0, 8); was = 1 } !code && was { exit }' \
        "$header" >"$work/example"
    grep -q 'rhomb_.*;$' "$work/example" || continue
    compile "$name" "$(printf '#include <inttypes.h>\n#include <stdio.h>\n#include <rhomb/%s.h>' "$name")" \
        <"$work/example"
done
[ $count -ge 12 ] || { echo "only $count examples were found" && failed=1; }
exit $failed
