# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# All that a command writes, by an option or beside one, against all that it reads and against all else
# that it writes: refused before anything is opened, through links as well.
mkdir here && cd here || exit
for name in T Q; do
    printf '>t\nACGTCATGCTTGACCTGA\n' >$name
    printf 't\t18\t3\t18\t19\n' >$name.fai
    : >$name.gzi
done
printf '>AC\n<AG\n' >S
printf 't t\n' >M
printf 't\t18\t0\t18\t+\tt\t18\t0\t18\t18\t18\t255\tcg:Z:18=\n' >P
refused='would overwrite an input|are one file|are both standard output|is a link, which'

# expect_refusal COMMAND...
expect_refusal() {
    local status
    "$@" >../out 2>../err
    status=$?
    count=$((count + 1))
    [[ $status = 2 && $(<../err) =~ $refused ]] || echo "NOT REFUSED, exit status $status, $form: $*"
}

# with_word OLD NEW: the command with another word, in $changed. False without the old one.
with_word() {
    local i found=1
    changed=("${command[@]}")
    for i in "${!changed[@]}"; do
        [ "${changed[i]}" != "$1" ] || { changed[i]=$2 && found=0; }
    done
    return $found
}

# conflicts INPUTS OUTPUTS COMMAND...: tries each of the outputs as each of the inputs, and as each of
# the outputs before it. Those that the command does not name come of one that it does.
conflicts() {
    local inputs=$1 outputs=$2 command changed count=0 in out other form before=
    shift 2
    command=(rhomb "$@")
    cksum -- * >../before
    form='nothing in the way'
    # Devices are opened after files.
    case $1 in
    report | plot) "${command[@]}" ;;
    *) "${command[@]}" --device none ;;
    esac >../out 2>../err </dev/null
    [[ $? != 2 && ! $(<../err) =~ $refused ]] || { echo "REFUSED: ${command[*]}" && cat ../err; }
    for out in $outputs; do
        rm -rf "$out"
    done
    for out in $outputs; do
        for in in $inputs; do
            form="$out is a link to $in"
            ln -s "$in" "$out" && expect_refusal "${command[@]}"
            rm "$out"
            form="$out is $in"
            ln "$in" "$out" && expect_refusal "${command[@]}"
            with_word "$in" - && [ "$in" != M ] && expect_refusal "${changed[@]}" <"$in"
            rm "$out"
            if with_word "$out" "$in"; then
                expect_refusal "${changed[@]}"
            elif with_word "$in" "$out"; then
                cp "$in" "$out" && expect_refusal "${changed[@]}"
                rm "$out"
            fi
        done
        for other in $before; do
            form="$out is $other"
            : >"$other" && ln "$other" "$out" && expect_refusal "${command[@]}"
            rm "$other" "$out"
            [[ $out != "$other"* ]] || continue
            if with_word "$out" "$other"; then
                expect_refusal "${changed[@]}"
                form="$out is a link to $other, which is not there"
                ln -s "$other" "$out" && expect_refusal "${command[@]}"
                rm "$out"
            elif with_word "$other" "$out"; then
                expect_refusal "${changed[@]}"
            fi
        done
        before="$before $out"
    done
    cksum -- * | diff ../before - && echo "$count refused: ${command[*]}"
}

pair='T T.fai Q Q.gzi'
conflicts "$pair" 'O.tsv D K K.new' distance T Q -o O.tsv --resume=K --cache-dir D
conflicts "$pair M" 'O.tsv K K.new' distance --match M --resume=K T Q -o O.tsv
conflicts "$pair M" 'O.tsv O.tsv.resume O.tsv.resume.new' distance --match M T Q --resume -o O.tsv
conflicts "$pair" 'O.paf R C D K K.new' \
    align T Q -o O.paf --report R --callable C --resume=K --cache-dir D
many='align --match M T Q --callable C --unaligned U --resume=K -o'
for name in O.paf O.bam O.cram O.vcf.gz; do
    case $name in
    O.bam) indexes='bai csi' ;;
    O.cram) indexes=crai ;;
    O.vcf.gz) indexes='csi tbi' ;;
    *) indexes= ;;
    esac
    # shellcheck disable=SC2086 # lists
    conflicts "$pair M" "$name K K.new ${indexes:+$(printf "$name.%s " $indexes)} C U" $many $name
done
# shellcheck disable=SC2086 # a list
conflicts "$pair" 'O.bam O.bam.bai O.bam.csi C' align T Q --callable C -o O.bam
conflicts S O.tsv batch S -o O.tsv
conflicts "$pair M" 'O.tsv D' batch --match M T Q -o O.tsv --cache-dir D
conflicts "$pair" 'O.tsv R D' matrix T Q -o O.tsv --resume R --cache-dir D
conflicts "P $pair" O.txt report P T Q -o O.txt
conflicts P O.svg plot P -o O.svg

# Standard output, where it is a file that is there.
count=0 form='standard output'
for file in T Q T.fai P; do
    expect_output() {
        cp "$file" ../kept
        "$@" >>"$file" 2>../err
        [[ $? = 2 && $(<../err) =~ $refused ]] || echo "NOT REFUSED: $* >>$file"
        count=$((count + 1))
        cmp "$file" ../kept
    }
    for command in 'verify P T Q' 'report P T Q' 'align P T' 'align T Q' 'distance T Q' 'batch Q T' \
        'matrix P T Q' 'plot P --format svg -o -'; do
        # shellcheck disable=SC2086 # a command
        [[ " $command " != *" ${file%.fai} "* ]] || expect_output rhomb $command
    done
done
echo "$count refused: standard output"

# Messages.
try rhomb align -o ./Q T Q
try rhomb align -o ./Q T - <Q
cp Q K.new
try rhomb align --resume K T K.new
ln -s T O.bam.bai
try rhomb align -o O.bam T Q
rm K.new
mkdir K.new
try rhomb align --match names --resume K -o O.paf T Q
rm -r O.* K.new
# All options that name files are above.
rhomb help completion | sed -n 's/.* \(--[a-z-]*\).* FILE$/\1/p' | sort -u

apart
# However it is spelled, through a folder's link as well; the same name in two folders is two files. An
# index that is not there is none.
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGA\n' >q.fa
mkdir folder
ln -s folder link
for names in 'x.paf ./x.paf' 'x.paf folder/../x.paf' 'folder/x.paf link/x.paf' "x.paf $PWD/x.paf" \
    "$PWD/x.paf ./x.paf"; do
    rhomb align -o ${names% *} --report ${names#* } t.fa q.fa 2>&1 | sed "s:$PWD:FOLDER:; 1q"
done
try rhomb align --quiet -o x.paf --report link/x.paf t.fa q.fa
try rhomb distance --quiet --json -o q.fa.fai t.fa q.fa
ls -R
