# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The files of the recipes in rhomb-cookbook(7) and README.md. recipe_files makes them in the current
# folder: random bases from a fixed seed, and changes that are named here.

# bases SEED COUNT: random ones, the same with every awk.
bases()
{
    awk -v s="$1" -v n="$2" 'BEGIN {
        for (i = 0; i < n; i++) {
            s = s * 16807 % 2147483647
            printf "%s", substr("ACGT", int(s / 65536) % 4 + 1, 1)
        }
    }'
}

# substituted STEP: every STEP-th base of the input becomes another one.
substituted()
{
    awk -v step="$1" '{
        for (i = 1; i <= length($0); i++) {
            base = substr($0, i, 1)
            printf "%s", i % step == 0 ? substr("CGTA", index("ACGT", base), 1) : base
        }
    }'
}

complemented()
{
    rev | tr ACGT TGCA | tr -d '\n'
}

# record NAME BASES
record()
{
    printf '>%s\n%s\n' "$1" "$2"
}

recipe_files()
{
    local ref sample g i
    ref=$(bases 7 20000)
    # A base in 1,000 differs, 300 are missing, and 12 are more.
    sample=$(substituted 1000 <<<"$ref")
    sample=${sample:0:8200}${sample:8500:6000}GATTACAGATTA${sample:14500}
    record chr1 "$ref" >ref.fa
    record sample "$sample" >sample.fa
    record sample "$(complemented <<<"$sample")" >reverse.fa
    record circle "${sample:6000}${sample:0:6000}" >circle.fa
    record rearranged "${sample:0:9000}$(complemented <<<"${sample:9000:5000}")${sample:14000}" \
        >rearranged.fa
    { record chrA "${ref:0:9000}"; record chrB "${ref:9000:7000}"; record chrC "${ref:16000}"; } >old.fa
    { record ctg1 "$(complemented <<<"${sample:9000:6500}")"; record ctg2 "${sample:0:9000}"; } >new.fa
    for i in 1 2 3 4; do
        g=$(substituted $((150 * i)) <<<"${ref:0:3000}")
        record "g$i" "$g"
    done >genomes.fa
    sed 2q genomes.fa >g1.fa
    # A pair a line; the second read has 2 mismatches, the third a deletion.
    for i in 0 1 2; do
        g=${ref:i * 500:100}
        printf '<%s\ttarget%d\n' "$g" "$i"
        case $i in
        0) ;;
        1) g=$(substituted 40 <<<"$g") ;;
        2) g=${g:0:50}${g:54} ;;
        esac
        printf '>%s\tread%d\n' "$g" "$i"
    done | awk '/^</ { t = $0; next } { print; print t }' >pairs.seq
    { record t0 "${ref:0:300}"; record t1 "${ref:1000:300}"; } >targets.fa
    { record q0 "$(substituted 60 <<<"${ref:100:120}")"; record q1 "${ref:950:200}"; } >reads.fa
    # A primer with Y, M and N where the site has C, A and any base.
    g=${ref:40:20}
    record site "${ref:0:100}" >site.fa
    record primer "${g:0:4}$(tr ACGT MYKY <<<"${g:4:1}")${g:5:5}N${g:11}" >primer.fa
    # Haemoglobins, UniProt P69905 and P02208, the first 60 amino acids of each.
    record human MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHG >human.fa
    record lamprey MPIVDTGSVAPLSAAEKTKIRSAWAPVYSTYETSGVDILVKFFTSTPAAQEFFPKFKGLT >lamprey.fa
    # As the targets for 200 bases and 250, then not.
    { record e0 "${ref:0:200}$(bases 11 100)"; record e1 "${ref:1000:250}$(bases 13 100)"; } >ends.fa
}
