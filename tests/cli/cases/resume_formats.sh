# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# needs: command samtools
# In each format a run that was stopped, by a limit on the size of files and by SIGKILL, leaves the bytes
# of one that was not; and a bit of its file that has changed is noticed, or what comes after it is done
# again. The query of chr2 may have no alignment: it comes after all others.
make_sequences 'BEGIN {
    for (k = 1; k <= 24; k++) {
        text = bases(300)
        print ">chr" k "\n" text >"target.fa"
        changed = substr(text, 1, 99) "T" substr(text, 101, 100) bases(9) substr(text, 201)
        print ">chr" k "\n" (k == 2 ? bases(290) : changed) >"query.fa"
    }
}'
samtools faidx target.fa
export RHOMB_CACHE_DIR=$PWD/cache
for _ in 1 2 3; do # compilers write longer files than are allowed below
    for command in align distance batch 'batch --cigar'; do
        rhomb $command --match names --quiet target.fa query.fa >compiled
    done
done
# records FILE: what does not depend on the command and the time.
records() {
    case $1 in
    *distance.tsv) cut -f 1-8 "$1" ;;
    *.bam | *.cram) samtools view --no-PG -h -T target.fa "$1" | grep -v '^@PG' ;;
    *.json) grep -e '{"strand":' -e '{"target":' "$1" ;;
    *.gz) cat "$1" ;;
    *) grep -v -e '^@PG' -e '^##' "$1" ;;
    esac
}
# pairs: how many pairs the file has.
pairs() {
    grep -ao pairs... kept 2>/dev/null | wc -l
}
number=0
while read -r command name limit options; do
    run=(rhomb "$command" --match names --quiet)
    # shellcheck disable=SC2206 # options
    run+=($options)
    name=$command.$name
    "${run[@]}" -o "whole.$name" target.fa query.fa
    run+=(--resume=kept -o "$name" target.fa query.fa)
    (ulimit -f "$limit" && exec "${run[@]}") 2>/dev/null && echo "$name: not stopped"
    cp kept stopped
    bytes=$(wc -c <kept)
    [ "$(pairs)" -gt 1 ] || echo "$name: too few pairs"
    positions=(3 30 $((bytes / 2)))
    at=${positions[number++ % 3]} # in turn
    LC_ALL=C tr '\0-\377' '\1-\377\0' < <(tail -c +$((at + 1)) stopped | head -c 1) |
        dd of=kept bs=1 seek=$at conv=notrunc status=none
    if "${run[@]}" 2>err; then
        cmp <(records "$name") <(records "whole.$name")
    else
        [[ $(<err) == *'the resume file kept is damaged: '* ]] || cat err
    fi
    rm -f "$name" && cp stopped kept
    "${run[@]}"
    cmp <(records "$name") <(records "whole.$name") && ls "$name"*
    # Killed in the middle of the next pair.
    rm "$name"*
    for most in 1 7 20; do
        "${run[@]}" &
        until [ -e "$name" ] || [ "$(pairs)" -ge $most ]; do
            sleep 0.002
        done
        { kill -9 $! && wait $!; } 2>/dev/null
        [ ! -e "$name" ] || break
    done
    [ -e "$name" ] || "${run[@]}"
    cmp <(records "$name") <(records "whole.$name")
    rm -f kept "$name".*
done <<'END'
align paf 2
align sam 6
align tsv 4
align vcf 9
align chain 2
align maf 6
align json 6
align paf.gz 20 --chunk 7
align bam 6 --cigar M
align cram 6 -K 60
distance tsv 2
distance json 6
batch tsv 1 --tune=job-bases=4096
batch paf 2 --cigar --tune=job-bases=4096
batch json 4 --keep-going --tune=job-bases=4096
END
