#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_examples.sh SOURCE_DIR: the C examples of README and of the headers' first comments compile as
# they are. README's has only what it includes; one of a header has that header, <inttypes.h> and
# <stdio.h>. What an example takes as given, its sequences for one, is below. And the comment of a
# function says what it does, what it returns, whose that is, its cost and threads, in this order, as
# far as there is anything to say.
set -u -o pipefail
cd "$1" || exit 1
. "$(dirname "$0")/script.sh"
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

[ "$(grep -c '^```c$' README.md)" -eq 1 ] || { echo "README has other examples" && failed=1; }
sed '1,/^```c$/d; /^```$/,$d' README.md >"$work/block"
compile README "$(grep '^#include' "$work/block")" <"$work/block"

for header in include/rhomb/*.h; do
    name=$(basename "$header" .h)
    awk 'NR > 1 && /\*\/$/ { exit } /^ \*( |$)/ { code = /^ \*     / || (code && /^ \*$/) }
        code { print substr($0, 8); was = 1 } !code && was { exit }' \
        "$header" >"$work/example"
    grep -q 'rhomb_.*;$' "$work/example" || continue
    compile "$name" "$(printf '#include <inttypes.h>\n#include <stdio.h>\n#include <rhomb/%s.h>' "$name")" \
        <"$work/example"
done
awk '/^\/\*/ { returns = cost = threads = other = 0 }
    /^(\/\*| \*)/ {
        if (/Returns( |$)|The same with/ && !returns) returns = FNR
        if (/^ \* Cost: /) cost = FNR
        if (/^ \* Threads: /) threads = FNR
        other = other || /^ \* (Time|Memory|Ownership|Thread): /
    }
    /^RHOMB_API/ && ((/ rhomb_status / && !returns) || other || (cost && cost < returns) ||
                     (threads && threads < (cost ? cost : returns))) {
        print FILENAME ":" FNR ": what, Returns, ownership, Cost:, Threads: in this order"; bad = 1
    }
    END { exit bad }' include/rhomb/*.h || failed=1
[ $count -ge 11 ] || { echo "only $count examples were found" && failed=1; }
exit $failed
