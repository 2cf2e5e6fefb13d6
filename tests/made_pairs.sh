# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Pairs for tests that bring their own, and what is compared of their rows. Sourced by test_oclgrind.sh and driver_set.sh.

# pair NAME BASES RATE PAIRS SHARE: a target and a query with that rate of edits, as NAME.t.fa and
# NAME.q.fa, NAME.n.t.fa with N at the target's end, and NAME.seq, a list of PAIRS pairs whose lengths
# grow to that share of the bases, every fourth with N.
pair()
{
    awk -v name="$1" -v most="$2" -v rate="$3" -v pairs="$4" -v share="$5" '
        function mutated(length_of, letters,   i, kind, letter) {
            target = query = ""
            for (i = 0; i < length_of; i++) {
                letter = substr(letters, int(rand() * length(letters)) + 1, 1)
                target = target letter
                if (rand() >= rate) { query = query letter; continue }
                kind = int(rand() * 3)
                if (kind < 2)
                    query = query (kind ? letter : "") substr("ACGT", int(rand() * 4) + 1, 1)
            }
        }
        BEGIN {
            srand(11)
            mutated(most, "ACGT")
            print ">t\n" target >(name ".t.fa")
            print ">q\n" query >(name ".q.fa")
            print ">t\n" target "NNN" >(name ".n.t.fa")
            for (i = 1; i <= pairs; i++) {
                mutated(int(most * share * i / pairs), i % 4 == 0 ? "ACGTN" : "ACGT")
                print ">" query "\n<" target >(name ".seq")
            }
        }'
}

# columns FILE: without the columns of device and time.
columns()
{
    awk -F '\t' -v OFS='\t' '$7 ~ /^(wavefront|bitparallel)$/ { $8 = $9 = "" } !/^#/' "$1"
}
