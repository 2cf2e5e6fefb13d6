# SPDX-License-Identifier: MIT
# needs: device
# An output is neither an input, redirected or named, nor the other output, however it is spelled.
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGA\n' >q.fa
printf '>AC\n<AG\n' >pairs.seq
rhomb align --quiet -o z.paf t.fa q.fa
printf 't\t18\t3\t18\t19\n' >t.fa.fai
ln -s t.fa.fai named
cp -r . ../same_file.before
try rhomb align -o q.fa t.fa - <q.fa
try rhomb align --report ./q.fa t.fa - <q.fa
try rhomb distance -o t.fa - q.fa <t.fa
try rhomb batch -o pairs.seq - <pairs.seq
try rhomb batch -o q.fa t.fa - <q.fa
# Nor is it an input's index, which must be there: here is none of q.fa.
try rhomb align --target-region t:1-9 --format paf -o t.fa.fai t.fa q.fa
try rhomb align --report ./t.fa.fai t.fa q.fa
try rhomb distance --json -o t.fa.fai q.fa t.fa
try rhomb batch -o named t.fa q.fa
try rhomb distance --quiet --json -o q.fa.fai t.fa q.fa
rm q.fa.fai
mkdir folder
ln -s folder link
for names in 'x.paf ./x.paf' 'x.paf folder/../x.paf' 'folder/x.paf link/x.paf' "x.paf $PWD/x.paf" \
    "$PWD/x.paf ./x.paf"; do
    (try rhomb align -o ${names% *} --report ${names#* } t.fa q.fa) | sed "s:$PWD:FOLDER:"
done
# The same name in two folders is two files.
try rhomb align --quiet -o x.paf --report link/x.paf t.fa q.fa
ls -R
rm -r folder link x.paf
diff -rq . ../same_file.before
rm -r ../same_file.before
