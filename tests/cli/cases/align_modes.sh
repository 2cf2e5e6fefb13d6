# SPDX-License-Identifier: MIT
# needs: device
# rhomb align --mode ends-free, extend and local: the same rows as of a batch, records that verify, the
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
same ends-free match:2,4,4,2 --free-ends 4
same ends-free match:2,4,4,2
# Free everywhere: with all ends, or those of the target where matches score nothing; and by edlib's names.
same ends-free edit
same infix edit
same infix match:2,4,4,2
same ends-free wfa --free-ends 0,0,0,all
same prefix wfa
same extend match:2,4,4,2
same extend match:2,4,4,2 --end-bonus 50
same extend match:2,4,4,2 --z-drop 30 --end-bonus 10
ends='--quiet --mode ends-free --free-ends 20 --score wfa'
try rhomb align $ends --strand - t.fa r.fa
rhomb align $ends --format sam t.fa q.fa | sed '/^@PG/d'
for format in chain maf tsv; do try rhomb align $ends --format $format t.fa q.fa; done
try rhomb align $ends -r t:11-40 -q q:5-20 t.fa q.fa
rhomb align $ends --json t.fa q.fa >ends.json
as_json ends.json
sed -n '/"ends_free":/,/query_end/p' ends.json
rhomb align --quiet --mode extend --score match:2,4,4,2 --end-bonus 50 --json t.fa q.fa |
    sed -n '/"extend":/,/reached_end/p'
try rhomb plot out.paf -o out.svg
test -s out.svg && echo drawn
try rhomb align --quiet --mode extend --score asm5 --z-drop 9 --tune local=2:6:0 t.fa q.fa
# Nothing is aligned.
try rhomb align --mode ends-free --free-ends 100 --quiet t.fa q.fa
try rhomb align --mode ends-free --free-ends all t.fa q.fa
try rhomb align --mode prefix t.fa e.fa
try rhomb batch --mode ends-free --free-ends all --no-header pair.seq
cat pair.seq pair.seq | try rhomb batch --mode local --score match:2,4,4,2 --no-header -
printf '>AC\n<AC\n>A\n<C\n' | try rhomb batch --mode local --score match:2,4,4,2 --no-header -
printf '>c\nCCCC\n' >c.fa
try rhomb align --mode extend --score match:2,4,4,2 --quiet t.fa c.fa
try rhomb align --mode ends-free --free-ends 100 --quiet t.fa e.fa
try rhomb align --mode ends-free --quiet t.fa e.fa
# The plan: its lines; the figures are the device's.
rhomb align --quiet --dry-run --mode extend --score match:2,4,4,2 t.fa q.fa >plan.txt
cut -c 1-15 plan.txt | sed 's/ *$//'
grep -E '^(mode|matrix) ' plan.txt
rhomb align --quiet --dry-run --json $ends t.fa q.fa >plan.json
as_json plan.json
sed -n '/"plan":/,$p' plan.json | grep -o '"[a-z_0-9]*":' | paste -s -d ' ' | fold -s -w 98
try rhomb align --quiet --dry-run --mode extend --z-drop 3 --score match:2,4,4,2 t.fa q.fa |
    grep -E '^([$=!]|matrix)'

# Local alignments.
local='--quiet --mode local --score match:2,4,4,2'
try rhomb batch $local --cigar pair.seq
try rhomb align $local --cs t.fa q.fa -o local.paf
cat local.paf
try rhomb verify local.paf t.fa q.fa
try rhomb align $local --strand - t.fa r.fa
rhomb align $local --format sam t.fa q.fa | sed '/^@PG/d'
for format in chain maf tsv; do try rhomb align $local --format $format t.fa q.fa; done
try rhomb align $local -r t:11-40 -q q:5-20 t.fa q.fa
rhomb align $local --json t.fa q.fa >local.json
as_json local.json
sed -n '/"local":/,/query_end/p' local.json
# In small blocks.
rhomb align $local --cs --tune local=2:3:2 t.fa q.fa | cmp - local.paf
# Nothing has a score.
try rhomb align $local t.fa e.fa
rhomb align $local --format json t.fa e.fa | grep '"operations".*null'
# What is refused.
try rhomb align --mode extend --score asm5 t.fa q.fa
try rhomb align $local --tune local=2:0:65 t.fa q.fa
