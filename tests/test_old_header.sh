#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Programs that were built against an older header go on working: old_caller.c is compiled against
# headers whose structures lack their last member, and runs with today's library. "Older" stands for
# any growth at the end, which is the only one that rhomb.h promises.
#
# Usage: test_old_header.sh SOURCE_DIR LIBRARY CC
set -u -o pipefail
source=$1 library=$2 cc=$3

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/include/rhomb" || exit 1

# age FILE: drops the last member of each structure that may grow, and its value in its macro.
age()
{
    awk '
        function flush() { for (i = 1; i <= n; i++) print held[i]; n = 0 }
        BEGIN {
            split("context_options device_info options report align_report pair_result " \
                  "batch_tuning batch_options batch_report rates verify_options verify_report", list)
            for (i in list) grows["rhomb_" list[i]] = 1
            grows["rhomb_plan"] = grows["rhomb_tuning"] = 1
        }
        /^(typedef )?struct rhomb_[a-z_]+ \{/ {
            name = $0; sub(/^(typedef )?struct /, "", name); sub(/ .*/, "", name); inside = 1
        }
        inside { held[++n] = $0 }
        inside && /^}/ {
            if (name in grows) {
                for (last = n - 1; held[last] !~ /;/; last--) ;
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
                if (label in grows) sub(/,[^,{}]*}[ \t]*$/, " }", text)
                print text; macro = 0
            }
            next
        }
        { print }
        END { print dropped + 0 >"/dev/stderr" }' "$1"
}

dropped=0
for header in "$source"/include/rhomb/*.h; do
    count=$(age "$header" 2>&1 >"$folder/include/rhomb/${header##*/}") || exit 1
    dropped=$((dropped + count))
done
[ "$dropped" -eq 14 ] || { echo "test_old_header.sh: $dropped structures were cut, not 14"; exit 1; }

printf '>t\nACGTACGT\n>q\nACGTCGT\n' >"$folder/old.fa"
printf 'q\t7\t0\t7\t+\tt\t8\t0\t8\t7\t8\t255\tNM:i:1\tcg:Z:4=1D3=\n' >"$folder/old.paf"
# Values that lack in a macro are zero, which a compiler may remark on.
"$cc" -std=c11 -Wall -Wextra -Werror -Wno-missing-field-initializers -I "$folder/include" \
    -o "$folder/old_caller" "$source/tests/old_caller.c" "$library" \
    -Wl,-rpath,"$(dirname "$library")" || exit 1
cd "$folder" && ./old_caller
