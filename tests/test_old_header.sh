#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Programs that were built against an older header go on working: old_caller.c is compiled against
# headers whose structures lack their last member, and runs with today's library. "Older" stands for
# any growth at the end, which is the only one that rhomb.h promises. It is done to all structures
# but those that say that they do not grow, and old_caller.c has to use each of them.
#
# Before that, the headers are checked: a structure that may grow is not a member of another one,
# and if the library fills one that is the caller's, it starts with its size.
#
# Usage: test_old_header.sh SOURCE_DIR LIBRARY CC
set -u -o pipefail
source=$1 library=$2 cc=$3

. "$(dirname "$0")/script.sh"
mkdir -p "$work/include/rhomb" || exit 1

# Lines "NAME sized|unsized" of the structures that may grow.
growing()
{
    awk '
        /^\/\*/ { comment = "" }
        /^(\/| )\*/ { line = $0; sub(/^[\/ ]\*+ ?/, "", line); comment = comment " " line }
        /^(typedef )?struct rhomb_[a-z_]+ \{/ {
            name = $0; sub(/^(typedef )?struct /, "", name); sub(/ .*/, "", name)
            getline first
            if (comment !~ /Does not grow/)
                print name, (first ~ /^    size_t struct_size;/ ? "sized" : "unsized")
        }
        !/^(\/| )\*/ { comment = "" }' "$source"/include/rhomb/*.h
}

growing >"$work/growing" || exit 1
[ "$(wc -l <"$work/growing")" -ge 38 ] ||
    { echo 'test_old_header.sh: not all structures were found' >&2; exit 1; }

# check: what the headers promise of structures that may grow.
check()
{
    awk '
        FNR == NR { size[$1] = $2; next }
        FNR == 1 { code = "" }
        { gsub(/\/\*[^*]*\*\//, "") }
        /^    (const )?rhomb_[a-z_]+ [^*(]*;/ {
            type = $1 == "const" ? $2 : $1
            if (type in size) { print FILENAME ": a member of type " type; bad = 1 }
        }
        /^RHOMB_API/ { code = "" }
        { code = code " " $0 }
        /;$/ {
            rest = code; code = ""
            if (rest !~ /RHOMB_API/ || rest ~ /_destroy\(/) next
            while (match(rest, /[(,] *rhomb_[a-z_]+ \*[a-z]/)) {
                type = substr(rest, RSTART, RLENGTH); sub(/^[(,] */, "", type); sub(/ .*/, "", type)
                rest = substr(rest, RSTART + RLENGTH)
                if (size[type] == "unsized") { print FILENAME ": fills a " type; bad = 1 }
            }
        }
        END { exit bad }' "$work/growing" "$source"/include/rhomb/*.h
}
check >&2 || exit 1

while read -r name size; do
    grep -qw "$name" "$source/tests/old_caller.c" ||
        { echo "test_old_header.sh: old_caller.c does not use $name ($size)" >&2; exit 1; }
done <"$work/growing"

# age FILE: drops the last member of each structure that may grow, and its values in its macro.
age()
{
    awk '
        function flush() { for (i = 1; i <= n; i++) print held[i]; n = 0 }
        FNR == NR { grows[$1] = 1; next }
        /^(typedef )?struct rhomb_[a-z_]+ \{/ {
            name = $0; sub(/^(typedef )?struct /, "", name); sub(/ .*/, "", name); inside = 1
        }
        inside { held[++n] = $0 }
        inside && /^}/ {
            if (name in grows) {
                # A member starts at four spaces; its lines that follow, of a comment too, do not.
                for (last = n - 1; last > 1 && held[last] !~ /^    [a-z]/; last--) ;
                member = held[last]; sub(/;.*/, "", member); gsub(/\([^()]*\)/, "", member)
                values[name] = split(member, unused, ",")
                for (; last < n; last++) held[last] = ""
                dropped++
            }
            flush(); inside = 0; next
        }
        inside { next }
        /^#define RHOMB_[A-Z_]*_INIT/ { macro = 1; text = ""; label = tolower($2); sub(/_init$/, "", label) }
        macro {
            line = $0; more = sub(/\\$/, "", line); text = text line
            if (!more) {
                for (i = 0; i < values[label]; i++) sub(/,[^,{}]*}[ \t]*$/, " }", text)
                print text; macro = 0
            }
            next
        }
        { print }
        END { print dropped + 0 >"/dev/stderr" }' "$work/growing" "$1"
}

dropped=0
for header in "$source"/include/rhomb/*.h; do
    count=$(age "$header" 2>&1 >"$work/include/rhomb/${header##*/}") || exit 1
    dropped=$((dropped + count))
done
[ "$dropped" -eq "$(wc -l <"$work/growing")" ] ||
    { echo "test_old_header.sh: $dropped structures were cut" >&2; exit 1; }

printf '>t\nACGTACGT\n>q\nACGTCGT\n' >"$work/old.fa"
printf 'q\t7\t0\t7\t+\tt\t8\t0\t8\t7\t8\t255\tNM:i:1\tcg:Z:4=1D3=\n' >"$work/old.paf"
printf '>ACGTCGT\n<ACGTACGT\n>ACGT\n<ACGT\n' >"$work/old.seq"
# Values that lack in a macro are zero, which a compiler may remark on.
"$cc" -std=c11 -Wall -Wextra -Werror -Wno-missing-field-initializers -I "$work/include" \
    -o "$work/old_caller" "$source/tests/old_caller.c" "$library" \
    -Wl,-rpath,"$(dirname "$library")" || exit 1
export POCL_DEVICES=${POCL_DEVICES:-basic pthread} # so that shares of devices are seen
cd "$work" && ./old_caller
