# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# What messages repeat of names and options cannot steer a terminal; data stays as it is.
evil=$(printf 'a\033]0;x\a\r\177\302\233\377\303\251')
printf '>t%s\nAC!T\n' "$evil" >"$evil.fa"
printf ">one\nACGT\n>\303\251\233\nACGT\n" >many.fa
# silent COMMAND...: as try, but without the command.
silent() {
    try "$@" | sed -E '1{s/^.* (=> [0-9]+)$/\1/;t;d}'
}
silent rhomb distance "$evil.fa" many.fa
silent rhomb distance "missing$evil" many.fa
silent rhomb distance -r "$evil" many.fa many.fa
silent rhomb distance -r "one:$evil" many.fa many.fa
silent rhomb distance many.fa many.fa
silent rhomb distance -K "$evil" a b
silent rhomb distance --tune "$evil" a b
silent rhomb distance "--$evil" a b
silent rhomb distance -d "$evil" many.fa many.fa -r one -q one | grep matches
silent rhomb align --format "$evil" a b
silent rhomb "$evil"
silent rhomb verify "$evil.fa" many.fa many.fa
printf 'q%s\t4\t0\t4\t+\tt\t4\t0\t4\t4\t4\t60\tcg:Z:4=\n' "$(printf '\302\233')" >q.paf
silent rhomb verify q.paf many.fa many.fa
silent rhomb batch --quiet -o "missing$evil/x" many.fa many.fa
# A long name is not cut.
long=$(head -c 200 /dev/zero | tr '\0' d)/$(head -c 200 /dev/zero | tr '\0' d)/$(head -c 200 /dev/zero | tr '\0' e)
mkdir -p "${long%/*}" && cp many.fa "$long"
rhomb distance -o "$long" "$long" many.fa 2>&1 | grep -c "$long: name another file\$"
silent rhomb distance --quiet --no-header -r one -q "$(printf '\303\251\233')" many.fa many.fa | od -c | head -n 2
# A range has digits.
for range in , ,, - ,-, '' 1- 1,- ,2 1,,2-3 1,-3 2-,3 2-3,; do
    try rhomb distance --quiet --no-header -r "one:$range" -q one many.fa many.fa
done
try rhomb distance --quiet --no-header -r '{one}:,,' -q one many.fa many.fa

apart
# Names of 64 KiB are whole in all that is written and read again; longer ones are errors.
name=$(head -c 65536 /dev/zero | tr '\0' N)
printf '>%s description\nACGT\n' "$name" >t.fa
printf '@%s\nAGGT\n+\nIIII\n' "$name" >q.fq
printf '>x%s\nACGT\n' "$name" >long.fa
printf '@x%s\nACGT\n+\nIIII\n' "$name" >long.fq
for command in 'distance --json' align 'align --cs' 'align --format json' 'batch --cigar' 'batch --format json'; do
    rhomb $command --quiet t.fa q.fq | tr -c N '\n' | awk -v size=65536 'length == size' | wc -l
done
rhomb align --quiet t.fa q.fq >names.paf
rhomb verify names.paf t.fa q.fq
rhomb plot --quiet names.paf -o names.svg
try rhomb align --quiet --format sam t.fa q.fq
try rhomb distance --quiet long.fa q.fq
try rhomb align --quiet t.fa long.fq
try rhomb batch --quiet t.fa long.fq
try rhomb verify names.paf long.fa q.fq
sed 's/^/x/' names.paf >long.paf
try rhomb verify long.paf t.fa q.fq
try rhomb plot long.paf -o names.png
# Nor is a name without an end kept.
endless() {
    printf '%s' "$1" && yes N 2>/dev/null | head -c 100M | tr -d '\n'
}
rhomb distance --quiet t.fa - < <(endless '>') 2>&1 | cut -c 1-200
rhomb verify names.paf t.fa - < <(endless '@') 2>&1 | cut -c 1-200
ls

apart
# Input without an end is judged at its first byte that is not whitespace, in little memory.
printf '>t\nACGT\n' >t.fa
printf 'q\t4\t0\t4\t+\tt\t4\t0\t4\t4\t4\t60\tcg:Z:4=\n' >good.paf
# A GPU's driver takes far more addresses than that.
rhomb devices 2>/dev/null | grep -qE '^[* ] *[0-9]+ +gpu ' && limit=unlimited || limit=1500000
limited() {
    (ulimit -v $limit && exec "$@")
}
nonsense() {
    yes nonsense 2>/dev/null | tr -d '\n'
}
try limited rhomb batch --quiet /dev/zero
try limited rhomb batch --quiet - </dev/zero
try limited rhomb batch --quiet /dev/zero t.fa
try limited rhomb batch --quiet - < <(nonsense)
try limited rhomb batch --quiet - t.fa < <(nonsense)
try limited rhomb batch --quiet - < <(printf '>A\n' && cat /dev/zero)
try limited rhomb batch --keep-going --quiet --no-header - < <(printf '>AC\n<AG\n>A' && cat /dev/zero)
# Blanks are not kept.
try limited rhomb batch --quiet - < <(head -c 600M /dev/zero | tr '\0' ' ' && echo nonsense)
try limited rhomb distance --quiet t.fa - </dev/zero
try limited rhomb distance --quiet t.fa - < <(nonsense)
try limited rhomb align --quiet /dev/zero t.fa
try limited rhomb verify - t.fa t.fa </dev/zero
try limited rhomb verify good.paf t.fa - </dev/zero
try limited rhomb plot - -o out.svg </dev/zero
ls out.* 2>/dev/null
