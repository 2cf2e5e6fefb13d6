# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# needs: command samtools
# BAM and CRAM go on where a run was stopped: by a limit on the size of files, and by SIGKILL. The
# query of chr2 has no alignment: it comes after all others.
make_sequences 'BEGIN {
    for (k = 1; k <= 6; k++) {
        text = bases(3000)
        print ">chr" k "\n" text >"target.fa"
        changed = substr(text, 1, 999) "T" substr(text, 1001) bases(100)
        print ">chr" k "\n" (k == 2 ? bases(900) : changed) >"query.fa"
    }
    print ">more\n" bases(500) >"query.fa"
}'
samtools faidx target.fa
export RHOMB_CACHE_DIR=$PWD/cache
limited() {
    (ulimit -f "$1" && shift && "$@")
}
# records FILE: what is in it, without the line of the command.
records() {
    samtools view --no-PG -h -T target.fa "$1" | grep -v '^@PG'
}
for format in bam cram; do
    # Compilers write longer files than are allowed below. Kernels are compiled at the first use, stored at the
    # second, and unpacked by PoCL when they are first loaded.
    for _ in 1 2 3; do
        rhomb align --match names -K 300 --quiet -o whole.$format target.fa query.fa
    done
    arguments="--match names -K 300 --quiet --resume --unaligned rest.bed -o out.$format target.fa query.fa"
    # shellcheck disable=SC2086 # options
    try limited 4 rhomb align $arguments
    sed 1d out.$format.resume | cut -d ' ' -f 1-2
    # What came after the last pair is part of a record, in part of a block.
    head -c 777 /dev/urandom >>out.$format.partial
    cp out.$format.partial kept.partial && cp out.$format.resume kept.resume
    # shellcheck disable=SC2086 # options
    try rhomb align $arguments
    ls out.*
    samtools quickcheck out.$format
    records whole.$format >whole.records
    records out.$format | cmp - whole.records && echo same
    rm out.*
    # Killed after each number of pairs, in the middle of the next one.
    for pairs in 1 2 3 4 5; do
        # shellcheck disable=SC2086 # options
        rhomb align $arguments &
        until [ -e out.$format ] || [ "$(grep -c '^pairs' out.$format.resume 2>/dev/null)" -ge $pairs ]; do
            sleep 0.002
        done 2>/dev/null
        { kill -9 $! && wait $!; } 2>/dev/null
        [ ! -e out.$format ] || break
    done
    # shellcheck disable=SC2086 # options
    rhomb align $arguments || echo "=> $?"
    ls out.* rest.*
    records out.$format | cmp - whole.records && echo same
    samtools view -c -T target.fa out.$format chr3
    samtools view -T target.fa out.$format | cut -f 1-3
    # Killed after the file got its name, but before the journal was gone.
    cp kept.resume out.$format.resume
    try rhomb align --match names -K 300 --resume -o out.$format target.fa query.fa
    records out.$format | cmp - whole.records && echo same
    # A file that lacks what it had.
    rm out.*
    cp kept.resume out.$format.resume
    head -c 100 kept.partial >out.$format.partial
    # shellcheck disable=SC2086 # options
    try rhomb align $arguments
    rm out.*
done
