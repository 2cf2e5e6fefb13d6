# SPDX-License-Identifier: MIT
# needs: device
# What messages repeat of names and options cannot steer a terminal; data stays as it is.
evil=$(printf 'a\033]0;x\a\r\177\302\233\377\303\251')
printf '>t%s\nAC!T\n' "$evil" >"$evil.fa"
printf ">one\nACGT\n>\303\251\233\nACGT\n" >many.fa
# silent COMMAND...: as try, but without the command.
silent() {
    try "$@" | sed 1d
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
