#!/bin/sh
# SPDX-License-Identifier: MIT
#
# compile.sh TEXT OUT CC [FLAG...]: makes the shared object OUT of TEXT, a program in OpenCL C, with
# the host's compiler. own_kernel_c.h comes before the text. After it come a function for each kernel
# that takes pointers to its arguments, and the table rhomb_kernels (own_group.h), whose last row is empty; after
# each variable in local memory how large it is, for the table between the pointers of rhomb_locals.
# Loops are not unrolled: with the checks of a sanitizer in them that takes clang up to 13 s, and 0.4 without.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
text=$1 out=$2 cc=$3
shift 3
made=$(mktemp "$out.XXXXXX")
trap 'rm -f "$made" "$made.i" "$made.c"' EXIT
"$cc" -E -std=c11 -x c -I "$here" -include "$here/own_kernel_c.h" "$@" "$text" -o "$made.i"
awk '
    /^#pragma unroll/ { $0 = "" }
    { text = text $0 "\n" }
    /rhomb_barrier\(\)/ { barriers = 1 }
    END {
        print "#define __global\n#define rhomb_local"
        while (match(text, /rhomb_variable [^;]*;/)) {
            variables = substr(text, RSTART + 15, RLENGTH - 15)
            before = before substr(text, 1, RSTART - 1) variables
            text = substr(text, RSTART + RLENGTH)
            head = before
            sub(/^.*__kernel/, "", head)
            match(head, /void [a-z_0-9]+/)
            kernel = substr(head, RSTART + 5, RLENGTH - 5)
            gsub(/\[[^\]]*\]|[;*]/, " ", variables)
            count = split(variables, each, ",")
            for (i = 1; i <= count; i++) {
                name = each[i]
                sub(/ *$/, "", name)
                sub(/^.* /, "", name)
                before = before " static const group_local bytes_of_" name \
                    " __attribute__((used, section(\"rhomb_variables\"))) = {\"" kernel "\", sizeof(" name ")};"
            }
        }
        text = before text
        while ((at = index(text, "__kernel")) > 0) {
            printf "%s", substr(text, 1, at - 1)
            text = substr(text, at + length("__kernel"))
            brace = index(text, "{")
            head = substr(text, 1, brace - 1)
            text = substr(text, brace)
            gsub(/\n#[^\n]*/, "", head)
            lines = head
            gsub(/[^\n]/, "", lines)
            gsub(/[ \n]+/, " ", head)
            group = "0"
            if (match(head, /reqd_work_group_size\([^,]*,/))
                group = substr(head, RSTART + 21, RLENGTH - 22)
            sub(/^.*void /, "", head)
            name = head
            sub(/ *\(.*/, "", name)
            parameters = substr(head, index(head, "(") + 1)
            sub(/\) *$/, "", parameters)
            printf "static void %s(%s)%s", name, parameters, lines
            count = split(parameters, each, ",")
            calls = sizes = kinds = ""
            for (i = 1; i <= count; i++) {
                type = each[i]
                kind = type !~ /[*]/ ? "VALUE" : type ~ /rhomb_local/ ? "LOCAL" : "GLOBAL"
                sub(/[A-Za-z_0-9]+ *$/, "", type)
                calls = calls (i > 1 ? ", " : "") "*(" type " *)a[" (i - 1) "]"
                sizes = sizes "sizeof(" type "), "
                kinds = kinds "GROUP_" kind ", "
            }
            tail = tail "static void call_" name "(void *const *a) { " name "(" calls "); }\n"
            rows = rows "    {\"" name "\", call_" name ", " group ", " count ", (const size_t[]){" sizes \
                "0}, (const group_argument[]){" kinds "0}},\n"
        }
        print text tail
        print "const group_kernel rhomb_kernels[] = {\n" rows "    {0}};"
        print "const _Bool rhomb_has_barriers = " barriers + 0 ";"
        print "extern const group_local __start_rhomb_variables[] __attribute__((weak)), __stop_rhomb_variables[] __attribute__((weak));"
        print "const group_local *const rhomb_locals[2] = {__start_rhomb_variables, __stop_rhomb_variables};"
    }' "$made.i" >"$made.c"
"$cc" -std=c11 -x c -I "$here" -w -O1 -fno-unroll-loops -g1 -fPIC -shared -Wl,-Bsymbolic "$@" "$made.c" -o "$made"
mv "$made" "$out"
