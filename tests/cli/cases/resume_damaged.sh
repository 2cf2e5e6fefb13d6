# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# needs: command samtools
# A character that has changed in what is complete is noticed, in every format. A journal that has
# changed counts as far as it is right. The limit on the size of files is what stops the runs.
make_sequences 'BEGIN {
    for (k = 1; k <= 24; k++) {
        text = bases(300)
        print ">chr" k "\n" text >"target.fa"
        print ">chr" k "\n" substr(text, 1, 99) "T" substr(text, 101, 100) bases(9) substr(text, 201) >"query.fa"
    }
}'
export RHOMB_CACHE_DIR=$PWD/cache
# records FILE: what does not depend on the command and the time.
records() {
    zcat -f "$1" | case $1 in
    *distance.tsv) cut -f 1-8 ;;
    *.bam) samtools view ;;
    *.json) grep -e '{"strand":' -e '{"target":' ;;
    *) grep -v -e '^@PG' -e '^##' ;;
    esac
}
while read -r command name limit options; do
    run=(rhomb "$command" --match names --quiet)
    # shellcheck disable=SC2206 # options
    run+=($options)
    name=$command.$name
    for _ in 1 2 3; do # compilers write longer files than are allowed
        "${run[@]}" -o "whole.$name" target.fa query.fa
    done
    run+=(--resume -o "$name" target.fa query.fa)
    (ulimit -f "$limit" && exec "${run[@]}") 2>/dev/null && echo "$name: not stopped"
    cp "$name.partial" kept.partial && cp "$name.resume" kept.resume
    [ "$(grep -c ^pairs kept.resume)" -gt 2 ] || echo "$name: too few pairs"
    bytes=$(grep -E '^pairs( [0-9a-f]+){7} [0-9a-f]{16}$' kept.resume | tail -n 1 | cut -d ' ' -f 5)
    for at in 0 $((bytes / 2)) $((bytes - 1)); do
        LC_ALL=C tr '\0-\377' '\1-\377\0' < <(tail -c +$((at + 1)) kept.partial | head -c 1) |
            dd of="$name.partial" bs=1 seek=$at conv=notrunc status=none
        "${run[@]}" 2>err
        [[ $? = 1 && $(<err) == *"$name.partial is damaged: remove $name.resume to begin anew" ]] ||
            { echo "$name: $at of $bytes is not noticed" && cat err; }
        cp kept.partial "$name.partial" && cp kept.resume "$name.resume"
    done
    sed -i '3s/^pairs ./pairs 9/' "$name.resume"
    "${run[@]}"
    cmp <(records "$name") <(records "whole.$name") && ls "$name"*
done <<'END'
align paf 1
align sam 6
align tsv 1
align vcf 4
align chain 1
align maf 3
align json 6
align paf.gz 3 --chunk 7
align bam 2 --cigar M
distance tsv 1
distance json 3
END
