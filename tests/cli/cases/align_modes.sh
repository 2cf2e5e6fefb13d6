# SPDX-License-Identifier: MIT
# needs: device
# rhomb align --mode ends-free and extend: the same rows as of a batch, records that verify, the
# formats and JSON, the plan, and what does not go together.
target=TTGACCTAGCATTACGGATCCATTGACACGTTAGCCATAGGACTTACGGTTAACC
query=GGGGACGGATCCTTGACACGTTAGCAATAGGACGGGG
printf '>t\n%s\n' $target >t.fa
printf '>q\n%s\n' $query >q.fa
printf '>r\n%s\n' "$(echo $query | rev | tr ACGT TGCA)" >r.fa
printf '>e\n' >e.fa
printf '>%s\tq\n<%s\tt\n' $query $target >pair.seq
# same MODE SCORE OPTION...: a record that verifies, and the columns and the path of the batch's row.
same() {
    local mode=$1 score=$2
    shift 2
    try rhomb align --quiet --mode "$mode" --score "$score" "$@" t.fa q.fa -o out.paf
    cat out.paf
    try rhomb verify --score "$score" out.paf t.fa q.fa
    rhomb batch --quiet --mode "$mode" --score "$score" "$@" --cigar --format paf pair.seq >row.paf
    for file in out.paf row.paf; do
        cut -f 1-10 $file
        grep -o 'AS:i:[-0-9]*' $file
        grep -o 'cg:Z:.*' $file
    done | sort | uniq -c | awk '$1 % 2 != 0 { print "differs: " $0 }'
}
same ends-free wfa --free-ends 5,5,20,20
same ends-free edit --free-ends 0,0,20,20
same ends-free match:2,1,4,2 --free-ends 4
same ends-free match:2,1,4,2
# Free everywhere: with all ends, or those of the target where matches score nothing; and by edlib's names.
same ends-free edit
same infix edit
same infix match:2,1,4,2
same ends-free wfa --free-ends 0,0,0,all
same prefix wfa
same extend match:2,1,4,2
same extend match:2,1,4,2 --end-bonus 50
same extend match:2,1,1,1 --z-drop 1
same extend match:2,1,1,1 --z-drop 3 --end-bonus 10
ends='--quiet --mode ends-free --free-ends 20 --score wfa'
try rhomb align $ends --strand - t.fa r.fa
rhomb align $ends --format sam t.fa q.fa | sed '/^@PG/d'
for format in chain maf tsv; do try rhomb align $ends --format $format t.fa q.fa; done
try rhomb align $ends -r t:11-40 -q q:5-20 t.fa q.fa
rhomb align $ends --json t.fa q.fa >ends.json
as_json ends.json
sed -n '/"ends_free":/,/query_end/p' ends.json
rhomb align --quiet --mode extend --score match:2,1,4,2 --end-bonus 50 --json t.fa q.fa |
    sed -n '/"extend":/,/reached_end/p'
try rhomb plot out.paf -o out.svg
test -s out.svg && echo drawn
# In small blocks.
for tune in local=1:1:3 local=2:3:2; do
    for mode in 'ends-free --free-ends 5,5,20,20' 'extend --end-bonus 50'; do
        rhomb align --quiet --score match:2,1,4,2 --mode $mode --tune $tune t.fa q.fa >small.paf
        rhomb align --quiet --score match:2,1,4,2 --mode $mode t.fa q.fa | cmp - small.paf
    done
done
for tune in local=1:2:3 local=2:8:2; do
    drop='--mode extend --z-drop 3 --end-bonus 10'
    rhomb align --quiet --score match:2,1,1,1 $drop --tune $tune t.fa q.fa >small.paf
    rhomb align --quiet --score match:2,1,1,1 $drop t.fa q.fa | cmp - small.paf
done
try rhomb align --quiet --mode extend --score asm5 --z-drop 9 --tune local=2:6:0 t.fa q.fa
# Nothing is aligned.
try rhomb align --mode ends-free --free-ends 100 --quiet t.fa q.fa
try rhomb align --mode ends-free --free-ends all t.fa q.fa
try rhomb align --mode prefix t.fa e.fa
try rhomb batch --mode ends-free --free-ends all --no-header pair.seq
cat pair.seq pair.seq | try rhomb batch --mode local --score match:1,4,4,2 --no-header -
printf '>AC\n<AC\n>A\n<C\n' | try rhomb batch --mode local --score match:1,4,4,2 --no-header -
try rhomb align --mode extend --score match:1,9,9,9 --quiet t.fa q.fa
try rhomb align --mode ends-free --free-ends 100 --quiet t.fa e.fa
try rhomb align --mode ends-free --quiet t.fa e.fa
# The plan: its lines; the figures are the device's.
rhomb align --quiet --dry-run --mode extend --score match:2,1,4,2 t.fa q.fa >plan.txt
cut -c 1-15 plan.txt | sed 's/ *$//'
grep -E '^(mode|matrix) ' plan.txt
rhomb align --quiet --dry-run --json $ends t.fa q.fa >plan.json
as_json plan.json
sed -n '/"plan":/,$p' plan.json | grep -o '"[a-z_0-9]*":'
try rhomb align --quiet --dry-run --mode extend --z-drop 3 --score match:2,1,4,2 t.fa q.fa |
    grep -E '^([$=!]|matrix)'
